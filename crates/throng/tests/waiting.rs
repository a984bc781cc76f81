//! How people wait, on both engines: each goes to a place of its own in the area of its goal, so that the area fills and doorways stay free; and before a
//! closed door they stand as a crowd and all go on when it opens.

mod engines;

use engines::{ENGINES, runs};
use throng::geometry::{Rect, Shape};
use throng::scene::NoFiles;
use throng::world::agents::{Agents, State};
use throng::{Scene, Simulation, Vec2};

fn scene(text: &str) -> Scene {
    Scene::parse("waiting.toml", text, &NoFiles).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn run_until(sim: &mut Simulation, seconds: f64) {
    while sim.time() < seconds && !sim.is_done() {
        sim.step().expect("the device does not fail");
    }
}

fn staying(agents: &Agents) -> Vec<usize> {
    (0..agents.len()).filter(|&i| agents.state[i] == State::Staying).collect()
}

/// A waiting room of 7 × 6 m behind a door of 1 m, at x = 5 and y from 2.5 to 3.5.
fn room(count: usize, wait: f32) -> Scene {
    scene(&format!(
        "size = [12, 6]\ncell = 0.25\ndt = 0.05\n[map]\nwalls = [{{ rect = [4.8, 0, 5, 2.5] }}, {{ rect = [4.8, 3.5, 5, 6] }}]\n\
         [[goal]]\nname = \"room\"\nrect = [4.75, 0, 12, 6]\n[[goal]]\nname = \"out\"\nrect = [0, 0, 0.5, 6]\n\
         [[agents]]\ncount = {count}\nstart = {{ rect = [1, 1, 4, 5] }}\nspeed = 1.3\n\
         journey = [{{ goal = \"room\", wait = {wait} }}, \"out\"]\n[model]\nsteer = \"walk\"\nplan = \"static\"\n"
    ))
}

#[test]
fn who_waits_goes_into_the_room_and_leaves_its_door_free() {
    for mut sim in runs(&room(24, 60.0)) {
        let name = sim.engine().name();
        run_until(&mut sim, 35.0);
        let agents = sim.agents().expect("people");
        let who = staying(&agents);
        assert_eq!(who.len(), 24, "{name}: everybody has come in");
        let at: Vec<Vec2> = who.iter().map(|&i| agents.position[i]).collect();
        let door = Vec2::new(4.9, 3.0);
        for p in &at {
            assert!(p.x > 5.0 && p.distance(door) > 0.7, "{name}: somebody waits in the doorway, at {p}");
        }
        // An even crowd has 4 in every sixth of the room; nobody spaced by chance leaves one empty.
        for k in 0..6 {
            let (x, y) = (5.0 + 7.0 / 3.0 * (k % 3) as f32, 3.0 * (k / 3) as f32);
            let there = at.iter().filter(|p| p.x >= x && p.x < x + 7.0 / 3.0 && p.y >= y && p.y < y + 3.0).count();
            assert!((1..=9).contains(&there), "{name}: {there} of 24 in a sixth of the room: {at:?}");
        }
        let standing = who.iter().filter(|&&i| agents.velocity[i].length() < 0.1).count();
        assert!(standing >= 22, "{name}: {standing} of 24 stand");
        assert!(sim.counters().overlap.mean < 0.02, "{name}: {:?}", sim.counters().overlap);
        run_until(&mut sim, 110.0);
        assert_eq!(sim.counters().arrived, 24, "{name}");
    }
}

#[test]
fn the_wait_runs_from_the_rim_of_the_area_however_far_the_place_is() {
    for mut sim in runs(&room(1, 4.0)) {
        let name = sim.engine().name();
        let (mut first, mut last) = (None, 0);
        while sim.time() < 20.0 {
            sim.step().expect("a step");
            let agents = sim.agents().expect("people");
            if agents.state[0] == State::Staying {
                first.get_or_insert_with(|| {
                    assert!(agents.position[0].x < 5.0, "{name}: it waits from {}", agents.position[0]);
                    sim.steps()
                });
                last = sim.steps();
            }
        }
        // 4 s of 0.05 s: it is seen waiting after the step in which it arrives and after 79 more.
        assert_eq!(first.map(|first| last - first), Some(79), "{name}");
        assert_eq!(sim.counters().goals_reached, 2, "{name}");
    }
}

#[test]
fn who_is_put_aside_goes_back_to_its_place() {
    for mut sim in runs(&room(1, 100.0)) {
        let name = sim.engine().name();
        run_until(&mut sim, 12.0);
        let before = sim.agents().expect("people");
        let place = before.point(0).expect("a place");
        assert!(before.position[0].distance(place) <= 0.15, "{name}: it stands at its place");
        let wall = sim.add_wall(Shape::Rect(Rect::new(place - 0.6, place + 0.6))).expect("a sound wall");
        sim.step().expect("a step");
        assert!(sim.agents().expect("people").position[0].distance(place) > 0.5, "{name}: it was put aside");
        assert!(sim.stand_wall(wall, false));
        run_until(&mut sim, 18.0);
        let after = sim.agents().expect("people");
        assert_eq!(after.point(0), Some(place), "{name}: the same place");
        assert!(after.position[0].distance(place) <= 0.15, "{name}: it is back, at {}", after.position[0]);
    }
}

#[test]
fn who_does_not_get_to_its_place_stays_where_it_is() {
    for mut sim in runs(&room(1, 100.0)) {
        let name = sim.engine().name();
        run_until(&mut sim, 12.0);
        let place = sim.agents().expect("people").point(0).expect("a place");
        sim.add_wall(Shape::Rect(Rect::new(place - 0.6, place + 0.6))).expect("a sound wall");
        run_until(&mut sim, 60.0);
        let agents = sim.agents().expect("people");
        let p = agents.position[0];
        assert!(agents.point(0).expect("a place").distance(p) <= 0.15, "{name}: it is content at {p}");
        assert!(agents.state[0] == State::Staying && p.x > 5.0, "{name}: {p}");
    }
}

#[test]
fn in_a_small_goal_everybody_stands_where_it_arrives_and_part_by_part_in_one_of_several() {
    let small = scene(
        "size = [10, 4]\ncell = 0.25\n[[goal]]\nname = \"bench\"\nrect = [6, 1, 7, 2]\n[[goal]]\nname = \"end\"\nrect = [9.5, 0, 10, 4]\n\
         [[agents]]\ncount = 1\nstart = { rect = [1, 1, 2, 2] }\nspeed = 1.3\njourney = [{ goal = \"bench\", wait = 3 }, \"end\"]\n",
    );
    for mut sim in runs(&small) {
        run_until(&mut sim, 6.0);
        let p = sim.agents().expect("people").position[0];
        assert!((6.0..6.2).contains(&p.x), "{}: at the rim, {p}", sim.engine().name());
    }
    let two = scene(
        "size = [20, 6]\ncell = 0.25\n[[goal]]\nname = \"lawn\"\nshapes = [{ rect = [1, 1, 5, 5] }, { rect = [15, 1, 19, 5] }]\n\
         [[agents]]\ncount = 8\nstart = { rect = [6, 1, 9, 5] }\nspeed = 1.3\njourney = [{ goal = \"lawn\", wait = 90 }]\n",
    );
    for mut sim in runs(&two) {
        run_until(&mut sim, 20.0);
        let agents = sim.agents().expect("people");
        let west = |p: &Vec2| (1.0..5.0).contains(&p.x) && (1.0..5.0).contains(&p.y);
        assert!(agents.position.iter().all(west), "{}: {:?}", sim.engine().name(), agents.position);
    }
}

#[test]
fn a_run_is_resumed_while_people_go_to_their_places_to_the_same_bits() {
    let mut scene = room(12, 7.0);
    for journey in scene.groups.iter_mut().map(|g| &mut g.journey) {
        let centre = throng::scene::Target::Points(vec![Vec2::new(2.0, 3.0)]);
        journey.push(throng::scene::Leg { to: centre, wait: throng::scene::Wait::For(1.0) });
        journey.swap(1, 2);
    }
    for on_engine in ENGINES {
        let (mut whole, mut other) = (on_engine(&scene), on_engine(&scene));
        run_until(&mut whole, 6.0);
        assert!(!staying(&whole.agents().expect("people")).is_empty(), "somebody waits");
        other.resume(&whole.save().expect("a snapshot")).expect("it fits");
        for _ in 0..150 {
            whole.step().expect("a step");
            other.step().expect("a step");
        }
        assert_eq!(whole.state_hash().expect("a hash"), other.state_hash().expect("a hash"));
        run_until(&mut whole, 60.0);
        assert_eq!(whole.counters().arrived, 12, "{}", whole.engine().name());
    }
}

#[test]
fn threads_do_not_change_where_people_wait() {
    let hash = |threads: usize| {
        let mut sim = Simulation::with_threads(&room(24, 60.0), threads).expect("it fits");
        run_until(&mut sim, 20.0);
        sim.state_hash().expect("a hash")
    };
    assert_eq!(hash(1), hash(2));
    assert_eq!(hash(1), hash(5));
}

#[test]
fn a_point_given_to_somebody_who_waits_is_where_it_goes_after_the_wait() {
    for mut sim in runs(&room(1, 10.0)) {
        let name = sim.engine().name();
        run_until(&mut sim, 8.0);
        let before = sim.agents().expect("people");
        assert_eq!(before.state[0], State::Staying, "{name}");
        let (id, wish) = (before.id[0], Vec2::new(11.0, 5.0));
        sim.set_points(&[(id, wish)]).expect("a free point");
        sim.step().expect("a step");
        let now = sim.agents().expect("people");
        assert_eq!((now.state[0], now.point(0)), (State::Waiting, Some(wish)), "{name}");
        run_until(&mut sim, 40.0);
        assert_eq!(sim.counters().arrived, 1, "{name}");
    }
}

/// 80 people in a hall, and a door of 1 m that opens after 40 s.
const CLOSED: &str = r#"
size = [20, 16]
cell = 0.25
dt = 0.05
[map]
walls = [{ rect = [15, 0, 15.2, 7.5] }, { rect = [15, 8.5, 15.2, 16] }, { rect = [15, 7.5, 15.2, 8.5], name = "door" }]
[[event]]
at = 40
open = "door"
[[goal]]
rect = [19, 0, 20, 16]
[[agents]]
count = 80
start = { rect = [1, 1, 9, 15] }
speed = { normal = [1.3, 0.2] }
[model]
steer = "walk"
plan = "static"
"#;

#[test]
fn a_crowd_before_a_closed_door_stands_around_it_and_all_pass_when_it_opens() {
    // The GPU's twin of this is in ways_out.rs, with fewer people.
    let mut sim = Simulation::with_threads(&scene(CLOSED), 2).expect("it fits");
    run_until(&mut sim, 39.9);
    let door = Vec2::new(15.0, 8.0);
    let at: Vec<Vec2> = sim.positions().expect("people").into_iter().map(|(_, p)| p).collect();
    let far: Vec<f32> = at.iter().map(|p| p.distance(door)).collect();
    // At 3 persons/m² 80 of them fill half a disc of 4.1 m.
    let mean = far.iter().sum::<f32>() / 80.0;
    assert!(far.iter().all(|d| *d < 6.0), "nobody is far away: {far:?}");
    assert!(mean < 3.8, "on average they are {mean} m from the door");
    // As wide as deep: to both sides of the door, and before it.
    let (north, south) = (at.iter().filter(|p| p.y > 9.0).count(), at.iter().filter(|p| p.y < 7.0).count());
    assert!(north >= 12 && south >= 12 && at.iter().all(|p| p.x < 15.0), "{north} north, {south} south");
    assert!(sim.counters().overlap.mean < 0.05, "{:?}", sim.counters().overlap);
    run_until(&mut sim, 240.0);
    assert_eq!(sim.counters().arrived, 80, "after {} s", sim.time());
}
