//! An ordered march with buckets.
//!
//! Cells wait in buckets by their value; the lowest bucket is emptied first, and a cell whose value improves is
//! put (back) into the bucket of its new value. With buckets a quarter of a typical link cost wide a cell is visited
//! 1.03 times, on rough costs too. The result is the scheme's fixed point, not an approximation of it:
//! the march ends when no cell can be improved by a single bit.
//!
//! Tried and slower or not worth it: the four neighbours of a cell at once without branches (0.87 of the speed), indices
//! without bounds checks (1.05, for `unsafe`), testing whether a root improves before taking it (0.9: one more branch that
//! nobody can foresee), reading cells ahead of their turn (1.1 from a point, 0.9 from a line).

use super::{Jump, Padded, PaddedCell, Scheme, SolveReport, UNREACHED};

/// Buckets that wait at the same time. A value farther ahead goes into the last one: it is then only looked at
/// sooner than needed.
const RING: usize = 256;

/// The solver of one goal, with its queue; reused from step to step so that nothing is allocated.
#[derive(Clone, Debug)]
pub struct March {
    buckets: Vec<Vec<(PaddedCell, f32)>>,
}

impl Default for March {
    fn default() -> Self {
        Self { buckets: vec![Vec::new(); RING] }
    }
}

impl March {
    /// Bytes that the queue holds on to.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.buckets.iter().map(|b| b.capacity() * 8).sum()
    }

    /// Solves for one goal. `cost` holds the cost of the link from each cell to its north, east, south and west
    /// neighbour, [`UNREACHED`] where it is closed, in the padded layout; `goal` the goal's
    /// cells; `jumps` links between others; `unit` a typical link cost. `potential` is overwritten.
    pub fn solve(
        &mut self,
        layout: Padded,
        cost: &[[f32; 4]],
        (goal, jumps): (&[PaddedCell], &[Jump]),
        unit: f32,
        scheme: Scheme,
        potential: &mut [f32],
    ) -> SolveReport {
        potential.fill(UNREACHED);
        let per_unit = 1.0 / unit.max(f32::MIN_POSITIVE);
        for bucket in &mut self.buckets {
            bucket.clear();
        }
        for &cell in goal {
            potential[cell.place()] = 0.0;
        }
        self.buckets[0].extend(goal.iter().map(|&cell| (cell, 0.0)));
        let mut report = SolveReport { converged: true, ..SolveReport::default() };
        loop {
            let part = match scheme {
                Scheme::Upwind => self.run(layout, cost, per_unit, potential, upwind),
                Scheme::Thesis => self.run(layout, cost, per_unit, potential, thesis),
            };
            report = SolveReport { rounds: report.rounds + part.rounds, ..report.and(part) };
            if !part.converged || !self.jump(jumps, per_unit, potential) {
                return report;
            }
        }
    }

    /// Cells that gain by links between others than neighbours wait to be visited. Returns whether there are any.
    fn jump(&mut self, jumps: &[Jump], per_unit: f32, potential: &mut [f32]) -> bool {
        let mut any = false;
        for jump in jumps {
            if let Some(new) = jump.gain(|cell| potential[cell.place()]) {
                potential[jump.from.place()] = new;
                self.buckets[((new * per_unit) as usize).min(RING - 1)].push((jump.from, new));
                any = true;
            }
        }
        any
    }

    #[inline(always)]
    fn run(
        &mut self,
        layout: Padded,
        cost: &[[f32; 4]],
        per_unit: f32,
        potential: &mut [f32],
        improve: impl Fn(&[f32], &[[f32; 4]], [isize; 4], usize, usize, f32) -> f32,
    ) -> SolveReport {
        let steps = layout.steps();
        let mut report = SolveReport { converged: true, ..SolveReport::default() };
        // A scheme that is not monotone may improve for long; the upwind one stays far below this.
        let limit = 200 * layout.size() as u64;
        let mut waiting = self.buckets.iter().map(Vec::len).sum::<usize>();
        let mut current = 0usize;
        let mut work = Vec::new();
        while waiting > 0 {
            let slot = current % RING;
            if self.buckets[slot].is_empty() {
                current += 1;
                continue;
            }
            report.rounds += 1;
            std::mem::swap(&mut work, &mut self.buckets[slot]);
            waiting -= work.len();
            for &(cell, value) in &work {
                let c = cell.place();
                let pc = potential[c];
                if pc != value {
                    continue; // it was improved since, and waits elsewhere
                }
                report.visits += 1;
                for d in 0..4 {
                    let n = c.wrapping_add_signed(steps[d]);
                    let old = potential[n];
                    if old <= pc {
                        continue; // a value from here would be above this cell's own
                    }
                    let new = improve(potential, cost, steps, n, d ^ 2, pc);
                    if new < old {
                        potential[n] = new;
                        let bucket = ((new * per_unit) as usize).clamp(current, current + RING - 1);
                        self.buckets[bucket % RING].push((PaddedCell::of_place(n), new));
                        waiting += 1;
                    }
                }
            }
            work.clear();
            if report.visits > limit {
                report.converged = false;
                report.left = waiting as u64;
                break;
            }
        }
        report
    }
}

/// The root for one quadrant, given that each neighbour is below the other's way: `px < py + cy` and
/// `py < px + cx`. Written with the difference of the two so that large values lose no digits.
#[inline(always)]
#[must_use]
pub fn root(px: f32, cx: f32, py: f32, cy: f32) -> f32 {
    let (a, b) = (cx * cx, cy * cy);
    let delta = py - px;
    px + (a * delta + cx * cy * (a + b - delta * delta).max(0.0).sqrt()) / (a + b)
}

/// The value of cell `n` by the two quadrants that contain its neighbour in `direction`, whose value is `pc`.
#[inline(always)]
fn upwind(potential: &[f32], cost: &[[f32; 4]], steps: [isize; 4], n: usize, direction: usize, pc: f32) -> f32 {
    let costs = &cost[n];
    let cc = costs[direction];
    let straight = pc + cc;
    if cc >= UNREACHED {
        return UNREACHED;
    }
    // Written out twice: a loop over the two sides would go through memory.
    let beside = |s: usize| {
        let cs = costs[s];
        let ps = potential[n.wrapping_add_signed(steps[s])];
        if ps < straight && pc < ps + cs && cs < UNREACHED { root(pc, cc, ps, cs) } else { straight }
    };
    let side = (direction & 1) ^ 1;
    beside(side).min(beside(side + 2))
}

/// Equation (5.10) of the thesis for the whole cell: one neighbour per axis, chosen by `P + C`.
#[inline(always)]
fn thesis(potential: &[f32], cost: &[[f32; 4]], steps: [isize; 4], n: usize, _: usize, _: f32) -> f32 {
    let costs = &cost[n];
    let way = |d: usize| {
        if costs[d] >= UNREACHED {
            return (UNREACHED, UNREACHED); // also the border, which has no neighbours to look at
        }
        let p = potential[n.wrapping_add_signed(steps[d])];
        if p >= UNREACHED { (UNREACHED, UNREACHED) } else { (p, costs[d]) }
    };
    let pick = |a: (f32, f32), b: (f32, f32)| if a.0 + a.1 <= b.0 + b.1 { a } else { b };
    let (px, cx) = pick(way(3), way(1));
    let (py, cy) = pick(way(2), way(0));
    if px >= UNREACHED && py >= UNREACHED {
        return UNREACHED;
    }
    if px >= UNREACHED || py >= UNREACHED {
        // The thesis's infinite cost on one axis would make the sum infinite: a corridor one cell wide could
        // not be entered. Twice the open axis's cost keeps its doubling.
        let (p, c) = if px >= UNREACHED { (py, cy) } else { (px, cx) };
        return p + 2.0 * c;
    }
    let sum = cx + cy;
    let delta = px - py;
    if sum > delta.abs() { 0.5 * (px + py + (2.0 * sum * sum - delta * delta).sqrt()) } else { px.min(py) + sum }
}
