//! The same bits, on any number of threads and after a pause; engines begin alike.

use super::engines::runs;
use super::{crossing, places_of};
use throng::Simulation;

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    for layout in ["full", "half", "quarter"] {
        let scene = crossing(24.0, 800, &format!("packing = \"{layout}\"\ncongestion = \"standard\""));
        let hash = |threads: usize| {
            let mut run = Simulation::with_threads(&scene, threads).unwrap();
            run.steps_by(200).unwrap();
            assert!(run.counters().refused > 0, "places are asked for");
            run.state_hash().unwrap()
        };
        let one = hash(1);
        assert_eq!([hash(2), hash(5)], [one; 2], "{layout}");
    }
}

#[test]
fn a_run_that_was_paused_goes_on_with_the_same_bits() {
    let scene = crossing(16.0, 380, "");
    for pause in [51, 100] {
        for (mut run, mut rest) in runs(&scene).into_iter().zip(runs(&scene)) {
            run.steps_by(pause).unwrap();
            rest.resume(&run.save().unwrap()).unwrap_or_else(|e| panic!("{e}"));
            run.steps_by(40).unwrap();
            rest.steps_by(40).unwrap();
            assert_eq!(run.counters().refused, rest.counters().refused);
            let (a, b) = (run.state_hash().unwrap(), rest.state_hash().unwrap());
            assert_eq!(a, b, "{}: paused after {pause} steps", run.engine().name());
        }
    }
}

#[test]
fn twice_the_same_run_has_the_same_bits() {
    let scene = crossing(16.0, 400, "congestion = \"standard\"");
    let hashes = || {
        runs(&scene).into_iter().map(|mut run| {
            run.steps_by(60).unwrap();
            run.state_hash().unwrap()
        })
    };
    assert!(hashes().eq(hashes()));
}

#[test]
fn engines_begin_alike() {
    let mut places = Vec::new();
    for mut run in runs(&crossing(16.0, 200, "")) {
        run.steps_by(20).unwrap();
        places.push(places_of(&run.agents().unwrap()));
    }
    if let [cpu, gpu] = places.as_slice() {
        let apart = cpu.iter().zip(gpu).filter(|(a, b)| a.1.distance(b.1) > 0.01).count();
        assert!(apart <= 2, "{apart} of 200 are elsewhere after a second");
    }
}
