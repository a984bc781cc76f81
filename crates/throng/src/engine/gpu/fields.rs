//! From the device's buffers to answers: what is copied for each, and how it is read.

use super::buffers::{COLUMN_BYTES, COLUMNS};
use super::{GpuEngine, agents, rounds};
use crate::engine::{Answer, Direction, Field, Request, Values};
use crate::stages::potential::{TILE, UNREACHED};
use crate::stages::splat::QUANTA;

impl GpuEngine {
    /// Where a cell is in fields that lie tile by tile.
    pub(super) fn tiled(&self, cell: usize) -> usize {
        let (x, y) = (cell % self.world.grid.width, cell / self.world.grid.width);
        let tile = y / TILE * self.params.tiles_x as usize + x / TILE;
        tile * TILE * TILE + y % TILE * TILE + x % TILE
    }

    /// What to copy for an answer.
    pub(super) fn pieces(&self, what: Request) -> Vec<(&wgpu::Buffer, u64, u64)> {
        let (cells, goals) = (u64::from(self.params.cells), u64::from(self.params.goals).max(1));
        let tiled = u64::from(self.params.tiles) * 256;
        let whole = |name: &str, bytes: u64| vec![(self.buffers.other(name), 0, bytes)];
        match what {
            Request::Agents => (0..4)
                .map(|k| {
                    let bytes = u64::from(self.params.agents) * COLUMN_BYTES[k];
                    (self.buffers.get(COLUMNS[k], self.in_force()), 0, bytes)
                })
                .collect(),
            Request::Tiles(goal) => {
                let bytes = u64::from(self.params.tiles) * 16;
                vec![(self.buffers.other("status"), goal as u64 * bytes, bytes)]
            }
            Request::Field(field) => match field {
                Field::Discomfort => Vec::new(),
                Field::Density | Field::Velocity | Field::Persons => whole("average", cells * 16),
                Field::Speed(_) => whole("speed", cells * 16),
                Field::Cost(_) => whole("cost", tiled * 16),
                Field::Potential(goal) => vec![(self.buffers.other("potential"), goal as u64 * tiled * 4, tiled * 4)],
                Field::Gradient(_) => whole("directions", cells * goals * 4),
                Field::PeakDensity | Field::Use if !self.keep_maps => Vec::new(),
                Field::PeakDensity => vec![(self.buffers.other("maps"), 0, cells * 4)],
                Field::Use => vec![(self.buffers.other("maps"), cells * 4, cells * 4)],
            },
        }
    }

    pub(super) fn answer(&self, what: Request, bytes: &[Vec<u8>]) -> Answer {
        match what {
            Request::Agents => Answer::Agents(Box::new(agents::unpack(bytes, &self.scene))),
            Request::Tiles(_) => Answer::Tiles(rounds::tile_states(&bytes[0], self.params.tiles as usize)),
            Request::Field(field) => Answer::Field(self.values(field, bytes)),
        }
    }

    pub(super) fn values(&self, field: Field, bytes: &[Vec<u8>]) -> Values {
        let (grid, goals) = (self.world.grid, self.params.goals.max(1) as usize);
        let cells = grid.len();
        let tiled = |c: usize| self.tiled(c);
        let d = |direction: Direction| match direction {
            Direction::North => 0,
            Direction::East => 1,
            Direction::South => 2,
            Direction::West => 3,
        };
        let four = || bytemuck::pod_collect_to_vec::<u8, [f32; 4]>(&bytes[0]);
        let one = || bytemuck::pod_collect_to_vec::<u8, f32>(&bytes[0]);
        let per_area = 1.0 / (QUANTA * grid.cell * grid.cell);
        match field {
            Field::Discomfort => Values::Scalar(self.world.discomfort.clone()),
            Field::Density => Values::Scalar(four().iter().take(cells).map(|v| v[0]).collect()),
            Field::Persons => Values::Scalar(four().iter().take(cells).map(|v| v[3] * per_area).collect()),
            Field::Velocity => Values::Vector(four().iter().take(cells).map(|v| [v[1], v[2]]).collect()),
            Field::Speed(direction) => Values::Scalar(four().iter().take(cells).map(|v| v[d(direction)]).collect()),
            Field::Cost(direction) => {
                let all = four();
                let per_metre = |cost: f32| if cost >= UNREACHED { UNREACHED } else { cost / grid.cell };
                Values::Scalar((0..cells).map(|c| per_metre(all[tiled(c)][d(direction)])).collect())
            }
            Field::Potential(_) => {
                let all = one();
                Values::Scalar((0..cells).map(|c| all[tiled(c)]).collect())
            }
            Field::Gradient(goal) => {
                let all = bytemuck::pod_collect_to_vec::<u8, [i16; 2]>(&bytes[0]);
                let unit = |v: i16| (f32::from(v) / 32767.0).max(-1.0);
                Values::Vector((0..cells).map(|c| all[c * goals + goal].map(unit)).collect())
            }
            Field::PeakDensity | Field::Use if bytes.is_empty() => Values::Scalar(Vec::new()),
            Field::PeakDensity | Field::Use => Values::Scalar(one()[..cells].to_vec()),
        }
    }
}
