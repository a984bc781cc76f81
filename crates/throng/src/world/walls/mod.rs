//! Walls, twice: exact segments for bodies, and links between cells for planning.
//!
//! A scene's walls are shapes and painted cells. Bodies touch the exact outline, so a door is as wide as it was
//! drawn whatever the cell size. The planner moves from the middle of a cell to the middle of the next: that
//! *link* is open when neither middle is inside a wall and no outline crosses the way. A wall thinner than a
//! cell therefore still closes the way, and a door is open wherever a link fits through it.
//!
//! Everything is kept in tiles of cells, each built from the shapes alone, so a change rebuilds only the tiles
//! around it and ends with the same bits as building anew.

mod bodies;
mod build;
mod size;
#[cfg(test)]
mod tests;

pub(crate) use size::memory_of_walls;

use super::grid::Grid;
use crate::geometry::{Rect, Segment, Shape};
use glam::Vec2;
use std::collections::BTreeMap;

/// Bits 0 to 3 of a cell's flags: the link to the north, east, south, west neighbour is open.
pub const LINK: [u8; 4] = [1, 2, 4, 8];
/// The middle of the cell is inside a wall.
pub const SOLID: u8 = 16;
/// Some wall is near enough for a body in this cell to touch it.
pub const NEAR: u8 = 32;

/// Cells on a side of the tiles that walls are kept in.
pub(crate) const TILE: usize = 16;
/// No centre of a body comes nearer to a wall than this, in metres: far above rounding in a world of kilometres.
const SKIN: f32 = 1e-3;

/// Walls that are looked at one by one when some of them change, some milliseconds' worth.
const MOST_LOOKS: usize = 1 << 20;

/// A wall as the scene draws it.
#[derive(Clone, Debug, PartialEq)]
pub struct Wall {
    /// The name that events use.
    pub name: Option<String>,
    /// Where it is.
    pub shape: Shape,
    /// Whether it stands now; a door that is open does not.
    pub standing: bool,
}

#[derive(Clone, Debug, Default)]
struct Tile {
    /// Per cell of the tile the range of `near`; empty if the whole tile is far from walls.
    start: Vec<u32>,
    near: Vec<Segment>,
    /// All of them, each once; empty if the whole tile is far from walls.
    outlines: Vec<Segment>,
    /// Standing solid shapes that reach into the tile.
    solids: Vec<u32>,
}

/// All walls of a world.
#[derive(Clone, Debug)]
pub struct Walls {
    grid: Grid,
    walls: Vec<Wall>,
    painted: Vec<bool>,
    flags: Vec<u8>,
    distance: Vec<f32>,
    tiles: Vec<Tile>,
    tiles_wide: usize,
    /// Segments this near to a cell are in its list: a body's radius plus the longest way it may be moved.
    reach: f32,
    /// `distance` is exact up to here.
    clearance: f32,
    /// Tiles rebuilt since somebody last asked.
    changed: Vec<u32>,
}

/// As far as a body is carried, looks ahead (at most 2r) and plans (a cell), m.
fn reach(grid: &Grid, radius: f32, stride: f32) -> f32 {
    (radius + stride).max(2.0 * radius).max(grid.cell) + SKIN
}

impl Walls {
    /// Builds the walls of a world. `painted` has a value per cell, or none at all. Bodies have at most
    /// `radius` and are moved at most `stride` at a time; clearance is measured up to `clearance` metres.
    #[must_use]
    pub fn new(grid: Grid, walls: Vec<Wall>, painted: Vec<bool>, radius: f32, stride: f32, clearance: f32) -> Self {
        let tiles_wide = grid.width.div_ceil(TILE);
        let tiles_high = grid.height.div_ceil(TILE);
        let mut all = Self {
            grid,
            walls,
            painted,
            flags: vec![0; grid.len()],
            distance: vec![0.0; grid.len()],
            tiles: vec![Tile::default(); tiles_wide * tiles_high],
            tiles_wide,
            reach: reach(&grid, radius, stride),
            clearance,
            changed: Vec::new(),
        };
        all.rebuild(grid.bounds());
        all
    }

    /// Measures distances up to another clearance, in metres: as if all had been built with it.
    pub(crate) fn set_clearance(&mut self, clearance: f32) {
        if self.clearance.to_bits() != clearance.to_bits() {
            self.clearance = clearance;
            self.rebuild(self.grid.bounds());
        }
    }

    /// Segments this near to a cell are in its list, m.
    #[cfg(feature = "gpu")]
    pub(crate) fn reach(&self) -> f32 {
        self.reach
    }

    /// The tiles that were rebuilt since the last call, each once.
    #[cfg(feature = "gpu")]
    pub(crate) fn take_changed(&mut self) -> Vec<u32> {
        let mut changed = std::mem::take(&mut self.changed);
        changed.sort_unstable();
        changed.dedup();
        changed
    }

    /// The standing solid shapes that reach into a tile.
    #[cfg(feature = "gpu")]
    pub(crate) fn solids(&self, tile: usize) -> impl Iterator<Item = &Shape> {
        self.tiles[tile].solids.iter().map(|&w| &self.walls[w as usize].shape)
    }

    /// The walls as the scene draws them.
    #[must_use]
    pub fn shapes(&self) -> &[Wall] {
        &self.walls
    }

    /// Link and solid bits of every cell.
    #[must_use]
    pub fn flags(&self) -> &[u8] {
        &self.flags
    }

    /// Distance from each cell's middle to the nearest wall, in metres, capped at the clearance asked for.
    #[must_use]
    pub fn distance(&self) -> &[f32] {
        &self.distance
    }

    /// Whether the middle of a cell is inside a wall.
    #[must_use]
    pub fn is_solid(&self, cell: usize) -> bool {
        self.flags[cell] & SOLID != 0
    }

    /// Adds a wall; returns its number.
    pub fn add(&mut self, wall: Wall) -> usize {
        let bounds = wall.shape.bounds();
        self.walls.push(wall);
        self.rebuild(bounds);
        self.walls.len() - 1
    }

    /// Gives a wall a name, or takes it.
    pub fn rename(&mut self, number: usize, name: Option<String>) {
        self.walls[number].name = name;
    }

    /// Lets a wall stand or not (a door that closes or opens). Returns whether anything changed.
    pub fn set_standing(&mut self, number: usize, standing: bool) -> bool {
        if self.walls[number].standing == standing {
            return false;
        }
        self.walls[number].standing = standing;
        let bounds = self.walls[number].shape.bounds();
        self.rebuild(bounds);
        true
    }

    /// Lets many walls stand or not at once.
    pub fn set_all_standing(&mut self, changes: impl IntoIterator<Item = (usize, bool)>) {
        let mut changed: Vec<Rect> = Vec::new();
        for (number, standing) in changes {
            let wall = &mut self.walls[number];
            if std::mem::replace(&mut wall.standing, standing) != standing {
                changed.push(wall.shape.bounds());
            }
        }
        // Each rebuild looks at every wall: where many change, one that goes over the whole floor is sooner done.
        if changed.len().saturating_mul(self.walls.len()) > MOST_LOOKS {
            changed = changed.into_iter().reduce(Rect::union).into_iter().collect();
        }
        changed.into_iter().for_each(|bounds| self.rebuild(bounds));
    }

    /// Paints or clears one whole cell (a brush).
    pub fn paint(&mut self, cell: usize, wall: bool) {
        if self.painted.is_empty() {
            self.painted = vec![false; self.grid.len()];
        }
        if self.painted[cell] != wall {
            self.painted[cell] = wall;
            let c = self.grid.centre_of(cell);
            self.rebuild(Rect::new(c, c).grown(self.grid.cell * 0.5));
        }
    }

    /// Paints or clears many cells at once, each given by its index.
    pub fn paint_all(&mut self, cells: impl IntoIterator<Item = (usize, bool)>) {
        if self.painted.is_empty() {
            self.painted = vec![false; self.grid.len()];
        }
        // What has changed, by tile: neighbours are rebuilt together.
        let mut changed: BTreeMap<usize, Rect> = BTreeMap::new();
        for (cell, wall) in cells {
            if std::mem::replace(&mut self.painted[cell], wall) != wall {
                let (x, y) = (cell % self.grid.width, cell / self.grid.width);
                let c = self.grid.centre(x, y);
                let touched = Rect::new(c, c).grown(self.grid.cell * 0.5);
                let tile = y / TILE * self.tiles_wide + x / TILE;
                changed.entry(tile).and_modify(|r| *r = r.union(touched)).or_insert(touched);
            }
        }
        for rect in changed.into_values() {
            self.rebuild(rect);
        }
    }

    /// Cells that are painted as walls; empty if none ever were.
    #[must_use]
    pub fn painted(&self) -> &[bool] {
        &self.painted
    }

    /// The exact wall segments that a body in this cell may touch.
    #[must_use]
    #[inline]
    pub fn near(&self, cell: usize) -> &[Segment] {
        if self.flags[cell] & NEAR == 0 {
            return &[];
        }
        let (x, y) = (cell % self.grid.width, cell / self.grid.width);
        let tile = &self.tiles[(y / TILE) * self.tiles_wide + x / TILE];
        let local = (y % TILE) * TILE + x % TILE;
        &tile.near[tile.start[local] as usize..tile.start[local + 1] as usize]
    }

    /// Whether any wall may be within a distance of a point; quick, and sure only of a no.
    pub(crate) fn any_around(&self, p: Vec2, distance: f32) -> bool {
        let (x0, y0) = self.grid.coords(p - distance);
        let (x1, y1) = self.grid.coords(p + distance);
        let mut rows = (y0 / TILE)..=(y1 / TILE);
        rows.any(|y| ((x0 / TILE)..=(x1 / TILE)).any(|x| !self.tiles[y * self.tiles_wide + x].outlines.is_empty()))
    }

    /// Calls `f` with every segment whose bounds touch the square of this half-width around a point: hardly any twice, and always in
    /// the same order.
    pub(crate) fn for_around(&self, p: Vec2, distance: f32, mut f: impl FnMut(&Segment)) {
        let square = Rect::new(p - distance, p + distance);
        let tile_of = |p: Vec2| {
            let (x, y) = self.grid.coords(p);
            (x / TILE, y / TILE)
        };
        let ((x0, y0), (x1, y1)) = (tile_of(square.min), tile_of(square.max));
        for y in y0..=y1 {
            for x in x0..=x1 {
                for s in &self.tiles[y * self.tiles_wide + x].outlines {
                    let bounds = s.bounds();
                    if !bounds.touches(square) {
                        continue;
                    }
                    // Tiles that a segment along an axis touches all have it whole, unless it was painted: the first of them will do.
                    let along_axis = bounds.min.cmpeq(bounds.max).any();
                    if along_axis && self.painted.is_empty() {
                        let (first_x, first_y) = tile_of(bounds.min);
                        if (x, y) != (first_x.clamp(x0, x1), first_y.clamp(y0, y1)) {
                            continue;
                        }
                    }
                    f(s);
                }
            }
        }
    }

    /// Whether a point is inside a wall or outside of the world.
    #[must_use]
    pub fn contains(&self, p: Vec2) -> bool {
        if !self.grid.inside(p) {
            return true;
        }
        let (x, y) = self.grid.coords(p);
        let cell = y * self.grid.width + x;
        let flags = self.flags[cell];
        if flags & NEAR == 0 {
            return flags & SOLID != 0;
        }
        let tile = &self.tiles[(y / TILE) * self.tiles_wide + x / TILE];
        self.painted.get(cell).copied().unwrap_or(false)
            || tile.solids.iter().any(|&w| self.walls[w as usize].shape.contains(p))
    }

    /// Whether two points that are at most two radii and a stride apart see each other.
    #[must_use]
    #[inline]
    pub fn sees(&self, p: Vec2, q: Vec2) -> bool {
        let (a, b) = (self.grid.index_at(p), self.grid.index_at(q));
        if (self.flags[a] | self.flags[b]) & NEAR == 0 {
            return true;
        }
        let blocked = |cell: usize| self.near(cell).iter().any(|s| s.crosses(p, q));
        !blocked(a) && (a == b || !blocked(b))
    }

    /// The cell whose middle stands for a point: its own, or where that is behind or inside a wall the nearest of the
    /// eight around whose middle can be seen; its own if there is none.
    #[must_use]
    pub fn anchor(&self, p: Vec2) -> usize {
        let (x, y) = self.grid.coords(p);
        let home = y * self.grid.width + x;
        let seen = |cell: usize, centre: Vec2| self.flags[cell] & SOLID == 0 && self.sees(p, centre);
        if self.flags[home] & (NEAR | SOLID) == 0 || seen(home, self.grid.centre(x, y)) {
            return home;
        }
        let mut best = (f32::MAX, home);
        for ny in y.saturating_sub(1)..=(y + 1).min(self.grid.height - 1) {
            for nx in x.saturating_sub(1)..=(x + 1).min(self.grid.width - 1) {
                let centre = self.grid.centre(nx, ny);
                let cell = ny * self.grid.width + nx;
                if centre.distance_squared(p) < best.0 && seen(cell, centre) {
                    best = (centre.distance_squared(p), cell);
                }
            }
        }
        best.1
    }
}
