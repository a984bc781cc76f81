//! Links between cells that are not neighbours.

use super::*;
use crate::reference::{Ground, Random, four_quadrants, start};
use throng::stages::potential::UNREACHED;

/// Two mazes with nothing between them but jumps, both ways, and some jumps inside each.
fn two_mazes(stream: u32) -> Ground {
    let (width, height) = (90, 41);
    let mut random = Random::new(stream);
    let mut ground = Ground::maze(&mut random, (width, height), vec![20 * width + 3]);
    for y in 0..height {
        ground.close(y * width + 44, 1);
    }
    let mut taken = Vec::new();
    let mut draw = |west: bool| loop {
        let x = random.below(45) + if west { 0 } else { 45 };
        let cell = random.below(height) * width + x;
        if !taken.contains(&cell) {
            taken.push(cell);
            return (cell, f64::from(random.between(0.5, 30.0)));
        }
    };
    for (a, b) in [[(true, false); 8], [(true, true); 8], [(false, false); 8]].concat() {
        let ((from, cost), (to, _)) = (draw(a), draw(b));
        ground.jumps.extend([(from, to, cost), (to, from, cost)]);
    }
    ground
}

/// The fixed point by the dullest means: every cell again and again, until nothing changes.
fn again_and_again(ground: &Ground) -> Vec<f64> {
    let mut values = start(ground);
    loop {
        let mut changed = false;
        for cell in 0..values.len() {
            let by_jump = ground.jumps.iter().filter(|j| j.0 == cell).map(|j| values[j.1] + j.2);
            let new = by_jump.fold(four_quadrants(ground, &values, cell), f64::min);
            if new < values[cell] {
                values[cell] = new;
                changed = true;
            }
        }
        if !changed {
            return values;
        }
    }
}

#[test]
fn both_solvers_find_the_fixed_point_with_jumps() {
    for stream in 70..74 {
        let ground = two_mazes(stream);
        let expected = again_and_again(&ground);
        let east = |cell: usize| cell % ground.width > 44;
        let beyond = (0..expected.len()).filter(|&c| east(c) && expected[c].is_finite()).count();
        assert!(beyond > 500, "stream {stream}: only {beyond} cells are reached through a jump");
        let unit = ground.mean_cost() as f32;
        let march = ground.solve(&mut March::default(), 0.25 * unit, Scheme::Upwind);
        let tiles = ground.solve(&mut TileMarch::default(), unit, Scheme::Upwind);
        let (layout, ..) = ground.padded();
        for (name, (potential, report)) in [("march", march), ("tiles", tiles)] {
            assert!(report.converged, "{name}");
            for (cell, &right) in expected.iter().enumerate() {
                let value = potential[layout.cell(cell).place()];
                // Single precision over some hundred cells.
                let near = if right.is_finite() {
                    (f64::from(value) - right).abs() <= 2e-6 * right
                } else {
                    value >= UNREACHED
                };
                assert!(near, "{name}, stream {stream}, cell {cell}: {value}, not {right}");
            }
        }
    }
}

#[test]
fn jumps_give_the_same_bits_on_any_number_of_threads() {
    let ground = two_mazes(75);
    let solve = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| ground.solve(&mut TileMarch::default(), ground.mean_cost() as f32, Scheme::Upwind))
    };
    let (one, report) = solve(1);
    for threads in [2, 5] {
        let (other, work) = solve(threads);
        assert!(one.iter().zip(&other).all(|(a, b)| a.to_bits() == b.to_bits()), "{threads} threads");
        assert_eq!(report, work);
    }
}
