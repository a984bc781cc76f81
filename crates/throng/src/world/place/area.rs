//! The area that people start or enter in, as a question: is a point in it?
//!
//! It may have thousands of shapes, and the question is asked for every site of a lattice, so where they are many each is listed in the squares
//! of a coarse grid that its bounds touch. A polygon may have thousands of corners, too: then its sides are listed by the heights that they reach
//! over.

use crate::geometry::{Rect, Shape};
use glam::Vec2;
use std::collections::BTreeMap;

/// Up to here all shapes are asked.
const FEW: usize = 16;
/// Squares on a side at most, and entries of all their lists.
const MOST_SQUARES: usize = 256;
const MOST_ENTRIES: usize = 1 << 22;

/// Shapes, of which none at all stand for the whole world.
pub(super) struct Area<'a> {
    shapes: &'a [Shape],
    squares: Option<Squares>,
    /// Of polygons with many corners, by number.
    slabs: BTreeMap<usize, Slabs>,
}

/// A polygon with fewer corners is asked as it is.
const MANY_CORNERS: usize = 64;

/// Sides of a polygon, slab by slab from south to north.
struct Slabs {
    south: f32,
    /// Slabs in a metre, and how many they are.
    per_metre: f32,
    count: usize,
    /// The sides of slab `k` are `sides[start[k]..start[k + 1]]`: each by its corner, that before it being the other.
    start: Vec<u32>,
    sides: Vec<u32>,
}

impl Slabs {
    fn new(corners: &[Vec2]) -> Self {
        let low = corners.iter().map(|p| p.y).fold(f32::INFINITY, f32::min);
        let high = corners.iter().map(|p| p.y).fold(f32::NEG_INFINITY, f32::max);
        let mut slabs = Self { south: low, per_metre: 0.0, count: corners.len(), start: Vec::new(), sides: Vec::new() };
        let before = |k: usize| corners[(k + corners.len() - 1) % corners.len()];
        let touched = |slabs: &Self, k: usize| {
            let (a, b) = (slabs.of(corners[k].y), slabs.of(before(k).y));
            a.min(b)..=a.max(b)
        };
        loop {
            slabs.per_metre = slabs.count as f32 / (high - low).max(1e-6);
            let entries: usize = (0..corners.len()).map(|k| touched(&slabs, k).count()).sum();
            if slabs.count == 1 || entries <= MOST_ENTRIES {
                break;
            }
            slabs.count /= 2;
        }
        let mut start = vec![0u32; slabs.count + 1];
        (0..corners.len()).flat_map(|k| touched(&slabs, k)).for_each(|slab| start[slab + 1] += 1);
        for k in 1..start.len() {
            start[k] += start[k - 1];
        }
        let (mut next, mut sides) = (start.clone(), vec![0; start[slabs.count] as usize]);
        for k in 0..corners.len() {
            for slab in touched(&slabs, k) {
                sides[next[slab] as usize] = k as u32;
                next[slab] += 1;
            }
        }
        (slabs.start, slabs.sides) = (start, sides);
        slabs
    }

    /// The slab of a height: higher ones are in no lower slab, whatever is rounded.
    fn of(&self, y: f32) -> usize {
        (((y - self.south) * self.per_metre).max(0.0) as usize).min(self.count - 1)
    }

    /// As [`Shape::contains`], with the sides alone that may be crossed.
    fn contains(&self, corners: &[Vec2], p: Vec2) -> bool {
        let slab = self.of(p.y);
        let mut inside = false;
        for &k in &self.sides[self.start[slab] as usize..self.start[slab + 1] as usize] {
            let (a, b) = (corners[k as usize], corners[(k as usize + corners.len() - 1) % corners.len()]);
            if (a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x) {
                inside = !inside;
            }
        }
        inside
    }
}

/// A grid of `side` × `side` rectangles over all shapes.
struct Squares {
    bounds: Rect,
    side: usize,
    /// The shapes of square `k` are `list[start[k]..start[k + 1]]`.
    start: Vec<u32>,
    list: Vec<u32>,
}

impl<'a> Area<'a> {
    pub(super) fn new(shapes: &'a [Shape]) -> Self {
        let squares = (shapes.len() > FEW).then(|| Squares::new(shapes));
        let has_many = |(k, shape): (usize, &Shape)| match shape {
            Shape::Polygon(corners) if corners.len() > MANY_CORNERS => Some((k, Slabs::new(corners))),
            _ => None,
        };
        Self { shapes, squares, slabs: shapes.iter().enumerate().filter_map(has_many).collect() }
    }

    /// Whether a point is in one of the shapes.
    pub(super) fn contains(&self, p: Vec2) -> bool {
        match &self.squares {
            None => self.shapes.is_empty() || (0..self.shapes.len()).any(|k| self.is_in(k, p)),
            Some(squares) => squares.around(p).iter().any(|&k| self.is_in(k as usize, p)),
        }
    }
}

impl Area<'_> {
    fn is_in(&self, number: usize, p: Vec2) -> bool {
        match (&self.shapes[number], self.slabs.get(&number)) {
            (Shape::Polygon(corners), Some(slabs)) => slabs.contains(corners, p),
            (shape, _) => shape.contains(p),
        }
    }
}

impl Squares {
    fn new(shapes: &[Shape]) -> Self {
        let all = shapes.iter().map(Shape::bounds).reduce(Rect::union).unwrap_or(Rect::new(Vec2::ZERO, Vec2::ZERO));
        let mut squares = Self { bounds: all, side: 1, start: Vec::new(), list: Vec::new() };
        squares.side = ((shapes.len() as f32).sqrt() as usize).min(MOST_SQUARES);
        // Large shapes are listed in many squares: fewer will do then.
        let entries = |squares: &Self| -> usize { shapes.iter().map(|s| squares.touched(s).count()).sum() };
        while squares.side > 1 && entries(&squares) > MOST_ENTRIES {
            squares.side /= 2;
        }
        let mut count = vec![0u32; squares.side * squares.side + 1];
        shapes.iter().flat_map(|s| squares.touched(s)).for_each(|k| count[k + 1] += 1);
        for k in 1..count.len() {
            count[k] += count[k - 1];
        }
        let (mut next, mut list) = (count.clone(), vec![0; count[count.len() - 1] as usize]);
        for (number, shape) in (0u32..).zip(shapes) {
            for k in squares.touched(shape) {
                list[next[k] as usize] = number;
                next[k] += 1;
            }
        }
        (squares.start, squares.list) = (count, list);
        squares
    }

    /// The column and row of the square that has a point, or is the nearest to it.
    fn coords(&self, p: Vec2) -> [usize; 2] {
        let size = (self.bounds.max - self.bounds.min).max(Vec2::splat(f32::MIN_POSITIVE));
        let at = (p - self.bounds.min) / size * self.side as f32;
        [at.x, at.y].map(|v| (v.max(0.0) as usize).min(self.side - 1))
    }

    fn touched(&self, shape: &Shape) -> impl Iterator<Item = usize> + use<> {
        let bounds = shape.bounds();
        let ([x0, y0], [x1, y1], side) = (self.coords(bounds.min), self.coords(bounds.max), self.side);
        (y0..=y1).flat_map(move |y| (x0..=x1).map(move |x| y * side + x))
    }

    /// The shapes that may have a point.
    fn around(&self, p: Vec2) -> &[u32] {
        let [x, y] = self.coords(p);
        let k = y * self.side + x;
        &self.list[self.start[k] as usize..self.start[k + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn many_shapes_have_the_points_that_each_of_them_has(
            shapes in proptest::collection::vec(((-5f32..5.0, -5f32..5.0), 0.01f32..4.0, 0u8..3), 0..60),
            points in proptest::collection::vec((-9f32..9.0, -9f32..9.0), 1..40),
        ) {
            let shapes: Vec<Shape> = shapes.into_iter().map(|((x, y), size, kind)| {
                let p = Vec2::new(x, y);
                match kind {
                    0 => Shape::Rect(Rect::new(p, p + size)),
                    1 => Shape::Circle(p, size),
                    _ => Shape::Polygon(vec![p, p + Vec2::new(size, 0.3), p + Vec2::new(0.2, size)]),
                }
            }).collect();
            let area = Area::new(&shapes);
            for p in points.into_iter().map(Vec2::from) {
                prop_assert_eq!(area.contains(p), shapes.is_empty() || shapes.iter().any(|s| s.contains(p)));
            }
        }

        #[test]
        fn polygons_with_many_corners_have_the_points_that_they_have(
            corners in proptest::collection::vec((-5f32..5.0, -5f32..5.0, 0u8..4), MANY_CORNERS + 1..400),
            points in proptest::collection::vec((-6f32..6.0, -6f32..6.0), 1..60),
        ) {
            // Some on round heights, so that several are level.
            let at = |(x, y, kind): (f32, f32, u8)| Vec2::new(x, if kind == 0 { y.round() } else { y });
            let corners: Vec<Vec2> = corners.into_iter().map(at).collect();
            let points = points.into_iter().map(Vec2::from).chain(corners.clone());
            let shapes = [Shape::Polygon(corners.clone())];
            let area = Area::new(&shapes);
            prop_assert!(area.slabs.len() == 1);
            for p in points {
                prop_assert_eq!(area.contains(p), shapes[0].contains(p), "{}", p);
            }
        }
    }
}
