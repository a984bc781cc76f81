//! Cutting doors out of walls, and finding the openings between them: geometry of the floor as it is shown.

use crate::draw::Ground;
use glam::Vec2;
use throng::geometry::{Rect, Segment, Shape};
use throng::world::grid::Grid;

/// Openings and drags are no longer than this, m.
const WIDEST: f32 = 6.0;

/// A place in a wall: where it is, and which way the wall runs there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct InWall {
    pub(super) middle: Vec2,
    pub(super) along: Vec2,
}

/// What is left of a wall on either side of a door, and the door.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cut {
    pub(super) rest: Vec<Shape>,
    pub(super) door: Shape,
}

fn corners(r: &Rect) -> Vec<Vec2> {
    vec![r.min, Vec2::new(r.max.x, r.min.y), r.max, Vec2::new(r.min.x, r.max.y)]
}

/// Whether a polygon has no corner that points inwards.
fn is_convex(points: &[Vec2]) -> bool {
    let n = points.len();
    let turns = (0..n).map(|i| {
        let [a, b, c] = [0, 1, 2].map(|k| points[(i + k) % n]);
        (b - a).perp_dot(c - b)
    });
    let turns: Vec<f32> = turns.collect();
    turns.iter().all(|t| *t >= -1e-6) || turns.iter().all(|t| *t <= 1e-6)
}

/// The part of a convex polygon on one side of a line: where `(p − at)·towards` is at least 0.
fn half(points: &[Vec2], at: Vec2, towards: Vec2) -> Vec<Vec2> {
    let n = points.len();
    let mut out = Vec::new();
    for i in 0..n {
        let (a, b) = (points[i], points[(i + 1) % n]);
        let (da, db) = ((a - at).dot(towards), (b - at).dot(towards));
        if da >= 0.0 {
            out.push(a);
        }
        if (da > 0.0 && db < 0.0) || (da < 0.0 && db > 0.0) {
            out.push(a + (b - a) * (da / (da - db)));
        }
    }
    out
}

/// A convex polygon as a shape, if it has an extent; along the axes it is a rectangle.
fn shape_of(points: Vec<Vec2>, was_rect: bool) -> Option<Shape> {
    let area: f32 = (0..points.len()).map(|i| points[i].perp_dot(points[(i + 1) % points.len()])).sum();
    if points.len() < 3 || area.abs() < 1e-4 {
        return None;
    }
    let polygon = Shape::Polygon(points);
    Some(if was_rect { Shape::Rect(polygon.bounds()) } else { polygon })
}

/// Cuts a door of so many metres to either side of a place out of a wall. `None` if it is round, or has corners that point inwards.
pub(super) fn cut(shape: &Shape, at: InWall, half_width: f32) -> Option<Cut> {
    let InWall { middle, along } = at;
    let ends = [middle - along * half_width, middle + along * half_width];
    let (points, is_rect) = match shape {
        Shape::Rect(r) => (corners(r), true),
        Shape::Polygon(points) if is_convex(points) => (points.clone(), false),
        Shape::Line(points) => return cut_line(points, ends),
        Shape::Polygon(_) | Shape::Circle(..) => return None,
    };
    let rest = [(ends[0], -along), (ends[1], along)].map(|(at, way)| shape_of(half(&points, at, way), is_rect));
    let door = shape_of(half(&half(&points, ends[0], along), ends[1], -along), is_rect)?;
    Some(Cut { rest: rest.into_iter().flatten().collect(), door })
}

/// The same for a line, of which one piece is straight where the door is.
fn cut_line(points: &[Vec2], ends: [Vec2; 2]) -> Option<Cut> {
    let middle = (ends[0] + ends[1]) * 0.5;
    let away = |k: &usize| Segment::new(points[*k], points[k + 1]).closest(middle).distance(middle);
    let piece = (0..points.len() - 1).min_by(|a, b| away(a).total_cmp(&away(b)))?;
    let side = Segment::new(points[piece], points[piece + 1]);
    let mut ends = ends.map(|p| side.closest(p));
    if side.a.distance(ends[0]) > side.a.distance(ends[1]) {
        ends.reverse();
    }
    let first: Vec<Vec2> = points[..=piece].iter().copied().chain([ends[0]]).collect();
    let last: Vec<Vec2> = [ends[1]].into_iter().chain(points[piece + 1..].iter().copied()).collect();
    let length = |line: &[Vec2]| line.windows(2).map(|p| p[0].distance(p[1])).sum::<f32>();
    let rest = [first, last].into_iter().filter(|line| length(line) > 1e-3).map(Shape::Line).collect();
    Some(Cut { rest, door: Shape::Line(ends.to_vec()) })
}

impl InWall {
    /// In a wall that is near enough to a place.
    pub(super) fn of_shape(shape: &Shape, p: Vec2, reach: f32) -> Option<Self> {
        let sides = shape.outline();
        let away = |s: &Segment| s.closest(p).distance(p);
        let near = sides.iter().min_by(|a, b| away(a).total_cmp(&away(b)))?;
        if !shape.contains(p) && away(near) > reach {
            return None;
        }
        Some(match shape {
            Shape::Rect(r) => {
                let size = r.max - r.min;
                let along = if size.x >= size.y { Vec2::X } else { Vec2::Y };
                Self { middle: p.clamp(r.min, r.max), along }
            }
            Shape::Line(_) => Self { middle: near.closest(p), along: (near.b - near.a).normalize_or(Vec2::X) },
            Shape::Polygon(_) | Shape::Circle(..) => {
                let longest = sides.iter().max_by(|a, b| a.a.distance(a.b).total_cmp(&b.a.distance(b.b)))?;
                let middle = if shape.contains(p) { p } else { near.closest(p) };
                Self { middle, along: (longest.b - longest.a).normalize_or(Vec2::X) }
            }
        })
    }

    /// In painted cells: the wall runs the longer way. With it the cells through the wall there, first and last, across.
    pub(super) fn of_cells(ground: &Ground, grid: &Grid, p: Vec2) -> Option<(Self, [usize; 2])> {
        if !grid.inside(p) {
            return None;
        }
        let (x, y) = grid.coords(p);
        let painted = |x: usize, y: usize| ground.painted.get(y * grid.width + x).copied().unwrap_or(false);
        if !painted(x, y) {
            return None;
        }
        let run = |at: usize, most: usize, is: &dyn Fn(usize) -> bool| {
            let first = (0..=at).rev().take_while(|&k| is(k)).last().unwrap_or(at);
            let last = (at..most).take_while(|&k| is(k)).last().unwrap_or(at);
            [first, last]
        };
        let across_x = run(x, grid.width, &|k| painted(k, y));
        let across_y = run(y, grid.height, &|k| painted(x, k));
        let level = across_x[1] - across_x[0] >= across_y[1] - across_y[0];
        let (along, across) = if level { (Vec2::X, across_y) } else { (Vec2::Y, across_x) };
        Some((Self { middle: p, along }, across))
    }
}

/// How far the next wall is from a place in a direction along an axis, m.
fn to_wall(ground: &Ground, grid: &Grid, p: Vec2, way: Vec2) -> Option<f32> {
    let far = p + way * WIDEST;
    let reach = Rect::new(p.min(far), p.max(far));
    let sides = ground.walls.iter().filter(|(_, s)| s.bounds().touches(reach)).flat_map(|(_, s)| s.outline());
    let hits = sides.filter(|s| s.crosses(p, far)).map(|s| {
        let along = s.b - s.a;
        let turn = way.perp_dot(along);
        if turn.abs() < 1e-9 { (s.closest(p) - p).dot(way) } else { (s.a - p).perp_dot(along) / turn }
    });
    let shape = hits.filter(|d| *d >= 0.0).min_by(f32::total_cmp);
    let (x, y) = grid.coords(p);
    let painted = (0..=(WIDEST / grid.cell) as isize).find_map(|k| {
        let (x, y) = (x as isize + k * way.x as isize, y as isize + k * way.y as isize);
        let inside = (0..grid.width as isize).contains(&x) && (0..grid.height as isize).contains(&y);
        let (x, y) = (x.max(0) as usize, y.max(0) as usize);
        let wall = inside && ground.painted.get(y * grid.width + x).copied().unwrap_or(false);
        wall.then(|| ((grid.centre(x, y) - p).dot(way) - 0.5 * grid.cell).max(0.0))
    });
    [shape, painted].into_iter().flatten().min_by(f32::total_cmp)
}

/// The two sides of the opening that a place is in, if it is narrow enough for a door.
pub(super) fn opening(ground: &Ground, grid: &Grid, p: Vec2) -> Option<[Vec2; 2]> {
    let across = |way: Vec2| {
        let (back, on) = (to_wall(ground, grid, p, -way)?, to_wall(ground, grid, p, way)?);
        (back + on <= WIDEST && back + on > 0.1).then(|| [p - way * back, p + way * on])
    };
    let length = |ends: &[Vec2; 2]| ends[0].distance(ends[1]);
    [across(Vec2::X), across(Vec2::Y)].into_iter().flatten().min_by(|a, b| length(a).total_cmp(&length(b)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_wall(x: f32, y: f32, along: Vec2) -> InWall {
        InWall { middle: Vec2::new(x, y), along }
    }

    #[test]
    fn a_door_and_what_is_left_are_the_wall() {
        let wall = Shape::Rect(Rect::new(Vec2::new(2.0, 5.0), Vec2::new(10.0, 5.5)));
        let at = InWall::of_shape(&wall, Vec2::new(6.0, 5.1), 0.1).expect("it is in the wall");
        assert_eq!(at.along, Vec2::X);
        let cut = cut(&wall, at, 0.5).expect("a rectangle can be cut");
        assert_eq!(cut.door.bounds(), Rect::new(Vec2::new(5.5, 5.0), Vec2::new(6.5, 5.5)));
        let rest: Vec<Rect> = cut.rest.iter().map(Shape::bounds).collect();
        let (west, east) =
            (Rect::new(Vec2::new(2.0, 5.0), Vec2::new(5.5, 5.5)), Rect::new(Vec2::new(6.5, 5.0), Vec2::new(10.0, 5.5)));
        assert_eq!(rest, [west, east]);
        let whole = super::cut(&wall, at, 20.0).expect("all of it");
        assert!(whole.rest.is_empty() && whole.door == wall);
    }

    #[test]
    fn slanted_walls_and_lines_are_cut_and_round_ones_are_not() {
        let slanted = super::super::draft::straight(Vec2::ZERO, Vec2::new(6.0, 8.0), 0.4);
        let at = InWall::of_shape(&slanted, Vec2::new(3.0, 4.0), 0.0).expect("inside");
        let cut = super::cut(&slanted, at, 0.5).expect("convex");
        let middle = cut.door.middle();
        assert!(middle.distance(Vec2::new(3.0, 4.0)) < 1e-3 && cut.rest.len() == 2, "{cut:?}");
        let line = Shape::Line(vec![Vec2::ZERO, Vec2::new(4.0, 0.0), Vec2::new(4.0, 4.0)]);
        let cut = super::cut(&line, in_wall(4.0, 2.0, Vec2::Y), 0.5).expect("a line");
        assert_eq!(cut.door, Shape::Line(vec![Vec2::new(4.0, 1.5), Vec2::new(4.0, 2.5)]));
        assert_eq!(cut.rest[0], Shape::Line(vec![Vec2::ZERO, Vec2::new(4.0, 0.0), Vec2::new(4.0, 1.5)]));
        assert_eq!(super::cut(&Shape::Circle(Vec2::ZERO, 2.0), in_wall(0.0, 2.0, Vec2::X), 0.5), None);
        let bent = [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (2.0, 1.0), (0.0, 4.0)].map(|(x, y)| Vec2::new(x, y));
        assert_eq!(super::cut(&Shape::Polygon(bent.to_vec()), in_wall(2.0, 0.5, Vec2::X), 0.5), None);
    }
}
