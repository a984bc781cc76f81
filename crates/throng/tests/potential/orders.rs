//! The scheme itself: its fixed point, and why it looks at four quadrants.

use super::reference::{Ground, Random, four_quadrants, ordered, quadrant, start};
use super::rough_grounds;

type Rule = fn(&Ground, &[f64], usize) -> f64;

/// Alternating sweeps from the four corners, until none changes anything.
fn sweeps(ground: &Ground, rule: Rule) -> Vec<f64> {
    let (mut values, mut changed) = (start(ground), true);
    let (w, h) = (ground.width, ground.height);
    while changed {
        changed = false;
        for corner in 0..4 {
            for k in 0..w * h {
                let (i, j) = (k % w, k / w);
                let x = if corner & 1 == 0 { i } else { w - 1 - i };
                let y = if corner & 2 == 0 { j } else { h - 1 - j };
                changed |= improve(ground, rule, &mut values, y * w + x);
            }
        }
    }
    values
}

/// All cells in an order drawn anew for each pass, until a pass changes nothing.
fn at_random(ground: &Ground, rule: Rule) -> Vec<f64> {
    let (mut values, mut changed) = (start(ground), true);
    let mut order: Vec<usize> = (0..values.len()).collect();
    let mut random = Random::new(99);
    while changed {
        for k in (1..order.len()).rev() {
            order.swap(k, random.below(k + 1));
        }
        changed = false;
        for &cell in &order {
            changed |= improve(ground, rule, &mut values, cell);
        }
    }
    values
}

fn improve(ground: &Ground, rule: Rule, values: &mut [f64], cell: usize) -> bool {
    let new = rule(ground, values, cell);
    let better = new < values[cell];
    if better {
        values[cell] = new;
    }
    better
}

/// The rule of the thesis, of Continuum Crowds and of Froblins: on each axis only the neighbour with the smaller `P +
/// C`.
fn one_per_axis(ground: &Ground, values: &[f64], cell: usize) -> f64 {
    let way = |d| ground.way(values, cell, d);
    let pick = |a: (f64, f64), b: (f64, f64)| if a.0 + a.1 <= b.0 + b.1 { a } else { b };
    quadrant(pick(way(1), way(3)), pick(way(0), way(2)))
}

/// The three orders, and the largest difference between them: absolute, and in parts of the value.
fn difference_between_orders(ground: &Ground, rule: Rule) -> (f64, f64) {
    let march = ordered(ground, rule);
    let (mut absolute, mut relative) = (0.0f64, 0.0f64);
    for other in [sweeps(ground, rule), at_random(ground, rule)] {
        for (a, b) in march.iter().zip(&other) {
            assert_eq!(a.is_finite(), b.is_finite(), "reached in one order, not in another");
            if a.is_finite() {
                absolute = absolute.max((a - b).abs());
                relative = relative.max((a - b).abs() / a.max(1.0));
            }
        }
    }
    (absolute, relative)
}

#[test]
fn the_fixed_point_of_the_scheme_does_not_depend_on_the_order_of_updates() {
    let (mut reached, mut cells) = (0, 0);
    for (name, ground) in rough_grounds() {
        // Doubles round by 1e-16 an update; no value depends on more than some hundred updates. Measured: 0.
        let (_, relative) = difference_between_orders(&ground, four_quadrants);
        assert!(relative <= 1e-9, "{name}: orders differ by {relative:e}");
        let values = ordered(&ground, four_quadrants);
        reached += values.iter().filter(|v| v.is_finite()).count();
        cells += values.len();
    }
    // A maze may wall its goal in; the others are open.
    assert!(reached > cells / 2, "hardly a cell is reached: {reached} of {cells}");
}

#[test]
fn with_one_neighbour_per_axis_the_result_depends_on_the_order_of_updates() {
    // Why the scheme looks at four quadrants: a neighbour that improves may be chosen in place of one with a dearer
    // link, and so raise the root. The orders then end at different values, by a good part of a link's cost.
    // In a maze most cells have only one way on, and there is little to choose: those are left out.
    let open = rough_grounds().into_iter().filter(|(name, _)| *name != "maze");
    let most = open.map(|(_, ground)| difference_between_orders(&ground, one_per_axis).0).fold(0.0, f64::max);
    // A tenth of the least link cost is 1e8 times what rounding could do. Measured: 0.48 to 0.77 on most grounds, but a
    // small one can chance to have no such cell: one ground that has is enough.
    assert!(most > 0.1, "orders differ by {most} only");
}

#[test]
fn the_reference_solves_the_equation_that_it_is_written_from() {
    let mut random = Random::new(5);
    let mut roots = 0;
    for _ in 0..20_000 {
        let mut draw = |low: f32, high: f32| 10f64.powf(f64::from(random.between(low, high)));
        let (px, cx, py, cy) = (draw(-2.0, 2.0), draw(-2.0, 2.0), draw(-2.0, 2.0), draw(-2.0, 2.0));
        let p = quadrant((px, cx), (py, cy));
        let left = ((p - px) / cx).powi(2) + ((p - py) / cy).powi(2);
        if p >= px.max(py) && p < (px + cx).min(py + cy) {
            roots += 1;
            // p has 16 digits, of which P - Px loses up to 4 (values to 100, costs from 0.01), squared.
            assert!((left - 1.0).abs() < 1e-10, "px {px} cx {cx} py {py} cy {cy}: {left}");
        } else {
            // No root above both: at the higher neighbour the left side is 1 already.
            assert_eq!(p, (px + cx).min(py + cy));
            let m = px.max(py);
            assert!(((m - px) / cx).powi(2) + ((m - py) / cy).powi(2) >= 1.0);
        }
    }
    assert!(roots > 2_000, "only {roots} of the draws have a root");
}
