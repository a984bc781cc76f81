//! The same bits, on any number of threads and after a pause; and the same crowd on both engines.

use super::engines::runs;
use super::scene;
use throng::{Scene, Simulation};

/// Two crowds that change rooms through a door, with manners of all kinds.
fn two_rooms(plan: &str, count: u32) -> Scene {
    let mut text = format!(
        "size = [16, 8]\ncell = 0.5\nseed = 1\n[model]\nplan = \"{plan}\"\nsteer = \"bvp\"\n[model.bvp]\nside = 16\nepsilon = -0.5\nspread = 0.4\n\
         [map]\nwalls = [{{ rect = [7.9, 0, 8.1, 3] }}, {{ rect = [7.9, 5, 8.1, 8] }}]\n"
    );
    for (k, goal, start) in [(0, "15, 0, 16, 8", "1.5, 1, 7, 7"), (1, "0, 0, 1, 8", "9, 1, 14.5, 7")] {
        let manner = [
            "",
            "bvp = { side = 11, epsilon = -0.9, frame = \"way\", behaviour = \"swinging\", company = 3, table = [[0, 0], [1, 2], [3, -1]] }\n",
        ][k];
        text += &format!(
            "[[goal]]\nname = \"g{k}\"\nrect = [{goal}]\n[[agents]]\ncount = {count}\nstart = {{ rect = [{start}] }}\n\
             radius = {{ uniform = [0.15, 0.25] }}\njourney = [\"g{k}\"]\n{manner}"
        );
    }
    scene(&text)
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let scene = two_rooms("harmonic", 40);
    let hash = |threads: usize| {
        let mut run = Simulation::with_threads(&scene, threads).unwrap();
        run.steps_by(150).unwrap();
        run.state_hash().unwrap()
    };
    let one = hash(1);
    assert_eq!([hash(2), hash(5)], [one; 2]);
}

#[test]
fn a_run_that_was_paused_goes_on_with_the_same_bits() {
    for plan in ["harmonic", "continuum"] {
        let scene = two_rooms(plan, 12);
        for (mut run, mut rest) in runs(&scene).into_iter().zip(runs(&scene)) {
            run.steps_by(61).unwrap();
            rest.resume(&run.save().unwrap()).unwrap_or_else(|e| panic!("{e}"));
            run.steps_by(20).unwrap();
            rest.steps_by(20).unwrap();
            let (a, b) = (run.state_hash().unwrap(), rest.state_hash().unwrap());
            assert_eq!(a, b, "{plan}, {}", run.engine().name());
        }
    }
}

#[test]
fn engines_begin_alike() {
    let mut places: Vec<Vec<(u32, throng::Vec2)>> = Vec::new();
    for mut run in runs(&two_rooms("harmonic", 20)) {
        run.steps_by(15).unwrap();
        let a = run.agents().unwrap();
        let mut all: Vec<_> = (0..a.len()).map(|i| (a.id[i], a.position[i])).collect();
        all.sort_by_key(|p| p.0);
        places.push(all);
    }
    if let [cpu, gpu] = places.as_slice() {
        // Whether somebody's body covers a cell of another's map is a matter of the last bit now and then.
        let apart = cpu.iter().zip(gpu).filter(|(a, b)| a.1.distance(b.1) > 0.02).count();
        assert!(apart <= 4, "{apart} of 40 are elsewhere");
    }
}

#[test]
fn a_scene_is_written_as_it_was_read() {
    let first = two_rooms("harmonic", 5);
    let again = scene(&first.to_toml());
    assert_eq!(first.groups[1].manner, again.groups[1].manner);
    assert_eq!(first.model, again.model);
    assert!(first.groups[0].manner.is_none() && again.groups[0].manner.is_none());
}
