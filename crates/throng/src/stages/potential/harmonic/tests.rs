//! Against exact solutions, and in mazes.

use super::*;
use crate::random::pcg4d;
use rayon::prelude::*;
use std::io::Write as _;

mod maze;

fn place(floor: &Floor, x: usize, y: usize) -> PaddedCell {
    PaddedCell::of_place(floor.layout.at(x, y))
}

fn maze(side: usize, wide: usize, loops: u32, seed: u32) -> Floor {
    let mut draws = 0u32;
    let free = maze::free_cells(side, wide, loops, |below| {
        draws += 1;
        pcg4d([seed, draws, 0, 77])[0] as usize % below
    });
    Floor::of_cells(side, side, |x, y| free[y * side + x])
}

/// How many cells the goal can be reached from, and from how many of them it is by steps to the neighbour on the longer axis of the descent.
fn come_home(floor: &Floor, map: &Map, goal: PaddedCell) -> (usize, usize) {
    let steps = floor.layout.steps();
    let reached: Vec<usize> = (0..map.log.len()).filter(|&c| map.log[c] > f64::NEG_INFINITY).collect();
    let next = |c: usize| {
        let way = descent(floor, &map.log, c);
        let d = match way.x.abs() > way.y.abs() {
            true if way.x > 0.0 => 1,
            true => 3,
            false if way.y > 0.0 => 0,
            false => 2,
        };
        assert!(floor.links[c] & (1 << d) != 0, "the way leads through a wall");
        c.wrapping_add_signed(steps[d])
    };
    // 0: not known; 1: on the way that is followed now; 2: comes home; 3: does not.
    let mut known = vec![0u8; map.log.len()];
    known[goal.place()] = 2;
    for &start in &reached {
        let mut trail = Vec::new();
        let mut at = start;
        while known[at] == 0 {
            known[at] = 1;
            trail.push(at);
            at = next(at);
        }
        let end = if known[at] == 2 { 2 } else { 3 };
        trail.into_iter().for_each(|c| known[c] = end);
    }
    (reached.len(), reached.iter().filter(|&&c| known[c] == 2).count())
}

#[test]
fn in_a_corridor_the_chance_falls_by_the_same_factor_in_every_cell() {
    // Without an end in sight u(k−1) + u(k+1) = 4 u(k): the ratio is 2 − √3.
    let floor = Floor::of_cells(4000, 1, |_, _| true);
    let map = solve(&floor, &[place(&floor, 0, 0)]);
    assert!(map.converged && map.mended == 0);
    let ratio = (2.0 - 3.0f64.sqrt()).ln();
    for x in 1..3900 {
        let log = map.log[floor.layout.at(x, 0)];
        // Each cell adds an error of the tolerance at most, and there is the rounding of a large number.
        assert!((log - ratio * x as f64).abs() < 1e-8 * x as f64, "{x}: {log}");
    }
}

#[test]
fn on_an_open_floor_it_is_the_solution_of_the_linear_equations() {
    // The same by plain Gauss–Seidel in doubles, where these are enough.
    let floor = Floor::of_cells(23, 17, |x, y| !(x == 9 && y > 3 || y == 8 && x > 14));
    let goal = place(&floor, 3, 14);
    let map = solve(&floor, &[goal]);
    let steps = floor.layout.steps();
    let mut u = vec![0.0f64; floor.layout.size()];
    u[goal.place()] = 1.0;
    for _ in 0..5000 {
        for c in (0..u.len()).filter(|&c| floor.links[c] != 0 && c != goal.place()) {
            let open = (0..4).filter(|d| floor.links[c] & (1 << d) != 0);
            u[c] = open.map(|d| u[c.wrapping_add_signed(steps[d])]).sum::<f64>() / 4.0;
        }
    }
    for c in (0..u.len()).filter(|&c| floor.links[c] != 0) {
        assert!((map.log[c] - u[c].ln()).abs() < 1e-6, "{c}: {} and {}", map.log[c], u[c].ln());
    }
}

#[test]
fn a_portal_is_a_way_like_any_other_and_a_pocket_inside_the_goal_leads_out() {
    let mut floor = Floor::of_cells(31, 9, |x, _| x != 15);
    floor.jumps = vec![(place(&floor, 25, 4), place(&floor, 5, 4))];
    let ring: Vec<_> = (1..4)
        .flat_map(|x| (1..4).map(move |y| (x, y)))
        .filter(|&p| p != (2, 2))
        .map(|(x, y)| place(&floor, x, y))
        .collect();
    let map = solve(&floor, &ring);
    assert!(map.log[floor.layout.at(29, 1)] > f64::NEG_INFINITY);
    assert_eq!(map.mended, 1, "in the pocket nothing but the goal is around, and no chance is larger than another");
    assert!(descent(&floor, &map.log, floor.layout.at(2, 2)) != Vec2::ZERO);
    // Towards the portal from both sides of it.
    assert!(descent(&floor, &map.log, floor.layout.at(21, 4)).x > 0.9);
    assert!(descent(&floor, &map.log, floor.layout.at(29, 4)).x < -0.9);
}

/// Mazes at the same time, each on one thread.
fn all_come_home(side: usize, seeds: std::ops::Range<u32>) {
    seeds.into_par_iter().for_each(|seed| {
        let wide = [1, 1, 2, 5, 9][seed as usize % 5];
        let floor = maze(side, wide, [0, 30][seed as usize % 2], seed);
        let goal = (0..floor.links.len()).cycle().skip(pcg4d([seed, 0, 0, 5])[0] as usize % floor.links.len());
        let goal = PaddedCell::of_place(goal.into_iter().find(|&c| floor.links[c] != 0).expect("a maze has floor"));
        let start = std::time::Instant::now();
        let map = solve(&floor, &[goal]);
        let seconds = start.elapsed().as_secs_f64();
        let (reached, home) = come_home(&floor, &map, goal);
        let lowest = map.log.iter().copied().filter(|l| *l > f64::NEG_INFINITY).fold(0.0, f64::min);
        let _ = writeln!(
            std::io::stdout(),
            "{side}² maze {seed}, corridors {wide} wide: {reached} cells, log u down to {lowest:.0}, {} cycles, {seconds:.1} s, mended {}",
            map.cycles,
            map.mended
        );
        assert_eq!(reached, home, "maze {seed}: from some cells the descent does not reach the goal");
        assert!(map.converged && map.mended == 0, "maze {seed}: {} cycles, {} mended", map.cycles, map.mended);
        let free = floor.links.iter().filter(|l| **l != 0).count();
        assert_eq!(reached, free, "maze {seed}: a maze is connected");
    });
}

#[test]
fn from_every_cell_of_20_mazes_the_descent_reaches_the_goal() {
    all_come_home(160, 0..20);
}

/// The deepest ones, whose corridors are one cell wide: without loops and with some.
#[test]
fn from_every_cell_of_two_mazes_of_1024_the_descent_reaches_the_goal() {
    all_come_home(1024, 0..2);
}

/// `cargo test --release -p throng --lib mazes_of_1024 -- --ignored --nocapture`
#[test]
#[ignore = "takes minutes"]
fn from_every_cell_of_20_mazes_of_1024_the_descent_reaches_the_goal() {
    all_come_home(1024, 0..20);
}

#[test]
fn a_wide_room_behind_a_gate_is_solved_whatever_its_width() {
    // With a width of 119 cells coarser levels ran away, and no value was a number.
    for width in [117, 118, 119, 120] {
        let mut floor = Floor::of_cells(width + 1, 120, |x, _| x < width);
        let mut goal = Vec::new();
        for y in 47..73 {
            floor.links[floor.layout.at(width - 1, y)] |= 2;
            goal.push(PaddedCell::of_place(floor.layout.at(width, y)));
        }
        let map = solve(&floor, &goal);
        let reached = map.log.iter().filter(|log| log.is_finite()).count();
        assert_eq!(reached, width * 120 + goal.len(), "{width} cells wide");
        assert!(map.converged, "{width} cells wide: {} cycles", map.cycles);
    }
}
