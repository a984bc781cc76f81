//! How people avoid each other with `steer = "velocity-obstacle"` and with `steer = "orca"`: they pass, hardly overlap, walk smoothly, and do so
//! with the same bits. Figures of every steering, side by side, come from `throng verify --steerings` and stand in docs/steerings.md.

mod bits;
mod crowds;
mod deadlocks;
#[path = "../engines/mod.rs"]
mod engines;
mod few;
mod rules;

use throng::scene::NoFiles;
use throng::world::agents::Agents;
use throng::{Scene, Simulation, Vec2};

const STEERINGS: [&str; 2] = ["velocity-obstacle", "orca"];

fn scene(text: &str) -> Scene {
    Scene::parse("avoiding.toml", text, &NoFiles).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// The beginning of a scene, its model last.
fn head(size: [f32; 2], steer: &str) -> String {
    let [x, y] = size;
    format!("size = [{x}, {y}]\ncell = 0.5\nseed = 1\n[model]\nplan = \"static\"\nsteer = \"{steer}\"\n")
}

/// Somebody who walks from a place to a point.
fn person(from: Vec2, to: Vec2, radius: f32) -> String {
    let room = 1.3 * radius;
    format!(
        "[[agents]]\ncount = 1\nstart = {{ circle = [{}, {}, {room}] }}\nradius = {radius}\nspeed = 1.34\njourney = [{{ to = [{}, {}] }}]\n",
        from.x, from.y, to.x, to.y
    )
}

/// The same text with another seed.
fn with_seed(text: &str, seed: u32) -> String {
    text.replace("seed = 1\n", &format!("seed = {seed}\n"))
}

/// People on a circle who walk to their opposites.
fn on_a_circle(steer: &str, count: u32, radius: f32, seed: u32) -> Scene {
    let middle = Vec2::splat(radius + 2.0);
    let mut text = head([2.0 * radius + 4.0; 2], steer);
    for k in 0..count {
        let away = Vec2::from_angle(std::f32::consts::TAU * k as f32 / count as f32) * radius;
        text += &person(middle + away, middle - away, 0.2);
    }
    scene(&with_seed(&text, seed))
}

/// What a run showed.
struct Shown {
    time: f64,
    /// The deepest overlap of any two after any step, of the sum of their radii.
    deepest: f32,
    /// Degrees turned a metre, of everybody's way as a line through places 0.1 m apart.
    turning: f32,
    /// The longest time over that of the straight way at the preferred speed.
    slowest: f32,
}

struct Way {
    start: Vec2,
    corner: Vec2,
    direction: Vec2,
    place: Vec2,
    time: f64,
    preferred: f32,
}

/// Runs until everybody has arrived, which has to be within a time.
fn watch(mut run: Simulation, within: f64, what: &str) -> Shown {
    let start = run.agents().unwrap();
    let mut ways: Vec<Option<Way>> = (0..start.len()).map(|_| None).collect();
    let way = |a: &Agents, i: usize| {
        let p = a.position[i];
        Way { start: p, corner: p, direction: Vec2::ZERO, place: p, time: 0.0, preferred: a.preferred[i] }
    };
    (0..start.len()).for_each(|i| ways[start.id[i] as usize] = Some(way(&start, i)));
    let (mut turned, mut length) = (0.0, 0.0);
    while !run.is_done() && run.time() < within {
        run.step().unwrap();
        let a = run.agents().unwrap();
        for i in (0..a.len()).filter(|&i| a.state[i].on_floor()) {
            let way = ways[a.id[i] as usize].as_mut().expect("nobody is new");
            (way.place, way.time) = (a.position[i], run.time());
            let on = way.place - way.corner;
            if on.length() >= 0.1 {
                let direction = on.normalize();
                if way.direction != Vec2::ZERO {
                    turned += way.direction.angle_to(direction).abs().to_degrees();
                }
                length += on.length();
                (way.corner, way.direction) = (way.place, direction);
            }
        }
    }
    let c = run.counters();
    assert!(run.is_done(), "{what}: {} of {} arrived within {within} s", c.arrived, start.len());
    assert_eq!((c.in_wall, c.not_finite), (0, 0), "{what}");
    let over = |w: &Way| w.time as f32 / (w.start.distance(w.place) / w.preferred).max(1e-3);
    let slowest = ways.iter().flatten().map(over).fold(0.0, f32::max);
    Shown { time: run.time(), deepest: c.overlap.max, turning: turned / length, slowest }
}
