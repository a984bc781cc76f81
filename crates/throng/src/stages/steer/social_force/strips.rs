//! Everybody as others read them, in strips from west to east: the rows of cells, in which people follow each other by the raster's columns. So
//! whoever is within reach of a place is in a run of each of three strips, and more than half of those in the runs are; of those in the nine cells around
//! it a third. Lower strips would hold fewer others, but their runs would not fill the lanes.

use super::cells::{Blocks, Bound};
use super::records::Records;
use crate::stages::bin::Bins;
use crate::world::agents::Agents;
use crate::world::grid::Grid;
use glam::Vec2;
use rayon::prelude::*;

/// Who is in which strip.
#[derive(Debug, Default)]
pub struct Strips {
    /// Rows of the raster that a strip covers.
    rows: usize,
    /// Where each column of each strip begins in the list; then how many there are.
    starts: Vec<u32>,
    /// The list: everybody on the floor, by its place in the columns of people.
    who: Vec<u32>,
    /// Where each is in the list, by its place in the columns of people.
    pub(super) place: Vec<u32>,
    /// Those in the list as others read them.
    pub(super) records: Records,
}

impl Strips {
    /// Finds who is in which. Nobody has moved since the sort.
    pub(super) fn gather(&mut self, grid: &Grid, bins: &Bins, agents: &Agents, bound: Bound, blocks: Blocks) {
        let Blocks { side, high, .. } = blocks;
        self.rows = side;
        self.starts.resize(high * grid.width + 1, 0);
        self.who.resize(bins.on_floor(), 0);
        self.place.resize(bins.on_floor(), 0);
        let (mut starts, mut who, mut place, mut first) =
            (&mut self.starts[..], &mut self.who[..], &mut self.place[..], 0);
        let mut strips = Vec::with_capacity(high);
        for strip in 0..high {
            let rows = strip * side..((strip + 1) * side).min(grid.height);
            let (own_starts, later) = starts.split_at_mut(grid.width);
            let people = bins.rows(grid, rows.start, rows.end).len();
            let (own_who, others) = who.split_at_mut(people);
            let (own_place, other_places) = place.split_at_mut(people);
            (starts, who, place) = (later, others, other_places);
            strips.push((rows, first, own_starts, own_who, own_place));
            first += people;
        }
        starts[0] = first as u32;
        strips.into_par_iter().for_each(|(rows, first, starts, who, place)| {
            let mut next = 0;
            for (x, start) in starts.iter_mut().enumerate() {
                *start = (first + next) as u32;
                for y in rows.clone() {
                    for i in bins.run(grid, y, x, x) {
                        who[next] = i as u32;
                        place[i - first] = (first + next) as u32;
                        next += 1;
                    }
                }
            }
        });
        self.records.keep(agents, &self.who, bound, side as f32 * grid.cell);
    }

    /// The runs of the list that hold whoever is within reach of a place, some others among them: first, and behind the last.
    #[inline(always)]
    pub(super) fn around(&self, grid: &Grid, p: Vec2, reach: f32) -> impl Iterator<Item = (usize, usize)> + '_ {
        let (wide, per_cell) = (grid.width, 1.0 / grid.cell);
        let height = self.rows as f32 * grid.cell;
        let last = (self.starts.len() - 1) / wide - 1;
        // Negative numbers become 0.
        let low = (((p.y - reach) / height) as usize).min(last);
        let high = (((p.y + reach) / height) as usize).min(last);
        (low..=high).map(move |strip| {
            let south = strip as f32 * height;
            // The last strip ends where the world does, or later.
            let away = (south - p.y).max(p.y - (south + height)).max(0.0);
            let half = (reach * reach - away * away).max(0.0).sqrt();
            let x0 = (((p.x - half) * per_cell) as usize).min(wide - 1);
            let x1 = (((p.x + half) * per_cell) as usize).min(wide - 1);
            (self.starts[strip * wide + x0] as usize, self.starts[strip * wide + x1 + 1] as usize)
        })
    }

    /// Bytes that it holds on to.
    pub(super) fn memory(&self) -> usize {
        4 * (self.starts.capacity() + self.who.capacity() + self.place.capacity()) + self.records.memory()
    }
}
