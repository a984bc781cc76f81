//! Bands of rows in parallel: each adds its own agents into its own rows and a halo, then halos are added up.

use super::blocks::{BLOCK, Block, Blocks};
use super::{QUANTA, Quanta, body};
use crate::stages::bin::Bins;
use crate::world::agents::Agents;
use crate::world::grid::{DIRECTIONS, Grid};
use crate::world::walls::{LINK, NEAR, Walls};
use glam::Vec2;
use rayon::prelude::*;
use std::ops::Range;

/// The cells that an agent touches and its weights there.
#[derive(Debug, Default)]
pub struct Footprint {
    /// Cells, as plain indices.
    pub cells: Vec<u32>,
    /// Weights; they add up to one.
    pub weights: Vec<f32>,
    reached: Vec<bool>,
    queue: Vec<u32>,
}

impl Footprint {
    /// Half the width of an agent's cone, in metres: twice the radius, but at least a cell.
    #[must_use]
    #[inline]
    pub fn half_width(grid: &Grid, radius: f32) -> f32 {
        (2.0 * radius).max(grid.cell)
    }

    /// Finds the cells and weights of an agent.
    pub fn find(&mut self, grid: &Grid, walls: &Walls, p: Vec2, radius: f32) {
        self.cells.clear();
        self.weights.clear();
        let half = Self::half_width(grid, radius);
        // Walls within the footprint? The distance is from the middle of the cell.
        let own = grid.index_at(p);
        let near_wall = walls.distance()[own] < half + std::f32::consts::FRAC_1_SQRT_2 * grid.cell
            || walls.flags()[own] & NEAR != 0;
        let home = if near_wall { walls.anchor(p) } else { own };
        let home = (home % grid.width, home / grid.width);
        let cone = 2.0 * radius > grid.cell;
        let weight = |x: usize, y: usize| {
            let away = (grid.centre(x, y) - p).abs() / half;
            if cone { (1.0 - away.length()).max(0.0) } else { (1.0 - away.x).max(0.0) * (1.0 - away.y).max(0.0) }
        };
        let low = |v: f32, at: usize| (((v - half) / grid.cell).floor().max(0.0) as usize).min(at);
        let high = |v: f32, at: usize, n: usize| (((v + half) / grid.cell).floor() as usize).clamp(at, n - 1);
        let (x0, x1) = (low(p.x, home.0), high(p.x, home.0, grid.width));
        let (y0, y1) = (low(p.y, home.1), high(p.y, home.1, grid.height));
        let wide = x1 - x0 + 1;
        if near_wall {
            // Flood from the agent's own cell through open links, inside the window.
            self.reached.clear();
            self.reached.resize(wide * (y1 - y0 + 1), false);
            self.queue.clear();
            self.queue.push(((home.1 - y0) * wide + home.0 - x0) as u32);
            self.reached[self.queue[0] as usize] = true;
            while let Some(local) = self.queue.pop() {
                let (x, y) = (local as usize % wide + x0, local as usize / wide + y0);
                let flags = walls.flags()[y * grid.width + x];
                for (d, &(dx, dy)) in DIRECTIONS.iter().enumerate() {
                    let (nx, ny) = (x.wrapping_add_signed(dx as isize), y.wrapping_add_signed(dy as isize));
                    if flags & LINK[d] != 0 && (x0..=x1).contains(&nx) && (y0..=y1).contains(&ny) {
                        let next = (ny - y0) * wide + nx - x0;
                        if !self.reached[next] {
                            self.reached[next] = true;
                            self.queue.push(next as u32);
                        }
                    }
                }
            }
        }
        let mut sum = 0.0;
        for y in y0..=y1 {
            for x in x0..=x1 {
                let w = weight(x, y);
                if w > 0.0 && (!near_wall || self.reached[(y - y0) * wide + x - x0]) {
                    self.cells.push((y * grid.width + x) as u32);
                    self.weights.push(w);
                    sum += w;
                }
            }
        }
        if sum > 0.0 {
            for w in &mut self.weights {
                *w /= sum;
            }
        } else {
            // Squeezed in a corner of a cell whose neighbours are all behind walls.
            self.cells.push((home.1 * grid.width + home.0) as u32);
            self.weights.push(1.0);
        }
    }
}

/// Rows in a band at least: fewer and the halos cost more than the band.
const BAND_ROWS: usize = 16;

/// Something was added to a band's own rows, to the halo below or to the one above.
const OWN: u8 = 1;
const BELOW: u8 = 2;
const ABOVE: u8 = 4;

/// Working memory, kept between steps.
#[derive(Debug, Default)]
pub struct Splatter {
    bands: Vec<Band>,
}

#[derive(Debug, Default)]
struct Band {
    /// Own rows with a halo below and above.
    sums: Vec<Quanta>,
    /// Where something was added, for each block of columns: [`OWN`], [`BELOW`], [`ABOVE`].
    touched: Vec<u8>,
    footprint: Footprint,
}

impl Splatter {
    /// Bytes that it holds on to.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.bands.iter().map(|b| b.sums.capacity() * size_of::<Quanta>()).sum()
    }

    /// Adds up all agents on the floor. `widest` is the largest radius. `out` is what the last run left, and `blocks` says
    /// which parts of it are empty; blocks that were empty and stay so are not touched.
    pub fn run(
        &mut self,
        grid: &Grid,
        walls: &Walls,
        agents: &Agents,
        bins: &Bins,
        widest: f32,
        (out, blocks): (&mut [Quanta], &mut Blocks),
    ) {
        let width = grid.width;
        // As far as the cone reaches: at least a row, as far as the cell that stands for an agent near a wall can be.
        let halo = (Footprint::half_width(grid, widest) / grid.cell).ceil() as usize;
        let rows = BAND_ROWS.max(halo);
        let across = width.div_ceil(BLOCK);
        let bands = grid.height.div_ceil(rows);
        blocks.fit(width, rows, bands);
        self.bands.resize_with(bands, Band::default);
        self.bands.par_iter_mut().enumerate().for_each(|(b, band)| {
            let (first, last) = (b * rows, ((b + 1) * rows).min(grid.height));
            let base = first as isize - halo as isize;
            band.clear(width, last - first + 2 * halo);
            for i in bins.rows(grid, first, last) {
                let (x, y) = grid.coords(agents.position[i]);
                let outside = if y < first + halo { BELOW } else { 0 } | if y + halo >= last { ABOVE } else { 0 };
                for block in x.saturating_sub(halo) / BLOCK..=(x + halo).min(width - 1) / BLOCK {
                    band.touched[block] |= OWN | outside;
                }
                add(grid, walls, agents, i, base, &mut band.sums, &mut band.footprint);
            }
        });
        // Each band's rows are its own sums plus its neighbours' halos.
        let sums = &self.bands;
        let each = out.par_chunks_mut(rows * width).zip(blocks.states.par_chunks_mut(across)).enumerate();
        each.for_each(|(b, (out, states))| {
            for (k, state) in states.iter_mut().enumerate() {
                let touches = |band: Option<&Band>, what: u8| band.is_some_and(|band| band.touched[k] & what != 0);
                let below = b.checked_sub(1).and_then(|below| sums.get(below));
                let somebody = touches(sums.get(b), OWN) || touches(below, ABOVE) || touches(sums.get(b + 1), BELOW);
                *state = state.then(somebody);
                let columns = k * BLOCK..((k + 1) * BLOCK).min(width);
                match state {
                    Block::Empty => {}
                    Block::Emptied => out.chunks_mut(width).for_each(|row| row[columns.clone()].fill([0; 4])),
                    Block::Occupied => add_up(sums, (b, halo), width, columns, out),
                }
            }
        });
    }
}

impl Band {
    /// Nothing in so many rows: only blocks are cleared that something was added to.
    fn clear(&mut self, width: usize, rows: usize) {
        let across = width.div_ceil(BLOCK);
        if self.sums.len() != rows * width || self.touched.len() != across {
            self.sums.clear();
            self.sums.resize(rows * width, [0; 4]);
            self.touched = vec![0; across];
            return;
        }
        for (k, touched) in self.touched.iter_mut().enumerate().filter(|(_, touched)| **touched != 0) {
            let columns = k * BLOCK..((k + 1) * BLOCK).min(width);
            self.sums.chunks_mut(width).for_each(|row| row[columns.clone()].fill([0; 4]));
            *touched = 0;
        }
    }
}

/// Some columns of a band: its own sums and its neighbours' halos.
fn add_up(bands: &[Band], (b, halo): (usize, usize), width: usize, columns: Range<usize>, out: &mut [Quanta]) {
    let tall = out.len() / width;
    for y in 0..tall {
        let to = &mut out[y * width..][columns.clone()];
        to.copy_from_slice(&bands[b].sums[(y + halo) * width..][columns.clone()]);
        if b > 0 && y < halo {
            let below = &bands[b - 1];
            let top = below.sums.len() / width - halo;
            add_rows(to, &below.sums[(top + y) * width..][columns.clone()]);
        }
        if let Some(above) = bands.get(b + 1).filter(|_| y + halo >= tall) {
            add_rows(to, &above.sums[(y + halo - tall) * width..][columns.clone()]);
        }
    }
}

fn add_rows(to: &mut [Quanta], from: &[Quanta]) {
    for (a, b) in to.iter_mut().zip(from) {
        for k in 0..4 {
            a[k] = a[k].saturating_add(b[k]);
        }
    }
}

/// The nearest integer, ties to even. Below 2^22 by the classic addition of 1.5·2^23, which leaves the integer in
/// the low bits: `round` is a function call on processors before SSE 4.1, and this is called 16 times an agent.
#[inline(always)]
fn nearest(x: f32) -> i32 {
    const MAGIC: f32 = 12_582_912.0;
    if x.abs() < 4_194_304.0 { (x + MAGIC).to_bits() as i32 - MAGIC.to_bits() as i32 } else { x as i32 }
}

/// Adds one agent to rows that begin at row `base` of the grid.
#[inline]
fn add(
    grid: &Grid,
    walls: &Walls,
    agents: &Agents,
    i: usize,
    base: isize,
    sums: &mut [Quanta],
    footprint: &mut Footprint,
) {
    let (p, r, v) = (agents.position[i], agents.radius[i], agents.velocity[i]);
    let density = body(r) / (grid.cell * grid.cell);
    let amounts = [density, density * v.x, density * v.y, 1.0].map(|a| a * QUANTA);
    let shift = base * grid.width as isize;
    let mut deposit = |cell: isize, w: f32| {
        let sum = &mut sums[(cell - shift) as usize];
        for k in 0..4 {
            let q = nearest(amounts[k] * w);
            sum[k] = sum[k].saturating_add(q);
        }
    };
    let (x, y, fx, fy) = grid.surrounding(p);
    let inner = x >= 0 && y >= 0 && x + 1 < grid.width as i32 && y + 1 < grid.height as i32;
    let home = grid.index_at(p);
    if inner && 2.0 * r <= grid.cell && walls.flags()[home] & NEAR == 0 {
        let cell = y as isize * grid.width as isize + x as isize;
        deposit(cell, (1.0 - fx) * (1.0 - fy));
        deposit(cell + 1, fx * (1.0 - fy));
        deposit(cell + grid.width as isize, (1.0 - fx) * fy);
        deposit(cell + grid.width as isize + 1, fx * fy);
        return;
    }
    let half = Footprint::half_width(grid, r);
    if walls.flags()[home] & NEAR == 0 && walls.distance()[home] >= half + std::f32::consts::FRAC_1_SQRT_2 * grid.cell {
        let window = Window::around(grid, p, half);
        if window.fits() {
            window.weights(grid, p, half, 2.0 * r > grid.cell, deposit);
            return;
        }
    }
    footprint.find(grid, walls, p, r);
    for (&cell, &w) in footprint.cells.iter().zip(&footprint.weights) {
        deposit(cell as isize, w);
    }
}

/// The cells around an agent that no wall is near, at most [`Window::SIDE`] on a side: without lists, and the same bits as
/// [`Footprint`].
struct Window {
    x: std::ops::RangeInclusive<usize>,
    y: std::ops::RangeInclusive<usize>,
}

impl Window {
    const SIDE: usize = 8;

    #[inline]
    fn around(grid: &Grid, p: Vec2, half: f32) -> Self {
        let (hx, hy) = grid.coords(p);
        let low = |v: f32, at: usize| (((v - half) / grid.cell).floor().max(0.0) as usize).min(at);
        let high = |v: f32, at: usize, n: usize| (((v + half) / grid.cell).floor() as usize).clamp(at, n - 1);
        Self { x: low(p.x, hx)..=high(p.x, hx, grid.width), y: low(p.y, hy)..=high(p.y, hy, grid.height) }
    }

    #[inline]
    fn fits(&self) -> bool {
        self.x.end() - self.x.start() < Self::SIDE && self.y.end() - self.y.start() < Self::SIDE
    }

    #[inline]
    fn weights(&self, grid: &Grid, p: Vec2, half: f32, cone: bool, mut deposit: impl FnMut(isize, f32)) {
        let mut weights = [[0.0f32; Self::SIDE]; Self::SIDE];
        let mut away_x = [0.0f32; Self::SIDE];
        for (away, x) in away_x.iter_mut().zip(self.x.clone()) {
            *away = (grid.centre(x, 0).x - p.x).abs() / half;
        }
        let wide = self.x.end() - self.x.start() + 1;
        let mut sum = 0.0;
        for (row, y) in weights.iter_mut().zip(self.y.clone()) {
            let away_y = (grid.centre(0, y).y - p.y).abs() / half;
            for (w, &away) in row.iter_mut().zip(&away_x) {
                *w = if cone {
                    (1.0 - (away * away + away_y * away_y).sqrt()).max(0.0)
                } else {
                    (1.0 - away).max(0.0) * (1.0 - away_y).max(0.0)
                };
            }
            row[..wide].iter().for_each(|w| sum += w);
        }
        // The own cell's middle is nearer than half a cell's diagonal: it always has a weight.
        for (row, y) in weights.iter().zip(self.y.clone()) {
            let first = (y * grid.width + self.x.start()) as isize;
            for (k, &w) in row[..wide].iter().enumerate() {
                if w > 0.0 {
                    deposit(first + k as isize, w / sum);
                }
            }
        }
    }
}
