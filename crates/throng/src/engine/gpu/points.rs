//! Points of their own that a call gives agents.

use super::buffers::Column;
use super::compiled::Kernels;
use super::upload::upload;
use super::{Engine as _, GpuEngine};
use crate::engine::layout::{self, Journey};
use crate::engine::{EngineError, points};
use crate::world::agents::State;
use crate::world::points::{COLUMN, POINT};
use glam::Vec2;
use std::sync::Arc;

/// Up to so many agents are written one by one, more of them as whole columns.
const FEW: usize = 1000;

impl GpuEngine {
    /// Whether there is a column of points.
    pub(super) fn have_points(&self) -> bool {
        self.points().is_some()
    }

    /// That column, in the set that is in force now.
    fn points(&self) -> Option<&wgpu::Buffer> {
        let number = self.buffers.own().iter().position(|c| c.info == COLUMN.info)?;
        Some(self.buffers.own_column(number, self.present))
    }

    /// Has kernels that suit the scene, with or without points.
    pub(super) fn compile(&mut self, points: bool) {
        let items = self.solver_items();
        if !self.kernels.suit(&self.scene, &self.world, points, items) {
            self.kernels = Arc::new(Kernels::new(&self.gpu, &self.scene, &self.world, points, items));
        }
    }

    /// As [`crate::engine::Engine::set_points`]. Waits for the device, which alone knows where everybody is.
    pub(super) fn give_points(&mut self, given: &[(u32, Vec2)]) -> Result<(), EngineError> {
        self.settle();
        let journeys = self.column(Column::Journey);
        let bytes = self.read_now(&[(journeys, 0, u64::from(self.params.agents) * size_of::<Journey>() as u64)])?;
        let mut journeys: Vec<Journey> = bytemuck::pod_collect_to_vec(&bytes[0]);
        journeys.truncate(self.params.agents as usize);
        let people = journeys.iter().map(|j| (j[0], layout::agent([0.0; 4], [0; 4], *j).state));
        let places = points::places(&self.world, given, people)?;
        if places.is_empty() {
            return Ok(());
        }
        if !self.have_points() {
            self.compile(true);
            let own = self.scene.columns(&self.scene.model, true);
            self.buffers.use_columns(&self.gpu, &own, u64::from(self.params.agents));
            self.rebind();
        }
        if self.world.want_detours() {
            self.update_tables(&[]);
        }
        for &(i, _) in &places {
            let [_, goal, leg, _] = &mut journeys[i];
            let group = &self.scene.groups[(*goal >> 16) as usize];
            let legs = group.journey.len() as u32;
            *goal |= u32::from(POINT);
            // Who waits to leave has one leg more to go.
            *leg -= u32::from(*leg & 0xFFFF == legs);
            if *leg >> 16 & 0xFF == State::Staying as u32 && !group.lives() {
                *leg = (*leg & 0xFF00_FFFF) | (State::Waiting as u32) << 16; // its place is gone
            }
        }
        let to = self.points().expect("it was made");
        let journey = self.buffers.column(Column::Journey, self.present);
        if places.len() <= FEW {
            for &(i, point) in &places {
                self.gpu.queue.write_buffer(journey, 16 * i as u64, bytemuck::bytes_of(&journeys[i]));
                self.gpu.queue.write_buffer(to, 8 * i as u64, bytemuck::bytes_of(&point));
            }
        } else {
            let bytes = self.read_now(&[(to, 0, 8 * journeys.len() as u64)])?;
            let mut points: Vec<Vec2> = bytemuck::pod_collect_to_vec(&bytes[0]);
            for &(i, point) in &places {
                points[i] = point;
            }
            upload(&self.gpu, journey, journeys.len(), |i| journeys[i]);
            upload(&self.gpu, to, points.len(), |i| points[i]);
        }
        Ok(())
    }
}
