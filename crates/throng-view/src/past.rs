//! What a run was before: snapshots that are kept while it goes on, so that one can go back to a moment.

use std::sync::Arc;
use std::time::{Duration, Instant};
use throng::Simulation;
use throng::scene::{Group, Hazard, Model};

/// All snapshots together at most, bytes.
const ROOM: usize = 256 << 20;
/// How many at most.
const MOST: usize = 120;
/// Between two, of simulated time at first, s.
const EVERY: f64 = 2.0;
/// Between two, of real time; and at least so many times what one took.
const PAUSE: Duration = Duration::from_millis(500);
const SHARE: u32 = 20;

/// Bytes that somebody takes in a snapshot at least.
const LEAST_PER_AGENT: u64 = 40;

const TOO_LARGE: &str = "the scene is too large to keep what it was";

struct Kept {
    time: f64,
    steps: u64,
    /// How many tasks the run had done.
    tasks: u64,
    bytes: Vec<u8>,
    /// Who walked then: a run takes a snapshot on only with the same groups.
    groups: Arc<Vec<Group>>,
    /// What else was changed by then: how often the world was, the model, and hazards.
    changed: (u64, Model, Vec<Hazard>),
}

/// Snapshots, the oldest first.
pub(crate) struct Past {
    kept: Vec<Kept>,
    /// Between two, s.
    every: f64,
    not_before: Instant,
    /// Why nothing more is kept.
    gave_up: Option<String>,
    /// How many tasks the run has done, and whether the last one was part of a change that goes on.
    tasks: u64,
    part: bool,
    /// For all of them, bytes.
    room: usize,
}

impl Past {
    pub(crate) fn new() -> Self {
        Self {
            kept: Vec::new(),
            every: EVERY,
            not_before: Instant::now(),
            gave_up: None,
            tasks: 0,
            part: false,
            room: ROOM,
        }
    }

    /// The run is another one.
    pub(crate) fn forget(&mut self) {
        *self = Self { tasks: self.tasks, part: self.part, room: self.room, ..Self::new() };
    }

    /// The run does a task, which is part of a change that goes on or not.
    pub(crate) fn have_done(&mut self, task: u64, part: bool) {
        (self.tasks, self.part) = (task, part);
    }

    /// The times that one can go back to, s.
    pub(crate) fn times(&self) -> Vec<f64> {
        self.kept.iter().map(|k| k.time).collect()
    }

    /// Keeps what the run is now, if that is due: before time passes. Also after every change, so that going back to a later moment finds it
    /// made.
    pub(crate) fn note(&mut self, sim: &mut Simulation) {
        if self.kept.last().is_some_and(|k| k.steps > sim.steps()) {
            self.forget();
        }
        // Half of a change is nothing that one could take back.
        if self.part || self.gave_up.is_some() || Instant::now() < self.not_before {
            return;
        }
        let changed = (sim.edits(), sim.scene().model, sim.scene().hazards.clone());
        let due = self.kept.last().is_none_or(|k| {
            sim.time() >= k.time + self.every || k.groups.len() != sim.scene().groups.len() || k.changed != changed
        });
        if !due {
            return;
        }
        let scene = sim.scene();
        // Also those count who are yet to come from a source.
        if scene.agent_count() * LEAST_PER_AGENT > self.room as u64 || scene.memory_estimate() > 4 * ROOM as u64 {
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
        self.gave_up = (bytes.len() > self.room / 4).then(|| TOO_LARGE.to_owned());
        if bytes.len() > self.room {
            return;
        }
        // What it was at the same moment before it was changed.
        self.kept.pop_if(|k| k.steps == sim.steps());
        let groups = match self.kept.last() {
            Some(last) if *last.groups == sim.scene().groups => Arc::clone(&last.groups),
            _ => Arc::new(sim.scene().groups.clone()),
        };
        self.kept.push(Kept { time: sim.time(), steps: sim.steps(), tasks: self.tasks, bytes, groups, changed });
        while self.kept.len() > MOST || self.kept.iter().map(|k| k.bytes.len()).sum::<usize>() > self.room {
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

    /// Takes the run back to the last snapshot before a time, s, unless it is before that already; later ones are forgotten. Returns how many tasks
    /// it had done then.
    ///
    /// # Errors
    /// If there is none, or the run does not take it.
    pub(crate) fn go_back(&mut self, sim: &mut Simulation, to: f64) -> Result<u64, String> {
        let soon = 0.5 * f64::from(sim.scene().dt);
        if sim.time() <= to + soon {
            // It may have begun again just before.
            return Ok(self.tasks);
        }
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
        let tasks = kept.tasks;
        self.kept.truncate(number + 1);
        Ok(tasks)
    }
}

/// Makes a run what it was with some groups.
pub(crate) fn take_on(sim: &mut Simulation, groups: &[Group], bytes: &[u8]) -> Result<(), String> {
    sim.resume_with(groups, bytes).map_err(|e| e.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_larger_than_the_room_for_all_is_not_kept() {
        let scene = throng::Scene::built_in("office").expect("built in");
        let mut sim = Simulation::with_threads(&scene, 1).expect("it runs");
        let size = sim.save().expect("bytes").len();
        for (room, kept) in [(size - 1, 0), (size + 1, 1), (8 * size, 1)] {
            let mut past = Past { room, ..Past::new() };
            past.note(&mut sim);
            assert_eq!(past.times().len(), kept, "room for {room} bytes");
            assert_eq!(past.gave_up.is_some(), room < 4 * size);
        }
    }

    #[test]
    fn nothing_is_kept_within_a_change() {
        let scene = throng::Scene::built_in("office").expect("built in");
        let mut sim = Simulation::with_threads(&scene, 1).expect("it runs");
        let mut past = Past::new();
        past.have_done(1, true);
        past.note(&mut sim);
        assert!(past.times().is_empty());
        past.have_done(2, false);
        past.note(&mut sim);
        assert_eq!(past.times(), [0.0]);
    }
}
