//! Doors at which one direction goes first, on both engines: those who come out have room and go, the others hold back beside the door, and nobody
//! holds back for ever.

mod engines;

use engines::{ENGINES, runs};
use throng::scene::NoFiles;
use throng::{Scene, Simulation, Vec2};

fn scene(text: &str) -> Scene {
    Scene::parse("doors.toml", text, &NoFiles).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// A carriage west of x = 5 and a platform east of it, with a door of 1.3 m between them. `inside` people come out.
fn carriage(inside: usize, outside: usize, more: &str) -> Scene {
    scene(&format!(
        "size = [12, 8]\ncell = 0.25\ndt = 0.05\n[map]\nwalls = [{{ rect = [4.9, 0, 5.1, 3.35] }}, {{ rect = [4.9, 4.65, 5.1, 8] }}]\n\
         [[goal]]\nname = \"seats\"\nrect = [0, 0, 0.5, 8]\n[[goal]]\nname = \"stairs\"\nrect = [11.5, 0, 12, 8]\n\
         [[agents]]\nname = \"leavers\"\ncount = {inside}\nstart = {{ rect = [2, 2, 4.5, 6] }}\nspeed = 1.3\njourney = [\"stairs\"]\n\
         [[agents]]\nname = \"boarders\"\ncount = {outside}\nstart = {{ rect = [5.8, 2, 8.5, 6] }}\nspeed = 1.3\njourney = [\"seats\"]\n\
         {more}[model]\nsteer = \"walk\"\nplan = \"static\"\n"
    ))
}

/// From the south to the north the west is on the left: forward is out of the carriage.
const DOOR: &str = "[[door]]\nline = [[5, 3.35], [5, 4.65]]\nfirst = \"forward\"\n";

/// Who passed x = 5 in which order: `true` for those who came out. Ends when everybody is where it wants to be, or at a time.
fn passages(sim: &mut Simulation, seconds: f64) -> Vec<(f64, bool)> {
    let mut passed = Vec::new();
    let mut before: Vec<(u32, Vec2)> = sim.positions().expect("people");
    while sim.time() < seconds && !sim.is_done() {
        sim.step().expect("a step");
        let now = sim.positions().expect("people");
        for (id, p) in &now {
            let Ok(k) = before.binary_search_by_key(id, |b| b.0) else { continue };
            if (before[k].1.x < 5.0) != (p.x < 5.0) {
                passed.push((sim.time(), p.x >= 5.0));
            }
        }
        before = now;
    }
    passed
}

/// How many pass the other way before the last of those who come out.
fn too_early(passed: &[(f64, bool)]) -> usize {
    let last = passed.iter().rposition(|(_, out)| *out).expect("somebody comes out");
    passed[..last].iter().filter(|(_, out)| !out).count()
}

#[test]
fn those_who_come_out_go_first_and_then_the_others() {
    for mut sim in runs(&carriage(12, 12, DOOR)) {
        let name = sim.engine().name();
        let passed = passages(&mut sim, 60.0);
        assert_eq!((sim.counters().arrived, passed.len()), (24, 24), "{name}: {passed:?}");
        assert_eq!(too_early(&passed), 0, "{name}: {passed:?}");
    }
    // What it would be without: the two streams mix.
    let mut sim = Simulation::new(&carriage(12, 12, "")).expect("it fits");
    let mixed = too_early(&passages(&mut sim, 120.0));
    assert!(mixed >= 3, "without a door {mixed} go in early");
}

#[test]
fn the_other_direction_goes_first_where_the_scene_says_so() {
    for mut sim in runs(&carriage(6, 6, &DOOR.replace("forward", "backward"))) {
        let passed = passages(&mut sim, 60.0);
        let last = passed.iter().rposition(|(_, out)| !*out).expect("somebody goes in");
        let early = passed[..last].iter().filter(|(_, out)| *out).count();
        assert_eq!((passed.len(), early), (12, 0), "{}: {passed:?}", sim.engine().name());
    }
}

#[test]
fn who_holds_back_leaves_the_strip_before_the_door_free() {
    // The door is closed until 8 s: nobody passes, and those inside still mean to.
    let text = carriage(8, 12, DOOR).to_toml();
    let wall = "{ rect = [4.9, 3.35, 5.1, 4.65], name = \"leaf\", open = false },\n]\ndiscomfort";
    let text = text.replacen("]\ndiscomfort", wall, 1);
    let scene = scene(&format!("{text}\n[[event]]\nat = 8\nopen = \"leaf\"\n"));
    for mut sim in runs(&scene) {
        let name = sim.engine().name();
        while sim.time() < 7.9 {
            sim.step().expect("a step");
        }
        let agents = sim.agents().expect("people");
        for i in (0..agents.len()).filter(|&i| agents.group[i] == 1) {
            let p = agents.position[i];
            let in_strip = (2.9..5.1).contains(&p.y) && p.x < 7.9;
            assert!(!in_strip, "{name}: {} stands in the way, at {p}", agents.id[i]);
        }
        let passed = passages(&mut sim, 60.0);
        assert_eq!((passed.len(), too_early(&passed)), (20, 0), "{name}: {passed:?}");
    }
}

#[test]
fn nobody_holds_back_for_longer_than_its_patience() {
    let stream = "[[agents]]\nname = \"stream\"\nsource = { rate = 1, total = 1000 }\nstart = { rect = [1, 2, 3, 6] }\nspeed = 1.3\njourney = [\"stairs\"]\n";
    for (patience, goes) in [(6.0, true), (1000.0, false)] {
        let scene = carriage(4, 2, &format!("{stream}{DOOR}patience = {patience}\n"));
        // The GPU's clock is the same column; a stream of a minute takes it long.
        let mut sim = Simulation::with_threads(&scene, 2).expect("it fits");
        let passed = passages(&mut sim, 40.0);
        let boarded: Vec<f64> = passed.iter().filter(|(_, out)| !out).map(|(time, _)| *time).collect();
        assert_eq!(boarded.len(), if goes { 2 } else { 0 }, "with a patience of {patience} s: {boarded:?}");
        assert!(boarded.iter().all(|time| *time > 6.0), "{boarded:?}");
    }
}

#[test]
fn a_run_is_resumed_while_people_hold_back_to_the_same_bits() {
    let scene = carriage(8, 6, DOOR);
    for on_engine in ENGINES {
        let (mut whole, mut other) = (on_engine(&scene), on_engine(&scene));
        whole.steps_by(50).expect("steps");
        let agents = whole.agents().expect("people");
        let held = agents.own.iter().find(|o| o.column.info.name == "held").expect("a column of patience");
        assert!(held.values.iter().any(|s| *s > 0.0), "somebody holds back");
        other.resume(&whole.save().expect("a snapshot")).expect("it fits");
        for run in [&mut whole, &mut other] {
            run.steps_by(80).expect("steps");
        }
        assert_eq!(whole.state_hash().expect("a hash"), other.state_hash().expect("a hash"));
    }
}

#[test]
fn threads_do_not_change_who_holds_back() {
    let hash = |threads: usize| {
        let mut sim = Simulation::with_threads(&carriage(12, 12, DOOR), threads).expect("it fits");
        sim.steps_by(160).expect("steps");
        sim.state_hash().expect("a hash")
    };
    assert_eq!(hash(1), hash(2));
    assert_eq!(hash(1), hash(5));
}

#[test]
fn a_door_that_nobody_passes_changes_nothing() {
    // Nobody means to pass it: the same ways, step by step.
    let plain = carriage(4, 0, "");
    let with_door = carriage(4, 0, DOOR);
    for on_engine in ENGINES {
        let (mut a, mut b) = (on_engine(&plain), on_engine(&with_door));
        a.steps_by(60).expect("steps");
        b.steps_by(60).expect("steps");
        assert_eq!(a.positions().expect("people"), b.positions().expect("people"), "{}", a.engine().name());
    }
}

#[test]
fn doors_survive_being_written_and_read_and_grow_with_their_world() {
    let scene = carriage(1, 1, &format!("{DOOR}name = \"door 3\"\nreach = 2.5\npatience = 12\n"));
    let again = Scene::parse("again.toml", &scene.to_toml(), &NoFiles).expect("it is sound");
    assert_eq!(again.doors, scene.doors);
    let mut large = scene.clone();
    large.scale(4.0).expect("not too large");
    assert_eq!(large.doors[0].line, scene.doors[0].line.map(|p| p * 2.0));
    assert_eq!(large.doors[0].reach, 2.5);
}
