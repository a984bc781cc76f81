//! States that a call puts agents into.

use super::buffers::Column;
use super::{Engine as _, GpuEngine};
use crate::engine::EngineError;
use crate::engine::layout::{self, Body, Journey, Motion};
use crate::engine::states::{Entering, entering};
use crate::stages::live::states::{CALLED, COLUMN};
use crate::world::agents::ModelColumn;
use crate::world::points;

impl GpuEngine {
    /// A model's own column, in the set that is in force now.
    fn own_named(&self, column: &ModelColumn) -> Option<&wgpu::Buffer> {
        let number = self.buffers.own().iter().position(|c| c.info == column.info)?;
        Some(self.buffers.own_column(number, self.present))
    }

    /// As [`crate::engine::Engine::set_states`]. Waits for the device, which alone knows where everybody is.
    pub(super) fn give_states(&mut self, given: &[(u32, u16)]) -> Result<(), EngineError> {
        self.settle();
        let bytes = 16 * u64::from(self.params.agents);
        let columns = [Column::Journey, Column::Motion].map(|column| (self.column(column), 0, bytes));
        let read = self.read_now(&columns)?;
        let mut journeys: Vec<Journey> = bytemuck::pod_collect_to_vec(&read[0]);
        let motions: Vec<Motion> = bytemuck::pod_collect_to_vec(&read[1]);
        journeys.truncate(self.params.agents as usize);
        let nobody: Body = [0; 4];
        let people = journeys.iter().zip(&motions).map(|(j, m)| {
            let agent = layout::agent(*m, nobody, *j);
            (agent.id, agent.group, agent.state, agent.position)
        });
        let entering = entering(&self.scene, &self.world, self.step, given, people)?;
        let (Some(clips), Some(to_points)) = (self.own_named(&COLUMN), self.own_named(&points::COLUMN)) else {
            return Ok(());
        };
        for Entering { place: i, to, wake, begun } in entering {
            let [_, goal, leg, when] = &mut journeys[i];
            *goal = (*goal & 0xFFFF_0000) | u32::from(begun.goal);
            *leg = (*leg & 0xFF00_0000) | (begun.state as u32) << 16 | u32::from(to);
            *when = wake;
            let write = |buffer: &wgpu::Buffer, size: usize, bytes: &[u8]| {
                self.gpu.queue.write_buffer(buffer, (size * i) as u64, bytes);
            };
            write(self.column(Column::Journey), 16, bytemuck::bytes_of(&journeys[i]));
            write(clips, 8, bytemuck::bytes_of(&[0.0, CALLED]));
            if let Some(point) = begun.point {
                write(to_points, 8, bytemuck::bytes_of(&point));
            }
        }
        Ok(())
    }
}
