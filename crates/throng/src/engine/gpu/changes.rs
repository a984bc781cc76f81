//! What changes between two steps: edits of the world, and another model.

use super::GpuEngine;
use super::bounded;
use super::buffers::{Buffer, Sizes};
use super::params::Params;
use super::rounds::Rounds;
use crate::engine::edits::Touched;
use crate::engine::schedule::Schedule;
use crate::scene::Model;

impl GpuEngine {
    /// Notes what a change has touched; it is taken in later, for all changes at once.
    pub(super) fn take(&mut self, touched: Touched) {
        match touched {
            Touched::Walls => self.buried = true,
            Touched::Cells(cells) => {
                self.dirty.extend(cells.iter().map(|&c| self.tables.tile_of(&self.world.grid, c as usize)));
            }
            Touched::Area(bounds) => self.dirty.extend(self.tables.tiles_in(&self.world.grid, bounds)),
            Touched::Comfort(places) => {
                let tiles = places.into_iter().flat_map(|bounds| self.tables.tiles_in(&self.world.grid, bounds));
                self.uneasy.extend(tiles);
            }
            Touched::Goals => self.goals_moved = true,
            // Where they are is asked in every step; only the first of all needs kernels that know of hazards.
            Touched::Hazards if self.kernels.know_hazards() => {}
            Touched::Hazards => {
                self.compile(self.have_points());
                self.rebind();
            }
            Touched::Model(before) => self.weigh(&before),
            Touched::Nothing => {}
        }
    }

    /// Writes some tiles of walls anew, and everything that is found from walls and goals.
    pub(super) fn update_tables(&mut self, tiles: &[u32]) {
        let mut changes = self.tables.update(&self.world, tiles);
        changes.extend(self.tables.update_lists(&self.world));
        self.tables.point_out(&mut self.params);
        self.params.sign_count = self.world.beliefs.signs.len() as u32;
        let need = self.tables.records.len() as u64 * 16;
        if need > self.buffers.get(Buffer::World).size() {
            self.buffers.resize(&self.gpu, Buffer::World, need + self.tables.shapes(&self.world.grid) * 4);
            self.rebind();
            self.write(Buffer::World, 0, &self.tables.records);
        } else {
            for range in changes {
                self.write(Buffer::World, 16 * range.start as u64, &self.tables.records[range]);
            }
        }
    }

    /// Takes in what edits changed: small uploads, and whoever is in a wall now is put aside.
    pub(super) fn apply_edits(&mut self) {
        let walls = !self.dirty.is_empty() || self.buried;
        if !walls && !self.goals_moved && self.uneasy.is_empty() {
            return;
        }
        if walls {
            self.world.refresh();
        } else if self.goals_moved {
            self.world.refresh_goals();
        }
        if std::mem::take(&mut self.goals_moved) && self.has_rooms() {
            self.update_rooms();
        }
        if self.world.held.contains(&true) && !self.kernels.hold() {
            self.compile(self.have_points());
            self.rebind();
        }
        let mut tiles = std::mem::take(&mut self.dirty);
        tiles.append(&mut self.uneasy);
        tiles.extend(self.world.walls.take_changed());
        tiles.sort_unstable();
        tiles.dedup();
        self.update_tables(&tiles);
        if self.rounds.update(&self.gpu, &self.world, u64::from(self.step)) {
            let bytes = self.rounds.seeds.len() as u64 * 4;
            if bytes > self.buffers.get(Buffer::Seeds).size() {
                self.buffers.resize(&self.gpu, Buffer::Seeds, bytes);
                self.rebind();
            }
            self.write(Buffer::Seeds, 0, &self.rounds.seeds);
            self.rounds.point_out(&mut self.params);
        }
        self.schedule.invalidate();
        if std::mem::take(&mut self.buried) {
            // Who is put aside goes to where its goal can be reached from: a plan for the empty floor tells.
            self.params.round_limit = self.rounds.given() as u32;
            self.write_params();
            let mut encoder = self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            self.displace(&mut encoder);
            self.gpu.queue.submit([encoder.finish()]);
        }
    }

    /// Takes on the scene's model: what kernels are compiled for and what buffers are sized for is made anew where it differs
    /// from the one before.
    fn weigh(&mut self, old: &Model) {
        let model = self.scene.model;
        self.law = self.scene.law();
        self.params = Params::new(&self.scene, &self.world, &self.law);
        self.tables.point_out(&mut self.params);
        self.write(Buffer::LawTable, 0, self.law.table());
        let weights = self.tables.set_weights(&self.world);
        self.write(Buffer::World, 16 * weights.start as u64, &self.tables.records[weights]);
        self.schedule = Schedule::new(&model);
        let points = self.have_points();
        self.compile(points);
        if model.solver != old.solver {
            // Its rounds are others; goal cells are those that the device has.
            self.rounds = Rounds::new(&self.gpu, &self.world, &model, self.law.reference);
        } else {
            self.rounds.weigh(&self.world, &model, self.law.reference);
            if self.rounds.has_weights() {
                self.write(Buffer::Seeds, 0, &self.rounds.seeds);
            }
        }
        self.rounds.point_out(&mut self.params);
        let own = self.scene.columns(&model, points);
        let sizes = Sizes {
            params: &self.params,
            shapes: 0,
            seeds: 0,
            maps: false,
            rooms: [0; 2],
            search: model.neighbours,
            plan_spans: self.schedule.spans_steps(),
            terrain: !self.world.terrain.is_flat(),
            factors: !self.world.cost_factors.is_empty(),
            record_bytes: bounded::record_bytes(&model),
            own: &own,
        };
        let cells = [Buffer::Cells, Buffer::Records, Buffer::Crossings, Buffer::Asks];
        for buffer in [Buffer::SweepColumns, Buffer::PlannedA, Buffer::PlannedB].into_iter().chain(cells) {
            self.buffers.fit(&self.gpu, buffer, &sizes);
        }
        self.buffers.use_columns(&self.gpu, &own, u64::from(self.params.agents));
        self.rebind();
        let discomfort = |m: &Model| [m.clearance.to_bits(), m.clearance_discomfort.to_bits()];
        if discomfort(&model) != discomfort(old) {
            self.dirty.extend(self.tables.tiles_in(&self.world.grid, self.world.grid.bounds()));
        }
        self.goals_moved |= (model.goal_crowding > 0.0) != (old.goal_crowding > 0.0);
        self.rounds.forget_rounds(u64::from(self.step));
        self.schedule.invalidate();
    }

    pub(super) fn rebind(&mut self) {
        let model = self.scene.model;
        self.bindings = [0, 1].map(|present| self.kernels.bind(&self.gpu, &self.buffers, present, &model));
    }
}
