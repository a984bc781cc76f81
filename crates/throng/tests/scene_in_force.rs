//! One scene in force: after every change by a call, on either engine, `Simulation::scene` says it, before and after a resume, and
//! a run that begins from it has the same floor, crowd and model.

mod engines;

use engines::ENGINES;
use throng::engine::CrowdChange;
use throng::geometry::{Rect, Shape};
use throng::scene::{Arrive, Distribution, Group, Leg, Model, NoFiles, Scene, Wait};
use throng::{ResumeError, Simulation, Vec2};

const SCENE: &str = r#"
size = [24, 12]
cell = 0.5
[map]
walls = [
  { rect = [12, 0, 12.5, 5] },
  { rect = [12, 8, 12.5, 12] },
  { rect = [12, 5, 12.5, 7], name = "gate", open = true },
]
discomfort = [{ rect = [2, 2, 5, 5], value = 0.7 }, { rect = [3, 3, 6, 6], value = 0.7 }]
[[goal]]
name = "door"
rect = [23, 5, 24, 7]
[[goal]]
name = "west"
rect = [0, 5, 1, 7]
[[agents]]
name = "guests"
count = 20
start = { rect = [4, 2, 9, 10] }
journey = ["door"]
[[agents]]
name = "walkers"
count = 10
start = { rect = [15, 2, 20, 10] }
journey = ["west", "door"]
arrive = "next"
[[zone]]
name = "mud"
rect = [14, 0, 16, 12]
speed = 0.8
[[zone]]
name = "belt"
rect = [2, 0, 4, 12]
speed = 1.8
"#;

const EVENTS: &str = r#"
[[event]]
at = 0.2
close = "gate"
[[event]]
at = 0.2
zone = "mud"
speed = 0.5
"#;

fn scene() -> Scene {
    Scene::parse("force.toml", SCENE, &NoFiles).unwrap_or_else(|e| panic!("{e:?}"))
}

/// Makes a run on the engine of a number: 0 is the CPU.
fn make(engine: usize, scene: &Scene) -> Simulation {
    ENGINES[engine](scene)
}

fn rect(x0: f32, y0: f32, x1: f32, y1: f32) -> Shape {
    Shape::Rect(Rect::new(Vec2::new(x0, y0), Vec2::new(x1, y1)))
}

/// A change, and what the scene has to say then.
type Case = (&'static str, fn(&mut Simulation), fn(&Scene) -> bool);

const CASES: [Case; 13] = [
    (
        "set_model",
        |sim| assert!(sim.set_model(&Model { time_weight: 2.5, clearance: 1.5, ..sim.scene().model })),
        |s| s.model.time_weight == 2.5 && s.model.clearance == 1.5,
    ),
    (
        "drop",
        |sim| sim.change_crowd(&CrowdChange::Drop(Box::new(late()))).unwrap(),
        |s| s.groups.len() == 3 && s.groups[2].name == "late",
    ),
    (
        "speed",
        |sim| sim.change_crowd(&CrowdChange::Speed(0, Distribution::Constant(1.1))).unwrap(),
        |s| s.groups[0].speed == Distribution::Constant(1.1),
    ),
    (
        "arrive",
        |sim| sim.change_crowd(&CrowdChange::Arrive(1, Arrive::Park)).unwrap(),
        |s| s.groups[1].arrive == Arrive::Park,
    ),
    (
        "add_wall",
        |sim| assert_eq!(sim.add_wall(rect(6.0, 0.0, 6.2, 1.5)).unwrap(), 3),
        |s| s.map.walls.len() == 4 && !s.map.walls[3].open && s.map.walls[3].shape == rect(6.0, 0.0, 6.2, 1.5),
    ),
    ("stand_wall", |sim| assert!(sim.stand_wall(0, false)), |s| s.map.walls[0].open),
    ("set_wall", |sim| assert!(sim.set_wall("gate", true)), |s| !s.map.walls[2].open),
    (
        "add_wall and take it away",
        |sim| {
            let wall = sim.add_wall(rect(7.0, 0.0, 7.2, 1.5)).unwrap();
            assert!(sim.stand_wall(wall, false));
        },
        |s| s.map.walls.last().is_some_and(|w| w.open && w.added),
    ),
    (
        "paint_walls",
        |sim| assert!(sim.paint_walls(&(0..6).map(|k| (48 * (10 + k) + 20, true)).collect::<Vec<_>>())),
        |s| s.map.painted.iter().filter(|p| **p).count() == 6 && s.map.painted[48 * 10 + 20],
    ),
    (
        "paint_wall",
        |sim| assert!(sim.paint_wall(Vec2::new(20.1, 1.1), true)),
        |s| s.map.painted[s.grid.index_at(Vec2::new(20.1, 1.1))],
    ),
    (
        "paint_ground",
        |sim| assert!(sim.paint_ground(&[(48 * 20 + 3, 0.3), (48 * 7 + 7, 0.25)])),
        |s| {
            // Where both shapes lie their sum stays, but for the cell that was painted over.
            let at = |x: usize, y: usize| s.map.ground[48 * y + x];
            (at(3, 20), at(7, 7), at(8, 8)) == (0.3, 0.25, 1.4) && s.map.discomfort.is_empty()
        },
    ),
    (
        "move_goal",
        |sim| assert!(sim.move_goal("west", vec![rect(0.0, 0.0, 1.0, 2.0)]).unwrap()),
        |s| s.goals[1].shapes == [rect(0.0, 0.0, 1.0, 2.0)],
    ),
    (
        "set_zone",
        |sim| assert!(sim.set_zone("mud", 0.6) && sim.set_zone("belt", 5.0) && sim.set_zone("belt", 0.5)),
        |s| (s.zones[0].speed, s.zones[1].speed) == (0.6, 0.5),
    ),
];

fn late() -> Group {
    Group::new("late", 5, vec![rect(4.0, 8.0, 9.0, 11.0)], vec![Leg { wait: Wait::For(1.5), ..Leg::to_goal(0) }])
}

/// A run that begins from the scene in force has the floor, the crowd and the model of the run.
fn assert_begins_the_same(engine: usize, sim: &mut Simulation, what: &str) {
    sim.settle();
    let name = format!("{} {what}", sim.engine().name());
    let fresh = make(engine, &sim.scene().clone());
    let (now, then) = (sim.world(), fresh.world());
    assert_eq!(now.walls.shapes(), then.walls.shapes(), "{name}");
    assert_eq!(now.walls.flags(), then.walls.flags(), "{name}");
    assert_eq!(now.ground, then.ground, "{name}");
    assert_eq!(now.discomfort, then.discomfort, "{name}");
    assert_eq!(now.goals, then.goals, "{name}");
    assert_eq!((&now.zones, &now.zone), (&then.zones, &then.zone), "{name}");
    assert_eq!(now.routes, then.routes, "{name}");
    assert_eq!(fresh.scene(), sim.scene(), "{name}");
}

#[test]
fn every_change_by_a_call_is_in_the_scene_in_force_at_once() {
    for engine in 0..ENGINES.len() {
        let mut all = make(engine, &scene());
        for (what, change, says) in CASES {
            let mut sim = make(engine, &scene());
            assert!(!says_it(sim.scene(), says), "{what}: the scene says so from the start");
            change(&mut sim);
            assert!(says_it(sim.scene(), says), "{} {what}: {}", sim.engine().name(), sim.scene().to_toml());
            assert_begins_the_same(engine, &mut sim, what);
            // One after the other too, with steps in between.
            if !what.starts_with("add_wall and") {
                change(&mut all);
            }
            all.step().unwrap();
        }
        for (what, _, says) in
            CASES.iter().filter(|(what, ..)| !what.starts_with("add_wall and") && !what.starts_with("paint_wall"))
        {
            assert!(says_it(all.scene(), *says), "{what}, all together");
        }
        assert_begins_the_same(engine, &mut all, "all together");
    }
}

/// Maps that are not there yet say nothing.
fn says_it(scene: &Scene, says: fn(&Scene) -> bool) -> bool {
    let mut scene = scene.clone();
    scene.map.painted.resize(scene.grid.len(), false);
    scene.map.ground.resize(scene.grid.len(), 0.0);
    says(&scene)
}

fn with_events() -> Scene {
    Scene::parse("force.toml", &format!("{SCENE}{EVENTS}"), &NoFiles).unwrap_or_else(|e| panic!("{e:?}"))
}

#[test]
fn events_act_on_the_world_and_leave_the_scene_that_has_them() {
    for engine in 0..ENGINES.len() {
        let mut sim = make(engine, &with_events());
        sim.steps_by(12).unwrap();
        assert_eq!(sim.scene(), &with_events());
        assert!(sim.world().walls.shapes()[2].standing && sim.world().zones[0].speed == 0.5);
        // What a call then says is in both.
        assert!(sim.set_zone("mud", 0.7));
        assert_eq!((sim.scene().zones[0].speed, sim.world().zones[0].speed), (0.7, 0.7));
        let saved = sim.save().unwrap();
        let mut rest = make(engine, &with_events());
        rest.resume(&saved).unwrap();
        assert_eq!(rest.scene(), sim.scene());
        assert!(rest.scene().map.walls[2].open && rest.world().walls.shapes()[2].standing, "the event closed the gate");
    }
}

#[test]
fn a_resumed_run_has_the_scene_of_its_snapshot_whatever_it_was_made_from() {
    for engine in 0..ENGINES.len() {
        let mut sim = make(engine, &with_events());
        sim.steps_by(2).unwrap();
        let first = sim.save().unwrap();
        let floor = |(what, ..): &&Case| !["drop", "speed", "arrive"].contains(what);
        for (_, change, _) in CASES.iter().filter(floor) {
            change(&mut sim);
        }
        sim.steps_by(8).unwrap();
        let (saved, in_force) = (sim.save().unwrap(), sim.scene().clone());
        assert!(sim.paint_ground(&[(5, 0.5)]) && sim.stand_wall(3, false));
        sim.move_goal("door", vec![rect(22.0, 1.0, 23.0, 2.0)]).unwrap();
        sim.add_wall(rect(1.0, 9.0, 1.5, 10.0)).unwrap();
        let mut runs = [make(engine, &with_events()), make(engine, &in_force), sim];
        for run in &mut runs {
            run.resume(&saved).unwrap();
            assert_eq!(run.scene(), &in_force);
            assert_eq!(run.save().unwrap(), saved);
            run.steps_by(6).unwrap();
        }
        let hashes = runs.each_mut().map(|run| run.state_hash().unwrap());
        assert!(hashes.iter().all(|h| *h == hashes[0]), "{hashes:?}");
        for run in &mut runs {
            // Back to before all changes.
            run.resume(&first).unwrap();
            assert_eq!(run.scene(), &with_events());
        }
        let mut other = make(engine, &runs[0].edited_scene());
        other.stand_wall(0, false);
        let mut stranger = make(engine, &other.edited_scene());
        assert_eq!(stranger.resume(&saved), Err(ResumeError::OtherScene));
    }
}

#[test]
fn a_crowd_that_has_changed_resumes_with_the_first_floor_or_the_one_in_force() {
    let mut sim = make(0, &scene());
    sim.add_wall(rect(8.0, 9.0, 8.5, 12.0)).unwrap();
    sim.change_crowd(&CrowdChange::Drop(Box::new(late()))).unwrap();
    sim.steps_by(3).unwrap();
    let saved = sim.save().unwrap();
    let mut first = scene();
    assert_eq!(make(0, &first).resume(&saved), Err(ResumeError::OtherScene), "others walk there");
    first.groups.push(late());
    for given in [first, sim.scene().clone()] {
        let mut rest = make(0, &given);
        rest.resume(&saved).unwrap();
        assert_eq!(rest.save().unwrap(), saved);
        assert_eq!((&rest.scene().map, &rest.scene().groups), (&sim.scene().map, &sim.scene().groups));
    }
}
