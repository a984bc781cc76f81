//! A picture from a program of one's own: a scene, some steps, a look, a file.
//!
//! `cargo run --release -p throng-view --example picture -- office 500 office.png`

use throng::engine::gpu::{Gpu, devices};
use throng::{Scene, Simulation};
use throng_view::look::{Colouring, Look, Overlay};
use throng_view::studio::{Aim, Shooting, Studio};

fn main() -> anyhow::Result<()> {
    let args: Vec<String> = std::env::args().collect();
    let [_, name, steps, file] = args.as_slice() else { anyhow::bail!("give it a built-in scene, steps, and a file") };
    let scene = Scene::built_in(name).ok_or_else(|| anyhow::anyhow!("no built-in scene is called {name}"))?;
    let mut sim = Simulation::new(&scene)?;
    sim.steps_by(steps.parse()?)?;

    // Whatever draws best here; software will do.
    let best = devices().into_iter().next().ok_or_else(|| anyhow::anyhow!("there is nothing to draw with"))?;
    let gpu = Gpu::open(Some(&best.name))?;
    let look = Look { colouring: Colouring::Speed, overlay: Some(Overlay::Density), ..Look::default() };
    let shooting =
        Shooting { size: [1280, 720], look, aim: Aim::Fit, caption: true, chosen: None, text: 1.0, back: 0.0 };
    Studio::new(&gpu, &scene).picture(&mut sim, &shooting)?.save(file)?;
    Ok(())
}
