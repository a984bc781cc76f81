//! The soft obstacle that is moved about, and doors that are made.

use super::*;
use throng::world::obstacle::Obstacle;

fn obstacle(x: f32, y: f32) -> Obstacle {
    Obstacle { centre: Vec2::new(x, y), radius: 3.0, intensity: 5.0 }
}

#[test]
fn discomfort_falls_linearly_from_the_middle_to_the_rim_and_is_added_to_the_ground() {
    for mut sim in on_all(&scene()) {
        let stripe = cells(&sim, 20, 0..24, 0.5);
        assert!(sim.paint_ground(&stripe));
        sim.settle();
        let before = numbers(&mut sim, Field::Discomfort);
        let o = obstacle(10.1, 6.2);
        assert!(sim.set_obstacle(Some(o)));
        let now = numbers(&mut sim, Field::Discomfort);
        let grid = sim.scene().grid;
        for cell in 0..grid.len() {
            let far = grid.centre_of(cell).distance(o.centre);
            let wanted = before[cell] + 5.0 * (1.0 - far / 3.0).max(0.0);
            assert!((now[cell] - wanted).abs() < 1e-5, "{}: {} for {wanted}", sim.engine().name(), now[cell]);
        }
        assert!(now.iter().copied().fold(0.0, f32::max) > 4.0);
    }
}

#[test]
fn it_leaves_no_trace_when_it_moves_on_or_is_taken_away() {
    for mut sim in on_all(&scene()) {
        let before = numbers(&mut sim, Field::Discomfort);
        let edits = sim.edits();
        for k in 0..30 {
            assert!(sim.set_obstacle(Some(obstacle(0.8 * k as f32 - 2.0, 0.37 * k as f32))));
            if k % 7 == 0 {
                sim.step().unwrap();
            }
        }
        assert!(numbers(&mut sim, Field::Discomfort) != before);
        assert!(sim.set_obstacle(None));
        assert_eq!(numbers(&mut sim, Field::Discomfort), before, "{}", sim.engine().name());
        assert_eq!((sim.edits(), sim.edited_scene().map), (edits, scene().map));
        let bad = [
            Obstacle { radius: 0.0, ..obstacle(1.0, 1.0) },
            Obstacle { intensity: f32::NAN, ..obstacle(1.0, 1.0) },
            Obstacle { intensity: -1.0, ..obstacle(1.0, 1.0) },
            obstacle(f32::INFINITY, 0.0),
        ];
        assert!(bad.into_iter().all(|o| !sim.set_obstacle(Some(o))));
        assert_eq!(sim.obstacle(), None);
    }
}

/// Moves the obstacle in every step, as a script would.
fn scripted(sim: &mut Simulation, steps: std::ops::Range<u32>) {
    for k in steps {
        let place = (k % 10 < 7).then(|| obstacle(6.0 + 0.2 * k as f32, 6.0));
        assert!(sim.set_obstacle(place));
        sim.step().unwrap();
    }
}

#[test]
fn a_scripted_obstacle_gives_the_same_bits_for_any_threads_and_after_a_resume() {
    let mut spanning = scene();
    spanning.model.plan_every = 4;
    let mut fixed = scene();
    fixed.model.plan = throng::scene::Plan::Static;
    for scene in [scene(), spanning, fixed] {
        let hashes: Vec<u64> = [1, 2, 5]
            .iter()
            .map(|&threads| {
                let mut sim = Simulation::with_threads(&scene, threads).unwrap();
                scripted(&mut sim, 0..40);
                sim.state_hash().unwrap()
            })
            .collect();
        assert!(hashes.iter().all(|h| *h == hashes[0]));
        for (mut sim, mut rest) in on_all(&scene).into_iter().zip(on_all(&scene)) {
            scripted(&mut sim, 0..15);
            let saved = sim.save().unwrap();
            rest.resume(&saved).unwrap();
            assert_eq!(rest.obstacle(), sim.obstacle());
            assert!(rest.obstacle().is_some());
            scripted(&mut sim, 15..40);
            scripted(&mut rest, 15..40);
            assert_eq!(sim.state_hash().unwrap(), rest.state_hash().unwrap(), "{}", sim.engine().name());
            for mut other in on_all(&scene) {
                other.resume(&saved).unwrap();
                assert_eq!(numbers(&mut other, Field::Discomfort).len(), scene.grid.len());
            }
        }
    }
}

#[test]
fn the_cheapest_way_leads_round_it() {
    for mut sim in on_all(&scene()) {
        sim.step().unwrap();
        let cell = 12 * 48 + 10;
        let before = numbers(&mut sim, Field::Potential(0))[cell];
        assert!(sim.set_obstacle(Some(Obstacle { centre: Vec2::new(9.0, 6.0), radius: 2.5, intensity: 10.0 })));
        sim.step().unwrap();
        let with = numbers(&mut sim, Field::Potential(0))[cell];
        assert!(with > before * 1.02 && with < 1e6, "{}: {before} to {with}", sim.engine().name());
        assert!(sim.set_obstacle(None));
        sim.step().unwrap();
        let after = numbers(&mut sim, Field::Potential(0))[cell];
        // The crowd has walked on for two steps.
        assert!((after - before).abs() < 0.02 * before, "{}: {before} to {after}", sim.engine().name());
    }
}

#[test]
fn a_door_that_was_made_stays_in_the_scene_while_it_is_open_and_after_a_resume() {
    for (mut sim, mut rest) in on_all(&scene()).into_iter().zip(on_all(&scene())) {
        let shape = Shape::Rect(Rect::new(Vec2::new(14.0, 4.0), Vec2::new(14.2, 5.0)));
        let plain = sim.add_wall(shape.clone()).unwrap();
        let door = sim.add_wall(shape).unwrap();
        assert!(sim.name_wall(door, Some("door 1")));
        assert!(!sim.name_wall(plain, Some("door 1")), "names are for one");
        assert!(!sim.name_wall(99, Some("door 2")));
        assert!(sim.stand_wall(door, false) && sim.stand_wall(plain, false));
        sim.steps_by(3).unwrap();
        let scene = sim.edited_scene();
        let named: Vec<_> = scene.map.walls.iter().filter_map(|w| w.name.clone().map(|n| (n, w.open))).collect();
        assert!(named.contains(&("door 1".to_owned(), true)), "{named:?}");
        rest.resume(&sim.save().unwrap()).unwrap();
        assert_eq!(rest.scene().map.walls, sim.scene().map.walls);
        assert!(rest.set_wall("door 1", true), "it is found by its name");
        // Without its name it is a wall that has gone.
        assert!(sim.name_wall(door, None));
        assert!(sim.edited_scene().map.walls.iter().all(|w| w.name.as_deref() != Some("door 1")));
    }
}
