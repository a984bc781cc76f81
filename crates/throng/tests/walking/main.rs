//! How people walk with `steer = "walk"`: they pass each other, keep their distance, and do so with the same bits. The bounds hold with
//! margin; the figures themselves come from the example `walking` and stand in docs/models/walk.md.
//!
//! Tests of the GPU engine run on software Vulkan, or on the device whose name contains `THRONG_TEST_DEVICE`.

mod bits;
mod passing;
mod spacing;

use throng::engine::Engine;
use throng::engine::cpu::CpuEngine;
use throng::scene::NoFiles;
use throng::{Scene, Simulation};

fn scene(text: &str) -> Scene {
    Scene::parse("walking.toml", text, &NoFiles).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

#[cfg(feature = "gpu")]
fn on_gpu(scene: &Scene) -> Box<dyn Engine> {
    use std::sync::OnceLock;
    use throng::engine::gpu::{Gpu, GpuEngine};
    static GPU: OnceLock<Gpu> = OnceLock::new();
    let gpu = GPU.get_or_init(|| {
        let name = std::env::var("THRONG_TEST_DEVICE").unwrap_or_else(|_| "llvmpipe".into());
        Gpu::open(Some(&name)).expect("GPU tests need a Vulkan device; test.sh installs software Vulkan")
    });
    Box::new(GpuEngine::new(scene, gpu).unwrap_or_else(|e| panic!("{e}")))
}

/// A run on each engine that was built.
fn runs(scene: &Scene) -> Vec<Simulation> {
    let cpu: Box<dyn Engine> = Box::new(CpuEngine::new(scene, Some(2)).unwrap_or_else(|e| panic!("{e}")));
    let engines = [
        cpu,
        #[cfg(feature = "gpu")]
        on_gpu(scene),
    ];
    engines.into_iter().map(|engine| Simulation::on(scene, engine)).collect()
}

const PEOPLE: &str = "radius = 0.2\nspeed = { normal = [1.34, 0.26], min = 0.5, max = 2.0 }\narrive = \"park\"\n";

/// The beginning of a scene in which people walk.
fn head(size: [f32; 2], cell: f32, plan: &str) -> String {
    let [x, y] = size;
    format!("size = [{x}, {y}]\ncell = {cell}\ndt = 0.05\nseed = 1\n[model]\nplan = \"{plan}\"\nsteer = \"walk\"\n")
}

/// Two crowds in rooms of 8 × 8 m that change places through a door.
fn two_rooms(count: u32, door: f32, cell: f32, plan: &str) -> Scene {
    let (low, high) = (4.0 - door / 2.0, 4.0 + door / 2.0);
    scene(
        &(head([16.0, 8.0], cell, plan)
            + &format!(
                "[map]\nwalls = [{{ rect = [7.9, 0, 8.1, {low}] }}, {{ rect = [7.9, {high}, 8.1, 8] }}]\n\
                 [[goal]]\nname = \"east\"\nrect = [15, 0, 16, 8]\n[[goal]]\nname = \"west\"\nrect = [0, 0, 1, 8]\n\
                 [[agents]]\ncount = {count}\nstart = {{ rect = [1.5, 1, 7, 7] }}\njourney = [\"east\"]\n{PEOPLE}\
                 [[agents]]\ncount = {count}\nstart = {{ rect = [9, 1, 14.5, 7] }}\njourney = [\"west\"]\n{PEOPLE}"
            )),
    )
}
