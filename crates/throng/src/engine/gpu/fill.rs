//! What the device is given: the world, the crowd, what groups have done so far.

use super::buffers::Buffer;
use super::upload::upload;
use super::{GpuEngine, agents, tally};
use crate::engine::totals::Totals;
use crate::world::agents::{Agents, State};

impl GpuEngine {
    pub(super) fn upload_world(&mut self) {
        let Self { gpu, buffers, tables, .. } = &*self;
        upload(gpu, buffers.get(Buffer::World), tables.records.len(), |i| tables.records[i]);
        let (terrain, factors) = (&self.world.terrain, &self.world.cost_factors);
        if !terrain.is_flat() {
            let slopes = terrain.slope.iter().zip(&terrain.pace).zip(&terrain.heights);
            let slopes: Vec<[f32; 4]> =
                slopes.map(|((slope, pace), height)| [slope.x, slope.y, *pace, *height]).collect();
            upload(gpu, buffers.get(Buffer::Terrain), 2 * slopes.len(), |i| {
                if i < slopes.len() { terrain.factors[i] } else { slopes[i - slopes.len()] }
            });
        }
        upload(gpu, buffers.get(Buffer::CostFactors), factors.len(), |i| {
            let [a, b, c] = factors[i];
            [a, b, c, 0.0]
        });
        self.write(Buffer::LawTable, 0, self.law.table());
        self.write(Buffer::Seeds, 0, &self.rounds.seeds);
        self.write(Buffer::Params, 0, &self.params.words(&self.scene.model));
        if let Some(part) = self.scene.model.steering_part() {
            self.write(Buffer::Steering, 0, &part.words());
        }
    }

    /// Puts a crowd on the device, in the order of its columns; the next step sorts it.
    pub(super) fn upload_agents(&mut self, agents: &Agents, let_in: &[u32]) {
        self.upload_columns(agents);
        let mut encoder = self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        for buffer in [Buffer::Starts, Buffer::Counts, Buffer::Quanta, Buffer::Tally, Buffer::Control, Buffer::Rooms] {
            encoder.clear_buffer(self.buffers.get(buffer), 0, None);
        }
        // Nothing is planned yet: no way costs anything finite.
        self.clear_plan(&mut encoder);
        self.gpu.queue.submit([encoder.finish()]);
        self.upload_groups(agents, let_in);
        self.upload_rooms(agents);
        self.journal.get_mut().totals = Totals::new(agents.census());
    }

    pub(super) fn upload_columns(&mut self, agents: &Agents) {
        self.present = 0;
        agents::upload_columns(&self.gpu, &self.buffers, 0, agents, &self.scene);
    }

    /// How many each group has let in, and how many of it are outside.
    pub(super) fn upload_groups(&self, agents: &Agents, let_in: &[u32]) {
        let groups = self.scene.groups.len();
        let mut counts = vec![0u32; 3 * groups];
        counts[..groups].copy_from_slice(let_in);
        for i in 0..agents.len() {
            if agents.state[i] == State::Outside {
                let g = agents.group[i] as usize;
                let first = self.scene.groups[g].rate.is_some() && agents.wake[i] == u32::MAX;
                counts[if first { groups + g } else { 2 * groups + g }] += 1;
            }
        }
        self.write(Buffer::Tally, 4 * tally::WORDS as u64, &counts);
    }
}
