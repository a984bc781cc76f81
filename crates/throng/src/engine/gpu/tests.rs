//! Each stage alone, on the same inputs as its CPU twin. The inputs are those of runs (a floor of rooms, an open field of
//! opposite streams, a heap of bodies of all sizes between thin walls with sources and journeys), and drawn ones: random
//! walls, painted cells, zones, discomfort and crowds, with every plan, law and steering.

mod cases;

use super::upload::upload;
use super::*;
use crate::engine::cpu::CpuEngine;
use crate::engine::{Direction, Edit, Field, Values};
use crate::random::{Purpose, unit};
use crate::scene::{NoFiles, Plan};
use crate::stages::Stage;
use crate::stages::potential::{Padded, UNREACHED};
use crate::stages::steer::Steer;
use crate::world::goals;
use cases::{Case, cases};
use glam::Vec2;
use std::sync::OnceLock;

fn gpu() -> &'static Gpu {
    static GPU: OnceLock<Gpu> = OnceLock::new();
    GPU.get_or_init(|| {
        let name = std::env::var("THRONG_TEST_DEVICE").unwrap_or_else(|_| "llvmpipe".into());
        Gpu::open(Some(&name)).expect("GPU tests need a Vulkan device; test.sh installs software Vulkan")
    })
}

/// Runs a stage on both engines from the same state, and hands both over.
fn compare(stage: Stage, check: impl Fn(&str, &CpuEngine, &mut GpuEngine)) {
    for Case { scene, painted, steps } in cases() {
        let mut cpu = CpuEngine::new(&scene, None).unwrap();
        cpu.edit(Edit::PaintAll(painted.clone()));
        for _ in 0..steps {
            cpu.step().unwrap();
        }
        cpu.begin_step();
        cpu.run(&Stage::ALL[..stage.index()]);
        let mut engine = GpuEngine::new(&scene, gpu()).unwrap();
        engine.edit(Edit::PaintAll(painted));
        engine.load(&cpu, stage);
        cpu.run(&[stage]);
        let mut encoder = engine.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        engine.encode(&mut encoder, &[stage], false);
        engine.gpu.queue.submit([encoder.finish()]);
        check(&format!("{} (seed {}) at step {steps}", scene.name, scene.seed), &cpu, &mut engine);
        assert_eq!(engine.gpu.trouble(), None);
    }
}

fn read<T: bytemuck::Pod>(engine: &GpuEngine, buffer: Buffer) -> Vec<T> {
    let bytes = engine.read_now(&[(engine.buffers.get(buffer), 0, u64::MAX)]).unwrap();
    bytemuck::pod_collect_to_vec(&bytes[0])
}

fn agents(engine: &GpuEngine) -> Agents {
    let bytes = engine.read_now(&engine.pieces(Request::Agents)).unwrap();
    super::agents::unpack(&bytes, &engine.scene, engine.buffers.own())
}

fn field(engine: &GpuEngine, field: Field) -> Values {
    let bytes = engine.read_now(&engine.pieces(Request::Field(field))).unwrap();
    engine.values(field, &bytes)
}

fn scalars(values: Values) -> Vec<f32> {
    match values {
        Values::Scalar(v) => v,
        Values::Vector(_) => panic!("a number per cell"),
    }
}

fn close(case: &str, what: &str, a: f32, b: f32, relative: f32) {
    assert!((a - b).abs() <= relative * b.abs().max(1e-3), "{case}: {what} {a} on the GPU, {b} on the CPU");
}

/// At most a share differs by more than a tolerance: those whose choice between two ways hangs on the last bit. And nobody by more
/// than `worst`.
fn mostly(case: &str, what: &str, differences: &mut [f32], tolerance: f32, share: f32, worst: f32) {
    differences.sort_unstable_by(f32::total_cmp);
    let most = differences.last().copied().unwrap_or(0.0);
    assert!(most <= worst, "{case}: {what}: one differs by {most}, more than {worst}");
    let beyond = differences.iter().filter(|d| d.is_nan() || **d > tolerance).count();
    let allowed = (share * differences.len() as f32) as usize;
    assert!(
        beyond <= allowed,
        "{case}: {what}: {beyond} of {} differ by more than {tolerance}, worst {:?}",
        differences.len(),
        &differences[differences.len().saturating_sub(4)..]
    );
}

#[test]
fn splat_differs_by_at_most_a_quantum_per_contribution() {
    compare(Stage::Splat, |case, cpu, engine| {
        let quanta: Vec<[i32; 4]> = read(engine, Buffer::Quanta);
        let grid = engine.world.grid;
        let a = cpu.agents();
        // How many agents really add something to each cell.
        let mut contributions = vec![0i32; grid.len()];
        let mut footprint = crate::stages::splat::cpu::Footprint::default();
        for i in (0..a.len()).filter(|&i| a.state[i].on_floor()) {
            footprint.find(&grid, &engine.world.walls, a.position[i], a.radius[i]);
            footprint.cells.iter().for_each(|&c| contributions[c as usize] += 1);
        }
        for (c, (ours, theirs)) in quanta.iter().zip(&cpu.fields().quanta).enumerate() {
            let touching = contributions[c];
            for k in 0..4 {
                // A contribution near the middle between two quanta may be rounded either way.
                assert!((ours[k] - theirs[k]).abs() <= touching, "{case}: cell {c}: {ours:?} and {theirs:?}");
            }
        }
    });
}

#[test]
fn flow_gives_the_same_density_and_velocity() {
    compare(Stage::Flow, |case, cpu, engine| {
        let average: Vec<[f32; 4]> = read(engine, Buffer::Average);
        for (c, (ours, f)) in average.iter().zip(&cpu.fields().density).enumerate() {
            let v = cpu.fields().velocity[c];
            // One division and one product: a few units in the last place.
            close(case, "density", ours[0], *f, 1e-6);
            close(case, "velocity", ours[1], v.x, 1e-6);
            close(case, "velocity", ours[2], v.y, 1e-6);
        }
        assert!(read::<[i32; 4]>(engine, Buffer::Quanta).iter().flatten().all(|q| *q == 0), "{case}: quanta are left");
    });
}

#[test]
fn speed_and_cost_follow_the_same_law() {
    compare(Stage::Speed, |case, cpu, engine| {
        let speed: Vec<[f32; 4]> = read(engine, Buffer::Speed);
        // A static plan has no use for the field on the CPU.
        for (ours, theirs) in speed.iter().flatten().zip(cpu.speeds().iter().flatten()) {
            // The table is the same; interpolation, one division and a clamp remain.
            close(case, "speed", *ours, *theirs, 1e-5);
        }
    });
    compare(Stage::Cost, |case, cpu, engine| {
        for (d, direction) in [Direction::North, Direction::East, Direction::South, Direction::West].iter().enumerate()
        {
            let ours = scalars(field(engine, Field::Cost(*direction)));
            let layout = Padded::of(&engine.world.grid);
            for (c, ours) in ours.iter().enumerate() {
                let theirs = cpu.planner().at_hand().unwrap().costs[0][layout.cell(c).place()][d];
                if theirs >= UNREACHED {
                    assert_eq!(*ours, UNREACHED, "{case}: a closed link of cell {c}");
                } else {
                    close(case, "cost", *ours * engine.world.grid.cell, theirs, 1e-5);
                }
            }
        }
        // The mean of tiles' means, tiles at the border being smaller, of links counted in 1/255: it only sets the width of
        // the solver's buckets.
        let control: Vec<u32> = read(engine, Buffer::Control);
        let typical = engine.params.free_cost * 4080.0 * control[1] as f32 / control[0] as f32;
        close(case, "typical cost", typical, cpu.planner().at_hand().unwrap().typical[0], 0.2);
    });
}

#[test]
fn potentials_are_the_marchs() {
    compare(Stage::Potential, |case, cpu, engine| {
        let solve = cpu.planner().at_hand().unwrap();
        let layout = Padded::of(&engine.world.grid);
        for goal in 0..engine.world.goals.len() {
            let route = engine.world.routes.to_goal(goal).expect("somebody heads for every goal");
            let ours = scalars(field(engine, Field::Potential(goal)));
            for (c, ours) in ours.iter().enumerate() {
                let theirs = solve.potentials[route][layout.cell(c).place()];
                assert_eq!(*ours < UNREACHED, theirs < UNREACHED, "{case}: goal {goal}, cell {c}: {ours} and {theirs}");
                // Changes below a ten-thousandth of a typical link are not passed on, and each link rounds.
                assert!(
                    (ours - theirs).abs() <= 2e-4 * theirs.max(solve.typical[0]),
                    "{case}: goal {goal}, cell {c}: {ours} and {theirs}"
                );
            }
        }
        if cpu.plan_work().part.is_none() || engine.scene.model.plan == Plan::Harmonic {
            return;
        }
        let control: Vec<u32> = read(engine, Buffer::Control);
        assert!(control[2] > 0 && control[3] > 0, "{case}: the solver did not run: {control:?}");
    });
}

#[test]
fn directions_point_the_same_way() {
    compare(Stage::Gradient, |case, cpu, engine| {
        for goal in 0..engine.world.goals.len() {
            let Values::Vector(ours) = field(engine, Field::Gradient(goal)) else { panic!("a vector per cell") };
            let mut differences: Vec<f32> = Vec::new();
            for (c, ours) in ours.iter().enumerate() {
                let theirs = cpu.planner().directions.at(c, engine.world.routes.to_goal(goal).unwrap());
                assert_eq!(*ours == [0.0; 2], theirs == glam::Vec2::ZERO, "{case}: goal {goal}, cell {c}");
                differences.push((glam::Vec2::from(*ours) - theirs).length());
            }
            // 16 bits a component are 3e-5; where two ways cost the same the last bit chooses.
            // Two unit vectors.
            mostly(case, "direction", &mut differences, 1e-4, 0.002, 2.001);
        }
    });
}

#[test]
fn the_plan_tells_the_same() {
    compare(Stage::Guide, |case, cpu, engine| {
        let ours: Vec<[f32; 4]> = read(engine, Buffer::Guide);
        let (mut directions, mut speeds) = (Vec::new(), Vec::new());
        for (ours, told) in ours.iter().zip(cpu.guide()) {
            directions.push((glam::Vec2::new(ours[0], ours[1]) - told.direction).length());
            speeds.push((ours[2] - told.speed).abs());
            close(case, "turn", ours[3], told.turn, 3.0);
        }
        // Directions and headings have 16 bits: 3e-5, which weak sums of opposite ones magnify; where the look ahead ends
        // in another cell, the speed is another cell's.
        mostly(case, "direction", &mut directions, 2e-3, 0.01, 2.001);
        mostly(case, "speed", &mut speeds, 4e-3, 0.01, 2.2);
    });
}

#[test]
fn avoiding_wants_the_same_velocity() {
    compare(Stage::Avoid, |case, cpu, engine| {
        let ours: Vec<[f32; 4]> = read(engine, Buffer::Wanted);
        let (mut velocities, mut headings) = (Vec::new(), Vec::new());
        for (ours, wanted) in ours.iter().zip(cpu.wanted()) {
            let away = |x: f32, y: f32, v: glam::Vec2| (glam::Vec2::new(x, y) - v).length();
            velocities.push(away(ours[0], ours[1], wanted.velocity));
            headings.push(away(ours[2], ours[3], wanted.heading));
        }
        // The heading comes in with 16 bits. Where two directions are equally good the last bit chooses.
        let chooses =
            matches!(engine.scene.model.steer, Steer::Walk | Steer::VelocityObstacle | Steer::Orca | Steer::Bvp);
        mostly(
            case,
            "heading",
            &mut headings,
            1e-4,
            if chooses { 0.02 } else { 0.0 },
            if chooses { 2.001 } else { 1e-4 },
        );
        // What an agent remembers.
        for (ours, theirs) in agents(engine).own.iter().zip(&cpu.agents().own) {
            let mut values: Vec<f32> = ours.values.iter().zip(&theirs.values).map(|(a, b)| (a - b).abs()).collect();
            mostly(case, ours.column.info.name, &mut values, 1e-3, 0.01, 100.0);
        }
        // Who grazes the strip ahead is in it here and not there.
        mostly(case, "velocity", &mut velocities, 3e-4, if chooses { 0.02 } else { 0.01 }, 2.5);
    });
}

#[test]
fn moving_and_separating_end_at_the_same_places() {
    for stage in [Stage::Move, Stage::Separate] {
        compare(stage, |case, cpu, engine| {
            let ours = agents(engine);
            let mut places: Vec<f32> = Vec::new();
            for i in 0..ours.len() {
                assert_eq!(ours.id[i], cpu.agents().id[i]);
                if ours.state[i].on_floor() {
                    places.push((ours.position[i] - cpu.agents().position[i]).length());
                    let turned = (ours.heading[i] - cpu.agents().heading[i]).length();
                    assert!(turned < 5e-5, "{case}: heading of {}: off by {turned}", ours.id[i]);
                }
            }
            // Rounding of coordinates of tens of metres; a disc at a corner may slide along the other side of it.
            // Nobody is carried farther than a stride, one way here and another there.
            mostly(case, stage.name(), &mut places, 1e-4, 0.01, 2.0 * engine.world.stride);
            // Who ends within a rounding of a border crosses it here and not there.
            let refused: Vec<u32> = read(engine, Buffer::Tally);
            let (ours, theirs) = (u64::from(refused[22]), cpu.numbers().refused);
            assert!(ours.abs_diff(theirs) <= 1, "{case}: {ours} refused on the GPU, {theirs} on the CPU");
        });
    }
}

#[test]
fn sorting_gives_the_same_order_and_the_same_ranges() {
    compare(Stage::Bin, |case, cpu, engine| {
        let ours = agents(engine);
        let theirs = cpu.agents();
        assert_eq!(ours.id, theirs.id, "{case}: the order of agents");
        assert_eq!(ours.position, theirs.position);
        assert_eq!((&ours.velocity, &ours.radius), (&theirs.velocity, &theirs.radius));
        assert_eq!((&ours.preferred, &ours.turn, &ours.goal), (&theirs.preferred, &theirs.turn, &theirs.goal));
        assert_eq!(
            (&ours.group, &ours.leg, &ours.state, &ours.wake),
            (&theirs.group, &theirs.leg, &theirs.state, &theirs.wake)
        );
        let starts: Vec<u32> = read(engine, Buffer::Starts);
        let cells = engine.world.grid.len();
        assert_eq!(starts[..=cells], cpu.bins().start[..], "{case}: where cells begin");
        assert_eq!(starts[cells + 1] as usize, cpu.bins().alive(), "{case}: who is outside");
        assert!(read::<u32>(engine, Buffer::Counts).iter().all(|n| *n == 0), "{case}: counts are left");
    });
}

#[test]
fn living_gives_the_same_arrivals_entries_and_states() {
    compare(Stage::Live, |case, cpu, engine| {
        let ours = agents(engine);
        let theirs = cpu.agents();
        assert_eq!(ours.id, theirs.id);
        assert_eq!(ours.state, theirs.state, "{case}");
        assert_eq!((&ours.goal, &ours.leg), (&theirs.goal, &theirs.leg), "{case}");
        for i in 0..ours.len() {
            // Those who never entered have no wake yet; who is parked keeps an old one.
            if theirs.state[i].on_floor() {
                assert_eq!(ours.wake[i], theirs.wake[i], "{case}: wake of {}", ours.id[i]);
            }
            assert!((ours.position[i] - theirs.position[i]).length() < 1e-4, "{case}: place of {}", ours.id[i]);
            let apart = |a: Option<Vec2>, b: Option<Vec2>| a.zip(b).map_or(0.0, |(a, b)| a.distance(b));
            assert!(apart(ours.point(i), theirs.point(i)) < 1e-3, "{case}: point of {}", ours.id[i]);
            assert!((ours.heading[i] - theirs.heading[i]).length() < 1e-4, "{case}: heading of {}", ours.id[i]);
        }
        assert_eq!(ours.have_points(), theirs.have_points());
        assert_eq!(ours.group, theirs.group, "{case}");
        let clips = |a: &Agents| (0..a.len()).map(|i| a.clip(i)).collect::<Vec<_>>();
        assert_eq!(clips(&ours), clips(theirs), "{case}: states");
        let rooms = |a: &Agents| (0..a.len()).map(|i| a.room(i)).collect::<Vec<_>>();
        assert_eq!(rooms(&ours), rooms(theirs), "{case}: who is counted where");
        let counts = goals::counts(&engine.world.places, theirs);
        assert_eq!(engine.count_in_goals().unwrap(), counts, "{case}: how many are in goals");
        let tally: Vec<u32> = read(engine, Buffer::Tally);
        let n = cpu.numbers();
        let counted = [tally[13], tally[14], tally[15], tally[16], tally[17]].map(u64::from);
        assert_eq!(counted, [n.goals_reached, n.arrived, n.entered, n.parked, n.left], "{case}: counters");
    });
}

#[test]
fn measuring_counts_the_same() {
    compare(Stage::Measure, |case, cpu, engine| {
        let tally: Vec<u32> = read(engine, Buffer::Tally);
        let n = cpu.numbers();
        assert_eq!(u64::from(tally[6]), n.in_wall, "{case}");
        assert_eq!(u64::from(tally[7]), n.not_finite, "{case}");
        assert_eq!(u64::from(tally[11]), n.walking, "{case}");
        let side = engine.params.window as f32 * engine.params.cell;
        close(case, "density", tally[12] as f32 / (side * side), n.density, 1e-6);
        assert!((f32::from_bits(tally[8]) - n.wall_depth).abs() < 1e-5, "{case}: depth in walls");
        // Speeds are added up in 1/4096 m/s.
        let speed = (u64::from(tally[9]) | u64::from(tally[10]) << 32) as f64 / 4096.0;
        assert!((speed - n.speed_sum).abs() <= n.walking as f64 / 4096.0, "{case}: {speed} and {}", n.speed_sum);
    });
}

#[test]
fn an_upload_of_several_pieces_arrives_whole() {
    // Two pieces of 16 MiB, a chunk of 64 KiB, and a rest.
    let count = (2 << 22) + (1 << 14) + 777;
    let buffer = gpu().device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: 4 * count as u64,
        usage: wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let value = |i: usize| (i as u32).wrapping_mul(0x9E37_79B9) ^ 5;
    upload(gpu(), &buffer, count, value);
    let bytes = Reading::of(gpu(), &[(&buffer, 0, u64::MAX)]).bytes(gpu(), true).unwrap();
    let words: Vec<u32> = bytemuck::pod_collect_to_vec(&bytes[0]);
    assert_eq!(words.len(), count);
    assert_eq!(words.iter().enumerate().find(|&(i, &word)| word != value(i)), None);
}

#[test]
fn a_hazard_that_moves_in_every_step_leaves_the_solver_its_rounds() {
    let text = "size = [40, 20]\n[[goal]]\nrect = [39, 0, 40, 20]\n[[agents]]\ncount = 20\nstart = { rect = [1, 1, 9, 19] }\n\
                [[hazard]]\nkind = \"ghost\"\nat = [20, 10]\nradius = 2\n";
    let scene = Scene::parse("ghost.toml", text, &NoFiles).unwrap();
    let given = |moves: bool| {
        let engine = GpuEngine::new(&scene, gpu()).unwrap();
        let bound = engine.rounds.given();
        let mut sim = crate::Simulation::on(&scene, Box::new(engine));
        for k in 0..60 {
            if moves {
                assert!(sim.move_hazard(0, Vec2::new(20.0, 5.0 + 0.1 * k as f32)));
            }
            sim.step().unwrap();
        }
        let report = sim.counters().solver;
        assert!(report.converged, "{report:?}");
        (sim.engine().on_gpu().unwrap().rounds.given(), bound)
    };
    let ((calm, bound), (moved, _)) = (given(false), given(true));
    assert!(moved <= calm + calm / 4 && moved < bound / 2, "{moved} rounds with calls, {calm} without, of {bound}");
}
