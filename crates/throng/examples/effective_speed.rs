//! How fast people get on who cross each other's ways: straight distance over time, minute by minute, in the scene `congestion`.
//!
//!     cargo run --release --example effective_speed -p throng -- 3000 600 model.social-force.congestion=standard
//!
//! People, seconds, then any values of the scene. `throng verify --congestion` makes all of the paper's Table 3.

use std::error::Error;
use throng::measure::progress::Progress;
use throng::scene::{built_in, with_value};
use throng::{Scene, Simulation};

#[expect(clippy::print_stdout, reason = "it is what the program is for")]
fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let people: u32 = arguments.next().map_or(Ok(3000), |a| a.parse())?;
    let minutes = (arguments.next().map_or(Ok(300.0), |a| a.parse::<f64>())? / 60.0).ceil() as u32;
    let source = built_in("congestion").ok_or("there is no scene congestion")?;
    let mut text = source.text.to_owned();
    for argument in arguments {
        let (key, value) = argument.split_once('=').ok_or("values are given as KEY=VALUE")?;
        text = with_value(&text, key, value)?;
    }
    let mut scene = Scene::parse("congestion.toml", &text, &source).map_err(|e| e.to_string())?;
    scene.set_agents(people).map_err(|e| e.to_string())?;
    let mut sim = Simulation::with_threads(&scene, 1)?;
    let mut progress = Progress::new(&sim.agents()?, scene.groups[0].goal_distance.max());
    for minute in 1..=minutes {
        let before = progress.metres();
        for _ in 0..120 {
            sim.steps_by((0.5 / f64::from(scene.dt)).round() as u64)?;
            progress.look(&sim.agents()?);
        }
        let speed = (progress.metres() - before) / f64::from(people) / 60.0;
        println!("minute {minute}: {:.2} km/h, {} refused so far", 3.6 * speed, sim.counters().refused);
    }
    Ok(())
}
