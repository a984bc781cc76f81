//! Crowds: on the CPU engine.

use super::{STEERINGS, head, on_a_circle, scene, watch, with_seed};
use throng::Simulation;

#[test]
fn a_hundred_on_a_circle_reach_their_opposites() {
    // On 30 m, three times as dense where they meet, velocity obstacles take 1.5 of the straight way with some seeds.
    for (steer, radius, most) in
        [("velocity-obstacle", 20.0, 1.5), ("velocity-obstacle", 15.0, 1.6), ("orca", 20.0, 1.5), ("orca", 15.0, 1.5)]
    {
        for seed in 1..=3 {
            let what = format!("{steer}, {radius} m, seed {seed}");
            let run = Simulation::with_threads(&on_a_circle(steer, 100, radius, seed), 2).unwrap();
            let shown = watch(run, 90.0, &what);
            assert!(shown.deepest < 0.05, "{what}: two overlap by {}", shown.deepest);
            assert!(shown.slowest < most, "{what}: the slowest takes {} of the straight way", shown.slowest);
            assert!(shown.turning < 60.0, "{what}: {} degrees a metre", shown.turning);
        }
    }
}

fn streams(
    size: [f32; 2],
    steer: &str,
    count: u32,
    starts: [[f32; 4]; 2],
    goals: [[f32; 4]; 2],
    seed: u32,
) -> Simulation {
    let mut text = head(size, steer);
    for (k, (start, goal)) in starts.iter().zip(goals).enumerate() {
        text += &format!(
            "[[goal]]\nname = \"g{k}\"\nrect = {goal:?}\n[[agents]]\ncount = {count}\nstart = {{ rect = {start:?} }}\nradius = 0.2\n\
             journey = [\"g{k}\"]\n"
        );
    }
    Simulation::with_threads(&scene(&with_seed(&text, seed)), 2).unwrap()
}

#[test]
fn five_hundred_against_five_hundred_pass_in_a_corridor() {
    for steer in STEERINGS {
        let starts = [[2.0, 0.0, 27.0, 10.0], [43.0, 0.0, 68.0, 10.0]];
        let goals = [[68.0, 0.0, 70.0, 10.0], [0.0, 0.0, 2.0, 10.0]];
        let shown = watch(streams([70.0, 10.0], steer, 500, starts, goals, 1), 400.0, steer);
        assert!(shown.deepest < 0.05, "{steer}: two overlap by {}", shown.deepest);
        assert!(shown.turning < 150.0, "{steer}: {} degrees a metre", shown.turning);
        assert!(shown.time < 300.0, "{steer}: {} s", shown.time);
    }
}

#[test]
fn two_streams_cross_at_a_right_angle() {
    for steer in STEERINGS {
        let starts = [[1.0, 12.0, 10.0, 18.0], [12.0, 1.0, 18.0, 10.0]];
        let goals = [[29.0, 11.0, 30.0, 19.0], [11.0, 29.0, 19.0, 30.0]];
        for seed in 1..=3 {
            let shown = watch(streams([30.0, 30.0], steer, 100, starts, goals, seed), 120.0, steer);
            assert!(shown.deepest < 0.05, "{steer}, seed {seed}: two overlap by {}", shown.deepest);
            assert!(shown.turning < 120.0, "{steer}, seed {seed}: {} degrees a metre", shown.turning);
        }
    }
}
