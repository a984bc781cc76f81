//! How fast a run goes, and where it stops by itself.

use std::time::{Duration, Instant};
use throng::Simulation;
use throng::engine::Counters;

/// How fast time passes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pace {
    /// It does not.
    Paused,
    /// So many simulated seconds a second.
    Times(f32),
    /// As fast as possible.
    Unbounded,
}

/// Where the run stops by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stop {
    /// When everybody is out.
    pub at_end: bool,
    /// At this time, s.
    pub at: Option<f64>,
}

impl Stop {
    /// Whether a run is there.
    pub(crate) fn is_reached(self, sim: &Simulation) -> bool {
        // Half a step: times are sums of steps, and rounded.
        let there = |at: f64| sim.time() >= at - 0.5 * f64::from(sim.scene().dt);
        self.at.is_some_and(there) || (self.at_end && everybody_is_out(&sim.engine().latest()))
    }
}

/// Whether there were people and all of them have gone for good.
#[must_use]
pub fn everybody_is_out(counters: &Counters) -> bool {
    counters.to_go() == 0 && counters.parked > 0
}

/// What simulated time is owed to real time.
pub(crate) struct Clock {
    pace: Pace,
    /// Simulated seconds that are owed.
    owed: f64,
    before: Instant,
}

impl Clock {
    pub(crate) fn new() -> Self {
        Self { pace: Pace::Paused, owed: 0.0, before: Instant::now() }
    }

    pub(crate) fn set(&mut self, pace: Pace) {
        if pace != self.pace {
            (self.pace, self.owed, self.before) = (pace, 0.0, Instant::now());
        }
    }

    /// Lets real time pass. Who cannot keep up owes at most a tenth of a second's worth.
    pub(crate) fn tick(&mut self, dt: f64) {
        let now = Instant::now();
        let passed = now.duration_since(self.before).as_secs_f64();
        self.before = now;
        if let Pace::Times(speed) = self.pace {
            self.owed = (self.owed + passed * f64::from(speed)).min((0.1 * f64::from(speed)).max(1.5 * dt));
        }
    }

    /// Whether a step is due.
    pub(crate) fn is_due(&self, dt: f64) -> bool {
        match self.pace {
            Pace::Paused => false,
            Pace::Times(_) => self.owed >= dt,
            Pace::Unbounded => true,
        }
    }

    /// How long to wait for that, where nothing else is to be done.
    pub(crate) fn until_due(&self, dt: f64) -> Duration {
        match self.pace {
            Pace::Times(speed) if !self.is_due(dt) => {
                Duration::from_secs_f64(((dt - self.owed) / f64::from(speed)).clamp(0.0005, 0.05))
            }
            _ => Duration::from_millis(50),
        }
    }

    /// A step was done.
    pub(crate) fn done(&mut self, dt: f64) {
        self.owed = (self.owed - dt).max(0.0);
    }

    /// When the last step was due.
    pub(crate) fn due(&self) -> Instant {
        match self.pace {
            Pace::Times(speed) => self.before.checked_sub(Duration::from_secs_f64(self.owed / f64::from(speed))),
            _ => None,
        }
        .unwrap_or(self.before)
    }
}
