//! Runs that are saved, resumed and asked about.

use super::*;

fn start_on_gpu(scene: &Scene) -> Simulation {
    let mut run = on_gpu(scene);
    run.engine_mut().keep_maps(true);
    run
}

/// Walls that come while it runs, by the number of the step.
fn meddle(run: &mut Simulation) {
    match run.steps() {
        10 => drop(run.add_wall(bar(6.0, 1.0, 7.0, 3.0)).expect("a sound shape")),
        12 => assert!(run.paint_wall(Vec2::new(12.2, 5.2), true) && run.paint_wall(Vec2::new(12.7, 5.2), true)),
        18 => drop(run.add_wall(Shape::Line(vec![Vec2::new(2.0, 5.0), Vec2::new(4.0, 6.5)])).expect("a sound shape")),
        22 => assert!(run.set_wall("gate", false) && run.set_zone("mud", 0.9)),
        _ => {}
    }
}

fn go_on(run: &mut Simulation, until: u64, edits: bool) {
    while run.steps() < until {
        if edits {
            meddle(run);
        }
        run.step().unwrap_or_else(|e| panic!("{e}"));
    }
}

/// Pauses a run at several moments; each rest of it must have the bits of the run that was never paused.
fn resumes(scene: &Scene, moments: &[u64], end: u64, edits: bool) {
    let mut whole = start_on_gpu(scene);
    let mut saved = Vec::new();
    for &moment in moments {
        go_on(&mut whole, moment, edits);
        saved.push((moment, whole.save().unwrap()));
    }
    go_on(&mut whole, end, edits);
    let c = whole.counters();
    assert_sound(&c, &whole);
    assert!(c.entered > 10 && c.goals_reached > 2 && c.steps == end, "too little happens: {c:?}");
    let last = whole.save().unwrap();
    for (k, (moment, bytes)) in saved.iter().enumerate() {
        let mut rest = start_on_gpu(scene);
        // Into a fresh run, and into one that is elsewhere already.
        rest.steps_by(if k % 2 == 0 { 0 } else { 3 }).unwrap();
        rest.resume(bytes).unwrap_or_else(|e| panic!("at step {moment}: {e}"));
        assert_eq!(rest.steps(), *moment);
        assert!(rest.save().unwrap() == *bytes, "what was resumed at step {moment} is not what was saved");
        go_on(&mut rest, end, edits);
        assert_eq!(rest.state_hash().unwrap(), whole.state_hash().unwrap(), "resumed at step {moment}");
        assert_eq!(rest.counters(), whole.counters(), "resumed at step {moment}");
        assert!(rest.save().unwrap() == last, "resumed at step {moment}");
        for field in [Field::PeakDensity, Field::Use, Field::Potential(0), Field::Velocity] {
            assert!(rest.field(field).unwrap() == whole.field(field).unwrap(), "{field:?}, resumed at step {moment}");
        }
    }
}

#[test]
fn a_run_resumed_on_the_gpu_has_the_bits_of_one_that_was_never_paused() {
    // At the very start; just before the gate closes; after the zone changed and the gate opened.
    resumes(&scene(BUSY), &[0, 15, 26], 32, false);
}

#[test]
fn walls_that_came_during_a_run_on_the_gpu_are_resumed_to_the_bit() {
    resumes(&scene(BUSY), &[11, 23], 27, true);
    resumes(&scene(&format!("{BUSY}[model]\nplan = \"static\"\n")), &[17], 24, true);
}

#[test]
fn a_run_goes_on_on_the_other_engine() {
    let scene = scene(BUSY);
    for from in 0..2 {
        let mut runs = on_both(&scene);
        for run in &mut runs {
            run.engine_mut().keep_maps(true);
        }
        // One of them has run through the closing of the gate; the other takes over.
        go(&mut runs[from], 20);
        let bytes = runs[from].save().unwrap();
        runs[1 - from].resume(&bytes).unwrap_or_else(|e| panic!("{e}"));
        let [a, b] = &mut runs;
        assert_eq!(a.state_hash().unwrap(), b.state_hash().unwrap());
        assert_eq!((a.steps(), b.steps()), (20, 20));
        assert!(a.save().unwrap() == bytes && b.save().unwrap() == bytes, "one format for both engines");
        let counters = |run: &Simulation| Counters { solver: <_>::default(), ..run.counters() };
        assert_eq!(counters(a), counters(b));
        let [cpu, gpu] = go_both(&mut runs, 30);
        assert_alike(&cpu, &gpu, 2.0, 0.03);
    }
}

#[test]
fn who_was_put_aside_before_a_save_is_counted_after_it() {
    let scene = scene(
        "size = [10, 5]\n[[goal]]\nrect = [9, 0, 10, 5]\n[[agents]]\ncount = 30\nstart = { rect = [1, 0, 7, 5] }\n",
    );
    let displaced = on_both(&scene).map(|mut run| {
        go(&mut run, 3);
        run.add_wall(bar(2.0, 0.0, 4.0, 4.0)).expect("a sound shape");
        let bytes = run.save().unwrap();
        let mut rest = if run.engine().name() == "cpu" { on_cpu(&scene) } else { on_gpu(&scene) };
        rest.resume(&bytes).unwrap_or_else(|e| panic!("{e}"));
        [&mut run, &mut rest].map(|run| go(run, 1)[0].displaced)
    });
    assert!(displaced[0][0] > 0);
    assert_eq!(displaced, [[displaced[0][0]; 2]; 2], "without and with a save between; on the CPU, on the GPU");
}

#[test]
fn a_wall_that_closes_on_people_right_after_a_resume_puts_them_where_it_would_have_without() {
    // Beside the wall that comes lies a closet without a door: nearer, but no way leads out of it.
    let scene = scene(
        "size = [10, 4]\n[map]\nwalls = [{ line = [[4, 0], [6, 0.001], [6, 3], [4, 3], [4, 0]] }]\n[[goal]]\nrect = [9, 0, 10, 4]\n\
         [[agents]]\ncount = 10\nstart = { rect = [3, 0.3, 3.9, 2.8] }\n",
    );
    let found = on_both(&scene).map(|mut whole| {
        go(&mut whole, 2);
        let bytes = whole.save().unwrap();
        let mut rest = if whole.engine().name() == "cpu" { on_cpu(&scene) } else { on_gpu(&scene) };
        rest.resume(&bytes).unwrap_or_else(|e| panic!("{e}"));
        let in_the_closet = [&mut whole, &mut rest].map(|run| {
            run.add_wall(bar(2.0, 0.0, 4.0, 3.0)).expect("a sound shape");
            assert!(go(run, 1)[0].displaced > 5);
            places(run).iter().filter(|(_, p)| p.x > 4.0 && p.x < 6.0 && p.y < 3.0).count()
        });
        (in_the_closet, whole.state_hash().unwrap() == rest.state_hash().unwrap())
    });
    assert_eq!(
        found,
        [([0, 0], true); 2],
        "walled in without and with a resume just before, and whether the states are the same; on the CPU, on the GPU"
    );
}

#[test]
fn an_answer_is_of_the_moment_when_it_was_asked_for() {
    let scene = scene(BUSY);
    for mut run in on_both(&scene) {
        // Never fetched.
        let first = run.engine_mut().request(Request::Agents);
        go(&mut run, 2);
        let wait = |run: &mut Simulation, ticket: Ticket| {
            (0..200).find_map(|_| {
                std::thread::sleep(std::time::Duration::from_millis(5));
                run.engine_mut().poll(ticket).unwrap_or_else(|e| panic!("{e}"))
            })
        };
        let (then, potential) = (run.state_hash().unwrap(), scalars(&mut run, Field::Potential(1)));
        let tickets = [Request::Field(Field::Potential(1)), Request::Agents].map(|what| run.engine_mut().request(what));
        let saved = run.save().unwrap();
        run.engine_mut().keep_maps(true);
        run.add_wall(bar(1.0, 1.0, 8.0, 3.0)).expect("a sound shape");
        go(&mut run, 3);
        assert_ne!(run.state_hash().unwrap(), then);
        // In whatever order they are fetched; and once only.
        let Some(Answer::Agents(agents)) = wait(&mut run, tickets[1]) else { panic!("agents were asked for") };
        let Some(Answer::Field(field)) = wait(&mut run, tickets[0]) else { panic!("a field was asked for") };
        assert_eq!(agents.state_hash(), then);
        assert!(field == Values::Scalar(potential));
        assert!(run.engine_mut().poll(tickets[0]).unwrap().is_none());
        // Asked before the run took on another state, fetched after: still there, and nobody else's.
        let name = run.engine().name();
        let (asked, then) = (run.engine_mut().request(Request::Agents), run.state_hash().unwrap());
        run.resume(&saved).unwrap_or_else(|e| panic!("{e}"));
        let other = run.engine_mut().request(Request::Field(Field::Discomfort));
        assert!(
            ![first, tickets[0], tickets[1], asked].contains(&other),
            "{name}: one ticket for two requests: {other:?}"
        );
        let Some(Answer::Agents(agents)) = wait(&mut run, asked) else { panic!("{name}: the answer is gone") };
        assert_eq!(agents.state_hash(), then, "{name}");
    }
}
