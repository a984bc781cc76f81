//! What the window finds out about the chosen agent is what the run says, the model's own columns included, on either engine.

use glam::Vec2;
use throng::engine::gpu::{Gpu, GpuEngine};
use throng::scene::NoFiles;
use throng::world::agents::State;
use throng::{Scene, Simulation};
use throng_view::camera::Camera;
use throng_view::draw::{Crowd, Frame, Painter, Readout};
use throng_view::look::Look;
use throng_view::shot::Columns;

const SCENE: &str = r#"
size = [16, 12]
model = { steer = "follow" }
cell = 0.5
[[goal]]
rect = [15, 4, 16, 8]
[[agents]]
count = 40
start = { rect = [1, 2, 8, 10] }
[[agents]]
source = { rate = 2, total = 5 }
start = { rect = [1, 2, 3, 4] }
"#;

fn gpu() -> Gpu {
    let name = std::env::var("THRONG_TEST_DEVICE").unwrap_or_else(|_| "llvmpipe".into());
    Gpu::open(Some(&name)).expect("GPU tests need a Vulkan device; test.sh installs software Vulkan")
}

/// What is found out about somebody in the run as it is.
fn look_up(gpu: &Gpu, painter: &mut Painter, sim: &mut Simulation, chosen: u32) -> Readout {
    let crowd = match sim.engine().on_gpu() {
        Some(engine) => Crowd::of(engine),
        None => painter.upload_crowd(&Columns::of(&sim.agents().unwrap())),
    };
    let frame = Frame {
        look: &Look::default(),
        camera: Camera { centre: Vec2::new(8.0, 6.0), scale: 10.0 },
        origin: Vec2::ZERO,
        size: Vec2::new(160.0, 120.0),
        crowd,
        field: None,
        persons: None,
        limits: (0.0, 1.0),
        colouring_limits: (0.0, 1.0),
        time: sim.time(),
        back: 0.0,
        chosen: Some(chosen),
        pointer: None,
        click: None,
        groups: sim.scene().groups.len(),
    };
    let mut encoder = gpu.device().create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    painter.prepare(&mut encoder, &frame);
    gpu.queue().submit([encoder.finish()]);
    painter.sent();
    painter.readout(true).expect("somebody was asked about")
}

#[test]
fn the_models_own_columns_of_the_chosen_one_are_told_on_either_engine() {
    let scene = Scene::parse("rooms.toml", SCENE, &NoFiles).unwrap_or_else(|e| panic!("{e}"));
    let gpu = gpu();
    let engine = Box::new(GpuEngine::new(&scene, &gpu).unwrap());
    for mut sim in [Simulation::with_threads(&scene, 1).unwrap(), Simulation::on(&scene, engine)] {
        let name = sim.engine().name();
        let mut painter = Painter::new(&gpu, wgpu::TextureFormat::Rgba8Unorm, &scene);
        sim.steps_by(4).unwrap();
        let plain = look_up(&gpu, &mut painter, &mut sim, 7);
        assert!(plain.chosen.is_some() && plain.own.is_empty(), "{name}: this model has none");
        let mut model = sim.scene().model;
        model.steer = throng::scene::Steer::KeepDistance;
        assert!(sim.set_model(&model));
        sim.steps_by(4).unwrap();
        let agents = sim.agents().unwrap();
        let mut different = Vec::new();
        for id in [0, 7, 23, 39] {
            let found = look_up(&gpu, &mut painter, &mut sim, id);
            let place = agents.id.iter().position(|i| *i == id).unwrap();
            assert_eq!(found.chosen.map(|(a, _)| a.position), Some(agents.position[place]), "{name}");
            let [own] = &found.own[..] else { panic!("{name}: one column, not {}", found.own.len()) };
            assert_eq!((own.column.info.name, own.column.info.unit), ("room_ahead", "m"));
            assert_eq!(own.values, [agents.own[0].values[place]], "{name}, agent {id}");
            different.push(own.values[0].to_bits());
        }
        different.dedup();
        assert!(different.len() > 1, "{name}: each has its own");
        // Who is not on the floor has nothing to tell.
        assert!(look_up(&gpu, &mut painter, &mut sim, 44).own.is_empty(), "{name}");
    }
}

#[test]
fn the_state_of_the_chosen_one_and_why_it_began_are_told_on_either_engine() {
    let text = "size = [16, 12]\n[[goal]]\nname = \"gold\"\nrect = [12, 4, 16, 8]\n[[agents]]\ncount = 4\nstart = { rect = [8, 4, 11, 8] }\nstate = \"seek\"\n\
                [[state]]\nname = \"seek\"\ngoal = \"gold\"\n[[state.then]]\nto = \"mine\"\n[[state]]\nname = \"mine\"\nseconds = 100\nat = \"gold\"\n[[state.then]]\nto = \"seek\"\n";
    let scene = Scene::parse("gold.toml", text, &NoFiles).unwrap_or_else(|e| panic!("{e}"));
    let gpu = gpu();
    let engine = Box::new(GpuEngine::new(&scene, &gpu).unwrap());
    for mut sim in [Simulation::with_threads(&scene, 1).unwrap(), Simulation::on(&scene, engine)] {
        let name = sim.engine().name();
        let mut painter = Painter::new(&gpu, wgpu::TextureFormat::Rgba8Unorm, &scene);
        while sim.states().unwrap()[2].state == 0 && sim.time() < 20.0 {
            sim.step().unwrap();
        }
        sim.steps_by(5).unwrap();
        let found = look_up(&gpu, &mut painter, &mut sim, 2);
        let clip = throng::stages::live::states::among(&found.own).expect("it lives by states")[0];
        assert_eq!((clip.x, throng::Why::of_column(clip.y)), (5.0, throng::Why::Took(0)), "{name}");
        assert_eq!(found.chosen.map(|(agent, _)| agent.leg), Some(1), "{name}");
        assert_eq!(scene.cause(0), "gold reached");
    }
}

#[test]
fn the_device_counts_how_many_of_each_group_are_where() {
    let scene = Scene::parse("rooms.toml", SCENE, &NoFiles).unwrap_or_else(|e| panic!("{e}"));
    let gpu = gpu();
    let mut sim = Simulation::on(&scene, Box::new(GpuEngine::new(&scene, &gpu).unwrap()));
    let mut painter = Painter::new(&gpu, wgpu::TextureFormat::Rgba8Unorm, &scene);
    let mut seen = [false; 3];
    for _ in 0..6 {
        sim.steps_by(60).unwrap();
        let agents = sim.agents().unwrap();
        let found = look_up(&gpu, &mut painter, &mut sim, 0);
        assert_eq!(found.groups.len(), 2);
        for (g, now) in found.groups.iter().enumerate() {
            let mut wanted = [0u64; 3];
            for (state, _) in agents.state.iter().zip(&agents.group).filter(|(_, group)| usize::from(**group) == g) {
                let place = match state {
                    State::Outside => 1,
                    State::Parked => 2,
                    _ => 0,
                };
                wanted[place] += 1;
            }
            assert_eq!([now.floor, now.outside, now.gone], wanted, "group {g} after {} steps", sim.steps());
            (0..3).for_each(|k| seen[k] |= wanted[k] > 0);
        }
    }
    assert!(seen[0] && seen[2], "somebody walked and somebody left: {seen:?}");
}
