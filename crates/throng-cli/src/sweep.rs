//! `throng bench --sweep`: how time grows with the world, or with the crowd.

use crate::Failure;
use crate::args::{BenchArgs, SceneArgs, SweepOver};
use crate::bench::{append, check_columns, quoted, sound};
use crate::devices::processor;
use crate::load;
use crate::out::{Outputs, grouped, say, several};
use crate::progress::Progress;
use serde_json::{Value, json};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use throng::scene::Place;
use throng::stages::potential::SolveReport;
use throng::stages::{COUNT, NAMES, Stage};
use throng::{Scene, Simulation};
use throng_io::{LineChart, Scale, Series, write_png};

/// People in a sweep over cells, and the last point of one over people: as in the thesis.
const PEOPLE: u32 = 1 << 20;

/// A GPU times its stages in every so manieth step.
const TIMED: u64 = 8;

/// What the stages of a step are for. The thesis's figure 57 is about planning, figure 58 about moving and colliding.
const PARTS: [(&str, &[Stage]); 4] = [
    ("planning", &[Stage::Splat, Stage::Flow, Stage::Speed, Stage::Cost, Stage::Potential, Stage::Gradient]),
    ("moving", &[Stage::Guide, Stage::Avoid, Stage::Move]),
    ("colliding", &[Stage::Bin, Stage::Separate]),
    ("the rest", &[Stage::Measure, Stage::Live]),
];

/// One measured point of a sweep.
struct Point {
    agents: u64,
    cells: u64,
    side: f64,
    /// People per square metre of the world.
    density: f64,
    /// Whether there are more people than fit side by side.
    overlapping: bool,
    goals: usize,
    steps: u64,
    step_ms: f64,
    stage_ms: [f64; COUNT],
    solver: SolveReport,
}

impl Point {
    /// The ms of some stages together.
    fn sum(&self, stages: &[Stage]) -> f64 {
        stages.iter().map(|stage| self.stage_ms[stage.index()]).sum()
    }

    fn visits(&self) -> f64 {
        self.solver.visits as f64 / (self.cells * self.goals.max(1) as u64) as f64
    }
}

/// A whole sweep, as far as it has come.
struct Sweep {
    over: SweepOver,
    scene: String,
    engine: &'static str,
    device: String,
    points: Vec<Point>,
}

pub(crate) fn sweep(args: &BenchArgs, over: SweepOver) -> Result<ExitCode, Failure> {
    let places = places(args, over)?;
    check_columns(args, &header())?;
    let mut outputs = Outputs::default();
    let mut sweep = Sweep { over, scene: String::new(), engine: "", device: String::new(), points: Vec::new() };
    for (number, &place) in places.iter().enumerate() {
        let (mut sim, overlapping) = begin(args, over, place)?;
        if number == 0 {
            sweep.scene.clone_from(&sim.scene().name);
            (sweep.engine, sweep.device) = (sim.engine().name(), sim.engine().device());
            if !args.json {
                outputs.note(say(&sweep.head(places.len())));
            }
        }
        let bar = format!("steps of point {} of {}", number + 1, places.len());
        let point = measure(args, &mut sim, overlapping, &bar)?;
        if let Some(path) = &args.csv {
            outputs.note(append(path, &header(), &sweep.row(&point)));
        }
        if !args.json {
            outputs.note(say(&sweep.line(&point)));
        }
        sweep.points.push(point);
        if let Some(path) = &args.plot {
            outputs.note(write_png(path, &sweep.chart().render(1200, 720)));
        }
    }
    if args.json {
        outputs.note(say(&format!("{}\n", sweep.to_json())));
    } else {
        outputs.note(say(&sweep.foot(args.plot.as_deref())));
    }
    Ok(outputs.end(ExitCode::SUCCESS))
}

/// The points: each twice the one before.
fn places(args: &BenchArgs, over: SweepOver) -> Result<Vec<u32>, Failure> {
    let (first, last, most) = match over {
        SweepOver::Cells => (16, 1024, 1 << 14),
        SweepOver::Agents => (256, PEOPLE, 1 << 27),
    };
    let (from, to) = (args.from.unwrap_or(first), args.to.unwrap_or(last));
    if from > to || to > most {
        return Err(Failure::Usage(format!("a sweep goes up, to {most} at most: --from {from} --to {to} does not")));
    }
    if over == SweepOver::Agents && args.agents.is_some() {
        return Err(Failure::Usage(
            "--sweep agents says itself how many: use --from and --to instead of --agents".into(),
        ));
    }
    if over == SweepOver::Cells && args.scale != [1.0] {
        return Err(Failure::Usage(
            "--sweep cells says itself how large: use --from and --to instead of --scale".into(),
        ));
    }
    if args.scale.len() > 1 {
        return Err(Failure::Usage("a sweep over people runs in one world: give --scale one number".into()));
    }
    if let Some(path) = &args.plot
        && path.extension().is_none_or(|e| !e.eq_ignore_ascii_case("png"))
    {
        return Err(Failure::Usage(format!("--plot {}: a chart is a .png", path.display())));
    }
    Ok(std::iter::successors(Some(from), |n| n.checked_mul(2)).take_while(|n| *n <= to).collect())
}

/// The scene of a point.
fn scene(args: &BenchArgs, over: SweepOver, place: u32) -> Result<Scene, Failure> {
    let mut scene = load::scene(&SceneArgs {
        scene: args.scene().to_owned(),
        set: args.set.clone(),
        seed: None,
        agents: None,
        scale: None,
        allow_paths: args.allow_paths,
    })?;
    let scale = match over {
        SweepOver::Cells => f64::from(place).powi(2) / scene.grid.len() as f64,
        SweepOver::Agents => args.scale[0],
    };
    let people = match over {
        SweepOver::Cells => args.agents.unwrap_or(PEOPLE),
        SweepOver::Agents => place,
    };
    let cannot = |e| Failure::Usage(format!("this scene cannot be swept: {e}"));
    // Without people: a scale is of the crowd too, and a large one would make too many of them on the way.
    let counts: Vec<u32> = scene.groups.iter_mut().map(|g| std::mem::take(&mut g.count)).collect();
    scene.scale(scale).map_err(cannot)?;
    for (group, count) in scene.groups.iter_mut().zip(counts) {
        group.count = count;
    }
    scene.set_agents(people).map_err(cannot)?;
    Ok(scene)
}

/// Sets a point up, and says whether more people are in it than fit side by side: they overlap then, as in the thesis.
fn begin(args: &BenchArgs, over: SweepOver, place: u32) -> Result<(Simulation, bool), Failure> {
    let mut scene = scene(args, over, place)?;
    match load::simulation(&scene, &args.engine) {
        Err(Failure::Scene(_)) => {
            for group in &mut scene.groups {
                group.place = Place::Random;
            }
            // What else is wrong is wrong still, and is said now.
            Ok((load::simulation(&scene, &args.engine)?, true))
        }
        other => Ok((other?, false)),
    }
}

/// How long steps of a point took: of the fastest batch.
struct Timed {
    steps: u64,
    step_ms: f64,
    stage_ms: [f64; COUNT],
}

/// Times so many steps; on the CPU, where every step is timed by itself, fewer if `until` comes first.
fn batch(
    sim: &mut Simulation,
    steps: u64,
    until: Option<Instant>,
    mut step: impl FnMut(&mut Simulation) -> Result<(), Failure>,
) -> Result<Timed, Failure> {
    let before = sim.engine().stage_ms();
    let start = Instant::now();
    let mut many = 0;
    while many < steps && (many == 0 || until.is_none_or(|end| Instant::now() < end)) {
        step(sim)?;
        many += 1;
    }
    // A GPU has only been asked so far: this waits for it.
    let _ = sim.counters();
    let step_ms = start.elapsed().as_secs_f64() * 1e3 / many.max(1) as f64;
    let after = sim.engine().stage_ms();
    let stage_ms = std::array::from_fn(|i| (after[i] - before[i]) / many.max(1) as f64);
    Ok(Timed { steps: many, step_ms, stage_ms })
}

/// Steps until all batches are done, or the time that a point has is up.
fn measure(args: &BenchArgs, sim: &mut Simulation, overlapping: bool, bar: &str) -> Result<Point, Failure> {
    let gpu = sim.engine().name() != "cpu";
    let warmup = args.warmup.unwrap_or(if gpu { 48 } else { 1 });
    let steps = args.steps.unwrap_or(if gpu { 16 } else { 3 });
    let steps = if gpu { steps.next_multiple_of(TIMED) } else { steps };
    let batches = u64::from(args.batches.unwrap_or(3));
    let limit = Duration::from_secs_f64(args.max_seconds);
    let began = Instant::now();
    let until = (!gpu).then_some(began + limit);
    let mut progress = Progress::new(warmup + batches * steps, bar, args.json);
    let mut done = 0;
    let mut step = |sim: &mut Simulation| -> Result<(), Failure> {
        sim.step()?;
        done += 1;
        progress.step(1, done, sim.time(), sim.engine().latest().active);
        Ok(())
    };
    // Warming up has half of the time at most; of a GPU's steps a few may be under way unseen.
    let mut warm = None;
    let mut left = warmup;
    while left > 0 && began.elapsed() <= limit / 2 {
        let many = if gpu { left.min(TIMED) } else { 1 };
        warm = Some(batch(sim, many, None, &mut step)?);
        left -= many;
    }
    // Where not even one more step would fit, the last one before has to do.
    let mut best = warm.filter(|_| !gpu && began.elapsed() > limit);
    if best.is_none() {
        for number in 0..batches {
            if number > 0 && began.elapsed() > limit {
                break;
            }
            let timed = batch(sim, steps, until, &mut step)?;
            let steps = timed.steps + best.as_ref().map_or(0, |b: &Timed| b.steps);
            let faster = best.filter(|b| b.step_ms <= timed.step_ms).unwrap_or(timed);
            best = Some(Timed { steps, ..faster });
        }
    }
    progress.finish();
    let Timed { steps, step_ms, stage_ms } = best.expect("there is a batch at least");
    let (scene, grid) = (sim.scene(), sim.scene().grid);
    let cells = grid.len() as u64;
    Ok(Point {
        agents: scene.agent_count(),
        cells,
        side: (cells as f64).sqrt(),
        density: scene.agent_count() as f64 / (cells as f64 * f64::from(grid.cell).powi(2)),
        overlapping,
        goals: scene.goals.len(),
        steps,
        step_ms,
        stage_ms,
        solver: sound(sim)?.solver,
    })
}

impl Sweep {
    /// Where it runs, in words.
    fn on(&self) -> String {
        match self.engine {
            "cpu" => format!("{}, {}", processor(), self.device),
            _ => self.device.clone(),
        }
    }

    fn head(&self, many: usize) -> String {
        let what = match self.over {
            SweepOver::Cells => "the world grows, the people stay",
            SweepOver::Agents => "the crowd grows, the world stays",
        };
        let mut o = format!("{}, {}: {what}\non {}: {}\n", self.scene, several(many, "point"), self.engine, self.on());
        o += "ms per step, of the fastest batch; planning is from splat to gradient\n";
        o + &format!(
            "  {:>11} {:>11} {:>9} {:>11} {:>10} {:>10} {:>7} {:>9} {:>10} {:>9}\n",
            "cells",
            "people",
            "people/m²",
            "whole step",
            "planning",
            "potential",
            "rounds",
            "moving",
            "colliding",
            "the rest"
        )
    }

    fn line(&self, p: &Point) -> String {
        let [planning, moving, colliding, rest] = PARTS.map(|(_, stages)| p.sum(stages));
        format!(
            "  {:>11} {:>11} {:>9} {:>11.3} {planning:>10.3} {:>10.3} {:>7} {moving:>9.3} {colliding:>10.3} {rest:>9.3}{}\n",
            grouped(p.cells),
            grouped(p.agents),
            significant(p.density),
            p.step_ms,
            p.sum(&[Stage::Potential]),
            p.solver.rounds,
            if p.overlapping { "  overlap" } else { "" },
        )
    }

    fn foot(&self, plot: Option<&Path>) -> String {
        let mut o = String::new();
        if self.points.iter().any(|p| p.overlapping) {
            o += "overlap: more people than fit side by side, placed at random\n";
        }
        if self.points.iter().all(|p| p.stage_ms.iter().sum::<f64>() <= 0.0) {
            o += "this device cannot time its stages: only whole steps are measured\n";
        }
        if let Some(path) = plot {
            o += &format!("chart: {}\n", path.display());
        }
        o
    }

    fn row(&self, p: &Point) -> String {
        let [processor, device, scene] = [&processor(), &self.device, &self.scene].map(|t| quoted(t));
        let over = word(self.over);
        let stages: String = p.stage_ms.iter().map(|ms| format!(",{ms:.5}")).collect();
        format!(
            "{processor},{device},{scene},{over},{},{},{},{:.3},{},{},{},{:.3},{:.5}{stages}\n",
            p.agents,
            p.cells,
            p.goals,
            p.density,
            p.overlapping,
            p.steps,
            p.solver.rounds,
            p.visits(),
            p.step_ms
        )
    }

    fn to_json(&self) -> Value {
        let points: Vec<Value> = self
            .points
            .iter()
            .map(|p| {
                let stages: serde_json::Map<String, Value> =
                    NAMES.iter().zip(p.stage_ms).map(|(name, ms)| ((*name).to_owned(), json!(ms))).collect();
                json!({
                    "agents": p.agents, "cells": p.cells, "goals": p.goals, "people_per_m2": p.density,
                    "overlapping": p.overlapping, "steps": p.steps, "ms_per_step": p.step_ms, "stages": stages,
                    "solver": { "rounds": p.solver.rounds, "visits_per_cell": p.visits() },
                })
            })
            .collect();
        json!({
            "processor": processor(), "engine": self.engine, "device": self.device, "scene": self.scene,
            "sweep": word(self.over), "points": points,
        })
    }

    /// Time over cells or people, both logarithmic.
    fn chart(&self) -> LineChart {
        let across = |p: &Point| match self.over {
            SweepOver::Cells => p.cells as f64,
            SweepOver::Agents => p.agents as f64,
        };
        let mark = |p: &Point| match self.over {
            // Not every world is square: this is the square of as many cells.
            SweepOver::Cells => format!("{}²", p.side.round()),
            SweepOver::Agents => grouped(p.agents),
        };
        let curve = |name: String, ms: &dyn Fn(&Point) -> f64| Series {
            name,
            points: self.points.iter().map(|p| (across(p), ms(p))).collect(),
        };
        let mut series = vec![curve("whole step".into(), &|p| p.step_ms)];
        for (name, stages) in PARTS {
            let ends = [stages.first(), stages.last()].map(|s| s.map_or("", |s| s.name()));
            let link = if stages.len() > 2 { "to" } else { "and" };
            series.push(curve(format!("{name}: {} {link} {}", ends[0], ends[1]), &|p| p.sum(stages)));
        }
        for part in [Stage::Potential, Stage::Splat] {
            series.push(curve(format!("{} alone", part.name()), &|p| p.sum(&[part])));
        }
        // Stages that a device cannot time are no curves.
        series.retain(|s| s.points.iter().any(|(_, ms)| *ms > 0.0));
        let fixed = self.points.first().map_or_else(String::new, |p| match self.over {
            SweepOver::Cells => format!("{} people", grouped(p.agents)),
            SweepOver::Agents => format!("{} cells", grouped(p.cells)),
        });
        let full = self.points.iter().rev().find(|p| p.overlapping).map(mark);
        let full = full.map_or_else(String::new, |last| {
            format!("; up to {last} there are more people than fit, and they overlap")
        });
        LineChart {
            title: format!("{}, {fixed}, on {}: {}", self.scene, self.engine, self.on()),
            x_label: match self.over {
                SweepOver::Cells => format!("cells of the world{full}"),
                SweepOver::Agents => "people".into(),
            },
            y_label: "time per step, ms".into(),
            series,
            x_scale: Scale::Log,
            y_scale: Scale::Log,
            x_marks: self.points.iter().map(|p| (across(p), mark(p))).collect(),
            dots: true,
            ..LineChart::default()
        }
    }
}

fn word(over: SweepOver) -> &'static str {
    match over {
        SweepOver::Cells => "cells",
        SweepOver::Agents => "agents",
    }
}

/// Of the CSV; the last columns are the ms of every stage.
fn header() -> String {
    let stages: String = NAMES.iter().map(|name| format!(",{name}_ms")).collect();
    format!(
        "processor,device,scene,sweep,agents,cells,goals,people_per_m2,overlapping,steps,rounds,visits_per_cell,step_ms{stages}\n"
    )
}

/// A density with two digits that mean something.
fn significant(value: f64) -> String {
    match value {
        10.0.. => grouped(value.round() as u64),
        0.1.. => format!("{value:.1}"),
        _ => format!("{value:.4}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stage_belongs_to_one_part_of_a_step() {
        let mut all: Vec<Stage> = PARTS.iter().flat_map(|(_, stages)| stages.iter().copied()).collect();
        all.sort_unstable();
        assert_eq!(all, Stage::ALL);
    }
}
