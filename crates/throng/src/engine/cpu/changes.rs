//! What changes between two steps: edits of the world, another model, another crowd, another state.

use super::{CpuEngine, speed_field};
use crate::engine::crowd::changed;
use crate::engine::edits::Touched;
use crate::engine::schedule::{Frozen, PlanWork};
use crate::engine::state::RunState;
use crate::engine::{CrowdChange, EngineError};
use crate::scene::Scene;
use crate::world::World;

impl CpuEngine {
    /// Notes that the world has changed, and takes on another model. A plan is made anew before the next step.
    pub(super) fn take(&mut self, touched: &Touched) {
        self.edited = true;
        if let Touched::Model(_) = touched {
            self.law = self.scene.law();
            self.agents.use_columns(&self.scene.model.columns());
            self.planner.fit(&self.scene.model, &self.world);
        }
    }

    /// Takes in what edits changed: once, however many there were.
    pub(super) fn apply_edits(&mut self) {
        if !std::mem::take(&mut self.edited) {
            return;
        }
        self.world.refresh();
        self.planner.invalidate();
        let (world, agents) = (&self.world, &mut self.agents);
        // Who is put aside goes to where its goal can be reached from; found out only if there is anybody.
        let mut reaches: Vec<Option<Vec<bool>>> = vec![None; world.goals.len()];
        for i in 0..agents.len() {
            let p = agents.position[i];
            if !agents.state[i].on_floor() || !world.walls.buries(p) {
                continue;
            }
            self.totals.counters.displaced += 1;
            let goal = agents.goal[i] as usize;
            let reached = reaches[goal].get_or_insert_with(|| world.reaches(goal));
            // Without any free place in the whole world there is nothing better than where it was.
            if let Some(q) = world.walls.free_place(p, agents.radius[i], |q| reached[world.grid.index_at(q)]) {
                agents.position[i] = q;
            }
        }
    }

    /// Everything that the run is now, with edits taken in.
    pub(super) fn state(&mut self) -> RunState {
        self.apply_edits();
        let plans = [&self.planner.in_force, &self.planner.under_way];
        RunState {
            agents: self.agents.clone(),
            step: self.step,
            next_id: self.next_id,
            dropped: self.dropped,
            let_in: self.life.let_in.clone(),
            totals: self.totals,
            plans: plans.into_iter().flatten().cloned().collect(),
            peaks: self.fields.peaks.clone(),
            used: self.fields.used.clone(),
        }
    }

    /// Goes on from another state, in a world that it fits.
    fn adopt(&mut self, scene: Scene, world: World, state: RunState) {
        self.law = scene.law();
        self.scene = scene;
        self.world = world;
        self.agents = state.agents;
        (self.step, self.next_id, self.dropped) = (state.step, state.next_id, state.dropped);
        self.life.let_in = state.let_in;
        self.totals = state.totals;
        self.fields.peaks = state.peaks;
        self.fields.used = state.used;
        self.edited = false;
        self.planner.fit(&self.scene.model, &self.world);
        self.plan_again(state.plans);
    }

    /// Makes the plans again that a run had between two steps.
    fn plan_again(&mut self, plans: Vec<Frozen>) {
        if !self.planner.schedule.spans_steps() || plans.is_empty() {
            return;
        }
        let under_way = plans.len() > 1;
        for (i, crowd) in plans.into_iter().enumerate() {
            let work = PlanWork { begin: true, part: Some((0, 1)), finish: i == 0 };
            // Fields are made anew in the next step: these are only what the plan follows from.
            let fields = &mut self.fields;
            (fields.density, fields.velocity) = (crowd.density.clone(), crowd.velocity.clone());
            speed_field(&self.world, &self.law, fields);
            self.planner.begin(&self.scene.model, &self.world, &self.fields.speed, || crowd, work);
            self.planner.go_on(work);
            if work.finish {
                self.planner.finish(&self.world, work);
            }
        }
        self.planner.schedule.resumed(under_way);
    }

    pub(super) fn restore_state(&mut self, bytes: &[u8]) -> Result<(), EngineError> {
        let (state, scene, world) = RunState::from_bytes(&self.scene, bytes)?;
        self.adopt(scene, world, state);
        Ok(())
    }

    pub(super) fn change_people(&mut self, change: &CrowdChange) -> Result<(), EngineError> {
        let state = self.state();
        let (scene, world, state) = changed(&self.scene, &self.world, state, change)?;
        self.adopt(scene, world, state);
        Ok(())
    }
}
