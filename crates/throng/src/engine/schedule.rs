//! When planning is done: decided here, for every engine.
//!
//! A plan that follows the crowd is made anew every `plan_every` steps. The solve is spread evenly over these steps, on the
//! costs as they were in the first of them, and people walk by it from the last of them on. With `plan_every = 1` all of
//! that happens in one step. A plan for the empty floor is made once. When walls, goals, zones or weights change, whatever is
//! under way is dropped, and the next step makes a whole plan.

use crate::scene::Model;
use crate::world::hazards::Disc;
use glam::Vec2;

/// A crowd that a plan was made for: all that the plan follows from, besides the world. Where a plan spans steps it is
/// part of the state of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Frozen {
    /// The planner's density of each cell.
    pub(crate) density: Vec<f32>,
    /// Average velocity of each cell.
    pub(crate) velocity: Vec<Vec2>,
    /// What people fled from.
    pub(crate) hazards: Vec<Disc>,
}

/// What a step has to do for the plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct PlanWork {
    /// Costs are taken as they are now, and a solve of them begins.
    pub(crate) begin: bool,
    /// The part of the solve that this step does, and of how many.
    pub(crate) part: Option<(u32, u32)>,
    /// The solve ends, and directions follow from it.
    pub(crate) finish: bool,
}

/// Where planning stands between two steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Schedule {
    every: u32,
    follows_crowd: bool,
    /// There is a plan, and nothing has changed that it depends on.
    valid: bool,
    /// A solve has begun in an earlier step.
    under_way: bool,
}

impl Schedule {
    pub(crate) fn new(model: &Model) -> Self {
        Self {
            every: model.plan_every.max(1),
            follows_crowd: model.plan.follows_crowd(),
            valid: false,
            under_way: false,
        }
    }

    /// What the plan was made from is no longer so.
    pub(crate) fn invalidate(&mut self) {
        (self.valid, self.under_way) = (false, false);
    }

    /// Whether there is a plan in force.
    #[cfg(feature = "gpu")]
    pub(crate) fn valid(&self) -> bool {
        self.valid
    }

    /// Whether a solve has begun and not ended.
    #[cfg(feature = "gpu")]
    pub(crate) fn under_way(&self) -> bool {
        self.under_way
    }

    /// Whether a plan lasts for several steps and follows from the crowd of an earlier one.
    pub(crate) fn spans_steps(&self) -> bool {
        self.follows_crowd && self.every > 1
    }

    /// Whether a plan follows the crowd.
    pub(crate) fn follows_crowd(&self) -> bool {
        self.follows_crowd
    }

    /// As it was between two steps of a run that had a plan in force.
    pub(crate) fn resumed(&mut self, under_way: bool) {
        (self.valid, self.under_way) = (true, under_way);
    }

    /// What the step of this number has to do.
    pub(crate) fn work(&self, step: u32) -> PlanWork {
        if !self.valid {
            return PlanWork { begin: true, part: Some((0, 1)), finish: true };
        }
        let part = step % self.every;
        if !self.follows_crowd || (part > 0 && !self.under_way) {
            return PlanWork::default();
        }
        PlanWork { begin: part == 0, part: Some((part, self.every)), finish: part + 1 == self.every }
    }

    /// The work of a step is done.
    pub(crate) fn done(&mut self, work: PlanWork) {
        self.valid |= work.finish;
        self.under_way = (self.under_way || work.begin) && !work.finish;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Plan;

    fn run(every: u32, plan: Plan, invalid_at: &[u32], steps: u32) -> String {
        let mut schedule = Schedule::new(&Model { plan, plan_every: every, ..Model::default() });
        (0..steps)
            .map(|step| {
                if invalid_at.contains(&step) {
                    schedule.invalidate();
                }
                let work = schedule.work(step);
                schedule.done(work);
                match (work.begin, work.part, work.finish) {
                    (true, Some((0, 1)), true) => 'W',
                    (true, Some((0, _)), false) => 'B',
                    (false, Some(_), false) => 'c',
                    (false, Some(_), true) => 'F',
                    (false, None, false) => '.',
                    other => panic!("{other:?}"),
                }
            })
            .collect()
    }

    #[test]
    fn a_solve_is_spread_over_its_period_and_a_change_makes_a_whole_one() {
        assert_eq!(run(1, Plan::Continuum, &[], 4), "WWWW");
        // The first plan is whole; from then on every period begins one and ends it.
        assert_eq!(run(4, Plan::Continuum, &[], 12), "W...BccFBccF");
        assert_eq!(run(4, Plan::Continuum, &[6], 12), "W...BcW.BccF");
        assert_eq!(run(4, Plan::Continuum, &[4, 7], 12), "W...W..WBccF");
        assert_eq!(run(2, Plan::Continuum, &[], 6), "W.BFBF");
        assert_eq!(run(4, Plan::Static, &[3], 8), "W..W....");
        assert_eq!(run(4, Plan::Harmonic, &[3], 8), "W..W....");
    }
}
