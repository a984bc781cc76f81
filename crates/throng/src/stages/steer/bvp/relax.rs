//! Relaxation of a map, in several ways: they differ in how many sweeps they take, and in what can be done at the same time.
//!
//! A cell's value is the mean of its four neighbours' and a part of their differences (equation 2 of the paper):
//!
//! ```text
//! p = (p_N + p_E + p_S + p_W) / 4 + ε ((p_E − p_W) v_x + (p_N − p_S) v_y) / 8
//! ```
//!
//! Maps hold `u = 1 − p` instead, for which the equation is the same: goals are 1, obstacles 0. Where the field is against the way `u` in the middle is as
//! small as 5e-17 (21², ε = −1.9), which an `f32` holds with all its digits, and `1 − 5e-17` it does not hold at all.

use super::MOST_SIDE;
use crate::wide::widest;
use glam::Vec2;

/// Values from one row of a map to the next.
pub const STRIDE: usize = 32;
/// Values of a map: a row more than there are, so that whole vectors fit.
const SIZE: usize = STRIDE * (MOST_SIDE + 1);

/// A map: values row by row from the south-west, and in each row a bit for every cell whose value is given.
#[derive(Clone, Debug)]
pub struct Grid {
    /// Cells on a side.
    pub side: usize,
    /// How wide the border is, all of whose cells are given.
    pub border: usize,
    /// Values.
    pub u: [f32; SIZE],
    /// Given cells.
    pub given: [u32; MOST_SIDE],
}

impl Grid {
    /// A map of free cells inside a closed border.
    #[must_use]
    pub fn new(side: usize, border: usize) -> Self {
        let mut grid = Self { side, border, u: [0.0; SIZE], given: [0; MOST_SIDE] };
        let all = u32::MAX >> (32 - side);
        let inside = all >> (2 * border) << border;
        for y in 0..side {
            let edge = y < border || y >= side - border;
            grid.given[y] = if edge { all } else { all & !inside };
        }
        grid
    }

    /// Gives a cell a value.
    pub fn give(&mut self, x: usize, y: usize, value: f32) {
        self.u[y * STRIDE + x] = value;
        self.given[y] |= 1 << x;
    }

    /// Whether a cell's value is given.
    #[must_use]
    pub fn is_given(&self, x: usize, y: usize) -> bool {
        self.given[y] >> x & 1 != 0
    }

    /// Whether any of these cells of a row is given.
    pub(super) fn blocked(&self, y: usize, columns: std::ops::Range<usize>) -> bool {
        self.given[y] >> columns.start & (u32::MAX >> (32 - columns.len())) != 0
    }

    /// Rows, or columns, inside the border.
    #[inline(always)]
    pub(super) fn inner(&self) -> std::ops::Range<usize> {
        self.border..self.side - self.border
    }
}

/// How much each neighbour counts: north, east, south, west.
pub type Weights = [f32; 4];

/// By equation 2.
#[must_use]
pub fn weights(epsilon: f32, v: Vec2) -> Weights {
    let (x, y) = (0.125 * epsilon * v.x, 0.125 * epsilon * v.y);
    [0.25 + y, 0.25 + x, 0.25 - y, 0.25 - x]
}

#[inline(always)]
fn from_neighbours(u: &[f32], at: usize, w: Weights) -> f32 {
    w[0] * u[at + STRIDE] + w[1] * u[at + 1] + w[2] * u[at - STRIDE] + w[3] * u[at - 1]
}

/// Gauss–Seidel, row by row, each cell from the newest values: the paper's sequential version, and the reference.
pub fn gauss_seidel(grid: &mut Grid, w: Weights, sweeps: u32) {
    for _ in 0..sweeps {
        for y in grid.inner() {
            for x in grid.inner() {
                if !grid.is_given(x, y) {
                    grid.u[y * STRIDE + x] = from_neighbours(&grid.u, y * STRIDE + x, w);
                }
            }
        }
    }
}

/// Sweeps of [`gauss_seidel`] that are enough for what [`enough`] sweeps of [`red_black`] are: what is wrong falls by the square of the spectral radius of
/// Jacobi's iteration a sweep, and has to fall to a hundredth (two on maps of 31²); before that it has to be carried once through the map.
#[must_use]
pub fn enough_plain(inner: usize, w: Weights) -> u32 {
    let radius = f64::from(spectral_radius(inner, w));
    (100f64.ln() / (-2.0 * radius.ln())).ceil() as u32 + inner as u32
}

/// The paper's on the GPU: one copy of the map, cells in blocks of so many threads that run together. Those of a block see each other's values of the
/// sweep before, and the newest of blocks that have run already; which these are is up to the device there, and here the order of the cells.
pub fn mixed(grid: &mut Grid, w: Weights, sweeps: u32) {
    const TOGETHER: usize = 32;
    let cells: Vec<usize> = (grid.inner().flat_map(|y| grid.inner().map(move |x| (x, y))))
        .filter(|&(x, y)| !grid.is_given(x, y))
        .map(|(x, y)| y * STRIDE + x)
        .collect();
    for _ in 0..sweeps {
        for block in cells.chunks(TOGETHER) {
            let mut new = [0.0; TOGETHER];
            block.iter().zip(&mut new).for_each(|(&at, new)| *new = from_neighbours(&grid.u, at, w));
            block.iter().zip(&new).for_each(|(&at, new)| grid.u[at] = *new);
        }
    }
}

/// The spectral radius of Jacobi's iteration on an empty map, whose matrix is similar to a symmetric one with the roots of opposite neighbours' products.
#[inline]
fn spectral_radius(inner: usize, w: Weights) -> f32 {
    // The cosine of π over the number of intervals, by its series: the same bits everywhere.
    let q = std::f32::consts::PI / (inner + 1) as f32;
    let q = q * q;
    let cosine = 1.0 - q / 2.0 * (1.0 - q / 12.0 * (1.0 - q / 30.0));
    2.0 * cosine * ((w[0] * w[2]).sqrt() + (w[1] * w[3]).sqrt())
}

/// The best factor of over-relaxation of an empty map (Young).
#[must_use]
#[inline]
pub fn best_factor(inner: usize, w: Weights) -> f32 {
    let radius = spectral_radius(inner, w);
    2.0 / (1.0 + (1.0 - radius * radius).sqrt())
}

/// Sweeps of [`red_black`] that are enough for the direction in the middle of a map.
#[must_use]
#[inline]
pub fn enough(inner: usize) -> u32 {
    (5 * inner as u32).div_ceil(4) + 1
}

/// Red and black cells by turns, over-relaxed: all cells of a colour at the same time, since each has neighbours of the other colour alone.
pub fn red_black(grid: &mut Grid, w: Weights, factor: f32, sweeps: u32) {
    over_relax(grid, w, factor, sweeps);
}

widest! {
    fn over_relax(grid: &mut Grid, w: Weights, factor: f32, sweeps: u32) {
        // Every cell of a row is computed; those of the other colour and the given ones keep what they have.
        let mut rates = [[0.0f32; SIZE]; 2];
        for y in grid.inner() {
            let free = !grid.given[y];
            for x in 0..STRIDE {
                let rate = if free >> x & 1 != 0 && x < grid.side { factor } else { 0.0 };
                rates[(x + y) % 2][y * STRIDE + x] = rate;
            }
        }
        let wide = (grid.side - 2).next_multiple_of(8);
        for sweep in 0..2 * sweeps as usize {
            let rates = &rates[sweep % 2];
            for y in grid.inner() {
                let first = y * STRIDE + 1;
                let mut new = [0.0f32; STRIDE];
                let new = &mut new[..wide];
                {
                    let [here, west, east] = [first, first - 1, first + 1].map(|at| &grid.u[at..at + wide]);
                    let [north, south] = [first + STRIDE, first - STRIDE].map(|at| &grid.u[at..at + wide]);
                    let rate = &rates[first..first + wide];
                    for x in 0..wide {
                        let value = w[0] * north[x] + w[1] * east[x] + w[2] * south[x] + w[3] * west[x];
                        new[x] = here[x] + rate[x] * (value - here[x]);
                    }
                }
                grid.u[first..first + wide].copy_from_slice(new);
            }
        }
    }
}

/// Alternating directions (Peaceman and Rachford): all rows at the same time, each solved exactly along itself, then all columns; with a cycle of
/// steps, each best for a part of the spectrum.
pub fn alternating(grid: &mut Grid, w: Weights, sweeps: u32) {
    let steps = wachspress(grid.side - 2 * grid.border, w);
    for sweep in 0..sweeps as usize {
        let step = steps[sweep % steps.len()];
        for along_rows in [true, false] {
            half(grid, w, step, along_rows);
        }
    }
}

/// Steps in geometric sequence between the ends of the spectrum of one direction.
fn wachspress(inner: usize, w: Weights) -> [f32; 4] {
    let angle = std::f64::consts::PI / (inner + 1) as f64;
    let ends = |side: f64| 0.5 - 2.0 * f64::from((w[0] * w[2]).sqrt().max((w[1] * w[3]).sqrt())) * side;
    let (low, high) = (ends(angle.cos()), ends(-angle.cos()));
    std::array::from_fn(|k| (low * (high / low).powf((2 * k + 1) as f64 / 8.0)) as f32)
}

/// Half a sweep: (s + H) u = (s − V) u, where H and V are what a cell's equation says along and across.
fn half(grid: &mut Grid, w: Weights, s: f32, along_rows: bool) {
    let (step, across) = if along_rows { (1, STRIDE) } else { (STRIDE, 1) };
    let [ahead, behind] = if along_rows { [w[1], w[3]] } else { [w[0], w[2]] };
    let [left, right] = if along_rows { [w[0], w[2]] } else { [w[1], w[3]] };
    let before = grid.u;
    for line in grid.inner() {
        let at = |k: usize| line * across + k * step;
        let given = |k: usize| if along_rows { grid.is_given(k, line) } else { grid.is_given(line, k) };
        // Thomas's algorithm; a given cell is an equation of its own.
        let (mut c, mut d) = ([0.0f32; MOST_SIDE], [0.0f32; MOST_SIDE]);
        let first = grid.border - 1;
        d[first] = before[at(first)];
        for k in grid.inner() {
            let i = at(k);
            if given(k) {
                (c[k], d[k]) = (0.0, before[i]);
                continue;
            }
            let known = (s - 0.5) * before[i] + left * before[i + across] + right * before[i - across];
            let pivot = s + 0.5 - behind * c[k - 1];
            c[k] = ahead / pivot;
            d[k] = (known + behind * d[k - 1]) / pivot;
        }
        let mut next = before[at(grid.side - grid.border)];
        for k in grid.inner().rev() {
            next = d[k] + c[k] * next;
            grid.u[at(k)] = next;
        }
    }
}

/// How far the free cells are from what their neighbours say, the largest share of the larger of both.
#[must_use]
pub fn residual(grid: &Grid, w: Weights) -> f64 {
    let inner = || grid.inner().flat_map(|y| grid.inner().map(move |x| (x, y)));
    let far = |(x, y): (usize, usize)| {
        let at = y * STRIDE + x;
        let (is, says) = (f64::from(grid.u[at]), f64::from(from_neighbours(&grid.u, at, w)));
        if is.max(says) > 0.0 { (is - says).abs() / is.max(says) } else { 0.0 }
    };
    inner().filter(|&(x, y)| !grid.is_given(x, y)).map(far).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A map with a goal of three cells in the middle of a border, which may be the east's or the north's, and with or without an obstacle.
    fn map(side: usize, to_north: bool, obstacle: bool) -> Grid {
        let mut grid = Grid::new(side, 1);
        for k in side / 2 - 1..=side / 2 + 1 {
            let (x, y) = if to_north { (k, side - 1) } else { (side - 1, k) };
            grid.give(x, y, 1.0);
        }
        if obstacle {
            (2..5).for_each(|y| (side / 2 + 1..side / 2 + 4).for_each(|x| grid.give(x, y, 0.0)));
        }
        grid
    }

    fn middle(grid: &Grid) -> (f32, Vec2) {
        let m = grid.side.div_ceil(2) - 1;
        let (at, u) = (m * STRIDE + m, &grid.u);
        (u[at], Vec2::new(u[at + 1] - u[at - 1], u[at + STRIDE] - u[at - STRIDE]))
    }

    /// Epsilons with vectors, and all maps.
    fn all() -> impl Iterator<Item = (Grid, [f32; 4], String)> {
        let fields = [
            (0.0, Vec2::X),
            (-1.0, Vec2::X),
            (-1.9, Vec2::X),
            (-1.9, -Vec2::X),
            (-1.5, Vec2::new(0.6, 0.8)),
            (1.2, Vec2::Y),
        ];
        [11, 16, 21, 31].into_iter().flat_map(move |side| {
            fields.into_iter().flat_map(move |(epsilon, v)| {
                [(false, false), (true, true)].into_iter().map(move |(to_north, obstacle)| {
                    let what = format!("{side}², ε = {epsilon}, v = {v}, obstacle {obstacle}");
                    (map(side, to_north, obstacle), weights(epsilon, v), what)
                })
            })
        })
    }

    #[test]
    fn below_zero_the_vector_pulls_along_itself() {
        for (v, to_north) in [(Vec2::X, true), (-Vec2::X, true), (Vec2::Y, false), (-Vec2::Y, false)] {
            for epsilon in [-1.0, 1.0] {
                let mut grid = map(21, to_north, false);
                gauss_seidel(&mut grid, weights(epsilon, v), 2000);
                let pull = middle(&grid).1.dot(v);
                assert!(pull * epsilon < 0.0, "ε = {epsilon}, v = {v}: {pull}");
            }
        }
    }

    #[test]
    fn against_the_way_values_are_tiny_and_exact() {
        // Of 1 − p nothing would be left in an f32.
        for (side, least, most) in [(11, 5e-9, 7e-9), (21, 4e-17, 6e-17)] {
            let mut grid = map(side, false, false);
            let w = weights(-1.9, Vec2::X);
            gauss_seidel(&mut grid, w, 3000);
            let (u, descent) = middle(&grid);
            assert!((least..most).contains(&u), "{side}²: {u:e}");
            assert!(descent.x > 0.0 && descent.y.abs() < 1e-3 * descent.x, "{side}²: {descent:?}");
        }
    }

    #[test]
    fn every_relaxation_ends_where_gauss_seidel_does() {
        for (map, w, what) in all() {
            let mut exact = map.clone();
            gauss_seidel(&mut exact, w, 6000);
            let (u, way) = middle(&exact);
            let inner = map.side - 2;
            let near = |name: &str, degrees: f32, relax: &dyn Fn(&mut Grid)| {
                let mut grid = map.clone();
                relax(&mut grid);
                let (ours, descent) = middle(&grid);
                // Normalised, since squares of these may be below all numbers.
                let scaled = |v: Vec2| v / v.abs().max_element();
                let angle = scaled(descent).angle_to(scaled(way)).abs().to_degrees();
                assert!(
                    angle < degrees && (ours / u - 1.0).abs() < 0.02,
                    "{name}: {what}: {angle}°, {ours:e} for {u:e}"
                );
            };
            near("red-black", 0.5, &|g| red_black(g, w, best_factor(inner, w), enough(inner)));
            near("mixed", 0.5, &|g| mixed(g, w, 3000));
            if map.side < 31 {
                // Enough for half a degree unless the pull is close to 2.
                near("plain", 3.0, &|g| gauss_seidel(g, w, enough_plain(inner, w)));
                near("alternating", 0.5, &|g| alternating(g, w, 60));
            }
        }
    }

    #[test]
    fn given_cells_stay_as_they_are() {
        for (map, w, what) in all() {
            let mut grid = map.clone();
            red_black(&mut grid, w, best_factor(map.side - 2, w), 7);
            for y in 0..map.side {
                for x in (0..map.side).filter(|&x| map.is_given(x, y)) {
                    assert_eq!(grid.u[y * STRIDE + x].to_bits(), map.u[y * STRIDE + x].to_bits(), "{what}: {x}, {y}");
                }
            }
            assert_eq!(grid.given, map.given);
        }
    }
}
