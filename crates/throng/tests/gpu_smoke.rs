#![cfg(feature = "gpu")]
use throng::engine::gpu::{Gpu, GpuEngine};
use throng::engine::Engine;
use throng::{Scene, Simulation};
#[test]
fn smoke() {
    let gpu = Gpu::open(Some("llvmpipe")).unwrap();
    let mut scene = Scene::built_in("office").unwrap();
    scene.scale(0.1).unwrap();
    let t = std::time::Instant::now();
    let e = GpuEngine::new(&scene, &gpu).unwrap();
    eprintln!("made in {:?}", t.elapsed());
    let mut g = Simulation::on(&scene, Box::new(e));
    let mut c = Simulation::new(&scene).unwrap();
    for k in 0..60 {
        g.step().unwrap();
        c.step().unwrap();
        if k % 10 == 0 {
            eprintln!("{k} {:?}", t.elapsed());
            eprintln!("gpu {:?}", g.counters());
            eprintln!("cpu {:?}", c.counters());
        }
    }
}
