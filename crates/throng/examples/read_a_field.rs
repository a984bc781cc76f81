//! Read a field: where is it most crowded?
//!
//! `cargo run --release -p throng --example read_a_field`

use std::error::Error;
use std::io::Write;
use throng::engine::{Field, Values};
use throng::{Scene, Simulation};

fn main() -> Result<(), Box<dyn Error>> {
    let scene = Scene::built_in("bottleneck").ok_or("it is built in")?;
    let mut sim = Simulation::new(&scene)?;
    sim.engine_mut().keep_maps(true);
    sim.steps_by(500)?;
    let Values::Scalar(peaks) = sim.field(Field::PeakDensity)? else { return Err("a number per cell".into()) };
    let fullest = (0..peaks.len()).max_by(|&a, &b| peaks[a].total_cmp(&peaks[b])).ok_or("no cells")?;
    let place = scene.grid.centre_of(fullest);
    writeln!(
        std::io::stdout(),
        "in {:.0} s it was fullest around {place} m: {:.1} persons/m²",
        sim.time(),
        peaks[fullest]
    )?;
    Ok(())
}
