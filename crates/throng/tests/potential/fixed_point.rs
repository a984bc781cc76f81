//! Both solvers against the reference.

use super::reference::{Ground, Random, four_quadrants, ordered};
use super::{assert_is_the_reference, error_to_reference, rough_grounds, solvers};
use throng::stages::potential::{Scheme, UNREACHED};

#[test]
fn both_solvers_give_the_fixed_point_on_open_ground_behind_walls_and_in_mazes() {
    for (name, ground) in rough_grounds() {
        assert_is_the_reference(name, &ground);
    }
    for seed in 0..40 {
        let mut random = Random::new(100 + seed);
        let size = (1 + random.below(40), 1 + random.below(40));
        let goal = (0..1 + random.below(6)).map(|_| random.below(size.0 * size.1)).collect();
        assert_is_the_reference("a random maze", &Ground::maze(&mut random, size, goal));
    }
}

#[test]
fn both_solvers_give_the_fixed_point_for_goals_of_one_cell_of_many_and_of_all() {
    let (w, h) = (23, 14);
    let goals: [(&str, Vec<usize>); 6] = [
        ("the middle", vec![7 * w + 11]),
        ("the last cell", vec![w * h - 1]),
        ("a block", (0..40).map(|k| (5 + k / 8) * w + 3 + k % 8).collect()),
        (
            "the whole border",
            (0..w * h).filter(|c| c % w == 0 || c % w == w - 1 || c / w == 0 || c / w == h - 1).collect(),
        ),
        ("one cell named three times", vec![50, 50, 50]),
        ("everything", (0..w * h).collect()),
    ];
    for (name, goal) in goals {
        let mut random = Random::new(11);
        assert_is_the_reference(name, &Ground::new((w, h), goal, |_, _, _| random.between(1.0, 5.0)));
    }
}

#[test]
fn a_world_of_one_cell_or_of_one_row_is_solved_too() {
    for size in [(1, 1), (1, 57), (57, 1), (2, 2), (3, 200)] {
        let mut random = Random::new(12);
        let ground = Ground::new(size, vec![size.0 * size.1 / 2], |_, _, _| random.between(1.0, 5.0));
        assert_is_the_reference("thin", &ground);
        if size.0 == 1 || size.1 == 1 {
            // Along a line there is nothing but sums.
            for (solver, mut solve, unit) in solvers() {
                let (potential, _) = ground.solve(&mut *solve, unit as f32, Scheme::Upwind);
                let (layout, ..) = ground.padded();
                let back = if size.0 == 1 { 2 } else { 3 };
                for cell in size.0 * size.1 / 2 + 1..size.0 * size.1 {
                    let before = potential[layout.cell(cell - 1).place()];
                    assert_eq!(
                        potential[layout.cell(cell).place()],
                        before + ground.cost[cell][back] as f32,
                        "{solver}"
                    );
                }
            }
        }
    }
}

#[test]
fn without_a_goal_or_with_a_walled_in_one_nothing_else_is_reached() {
    for (solver, mut solve, unit) in solvers() {
        let mut ground = Ground::new((8, 6), Vec::new(), |_, _, _| 1.0);
        let (potential, report) = ground.solve(&mut *solve, unit as f32, Scheme::Upwind);
        assert!(potential.iter().all(|&p| p >= UNREACHED), "{solver}");
        assert!(report.converged && report.visits == 0, "{solver}");
        ground.goal = vec![19];
        for d in 0..4 {
            ground.close(19, d);
        }
        let (potential, _) = ground.solve(&mut *solve, unit as f32, Scheme::Upwind);
        let (layout, ..) = ground.padded();
        let reached: Vec<usize> = (0..layout.size()).filter(|&place| potential[place] < UNREACHED).collect();
        assert_eq!(reached, [layout.cell(19).place()], "{solver}");
    }
}

#[test]
fn costs_over_six_orders_of_magnitude_give_the_same_fixed_point() {
    for seed in 0..6 {
        let mut random = Random::new(200 + seed);
        let (w, h) = (60, 45);
        let goal = vec![random.below(w * h)];
        let mut ground = Ground::new((w, h), goal, |_, _, _| 10f32.powf(random.between(-3.0, 3.0)));
        for _ in 0..seed * 150 {
            ground.close(random.below(w * h), random.below(4));
        }
        assert_is_the_reference("six orders of magnitude", &ground);
    }
}

#[test]
fn the_width_of_the_buckets_changes_nothing_but_the_work() {
    let mut random = Random::new(31);
    let wide = Ground::new((50, 50), vec![60], |_, _, _| 10f32.powf(random.between(-3.0, 3.0)));
    for (name, ground) in rough_grounds().into_iter().chain([("six orders of magnitude", wide)]) {
        let expected = ordered(&ground, four_quadrants);
        for (solver, mut solver_itself, suits) in solvers() {
            let mut solve =
                |unit: f64| ground.solve(&mut *solver_itself, (unit * ground.mean_cost()) as f32, Scheme::Upwind);
            let (first, _) = solve(suits);
            for unit in [1e-3, 1e-2, 0.1, 1.0, 10.0, 100.0, 1e3] {
                let (potential, report) = solve(unit);
                let what = format!("{name}, {solver}, unit {unit}");
                assert!(report.converged, "{what}");
                assert!(error_to_reference(&ground, &potential, &expected) <= 1.0, "{what}");
                // Rounding is not monotone, so that orders may end some bits apart. Measured: 2.3e-7 of the value.
                for (a, b) in potential.iter().zip(&first) {
                    assert!((a - b).abs() <= 2e-6 * b, "{what}: {a} and {b}");
                }
            }
        }
    }
    // Even a unit that makes no sense only changes the order.
    let (_, ground) = rough_grounds().swap_remove(4);
    let expected = ordered(&ground, four_quadrants);
    for unit in [0.0, f32::MIN_POSITIVE, f32::MAX, f32::INFINITY, f32::NAN] {
        for (solver, mut solve, _) in solvers() {
            let (potential, _) = ground.solve(&mut *solve, unit, Scheme::Upwind);
            assert!(error_to_reference(&ground, &potential, &expected) <= 1.0, "{solver}, unit {unit}");
        }
    }
}

#[test]
fn a_solver_used_before_gives_the_same_bits_as_a_new_one() {
    for (solver, mut used, unit) in solvers() {
        let number = solvers().iter().position(|(name, ..)| *name == solver).expect("it has its place");
        for (name, ground) in rough_grounds() {
            for scheme in [Scheme::Thesis, Scheme::Upwind] {
                let unit = (unit * ground.mean_cost()) as f32;
                let new = &mut solvers()[number].1;
                let expected = ground.solve(&mut **new, unit, scheme);
                assert_eq!(ground.solve(&mut *used, unit, scheme), expected, "{name}, {solver}");
            }
        }
    }
}
