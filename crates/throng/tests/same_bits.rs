//! The same scene and seed give the same bits: on any number of threads, from its own text, and after a pause.

use throng::engine::{Field, Values};
use throng::geometry::{Rect, Shape};
use throng::scene::{NoFiles, built_in};
use throng::{Scene, Simulation, Vec2};

fn reduced(name: &str, agents: Option<u32>) -> Scene {
    let mut scene = Scene::built_in(name).expect("a built-in scene");
    if let Some(n) = agents {
        scene.set_agents(n).expect("it has groups");
    }
    scene
}

fn hash_after(scene: &Scene, threads: usize, steps: u64) -> u64 {
    let mut run = Simulation::with_threads(scene, threads).unwrap_or_else(|e| panic!("{e}"));
    run.steps_by(steps).expect("the CPU does not fail");
    let c = run.counters();
    assert_eq!((c.in_wall, c.not_finite), (0, 0), "{}", scene.name);
    run.state_hash().unwrap()
}

/// On 1, 2 and 8 threads, with another seed, and read from the text that the scene itself writes.
fn same_on_any_number_of_threads(name: &str, agents: Option<u32>, steps: u64) {
    let scene = reduced(name, agents);
    let one = hash_after(&scene, 1, steps);
    assert_eq!(one, hash_after(&scene, 2, steps), "{name} on 2 threads");
    assert_eq!(one, hash_after(&scene, 8, steps), "{name} on 8 threads");
    let files = built_in(name).expect("a built-in scene");
    let again = Scene::parse("again.toml", &scene.to_toml(), &files).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(one, hash_after(&again, 2, steps), "{name} from its own text");
    // A hash that were always the same would say nothing.
    let mut other = scene.clone();
    other.seed += 1;
    assert_ne!(hash_after(&scene, 2, 9), hash_after(&other, 2, 9), "{name} with another seed");
}

#[test]
fn the_office_is_the_same_on_any_number_of_threads() {
    same_on_any_number_of_threads("office", Some(500), 150);
}

#[test]
fn the_circle_is_the_same_on_any_number_of_threads() {
    same_on_any_number_of_threads("circle", Some(4000), 60);
}

#[test]
fn the_corridor_is_the_same_on_any_number_of_threads() {
    same_on_any_number_of_threads("corridor", None, 300);
}

#[test]
fn the_crossing_is_the_same_on_any_number_of_threads() {
    same_on_any_number_of_threads("crossing", None, 300);
}

/// A gate that opens and closes, a source, people who enter again, others who wait, a zone that changes.
const BUSY: &str = r#"
size = [20, 10]
dt = 0.05
seed = 5
[map]
walls = [
  { rect = [10, 0, 10.2, 4] },
  { rect = [10, 6, 10.2, 10] },
  { rect = [10, 4, 10.2, 6], name = "gate", open = true },
  { circle = [15, 5, 0.8] },
]
discomfort = [{ rect = [4, 4, 6, 6], value = 0.4 }]
[[goal]]
name = "east"
rect = [19, 0, 20, 10]
[[goal]]
name = "bench"
rect = [3, 8, 5, 9]
[[agents]]
count = 60
start = [{ rect = [0, 0, 9, 6] }, { rect = [14, 6.5, 18.5, 10] }]
radius = { uniform = [0.15, 0.25] }
delay = { uniform = [0, 3] }
journey = ["east"]
arrive = "respawn"
entry = { rect = [0, 0, 2, 3] }
[[agents]]
source = { rate = 6, total = 70 }
start = { rect = [0, 7, 2, 10] }
delay = { uniform = [0, 1] }
journey = [{ goal = "bench", wait = 1.5 }, "east"]
[[agents]]
count = 15
start = { rect = [11, 1, 18, 4] }
place = "random"
journey = ["bench", "east"]
arrive = "next"
[[agents]]
count = 12
start = { rect = [1, 1, 8, 6] }
place = "random"
journey = [{ to = "opposite" }, { to = { random = { rect = [0, 0, 20, 10] } } }, "bench", { to = [[3, 3], [6, 2]], wait = 0.5 }]
arrive = "next"
[[zone]]
name = "mud"
rect = [11, 0, 14, 10]
speed = 0.7
[[event]]
at = 3
close = "gate"
[[event]]
at = 5
open = "gate"
[[event]]
at = 4
zone = "mud"
speed = 1.4
"#;

fn busy(model: &str) -> Scene {
    Scene::parse("busy.toml", &format!("{BUSY}[model]\n{model}\n"), &NoFiles).unwrap_or_else(|e| panic!("{e}"))
}

/// What is done to the run between two steps, by the number of the step.
fn meddle(run: &mut Simulation, edits: bool) {
    if !edits {
        return;
    }
    let rect = |x0: f32, y0: f32, x1: f32, y1: f32| Shape::Rect(Rect::new(Vec2::new(x0, y0), Vec2::new(x1, y1)));
    match run.steps() {
        25 => drop(run.add_wall(rect(6.0, 1.0, 7.0, 3.0)).expect("a sound shape")),
        40 => assert!(run.paint_wall(Vec2::new(12.2, 5.2), true) && run.paint_wall(Vec2::new(12.7, 5.2), true)),
        55 => drop(run.add_wall(Shape::Line(vec![Vec2::new(2.0, 5.0), Vec2::new(4.0, 6.5)])).expect("a sound shape")),
        70 => drop(run.add_wall(Shape::Circle(Vec2::new(16.0, 8.0), 0.7)).expect("a sound shape")),
        80 => assert!(run.set_wall("gate", true)),
        90 => assert!(run.paint_wall(Vec2::new(12.2, 5.2), false)),
        95 => drop(
            run.add_wall(Shape::Polygon(vec![Vec2::new(8.0, 8.0), Vec2::new(9.0, 8.0), Vec2::new(8.5, 9.0)]))
                .expect("a sound shape"),
        ),
        _ => {}
    }
}

fn go_on(run: &mut Simulation, until: u64, edits: bool) {
    while run.steps() < until {
        meddle(run, edits);
        run.step().expect("the CPU does not fail");
    }
}

/// Pauses a run at several moments; each rest of it must have the bits of the run that was never paused.
fn resumes(scene: &Scene, moments: &[u64], end: u64, edits: bool) {
    let start = |threads: usize| {
        let mut run = Simulation::with_threads(scene, threads).unwrap_or_else(|e| panic!("{e}"));
        run.engine_mut().keep_maps(true);
        run
    };
    let mut whole = start(2);
    let mut saved = Vec::new();
    for &moment in moments {
        go_on(&mut whole, moment, edits);
        saved.push(whole.save().unwrap());
    }
    go_on(&mut whole, end, edits);
    let c = whole.counters();
    assert!(c.entered > 10 && c.arrived > 3 && c.steps == end, "too little happens: {c:?}");
    assert_eq!((c.in_wall, c.not_finite), (0, 0));
    for (moment, bytes) in moments.iter().zip(&saved) {
        // Into a fresh run, into one that is elsewhere already, and on other numbers of threads.
        for (threads, ahead) in [(1, 0), (8, 37)] {
            let mut rest = start(threads);
            rest.steps_by(ahead).expect("the CPU does not fail");
            rest.resume(bytes).unwrap_or_else(|e| panic!("at step {moment}: {e}"));
            assert_eq!(rest.steps(), *moment);
            assert!(rest.save().unwrap() == *bytes, "what was resumed at step {moment} is not what was saved");
            go_on(&mut rest, end, edits);
            assert_eq!(rest.state_hash().unwrap(), whole.state_hash().unwrap(), "resumed at step {moment}");
            assert_eq!(rest.counters(), whole.counters(), "resumed at step {moment}");
            for field in [Field::PeakDensity, Field::Use, Field::Potential(0), Field::Velocity] {
                assert!(
                    rest.field(field).unwrap() == whole.field(field).unwrap(),
                    "{field:?}, resumed at step {moment}"
                );
            }
        }
    }
    let Values::Scalar(used) = whole.field(Field::Use).unwrap() else { panic!("use is a number per cell") };
    assert!(used.iter().any(|&u| u > 0.0), "no map was kept");
}

#[test]
fn a_run_that_is_resumed_has_the_bits_of_one_that_was_never_paused() {
    // At the very start; while the source runs; in the step before the gate closes, right after, after the zone
    // changes, right after the gate opens, and just before the end.
    resumes(&busy(""), &[0, 1, 30, 60, 61, 81, 101, 199], 200, false);
}

#[test]
fn a_static_plan_is_resumed_to_the_bit() {
    resumes(&busy("plan = \"static\""), &[0, 1, 30, 60, 61, 62, 81, 101, 199], 200, false);
}

#[test]
fn walls_added_and_painted_during_the_run_are_resumed_to_the_bit() {
    let moments = [20, 25, 26, 40, 41, 56, 71, 81, 90, 91, 96, 150];
    resumes(&busy(""), &moments, 200, true);
    resumes(&busy("plan = \"static\""), &moments, 200, true);
}

#[test]
fn the_thesis_law_is_resumed_to_the_bit() {
    resumes(&busy("speed_law = \"thesis\"\nseparation_rounds = 0"), &[45, 61], 150, false);
}

#[test]
fn the_thesis_scheme_is_resumed_to_the_bit() {
    resumes(&busy("scheme = \"thesis\""), &[45, 61], 150, false);
}

#[test]
fn built_in_scenes_are_resumed_to_the_bit() {
    for (name, agents) in [("corridor", None), ("crossing", None), ("office", Some(300)), ("bottleneck", None)] {
        let scene = reduced(name, agents);
        let mut whole = Simulation::new(&scene).unwrap_or_else(|e| panic!("{e}"));
        whole.steps_by(70).expect("the CPU does not fail");
        let bytes = whole.save().unwrap();
        whole.steps_by(50).expect("the CPU does not fail");
        let mut rest = Simulation::with_threads(&scene, 1).unwrap_or_else(|e| panic!("{e}"));
        rest.resume(&bytes).unwrap_or_else(|e| panic!("{name}: {e}"));
        rest.steps_by(50).expect("the CPU does not fail");
        assert_eq!(rest.state_hash().unwrap(), whole.state_hash().unwrap(), "{name}");
        assert_eq!(rest.counters(), whole.counters(), "{name}");
    }
}

#[test]
fn a_run_saved_in_the_very_step_in_which_somebody_leaves_is_resumed_to_the_bit() {
    let scene = Scene::parse(
        "leave.toml",
        "size = [10, 5]\n[[goal]]\nrect = [9, 0, 10, 5]\n[[agents]]\ncount = 30\nstart = { rect = [4, 0, 9, 5] }\n",
        &NoFiles,
    )
    .unwrap_or_else(|e| panic!("{e}"));
    let mut whole = Simulation::new(&scene).unwrap_or_else(|e| panic!("{e}"));
    let mut left = 0;
    while !whole.is_done() {
        assert!(whole.time() < 60.0);
        let before = whole.counters().parked;
        whole.step().expect("the CPU does not fail");
        if whole.counters().parked == before {
            continue;
        }
        left += 1;
        let bytes = whole.save().unwrap();
        let mut rest = Simulation::new(&scene).unwrap_or_else(|e| panic!("{e}"));
        rest.resume(&bytes).unwrap_or_else(|e| panic!("{e}"));
        whole.step().expect("the CPU does not fail");
        rest.step().expect("the CPU does not fail");
        assert_eq!(rest.state_hash().unwrap(), whole.state_hash().unwrap(), "after step {}", whole.steps());
        assert_eq!(rest.counters(), whole.counters(), "after step {}", whole.steps());
    }
    assert!(left > 5, "they left in {left} steps only");
}

#[test]
fn a_wall_added_is_part_of_what_is_saved() {
    let scene = busy("");
    let mut run = Simulation::new(&scene).unwrap_or_else(|e| panic!("{e}"));
    run.steps_by(5).expect("the CPU does not fail");
    let without = run.save().unwrap();
    run.add_wall(Shape::Rect(Rect::new(Vec2::new(6.0, 1.0), Vec2::new(7.0, 3.0)))).expect("a sound shape");
    let with = run.save().unwrap();
    let rest = |bytes: &[u8]| {
        let mut run = Simulation::new(&scene).unwrap_or_else(|e| panic!("{e}"));
        run.resume(bytes).unwrap_or_else(|e| panic!("{e}"));
        run.steps_by(60).expect("the CPU does not fail");
        run.state_hash().unwrap()
    };
    assert_ne!(rest(&with), rest(&without));
}
