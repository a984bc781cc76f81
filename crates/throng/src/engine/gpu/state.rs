//! The whole state of a run, off the device and onto it again.

use super::buffers::Buffer;
use super::step::PLANNED;
use super::{GpuEngine, agents, tally};
use crate::engine::schedule::{Frozen, PlanWork};
use crate::engine::set_up::Stopwatch;
use crate::engine::state::RunState;
use crate::engine::{Engine, EngineError, Field, Request};
use crate::scene::Scene;
use crate::stages::Stage;
use crate::world::World;
use crate::world::hazards::Disc;
use std::sync::Arc;

/// Fields are those of the last step until the next one: a change of the crowd leaves their buffers as they are.
pub(super) const FIELDS: &[Buffer] =
    &[Buffer::Average, Buffer::Speed, Buffer::Cost, Buffer::Potential, Buffer::Directions, Buffer::Status];

impl GpuEngine {
    /// Everything that the run is now, with edits taken in. Waits for the device.
    pub(super) fn state(&mut self) -> Result<RunState, EngineError> {
        self.settle();
        let groups = self.scene.groups.len();
        let mut pieces = self.pieces(Request::Agents);
        let columns = pieces.len();
        pieces.push((self.buffers.get(Buffer::Tally), 0, 4 * (tally::WORDS + groups) as u64));
        let maps = [Field::PeakDensity, Field::Use].map(|f| self.pieces(Request::Field(f)));
        pieces.extend(maps.iter().flatten());
        let maps = pieces.len() - columns - 1;
        pieces.extend(self.plans_kept().map(|b| (self.buffers.get(PLANNED[b]), 0, u64::from(self.params.cells) * 16)));
        let mut bytes = self.read_now(&pieces)?;
        let crowds = bytes.split_off(columns + 1 + maps);
        let plans = crowds.iter().zip(self.plans_kept()).map(|(b, which)| frozen(b, &self.planned_hazards[which]));
        let plans = plans.collect();
        let agents = agents::unpack(&bytes[..columns], &self.scene, self.buffers.own());
        let words: Vec<u32> = bytemuck::pod_collect_to_vec(&bytes[columns]);
        let let_in: Vec<u32> = words[tally::WORDS..tally::WORDS + groups].to_vec();
        let floats = |k: usize| bytes.get(k).map_or_else(Vec::new, |b| bytemuck::pod_collect_to_vec::<u8, f32>(b));
        self.journal.get_mut().take_all(&self.gpu);
        let mut totals = self.journal.get_mut().totals;
        // Whom an edit has put aside since the last step is not in its numbers yet.
        totals.counters.displaced += u64::from(words[tally::DISPLACED]);
        Ok(RunState {
            agents,
            step: self.step,
            next_id: self.next_id,
            dropped: self.dropped,
            let_in,
            totals,
            plans,
            peaks: floats(columns + 1),
            used: floats(columns + 2),
        })
    }

    /// Goes on from another state, in a world that it fits, with some of the old buffers.
    pub(super) fn adopt(
        &mut self,
        scene: Scene,
        world: World,
        state: RunState,
        keeps: &[Buffer],
    ) -> Result<(), EngineError> {
        self.journal.get_mut().take_all(&self.gpu);
        self.buffers.free(keeps);
        let kernels = Some(Arc::clone(&self.kernels));
        let mut fresh = Self::with(scene, &self.gpu, world, state.agents.clone(), kernels, Stopwatch::start())
            .map_err(|e| EngineError(e.to_string()))?;
        fresh.upload_agents(&state.agents, &state.let_in);
        (fresh.step, fresh.next_id, fresh.dropped) = (state.step, state.next_id, state.dropped);
        fresh.journal.get_mut().totals = state.totals;
        fresh.buffers.take_over(&self.buffers, keeps);
        fresh.rebind();
        if !state.peaks.is_empty() {
            fresh.keep_maps(true);
            fresh.write(Buffer::Maps, 0, &state.peaks);
            fresh.write(Buffer::Maps, 4 * state.peaks.len() as u64, &state.used);
        }
        fresh.plan_again(&state.plans);
        fresh.world.hazards.go_to(fresh.step);
        // Answers under way are of the run before, and their tickets stay good.
        fresh.requests = std::mem::take(&mut self.requests);
        fresh.next_ticket = self.next_ticket;
        let (old, new) = (self.journal.get_mut(), fresh.journal.get_mut());
        (new.history, new.stage_ms) = (old.history.take(), old.stage_ms);
        fresh.beside = std::mem::take(&mut self.beside);
        *self = fresh;
        Ok(())
    }

    /// Which of the two crowds that are kept the plan in force and the one under way were made for.
    pub(super) fn plans_kept(&self) -> impl Iterator<Item = usize> + use<> {
        let kept = if !self.schedule.spans_steps() || !self.schedule.valid() {
            0
        } else {
            1 + usize::from(self.schedule.under_way())
        };
        [self.planned, 1 - self.planned].into_iter().take(kept)
    }

    /// Makes the plans again that a run had between two steps.
    pub(super) fn plan_again(&mut self, plans: &[Frozen]) {
        if !self.schedule.spans_steps() || plans.is_empty() {
            return;
        }
        self.params.round_limit = self.rounds.given() as u32;
        let every = self.scene.model.plan_every;
        for (i, crowd) in plans.iter().enumerate() {
            let average: Vec<[f32; 4]> =
                crowd.density.iter().zip(&crowd.velocity).map(|(d, v)| [*d, v.x, v.y, 0.0]).collect();
            self.write(Buffer::Average, 0, &average);
            self.world.hazards.go_back(&crowd.hazards);
            self.write_params();
            self.write_hazards();
            // The plan in force is made as a whole, of the one under way what was done of it.
            let (whole, done) = (i == 0, self.step % every);
            let mut encoder = self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            self.plan_work =
                PlanWork { begin: true, part: Some(if whole { (0, 1) } else { (0, every) }), finish: whole };
            self.begin_plan(&mut encoder);
            self.encode(&mut encoder, &[Stage::Speed, Stage::Cost, Stage::Potential, Stage::Gradient], false);
            self.keep_crowd(&mut encoder);
            for part in 1..if whole { 1 } else { done } {
                self.plan_work = PlanWork { begin: false, part: Some((part, every)), finish: false };
                self.encode(&mut encoder, &[Stage::Potential], false);
            }
            self.gpu.queue.submit([encoder.finish()]);
        }
        self.schedule.resumed(plans.len() > 1);
    }
}

/// A crowd as `average` has it, and what it fled from.
fn frozen(bytes: &[u8], hazards: &[Disc]) -> Frozen {
    let average: Vec<[f32; 4]> = bytemuck::pod_collect_to_vec(bytes);
    Frozen {
        density: average.iter().map(|a| a[0]).collect(),
        velocity: average.iter().map(|a| glam::Vec2::new(a[1], a[2])).collect(),
        hazards: hazards.to_vec(),
    }
}
