//! scratch
use throng::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let s = Scene::built_in(&a[1]).unwrap();
    let n: u64 = a[2].parse().unwrap();
    let t = std::time::Instant::now();
    let mut sim = match Simulation::new(&s) { Ok(s) => s, Err(e) => { println!("{e}"); return } };
    println!("setup {:?}", t.elapsed());
    let t = std::time::Instant::now();
    let every = (n / 10).max(1);
    for k in 0..n { sim.step().unwrap(); if k % every == every-1 { let c = sim.counters(); println!("t={:.1} active {} arrived {} speed {:.3} dens {:.1} ov {:.4}/{:.3}/{:.4} wall {} depth {:.3} lo {}", sim.time(), c.active, c.arrived, c.mean_speed, c.density_max, c.overlap.mean, c.overlap.max, c.overlap.share, c.in_wall, c.wall_depth, c.neighbours_left_out); } if sim.is_done() {break} }
    let e = t.elapsed().as_secs_f64(); let st = sim.steps();
    println!("{} steps, {:.2} steps/s, hash {:x}", st, st as f64 / e, sim.state_hash());
    for (n, ms) in throng::stages::NAMES.iter().zip(sim.engine().stage_ms()) { println!("{n:10} {:.3} ms", ms / st as f64); }
    println!("{:?}", sim.counters());
}
