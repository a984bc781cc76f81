//! Whole runs on the GPU engine, beside the CPU engine's: what people do there, that the same run has the same bits, that
//! it can be saved, changed and looked at while it goes on, and worlds at the edge of what a scene may say.
//!
//! The device is software Vulkan, or the one whose name contains `THRONG_TEST_DEVICE`. Two engines round differently, and
//! in a crowd a difference of a hair grows to that of a person who goes left instead of right; so runs of minutes are
//! compared by what is left of that: how many arrive when, how fast they walk, how dense it gets. One step from the
//! same state is compared closely.
#![cfg(feature = "gpu")]

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

// Whole runs.

#[test]
fn an_office_empties_on_the_gpu_as_on_the_cpu() {
    let mut scene = Scene::built_in("office").expect("a built-in scene");
    scene.scale(0.1).expect("a tenth is not too small");
    // Thirteen seconds, in as many steps as software Vulkan has time for.
    scene.dt = 0.08;
    let mut runs = on_both(&scene);
    let [cpu, gpu] = go_both(&mut runs, 160);
    assert!(cpu[159].arrived > 60, "too little happens: {:?}", cpu[159]);
    assert_alike(&cpu, &gpu, 2.0, 0.03);
    for run in &mut runs {
        assert_books_agree(run, scene.agent_count());
        let c = run.counters();
        assert_eq!(c.arrived, c.parked, "who arrives here leaves at once");
        assert!(c.overlap_share_mean < 0.05, "bodies keep apart: {c:?}");
    }
}

#[test]
fn two_streams_pass_each_other_on_the_gpu_as_on_the_cpu() {
    let scene = scene(STREAMS);
    let mut runs = on_both(&scene);
    let [cpu, gpu] = go_both(&mut runs, 160);
    assert!(cpu[159].arrived > 40, "too little happens: {:?}", cpu[159]);
    // Lanes form by chance, and a lane is several persons: more than in the other scenes hangs on who goes left.
    assert_alike(&cpu, &gpu, 4.0, 0.03);
    for run in &mut runs {
        assert_books_agree(run, 70);
        assert_eq!(run.counters().parked, 0);
    }
}

#[test]
fn an_opening_lets_out_on_the_gpu_what_it_does_on_the_cpu() {
    let scene = scene(OPENING);
    let mut runs = on_both(&scene);
    let [cpu, gpu] = go_both(&mut runs, 130);
    assert!(cpu[129].arrived > 15, "too little happens: {:?}", cpu[129]);
    assert_alike(&cpu, &gpu, 2.0, 0.03);
    for run in &mut runs {
        assert_books_agree(run, 70);
        let c = run.counters();
        assert_eq!((c.arrived, c.goals_reached), (c.parked, c.parked));
    }
}

#[test]
fn sources_waits_and_new_entries_happen_on_the_gpu_as_on_the_cpu() {
    let scene = scene(COMING_AND_GOING);
    let mut runs = on_both(&scene);
    let [cpu, gpu] = go_both(&mut runs, 180);
    let end = cpu[179];
    assert!(end.arrived > 15 && end.entered > 55 && end.parked > 0, "too little happens: {end:?}");
    assert_alike(&cpu, &gpu, 2.0, 0.03);
    for run in &mut runs {
        let (rate, total) = (5.0, 50);
        assert_books_agree(run, 30);
        let (c, agents) = (run.counters(), run.agents().unwrap());
        // Of the source: who is parked has done both legs, who is on the floor those before the one that it is at. The
        // others have one leg, and reach a goal each time that they arrive.
        let of_source = |i: &usize| agents.group[*i] == 1;
        let all = || (0..agents.len()).filter(of_source);
        let let_in = all().filter(|&i| agents.state[i] != State::Outside).count() as u64;
        assert!(let_in <= (rate * run.time() + 1e-6).floor().min(f64::from(total)) as u64, "more than the rate");
        let done = |i: usize| match agents.state[i] {
            State::Parked => 2,
            State::Outside => 0,
            _ => u64::from(agents.leg[i]),
        };
        let legs: u64 = all().map(done).sum();
        let finished = all().filter(|&i| done(i) == 2).count() as u64;
        assert_eq!(c.goals_reached, legs + c.arrived - finished, "{}", run.engine().name());
    }
}

#[test]
fn journeys_that_begin_again_never_end_on_the_gpu() {
    let scene = scene(
        "size = [6, 3]\ndt = 0.1\n[[goal]]\nname = \"west\"\nrect = [0, 0, 1, 3]\n[[goal]]\nname = \"east\"\nrect = [5, 0, 6, 3]\n\
         [[agents]]\ncount = 8\njourney = [\"west\", { goal = \"east\", wait = 0.5 }]\narrive = \"next\"\n",
    );
    let mut runs = on_both(&scene);
    let [cpu, gpu] = go_both(&mut runs, 160);
    assert!(gpu.iter().all(|c| (c.active, c.parked, c.entered) == (8, 0, 0)));
    let end = gpu[159];
    assert!(end.arrived >= 8 && end.goals_reached >= 2 * end.arrived - 8, "{end:?}");
    assert_alike(&cpu, &gpu, 3.0, 0.03);
}

// Same bits.

/// The state after so many steps, to the byte: agents in their order, counters, maps.
fn bytes_after(scene: &Scene, steps: u64, mut look: impl FnMut(&mut Simulation)) -> (u64, Vec<u8>) {
    let mut run = on_gpu(scene);
    run.engine_mut().keep_maps(true);
    for _ in 0..steps {
        run.step().unwrap_or_else(|e| panic!("{e}"));
        look(&mut run);
    }
    let c = run.counters();
    assert_sound(&c, &run);
    (run.state_hash().unwrap(), run.save().unwrap())
}

#[test]
fn the_same_run_has_the_same_bits_on_a_busy_machine_and_whoever_looks() {
    let mut scene = scene(BUSY);
    let alone = bytes_after(&scene, 20, |_| {});
    let again = bytes_after(&scene, 20, |_| {});
    assert!(alone == again, "the same run twice: {:x} and {:x}", alone.0, again.0);
    // With somebody who asks for everything, all the time: waiting changes when things are submitted and taken in.
    let mut looks = 0;
    let watched = bytes_after(&scene, 20, |run| {
        looks += run.counters().steps as usize;
        run.engine_mut().latest();
        run.agents().unwrap();
        looks += scalars(run, Field::Potential(0)).len() + vectors(run, Field::Velocity).len();
        run.tiles(1).unwrap();
        run.engine_mut().history();
    });
    assert!(looks > 0 && alone == watched, "watched: {:x} and {:x}", alone.0, watched.0);
    // With the processors taken by others.
    let stop = AtomicBool::new(false);
    let pressed = std::thread::scope(|scope| {
        for k in 0..4u64 {
            let stop = &stop;
            scope.spawn(move || {
                let mut x = k;
                while !stop.load(Ordering::Relaxed) {
                    x = std::hint::black_box(x.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ (x >> 7));
                }
            });
        }
        let pressed = bytes_after(&scene, 20, |_| {});
        stop.store(true, Ordering::Relaxed);
        pressed
    });
    assert!(alone == pressed, "on a busy machine: {:x} and {:x}", alone.0, pressed.0);
    // A hash that were always the same would say nothing.
    scene.seed += 1;
    assert_ne!(alone.0, bytes_after(&scene, 5, |_| {}).0);
}

// The solver.

/// Walls that make the way wind through several tiles, a crowd that makes it rough, and a room without doors, larger than
/// a tile; the world is no whole number of tiles.
const WINDING: &str = r#"
size = [29, 23]
[map]
walls = [
  { rect = [6, 0, 6.3, 19] },
  { rect = [12, 4, 12.3, 23] },
  { rect = [20, 0, 20.3, 13] },
  { rect = [20, 13, 29, 13.3] },
  { circle = [16, 3, 1.5] },
]
discomfort = [{ rect = [7, 14, 11, 18], value = 0.6 }]
[[goal]]
name = "far"
rect = [26, 20, 28, 22]
[[goal]]
name = "near"
shapes = [{ rect = [0, 0, 1, 1] }, { circle = [16, 17, 0.6] }]
[[agents]]
count = 100
start = { rect = [1, 1, 5.8, 22] }
journey = ["far"]
[[agents]]
count = 50
start = { rect = [6.5, 1, 11.8, 22] }
journey = ["near"]
"#;

#[test]
fn every_order_of_the_solver_ends_with_the_same_potentials_and_tells_its_tiles() {
    let mut scene = scene(WINDING);
    let mut found: Vec<[Vec<f32>; 2]> = Vec::new();
    for solver in [Solver::Buckets, Solver::Selective, Solver::All] {
        scene.model.solver = solver;
        let mut run = on_gpu(&scene);
        let c = *go(&mut run, 1).last().expect("a step");
        let potentials = [0, 1].map(|g| scalars(&mut run, Field::Potential(g)));
        let (wide, high) = (scene.grid.width.div_ceil(TILE), scene.grid.height.div_ceil(TILE));
        let mut visits = 0;
        for (goal, potential) in potentials.iter().enumerate() {
            let tiles = run.tiles(goal).unwrap();
            assert_eq!(tiles.len(), wide * high);
            let mut reached = vec![0; tiles.len()];
            for (cell, value) in potential.iter().enumerate() {
                let (x, y) = (cell % scene.grid.width, cell / scene.grid.width);
                reached[y / TILE * wide + x / TILE] += u32::from(*value < UNREACHED);
            }
            for (tile, (state, reached)) in tiles.iter().zip(&reached).enumerate() {
                let what = format!("{solver:?}, goal {goal}, tile {tile} with {reached} cells reached: {state:?}");
                assert!(*reached == 0 || state.visits > 0, "{what}");
                assert!(!state.waiting, "{what}");
                assert_eq!(state.visits > 0, state.last_round.is_some(), "{what}");
                assert!(state.last_round.is_none_or(|r| u64::from(r) <= c.solver.rounds), "{what}, {:?}", c.solver);
                assert!(u64::from(state.visits) <= c.solver.rounds + 1, "{what}, {:?}", c.solver);
                visits += u64::from(state.visits);
            }
            // The room without doors covers a whole tile, and only Update All goes there.
            let asleep = tiles.iter().filter(|t| t.visits == 0).count();
            assert_eq!(asleep > 0, solver != Solver::All, "{solver:?}: {asleep} tiles asleep");
        }
        assert!(visits * 256 <= c.solver.visits, "{solver:?}: {visits} tiles visited, {:?}", c.solver);
        found.push(potentials);
        // Later steps are given fewer rounds, by what the first ones took; whole runs show that for buckets.
        if solver != Solver::Buckets {
            go(&mut run, 26);
        }
    }
    for (other, name) in found[1..].iter().zip(["selective", "all"]) {
        for goal in 0..2 {
            let mut most = 0.0f32;
            for (a, b) in found[0][goal].iter().zip(&other[goal]) {
                assert_eq!(*a < UNREACHED, *b < UNREACHED, "{name}, goal {goal}");
                if *a < UNREACHED {
                    most = most.max((a - b).abs() / a.max(1e-3));
                }
            }
            assert!(most < 1e-4, "{name}, goal {goal}: {most}");
        }
    }
    let mut cpu = on_cpu(&scene);
    go(&mut cpu, 1);
    assert!(cpu.tiles(0).unwrap().is_empty(), "the march has no tiles");
    assert_same_potentials(&scalars(&mut cpu, Field::Potential(0)), &found[0][0], "far");
}

/// The same cells reached; values within a thousandth (the GPU does not pass on changes below a ten-thousandth of a link,
/// and each of some hundred links may lose that).
fn assert_same_potentials(cpu: &[f32], gpu: &[f32], what: &str) {
    assert_eq!(cpu.len(), gpu.len());
    let mut most = 0.0f32;
    for (cell, (a, b)) in cpu.iter().zip(gpu).enumerate() {
        assert_eq!(*a < UNREACHED, *b < UNREACHED, "{what}: cell {cell} is reached by one: {a}, {b}");
        assert_eq!(*a == 0.0, *b == 0.0, "{what}: cell {cell} is goal of one: {a}, {b}");
        if *a < UNREACHED {
            most = most.max((a - b).abs() / a.max(1e-3));
        }
    }
    assert!(most < 1e-3, "{what}: potentials differ by {most}");
}

// Neighbours.

#[test]
fn every_search_for_neighbours_moves_a_heap_the_same_way() {
    let mut scene = heap(150);
    let mut runs = [Search::Bins, Search::Sweep, Search::AllPairs].map(|search| {
        scene.model.neighbours = search;
        let mut run = on_gpu(&scene);
        let c = go(&mut run, 5)[4];
        assert!(c.overlap.max > 0.3 && c.neighbours_left_out == 0, "this is no heap: {c:?}");
        run
    });
    let [bins, sweep, pairs] = &mut runs;
    // Forces are added in another order: rounding, which the pushes of a heap carry on for five steps.
    for (name, other) in [("sweep", sweep), ("all pairs", pairs)] {
        let apart = farthest_apart(bins, other);
        assert!(apart < 1e-3, "{name}: {apart} m");
    }
}

#[test]
fn every_search_leaves_as_many_neighbours_out_of_a_heap_that_is_too_dense() {
    // More than 64 within touch of many. Sweep and prune meets them in the order of columns, and so keeps others of them.
    let mut scene = heap(800);
    let mut runs = [Search::Bins, Search::Sweep, Search::AllPairs].map(|search| {
        scene.model.neighbours = search;
        let mut run = on_gpu(&scene);
        go(&mut run, 1);
        run
    });
    let out = runs.each_ref().map(|run| run.counters().neighbours_left_out);
    assert!(out[0] > 0 && out == [out[0]; 3], "{out:?}");
    let mut cpu = on_cpu(&scene);
    assert_eq!(go(&mut cpu, 1)[0].neighbours_left_out, out[0], "as on the CPU");
    let [bins, _, pairs] = &mut runs;
    let apart = farthest_apart(bins, pairs);
    assert!(apart < 1e-3, "all pairs: {apart} m after a step");
}

// Snapshots.

fn start_on_gpu(scene: &Scene) -> Simulation {
    let mut run = on_gpu(scene);
    run.engine_mut().keep_maps(true);
    run
}

/// Walls that come while it runs, by the number of the step.
fn meddle(run: &mut Simulation) {
    match run.steps() {
        10 => drop(run.add_wall(bar(6.0, 1.0, 7.0, 3.0)).expect("a sound shape")),
        12 => assert!(run.paint_wall(Vec2::new(12.2, 5.2), true) && run.paint_wall(Vec2::new(12.7, 5.2), true)),
        18 => drop(run.add_wall(Shape::Line(vec![Vec2::new(2.0, 5.0), Vec2::new(4.0, 6.5)])).expect("a sound shape")),
        22 => assert!(run.set_wall("gate", false) && run.set_zone("mud", 0.9)),
        _ => {}
    }
}

fn go_on(run: &mut Simulation, until: u64, edits: bool) {
    while run.steps() < until {
        if edits {
            meddle(run);
        }
        run.step().unwrap_or_else(|e| panic!("{e}"));
    }
}

/// Pauses a run at several moments; each rest of it must have the bits of the run that was never paused.
fn resumes(scene: &Scene, moments: &[u64], end: u64, edits: bool) {
    let mut whole = start_on_gpu(scene);
    let mut saved = Vec::new();
    for &moment in moments {
        go_on(&mut whole, moment, edits);
        saved.push((moment, whole.save().unwrap()));
    }
    go_on(&mut whole, end, edits);
    let c = whole.counters();
    assert_sound(&c, &whole);
    assert!(c.entered > 10 && c.goals_reached > 2 && c.steps == end, "too little happens: {c:?}");
    let last = whole.save().unwrap();
    for (k, (moment, bytes)) in saved.iter().enumerate() {
        let mut rest = start_on_gpu(scene);
        // Into a fresh run, and into one that is elsewhere already.
        rest.steps_by(if k % 2 == 0 { 0 } else { 3 }).unwrap();
        rest.resume(bytes).unwrap_or_else(|e| panic!("at step {moment}: {e}"));
        assert_eq!(rest.steps(), *moment);
        assert!(rest.save().unwrap() == *bytes, "what was resumed at step {moment} is not what was saved");
        go_on(&mut rest, end, edits);
        assert_eq!(rest.state_hash().unwrap(), whole.state_hash().unwrap(), "resumed at step {moment}");
        assert_eq!(rest.counters(), whole.counters(), "resumed at step {moment}");
        assert!(rest.save().unwrap() == last, "resumed at step {moment}");
        for field in [Field::PeakDensity, Field::Use, Field::Potential(0), Field::Velocity] {
            assert!(rest.field(field).unwrap() == whole.field(field).unwrap(), "{field:?}, resumed at step {moment}");
        }
    }
}

#[test]
fn a_run_resumed_on_the_gpu_has_the_bits_of_one_that_was_never_paused() {
    // At the very start; just before the gate closes; after the zone changed and the gate opened.
    resumes(&scene(BUSY), &[0, 15, 26], 32, false);
}

#[test]
fn walls_that_came_during_a_run_on_the_gpu_are_resumed_to_the_bit() {
    resumes(&scene(BUSY), &[11, 23], 27, true);
    resumes(&scene(&format!("{BUSY}[model]\nplan = \"static\"\n")), &[17], 24, true);
}

#[test]
fn a_run_goes_on_on_the_other_engine() {
    let scene = scene(BUSY);
    for from in 0..2 {
        let mut runs = on_both(&scene);
        for run in &mut runs {
            run.engine_mut().keep_maps(true);
        }
        // One of them has run through the closing of the gate; the other takes over.
        go(&mut runs[from], 20);
        let bytes = runs[from].save().unwrap();
        runs[1 - from].resume(&bytes).unwrap_or_else(|e| panic!("{e}"));
        let [a, b] = &mut runs;
        assert_eq!(a.state_hash().unwrap(), b.state_hash().unwrap());
        assert_eq!((a.steps(), b.steps()), (20, 20));
        assert!(a.save().unwrap() == bytes && b.save().unwrap() == bytes, "one format for both engines");
        let counters = |run: &Simulation| Counters { solver: <_>::default(), ..run.counters() };
        assert_eq!(counters(a), counters(b));
        let [cpu, gpu] = go_both(&mut runs, 30);
        assert_alike(&cpu, &gpu, 2.0, 0.03);
    }
}

#[test]
fn who_was_put_aside_before_a_save_is_counted_after_it() {
    let scene = scene(
        "size = [10, 5]\n[[goal]]\nrect = [9, 0, 10, 5]\n[[agents]]\ncount = 30\nstart = { rect = [1, 0, 7, 5] }\n",
    );
    let displaced = on_both(&scene).map(|mut run| {
        go(&mut run, 3);
        run.add_wall(bar(2.0, 0.0, 4.0, 4.0)).expect("a sound shape");
        let bytes = run.save().unwrap();
        let mut rest = if run.engine().name() == "cpu" { on_cpu(&scene) } else { on_gpu(&scene) };
        rest.resume(&bytes).unwrap_or_else(|e| panic!("{e}"));
        [&mut run, &mut rest].map(|run| go(run, 1)[0].displaced)
    });
    assert!(displaced[0][0] > 0);
    assert_eq!(displaced, [[displaced[0][0]; 2]; 2], "without and with a save between; on the CPU, on the GPU");
}

#[test]
fn a_wall_that_closes_on_people_right_after_a_resume_puts_them_where_it_would_have_without() {
    // Beside the wall that comes lies a closet without a door: nearer, but no way leads out of it.
    let scene = scene(
        "size = [10, 4]\n[map]\nwalls = [{ line = [[4, 0], [6, 0.001], [6, 3], [4, 3], [4, 0]] }]\n[[goal]]\nrect = [9, 0, 10, 4]\n\
         [[agents]]\ncount = 10\nstart = { rect = [3, 0.3, 3.9, 2.8] }\n",
    );
    let found = on_both(&scene).map(|mut whole| {
        go(&mut whole, 2);
        let bytes = whole.save().unwrap();
        let mut rest = if whole.engine().name() == "cpu" { on_cpu(&scene) } else { on_gpu(&scene) };
        rest.resume(&bytes).unwrap_or_else(|e| panic!("{e}"));
        let in_the_closet = [&mut whole, &mut rest].map(|run| {
            run.add_wall(bar(2.0, 0.0, 4.0, 3.0)).expect("a sound shape");
            assert!(go(run, 1)[0].displaced > 5);
            places(run).iter().filter(|(_, p)| p.x > 4.0 && p.x < 6.0 && p.y < 3.0).count()
        });
        (in_the_closet, whole.state_hash().unwrap() == rest.state_hash().unwrap())
    });
    assert_eq!(
        found,
        [([0, 0], true); 2],
        "walled in without and with a resume just before, and whether the states are the same; on the CPU, on the GPU"
    );
}

#[test]
fn an_answer_is_of_the_moment_when_it_was_asked_for() {
    let scene = scene(BUSY);
    for mut run in on_both(&scene) {
        // Never fetched.
        let first = run.engine_mut().request(Request::Agents);
        go(&mut run, 2);
        let wait = |run: &mut Simulation, ticket: Ticket| {
            (0..200).find_map(|_| {
                std::thread::sleep(std::time::Duration::from_millis(5));
                run.engine_mut().poll(ticket).unwrap_or_else(|e| panic!("{e}"))
            })
        };
        let (then, potential) = (run.state_hash().unwrap(), scalars(&mut run, Field::Potential(1)));
        let tickets = [Request::Field(Field::Potential(1)), Request::Agents].map(|what| run.engine_mut().request(what));
        let saved = run.save().unwrap();
        run.engine_mut().keep_maps(true);
        run.add_wall(bar(1.0, 1.0, 8.0, 3.0)).expect("a sound shape");
        go(&mut run, 3);
        assert_ne!(run.state_hash().unwrap(), then);
        // In whatever order they are fetched; and once only.
        let Some(Answer::Agents(agents)) = wait(&mut run, tickets[1]) else { panic!("agents were asked for") };
        let Some(Answer::Field(field)) = wait(&mut run, tickets[0]) else { panic!("a field was asked for") };
        assert_eq!(agents.state_hash(), then);
        assert!(field == Values::Scalar(potential));
        assert!(run.engine_mut().poll(tickets[0]).unwrap().is_none());
        // Asked before the run took on another state, fetched after: still there, and nobody else's.
        let name = run.engine().name();
        let (asked, then) = (run.engine_mut().request(Request::Agents), run.state_hash().unwrap());
        run.resume(&saved).unwrap_or_else(|e| panic!("{e}"));
        let other = run.engine_mut().request(Request::Field(Field::Discomfort));
        assert!(
            ![first, tickets[0], tickets[1], asked].contains(&other),
            "{name}: one ticket for two requests: {other:?}"
        );
        let Some(Answer::Agents(agents)) = wait(&mut run, asked) else { panic!("{name}: the answer is gone") };
        assert_eq!(agents.state_hash(), then, "{name}");
    }
}

// Edits.

#[test]
fn a_wall_before_people_stops_them_and_lets_them_go_when_it_is_taken_away() {
    let scene = scene(
        "size = [12, 5]\ndt = 0.1\n[[goal]]\nrect = [11, 0, 12, 5]\n[[agents]]\ncount = 25\nstart = { rect = [0, 0, 5, 5] }\n",
    );
    let mut runs = on_both(&scene);
    go_both(&mut runs, 5);
    let numbers = runs.each_mut().map(|run| run.add_wall(bar(7.0, 0.0, 7.4, 5.0)).expect("a sound shape"));
    assert_eq!(numbers, [0, 0]);
    for history in go_both(&mut runs, 60) {
        assert_eq!((history[59].arrived, history[59].displaced), (0, 0), "nobody passes a closed wall");
    }
    for run in &mut runs {
        assert!(places(run).iter().all(|(_, p)| p.x < 7.0));
        assert!(run.stand_wall(0, false) && !run.stand_wall(1, false));
    }
    let [cpu, gpu] = go_both(&mut runs, 60);
    assert!(cpu[59].arrived > 5, "{:?}", cpu[59]);
    assert_alike(&cpu, &gpu, 2.0, 0.03);
    // Once more in their way, this time a row of painted cells with a hole, which they find.
    for run in &mut runs {
        assert!((0..9).all(|k| run.paint_wall(Vec2::new(8.7, 0.25 + 0.5 * k as f32), true)));
        assert!(!run.paint_wall(Vec2::new(-1.0, 0.0), true));
    }
    go_both(&mut runs, 10);
    for run in &mut runs {
        let cell = run.scene().grid.index_at(Vec2::new(8.2, 0.2));
        let along = vectors(run, Field::Gradient(0))[cell];
        assert!(along.y > 0.7, "to the hole in the north: {along}");
        assert!(run.paint_wall(Vec2::new(8.7, 0.25), false));
        until_done(run, 40.0);
        assert_eq!(run.counters().arrived, 25);
    }
}

#[test]
fn a_door_that_closes_on_people_puts_them_aside_on_the_gpu_too() {
    let scene = scene(
        "cell = 0.25\nsize = [8, 5]\ndt = 0.1\n[map]\nwalls = [{ rect = [4, 0, 5, 1.5] }, { rect = [4, 3.5, 5, 5] }, \
         { rect = [4, 1.5, 5, 3.5], name = \"gate\", open = true }]\n[[goal]]\nrect = [7, 0, 8, 5]\n\
         [[agents]]\ncount = 35\nspeed = 1.3\nstart = { rect = [0, 0, 3.7, 5] }\n",
    );
    let inside = |run: &mut Simulation| places(run).iter().filter(|(_, p)| p.x >= 4.0 && p.x < 5.0).count() as u64;
    for mut run in on_both(&scene) {
        go(&mut run, 15);
        let caught = inside(&mut run);
        assert!(caught > 2 && run.counters().displaced == 0, "{caught} are in the gate");
        assert!(run.set_wall("gate", true) && !run.set_wall("door", true));
        // They are aside before the next step: whoever looks sees them there.
        assert_eq!(inside(&mut run), 0, "{}", run.engine().name());
        let c = go(&mut run, 1)[0];
        assert!(c.displaced >= caught, "{caught} were caught: {c:?}");
        let shut = *go(&mut run, 40).last().expect("a step");
        assert_eq!((inside(&mut run), shut.displaced), (0, c.displaced));
        assert!(shut.arrived < 30, "{} of 35 were through before the gate closed", shut.arrived);
        let before = places(&mut run);
        assert!(before.iter().all(|(_, p)| p.x < 4.0), "who was through has arrived");
        go(&mut run, 5);
        assert_eq!(run.counters().arrived, shut.arrived);
        assert!(run.set_wall("gate", false));
        until_done(&mut run, 40.0);
        assert_eq!((run.counters().arrived, run.counters().displaced), (35, c.displaced));
    }
}

#[test]
fn a_goal_behind_a_gate_is_a_goal_once_an_event_opens_it() {
    // A goal of many cells, none of them free at first.
    let scene = scene(
        "cell = 0.25\nsize = [10, 4]\ndt = 0.1\n[map]\nwalls = [{ rect = [6, 0, 10, 4], name = \"gate\" }]\n\
         [[goal]]\nrect = [7, 0, 10, 4]\n[[event]]\nat = 2\nopen = \"gate\"\n\
         [[agents]]\ncount = 8\nspeed = 1\nstart = { rect = [1, 0, 4, 4] }\n",
    );
    let mut runs = on_both(&scene);
    let [cpu, gpu] = go_both(&mut runs, 20);
    assert_eq!((cpu[19].goals_reached, gpu[19].goals_reached), (0, 0));
    assert_eq!(farthest_apart_of(&mut runs), 0.0, "who has no way stands still");
    let [cpu, gpu] = go_both(&mut runs, 55);
    assert!(cpu[54].arrived > 3);
    assert_alike(&cpu, &gpu, 1.0, 0.03);
    let [a, b] = &mut runs;
    assert_same_potentials(&scalars(a, Field::Potential(0)), &scalars(b, Field::Potential(0)), "open");
}

fn farthest_apart_of([a, b]: &mut [Simulation; 2]) -> f32 {
    farthest_apart(a, b)
}

#[test]
fn a_zone_that_turns_to_mud_slows_people_on_the_gpu() {
    let scene = scene(
        "size = [16, 3]\ndt = 0.1\n[[goal]]\nrect = [15, 0, 16, 3]\n[[zone]]\nname = \"mud\"\nrect = [4, 0, 16, 3]\n\
         [[agents]]\ncount = 6\nspeed = 1\nstart = { rect = [4, 0, 7, 3] }\n",
    );
    let mut runs = on_both(&scene);
    let along = |run: &mut Simulation| places(run).iter().map(|(_, p)| p.x).sum::<f32>() / 6.0;
    let mut way = |speed: f32, steps: u64| {
        for run in &mut runs {
            assert!(run.set_zone("mud", speed) && !run.set_zone("ice", 1.0));
        }
        let before = runs.each_mut().map(along);
        go_both(&mut runs, steps);
        let after = runs.each_mut().map(along);
        [0, 1].map(|k| after[k] - before[k])
    };
    let (free, slow) = (way(1.0, 20), way(0.25, 20));
    // Above what the scene itself foresees nothing is faster.
    let fast = way(5.0, 10);
    for k in 0..2 {
        assert!((slow[k] / free[k] - 0.25).abs() < 0.03, "{} m free, {} m in mud", free[k], slow[k]);
        assert!((fast[k] / free[k] - 0.5).abs() < 0.03, "{} m in two seconds, {} m in one", free[k], fast[k]);
    }
    // Hardly anybody touches anybody here, so nothing grows.
    assert!(farthest_apart_of(&mut runs) < 0.01);
}

#[test]
fn every_edit_changes_the_gpu_s_fields_as_it_does_the_cpu_s() {
    // Clearance reaches farther than bodies do, so an edit reaches beyond the tiles of its wall; the walls are more than
    // the engine has set room aside for.
    let scene = scene(&format!("{WINDING}[[zone]]\nname = \"mud\"\nrect = [3, 8, 14, 11]\n[model]\nclearance = 2.5\n"));
    let mut runs = on_both(&scene);
    go_both(&mut runs, 1);
    let room = |run: &Simulation| run.engine().memory().iter().find(|(what, _)| *what == "world").expect("a world").1;
    let at_first = room(&runs[1]);
    let dots = |run: &mut Simulation, from: u32, to: u32| {
        for k in from..to {
            let at = Vec2::new(7.0 + 0.8 * (k % 6) as f32, 1.0 + 0.7 * (k / 6) as f32);
            run.add_wall(Shape::Circle(at, 0.1)).expect("a sound shape");
        }
    };
    for round in 0..3 {
        for run in &mut runs {
            match round {
                0 => {
                    run.add_wall(bar(1.5, 7.0, 4.5, 9.0)).expect("a sound shape");
                    let bent = [(14.0, 20.0), (17.0, 19.0), (18.0, 22.0)].map(|(x, y)| Vec2::new(x, y));
                    run.add_wall(Shape::Line(bent.to_vec())).expect("a sound shape");
                    run.add_wall(Shape::Polygon(bent.to_vec())).expect("a sound shape");
                    assert!(run.paint_wall(Vec2::new(8.1, 8.1), true) && run.paint_wall(Vec2::new(7.9, 7.9), true));
                    assert!(run.set_zone("mud", 0.4));
                }
                1 => dots(run, 0, 60),
                _ => {
                    assert!(run.paint_wall(Vec2::new(8.1, 8.1), false) && run.set_zone("mud", 0.9));
                    // A wall of the scene, and every other of those that came.
                    (0..60).step_by(2).for_each(|k| assert!(run.stand_wall(k, false)));
                    dots(run, 60, 80);
                }
            }
        }
        // From the same state, so that the fields have to be the same.
        let bytes = runs[0].save().unwrap();
        let [cpu, gpu] = &mut runs;
        assert_eq!(places(cpu).len(), places(gpu).len());
        // The GPU keeps the world that its own edits made, and the agents of its own putting aside.
        let before = gpu.agents().unwrap();
        let mut twin = on_cpu(&scene);
        twin.resume(&gpu.save().unwrap()).unwrap_or_else(|e| panic!("{e}"));
        go(&mut twin, 1);
        go(gpu, 1);
        assert_fields_agree(&mut twin, gpu, &before, &format!("after edits {round}"));
        cpu.resume(&bytes).unwrap_or_else(|e| panic!("{e}"));
        go(cpu, 1);
        let aside = [cpu.counters().displaced, gpu.counters().displaced];
        assert!(aside[0].abs_diff(aside[1]) <= 1, "put aside: {aside:?}");
    }
    assert!(runs[0].counters().displaced > 5);
    assert!(room(&runs[1]) > at_first, "the walls were to need more room than there was at first");
}

#[test]
fn who_has_no_way_left_stands_still_on_the_gpu() {
    let scene = scene(
        "size = [10, 5]\n[[goal]]\nrect = [8.5, 2, 9.5, 3]\n[[agents]]\ncount = 12\nstart = { rect = [0, 0, 5, 5] }\n",
    );
    let mut runs = on_both(&scene);
    go_both(&mut runs, 5);
    for run in &mut runs {
        run.add_wall(Shape::Line(
            [(7.6, 1.0), (9.9, 1.0), (9.9, 4.0), (7.6, 4.0), (7.6, 1.0)].map(|(x, y)| Vec2::new(x, y)).to_vec(),
        ))
        .expect("a sound shape");
        go(run, 2);
        let before = places(run);
        go(run, 20);
        let after = places(run);
        let moved = before.iter().zip(&after).map(|(a, b)| a.1.distance(b.1)).fold(0.0, f32::max);
        assert!(moved < 1e-3, "{} walks {moved} m to nowhere", run.engine().name());
        let potential = scalars(run, Field::Potential(0));
        assert!(potential[0] >= UNREACHED && potential.contains(&0.0));
    }
    // A goal that is buried whole is none.
    for run in &mut runs {
        run.add_wall(bar(8.0, 1.5, 9.8, 3.5)).expect("a sound shape");
        go(run, 3);
        assert!(scalars(run, Field::Potential(0)).iter().all(|p| *p >= UNREACHED));
        assert!(vectors(run, Field::Gradient(0)).iter().all(|v| *v == Vec2::ZERO));
    }
}

// Models.

/// Fifty in a room with a pillar, and a door.
fn room(model: &str) -> Scene {
    scene(&format!(
        "size = [12, 7]\ndt = 0.1\n[map]\nwalls = [{{ rect = [8, 0, 8.2, 2.5] }}, {{ rect = [8, 4.5, 8.2, 7] }}, \
         {{ circle = [5, 3.5, 0.8] }}]\n[[goal]]\nrect = [11, 0, 12, 7]\n\
         [[agents]]\ncount = 50\nstart = {{ rect = [0, 0, 7, 7] }}\n[model]\n{model}\n"
    ))
}

#[test]
fn a_static_plan_and_the_thesis_law_empty_a_room_on_the_gpu_as_on_the_cpu() {
    for model in ["plan = \"static\"", "speed_law = \"thesis\"", "separation_rounds = 0"] {
        let scene = room(model);
        let mut runs = on_both(&scene);
        let [cpu, gpu] = go_both(&mut runs, 75);
        assert!(cpu[74].arrived > 5, "{model}: too little happens: {:?}", cpu[74]);
        // A door for a few abreast: one more or less in front of the others.
        assert_alike(&cpu, &gpu, 3.0, 0.05);
        for run in &mut runs {
            assert_books_agree(run, 50);
        }
    }
}

#[test]
fn the_thesis_scheme_does_no_harm_on_the_gpu() {
    // Its result depends on the order of updates, so engines need not agree; but people get out.
    for model in ["scheme = \"thesis\"", "scheme = \"thesis\"\nplan = \"static\"\nsolver = \"all\""] {
        let mut run = on_gpu(&room(model));
        let history = go(&mut run, 90);
        assert!(history[89].arrived > 5, "{model}: {:?}", history[89]);
        let potential = scalars(&mut run, Field::Potential(0));
        assert!(potential.iter().all(|p| p.is_finite() && *p >= 0.0));
        assert_books_agree(&mut run, 50);
    }
}

// Fields.

/// All fields of two runs that have done one step from the same state (`before`) agree.
fn assert_fields_agree(cpu: &mut Simulation, gpu: &mut Simulation, before: &Agents, what: &str) {
    let grid = cpu.scene().grid;
    assert_eq!(scalars(cpu, Field::Discomfort), scalars(gpu, Field::Discomfort), "{what}: discomfort");
    // How many agents may have put something into each cell: the square of their footprint, and a cell for rounding.
    let mut touched = vec![0u32; grid.len()];
    for i in (0..before.len()).filter(|&i| before.state[i].on_floor()) {
        let reach = (2.0 * before.radius[i]).max(grid.cell) + grid.cell;
        let (low, high) = (grid.coords(before.position[i] - reach), grid.coords(before.position[i] + reach));
        for y in low.1..=high.1 {
            (low.0..=high.0).for_each(|x| touched[y * grid.width + x] += 1);
        }
    }
    // Each share is rounded to a quantum: two of them apart at most.
    let quanta = |cell: usize| 2.0 * touched[cell] as f32 / 65536.0;
    let (da, db) = (scalars(cpu, Field::Density), scalars(gpu, Field::Density));
    let (pa, pb) = (scalars(cpu, Field::Persons), scalars(gpu, Field::Persons));
    let (va, vb) = (vectors(cpu, Field::Velocity), vectors(gpu, Field::Velocity));
    assert!(da.iter().any(|d| *d > 0.3), "{what}: nobody is there");
    for c in 0..grid.len() {
        let at = format!("{what}: cell {c}, {} agents near", touched[c]);
        assert!((da[c] - db[c]).abs() <= quanta(c), "{at}: density {} and {}", da[c], db[c]);
        let area = grid.cell * grid.cell;
        assert!((pa[c] - pb[c]).abs() <= quanta(c) / area * 1.001, "{at}: persons {} and {}", pa[c], pb[c]);
        // Momentum by density, each so far apart.
        let most = quanta(c) * (2.0 + va[c].length()) / da[c].max(db[c]).max(1.0 / 65536.0);
        assert!(va[c].distance(vb[c]) <= most, "{at}: velocity {} and {}", va[c], vb[c]);
    }
    for d in [Direction::North, Direction::East, Direction::South, Direction::West] {
        for field in [Field::Speed(d), Field::Cost(d)] {
            let (a, b) = (scalars(cpu, field), scalars(gpu, field));
            for c in 0..grid.len() {
                assert!(
                    (a[c] - b[c]).abs() <= 1e-3 * a[c].abs(),
                    "{what}: {field:?} of cell {c}: {} and {}",
                    a[c],
                    b[c]
                );
            }
        }
    }
    for goal in 0..cpu.scene().goals.len() {
        let what = format!("{what}, goal {goal}");
        let potential = scalars(cpu, Field::Potential(goal));
        assert_same_potentials(&potential, &scalars(gpu, Field::Potential(goal)), &what);
        let (a, b) = (vectors(cpu, Field::Gradient(goal)), vectors(gpu, Field::Gradient(goal)));
        let (mut both, mut off) = (0u32, 0u32);
        for c in 0..grid.len() {
            assert_eq!(a[c] == Vec2::ZERO, b[c] == Vec2::ZERO, "{what}: cell {c}: {} and {}", a[c], b[c]);
            both += u32::from(a[c] != Vec2::ZERO);
            off += u32::from(a[c] != Vec2::ZERO && a[c].dot(b[c]) <= 0.999);
        }
        // On ridges, where two ways are equally long, rounding decides.
        assert!(100 * off < both.max(1), "{what}: {off} of {both} directions differ");
    }
}

/// The state of a scene on the CPU after some steps, resumed on both engines, which then do one step with maps.
fn one_step_on_both(scene: &Scene, after: u64) -> ([Simulation; 2], Agents) {
    let mut start = on_cpu(scene);
    start.engine_mut().keep_maps(true);
    go(&mut start, after);
    let bytes = start.save().unwrap();
    let mut runs = on_both(scene);
    for run in &mut runs {
        run.resume(&bytes).unwrap_or_else(|e| panic!("{e}"));
        go(run, 1);
    }
    (runs, start.agents().unwrap())
}

#[test]
fn every_field_of_the_first_step_is_that_of_the_cpu() {
    // The last two: more agents in a tile than a workgroup adds up at once; bodies nearly as wide as a tile.
    let wide = "cell = 0.1\nsize = [9, 5]\n[map]\nwalls = [{ rect = [5, 0, 5.3, 1.5] }, { rect = [5, 3.5, 5.3, 5] }]\n\
                [[goal]]\nrect = [8, 0, 9, 5]\n[[agents]]\ncount = 5\nradius = 0.65\nspeed = 1.3\nstart = { rect = [0, 0, 5, 5] }\n";
    for scene in [scene(WINDING), scene(COMING_AND_GOING), scene(OPENING), heap(1500), scene(wide)] {
        let mut runs = on_both(&scene);
        let before = runs[0].agents().unwrap();
        go_both(&mut runs, 1);
        let [cpu, gpu] = &mut runs;
        assert_fields_agree(cpu, gpu, &before, "first step");
        assert!(scalars(gpu, Field::Use).is_empty(), "no maps were asked for");
    }
    let wider = scene(&wide.replace("0.65", "0.75"));
    let refused = GpuEngine::new(&wider, gpu()).err().map(|e| e.to_string());
    assert!(refused.as_ref().is_some_and(|e| e.contains("--engine cpu")), "{refused:?}");
}

#[test]
fn every_field_of_a_step_among_moving_people_is_that_of_the_cpu() {
    for text in [BUSY.to_owned(), OPENING.to_owned(), format!("{BUSY}[model]\nspeed_law = \"thesis\"\n")] {
        let scene = scene(&text);
        let (mut runs, before) = one_step_on_both(&scene, 22);
        let [cpu, gpu] = &mut runs;
        assert!(vectors(cpu, Field::Velocity).iter().any(|v| v.length() > 0.5), "they do not move");
        assert_fields_agree(cpu, gpu, &before, "step 23");
        // Nobody has moved far since they were sorted, so hardly anybody is in another cell.
        for field in [Field::PeakDensity, Field::Use] {
            let (a, b) = (scalars(cpu, field), scalars(gpu, field));
            assert_eq!(a.len(), b.len());
            let other = a.iter().zip(&b).filter(|(a, b)| (*a - *b).abs() > 1e-5 * a.abs()).count();
            assert!(a.iter().any(|v| *v > 0.0) && 100 * other <= a.len(), "{field:?}: {other} of {} cells", a.len());
        }
        assert!(farthest_apart_of(&mut runs) < 1e-3, "after one step");
    }
}

#[test]
fn the_map_of_use_adds_up_to_everybody_s_time_on_the_floor() {
    let scene = scene(COMING_AND_GOING);
    let mut run = on_gpu(&scene);
    run.engine_mut().keep_maps(true);
    let history = go(&mut run, 30);
    // Who is there in a step is who was there after the last.
    let there: u64 = 30 + history[..29].iter().map(|c| c.active).sum::<u64>();
    let seconds = there as f32 * scene.dt;
    let area = scene.grid.cell * scene.grid.cell;
    let used: f32 = scalars(&mut run, Field::Use).iter().sum::<f32>() * area;
    assert!((used - seconds).abs() < 1e-3 * seconds, "{used} and {seconds} person-seconds");
    let peak = scalars(&mut run, Field::PeakDensity).into_iter().fold(0.0, f32::max);
    assert_eq!(peak, run.counters().density_max);
    run.engine_mut().keep_maps(false);
    assert!(scalars(&mut run, Field::Use).is_empty());
    run.engine_mut().keep_maps(true);
    assert!(scalars(&mut run, Field::Use).iter().all(|u| *u == 0.0), "a new map begins with nothing");
}

// Odd worlds.

/// Runs on both engines: the first step's fields, then the run.
fn odd(text: &str, steps: u64) -> [Vec<Counters>; 2] {
    let scene = scene(text);
    let mut runs = on_both(&scene);
    let before = runs[0].agents().unwrap();
    go_both(&mut runs, 1);
    let [cpu, gpu] = &mut runs;
    if before.state.iter().any(|s| s.on_floor()) {
        assert_fields_agree(cpu, gpu, &before, text);
    }
    let histories = go_both(&mut runs, steps - 1);
    assert_alike(&histories[0], &histories[1], 2.0, 0.03);
    for run in &mut runs {
        let saved = run.save().unwrap();
        let hash = run.state_hash().unwrap();
        run.resume(&saved).unwrap_or_else(|e| panic!("{e}\n{text}"));
        assert_eq!(run.state_hash().unwrap(), hash);
        assert_eq!(run.agents().unwrap().len() as u64, scene.agent_count());
    }
    histories
}

#[test]
fn worlds_that_are_no_whole_tiles_are_walked_on_the_gpu() {
    // One cell in all; one cell high and wide; one more and one less than a tile; two tiles and one cell.
    let [_, gpu] = odd("size = [0.5, 0.5]\n[[goal]]\nrect = [0, 0, 0.5, 0.5]\n[[agents]]\ncount = 1\n[model]\n", 3);
    assert_eq!((gpu[1].parked, gpu[1].arrived), (1, 1));
    for (size, goal, start, count) in [
        ("[20, 0.5]", "[18, 0, 20, 0.5]", "[8, 0, 17, 0.5]", 8),
        ("[0.5, 20]", "[0, 0, 0.5, 1]", "[0, 2, 0.5, 12]", 8),
        ("[8.5, 7.5]", "[8, 0, 8.5, 7.5]", "[2, 0, 7, 7.5]", 20),
        ("[16.5, 16.5]", "[15, 15, 16.5, 16.5]", "[9, 9, 15, 15]", 20),
    ] {
        let text = format!(
            "size = {size}\ndt = 0.1\n[[goal]]\nrect = {goal}\n[[agents]]\ncount = {count}\nstart = {{ rect = {start} }}\n"
        );
        let [_, gpu] = odd(&text, 40);
        assert!(gpu[38].arrived > 2, "{size}: {:?}", gpu[38]);
    }
}

#[test]
fn one_agent_or_none_is_a_run_on_the_gpu() {
    for text in [
        "size = [5, 5]\n",
        "size = [5, 5]\n[[goal]]\nrect = [4, 0, 5, 5]\n[[agents]]\nsource = { rate = 1, total = 0 }\n",
        "size = [0.5, 0.5]\n[model]\nplan = \"static\"\n",
    ] {
        let [cpu, gpu] = odd(text, 3);
        assert_eq!((gpu[1].steps, gpu[1].active, gpu[1].arrived), (3, 0, 0));
        assert_eq!(cpu[1].density_max, gpu[1].density_max);
    }
    // Alone nothing is left to chance: the same way, to a hair, and the same step of arrival.
    let [cpu, gpu] = odd(
        "size = [7, 5]\ndt = 0.1\n[map]\nwalls = [{ rect = [3.5, 0, 3.7, 3] }]\n[[goal]]\nrect = [6, 0, 7, 2]\n\
         [[agents]]\ncount = 1\nspeed = 1.3\nstart = { rect = [1, 1, 1.5, 1.5] }\n",
        75,
    );
    let arrival = |list: &[Counters]| list.iter().find(|c| c.arrived == 1).expect("it arrives").steps;
    assert!(arrival(&cpu).abs_diff(arrival(&gpu)) <= 1, "steps {} and {}", arrival(&cpu), arrival(&gpu));
}

#[test]
fn seven_goals_one_of_them_beyond_reach_are_planned_for_on_the_gpu() {
    let mut text = String::from(
        "size = [17, 13]\ndt = 0.1\n[map]\nwalls = [{ line = [[7, 5], [10, 5], [10, 8], [7, 8], [7, 5]] }]\n",
    );
    let places = [[0.0, 0.0], [16.0, 0.0], [16.0, 12.0], [0.0, 12.0], [8.0, 0.0], [8.0, 12.0], [8.0, 6.0]];
    for (k, [x, y]) in places.iter().enumerate() {
        text += &format!("[[goal]]\nname = \"{k}\"\nrect = [{x}, {y}, {}, {}]\n", x + 1.0, y + 1.0);
        // Nobody goes to the last one, which is walled in.
        if k < 6 {
            text += &format!(
                "[[agents]]\ncount = 8\nstart = {{ rect = [2, 2, 15, 4] }}\njourney = [\"{k}\", \"{}\"]\n",
                (k + 1) % 6
            );
        }
    }
    let [_, gpu] = odd(&text, 50);
    assert!(gpu[48].goals_reached > 5, "{:?}", gpu[48]);
}

#[test]
fn hundreds_of_sources_are_served_on_the_gpu() {
    // More groups than a workgroup has threads.
    let mut text = String::from("size = [40, 6]\ndt = 0.1\n[[goal]]\nrect = [39, 0, 40, 6]\n");
    for k in 0..300 {
        let (x, y) = (0.6 * (k % 60) as f32, 1.2 * (k / 60) as f32);
        let rate = if k % 3 == 0 { 20 } else { 2 };
        text += &format!(
            "[[agents]]\nsource = {{ rate = {rate}, total = 1 }}\nstart = {{ rect = [{x}, {y}, {}, {}] }}\n",
            x + 0.6,
            y + 1.0
        );
    }
    let scene = scene(&text);
    let [cpu, gpu] = go_both(&mut on_both(&scene), 12);
    // Before the fifth step a source of two a second lets nobody in.
    assert_eq!((cpu[3].entered, gpu[3].entered), (100, 100));
    assert!(gpu[11].entered > 280, "{:?}", gpu[11]);
    assert_alike(&cpu, &gpu, 2.0, 0.03);
}

// One stage after the other.

#[test]
fn each_stage_can_be_the_first_on_the_gpu() {
    // A source that finds room, somebody who leaves, walls: every stage has something to do.
    let scene = scene(
        "size = [11, 7]\ndt = 0.05\n[map]\nwalls = [{ rect = [5, 0, 5.2, 3] }, { circle = [4, 5, 0.6] }]\n\
         [[goal]]\nname = \"east\"\nrect = [10, 0, 11, 7]\n[[goal]]\nname = \"west\"\nrect = [0, 0, 1, 7]\n\
         [[agents]]\ncount = 40\nstart = { rect = [1.5, 0, 9.8, 7] }\njourney = [\"east\"]\n\
         [[agents]]\ncount = 12\nstart = { rect = [1.2, 0, 9.8, 7] }\njourney = [\"west\", \"east\"]\n\
         [[agents]]\nsource = { rate = 10, total = 20 }\nstart = { rect = [6, 4, 9, 7] }\njourney = [\"west\"]\n",
    );
    let mut cpu = on_cpu(&scene);
    let end = *go(&mut cpu, 10).last().expect("a step");
    assert!(end.entered > 2 && end.goals_reached > 1, "too little happens: {end:?}");
    for stage in NAMES {
        let mut run = on(&scene, SplitEngine::new(&scene, gpu(), stage).unwrap_or_else(|e| panic!("{e}")));
        for _ in 0..10 {
            run.step().unwrap_or_else(|e| panic!("{stage}: {e}"));
        }
        assert_eq!(run.engine().name(), "split");
        let c = run.counters();
        assert_eq!((c.steps, c.in_wall, c.not_finite), (10, 0, 0), "{stage}");
        assert_eq!(
            (c.entered, c.goals_reached, c.active, c.parked),
            (end.entered, end.goals_reached, end.active, end.parked),
            "{stage}"
        );
        let apart = farthest_apart(&mut cpu, &mut run);
        assert!(apart < 0.02, "{stage}: {apart} m");
    }
    assert!(SplitEngine::new(&scene, gpu(), "dance").is_err());
}
