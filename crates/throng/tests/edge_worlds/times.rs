//! Waits, gates, sources, delays and zones: what happens when.

use super::*;

#[test]
fn a_wait_on_the_way_takes_its_time() {
    let text = |wait: f32| {
        format!(
            "size = [20, 4]\n[[goal]]\nname = \"bench\"\nrect = [9, 1.5, 10, 2.5]\n[[goal]]\nname = \"door\"\nrect = [19, 0, 20, 4]\n\
             [[agents]]\ncount = 1\nspeed = 1\nstart = {}\nplace = \"random\"\njourney = [{{ goal = \"bench\", wait = {wait} }}, \"door\"]\n",
            spot(1.0, 2.0)
        )
    };
    let straight = Run::of(&text(0.0)).until_done(60.0);
    let mut run = Run::of(&text(12.5));
    let with_wait = run.until_done(60.0);
    assert!((with_wait - straight - 12.5).abs() <= 0.08 + 1e-6, "{straight} s without, {with_wait} s with a wait");
    let c = run.sim.counters();
    assert_eq!((c.goals_reached, c.arrived), (2, 1));
}

#[test]
fn a_wait_at_the_last_goal_is_kept_before_leaving() {
    let text = |wait: f32| {
        format!(
            "size = [12, 4]\n[[goal]]\nname = \"door\"\nrect = [9, 0, 12, 4]\n\
             [[agents]]\ncount = 1\nspeed = 1\nstart = {}\nplace = \"random\"\njourney = [{{ goal = \"door\", wait = {wait} }}]\n",
            spot(1.0, 2.0)
        )
    };
    let straight = Run::of(&text(0.0)).until_done(60.0);
    let with_wait = Run::of(&text(8.0)).until_done(60.0);
    // To the step: 8 s are 200 steps of 0.04 s.
    assert!((with_wait - straight - 8.0).abs() < 1e-6, "{straight} s without, {with_wait} s with a wait");
}

#[test]
fn a_goal_behind_a_gate_is_a_goal_once_the_gate_opens() {
    let text = "size = [12, 4]\n[map]\nwalls = [{ rect = [8, 0, 12, 4], name = \"gate\" }]\n\
                [[goal]]\nname = \"door\"\nrect = [9, 0, 12, 4]\n[[event]]\nat = 5\nopen = \"gate\"\n\
                [[agents]]\ncount = 5\nspeed = 1\nstart = { rect = [1, 1, 4, 3] }\n";
    let mut run = Run::of(text);
    assert_eq!(run.steps(125).arrived, 0);
    let done = run.until_done(60.0);
    assert!(done > 9.0, "{done} s: five to open, and a way of at least four metres");
    // Without the event there is no way in.
    let never = text.replace("[[event]]\nat = 5\nopen = \"gate\"\n", "");
    assert!(Simulation::new(&scene(&never)).is_err());
}

#[test]
fn walls_come_and_go_while_people_walk() {
    let mut run = Run::of(
        "size = [20, 6]\n[[goal]]\nname = \"door\"\nrect = [19, 0, 20, 6]\n\
         [[agents]]\ncount = 30\nstart = { rect = [1, 0, 6, 6] }\n",
    );
    let bar = |x: f32| Shape::Rect(Rect::new(Vec2::new(x, 0.0), Vec2::new(x + 0.5, 6.0)));
    let mut number = run.sim.add_wall(bar(8.0)).expect("a sound shape");
    for x in [9.0, 10.0, 11.0] {
        assert_eq!(run.steps(50).arrived, 0, "nobody passes a closed wall");
        assert!(run.sim.stand_wall(number, false));
        number = run.sim.add_wall(bar(x)).expect("a sound shape");
    }
    assert!(run.sim.stand_wall(number, false) && !run.sim.stand_wall(99, false));
    run.until_done(60.0);
    assert!(run.sim.add_wall(Shape::Polygon(Vec::new())).is_err());
    assert!(run.sim.add_wall(bar(f32::NAN)).is_err());
}

#[test]
fn journeys_that_begin_again_never_end_and_nobody_leaves() {
    let mut run = Run::of(
        "size = [12, 4]\n[[goal]]\nname = \"west\"\nrect = [0, 0, 1, 4]\n[[goal]]\nname = \"east\"\nrect = [11, 0, 12, 4]\n\
         [[agents]]\ncount = 20\njourney = [\"west\", { goal = \"east\", wait = 2 }]\narrive = \"next\"\n",
    );
    let c = run.steps(2500);
    assert_eq!((c.active, c.parked), (20, 0));
    assert!(c.arrived >= 40 && c.goals_reached >= 2 * c.arrived - 20, "{c:?}");
}

#[test]
fn who_finds_the_entry_full_waits_outside_and_comes_in_later() {
    // Room for about four in the entry, and the way out of it is slow.
    let mut run = Run::of(
        "size = [14, 6]\n[[goal]]\nrect = [13, 0, 14, 6]\n[[zone]]\nrect = [0, 0, 2, 6]\nspeed = 0.1\n\
         [[agents]]\ncount = 60\nspeed = 1.3\nstart = { rect = [8, 0, 13, 6] }\narrive = \"respawn\"\nentry = { rect = [0, 2, 1, 3] }\n",
    );
    let mut most_outside = 0;
    let mut arrived = 0;
    for _ in 0..3000 {
        let c = run.step();
        most_outside = most_outside.max(c.outside);
        arrived = c.arrived;
        assert_eq!(c.parked, 0);
    }
    assert!(most_outside > 30, "the entry was never full: {most_outside}");
    assert!(arrived > 70, "nobody came round again: {arrived}");
    // Entering is never on top of somebody; the slow zone's crowd presses, so some overlap there is.
    let c = run.steps(1);
    assert!(c.entered > 10 && c.overlap_share_mean < 0.2, "{c:?}");
}

#[test]
fn a_source_whose_place_is_taken_waits_until_it_is_free() {
    let mut run = Run::of(
        "size = [10, 3]\n[[goal]]\nrect = [9, 0, 10, 3]\n\
         [[agents]]\nname = \"in the way\"\ncount = 4\nstart = { rect = [0.5, 1, 1.5, 2] }\ndelay = 20\n\
         [[agents]]\nname = \"late\"\nsource = { rate = 1, total = 5 }\nstart = { rect = [0.75, 1.25, 1.25, 1.75] }\n",
    );
    let c = run.steps(490); // 19.6 s
    assert_eq!((c.entered, c.outside, c.active), (0, 5, 4), "somebody came in on top of others");
    run.until_done(90.0);
    assert_eq!(run.sim.counters().entered, 5);
}

#[test]
fn a_source_lets_in_at_its_rate() {
    let mut run = Run::of(
        "size = [10, 5]\n[[goal]]\nrect = [9, 0, 10, 5]\n[[agents]]\nsource = { rate = 2.5, total = 30 }\nstart = { rect = [0, 0, 4, 5] }\n",
    );
    for _ in 0..300 {
        let c = run.step();
        let due = (2.5 * run.sim.time() + 1e-6).floor() as u64;
        assert!(c.entered <= due.min(30) && c.entered + 1 >= due.min(30), "{} in at {} s", c.entered, run.sim.time());
    }
    run.until_done(60.0);
}

#[test]
fn delays_are_kept_to_within_a_step() {
    let text = "size = [30, 30]\nseed = 7\n[[goal]]\nrect = [29, 0, 30, 30]\n[[agents]]\ncount = 100\n\
                start = { rect = [0, 0, 25, 30] }\ndelay = { uniform = [0, 12] }\n[model]\nseparation_rounds = 0\n";
    let scene = scene(text);
    let delay: Vec<f32> = (0..100).map(|id| scene.groups[0].delay.draw(scene.seed, id, Purpose::Delay)).collect();
    let mut run = Run::new(&scene);
    let mut last = run.sim.positions().unwrap();
    let mut set_out = [None; 100];
    for _ in 0..320 {
        let before = run.sim.time();
        run.step();
        let now = run.sim.positions().unwrap();
        for (id, p) in &now {
            let was = last.iter().find(|(i, _)| i == id).expect("nobody enters").1;
            if *p != was {
                set_out[*id as usize].get_or_insert(before);
            }
        }
        last = now;
    }
    for (id, (wanted, got)) in delay.iter().zip(set_out).enumerate() {
        let got = got.unwrap_or_else(|| panic!("agent {id} never set out"));
        let late = got - f64::from(*wanted);
        assert!((-1e-6..=0.04 + 1e-6).contains(&late), "agent {id} set out at {got} s instead of {wanted} s");
    }
}

#[test]
fn a_door_that_closes_on_people_puts_them_aside_and_lets_them_go_when_it_opens() {
    let mut run = Run::of(
        "cell = 0.25\nsize = [16, 8]\n[map]\nwalls = [{ rect = [8, 0, 9, 3] }, { rect = [8, 5, 9, 8] }, \
         { rect = [8, 3, 9, 5], name = \"gate\", open = true }]\n[[goal]]\nrect = [15, 0, 16, 8]\n\
         [[agents]]\ncount = 120\nspeed = 1.3\nstart = { rect = [0, 0, 7, 8] }\n\
         [[event]]\nat = 6\nclose = \"gate\"\n[[event]]\nat = 20\nopen = \"gate\"\n",
    );
    run.steps(150);
    let through = run.sim.positions().unwrap().iter().filter(|(_, p)| p.x > 8.0).count();
    assert!(through > 0, "nobody was on the way through");
    assert_eq!(run.sim.counters().displaced, 0);
    let c = run.steps(1);
    assert!(c.displaced > 0, "the gate closed on nobody");
    run.steps(349); // until just before 20 s
    let parked = run.sim.counters().parked;
    assert!(run.sim.positions().unwrap().iter().all(|(_, p)| p.x < 8.0 || p.x > 9.0), "somebody is in the gate");
    assert!(parked < 120);
    run.steps(1);
    run.until_done(120.0);
}

#[test]
fn a_gate_that_is_shut_at_first_holds_everybody_until_it_opens() {
    for agents in ["count = 15", "source = { rate = 5, total = 15 }"] {
        for place in ["lattice", "random"] {
            let mut run = Run::of(&format!(
                "size = [12, 5]\n[map]\nwalls = [{{ rect = [6, 0, 6.2, 5], name = \"gate\" }}]\n[[goal]]\nrect = [11, 0, 12, 5]\n\
                 [[agents]]\n{agents}\nplace = \"{place}\"\nstart = {{ rect = [0, 0, 5, 5] }}\n[[event]]\nat = 8\nopen = \"gate\"\n"
            ));
            let c = run.steps(200);
            assert_eq!(c.parked, 0);
            assert!(run.sim.positions().unwrap().iter().all(|(_, p)| p.x < 6.0));
            run.until_done(60.0);
        }
    }
}

#[test]
fn a_zone_of_half_speed_takes_twice_the_time() {
    let text = |zone: &str| {
        format!(
            "size = [30, 3]\n[[goal]]\nrect = [29, 0, 30, 3]\n[[agents]]\ncount = 1\nspeed = 1\nplace = \"random\"\nstart = {}\n{zone}",
            spot(2.0, 1.5)
        )
    };
    let free = Run::of(&text("")).time_of(20.0, Vec2::X);
    for model in ["", "[model]\nplan = \"static\"\n", "[model]\nspeed_law = \"thesis\"\n"] {
        let slow =
            Run::of(&text(&format!("[[zone]]\nrect = [0, 0, 30, 3]\nspeed = 0.5\n{model}"))).time_of(20.0, Vec2::X);
        assert!((slow / free - 2.0).abs() < 0.1, "{free} s free, {slow} s in the zone {model}");
    }
}

#[test]
fn a_zone_whose_speed_changes_counts_from_then_on() {
    let text = format!(
        "size = [30, 3]\n[[goal]]\nrect = [29, 0, 30, 3]\n[[agents]]\ncount = 1\nspeed = 1\nplace = \"random\"\nstart = {}\n\
         [[zone]]\nname = \"mud\"\nrect = [0, 0, 30, 3]\n[[event]]\nat = 8\nzone = \"mud\"\nspeed = 0.25\n",
        spot(2.0, 1.5)
    );
    // 8 m in 8 s, and 4 m more in 16 s.
    let time = Run::of(&text).time_of(12.0, Vec2::X);
    assert!((time - 24.0).abs() < 1.2, "{time} s");
}
