//! What an engine measures at the end of every step.

use crate::stages::bin::Bins;
use crate::world::World;
use crate::world::agents::{Agents, State};
use crate::world::grid::Grid;
use crate::world::walls::NEAR;
use rayon::prelude::*;

/// Health and speed of the crowd at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Moment {
    /// Centres inside walls.
    pub in_wall: u64,
    /// Agents with a value that is not finite.
    pub not_finite: u64,
    /// How deep any disc reaches into a wall, m.
    pub wall_depth: f32,
    /// Sum of speeds of those walking, m/s.
    pub speed_sum: f64,
    /// How many walk.
    pub walking: u64,
}

/// Looks at all agents on the floor.
#[must_use]
pub fn look(world: &World, agents: &Agents, bins: &Bins) -> Moment {
    const CHUNK: usize = 512;
    let alive = bins.on_floor();
    let parts: Vec<Moment> = (0..alive.div_ceil(CHUNK))
        .into_par_iter()
        .map(|chunk| {
            let mut m = Moment::default();
            for i in chunk * CHUNK..((chunk + 1) * CHUNK).min(alive) {
                let (p, v) = (agents.position[i], agents.velocity[i]);
                if !(p.is_finite() && v.is_finite() && agents.heading[i].is_finite()) {
                    m.not_finite += 1;
                    continue;
                }
                let near = !world.grid.inside(p) || world.walls.flags()[world.grid.index_at(p)] & !0xF != 0;
                if near {
                    m.in_wall += u64::from(world.walls.contains(p));
                    if world.walls.flags()[world.grid.index_at(p)] & NEAR != 0 {
                        m.wall_depth = m.wall_depth.max(world.walls.depth(p, agents.radius[i]));
                    }
                }
                if agents.state[i] == State::Walking {
                    m.speed_sum += f64::from(v.length());
                    m.walking += 1;
                }
            }
            m
        })
        .collect();
    parts.iter().fold(Moment::default(), |a, b| Moment {
        in_wall: a.in_wall + b.in_wall,
        not_finite: a.not_finite + b.not_finite,
        wall_depth: a.wall_depth.max(b.wall_depth),
        speed_sum: a.speed_sum + b.speed_sum,
        walking: a.walking + b.walking,
    })
}

/// Cells on a side of the window that density is measured over: the least square of at least a square metre.
#[must_use]
pub fn window(grid: &Grid) -> usize {
    ((1.0 / grid.cell - 1e-4).ceil() as usize).max(1).min(grid.width.min(grid.height))
}

/// The most persons per square metre over all windows; `peaks`, unless empty, is raised where a window is denser. A cell
/// stands for the window around it, shifted inwards at the border.
pub fn density(grid: &Grid, bins: &Bins, peaks: &mut [f32]) -> f32 {
    const BAND: usize = 16;
    let n = window(grid);
    let area = (n as f32 * grid.cell).powi(2);
    let (last_row, columns) = (grid.height - n, grid.width - n + 1);
    let bands = grid.height.div_ceil(BAND);
    let band = |b: usize, mut peaks: Option<&mut [f32]>| {
        let (mut most, mut at) = (0, usize::MAX);
        // Persons in each window of the present row of windows: from row to row one line enters and one leaves.
        let mut sums = vec![0u32; columns];
        let line = |sums: &mut [u32], y: usize, sign: u32| {
            let starts = &bins.start[y * grid.width..(y + 1) * grid.width + 1];
            for (x, sum) in sums.iter_mut().enumerate() {
                *sum = sum.wrapping_add((starts[x + n] - starts[x]).wrapping_mul(sign));
            }
        };
        for y in b * BAND..((b + 1) * BAND).min(grid.height) {
            let row = y.saturating_sub(n / 2).min(last_row);
            if at == usize::MAX {
                (row..row + n).for_each(|y| line(&mut sums, y, 1));
            } else if row != at {
                line(&mut sums, row + n - 1, 1);
                line(&mut sums, at, u32::MAX);
            }
            if row != at {
                most = most.max(sums.iter().copied().max().unwrap_or(0));
                at = row;
            }
            if let Some(peaks) = peaks.as_deref_mut() {
                let first = (y - b * BAND) * grid.width;
                for (x, peak) in peaks[first..first + grid.width].iter_mut().enumerate() {
                    let sum = sums[x.saturating_sub(n / 2).min(columns - 1)];
                    *peak = peak.max(sum as f32 / area);
                }
            }
        }
        most
    };
    let most = if peaks.is_empty() {
        (0..bands).into_par_iter().map(|b| band(b, None)).max()
    } else {
        peaks.par_chunks_mut(BAND * grid.width).enumerate().map(|(b, p)| band(b, Some(p))).max()
    };
    most.unwrap_or(0) as f32 / area
}

/// Adds `dt` person-seconds per square metre for everybody on the floor.
pub fn add_use(grid: &Grid, bins: &Bins, dt: f32, used: &mut [f32]) {
    let amount = dt / (grid.cell * grid.cell);
    used.par_iter_mut().with_min_len(8192).enumerate().for_each(|(c, u)| {
        *u += (bins.start[c + 1] - bins.start[c]) as f32 * amount;
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Purpose, draw};

    #[test]
    fn the_sliding_window_counts_as_a_plain_one_does() {
        for (width, height, cell) in [(7, 90, 0.25), (90, 7, 0.3), (1, 1, 0.5), (3, 70, 2.0), (40, 40, 0.5)] {
            let grid = Grid { width, height, cell };
            let counts: Vec<u32> = (0..grid.len() as u32).map(|c| draw(1, c, Purpose::Jitter, 0)[0] % 5).collect();
            let mut start = vec![0];
            for c in &counts {
                start.push(start[start.len() - 1] + c);
            }
            let bins = Bins { start, outside: 0 };
            let n = window(&grid);
            let area = (n as f32 * cell).powi(2);
            let plain = |x0: usize, y0: usize| -> u32 {
                (y0..y0 + n).flat_map(|y| (x0..x0 + n).map(move |x| (x, y))).map(|(x, y)| counts[y * width + x]).sum()
            };
            let mut peaks = vec![0.0; grid.len()];
            let most = density(&grid, &bins, &mut peaks);
            assert_eq!(most, density(&grid, &bins, &mut []));
            for y in 0..height {
                for x in 0..width {
                    let (x0, y0) = (x.saturating_sub(n / 2).min(width - n), y.saturating_sub(n / 2).min(height - n));
                    assert_eq!(peaks[y * width + x], plain(x0, y0) as f32 / area, "{width} × {height}: {x}, {y}");
                }
            }
            assert_eq!(most, peaks.iter().copied().fold(0.0, f32::max));
        }
    }
}
