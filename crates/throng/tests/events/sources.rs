//! Sources that are switched off and on.

use super::engines::ENGINES;
use super::{assert_resumes, read, run_until};

/// Two persons a second, from 2 s to 4 s and from 6 s on.
const SOURCE: &str = r#"
size = [20, 10]
cell = 0.5
dt = 0.1
[[goal]]
name = "out"
rect = [19, 0, 20, 10]
[[agents]]
name = "train"
source = { rate = 2, total = 12, on = false }
start = { rect = [0.5, 0.5, 8, 9.5] }
[[event]]
at = 2
start_sources = "train"
[[event]]
at = 4
stop_sources = "train"
[[event]]
at = 6
start_sources = "train"
[model]
steer = "walk"
"#;

#[test]
fn a_source_lets_in_by_its_rate_while_it_is_on_and_nobody_while_it_is_off() {
    let scene = read(SOURCE);
    for make in ENGINES {
        let mut sim = make(&scene);
        for (seconds, entered) in
            [(2.0, 0), (2.4, 0), (2.5, 1), (3.0, 2), (4.0, 4), (6.0, 4), (6.4, 4), (6.5, 5), (8.0, 8)]
        {
            run_until(&mut sim, seconds);
            assert_eq!(sim.counters().entered, entered, "{}: after {seconds} s", sim.engine().name());
        }
        // Nobody is lost meanwhile: all twelve come.
        run_until(&mut sim, 10.2);
        assert_eq!((sim.counters().entered, sim.counters().outside), (12, 0), "{}", sim.engine().name());
    }
}

#[test]
fn a_source_that_was_off_goes_on_with_the_same_bits_after_a_resume() {
    for make in ENGINES {
        assert_resumes(make, &read(SOURCE), &[18, 30, 50], 15);
    }
}

#[test]
fn a_call_switches_a_source_and_the_scene_in_force_says_so() {
    let scene = read(&SOURCE[..SOURCE.find("[[event]]").unwrap()]);
    for make in ENGINES {
        let mut sim = make(&scene);
        assert!(!sim.set_source("bus", true));
        run_until(&mut sim, 1.0);
        assert!(sim.set_source("train", true));
        assert!(sim.scene().groups[0].on);
        run_until(&mut sim, 2.0);
        assert_eq!(sim.counters().entered, 2, "{}", sim.engine().name());
        sim.set_source("train", false);
        run_until(&mut sim, 4.0);
        assert_eq!(sim.counters().entered, 2, "{}", sim.engine().name());
        assert!(sim.edited_scene().to_toml().contains("on = false"));
        // A run of the scene as it was given takes the state on, with what the calls had changed.
        let bytes = sim.save().unwrap();
        let mut other = make(&scene);
        other.resume(&bytes).unwrap();
        for run in [&mut sim, &mut other] {
            assert!(run.set_source("train", true));
            run_until(run, 5.0);
            assert_eq!(run.counters().entered, 4);
        }
        assert_eq!(sim.state_hash().unwrap(), other.state_hash().unwrap());
    }
}

#[test]
fn a_source_that_is_dropped_while_it_is_off_owes_nobody() {
    use throng::engine::CrowdChange;
    let scene = read(&SOURCE[..SOURCE.find("[[event]]").unwrap()]);
    for make in ENGINES {
        let mut sim = make(&scene);
        run_until(&mut sim, 3.0);
        let mut group = scene.groups[0].clone();
        group.name = "bus".into();
        sim.change_crowd(&CrowdChange::Drop(Box::new(group))).unwrap();
        run_until(&mut sim, 5.0);
        assert_eq!(sim.counters().entered, 0);
        assert!(sim.set_source("bus", true));
        run_until(&mut sim, 6.0);
        assert_eq!(sim.counters().entered, 2, "{}", sim.engine().name());
    }
}
