//! When those who are left are taken to be stuck, so that a run that waits for them ends.

use crate::out::people;
use throng::Scene;
use throng::engine::Counters;
use throng::scene::{Group, Leg, Wait};

/// After so many simulated seconds without an arrival, and as long as the scene itself makes anybody wait.
const PATIENCE_S: f64 = 600.0;

/// Watches arrivals.
pub(crate) struct Patience {
    arrived: u64,
    /// When somebody arrived last, s.
    last_arrival: f64,
    /// How long to wait for the next, s.
    most: f64,
    dt: f64,
}

impl Patience {
    /// From now on, which is so many seconds into the run.
    pub(crate) fn new(scene: &Scene, begin: &Counters, time: f64) -> Self {
        Self {
            arrived: begin.arrived,
            last_arrival: time,
            most: PATIENCE_S + f64::from(longest_wait(scene)),
            dt: f64::from(scene.dt),
        }
    }

    /// After a step.
    pub(crate) fn note(&mut self, c: &Counters) {
        if c.arrived != self.arrived || c.entered > 0 && c.outside > 0 {
            (self.arrived, self.last_arrival) = (c.arrived, c.steps as f64 * self.dt);
        }
    }

    /// How many had arrived when it was noted last.
    pub(crate) fn arrived(&self) -> u64 {
        self.arrived
    }

    /// Whether nobody is expected to arrive any more.
    pub(crate) fn is_over(&self, time: f64) -> bool {
        time - self.last_arrival > self.most
    }
}

/// What to say then.
pub(crate) fn words(left: u64) -> String {
    let are = if left == 1 { "is" } else { "are" };
    format!("{} {are} left and nobody has arrived for {PATIENCE_S:.0} s", people(left))
}

/// The longest that anybody stands still because the scene says so, s.
fn longest_wait(scene: &Scene) -> f32 {
    // A wait until an event ends with it, and events count too.
    let seconds = |leg: &Leg| if let Wait::For(seconds) = leg.wait { seconds } else { 0.0 };
    let last_event = scene.events.iter().map(|e| e.at).fold(0.0, f32::max);
    let delay = |g: &Group| g.delay.max() + if g.delay_until.is_some() { last_event } else { 0.0 };
    let waits = scene.groups.iter().flat_map(|g| g.journey.iter().map(seconds).chain([delay(g)]));
    let sources = scene.groups.iter().filter_map(|g| g.rate.map(|r| g.count as f32 / r));
    let slowest = scene.groups.iter().map(|g| g.speed.min()).fold(f32::INFINITY, f32::min);
    let portals = scene.portals.iter().map(|p| p.length / (p.speed * slowest));
    waits.chain(sources).chain(portals).fold(last_event, f32::max)
}
