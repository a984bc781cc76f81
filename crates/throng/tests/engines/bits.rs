//! What holds for every steering: the same bits on any number of threads and after a pause, and engines that begin alike.

use super::runs;
use throng::engine::Counters;
use throng::{Scene, Simulation};

/// One, two and five threads give the same bits. Returns what one thread counted.
pub(crate) fn any_number_of_threads(scene: &Scene, steps: u64, what: &str) -> Counters {
    let run = |threads: usize| {
        let mut run = Simulation::with_threads(scene, threads).unwrap_or_else(|e| panic!("{what}: {e}"));
        run.steps_by(steps).unwrap();
        (run.state_hash().unwrap(), run.counters())
    };
    let (one, counters) = run(1);
    assert_eq!([run(2).0, run(5).0], [one; 2], "{what}");
    counters
}

/// On every engine a run that is saved after so many steps and taken on by another goes on with the same bits for `more` steps.
pub(crate) fn paused(scene: &Scene, pauses: &[u64], more: u64, what: &str) {
    for pause in pauses {
        for (mut run, mut rest) in runs(scene).into_iter().zip(runs(scene)) {
            run.steps_by(*pause).unwrap();
            rest.resume(&run.save().unwrap()).unwrap_or_else(|e| panic!("{what}: {e}"));
            run.steps_by(more).unwrap();
            rest.steps_by(more).unwrap();
            let (a, b) = (run.state_hash().unwrap(), rest.state_hash().unwrap());
            assert_eq!(a, b, "{what}, {}: paused after {pause} steps", run.engine().name());
        }
    }
}

/// After so many steps on both engines at most `few` people are more than `apart` metres from where they are on the other.
pub(crate) fn engines_begin_alike(scene: &Scene, steps: u64, apart: f32, few: usize, what: &str) {
    let places = runs(scene).into_iter().map(|mut run| {
        run.steps_by(steps).unwrap();
        run.positions().unwrap()
    });
    if let [cpu, gpu] = places.collect::<Vec<_>>().as_slice() {
        assert_eq!(cpu.len(), gpu.len(), "{what}: as many are on the floor");
        let elsewhere = cpu.iter().zip(gpu).filter(|(a, b)| a.1.distance(b.1) > apart).count();
        assert!(elsewhere <= few, "{what}: {elsewhere} of {} are elsewhere after {steps} steps", cpu.len());
    }
}
