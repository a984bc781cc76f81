//! What a run was before: snapshots that are kept while it goes on, so that one can go back to a moment.

use std::sync::Arc;
use std::time::{Duration, Instant};
use throng::Simulation;
use throng::engine::{CrowdChange, EngineError};
use throng::scene::{Group, Model};

/// All snapshots together at most, bytes.
const ROOM: usize = 256 << 20;
/// How many at most.
const MOST: usize = 120;
/// Between two, of simulated time at first, s.
const EVERY: f64 = 2.0;
/// Between two, of real time; and at least so many times what one took.
const PAUSE: Duration = Duration::from_millis(500);
const SHARE: u32 = 20;

const TOO_LARGE: &str = "the scene is too large to keep what it was";

struct Kept {
    time: f64,
    steps: u64,
    bytes: Vec<u8>,
    /// Who walked then: a run takes a snapshot on only with the same groups.
    groups: Arc<Vec<Group>>,
    /// What else was changed by then: how often the world was, and the model.
    changed: (u64, Model),
}

/// Snapshots, the oldest first.
pub(crate) struct Past {
    kept: Vec<Kept>,
    /// Between two, s.
    every: f64,
    not_before: Instant,
    /// Why nothing more is kept.
    gave_up: Option<String>,
}

impl Past {
    pub(crate) fn new() -> Self {
        Self { kept: Vec::new(), every: EVERY, not_before: Instant::now(), gave_up: None }
    }

    /// The times that one can go back to, s.
    pub(crate) fn times(&self) -> Vec<f64> {
        self.kept.iter().map(|k| k.time).collect()
    }

    /// Keeps what the run is now, if that is due: before time passes. Also after every change, so that going back to a later moment finds it
    /// made.
    pub(crate) fn note(&mut self, sim: &mut Simulation) {
        if self.kept.last().is_some_and(|k| k.steps > sim.steps()) {
            *self = Self::new();
        }
        let changed = (sim.edits(), sim.scene().model);
        let due = self.kept.last().is_none_or(|k| {
            sim.time() >= k.time + self.every || k.groups.len() != sim.scene().groups.len() || k.changed != changed
        });
        if !due || self.gave_up.is_some() || Instant::now() < self.not_before {
            return;
        }
        if sim.scene().memory_estimate() > 4 * ROOM as u64 {
            self.gave_up = Some(TOO_LARGE.to_owned());
            return;
        }
        let began = Instant::now();
        let bytes = match sim.save() {
            Ok(bytes) => bytes,
            Err(why) => {
                self.gave_up = Some(format!("it could not be kept: {why}"));
                return;
            }
        };
        self.not_before = Instant::now() + PAUSE.max(SHARE * began.elapsed());
        self.gave_up = (bytes.len() > ROOM / 4).then(|| TOO_LARGE.to_owned());
        // What it was at the same moment before it was changed.
        self.kept.pop_if(|k| k.steps == sim.steps());
        let groups = match self.kept.last() {
            Some(last) if *last.groups == sim.scene().groups => Arc::clone(&last.groups),
            _ => Arc::new(sim.scene().groups.clone()),
        };
        self.kept.push(Kept { time: sim.time(), steps: sim.steps(), bytes, groups, changed });
        while self.kept.len() > MOST || self.kept.iter().map(|k| k.bytes.len()).sum::<usize>() > ROOM {
            // Every second one goes; the first stays.
            let mut number = 0;
            self.kept.retain(|_| {
                number += 1;
                number % 2 == 1
            });
            self.every *= 2.0;
            if self.kept.len() <= 1 {
                break;
            }
        }
    }

    /// Takes the run back to the last snapshot before a time, s; later ones are forgotten. Returns its time.
    ///
    /// # Errors
    /// If there is none, or the run does not take it.
    pub(crate) fn go_back(&mut self, sim: &mut Simulation, to: f64) -> Result<f64, String> {
        let soon = 0.5 * f64::from(sim.scene().dt);
        let number = self.kept.iter().rposition(|k| k.time <= to + soon).ok_or_else(|| {
            let why = self.gave_up.as_deref().unwrap_or("nothing was kept of that time");
            format!("cannot go back: {why}")
        })?;
        let kept = &self.kept[number];
        let now = sim.save().map(|bytes| (bytes, sim.scene().groups.clone()));
        take_on(sim, &kept.groups, &kept.bytes).map_err(|why| {
            // It is what it was, with whom it had.
            let as_it_was = now.is_ok_and(|(bytes, groups)| take_on(sim, &groups, &bytes).is_ok());
            let half = if as_it_was { "" } else { "; the run is neither what it was nor what it is to be: reset it" };
            format!("cannot go back: {why}{half}")
        })?;
        let time = kept.time;
        self.kept.truncate(number + 1);
        Ok(time)
    }
}

/// Makes a run what it was with some groups.
pub(crate) fn take_on(sim: &mut Simulation, groups: &[Group], bytes: &[u8]) -> Result<(), String> {
    have_groups(sim, groups).map_err(|e| e.to_string())?;
    sim.resume(bytes).map_err(|e| e.to_string())
}

/// Gives a run the groups that it had: who was dropped since is taken off, and speeds and arrival rules are as they were.
fn have_groups(sim: &mut Simulation, groups: &[Group]) -> Result<(), EngineError> {
    // Also who was dropped in the place of others that were taken back.
    let others = |now: &[Group]| now.len() > groups.len() || now.iter().zip(groups).any(|(a, b)| a.name != b.name);
    while others(&sim.scene().groups) {
        sim.change_crowd(&CrowdChange::TakeBack)?;
    }
    for group in &groups[sim.scene().groups.len()..] {
        sim.change_crowd(&CrowdChange::Drop(Box::new(group.clone())))?;
    }
    for (g, group) in groups.iter().enumerate() {
        if sim.scene().groups[g].speed != group.speed {
            sim.change_crowd(&CrowdChange::Speed(g, group.speed))?;
        }
        if sim.scene().groups[g].arrive != group.arrive {
            sim.change_crowd(&CrowdChange::Arrive(g, group.arrive))?;
        }
    }
    Ok(())
}
