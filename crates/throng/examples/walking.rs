//! Measure: how people walk, against measured crowds: two-way doors and corridors, openings, speed against density, lanes, and two
//! who meet head on. The figures of docs/models/walk.md come from here.
//!
//! `cargo run --release -p throng --example walking -- [doors|corridor|stream|openings|density|lanes|circle|pair|office|speed]… [key=value…]`
//!
//! Keys: `cell`, `dt`, `plan`, `steer`, `seeds` (how many), `seed` (the first), `gpu` (part of a device's name), and those of `[model.walk]`.

use std::collections::BTreeMap;
use std::error::Error;
use std::io::Write;
use throng::engine::Engine;
use throng::measure::{Gate, band_index};
use throng::scene::{NoFiles, built_in, with_value};
use throng::stages::Stage;
use throng::{Scene, Simulation, Vec2};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Something that can be measured, by its name.
type Measure = (&'static str, fn(&Settings) -> Result<()>);

/// What the command line says.
struct Settings {
    values: BTreeMap<String, String>,
}

impl Settings {
    fn get(&self, key: &str, default: &str) -> String {
        self.values.get(key).cloned().unwrap_or_else(|| default.to_owned())
    }

    fn seeds(&self) -> std::ops::Range<u32> {
        let first = self.get("seed", "1").parse().unwrap_or(1);
        first..first + self.get("seeds", "3").parse().unwrap_or(3)
    }

    /// The beginning of a scene and its model.
    fn head(&self, size: (f32, f32), seed: u32) -> String {
        let (cell, dt) = (self.get("cell", "0.25"), self.get("dt", "0.04"));
        format!("size = [{}, {}]\ncell = {cell}\ndt = {dt}\nseed = {seed}\n{}", size.0, size.1, self.model())
    }

    fn model(&self) -> String {
        let (plan, steer) = (self.get("plan", "static"), self.get("steer", "walk"));
        let mut text = format!("[model]\nplan = \"{plan}\"\nsteer = \"{steer}\"\n");
        let other = ["cell", "dt", "plan", "steer", "seed", "seeds", "gpu", "scale"];
        let own =
            ["foresight", "side", "steadiness", "ahead", "half_speed", "sharpness", "time_gap", "patience", "aside"];
        let set = |own: &dyn Fn(&str) -> bool| -> String {
            let keys = self.values.iter().filter(|(k, _)| own(k) && !other.contains(&k.as_str()));
            keys.map(|(key, value)| format!("{key} = {value}\n")).collect()
        };
        text += &set(&|key| !own.contains(&key));
        if steer == "walk" {
            text += &format!("[model.walk]\n{}", set(&|key| own.contains(&key)));
        }
        text
    }

    fn run(&self, text: &str) -> Result<Simulation> {
        let scene = Scene::parse("walking.toml", text, &NoFiles).map_err(|e| format!("{e}\n{text}"))?;
        self.start(&scene)
    }

    fn start(&self, scene: &Scene) -> Result<Simulation> {
        match self.values.get("gpu") {
            Some(name) => Ok(Simulation::on(scene, on_gpu(scene, name)?)),
            None => Ok(Simulation::with_threads(scene, 1)?),
        }
    }
}

#[cfg(feature = "gpu")]
fn on_gpu(scene: &Scene, name: &str) -> Result<Box<dyn Engine>> {
    use throng::engine::gpu::{Gpu, GpuEngine};
    Ok(Box::new(GpuEngine::new(scene, &Gpu::open(Some(name))?)?))
}

#[cfg(not(feature = "gpu"))]
fn on_gpu(_: &Scene, _: &str) -> Result<Box<dyn Engine>> {
    Err("built without the feature gpu".into())
}

fn say(text: &str) -> Result<()> {
    writeln!(std::io::stdout(), "{text}")?;
    Ok(())
}

const PEOPLE: &str = "radius = 0.2\nspeed = { normal = [1.34, 0.26], min = 0.5, max = 2.0 }\narrive = \"park\"\n";

/// Two crowds that change rooms: walls between, starts and goals as rectangles.
fn two_ways(walls: &str, starts: [&str; 2], goals: [&str; 2], counts: [u32; 2]) -> String {
    let mut text = format!("[map]\nwalls = [{walls}]\n");
    for (name, rect) in ["east", "west"].iter().zip(goals) {
        text += &format!("[[goal]]\nname = \"{name}\"\nrect = [{rect}]\n");
    }
    for (k, name) in ["east", "west"].iter().enumerate() {
        if counts[k] > 0 {
            text += &format!(
                "[[agents]]\ncount = {}\nstart = {{ rect = [{}] }}\njourney = [\"{name}\"]\n{PEOPLE}",
                counts[k], starts[k]
            );
        }
    }
    text
}

/// What came of a run: share arrived, when the last did, worst mean overlap and share of people who overlap.
struct Outcome {
    arrived: f64,
    last: f64,
    overlap: f32,
    many: f32,
}

fn until_clear(sim: &mut Simulation, limit: f64) -> Result<Outcome> {
    let (mut overlap, mut many, mut looks) = (0.0, 0.0, 0.0f32);
    while sim.time() < limit && !sim.is_done() {
        sim.steps_by(5)?;
        let c = sim.counters();
        let people = c.active as f32;
        overlap += c.overlap.mean * people;
        many += c.overlap.share * people;
        looks += people;
    }
    let c = sim.counters();
    let all = (c.arrived + c.active).max(1) as f64;
    let last = if c.active == 0 { sim.time() } else { f64::INFINITY };
    Ok(Outcome { arrived: c.arrived as f64 / all, last, overlap: overlap / looks, many: many / looks })
}

fn two_way(s: &Settings, name: &str, size: (f32, f32), body: &str) -> Result<()> {
    let mut line = format!("{name:34}");
    let (mut overlap, mut many) = (0.0f32, 0.0f32);
    for seed in s.seeds() {
        let mut sim = s.run(&(s.head(size, seed) + body))?;
        let o = until_clear(&mut sim, 300.0)?;
        line += &if o.last.is_finite() { format!(" {:6.1}", o.last) } else { format!("  ({:.2})", o.arrived) };
        (overlap, many) = (overlap.max(o.overlap), many.max(o.many));
    }
    say(&format!("{line}   overlap {:.2} %, beyond 5 %: {:.2} %", 100.0 * overlap, 100.0 * many))
}

fn doors(s: &Settings) -> Result<()> {
    for width in [1.0f32, 1.5, 2.0, 3.0] {
        let (low, high) = (5.0 - width / 2.0, 5.0 + width / 2.0);
        let walls = format!("{{ rect = [10, 0, 10.2, {low}] }}, {{ rect = [10, {high}, 10.2, 10] }}");
        let body = two_ways(&walls, ["1, 1, 9, 9", "11, 1, 19, 9"], ["19, 0, 20, 10", "0, 0, 1, 10"], [60; 2]);
        two_way(s, &format!("door {width:.1} m, 60 against 60, s"), (20.0, 10.0), &body)?;
    }
    Ok(())
}

fn corridor(s: &Settings) -> Result<()> {
    let walls = "{ rect = [10, 0, 20, 4] }, { rect = [10, 6, 20, 10] }";
    for against in [0, 10, 50, 100] {
        let body =
            two_ways(walls, ["1, 0.5, 9, 9.5", "21, 0.5, 29, 9.5"], ["29, 0, 30, 10", "0, 0, 1, 10"], [100, against]);
        two_way(s, &format!("corridor 2 m, 100 against {against}, s"), (30.0, 10.0), &body)?;
    }
    Ok(())
}

fn stream(s: &Settings) -> Result<()> {
    let walls = "{ rect = [14, 0, 24, 4.2] }, { rect = [14, 7.8, 24, 12] }";
    let body = two_ways(walls, ["1, 0.5, 13, 11.5", "25, 0.5, 37, 11.5"], ["37, 0, 38, 12", "0, 0, 1, 12"], [200; 2]);
    two_way(s, "corridor 3.6 m, 200 against 200, s", (38.0, 12.0), &body)
}

fn openings(s: &Settings) -> Result<()> {
    // The planner does not see a door that is no wider than a cell.
    let cell: f32 = s.get("cell", "0.25").parse()?;
    for width in [0.5f32, 0.7, 0.8, 1.0, 1.2, 1.6, 2.0, 3.0].into_iter().filter(|w| *w > cell) {
        let (low, high) = (4.0 - width / 2.0, 4.0 + width / 2.0);
        let mut flows = Vec::new();
        for seed in s.seeds() {
            let text = s.head((15.0, 8.0), seed)
                + &format!(
                    "[map]\nwalls = [{{ rect = [10, 0, 10.2, {low}] }}, {{ rect = [10, {high}, 10.2, 8] }}]\n[[goal]]\n\
                     rect = [14, 0, 15, 8]\n[[agents]]\ncount = 150\nstart = {{ rect = [0.5, 0.5, 9, 7.5] }}\n{PEOPLE}"
                );
            let mut sim = s.run(&text)?;
            let mut gate = Gate::new(Vec2::new(10.1, 0.0), Vec2::new(10.1, 8.0));
            while !sim.is_done() && sim.time() < 400.0 {
                sim.step()?;
                let time = sim.time();
                gate.look(&sim.agents()?, time);
            }
            flows.push(gate.flow().unwrap_or(0.0) as f32);
        }
        let mean = flows.iter().sum::<f32>() / flows.len() as f32;
        let (low, high) = (flows.iter().copied().fold(f32::MAX, f32::min), flows.iter().copied().fold(0.0, f32::max));
        let measured = 2.26 * width - 0.17;
        say(&format!(
            "opening {width:.1} m: {mean:.2} persons/s ({low:.2} to {high:.2}), of {measured:.2}: {:.2}",
            mean / measured
        ))?;
    }
    Ok(())
}

const ROW: [(f32, f32); 6] = [(0.5, 1.38), (1.0, 1.24), (1.5, 1.04), (2.0, 0.70), (2.5, 0.42), (3.0, 0.35)];

/// Density and speed in 1.8 × 2 m in the middle of a corridor of 1.8 × 8 m behind a room, means over 2 s.
fn look_at_density(s: &Settings, seed: u32, entrance: f32, exit: f32, into: &mut Vec<(f32, f32)>) -> Result<()> {
    let gap = |w: f32| (4.0 - w / 2.0, 4.0 + w / 2.0);
    let ((a, b), (c, d)) = (gap(entrance), gap(exit));
    let text = s.head((21.0, 8.0), seed)
        + &format!(
            "[map]\nwalls = [{{ rect = [9.8, 0, 10, {a}] }}, {{ rect = [9.8, {b}, 10, 8] }}, {{ rect = [10, 0, 18, 3.1] }}, \
             {{ rect = [10, 4.9, 18, 8] }}, {{ rect = [18, 0, 18.2, {c}] }}, {{ rect = [18, {d}, 18.2, 8] }}]\n[[goal]]\n\
             rect = [20, 0, 21, 8]\n[[agents]]\ncount = 160\nstart = {{ rect = [0.5, 0.5, 9, 7.5] }}\n{PEOPLE}"
        );
    let mut sim = s.run(&text)?;
    while !sim.is_done() && sim.time() < 150.0 {
        let (mut people, mut speed, mut looks) = (0.0, 0.0, 0.0);
        for _ in 0..10 {
            let until = sim.time() + 0.199;
            while sim.time() < until {
                sim.step()?;
            }
            let agents = sim.agents()?;
            for i in (0..agents.len()).filter(|&i| agents.state[i].on_floor()) {
                if (13.0..15.0).contains(&agents.position[i].x) {
                    people += 1.0;
                    speed += agents.velocity[i].x;
                }
            }
            looks += 1.0;
        }
        if people > 0.0 {
            into.push((people / looks / 3.6, speed / people));
        }
    }
    Ok(())
}

fn density(s: &Settings) -> Result<()> {
    let mut points = Vec::new();
    let ways = [
        (0.6, 1.8),
        (0.8, 1.8),
        (1.0, 1.8),
        (1.4, 1.8),
        (1.8, 1.8),
        (1.8, 1.4),
        (1.8, 1.2),
        (1.8, 1.0),
        (1.8, 0.8),
        (1.8, 0.6),
    ];
    for seed in s.seeds() {
        for (entrance, exit) in ways {
            look_at_density(s, seed, entrance, exit, &mut points)?;
        }
    }
    let mut line = String::from("density: speed over measured (looks)");
    for (at, measured) in ROW {
        let near: Vec<f32> = points.iter().filter(|p| (p.0 - at).abs() < 0.25).map(|p| p.1).collect();
        let mean = near.iter().sum::<f32>() / near.len().max(1) as f32;
        line += &format!("  {at:.1}: {mean:.2} {:.2} ({})", mean / measured, near.len());
    }
    let most = points.iter().map(|p| p.0).fold(0.0, f32::max);
    say(&format!("{line}; densest {most:.1}"))
}

fn lanes(s: &Settings) -> Result<()> {
    let mut local: Vec<(f32, f32)> = Vec::new();
    for density in [0.5f32, 1.0, 1.5, 2.0] {
        let count = (80.0 * density) as u32;
        let mut line = format!("lanes at {density:.1}: band index, speed");
        for seed in s.seeds() {
            let mut text = s.head((40.0, 4.0), seed);
            for (k, goal) in ["39.5, 0, 40, 4", "0, 0, 0.5, 4"].iter().enumerate() {
                let entry = ["0.5, 0, 3, 4", "37, 0, 39.5, 4"][k];
                text += &format!(
                    "[[goal]]\nname = \"g{k}\"\nrect = [{goal}]\n[[agents]]\ncount = {count}\nstart = {{ rect = [2, 0, 38, 4] }}\nradius = 0.2\n\
                     speed = {{ normal = [1.34, 0.26], min = 0.8, max = 1.9 }}\njourney = [\"g{k}\"]\narrive = \"respawn\"\nentry = {{ rect = [{entry}] }}\n"
                );
            }
            let mut sim = s.run(&text)?;
            while sim.time() < 60.0 {
                sim.step()?;
            }
            let (mut bands, mut speed, mut people) = (0.0, 0.0, 0.0);
            for _ in 0..15 {
                let until = sim.time() + 3.999;
                while sim.time() < until {
                    sim.step()?;
                }
                let a = sim.agents()?;
                let middle = (0..a.len()).filter(|&i| a.state[i].on_floor() && (5.0..35.0).contains(&a.position[i].x));
                let walkers: Vec<(Vec2, bool)> = middle.clone().map(|i| (a.position[i], a.group[i] == 0)).collect();
                bands += band_index(&walkers, 4.0, 0.4) / 15.0;
                // People enter where others leave: away from the ends, how dense it is there counts.
                for from in [8.0, 12.0, 16.0, 20.0, 24.0, 28.0] {
                    let here = middle.clone().filter(|&i| (from..from + 4.0).contains(&a.position[i].x));
                    let along = here.map(|i| a.velocity[i].x * if a.group[i] == 0 { 1.0 } else { -1.0 });
                    let (n, sum) = along.fold((0.0, 0.0), |(n, sum), v| (n + 1.0, sum + v));
                    if n > 0.0 {
                        local.push((n / 16.0, sum / n));
                    }
                }
                people += walkers.len() as f32;
                speed += middle.map(|i| a.velocity[i].x * if a.group[i] == 0 { 1.0 } else { -1.0 }).sum::<f32>();
            }
            line += &format!("  {bands:.2} {:.2} (at {:.2})", speed / people, people / 15.0 / 120.0);
        }
        say(&line)?;
    }
    let mut line = String::from("lanes: speed by the density in 4 × 4 m (looks)");
    for at in [0.5f32, 1.0, 1.5, 2.0] {
        let near: Vec<f32> = local.iter().filter(|l| (l.0 - at).abs() < 0.2).map(|l| l.1).collect();
        line += &format!("  {at:.1}: {:.2} ({})", near.iter().sum::<f32>() / near.len().max(1) as f32, near.len());
    }
    say(&line)
}

fn circle(s: &Settings) -> Result<()> {
    let mut line = String::from("circle of 100 to their opposites, s");
    let mut overlap = 0.0f32;
    for seed in s.seeds() {
        let mut text = s.head((24.0, 24.0), seed);
        for k in 0..100 {
            let (sin, cos) = (std::f32::consts::TAU * k as f32 / 100.0).sin_cos();
            text += &format!(
                "[[agents]]\ncount = 1\nstart = {{ circle = [{}, {}, 0.26] }}\nradius = 0.2\nspeed = {{ normal = [1.34, 0.26], min = 0.5, max = 2.0 }}\n\
                 journey = [{{ to = [[{}, {}]] }}]\ngoal_distance = 0.5\narrive = \"park\"\n",
                12.0 + 10.0 * cos,
                12.0 + 10.0 * sin,
                12.0 - 10.0 * cos,
                12.0 - 10.0 * sin
            );
        }
        let o = until_clear(&mut s.run(&text)?, 300.0)?;
        line += &if o.last.is_finite() { format!(" {:6.1}", o.last) } else { format!("  ({:.2})", o.arrived) };
        overlap = overlap.max(o.overlap);
    }
    say(&format!("{line}   overlap {:.2} %", 100.0 * overlap))
}

/// Two who meet head on in a corridor of 1.2 m: the least speed of either on the way.
fn pair(s: &Settings) -> Result<()> {
    let mut line = String::from("two head-on in 1.2 m: least speed, m/s, and time, s");
    for seed in s.seeds() {
        let mut text =
            s.head((14.0, 3.0), seed) + "[map]\nwalls = [{ rect = [0, 0, 14, 0.9] }, { rect = [0, 2.1, 14, 3] }]\n";
        for (k, goal) in ["13.5, 0, 14, 3", "0, 0, 0.5, 3"].iter().enumerate() {
            let start = ["1.0, 1.3, 1.5, 1.7", "12.5, 1.3, 13.0, 1.7"][k];
            text += &format!(
                "[[goal]]\nname = \"g{k}\"\nrect = [{goal}]\n[[agents]]\ncount = 1\nstart = {{ rect = [{start}] }}\nradius = 0.2\n\
                 journey = [\"g{k}\"]\narrive = \"park\"\n"
            );
        }
        let mut sim = s.run(&text)?;
        let mut least = f32::MAX;
        while !sim.is_done() && sim.time() < 60.0 {
            sim.step()?;
            let a = sim.agents()?;
            for i in (0..a.len()).filter(|&i| a.state[i].on_floor() && sim.time() > 1.0) {
                least = least.min(a.velocity[i].length());
            }
        }
        line += &format!("  {least:.2} {:.1}", sim.time());
    }
    say(&line)
}

fn office(s: &Settings) -> Result<()> {
    let office = built_in("office").ok_or("it is built in")?;
    let mut line = String::from("office at a quarter, s");
    for seed in s.seeds() {
        let mut text = with_value(office.text, "seed", &seed.to_string())?;
        for (key, value) in [("plan", s.get("plan", "continuum")), ("steer", s.get("steer", "walk"))] {
            text = with_value(&text, &format!("model.{key}"), &format!("\"{value}\""))?;
        }
        if let Some(cell) = s.values.get("cell") {
            text = with_value(&text, "cell", cell)?;
        }
        let mut scene = Scene::parse("office.toml", &text, &office)?;
        scene.scale(0.25)?;
        let o = until_clear(&mut s.start(&scene)?, 300.0)?;
        line += &if o.last.is_finite() { format!(" {:6.1}", o.last) } else { format!("  ({:.3})", o.arrived) };
    }
    say(&line)
}

/// Time of the stages that steer, a person and step, of `exit-bar` at `scale`: 4 persons/m².
fn speed(s: &Settings) -> Result<()> {
    let bar = built_in("exit-bar").ok_or("it is built in")?;
    for steer in ["follow", "walk"] {
        let text = with_value(bar.text, "model.steer", &format!("\"{steer}\""))?;
        let mut scene = Scene::parse("exit-bar.toml", &text, &bar)?;
        scene.scale(s.get("scale", "0.02").parse()?)?;
        let mut sim = s.start(&scene)?;
        sim.steps_by(90)?;
        let before = sim.engine().stage_ms();
        sim.steps_by(90)?;
        let people = f64::from(sim.counters().active as u32);
        let mut line = format!("exit-bar, {people} people, {steer}:");
        for stage in [Stage::Guide, Stage::Avoid, Stage::Move, Stage::Separate] {
            let ms = (sim.engine().stage_ms()[stage.index()] - before[stage.index()]) / 90.0;
            line += &format!(" {} {ms:.3} ms, {:.3} µs a person;", stage.name(), 1e3 * ms / people);
        }
        say(&line)?;
    }
    Ok(())
}

fn main() -> Result<()> {
    let (mut values, mut chosen) = (BTreeMap::new(), Vec::new());
    for word in std::env::args().skip(1) {
        match word.split_once('=') {
            Some((key, value)) => drop(values.insert(key.to_owned(), value.to_owned())),
            None => chosen.push(word),
        }
    }
    let s = Settings { values };
    let all: [Measure; 10] = [
        ("pair", pair),
        ("doors", doors),
        ("corridor", corridor),
        ("stream", stream),
        ("openings", openings),
        ("density", density),
        ("lanes", lanes),
        ("circle", circle),
        ("office", office),
        ("speed", speed),
    ];
    for (_, measure) in all.iter().filter(|(name, _)| chosen.is_empty() || chosen.iter().any(|c| c == name)) {
        measure(&s)?;
    }
    Ok(())
}
