//! The two gradients of `plan = "froblins"` side by side: how far directions are from the exact ones on open floor, and how crowds arrive with them.
//!
//! `cargo run --release -p throng --example gradients`

use std::io::Write;
use throng::engine::{Field, Values};
use throng::scene::{NoFiles, Plan};
use throng::stages::cost::froblins::GradientBy;
use throng::{Scene, Simulation, Vec2};

/// Mean and greatest angle between directions and the straight way to a round goal, degrees.
fn angles(by: GradientBy) -> Result<(f32, f32), Box<dyn std::error::Error>> {
    let text = "size = [40, 40]\n[[goal]]\ncircle = [20, 20, 3]\n[[agents]]\ncount = 1\nstart = { rect = [0, 0, 1, 1] }\n\
                [model]\nplan = \"froblins\"\nclearance = 0\n[model.froblins]\ndensity_weight = 0\n";
    let mut scene = Scene::parse("open.toml", text, &NoFiles)?;
    scene.model.froblins.gradient = by;
    let mut sim = Simulation::new(&scene)?;
    sim.step()?;
    let Values::Vector(ways) = sim.field(Field::Gradient(0))? else { unreachable!("a direction is a vector") };
    let (mut sum, mut most, mut count) = (0.0, 0.0f32, 0.0);
    for (cell, way) in ways.iter().enumerate().filter(|(_, way)| **way != [0.0; 2]) {
        let p = scene.grid.centre(cell % scene.grid.width, cell / scene.grid.width);
        let off = Vec2::from(*way).angle_to(Vec2::splat(20.0) - p).abs().to_degrees();
        (sum, most, count) = (sum + off, most.max(off), count + 1.0);
    }
    Ok((sum / count, most))
}

/// Seconds until all but a twentieth have arrived, and the mean speed on the way, m/s.
fn crowd(name: &str, by: GradientBy) -> Result<(f64, f32), Box<dyn std::error::Error>> {
    let mut scene = Scene::built_in(name).ok_or("no such scene")?;
    scene.model.plan = Plan::Froblins;
    scene.model.froblins.gradient = by;
    let mut sim = Simulation::with_threads(&scene, 1)?;
    let most = scene.agent_count() * 19 / 20;
    while sim.counters().arrived < most && sim.time() < 300.0 {
        sim.step()?;
    }
    Ok((sim.time(), sim.counters().mean_speed))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = std::io::stdout();
    for (word, by) in [("upwind", GradientBy::Upwind), ("central", GradientBy::Central)] {
        let (mean, most) = angles(by)?;
        writeln!(out, "{word}: directions on open floor are off by {mean:.2}° on average, {most:.1}° at most")?;
        for name in ["bottleneck", "crossing", "corridor"] {
            let (seconds, speed) = crowd(name, by)?;
            writeln!(out, "{word}: {name}: 95 % there after {seconds:.1} s, at {speed:.3} m/s")?;
        }
    }
    Ok(())
}
