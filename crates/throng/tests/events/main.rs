//! Events that change many things at once, people who wait for them, goals that close and goals that are full: on every engine.

#[path = "../engines/mod.rs"]
mod engines;

mod capacities;
mod goals;
mod many;
mod sources;
mod waits;

use throng::scene::NoFiles;
use throng::world::agents::State;
use throng::{Scene, Simulation, Vec2};

fn read(text: &str) -> Scene {
    Scene::parse("events.toml", text, &NoFiles).unwrap_or_else(|e| panic!("{e:?}\n{text}"))
}

/// Steps until so many seconds are over.
fn run_until(sim: &mut Simulation, seconds: f64) {
    while sim.time() < seconds - 1e-9 {
        sim.step().expect("the engine does not fail");
    }
}

/// State and place of everybody, by id.
fn everybody(sim: &mut Simulation) -> Vec<(State, Vec2)> {
    let agents = sim.agents().expect("the engine does not fail");
    let mut all: Vec<(u32, State, Vec2)> =
        (0..agents.len()).map(|i| (agents.id[i], agents.state[i], agents.position[i])).collect();
    all.sort_unstable_by_key(|a| a.0);
    all.into_iter().map(|(_, state, position)| (state, position)).collect()
}

/// That a run and one that goes on from its snapshots, each for so many steps, have the same bits.
fn assert_resumes(make: &dyn Fn(&Scene) -> Simulation, scene: &Scene, from: &[u64], steps: u64) {
    let (mut whole, mut other) = (make(scene), make(scene));
    let mut kept = std::collections::BTreeMap::new();
    for step in 0..=from[from.len() - 1] + steps {
        kept.insert(step, whole.save().unwrap());
        whole.step().unwrap();
    }
    for &begin in from {
        other.resume(&kept[&begin]).unwrap();
        other.steps_by(steps).unwrap();
        let name = other.engine().name();
        assert!(other.save().unwrap() == kept[&(begin + steps)], "{name}: {steps} steps after step {begin}");
    }
}

/// That what is written of a scene reads as the same.
fn assert_reads_back(scene: &Scene) {
    let text = scene.to_toml();
    let again = read(&text);
    assert_eq!(again.to_toml(), text);
    assert_eq!(again.events, scene.events);
    for (a, b) in again.groups.iter().zip(&scene.groups) {
        assert_eq!((&a.journey, a.on, a.rate), (&b.journey, b.on, b.rate));
        assert_eq!((&a.delay_until, a.delay), (&b.delay_until, b.delay));
    }
    for (a, b) in again.goals.iter().zip(&scene.goals) {
        assert_eq!((a.open, a.capacity, &a.capacities, &a.shapes), (b.open, b.capacity, &b.capacities, &b.shapes));
    }
    let files = scene.to_files("kept");
    assert_eq!(String::from_utf8(files[0].1.clone()).unwrap(), text);
}
