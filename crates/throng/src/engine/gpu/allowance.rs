//! How many rounds of the solver a step is given. They are asked for before it is known how many it needs, so it is given somewhat more than the steps before needed. A
//! step that needs more still is cut short, and counted; the ones after it get as many as any crowd on this map should need.

use super::journal::BLOCK;
use std::collections::VecDeque;

/// Blocks of steps of which it is known what they needed: a hard step is seldom alone, and a round with nothing to do costs next to nothing.
const REMEMBERED: usize = 16;
/// For so many steps the bound is given when nothing is known.
const WARY: u64 = 4 * BLOCK;

#[derive(Debug)]
pub(crate) struct Allowance {
    /// Enough for any crowd on this map.
    pub(crate) bound: u64,
    /// What the next step is given.
    pub(crate) given: u64,
    /// Until this step the bound is given: the map has just changed, or a plan was cut short.
    wary_until: u64,
    /// The most rounds that were needed in each of the last blocks of steps, newest first.
    needed: VecDeque<u64>,
}

impl Allowance {
    pub(crate) fn new(bound: u64) -> Self {
        Self { bound, given: bound, wary_until: 0, needed: VecDeque::new() }
    }

    /// What was needed before says nothing about the next steps.
    pub(crate) fn forget(&mut self, step: u64) {
        self.needed.clear();
        self.wary_until = step + WARY;
        self.given = self.bound;
    }

    /// At the beginning of a step: an eighth more than was needed lately, or the bound. `before` is what a block of steps needed, and whether it
    /// was cut short; there can be no more rounds than `most`.
    pub(crate) fn adapt(&mut self, step: u64, before: Option<(u64, bool)>, most: u64) {
        let Some((used, cut_short)) = before else { return };
        if cut_short {
            // If that was (nearly) the bound, the crowd has made ways longer than the map alone explains.
            self.bound = if used + 4 >= self.bound { (2 * self.bound).min(most) } else { self.bound };
            self.wary_until = step + WARY;
        }
        // A block without any plan (0 rounds) tells nothing.
        if used > 0 {
            self.needed.truncate(REMEMBERED - 1);
            self.needed.push_front(used);
        }
        self.given = match self.needed.iter().max() {
            _ if step < self.wary_until => self.bound,
            Some(most) => (most + most / 8 + 6).min(self.bound),
            None => self.given,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_given_somewhat_more_than_was_needed_lately() {
        let mut allowance = Allowance::new(500);
        allowance.adapt(16, Some((80, false)), 1000);
        assert_eq!(allowance.given, 96);
        // Within a block nothing new is known.
        allowance.adapt(17, None, 1000);
        assert_eq!(allowance.given, 96);
    }

    #[test]
    fn a_hard_step_is_remembered_for_a_while() {
        let mut allowance = Allowance::new(500);
        allowance.adapt(16, Some((200, false)), 1000);
        for block in 1..REMEMBERED as u64 {
            allowance.adapt(16 + block * BLOCK, Some((80, false)), 1000);
            assert_eq!(allowance.given, 231, "block {block}");
        }
        allowance.adapt(16 + REMEMBERED as u64 * BLOCK, Some((80, false)), 1000);
        assert_eq!(allowance.given, 96);
    }

    #[test]
    fn after_a_plan_that_was_cut_short_steps_get_the_bound() {
        let mut allowance = Allowance::new(500);
        allowance.adapt(16, Some((80, false)), 1000);
        allowance.adapt(24, Some((96, true)), 1000);
        assert_eq!((allowance.given, allowance.bound), (500, 500));
        allowance.adapt(32, Some((80, false)), 1000);
        assert_eq!(allowance.given, 500);
        // If the bound was not enough there is a higher one, as far as there can be.
        allowance.adapt(40, Some((500, true)), 900);
        assert_eq!((allowance.given, allowance.bound), (900, 900));
        allowance.adapt(72, Some((80, false)), 900);
        assert_eq!(allowance.given, 568);
    }
}
