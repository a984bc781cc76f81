//! Walls, twice: exact segments for bodies, and links between cells for planning.
//!
//! A scene's walls are shapes and painted cells. Bodies touch the exact outline, so a door is as wide as it was
//! drawn whatever the cell size. The planner moves from the middle of a cell to the middle of the next: that
//! *link* is open when neither middle is inside a wall and no outline crosses the way. A wall thinner than a
//! cell therefore still closes the way, and a door is open wherever a link fits through it.
//!
//! Everything is kept in tiles of cells, each built from the shapes alone, so a change rebuilds only the tiles
//! around it and ends with the same bits as building anew.

use super::grid::{DIRECTIONS, Grid};
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
            distance: vec![clearance; grid.len()],
            tiles: vec![Tile::default(); tiles_wide * tiles_high],
            tiles_wide,
            // As far as a body is carried, looks ahead (at most 2r) and plans (a cell).
            reach: (radius + stride).max(2.0 * radius).max(grid.cell) + SKIN,
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

    /// How deep a disc reaches into the nearest wall, in metres; 0 when it is clear.
    #[must_use]
    pub fn depth(&self, p: Vec2, radius: f32) -> f32 {
        let near = self.near(self.grid.index_at(p));
        near.iter().fold(0.0, |deep, s| deep.max(radius - s.closest(p).distance(p)))
    }

    /// Where a disc ends that wants to go from `from` to `to`: it slides along walls, keeps its radius from them
    /// where there is room, and its centre never passes one. `from` must be clear of walls; the way at most the
    /// stride given to [`Walls::new`].
    #[must_use]
    #[inline]
    pub fn slide(&self, from: Vec2, to: Vec2, radius: f32) -> Vec2 {
        let near = self.near(self.grid.index_at(from));
        if near.is_empty() {
            return to;
        }
        self.slide_along(near, from, to, radius)
    }

    fn slide_along(&self, near: &[Segment], from: Vec2, to: Vec2, radius: f32) -> Vec2 {
        let mut at = to;
        // In a corner each push may press the disc into the other wall; a few rounds settle any corner that
        // is wide enough, and a gap that is too narrow ends between its sides.
        for _ in 0..4 {
            let mut pushed = false;
            for s in near {
                let crossed = s.crosses(from, at);
                let foot = s.closest(at);
                let away = at - foot;
                let gap = away.length();
                if !crossed && gap >= radius {
                    continue;
                }
                let out = if crossed || gap < SKIN {
                    // The side that the disc came from is the outside.
                    let back = from - s.closest(from);
                    let normal = (s.b - s.a).perp().normalize_or_zero();
                    let normal = if normal.dot(from - s.a) < 0.0 { -normal } else { normal };
                    if normal == Vec2::ZERO { back.normalize_or_zero() } else { normal }
                } else {
                    away / gap
                };
                // A hair more than the radius, or rounding would find the disc touching for ever.
                at = foot + out * (radius + 1e-5);
                pushed = true;
            }
            if !pushed {
                return self.inside_or(at, from);
            }
        }
        let clear = near.iter().all(|s| !s.crosses(from, at) && s.closest(at).distance(at) >= SKIN);
        // The lists reach only so far from `from`: farther out walls could be missing.
        if clear && at.distance(from) + radius <= self.reach { self.inside_or(at, from) } else { from }
    }

    fn inside_or(&self, at: Vec2, from: Vec2) -> Vec2 {
        if self.grid.inside(at) { at } else { from }
    }

    /// Whether somebody at `p` is in a wall, or so near that no run would have left it there.
    #[must_use]
    pub fn buries(&self, p: Vec2) -> bool {
        self.contains(p) || self.depth(p, 0.9 * SKIN) > 0.0
    }

    /// A free place near `p` for a disc: one that is `good` and clear of walls by the radius if possible, else any that
    /// is clear, else by a hair. `None` if there is nothing at all.
    #[must_use]
    pub fn free_place(&self, p: Vec2, radius: f32, good: impl Fn(Vec2) -> bool) -> Option<Vec2> {
        let range = self.grid.extent().length();
        for (gap, any) in [(radius, false), (radius, true), (SKIN, true)] {
            for ring in 0.. {
                // Close together at first, then wider: near places are found exactly, far ones at all.
                let away = 0.25 * self.grid.cell * ring as f32 * (1.0 + ring as f32 / 24.0);
                if away > range {
                    break;
                }
                let count = if ring == 0 { 1 } else { (6 * ring).min(96) };
                for k in 0..count {
                    let turn = std::f32::consts::TAU * k as f32 / count as f32;
                    let q = p + Vec2::from_angle(turn) * away;
                    if !self.contains(q) && self.depth(q, gap) <= 0.0 && (any || good(q)) {
                        return Some(q);
                    }
                }
            }
        }
        None
    }

    /// Rebuilds everything that a change inside `changed` can touch.
    fn rebuild(&mut self, changed: Rect) {
        let margin = self.reach.max(self.clearance) + self.grid.cell;
        let (columns, rows) = self.grid.cells_in(changed.grown(margin));
        if columns.is_empty() || rows.is_empty() {
            return;
        }
        let tiles_x = columns.start / TILE..(columns.end - 1) / TILE + 1;
        let tiles_y = rows.start / TILE..(rows.end - 1) / TILE + 1;
        let candidates = self.candidates(&tiles_x, &tiles_y, margin);
        for ty in tiles_y.clone() {
            for tx in tiles_x.clone() {
                let slot = (ty - tiles_y.start) * tiles_x.len() + tx - tiles_x.start;
                self.build_tile(tx, ty, &candidates[slot], margin);
                self.changed.push((ty * self.tiles_wide + tx) as u32);
            }
        }
        if self.changed.len() > 2 * self.tiles.len() {
            // Nobody asks: at least each only once.
            self.changed.sort_unstable();
            self.changed.dedup();
        }
        for ty in tiles_y {
            for tx in tiles_x.clone() {
                self.build_links(tx, ty);
            }
        }
    }

    fn tile_rect(&self, tx: usize, ty: usize) -> Rect {
        let side = TILE as f32 * self.grid.cell;
        let min = Vec2::new(tx as f32, ty as f32) * side;
        Rect::new(min, (min + side).min(self.grid.extent()))
    }

    /// For each tile of a block the wall outlines and solids near it. Number -1 is the world's border.
    fn candidates(
        &self,
        tiles_x: &std::ops::Range<usize>,
        tiles_y: &std::ops::Range<usize>,
        margin: f32,
    ) -> Vec<(Vec<Segment>, Vec<u32>)> {
        let mut lists = vec![(Vec::new(), Vec::new()); tiles_x.len() * tiles_y.len()];
        let side = TILE as f32 * self.grid.cell;
        let visit = |r: Rect, f: &mut dyn FnMut(usize)| {
            let low = |v: f32| ((v - margin) / side).floor().max(0.0) as usize;
            let high = |v: f32| ((v + margin) / side).floor().max(-1.0) as i64 + 1;
            for ty in low(r.min.y).max(tiles_y.start)..(high(r.max.y).max(0) as usize).min(tiles_y.end) {
                for tx in low(r.min.x).max(tiles_x.start)..(high(r.max.x).max(0) as usize).min(tiles_x.end) {
                    f((ty - tiles_y.start) * tiles_x.len() + tx - tiles_x.start);
                }
            }
        };
        let border = Shape::Rect(self.grid.bounds()).outline();
        let standing = self.walls.iter().filter(|w| w.standing).flat_map(|w| w.shape.outline());
        for segment in border.into_iter().chain(standing) {
            visit(segment.bounds(), &mut |slot| lists[slot].0.push(segment));
        }
        for (number, wall) in self.walls.iter().enumerate() {
            if wall.standing && !matches!(wall.shape, Shape::Line(_)) {
                visit(wall.shape.bounds(), &mut |slot| lists[slot].1.push(number as u32));
            }
        }
        lists
    }

    fn build_tile(&mut self, tx: usize, ty: usize, candidates: &(Vec<Segment>, Vec<u32>), margin: f32) {
        let grid = self.grid;
        let window = self.tile_rect(tx, ty).grown(margin);
        let mut segments: Vec<Segment> = candidates.0.iter().filter(|s| s.bounds().touches(window)).copied().collect();
        self.painted_edges(window, &mut segments);
        let solids = candidates.1.clone();
        let mut tile = Tile { start: Vec::with_capacity(TILE * TILE + 1), near: Vec::new(), solids };
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
            let solid = self.painted.get(cell).copied().unwrap_or(false)
                || tile.solids.iter().any(|&w| self.walls[w as usize].shape.contains(centre));
            self.distance[cell] = if solid { 0.0 } else { least };
            self.flags[cell] = if solid { SOLID } else { 0 } | if tile.near.len() > before { NEAR } else { 0 };
        }
        tile.start.push(tile.near.len() as u32);
        if tile.near.is_empty() {
            tile.start = Vec::new();
        }
        self.tiles[ty * self.tiles_wide + tx] = tile;
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
        let mut runs = |lines: std::ops::Range<usize>, along: std::ops::Range<usize>, upright: bool| {
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

    fn build_links(&mut self, tx: usize, ty: usize) {
        let grid = self.grid;
        for y in ty * TILE..((ty + 1) * TILE).min(grid.height) {
            for x in tx * TILE..((tx + 1) * TILE).min(grid.width) {
                let cell = y * grid.width + x;
                let mut links = 0;
                if self.flags[cell] & SOLID == 0 {
                    for (d, &(dx, dy)) in DIRECTIONS.iter().enumerate() {
                        let (nx, ny) = (x as i64 + i64::from(dx), y as i64 + i64::from(dy));
                        if nx < 0 || ny < 0 || nx >= grid.width as i64 || ny >= grid.height as i64 {
                            continue;
                        }
                        let (nx, ny) = (nx as usize, ny as usize);
                        let (a, b) = (grid.centre(x, y), grid.centre(nx, ny));
                        let solid = self.flags[ny * grid.width + nx] & SOLID != 0;
                        if !solid && !self.near(cell).iter().any(|s| s.crosses(a, b)) {
                            links |= LINK[d];
                        }
                    }
                }
                self.flags[cell] = (self.flags[cell] & (SOLID | NEAR)) | links;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::grid::{EAST, WEST};
    use proptest::prelude::*;

    const GRID: Grid = Grid { width: 40, height: 30, cell: 0.5 };

    fn wall(shape: Shape) -> Wall {
        Wall { name: None, shape, standing: true }
    }

    fn rect(x0: f32, y0: f32, x1: f32, y1: f32) -> Shape {
        Shape::Rect(Rect::new(Vec2::new(x0, y0), Vec2::new(x1, y1)))
    }

    fn walls(list: Vec<Wall>) -> Walls {
        Walls::new(GRID, list, Vec::new(), 0.25, 0.3, 1.0)
    }

    #[test]
    fn a_wall_thinner_than_a_cell_closes_the_way_between_cells() {
        let w = walls(vec![wall(rect(5.05, 0.0, 5.15, 15.0))]);
        for y in 0..30 {
            let (a, b) = (y * 40 + 9, y * 40 + 10);
            assert!(!w.is_solid(a) && !w.is_solid(b));
            assert_eq!(w.flags()[a] & LINK[EAST], LINK[EAST] * u8::from(false));
            assert_eq!(w.flags()[b] & LINK[WEST], 0);
        }
    }

    #[test]
    fn a_door_is_as_wide_as_it_was_drawn() {
        // 0.70 m between two walls: a disc of 0.34 passes, one of 0.36 does not.
        let w = walls(vec![wall(rect(5.0, 0.0, 5.2, 7.4)), wall(rect(5.0, 8.1, 5.2, 15.0))]);
        let pass = |radius: f32| {
            let mut p = Vec2::new(4.0, 7.75);
            for _ in 0..400 {
                p = w.slide(p, p + Vec2::new(0.02, 0.0), radius);
            }
            p.x
        };
        assert!(pass(0.34) > 6.0);
        let w2 = Walls::new(GRID, w.shapes().to_vec(), Vec::new(), 0.36, 0.3, 1.0);
        let mut p = Vec2::new(4.0, 7.7);
        for _ in 0..50 {
            p = w2.slide(p, p + Vec2::new(0.02, 0.0), 0.36);
        }
        assert!(p.x < 5.0, "{p}");
    }

    #[test]
    fn a_disc_that_runs_at_a_slant_slides_along_the_wall() {
        let w = walls(vec![wall(rect(0.0, 5.0, 20.0, 5.2))]);
        let mut p = Vec2::new(2.0, 4.0);
        for _ in 0..100 {
            p = w.slide(p, p + Vec2::new(0.05, 0.05), 0.25);
        }
        assert!(p.x > 6.9 && (p.y - 4.75).abs() < 1e-3, "{p}");
    }

    fn any_shape() -> impl Strategy<Value = Shape> {
        let v = || (0.0f32..20.0, 0.0f32..15.0);
        prop_oneof![
            (v(), 0.05f32..4.0, 0.05f32..4.0).prop_map(|((x, y), a, b)| rect(x, y, x + a, y + b)),
            (v(), 0.05f32..2.0).prop_map(|((x, y), r)| Shape::Circle(Vec2::new(x, y), r)),
            (v(), v()).prop_map(|(a, b)| Shape::Line(vec![a.into(), b.into()])),
            (v(), v(), v()).prop_map(|(a, b, c)| Shape::Polygon(vec![a.into(), b.into(), c.into()])),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn no_centre_ever_gets_into_or_through_a_wall(
            shapes in proptest::collection::vec(any_shape(), 1..8),
            start in (0.1f32..19.9, 0.1f32..14.9),
            turns in proptest::collection::vec(0.0f32..std::f32::consts::TAU, 60),
        ) {
            let w = walls(shapes.into_iter().map(wall).collect());
            let mut p = Vec2::from(start);
            prop_assume!(!w.contains(p) && w.depth(p, 0.01) <= 0.0);
            for turn in turns {
                for _ in 0..4 {
                    let q = w.slide(p, p + Vec2::from_angle(turn) * 0.25, 0.2);
                    prop_assert!(!w.contains(q), "{p} to {q} ends in a wall");
                    prop_assert!(w.sees(p, q), "{p} to {q} passes a wall");
                    p = q;
                }
            }
        }

        #[test]
        fn changing_a_wall_gives_the_same_as_building_anew(
            shapes in proptest::collection::vec(any_shape(), 1..6), cell in 0usize..1200,
        ) {
            let list: Vec<Wall> = shapes.into_iter().map(wall).collect();
            let mut changed = walls(list.clone());
            changed.set_standing(0, false);
            changed.paint(cell, true);
            let mut fresh = list;
            fresh[0].standing = false;
            let mut painted = vec![false; GRID.len()];
            painted[cell] = true;
            let fresh = Walls::new(GRID, fresh, painted, 0.25, 0.3, 1.0);
            prop_assert_eq!(changed.flags(), fresh.flags());
            prop_assert_eq!(changed.distance(), fresh.distance());
            for c in 0..GRID.len() {
                prop_assert_eq!(changed.near(c), fresh.near(c));
            }
        }
    }
}
