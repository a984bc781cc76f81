//! A picture of a built-in scene, from a program of one's own.

use throng::engine::gpu::Gpu;
use throng::{Scene, Simulation};
use throng_view::look::{Colouring, Look, Overlay};
use throng_view::studio::{Aim, Shooting, Studio};

fn main() -> anyhow::Result<()> {
    let args: Vec<String> = std::env::args().collect();
    let scene = Scene::built_in(&args[1]).expect("a built-in scene");
    let gpu = Gpu::open(Some("llvmpipe"))?;
    let mut sim = Simulation::new(&scene)?;
    sim.steps_by(args[2].parse()?)?;
    let mut studio = Studio::new(&gpu, &scene);
    let look = Look {
        colouring: Colouring::ALL[args[3].parse::<usize>()?],
        overlay: args.get(4).and_then(|n| n.parse::<usize>().ok()).and_then(|n| Overlay::ALL.get(n).copied()),
        ..Look::default()
    };
    let size = [1280, 720];
    let scale = args.get(6).and_then(|s| s.parse().ok());
    let aim = scale.map_or(Aim::Fit, |s| Aim::Follow(7, s));
    let image = studio.picture(&mut sim, &Shooting { size, look, aim, caption: true, chosen: None, text: 1.0 })?;
    image.save(args.get(5).map_or("picture.png", |s| s.as_str()))?;
    let frames = args.get(7).and_then(|s| s.parse().ok()).unwrap_or(0);
    for _ in 0..frames {
        let began = std::time::Instant::now();
        studio.draw(&mut sim, &Shooting { size, look: Look { agents: if std::env::var("NOAG").is_ok() { 0.0 } else { 1.0 }, ..Look::default() }, aim, caption: std::env::var("NOCAP").is_err(), chosen: None, text: 1.0 })?;
        gpu.device().poll(wgpu::PollType::wait_indefinitely())?;
        eprintln!("{:.1} ms", began.elapsed().as_secs_f64() * 1e3);
    }
    Ok(())
}
