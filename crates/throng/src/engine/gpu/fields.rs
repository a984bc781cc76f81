//! From the device's buffers to answers: what is copied for each, and how it is read.

use super::buffers::{Buffer, Column};
use super::{GpuEngine, agents, rounds};
use crate::engine::{Answer, Field, Request, Values};
use crate::measure::crowd;
use crate::stages::bin::Bins;
use crate::stages::gradient::{Directions, Way};
use crate::stages::potential::UNREACHED;
use crate::stages::splat::QUANTA;
use crate::stages::steer::bvp::local_map;
use crate::stages::steer::social_force::cells::Blocks;
use crate::world::cells::Tiled;

impl GpuEngine {
    /// Where a cell is in fields that lie tile by tile.
    pub(super) fn tiled(&self, cell: usize) -> usize {
        Tiled::of(&self.world.grid).cell(cell).place()
    }

    /// What to copy for an answer.
    pub(super) fn pieces(&self, what: Request) -> Vec<(&wgpu::Buffer, u64, u64)> {
        let (cells, routes) = (u64::from(self.params.cells), u64::from(self.params.routes).max(1));
        let tiled = u64::from(self.params.tiles) * 256;
        let whole = |buffer: Buffer, bytes: u64| vec![(self.buffers.get(buffer), 0, bytes)];
        match what {
            Request::Agents => {
                let agents = u64::from(self.params.agents);
                let common = Column::ALL.map(|c| (self.buffers.column(c, self.present), 0, agents * 16));
                let own =
                    self.buffers.own().iter().enumerate().map(|(k, column)| {
                        (self.buffers.own_column(k, self.present), 0, agents * 4 * column.width as u64)
                    });
                common.into_iter().chain(own).collect()
            }
            Request::LocalMap(_) => {
                let mut pieces = self.pieces(Request::Agents);
                pieces.extend(whole(Buffer::Directions, cells * routes * 4));
                pieces
            }
            Request::Tiles(goal) => {
                let bytes = u64::from(self.params.tiles) * 16;
                let route = self.world.routes.to_goal(goal);
                route.map(|r| (self.buffers.get(Buffer::Status), r as u64 * bytes, bytes)).into_iter().collect()
            }
            Request::Field(field) => match field {
                Field::Occupancy | Field::Refusals if self.params.blocks == 0 => Vec::new(),
                Field::Occupancy => whole(Buffer::Cells, 4 * (u64::from(self.params.blocks) + 1)),
                Field::Refusals => whole(Buffer::Asks, 8 * u64::from(self.params.blocks)),
                Field::Discomfort | Field::Hazard | Field::Height | Field::Slope => Vec::new(),
                Field::Density | Field::Velocity | Field::Persons => whole(Buffer::Average, cells * 16),
                Field::LocalDensity => whole(Buffer::Starts, (cells + 1) * 4),
                Field::Speed(_) => whole(Buffer::Speed, cells * 16),
                Field::Cost(_) => whole(Buffer::Cost, tiled * 16),
                Field::Potential(goal) => {
                    let piece =
                        |route: usize| (self.buffers.get(Buffer::Potential), route as u64 * tiled * 4, tiled * 4);
                    self.world.routes.to_goal(goal).map(piece).into_iter().collect()
                }
                Field::Gradient(_) => whole(Buffer::Directions, cells * routes * 4),
                Field::PeakDensity | Field::Use if !self.keep_maps => Vec::new(),
                Field::PeakDensity => vec![(self.buffers.get(Buffer::Maps), 0, cells * 4)],
                Field::Use => vec![(self.buffers.get(Buffer::Maps), cells * 4, cells * 4)],
            },
        }
    }

    pub(super) fn answer(&self, what: Request, bytes: &[Vec<u8>]) -> Answer {
        match what {
            Request::Agents => Answer::Agents(Box::new(agents::unpack(bytes, &self.scene, self.buffers.own()))),
            Request::Tiles(_) => Answer::Tiles(
                bytes.first().map_or_else(Vec::new, |b| rounds::tile_states(b, self.params.tiles as usize)),
            ),
            Request::LocalMap(id) => Answer::LocalMap(bytes.split_last().and_then(|(ways, columns)| {
                let agents = agents::unpack(columns, &self.scene, self.buffers.own());
                let codes = bytemuck::pod_collect_to_vec::<u8, u32>(ways);
                let directions = Directions::of_codes(self.params.routes as usize, &codes);
                local_map((&self.scene, &self.world), &directions, &agents, self.step, id).map(Box::new)
            })),
            Request::Field(field) => Answer::Field(self.values(field, bytes)),
        }
    }

    pub(super) fn values(&self, field: Field, bytes: &[Vec<u8>]) -> Values {
        let (grid, routes) = (self.world.grid, self.params.routes.max(1) as usize);
        let cells = grid.len();
        let tiled = |c: usize| self.tiled(c);
        let four = || bytemuck::pod_collect_to_vec::<u8, [f32; 4]>(&bytes[0]);
        let one = || bytemuck::pod_collect_to_vec::<u8, f32>(&bytes[0]);
        let per_area = 1.0 / (QUANTA * grid.cell * grid.cell);
        match field {
            Field::Discomfort => Values::Scalar(self.world.discomfort.clone()),
            Field::Occupancy | Field::Refusals if bytes.is_empty() => Values::Scalar(vec![0.0; cells]),
            Field::Occupancy | Field::Refusals => {
                let all = bytemuck::pod_collect_to_vec::<u8, u32>(&bytes[0]);
                let blocks = Blocks::new(&grid, self.scene.model.steering.social_force.range);
                let of = |b: usize| if field == Field::Occupancy { all[b + 1] - all[b] } else { all[2 * b + 1] };
                let block = |c: usize| blocks.at(&grid, grid.centre_of(c)) as usize;
                Values::Scalar((0..cells).map(|c| of(block(c)) as f32).collect())
            }
            Field::Height => Values::Scalar(self.world.heights()),
            Field::Slope => Values::Scalar(self.world.steepness()),
            Field::Hazard => Values::Scalar(self.world.hazards.field(&grid)),
            Field::Density => Values::Scalar(four().iter().take(cells).map(|v| v[0]).collect()),
            Field::Persons => Values::Scalar(four().iter().take(cells).map(|v| v[3] * per_area).collect()),
            Field::LocalDensity => {
                let bins = Bins { start: bytemuck::pod_collect_to_vec(&bytes[0]), outside: 0 };
                let mut counted = vec![0.0; cells];
                crowd::density(&grid, &bins, &mut counted);
                Values::Scalar(counted)
            }
            Field::Velocity => Values::Vector(four().iter().take(cells).map(|v| [v[1], v[2]]).collect()),
            Field::Speed(direction) => Values::Scalar(self.world.on_slopes(&four(), direction.index())),
            Field::Cost(direction) => {
                let all = four();
                let per_metre = |cost: f32| if cost >= UNREACHED { UNREACHED } else { cost / grid.cell };
                Values::Scalar((0..cells).map(|c| per_metre(all[tiled(c)][direction.index()])).collect())
            }
            // Nobody heads there: nothing is planned.
            Field::Potential(_) if bytes.is_empty() => Values::Scalar(vec![UNREACHED; cells]),
            Field::Potential(_) => {
                let all = one();
                Values::Scalar((0..cells).map(|c| all[tiled(c)]).collect())
            }
            Field::Gradient(goal) => {
                let all = bytemuck::pod_collect_to_vec::<u8, u32>(&bytes[0]);
                let unit = |code: u32| Way::of_code(code).direction().to_array();
                let route = self.world.routes.to_goal(goal);
                Values::Vector((0..cells).map(|c| route.map_or([0.0; 2], |r| unit(all[c * routes + r]))).collect())
            }
            Field::PeakDensity | Field::Use if bytes.is_empty() => Values::Scalar(Vec::new()),
            Field::PeakDensity | Field::Use => Values::Scalar(one()[..cells].to_vec()),
        }
    }
}
