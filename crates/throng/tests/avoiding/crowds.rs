//! Crowds: on the CPU engine.

use super::{STEERINGS, head, on_a_circle, scene, watch};
use throng::Simulation;

#[test]
fn a_hundred_on_a_circle_reach_their_opposites() {
    for steer in STEERINGS {
        let run = Simulation::with_threads(&on_a_circle(steer, 100, 20.0), 2).unwrap();
        let shown = watch(run, 90.0, steer);
        assert!(shown.deepest < 0.05, "{steer}: two overlap by {}", shown.deepest);
        assert!(shown.slowest < 1.5, "{steer}: the slowest takes {} of the straight way", shown.slowest);
        assert!(shown.turning < 60.0, "{steer}: {} degrees a metre", shown.turning);
    }
}

fn streams(size: [f32; 2], steer: &str, count: u32, starts: [[f32; 4]; 2], goals: [[f32; 4]; 2]) -> Simulation {
    let mut text = head(size, steer);
    for (k, (start, goal)) in starts.iter().zip(goals).enumerate() {
        text += &format!(
            "[[goal]]\nname = \"g{k}\"\nrect = {goal:?}\n[[agents]]\ncount = {count}\nstart = {{ rect = {start:?} }}\nradius = 0.2\n\
             journey = [\"g{k}\"]\n"
        );
    }
    Simulation::with_threads(&scene(&text), 2).unwrap()
}

#[test]
fn five_hundred_against_five_hundred_pass_in_a_corridor() {
    for steer in STEERINGS {
        let starts = [[2.0, 0.0, 27.0, 10.0], [43.0, 0.0, 68.0, 10.0]];
        let goals = [[68.0, 0.0, 70.0, 10.0], [0.0, 0.0, 2.0, 10.0]];
        let shown = watch(streams([70.0, 10.0], steer, 500, starts, goals), 400.0, steer);
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
        let shown = watch(streams([30.0, 30.0], steer, 100, starts, goals), 120.0, steer);
        assert!(shown.deepest < 0.05, "{steer}: two overlap by {}", shown.deepest);
        assert!(shown.turning < 120.0, "{steer}: {} degrees a metre", shown.turning);
    }
}
