//! A step whose solver is done round by round, to be looked at: the same work as in one go, with the same bits.

use super::buffers::Buffer;
use super::{GpuEngine, tally};
use crate::engine::{EngineError, RoundReport};
use crate::stages::Stage;
use crate::stages::potential::Solver;

impl GpuEngine {
    /// One round more of the step under way, which begins with the first and ends after the last.
    pub(super) fn one_round(&mut self) -> Result<RoundReport, EngineError> {
        if self.half_done.is_none() {
            self.begin_step();
            if self.rounds_now().is_empty() || self.solver_items() == 0 {
                self.submit_step(&Stage::ALL, false);
                return Ok(RoundReport { rounds: 0, finished: true });
            }
        }
        let rounds = self.rounds_now();
        let mut encoder = self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let round = self.half_done.unwrap_or_else(|| {
            self.begin_plan(&mut encoder);
            self.encode(&mut encoder, &Stage::ALL[..Stage::Potential.index()], false);
            rounds.start
        });
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        if round == rounds.start && self.plan_work.begin {
            self.seed(&mut pass);
        }
        self.relax(&mut pass, round..round + 1);
        drop(pass);
        self.gpu.queue.submit([encoder.finish()]);
        self.half_done = Some(round + 1);
        let finished = round + 1 >= rounds.end || !self.work_is_left(round)?;
        if finished {
            self.finish_step();
        }
        Ok(RoundReport { rounds: (round + 1) as u32, finished })
    }

    /// Whether the solver has anything to do after this round. Waits for the device.
    fn work_is_left(&self, round: u64) -> Result<bool, EngineError> {
        let bytes = self.read_now(&[(self.buffers.get(Buffer::Control), 0, 4 * tally::CONTROL_WORDS as u64)])?;
        let words: Vec<u32> = bytemuck::pod_collect_to_vec(&bytes[0]);
        Ok(match self.scene.model.solver {
            // The list of this round is used up; those of others are what waits.
            Solver::Buckets => (0..tally::RING)
                .any(|slot| slot != round as usize % tally::RING && words[tally::RING_COUNTS + slot] > 0),
            // A round in which nothing happened is the last.
            Solver::Selective | Solver::All => u64::from(words[tally::ROUNDS]) > round,
        })
    }

    /// Does what is left of a step whose solver was done round by round, if there is one.
    pub(super) fn finish_step(&mut self) {
        let Some(rounds) = self.half_done.take() else { return };
        let mut encoder = self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        self.relax(&mut pass, rounds..self.rounds_now().end.max(rounds));
        if self.plan_work.finish {
            self.sum_up(&mut pass);
        }
        drop(pass);
        self.gpu.queue.submit([encoder.finish()]);
        self.submit_step(&Stage::ALL[Stage::Gradient.index()..], false);
    }

    /// Submits the last stages of a step, and notes it.
    pub(super) fn submit_step(&mut self, stages: &[Stage], timed: bool) {
        let mut encoder = self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        if stages.first() == Some(&Stage::Bin) {
            self.begin_plan(&mut encoder);
        }
        self.encode(&mut encoder, stages, timed);
        self.end_step(&mut encoder, timed);
        self.gpu.queue.submit([encoder.finish()]);
        self.journal.get_mut().note(&self.gpu, self.plan_work.finish, timed);
    }
}
