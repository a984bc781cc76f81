//! Cells of wall as solids: faces where wall meets floor, lids, and coarser cells where there are too many of them.

use crate::draw::runs;
use glam::Vec2;
use throng::geometry::{Rect, Segment, Shape};

/// Which cells are wall.
pub(crate) struct Blocks {
    wall: Vec<bool>,
    size: [usize; 2],
    /// Side of a cell, m; the last of a row and of a column may reach beyond the world.
    cell: f32,
    /// Of the world, m.
    extent: Vec2,
}

impl Blocks {
    /// Cells row by row, as wide as the grid; `factor` of them along a side are one, which is wall if half of them are.
    pub(crate) fn new(painted: &[bool], width: usize, cell: f32, factor: usize) -> Self {
        let height = painted.len() / width.max(1);
        let size = [width, height].map(|n| n.div_ceil(factor));
        let extent = Vec2::new(width as f32, height as f32) * cell;
        if factor == 1 {
            return Self { wall: painted.to_vec(), size, cell, extent };
        }
        let mut balance = vec![0i64; size[0] * size[1]];
        for (y, row) in painted.chunks_exact(width.max(1)).enumerate() {
            let coarse = &mut balance[y / factor * size[0]..][..size[0]];
            for (sum, cells) in coarse.iter_mut().zip(row.chunks(factor)) {
                *sum += cells.iter().map(|&wall| if wall { 1 } else { -1 }).sum::<i64>();
            }
        }
        Self { wall: balance.iter().map(|&sum| sum >= 0).collect(), size, cell: cell * factor as f32, extent }
    }

    fn at(&self, x: usize, y: usize) -> Vec2 {
        (Vec2::new(x as f32, y as f32) * self.cell).min(self.extent)
    }

    /// What lies between wall and floor, as long as it goes straight on, with the floor on the right. Beyond the world is floor.
    pub(crate) fn sides(&self, mut each: impl FnMut(Segment)) {
        let [wide, high] = self.size;
        let wall = |x: usize, y: usize| x < wide && y < high && self.wall[y * wide + x];
        // Before and behind a line there are wall and floor (1), floor and wall (−1), or the same.
        let change = |before: bool, behind: bool| i32::from(before) - i32::from(behind);
        let mut along = |lines: usize,
                         length: usize,
                         of: &dyn Fn(usize, usize) -> i32,
                         ends: &dyn Fn(usize, usize) -> Vec2,
                         turn: i32| {
            for line in 0..=lines {
                let (mut from, mut kind) = (0, 0);
                for k in 0..=length {
                    let next = if k < length { of(line, k) } else { 0 };
                    if next != kind {
                        let (a, b) = (ends(line, from), ends(line, k));
                        match kind * turn {
                            0 => {}
                            1 => each(Segment::new(a, b)),
                            _ => each(Segment::new(b, a)),
                        }
                        (from, kind) = (k, next);
                    }
                }
            }
        };
        let below = |x: usize, y: usize| y > 0 && wall(x, y - 1);
        let left = |x: usize, y: usize| x > 0 && wall(x - 1, y);
        along(high, wide, &|y, x| change(below(x, y), wall(x, y)), &|y, x| self.at(x, y), -1);
        along(wide, high, &|x, y| change(left(x, y), wall(x, y)), &|x, y| self.at(x, y), 1);
    }

    /// Rectangles that cover all walls, each once.
    pub(crate) fn lids(&self) -> Vec<Rect> {
        let cells: Vec<u32> = (0..).zip(&self.wall).filter(|(_, wall)| **wall).map(|(c, _)| c).collect();
        let lid = |shape: Shape| match shape {
            Shape::Rect(r) => Some(Rect::new(r.min, r.max.min(self.extent))),
            _ => None,
        };
        runs(&cells, self.size[0], self.cell).into_iter().filter_map(lid).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An L and a lone cell, on a raster 5 wide and 4 high.
    fn some() -> Vec<bool> {
        (0..20).map(|c| [0, 1, 2, 5, 6, 7, 10, 19].contains(&c)).collect()
    }

    #[test]
    fn sides_have_the_wall_on_the_left_and_the_floor_on_the_right() {
        let (painted, mut length) = (some(), 0.0);
        let blocks = Blocks::new(&painted, 5, 0.5, 1);
        let wall = |p: Vec2| {
            let cell = (p / 0.5).floor();
            let inside = cell.cmpge(Vec2::ZERO).all() && cell.x < 5.0 && cell.y < 4.0;
            inside && painted[cell.y as usize * 5 + cell.x as usize]
        };
        let mut count = 0;
        blocks.sides(|side| {
            let way = side.b - side.a;
            length += way.length();
            count += 1;
            let left = Vec2::new(-way.y, way.x).normalize() * 0.1;
            let steps = (way.length() / 0.5).round() as u32;
            for k in 0..steps {
                let middle = side.a + way * ((k as f32 + 0.5) / steps as f32);
                assert!(wall(middle + left) && !wall(middle - left), "{side:?}");
            }
        });
        // The L has six sides and is 3 by 3 cells, the lone cell has four.
        assert_eq!((length, count), (0.5 * 16.0, 10));
    }

    #[test]
    fn coarser_cells_are_wall_where_half_of_them_are() {
        let blocks = Blocks::new(&some(), 5, 0.5, 2);
        assert_eq!(blocks.size, [3, 2]);
        // Of the last column one cell each: nothing below, and above the lone one of two.
        assert_eq!(blocks.wall, [true, true, false, false, false, true]);
        assert_eq!(blocks.lids().last(), Some(&Rect::new(Vec2::new(2.0, 1.0), Vec2::new(2.5, 2.0))));
    }
}
