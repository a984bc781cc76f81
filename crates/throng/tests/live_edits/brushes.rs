//! Walls and ground that are painted, and what is counted.

use super::*;

#[test]
fn an_uncomfortable_stripe_makes_the_way_over_it_dearer() {
    for mut sim in on_all(&scene()) {
        sim.steps_by(3).unwrap();
        let cell = 12 * 48 + 10;
        let before = numbers(&mut sim, Field::Potential(0))[cell];
        let stripe = cells(&sim, 20, 0..24, 0.9);
        assert!(sim.paint_ground(&stripe));
        let ground = numbers(&mut sim, Field::Discomfort);
        assert!(ground[12 * 48 + 20] >= 0.9, "{}", sim.engine().name());
        sim.step().unwrap();
        let after = numbers(&mut sim, Field::Potential(0))[cell];
        // Half a metre at 0.9 discomfort and 1.34 m/s costs about a third more.
        assert!(after > before + 0.25, "{}: {before} to {after}", sim.engine().name());
    }
}

#[test]
fn a_brush_outside_of_the_world_or_out_of_range_changes_nothing() {
    for mut sim in on_all(&scene()) {
        let before = sim.world().ground.clone();
        let edits = sim.edits();
        for bad in [(48 * 24, 0.5), (0, -0.1), (0, 0.99), (0, f32::NAN)] {
            assert!(!sim.paint_ground(&[(1, 0.5), bad]), "{bad:?}");
        }
        assert!(!sim.paint_walls(&[(0, true), (48 * 24, true)]));
        sim.settle();
        assert_eq!((sim.world().ground.clone(), sim.edits()), (before, edits));
        assert!(sim.world().walls.painted().iter().all(|p| !p));
    }
}

#[test]
fn painting_many_cells_is_painting_each() {
    for (mut all, mut one) in on_all(&scene()).into_iter().zip(on_all(&scene())) {
        let mut list: Vec<(u32, bool)> = (0..200).map(|k| (k * 37 % (48 * 24), k % 5 != 0)).collect();
        list.extend(cells(&all, 30, 2..20, true));
        let centres: Vec<(Vec2, bool)> =
            list.iter().map(|&(c, wall)| (all.scene().grid.centre_of(c as usize), wall)).collect();
        assert!(all.paint_walls(&list));
        assert!(centres.into_iter().all(|(at, wall)| one.paint_wall(at, wall)));
        all.settle();
        one.settle();
        assert_eq!(all.world().walls.flags(), one.world().walls.flags(), "{}", all.engine().name());
        assert_eq!(all.world().goals, one.world().goals);
        all.steps_by(5).unwrap();
        one.steps_by(5).unwrap();
        assert_eq!(all.state_hash().unwrap(), one.state_hash().unwrap(), "{}", all.engine().name());
    }
}

#[test]
fn a_painted_ground_is_resumed_to_the_bit_on_either_engine() {
    for (mut sim, mut rest) in on_all(&scene()).into_iter().zip(on_all(&scene())) {
        sim.steps_by(5).unwrap();
        let stripe = cells(&sim, 20, 3..21, 0.77);
        assert!(sim.paint_ground(&stripe) && sim.paint_walls(&cells(&sim, 34, 4..12, true)));
        sim.steps_by(5).unwrap();
        let saved = sim.save().unwrap();
        rest.resume(&saved).unwrap();
        assert_eq!(rest.world().ground, sim.world().ground);
        sim.steps_by(10).unwrap();
        rest.steps_by(10).unwrap();
        assert_eq!(sim.state_hash().unwrap(), rest.state_hash().unwrap(), "{}", sim.engine().name());
        for mut other in on_all(&scene()) {
            other.resume(&saved).unwrap();
            assert_eq!(other.save().unwrap(), saved, "from {} to {}", sim.engine().name(), other.engine().name());
        }
    }
}

#[test]
fn changes_are_counted_by_whoever_makes_them() {
    for mut sim in on_all(&scene()) {
        assert_eq!(sim.edits(), 0);
        sim.steps_by(12).unwrap();
        assert_eq!(sim.edits(), 1, "the event");
        assert!(sim.set_wall("gate", true) && sim.set_zone("mud", 0.9));
        assert!(!sim.set_wall("window", true));
        let saved = sim.save().unwrap();
        sim.resume(&saved).unwrap();
        assert_eq!(sim.edits(), 4);
    }
}

#[test]
fn buffers_add_up_to_what_is_held() {
    for sim in on_all(&scene()) {
        let each = sim.engine().buffers();
        assert!(each.iter().all(|(_, bytes)| *bytes > 0 || sim.engine().name() == "cpu"));
        let (held, listed): (u64, u64) =
            (sim.engine().memory().iter().map(|m| m.1).sum(), each.iter().map(|b| b.1).sum());
        assert!(listed >= held, "{}: {listed} of {held}", sim.engine().name());
    }
}

#[test]
fn a_wall_on_people_shows_them_aside_once_settled() {
    for mut sim in on_all(&scene()) {
        sim.add_wall(rect(4.0, 2.0, 9.0, 6.0)).unwrap();
        sim.settle();
        assert!(sim.world().walls.is_solid(8 * 48 + 12));
        let walls = sim.world().walls.clone();
        assert!(sim.positions().unwrap().iter().all(|(_, p)| !walls.contains(*p)), "{}", sim.engine().name());
    }
}
