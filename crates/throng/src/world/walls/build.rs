//! From shapes and painted cells to tiles of wall segments, and to every cell's flags and distance.
//!
//! Tiles are built row by row of tiles, in parallel: a tile follows from the shapes alone, so neither the order nor
//! the number of threads can matter. Links come last, since they ask the cells next door.

use super::{LINK, NEAR, SOLID, TILE, Tile, Wall, Walls};
use crate::geometry::{Rect, Segment, Shape};
use crate::world::covered::runs_in_row;
use crate::world::grid::{DIRECTIONS, Grid};
use glam::Vec2;
use rayon::prelude::*;
use std::ops::Range;

/// The links of a cell whose four ways are all open.
const ALL_LINKS: u8 = LINK[0] | LINK[1] | LINK[2] | LINK[3];

/// What of the walls may matter to a tile.
#[derive(Clone, Default)]
struct Candidates {
    outlines: Vec<Segment>,
    /// Numbers of standing walls that have an inside.
    solids: Vec<u32>,
}

/// A rectangle of tiles.
struct Block {
    columns: Range<usize>,
    rows: Range<usize>,
}

impl Block {
    /// Where a tile of it is in a list row by row.
    fn slot(&self, tx: usize, ty: usize) -> usize {
        (ty - self.rows.start) * self.columns.len() + tx - self.columns.start
    }
}

/// Everything that a tile is built from.
struct Builder<'a> {
    grid: Grid,
    walls: &'a [Wall],
    painted: &'a [bool],
    reach: f32,
    clearance: f32,
    /// Walls farther from a tile than this do not matter to it.
    margin: f32,
}

impl Walls {
    /// Rebuilds everything that a change inside `changed` can touch.
    pub(super) fn rebuild(&mut self, changed: Rect) {
        let grid = self.grid;
        let margin = self.reach.max(self.clearance) + grid.cell;
        let (columns, rows) = grid.cells_in(changed.grown(margin));
        if columns.is_empty() || rows.is_empty() {
            return;
        }
        let block = Block {
            columns: columns.start / TILE..(columns.end - 1) / TILE + 1,
            rows: rows.start / TILE..(rows.end - 1) / TILE + 1,
        };
        let tiles_wide = self.tiles_wide;
        let Self { walls, painted, reach, clearance, flags, distance, tiles, .. } = self;
        let builder = Builder { grid, walls, painted, reach: *reach, clearance: *clearance, margin };
        let candidates = builder.candidates(&block);
        let band = TILE * grid.width;
        flags
            .par_chunks_mut(band)
            .zip(distance.par_chunks_mut(band))
            .zip(tiles.par_chunks_mut(tiles_wide))
            .enumerate()
            .skip(block.rows.start)
            .take(block.rows.len())
            .for_each(|(ty, ((flags, distance), tiles))| {
                let solid = builder.solid_cells(&block, ty, &candidates);
                for tx in block.columns.clone() {
                    tiles[tx] =
                        builder.build_tile((tx, ty), &candidates[block.slot(tx, ty)], &solid, (flags, distance));
                }
            });
        self.build_links(&block);
        self.note_changed(&block);
    }

    /// Remembers which tiles were rebuilt.
    fn note_changed(&mut self, block: &Block) {
        for ty in block.rows.clone() {
            self.changed.extend(block.columns.clone().map(|tx| (ty * self.tiles_wide + tx) as u32));
        }
        if self.changed.len() > 2 * self.tiles.len() {
            // Nobody asks: at least each only once.
            self.changed.sort_unstable();
            self.changed.dedup();
        }
    }

    /// Opens the links of the cells in a block of tiles whose other flags are there already, around it too.
    fn build_links(&mut self, block: &Block) {
        let walls = &*self;
        // Tiles without walls have them already: a wall or the border of the world beside them would be near.
        let has_links = |tx: usize, ty: usize| walls.flags[ty * TILE * walls.grid.width + tx * TILE] & ALL_LINKS != 0;
        let links: Vec<_> = block
            .rows
            .clone()
            .into_par_iter()
            .flat_map_iter(|ty| block.columns.clone().map(move |tx| (tx, ty)))
            .filter(|&(tx, ty)| !has_links(tx, ty))
            .map(|(tx, ty)| (tx, ty, walls.links_of_tile(tx, ty)))
            .collect();
        for (tx, ty, links) in links {
            for_cells_of_tile(self.grid, tx, ty, |local, cell| self.flags[cell] |= links[local]);
        }
    }

    fn links_of_tile(&self, tx: usize, ty: usize) -> [u8; TILE * TILE] {
        let mut links = [0; TILE * TILE];
        for_cells_of_tile(self.grid, tx, ty, |local, cell| links[local] = self.links_of_cell(cell));
        links
    }

    fn links_of_cell(&self, cell: usize) -> u8 {
        let grid = self.grid;
        if self.flags[cell] & SOLID != 0 {
            return 0;
        }
        let (x, y) = (cell % grid.width, cell / grid.width);
        let near = self.near(cell);
        let mut links = 0;
        for (d, &(dx, dy)) in DIRECTIONS.iter().enumerate() {
            let (nx, ny) = (x as i64 + i64::from(dx), y as i64 + i64::from(dy));
            if nx < 0 || ny < 0 || nx >= grid.width as i64 || ny >= grid.height as i64 {
                continue;
            }
            let (nx, ny) = (nx as usize, ny as usize);
            if self.flags[ny * grid.width + nx] & SOLID != 0 {
                continue;
            }
            // Both cells have every segment that crosses the way between them in their lists, so both come to the same answer.
            let (a, b) = (grid.centre(x, y), grid.centre(nx, ny));
            if !near.iter().any(|s| s.crosses(a, b)) {
                links |= LINK[d];
            }
        }
        links
    }
}

/// How far to the west and to the east a segment comes between two heights, and a little more, so that rounding loses nothing.
fn across(segment: Segment, south: f32, north: f32, more: f32) -> (f32, f32) {
    let (a, b) = (segment.a.as_dvec2(), segment.b.as_dvec2());
    let way = b - a;
    let (mut from, mut to) = (0.0, 1.0);
    if way.y != 0.0 {
        let [s, n] = [south - more, north + more].map(|y| ((f64::from(y) - a.y) / way.y).clamp(0.0, 1.0));
        (from, to) = (s.min(n), s.max(n));
    }
    let [x, y] = [from, to].map(|t| (a.x + t * way.x) as f32);
    (x.min(y) - more, x.max(y) + more)
}

/// Calls `f` with the number inside its tile and the plain index of every cell of a tile.
fn for_cells_of_tile(grid: Grid, tx: usize, ty: usize, mut f: impl FnMut(usize, usize)) {
    for y in ty * TILE..((ty + 1) * TILE).min(grid.height) {
        for x in tx * TILE..((tx + 1) * TILE).min(grid.width) {
            f(y % TILE * TILE + x % TILE, y * grid.width + x);
        }
    }
}

impl Builder<'_> {
    /// The part of the world that a tile covers.
    fn tile_rect(&self, tx: usize, ty: usize) -> Rect {
        let side = TILE as f32 * self.grid.cell;
        let min = Vec2::new(tx as f32, ty as f32) * side;
        Rect::new(min, (min + side).min(self.grid.extent()))
    }

    /// For each tile of a block the wall outlines, the world's border among them, and the solids near it.
    fn candidates(&self, block: &Block) -> Vec<Candidates> {
        let mut lists = vec![Candidates::default(); block.columns.len() * block.rows.len()];
        let side = TILE as f32 * self.grid.cell;
        // The tiles along an axis that are as near as the margin to a stretch of it.
        let near = |from: f32, to: f32, all: &Range<usize>| {
            let first = ((from - self.margin) / side).floor().max(0.0) as usize;
            let end = (((to + self.margin) / side).floor().max(-1.0) as i64 + 1).max(0) as usize;
            first.max(all.start)..end.min(all.end)
        };
        let border = Shape::Rect(self.grid.bounds()).outline();
        let standing = self.walls.iter().filter(|w| w.standing).flat_map(|w| w.shape.outline());
        for segment in border.into_iter().chain(standing) {
            let bounds = segment.bounds();
            for ty in near(bounds.min.y, bounds.max.y, &block.rows) {
                // Only where it passes: the box around a long slanted one has nearly all tiles of the world in it.
                let south = ty as f32 * side;
                let (west, east) = across(segment, south - self.margin, south + side + self.margin, 1e-3 * side);
                for tx in near(west, east, &block.columns) {
                    lists[block.slot(tx, ty)].outlines.push(segment);
                }
            }
        }
        for (number, wall) in self.walls.iter().enumerate() {
            if wall.standing && !matches!(wall.shape, Shape::Line(_)) {
                let bounds = wall.shape.bounds();
                for ty in near(bounds.min.y, bounds.max.y, &block.rows) {
                    for tx in near(bounds.min.x, bounds.max.x, &block.columns) {
                        lists[block.slot(tx, ty)].solids.push(number as u32);
                    }
                }
            }
        }
        lists
    }

    /// For the cells of a block's row of tiles, row by row over the whole width of the world, whether their middles are inside a wall.
    fn solid_cells(&self, block: &Block, ty: usize, candidates: &[Candidates]) -> Vec<bool> {
        let grid = self.grid;
        let lists = block.columns.clone().flat_map(|tx| &candidates[block.slot(tx, ty)].solids);
        let mut walls: Vec<u32> = lists.copied().collect();
        walls.sort_unstable();
        walls.dedup();
        let first = ty * TILE;
        let rows = first..(first + TILE).min(grid.height);
        let mut solid = vec![false; rows.len() * grid.width];
        // In how many walls more, or fewer, a cell is than the one west of it: thousands may lie over each other.
        let mut change = vec![0i32; if walls.is_empty() { 0 } else { grid.width + 1 }];
        for (y, row) in rows.filter(|_| !walls.is_empty()).zip(solid.chunks_mut(grid.width)) {
            change.fill(0);
            for run in walls.iter().flat_map(|&wall| runs_in_row(&grid, &self.walls[wall as usize].shape, y)) {
                change[run.start] += 1;
                change[run.end] -= 1;
            }
            let mut count = 0;
            for (solid, change) in row.iter_mut().zip(&change) {
                count += change;
                *solid = count > 0;
            }
        }
        if !self.painted.is_empty() {
            let painted = &self.painted[first * grid.width..][..solid.len()];
            solid.iter_mut().zip(painted).for_each(|(solid, painted)| *solid |= painted);
        }
        solid
    }

    /// Builds a tile, and writes the distances and flags of its cells; links only where no wall is near. These and `solid` are those
    /// of its row of tiles.
    fn build_tile(
        &self,
        (tx, ty): (usize, usize),
        candidates: &Candidates,
        solid: &[bool],
        (flags, distance): (&mut [u8], &mut [f32]),
    ) -> Tile {
        let grid = self.grid;
        let first_cell = ty * TILE * grid.width;
        let window = self.tile_rect(tx, ty).grown(self.margin);
        let mut segments = candidates.outlines.clone();
        segments.retain(|s| s.bounds().touches(window));
        self.painted_edges(window, &mut segments);
        let solids = candidates.solids.clone();
        // Most of a large world is floor far from walls.
        if segments.is_empty() && solids.is_empty() && !solid[tx * TILE] {
            for_cells_of_tile(grid, tx, ty, |_, cell| {
                flags[cell - first_cell] = ALL_LINKS;
                distance[cell - first_cell] = self.clearance;
            });
            return Tile::default();
        }
        let mut tile = Tile { start: Vec::with_capacity(TILE * TILE + 1), solids, ..Tile::default() };
        let listed = self.reach + grid.cell * std::f32::consts::FRAC_1_SQRT_2;
        for local in 0..TILE * TILE {
            tile.start.push(tile.near.len() as u32);
            let (x, y) = (tx * TILE + local % TILE, ty * TILE + local / TILE);
            if x >= grid.width || y >= grid.height {
                continue;
            }
            let cell = y * grid.width + x;
            let centre = grid.centre(x, y);
            let before = tile.near.len();
            let mut least = self.clearance;
            for s in &segments {
                let d = s.closest(centre).distance(centre);
                least = least.min(d);
                if d <= listed {
                    tile.near.push(*s);
                }
            }
            let solid = solid[cell - first_cell];
            distance[cell - first_cell] = if solid { 0.0 } else { least };
            flags[cell - first_cell] = if solid { SOLID } else { 0 } | if tile.near.len() > before { NEAR } else { 0 };
        }
        tile.start.push(tile.near.len() as u32);
        if tile.near.is_empty() {
            tile.start = Vec::new();
        } else {
            tile.outlines = segments;
        }
        tile
    }

    /// The edges between painted and clear cells that touch a window, runs along a line as one segment.
    fn painted_edges(&self, window: Rect, out: &mut Vec<Segment>) {
        if self.painted.is_empty() {
            return;
        }
        let grid = self.grid;
        let (columns, rows) = grid.cells_in(window);
        let painted = |x: i64, y: i64| {
            x >= 0
                && y >= 0
                && x < grid.width as i64
                && y < grid.height as i64
                && self.painted[y as usize * grid.width + x as usize]
        };
        let mut runs = |lines: Range<usize>, along: Range<usize>, upright: bool| {
            for line in lines.start..=lines.end {
                let mut run: Option<usize> = None;
                for k in along.start..=along.end {
                    let (a, b) = if upright {
                        (painted(line as i64 - 1, k as i64), painted(line as i64, k as i64))
                    } else {
                        (painted(k as i64, line as i64 - 1), painted(k as i64, line as i64))
                    };
                    let edge = k < along.end && a != b;
                    match (edge, run) {
                        (true, None) => run = Some(k),
                        (false, Some(first)) => {
                            let point = |k: usize| {
                                let (u, v) = (line as f32 * grid.cell, k as f32 * grid.cell);
                                if upright { Vec2::new(u, v) } else { Vec2::new(v, u) }
                            };
                            out.push(Segment::new(point(first), point(k)));
                            run = None;
                        }
                        _ => {}
                    }
                }
            }
        };
        runs(columns.clone(), rows.clone(), true);
        runs(rows, columns, false);
    }
}
