//! What changes while a run goes on.

use super::fields::assert_fields_agree;
use super::solver::{WINDING, assert_same_potentials};
use super::*;

#[test]
fn a_wall_before_people_stops_them_and_lets_them_go_when_it_is_taken_away() {
    let scene = scene(
        "size = [12, 5]\ndt = 0.1\n[[goal]]\nrect = [11, 0, 12, 5]\n[[agents]]\ncount = 25\nstart = { rect = [0, 0, 5, 5] }\n",
    );
    let mut runs = on_both(&scene);
    go_both(&mut runs, 5);
    let numbers = runs.each_mut().map(|run| run.add_wall(bar(7.0, 0.0, 7.4, 5.0)).expect("a sound shape"));
    assert_eq!(numbers, [0, 0]);
    for history in go_both(&mut runs, 60) {
        assert_eq!((history[59].arrived, history[59].displaced), (0, 0), "nobody passes a closed wall");
    }
    for run in &mut runs {
        assert!(places(run).iter().all(|(_, p)| p.x < 7.0));
        assert!(run.stand_wall(0, false) && !run.stand_wall(1, false));
    }
    let [cpu, gpu] = go_both(&mut runs, 60);
    assert!(cpu[59].arrived > 5, "{:?}", cpu[59]);
    assert_alike(&cpu, &gpu, 2.0, 0.03);
    // Once more in their way, this time a row of painted cells with a hole, which they find.
    for run in &mut runs {
        assert!((0..9).all(|k| run.paint_wall(Vec2::new(8.7, 0.25 + 0.5 * k as f32), true)));
        assert!(!run.paint_wall(Vec2::new(-1.0, 0.0), true));
    }
    go_both(&mut runs, 10);
    for run in &mut runs {
        let cell = run.scene().grid.index_at(Vec2::new(8.2, 0.2));
        let along = vectors(run, Field::Gradient(0))[cell];
        assert!(along.y > 0.7, "to the hole in the north: {along}");
        assert!(run.paint_wall(Vec2::new(8.7, 0.25), false));
        until_done(run, 40.0);
        assert_eq!(run.counters().arrived, 25);
    }
}

#[test]
fn a_door_that_closes_on_people_puts_them_aside_on_the_gpu_too() {
    let scene = scene(
        "cell = 0.25\nsize = [8, 5]\ndt = 0.1\n[map]\nwalls = [{ rect = [4, 0, 5, 1.5] }, { rect = [4, 3.5, 5, 5] }, \
         { rect = [4, 1.5, 5, 3.5], name = \"gate\", open = true }]\n[[goal]]\nrect = [7, 0, 8, 5]\n\
         [[agents]]\ncount = 35\nspeed = 1.3\nstart = { rect = [0, 0, 3.7, 5] }\n",
    );
    let inside = |run: &mut Simulation| places(run).iter().filter(|(_, p)| p.x >= 4.0 && p.x < 5.0).count() as u64;
    for mut run in on_both(&scene) {
        go(&mut run, 15);
        let caught = inside(&mut run);
        assert!(caught > 2 && run.counters().displaced == 0, "{caught} are in the gate");
        assert!(run.set_wall("gate", true) && !run.set_wall("door", true));
        // They are aside before the next step: whoever looks sees them there.
        assert_eq!(inside(&mut run), 0, "{}", run.engine().name());
        let c = go(&mut run, 1)[0];
        assert!(c.displaced >= caught, "{caught} were caught: {c:?}");
        let shut = *go(&mut run, 40).last().expect("a step");
        assert_eq!((inside(&mut run), shut.displaced), (0, c.displaced));
        assert!(shut.arrived < 30, "{} of 35 were through before the gate closed", shut.arrived);
        let before = places(&mut run);
        assert!(before.iter().all(|(_, p)| p.x < 4.0), "who was through has arrived");
        go(&mut run, 5);
        assert_eq!(run.counters().arrived, shut.arrived);
        assert!(run.set_wall("gate", false));
        until_done(&mut run, 40.0);
        assert_eq!((run.counters().arrived, run.counters().displaced), (35, c.displaced));
    }
}

#[test]
fn a_goal_behind_a_gate_is_a_goal_once_an_event_opens_it() {
    // A goal of many cells, none of them free at first.
    let scene = scene(
        "cell = 0.25\nsize = [10, 4]\ndt = 0.1\n[map]\nwalls = [{ rect = [6, 0, 10, 4], name = \"gate\" }]\n\
         [[goal]]\nrect = [7, 0, 10, 4]\n[[event]]\nat = 2\nopen = \"gate\"\n\
         [[agents]]\ncount = 8\nspeed = 1\nstart = { rect = [1, 0, 4, 4] }\n",
    );
    let mut runs = on_both(&scene);
    let [cpu, gpu] = go_both(&mut runs, 20);
    assert_eq!((cpu[19].goals_reached, gpu[19].goals_reached), (0, 0));
    assert_eq!(farthest_apart_of(&mut runs), 0.0, "who has no way stands still");
    let [cpu, gpu] = go_both(&mut runs, 55);
    assert!(cpu[54].arrived > 3);
    assert_alike(&cpu, &gpu, 1.0, 0.03);
    let [a, b] = &mut runs;
    assert_same_potentials(&scalars(a, Field::Potential(0)), &scalars(b, Field::Potential(0)), "open");
}

#[test]
fn a_zone_that_turns_to_mud_slows_people_on_the_gpu() {
    let scene = scene(
        "size = [16, 3]\ndt = 0.1\n[[goal]]\nrect = [15, 0, 16, 3]\n[[zone]]\nname = \"mud\"\nrect = [4, 0, 16, 3]\n\
         [[agents]]\ncount = 6\nspeed = 1\nstart = { rect = [4, 0, 7, 3] }\n",
    );
    let mut runs = on_both(&scene);
    let along = |run: &mut Simulation| places(run).iter().map(|(_, p)| p.x).sum::<f32>() / 6.0;
    let mut way = |speed: f32, steps: u64| {
        for run in &mut runs {
            assert!(run.set_zone("mud", speed) && !run.set_zone("ice", 1.0));
        }
        let before = runs.each_mut().map(along);
        go_both(&mut runs, steps);
        let after = runs.each_mut().map(along);
        [0, 1].map(|k| after[k] - before[k])
    };
    let (free, slow) = (way(1.0, 20), way(0.25, 20));
    // Above what the scene itself foresees nothing is faster.
    let fast = way(5.0, 10);
    for k in 0..2 {
        assert!((slow[k] / free[k] - 0.25).abs() < 0.03, "{} m free, {} m in mud", free[k], slow[k]);
        assert!((fast[k] / free[k] - 0.5).abs() < 0.03, "{} m in two seconds, {} m in one", free[k], fast[k]);
    }
    // Hardly anybody touches anybody here, so nothing grows.
    assert!(farthest_apart_of(&mut runs) < 0.01);
}

#[test]
fn every_edit_changes_the_gpu_s_fields_as_it_does_the_cpu_s() {
    // Clearance reaches farther than bodies do, so an edit reaches beyond the tiles of its wall; the walls are more than
    // the engine has set room aside for.
    let scene = scene(&format!("{WINDING}[[zone]]\nname = \"mud\"\nrect = [3, 8, 14, 11]\n[model]\nclearance = 2.5\n"));
    let mut runs = on_both(&scene);
    go_both(&mut runs, 1);
    let room = |run: &Simulation| run.engine().memory().iter().find(|(what, _)| *what == "world").expect("a world").1;
    let at_first = room(&runs[1]);
    let dots = |run: &mut Simulation, from: u32, to: u32| {
        for k in from..to {
            let at = Vec2::new(7.0 + 0.8 * (k % 6) as f32, 1.0 + 0.7 * (k / 6) as f32);
            run.add_wall(Shape::Circle(at, 0.1)).expect("a sound shape");
        }
    };
    for round in 0..3 {
        for run in &mut runs {
            match round {
                0 => {
                    run.add_wall(bar(1.5, 7.0, 4.5, 9.0)).expect("a sound shape");
                    let bent = [(14.0, 20.0), (17.0, 19.0), (18.0, 22.0)].map(|(x, y)| Vec2::new(x, y));
                    run.add_wall(Shape::Line(bent.to_vec())).expect("a sound shape");
                    run.add_wall(Shape::Polygon(bent.to_vec())).expect("a sound shape");
                    assert!(run.paint_wall(Vec2::new(8.1, 8.1), true) && run.paint_wall(Vec2::new(7.9, 7.9), true));
                    assert!(run.set_zone("mud", 0.4));
                }
                1 => dots(run, 0, 60),
                _ => {
                    assert!(run.paint_wall(Vec2::new(8.1, 8.1), false) && run.set_zone("mud", 0.9));
                    // A wall of the scene, and every other of those that came.
                    (0..60).step_by(2).for_each(|k| assert!(run.stand_wall(k, false)));
                    dots(run, 60, 80);
                }
            }
        }
        // From the same state, so that the fields have to be the same.
        let bytes = runs[0].save().unwrap();
        let [cpu, gpu] = &mut runs;
        assert_eq!(places(cpu).len(), places(gpu).len());
        // The GPU keeps the world that its own edits made, and the agents of its own putting aside.
        let before = gpu.agents().unwrap();
        let mut twin = on_cpu(&scene);
        twin.resume(&gpu.save().unwrap()).unwrap_or_else(|e| panic!("{e}"));
        go(&mut twin, 1);
        go(gpu, 1);
        assert_fields_agree(&mut twin, gpu, &before, &format!("after edits {round}"));
        cpu.resume(&bytes).unwrap_or_else(|e| panic!("{e}"));
        go(cpu, 1);
        let aside = [cpu.counters().displaced, gpu.counters().displaced];
        assert!(aside[0].abs_diff(aside[1]) <= 1, "put aside: {aside:?}");
    }
    assert!(runs[0].counters().displaced > 5);
    assert!(room(&runs[1]) > at_first, "the walls were to need more room than there was at first");
}

#[test]
fn who_has_no_way_left_stands_still_on_the_gpu() {
    let scene = scene(
        "size = [10, 5]\n[[goal]]\nrect = [8.5, 2, 9.5, 3]\n[[agents]]\ncount = 12\nstart = { rect = [0, 0, 5, 5] }\n",
    );
    let mut runs = on_both(&scene);
    go_both(&mut runs, 5);
    for run in &mut runs {
        // Painted for good: at a wall that may go again they would wait.
        let ring = (2..=7u32).flat_map(|y| (15..=19u32).map(move |x| (x, y)));
        let ring = ring.filter(|&(x, y)| [15, 19].contains(&x) || [2, 7].contains(&y));
        assert!(run.paint_walls(&ring.map(|(x, y)| (y * 20 + x, true)).collect::<Vec<_>>()));
        go(run, 2);
        let before = places(run);
        go(run, 20);
        let after = places(run);
        let moved = before.iter().zip(&after).map(|(a, b)| a.1.distance(b.1)).fold(0.0, f32::max);
        assert!(moved < 1e-3, "{} walks {moved} m to nowhere", run.engine().name());
        let potential = scalars(run, Field::Potential(0));
        assert!(potential[0] >= UNREACHED && potential.contains(&0.0));
    }
    // A goal that is buried whole is none.
    for run in &mut runs {
        run.add_wall(bar(8.0, 1.5, 9.8, 3.5)).expect("a sound shape");
        go(run, 3);
        assert!(scalars(run, Field::Potential(0)).iter().all(|p| *p >= UNREACHED));
        assert!(vectors(run, Field::Gradient(0)).iter().all(|v| *v == Vec2::ZERO));
    }
}
