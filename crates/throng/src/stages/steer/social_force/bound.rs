//! Cells hold only so many. Who has crossed into another one when everybody has moved and been pushed asks for a place there; who was in it when the
//! step began keeps its place until the step ends, so there are as many as were free then. The lowest ids get them. The others stay at the border
//! of their own cell, and lose the part of their velocity that led across it.
//!
//! The paper's threads race for places, in one pass, and take them in a second one; here the first pass finds out who asks, and the second decides,
//! which gives the same bits every time. The shader's side is bound.wgsl.

use super::cells::{Blocks, Bound, Cells};
use crate::world::agents::Agents;
use crate::world::grid::Grid;
use crate::world::walls::Walls;
use glam::Vec2;
use rayon::prelude::*;

/// How far from the border of its cell somebody is left, in cells of the raster.
const EDGE: f32 = 2e-3;

/// Where everybody's borders are.
#[derive(Clone, Copy, Debug)]
pub struct Borders<'a> {
    /// The raster.
    pub grid: &'a Grid,
    /// Walls.
    pub walls: &'a Walls,
    /// The farthest that anybody is carried at a time, m.
    pub stride: f32,
}

/// Somebody who asks for a place in another cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Ask {
    cell: u32,
    id: u32,
    /// Its place in the columns.
    index: u32,
}

impl Cells {
    /// Keeps those out for whom there is no place. Returns how many that were.
    pub fn keep_out(&mut self, borders: Borders<'_>, bound: Bound, agents: &mut Agents) -> u64 {
        let Self { blocks, home, .. } = &*self;
        let asks = home.par_iter().with_min_len(4096).enumerate().filter_map(|(i, &home)| {
            let cell = blocks.at(borders.grid, agents.position[i]);
            (cell != home).then(|| Ask { cell, id: agents.id[i], index: i as u32 })
        });
        let mut asks: Vec<Ask> = asks.collect();
        asks.par_sort_unstable();
        let mut refused = 0;
        for those in asks.chunk_by(|a, b| a.cell == b.cell) {
            let cell = those[0].cell as usize;
            let free = bound.places.saturating_sub(self.count(cell)) as usize;
            for ask in those.iter().skip(free) {
                let i = ask.index as usize;
                let way = (self.before[i], agents.position[i]);
                let (at, stopped) = borders.stay(self.blocks, self.home[i], way, agents.radius[i]);
                agents.position[i] = at;
                agents.velocity[i] = Vec2::select(stopped, Vec2::ZERO, agents.velocity[i]);
            }
            let out = those.len().saturating_sub(free);
            self.refused[cell] = out as u32;
            refused += out as u64;
        }
        refused
    }
}

impl Borders<'_> {
    /// Where somebody ends who went this way and has to stay in its cell, and which parts of its velocity it loses.
    fn stay(&self, blocks: Blocks, home: u32, (before, now): (Vec2, Vec2), radius: f32) -> (Vec2, glam::BVec2) {
        let [(x0, x1), (y0, y1)] = blocks.covers(self.grid, home as usize);
        let cell = self.grid.cell;
        let low = (Vec2::new(x0 as f32, y0 as f32) + EDGE) * cell;
        let high = (Vec2::new(x1 as f32, y1 as f32) - EDGE) * cell;
        let goal = now.max(low).min(high);
        let stopped = goal.cmpne(now);
        // Back over the border is less far than the way across it; but walls are known within a stride only.
        if goal.distance_squared(now) <= self.stride * self.stride {
            let at = self.walls.slide(now, goal, radius);
            if blocks.at(self.grid, at) == home {
                return (at, stopped);
            }
        }
        (before, stopped)
    }
}
