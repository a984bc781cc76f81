//! The scene `square` for long: nobody is stuck who has a way.

use std::collections::HashMap;
use throng::world::agents::State;
use throng::{Scene, Simulation, Vec2};

/// Nobody who walks may stay within this many metres for so many seconds.
const STUCK: (f32, f64) = (0.5, 60.0);

fn nobody_is_stuck(seed: u32, seconds: f64) {
    let mut scene = Scene::built_in("square").unwrap();
    scene.seed = seed;
    let mut run = Simulation::with_threads(&scene, 2).unwrap();
    let mut since: HashMap<u32, (Vec2, f64)> = HashMap::new();
    while run.time() < seconds {
        run.steps_by(25).unwrap();
        let (agents, now) = (run.agents().unwrap(), run.time());
        for i in 0..agents.len() {
            let (id, at) = (agents.id[i], agents.position[i]);
            let (place, then) = *since.entry(id).or_insert((at, now));
            if agents.state[i] != State::Walking || at.distance(place) > STUCK.0 {
                since.insert(id, (at, now));
            } else {
                let heads_for = (agents.goal[i], agents.point(i));
                assert!(
                    now - then < STUCK.1,
                    "seed {seed}, {now:.0} s: {id} at {at} since {then:.0} s, to {heads_for:?}"
                );
            }
        }
    }
    let c = run.counters();
    assert_eq!((c.in_wall, c.not_finite), (0, 0));
    assert_eq!(run.agents().unwrap().len(), 1000);
}

#[test]
fn nobody_is_stuck_on_the_square() {
    nobody_is_stuck(1, 300.0);
}

/// `cargo test --release --workspace --test social for_an_hour -- --ignored`
#[test]
#[ignore = "takes more than a minute"]
fn nobody_is_stuck_on_the_square_for_an_hour() {
    nobody_is_stuck(1, 3600.0);
}
