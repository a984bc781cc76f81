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

/// How many cells have their middle inside any of some shapes.
pub(crate) fn count_in(grid: &Grid, shapes: &[Shape]) -> usize {
    let rows_of: Vec<Range<usize>> = shapes.iter().map(|shape| grid.cells_in(shape.bounds()).1).collect();
    let all = rows_of.iter().map(|rows| rows.start).min().unwrap_or(0)
        ..rows_of.iter().map(|rows| rows.end).max().unwrap_or(0);
    // Row by row: what is under one of them is not looked at again.
    let in_row = |y: usize| {
        let over = rows_of.iter().zip(shapes).filter(|(rows, _)| rows.contains(&y));
        let mut runs: Vec<Range<usize>> = Vec::new();
        for (_, shape) in over {
            runs.extend(runs_in_row(grid, shape, y));
            // One that goes all across is all there can be.
            if runs.last().is_some_and(|run| run.len() == grid.width) {
                return grid.width;
            }
        }
        runs.sort_unstable_by_key(|run| run.start);
        let (mut count, mut end) = (0, 0);
        for run in runs {
            count += run.end.saturating_sub(run.start.max(end));
            end = end.max(run.end);
        }
        count
    };
    all.into_par_iter().map(in_row).sum()
}

/// A shape with the rows of cells that it may be in.
struct InRows<'a> {
    shape: &'a Shape,
    /// Of a rectangle just those that it is in.
    rows: Range<usize>,
    /// Of a rectangle every row has the same run.
    run: Option<Range<usize>>,
}

impl<'a> InRows<'a> {
    fn new(grid: &Grid, shape: &'a Shape) -> Self {
        let rows = grid.cells_in(shape.bounds()).1;
        let Shape::Rect(_) = shape else { return Self { shape, rows, run: None } };
        let inside = |y: &usize| !runs_in_row(grid, shape, *y).is_empty();
        let (first, last) = (rows.clone().find(inside), rows.clone().rev().find(inside));
        let rows = first.unwrap_or(rows.end)..last.map_or(rows.end, |y| y + 1);
        let run = runs_in_row(grid, shape, rows.start).pop().unwrap_or(0..0);
        Self { shape, rows, run: Some(run) }
    }

    fn each_run(&self, grid: &Grid, y: usize, does: impl FnMut(Range<usize>)) {
        match &self.run {
            Some(run) => [run.clone()].into_iter().for_each(does),
            None => runs_in_row(grid, self.shape, y).into_iter().for_each(does),
        }
    }

    /// Whether it has the middle of any cell.
    fn is_any(&self, grid: &Grid) -> bool {
        match &self.run {
            Some(_) => !self.rows.is_empty(),
            None => self.rows.clone().any(|y| !runs_in_row(grid, self.shape, y).is_empty()),
        }
    }
}

/// The columns of a row that belong to nobody yet.
struct FreeColumns {
    /// Of each column one from there on, no farther than the next that is free: itself if it is.
    next: Vec<u32>,
}

impl FreeColumns {
    fn new(width: usize) -> Self {
        Self { next: (0..=width as u32).collect() }
    }

    fn first_from(&mut self, x: usize) -> usize {
        let mut x = x as u32;
        while self.next[x as usize] != x {
            let on = self.next[self.next[x as usize] as usize];
            self.next[x as usize] = on;
            x = on;
        }
        x as usize
    }

    fn take(&mut self, x: usize) {
        self.next[x] = x as u32 + 1;
    }
}

/// The cells whose middles are inside any of some shapes, in order of their indices, each with the number of the first shape that has it; and
/// the shapes that have none. No cell is given away twice: there may be thousands of shapes, and millions of cells in each.
pub(super) fn first_in(grid: &Grid, shapes: &[Shape]) -> (Vec<(u32, u32)>, Vec<usize>) {
    let shapes: Vec<InRows<'_>> = shapes.par_iter().map(|shape| InRows::new(grid, shape)).collect();
    let rows = || shapes.iter().map(|shape| &shape.rows).filter(|rows| !rows.is_empty());
    let (low, high) = (rows().map(|r| r.start).min().unwrap_or(0), rows().map(|r| r.end).max().unwrap_or(0));
    let in_row = |y: usize, over: &[usize]| {
        let (mut free, mut row) = (FreeColumns::new(grid.width), Vec::new());
        for &k in over {
            shapes[k].each_run(grid, y, |run| {
                let mut x = free.first_from(run.start);
                while x < run.end {
                    free.take(x);
                    row.push((x as u32, k as u32));
                    x = free.first_from(x);
                }
            });
            if row.len() == grid.width {
                break;
            }
        }
        row.sort_unstable();
        row
    };
    let blocks: Vec<usize> = (low..high).step_by(ROWS).collect();
    let in_block = |&from: &usize| {
        let mut cells = Vec::new();
        // Under the same rectangles a row is what the last one is.
        let (mut last, mut row) = (Vec::new(), Vec::new());
        for y in from..(from + ROWS).min(high) {
            let over: Vec<usize> = (0..shapes.len()).filter(|&k| shapes[k].rows.contains(&y)).collect();
            if over.is_empty() {
                continue;
            }
            if last != over || over.iter().any(|&k| shapes[k].run.is_none()) {
                row = in_row(y, &over);
            }
            last = over;
            cells.extend(row.iter().map(|&(x, k)| ((y * grid.width) as u32 + x, k)));
        }
        cells
    };
    let cells = blocks.par_iter().flat_map_iter(in_block).collect();
    let none = (0..shapes.len()).into_par_iter().filter(|&k| !shapes[k].is_any(grid)).collect();
    (cells, none)
}

/// Rows that a thread changes one after the other.
const ROWS: usize = 32;

/// Changes a value per cell, for each of some shapes in their order, in the cells whose middles are inside it.
pub(super) fn change_values_in<'a, V: Copy + PartialEq + Send, T: Copy + Send + Sync>(
    grid: &Grid,
    shapes: impl Iterator<Item = (&'a Shape, T)>,
    values: &mut [V],
    change: impl Fn(&mut V, T) + Sync,
) {
    let shapes: Vec<_> = shapes.map(|(shape, by)| (InRows::new(grid, shape), by)).collect();
    if shapes.is_empty() {
        return;
    }
    let change_row = |y: usize, over: &[usize], row: &mut [V]| {
        for (shape, by) in over.iter().map(|&k| &shapes[k]) {
            let change_all = |run: &mut [V]| run.iter_mut().for_each(|value| change(value, *by));
            shape.each_run(grid, y, |run| change_all(&mut row[run]));
        }
    };
    // Row by row: thousands of shapes go over the same few kilobytes.
    values.par_chunks_mut(ROWS * grid.width).enumerate().for_each(|(block, rows)| {
        // Under the same rectangles a row becomes what one that began alike became.
        let mut last: Option<(Vec<usize>, Vec<V>, Vec<V>)> = None;
        for (k, row) in rows.chunks_mut(grid.width).enumerate() {
            let y = block * ROWS + k;
            let over: Vec<usize> = (0..shapes.len()).filter(|&k| shapes[k].0.rows.contains(&y)).collect();
            match &last {
                Some((before, began, became)) if *before == over && began == row => row.copy_from_slice(became),
                _ => {
                    let began = row.to_vec();
                    change_row(y, &over, row);
                    let rectangles = over.iter().all(|&k| shapes[k].0.run.is_some());
                    last = rectangles.then(|| (over, began, row.to_vec()));
                }
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
    let places = scene.local_weights.iter().map(|place| (&place.shape, place.factors));
    change_values_in(&scene.grid, places, &mut factors, |all: &mut [f32; 3], factors| {
        all.iter_mut().zip(factors).for_each(|(all, factor)| *all *= factor);
    });
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
        fn shapes_in_rows_change_what_they_change_cell_by_cell(
            corners in proptest::collection::vec((number(), number(), number(), number(), 0usize..3), 0..8),
            began in proptest::collection::vec(0u8..2, 7 * 70),
        ) {
            // More rows than a thread takes at a time.
            let grid = Grid { width: 7, height: 70, cell: 0.5 };
            let shapes: Vec<(Shape, f32)> = corners.iter().zip(1u8..).map(|(&(a, b, c, d, kind), k)| {
                let (p, q) = (Vec2::new(a, 4.0 * b), Vec2::new(c, 4.0 * d));
                let shape = match kind {
                    0 => Shape::Circle(p, 0.1 + q.length()),
                    _ => Shape::Rect(Rect::new(p.min(q), p.max(q))),
                };
                (shape, 1.0 + 0.1 * f32::from(k))
            }).collect();
            // Rows that begin alike, and others.
            let mut values: Vec<f32> =
                (0..grid.len()).map(|cell| f32::from(if cell / 7 % 9 == 0 { began[cell] } else { 1 })).collect();
            let mut slow = values.clone();
            change_values_in(&grid, shapes.iter().map(|(shape, by)| (shape, *by)), &mut values, |v, by| *v *= by);
            for (shape, by) in &shapes {
                (0..grid.len()).filter(|&cell| shape.contains(grid.centre_of(cell))).for_each(|cell| slow[cell] *= by);
            }
            prop_assert_eq!(values, slow);
        }

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
                let mut values = vec![1.0; grid.len()];
                change_values_in(&grid, [(&shape, 2.0)].into_iter(), &mut values, |value, by| *value *= by);
                let changed: Vec<usize> = (0..grid.len()).filter(|&c| values[c] > 1.0).collect();
                prop_assert_eq!(changed, contained, "{:?}", shape);
            }
            let several = [
                Shape::Polygon(corners.clone()),
                Shape::Circle(corners[1], radius),
                Shape::Rect(Rect::new(corners[1].min(corners[2]), corners[1].max(corners[2]))),
            ];
            for shapes in [&several[..], &several[1..], &several[..1], &[]] {
                let inside = |c: &usize| shapes.iter().any(|shape| shape.contains(grid.centre_of(*c)));
                let has = |shape: &Shape, c: usize| shape.contains(grid.centre_of(c));
                let first = |c: usize| shapes.iter().position(|shape| has(shape, c)).map(|k| (c as u32, k as u32));
                let none = |k: &usize| !(0..grid.len()).any(|c| has(&shapes[*k], c));
                let slow: Vec<(u32, u32)> = (0..grid.len()).filter_map(first).collect();
                prop_assert_eq!(first_in(&grid, shapes), (slow, (0..shapes.len()).filter(none).collect()));
                prop_assert_eq!(count_in(&grid, shapes), (0..grid.len()).filter(inside).count());
            }
        }
    }
}
