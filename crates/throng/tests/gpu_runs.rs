#![cfg(feature = "gpu")]
use std::time::Instant;
use throng::engine::gpu::{Gpu, GpuEngine};
use throng::{Scene, Simulation};

#[test]
fn probe() {
    let t = Instant::now();
    let gpu = Gpu::open(Some("llvmpipe")).expect("gpu");
    println!("open {:?}", t.elapsed());
    for name in ["corridor", "corridor", "office"] {
        let mut scene = Scene::built_in(name).unwrap();
        if name == "office" {
            scene.scale(0.1).unwrap();
        }
        let t = Instant::now();
        let mut run = Simulation::on(&scene, Box::new(GpuEngine::new(&scene, &gpu).unwrap()));
        println!("{name} {}x{} {} new {:?}", scene.grid.width, scene.grid.height, scene.agent_count(), t.elapsed());
        let t = Instant::now();
        run.step().unwrap();
        let _ = run.counters();
        println!("first step {:?}", t.elapsed());
        for _ in 0..4 {
            let t = Instant::now();
            run.steps_by(20).unwrap();
            let c = run.counters();
            println!("20 steps {:?} rounds {} converged {}", t.elapsed(), c.solver.rounds, c.solver.converged);
        }
    }
}
