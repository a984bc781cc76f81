//! How much memory walls take, before any of it is made.

use super::{TILE, reach};
use crate::geometry::{Segment, Shape};
use crate::scene::Scene;
use crate::world::grid::Grid;
use crate::world::reaches;

/// Bytes of a segment.
const SEGMENT: f64 = size_of::<Segment>() as f64;
/// A list that grows has up to twice the room that it needs; some are there twice while they are built.
const ROOM: f64 = 2.0;

/// About how many bytes the walls of a scene take, were all of them to stand: each is listed in every cell that it is near to, and in
/// every tile that its bounds touch. What is painted is counted with the cells.
pub(crate) fn memory_of_walls(scene: &Scene) -> u64 {
    let grid = scene.grid;
    let (widest, stride, far) = reaches(scene, &scene.zone_limits(), scene.flee_limit());
    let reach = reach(&grid, widest, stride);
    let margin = reach.max(scene.model.clearance.max(far)) + grid.cell;
    let listed = reach + grid.cell;
    let bytes: f64 = scene.map.walls.iter().map(|wall| memory_of_wall(&grid, &wall.shape, listed, margin)).sum();
    (ROOM * bytes) as u64
}

fn memory_of_wall(grid: &Grid, shape: &Shape, listed: f32, margin: f32) -> f64 {
    let tiles = |r: crate::geometry::Rect| {
        let (columns, rows) = grid.cells_in(r.grown(margin));
        ((columns.len().div_ceil(TILE) + 1) * (rows.len().div_ceil(TILE) + 1)) as f64
    };
    let of_segment = |s: Segment| {
        // Of a wall that reaches out of the world only what is inside counts.
        let (columns, rows) = grid.cells_in(s.bounds().grown(listed));
        let long = (columns.len() as f64).hypot(rows.len() as f64) * f64::from(grid.cell);
        let (long, listed, cell) = (long.min(f64::from((s.b - s.a).length())), f64::from(listed), f64::from(grid.cell));
        let near = (2.0 * listed * long + std::f64::consts::PI * listed * listed) / (cell * cell);
        (near + tiles(s.bounds())) * SEGMENT
    };
    let inside = if matches!(shape, Shape::Line(_)) { 0.0 } else { 4.0 * tiles(shape.bounds()) };
    shape.outline().into_iter().map(of_segment).sum::<f64>() + inside
}
