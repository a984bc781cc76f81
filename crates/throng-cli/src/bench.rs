//! `throng bench [SCENE]`

use crate::Failure;
use crate::args::{BenchArgs, SceneArgs};
use crate::devices::processor;
use crate::load::{self, read_bounded};
use crate::out::{Outputs, bytes, claim, grouped, say, several};
use crate::progress::Progress;
use crate::results::make_folder;
use rayon::prelude::*;
use serde_json::{Value, json};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use throng::Simulation;
use throng::engine::Counters;
use throng::scene::printable;
use throng::stages::potential::tiles::{TileMarch, Way};
use throng::stages::potential::{Padded, Scheme, SolveReport, UNREACHED};
use throng::stages::{COUNT, NAMES};

/// One scene at one scale.
struct Measured {
    scene: String,
    scale: f64,
    agents: u64,
    cells: u64,
    goals: usize,
    engine: &'static str,
    device: String,
    /// Of the fastest batch.
    step_ms: f64,
    stage_ms: [f64; COUNT],
    stage_bytes: [u64; COUNT],
    copy_gb_s: f64,
    solver: SolveReport,
}

pub(crate) fn bench(args: &BenchArgs) -> Result<ExitCode, Failure> {
    // Before the work: can the results be written?
    for file in [&args.csv, &args.plot].into_iter().flatten() {
        claim(file)?;
    }
    if let Some(size) = args.draw {
        return crate::draw_bench::draw(args, size);
    }
    if let Some(over) = args.sweep {
        return crate::sweep::sweep(args, over);
    }
    if let Some(side) = args.solver {
        return match load::gpu(&args.engine)? {
            Some(gpu) => crate::city::solver(args, side as usize, &gpu),
            None => solver(args, side as usize),
        };
    }
    let header = "processor,device,scene,scale,agents,cells,goals,stage,ms_per_step,bytes,copy_gb_per_s\n";
    check_columns(args, header)?;
    let (mut all, mut outputs) = (Vec::new(), Outputs::default());
    for &scale in &args.scale {
        let measured = measure(args, scale)?;
        // At once: who cuts it short keeps what is measured.
        if let Some(path) = &args.csv {
            outputs.note(append(path, header, &rows(std::slice::from_ref(&measured))));
        }
        if !args.json {
            outputs.note(say(&table(&measured)));
        }
        all.push(measured);
    }
    if args.json {
        let rows: Vec<Value> = all.iter().map(to_json).collect();
        outputs.note(say(&format!("{}\n", json!({ "processor": processor(), "results": rows }))));
    } else if all.len() > 1 {
        outputs.note(say(&growth(&all)));
    }
    Ok(outputs.end(ExitCode::SUCCESS))
}

/// The scene of the command line, at one of its scales.
pub(crate) fn scaled(args: &BenchArgs, scale: f64) -> Result<throng::Scene, Failure> {
    load::scene(&SceneArgs {
        scene: args.scene().to_owned(),
        set: args.set.clone(),
        seed: None,
        agents: args.agents,
        scale: (scale != 1.0).then_some(scale),
        allow_paths: args.allow_paths,
    })
}

fn measure(args: &BenchArgs, scale: f64) -> Result<Measured, Failure> {
    let scene = scaled(args, scale)?;
    let mut sim = load::simulation(&scene, &args.engine)?;
    let (steps, batches) = (args.steps(), u64::from(args.batches()));
    let gpu = sim.engine().name() != "cpu";
    let warmup = args.warmup.unwrap_or(if gpu { 48 } else { 5 });
    let mut progress = Progress::new(warmup + batches * steps, "steps", args.json);
    let mut done = 0;
    let mut step = |sim: &mut Simulation| -> Result<(), Failure> {
        sim.step()?;
        done += 1;
        progress.step(1, done, sim.time(), sim.engine().latest().active);
        Ok(())
    };
    for _ in 0..warmup {
        step(&mut sim)?;
    }
    let _ = sim.counters();
    let (mut best, mut stage_ms) = (f64::MAX, [0.0; COUNT]);
    for _ in 0..batches {
        let before = sim.engine().stage_ms();
        let start = Instant::now();
        for _ in 0..steps {
            step(&mut sim)?;
        }
        // A GPU has only been asked so far: this waits for it.
        let _ = sim.counters();
        let ms = start.elapsed().as_secs_f64() * 1e3 / steps as f64;
        if ms < best {
            best = ms;
            let after = sim.engine().stage_ms();
            stage_ms = std::array::from_fn(|i| (after[i] - before[i]) / steps as f64);
        }
    }
    progress.finish();
    let c = sound(&sim)?;
    Ok(Measured {
        scene: scene.name.clone(),
        scale,
        agents: scene.agent_count(),
        cells: scene.grid.len() as u64,
        goals: scene.goals.len(),
        engine: sim.engine().name(),
        device: sim.engine().device(),
        step_ms: best,
        stage_ms,
        stage_bytes: sim.engine().stage_bytes(),
        copy_gb_s: if gpu { load::gpu_copy_speed(&args.engine)? } else { copy_speed() },
        solver: c.solver,
    })
}

/// The numbers of a run; an error if they show that it is not one to measure.
pub(crate) fn sound(sim: &Simulation) -> Result<Counters, Failure> {
    let c = sim.counters();
    if c.steps < sim.steps() {
        return Err(anyhow::anyhow!("{} stopped answering after {} steps", sim.engine().device(), c.steps).into());
    }
    if c.in_wall + c.not_finite > 0 || !c.solver.converged {
        return Err(anyhow::anyhow!(
            "the run is not sound: in walls {}, not finite {}, converged {}",
            c.in_wall,
            c.not_finite,
            c.solver.converged
        )
        .into());
    }
    Ok(c)
}

/// Bytes read plus written per second by a plain copy on all threads, in GB/s: the best of several.
fn copy_speed() -> f64 {
    const N: usize = 64 << 20;
    const PART: usize = 1 << 20;
    let from = vec![1u8; N];
    let mut to = vec![0u8; N];
    let mut best = 0.0f64;
    for _ in 0..7 {
        let start = Instant::now();
        to.par_chunks_mut(PART).zip(from.par_chunks(PART)).for_each(|(to, from)| to.copy_from_slice(from));
        best = best.max(2.0 * N as f64 / start.elapsed().as_secs_f64() / 1e9);
    }
    std::hint::black_box(&to);
    best
}

fn table(m: &Measured) -> String {
    let mut o = format!(
        "{}{}: {}, {} cells, {}\n",
        printable(&m.scene),
        if m.scale == 1.0 { String::new() } else { format!(" × {}", m.scale) },
        several(m.agents as usize, "agent"),
        grouped(m.cells),
        several(m.goals, "goal"),
    );
    o += &match m.engine {
        "cpu" => format!("on cpu: {}, {}\n", processor(), m.device),
        engine => format!("on {engine}: {}\n", m.device),
    };
    o += &format!(
        "{:.3} ms per step: {:.2} steps/s, {} agent-steps/s\n",
        m.step_ms,
        1e3 / m.step_ms,
        grouped((m.agents as f64 * 1e3 / m.step_ms) as u64)
    );
    o += &format!("  {:<10} {:>10} {:>7} {:>10} {:>8} {:>8}\n", "stage", "ms", "share", "moves", "GB/s", "of copy");
    if m.stage_ms.iter().sum::<f64>() <= 0.0 {
        o += "  this device cannot time its stages\n";
    }
    for (i, name) in NAMES.iter().enumerate() {
        let gb_s = if m.stage_ms[i] > 0.0 { m.stage_bytes[i] as f64 / m.stage_ms[i] / 1e6 } else { 0.0 };
        o += &format!(
            "  {name:<10} {:>10.4} {:>6.1}% {:>10} {gb_s:>8.2} {:>7.1}%\n",
            m.stage_ms[i],
            100.0 * m.stage_ms[i] / m.step_ms,
            bytes(m.stage_bytes[i]),
            100.0 * gb_s / m.copy_gb_s
        );
    }
    o += &format!(
        "  solver: {} rounds, {:.2} visits per cell and goal\n",
        m.solver.rounds,
        m.solver.visits as f64 / (m.cells * m.goals.max(1) as u64) as f64
    );
    o + &format!("  a plain copy moves {:.1} GB/s here (read plus written)\n\n", m.copy_gb_s)
}

fn growth(all: &[Measured]) -> String {
    let mut o = format!(
        "growth\n  {:>8} {:>12} {:>12} {:>12} {:>16}\n",
        "scale", "agents", "cells", "ms per step", "ns/(agent+cell)"
    );
    for m in all {
        let per = m.step_ms * 1e6 / (m.agents + m.cells) as f64;
        o += &format!(
            "  {:>8} {:>12} {:>12} {:>12.3} {per:>16.1}\n",
            m.scale,
            grouped(m.agents),
            grouped(m.cells),
            m.step_ms
        );
    }
    o
}

fn to_json(m: &Measured) -> Value {
    let stages: serde_json::Map<String, Value> = NAMES
        .iter()
        .enumerate()
        .map(|(i, n)| ((*n).to_owned(), json!({ "ms": m.stage_ms[i], "bytes": m.stage_bytes[i] })))
        .collect();
    json!({
        "scene": m.scene, "scale": m.scale, "agents": m.agents, "cells": m.cells, "goals": m.goals,
        "engine": m.engine, "device": m.device, "ms_per_step": m.step_ms, "steps_per_second": 1e3 / m.step_ms,
        "stages": stages, "copy_gb_per_second": m.copy_gb_s,
        "solver": { "rounds": m.solver.rounds, "visits_per_cell": m.solver.visits as f64 / (m.cells * m.goals.max(1) as u64) as f64 },
    })
}

/// A text as a value of a CSV file.
pub(crate) fn quoted(text: &str) -> String {
    let plain = text.chars().all(|c| c.is_alphanumeric() || " .-_".contains(c));
    if plain { text.to_owned() } else { format!("\"{}\"", text.replace('"', "\"\"")) }
}

/// A file of results that rows are added to has fewer bytes.
const MOST_CSV: u64 = 256 << 20;

/// Finds out before the work whether rows with these columns can be added to the file that `--csv` names.
pub(crate) fn check_columns(args: &BenchArgs, header: &str) -> Result<(), Failure> {
    match &args.csv {
        Some(path) if throng_io::plain_file(path).is_ok() => so_far(path, header).map(drop),
        _ => Ok(()),
    }
}

/// Adds rows to a CSV file, with a header if it is new. Nothing is read of a pipe or a device, which may never end.
pub(crate) fn append(path: &Path, header: &str, rows: &str) -> Result<(), Failure> {
    let old = if throng_io::plain_file(path).is_ok() {
        so_far(path, header)?
    } else {
        // Rows that follow others there need no header.
        static BEGUN: AtomicBool = AtomicBool::new(false);
        if BEGUN.swap(true, Ordering::Relaxed) { String::new() } else { header.to_owned() }
    };
    throng_io::write_atomically(path, |f| std::io::Write::write_all(f, (old + rows).as_bytes()))?;
    Ok(())
}

/// What a CSV file has by now: at least a header, which has to have as many columns as this one.
fn so_far(path: &Path, header: &str) -> Result<String, Failure> {
    use std::io::{Error, ErrorKind};
    let there = read_bounded(path, MOST_CSV)
        .and_then(|bytes| String::from_utf8(bytes).map_err(|_| Error::new(ErrorKind::InvalidData, "it is not text")));
    let old = match there {
        Ok(text) if !text.is_empty() => text,
        Ok(_) => header.to_owned(),
        Err(e) if e.kind() == ErrorKind::NotFound => header.to_owned(),
        Err(e) => return Err(anyhow::anyhow!("cannot read {}: {e}", path.display()).into()),
    };
    let columns = |text: &str| text.lines().next().unwrap_or_default().split(',').count();
    if columns(&old) != columns(header) {
        return Err(anyhow::anyhow!("{} has other columns: give --csv a new file", path.display()).into());
    }
    Ok(old)
}

fn rows(all: &[Measured]) -> String {
    let mut text = String::new();
    for m in all {
        let stages = NAMES.iter().enumerate().map(|(i, n)| (*n, m.stage_ms[i], m.stage_bytes[i]));
        let whole = ("step", m.step_ms, m.stage_bytes.iter().sum());
        let [processor, device, scene] = [&processor(), &m.device, &m.scene].map(|t| quoted(t));
        for (stage, ms, moved) in stages.chain([whole]) {
            text += &format!(
                "{processor},{device},{scene},{},{},{},{},{stage},{ms:.5},{moved},{:.2}\n",
                m.scale, m.agents, m.cells, m.goals, m.copy_gb_s
            );
        }
    }
    text
}

/// The solver alone: one goal cell in the middle, one thread unless asked for more, cost graded from 1 to 4.
fn solver(args: &BenchArgs, side: usize) -> Result<ExitCode, Failure> {
    if !args.set.is_empty() || args.csv.is_some() {
        return Err(Failure::Usage("--solver on the CPU goes without --set and --csv".into()));
    }
    // Before the work: can the arrays be written?
    let arrays = args.dump.as_ref().map(|folder| [folder.join("cost.npy"), folder.join("potential.npy")]);
    if let (Some(folder), Some(arrays)) = (&args.dump, &arrays) {
        make_folder(folder)?;
        arrays.iter().try_for_each(|file| claim(file))?;
    }
    let layout = Padded { width: side, height: side };
    let graded = |x: usize, y: usize| {
        let (u, v) = (x as f32 / side as f32, y as f32 / side as f32);
        2.5 + 1.5 * (9.0 * u).sin() * (7.0 * v).cos()
    };
    let mut cost = vec![[UNREACHED; 4]; layout.size()];
    for y in 0..side {
        for x in 0..side {
            let open = [y + 1 < side, x + 1 < side, y > 0, x > 0];
            cost[layout.at(x, y)] = open.map(|o| if o { graded(x, y) } else { UNREACHED });
        }
    }
    let goal = [layout.cell(side / 2 * side + side / 2)];
    let threads = args.engine.threads.unwrap_or(1);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads as usize).build().map_err(anyhow::Error::from)?;
    let way = Way { cost: &cost, goal: &goal, jumps: &[], unit: 2.5 };
    let mut potentials = [vec![0.0; layout.size()]];
    let mut march = TileMarch::default();
    let mut best = f64::MAX;
    let mut report = SolveReport::default();
    pool.install(|| {
        for _ in 0..args.batches().max(3) {
            let start = Instant::now();
            report = march.solve(layout, &[way], Scheme::Upwind, &mut potentials);
            best = best.min(start.elapsed().as_secs_f64());
        }
    });
    let [potential] = potentials;
    let cells = side * side;
    let mut outputs = Outputs::default();
    if let Some([cost_file, potential_file]) = &arrays {
        let plain = |f: &dyn Fn(usize) -> f32| (0..cells).map(|c| f(layout.cell(c).place())).collect::<Vec<f32>>();
        let costs: Vec<f32> = (0..cells).map(|c| graded(c % side, c / side)).collect();
        outputs.note(throng_io::write_npy_scalar(cost_file, side, side, &costs));
        outputs.note(throng_io::write_npy_scalar(potential_file, side, side, &plain(&|c| potential[c])));
    }
    let per_cell = best * 1e9 / cells as f64;
    if args.json {
        outputs.note(say(&format!(
            "{}\n",
            json!({ "side": side, "threads": threads, "ms": best * 1e3, "ns_per_cell": per_cell, "visits_per_cell": report.visits as f64 / cells as f64, "converged": report.converged })
        )));
    } else {
        outputs.note(say(&format!(
            "solver alone, {side} × {side} cells, one goal, graded cost, {}: {:.2} ms, {per_cell:.1} ns per cell, {:.2} visits per cell\n",
            several(threads as usize, "thread"),
            best * 1e3,
            report.visits as f64 / cells as f64
        )));
    }
    Ok(outputs.end(if report.converged { ExitCode::SUCCESS } else { ExitCode::from(1) }))
}
