//! The same bits, on any number of threads and after a pause.

use super::engines::runs;
use super::{STEERINGS, head, scene};
use throng::{Scene, Simulation};

/// Two crowds that change rooms through a door of 1.5 m.
fn two_rooms(steer: &str, count: u32) -> Scene {
    let mut text = head([16.0, 8.0], steer);
    text += "[map]\nwalls = [{ rect = [7.9, 0, 8.1, 3.25] }, { rect = [7.9, 4.75, 8.1, 8] }]\n";
    for (k, goal, start) in [(0, "15, 0, 16, 8", "1.5, 1, 7, 7"), (1, "0, 0, 1, 8", "9, 1, 14.5, 7")] {
        text += &format!(
            "[[goal]]\nname = \"g{k}\"\nrect = [{goal}]\n[[agents]]\ncount = {count}\nstart = {{ rect = [{start}] }}\n\
             radius = {{ uniform = [0.15, 0.25] }}\njourney = [\"g{k}\"]\n"
        );
    }
    scene(&text)
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    for steer in STEERINGS {
        let scene = two_rooms(steer, 60);
        let hash = |threads: usize| {
            let mut run = Simulation::with_threads(&scene, threads).unwrap();
            run.steps_by(400).unwrap();
            run.state_hash().unwrap()
        };
        let one = hash(1);
        assert_eq!([hash(2), hash(5)], [one; 2], "{steer}");
    }
}

#[test]
fn a_run_that_was_paused_goes_on_with_the_same_bits() {
    for steer in STEERINGS {
        let scene = two_rooms(steer, 20);
        // After an odd and after an even number of steps: tempers are kept twice.
        for pause in [151, 200] {
            for (mut run, mut rest) in runs(&scene).into_iter().zip(runs(&scene)) {
                run.steps_by(pause).unwrap();
                rest.resume(&run.save().unwrap()).unwrap_or_else(|e| panic!("{e}"));
                run.steps_by(40).unwrap();
                rest.steps_by(40).unwrap();
                let (a, b) = (run.state_hash().unwrap(), rest.state_hash().unwrap());
                assert_eq!(a, b, "{steer}, {}: paused after {pause} steps", run.engine().name());
            }
        }
    }
}

#[test]
fn engines_begin_alike() {
    for steer in STEERINGS {
        let mut places: Vec<Vec<(u32, throng::Vec2)>> = Vec::new();
        for mut run in runs(&two_rooms(steer, 20)) {
            run.steps_by(20).unwrap();
            let a = run.agents().unwrap();
            let mut all: Vec<_> = (0..a.len()).map(|i| (a.id[i], a.position[i])).collect();
            all.sort_by_key(|p| p.0);
            places.push(all);
        }
        if let [cpu, gpu] = places.as_slice() {
            // Where two directions are equally good the last bit chooses: a few go another way.
            let apart = cpu.iter().zip(gpu).filter(|(a, b)| a.1.distance(b.1) > 0.02).count();
            assert!(apart <= 4, "{steer}: {apart} of 40 are elsewhere after a second");
        }
    }
}
