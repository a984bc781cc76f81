//! People who meet pass each other.

use super::{head, runs, scene, two_rooms};
use throng::Simulation;

fn clears(mut run: Simulation, within: f64, what: &str) -> f64 {
    while !run.is_done() && run.time() < within {
        run.steps_by(20).unwrap();
    }
    let c = run.counters();
    assert_eq!(
        c.active,
        0,
        "{what}, {}: {} of {} arrived by {within} s",
        run.engine().name(),
        c.arrived,
        c.arrived + c.active
    );
    assert_eq!((c.in_wall, c.not_finite), (0, 0), "{what}");
    run.time()
}

#[test]
fn two_crowds_change_rooms_through_a_door_on_both_engines() {
    for run in runs(&two_rooms(20, 1.0, 0.5, "static")) {
        clears(run, 120.0, "20 against 20 through 1 m");
    }
}

#[test]
fn they_do_whatever_the_cell_and_the_plan() {
    for plan in ["static", "continuum"] {
        let times: Vec<f64> = [0.125, 0.25, 0.5]
            .iter()
            .map(|&cell| {
                let run = Simulation::with_threads(&two_rooms(40, 1.5, cell, plan), 2).unwrap();
                clears(run, 200.0, &format!("40 against 40 through 1.5 m, {plan}, cells of {cell} m"))
            })
            .collect();
        let (least, most) = times.iter().fold((f64::MAX, 0.0f64), |(a, b), &t| (a.min(t), b.max(t)));
        assert!(most < 2.0 * least, "{plan}: {times:?}");
    }
}

#[test]
fn whoever_follows_locks_where_whoever_walks_passes() {
    let mut scene = two_rooms(40, 1.0, 0.25, "static");
    scene.model.steer = throng::scene::Steer::Follow;
    let mut run = Simulation::with_threads(&scene, 2).unwrap();
    run.steps_by(4000).unwrap();
    assert!(run.counters().active > 40, "without seeing each other they would pass as well: the test says nothing");
    scene.model.steer = throng::scene::Steer::Walk;
    clears(Simulation::with_threads(&scene, 2).unwrap(), 200.0, "40 against 40 through 1 m");
}

#[test]
fn two_head_on_in_a_narrow_corridor_pass_without_stopping() {
    for seed in 1..=4 {
        let mut text = head([14.0, 3.0], 0.25, "static").replace("seed = 1", &format!("seed = {seed}"));
        text += "[map]\nwalls = [{ rect = [0, 0, 14, 0.9] }, { rect = [0, 2.1, 14, 3] }]\n";
        for (k, goal, start) in [(0, "13.5, 0, 14, 3", "1, 1.3, 1.5, 1.7"), (1, "0, 0, 0.5, 3", "12.5, 1.3, 13, 1.7")] {
            text += &format!(
                "[[goal]]\nname = \"g{k}\"\nrect = [{goal}]\n[[agents]]\ncount = 1\nstart = {{ rect = [{start}] }}\nradius = 0.2\n\
                 journey = [\"g{k}\"]\narrive = \"park\"\n"
            );
        }
        for mut run in runs(&scene(&text)) {
            let (mut least, mut sides) = (f32::MAX, Vec::new());
            while !run.is_done() && run.time() < 30.0 {
                run.step().unwrap();
                let a = run.agents().unwrap();
                for i in (0..a.len()).filter(|&i| a.state[i].on_floor() && run.time() > 1.0) {
                    least = least.min(a.velocity[i].length());
                    if (a.position[i].x - 7.0).abs() < 0.1 {
                        sides.push((a.group[i], a.position[i].y));
                    }
                }
            }
            assert!(
                run.is_done() && least > 0.4,
                "{}, seed {seed}: the slower walked {least} m/s",
                run.engine().name()
            );
            assert!(!sides.is_empty());
        }
    }
}

#[test]
fn people_pass_on_the_side_that_the_scene_prefers() {
    // Head on in the open: who walks east passes on its right, to the south, or on its left.
    for (side, south) in [(0.2, true), (-0.2, false)] {
        let mut text = head([20.0, 8.0], 0.5, "static") + &format!("[model.walk]\nside = {side}\n");
        for (k, goal, start) in [(0, "19, 0, 20, 8", "2, 3.9, 2.3, 4.1"), (1, "0, 0, 1, 8", "17.7, 3.9, 18, 4.1")] {
            text += &format!(
                "[[goal]]\nname = \"g{k}\"\nrect = [{goal}]\n[[agents]]\ncount = 1\nstart = {{ rect = [{start}] }}\nradius = 0.2\nspeed = 1.3\n\
                 journey = [\"g{k}\"]\narrive = \"park\"\n"
            );
        }
        let mut run = Simulation::with_threads(&scene(&text), 1).unwrap();
        let mut met = None;
        while !run.is_done() && run.time() < 30.0 {
            run.step().unwrap();
            let a = run.agents().unwrap();
            let at = |group: u16| {
                (0..a.len()).find(|&i| a.group[i] == group && a.state[i].on_floor()).map(|i| a.position[i])
            };
            if let (Some(east), Some(west)) = (at(0), at(1))
                && (east.x - west.x).abs() < 0.2
            {
                met = Some(west.y - east.y);
            }
        }
        let above = met.expect("they meet");
        assert!(above.abs() > 0.38 && (above > 0.0) == south, "side {side}: {above} m between them");
    }
}
