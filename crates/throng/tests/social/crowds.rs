//! Whole crowds: behind walls, of different sizes and speeds, dense for long.

use super::engines::runs;
use super::{crossing, scene};
use throng::Simulation;

#[test]
fn a_plan_leads_people_of_all_sizes_round_walls() {
    // Straight ahead is a pocket of walls, where forces alone would hold everybody.
    for plan in ["static", "continuum", "froblins"] {
        let text = format!(
            "size = [24, 16]\ncell = 0.5\nseed = 1\n[map]\nwalls = [{{ rect = [12, 4, 12.1, 12] }}, {{ line = [[8, 4], [12, 4]] }}, {{ line = [[8, 12], [12, 12]] }}]\n\
             [[goal]]\nname = \"out\"\nrect = [22, 6, 24, 10]\n[model]\nplan = \"{plan}\"\nsteer = \"social-force\"\n\
             [[agents]]\ncount = 50\nstart = {{ rect = [1, 1, 11, 15] }}\nradius = {{ uniform = [0.12, 0.4] }}\nspeed = {{ uniform = [0.6, 1.9] }}\njourney = [\"out\"]\n"
        );
        for mut run in runs(&scene(&text)) {
            let name = run.engine().name();
            if name == "gpu" && plan != "static" {
                continue;
            }
            while !run.is_done() && run.time() < 120.0 {
                run.step().unwrap();
            }
            let c = run.counters();
            assert!(run.is_done(), "{plan}, {name}: {} of 50 arrived", c.arrived);
            assert_eq!((c.in_wall, c.not_finite), (0, 0), "{plan}, {name}");
            assert!(c.overlap_share_mean < 0.1, "{plan}, {name}: {:?}", c.overlap);
        }
    }
}

#[test]
fn nothing_swings_up_in_a_dense_crowd() {
    // 25 people in every cell of 32, for 10,000 steps, with the longest step: speeds may not spread more and more.
    for congestion in ["standard", "avoidance", "dispersion"] {
        let scene = crossing(16.0, 400, &format!("congestion = \"{congestion}\""));
        let mut run = Simulation::with_threads(&scene, 2).unwrap();
        let mut energies = Vec::new();
        for _ in 0..10 {
            let mut sum = 0.0;
            for _ in 0..20 {
                run.steps_by(50).unwrap();
                let a = run.agents().unwrap();
                sum += a.velocity.iter().map(|v| f64::from(v.length_squared())).sum::<f64>() / a.len() as f64;
            }
            energies.push(sum / 20.0);
        }
        let (early, late) = (energies[0], energies[5..].iter().copied().fold(0.0, f64::max));
        assert!(late < 1.15 * early, "{congestion}: the mean square of speeds grows: {energies:?}");
        assert!(run.counters().mean_speed < 1.3 && run.counters().not_finite == 0, "{congestion}");
    }
}

#[test]
fn other_cells_and_steps_keep_the_bound() {
    // Cells of 4 m are not a whole number of these.
    for (cell, dt) in [(0.3, 0.04), (0.7, 0.1), (1.5, 0.02)] {
        let text = crossing(24.0, 800, "congestion = \"standard\"").source().text.clone();
        let size = (24.0f32 / cell).round() * cell;
        let text = text.replace("cell = 0.5", &format!("cell = {cell}")).replace("dt = 0.05", &format!("dt = {dt}"));
        let text = text.replace("size = [24, 24]", &format!("size = [{size}, {size}]"));
        let mut run = Simulation::with_threads(&scene(&text), 2).unwrap();
        let side = (4.0 / cell - 1e-3).ceil() * cell;
        let count = |run: &mut Simulation| {
            let mut counts = std::collections::BTreeMap::new();
            for (_, p) in run.positions().unwrap() {
                *counts.entry(((p / side).floor().x as i32, (p / side).floor().y as i32)).or_insert(0u32) += 1;
            }
            counts.into_values().max().unwrap_or(0)
        };
        let first = count(&mut run);
        for _ in 0..200 {
            run.step().unwrap();
            assert!(count(&mut run) <= first.max(32), "cells of {cell} m, steps of {dt} s");
        }
    }
}
