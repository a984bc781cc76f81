//! `harmonic`: Laplace's equation instead of the eikonal one (Fischer et al., "GPU Accelerated Path-planning for Multi-agents in Virtual Environments", 3
//! and 4.1; docs/models/bvp.md).
//!
//! With walls at 1 and the goal at 0, `p` is the chance that somebody who walks at random hits a wall before it comes to the goal. Its descent keeps away
//! from walls, and ends at the goal from wherever that can be reached, since a harmonic function has no other minimum. But it flattens:
//! in a corridor one cell wide `u = 1 − p` falls to 27 % from a cell to the next, and after 570 cells no double holds it. So what
//! is kept is the logarithm of `u`, and what is solved are ratios to values that are near already:
//!
//! 1. *Levels*. Cells are put together to connected parts of squares of 2 × 2, 4 × 4, … (`levels.rs`). The coarsest level is solved first, and each gives the
//!    next finer one its first values.
//! 2. *Sweeps* of logarithms, from the goal outwards and back (`cycle.rs`), are right wherever ways are narrow.
//! 3. *Cycles*. Divided by the present values the equations are those of numbers around 1, however small the values are, and multigrid cycles make up for what is missing where floors are
//!    wide. Done when every cell is the mean of its neighbours to one part in a thousand million.
//!
//! Last, every cell is asked whether a neighbour is nearer to the goal by this measure; were one not, rounding would have won, and a flood from the goal
//! would put it right: the descent is complete by construction.

mod cycle;
mod levels;

use super::{Jump, Padded, PaddedCell, SolveReport, UNREACHED};
use crate::stages::gradient::Way;
use cycle::improve;
use glam::Vec2;
use levels::Level;
use std::collections::BinaryHeap;

/// How far a cell may be from the mean of its neighbours, as a share of its value.
const TOLERANCE: f64 = 1e-9;
/// The same on levels that are only a beginning.
const ROUGHLY: f64 = 0.02;
/// The most cycles on a level that is a beginning, and on the finest.
const CYCLES: [u32; 2] = [20, 300];
/// Sweeps of logarithms when a level begins, and on the coarsest.
const FIRST_SWEEPS: [u32; 2] = [3, 30];

/// What a floor is like for somebody who walks at random.
#[derive(Clone, Debug)]
pub struct Floor {
    /// The layout of `links`.
    pub layout: Padded,
    /// Bits 0 to 3 of each cell: the link to the north, east, south, west is open.
    pub links: Vec<u8>,
    /// Links to cells that are no neighbours, from and to.
    pub jumps: Vec<(PaddedCell, PaddedCell)>,
}

impl Floor {
    /// A floor of free cells and walls, with links between all neighbours that are free.
    #[must_use]
    pub fn of_cells(width: usize, height: usize, free: impl Fn(usize, usize) -> bool) -> Self {
        let layout = Padded { width, height };
        let mut links = vec![0; layout.size()];
        for y in 0..height {
            for x in 0..width {
                let ways = [(0, 1), (1, 0), (0, -1), (-1, 0)];
                for (d, (dx, dy)) in ways.into_iter().enumerate() {
                    let (nx, ny) = (x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
                    let open = free(x, y) && nx < width && ny < height && free(nx, ny);
                    links[layout.at(x, y)] |= u8::from(open) << d;
                }
            }
        }
        Self { layout, links, jumps: Vec::new() }
    }
}

/// A harmonic map: for each cell, in the floor's layout, the logarithm of the chance to come to the goal; below all numbers where that cannot be reached.
#[derive(Clone, Debug)]
pub struct Map {
    /// The logarithms.
    pub log: Vec<f64>,
    /// Cycles on the finest level.
    pub cycles: u32,
    /// Whether every cell is the mean of its neighbours.
    pub converged: bool,
    /// Cells that only the flood could put right.
    pub mended: usize,
}

/// Solves Laplace's equation on a floor: walls are 1, the goal is 0.
#[must_use]
pub fn solve(floor: &Floor, goal: &[PaddedCell]) -> Map {
    let (finest, cells) = first_level(floor, goal);
    let mut levels = vec![finest];
    while let Some(next) = levels.last_mut().and_then(Level::coarser) {
        levels.push(next);
    }
    let coarsest = levels.len() - 1;
    let mut fallen = Vec::new();
    let mut cycles = 0;
    let mut converged = false;
    for l in (0..=coarsest).rev() {
        if l < coarsest {
            let (fine, coarse) = levels.split_at_mut(l + 1);
            let fine = &mut fine[l];
            fine.log = fine.part.iter().map(|&part| coarse[0].log[part as usize]).collect();
        }
        levels[l].log[0] = 0.0;
        for _ in 0..FIRST_SWEEPS[usize::from(l == coarsest)] {
            levels[l].sweep_logs(&mut fallen);
        }
        let (tolerance, most) = if l > 0 { (ROUGHLY, CYCLES[0]) } else { (TOLERANCE, CYCLES[1]) };
        (cycles, converged) = (0, false);
        while cycles < most && !converged {
            converged = improve(&mut levels[l..], tolerance);
            if !converged {
                levels[l].sweep_logs(&mut fallen);
                cycles += 1;
            }
        }
    }
    let mut log = vec![f64::NEG_INFINITY; floor.layout.size()];
    for (&cell, &value) in cells.iter().zip(&levels[0].log).skip(1) {
        log[cell.place()] = value;
    }
    goal.iter().for_each(|cell| log[cell.place()] = 0.0);
    let mended = mend(floor, goal, &mut log);
    Map { log, cycles, converged, mended }
}

/// Cells from which one can walk to a cell, by steps on the floor.
fn before(floor: &Floor, cell: usize) -> impl Iterator<Item = usize> {
    let steps = floor.layout.steps();
    let around = (0..4).filter_map(move |d| {
        // Cells beyond the border have no links.
        let from = cell.checked_add_signed(steps[d]).filter(|&from| from < floor.links.len())?;
        (floor.links[from] & (1 << ((d + 2) % 4)) != 0).then_some(from)
    });
    around.chain(floor.jumps.iter().filter(move |(_, to)| to.place() == cell).map(|(from, _)| from.place()))
}

/// The equations of all cells from which the goal can be reached, and which cell each node is; node 0 is all of the goal.
fn first_level(floor: &Floor, goal: &[PaddedCell]) -> (Level, Vec<PaddedCell>) {
    const NOWHERE: u32 = u32::MAX;
    let mut node = vec![NOWHERE; floor.layout.size()];
    goal.iter().for_each(|cell| node[cell.place()] = 0);
    let mut cells = vec![PaddedCell::of_place(0)];
    let mut found: Vec<PaddedCell> = goal.to_vec();
    let mut next = 0;
    while next < found.len() {
        for from in before(floor, found[next].place()) {
            if node[from] == NOWHERE {
                node[from] = cells.len() as u32;
                cells.push(PaddedCell::of_place(from));
                found.push(PaddedCell::of_place(from));
            }
        }
        next += 1;
    }
    let steps = floor.layout.steps();
    let mut level = Level { starts: vec![0, 0], total: vec![1.0], square: vec![[0; 2]], ..Level::default() };
    let mut jumps = floor.jumps.clone();
    jumps.sort_unstable();
    for cell in &cells[1..] {
        let at = cell.place();
        let own = jumps.partition_point(|(from, _)| from < cell);
        let own = jumps[own..].iter().take_while(|(from, _)| from == cell);
        let (x, y) = floor.layout.coords(*cell);
        level.square.push([x as u32, y as u32]);
        level.total.push(4.0 + own.clone().count() as f64);
        let open = (0..4).filter(|d| floor.links[at] & (1 << d) != 0).map(|d| at.wrapping_add_signed(steps[d]));
        level.to.extend(open.chain(own.map(|(_, to)| to.place())).map(|to| node[to]).filter(|&to| to != NOWHERE));
        level.starts.push(level.to.len() as u32);
    }
    level.rate = vec![1.0; level.to.len()];
    level.log = vec![f64::NEG_INFINITY; level.len()];
    (level, cells)
}

/// Sees to it that from every cell that was reached a step leads to a cell nearer to the goal. Returns how many had none.
fn mend(floor: &Floor, goal: &[PaddedCell], log: &mut [f64]) -> usize {
    let mut done = vec![false; log.len()];
    goal.iter().for_each(|cell| done[cell.place()] = true);
    let reached = (0..log.len()).filter(|&c| log[c] > f64::NEG_INFINITY && !done[c]);
    let stuck = reached.filter(|&c| around(floor, c).all(|to| log[to] <= log[c])).count();
    if stuck == 0 {
        return 0;
    }
    // From the goal outwards, the nearest first: whoever is found is farther out than who found it.
    // Positive numbers are in the order of their bits.
    let mut heap: BinaryHeap<std::cmp::Reverse<(u64, usize)>> = BinaryHeap::new();
    for cell in goal {
        heap.push(std::cmp::Reverse((0, cell.place())));
    }
    while let Some(std::cmp::Reverse((_, cell))) = heap.pop() {
        for from in before(floor, cell) {
            if !std::mem::replace(&mut done[from], true) {
                log[from] = log[from].min(log[cell].next_down());
                heap.push(std::cmp::Reverse(((-log[from]).to_bits(), from)));
            }
        }
    }
    stuck
}

/// Cells that one can walk to from a cell.
fn around(floor: &Floor, cell: usize) -> impl Iterator<Item = usize> {
    let steps = floor.layout.steps();
    let open = (0..4).filter(move |d| floor.links[cell] & (1 << d) != 0);
    let jumps = floor.jumps.iter().filter(move |(from, _)| from.place() == cell).map(|(_, to)| to.place());
    open.map(move |d| cell.wrapping_add_signed(steps[d])).chain(jumps)
}

/// Which way the descent leads from a cell: along the gradient, by the differences of its neighbours' chances (none in a wall); but on each axis only
/// towards a neighbour that is nearer to the goal. So whoever steps to the neighbour on the longer axis comes to the goal.
#[must_use]
pub fn descent(floor: &Floor, log: &[f64], cell: usize) -> Vec2 {
    let steps = floor.layout.steps();
    let here = log[cell];
    let side = |d: usize| {
        let open = floor.links[cell] & (1 << d) != 0;
        if open { log[cell.wrapping_add_signed(steps[d])] } else { f64::NEG_INFINITY }
    };
    let along = |ahead: f64, behind: f64| {
        let chance = |log: f64| (log - here).clamp(-50.0, 50.0).exp() * f64::from(u8::from(log > f64::NEG_INFINITY));
        let slope = chance(ahead) - chance(behind);
        let towards = if slope >= 0.0 { ahead } else { behind };
        if towards > here { slope } else { 0.0 }
    };
    let [north, east, south, west] = std::array::from_fn(side);
    let (x, y) = (along(east, west), along(north, south));
    if x.abs().max(y.abs()) > 0.0 {
        let size = x.hypot(y);
        return Vec2::new((x / size) as f32, (y / size) as f32);
    }
    // Neighbours on both sides are alike: the nearest to the goal.
    let best = north.max(east).max(south).max(west);
    if best <= here {
        Vec2::ZERO
    } else if best == east {
        Vec2::X
    } else if best == north {
        Vec2::Y
    } else if best == west {
        -Vec2::X
    } else {
        -Vec2::Y
    }
}

/// A route: what links cost, the cost from which on a link leads through a closed gate, portals, and the goal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Route<'a> {
    pub(crate) layout: Padded,
    pub(crate) cost: &'a [[f32; 4]],
    pub(crate) gate: f32,
    pub(crate) jumps: &'a [Jump],
    pub(crate) goal: &'a [PaddedCell],
}

/// What a plan for a route is: potentials (minus the logarithm of the chance), ways but for portals, and what the solver did.
pub(crate) fn plan(route: Route<'_>, potential: &mut [f32]) -> (Vec<Way>, SolveReport) {
    let Route { layout, cost, gate, jumps, goal } = route;
    let bits = |from: f32, to: f32| {
        let open = move |c: &[f32; 4]| (0..4).map(|d| u8::from(c[d] >= from && c[d] < to) << d).sum::<u8>();
        cost.iter().map(open).collect::<Vec<u8>>()
    };
    let gates = bits(gate, UNREACHED);
    let jumps = jumps.iter().map(|j| (j.from, j.to)).collect();
    let mut floor = Floor { layout, links: bits(f32::NEG_INFINITY, gate.min(UNREACHED)), jumps };
    let mut ways = vec![Way::NONE; layout.size()];
    let mut report = SolveReport { converged: true, ..SolveReport::default() };
    potential.fill(UNREACHED);
    for cell in goal {
        (potential[cell.place()], ways[cell.place()]) = (0.0, Way::ARRIVED);
    }
    let mut goal = goal.to_vec();
    // First without the gates; then from where nothing but closed gates is in the way, and so on.
    for passed in 0.. {
        let map = solve(&floor, &goal);
        report = report.and(SolveReport {
            rounds: map.cycles.into(),
            visits: u64::from(map.cycles) * map.log.iter().filter(|l| **l > f64::NEG_INFINITY).count() as u64,
            converged: map.converged,
            left: u64::from(!map.converged),
        });
        let reached: Vec<usize> = (0..map.log.len()).filter(|&c| map.log[c] > f64::NEG_INFINITY).collect();
        let fresh: Vec<usize> = reached.iter().copied().filter(|&c| potential[c] >= UNREACHED).collect();
        // Every round but the first goes on behind gates.
        if fresh.is_empty() && passed > 0 {
            break;
        }
        for c in fresh {
            potential[c] = (passed as f32 * gate - map.log[c] as f32).max(f32::MIN_POSITIVE);
            ways[c] = Way::towards(descent(&floor, &map.log, c));
        }
        // Cells with a gate towards a cell that was reached; these are what the others head for next.
        let steps = layout.steps();
        let mut ends: Vec<PaddedCell> = Vec::new();
        for c in (0..gates.len()).filter(|&c| gates[c] != 0 && potential[c] >= UNREACHED) {
            for d in (0..4).filter(|d| gates[c] & (1 << d) != 0) {
                let to = c.wrapping_add_signed(steps[d]);
                if potential[to] < UNREACHED {
                    floor.links[c] |= 1 << d;
                    ends.push(PaddedCell::of_place(to));
                }
            }
        }
        if ends.is_empty() {
            break;
        }
        ends.sort_unstable();
        ends.dedup();
        // Nobody goes back to where plans are made already.
        reached.iter().for_each(|&c| floor.links[c] = 0);
        goal = ends;
    }
    (ways, report)
}

/// Whether a link through a portal leads nearer to the goal than any step on the floor.
pub(crate) fn leads_through(route: Route<'_>, potential: &[f32], jump: &Jump) -> bool {
    let (from, beyond) = (jump.from.place(), potential[jump.to.place()]);
    let steps = route.layout.steps();
    let mut open = (0..4).filter(|&d| route.cost[from][d] < UNREACHED);
    beyond < potential[from] && open.all(|d| beyond <= potential[from.wrapping_add_signed(steps[d])])
}

#[cfg(test)]
mod tests;
