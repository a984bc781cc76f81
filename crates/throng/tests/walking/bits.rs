//! The same bits, on any number of threads and after a pause.

use super::{runs, two_rooms};
use throng::Simulation;

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let scene = two_rooms(60, 1.0, 0.25, "continuum");
    let hash = |threads: usize| {
        let mut run = Simulation::with_threads(&scene, threads).unwrap();
        run.steps_by(400).unwrap();
        run.state_hash().unwrap()
    };
    let one = hash(1);
    assert_eq!([hash(2), hash(5)], [one; 2]);
}

#[test]
fn a_run_that_was_paused_goes_on_with_the_same_bits() {
    let scene = two_rooms(20, 1.0, 0.5, "static");
    // After an odd and after an even number of steps: minds are kept twice.
    for pause in [101, 160] {
        for (mut run, mut rest) in runs(&scene).into_iter().zip(runs(&scene)) {
            run.steps_by(pause).unwrap();
            rest.resume(&run.save().unwrap()).unwrap_or_else(|e| panic!("{e}"));
            run.steps_by(60).unwrap();
            rest.steps_by(60).unwrap();
            let (a, b) = (run.state_hash().unwrap(), rest.state_hash().unwrap());
            assert_eq!(a, b, "{}: paused after {pause} steps", run.engine().name());
        }
    }
}

#[test]
fn engines_begin_alike() {
    let scene = two_rooms(20, 1.5, 0.25, "static");
    let mut places: Vec<Vec<(u32, throng::Vec2)>> = Vec::new();
    for mut run in runs(&scene) {
        run.steps_by(20).unwrap();
        let a = run.agents().unwrap();
        let mut all: Vec<_> = (0..a.len()).map(|i| (a.id[i], a.position[i])).collect();
        all.sort_by_key(|p| p.0);
        places.push(all);
    }
    if let [cpu, gpu] = places.as_slice() {
        // Where two directions are equally good the last bit chooses: a few go another way.
        let apart = cpu.iter().zip(gpu).filter(|(a, b)| a.1.distance(b.1) > 0.02).count();
        assert!(apart <= 4, "{apart} of 40 are elsewhere after a second");
    }
}
