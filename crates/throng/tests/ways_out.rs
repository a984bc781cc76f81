//! Plans know bodies and gates, on both engines: a gap is a way for those who fit through it, whatever the raster; and where a closed
//! gate leaves no way people wait at the gate.

mod engines;

use engines::runs;
use throng::geometry::{Rect, Shape};
use throng::scene::NoFiles;
use throng::{Scene, Simulation, Vec2};

/// A wall across the world with a gap of 0.3 m straight ahead, and a door of 1 m far to the side.
fn gap_and_door(cell: f32, groups: &str) -> Scene {
    let text = format!(
        "size = [8, 8]\ncell = {cell}\ndt = 0.04\n[map]\n\
         walls = [{{ rect = [4, 0, 4.2, 2.9] }}, {{ rect = [4, 3.2, 4.2, 6.5] }}, {{ rect = [4, 7.5, 4.2, 8] }}]\n\
         [[goal]]\nname = \"east\"\nrect = [7, 2, 8, 4]\n{groups}"
    );
    Scene::parse("gap.toml", &text, &NoFiles).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

const PEOPLE: &str =
    "[[agents]]\nname = \"people\"\ncount = 6\nstart = { rect = [1, 2, 3, 4] }\nradius = 0.2\nspeed = 1.3\n";
const CATS: &str =
    "[[agents]]\nname = \"cats\"\ncount = 4\nstart = { rect = [1, 4.5, 3, 6] }\nradius = 0.1\nspeed = 1.3\n";

#[test]
fn people_walk_round_to_a_door_past_a_gap_that_is_too_narrow_for_them() {
    for cell in [0.1, 0.25] {
        for mut sim in runs(&gap_and_door(cell, PEOPLE)) {
            let name = sim.engine().name();
            while sim.time() < 40.0 && !sim.is_done() {
                sim.step().expect("a step");
            }
            assert_eq!(sim.counters().arrived, 6, "{name}, cell {cell}, after {} s", sim.time());
        }
    }
}

#[test]
fn who_is_thin_enough_goes_through_the_gap_while_others_go_round() {
    let scene = gap_and_door(0.1, &format!("{PEOPLE}{CATS}"));
    for mut sim in runs(&scene) {
        let name = sim.engine().name();
        let mut by_gap = [0, 0];
        let mut before: Vec<(u32, Vec2)> = Vec::new();
        while sim.time() < 40.0 && !sim.is_done() {
            sim.step().expect("a step");
            let agents = sim.agents().expect("people");
            let now: Vec<(u32, Vec2)> = (0..agents.len())
                .filter(|&i| agents.state[i].on_floor())
                .map(|i| (agents.id[i], agents.position[i]))
                .collect();
            for &(id, p) in &now {
                let was = before.iter().find(|(other, _)| *other == id).map(|(_, q)| *q);
                if was.is_some_and(|q| q.x < 4.1 && p.x >= 4.1) && p.y < 5.0 {
                    by_gap[usize::from(id >= 6)] += 1;
                }
            }
            before = now;
        }
        assert_eq!(sim.counters().arrived, 10, "{name}");
        // One or the other cat may find the gap busy, and the door worth the way.
        assert!(by_gap[0] == 0 && by_gap[1] >= 2, "{name}: people and cats through the gap: {by_gap:?}");
    }
}

#[test]
fn nobody_is_placed_where_only_a_gap_leads_out() {
    let mut scene = gap_and_door(0.1, PEOPLE);
    let door = Shape::Rect(Rect::new(Vec2::new(4.0, 6.4), Vec2::new(4.2, 7.6)));
    scene.map.walls.push(throng::scene::WallSpec { shape: door, ..scene.map.walls[0].clone() });
    let error = Simulation::new(&scene).expect_err("the gap is no way for them");
    assert!(error.message().contains("cannot reach"), "{error}");
}

/// A room whose only door opens after 15 s; with a second door if wanted.
fn closed_room(second: bool) -> Scene {
    let wall = if second {
        "{ rect = [6, 3.5, 6.2, 7] }, { rect = [6, 8, 6.2, 8.5] }"
    } else {
        "{ rect = [6, 3.5, 6.2, 8.5] }"
    };
    let text = format!(
        "size = [10, 8.5]\ncell = 0.25\n[map]\nwalls = [{{ rect = [6, 0, 6.2, 2] }}, {wall}, {{ rect = [6, 2, 6.2, 3.5], name = \"door\" }}]\n\
         [[event]]\nat = 15\nopen = \"door\"\n[[goal]]\nrect = [9, 1, 10, 5]\n[[agents]]\ncount = 12\nstart = {{ rect = [0.5, 4, 4, 8] }}\nspeed = 1.3\n"
    );
    Scene::parse("closed.toml", &text, &NoFiles).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

#[test]
fn who_has_no_way_left_waits_at_the_gate_and_goes_on_when_it_opens() {
    for mut sim in runs(&closed_room(false)) {
        let name = sim.engine().name();
        while sim.time() < 14.9 {
            sim.step().expect("a step");
        }
        let waiting = sim.positions().expect("people");
        assert_eq!(waiting.len(), 12, "{name}");
        for (id, p) in waiting {
            let away = p.distance(Vec2::new(6.0, p.y.clamp(2.0, 3.5)));
            // Twelve bodies in a half circle: none is farther than a few of them side by side.
            assert!(p.x < 6.0 && away < 2.0, "{name}: {id} waits at {p}, {away} m from the gate");
        }
        while sim.time() < 40.0 && !sim.is_done() {
            sim.step().expect("a step");
        }
        assert_eq!(sim.counters().arrived, 12, "{name}");
    }
}

#[test]
fn nobody_waits_at_a_gate_while_there_is_another_way() {
    for mut sim in runs(&closed_room(true)) {
        while sim.time() < 14.9 && !sim.is_done() {
            sim.step().expect("a step");
        }
        let c = sim.counters();
        assert!(c.arrived >= 8, "{}: {} have arrived by the open door", sim.engine().name(), c.arrived);
    }
}
