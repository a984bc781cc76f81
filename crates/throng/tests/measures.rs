//! What a watch notes of a run, against what is known of it otherwise.

use std::collections::HashMap;
use throng::measure::Watch;
use throng::measure::watch::Exit;
use throng::scene::NoFiles;
use throng::{Scene, Simulation};

/// A hall with two doors in its goal, a second goal, a line before one door, and areas.
const HALL: &str = r#"
size = [20, 10]
cell = 0.25

[[goal]]
name = "doors"
shapes = [{ rect = [19, 1, 20, 3] }, { rect = [19, 7, 20, 9] }]

[[goal]]
name = "back"
rect = [0, 4, 1, 6]

[[agents]]
name = "south"
count = 12
start = { rect = [10, 0.5, 14, 3.5] }
journey = ["doors"]

[[agents]]
name = "north"
count = 8
start = { rect = [10, 6.5, 14, 9.5] }
journey = ["doors"]

[[agents]]
name = "home"
count = 4
start = { rect = [6, 4, 8, 6] }
journey = ["back"]

[[measure]]
name = "to the doors"
line = [[16, 10], [16, 0]]

[[measure]]
name = "west"
rect = [0, 0, 10, 10]

[[measure]]
name = "pillar"
circle = [3, 5, 1.5]
"#;

fn scene(text: &str) -> Scene {
    Scene::parse("hall.toml", text, &NoFiles).unwrap_or_else(|e| panic!("{e}"))
}

/// A run to its end under a watch.
fn watched(scene: &Scene, steps: u64) -> (Simulation, Watch) {
    let mut sim = Simulation::new(scene).expect("a run");
    let first = sim.agents().expect("the CPU does not fail");
    let mut watch = Watch::new(scene, &first, 0);
    for _ in 0..steps {
        sim.step().expect("the CPU does not fail");
        if watch.is_due(sim.steps()) {
            let agents = sim.agents().expect("the CPU does not fail");
            watch.look(&agents, sim.steps());
        }
    }
    (sim, watch)
}

#[test]
fn everybody_is_counted_at_the_exit_that_is_theirs() {
    let (sim, watch) = watched(&scene(HALL), 600);
    assert!(sim.is_done(), "{:?}", sim.counters());
    assert_eq!(watch.arrived.len(), 24);
    let mut counts: HashMap<(Exit, u16), usize> = HashMap::new();
    for j in &watch.arrived {
        *counts.entry((j.exit.expect("an exit"), j.group)).or_default() += 1;
    }
    let exit = |goal: u16, shape: u16| Exit { goal, shape };
    assert_eq!(counts, HashMap::from([((exit(0, 0), 0), 12), ((exit(0, 1), 1), 8), ((exit(1, 0), 2), 4)]));
    assert_eq!(watch.exits(), [exit(0, 0), exit(0, 1), exit(1, 0)]);
    let names: Vec<String> = watch.exits().into_iter().map(|e| watch.exit_name(e)).collect();
    assert_eq!(names, ["doors 1", "doors 2", "back"]);
    for j in watch.journeys() {
        let time = j.arrival.expect("all have arrived") - j.start;
        let least = if j.group == 2 { 4.5 } else { 4.8 };
        assert!(j.distance > least && j.distance < 12.0, "{j:?}");
        assert!(f64::from(j.distance) / time < 2.2 && f64::from(j.standing) < time, "{j:?}");
    }
}

#[test]
fn lines_and_areas_agree_with_who_was_there() {
    let scene = scene(HALL);
    let (_, watch) = watched(&scene, 600);
    let line = &watch.lines[0];
    assert_eq!(line.counts(), [0, 20], "seen from north to south, the east is on the left");
    let mut ids: Vec<u32> = line.crossings.iter().map(|c| c.id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 20, "each once");
    assert!(line.crossings.is_sorted_by(|a, b| a.time <= b.time));
    assert!(line.flow().is_some_and(|f| f > 1.0));
    let [west, pillar] = &watch.areas[..] else { panic!("two areas") };
    assert_eq!((west.size, west.samples.len()), (100.0, 121), "five times a second for 24 s");
    assert_eq!(west.samples[0].persons, 4);
    assert_eq!(west.samples[120].persons, 0);
    assert!((pillar.size - 7.0686).abs() < 1e-3);
    assert!(pillar.samples.iter().any(|s| s.persons > 0 && s.speed > 0.5));
    assert!((west.levels().iter().sum::<f64>() - 1.0).abs() < 1e-9);
}

#[test]
fn who_waits_is_said_to_stand_and_who_comes_again_has_two_journeys() {
    let text = r#"
        size = [12, 4]
        cell = 0.25
        [[goal]]
        name = "east"
        rect = [11, 0, 12, 4]
        [[agents]]
        count = 1
        start = { rect = [1, 1.5, 2, 2.5] }
        speed = 1.5
        delay = 4
        arrive = "respawn"
    "#;
    let (sim, watch) = watched(&scene(text), 1000);
    assert!(watch.arrived.len() >= 2, "{:?}", sim.counters());
    let first = watch.arrived[0];
    assert!((first.standing - 4.0).abs() < 0.5, "{first:?}");
    assert!((first.distance - 9.5).abs() < 1.0, "{first:?}");
    assert!(watch.arrived[1].start >= first.arrival.expect("it has arrived"));
    assert!(watch.arrived[1].standing < 1.0, "it does not wait again: {:?}", watch.arrived[1]);
    let counted = sim.counters().arrived as usize;
    assert_eq!(watch.arrived.len(), counted);
}

#[test]
fn measures_are_written_scaled_and_change_nothing() {
    let with = scene(HALL);
    let read = scene(&with.to_toml());
    assert_eq!(read.measures, with.measures);
    assert_eq!(read.to_toml(), with.to_toml());
    let mut large = with.clone();
    large.scale(4.0).expect("it fits");
    assert_eq!(large.measures[1].shape.bounds().max.x, 20.0);
    let mut without = with.clone();
    without.measures.clear();
    let (mut a, mut b) = (Simulation::new(&with).expect("a run"), Simulation::new(&without).expect("a run"));
    a.steps_by(20).expect("the CPU does not fail");
    b.steps_by(10).expect("the CPU does not fail");
    let half = b.save().expect("the CPU does not fail");
    b = Simulation::new(&with).expect("a run");
    b.resume(&half).expect("a snapshot fits whatever is measured");
    b.steps_by(10).expect("the CPU does not fail");
    assert_eq!(a.state_hash(), b.state_hash());
}
