//! One row at a time, into the padded layout that the solver reads.

use crate::scene::Weights;
use crate::stages::potential::{Padded, UNREACHED};
use crate::world::grid::{EAST, Grid};
use crate::world::narrow::Closed;
use crate::world::walls::LINK;
use rayon::prelude::*;

/// Writes the cost of every link; returns a typical one: the harmonic mean over open links to the east (a few very
/// costly cells must not widen the solver's buckets for all), 1 if there are none.
pub fn run(
    grid: &Grid,
    weights: Weights,
    flags: &[u8],
    discomfort: &[f32],
    speed: &[[f32; 4]],
    out: &mut [[f32; 4]],
) -> f32 {
    let width = grid.width;
    let layout = Padded::of(grid);
    let steps = [width as isize, 1, -(width as isize), -1];
    let length = weights.length * grid.cell;
    let (time, weight) = (weights.time * grid.cell, weights.discomfort * grid.cell);
    let stride = layout.stride();
    let inner = &mut out[stride..stride * (grid.height + 1)];
    let sums: Vec<(f32, u32)> = inner
        .par_chunks_mut(stride)
        .enumerate()
        .map(|(y, row)| {
            let (mut sum, mut open) = (0.0, 0);
            for x in 0..width {
                let cell = y * width + x;
                let links = flags[cell];
                let speeds = &speed[cell];
                let costs = &mut row[x + 1];
                for d in 0..4 {
                    costs[d] = if links & LINK[d] != 0 {
                        let ahead = cell.wrapping_add_signed(steps[d]);
                        let c = length + (time + weight * discomfort[ahead]) / speeds[d];
                        if d == EAST {
                            sum += 1.0 / c;
                            open += 1;
                        }
                        c
                    } else {
                        UNREACHED
                    };
                }
            }
            (sum, open)
        })
        .collect();
    let (sum, open) = sums.iter().fold((0.0f64, 0u64), |(s, n), &(a, b)| (s + f64::from(a), n + u64::from(b)));
    if open == 0 { 1.0 } else { (open as f64 / sum) as f32 }
}

/// Gives some links another cost: those that are too narrow, or closed by nothing but gates.
pub fn close(grid: &Grid, links: &[Closed], cost: f32, out: &mut [[f32; 4]]) {
    let layout = Padded::of(grid);
    for &(cell, bits) in links {
        let costs = &mut out[layout.cell(cell as usize).place()];
        for d in (0..4).filter(|&d| bits & LINK[d] != 0) {
            costs[d] = cost;
        }
    }
}
