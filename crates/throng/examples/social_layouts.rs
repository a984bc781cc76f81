//! The layouts of people that `social-force` can read (Table 2 of the congestion paper) beside each other: bytes, time, and what the compression changes.
//!
//!     cargo run --release --example social_layouts -p throng -- [people] [steps]
//!
//! Prints CSV. People walk at one a square metre, as in `congestion` with 4,096. Errors are distances from where the same person is in the run with full numbers after so many steps, mean over people; in a
//! crowd any difference grows until ways have nothing to do with each other any more, so the mean speed of all is compared, too.

use std::error::Error;
use throng::engine::Engine;
use throng::engine::cpu::CpuEngine;
use throng::engine::gpu::{Gpu, GpuEngine};
use throng::scene::with_value;
use throng::stages::Stage;
use throng::{Scene, Simulation, Vec2};

/// What a scene calls them, bytes of a record as it is read, and of the paper's set.
const LAYOUTS: [(&str, u32, u32); 3] = [("full", 16, 32), ("half", 8, 16), ("quarter", 4, 8)];
/// After so many steps the first error is taken.
const FEW: u64 = 20;

/// What a run gave.
struct Outcome {
    few: Vec<(u32, Vec2)>,
    all: Vec<(u32, Vec2)>,
    speed: f32,
    avoid_ms: f64,
    step_ms: f64,
}

fn run(scene: &Scene, engine: Box<dyn Engine>, steps: u64) -> Result<Outcome, Box<dyn Error>> {
    let mut sim = Simulation::on(scene, engine);
    sim.steps_by(FEW.min(steps))?;
    let few = sim.positions()?;
    sim.steps_by(steps.saturating_sub(FEW))?;
    let all = sim.positions()?;
    let (stages, counters) = (sim.engine().stage_ms(), sim.counters());
    let per_step = 1.0 / steps as f64;
    Ok(Outcome {
        few,
        all,
        speed: counters.mean_speed,
        avoid_ms: per_step * stages[Stage::Avoid.index()],
        step_ms: per_step * stages.iter().sum::<f64>(),
    })
}

/// The mean distance between the same people in two runs, m.
fn apart(a: &[(u32, Vec2)], b: &[(u32, Vec2)]) -> f64 {
    a.iter().zip(b).map(|(a, b)| f64::from(a.1.distance(b.1))).sum::<f64>() / a.len().max(1) as f64
}

#[expect(clippy::print_stdout, reason = "it is what the program is for")]
fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let people: u32 = arguments.next().map_or(Ok(3000), |a| a.parse())?;
    let steps: u64 = arguments.next().map_or(Ok(1000), |a| a.parse())?.max(1);
    let source = throng::scene::built_in("congestion").ok_or("there is no scene congestion")?;
    let gpu = Gpu::open(None).ok();
    println!(
        "engine,device,people,steps,layout,record_bytes,paper_bytes,avoid_ms,step_ms,error_{FEW}_steps_m,error_m,speed_difference_percent"
    );
    for on_gpu in [false, true] {
        let mut full: Option<Outcome> = None;
        for (layout, bytes, paper) in LAYOUTS {
            let text = with_value(source.text, "model.social-force.packing", &format!("{layout:?}"))?;
            let mut scene = Scene::parse("congestion.toml", &text, &source).map_err(|e| e.to_string())?;
            let built_in = scene.grid.extent();
            scene.scale(f64::from(people) / f64::from(built_in.x * built_in.y)).map_err(|e| e.to_string())?;
            scene.set_agents(people).map_err(|e| e.to_string())?;
            let engine: Box<dyn Engine> = match (&gpu, on_gpu) {
                (_, false) => Box::new(CpuEngine::new(&scene, Some(1))?),
                (Some(gpu), true) => Box::new(GpuEngine::new(&scene, gpu)?),
                (None, true) => continue,
            };
            let (name, device) = (engine.name(), engine.device());
            let outcome = run(&scene, engine, steps)?;
            let from = full.as_ref().unwrap_or(&outcome);
            println!(
                "{name},{device},{people},{steps},{layout},{bytes},{paper},{:.4},{:.4},{:.6},{:.4},{:.3}",
                outcome.avoid_ms,
                outcome.step_ms,
                apart(&from.few, &outcome.few),
                apart(&from.all, &outcome.all),
                100.0 * (outcome.speed / from.speed - 1.0)
            );
            full.get_or_insert(outcome);
        }
    }
    Ok(())
}
