//! One row at a time, into the padded layout that the solver reads.

use crate::scene::Weights;
use crate::stages::potential::{Padded, UNREACHED};
use crate::world::grid::{EAST, Grid};
use crate::world::narrow::Closed;
use crate::world::walls::LINK;
use rayon::prelude::*;

/// What a way costs by the continuum plan.
#[derive(Clone, Copy, Debug)]
pub struct Prices<'a> {
    /// Of a metre, a second, a second in discomfort.
    pub weights: Weights,
    /// Discomfort of each cell.
    pub discomfort: &'a [f32],
    /// How fast one can walk to the neighbours of each cell on the level.
    pub speed: &'a [[f32; 4]],
    /// Factors on that, 0 or less where it is too steep; empty where all is level.
    pub factors: &'a [[f32; 4]],
}

/// Writes the cost of every link by the continuum plan; returns a typical one, as [`write`].
pub fn run(grid: &Grid, flags: &[u8], prices: Prices<'_>, out: &mut [[f32; 4]]) -> f32 {
    let Prices { weights, discomfort, speed, factors } = prices;
    let length = weights.length * grid.cell;
    let (time, weight) = (weights.time * grid.cell, weights.discomfort * grid.cell);
    if factors.is_empty() {
        let level = |cell: usize| {
            let speeds = &speed[cell];
            move |ahead: usize, d: usize| length + (time + weight * discomfort[ahead]) / speeds[d]
        };
        return write(grid, flags, level, out);
    }
    let on_slope = |cell: usize| {
        let (speeds, factors) = (&speed[cell], &factors[cell]);
        move |ahead: usize, d: usize| {
            let cost = length + (time + weight * discomfort[ahead]) / (speeds[d] * factors[d]);
            if factors[d] > 0.0 { cost } else { UNREACHED }
        }
    };
    write(grid, flags, on_slope, out)
}

/// Writes the same cost for every open link of a cell, but for those that are too steep.
pub fn run_without_direction(
    grid: &Grid,
    flags: &[u8],
    cells: &[f32],
    factors: &[[f32; 4]],
    out: &mut [[f32; 4]],
) -> f32 {
    let of_cell = |cell: usize| {
        let (cost, factors) = (cells[cell], factors.get(cell));
        move |_: usize, d: usize| if factors.is_some_and(|f| f[d] <= 0.0) { UNREACHED } else { cost }
    };
    write(grid, flags, of_cell, out)
}

/// Writes the cost of every link: `of_cell` gives for a cell what the link to the one ahead costs in a direction.
/// Returns a typical one: the harmonic mean over open links to the east (a few very
/// costly cells must not widen the solver's buckets for all), 1 if there are none.
fn write<C: Fn(usize, usize) -> f32>(
    grid: &Grid,
    flags: &[u8],
    of_cell: impl Fn(usize) -> C + Sync,
    out: &mut [[f32; 4]],
) -> f32 {
    let width = grid.width;
    let layout = Padded::of(grid);
    let steps = [width as isize, 1, -(width as isize), -1];
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
                let cost = of_cell(cell);
                let costs = &mut row[x + 1];
                for d in 0..4 {
                    costs[d] = if links & LINK[d] != 0 {
                        let ahead = cell.wrapping_add_signed(steps[d]);
                        let c = cost(ahead, d);
                        if d == EAST && c < UNREACHED {
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
