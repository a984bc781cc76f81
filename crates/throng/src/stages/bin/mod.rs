//! Bin: agents in the order of their cells, by a counting sort (thesis 6.3.1.2, without its limit of four).
//!
//! Row by row and west to east, so that the neighbours within `k` cells are `2k + 1` runs of consecutive agents.
//! The sort is stable: the order within a cell follows from the run so far, not from timing.

pub mod cpu;

use crate::world::grid::Grid;
use std::ops::Range;

/// Where each cell's agents are.
#[derive(Clone, Debug, Default)]
pub struct Bins {
    /// Cell `c` holds agents `start[c]..start[c + 1]`; then come those outside, then the parked.
    pub start: Vec<u32>,
    /// How many are outside of the floor but not parked.
    pub outside: u32,
}

impl Bins {
    /// How many agents are on the floor.
    #[must_use]
    pub fn on_floor(&self) -> usize {
        self.start.last().map_or(0, |&n| n as usize)
    }

    /// The agents outside of the floor; some may have entered since the sort.
    #[must_use]
    pub fn outside(&self) -> Range<usize> {
        self.on_floor()..self.on_floor() + self.outside as usize
    }

    /// All agents that are or may come on the floor.
    #[must_use]
    pub fn alive(&self) -> usize {
        self.outside().end
    }

    /// The agents of rows `first..last`.
    #[must_use]
    pub fn rows(&self, grid: &Grid, first: usize, last: usize) -> Range<usize> {
        self.start[first * grid.width] as usize..self.start[last * grid.width] as usize
    }

    /// The agents in a run of cells of one row.
    #[must_use]
    #[inline]
    pub fn run(&self, grid: &Grid, y: usize, x0: usize, x1: usize) -> Range<usize> {
        self.start[y * grid.width + x0] as usize..self.start[y * grid.width + x1 + 1] as usize
    }

    /// The most agents in any cell.
    #[must_use]
    pub fn fullest(&self, grid: &Grid) -> u32 {
        (0..grid.len()).map(|c| self.start[c + 1] - self.start[c]).max().unwrap_or(0)
    }
}
