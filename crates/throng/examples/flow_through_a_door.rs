//! Measure: persons per second through openings of four widths.
//!
//! `cargo run --release -p throng --example flow_through_a_door`

use std::error::Error;
use std::io::Write;
use throng::measure::Gate;
use throng::scene::{built_in, with_value};
use throng::{Scene, Simulation, Vec2};

fn main() -> Result<(), Box<dyn Error>> {
    let bottleneck = built_in("bottleneck").ok_or("it is built in")?;
    for width in [0.8, 1.2, 1.6, 2.0] {
        let text = with_value(bottleneck.text, "map.walls.0.rect.3", &(4.0 - width / 2.0).to_string())?;
        let text = with_value(&text, "map.walls.1.rect.1", &(4.0 + width / 2.0).to_string())?;
        let mut sim = Simulation::new(&Scene::parse("bottleneck.toml", &text, &bottleneck)?)?;
        let mut gate = Gate::new(Vec2::new(10.15, 0.0), Vec2::new(10.15, 8.0));
        while !sim.is_done() {
            sim.step()?;
            let time = sim.time();
            gate.look(&sim.agents()?, time);
        }
        let flow = gate.flow().ok_or("too few crossings")?;
        writeln!(std::io::stdout(), "{width:.1} m: {flow:.2} persons/s, {:.2} per metre", flow / width)?;
    }
    Ok(())
}
