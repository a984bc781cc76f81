//! Counting sort: histogram, running sum, scatter; then every column follows the order.

use super::Bins;
use crate::world::agents::{Agents, State};
use crate::world::grid::Grid;
use rayon::prelude::*;

/// Working memory, kept between steps.
#[derive(Debug, Default)]
pub struct Sorter {
    keys: Vec<u32>,
    order: Vec<u32>,
    next: Vec<u32>,
    spare: Agents,
}

impl Sorter {
    /// Bytes that it holds on to.
    #[must_use]
    pub fn memory(&self) -> usize {
        4 * (self.keys.capacity() + self.order.capacity() + self.next.capacity()) + self.spare.memory()
    }

    /// Sorts the agents; afterwards `bins` says where each cell's are.
    pub fn run(&mut self, grid: &Grid, agents: &mut Agents, bins: &mut Bins) {
        let cells = grid.len();
        let (outside, parked) = (cells as u32, cells as u32 + 1);
        self.keys.resize(agents.len(), 0);
        let (states, positions) = (&agents.state, &agents.position);
        self.keys.par_iter_mut().with_min_len(1024).enumerate().for_each(|(i, key)| {
            *key = match states[i] {
                State::Parked => parked,
                State::Outside | State::Between => outside,
                _ => grid.index_at(positions[i]) as u32,
            };
        });
        let counts = &mut self.next;
        counts.clear();
        counts.resize(cells + 3, 0);
        for &key in &self.keys {
            counts[key as usize + 1] += 1;
        }
        let mut sum = 0;
        for count in counts.iter_mut() {
            sum += *count;
            *count = sum;
        }
        bins.start.clear();
        bins.start.extend_from_slice(&counts[..=cells]);
        bins.outside = counts[cells + 1] - counts[cells];
        if agents.is_empty() {
            return;
        }
        self.order.resize(agents.len(), 0);
        let mut sorted = true;
        for (i, &key) in (0u32..).zip(&self.keys) {
            let place = &mut counts[key as usize];
            self.order[*place as usize] = i;
            sorted &= *place == i;
            *place += 1;
        }
        if !sorted {
            agents.permute_into(&self.order, &mut self.spare);
            std::mem::swap(agents, &mut self.spare);
        }
    }
}
