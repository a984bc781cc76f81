//! People keep their distance as measured crowds do.

use super::{PEOPLE, head, scene, two_rooms};
use throng::Simulation;

/// Density and speed in 1.8 × 2 m of a corridor behind a room, means over 2 s.
fn looks(entrance: f32, exit: f32, cell: f32) -> Vec<(f32, f32)> {
    let gap = |w: f32| (4.0 - w / 2.0, 4.0 + w / 2.0);
    let ((a, b), (c, d)) = (gap(entrance), gap(exit));
    let text = head([21.0, 8.0], cell, "static")
        + &format!(
            "[map]\nwalls = [{{ rect = [9.8, 0, 10, {a}] }}, {{ rect = [9.8, {b}, 10, 8] }}, {{ rect = [10, 0, 18, 3.1] }}, \
             {{ rect = [10, 4.9, 18, 8] }}, {{ rect = [18, 0, 18.2, {c}] }}, {{ rect = [18, {d}, 18.2, 8] }}]\n[[goal]]\n\
             rect = [20, 0, 21, 8]\n[[agents]]\ncount = 120\nstart = {{ rect = [0.5, 0.5, 9, 7.5] }}\n{PEOPLE}"
        );
    let mut run = Simulation::with_threads(&scene(&text), 2).unwrap();
    let mut looks = Vec::new();
    while !run.is_done() && run.time() < 100.0 {
        let (mut people, mut speed) = (0.0f32, 0.0);
        for _ in 0..10 {
            run.steps_by(4).unwrap();
            let a = run.agents().unwrap();
            for i in (0..a.len()).filter(|&i| a.state[i].on_floor() && (13.0..15.0).contains(&a.position[i].x)) {
                people += 1.0;
                speed += a.velocity[i].x;
            }
        }
        if people > 0.0 {
            looks.push((people / 36.0, speed / people));
        }
    }
    looks
}

#[test]
fn speed_falls_with_density_as_measured_whatever_the_cell() {
    for cell in [0.25, 0.5] {
        let all: Vec<(f32, f32)> =
            [(0.8, 1.8), (1.2, 1.8), (1.8, 1.2), (1.8, 1.0)].iter().flat_map(|&(a, b)| looks(a, b, cell)).collect();
        for (density, measured, within) in [(1.0, 1.24, 0.2), (1.5, 1.04, 0.2), (2.0, 0.70, 0.25)] {
            let near: Vec<f32> = all.iter().filter(|l| (l.0 - density).abs() < 0.25).map(|l| l.1).collect();
            let mean = near.iter().sum::<f32>() / near.len() as f32;
            assert!(near.len() >= 10, "{density} persons/m²: {} looks", near.len());
            assert!((mean / measured - 1.0).abs() < within, "cells of {cell} m, {density} persons/m²: {mean} m/s");
        }
        // Nobody presses on beyond what bodies hold.
        assert!(all.iter().all(|l| l.0 < 5.0));
    }
}

#[test]
fn bodies_hardly_overlap_in_a_two_way_door() {
    let mut run = Simulation::with_threads(&two_rooms(40, 1.0, 0.25, "static"), 2).unwrap();
    let (mut mean, mut share, mut looks) = (0.0, 0.0, 0.0f32);
    while run.time() < 40.0 {
        run.steps_by(5).unwrap();
        let c = run.counters();
        (mean, share, looks) = (mean + c.overlap.mean, share + c.overlap.share, looks + 1.0);
    }
    assert!(mean / looks < 0.01 && share / looks < 0.04, "mean {}, share {}", mean / looks, share / looks);
}

#[test]
fn people_wait_for_those_ahead_and_not_for_those_behind_a_wall() {
    // Two lanes, a thin wall between: in the one a row stands still, in the other somebody walks past.
    let text = head([20.0, 3.0], 0.25, "static")
        + "[map]\nwalls = [{ rect = [0, 1.45, 20, 1.55] }]\n[[goal]]\nrect = [19, 0, 20, 3]\n\
           [[agents]]\ncount = 12\nstart = { rect = [4, 0, 14, 1.4] }\nradius = 0.2\ndelay = 1000\n\
           [[agents]]\ncount = 1\nstart = { rect = [1, 2, 1.5, 2.5] }\nradius = 0.2\nspeed = 1.3\narrive = \"park\"\n";
    let mut run = Simulation::with_threads(&scene(&text), 1).unwrap();
    while run.counters().arrived == 0 && run.time() < 30.0 {
        run.step().unwrap();
    }
    // 17.5 to 18 m at 1.3 m/s.
    assert!((12.5..15.0).contains(&run.time()), "{} s", run.time());
}

/// Two streams in a corridor in which nobody can pass: whoever is blocked for good would step aside again and again, always to the same
/// side, and a whole crowd that does presses itself into the walls there (`hills` had 48 persons/m²).
#[test]
fn who_steps_aside_in_vain_does_it_less_and_less() {
    let text = head([12.0, 2.0], 0.25, "static")
        + "[map]\nwalls = [{ rect = [0, 0, 12, 0.5] }, { rect = [0, 1.1, 12, 2] }]\n\
           [[goal]]\nname = \"east\"\nrect = [11, 0.5, 12, 1.1]\n[[goal]]\nname = \"west\"\nrect = [0, 0.5, 1, 1.1]\n"
        + &["[1.5, 0.5, 5.5, 1.1]", "[6.5, 0.5, 10.5, 1.1]"].iter().zip(["east", "west"]).fold(
            String::new(),
            |text, (rect, goal)| {
                text + &format!(
                    "[[agents]]\ncount = 6\nradius = 0.2\nstart = {{ rect = {rect} }}\njourney = [\"{goal}\"]\narrive = \"park\"\n"
                )
            },
        );
    let mut run = Simulation::with_threads(&scene(&text), 2).unwrap();
    let mut aside = |from: f64| {
        while run.time() < from {
            run.steps_by(20).unwrap();
        }
        let mut looks = 0;
        while run.time() < from + 60.0 {
            run.steps_by(20).unwrap();
            let now = 2 + (run.steps() & 1) as usize;
            looks += run.agents().unwrap().own[0].values.chunks(4).filter(|mind| mind[now] > 0.0).count();
        }
        looks
    };
    let (early, late) = (aside(30.0), aside(600.0));
    assert!(early > 50, "{early} looks at somebody who steps aside: is nobody blocked?");
    assert!(late * 3 < early, "{early} looks at first, {late} after ten minutes");
}
