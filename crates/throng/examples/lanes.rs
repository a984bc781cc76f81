//! Measure: how well two streams sort themselves into lanes, with the flow in the cost and without.
//!
//! `cargo run --release -p throng --example lanes`

use std::error::Error;
use std::io::Write;
use throng::measure::band_index;
use throng::scene::{built_in, with_value};
use throng::{Scene, Simulation, Vec2};

fn main() -> Result<(), Box<dyn Error>> {
    let corridor = built_in("corridor").ok_or("it is built in")?;
    for flow_weight in ["0.8", "0.0"] {
        for seed in ["1", "2", "3"] {
            let text = with_value(corridor.text, "model.flow_weight", flow_weight)?;
            let scene = Scene::parse("corridor.toml", &with_value(&text, "seed", seed)?, &corridor)?;
            let mut sim = Simulation::new(&scene)?;
            sim.steps_by(1500)?;
            // From 60 s to 120 s, a look every 4 s at the middle 30 m.
            let mut looks = Vec::new();
            for _ in 0..15 {
                sim.steps_by(100)?;
                let a = sim.agents()?;
                let walkers: Vec<(Vec2, bool)> = (0..a.len())
                    .filter(|&i| a.state[i].on_floor() && (5.0..35.0).contains(&a.position[i].x))
                    .map(|i| (a.position[i], a.group[i] == 0))
                    .collect();
                looks.push(band_index(&walkers, 4.0, 0.4));
            }
            let mean = looks.iter().sum::<f32>() / looks.len() as f32;
            let least = looks.iter().copied().fold(1.0, f32::min);
            writeln!(
                std::io::stdout(),
                "flow_weight {flow_weight}, seed {seed}: band index {mean:.2} (least {least:.2}), mean speed {:.2} m/s",
                sim.counters().mean_speed
            )?;
        }
    }
    Ok(())
}
