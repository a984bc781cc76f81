//! Runs of minutes on both engines, and the same run twice.

use super::*;

#[test]
fn an_office_empties_on_the_gpu_as_on_the_cpu() {
    let mut scene = Scene::built_in("office").expect("a built-in scene");
    scene.scale(0.2).expect("a fifth is not too small");
    // Thirteen seconds, in as many steps as software Vulkan has time for.
    scene.dt = 0.08;
    let mut runs = on_both(&scene);
    let [cpu, gpu] = go_both(&mut runs, 160);
    assert!(cpu[159].arrived > 60, "too little happens: {:?}", cpu[159]);
    assert_alike(&cpu, &gpu, 2.0, 0.03);
    for run in &mut runs {
        assert_books_agree(run, scene.agent_count());
        let c = run.counters();
        assert_eq!(c.arrived, c.parked, "who arrives here leaves at once");
        assert!(c.overlap_share_mean < 0.05, "bodies keep apart: {c:?}");
    }
}

#[test]
fn two_streams_pass_each_other_on_the_gpu_as_on_the_cpu() {
    let scene = scene(STREAMS);
    let mut runs = on_both(&scene);
    let [cpu, gpu] = go_both(&mut runs, 160);
    assert!(cpu[159].arrived > 40, "too little happens: {:?}", cpu[159]);
    // Lanes form by chance, and a lane is several persons: more than in the other scenes hangs on who goes left.
    assert_alike(&cpu, &gpu, 4.0, 0.03);
    for run in &mut runs {
        assert_books_agree(run, 70);
        assert_eq!(run.counters().parked, 0);
    }
}

#[test]
fn an_opening_lets_out_on_the_gpu_what_it_does_on_the_cpu() {
    let scene = scene(OPENING);
    let mut runs = on_both(&scene);
    let [cpu, gpu] = go_both(&mut runs, 130);
    assert!(cpu[129].arrived > 15, "too little happens: {:?}", cpu[129]);
    // A jam makes much of little: who is first through the door soon is somebody else. Four are what it lets out in a second.
    assert_alike(&cpu, &gpu, 4.0, 0.03);
    for run in &mut runs {
        assert_books_agree(run, 70);
        let c = run.counters();
        assert_eq!((c.arrived, c.goals_reached), (c.parked, c.parked));
    }
}

#[test]
fn sources_waits_and_new_entries_happen_on_the_gpu_as_on_the_cpu() {
    let scene = scene(COMING_AND_GOING);
    let mut runs = on_both(&scene);
    let [cpu, gpu] = go_both(&mut runs, 180);
    let end = cpu[179];
    assert!(end.arrived > 15 && end.entered > 55 && end.parked > 0, "too little happens: {end:?}");
    assert_alike(&cpu, &gpu, 2.0, 0.03);
    for run in &mut runs {
        let (rate, total) = (5.0, 50);
        assert_books_agree(run, 30);
        let (c, agents) = (run.counters(), run.agents().unwrap());
        // Of the source: who is parked has done both legs, who is on the floor those before the one that it is at. The
        // others have one leg, and reach a goal each time that they arrive.
        let of_source = |i: &usize| agents.group[*i] == 1;
        let all = || (0..agents.len()).filter(of_source);
        let let_in = all().filter(|&i| agents.state[i] != State::Outside).count() as u64;
        assert!(let_in <= (rate * run.time() + 1e-6).floor().min(f64::from(total)) as u64, "more than the rate");
        let done = |i: usize| match agents.state[i] {
            State::Parked => 2,
            State::Outside => 0,
            _ => u64::from(agents.leg[i]),
        };
        let legs: u64 = all().map(done).sum();
        let finished = all().filter(|&i| done(i) == 2).count() as u64;
        assert_eq!(c.goals_reached, legs + c.arrived - finished, "{}", run.engine().name());
    }
}

#[test]
fn journeys_that_begin_again_never_end_on_the_gpu() {
    let scene = scene(
        "size = [6, 3]\ndt = 0.1\n[[goal]]\nname = \"west\"\nrect = [0, 0, 1, 3]\n[[goal]]\nname = \"east\"\nrect = [5, 0, 6, 3]\n\
         [[agents]]\ncount = 8\njourney = [\"west\", { goal = \"east\", wait = 0.5 }]\narrive = \"next\"\n",
    );
    let mut runs = on_both(&scene);
    let [cpu, gpu] = go_both(&mut runs, 160);
    assert!(gpu.iter().all(|c| (c.active, c.parked, c.entered) == (8, 0, 0)));
    let end = gpu[159];
    assert!(end.arrived >= 8 && end.goals_reached >= 2 * end.arrived - 8, "{end:?}");
    assert_alike(&cpu, &gpu, 3.0, 0.03);
}

// Same bits.

/// The state after so many steps, to the byte: agents in their order, counters, maps.
fn bytes_after(scene: &Scene, steps: u64, mut look: impl FnMut(&mut Simulation)) -> (u64, Vec<u8>) {
    let mut run = on_gpu(scene);
    run.engine_mut().keep_maps(true);
    for _ in 0..steps {
        run.step().unwrap_or_else(|e| panic!("{e}"));
        look(&mut run);
    }
    let c = run.counters();
    assert_sound(&c, &run);
    (run.state_hash().unwrap(), run.save().unwrap())
}

#[test]
fn the_same_run_has_the_same_bits_on_a_busy_machine_and_whoever_looks() {
    let mut scene = scene(BUSY);
    let alone = bytes_after(&scene, 20, |_| {});
    let again = bytes_after(&scene, 20, |_| {});
    assert!(alone == again, "the same run twice: {:x} and {:x}", alone.0, again.0);
    // With somebody who asks for everything, all the time: waiting changes when things are submitted and taken in.
    let mut looks = 0;
    let watched = bytes_after(&scene, 20, |run| {
        looks += run.counters().steps as usize;
        run.engine_mut().latest();
        run.agents().unwrap();
        looks += scalars(run, Field::Potential(0)).len() + vectors(run, Field::Velocity).len();
        run.tiles(1).unwrap();
        run.engine_mut().history();
    });
    assert!(looks > 0 && alone == watched, "watched: {:x} and {:x}", alone.0, watched.0);
    // With the processors taken by others.
    let stop = AtomicBool::new(false);
    let pressed = std::thread::scope(|scope| {
        for k in 0..4u64 {
            let stop = &stop;
            scope.spawn(move || {
                let mut x = k;
                while !stop.load(Ordering::Relaxed) {
                    x = std::hint::black_box(x.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ (x >> 7));
                }
            });
        }
        let pressed = bytes_after(&scene, 20, |_| {});
        stop.store(true, Ordering::Relaxed);
        pressed
    });
    assert!(alone == pressed, "on a busy machine: {:x} and {:x}", alone.0, pressed.0);
    // A hash that were always the same would say nothing.
    scene.seed += 1;
    assert_ne!(alone.0, bytes_after(&scene, 5, |_| {}).0);
}
