//! Doors that close and open while people are on their way, goals that close, with a harmonic plan: other seeds, cells and time steps among them.

use super::engines::runs;
use super::scene;
use throng::Scene;

/// Two rooms with two doors, of which the south one closes and the north one opens after 3 s.
fn doors(seed: u32, cell: f32, dt: f32, more: &str) -> Scene {
    scene(&format!(
        "size = [16, 9]\ncell = {cell}\ndt = {dt}\nseed = {seed}\n[model]\nplan = \"harmonic\"\nsteer = \"bvp\"\n[map]\n\
         walls = [{{ rect = [7.9, 0, 8.2, 1.5] }}, {{ rect = [7.9, 1.5, 8.2, 3], name = \"south\", open = true }}, {{ rect = [7.9, 3, 8.2, 6] }},\n\
         {{ rect = [7.9, 6, 8.2, 7.5], name = \"north\" }}, {{ rect = [7.9, 7.5, 8.2, 9] }}]\n\
         [[goal]]\nname = \"g\"\nrect = [15, 3, 16, 6]\n[[agents]]\ncount = 12\nstart = {{ rect = [1, 1, 5, 8] }}\njourney = [\"g\"]\n\
         [[event]]\nat = 3\nclose = \"south\"\nopen = \"north\"\n{more}"
    ))
}

#[test]
fn people_go_round_by_the_door_that_opens() {
    for (seed, cell, dt) in [(1, 0.5, 0.04), (2, 0.25, 0.05), (3, 0.5, 0.08)] {
        let scene = doors(seed, cell, dt, "");
        for mut run in runs(&scene) {
            let name = format!("{}, seed {seed}, cells of {cell} m, {dt} s", run.engine().name());
            let (mut through_south, mut through_north) = (0, 0);
            while run.counters().arrived < 12 && run.time() < 120.0 {
                let before = run.positions().unwrap();
                run.steps_by((0.4 / dt) as u64).unwrap();
                for (id, after) in run.positions().unwrap() {
                    let Some((_, p)) = before.iter().find(|(other, _)| *other == id) else { continue };
                    if p.x < 8.0 && after.x >= 8.0 {
                        *(if after.y < 4.5 { &mut through_south } else { &mut through_north }) += 1;
                    }
                }
            }
            let counters = run.counters();
            assert_eq!((counters.arrived, counters.in_wall), (12, 0), "{name}: after {:.0} s", run.time());
            assert!(through_north > 0, "{name}: {through_south} went by the south and {through_north} by the north");
        }
    }
}

#[test]
fn who_is_shut_in_waits_and_goes_on() {
    // Both doors are closed from 3 s to 9 s.
    let more = "[[event]]\nat = 3.04\nclose = \"north\"\n[[event]]\nat = 9\nopen = [\"south\", \"north\"]\n";
    for mut run in runs(&doors(5, 0.5, 0.04, more)) {
        let name = run.engine().name();
        run.steps_by(8 * 25).unwrap();
        let shut = run.positions().unwrap().iter().filter(|(_, p)| p.x < 7.9).count();
        assert!(shut > 0, "{name}: all were through before the doors closed");
        while run.counters().arrived < 12 && run.time() < 90.0 {
            run.steps_by(10).unwrap();
        }
        let counters = run.counters();
        assert_eq!((counters.arrived, counters.in_wall), (12, 0), "{name}: after {:.0} s", run.time());
    }
}

#[test]
fn a_goal_that_closes_is_waited_for() {
    let more = "[[event]]\nat = 4\nclose_goals = \"g\"\n[[event]]\nat = 20\nopen_goals = \"g\"\n";
    for mut run in runs(&doors(6, 0.5, 0.04, more)) {
        let name = run.engine().name();
        run.steps_by(19 * 25).unwrap();
        assert!(run.counters().arrived < 12, "{name}: all had arrived before it closed");
        while run.counters().arrived < 12 && run.time() < 90.0 {
            run.steps_by(10).unwrap();
        }
        assert_eq!(run.counters().arrived, 12, "{name}: after {:.0} s", run.time());
    }
}
