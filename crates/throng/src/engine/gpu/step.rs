//! A step from its first to its last command: what comes before the stages and after them.

use super::buffers::Buffer;
use super::{GpuEngine, tally};
use crate::scene::Plan;
use crate::stages::steer::Steer;
use crate::stages::steer::bvp::{self, manner};
use crate::stages::{COUNT, Stage};
use crate::world::sources::due;

/// Stages are timed in every ninth step, and stand for the others: passes of their own cost time too. Nine is no multiple of
/// what `plan_every` usually is, so every part of a plan is timed in its turn.
const TIME_EVERY: u32 = 9;

/// The crowds that plans were made for.
pub(super) const PLANNED: [Buffer; 2] = [Buffer::PlannedA, Buffer::PlannedB];

impl GpuEngine {
    /// Before the first stage of a step.
    pub(super) fn begin_step(&mut self) {
        // Plans that believe something else are made anew, as after a goal has moved.
        self.goals_moved |= self.world.learn(self.step, self.scene.dt);
        self.apply_edits();
        if self.scene.groups.iter().any(|g| g.rate.is_some()) {
            let (dt, steps) = (self.scene.dt, self.step + 1);
            let sources = self.scene.groups.iter().zip(&self.world.sources);
            let budget: Vec<u32> =
                sources.map(|(g, source)| g.rate.map_or(0, |rate| source.budget(due(rate, dt, steps)))).collect();
            self.write(Buffer::Tally, 4 * (tally::WORDS + 3 * budget.len()) as u64, &budget);
        }
        self.world.hazards.go_to(self.step);
        self.plan_work = self.schedule.work(self.step);
        if self.plan_work.begin && self.scene.model.plan == Plan::Harmonic {
            self.plan_on_host();
        }
        let before = self.journal.get_mut().rounds_before(&self.gpu);
        self.rounds.adapt(u64::from(self.step), before);
        if self.plan_work.begin {
            // A solve keeps the number of rounds that it began with.
            self.params.round_limit = self.rounds.given() as u32;
        }
        self.write_params();
        self.write_hazards();
    }

    /// What people flee from now.
    pub(super) fn write_hazards(&self) {
        if self.scene.has_hazards() {
            let discs = self.world.hazards.now();
            self.write(Buffer::Hazards, 0, &[discs.len() as u32, 0, 0, 0]);
            self.write(Buffer::Hazards, 16, discs);
        }
    }

    pub(super) fn write_params(&mut self) {
        self.params.step = self.step;
        self.params.keep_maps = u32::from(self.keep_maps);
        self.write(Buffer::Params, 0, &self.params.words(&self.scene.model));
        if let Some(part) = self.scene.model.steering_part() {
            self.write(Buffer::Steering, 0, &part.words());
        }
        if self.scene.model.steer == Steer::Bvp {
            let manners = manner::manners(&self.scene.model, &self.scene.groups);
            let words = manners.iter().flat_map(|m| bvp::words(m, self.step, self.scene.dt));
            self.write(Buffer::Manners, 0, &words.collect::<Vec<_>>());
        }
    }

    /// Before the first stage, on the device: a solve that begins has its numbers to itself, and the crowd that it is made for
    /// is kept.
    pub(super) fn begin_plan(&mut self, encoder: &mut wgpu::CommandEncoder) {
        if self.plan_work.begin {
            encoder.clear_buffer(self.buffers.get(Buffer::Control), 0, None);
        }
    }

    /// After the flow is known: the crowd that a plan is made for is kept, where the plan spans steps.
    pub(super) fn keep_crowd(&mut self, encoder: &mut wgpu::CommandEncoder) {
        if self.plan_work.begin && self.schedule.spans_steps() {
            let to = self.buffers.get(PLANNED[1 - self.planned]);
            encoder.copy_buffer_to_buffer(
                self.buffers.get(Buffer::Average),
                0,
                to,
                0,
                u64::from(self.params.cells) * 16,
            );
            self.planned_hazards[1 - self.planned] = self.world.hazards.now().to_vec();
        }
        if self.plan_work.finish {
            self.planned = 1 - self.planned;
        }
    }

    /// After the last one: the step's numbers go into the journal.
    pub(super) fn end_step(&mut self, encoder: &mut wgpu::CommandEncoder, timed: bool) {
        self.keep_crowd(encoder);
        let (ring, at) = self.journal.get_mut().slot();
        encoder.copy_buffer_to_buffer(self.buffers.get(Buffer::Tally), 0, ring, at, 4 * tally::WORDS as u64);
        let control = 4 * tally::CONTROL_KEPT as u64;
        encoder.copy_buffer_to_buffer(self.buffers.get(Buffer::Control), 0, ring, at + tally::CONTROL_AT, control);
        if let Some(queries) = self.queries.as_ref().filter(|_| timed) {
            encoder.resolve_query_set(queries, 0..2 * COUNT as u32, ring, at + tally::TIMES_AT);
        }
        // After the copy, for the next step: an edit before it may already count whom it put aside.
        encoder.clear_buffer(self.buffers.get(Buffer::Tally), 0, Some(4 * tally::WORDS as u64));
        if self.scene.has_doors() {
            encoder.clear_buffer(self.buffers.get(Buffer::Coming), 0, None);
        }
        self.schedule.done(self.plan_work);
        self.step += 1;
    }

    pub(super) fn one_step(&mut self) {
        self.begin_step();
        // After a resume the first step finds agents unsorted: it stands only for itself.
        let timed = self.step < 2 || self.step.is_multiple_of(TIME_EVERY);
        self.submit_step(&Stage::ALL, timed);
    }
}
