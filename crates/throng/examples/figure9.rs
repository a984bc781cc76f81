//! Figure 9 of the boundary-value planner's paper again: how many times as fast as a sequential program the GPU engine is, for maps of 11², 16² and 21² and
//! from one agent to 100,000. Writes a table (CSV) and a plot (SVG) into a folder.
//!
//! `cargo run --release -p throng --example figure9 -- FOLDER [DEVICE [MOST]]`
//!
//! What is compared is the stage `avoid` of whole runs of the same scene: everybody's map is made, relaxed, and walked by. The sequential program is the paper's:
//! one agent after the other on one core, each map relaxed by plain Gauss–Seidel to the accuracy that the engines have (`avoid_one_by_one`). Beside it stands the CPU engine on one
//! thread. Of the GPU engine it is the stage by the device's clock. The share of copies is what a step takes longer if everybody's place is
//! read back after each, as the paper's program does; the engine itself copies nothing back.

use std::fmt::Write as _;
use std::time::Instant;
use throng::engine::cpu::CpuEngine;
use throng::engine::gpu::{Gpu, GpuEngine};
use throng::scene::NoFiles;
use throng::stages::Stage;
use throng::stages::steer::bvp::avoid_one_by_one;
use throng::{Scene, Simulation};

type Failure = Box<dyn std::error::Error>;

/// So many people on a square that has 4 m² for each, on their way to and fro.
fn plaza(agents: u32, side: u32) -> Result<Scene, Failure> {
    let size = (4.0 * f64::from(agents)).sqrt().max(20.0).ceil();
    let text = format!(
        "size = [{size}, {size}]\ncell = 0.5\n[[goal]]\nname = \"west\"\nrect = [0, 0, 1, {size}]\n[[goal]]\nname = \"east\"\n\
         rect = [{}, 0, {size}, {size}]\n[[agents]]\ncount = {agents}\nstart = {{ rect = [2, 2, {}, {}] }}\njourney = [\"east\", \"west\"]\n\
         arrive = \"next\"\n[model]\nplan = \"static\"\nsteer = \"bvp\"\n[model.bvp]\nside = {side}\nepsilon = -0.5\nspread = 3.1\n",
        size - 1.0,
        size - 2.0,
        size - 2.0
    );
    Ok(Scene::parse("plaza.toml", &text, &NoFiles)?)
}

/// Milliseconds a step that the stage takes, and the whole step.
fn time(run: &mut Simulation, steps: u64, read: bool) -> Result<(f64, f64), Failure> {
    run.steps_by(1)?;
    // Waits for the device.
    let _ = run.counters();
    let before = run.engine().stage_ms()[Stage::Avoid.index()];
    let start = Instant::now();
    for _ in 0..steps {
        run.step()?;
        if read {
            run.agents()?;
        }
    }
    // Waits for the device.
    let _ = run.counters();
    let whole = start.elapsed().as_secs_f64() * 1e3 / steps as f64;
    Ok(((run.engine().stage_ms()[Stage::Avoid.index()] - before) / steps as f64, whole))
}

struct Row {
    side: u32,
    agents: u32,
    sequential: f64,
    cpu: f64,
    gpu: f64,
    step: f64,
    copies: f64,
}

fn measure(gpu: &Gpu, side: u32, agents: u32) -> Result<Row, Failure> {
    let scene = plaza(agents, side)?;
    let steps = (100_000 / u64::from(agents)).clamp(2, 100);
    let mut one_by_one = CpuEngine::new(&scene, Some(1))?;
    one_by_one.avoid_by(avoid_one_by_one);
    let (sequential, _) = time(&mut Simulation::on(&scene, Box::new(one_by_one)), steps, false)?;
    let mut one_core = Simulation::with_threads(&scene, 1)?;
    let (cpu, _) = time(&mut one_core, steps, false)?;
    let on_gpu =
        || -> Result<Simulation, Failure> { Ok(Simulation::on(&scene, Box::new(GpuEngine::new(&scene, gpu)?))) };
    let (device, step) = time(&mut on_gpu()?, 99, false)?;
    let (_, with_copies) = time(&mut on_gpu()?, 50, true)?;
    let copies = ((with_copies - step) / with_copies).max(0.0);
    Ok(Row { side, agents, sequential, cpu, gpu: device, step, copies })
}

/// Lines over the number of agents, both axes logarithmic.
fn plot(rows: &[Row]) -> String {
    let x = |agents: f64| 80.0 + 110.0 * agents.log10();
    let y = |factor: f64| 420.0 - 90.0 * factor.max(0.1).log10();
    let mut svg = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"720\" height=\"560\" font-family=\"sans-serif\" font-size=\"14\">\n\
         <rect width=\"720\" height=\"560\" fill=\"white\"/>\n",
    );
    for decade in 0..=5 {
        let at = x(10f64.powi(decade));
        let _ = writeln!(
            svg,
            "<path d=\"M{at} 60V510\" stroke=\"#ddd\"/><text x=\"{at}\" y=\"530\" text-anchor=\"middle\">10^{decade}</text>"
        );
    }
    for decade in -1..=4 {
        let at = y(10f64.powi(decade));
        let _ = writeln!(
            svg,
            "<path d=\"M80 {at}H640\" stroke=\"#ddd\"/><text x=\"72\" y=\"{}\" text-anchor=\"end\">10^{decade}</text>",
            at + 5.0
        );
    }
    for (k, side) in [11, 16, 21].into_iter().enumerate() {
        let colour = ["#1b9e77", "#7570b3", "#d95f02"][k];
        let of_side = rows.iter().filter(|r| r.side == side);
        let points: Vec<String> =
            of_side.map(|r| format!("{:.1},{:.1}", x(r.agents.into()), y(r.sequential / r.gpu))).collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
            points.join(" ")
        );
        let _ = writeln!(svg, "<text x=\"100\" y=\"{}\" fill=\"{colour}\">{side}² cells</text>", 80 + 20 * k);
    }
    svg + "<text x=\"360\" y=\"552\" text-anchor=\"middle\">agents</text><text x=\"80\" y=\"40\">times as fast as one core</text>\n</svg>\n"
}

fn main() -> Result<(), Failure> {
    let mut given = std::env::args().skip(1);
    let folder = given.next().ok_or("figure9 FOLDER [DEVICE [MOST]]")?;
    let gpu = Gpu::open(given.next().as_deref())?;
    let most: u32 = given.next().map_or(Ok(100_000), |n| n.parse())?;
    std::fs::create_dir_all(&folder)?;
    let mut rows = Vec::new();
    let mut table = String::from(
        "side,agents,sequential_ms,cpu_engine_one_core_ms,gpu_ms,gpu_step_ms,speed_up,speed_up_over_cpu_engine,updates_per_second,share_of_copies\n",
    );
    for side in [11, 16, 21] {
        for agents in [1, 10, 100, 500, 1000, 5000, 10_000, 50_000, 100_000].into_iter().filter(|n| *n <= most) {
            let r = measure(&gpu, side, agents)?;
            let _ = writeln!(
                table,
                "{side},{agents},{:.4},{:.4},{:.4},{:.4},{:.1},{:.1},{:.0},{:.3}",
                r.sequential,
                r.cpu,
                r.gpu,
                r.step,
                r.sequential / r.gpu,
                r.cpu / r.gpu,
                1e3 / r.step,
                r.copies
            );
            rows.push(r);
        }
    }
    std::fs::write(format!("{folder}/figure9.csv"), table)?;
    std::fs::write(format!("{folder}/figure9.svg"), plot(&rows))?;
    Ok(())
}
