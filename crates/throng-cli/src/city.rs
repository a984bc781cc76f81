//! `throng bench --solver` on a GPU: the solver alone on a map like a city's.

use crate::Failure;
use crate::args::BenchArgs;
use crate::bench::{append, check_columns, quoted};
use crate::load;
use crate::out::{Outputs, say};
use crate::progress::Progress;
use serde_json::json;
use std::fmt::Write as _;
use std::process::ExitCode;
use throng::engine::Field;
use throng::engine::Values;
use throng::engine::gpu::{Gpu, GpuEngine};
use throng::scene::NoFiles;
use throng::stages::NAMES;
use throng::stages::potential::UNREACHED;
use throng::{Scene, Simulation};

/// Streets between blocks of houses, some with a courtyard, a square in the middle; one goal, at the southern gate; every
/// link costs the same.
fn city(side: usize, sets: &[String]) -> Result<Scene, Failure> {
    let mut walls = String::new();
    let block = 32;
    for by in 0..side / block {
        for bx in 0..side / block {
            // The middle is a square; every seventh lot is a park.
            let middle = side / block / 2;
            if (bx.abs_diff(middle) < 2 && by.abs_diff(middle) < 2) || (bx * 5 + by * 3) % 7 == 0 {
                continue;
            }
            let (x, y) = (bx * block + 4, by * block + 4);
            let (w, h) = (20 + (bx * 7 + by * 13) % 8, 20 + (bx * 11 + by * 5) % 8);
            if (bx + 2 * by) % 3 == 0 {
                // A courtyard with a gate.
                let (x1, y1) = (x + w, y + h);
                let _ = write!(
                    walls,
                    "{{rect=[{x},{y},{x1},{}]}},{{rect=[{x},{},{x1},{y1}]}},{{rect=[{x},{y},{},{y1}]}},{{rect=[{},{y},{x1},{}]}},",
                    y + 5,
                    y1 - 5,
                    x + 5,
                    x1 - 5,
                    y + h / 2
                );
            } else {
                let _ = write!(walls, "{{rect=[{x},{y},{},{}]}},", x + w, y + h);
            }
        }
    }
    let mut text = format!(
        "name=\"city\"\ncell=1.0\nsize=[{side},{side}]\n[map]\nwalls=[{walls}]\n[[goal]]\nname=\"gate\"\nrect=[{},0,{},1]\n\
         [[agents]]\ncount=1\nstart={{rect=[0,0,3,3]}}\ndelay=1000000.0\njourney=[\"gate\"]\narrive=\"park\"\n[model]\nclearance_discomfort=0.0\n",
        side / 2 - 2,
        side / 2 + 2,
    );
    for set in sets {
        text = load::with_set(&text, set)?;
    }
    Ok(Scene::parse("city.toml", &text, &NoFiles)?)
}

pub(crate) fn solver(args: &BenchArgs, side: usize, gpu: &Gpu) -> Result<ExitCode, Failure> {
    if args.dump.is_some() {
        return Err(Failure::Usage("--dump is for the solver on the CPU: use --engine cpu".into()));
    }
    let header = "device,map,side,ms,rounds,visits_per_cell,converged,worst_relative_difference_to_march\n";
    check_columns(args, header)?;
    let mut outputs = Outputs::default();
    // Whole blocks, and at least four.
    let side = side.next_multiple_of(32).max(64);
    let scene = city(side, &args.set)?;
    let mut sim = Simulation::on(&scene, Box::new(GpuEngine::new(&scene, gpu).map_err(load::started)?));
    let stage = NAMES.iter().position(|n| *n == "potential").unwrap_or(0);
    let mut best = f64::MAX;
    let batches = u64::from(args.batches().max(3));
    let mut progress = Progress::new(batches, "batches", args.json);
    sim.steps_by(32)?;
    for batch in 0..batches {
        let before = sim.engine().stage_ms()[stage];
        sim.steps_by(args.steps())?;
        best = best.min((sim.engine().stage_ms()[stage] - before) / args.steps() as f64);
        progress.step(1, batch + 1, sim.time(), 1);
    }
    progress.finish();
    let report = sim.counters().solver;
    // Against the CPU's march on the same map.
    let Values::Scalar(ours) = sim.field(Field::Potential(0))? else { unreachable!("a number per cell") };
    let mut other = Simulation::new(&scene)?;
    other.step()?;
    let Values::Scalar(march) = other.field(Field::Potential(0))? else { unreachable!("a number per cell") };
    let reached = |v: f32| v < UNREACHED;
    let worst =
        ours.iter().zip(&march).filter(|(a, b)| reached(**a) && reached(**b)).map(|(a, b)| (a - b).abs() / b.max(1.0));
    let worst = worst.fold(0.0f32, f32::max);
    let differ = ours.iter().zip(&march).filter(|(a, b)| reached(**a) != reached(**b)).count();
    let visits = report.visits as f64 / scene.grid.len() as f64;
    if let Some(path) = &args.csv {
        let row = format!(
            "{},city,{side},{best:.5},{},{visits:.3},{},{worst:.1e}\n",
            quoted(&sim.engine().device()),
            report.rounds,
            report.converged
        );
        outputs.note(append(path, header, &row));
    }
    if args.json {
        outputs.note(say(&format!(
            "{}\n",
            json!({ "map": "city", "device": sim.engine().device(), "side": side, "ms": best, "rounds": report.rounds, "visits_per_cell": visits,
                "converged": report.converged, "worst_relative_difference": worst, "cells_reached_by_one_only": differ })
        )));
    } else {
        outputs.note(say(&format!(
            "solver alone, {side} × {side} cells of a city, one goal, uniform cost, on {}:\n\
             {best:.3} ms, {} rounds, {visits:.2} visits per cell, {}\n\
             against the ordered march: largest relative difference {worst:.1e}, reached by one of the two only: {differ} cells\n",
            sim.engine().device(),
            report.rounds,
            if report.converged { "converged" } else { "NOT CONVERGED" },
        )));
    }
    Ok(outputs.end(if report.converged { ExitCode::SUCCESS } else { ExitCode::from(1) }))
}
