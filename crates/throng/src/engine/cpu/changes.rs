//! What changes between two steps: edits of the world, another model, another crowd, another state.

use super::{CpuEngine, speed_field};
use crate::budget::Grant;
use crate::engine::crowd::{changed, room_to_change};
use crate::engine::edits::Touched;
use crate::engine::schedule::{Frozen, PlanWork};
use crate::engine::state::RunState;
use crate::engine::states::Entering;
use crate::engine::{CrowdChange, EngineError};
use crate::scene::{Group, Scene};
use crate::stages::live::states::CALLED;
use crate::world::World;
use crate::world::agents::State;
use crate::world::narrow::class_of;
use crate::world::points::POINT;
use glam::Vec2;

impl CpuEngine {
    /// Notes that the world has changed, and takes on another model. A plan is made anew before the next step.
    pub(super) fn take(&mut self, touched: &Touched) {
        // Hazards are asked about in every step: nothing has to be made anew for them. Of the floor's comfort only plans know.
        let nothing = matches!(touched, Touched::Nothing | Touched::Hazards | Touched::Comfort(_));
        if let Touched::Comfort(_) = touched {
            self.planner.invalidate();
        }
        self.edited |= !nothing;
        self.goals_alone &= nothing || *touched == Touched::Goals;
        if let Touched::Model(_) = touched {
            self.law = self.scene.law();
            let columns = self.scene.columns(&self.scene.model, self.agents.have_points());
            self.agents.use_columns(&columns);
            self.planner.fit(&self.scene.model, &self.world);
        }
    }

    /// Takes in what edits changed: once, however many there were.
    pub(super) fn apply_edits(&mut self) {
        if !std::mem::take(&mut self.edited) {
            return;
        }
        if std::mem::replace(&mut self.goals_alone, true) {
            self.world.refresh_goals();
        } else {
            self.world.refresh();
        }
        self.planner.invalidate();
        let (world, agents) = (&self.world, &mut self.agents);
        // Who is put aside goes to where its goal can be reached from; found out only if there is anybody.
        let classes = world.routes.radii().len();
        let mut reaches: Vec<Option<Vec<bool>>> = vec![None; world.goals.len() * classes];
        for i in 0..agents.len() {
            let p = agents.position[i];
            if !agents.state[i].on_floor() || !world.walls.buries(p) {
                continue;
            }
            self.totals.counters.displaced += 1;
            let goal = usize::from(agents.goal[i]);
            let place = if agents.goal[i] == POINT {
                world.walls.free_place(p, agents.radius[i], |_| true)
            } else {
                let class = class_of(world.routes.radii(), agents.radius[i]);
                let reached = reaches[goal * classes + class].get_or_insert_with(|| world.reaches(goal, class));
                world.walls.free_place(p, agents.radius[i], |q| reached[world.grid.index_at(q)])
            };
            // Without any free place in the whole world there is nothing better than where it was.
            agents.position[i] = place.unwrap_or(p);
        }
    }

    /// As [`crate::engine::Engine::set_points`].
    pub(super) fn give_points(&mut self, given: &[(u32, Vec2)]) -> Result<(), EngineError> {
        self.apply_edits();
        let agents = &mut self.agents;
        let people = agents.id.iter().copied().zip(agents.state.iter().copied());
        let places = crate::engine::points::places(&self.world, given, people)?;
        if !places.is_empty() && !agents.have_points() {
            agents.use_columns(&self.scene.columns(&self.scene.model, true));
        }
        if !places.is_empty() {
            self.world.want_detours();
        }
        for (i, point) in places {
            let group = &self.scene.groups[usize::from(agents.group[i])];
            let legs = group.journey.len();
            agents.goal[i] = POINT;
            agents.set_point(i, point);
            if agents.state[i] == State::Staying && !group.lives() {
                agents.state[i] = State::Waiting; // its place is gone
            }
            // Who waits to leave has one leg more to go.
            agents.leg[i] -= u16::from(usize::from(agents.leg[i]) == legs);
        }
        Ok(())
    }

    /// As [`crate::engine::Engine::set_states`].
    pub(super) fn give_states(&mut self, given: &[(u32, u16)]) -> Result<(), EngineError> {
        self.apply_edits();
        let agents = &mut self.agents;
        let people = (0..agents.len()).map(|i| (agents.id[i], agents.group[i], agents.state[i], agents.position[i]));
        let entering = crate::engine::states::entering(&self.scene, &self.world, self.step, given, people)?;
        for Entering { place: i, to, wake, begun } in entering {
            (agents.leg[i], agents.wake[i]) = (to, wake);
            (agents.state[i], agents.goal[i]) = (begun.state, begun.goal);
            agents.set_clip(i, Vec2::new(0.0, CALLED));
            if let Some(point) = begun.point {
                agents.set_point(i, point);
            }
        }
        Ok(())
    }

    /// Everything that the run is now, with edits taken in.
    pub(super) fn state(&mut self) -> RunState {
        self.apply_edits();
        let plans = [&self.planner.in_force, &self.planner.under_way];
        RunState {
            agents: self.everybody(),
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
    fn adopt(&mut self, scene: Scene, world: World, state: RunState, room: Grant) {
        self.law = scene.law();
        self.scene = scene;
        self.world = world;
        self.agents = state.agents;
        if self.agents.head_for_points(&self.scene) {
            self.world.want_detours();
        }
        self.first_ids = self.agents.first_ids(&self.scene);
        (self.step, self.next_id, self.dropped) = (state.step, state.next_id, state.dropped);
        self.life.let_in = state.let_in;
        self.have_everybody(room);
        self.totals = state.totals;
        self.fields.peaks = state.peaks;
        self.fields.used = state.used;
        (self.edited, self.goals_alone) = (false, true);
        self.planner.fit(&self.scene.model, &self.world);
        self.plan_again(state.plans);
        self.world.hazards.go_to(self.step);
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
            fields.blocks.forget();
            self.world.hazards.go_back(&crowd.hazards);
            speed_field(&self.world, &self.law, fields);
            let speed = (self.fields.speed.as_slice(), self.fields.density.as_slice(), self.law.reference);
            self.planner.begin(&self.scene.model, &self.world, speed, || crowd, work);
            self.planner.go_on(work);
            if work.finish {
                self.planner.finish(&self.world, work);
            }
        }
        self.planner.schedule.resumed(under_way);
    }

    /// Takes on a state, of a run that had the same groups or others.
    pub(super) fn restore_state(&mut self, groups: Option<&[Group]>, bytes: &[u8]) -> Result<(), EngineError> {
        let mut room = self.room_for_everybody()?;
        room.join(room_to_change(&self.scene, None)?);
        let (state, scene, world) = match groups {
            Some(groups) => RunState::from_bytes(&self.scene.with_groups(groups), bytes)?,
            None => RunState::from_bytes(&self.scene, bytes)?,
        };
        self.adopt(scene, world, state, room);
        Ok(())
    }

    pub(super) fn change_people(&mut self, change: &CrowdChange) -> Result<(), EngineError> {
        let mut room = self.room_for_everybody()?;
        room.join(room_to_change(&self.scene, Some(change))?);
        let state = self.state();
        let (scene, world, state) = changed(&self.scene, &self.world, state, change)?;
        self.adopt(scene, world, state, room);
        Ok(())
    }
}
