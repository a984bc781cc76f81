//! How long does setting a scene up take, part by part?
//!
//! `cargo run --release -p throng --example set_up -- SCENE [SCALE [ENGINE]]`
//!
//! SCENE is a built-in one; SCALE times its area and its people (default 1); ENGINE is `cpu` (default), `gpu`, or the name
//! of a GPU. `RAYON_NUM_THREADS=4` in front of it uses four threads.

use std::error::Error;
use std::io::Write;
use std::time::Instant;
use throng::engine::gpu::{Gpu, GpuEngine};
use throng::{Scene, Simulation};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().ok_or("which scene? For example: set_up exit-bar 16 gpu")?;
    let scale = arguments.next().map_or(Ok(1.0), |scale| scale.parse())?;
    let engine = arguments.next().unwrap_or_else(|| "cpu".to_owned());
    let mut scene = Scene::built_in(&name).ok_or("there is no built-in scene of this name")?;
    scene.scale(scale)?;
    // Opening a device takes about a second of its own, whatever the scene.
    let gpu = match engine.as_str() {
        "cpu" => None,
        "gpu" => Some(Gpu::open(None)?),
        device => Some(Gpu::open(Some(device))?),
    };

    let start = Instant::now();
    let sim = match &gpu {
        None => Simulation::new(&scene)?,
        Some(gpu) => Simulation::on(&scene, Box::new(GpuEngine::new(&scene, gpu)?)),
    };
    let total = start.elapsed().as_secs_f64() * 1e3;

    let (agents, cells, device) = (scene.agent_count(), scene.grid.len(), sim.engine().device());
    let threads = rayon::current_num_threads();
    let out = &mut std::io::stdout();
    writeln!(out, "{name}: {agents} people, {cells} cells; {device}; set up by {threads} threads")?;
    for (part, ms) in sim.engine().set_up_ms() {
        writeln!(out, "{part:>10} {ms:10.1} ms")?;
    }
    writeln!(out, "{:>10} {total:10.1} ms", "in all")?;
    Ok(())
}
