//! The same bits, on any number of threads and after a pause; engines begin alike.

use super::crossing;
use super::engines::{bits, runs};

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    for layout in ["full", "half", "quarter"] {
        let scene = crossing(24.0, 800, &format!("packing = \"{layout}\"\ncongestion = \"standard\""));
        let counted = bits::any_number_of_threads(&scene, 200, layout);
        assert!(counted.refused > 0, "places are asked for");
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
    bits::engines_begin_alike(&crossing(16.0, 200, ""), 20, 0.01, 2, "social-force");
}
