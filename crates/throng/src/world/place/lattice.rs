//! Places on a hexagonal lattice as wide as the number of people allows, each jittered within its slack, dealt out in an
//! order shuffled by the seed. So a dense crowd fits without overlap, and a sparse one does not look like a lattice.
//!
//! Rows are searched in parallel. A site is known by its number, row by row from the south-west, and everything random
//! about it follows from that number: no thread can make a difference.

use super::area::Area;
use super::occupied::Occupied;
use super::{bounds_of, fits};
use crate::geometry::Shape;
use crate::random::{Purpose, draw, unit};
use crate::world::World;
use glam::Vec2;
use rayon::prelude::*;
use std::borrow::Cow;

/// The height of a row, in spacings: of an equilateral triangle.
const ROW_HEIGHT: f32 = 0.866_025_4;

/// Where a lattice may have its sites.
pub(super) struct StartArea<'a> {
    pub(super) world: &'a World,
    /// Only in these shapes; anywhere if there are none.
    pub(super) shapes: &'a [Shape],
    /// The same, to ask about points.
    pub(super) area: Area<'a>,
    /// Room that each site must have.
    pub(super) radius: f32,
    /// Only in these cells.
    pub(super) reachable: &'a [bool],
    /// Not where somebody stands already.
    pub(super) occupied: &'a Occupied,
}

/// Sites of a lattice that are free.
struct Sites {
    first: Vec2,
    spacing: f32,
    /// The free columns of each row.
    columns: Vec<Vec<u32>>,
}

impl Sites {
    fn len(&self) -> usize {
        self.columns.iter().map(Vec::len).sum()
    }

    fn point(&self, row: usize, column: u32) -> Vec2 {
        let shift = shift_of(row, self.spacing);
        Vec2::new(self.first.x + shift + column as f32 * self.spacing, y_of(self.first, row, self.spacing))
    }
}

/// How far east a row begins.
fn shift_of(row: usize, spacing: f32) -> f32 {
    if row % 2 == 1 { 0.5 * spacing } else { 0.0 }
}

fn y_of(first: Vec2, row: usize, spacing: f32) -> f32 {
    first.y + row as f32 * (spacing * ROW_HEIGHT)
}

/// Places in shuffled order.
pub(super) struct Places {
    /// In the order of the lattice's sites.
    by_site: Vec<Vec2>,
    /// For each place in shuffled order a random number, and in the lower half its site.
    shuffled: Vec<u64>,
}

impl Places {
    /// Copies the places from number `first` on, in shuffled order.
    pub(super) fn copy_to(&self, first: usize, out: &mut [Vec2]) {
        out.par_iter_mut().zip(&self.shuffled[first..]).for_each(|(out, &card)| {
            *out = self.by_site[card as u32 as usize];
        });
    }
}

/// At least `count` places; which shuffle and which jitter is for the seed and the group's number to say.
///
/// # Errors
/// If there is no room: for how many there is.
pub(super) fn places(start: &StartArea<'_>, seed: u32, group: u32, count: usize) -> Result<Places, usize> {
    let sites = start.sites_for(count)?;
    let by_site = start.jittered(&sites, seed, group);
    // As one shuffles cards: each gets a random number, and they are sorted by it.
    let mut shuffled: Vec<u64> = (0..by_site.len() as u32)
        .into_par_iter()
        .map(|site| u64::from(draw(seed, site, Purpose::Shuffle, group)[0]) << 32 | u64::from(site))
        .collect();
    shuffled.par_sort_unstable();
    Ok(Places { by_site, shuffled })
}

impl StartArea<'_> {
    fn is_free(&self, p: Vec2) -> bool {
        let grid = &self.world.grid;
        self.area.contains(p)
            && grid.inside(p)
            && self.reachable[grid.index_at(p)]
            && fits(self.world, p, self.radius)
            && self.occupied.is_free(p, self.radius)
    }

    /// The widest lattice, nearly, that has enough free sites; or how many the tightest has.
    fn sites_for(&self, count: usize) -> Result<Sites, usize> {
        let b = bounds_of(self.shapes, self.world);
        let size = (b.max - b.min).max(Vec2::ZERO);
        let cells = self.cells_with_sites();
        let tightest = 2.0 * self.radius * 1.0005;
        let area = f64::from(size.x) * f64::from(size.y);
        let mut spacing = ((area * 1.1547 / count as f64).sqrt() as f32).max(tightest);
        loop {
            let sites = self.sites(spacing, &cells);
            let found = sites.len();
            if found >= count {
                return Ok(sites);
            }
            if spacing <= tightest {
                return Err(found);
            }
            // A shortfall of so many per cent asks for a lattice half of that tighter, and a little more.
            let ratio = (found as f32 / count as f32).sqrt().clamp(0.5, 1.0);
            spacing = (spacing * (0.3 + 0.7 * ratio).min(0.985)).max(tightest);
        }
    }

    /// Which cells may have a site: reachable, and near one of the start's shapes.
    fn cells_with_sites(&self) -> Cow<'_, [bool]> {
        if self.shapes.is_empty() {
            return Cow::Borrowed(self.reachable);
        }
        let grid = self.world.grid;
        let near: Vec<_> = self.shapes.iter().map(|shape| grid.cells_in(shape.bounds())).collect();
        let mut cells = vec![false; self.reachable.len()];
        let rows = cells.par_chunks_mut(grid.width).zip(self.reachable.par_chunks(grid.width)).enumerate();
        rows.for_each(|(y, (cells, reachable))| {
            // How many shapes more, or fewer, are near each cell than near the one west of it: shapes may lie over each other.
            let mut change = Vec::new();
            for (columns, _) in near.iter().filter(|(_, rows)| rows.contains(&y)) {
                change.resize(grid.width + 1, 0);
                change[columns.start] += 1;
                change[columns.end] -= 1;
            }
            let mut count = 0;
            for ((cell, reachable), change) in cells.iter_mut().zip(reachable).zip(change) {
                count += change;
                *cell = *reachable && count > 0;
            }
        });
        Cow::Owned(cells)
    }

    /// The free sites of the lattice of some spacing. `cells` are the cells to look in.
    fn sites(&self, spacing: f32, cells: &[bool]) -> Sites {
        let b = bounds_of(self.shapes, self.world);
        let size = (b.max - b.min).max(Vec2::ZERO);
        // A lattice that begins a radius in wastes nothing along a wall; a start too small for that has its middle.
        let margin = self.radius.max(1e-3) * 1.0001;
        let inset = Vec2::select(size.cmpgt(Vec2::splat(margin)), Vec2::splat(margin), 0.5 * size);
        let mut sites = Sites { first: b.min + inset, spacing, columns: Vec::new() };
        let last_row = (size.y / (spacing * ROW_HEIGHT)) as usize;
        let last_column = (size.x / spacing) as usize;
        sites.columns =
            (0..=last_row).into_par_iter().map(|row| self.free_columns(&sites, row, last_column, cells)).collect();
        sites
    }

    /// The columns of a row of the lattice that are free.
    fn free_columns(&self, sites: &Sites, row: usize, last_column: usize, cells: &[bool]) -> Vec<u32> {
        let grid = self.world.grid;
        let (columns, rows) = grid.cells_in(bounds_of(self.shapes, self.world));
        let y = grid.coords(Vec2::new(0.0, y_of(sites.first, row, sites.spacing))).1;
        let mut free = Vec::new();
        if !rows.contains(&y) {
            return free;
        }
        // Only over runs of cells that can have any, and only inside the shapes: most of a world may be wall, a start may be a
        // sliver across it, and sites are many.
        let cells = &cells[y * grid.width..(y + 1) * grid.width];
        let shift = shift_of(row, sites.spacing);
        let column_at = |x: f32| ((x - sites.first.x - shift) / sites.spacing).floor();
        let mut next = 0;
        for [west, east] in self.spans(y_of(sites.first, row, sites.spacing)) {
            let cell_at = |x: f32| (x / grid.cell).floor().max(0.0) as usize;
            let mut x = cell_at(west).max(columns.start);
            let end = (cell_at(east) + 1).min(columns.end);
            while x < end {
                if !cells[x] {
                    x += 1;
                    continue;
                }
                let run = x;
                while x < end && cells[x] {
                    x += 1;
                }
                let (first, last) = (west.max(run as f32 * grid.cell), east.min(x as f32 * grid.cell));
                // A column more on both sides makes up for rounding.
                let from = ((column_at(first) - 1.0).max(0.0) as usize).max(next);
                let until = ((column_at(last) + 2.0).max(0.0) as usize).min(last_column + 1);
                free.extend((from as u32..until as u32).filter(|&column| self.is_free(sites.point(row, column))));
                next = until.max(next);
            }
        }
        free
    }

    /// Where a level line is inside the shapes, from west to east.
    fn spans(&self, y: f32) -> Vec<[f32; 2]> {
        if self.shapes.is_empty() {
            return vec![[0.0, self.world.grid.extent().x]];
        }
        let mut spans: Vec<[f32; 2]> = self.shapes.iter().flat_map(|shape| shape.spans_at(y)).collect();
        spans.sort_unstable_by(|a, b| a[0].total_cmp(&b[0]));
        spans
    }

    /// A place near each site, in their order: as far from it as bodies have slack, if that is free too.
    fn jittered(&self, sites: &Sites, seed: u32, group: u32) -> Vec<Vec2> {
        let slack = 0.5 * (sites.spacing - 2.0 * self.radius) * 0.98;
        let jittered = |site: u32, p: Vec2| {
            let words = draw(seed, site, Purpose::Jitter, group);
            let away = Vec2::from_angle(unit(words[0]) * std::f32::consts::TAU) * (slack * unit(words[1]).sqrt());
            let q = p + away;
            if self.is_free(q) { q } else { p }
        };
        let mut places: Vec<Vec2> = bytemuck::zeroed_vec(sites.len());
        let mut rest = &mut places[..];
        let mut first_site = 0;
        let mut rows = Vec::new();
        for (row, columns) in sites.columns.iter().enumerate() {
            let (out, after) = rest.split_at_mut(columns.len());
            rows.push((row, first_site, out));
            first_site += columns.len() as u32;
            rest = after;
        }
        rows.into_par_iter().for_each(|(row, first_site, out)| {
            for ((site, out), &column) in (first_site..).zip(out).zip(&sites.columns[row]) {
                *out = jittered(site, sites.point(row, column));
            }
        });
        places
    }
}
