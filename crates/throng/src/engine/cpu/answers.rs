//! What the CPU engine tells of itself: fields, bytes, memory.

use super::CpuEngine;
use crate::engine::{Direction, Field, Values};
use crate::measure::crowd;
use crate::stages::potential::{Padded, UNREACHED};
use crate::stages::splat::QUANTA;
use crate::stages::steer::social_force::cells::Cells;
use crate::stages::{COUNT, Stage};
use crate::world::agents::Agents;
use glam::Vec2;

impl CpuEngine {
    pub(super) fn field(&mut self, field: Field) -> Values {
        let grid = self.world.grid;
        let layout = Padded::of(&grid);
        let unpadded =
            |of: &dyn Fn(usize) -> f32| (0..grid.len()).map(|c| of(layout.cell(c).place())).collect::<Vec<f32>>();
        let vectors = |list: &[Vec2]| Values::Vector(list.iter().map(|v| v.to_array()).collect());
        let per_area = 1.0 / (QUANTA * grid.cell * grid.cell);
        if matches!(field, Field::Speed(_)) {
            // Made only in steps that plan.
            super::speed_field(&self.world, &self.law, &mut self.fields);
        }
        let f = &self.fields;
        match field {
            Field::Discomfort => Values::Scalar(self.world.discomfort.clone()),
            Field::Density => Values::Scalar(f.density.clone()),
            Field::Persons => Values::Scalar(f.quanta.iter().map(|q| q[3] as f32 * per_area).collect()),
            Field::LocalDensity => {
                let mut counted = vec![0.0; grid.len()];
                crowd::density(&grid, &self.bins, &mut counted);
                Values::Scalar(counted)
            }
            Field::Velocity => vectors(&f.velocity),
            Field::Speed(direction) => Values::Scalar(self.world.on_slopes(&f.speed, direction.index())),
            Field::Cost(direction) => {
                let costs = &self.planner.solved().costs;
                Values::Scalar(unpadded(&|c| {
                    let cost = costs.first().map_or(UNREACHED, |field| field[c][direction.index()]);
                    if cost >= UNREACHED { UNREACHED } else { cost / grid.cell }
                }))
            }
            Field::Potential(goal) => {
                let route = self.world.routes.to_goal(goal);
                let potentials = &self.planner.solved().potentials;
                Values::Scalar(unpadded(&|c| route.map_or(UNREACHED, |r| potentials[r][c])))
            }
            Field::Gradient(goal) => match self.world.routes.to_goal(goal) {
                Some(route) => vectors(&self.planner.directions.of_route(route)),
                None => vectors(&vec![Vec2::ZERO; grid.len()]),
            },
            Field::PeakDensity => Values::Scalar(f.peaks.clone()),
            Field::Use => Values::Scalar(f.used.clone()),
            Field::Height => Values::Scalar(self.world.heights()),
            Field::Slope => Values::Scalar(self.world.steepness()),
            Field::Occupancy => Values::Scalar(self.per_bounded_cell(|cells, cell| cells.count(cell))),
            Field::Refusals => Values::Scalar(self.per_bounded_cell(|cells, cell| cells.refused[cell])),
            Field::Hazard => Values::Scalar(self.world.hazards.field(&grid)),
        }
    }

    /// A number of the bounded cell that each cell is in; nothing where there are none, or no step yet.
    fn per_bounded_cell(&self, of: impl Fn(&Cells, usize) -> u32) -> Vec<f32> {
        let (grid, cells) = (self.world.grid, &self.cells);
        if cells.blocks.is_empty() || self.scene.model.steer.steering().bounded.is_none() {
            return vec![0.0; grid.len()];
        }
        (0..grid.len()).map(|c| of(cells, cells.blocks.at(&grid, grid.centre_of(c)) as usize) as f32).collect()
    }

    /// Bytes that each stage has to read and write in a step like the last, if it plans in every step.
    pub(super) fn bytes_per_stage(&self) -> [u64; COUNT] {
        let cells = self.world.grid.len() as u64;
        let routes = self.world.routes.len() as u64;
        let costs = self.world.routes.weights().len() as u64;
        let (floor, alive) = (self.bins.on_floor() as u64, self.bins.alive() as u64);
        let rounds = u64::from(self.scene.model.separation_rounds);
        Stage::ALL.map(|stage| match stage {
            Stage::Bin => alive * (2 * Agents::BYTES as u64 + 9 + 12) + cells * 12,
            // Position, velocity, radius; quanta.
            Stage::Splat => floor * 20 + cells * 16,
            Stage::Flow => cells * (16 + 4 + 8),
            Stage::Speed => cells * (1 + 4 + 4 + 8 + 16),
            Stage::Cost => costs * cells * (1 + 4 + 16 + 16),
            // Costs, values read and written once.
            Stage::Potential => routes * cells * (16 + 4 + 4),
            Stage::Gradient => routes * cells * (16 + 4 + 4),
            // Columns, four directions, speeds; what is told.
            Stage::Guide => floor * (8 + 8 + 4 + 4 + 4 + 2 + 2 + 1 + 16 + 16 + 16),
            Stage::Avoid => floor * (8 + 16 + 16),
            Stage::Move => floor * (8 + 16 + 16 + 4 + 16),
            // Lists, rounds, velocity.
            Stage::Separate => floor * (20 + rounds * 20 + 40),
            Stage::Measure => floor * 33 + cells * 4,
            Stage::Live => floor * 15,
        })
    }

    /// Bytes held, by what for.
    pub(super) fn memory_by_use(&self) -> Vec<(&'static str, u64)> {
        let f = &self.fields;
        let of = |bytes: usize| bytes as u64;
        let [cost, potential, gradient] = self.planner.memory();
        vec![
            ("agents", of(self.agents.memory())),
            ("bin", of(self.sorter.memory() + 4 * self.bins.start.capacity())),
            ("steer", of(16 * (self.guide.capacity() + self.wanted.capacity()) + self.cells.memory())),
            ("separate", of(self.separator.memory())),
            ("splat", of(16 * f.quanta.capacity() + self.splatter.memory())),
            ("flow", of(12 * f.density.capacity())),
            ("speed", of(24 * f.speed.capacity())),
            ("cost", of(cost)),
            ("potential", of(potential)),
            ("gradient", of(gradient)),
            ("world", of(self.world.grid.len() * 17)),
            ("maps", of(4 * (f.peaks.capacity() + f.used.capacity()))),
        ]
    }
}

impl Direction {
    /// Its place in a field that has a value per direction.
    #[must_use]
    pub fn index(self) -> usize {
        match self {
            Self::North => 0,
            Self::East => 1,
            Self::South => 2,
            Self::West => 3,
        }
    }
}
