//! `throng bench SCENE --draw WxH --3d`: how long each pass of a picture in three dimensions takes.

use crate::Failure;
use crate::args::BenchArgs;
use crate::bench::{append, check_columns, quoted, scaled};
use crate::load;
use crate::out::{Outputs, grouped, say, several};
use crate::space_views::{Drawn, rows};
use serde_json::json;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use throng::Simulation;
use throng::engine::gpu::Gpu;
use throng::scene::printable;
use throng_view::draw::FrameTimes;
use throng_view::look::Look;
use throng_view::space::levels::NAMES;
use throng_view::space::{CASCADES, Pass, Report};
use throng_view::studio::{Shooting, Studio};

/// Steps before anything is measured: `froblins` have gathered by then.
const WARMUP: u64 = 1200;
/// Batches of steps with pictures.
const BATCHES: u32 = 3;
/// Each part of a row ends after so long, whatever was asked for.
const MOST: Duration = Duration::from_secs(4);
/// Passes, with what the painter prepares before them and what it does after them.
const TIMES: usize = Pass::ALL.len() + 2;

fn names() -> [&'static str; TIMES] {
    std::array::from_fn(|k| match k {
        0 => "prepare",
        _ => Pass::ALL.get(k - 1).map_or("tone", |pass| pass.name()),
    })
}

struct Row {
    view: &'static str,
    variant: &'static str,
    /// Pictures that the medians are of.
    frames: usize,
    /// Of each pass the median, ms; nothing where the device cannot tell.
    times_ms: Option<[f64; TIMES]>,
    /// From the first pass to the last, the median, ms.
    frame_ms: Option<f64>,
    /// Wall time of a step, and of a step with a frame drawn after it, ms.
    step_ms: f64,
    both_ms: f64,
    /// What the last of the pictures drew.
    last: Report,
}

/// The passes of a frame, and the frame.
type Timed = ([f64; Pass::ALL.len()], FrameTimes);

/// What a row is measured with.
struct Bench<'a> {
    args: &'a BenchArgs,
    size: [u32; 2],
    sim: Simulation,
    /// Where every row begins: all draw the same crowd.
    begin: Vec<u8>,
    studio: Studio,
    gpu: Gpu,
}

pub(crate) fn draw(args: &BenchArgs, size: [u32; 2]) -> Result<ExitCode, Failure> {
    check_columns(args, &header())?;
    let mut outputs = Outputs::default();
    let scale = args.scale.first().copied().unwrap_or(1.0);
    let scene = scaled(args, scale)?;
    let mut sim = load::simulation(&scene, &args.engine)?;
    let gpu = load::drawing_gpu(&sim)?;
    let studio = Studio::new(&gpu, &scene);
    sim.steps_by(args.warmup.unwrap_or(WARMUP))?;
    let people = sim.positions()?;
    let list = rows(&scene, &people, size, &args.views(), args.plain);
    let begin = sim.save()?;
    let mut bench = Bench { args, size, sim, begin, studio, gpu };
    let device = bench.gpu.info().name.clone();
    if !args.json {
        outputs.note(say(&format!(
            "{}: {} drawn in 3D at {} × {} by {device}; the run on {}, after {:.0} s of it\n  {:<26}{} {:>9} {:>9} {:>9}\n",
            printable(&scene.name),
            several(scene.agent_count() as usize, "agent"),
            size[0],
            size[1],
            bench.sim.engine().name(),
            bench.sim.time(),
            "ms",
            names().map(|n| format!(" {n:>8}")).concat(),
            "all",
            "step",
            "both",
        )));
    }
    let step_ms = bench.step_ms()?;
    let mut measured = Vec::new();
    for drawn in &list {
        let row = bench.measure(drawn, step_ms)?;
        // At once: who cuts it short keeps what is measured.
        if let Some(path) = &args.csv {
            let [device, name] = [&device, &scene.name].map(|text| quoted(text));
            let who = format!("{device},{name},{scale},{},{},{}", scene.agent_count(), size[0], size[1]);
            outputs.note(append(path, &header(), &row.csv(&who)));
        }
        if !args.json {
            outputs.note(say(&row.text()));
        }
        measured.push(row.json());
    }
    if args.json {
        let agents = scene.agent_count();
        outputs.note(say(&format!(
            "{}\n",
            json!({ "scene": scene.name, "agents": agents, "device": device, "size": size, "results": measured })
        )));
    }
    Ok(outputs.end(ExitCode::SUCCESS))
}

impl Bench<'_> {
    fn wait(&self) -> Result<(), Failure> {
        let _ = self.sim.counters();
        self.gpu.device().poll(wgpu::PollType::wait_indefinitely()).map_err(anyhow::Error::from)?;
        Ok(())
    }

    fn rewind(&mut self) -> Result<(), Failure> {
        self.sim.resume(&self.begin).map_err(anyhow::Error::from)?;
        self.wait()
    }

    /// Wall time of a step with whatever is drawn after it, ms: of the fastest batch. Batches are shorter where one would take too long.
    fn wall_ms(&mut self, shooting: Option<&Shooting>) -> Result<f64, Failure> {
        let one = |bench: &mut Self| -> Result<(), Failure> {
            bench.sim.step()?;
            if let Some(shooting) = shooting {
                bench.studio.draw(&mut bench.sim, shooting)?;
            }
            Ok(())
        };
        let began = Instant::now();
        one(self)?;
        self.wait()?;
        let first = began.elapsed().as_secs_f64().max(1e-6);
        let batches = self.args.batches.unwrap_or(BATCHES);
        let room = MOST.as_secs_f64() / (first * f64::from(batches));
        let steps = self.args.steps().min(room.ceil() as u64).max(1);
        let mut best = f64::INFINITY;
        for _ in 0..batches {
            let start = Instant::now();
            for _ in 0..steps {
                one(self)?;
            }
            self.wait()?;
            best = best.min(start.elapsed().as_secs_f64() * 1e3 / steps as f64);
            if began.elapsed() > MOST {
                break;
            }
        }
        Ok(best)
    }

    fn step_ms(&mut self) -> Result<f64, Failure> {
        self.wall_ms(None)
    }

    fn measure(&mut self, drawn: &Drawn, step_ms: f64) -> Result<Row, Failure> {
        let look = Look { space: Some(drawn.settings), ..Look::default() };
        let shooting =
            Shooting { size: self.size, look, aim: drawn.aim, caption: false, chosen: None, text: 1.0, back: 0.0 };
        self.rewind()?;
        // Pipelines, buffers, the budget's memory of the frame before.
        for _ in 0..3 {
            self.studio.draw(&mut self.sim, &shooting)?;
            self.studio.report();
        }
        let mut passes: Vec<Timed> = Vec::new();
        let mut last = Report::default();
        let (began, mut frames) = (Instant::now(), 0);
        while frames < self.args.steps() && (frames < 2 || began.elapsed() < MOST) {
            self.sim.step()?;
            self.studio.draw(&mut self.sim, &shooting)?;
            if let Some(report) = self.studio.report() {
                passes.extend(report.passes_ms.zip(self.studio.frame_times()));
                last = report;
            }
            frames += 1;
        }
        let median = |of: &dyn Fn(&Timed) -> f64| {
            let mut list: Vec<f64> = passes.iter().map(of).collect();
            list.sort_by(f64::total_cmp);
            list.get(list.len() / 2).copied()
        };
        let time = |k: usize| match k {
            0 => median(&|(_, frame)| frame.preparing),
            _ if k <= Pass::ALL.len() => median(&|(passes, _)| passes[k - 1]),
            _ => median(&|(_, frame)| frame.picture),
        };
        let times_ms = (!passes.is_empty()).then(|| std::array::from_fn(|k| time(k).unwrap_or(f64::NAN)));
        let frame_ms = median(&|(_, frame)| frame.all);
        let both_ms = self.wall_ms(Some(&shooting))?;
        let Drawn { view, variant, .. } = *drawn;
        Ok(Row { view, variant, frames: passes.len(), times_ms, frame_ms, step_ms, both_ms, last })
    }
}

/// The names of levels, as columns of a table are called.
fn columns(after: &str) -> String {
    NAMES.map(|n| format!(",{}{after}", n.replace(['/', '-'], "_"))).concat()
}

fn header() -> String {
    let times = names().map(|n| format!(",{n}_ms")).concat();
    let casters: String = (0..CASCADES).map(|k| format!(",casters_{k}")).collect();
    format!(
        "device,scene,scale,agents,width,height,view,variant,frames{times},frame_ms,step_ms,step_and_draw_ms,\
         triangles,in_shadows,triangles_before_budget,in_shadows_before_budget,cut,cut_before_budget{}{}{casters}\n",
        columns(""),
        columns("_before_budget")
    )
}

impl Row {
    fn what(&self) -> String {
        if self.variant.is_empty() { self.view.to_owned() } else { format!("{}, {}", self.view, self.variant) }
    }

    fn json(&self) -> serde_json::Value {
        let passes: serde_json::Map<_, _> = names()
            .into_iter()
            .zip(self.times_ms.iter().flatten())
            .map(|(name, &ms)| (name.to_owned(), ms.into()))
            .collect();
        let Report { wanted, triangles, in_shadows, levels, cut, casters, .. } = &self.last;
        json!({ "view": self.view, "variant": self.variant, "frames": self.frames, "passes_ms": passes,
            "frame_ms": self.frame_ms, "step_ms": self.step_ms, "step_and_draw_ms": self.both_ms,
            "triangles": triangles, "in_shadows": in_shadows,
            "triangles_before_budget": wanted.triangles, "in_shadows_before_budget": wanted.in_shadows,
            "cut": cut, "cut_before_budget": wanted.cut,
            "levels": levels, "levels_before_budget": wanted.levels, "casters": casters })
    }

    /// Two lines: how long it took, and what was drawn.
    fn text(&self) -> String {
        let times = self
            .times_ms
            .map_or_else(|| format!(" {:>8}", "-").repeat(TIMES), |list| list.map(|ms| format!(" {ms:>8.3}")).concat());
        let all = self.frame_ms.map_or_else(|| "-".to_owned(), |ms| format!("{ms:.3}"));
        let Self { step_ms, both_ms, last, .. } = self;
        let of_which =
            |all: u64, shadows: u64| format!("{} triangles, {} in shadow maps", grouped(all), grouped(shadows));
        format!(
            "  {}\n  {:<26}{times} {all:>9} {step_ms:>9.3} {both_ms:>9.3}\n    drawn  {}: {}; casters {}\n    wanted {}: {}\n",
            self.what(),
            "",
            of_which(last.triangles, last.in_shadows),
            listed(&last.levels, last.cut),
            last.casters.map(|n| grouped(u64::from(n))).join(" / "),
            of_which(last.wanted.triangles, last.wanted.in_shadows),
            listed(&last.wanted.levels, last.wanted.cut),
        )
    }

    /// A line of CSV; `who` comes first.
    fn csv(&self, who: &str) -> String {
        let times = self.times_ms.unwrap_or([f64::NAN; TIMES]).map(|ms| format!(",{ms:.4}")).concat();
        let Report { wanted, triangles, in_shadows, levels, cut, casters, .. } = &self.last;
        let counts: String = levels.iter().chain(&wanted.levels).chain(casters).map(|n| format!(",{n}")).collect();
        format!(
            "{who},{},\"{}\",{}{times},{:.4},{:.4},{:.4},{triangles},{in_shadows},{},{},{cut},{}{counts}\n",
            self.view,
            self.variant,
            self.frames,
            self.frame_ms.unwrap_or(f64::NAN),
            self.step_ms,
            self.both_ms,
            wanted.triangles,
            wanted.in_shadows,
            wanted.cut,
        )
    }
}

/// How many are at each level that anybody is at, in words.
fn listed(levels: &[u32; NAMES.len()], cut: u32) -> String {
    let some = NAMES.iter().zip(levels).filter(|&(_, &n)| n > 0);
    let words: Vec<String> = some
        .map(|(name, &n)| {
            let finely = if *name == NAMES[0] { format!(" (T {cut})") } else { String::new() };
            format!("{name} {}{finely}", grouped(u64::from(n)))
        })
        .collect();
    if words.is_empty() { "nobody".to_owned() } else { words.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_csv_has_the_columns_of_the_header() {
        let row = Row {
            view: "close",
            variant: "T 4 at most",
            frames: 3,
            times_ms: None,
            frame_ms: None,
            step_ms: 1.0,
            both_ms: 2.0,
            last: Report::default(),
        };
        let line = row.csv("\"a card\",froblins,1,3000,1920,1080");
        assert_eq!(line.split(',').count(), header().split(',').count());
        assert_eq!(names().len(), TIMES);
        assert_eq!((names()[0], names()[TIMES - 1]), ("prepare", "tone"));
    }
}
