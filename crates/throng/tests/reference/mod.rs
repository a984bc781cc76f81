//! The potential's scheme once more, in double precision and from its equation alone, and grounds to try it on.
//! Nothing here calls the library except to hand a ground over to it.

use crate::seed::seed;
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use throng::random::{pcg4d, unit};
use throng::stages::potential::cpu::March;
use throng::stages::potential::tiles::{TileMarch, Way};
use throng::stages::potential::{Jump, Padded, PaddedCell, Scheme, SolveReport, UNREACHED};

/// Random numbers that are the same in every run with the same [`seed`].
pub(crate) struct Random {
    stream: u32,
    drawn: u32,
}

impl Random {
    /// Numbers of their own for each `stream`.
    pub(crate) fn new(stream: u32) -> Self {
        Self { stream, drawn: 0 }
    }

    /// Uniform in [low, high).
    pub(crate) fn between(&mut self, low: f32, high: f32) -> f32 {
        self.drawn += 1;
        let seed = seed();
        low + (high - low) * unit(pcg4d([self.stream, self.drawn, seed as u32, (seed >> 32) as u32])[0])
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.between(0.0, n as f32) as usize).min(n - 1)
    }
}

/// A raster with a cost per cell and direction (north, east, south, west), infinite where the way is closed.
#[derive(Clone, Debug)]
pub(crate) struct Ground {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) cost: Vec<[f64; 4]>,
    pub(crate) goal: Vec<usize>,
    /// Links between cells that are not neighbours: from, to, cost.
    pub(crate) jumps: Vec<(usize, usize, f64)>,
}

impl Ground {
    /// Open ground: `cost(x, y, direction)`, except over the border.
    pub(crate) fn new(
        (width, height): (usize, usize),
        goal: Vec<usize>,
        mut cost: impl FnMut(usize, usize, usize) -> f32,
    ) -> Self {
        let mut ground =
            Self { width, height, cost: vec![[f64::INFINITY; 4]; width * height], goal, jumps: Vec::new() };
        for cell in 0..ground.cost.len() {
            for d in 0..4 {
                if ground.neighbour(cell, d).is_some() {
                    ground.cost[cell][d] = f64::from(cost(cell % width, cell / width, d));
                }
            }
        }
        ground
    }

    /// A maze: three links in ten closed by thin walls, one cell in twelve solid; costs between 1 and 5 at random
    /// for each cell and direction.
    pub(crate) fn maze(random: &mut Random, (width, height): (usize, usize), goal: Vec<usize>) -> Self {
        let mut ground = Self::new((width, height), goal, |_, _, _| random.between(1.0, 5.0));
        for cell in 0..width * height {
            let solid = random.between(0.0, 12.0) < 1.0 && !ground.goal.contains(&cell);
            for d in 0..4 {
                if solid || (d < 2 && random.between(0.0, 1.0) < 0.3) {
                    ground.close(cell, d);
                }
            }
        }
        ground
    }

    pub(crate) fn neighbour(&self, cell: usize, direction: usize) -> Option<usize> {
        let (x, y) = (cell % self.width, cell / self.width);
        match direction {
            0 => (y + 1 < self.height).then(|| cell + self.width),
            1 => (x + 1 < self.width).then(|| cell + 1),
            2 => (y > 0).then(|| cell - self.width),
            _ => (x > 0).then(|| cell - 1),
        }
    }

    /// Closes a link both ways: a thin wall.
    pub(crate) fn close(&mut self, cell: usize, direction: usize) {
        if let Some(next) = self.neighbour(cell, direction) {
            self.cost[cell][direction] = f64::INFINITY;
            self.cost[next][(direction + 2) % 4] = f64::INFINITY;
        }
    }

    /// The neighbour's value and the cost of the way to it; infinite where the way is closed.
    pub(crate) fn way(&self, values: &[f64], cell: usize, direction: usize) -> (f64, f64) {
        let cost = self.cost[cell][direction];
        match self.neighbour(cell, direction) {
            Some(next) if cost.is_finite() => (values[next], cost),
            _ => (f64::INFINITY, f64::INFINITY),
        }
    }

    /// The mean cost of the open links; 1 if there are none.
    pub(crate) fn mean_cost(&self) -> f64 {
        let open = self.cost.iter().flatten().filter(|c| c.is_finite());
        let (sum, count) = open.fold((0.0, 0u32), |(sum, count), c| (sum + c, count + 1));
        if count == 0 { 1.0 } else { sum / f64::from(count) }
    }

    /// The ground as the library reads it.
    pub(crate) fn padded(&self) -> (Padded, Vec<[f32; 4]>, Vec<PaddedCell>) {
        let layout = Padded { width: self.width, height: self.height };
        let mut cost = vec![[UNREACHED; 4]; layout.size()];
        for (cell, costs) in self.cost.iter().enumerate() {
            cost[layout.cell(cell).place()] = costs.map(|c| if c.is_finite() { c as f32 } else { UNREACHED });
        }
        let goal = self.goal.iter().map(|&cell| layout.cell(cell)).collect();
        (layout, cost, goal)
    }

    /// The library's potential in its own padded layout.
    pub(crate) fn solve(&self, solver: &mut dyn Solver, unit: f32, scheme: Scheme) -> (Vec<f32>, SolveReport) {
        let (layout, cost, goal) = self.padded();
        // Rubbish, so that a cell that the solver forgets is noticed.
        let mut potential = vec![-7.0; layout.size()];
        let place = |cell: usize| layout.cell(cell);
        let jumps: Vec<Jump> = (self.jumps.iter())
            .map(|&(from, to, cost)| Jump { from: place(from), to: place(to), cost: cost as f32 })
            .collect();
        let report = solver.run(layout, Way { cost: &cost, goal: &goal, jumps: &jumps, unit }, scheme, &mut potential);
        (potential, report)
    }
}

/// One of the library's solvers, for one goal.
pub(crate) trait Solver {
    fn run(&mut self, layout: Padded, way: Way<'_>, scheme: Scheme, potential: &mut Vec<f32>) -> SolveReport;
}

impl Solver for March {
    fn run(&mut self, layout: Padded, way: Way<'_>, scheme: Scheme, potential: &mut Vec<f32>) -> SolveReport {
        self.solve(layout, way.cost, (way.goal, way.jumps), way.unit, scheme, potential)
    }
}

impl Solver for TileMarch {
    fn run(&mut self, layout: Padded, way: Way<'_>, scheme: Scheme, potential: &mut Vec<f32>) -> SolveReport {
        self.solve(layout, &[way], scheme, std::slice::from_mut(potential))
    }
}

/// The root `P >= max(px, py)` of `((P - px) / cx)² + ((P - py) / cy)² = 1`, or the shorter of the two straight ways
/// where there is none. With `m = max(px, py)` and `u = P - m` the equation is `A·u² + 2·B·u + C = 0`, whose root
/// `u >= 0` exists if `C <= 0`; written so that nothing cancels.
pub(crate) fn quadrant((px, cx): (f64, f64), (py, cy): (f64, f64)) -> f64 {
    let straight = (px + cx).min(py + cy);
    if px.is_infinite() || py.is_infinite() {
        return straight;
    }
    let m = px.max(py);
    let (dx, dy) = ((m - px) / cx, (m - py) / cy);
    let (a, b, c) = (1.0 / (cx * cx) + 1.0 / (cy * cy), dx / cx + dy / cy, dx * dx + dy * dy - 1.0);
    if c > 0.0 { straight } else { m - c / (b + (b * b - a * c).sqrt()) }
}

/// The value of a cell: the least over its four quadrants.
pub(crate) fn four_quadrants(ground: &Ground, values: &[f64], cell: usize) -> f64 {
    let way = |d| ground.way(values, cell, d);
    [(1, 0), (1, 2), (3, 0), (3, 2)].map(|(x, y)| quadrant(way(x), way(y))).into_iter().fold(f64::INFINITY, f64::min)
}

/// A cell that waits, the least value first.
#[derive(PartialEq)]
struct Waiting(f64, usize);

impl Eq for Waiting {}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Waiting {
    fn cmp(&self, other: &Self) -> Ordering {
        other.0.total_cmp(&self.0).then(other.1.cmp(&self.1))
    }
}

/// The values before any update: nothing on the goal, infinite elsewhere.
pub(crate) fn start(ground: &Ground) -> Vec<f64> {
    let mut values = vec![f64::INFINITY; ground.cost.len()];
    for &cell in &ground.goal {
        values[cell] = 0.0;
    }
    values
}

/// An ordered march with a heap: always on from the cell with the least value, until no cell can be improved.
pub(crate) fn ordered(ground: &Ground, rule: impl Fn(&Ground, &[f64], usize) -> f64) -> Vec<f64> {
    let mut values = start(ground);
    let mut heap: BinaryHeap<Waiting> = ground.goal.iter().map(|&cell| Waiting(0.0, cell)).collect();
    while let Some(Waiting(value, cell)) = heap.pop() {
        if value > values[cell] {
            continue;
        }
        for next in (0..4).filter_map(|d| ground.neighbour(cell, d)) {
            let new = rule(ground, &values, next);
            if new < values[next] {
                values[next] = new;
                heap.push(Waiting(new, next));
            }
        }
    }
    values
}
