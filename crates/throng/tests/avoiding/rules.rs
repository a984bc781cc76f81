//! The rules of velocity obstacles: who turns when, and who cares how much.

use super::engines::runs;
use super::{head, person, scene};
use std::collections::HashMap;
use throng::{Simulation, Vec2};

/// Two crowds that meet in the open.
fn crowds(more: &str, count: u32) -> String {
    head([16.0, 8.0], "velocity-obstacle")
        + more
        + &format!(
            "[[goal]]\nname = \"east\"\nrect = [15, 0, 16, 8]\n[[goal]]\nname = \"west\"\nrect = [0, 0, 1, 8]\n\
             [[agents]]\ncount = {count}\nstart = {{ rect = [1.5, 1, 7, 7] }}\njourney = [\"east\"]\n\
             [[agents]]\ncount = {count}\nstart = {{ rect = [9, 1, 14.5, 7] }}\njourney = [\"west\"]\n"
        )
}

#[test]
fn nobody_turns_back_but_in_every_nth_step() {
    let text = crowds("[model.velocity-obstacle]\ndamping = 7\nfan = \"both\"\ncandidates = 7\n", 20);
    for mut run in runs(&scene(&text)) {
        let engine = run.engine().name();
        let mut last: HashMap<u32, f32> = HashMap::new();
        let (mut back, mut changed) = (0, 0);
        for step in 0..150u32 {
            run.step().unwrap();
            let a = run.agents().unwrap();
            for i in (0..a.len()).filter(|&i| a.state[i].on_floor()) {
                // The number of the direction from 1, below 0 after a turn to the right.
                let now = a.own[0].values[4 * i];
                let before = last.insert(a.id[i], now).unwrap_or(0.0);
                changed += u32::from(now.abs() != before.abs());
                if now * before < 0.0 {
                    back += 1;
                    assert_eq!((step + a.id[i]) % 7, 0, "{engine}: {} turned back in step {step}", a.id[i]);
                }
                assert!(now.abs() <= 7.0 && (now == 0.0 || now.abs() >= 1.0), "{engine}: {now}");
            }
        }
        assert!(back > 5 && changed > 50, "{engine}: {back} turns back of {changed} changes");
    }
}

#[test]
fn the_right_fan_turns_nobody_to_the_left_of_the_plan() {
    // Head on: who walks east passes to the south of the other.
    let (west, east) = (Vec2::new(2.0, 3.0), Vec2::new(12.0, 3.0));
    let text = head([14.0, 6.0], "velocity-obstacle") + &person(west, east, 0.2) + &person(east, west, 0.2);
    let mut run = Simulation::with_threads(&scene(&text), 1).unwrap();
    let mut met = None;
    while !run.is_done() && run.time() < 30.0 {
        run.step().unwrap();
        let a = run.agents().unwrap();
        let at = |group| (0..a.len()).find(|&i| a.group[i] == group && a.state[i].on_floor()).map(|i| a.position[i]);
        if let (Some(a), Some(b)) = (at(0), at(1))
            && (a.x - b.x).abs() < 0.2
        {
            met = Some(b.y - a.y);
        }
    }
    assert!(met.is_some_and(|apart| apart > 0.38), "{met:?}");
}

#[test]
fn the_most_aggressive_do_not_step_aside() {
    // Somebody stands in the way; the other cares for a collision, or does not.
    let farthest_aside = |aggressiveness: f32| {
        let text = head([14.0, 6.0], "velocity-obstacle")
            + &format!("[model.velocity-obstacle]\naggressiveness = {aggressiveness}\nspread = 0\npatience = 1000\n")
            + &person(Vec2::new(2.0, 3.0), Vec2::new(12.0, 3.0), 0.2)
            + &(person(Vec2::new(7.0, 3.0), Vec2::new(2.0, 3.0), 0.2) + "delay = 1000\n");
        let mut run = Simulation::with_threads(&scene(&text), 1).unwrap();
        let mut most: f32 = 0.0;
        for _ in 0..250 {
            run.step().unwrap();
            let a = run.agents().unwrap();
            if let Some(i) = (0..a.len()).find(|&i| a.id[i] == 0 && a.state[i].on_floor()) {
                most = most.max((a.position[i].y - 3.0).abs());
            }
        }
        (most, run.counters().arrived)
    };
    let (aside, arrived) = farthest_aside(0.0);
    assert!(aside > 0.3 && arrived == 1, "{aside} m");
    let (aside, arrived) = farthest_aside(1.0);
    assert!(aside < 0.2 && arrived == 0, "{aside} m");
}

#[test]
fn people_differ_in_aggressiveness_as_far_as_the_scene_says() {
    // With a spread the crowd goes otherwise than without; the mean is the same.
    let hash = |spread: f32| {
        let text = crowds(&format!("[model.velocity-obstacle]\nspread = {spread}\n"), 30);
        let mut run = Simulation::with_threads(&scene(&text), 1).unwrap();
        run.steps_by(120).unwrap();
        run.state_hash().unwrap()
    };
    assert_ne!(hash(0.0), hash(0.2));
    assert_eq!(hash(0.2), hash(0.2));
}

#[test]
fn those_who_come_the_other_way_pass_on_the_side_that_orca_prefers() {
    for (side, south) in [(0.05, true), (-0.05, false)] {
        let (west, east) = (Vec2::new(2.0, 3.0), Vec2::new(12.0, 3.0));
        let text = head([14.0, 6.0], "orca")
            + &format!("[model.orca]\nside = {side}\n")
            + &person(west, east, 0.2)
            + &person(east, west, 0.2);
        let mut run = Simulation::with_threads(&scene(&text), 1).unwrap();
        let mut met = None;
        while !run.is_done() && run.time() < 30.0 {
            run.step().unwrap();
            let a = run.agents().unwrap();
            let at =
                |group| (0..a.len()).find(|&i| a.group[i] == group && a.state[i].on_floor()).map(|i| a.position[i]);
            if let (Some(a), Some(b)) = (at(0), at(1))
                && (a.x - b.x).abs() < 0.2
            {
                met = Some(b.y - a.y);
            }
        }
        assert!(met.is_some_and(|apart: f32| apart.abs() > 0.35 && (apart > 0.0) == south), "side {side}: {met:?}");
    }
}
