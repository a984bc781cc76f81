//! Waiting for an event.

use super::engines::ENGINES;
use super::{assert_reads_back, assert_resumes, everybody, read, run_until};
use throng::engine::CrowdChange;
use throng::scene::Wait;
use throng::world::agents::State;

/// A walk of two metres to the bench, a wait, and a walk out: at 1 m/s, with a bell every ten seconds.
fn bench(wait: &str) -> String {
    format!(
        r#"
size = [16, 4]
cell = 0.5
dt = 0.1
[[goal]]
name = "bench"
rect = [6, 0, 7, 4]
[[goal]]
name = "out"
rect = [15, 0, 16, 4]
[[agents]]
count = 3
start = {{ rect = [1, 0.5, 4, 3.5] }}
speed = 1
journey = [{{ goal = "bench", wait = {wait} }}, "out"]
[[event]]
name = "bell"
at = 20
[[event]]
name = "bell"
at = 9
[model]
steer = "walk"
"#
    )
}

#[test]
fn who_waits_for_an_event_stands_until_the_next_one_of_that_name() {
    let scene = read(&bench("{ until = \"bell\" }"));
    for make in ENGINES {
        let mut sim = make(&scene);
        let name = sim.engine().name();
        // The step before the bell is the last in which anybody stands.
        run_until(&mut sim, 8.9);
        let standing = everybody(&mut sim);
        assert!(standing.iter().all(|(state, _)| state.waits()), "{name}: {standing:?}");
        run_until(&mut sim, 9.0);
        let walking = everybody(&mut sim);
        assert!(walking.iter().all(|(state, _)| *state == State::Walking), "{name}: {walking:?}");
        let still = |a: &[(State, throng::Vec2)], b: &[(State, throng::Vec2)]| {
            a.iter().zip(b).all(|(a, b)| a.1.distance(b.1) < 0.05)
        };
        assert!(still(&standing, &walking), "{name}: nobody walked before the bell");
        run_until(&mut sim, 10.0);
        assert!(!still(&walking, &everybody(&mut sim)), "{name}: all walk after it");
        run_until(&mut sim, 25.0);
        assert_eq!(sim.counters().arrived, 3, "{name}");
    }
}

#[test]
fn who_comes_when_no_such_event_is_to_come_does_not_wait() {
    let text = bench("{ until = \"bell\" }").replace("at = 20", "at = 1").replace("at = 9", "at = 0.5");
    for make in ENGINES {
        let (mut waits, mut passes) = (make(&read(&text)), make(&read(&bench("0"))));
        for sim in [&mut waits, &mut passes] {
            run_until(sim, 12.0);
        }
        // Who may wait has a column for its place, so the states differ by that.
        assert_eq!(waits.positions().unwrap(), passes.positions().unwrap(), "{}", waits.engine().name());
    }
}

#[test]
fn a_wait_for_an_event_is_a_wait_of_as_long_as_it_takes() {
    // One person comes at a known step; a wait of as many seconds as are left until the bell has the same bits.
    let one = |wait: &str| bench(wait).replace("count = 3", "count = 1");
    for make in ENGINES {
        let mut sim = make(&read(&one("{ until = \"bell\" }")));
        while sim.counters().goals_reached == 0 {
            sim.step().unwrap();
        }
        let left = 90 - sim.steps();
        assert!(left > 10, "the bell is still to come");
        let mut timed = make(&read(&one(&format!("{}", left as f64 * 0.1))));
        for run in [&mut sim, &mut timed] {
            run_until(run, 14.0);
        }
        assert_eq!(sim.state_hash().unwrap(), timed.state_hash().unwrap(), "{}", sim.engine().name());
    }
}

#[test]
fn waits_for_events_survive_files_and_snapshots() {
    let text = bench("{ until = \"bell\" }")
        .replace("speed = 1\n", "speed = 1\ndelay = { until = \"bell\", after = { uniform = [0, 2] } }\n");
    for text in [bench("{ until = \"bell\" }"), text] {
        let scene = read(&text);
        assert_reads_back(&scene);
        for make in ENGINES {
            assert_resumes(make, &scene, &[60, 89, 90], 8);
        }
    }
}

#[test]
fn a_group_stands_at_its_start_until_the_alarm_and_then_for_its_own_time() {
    for (after, first) in [("", 9.0), (", after = 2", 11.0)] {
        let text = bench("0").replace("speed = 1\n", &format!("speed = 1\ndelay = {{ until = \"bell\"{after} }}\n"));
        for make in ENGINES {
            let mut sim = make(&read(&text));
            let name = sim.engine().name();
            let start = everybody(&mut sim);
            run_until(&mut sim, first);
            let then = everybody(&mut sim);
            assert!(start.iter().zip(&then).all(|(a, b)| a.1 == b.1), "{name}: they stand until {first} s");
            assert!(then.iter().all(|(state, _)| *state == State::Walking), "{name}");
            run_until(&mut sim, first + 1.0);
            assert!(
                start.iter().zip(&everybody(&mut sim)).all(|(a, b)| a.1.distance(b.1) > 0.3),
                "{name}: then they walk"
            );
        }
    }
}

#[test]
fn a_group_that_is_dropped_waits_for_the_next_event_of_the_scene_or_is_refused() {
    let scene = read(&bench("0"));
    for make in ENGINES {
        let mut sim = make(&scene);
        run_until(&mut sim, 10.0);
        let mut group = scene.groups[0].clone();
        group.delay_until = Some("bell".into());
        group.journey[0].wait = Wait::Until("bell".into());
        sim.change_crowd(&CrowdChange::Drop(Box::new(group.clone()))).unwrap();
        let name = sim.engine().name();
        run_until(&mut sim, 19.9);
        let waiting = |sim: &mut throng::Simulation| everybody(sim).iter().filter(|(state, _)| state.waits()).count();
        assert_eq!(waiting(&mut sim), 3, "{name}: the bell of 9 s is over, they wait for that of 20 s");
        run_until(&mut sim, 20.0);
        assert_eq!(waiting(&mut sim), 0, "{name}");
        // When they come to the bench there is none to come.
        run_until(&mut sim, 40.0);
        assert_eq!(sim.counters().arrived, 6, "{name}");
        group.journey[0].wait = Wait::Until("whistle".into());
        let error = sim.change_crowd(&CrowdChange::Drop(Box::new(group))).unwrap_err();
        assert!(error.to_string().contains("whistle"), "{error}");
    }
}
