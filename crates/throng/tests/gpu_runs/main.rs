//! Whole runs on the GPU engine, beside the CPU engine's: what people do there, that the same run has the same bits, that
//! it can be saved, changed and looked at while it goes on, and worlds at the edge of what a scene may say.
//!
//! The device is software Vulkan, or the one whose name contains `THRONG_TEST_DEVICE`. Two engines round differently, and
//! in a crowd a difference of a hair grows to that of a person who goes left instead of right; so runs of minutes are
//! compared by what is left of that: how many arrive when, how fast they walk, how dense it gets. One step from the
//! same state is compared closely.
#![cfg(feature = "gpu")]

mod edits;
mod fields;
mod odd_worlds;
mod snapshots;
mod solver;
mod whole_runs;

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use throng::engine::gpu::{Gpu, GpuEngine, SplitEngine};
use throng::engine::{Answer, Counters, Direction, Engine, Field, Request, Ticket, Values};
use throng::geometry::{Rect, Shape};
use throng::scene::NoFiles;
use throng::stages::NAMES;
use throng::stages::potential::{Solver, TILE, UNREACHED};
use throng::stages::separate::Search;
use throng::world::agents::{Agents, State};
use throng::{Scene, Simulation, Vec2};

/// One device for all tests.
fn gpu() -> &'static Gpu {
    static GPU: OnceLock<Gpu> = OnceLock::new();
    GPU.get_or_init(|| {
        let name = std::env::var("THRONG_TEST_DEVICE").unwrap_or_else(|_| "llvmpipe".into());
        Gpu::open(Some(&name)).expect("GPU tests need a Vulkan device; test.sh installs software Vulkan")
    })
}

fn scene(text: &str) -> Scene {
    Scene::parse("gpu.toml", text, &NoFiles).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn on(scene: &Scene, engine: impl Engine + 'static) -> Simulation {
    Simulation::on(scene, Box::new(engine))
}

fn on_gpu(scene: &Scene) -> Simulation {
    on(scene, GpuEngine::new(scene, gpu()).unwrap_or_else(|e| panic!("{e}\n{}", scene.source().text)))
}

fn on_cpu(scene: &Scene) -> Simulation {
    Simulation::with_threads(scene, 2).unwrap_or_else(|e| panic!("{e}\n{}", scene.source().text))
}

/// On the CPU, then on the GPU.
fn on_both(scene: &Scene) -> [Simulation; 2] {
    [on_cpu(scene), on_gpu(scene)]
}

fn bar(x0: f32, y0: f32, x1: f32, y1: f32) -> Shape {
    Shape::Rect(Rect::new(Vec2::new(x0, y0), Vec2::new(x1, y1)))
}

/// What holds after every step of any run.
fn assert_sound(c: &Counters, run: &Simulation) {
    let (engine, step) = (run.engine().name(), c.steps);
    let everybody = run.scene().agent_count();
    assert_eq!(c.active + c.outside + c.parked, everybody, "{engine}: lost or won in step {step}: {c:?}");
    assert_eq!((c.in_wall, c.not_finite), (0, 0), "{engine}: in a wall, not finite, after step {step}");
    assert!(c.solver.converged, "{engine}: the solver had to stop early in step {step}: {:?}", c.solver);
}

/// Does so many steps; the counters after each, all of them sound.
fn go(run: &mut Simulation, steps: u64) -> Vec<Counters> {
    // The CPU engine keeps them from when they are first asked for.
    run.engine_mut().history();
    let before = run.steps();
    run.steps_by(steps).unwrap_or_else(|e| panic!("{e}"));
    let history = run.engine_mut().history();
    assert_eq!(history.len() as u64, steps, "{}", run.engine().name());
    for (c, step) in history.iter().zip(before + 1..) {
        assert_eq!(c.steps, step);
        assert_sound(c, run);
    }
    history
}

fn go_both(runs: &mut [Simulation; 2], steps: u64) -> [Vec<Counters>; 2] {
    runs.each_mut().map(|run| go(run, steps))
}

/// Until nobody is left; the time.
fn until_done(run: &mut Simulation, at_most: f64) -> f64 {
    while !run.is_done() {
        assert!(run.time() < at_most, "{} is not done after {at_most} s", run.engine().name());
        go(run, 8);
    }
    run.time()
}

fn scalars(run: &mut Simulation, field: Field) -> Vec<f32> {
    match run.field(field).unwrap_or_else(|e| panic!("{e}")) {
        Values::Scalar(values) => values,
        Values::Vector(_) => panic!("{field:?} is a number per cell"),
    }
}

fn vectors(run: &mut Simulation, field: Field) -> Vec<Vec2> {
    match run.field(field).unwrap_or_else(|e| panic!("{e}")) {
        Values::Vector(values) => values.into_iter().map(Vec2::from_array).collect(),
        Values::Scalar(_) => panic!("{field:?} is a vector per cell"),
    }
}

fn places(run: &mut Simulation) -> Vec<(u32, Vec2)> {
    run.positions().unwrap_or_else(|e| panic!("{e}"))
}

/// How far apart the same person is in two runs, at most; the same people must be on the floor.
fn farthest_apart(a: &mut Simulation, b: &mut Simulation) -> f32 {
    let (a, b) = (places(a), places(b));
    let ids = |list: &[(u32, Vec2)]| list.iter().map(|(id, _)| *id).collect::<Vec<_>>();
    assert_eq!(ids(&a), ids(&b), "others are on the floor");
    a.iter().zip(&b).map(|((_, p), (_, q))| p.distance(*q)).fold(0.0, f32::max)
}

fn farthest_apart_of([a, b]: &mut [Simulation; 2]) -> f32 {
    farthest_apart(a, b)
}

/// The counters keep their own books; the agents themselves must tell the same. For scenes in which nobody begins the
/// journey again without leaving.
fn assert_books_agree(run: &mut Simulation, on_floor_at_first: u64) {
    let (c, agents) = (run.counters(), run.agents().unwrap_or_else(|e| panic!("{e}")));
    let name = run.engine().name();
    let count = |f: &dyn Fn(usize) -> bool| (0..agents.len()).filter(|&i| f(i)).count() as u64;
    assert_eq!(count(&|i| agents.state[i].on_floor()), c.active, "{name}: on the floor");
    assert_eq!(count(&|i| agents.state[i] == State::Outside), c.outside, "{name}: outside");
    assert_eq!(count(&|i| agents.state[i] == State::Parked), c.parked, "{name}: parked");
    // Who has arrived has left, or still waits at the last goal.
    let groups = run.scene().groups.clone();
    let legs = |i: usize| groups[agents.group[i] as usize].journey.len() as u64;
    let waits_at_the_end = count(&|i| agents.state[i].on_floor() && u64::from(agents.leg[i]) == legs(i));
    let left = on_floor_at_first + c.entered - c.active;
    assert_eq!(c.arrived, left + waits_at_the_end, "{name}: arrived");
    let mut ids = agents.id.clone();
    ids.sort_unstable();
    assert!(ids.iter().zip(0..).all(|(id, k)| *id == k), "{name}: an id is lost or twice there");
}

/// Two runs of one scene tell the same, up to what rounding does to a crowd: at every step as many have arrived and entered
/// within `persons` and `share` of them. Walking speed is a mean over everybody and all steps, so it hardly differs. The
/// greatest density is that of the one worst square metre ever: one person more or less is chance.
fn assert_alike(cpu: &[Counters], gpu: &[Counters], persons: f64, share: f64) {
    let near = |a: u64, b: u64| (a as f64 - b as f64).abs() <= persons + share * a.max(b) as f64;
    for (a, b) in cpu.iter().zip(gpu) {
        assert!(near(a.arrived, b.arrived), "step {}: {} arrived, on the GPU {}", a.steps, a.arrived, b.arrived);
        assert!(
            near(a.goals_reached, b.goals_reached),
            "step {}: {} / {} goals",
            a.steps,
            a.goals_reached,
            b.goals_reached
        );
        assert!(near(a.entered, b.entered), "step {}: {} entered, on the GPU {}", a.steps, a.entered, b.entered);
    }
    let (a, b) = (cpu.last().expect("a step"), gpu.last().expect("a step"));
    assert!((a.mean_speed - b.mean_speed).abs() <= 0.03 * a.mean_speed, "{} and {} m/s", a.mean_speed, b.mean_speed);
    let most = 1.0 + 0.1 * a.density_max;
    assert!((a.density_max - b.density_max).abs() <= most, "{} and {} persons/m²", a.density_max, b.density_max);
}

/// Two streams against each other; who reaches the end enters again.
const STREAMS: &str = r#"
size = [20, 4]
dt = 0.1
[[goal]]
name = "west"
rect = [0, 0, 0.5, 4]
[[goal]]
name = "east"
rect = [19.5, 0, 20, 4]
[[agents]]
count = 35
start = { rect = [2, 0, 18, 4] }
journey = ["east"]
arrive = "respawn"
entry = { rect = [0.5, 0, 3, 4] }
[[agents]]
count = 35
start = { rect = [2, 0, 18, 4] }
journey = ["west"]
arrive = "respawn"
entry = { rect = [17, 0, 19.5, 4] }
"#;

/// A crowd before an opening of 1.2 m.
const OPENING: &str = r#"
cell = 0.25
size = [10, 6]
dt = 0.1
[map]
walls = [{ rect = [7, 0, 7.3, 2.4] }, { rect = [7, 3.6, 7.3, 6] }]
[[goal]]
rect = [9, 0, 10, 6]
[[agents]]
count = 70
start = { rect = [0, 0, 6, 6] }
speed = { normal = [1.34, 0.26], min = 0.8, max = 1.9 }
"#;

/// A source, people who enter again, waits on the way and at the end, a zone, discomfort, a wall.
const COMING_AND_GOING: &str = r#"
size = [18, 9]
dt = 0.1
seed = 3
[map]
walls = [{ rect = [8, 0, 8.2, 3] }, { circle = [12, 6, 0.8] }]
discomfort = [{ rect = [4, 4, 6, 6], value = 0.4 }]
[[goal]]
name = "east"
rect = [17, 0, 18, 9]
[[goal]]
name = "bench"
rect = [3, 7, 5, 8]
[[agents]]
count = 30
start = { rect = [0, 0, 7, 6] }
radius = { uniform = [0.15, 0.25] }
delay = { uniform = [0, 2] }
journey = ["east"]
arrive = "respawn"
entry = { rect = [0, 0, 2, 3] }
[[agents]]
source = { rate = 5, total = 50 }
start = { rect = [0, 4, 2, 9] }
delay = { uniform = [0, 1] }
journey = [{ goal = "bench", wait = 1.5 }, { goal = "east", wait = 0.5 }]
[[agents]]
source = { rate = 2, total = 10 }
start = { rect = [14, 0, 16, 3] }
journey = ["east"]
arrive = "respawn"
entry = { rect = [14, 6, 16, 9] }
[[zone]]
name = "mud"
rect = [10, 0, 13, 9]
speed = 0.8
"#;

/// A gate that opens and closes, a source, people who enter again, others who wait and walk for ever, a zone that changes:
/// as in same_bits.rs.
const BUSY: &str = r#"
size = [20, 10]
dt = 0.1
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
delay = { uniform = [0, 2] }
journey = ["east"]
arrive = "respawn"
entry = { rect = [0, 0, 2, 3] }
[[agents]]
source = { rate = 12, total = 70 }
start = { rect = [0, 7, 2, 10] }
delay = { uniform = [0, 1] }
journey = [{ goal = "bench", wait = 0.7 }, "east"]
[[agents]]
count = 15
start = { rect = [11, 1, 18, 4] }
place = "random"
journey = ["bench", "east"]
arrive = "next"
[[zone]]
name = "mud"
rect = [11, 0, 14, 10]
speed = 0.7
[[event]]
at = 1.5
close = "gate"
[[event]]
at = 2.5
open = "gate"
[[event]]
at = 2
zone = "mud"
speed = 1.4
"#;

/// A heap of bodies of many sizes beside a wall and a pillar.
fn heap(count: u32) -> Scene {
    scene(&format!(
        "size = [16, 12]\n[map]\nwalls = [{{ rect = [9, 0, 9.1, 5] }}, {{ circle = [6, 8, 0.7] }}]\n\
         [[goal]]\nrect = [15, 0, 16, 12]\n[[agents]]\ncount = {count}\nplace = \"random\"\n\
         radius = {{ uniform = [0.1, 0.45] }}\nstart = {{ rect = [5, 2, 9, 7] }}\njourney = [\"goal 0\"]\n"
    ))
}
