//! A run of many steps, for release checks: is anybody lost, does memory grow, and is the crowd in the end as it was at first?
//!
//!     cargo run --release --example long_run -p throng -- SCENE STEPS [cpu|gpu]
//!
//! Prints CSV, a row for every hundredth of the run and at least every thousand steps: means over the steps of the row. Ends with an error if somebody is in a wall,
//! not finite or lost, if the program holds more memory than after the first thousand steps, or if in the last row people overlap more than they did in the first thousand steps, or stand closer
//! than then and than side by side.

use std::error::Error;
use throng::engine::cpu::CpuEngine;
use throng::engine::gpu::{Gpu, GpuEngine};
use throng::engine::{Counters, Engine};
use throng::{Scene, Simulation};

/// The row that others are compared with ends here.
const FIRST: u64 = 1000;
/// Nothing is the same twice in a crowd: so many times as much is no worse.
const SLACK: f64 = 1.25;

/// Megabytes more than at first that a run may hold in the end: what an allocator keeps differs by some.
const KEPT_MB: u64 = 32;

/// What people did in some steps.
struct Row {
    /// Share of people who overlap somebody by more than 5 %.
    overlap_share: f64,
    /// Persons/m² where it was densest, at the end of the row and at its worst so far.
    density: f32,
    density_max: f32,
    /// What the program holds after it.
    memory_mb: u64,
}

/// Megabytes that the program holds, where the system tells.
fn memory_mb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmRSS:"));
    line.and_then(|l| l.trim().trim_end_matches(" kB").parse::<u64>().ok()).unwrap_or(0) / 1024
}

fn row(before: &Counters, now: &Counters) -> Row {
    let sum = |c: &Counters| f64::from(c.overlap_share_mean) * c.steps as f64;
    Row {
        overlap_share: (sum(now) - sum(before)).max(0.0) / (now.steps - before.steps).max(1) as f64,
        density: now.density,
        density_max: now.density_max,
        memory_mb: memory_mb(),
    }
}

/// How many bodies stand side by side with their centres in a square of 1 m: where a jam forms after the first thousand steps, it may be as dense as that.
fn side_by_side(radius: f32) -> f64 {
    f64::from((0.5 / radius).floor() + 1.0).powi(2)
}

fn complaint(people: u64, narrowest: f32, c: &Counters, first: &Row, last: &Row) -> Option<String> {
    let there = c.active + c.between + c.outside + c.parked;
    if c.in_wall + c.not_finite > 0 {
        return Some(format!("in walls {}, not finite {}", c.in_wall, c.not_finite));
    }
    if there != people {
        return Some(format!("{people} people at first, {there} in the end"));
    }
    if last.memory_mb > first.memory_mb + first.memory_mb / 10 + KEPT_MB {
        return Some(format!("{} MB at first, {} MB in the end", first.memory_mb, last.memory_mb));
    }
    // A hundredth of the people more or less is chance.
    if last.overlap_share > SLACK * first.overlap_share + 0.01 {
        let (a, b) = (100.0 * first.overlap_share, 100.0 * last.overlap_share);
        return Some(format!("{a:.2} % of people overlapped by more than 5 % at first, {b:.2} % in the end"));
    }
    let (a, b) = (first.density_max, last.density);
    let most = (SLACK * f64::from(a)).max(side_by_side(narrowest));
    (f64::from(b) > most).then(|| format!("{a:.1} persons/m² at first, {b:.1} in the end"))
}

#[expect(clippy::print_stdout, reason = "it is what the program is for")]
fn main() -> Result<(), Box<dyn Error>> {
    let mut given = std::env::args().skip(1);
    let name = given.next().ok_or("long_run SCENE STEPS [cpu|gpu]")?;
    let steps: u64 = given.next().ok_or("how many steps?")?.parse()?;
    let scene = Scene::built_in(&name).ok_or("there is no such scene")?;
    let engine: Box<dyn Engine> = match given.next().as_deref() {
        Some("gpu") => Box::new(GpuEngine::new(&scene, &Gpu::open(None)?)?),
        _ => Box::new(CpuEngine::new(&scene, None)?),
    };
    println!("scene,engine,step,overlap_share,density,density_max,mean_speed,plans_cut_short,cells_left,memory_mb");
    let kind = engine.name();
    let mut run = Simulation::on(&scene, engine);
    let c = run.counters();
    let people = c.active + c.between + c.outside + c.parked;
    let narrowest = scene.groups.iter().map(|g| g.radius.min()).fold(f32::MAX, f32::min);
    let every = (steps / 100).max(FIRST);
    let (mut before, mut first, mut last) = (c, None, None);
    while before.steps < steps {
        run.steps_by(if before.steps == 0 { FIRST.min(steps) } else { every.min(steps - before.steps) })?;
        let c = run.counters();
        let row = row(&before, &c);
        println!(
            "{name},{kind},{},{:.5},{:.2},{:.2},{:.4},{},{},{}",
            c.steps,
            row.overlap_share,
            row.density,
            row.density_max,
            c.speed,
            c.plans_cut_short,
            c.solver.left,
            row.memory_mb
        );
        before = c;
        if first.is_none() {
            first = Some(row);
        } else {
            last = Some(row);
        }
    }
    match (first, last) {
        (Some(first), Some(last)) => {
            complaint(people, narrowest, &before, &first, &last).map_or(Ok(()), |words| Err(words.into()))
        }
        _ => Ok(()),
    }
}
