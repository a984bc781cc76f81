//! Measure: what planning every n-th step does to clearing times, flow, lanes and turning, against the spread of seeds.
//!
//! `cargo run --release -p throng --example plan_every > plan_every.csv` (about a minute a seed; how many seeds is the argument)

use std::error::Error;
use std::io::Write;
use throng::measure::{Gate, band_index};
use throng::scene::{built_in, with_value};
use throng::world::agents::Agents;
use throng::{Scene, Simulation, Vec2};

/// Radians turned and metres walked by everybody.
#[derive(Default)]
struct Turning {
    last: Vec<Option<(Vec2, Vec2)>>,
    radians: f64,
    metres: f64,
}

impl Turning {
    fn look(&mut self, a: &Agents) {
        self.last.resize(self.last.len().max(a.len()), None);
        for i in 0..a.len() {
            let now = a.state[i].on_floor().then(|| (a.position[i], a.heading[i]));
            let last = std::mem::replace(&mut self.last[a.id[i] as usize], now);
            if let (Some((p, h)), Some((q, k))) = (last, now) {
                // Who entered anew has not walked there.
                let far = p.distance(q);
                if far < 0.5 {
                    self.radians += f64::from(h.angle_to(k).abs());
                    self.metres += f64::from(far);
                }
            }
        }
    }
}

/// One run: seconds until everybody has left (0 if nobody leaves), persons/s through the gate, band index, turning per metre.
fn one(name: &str, every: u32, seed: u32) -> Result<[f64; 4], Box<dyn Error>> {
    let built_in = built_in(name).ok_or("it is built in")?;
    let text = with_value(built_in.text, "model.plan_every", &every.to_string())?;
    let mut scene = Scene::parse(name, &with_value(&text, "seed", &seed.to_string())?, &built_in)?;
    if name == "office" {
        scene.scale(0.25)?;
    }
    let mut sim = Simulation::with_threads(&scene, 1)?;
    let mut turning = Turning::default();
    let mut gate = Gate::new(Vec2::new(10.15, 0.0), Vec2::new(10.15, 8.0));
    let mut bands = Vec::new();
    let lasts = ["corridor", "crossing"].contains(&name);
    while !sim.is_done() && sim.time() < if lasts { 120.0 } else { 600.0 } {
        sim.step()?;
        let a = sim.agents()?;
        turning.look(&a);
        if name == "bottleneck" {
            gate.look(&a, sim.time());
        }
        if name == "corridor" && sim.time() > 60.0 && sim.steps().is_multiple_of(100) {
            let walkers = (0..a.len()).filter(|&i| a.state[i].on_floor() && (5.0..35.0).contains(&a.position[i].x));
            let walkers: Vec<(Vec2, bool)> = walkers.map(|i| (a.position[i], a.group[i] == 0)).collect();
            bands.push(f64::from(band_index(&walkers, 4.0, 0.4)));
        }
    }
    let cleared = if lasts { 0.0 } else { sim.time() };
    let flow = if name == "bottleneck" { gate.flow().unwrap_or(0.0) } else { 0.0 };
    let band = bands.iter().sum::<f64>() / bands.len().max(1) as f64;
    Ok([cleared, flow, band, turning.radians / turning.metres.max(1e-9)])
}

fn main() -> Result<(), Box<dyn Error>> {
    let seeds: u32 = std::env::args().nth(1).map_or(Ok(3), |n| n.parse())?;
    let mut jobs = Vec::new();
    for name in ["office", "bottleneck", "corridor", "crossing"] {
        for every in [1, 2, 4, 8, 16] {
            jobs.extend((1..=seeds).map(|seed| (name, every, seed)));
        }
    }
    let mut out = std::io::stdout().lock();
    writeln!(out, "scene,plan_every,seed,cleared_s,flow_persons_per_s,band_index,turning_rad_per_m")?;
    // One run a thread; rows come in order.
    let next = std::sync::atomic::AtomicUsize::new(0);
    let rows = std::sync::Mutex::new(vec![String::new(); jobs.len()]);
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some((name, every, seed)) = jobs.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed))
                {
                    let at = jobs.iter().position(|j| *j == (*name, *every, *seed)).unwrap_or(0);
                    let row = match one(name, *every, *seed) {
                        Ok([a, b, c, d]) => format!("{name},{every},{seed},{a:.2},{b:.3},{c:.3},{d:.3}"),
                        Err(e) => format!("{name},{every},{seed}: {e}"),
                    };
                    rows.lock().expect("no run panics")[at] = row;
                }
            });
        }
    });
    for row in rows.into_inner()? {
        writeln!(out, "{row}")?;
    }
    Ok(())
}
