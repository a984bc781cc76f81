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
    /// How many had entered, from a source or again.
    entered: u64,
    /// When somebody arrived or entered last, s.
    last_sign: f64,
    /// How long to wait for the next, s.
    most: f64,
    dt: f64,
}

impl Patience {
    /// From now on, which is so many seconds into the run.
    pub(crate) fn new(scene: &Scene, begin: &Counters, time: f64) -> Self {
        Self {
            arrived: begin.arrived,
            entered: begin.entered,
            last_sign: time,
            most: PATIENCE_S + f64::from(longest_wait(scene)),
            dt: f64::from(scene.dt),
        }
    }

    /// After a step.
    pub(crate) fn note(&mut self, c: &Counters) {
        if (c.arrived, c.entered) != (self.arrived, self.entered) {
            (self.arrived, self.entered) = (c.arrived, c.entered);
            self.last_sign = c.steps as f64 * self.dt;
        }
    }

    /// How many had arrived when it was noted last.
    pub(crate) fn arrived(&self) -> u64 {
        self.arrived
    }

    /// Whether nobody is expected to arrive any more.
    pub(crate) fn is_over(&self, time: f64) -> bool {
        time - self.last_sign > self.most
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

#[cfg(test)]
mod tests {
    use super::*;
    use throng::scene::NoFiles;

    /// A source, and a run of it in which so many have entered and arrived after each ten minutes.
    fn is_over_after(signs: &[(u64, u64)]) -> bool {
        let text = "size = [20, 10]\n[[goal]]\nrect = [19, 4, 20, 6]\n[[agents]]\nsource = { rate = 10, total = 50 }\n\
                    start = { rect = [1, 1, 5, 5] }\n";
        let scene = Scene::parse("scene.toml", text, &NoFiles).expect("a sound scene");
        let mut patience = Patience::new(&scene, &Counters::default(), 0.0);
        let steps = (PATIENCE_S / f64::from(scene.dt)).round() as u64;
        for (k, &(entered, arrived)) in (1..).zip(signs) {
            patience.note(&Counters {
                entered,
                arrived,
                outside: 50 - entered,
                steps: k * steps,
                ..Counters::default()
            });
        }
        patience.is_over(PATIENCE_S * signs.len() as f64)
    }

    #[test]
    fn people_outside_who_never_enter_are_not_waited_for() {
        assert!(!is_over_after(&[(10, 0), (10, 1), (10, 2)]));
        assert!(!is_over_after(&[(10, 0), (20, 0), (30, 0)]));
        // Some entered, then the way in was closed for good.
        assert!(is_over_after(&[(10, 0), (10, 0), (10, 0)]));
    }
}
