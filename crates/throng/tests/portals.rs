//! Portals on both engines: rooms that only a portal joins, what it costs and how long it takes, and what happens to those
//! who are on the way.

mod engines;

use engines::runs;
use throng::engine::{Field, Values};
use throng::geometry::{Rect, Shape};
use throng::scene::NoFiles;
use throng::world::agents::State;
use throng::{Scene, Simulation, Vec2};

fn scene(text: &str) -> Scene {
    Scene::parse("portals.toml", text, &NoFiles).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn run_until(sim: &mut Simulation, seconds: f64) {
    while sim.time() < seconds && !sim.is_done() {
        sim.step().expect("the device does not fail");
    }
}

fn scalars(sim: &mut Simulation, field: Field) -> Vec<f32> {
    match sim.field(field).expect("a field") {
        Values::Scalar(values) => values,
        Values::Vector(_) => panic!("not a scalar field"),
    }
}

/// Two rooms with a metre of wall between them, and stairs of 10 m that are walked at half speed.
const ROOMS: &str = r#"
size = [17, 6]
cell = 0.5
dt = 0.05
seed = 5
[map]
walls = [{ rect = [8, 0, 9, 6] }]
[[portal]]
name = "stairs"
between = [[7, 2, 8, 4], [9, 2, 10, 4]]
length = 10
speed = 0.5
[[goal]]
name = "east"
rect = [16, 0, 17, 6]
[[goal]]
name = "west"
rect = [0, 0, 1, 6]
"#;

fn rooms(more: &str) -> Scene {
    scene(&format!("{ROOMS}{more}"))
}

const EAST: &str = "[[agents]]\ncount = 30\nstart = { rect = [1, 1, 6, 5] }\njourney = [\"east\"]\nspeed = 1.25\n";
const WEST: &str = "[[agents]]\ncount = 30\nstart = { rect = [11, 1, 15, 5] }\njourney = [\"west\"]\nspeed = 1.25\n";

#[test]
fn rooms_that_only_a_portal_joins_are_left_through_it() {
    for mut sim in runs(&rooms(EAST)) {
        let name = sim.engine().name();
        let mut most = 0;
        while sim.time() < 180.0 && !sim.is_done() {
            sim.step().expect("a step");
            let c = sim.counters();
            assert_eq!(c.active + c.between + c.outside + c.parked, 30, "{name}");
            assert_eq!(c.outside, 0, "{name}: whoever is on the stairs is not outside");
            most = most.max(c.between);
            // The nearest has a metre to walk, then 10 m at half of 1.25 m/s: 16 s.
            assert!(sim.time() > 16.5 || c.arrived == 0, "{name}: {} s", sim.time());
        }
        let c = sim.counters();
        assert_eq!((c.arrived, c.in_wall, c.not_finite), (30, 0, 0), "{name}");
        assert!(most > 5, "{name}: at most {most} were on the stairs together");
        assert!(c.overlap.max < 0.5, "{name}: {:?}", c.overlap);
        assert!(sim.time() < 60.0, "{name}: {} s", sim.time());
    }
}

#[test]
fn both_ways_through_a_portal_everybody_arrives() {
    for mut sim in runs(&rooms(&format!("{EAST}{WEST}"))) {
        run_until(&mut sim, 400.0);
        assert_eq!(sim.counters().arrived, 60, "{}", sim.engine().name());
    }
}

#[test]
fn a_portal_costs_its_length_and_the_time_that_takes() {
    // Two corridors a cell wide, in a line: ways are counted by hand.
    let text = r#"
        size = [20, 0.5]
        cell = 0.5
        [map]
        walls = [{ rect = [9.5, 0, 10.5, 0.5] }]
        [[portal]]
        between = [[9, 0, 9.5, 0.5], [10.5, 0, 11, 0.5]]
        length = 6
        speed = 0.5
        [[goal]]
        rect = [19.5, 0, 20, 0.5]
        [[agents]]
        count = 1
        start = { rect = [0, 0, 1, 0.5] }
        speed = 1.25
        [model]
        plan = "static"
        length_weight = 1
        time_weight = 2
        discomfort_weight = 0
    "#;
    for solver in ["buckets", "selective", "all"] {
        for mut sim in runs(&scene(&format!("{text}solver = \"{solver}\"\n"))) {
            sim.step().expect("a step");
            let potential = scalars(&mut sim, Field::Potential(0));
            let metre = 1.0 + 2.0 / 1.25;
            let stairs = 6.0 * (1.0 + 2.0 / (0.5 * 1.25));
            for (cell, &p) in potential.iter().enumerate() {
                let to_goal = |cell: usize| (39 - cell) as f32 * 0.5 * metre;
                let right = match cell {
                    21.. => to_goal(cell),
                    ..=18 => (18 - cell) as f32 * 0.5 * metre + stairs + to_goal(21),
                    _ => continue,
                };
                // The GPU passes on no change below a ten-thousandth of a link; rounding is far less.
                let near = (p - right).abs() < 2e-4 * metre + 1e-5 * right;
                assert!(near, "{}, {solver}, cell {cell}: {p}, not {right}", sim.engine().name());
            }
            let gradient = match sim.field(Field::Gradient(0)).expect("a field") {
                Values::Vector(values) => values,
                Values::Scalar(_) => panic!("not a vector field"),
            };
            assert_eq!(gradient[18], [0.0, 0.0], "through the portal there is no direction");
            assert!(gradient[17][0] > 0.99 && gradient[21][0] > 0.99, "{gradient:?}");
        }
    }
}

#[test]
fn a_portal_that_is_farther_than_the_floor_is_left_alone() {
    let detour = |length: f32| {
        format!(
            "size = [20, 4]\n[map]\nwalls = [{{ rect = [10, 1, 10.5, 4] }}]\n[[portal]]\nbetween = [[8, 3, 9, 4], [12, 3, 13, 4]]\n\
             length = {length}\n[[goal]]\nrect = [19, 3, 20, 4]\n[[agents]]\ncount = 1\nstart = {{ rect = [1, 3, 2, 4] }}\nspeed = 1.25\n"
        )
    };
    for (length, through) in [(3.0, true), (30.0, false)] {
        for mut sim in runs(&scene(&detour(length))) {
            let mut seen = false;
            while sim.time() < 60.0 && !sim.is_done() {
                sim.step().expect("a step");
                seen |= sim.counters().between > 0;
            }
            assert_eq!((sim.counters().arrived, seen), (1, through), "{}, {length} m", sim.engine().name());
        }
    }
}

#[test]
fn a_run_is_resumed_with_people_on_the_stairs_to_the_same_bits() {
    for more in ["", "[model]\nplan_every = 4\n", "[model]\nplan = \"static\"\n"] {
        let scene = rooms(&format!("{EAST}{WEST}{more}"));
        for (mut whole, mut other) in runs(&scene).into_iter().zip(runs(&scene)) {
            run_until(&mut whole, 6.0);
            assert!(whole.counters().between > 0, "somebody is on the stairs");
            let saved = whole.save().expect("a snapshot");
            other.resume(&saved).expect("it fits");
            for _ in 0..70 {
                whole.step().expect("a step");
                other.step().expect("a step");
            }
            assert_eq!(whole.state_hash().expect("a hash"), other.state_hash().expect("a hash"), "{more}");
        }
    }
}

#[test]
fn threads_do_not_change_what_happens_at_a_portal() {
    let scene = rooms(&format!("{EAST}{WEST}"));
    let hash = |threads: usize| {
        let mut sim = Simulation::with_threads(&scene, threads).expect("it fits");
        run_until(&mut sim, 20.0);
        sim.state_hash().expect("a hash")
    };
    assert_eq!(hash(1), hash(2));
    assert_eq!(hash(1), hash(7));
}

#[test]
fn a_wall_over_the_foot_of_the_stairs_closes_them_and_whoever_is_on_them_comes_out() {
    for mut sim in runs(&rooms(EAST)) {
        let name = sim.engine().name();
        run_until(&mut sim, 10.0);
        let before = sim.counters();
        assert!(before.between > 0, "{name}");
        let wall = Shape::Rect(Rect::new(Vec2::new(6.9, 0.0), Vec2::new(8.0, 6.0)));
        sim.add_wall(wall).expect("a sound wall");
        run_until(&mut sim, 80.0);
        let c = sim.counters();
        assert_eq!(c.between, 0, "{name}");
        assert_eq!(c.arrived, before.between, "{name}: those who were on the stairs, and nobody else");
        assert_eq!(c.active, 30 - before.between, "{name}");
    }
}

#[test]
fn other_weights_while_the_run_goes_on_change_what_a_portal_costs() {
    // By length the stairs are shorter, by time the floor is.
    let text = "size = [20, 4]\n[map]\nwalls = [{ rect = [10, 1, 10.5, 4] }]\n[[portal]]\n\
                between = [[8, 3, 9, 4], [12, 3, 13, 4]]\nlength = 2\nspeed = 0.1\n[[goal]]\nrect = [19, 3, 20, 4]\n\
                [[agents]]\ncount = 1\nstart = { rect = [1, 3, 2, 4] }\n[model]\ntime_weight = 0\n";
    for mut sim in runs(&scene(text)) {
        let name = sim.engine().name();
        sim.step().expect("a step");
        let cell = 6 * 40 + 16;
        let direction = |sim: &mut Simulation| match sim.field(Field::Gradient(0)).expect("a field") {
            Values::Vector(values) => values[cell],
            Values::Scalar(_) => panic!("not a vector field"),
        };
        assert_eq!(direction(&mut sim), [0.0, 0.0], "{name}: through");
        let mut model = sim.scene().model;
        (model.length_weight, model.time_weight) = (0.0, 1.0);
        assert!(sim.set_model(&model));
        sim.step().expect("a step");
        assert_ne!(direction(&mut sim), [0.0, 0.0], "{name}: past it");
    }
}

#[test]
fn a_portal_survives_being_written_and_read_and_makes_a_room_of_its_own_a_place_to_start() {
    let scene = rooms(EAST);
    let again = Scene::parse("again.toml", &scene.to_toml(), &NoFiles).expect("it is sound");
    assert_eq!(again.portals, scene.portals);
    let mut sim = Simulation::new(&scene).expect("everybody can reach the goal through the stairs");
    assert!(sim.agents().expect("people").state.iter().all(|s| *s == State::Walking));
    let mut without = scene.clone();
    without.portals.clear();
    assert!(Simulation::new(&without).is_err(), "without the stairs nobody can");
}
