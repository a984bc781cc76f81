//! Save a run, go on from there, and end with the same bits.
//!
//! `cargo run --release -p throng --example save_and_resume`

use std::error::Error;
use std::io::Write;
use throng::{Scene, Simulation};

fn main() -> Result<(), Box<dyn Error>> {
    let scene = Scene::built_in("crossing").ok_or("it is built in")?;
    let mut sim = Simulation::new(&scene)?;
    sim.steps_by(300)?;
    let saved = sim.save()?;
    sim.steps_by(300)?;

    let mut again = Simulation::new(&scene)?;
    again.resume(&saved)?;
    again.steps_by(300)?;
    writeln!(
        std::io::stdout(),
        "{} bytes saved; {:016x} = {:016x}",
        saved.len(),
        sim.state_hash()?,
        again.state_hash()?
    )?;
    assert_eq!(sim.state_hash()?, again.state_hash()?);
    Ok(())
}
