//! What steps were like, as it comes back from the device: in blocks, a while after the steps were asked for.

use super::device::Gpu;
use super::read::Reading;
use super::tally::{RECORD, Record};
use crate::engine::Counters;
use crate::engine::totals::Totals;
use crate::stages::COUNT;
use std::collections::VecDeque;

/// Steps that come back together.
pub(crate) const BLOCK: u64 = 8;

#[derive(Debug)]
pub(crate) struct Journal {
    /// The records of the last steps, on the device.
    ring: wgpu::Buffer,
    /// Steps recorded, asked for, and taken in; all since the engine was made or restored.
    recorded: u64,
    asked: u64,
    taken: u64,
    /// Whether the solver ran in each recorded step, and whether its stages were timed; from the first not taken in.
    planned: VecDeque<(bool, bool)>,
    coming: VecDeque<(u64, Reading)>,
    pub(crate) totals: Totals,
    pub(crate) stage_ms: [f64; COUNT],
    /// Of the last step whose stages were timed.
    timed_ms: [f64; COUNT],
    /// The counters after each step that nobody has fetched yet; kept only once somebody has.
    pub(crate) history: Option<Vec<Counters>>,
    /// The most rounds that the solver took in each whole block, and whether it ran out of them.
    block_rounds: Vec<(u64, bool)>,
    area: f32,
    ms_per_tick: f64,
}

impl Journal {
    pub(crate) fn new(gpu: &Gpu, totals: Totals, area: f32, timed: bool) -> Self {
        let ring = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("journal"),
            size: BLOCK * RECORD,
            usage: wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::QUERY_RESOLVE,
            mapped_at_creation: false,
        });
        Self {
            ring,
            recorded: 0,
            asked: 0,
            taken: 0,
            planned: VecDeque::new(),
            coming: VecDeque::new(),
            totals,
            stage_ms: [0.0; COUNT],
            timed_ms: [0.0; COUNT],
            history: None,
            block_rounds: Vec::new(),
            area,
            ms_per_tick: if timed { f64::from(gpu.queue.get_timestamp_period()) * 1e-6 } else { 0.0 },
        }
    }

    /// Where the step that is being encoded writes its record.
    pub(crate) fn slot(&self) -> (&wgpu::Buffer, u64) {
        (&self.ring, (self.recorded % BLOCK) * RECORD)
    }

    /// Bytes of the ring.
    pub(crate) fn bytes(&self) -> u64 {
        self.ring.size()
    }

    /// A step was submitted.
    pub(crate) fn note(&mut self, gpu: &Gpu, planned: bool, timed: bool) {
        self.recorded += 1;
        self.planned.push_back((planned, timed));
        if self.recorded.is_multiple_of(BLOCK) {
            self.ask(gpu);
        }
    }

    /// Asks for the records that have not been asked for.
    fn ask(&mut self, gpu: &Gpu) {
        if self.asked == self.recorded {
            return;
        }
        let count = self.recorded - self.asked;
        let first = (self.asked % BLOCK) * RECORD;
        self.coming.push_back((count, Reading::of(gpu, &[(&self.ring, first, count * RECORD)])));
        self.asked = self.recorded;
    }

    /// Takes in what has come back; waits for it until `until` steps are taken in.
    pub(crate) fn take(&mut self, gpu: &Gpu, until: u64) {
        if until > self.asked {
            self.ask(gpu);
        }
        while let Some((count, reading)) = self.coming.front() {
            let Some(bytes) = reading.bytes(gpu, self.taken < until) else { break };
            let count = *count;
            for record in bytes[0].chunks_exact(RECORD as usize).take(count as usize) {
                let (planned, timed) = self.planned.pop_front().unwrap_or_default();
                let record = Record::read(record, self.area, planned);
                if timed {
                    self.timed_ms = record.ticks.map(|ticks| ticks as f64 * self.ms_per_tick);
                }
                for (sum, ms) in self.stage_ms.iter_mut().zip(self.timed_ms) {
                    *sum += ms;
                }
                self.totals.take(&record.numbers);
                if let Some(history) = &mut self.history {
                    history.push(self.totals.counters);
                }
                let block = (self.taken / BLOCK) as usize;
                self.block_rounds.resize(self.block_rounds.len().max(block + 1), (0, false));
                if let Some(solver) = record.numbers.solver {
                    let entry = &mut self.block_rounds[block];
                    *entry = (entry.0.max(solver.rounds), entry.1 | !solver.converged);
                }
                self.taken += 1;
            }
            self.coming.pop_front();
        }
        if gpu.trouble().is_some() {
            self.coming.clear();
        }
    }

    /// Takes in every step that was submitted. Waits for the device.
    pub(crate) fn take_all(&mut self, gpu: &Gpu) {
        self.take(gpu, self.recorded);
    }

    /// At the beginning of a block: the most rounds of the last block but one, and whether they were too few. Waits for
    /// that block, so the answer does not depend on timing. `None` in other steps.
    pub(crate) fn rounds_before(&mut self, gpu: &Gpu) -> Option<(u64, bool)> {
        if !self.recorded.is_multiple_of(BLOCK) || self.recorded < 2 * BLOCK {
            return None;
        }
        let block = self.recorded / BLOCK - 2;
        self.take(gpu, (block + 1) * BLOCK);
        self.block_rounds.get(block as usize).copied()
    }
}
