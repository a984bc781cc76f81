//! For the GPU engine's twin runs: what a step is made of.
#![cfg(feature = "gpu")]

use super::{CpuEngine, Fields};
use crate::engine::Counters;
use crate::engine::cpu::planner::Planner;
use crate::engine::schedule::PlanWork;
use crate::engine::totals::Numbers;
use crate::stages::bin::Bins;
use crate::stages::speed::cpu::Floor;
use crate::stages::steer::social_force::cells::Cells;
use crate::stages::steer::{Guidance, Wanted};
use crate::world::agents::Agents;

impl CpuEngine {
    pub(crate) fn step_number(&self) -> u32 {
        self.step
    }

    pub(crate) fn bins(&self) -> &Bins {
        &self.bins
    }

    pub(crate) fn fields(&self) -> &Fields {
        &self.fields
    }

    /// The speed field of the present crowd, whether the step has made it or not.
    pub(crate) fn speeds(&self) -> Vec<[f32; 4]> {
        let (world, f) = (&self.world, &self.fields);
        let floor = Floor { grid: &world.grid, flags: world.walls.flags(), zone: &world.zone };
        let mut out = vec![[0.0; 4]; world.grid.len()];
        self.law.run(floor, &f.density, &f.velocity, &mut vec![(0.0, 0.0); world.grid.len()], &mut out);
        out
    }

    pub(crate) fn planner(&self) -> &Planner {
        &self.planner
    }

    pub(crate) fn plan_work(&self) -> PlanWork {
        self.plan_work
    }

    pub(crate) fn let_in(&self) -> &[u32] {
        &self.life.let_in
    }

    pub(crate) fn guide(&self) -> &[Guidance] {
        &self.guide
    }

    pub(crate) fn cells(&self) -> &Cells {
        &self.cells
    }

    pub(crate) fn wanted(&self) -> &[Wanted] {
        &self.wanted
    }

    #[cfg(test)]
    pub(crate) fn numbers(&self) -> &Numbers {
        &self.numbers
    }

    /// Goes on from the end of a step that another engine finished, with its agents.
    pub(crate) fn take_over(&mut self, agents: Agents, let_in: &[u32], counters: Counters) {
        self.agents = agents;
        self.life.let_in = let_in.to_vec();
        self.numbers = Numbers::default();
        self.totals.counters = counters;
        self.planner.schedule.done(self.plan_work);
        self.step += 1;
    }
}
