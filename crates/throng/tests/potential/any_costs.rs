//! Any costs at all, and the thesis's scheme.

use super::reference::{Ground, four_quadrants, ordered};
use super::{error_to_reference, solvers};
use proptest::prelude::*;
use throng::stages::potential::cpu::March;
use throng::stages::potential::{Scheme, UNREACHED};

/// Any ground up to 14 by 14: costs over 18 orders of magnitude, links closed at random, also one way only.
fn any_ground() -> impl Strategy<Value = Ground> {
    let link = || prop_oneof![4 => (-6.0f32..12.0).prop_map(|power| 10f32.powf(power)), 1 => Just(f32::INFINITY)];
    (1usize..15, 1usize..15).prop_flat_map(move |(w, h)| {
        let links = proptest::collection::vec(link(), w * h * 4);
        let goal = proptest::collection::vec(0..w * h, 1..5);
        (links, goal).prop_map(move |(links, goal)| Ground::new((w, h), goal, |x, y, d| links[(y * w + x) * 4 + d]))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn any_costs_give_finite_values_that_are_not_negative_and_lead_down_to_the_goal(
        ground in any_ground(), power in -3.0f64..3.0,
    ) {
        let unit = (10f64.powf(power) * ground.mean_cost()) as f32;
        let expected = ordered(&ground, four_quadrants);
        let (layout, ..) = ground.padded();
        for (_, mut solve, _) in solvers() {
            let (potential, report) = ground.solve(&mut *solve, unit, Scheme::Upwind);
            prop_assert!(report.converged);
            prop_assert!(potential.iter().all(|p| (0.0..=UNREACHED).contains(p)));
            prop_assert!(error_to_reference(&ground, &potential, &expected) <= 1.0);
            let value = |cell: usize| potential[layout.cell(cell).place()];
            for cell in 0..expected.len() {
                if ground.goal.contains(&cell) {
                    prop_assert_eq!(value(cell), 0.0);
                } else if value(cell) < UNREACHED {
                    let down = (0..4).any(|d| {
                        let cost = ground.cost[cell][d];
                        let Some(next) = ground.neighbour(cell, d).filter(|_| cost.is_finite()) else { return false };
                        // A link that costs less than the value's last bit cannot lower it: then it is level.
                        let lost = cost <= f64::from(f32::EPSILON * value(cell));
                        value(next) < value(cell) || (lost && value(next) <= value(cell))
                    });
                    prop_assert!(down, "cell {} with value {} is a hollow", cell, value(cell));
                }
            }
        }
    }

    #[test]
    fn the_thesis_scheme_ends_without_nan_whatever_the_costs(ground in any_ground()) {
        let (layout, ..) = ground.padded();
        let (potential, report) = ground.solve(&mut March::default(), ground.mean_cost() as f32, Scheme::Thesis);
        // It may stop early, after 200 visits a cell and the bucket at hand, but then says so.
        prop_assert!(report.converged || report.visits > 200 * layout.size() as u64);
        prop_assert!(potential.iter().all(|p| (0.0..=UNREACHED).contains(p)));
        // What is reached does not depend on the scheme.
        for (cell, value) in ordered(&ground, four_quadrants).into_iter().enumerate() {
            prop_assert_eq!(potential[layout.cell(cell).place()] < UNREACHED, value.is_finite());
        }
    }
}

#[test]
fn with_equal_costs_on_open_ground_the_thesis_scheme_gives_twice_the_potential() {
    for (size, goal, cost) in
        [((90, 70), vec![3000], 1.0f32), ((33, 128), vec![0, 700], 0.37), ((50, 50), (0..50).collect(), 41.0)]
    {
        let ground = Ground::new(size, goal, |_, _, _| cost);
        let solve = |scheme| ground.solve(&mut March::default(), cost, scheme);
        let ((upwind, _), (thesis, report)) = (solve(Scheme::Upwind), solve(Scheme::Thesis));
        assert!(report.converged);
        for (a, b) in upwind.iter().zip(&thesis).filter(|(a, _)| **a < UNREACHED) {
            // The two write the root differently: a few roundings of 6e-8 in each of some hundred updates.
            assert!((b - 2.0 * a).abs() <= 1e-5 * b, "{a} and {b}");
        }
    }
}
