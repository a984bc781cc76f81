//! What the floor around crowded goals costs more: see [`crate::world::crowding`]. The shaders' side is crowded.wgsl.

use crate::stages::potential::{Padded, UNREACHED};
use crate::world::crowding::Crowding;
use crate::world::grid::Grid;

/// Adds to all links out of the cells around goals. `factor` is what a metre costs more for a density of 1 in the goal.
pub fn add(crowding: &Crowding, grid: &Grid, density: &[f32], factor: f32, out: &mut [[f32; 4]]) {
    let layout = Padded::of(grid);
    for (cell, mean) in crowding.means(density) {
        let more = factor * mean * grid.cell;
        for cost in out[layout.cell(cell).place()].iter_mut().filter(|cost| **cost < UNREACHED) {
            *cost += more;
        }
    }
}
