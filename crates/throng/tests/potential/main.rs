//! The contract of the potential's solvers, tested here:
//!
//! - The scheme has one fixed point: any order of updates ends there. It is the reason for looking at all four
//!   quadrants instead of one neighbour per axis, and what lets different engines agree.
//! - The march, and the march in tiles, reach that fixed point to the rounding of `f32`, on any ground and with any width of
//!   buckets; cells that no open way reaches stay [`UNREACHED`].
//! - What the tiles give does not depend on threads, nor on what else is solved with it or was solved before.
//! - The fixed point converges to the exact solution as cells shrink, with the error known for first order.
//! - No input makes it give NaN, an infinity or a negative value, and from each reached cell the way leads down.
//! - The thesis's scheme ends, too, and on open ground with equal costs is the same times two.

mod accuracy;
mod any_costs;
mod fixed_point;
mod jumps;
mod orders;
#[path = "../reference/mod.rs"]
mod reference;
#[path = "../seed/mod.rs"]
mod seed;
mod tiles;

use reference::{Ground, Random, Solver, four_quadrants, ordered};
use throng::stages::potential::cpu::March;
use throng::stages::potential::tiles::TileMarch;
use throng::stages::potential::{Scheme, UNREACHED};

/// The solvers, new, and the unit that suits each, in mean link costs: the width of the march's buckets, the tiles'
/// typical link cost.
fn solvers() -> [(&'static str, Box<dyn Solver>, f64); 2] {
    [("march", Box::new(March::default()), 0.25), ("tiles", Box::new(TileMarch::default()), 1.0)]
}

/// Grounds whose costs are drawn between 1 and 5 for each cell and direction: open ones, and ones with walls.
fn rough_grounds() -> Vec<(&'static str, Ground)> {
    let mut random = Random::new(7);
    let mut open = |size, goal| Ground::new(size, goal, |_, _, _| random.between(1.0, 5.0));
    let mut list = vec![
        ("square", open((40, 40), vec![20 * 40 + 20])),
        ("wide, a goal along its west side", open((47, 19), (0..19).map(|y| y * 47).collect())),
        ("narrow, a goal in a corner", open((9, 41), vec![0])),
        ("large", open((90, 70), vec![35 * 90 + 11])),
    ];
    let mut walled = open((36, 28), vec![3]);
    for y in 0..22 {
        walled.close(y * 36 + 12, 1); // thin, between two columns
    }
    for y in 8..28 {
        for d in 0..4 {
            walled.close(y * 36 + 24, d); // a whole cell thick
        }
    }
    list.push(("two walls", walled));
    for seed in 1..4 {
        list.push(("maze", Ground::maze(&mut Random::new(seed), (33, 38), vec![seed as usize, 600])));
    }
    list
}

/// The largest error of the library against the reference, in parts of what is allowed: a thousandth of the
/// cheapest link (cells next to the goal) and 1e-4 of the value. The value's part covers `f32`: half a unit of
/// 6e-8 for each of up to a thousand updates in a row, all rounded the same way. Measured: 1e-6 of the value.
fn error_to_reference(ground: &Ground, potential: &[f32], expected: &[f64]) -> f64 {
    let (layout, ..) = ground.padded();
    let least = ground.cost.iter().flatten().fold(f64::INFINITY, |least, &cost| least.min(cost));
    let least = if least.is_finite() { least } else { 0.0 };
    let mut worst = 0.0f64;
    for (cell, &value) in expected.iter().enumerate() {
        let found = potential[layout.cell(cell).place()];
        if value.is_infinite() {
            assert_eq!(found, UNREACHED, "cell {cell} cannot be reached");
        } else {
            worst = worst.max((f64::from(found) - value).abs() / (1e-3 * least + 1e-4 * value).max(f64::MIN_POSITIVE));
        }
    }
    worst
}

fn assert_is_the_reference(name: &str, ground: &Ground) {
    let expected = ordered(ground, four_quadrants);
    let (layout, ..) = ground.padded();
    let inner: Vec<usize> = (0..expected.len()).map(|cell| layout.cell(cell).place()).collect();
    for (solver, mut solve, unit) in solvers() {
        let (potential, report) = ground.solve(&mut *solve, (unit * ground.mean_cost()) as f32, Scheme::Upwind);
        let error = error_to_reference(ground, &potential, &expected);
        assert!(error <= 1.0, "{name}, {solver}: {error} times the allowed error");
        assert!(report.converged, "{name}, {solver}");
        let border = (0..layout.size()).filter(|place| !inner.contains(place));
        assert!(
            border.into_iter().all(|place| potential[place] >= UNREACHED),
            "{name}, {solver}: a value on the border"
        );
    }
}
