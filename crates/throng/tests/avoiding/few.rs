//! A few people: on both engines.

use super::engines::runs;
use super::{STEERINGS, head, on_a_circle, person, scene, watch};
use throng::{Simulation, Vec2};

#[test]
fn two_who_meet_head_on_pass_smoothly_and_lose_no_time() {
    for steer in STEERINGS {
        let (west, east) = (Vec2::new(2.0, 3.0), Vec2::new(12.0, 3.0));
        let text = head([14.0, 6.0], steer) + &person(west, east, 0.2) + &person(east, west, 0.2);
        for run in runs(&scene(&text)) {
            let what = format!("{steer}, {}", run.engine().name());
            let shown = watch(run, 30.0, &what);
            assert!(shown.deepest < 0.05 && shown.slowest < 1.5, "{what}: {} {}", shown.deepest, shown.slowest);
            assert!(shown.turning < 20.0, "{what}: {} degrees a metre", shown.turning);
        }
    }
}

#[test]
fn four_who_cross_pass_smoothly_and_lose_no_time() {
    for steer in STEERINGS {
        let middle = Vec2::splat(7.0);
        let mut text = head([14.0, 14.0], steer);
        for away in [Vec2::X, Vec2::Y, -Vec2::X, -Vec2::Y] {
            text += &person(middle + away * 5.0, middle - away * 5.0, 0.2);
        }
        for run in runs(&scene(&text)) {
            let what = format!("{steer}, {}", run.engine().name());
            let shown = watch(run, 30.0, &what);
            assert!(shown.deepest < 0.05 && shown.slowest < 1.5, "{what}: {} {}", shown.deepest, shown.slowest);
            assert!(shown.turning < 30.0, "{what}: {} degrees a metre", shown.turning);
        }
    }
}

#[test]
fn bodies_of_different_sizes_keep_the_sum_of_their_radii() {
    for steer in STEERINGS {
        let (west, east) = (Vec2::new(2.0, 4.0), Vec2::new(14.0, 4.0));
        let text = head([16.0, 8.0], steer) + &person(west, east, 0.15) + &person(east, west, 0.6);
        let mut run = Simulation::with_threads(&scene(&text), 1).unwrap();
        let mut least = f32::MAX;
        while !run.is_done() && run.time() < 30.0 {
            run.step().unwrap();
            let a = run.agents().unwrap();
            if a.state.iter().all(|s| s.on_floor()) {
                least = least.min(a.position[0].distance(a.position[1]));
            }
        }
        assert!(run.is_done() && (0.95 * 0.75..1.6).contains(&least), "{steer}: they came within {least} m");
    }
}

#[test]
fn a_dozen_on_a_circle_reach_their_opposites_on_both_engines() {
    for steer in STEERINGS {
        for run in runs(&on_a_circle(steer, 12, 4.0, 1)) {
            let what = format!("{steer}, {}", run.engine().name());
            let shown = watch(run, 40.0, &what);
            assert!(shown.deepest < 0.05 && shown.slowest < 1.5, "{what}: {} {}", shown.deepest, shown.slowest);
            assert!(shown.turning < 60.0, "{what}: {} degrees a metre", shown.turning);
        }
    }
}
