//! When a transition is taken, step by step.

use super::{ENDS, count, number, one, run_until, runs, scene};
use throng::Why;

/// The step after which the only agent is first seen in a state.
fn first_step_in(sim: &mut throng::Simulation, name: &str, most: u64) -> Option<u64> {
    let state = number(sim.scene(), name);
    while sim.steps() < most {
        sim.step().expect("a step");
        if sim.states().expect("people")[0].state == state {
            return Some(sim.steps());
        }
    }
    None
}

#[test]
fn a_clip_lasts_as_long_as_it_says_and_a_second_in_a_state_is_a_second() {
    let machine = "[[state]]\nname = \"first\"\nseconds = 2\n[[state.then]]\nto = \"second\"\n[[state]]\nname = \"second\"\nseconds = 1.5\n[[state.then]]\nto = \"first\"\n";
    for mut sim in runs(&one(machine)) {
        let name = sim.engine().name();
        // 2 s are 40 steps of 0.05 s.
        assert_eq!(first_step_in(&mut sim, "second", 100), Some(40), "{name}");
        let now = sim.states().expect("people")[0];
        assert_eq!((now.seconds, now.why), (0.0, Why::Took(0)), "{name}");
        for _ in 0..10 {
            sim.step().expect("a step");
        }
        assert!((sim.states().expect("people")[0].seconds - 0.5).abs() < 1e-6, "{name}");
        assert_eq!(first_step_in(&mut sim, "first", 200), Some(70), "{name}");
        assert_eq!(sim.states().expect("people")[0].why, Why::Took(1), "{name}");
    }
}

#[test]
fn durations_are_drawn_anew_each_time_and_within_their_bounds_evenly() {
    let machine = "[[state]]\nname = \"first\"\nseconds = { uniform = [1, 3] }\n[[state.then]]\nto = \"other\"\n[[state]]\nname = \"other\"\nseconds = 0.1\n[[state.then]]\nto = \"first\"\n";
    let scene = scene(&format!(
        "{ENDS}[[agents]]\ncount = 60\nstart = {{ rect = [2, 0.5, 8, 3.5] }}\nstate = \"first\"\n{machine}"
    ));
    for mut sim in runs(&scene) {
        let name = sim.engine().name();
        let mut began = [0u64; 60];
        let mut lengths = Vec::new();
        while sim.time() < 12.0 {
            sim.step().expect("a step");
            for one in sim.states().expect("people") {
                let id = one.id as usize;
                match (one.state, one.seconds == 0.0) {
                    (1, true) => lengths.push(sim.steps() - began[id]),
                    (0, true) => began[id] = sim.steps(),
                    _ => {}
                }
            }
        }
        // 20 to 60 steps.
        assert!(lengths.len() > 250 && lengths.iter().all(|l| (20..=60).contains(l)), "{name}: {lengths:?}");
        let mean = lengths.iter().sum::<u64>() as f64 / lengths.len() as f64;
        // The standard error is 11.8 / √250 = 0.75; short ones are a little more likely to be over in time.
        assert!((36.0..42.5).contains(&mean), "{name}: mean {mean}");
    }
}

#[test]
fn the_first_that_holds_is_taken_and_who_finds_none_begins_its_clip_again() {
    let machine = "[[state]]\nname = \"first\"\nseconds = 1\n[[state.then]]\nto = \"never\"\nwhen = { chance = 0 }\n[[state.then]]\nto = \"late\"\nwhen = { after = 2.5 }\n\
                   [[state.then]]\nto = \"never\"\nwhen = { after = 2.5 }\n[[state]]\nname = \"late\"\ngoal = \"east\"\n[[state]]\nname = \"never\"\ngoal = \"east\"\n";
    for mut sim in runs(&one(machine)) {
        // Tested after 1 s, 2 s and 3 s.
        assert_eq!(first_step_in(&mut sim, "late", 200), Some(60), "{}", sim.engine().name());
        assert_eq!(sim.states().expect("people")[0].why, Why::Took(1));
    }
}

#[test]
fn what_interrupts_is_tested_in_every_step_and_what_does_not_waits_for_the_end_of_the_clip() {
    let event = "[[event]]\nat = 1.0\nname = \"alarm\"\n";
    let machine = |interrupt: bool| {
        format!(
            "{event}[[state]]\nname = \"first\"\nseconds = 3\n[[state.then]]\nto = \"run\"\nwhen = {{ event = \"alarm\" }}\ninterrupt = {interrupt}\n\
             [[state]]\nname = \"run\"\nseconds = 2\n[[state.then]]\nto = \"first\"\nwhen = {{ event = \"alarm\" }}\n"
        )
    };
    for (interrupt, expected) in [(true, 20), (false, 60)] {
        for mut sim in runs(&one(&machine(interrupt))) {
            let name = sim.engine().name();
            // An event at 1 s happens before step 20: from that step on they do something else.
            assert_eq!(first_step_in(&mut sim, "run", 70), Some(expected), "{name}");
            // The same alarm is no news to the new state.
            assert_eq!(first_step_in(&mut sim, "first", expected + 50), None, "{name}");
        }
    }
}

#[test]
fn a_chance_holds_as_often_as_it_says_at_the_end_of_a_clip_and_in_each_second() {
    let crowd = |machine: &str| {
        scene(&format!(
            "{ENDS}[[agents]]\ncount = 90\nstart = {{ rect = [1, 0.5, 9, 3.5] }}\nstate = \"first\"\n{machine}[[state]]\nname = \"gone\"\ngoal = \"east\"\n"
        ))
    };
    let at_end = "[[state]]\nname = \"first\"\nseconds = 1\n[[state.then]]\nto = \"gone\"\nwhen = { chance = 0.4 }\n";
    let in_time = "[[state]]\nname = \"first\"\nseconds = 100\n[[state.then]]\nto = \"gone\"\nwhen = { chance = 0.4 }\ninterrupt = true\n";
    for machine in [at_end, in_time] {
        for mut sim in runs(&crowd(machine)) {
            let name = sim.engine().name();
            run_until(&mut sim, 2.01);
            // 0.64 of 90 are 57.6; the deviation is 4.6.
            let gone = count(&mut sim, "gone");
            assert!((44..=72).contains(&gone), "{name}: {gone} of 90 have gone\n{machine}");
        }
    }
}

/// Everybody who stands with at least two others within a metre and a half does something else after a step, and nobody else.
#[test]
fn agents_nearby_are_counted_as_a_plain_count_says() {
    let machine = "[[state]]\nname = \"alone\"\nseconds = 1000\n[[state.then]]\nto = \"together\"\nwhen = { agents_within = { radius = 1.5, count = 2 } }\ninterrupt = true\n\
                   [[state]]\nname = \"together\"\nseconds = 1000\n[[state.then]]\nto = \"idle\"\nwhen = { agents_within = { radius = 1.5, count = 1, most = 3, state = \"alone\" } }\ninterrupt = true\n\
                   [[state]]\nname = \"idle\"\nseconds = 1000\n[[state.then]]\nto = \"alone\"\n";
    let scene = scene(&format!(
        "size = [14, 14]\ncell = 0.5\ndt = 0.05\n[[goal]]\nrect = [13, 13, 14, 14]\n[[agents]]\ncount = 45\nplace = \"random\"\nstate = \"alone\"\nradius = 0.1\n{machine}\
         [[agents]]\nname = \"walkers\"\ncount = 12\nspeed = 1\n[model]\nplan = \"static\"\n"
    ));
    for mut sim in runs(&scene) {
        let name = sim.engine().name();
        let mut changed = 0;
        for _ in 0..12 {
            let before = sim.agents().expect("people");
            let doing = |id: u32| {
                (0..before.len()).find(|&i| before.id[i] == id && before.group[i] == 0).map(|i| before.leg[i])
            };
            sim.step().expect("a step");
            let agents = sim.agents().expect("people");
            for i in (0..agents.len()).filter(|&i| agents.group[i] == 0) {
                let near = |state: Option<u16>| {
                    (0..agents.len())
                        .filter(|&j| {
                            j != i
                                && agents.state[j].on_floor()
                                && agents.position[j].distance(agents.position[i]) < 1.5
                        })
                        .filter(|&j| state.is_none_or(|state| doing(agents.id[j]) == Some(state)))
                        .count()
                };
                let expected = match doing(agents.id[i]).expect("it was there") {
                    0 if near(None) >= 2 => 1,
                    1 if (1..=3).contains(&near(Some(0))) => 2,
                    same => same,
                };
                assert_eq!(agents.leg[i], expected, "{name}: agent {} at step {}", agents.id[i], sim.steps());
                changed += u32::from(doing(agents.id[i]) != Some(agents.leg[i]));
            }
        }
        assert!(changed > 20, "{name}: {changed} changes");
    }
}

#[test]
fn a_transition_may_be_for_one_group_and_lead_into_another() {
    let text = format!(
        "{ENDS}[[agents]]\nname = \"calm\"\ncount = 5\nstart = {{ rect = [3, 1, 5, 3] }}\nstate = \"first\"\n\
         [[agents]]\nname = \"frightened\"\ncount = 4\nstart = {{ rect = [5, 1, 7, 3] }}\nstate = \"first\"\ntime_weight = 3\n\
         [[state]]\nname = \"first\"\nseconds = 1\n[[state.then]]\nto = \"second\"\nwhen = {{ group = \"calm\" }}\ngroup = \"frightened\"\n\
         [[state]]\nname = \"second\"\ngoal = \"east\"\n"
    );
    for mut sim in runs(&scene(&text)) {
        let name = sim.engine().name();
        run_until(&mut sim, 1.2);
        assert_eq!((count(&mut sim, "first"), count(&mut sim, "second")), (4, 5), "{name}");
        let agents = sim.agents().expect("people");
        assert!(agents.group.iter().all(|g| *g == 1), "{name}: {:?}", agents.group);
        // Who has changed its group meanwhile is among the others: four more do not go on.
        run_until(&mut sim, 4.0);
        assert_eq!((count(&mut sim, "first"), count(&mut sim, "second")), (4, 5), "{name}");
        let snapshot = sim.save().expect("bytes");
        sim.resume(&snapshot).unwrap_or_else(|e| panic!("{name}: {e}"));
    }
}

#[test]
fn a_call_puts_agents_into_states_and_says_what_is_wrong() {
    let machine = "[[state]]\nname = \"first\"\nseconds = 100\n[[state.then]]\nto = \"walk\"\n[[state]]\nname = \"walk\"\ngoal = \"east\"\nspeed = 0.5\n[[state.then]]\nto = \"first\"\n";
    for mut sim in runs(&one(machine)) {
        let name = sim.engine().name();
        run_until(&mut sim, 1.0);
        assert_eq!(sim.set_states(&[(0, 7)]).unwrap_err().to_string(), "there is no state 7");
        let nobody = sim.set_states(&[(0, 1), (9, 1)]).unwrap_err().to_string();
        assert_eq!(nobody, "there is no agent 9 on the floor that lives by states");
        assert_eq!(sim.states().expect("people")[0].why, Why::Began, "{name}: nothing has changed");
        sim.set_states(&[(0, 1)]).expect("there is such a state");
        let one = sim.states().expect("people")[0];
        assert_eq!((one.state, one.seconds, one.why), (1, 0.0, Why::Called), "{name}");
        let from = sim.positions().expect("people")[0].1;
        run_until(&mut sim, 4.0);
        // Half of 1 m/s for 3 s.
        let way = sim.positions().expect("people")[0].1.x - from.x;
        assert!((1.2..1.55).contains(&way), "{name}: {way} m");
        // A state is part of a snapshot, and so is that a call made it.
        let snapshot = sim.save().expect("bytes");
        sim.resume(&snapshot).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(sim.states().expect("people")[0].why, Why::Called, "{name}");
        sim.set_states(&[(0, 0)]).expect("there is such a state");
        let at = sim.positions().expect("people")[0].1;
        run_until(&mut sim, 6.0);
        assert!(sim.positions().expect("people")[0].1.distance(at) < 0.2, "{name}: it stands where it was");
    }
}

/// A ghost that walks past: who is near flees until it is far, and is frightened by nothing else.
#[test]
fn who_sees_a_hazard_flees_from_it_and_goes_on_when_it_is_far() {
    let text = "size = [24, 10]\ndt = 0.05\n[[goal]]\nname = \"east\"\nrect = [23, 0, 24, 10]\n[[goal]]\nname = \"west\"\nrect = [0, 0, 1, 10]\n\
                [[hazard]]\nname = \"ghost\"\nkind = \"ghost\"\npath = [[4, -3], [4, 13]]\nspeed = 1.5\nradius = 0.5\nfear = 0.1\n\
                [[agents]]\ncount = 6\nstart = { rect = [3, 4, 5, 7] }\nstate = \"work\"\nspeed = 1.2\n\
                [[agents]]\ncount = 2\nstart = { rect = [17, 4, 19, 7] }\nstate = \"work\"\n\
                [[state]]\nname = \"work\"\nseconds = 100\n[[state.then]]\nto = \"run away\"\nwhen = { hazard_within = 3 }\ninterrupt = true\n\
                [[state]]\nname = \"run away\"\nflee = true\nseconds = 0.5\nspeed = 1.5\n[[state.then]]\nto = \"work\"\nwhen = { hazard_beyond = 5 }\n[model]\nplan = \"static\"\n";
    for mut sim in runs(&scene(text)) {
        let name = sim.engine().name();
        let mut frightened = std::collections::BTreeSet::new();
        while sim.time() < 9.0 {
            sim.step().expect("a step");
            let discs = sim.world().hazards.now().to_vec();
            let (states, places) = (sim.states().expect("people"), sim.positions().expect("people"));
            for (one, (_, p)) in states.iter().zip(&places) {
                let far = throng::world::hazards::distance(&discs, *p);
                assert!(one.state == 1 || far >= 2.999, "{name}: {} works {far} m from the ghost", one.id);
                if one.state == 1 {
                    frightened.insert(one.id);
                    // Whoever begins to flee is near; who flees is never caught.
                    assert!(one.seconds > 0.0 || far < 3.001, "{name}: {} flees from {far} m away", one.id);
                    assert!(far > 0.2, "{name}: the ghost has caught {}", one.id);
                }
            }
        }
        assert_eq!(frightened.into_iter().collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5], "{name}");
        run_until(&mut sim, 14.0);
        assert_eq!(count(&mut sim, "work"), 8, "{name}: the ghost is gone");
        assert_eq!(sim.scene().cause(0), "ghost within 3 m");
    }
}
