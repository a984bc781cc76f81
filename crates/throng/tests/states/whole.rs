//! Whole runs: the same bits whatever the threads and after a resume, and scenes written and read again.

use super::{run_until, runs, scene};
use throng::{Scene, Simulation};

/// Two patches that fill, a camp, chances, company, an event, two groups, a portal and a source.
fn colony() -> Scene {
    scene(
        "size = [24, 12]\ndt = 0.05\nseed = 5\n[map]\nwalls = [{ rect = [11.8, 0, 12, 4] }, { rect = [11.8, 6, 12, 12] }]\n\
         [[goal]]\nname = \"patches\"\nshapes = [{ rect = [18, 1, 22, 4], capacity = 6 }, { circle = [20, 9, 1.5], capacity = 5 }]\n[[goal]]\nname = \"camp\"\nrect = [1, 1, 4, 11]\n\
         [[portal]]\nname = \"tunnel\"\nbetween = [[8, 10, 9, 11], [15, 10, 16, 11]]\nlength = 4\n[[event]]\nat = 6\nname = \"gong\"\n\
         [[agents]]\nname = \"bold\"\ncount = 20\nstart = { rect = [5, 1, 10, 9] }\nstate = \"hungry\"\ngoal_distance = { uniform = [0.2, 1] }\n\
         [[agents]]\nname = \"shy\"\ncount = 6\nstart = { rect = [5, 1, 10, 9] }\nstate = \"rest\"\ntime_weight = 2\n\
         [[agents]]\nname = \"late\"\nsource = { rate = 1, total = 5 }\nstart = { rect = [13, 5, 15, 7] }\nstate = \"hungry\"\n\
         [[agents]]\nname = \"guest\"\ncount = 2\nstart = { rect = [5, 1, 10, 9] }\njourney = [{ goal = \"camp\", wait = 2 }, \"patches\"]\narrive = \"next\"\n\
         [[state]]\nname = \"hungry\"\nclip = \"walk\"\ngoal = \"patches\"\nspeed = 1.2\ncolour = \"#e0b040\"\n[[state.then]]\nto = \"eat\"\n\
         [[state.then]]\nto = \"rest\"\nwhen = { agents_within = { radius = 0.8, count = 4 }, chance = 0.3 }\ninterrupt = true\ngroup = \"shy\"\n\
         [[state]]\nname = \"eat\"\nseconds = { uniform = [1, 3] }\nat = \"patches\"\n[[state.then]]\nto = \"hungry\"\nwhen = { chance = 0.2 }\n[[state.then]]\nto = \"home\"\n\
         [[state]]\nname = \"home\"\ngoal = \"camp\"\n[[state.then]]\nto = \"rest\"\nwhen = { event = \"gong\" }\n[[state.then]]\nto = \"hungry\"\nwhen = { after = 4 }\n\
         [[state.then]]\nto = \"rest\"\nwhen = { goal_within = { goal = \"camp\", metres = 1.5 }, group = \"bold\" }\ninterrupt = true\ngroup = \"bold\"\n\
         [[state]]\nname = \"rest\"\nseconds = 1.5\nat = \"camp\"\n[[state.then]]\nto = \"hungry\"\n[model]\nplan_every = 2\n",
    )
}

#[test]
fn a_resume_goes_on_with_the_same_bits_and_threads_make_no_difference() {
    let scene = colony();
    for (k, mut sim) in runs(&scene).into_iter().enumerate() {
        let name = sim.engine().name();
        let until = if k == 0 { [12.0, 30.0] } else { [5.0, 8.0] };
        run_until(&mut sim, until[0]);
        let snapshot = sim.save().expect("bytes");
        run_until(&mut sim, until[1]);
        let end = sim.state_hash().expect("people");
        let reached = sim.counters().goals_reached;
        sim.resume(&snapshot).unwrap_or_else(|e| panic!("{name}: {e}"));
        run_until(&mut sim, until[1]);
        assert_eq!(sim.state_hash().expect("people"), end, "{name}: after a resume");
        assert_eq!(sim.counters().goals_reached, reached, "{name}");
        assert!(reached > 5, "{name}: {reached} goals were reached");
        if k == 0 {
            let mut alone = Simulation::with_threads(&scene, 1).expect("they fit");
            run_until(&mut alone, until[1]);
            assert_eq!(alone.state_hash().expect("people"), end, "one thread");
            // What one engine saves the other takes on: checked is that every value fits.
            for mut other in runs(&scene) {
                other.resume(&snapshot).unwrap_or_else(|e| panic!("{}: {e}", other.engine().name()));
                other.step().expect("a step");
            }
        }
    }
}

#[test]
fn everybody_keeps_going_round() {
    let mut sim = Simulation::with_threads(&colony(), 2).expect("they fit");
    run_until(&mut sim, 120.0);
    let reached = sim.counters().goals_reached;
    run_until(&mut sim, 180.0);
    assert!(sim.counters().goals_reached > reached + 60, "{reached}, then {}", sim.counters().goals_reached);
    let longest = sim.states().expect("people").iter().map(|one| one.seconds).fold(0.0, f32::max);
    assert!(longest < 60.0, "somebody has done the same for {longest} s");
}

#[test]
fn a_scene_with_states_is_written_as_it_was_read() {
    let scene = colony();
    let text = scene.to_toml();
    let again = Scene::parse("states.toml", &text, &throng::scene::NoFiles).unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert_eq!(again.states, scene.states);
    for (a, b) in again.groups.iter().zip(&scene.groups) {
        assert_eq!((&a.journey, a.state, a.goal_distance, a.arrive), (&b.journey, b.state, b.goal_distance, b.arrive));
    }
    assert_eq!(again.to_toml(), text, "written twice it is the same");
}

#[test]
fn a_group_that_lives_by_states_can_be_dropped_and_joins_in() {
    use throng::engine::CrowdChange;
    use throng::geometry::{Rect, Shape};
    use throng::scene::Group;
    for mut sim in runs(&colony()) {
        let name = sim.engine().name();
        run_until(&mut sim, 1.0);
        let start = vec![Shape::Rect(Rect::new(throng::Vec2::new(13.0, 8.0), throng::Vec2::new(16.0, 9.0)))];
        let mut new = Group::new("new", 3, start, Vec::new());
        new.state = Some(2);
        sim.change_crowd(&CrowdChange::Drop(Box::new(new))).unwrap_or_else(|e| panic!("{name}: {e}"));
        let in_home = sim.states().expect("people").iter().filter(|one| one.state == 2).count();
        assert!(in_home >= 3, "{name}: {in_home} are on their way home");
        run_until(&mut sim, 2.0);
        let refused = sim.change_crowd(&CrowdChange::TakeBack).unwrap_err().to_string();
        assert!(refused.contains("change their group"), "{refused}");
        let mut wrong = Group::new("wrong", 1, Vec::new(), Vec::new());
        wrong.state = Some(9);
        assert!(sim.change_crowd(&CrowdChange::Drop(Box::new(wrong))).is_err(), "{name}");
    }
}

#[test]
fn froblins_live_and_nothing_piles_up() {
    let scene = Scene::built_in("froblins").expect("a built-in scene");
    let mut sim = Simulation::with_threads(&scene, 2).expect("they fit");
    sim.steps_by(1200).expect("steps");
    let counts = sim.in_states().expect("people");
    assert_eq!(counts.iter().sum::<u32>(), 3000);
    let idle: Vec<&str> =
        scene.states.iter().zip(&counts).filter(|(_, n)| **n == 0).map(|(s, _)| s.name.as_str()).collect();
    assert!(idle.len() <= 1, "nobody does any of {idle:?}: {counts:?}");
    let c = sim.counters();
    assert!(c.in_wall == 0 && c.not_finite == 0 && c.density_max < 7.0 && c.overlap.mean < 0.01, "{c:?}");
    assert!(c.goals_reached > 1000 && c.speed > 0.6, "{c:?}");
    let large = Scene::built_in("froblins-65k").expect("a built-in scene");
    assert_eq!((large.agent_count(), large.grid.width, large.grid.height), (65_536, 256, 256));
}
