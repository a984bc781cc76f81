//! Load a scene, step it, look at somebody.
//!
//! `cargo run --release -p throng --example first_steps`

use std::error::Error;
use throng::{Scene, Simulation};

fn main() -> Result<(), Box<dyn Error>> {
    let scene = Scene::built_in("corridor").ok_or("it is built in")?;
    let mut sim = Simulation::new(&scene)?;
    for second in 1..=5 {
        sim.steps_by(25)?;
        let (id, position) = sim.positions()?[0];
        print(&format!("after {second} s agent {id} is at {position} m"))?;
    }
    Ok(())
}

fn print(line: &str) -> std::io::Result<()> {
    use std::io::Write;
    writeln!(std::io::stdout(), "{line}")
}
