//! One run of a scene, and what is known of it afterwards.

use crate::draft::Draft;
use crate::observe::{Observer, Seen};
use crate::settings::{Settings, Variant};
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use throng::engine::{Counters, EngineError};
use throng::measure::Watch;
use throng::scene::{BuiltIn, Files, NoFiles, SceneError, built_in, with_value};
use throng::stages::COUNT;
use throng::{Scene, Simulation};

/// Makes the observer of a run.
pub(crate) type MakeObserver = Arc<dyn Fn() -> Box<dyn Observer> + Send + Sync>;

/// Where a scene comes from.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Source {
    /// Drawn by a test, with some values changed.
    Text { text: String, set: Vec<(String, String)> },
    /// Built in, with so many times its area and people, and some values changed.
    BuiltIn { name: &'static str, scale: f64, set: Vec<(String, String)> },
}

/// A run that a test asks for. Two of the same name and seed are the same run, and are made once.
#[derive(Clone)]
pub struct Run {
    /// What it is called, with its raster and step where they are not the usual ones, without the seed.
    pub name: String,
    /// Its seed.
    pub seed: u32,
    /// How long it may take, simulated s; it ends before if everybody has left.
    pub limit: f64,
    pub(crate) source: Source,
    pub(crate) observer: Option<MakeObserver>,
}

impl std::fmt::Debug for Run {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Run").field("name", &self.name).field("seed", &self.seed).finish_non_exhaustive()
    }
}

/// Why a run cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// Its scene is none with the settings that were asked for.
    #[error(transparent)]
    Scene(Box<SceneError>),
    /// Something else, in words.
    #[error("{0}")]
    Other(String),
}

impl From<SceneError> for RunError {
    fn from(error: SceneError) -> Self {
        Self::Scene(Box::new(error))
    }
}

fn other(why: impl ToString) -> RunError {
    RunError::Other(why.to_string())
}

impl Run {
    /// A run of a scene with each seed, with the usual raster.
    pub(crate) fn each(settings: &Settings, draft: &Draft, limit: f64) -> Vec<Self> {
        Self::each_as(settings, draft, &settings.variant(), limit)
    }

    /// A run of a scene with each seed, on a raster of its own.
    pub(crate) fn each_as(settings: &Settings, draft: &Draft, variant: &Variant, limit: f64) -> Vec<Self> {
        let mut draft = draft.clone();
        draft.name += &variant.suffix(&settings.variant());
        let text = |seed| Source::Text { text: draft.text(settings, variant, seed), set: settings.set.clone() };
        let run = |seed| Self { name: draft.name.clone(), seed, limit, source: text(seed), observer: None };
        settings.all_seeds().map(run).collect()
    }

    /// The same runs, each looked at by an observer of its own.
    pub(crate) fn seen_by<O: Observer + 'static>(
        runs: Vec<Self>,
        make: impl Fn() -> O + Send + Sync + 'static,
    ) -> Vec<Self> {
        let make: MakeObserver = Arc::new(move || Box::new(make()));
        runs.into_iter().map(|run| Self { observer: Some(make.clone()), ..run }).collect()
    }

    /// What its files are called.
    #[must_use]
    pub fn stem(&self) -> String {
        format!("{}-seed{}", self.name, self.seed)
    }

    /// The scene.
    ///
    /// # Errors
    /// If it is not one with the settings that were asked for.
    pub fn scene(&self) -> Result<Scene, RunError> {
        let (name, text) = (format!("{}.toml", self.stem()), self.text()?);
        let parse = |files: &dyn Files| Scene::parse(&name, &text, files).map_err(RunError::from);
        match &self.source {
            Source::Text { .. } => parse(&NoFiles),
            Source::BuiltIn { name, scale, .. } => {
                let mut scene = parse(&built_in_scene(name)?)?;
                scene.scale(*scale).map_err(other)?;
                Ok(scene)
            }
        }
    }

    /// The scene's text with all that is changed in it, before it is scaled.
    fn text(&self) -> Result<String, RunError> {
        let (text, set) = match &self.source {
            Source::Text { text, set } => (text.clone(), set),
            Source::BuiltIn { name, set, .. } => {
                (with_value(built_in_scene(name)?.text, "seed", &self.seed.to_string()).map_err(other)?, set)
            }
        };
        set.iter().try_fold(text, |text, (key, value)| {
            with_value(&text, key, value).map_err(|why| other(format!("{key} = {value}: {why}")))
        })
    }

    /// The scene as files that read as the same scene, by name.
    ///
    /// # Errors
    /// If it is not one with the settings that were asked for.
    pub fn files(&self) -> Result<Vec<(String, Vec<u8>)>, RunError> {
        match &self.source {
            Source::Text { .. } => Ok(vec![(format!("{}.toml", self.stem()), self.text()?.into_bytes())]),
            Source::BuiltIn { .. } => Ok(self.scene()?.to_files(&self.stem())),
        }
    }

    /// Does it. `None` if it was stopped before its end.
    pub(crate) fn execute(&self, settings: &Settings, stop: &AtomicBool) -> Result<Option<Outcome>, RunError> {
        let began = Instant::now();
        let scene = self.scene()?;
        let mut sim = settings.start(&scene)?;
        let mut observer = self.observer.as_ref().map(|make| make());
        let every = observer.as_ref().map_or(0.0, |o| o.every());
        let every = ((every / f64::from(scene.dt)).round() as u64).max(1);
        let failed = |e: EngineError| other(e);
        let first = sim.agents().map_err(failed)?;
        let mut watch = Watch::new(&scene, &first, 0);
        if let Some(observer) = &mut observer {
            observer.begin(&first);
        }
        while sim.time() < self.limit && !sim.is_done() {
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            sim.step().map_err(failed)?;
            let step = sim.steps();
            let (due, watched) = (observer.is_some() && step.is_multiple_of(every), watch.is_due(step));
            // The last look is at an empty floor: who left since the one before has arrived.
            if due || watched || sim.is_done() {
                let agents = sim.agents().map_err(failed)?;
                watch.look(&agents, step);
                if let Some(observer) = observer.as_mut().filter(|_| due) {
                    observer.look(&agents, sim.time());
                }
            }
        }
        Ok(Some(self.outcome(&mut sim, watch, observer, began)?))
    }

    fn outcome(
        &self,
        sim: &mut Simulation,
        watch: Watch,
        observer: Option<Box<dyn Observer>>,
        began: Instant,
    ) -> Result<Outcome, RunError> {
        let counters = sim.counters();
        let scene = sim.scene();
        Ok(Outcome {
            name: self.name.clone(),
            seed: self.seed,
            cell: scene.grid.cell,
            dt: scene.dt,
            people: scene.agent_count(),
            least_radius: scene.groups.iter().map(|g| g.radius.min()).fold(f32::INFINITY, f32::min),
            time: sim.time(),
            cleared: sim.is_done(),
            counters,
            seen: observer.map(|o| o.seen()).unwrap_or_default(),
            hash: sim.state_hash().map_err(other)?,
            watch,
            seconds: began.elapsed().as_secs_f64(),
            stage_ms: sim.engine().stage_ms(),
        })
    }
}

fn built_in_scene(name: &str) -> Result<BuiltIn, RunError> {
    built_in(name).ok_or_else(|| other(format!("there is no built-in scene {name}")))
}

/// What is known of a run.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Of which run.
    pub name: String,
    /// Its seed.
    pub seed: u32,
    /// Side of its cells, m.
    pub cell: f32,
    /// Its step, s.
    pub dt: f32,
    /// How many people it had.
    pub people: u64,
    /// The least radius of any body, m.
    pub least_radius: f32,
    /// Simulated time when it ended, s.
    pub time: f64,
    /// Whether everybody had left by then.
    pub cleared: bool,
    /// The numbers of the whole run.
    pub counters: Counters,
    /// Who arrived when and where, lines and areas.
    pub watch: Watch,
    /// What its observer saw.
    pub(crate) seen: Seen,
    /// Of the crowd at the end.
    pub hash: u64,
    /// How long it took, s.
    pub seconds: f64,
    /// How long each stage took, ms, all steps together.
    pub stage_ms: [f64; COUNT],
}

impl Outcome {
    /// When the last arrived, s; not a number if somebody never did.
    pub(crate) fn last(&self) -> f64 {
        if self.cleared { self.time } else { f64::NAN }
    }

    /// Those who arrived, of all, in per cent.
    pub(crate) fn arrived(&self) -> f64 {
        100.0 * self.counters.arrived as f64 / self.people.max(1) as f64
    }

    /// What its observer saw under a name.
    pub(crate) fn seen(&self, name: &str) -> &[f64] {
        self.seen.iter().find(|(n, _)| *n == name).map_or(&[], |(_, values)| values)
    }

    /// The times at which people first crossed a line of the scene forward, s.
    pub(crate) fn crossings(&self, line: &str) -> Vec<f64> {
        let Some(line) = self.watch.lines.iter().find(|l| l.name == line) else { return Vec::new() };
        let mut crossed = HashSet::new();
        line.crossings.iter().filter(|c| c.forward && crossed.insert(c.id)).map(|c| c.time).collect()
    }

    /// Persons per second through a line, over the middle 60 % of its crossings.
    pub(crate) fn flow(&self, line: &str) -> f64 {
        let times = self.crossings(line);
        let middle = &times[times.len() / 5..times.len() - times.len() / 5];
        match middle {
            [first, .., last] if middle.len() > 2 && last > first => (middle.len() - 1) as f64 / (last - first),
            _ => f64::NAN,
        }
    }

    /// An area of the scene.
    pub(crate) fn area(&self, name: &str) -> Option<&throng::measure::places::Area> {
        self.watch.areas.iter().find(|a| a.name == name)
    }

    /// Mean density of an area, persons/m².
    pub(crate) fn density(&self, area: &str) -> f64 {
        self.area(area).and_then(|a| a.mean_density()).unwrap_or(f64::NAN)
    }
}

/// What the runs of a test gave.
#[derive(Clone, Copy, Debug)]
pub struct Outcomes<'a>(pub(crate) &'a [&'a Outcome]);

impl<'a> Outcomes<'a> {
    /// All of them, in order.
    pub(crate) fn all(self) -> impl Iterator<Item = &'a Outcome> {
        self.0.iter().copied()
    }

    /// Those of a scene, by seed.
    pub(crate) fn of(self, name: &str) -> Vec<&'a Outcome> {
        self.all().filter(|o| o.name == name).collect()
    }

    /// A value of each run of a scene.
    pub(crate) fn each(self, name: &str, value: impl Fn(&Outcome) -> f64) -> Vec<f64> {
        self.of(name).into_iter().map(value).collect()
    }

    /// The mean of a value over the runs of a scene; not a number if any of them has none.
    pub(crate) fn mean(self, name: &str, value: impl Fn(&Outcome) -> f64) -> f64 {
        crate::verdict::mean(self.each(name, value))
    }

    /// The least share of people who arrived in any run of a scene, per cent.
    pub(crate) fn least_arrived(self, name: &str) -> f64 {
        least(&self.each(name, Outcome::arrived))
    }
}

/// The least of some values; not a number if one is not, or there is none.
pub(crate) fn least(values: &[f64]) -> f64 {
    values.iter().copied().reduce(|a, b| if a.is_nan() || a < b { a } else { b }).unwrap_or(f64::NAN)
}

/// The greatest of some values; not a number if one is not, or there is none.
pub(crate) fn most(values: &[f64]) -> f64 {
    values.iter().copied().reduce(|a, b| if a.is_nan() || a > b { a } else { b }).unwrap_or(f64::NAN)
}
