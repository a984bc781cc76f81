//! scratch
use throng::*; use throng::scene::{with_value, built_in};
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let b = built_in(&a[1]).unwrap(); let mut t = b.text.to_string();
    for s in &a[3..] { let (k,v)=s.split_once('=').unwrap(); t = with_value(&t,k,v).unwrap(); }
    let s = match Scene::parse("x.toml", &t, &b) { Ok(s) => s, Err(e) => { println!("{e}"); return } };
    let n: u64 = a[2].parse().unwrap();
    let mut sim = match Simulation::new(&s) { Ok(s) => s, Err(e) => { println!("{e}"); return } };
    let t = std::time::Instant::now();
    for _ in 0..n { sim.step().unwrap(); if sim.is_done() {break} }
    let c = sim.counters();
    println!("{:?} t={:.1} {:.1} steps/s active {} arrived {} speed {:.3} dens {:.1} ov mean {:.4} max {:.3} share {:.4} ({:.4}) wall {} depth {:.3} lo {} sep {:.2}ms", &a[3..], sim.time(), sim.steps() as f64 / t.elapsed().as_secs_f64(), c.active, c.arrived, c.mean_speed, c.density_max, c.overlap.mean, c.overlap.max, c.overlap.share, c.overlap_share_mean, c.in_wall, c.wall_depth, c.neighbours_left_out, sim.engine().stage_ms()[9]/sim.steps() as f64);
}
