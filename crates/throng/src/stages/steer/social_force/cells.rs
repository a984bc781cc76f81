//! Square cells as wide as the force reaches: who is in which, in one list. A cell is a block of the raster's cells, so the sort has done
//! the work already, and everybody around a cell is in three runs of the list: the rows of three cells each. So shaders read them; on the CPU
//! forces are added up from [`strips`](super::strips), and the list is there for a step that goes on on the GPU.
//!
//! Places are not stored: the list has an entry for everybody, and a cell a number that says where it begins. So neither empty places nor
//! cells without floor take memory, which the paper asks for.

use super::Layout;
use super::strips::Strips;
use crate::stages::bin::Bins;
use crate::world::agents::Agents;
use crate::world::grid::Grid;
use glam::Vec2;
use rayon::prelude::*;

/// What a steering says of its cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound {
    /// How wide they are at least, m.
    pub side: f32,
    /// How many people each holds.
    pub places: u32,
    /// How those in them are kept for others to read.
    pub layout: Layout,
    /// How far ahead of who walks others make room, s.
    pub look_ahead: f32,
}

/// How cells lie on the raster.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Blocks {
    /// Cells of the raster along a side.
    pub side: usize,
    /// Cells from west to east.
    pub wide: usize,
    /// Cells from south to north.
    pub high: usize,
}

impl Blocks {
    /// Cells at least this wide, m: as many of the raster's as that takes. The last ones may be cut off by the border of the world.
    #[must_use]
    pub fn new(grid: &Grid, side: f32) -> Self {
        // Rounding must not make 4 m of cells of 0.1 m 41 cells wide.
        let side = ((side / grid.cell - 1e-3).ceil() as usize).max(1);
        Self { side, wide: grid.width.div_ceil(side), high: grid.height.div_ceil(side) }
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.wide * self.high
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The cell under a point.
    #[must_use]
    #[inline]
    pub fn at(&self, grid: &Grid, p: Vec2) -> u32 {
        let (x, y) = grid.coords(p);
        ((y / self.side) * self.wide + x / self.side) as u32
    }

    /// Columns and rows of the raster that a cell covers: from and to, without the last.
    #[must_use]
    #[inline]
    pub fn covers(&self, grid: &Grid, cell: usize) -> [(usize, usize); 2] {
        let (x, y) = (cell % self.wide * self.side, cell / self.wide * self.side);
        [(x, (x + self.side).min(grid.width)), (y, (y + self.side).min(grid.height))]
    }

    /// Its area, m².
    #[must_use]
    #[inline]
    pub fn area(&self, grid: &Grid, cell: usize) -> f32 {
        let [(x0, x1), (y0, y1)] = self.covers(grid, cell);
        ((x1 - x0) * (y1 - y0)) as f32 * grid.cell * grid.cell
    }

    /// The cells around one and itself, as runs of each row: first, and behind the last.
    #[inline]
    pub fn rows_around(&self, cell: usize) -> impl Iterator<Item = (usize, usize)> + use<> {
        let (x, y, wide) = (cell % self.wide, cell / self.wide, self.wide);
        let (x0, x1) = (x.saturating_sub(1), (x + 1).min(wide - 1));
        (y.saturating_sub(1)..=(y + 1).min(self.high - 1)).map(move |y| (y * wide + x0, y * wide + x1 + 1))
    }
}

/// Who is in which cell, as a step found them, and how places were given since.
#[derive(Debug, Default)]
pub struct Cells {
    /// How cells lie on the raster.
    pub blocks: Blocks,
    /// Where each cell begins in the list; then how many there are.
    pub starts: Vec<u32>,
    /// The list: everybody on the floor, cell by cell, by its place in the columns.
    pub who: Vec<u32>,
    /// The cell that each is in.
    pub home: Vec<u32>,
    /// Where each was when the step began.
    pub before: Vec<Vec2>,
    /// How many each cell had no place for in the last step.
    pub refused: Vec<u32>,
    /// Everybody once more, as others read them.
    pub strips: Strips,
}

/// What there is to write for a row of cells.
struct Row<'a> {
    row: usize,
    /// The first of the columns that is in the row; they follow each other.
    first: usize,
    starts: &'a mut [u32],
    who: &'a mut [u32],
    home: &'a mut [u32],
}

impl Cells {
    /// How many are in a cell.
    #[must_use]
    #[inline]
    pub fn count(&self, cell: usize) -> u32 {
        self.starts[cell + 1] - self.starts[cell]
    }

    /// Finds who is in which cell. Nobody has moved since the sort.
    pub fn gather(&mut self, grid: &Grid, bins: &Bins, agents: &Agents, bound: Bound) {
        let n = bins.on_floor();
        self.blocks = Blocks::new(grid, bound.side);
        let blocks = self.blocks;
        self.starts.resize(blocks.len() + 1, 0);
        self.refused.clear();
        self.refused.resize(blocks.len(), 0);
        for list in [&mut self.who, &mut self.home] {
            list.resize(n, 0);
        }
        self.before.clear();
        self.before.extend_from_slice(&agents.position[..n]);
        let (mut starts, mut rest) = (&mut self.starts[..], (&mut self.who[..], &mut self.home[..]));
        let mut rows = Vec::with_capacity(blocks.high);
        let mut first = 0;
        for row in 0..blocks.high {
            let [_, (y0, y1)] = blocks.covers(grid, row * blocks.wide);
            let len = bins.rows(grid, y0, y1).len();
            let (own_starts, later) = starts.split_at_mut(blocks.wide);
            let (who, home) = (rest.0.split_at_mut(len), rest.1.split_at_mut(len));
            rows.push(Row { row, first, starts: own_starts, who: who.0, home: home.0 });
            (starts, rest) = (later, (who.1, home.1));
            first += len;
        }
        starts[0] = n as u32;
        rows.into_par_iter().for_each(|row| row.fill(grid, bins, blocks));
        self.strips.gather(grid, bins, agents, bound, blocks);
    }

    /// Bytes that it holds on to.
    #[must_use]
    pub fn memory(&self) -> usize {
        let words = [&self.starts, &self.who, &self.home, &self.refused].map(Vec::capacity);
        4 * words.iter().sum::<usize>() + 8 * self.before.capacity() + self.strips.memory()
    }
}

impl Row<'_> {
    fn fill(self, grid: &Grid, bins: &Bins, blocks: Blocks) {
        let mut next = 0;
        for x in 0..blocks.wide {
            let cell = self.row * blocks.wide + x;
            let [(x0, x1), (y0, y1)] = blocks.covers(grid, cell);
            self.starts[x] = (self.first + next) as u32;
            for y in y0..y1 {
                for i in bins.run(grid, y, x0, x1 - 1) {
                    self.who[next] = i as u32;
                    self.home[i - self.first] = cell as u32;
                    next += 1;
                }
            }
        }
    }
}
