//! Cells that shapes cover, and what follows for them.

use super::grid::Grid;
use crate::geometry::Shape;
use crate::scene::Scene;
use rayon::prelude::*;

/// The cells whose middles are inside a shape, in order of their indices.
pub(super) fn cells_in<'a>(grid: &'a Grid, shape: &'a Shape) -> impl ParallelIterator<Item = usize> + 'a {
    let (columns, rows) = grid.cells_in(shape.bounds());
    rows.into_par_iter().flat_map_iter(move |y| {
        let inside = columns.clone().filter(move |&x| shape.contains(grid.centre(x, y)));
        inside.map(move |x| y * grid.width + x)
    })
}

/// Changes a value per cell in every cell whose middle is inside a shape.
pub(super) fn change_values_in(grid: &Grid, shape: &Shape, values: &mut [f32], change: impl Fn(&mut f32) + Sync) {
    let (columns, rows) = grid.cells_in(shape.bounds());
    let touched = &mut values[rows.start * grid.width..rows.end * grid.width];
    touched.par_chunks_mut(grid.width).zip(rows).for_each(|(row, y)| {
        for x in columns.clone() {
            if shape.contains(grid.centre(x, y)) {
                change(&mut row[x]);
            }
        }
    });
}

/// Factors per cell on the weights of `plan = "froblins"`; empty if the scene has no `[[weights]]`.
pub(super) fn cost_factors(scene: &Scene) -> Vec<[f32; 3]> {
    if scene.local_weights.is_empty() {
        return Vec::new();
    }
    let mut factors = vec![[1.0; 3]; scene.grid.len()];
    for place in &scene.local_weights {
        for cell in cells_in(&scene.grid, &place.shape).collect::<Vec<_>>() {
            factors[cell].iter_mut().zip(place.factors).for_each(|(all, factor)| *all *= factor);
        }
    }
    factors
}
