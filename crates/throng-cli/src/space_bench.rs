//! `throng bench SCENE --draw WxH --3d`: how long each pass of a picture in three dimensions takes.

use crate::Failure;
use crate::args::BenchArgs;
use crate::bench::{append, scaled};
use crate::draw_bench::in_turns;
use crate::load;
use crate::out::{grouped, say};
use serde_json::json;
use std::process::ExitCode;
use throng::Simulation;
use throng::engine::gpu::Gpu;
use throng_view::look::Look;
use throng_view::space::{Pass, Settings, Skinning, Vertices};
use throng_view::studio::{Aim, Shooting, Studio};

const PASSES: usize = Pass::ALL.len();

/// From where it is drawn, in words, and how much nearer than from where all of it is in view.
const VIEWS: [(&str, f32); 3] = [("all of it", 1.0), ("4 times nearer", 4.0), ("16 times nearer", 16.0)];

/// A change of how it is drawn.
type Change = fn(&mut Settings);

/// What is changed to see what it is worth.
const VARIANTS: [(&str, Change); 8] = [
    ("", |_| ()),
    ("without culling", |s| (s.frustum, s.occlusion) = (false, false)),
    ("without shadows", |s| s.shadows = false),
    ("without close-ups", |s| s.finest = 1),
    ("skinned wherever drawn", |s| s.skinning = Skinning::Each),
    ("vertices of 48 bytes", |s| s.vertices = Vertices::Plain),
    ("the paper's vertices", |s| s.vertices = Vertices::Paper),
    ("152 triangles each", |s| s.pinned = Some(3)),
];

struct Row {
    what: String,
    /// Of each pass the median, ms; nothing where the device cannot tell.
    passes_ms: Option<[f64; PASSES]>,
    triangles: u64,
    characters: u64,
    /// Wall time of a step, and of a step with a frame drawn after it, ms.
    step_ms: f64,
    both_ms: f64,
}

pub(crate) fn draw(args: &BenchArgs, size: [u32; 2]) -> Result<ExitCode, Failure> {
    let scale = args.scale.first().copied().unwrap_or(1.0);
    let scene = scaled(args, scale)?;
    let mut sim = load::simulation(&scene, &args.engine)?;
    let gpu = load::drawing_gpu(&sim)?;
    let mut studio = Studio::new(&gpu, &scene);
    sim.steps_by(args.warmup.unwrap_or(48))?;
    let mut rows = Vec::new();
    let pixels = throng::Vec2::new(size[0] as f32, size[1] as f32);
    let whole = throng_view::camera::Camera::fit(scene.grid.bounds(), pixels, 8.0);
    for (word, zoom) in VIEWS {
        for (variant, change) in VARIANTS {
            let aim = if zoom > 1.0 {
                Aim::At(throng_view::camera::Camera { scale: whole.scale * zoom, ..whole })
            } else {
                Aim::Fit
            };
            let mut settings = Settings::default();
            change(&mut settings);
            let look = Look { space: Some(settings), ..Look::default() };
            let shooting = Shooting { size, look, aim, caption: false, chosen: None, text: 1.0 };
            let what = if variant.is_empty() { word.to_owned() } else { format!("{word}, {variant}") };
            rows.push(measure(args, &mut sim, &mut studio, &gpu, &shooting, what)?);
        }
    }
    let device = gpu.info().name.clone();
    if args.json {
        let list: Vec<_> = rows.iter().map(Row::json).collect();
        let agents = scene.agent_count();
        say(&format!(
            "{}\n",
            json!({ "scene": scene.name, "agents": agents, "device": device, "size": size, "results": list })
        ))?;
    } else {
        let mut text = format!(
            "{}: {} agents drawn in 3D at {} × {} by {device}; the run on {}\n  {:<42}",
            scene.name,
            grouped(scene.agent_count()),
            size[0],
            size[1],
            sim.engine().name(),
            "what, ms"
        );
        text += &Pass::ALL.map(|p| format!(" {:>8}", p.name())).concat();
        text += &format!(" {:>9} {:>9} {:>9} {:>11} {:>9}\n", "all", "step", "both", "triangles", "agents");
        text += &rows.iter().map(Row::line).collect::<String>();
        say(&text)?;
    }
    if let Some(path) = &args.csv {
        let names = Pass::ALL.map(|p| format!("{}_ms", p.name())).join(",");
        let header = format!(
            "device,scene,scale,agents,width,height,what,{names},draw_ms,step_ms,step_and_draw_ms,triangles,drawn\n"
        );
        let scene = format!("\"{device}\",{},{scale},{},{},{}", scene.name, scene.agent_count(), size[0], size[1]);
        append(path, &header, &rows.iter().map(|r| r.csv(&scene)).collect::<String>())?;
    }
    Ok(ExitCode::SUCCESS)
}

impl Row {
    fn all_ms(&self) -> f64 {
        self.passes_ms.map_or(f64::NAN, |list| list.iter().sum())
    }

    fn json(&self) -> serde_json::Value {
        let passes: serde_json::Map<_, _> = Pass::ALL
            .iter()
            .zip(self.passes_ms.iter().flatten())
            .map(|(pass, &ms)| (pass.name().to_owned(), ms.into()))
            .collect();
        json!({ "what": self.what, "passes_ms": passes, "triangles": self.triangles, "drawn": self.characters,
            "step_ms": self.step_ms, "step_and_draw_ms": self.both_ms })
    }

    fn line(&self) -> String {
        let passes = self.passes_ms.map_or_else(
            || [(); PASSES].map(|()| format!(" {:>8}", "-")).concat(),
            |list| list.map(|ms| format!(" {ms:>8.3}")).concat(),
        );
        let Self { what, step_ms, both_ms, .. } = self;
        let (triangles, drawn) = (grouped(self.triangles), grouped(self.characters));
        format!(
            "  {what:<42}{passes} {:>9.3} {step_ms:>9.3} {both_ms:>9.3} {triangles:>11} {drawn:>9}\n",
            self.all_ms()
        )
    }

    /// A line of CSV; `scene` comes first.
    fn csv(&self, scene: &str) -> String {
        let passes = self.passes_ms.unwrap_or([f64::NAN; PASSES]).map(|ms| format!("{ms:.4}")).join(",");
        let Self { what, step_ms, both_ms, triangles, characters, .. } = self;
        format!("{scene},\"{what}\",{passes},{:.4},{step_ms:.4},{both_ms:.4},{triangles},{characters}\n", self.all_ms())
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
        studio.report();
    }
    let mut frames: Vec<[f64; PASSES]> = Vec::new();
    let (mut triangles, mut characters) = (0, 0);
    for _ in 0..args.steps().max(5) {
        sim.step()?;
        studio.draw(sim, shooting)?;
        let Some(report) = studio.report() else { continue };
        triangles = report.triangles;
        characters = report.levels.iter().map(|&n| u64::from(n)).sum();
        frames.extend(report.passes_ms);
    }
    let median = |k: usize| {
        let mut list: Vec<f64> = frames.iter().map(|f| f[k]).collect();
        list.sort_by(f64::total_cmp);
        list[list.len() / 2]
    };
    let passes_ms = (!frames.is_empty()).then(|| std::array::from_fn(median));
    let (step_ms, both_ms) = in_turns(args, sim, studio, gpu, shooting)?;
    Ok(Row { what, passes_ms, triangles, characters, step_ms, both_ms })
}
