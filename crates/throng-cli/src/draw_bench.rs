//! `throng bench SCENE --draw WxH`: how long drawing takes, alone and after every step.

use crate::Failure;
use crate::args::BenchArgs;
use crate::bench::{append, check_columns, quoted, scaled};
use crate::load;
use crate::out::{Outputs, say, several};
use serde_json::json;
use std::process::ExitCode;
use std::time::Instant;
use throng::Simulation;
use throng::engine::gpu::Gpu;
use throng::scene::printable;
use throng_view::look::{Colouring, Look, Overlay};
use throng_view::studio::{Aim, Shooting, Studio};

/// What is drawn, in words and as a look.
const LOOKS: [(&str, Option<Overlay>, Colouring); 4] = [
    ("by goal", None, Colouring::Goal),
    ("by density", None, Colouring::Density),
    ("by goal over potential", Some(Overlay::Potential), Colouring::Goal),
    ("by speed over velocity", Some(Overlay::Velocity), Colouring::Speed),
];

/// The columns of a file of results.
const HEADER: &str = "device,scene,scale,agents,width,height,what,draw_ms,draw_median_ms,step_ms,step_and_draw_ms\n";

struct Row {
    what: String,
    /// GPU timestamps around the frame: the best and the median, ms.
    draw_ms: Option<(f64, f64)>,
    /// Wall time of a step, and of a step with a frame drawn after it, ms.
    step_ms: f64,
    both_ms: f64,
}

pub(crate) fn draw(args: &BenchArgs, size: [u32; 2]) -> Result<ExitCode, Failure> {
    if args.deep {
        return crate::space_bench::draw(args, size);
    }
    check_columns(args, HEADER)?;
    let scale = args.scale.first().copied().unwrap_or(1.0);
    let scene = scaled(args, scale)?;
    let mut sim = load::simulation(&scene, &args.engine)?;
    let gpu = load::drawing_gpu(&sim)?;
    let mut studio = Studio::new(&gpu, &scene);
    sim.steps_by(args.warmup.unwrap_or(48))?;
    let mut rows = Vec::new();
    // Everything in view, then four and sixteen times nearer: sums per pixel far away, sprites near.
    for (zoom, word) in [(1.0, ""), (4.0, ", 4 times nearer"), (16.0, ", 16 times nearer")] {
        for (name, overlay, colouring) in LOOKS {
            if zoom > 1.0 && overlay.is_some() {
                continue;
            }
            let whole = throng_view::camera::Camera::fit(
                scene.grid.bounds(),
                throng::Vec2::new(size[0] as f32, size[1] as f32),
                8.0,
            );
            let camera = throng_view::camera::Camera { scale: whole.scale * zoom, ..whole };
            // Given limits: a picture that chooses them itself has to wait for the field's extent.
            let limits = overlay.map(|o| if o == Overlay::Potential { (0.0, 5000.0) } else { (0.0, 2.0) });
            let look = Look { overlay, colouring, limits, ..Look::default() };
            let shooting =
                Shooting { size, look, aim: Aim::At(camera), caption: false, chosen: None, text: 1.0, back: 0.0 };
            rows.push(measure(args, &mut sim, &mut studio, &gpu, &shooting, format!("{name}{word}"))?);
        }
    }
    let device = gpu.info().name.clone();
    let mut outputs = Outputs::default();
    if let Some(path) = &args.csv {
        let scene = format!(
            "{},{},{scale},{},{},{}",
            quoted(&device),
            quoted(&scene.name),
            scene.agent_count(),
            size[0],
            size[1]
        );
        let lines: String = rows.iter().map(|r| r.csv(&scene)).collect();
        outputs.note(append(path, HEADER, &lines));
    }
    if args.json {
        let list: Vec<_> = rows
            .iter()
            .map(|r| {
                json!({ "what": r.what, "draw_ms": r.draw_ms.map(|d| d.0), "draw_median_ms": r.draw_ms.map(|d| d.1),
                    "step_ms": r.step_ms, "step_and_draw_ms": r.both_ms })
            })
            .collect();
        let agents = scene.agent_count();
        outputs.note(say(&format!(
            "{}\n",
            json!({ "scene": scene.name, "agents": agents, "device": device, "size": size, "results": list })
        )));
    } else {
        let mut text = format!(
            "{}: {} drawn at {} × {} by {device}; the run on {}\n  {:<32} {:>9} {:>9} {:>9} {:>12}\n",
            printable(&scene.name),
            several(scene.agent_count() as usize, "agent"),
            size[0],
            size[1],
            sim.engine().name(),
            "what",
            "draw, ms",
            "median",
            "step, ms",
            "both, ms"
        );
        for r in &rows {
            let (best, median) =
                r.draw_ms.map_or(("-".into(), "-".into()), |(a, b)| (format!("{a:.3}"), format!("{b:.3}")));
            text += &format!("  {:<32} {best:>9} {median:>9} {:>9.3} {:>12.3}\n", r.what, r.step_ms, r.both_ms);
        }
        outputs.note(say(&text));
    }
    Ok(outputs.end(ExitCode::SUCCESS))
}

impl Row {
    /// A line of CSV; `scene` comes first.
    fn csv(&self, scene: &str) -> String {
        let (best, median) = self.draw_ms.unwrap_or((f64::NAN, f64::NAN));
        let Self { what, step_ms, both_ms, .. } = self;
        format!("{scene},\"{what}\",{best:.4},{median:.4},{step_ms:.4},{both_ms:.4}\n")
    }
}

fn measure(
    args: &BenchArgs,
    sim: &mut Simulation,
    studio: &mut Studio,
    gpu: &Gpu,
    shooting: &Shooting,
    what: String,
) -> Result<Row, Failure> {
    for _ in 0..3 {
        studio.draw(sim, shooting)?;
    }
    let mut frames = Vec::new();
    for _ in 0..args.steps().max(5) {
        sim.step()?;
        frames.extend(studio.frame_ms(sim, shooting)?);
    }
    frames.sort_by(f64::total_cmp);
    let draw_ms = frames.first().copied().zip(frames.get(frames.len() / 2).copied());
    let (step_ms, both_ms) = in_turns(args, sim, studio, gpu, shooting)?;
    Ok(Row { what, draw_ms, step_ms, both_ms })
}

/// Wall time of a step, and of a step with a frame drawn after it, ms: the best batch of each.
fn in_turns(
    args: &BenchArgs,
    sim: &mut Simulation,
    studio: &mut Studio,
    gpu: &Gpu,
    shooting: &Shooting,
) -> Result<(f64, f64), Failure> {
    let wait = || gpu.device().poll(wgpu::PollType::wait_indefinitely()).map_err(anyhow::Error::from);
    let (mut step_ms, mut both_ms) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..args.batches() {
        // In turns, so that both meet the same crowd and the same clock.
        for draws in [false, true] {
            let _ = sim.counters();
            wait()?;
            let began = Instant::now();
            for _ in 0..args.steps() {
                sim.step()?;
                if draws {
                    studio.draw(sim, shooting)?;
                }
            }
            let _ = sim.counters();
            wait()?;
            let ms = began.elapsed().as_secs_f64() * 1e3 / args.steps() as f64;
            let best = if draws { &mut both_ms } else { &mut step_ms };
            *best = best.min(ms);
        }
    }
    Ok((step_ms, both_ms))
}
