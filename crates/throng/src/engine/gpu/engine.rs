//! The GPU engine as the rest of the library sees it.

use super::buffers::Buffer;
use super::read::Reading;
use super::state::FIELDS;
use super::{GpuEngine, check};
use crate::engine::crowd::{changed, room_to_change};
use crate::engine::edits;
use crate::engine::state::{LAST_STEP, RunState};
use crate::engine::{Answer, Counters, CrowdChange, Edit, Engine, EngineError, Field, Request, RoundReport, Ticket};
use crate::scene::{Change, Group, Scene};
use crate::stages::{COUNT, Stage};
use crate::world::World;
use glam::Vec2;

impl Engine for GpuEngine {
    fn name(&self) -> &'static str {
        "gpu"
    }

    fn device(&self) -> String {
        let info = &self.gpu.info;
        format!("{}, {:?}, {}", info.name, info.backend, info.driver_info).trim_end_matches([',', ' ']).to_owned()
    }

    fn step(&mut self) -> Result<(), EngineError> {
        if self.step >= LAST_STEP {
            return Err(EngineError("the run has reached the last step that can be numbered".into()));
        }
        if self.gpu.trouble().is_some() {
            return Err(self.failure());
        }
        if self.half_done.is_some() {
            self.finish_step();
        } else {
            self.one_step();
        }
        Ok(())
    }

    fn step_round(&mut self) -> Result<Option<RoundReport>, EngineError> {
        if self.step >= LAST_STEP {
            return Err(EngineError("the run has reached the last step that can be numbered".into()));
        }
        if self.gpu.trouble().is_some() {
            return Err(self.failure());
        }
        self.one_round().map(Some)
    }

    fn mid_step(&self) -> bool {
        self.half_done.is_some()
    }

    fn steps(&self) -> u64 {
        self.step.into()
    }

    fn request(&mut self, what: Request) -> Ticket {
        // Fields of the last step stay its own until the next; people and walls are as edits have left them.
        if matches!(what, Request::Agents | Request::LocalMap(_) | Request::Field(Field::Discomfort)) {
            self.apply_edits();
        }
        let reading = Reading::of(&self.gpu, &self.pieces(what));
        let ticket = Ticket(self.next_ticket);
        self.next_ticket += 1;
        self.requests.push((ticket, what, reading));
        ticket
    }

    fn poll(&mut self, ticket: Ticket) -> Result<Option<Answer>, EngineError> {
        let Some(place) = self.requests.iter().position(|(t, _, _)| *t == ticket) else { return Ok(None) };
        if self.gpu.trouble().is_some() {
            return Err(self.failure());
        }
        let Some(bytes) = self.requests[place].2.bytes(&self.gpu, false) else { return Ok(None) };
        let (_, what, _) = self.requests.swap_remove(place);
        Ok(Some(self.answer(what, &bytes)))
    }

    fn counters(&self) -> Counters {
        let mut journal = self.journal.borrow_mut();
        journal.take_all(&self.gpu);
        journal.totals.counters
    }

    fn latest(&self) -> Counters {
        let mut journal = self.journal.borrow_mut();
        journal.take(&self.gpu, 0);
        journal.totals.counters
    }

    fn history(&mut self) -> Vec<Counters> {
        let journal = self.journal.get_mut();
        journal.take_all(&self.gpu);
        journal.history.replace(Vec::new()).unwrap_or_default()
    }

    fn history_so_far(&mut self) -> Vec<Counters> {
        let journal = self.journal.get_mut();
        journal.take(&self.gpu, 0);
        journal.history.replace(Vec::new()).unwrap_or_default()
    }

    fn world(&self) -> &World {
        &self.world
    }

    fn scene(&self) -> &Scene {
        &self.scene
    }

    fn settle(&mut self) {
        self.finish_step();
        self.apply_edits();
    }

    fn edit(&mut self, edit: Edit) {
        self.finish_step();
        let touched = edits::apply(&mut self.scene, &mut self.world, edit, self.step);
        self.take(touched);
    }

    fn event(&mut self, change: Change) {
        self.finish_step();
        let touched = edits::happen(&self.scene, &mut self.world, change, self.step);
        self.take(touched);
    }

    fn keep_maps(&mut self, keep: bool) {
        if keep == self.keep_maps {
            return;
        }
        self.finish_step();
        self.keep_maps = keep;
        let bytes = if keep { u64::from(self.params.cells) * 8 } else { 0 };
        self.buffers.resize(&self.gpu, Buffer::Maps, bytes);
        self.rebind();
    }

    fn set_up_ms(&self) -> &[(&'static str, f64)] {
        self.stopwatch.parts()
    }

    fn stage_ms(&self) -> [f64; COUNT] {
        let mut journal = self.journal.borrow_mut();
        journal.take_all(&self.gpu);
        journal.stage_ms
    }

    fn latest_stage_ms(&self) -> [f64; COUNT] {
        let mut journal = self.journal.borrow_mut();
        journal.take(&self.gpu, 0);
        journal.stage_ms
    }

    fn stage_bytes(&self) -> [u64; COUNT] {
        let p = &self.params;
        let (cells, routes, tiles) = (u64::from(p.cells), u64::from(p.routes), u64::from(p.tiles));
        let agents = self.counters().active;
        let all = u64::from(p.agents);
        let rounds = u64::from(self.scene.model.separation_rounds);
        Stage::ALL.map(|stage| match stage {
            // Keys, orders, columns; counts and starts.
            Stage::Bin => all * (32 + 8 + 8 + 8 + 8 + 2 * 48 + 4) + cells * 20,
            // Columns, the cell's record; quanta.
            Stage::Splat => agents * (16 + 16 + 16) + cells * (16 + 4),
            // Quanta read and cleared, averages.
            Stage::Flow => cells * (16 + 16 + 16),
            Stage::Speed => cells * (16 + 16 + 16),
            Stage::Cost => cells * (16 + 16) + u64::from(p.cost_fields) * tiles * 256 * 16,
            // Cleared, then cost once, values in and out.
            Stage::Potential => routes * tiles * 256 * (4 + 4 + 16 + 4),
            Stage::Gradient => routes * cells * (4 + 4) + cells * 16,
            // Columns, ground, four ways, speed; what is told.
            Stage::Guide => agents * (16 + 16 + 16 + 16 + 16 + 16 + 16),
            Stage::Avoid => agents * (16 + 16 + 16),
            Stage::Move => agents * (16 + 16 + 16 + 16 + 16 + 4),
            Stage::Separate => agents * (36 + 16 + 24 + 8 + rounds * (16 + 16 + 8 + 8 + 16) + 64),
            Stage::Measure => agents * 48 + cells * 4,
            Stage::Live => agents * 36,
        })
    }

    fn memory(&self) -> Vec<(&'static str, u64)> {
        self.buffers.memory()
    }

    fn buffers(&self) -> Vec<(String, u64)> {
        let mut list = self.buffers.each();
        list.push(("rounds".into(), self.rounds.uniform.size()));
        list.push(("journal".into(), self.journal.borrow().bytes()));
        list
    }

    fn on_gpu(&self) -> Option<&GpuEngine> {
        Some(self)
    }

    fn save(&mut self) -> Result<Vec<u8>, EngineError> {
        let state = self.state()?;
        Ok(state.to_bytes(&self.scene, &self.world))
    }

    fn restore(&mut self, bytes: &[u8]) -> Result<(), EngineError> {
        self.finish_step();
        let _room = room_to_change(&self.scene, None)?;
        let (state, scene, world) = RunState::from_bytes(&self.scene, bytes)?;
        // The snapshot is sound: the old crowd makes room for it.
        self.adopt(scene, world, state, &[])
    }

    fn restore_with(&mut self, groups: &[Group], bytes: &[u8]) -> Result<(), EngineError> {
        self.finish_step();
        let _room = room_to_change(&self.scene, None)?;
        let (state, scene, world) = RunState::from_bytes(&self.scene.with_groups(groups), bytes)?;
        check(&self.gpu, &scene, &world).map_err(|e| EngineError(e.to_string()))?;
        self.adopt(scene, world, state, &[])
    }

    fn in_goals(&mut self) -> Result<Vec<u32>, EngineError> {
        self.count_in_goals()
    }

    fn set_states(&mut self, states: &[(u32, u16)]) -> Result<(), EngineError> {
        self.give_states(states)
    }

    fn set_points(&mut self, points: &[(u32, Vec2)]) -> Result<(), EngineError> {
        self.give_points(points)
    }

    fn change_crowd(&mut self, change: &CrowdChange) -> Result<(), EngineError> {
        let _room = room_to_change(&self.scene, Some(change))?;
        let state = self.state()?;
        let (scene, world, state) = changed(&self.scene, &self.world, state, change)?;
        check(&self.gpu, &scene, &world).map_err(|e| EngineError(e.to_string()))?;
        self.adopt(scene, world, state, FIELDS)
    }
}
