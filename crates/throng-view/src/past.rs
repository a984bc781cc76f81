//! What a run was before: snapshots that are kept while it goes on, so that one can go back to a moment.

use std::sync::Arc;
use std::time::{Duration, Instant};
use throng::Simulation;
use throng::engine::{CrowdChange, EngineError};
use throng::scene::Group;

/// All snapshots together at most, bytes.
const ROOM: usize = 256 << 20;
/// How many at most.
const MOST: usize = 120;
/// Between two, of simulated time at first, s.
const EVERY: f64 = 2.0;
/// Between two, of real time; and at least so many times what one took.
const PAUSE: Duration = Duration::from_millis(500);
const SHARE: u32 = 20;

struct Kept {
    time: f64,
    steps: u64,
    bytes: Vec<u8>,
    /// Who walked then: a run takes a snapshot on only with the same groups.
    groups: Arc<Vec<Group>>,
}

/// Snapshots, the oldest first.
pub(crate) struct Past {
    kept: Vec<Kept>,
    /// Between two, s.
    every: f64,
    not_before: Instant,
    /// Whether a snapshot of this run is too large to keep several.
    too_large: bool,
}

impl Past {
    pub(crate) fn new() -> Self {
        Self { kept: Vec::new(), every: EVERY, not_before: Instant::now(), too_large: false }
    }

    /// The times that one can go back to, s.
    pub(crate) fn times(&self) -> Vec<f64> {
        self.kept.iter().map(|k| k.time).collect()
    }

    /// Keeps what the run is now, if that is due. A run that has begun again has another past. Before and after a drop something is kept,
    /// since nothing else brings these people back.
    pub(crate) fn note(&mut self, sim: &mut Simulation) {
        if self.kept.last().is_some_and(|k| k.steps > sim.steps()) {
            *self = Self::new();
        }
        let due = self.kept.last().is_none_or(|k| {
            sim.time() >= k.time + self.every || (k.steps < sim.steps() && k.groups.len() != sim.scene().groups.len())
        });
        if !due || self.too_large || Instant::now() < self.not_before {
            return;
        }
        if sim.scene().memory_estimate() > 4 * ROOM as u64 {
            self.too_large = true;
            return;
        }
        let began = Instant::now();
        // A device that fails is noticed by the step that fails with it.
        let Ok(bytes) = sim.save() else { return };
        self.not_before = Instant::now() + PAUSE.max(SHARE * began.elapsed());
        self.too_large = bytes.len() > ROOM / 4;
        let groups = match self.kept.last() {
            Some(last) if *last.groups == sim.scene().groups => Arc::clone(&last.groups),
            _ => Arc::new(sim.scene().groups.clone()),
        };
        self.kept.push(Kept { time: sim.time(), steps: sim.steps(), bytes, groups });
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

    /// Takes the run back to the last snapshot before a time, s; later ones are forgotten.
    ///
    /// # Errors
    /// If there is none, or the run does not take it.
    pub(crate) fn go_back(&mut self, sim: &mut Simulation, to: f64) -> Result<(), String> {
        let soon = 0.5 * f64::from(sim.scene().dt);
        let number = self.kept.iter().rposition(|k| k.time <= to + soon).ok_or_else(|| {
            let why = if self.too_large {
                "the scene is too large to keep what it was"
            } else {
                "nothing was kept of that time"
            };
            format!("cannot go back: {why}")
        })?;
        let kept = &self.kept[number];
        have_groups(sim, &kept.groups).map_err(|e| format!("cannot go back: {e}"))?;
        sim.resume(&kept.bytes).map_err(|e| format!("cannot go back: {e}"))?;
        self.kept.truncate(number + 1);
        Ok(())
    }
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
