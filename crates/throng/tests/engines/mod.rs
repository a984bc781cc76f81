//! A scene on every engine that was built.
//!
//! The GPU engine runs on software Vulkan, or on the device whose name contains `THRONG_TEST_DEVICE`.

#![allow(dead_code, reason = "not every program of tests uses all of it")]

pub(crate) mod bits;

use throng::{Scene, Simulation};

/// How a run of a scene is made: one for each engine that was built, the CPU's first.
pub(crate) const ENGINES: &[fn(&Scene) -> Simulation] = &[
    on_cpu,
    #[cfg(feature = "gpu")]
    on_gpu,
];

/// A run on each engine.
pub(crate) fn runs(scene: &Scene) -> Vec<Simulation> {
    ENGINES.iter().map(|on_engine| on_engine(scene)).collect()
}

fn on_cpu(scene: &Scene) -> Simulation {
    Simulation::with_threads(scene, 2).unwrap_or_else(|e| panic!("{e}\n{}", scene.source().text))
}

/// All tests of a program share one device.
#[cfg(feature = "gpu")]
pub(crate) fn on_gpu(scene: &Scene) -> Simulation {
    use std::sync::OnceLock;
    use throng::engine::gpu::{Gpu, GpuEngine};
    static GPU: OnceLock<Gpu> = OnceLock::new();
    let gpu = GPU.get_or_init(|| {
        let name = std::env::var("THRONG_TEST_DEVICE").unwrap_or_else(|_| "llvmpipe".into());
        Gpu::open(Some(&name)).expect("GPU tests need a Vulkan device; test.sh installs software Vulkan")
    });
    let engine = GpuEngine::new(scene, gpu).unwrap_or_else(|e| panic!("{e}\n{}", scene.source().text));
    Simulation::on(scene, Box::new(engine))
}
