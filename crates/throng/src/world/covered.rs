//! Cells that shapes cover, and what follows for them.

use super::grid::Grid;
use crate::geometry::Shape;
use crate::scene::Scene;
use rayon::prelude::*;
use std::ops::Range;

/// The columns of a row of cells whose middles are inside a shape, as runs in order: the same that [`Shape::contains`] has, found without
/// asking it for every cell, since a polygon may have thousands of corners.
pub(super) fn runs_in_row(grid: &Grid, shape: &Shape, y: usize) -> Vec<Range<usize>> {
    let (columns, rows) = grid.cells_in(shape.bounds());
    if !rows.contains(&y) {
        return Vec::new();
    }
    let middle = |x: usize| grid.centre(x, y);
    // The first of some columns whose middle is not west of here.
    let first_from = |west: f32| {
        let (mut low, mut high) = (columns.start, columns.end);
        while low < high {
            let x = (low + high) / 2;
            (low, high) = if middle(x).x < west { (x + 1, high) } else { (low, x) };
        }
        low
    };
    let level = middle(columns.start).y;
    let spans = match shape {
        // Its north edge is not part of it.
        Shape::Rect(r) if !(r.min.y..r.max.y).contains(&level) => Vec::new(),
        _ => shape.spans_at(level),
    };
    let runs = spans.into_iter().map(|[west, east]| {
        let mut run = first_from(west)..first_from(east);
        if let Shape::Circle(..) = shape {
            // Its spans are a little too long.
            run.end = (run.end + 1).min(columns.end);
            run.start = run.clone().find(|&x| shape.contains(middle(x))).unwrap_or(run.end);
            run.end = run.clone().rev().find(|&x| shape.contains(middle(x))).map_or(run.start, |x| x + 1);
        }
        run
    });
    runs.filter(|run| !run.is_empty()).collect()
}

/// The cells whose middles are inside a shape, in order of their indices.
pub(super) fn cells_in<'a>(grid: &'a Grid, shape: &'a Shape) -> impl ParallelIterator<Item = usize> + 'a {
    let rows = grid.cells_in(shape.bounds()).1;
    rows.into_par_iter()
        .flat_map_iter(move |y| runs_in_row(grid, shape, y).into_iter().flatten().map(move |x| y * grid.width + x))
}

/// Changes a value per cell, for each of some shapes in their order, in the cells whose middles are inside it.
pub(super) fn change_values_in<'a, T: Copy + Send + Sync>(
    grid: &Grid,
    shapes: impl Iterator<Item = (&'a Shape, T)>,
    values: &mut [f32],
    change: impl Fn(&mut f32, T) + Sync,
) {
    // Of a rectangle every row has the same run.
    let with_rows = |(shape, by): (&'a Shape, T)| {
        let rows = grid.cells_in(shape.bounds()).1;
        let Shape::Rect(_) = shape else { return (shape, by, rows, None) };
        let inside = |y: &usize| !runs_in_row(grid, shape, *y).is_empty();
        let (first, last) = (rows.clone().find(inside), rows.clone().rev().find(inside));
        let rows = first.unwrap_or(rows.end)..last.map_or(rows.end, |y| y + 1);
        let run = runs_in_row(grid, shape, rows.start).pop().unwrap_or(0..0);
        (shape, by, rows, Some(run))
    };
    let shapes: Vec<_> = shapes.map(with_rows).collect();
    if shapes.is_empty() {
        return;
    }
    // Row by row: thousands of shapes go over the same few kilobytes.
    values.par_chunks_mut(grid.width).enumerate().for_each(|(y, row)| {
        for (shape, by, _, run) in shapes.iter().filter(|(_, _, rows, _)| rows.contains(&y)) {
            let change_all = |run: &mut [f32]| run.iter_mut().for_each(|value| change(value, *by));
            match run {
                Some(run) => change_all(&mut row[run.clone()]),
                None => runs_in_row(grid, shape, y).into_iter().for_each(|run| change_all(&mut row[run])),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Rect;
    use glam::Vec2;
    use proptest::prelude::*;

    /// Half of the numbers are middles of cells, or corners of them.
    fn number() -> impl Strategy<Value = f32> {
        prop_oneof![-2f32..9.0, (-4i32..18).prop_map(|k| 0.5 * k as f32), (-8i32..36).prop_map(|k| 0.25 * k as f32)]
    }

    proptest! {
        #[test]
        fn runs_are_the_cells_that_a_shape_contains(
            corners in proptest::collection::vec((number(), number()), 3..12),
            radius in 0.01f32..6.0,
        ) {
            let grid = Grid { width: 14, height: 11, cell: 0.5 };
            let corners: Vec<Vec2> = corners.into_iter().map(Vec2::from).collect();
            for shape in [
                Shape::Circle(corners[0], radius),
                Shape::Rect(Rect::new(corners[0].min(corners[1]), corners[0].max(corners[1]))),
                Shape::Line(corners.clone()),
                Shape::Polygon(corners.clone()),
            ] {
                let contained: Vec<usize> = (0..grid.len()).filter(|&c| shape.contains(grid.centre_of(c))).collect();
                prop_assert_eq!(cells_in(&grid, &shape).collect::<Vec<_>>(), &contained[..], "{:?}", shape);
                let mut values = vec![1.0; grid.len()];
                change_values_in(&grid, [(&shape, 2.0)].into_iter(), &mut values, |value, by| *value *= by);
                let changed: Vec<usize> = (0..grid.len()).filter(|&c| values[c] > 1.0).collect();
                prop_assert_eq!(changed, contained, "{:?}", shape);
            }
        }
    }
}
