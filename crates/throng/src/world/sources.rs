//! Sources as they are now: whether each lets people in, and how many fell due while it did not.

use crate::scene::Group;

/// The source of a group. Its clock stands still while it is off, so that nobody has to be made up for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceNow {
    /// Whether it lets people in.
    pub on: bool,
    /// The step before which it was last switched off.
    pub(crate) off_since: u32,
    /// How many fell due while it was off before.
    pub(crate) skipped: u32,
}

/// How many a source has let in, or would have, when so many steps are done.
#[must_use]
pub(crate) fn due(rate: f32, dt: f32, steps: u32) -> f64 {
    f64::from(steps) * f64::from(dt) * f64::from(rate)
}

impl SourceNow {
    /// Of a group that comes before the step of this number.
    #[must_use]
    pub(crate) fn new(group: &Group, step: u32) -> Self {
        Self { on: group.on, off_since: step, skipped: 0 }
    }

    /// Switches it on or off before a step. Returns whether it was otherwise.
    pub(crate) fn switch(&mut self, on: bool, rate: f32, dt: f32, step: u32) -> bool {
        if on == self.on {
            return false;
        }
        if on {
            let whole = |step: u32| due(rate, dt, step).floor().min(f64::from(u32::MAX)) as u32;
            self.skipped = self.skipped.saturating_add(whole(step).saturating_sub(whole(self.off_since)));
        } else {
            self.off_since = step;
        }
        self.on = on;
        true
    }

    /// Whether it may let one more in who has let in so many, when so many are due in all.
    #[must_use]
    pub(crate) fn lets_in(&self, let_in: u32, due: f64) -> bool {
        self.on && f64::from(let_in) + f64::from(self.skipped) + 1.0 <= due
    }

    /// How many it may have let in when so many are due in all.
    #[must_use]
    #[cfg(feature = "gpu")]
    pub(crate) fn budget(&self, due: f64) -> u32 {
        let whole = due.floor().clamp(0.0, f64::from(u32::MAX)) as u32;
        if self.on { whole.saturating_sub(self.skipped) } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lets in whoever it may, step by step, and says when.
    fn entries(rate: f32, switches: &[(u32, bool)], steps: u32) -> Vec<u32> {
        let mut source = SourceNow { on: true, off_since: 0, skipped: 0 };
        let mut at = Vec::new();
        for step in 0..steps {
            for &(_, on) in switches.iter().filter(|(when, _)| *when == step) {
                source.switch(on, rate, 0.1, step);
            }
            while source.lets_in(at.len() as u32, due(rate, 0.1, step + 1)) {
                at.push(step);
            }
        }
        at
    }

    #[test]
    fn a_source_that_was_off_goes_on_where_it_stopped() {
        // One a second.
        assert_eq!(entries(1.0, &[], 40), [9, 19, 29, 39]);
        assert_eq!(entries(1.0, &[(12, false), (32, true)], 50), [9, 39, 49]);
        assert_eq!(entries(1.0, &[(0, false), (20, true), (25, false), (40, true)], 60), [49, 59]);
    }
}
