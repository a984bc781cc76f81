//! Where a line ends that is drawn by hand: at the corner of a wall, in line with one, straight up or across, or at a corner of a cell.

use crate::draw::Ground;
use glam::Vec2;
use throng::geometry::Shape;
use throng::world::grid::Grid;

/// Corners that a wall can be joined to.
fn corners(shape: &Shape) -> Vec<Vec2> {
    match shape {
        Shape::Rect(r) => vec![r.min, Vec2::new(r.max.x, r.min.y), r.max, Vec2::new(r.min.x, r.max.y)],
        Shape::Polygon(points) | Shape::Line(points) => points.clone(),
        Shape::Circle(..) => Vec::new(),
    }
}

/// The nearest of some numbers, if it is within reach.
fn nearest(of: impl Iterator<Item = f32>, to: f32, reach: f32) -> Option<f32> {
    of.filter(|v| (v - to).abs() <= reach).min_by(|a, b| (a - to).abs().total_cmp(&(b - to).abs()))
}

/// The place that a hand means at `p`, m. `reach`: what it may be off by; `from`: where the line begins.
pub(super) fn snapped(ground: &Ground, grid: &Grid, from: Option<Vec2>, p: Vec2, reach: f32) -> Vec2 {
    let all: Vec<Vec2> = ground.walls.iter().flat_map(|(_, shape)| corners(shape)).collect();
    let near = all.iter().filter(|c| c.distance(p) <= reach);
    if let Some(corner) = near.min_by(|a, b| a.distance_squared(p).total_cmp(&b.distance_squared(p))) {
        return *corner;
    }
    // Each coordinate by itself: straight from where it began, in line with a corner, or else at a border of cells.
    let one = |axis: usize| {
        let line = from.and_then(|from| nearest(std::iter::once(from[axis]), p[axis], reach));
        let corner = || nearest(all.iter().map(|c| c[axis]), p[axis], 0.6 * reach);
        let border = || (p[axis] / grid.cell).round() * grid.cell;
        line.or_else(corner).unwrap_or_else(border)
    };
    Vec2::new(one(0), one(1)).clamp(Vec2::ZERO, grid.extent())
}
