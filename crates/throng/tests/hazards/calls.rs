//! Hazards that calls add, move and remove.

use super::*;
use std::time::Instant;
use throng::BadHazard;
use throng::scene::{Hazard, HazardKind, Moment};

#[test]
fn a_hazard_comes_moves_and_goes_by_calls() {
    for mut sim in runs(&bridge(4, "", "")) {
        sim.steps_by(20).expect("steps");
        let gas = Hazard {
            drift: Vec2::new(1.0, 0.0),
            growth: 0.5,
            radius_max: 2.0,
            ..Hazard::new("gas", HazardKind::Gas, Vec2::new(20.0, 8.0), 1.0)
        };
        assert_eq!(sim.add_hazard(gas.clone()), Ok(0));
        assert_eq!(sim.add_hazard(gas.clone()), Err(BadHazard::Name));
        let ghost = Hazard::new("ghost", HazardKind::Ghost, Vec2::new(2.0, 2.0), 1.0);
        assert_eq!(sim.add_hazard(ghost.clone()), Ok(1));
        sim.steps_by(21).expect("steps");
        // A second after it appeared, at 1 s.
        let disc = sim.world().hazards.now()[0];
        assert!((disc.centre.distance(Vec2::new(21.0, 8.0)), disc.radius) == (0.0, 1.5), "{disc:?}");
        assert_eq!(sim.scene().hazards[0].from, Moment::At(1.0));
        // It goes on drifting and growing from where it is put.
        assert!(sim.move_hazard(0, Vec2::new(18.0, 2.0)));
        sim.steps_by(11).expect("steps");
        let disc = sim.world().hazards.now()[0];
        assert!(disc.centre.distance(Vec2::new(18.5, 2.0)) < 1e-5 && (disc.radius - 1.775).abs() < 1e-5, "{disc:?}");
        assert!(
            sim.remove_hazard(0)
                && !sim.remove_hazard(0)
                && !sim.move_hazard(0, Vec2::ONE)
                && !sim.move_hazard(9, Vec2::ONE)
        );
        assert!(!sim.move_hazard(1, Vec2::new(f32::NAN, 0.0)));
        sim.step().expect("a step");
        assert_eq!(sim.world().hazards.now().len(), 1);
        assert_eq!(sim.edited_scene().hazards.iter().map(|h| h.name.as_str()).collect::<Vec<_>>(), ["ghost"]);
        assert_eq!(sim.add_hazard(gas), Ok(0), "its number is free again");
        assert_eq!(sim.add_hazard(Hazard { drift: Vec2::ONE, name: "x".into(), ..ghost }), Err(BadHazard::Unsound));
        for k in 2..64 {
            assert_eq!(sim.add_hazard(Hazard::new(&format!("h{k}"), HazardKind::Ghost, Vec2::ONE, 0.1)), Ok(k));
        }
        assert_eq!(sim.add_hazard(Hazard::new("one more", HazardKind::Gas, Vec2::ONE, 1.0)), Err(BadHazard::TooMany));
        sim.step().expect("a step");
        assert_eq!(sim.world().hazards.now().len(), 64);
    }
}

#[test]
fn a_scene_without_hazards_has_the_bits_that_it_has_after_one_was_there_for_no_step() {
    for on_engine in ENGINES {
        let (mut plain, mut other) = (on_engine(&bridge(8, "", "")), on_engine(&bridge(8, "", "")));
        let number =
            other.add_hazard(Hazard::new("ghost", HazardKind::Ghost, Vec2::new(3.0, 5.0), 1.0)).expect("it is sound");
        assert!(other.remove_hazard(number));
        plain.steps_by(40).expect("steps");
        other.steps_by(40).expect("steps");
        assert_eq!(plain.state_hash(), other.state_hash(), "{}", plain.engine().name());
    }
}

#[test]
fn moving_a_hazard_costs_microseconds() {
    let ghost = "[[hazard]]\nkind = \"ghost\"\nat = [3, 5]\nradius = 1\n";
    // A large floor: whatever is done for all of it would take milliseconds.
    let text = format!(
        "size = [500, 500]\n[[goal]]\nrect = [499, 0, 500, 500]\n[[agents]]\ncount = 1\nstart = {{ rect = [1, 1, 2, 2] }}\n{ghost}[model]\nplan = \"static\"\n"
    );
    let mut sim = Simulation::with_threads(&scene(&text), 1).expect("it fits");
    sim.step().expect("a step");
    let mut best = f64::MAX;
    for _ in 0..20 {
        let start = Instant::now();
        for k in 0..100 {
            sim.move_hazard(0, Vec2::new(3.0 + 0.01 * k as f32, 5.0));
            sim.settle();
        }
        best = best.min(start.elapsed().as_secs_f64() / 100.0);
    }
    assert!(best < 20e-6, "a move takes {} µs", best * 1e6);
    assert!(sim.engine().world().hazards.at(5).len() == 1);
}
