//! Cells that shapes cover.

use super::grid::Grid;
use crate::geometry::Shape;
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
