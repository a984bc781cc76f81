//! The raster over the world: cells, their indices and their links.

use crate::geometry::Rect;
use glam::Vec2;

/// North, east, south, west: the order of every field that has a value per direction.
pub const DIRECTIONS: [(i32, i32); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
/// Index of north in a field per direction.
pub const NORTH: usize = 0;
/// Index of east in a field per direction.
pub const EAST: usize = 1;
/// Index of south in a field per direction.
pub const SOUTH: usize = 2;
/// Index of west in a field per direction.
pub const WEST: usize = 3;

/// The size of the raster. Cell (0, 0) is the south-west one; rows run west to east.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// Cells from west to east.
    pub width: usize,
    /// Cells from south to north.
    pub height: usize,
    /// Side of a cell, in metres.
    pub cell: f32,
}

impl Grid {
    /// How many cells there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.width * self.height
    }

    /// Whether there is no cell at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The world's size in metres.
    #[must_use]
    pub fn extent(&self) -> Vec2 {
        Vec2::new(self.width as f32, self.height as f32) * self.cell
    }

    /// The whole world as a rectangle.
    #[must_use]
    pub fn bounds(&self) -> Rect {
        Rect::new(Vec2::ZERO, self.extent())
    }

    /// Column and row of the cell under a point; points outside belong to the nearest border cell.
    #[must_use]
    #[inline]
    pub fn coords(&self, p: Vec2) -> (usize, usize) {
        // `as` saturates: negative and NaN become 0. The reciprocal leaves a loop, a division would not.
        let per_metre = 1.0 / self.cell;
        let x = (p.x * per_metre).max(0.0) as u32 as usize;
        let y = (p.y * per_metre).max(0.0) as u32 as usize;
        (x.min(self.width - 1), y.min(self.height - 1))
    }

    /// Index of the cell under a point.
    #[must_use]
    #[inline]
    pub fn index_at(&self, p: Vec2) -> usize {
        let (x, y) = self.coords(p);
        y * self.width + x
    }

    /// The middle of a cell, in metres.
    #[must_use]
    #[inline]
    pub fn centre(&self, x: usize, y: usize) -> Vec2 {
        Vec2::new(x as f32 + 0.5, y as f32 + 0.5) * self.cell
    }

    /// The middle of a cell given by its index.
    #[must_use]
    pub fn centre_of(&self, index: usize) -> Vec2 {
        self.centre(index % self.width, index / self.width)
    }

    /// Whether a point is in the world.
    #[must_use]
    #[inline]
    pub fn inside(&self, p: Vec2) -> bool {
        let e = self.extent();
        p.x >= 0.0 && p.y >= 0.0 && p.x < e.x && p.y < e.y
    }

    /// The point of the world that is nearest to one.
    #[must_use]
    pub fn nearest_inside(&self, p: Vec2) -> Vec2 {
        let e = self.extent();
        p.clamp(Vec2::ZERO, Vec2::new(e.x.next_down(), e.y.next_down()))
    }

    /// The cells that a rectangle touches, as half-open ranges of columns and rows.
    #[must_use]
    pub fn cells_in(&self, r: Rect) -> (std::ops::Range<usize>, std::ops::Range<usize>) {
        let low = |v: f32| (v / self.cell).floor().max(0.0) as usize;
        let high = |v: f32, n: usize| ((v / self.cell).floor().max(-1.0) as i64 + 1).clamp(0, n as i64) as usize;
        let (x1, y1) = (high(r.max.x, self.width), high(r.max.y, self.height));
        (low(r.min.x).min(x1)..x1, low(r.min.y).min(y1)..y1)
    }

    /// The four cells whose middles surround a point, with bilinear weights: south-west corner (may lie one
    /// cell outside) and the fractions towards east and north.
    #[must_use]
    #[inline]
    pub fn surrounding(&self, p: Vec2) -> (i32, i32, f32, f32) {
        let per_metre = 1.0 / self.cell;
        let u = p.x * per_metre - 0.5;
        let v = p.y * per_metre - 0.5;
        // u and v are at least -1 here (outside points are clamped), so this is the floor; `floor` itself is a call
        // on processors before SSE 4.1.
        let floor = |t: f32| (t.max(-1.0) + 1.0) as i32 - 1;
        let (x, y) = (floor(u), floor(v));
        (x, y, u - x as f32, v - y as f32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRID: Grid = Grid { width: 5, height: 3, cell: 0.5 };

    #[test]
    fn points_map_to_cells_and_back() {
        for i in 0..GRID.len() {
            assert_eq!(GRID.index_at(GRID.centre_of(i)), i);
        }
        assert_eq!(GRID.coords(Vec2::new(-3.0, f32::NAN)), (0, 0));
        assert_eq!(GRID.coords(Vec2::splat(1e9)), (4, 2));
    }

    #[test]
    fn a_rectangle_touches_the_cells_it_reaches_into() {
        let (x, y) = GRID.cells_in(Rect::new(Vec2::new(0.6, -1.0), Vec2::new(1.2, 0.4)));
        assert_eq!((x, y), (1..3, 0..1));
        let (x, y) = GRID.cells_in(Rect::new(Vec2::splat(-9.0), Vec2::splat(-8.0)));
        assert!(x.is_empty() && y.is_empty());
    }
}
