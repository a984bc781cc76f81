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

/// Looks at all agents that are alive.
#[must_use]
pub fn look(world: &World, agents: &Agents, bins: &Bins) -> Moment {
    const CHUNK: usize = 4096;
    let alive = bins.alive();
    let parts: Vec<Moment> = (0..alive.div_ceil(CHUNK))
        .into_par_iter()
        .map(|chunk| {
            let mut m = Moment::default();
            for i in chunk * CHUNK..((chunk + 1) * CHUNK).min(alive) {
                if !agents.state[i].on_floor() {
                    continue;
                }
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

/// The most persons per square metre over all windows; `peaks`, unless empty, is raised where a window is denser.
pub fn density(grid: &Grid, bins: &Bins, peaks: &mut [f32]) -> f32 {
    let n = window(grid);
    let area = (n as f32 * grid.cell).powi(2);
    let rows = grid.height - n + 1;
    let columns = grid.width - n + 1;
    let count = |x: usize, y: usize| -> u32 { (y..y + n).map(|y| bins.run(grid, y, x, x + n - 1).len() as u32).sum() };
    let most = (0..rows)
        .into_par_iter()
        .with_min_len(16)
        .map(|y| (0..columns).map(|x| count(x, y)).max().unwrap_or(0))
        .max()
        .unwrap_or(0);
    if !peaks.is_empty() {
        // The window around each cell, shifted inwards at the border.
        peaks.par_chunks_mut(grid.width).enumerate().for_each(|(y, row)| {
            let wy = y.saturating_sub(n / 2).min(rows - 1);
            for (x, peak) in row.iter_mut().enumerate() {
                let wx = x.saturating_sub(n / 2).min(columns - 1);
                *peak = peak.max(count(wx, wy) as f32 / area);
            }
        });
    }
    most as f32 / area
}

/// Adds `dt` person-seconds per square metre for everybody on the floor.
pub fn add_use(grid: &Grid, bins: &Bins, dt: f32, used: &mut [f32]) {
    let amount = dt / (grid.cell * grid.cell);
    used.par_iter_mut().with_min_len(8192).enumerate().for_each(|(c, u)| {
        *u += (bins.start[c + 1] - bins.start[c]) as f32 * amount;
    });
}
