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
use throng::scene::{BuiltIn, with_value};
use throng::stages::Stage;
use throng::{Scene, Simulation, Vec2};

/// What a scene calls them, bytes of a record as it is read, and of the paper's set.
const LAYOUTS: [(&str, u32, u32); 3] = [("full", 16, 32), ("half", 8, 16), ("quarter", 4, 8)];
/// After so many steps the first error is taken.
const FEW: u64 = 20;
/// Layouts take turns in this many rounds of so many steps when times are taken: the best counts, so that no clock that is still rising decides.
const ROUNDS: u32 = 4;
const ROUND_STEPS: u64 = 100;

/// What a run gave.
struct Outcome {
    few: Vec<(u32, Vec2)>,
    all: Vec<(u32, Vec2)>,
    speed: f32,
}

/// On what to run.
struct Machine {
    gpu: Option<Gpu>,
}

impl Machine {
    fn engine(&self, scene: &Scene) -> Result<Box<dyn Engine>, Box<dyn Error>> {
        Ok(match &self.gpu {
            Some(gpu) => Box::new(GpuEngine::new(scene, gpu)?),
            None => Box::new(CpuEngine::new(scene, Some(1))?),
        })
    }

    fn run(&self, scene: &Scene, steps: u64) -> Result<Outcome, Box<dyn Error>> {
        let mut sim = Simulation::on(scene, self.engine(scene)?);
        sim.steps_by(FEW.min(steps))?;
        let few = sim.positions()?;
        sim.steps_by(steps.saturating_sub(FEW))?;
        Ok(Outcome { few, all: sim.positions()?, speed: sim.counters().mean_speed })
    }

    /// Milliseconds a step: of the stage `avoid`, and of all.
    fn time(&self, scene: &Scene) -> Result<[f64; 2], Box<dyn Error>> {
        let mut sim = Simulation::on(scene, self.engine(scene)?);
        sim.steps_by(ROUND_STEPS)?;
        // Waits for the device.
        let _ = sim.counters();
        let stages = sim.engine().stage_ms();
        Ok([stages[Stage::Avoid.index()], stages.iter().sum()].map(|ms| ms / ROUND_STEPS as f64))
    }
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
    println!(
        "engine,device,people,steps,layout,record_bytes,paper_bytes,avoid_ms,step_ms,error_{FEW}_steps_m,error_m,speed_difference_percent"
    );
    let scenes: Vec<Scene> =
        LAYOUTS.iter().map(|(layout, ..)| scene_of(&source, layout, people)).collect::<Result<_, _>>()?;
    for machine in [Some(Machine { gpu: None }), Gpu::open(None).ok().map(|gpu| Machine { gpu: Some(gpu) })] {
        let Some(machine) = machine else { continue };
        let mut times = [[f64::INFINITY; 2]; LAYOUTS.len()];
        for _ in 0..ROUNDS {
            for (scene, best) in scenes.iter().zip(&mut times) {
                let time = machine.time(scene)?;
                *best = [best[0].min(time[0]), best[1].min(time[1])];
            }
        }
        let mut full: Option<Outcome> = None;
        for (k, (layout, bytes, paper)) in LAYOUTS.into_iter().enumerate() {
            let scene = &scenes[k];
            let engine = machine.engine(scene)?;
            let outcome = machine.run(scene, steps)?;
            let from = full.as_ref().unwrap_or(&outcome);
            println!(
                "{},{:?},{people},{steps},{layout},{bytes},{paper},{:.4},{:.4},{:.6},{:.4},{:.3}",
                engine.name(),
                engine.device(),
                times[k][0],
                times[k][1],
                apart(&from.few, &outcome.few),
                apart(&from.all, &outcome.all),
                100.0 * (outcome.speed / from.speed - 1.0)
            );
            full.get_or_insert(outcome);
        }
    }
    Ok(())
}

/// `congestion` with so many people at one a square metre, in some layout.
fn scene_of(source: &BuiltIn, layout: &str, people: u32) -> Result<Scene, String> {
    let text =
        with_value(source.text, "model.social-force.packing", &format!("{layout:?}")).map_err(|e| e.to_string())?;
    let mut scene = Scene::parse("congestion.toml", &text, source).map_err(|e| e.to_string())?;
    let built_in = scene.grid.extent();
    scene.scale(f64::from(people) / f64::from(built_in.x * built_in.y)).map_err(|e| e.to_string())?;
    scene.set_agents(people).map_err(|e| e.to_string())?;
    Ok(scene)
}
