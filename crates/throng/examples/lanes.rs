//! scratch lanes + bottleneck
use throng::*; use throng::scene::{with_value, built_in};
fn scene(name: &str, sets: &[String]) -> Scene { let b = built_in(name).unwrap(); let mut t = b.text.to_string(); for s in sets { let (k,v)=s.split_once('=').unwrap(); t = with_value(&t,k,v).unwrap(); } Scene::parse("x.toml", &t, &b).map_err(|e| {println!("{e}"); e}).unwrap() }
fn main() {
    let sets: Vec<String> = std::env::args().skip(1).collect();
    let mut line = String::new();
    for seed in [1,2,3] {
        let mut s = sets.clone(); s.push(format!("seed={seed}"));
        let sc = scene("corridor", &s);
        let mut sim = Simulation::new(&sc).unwrap();
        let mut out = vec![];
        for k in 1..=3000u64 { sim.step().unwrap(); if [500,1000,1500,2000,2500,3000].contains(&k) { let a = sim.agents(); let w: Vec<(Vec2,bool)> = (0..a.len()).filter(|&i| a.state[i].on_floor() && a.position[i].x > 5.0 && a.position[i].x < 35.0).map(|i| (a.position[i], a.group[i]==0)).collect(); out.push(throng::measure::band_index(&w, 4.0, 0.4)); } }
        let c = sim.counters();
        line += &format!("seed {seed}: band {out:.2?} speed {:.2} arrived {} ov {:.3}/{:.2}\n", c.mean_speed, c.arrived, c.overlap_share_mean, c.overlap.max);
    }
    print!("{line}");
    for w in [0.8f32, 1.2, 1.6, 2.0] {
        let mut s = sets.clone(); s.push(format!("map.walls.0.rect.3={}", 4.0-w/2.0)); s.push(format!("map.walls.1.rect.1={}", 4.0+w/2.0));
        let sc = scene("bottleneck", &s);
        let mut sim = Simulation::new(&sc).unwrap();
        let mut gate = throng::measure::Gate::new(Vec2::new(10.2, 8.0), Vec2::new(10.2, 0.0));
        let mut gate2 = throng::measure::Gate::new(Vec2::new(10.2, 0.0), Vec2::new(10.2, 8.0));
        while !sim.is_done() && sim.steps() < 10000 { sim.step().unwrap(); let t = sim.time(); let a = sim.agents(); gate.look(&a, t); gate2.look(&a,t); }
        let g = if gate.times.len() > gate2.times.len() {gate} else {gate2};
        println!("width {w}: flow {:?} 1/s ({:.2} per m) time {:.1} density {:.1} arrived {} n {}", g.flow(), g.flow().unwrap_or(0.0)/w as f64, sim.time(), sim.counters().density_max, sim.counters().arrived, g.times.len());
    }
}
