//! Reference pictures.

use super::*;

#[test]
fn near_agents_are_sprites_that_face_where_they_go() {
    let mut set = Set::new(&scene(YARD)).after(25);
    let mut album = Album::default();
    let near = |x, y, scale| Camera { centre: Vec2::new(x, y), scale };
    album.check("sprites-large", &set.at(Look::default(), near(8.0, 3.4, 44.0)));
    album.check("sprites-arrows", &set.at(Look::default(), near(3.4, 6.6, 44.0)));
    album.check("sprites-small", &set.at(Look::default(), YARD_VIEW));
    album.check("sprites-tiny", &set.at(Look::default(), near(8.0, 6.0, 8.0)));
    album.check("sprites-twice-as-wide", &set.at(Look { body: 2.0, ..Look::default() }, YARD_VIEW));
    album.check("sprites-faint", &set.at(Look { agents: 0.4, ..Look::default() }, YARD_VIEW));
    album.finish();
}

/// Gives a background and a sprite.
struct Drawings;

impl Files for Drawings {
    fn read(&self, name: &str) -> Result<Vec<u8>, String> {
        let picture = match name {
            // A chart of fields with a letter's shape that is not the same from any other side.
            "plan.png" => RgbaImage::from_fn(64, 48, |x, y| {
                let chess = if (x / 8 + y / 8) % 2 == 0 { 70 } else { 96 };
                let letter = (8..14).contains(&x) || ((8..40).contains(&x) && (4..10).contains(&y));
                if letter { Rgba([40, 110, 60, 255]) } else { Rgba([chess, chess / 2, 60, 255]) }
            }),
            // A beetle that faces east: red in front, blue on its left.
            _ => RgbaImage::from_fn(32, 32, |x, y| {
                let (u, v) = (x as f32 - 15.5, y as f32 - 15.5);
                let inside = (u / 15.0).powi(2) + (v / 10.0).powi(2) < 1.0;
                let colour = match (u > 5.0, v < 0.0) {
                    (true, _) => [220, 40, 40],
                    (_, true) => [60, 90, 230],
                    _ => [240, 240, 240],
                };
                Rgba([colour[0], colour[1], colour[2], if inside { 255 } else { 0 }])
            }),
        };
        let mut bytes = std::io::Cursor::new(Vec::new());
        picture.write_to(&mut bytes, image::ImageFormat::Png).map_err(|e| e.to_string())?;
        Ok(bytes.into_inner())
    }
}

#[test]
fn backgrounds_and_sprites_of_the_scene_are_shown_the_right_way_round() {
    let text = r#"
name = "pictures"
size = [16, 12]
model = { steer = "follow" }
map = { background = "plan.png", walls = [{ rect = [7, 5, 9, 7] }] }
goal = [{ name = "north", rect = [7, 11.5, 9, 12] }, { name = "west", rect = [0, 5, 0.5, 7] }]
agents = [
  { count = 5, start = { rect = [11, 1, 15, 5] }, sprite = "beetle.png", radius = 0.5, journey = ["north"] },
  { count = 5, start = { rect = [8, 8, 15, 11] }, sprite = "beetle.png", radius = 0.5, journey = ["west"] },
]
"#;
    let scene = Scene::parse("pictures.toml", text, &Drawings).unwrap_or_else(|e| panic!("{e}"));
    let mut set = Set::new(&scene).after(20);
    let mut album = Album::default();
    album.check("background", &set.at(Look::default(), YARD_VIEW));
    album.check("background-faint", &set.at(Look { background: 0.3, ..Look::default() }, YARD_VIEW));
    album.check("background-far", &set.at(Look::default(), Camera { scale: 3.0, ..YARD_VIEW }));
    let camera = Camera { centre: Vec2::new(12.0, 4.0), scale: 40.0 };
    album.check("sprites-of-the-scene", &set.at(Look { background: 0.0, ..Look::default() }, camera));
    album.finish();
}

#[test]
fn far_agents_are_their_sum_in_every_pixel() {
    let mut album = Album::default();
    let mut set = Set::new(&built_in("hills"));
    album.check("far-hills", &set.shoot(&plain(Look::default(), Aim::Fit)));
    let mut set = Set::new(&built_in("office"));
    album.check("far-office", &set.shoot(&plain(Look::default(), Aim::Fit)));
    album.finish();
}

#[test]
fn each_colouring_has_its_colours_and_its_legend() {
    let mut set = Set::new(&scene(YARD)).watched(50);
    let mut album = Album::default();
    for by in Colouring::ALL {
        let look = Look { colouring_limits: (by == Colouring::Waiting).then_some((0.0, 2.0)), ..colouring(by) };
        let name = format!("colour-{}", by.name());
        album.check(&name, &set.shoot(&captioned(look)));
    }
    album.finish();
}

/// Cells of 2 m that hold only two people.
const CELLS: &str =
    "[model]\nsteer = \"social-force\"\n[model.social-force]\nrange = 2\nplaces = 2\ncrowded = 1\ndense = 2\n";

/// The yard with something else in it.
fn with_more(more: &str) -> String {
    let yard =
        if more.contains("[model]") { YARD.replace("model = { steer = \"follow\" }\n", "") } else { YARD.to_owned() };
    format!("{yard}\n{more}")
}

#[test]
fn each_field_is_shown_cell_by_cell_and_smoothly() {
    let mut set = Set::new(&scene(YARD)).after(50);
    let mut album = Album::default();
    for overlay in Overlay::ALL {
        // Where the yard has nothing to show it is given something.
        let more = match overlay {
            Overlay::Hazard => {
                "[[hazard]]\nkind = \"gas\"\nat = [8, 5]\nradius = 2\n[[hazard]]\nkind = \"ghost\"\nat = [3, 8]\nradius = 1\n"
            }
            Overlay::Height => {
                "[terrain]\nhills = [{ at = [5, 3], radius = 4, height = 0.6 }, { at = [13, 8], radius = 3, height = 0.4 }]\n"
            }
            Overlay::Occupancy | Overlay::Refusals => CELLS,
            _ => "",
        };
        let mut own = (!more.is_empty()).then(|| Set::new(&scene(&with_more(more))).after(50));
        let set = own.as_mut().unwrap_or(&mut set);
        let cells = field(overlay);
        let name = overlay.name();
        album.check(&format!("field-{name}"), &set.shoot(&captioned(cells.clone())));
        let smooth = Look { smooth: true, agents: 0.0, ..cells };
        album.check(&format!("field-{name}-smooth"), &set.at(smooth, YARD_VIEW));
    }
    let west = Look { direction: Direction::West, arrows: false, limits: Some((0.5, 1.0)), ..field(Overlay::Speed) };
    album.check("field-speed-to-the-west", &set.shoot(&captioned(west)));
    let pond = Look { goal: 1, arrows: false, ..field(Overlay::Gradient) };
    album.check("field-gradient-to-the-pond", &set.shoot(&captioned(pond)));
    album.finish();
}

#[test]
fn a_field_is_shown_at_any_zoom() {
    let mut set = Set::new(&built_in("office")).after(2);
    let mut album = Album::default();
    album.check("field-far", &set.shoot(&plain(field(Overlay::Potential), Aim::Fit)));
    let near = Camera { centre: Vec2::new(32.0, 15.0), scale: 40.0 };
    album.check("field-near", &set.at(field(Overlay::Gradient), near));
    album.finish();
}

#[test]
fn walls_goals_and_zones_can_be_faint_or_gone() {
    let mut set = Set::new(&scene(YARD));
    let mut album = Album::default();
    let empty = Look { agents: 0.0, ..Look::default() };
    album.check("floor", &set.at(empty.clone(), YARD_VIEW));
    album.check("floor-walls-faint", &set.at(Look { walls: 0.3, ..empty.clone() }, YARD_VIEW));
    album.check("floor-goals-gone", &set.at(Look { goals: 0.0, ..empty.clone() }, YARD_VIEW));
    album.check("floor-near", &set.at(empty, Camera { centre: Vec2::new(7.0, 8.0), scale: 60.0 }));
    album.finish();
}

#[test]
fn changes_of_the_world_are_drawn() {
    let mut set = Set::new(&scene(YARD));
    let look = Look { agents: 0.0, ..Look::default() };
    let before = set.at(look.clone(), YARD_VIEW);
    let grid = set.sim.scene().grid;
    let row = |y: usize, from: usize, to: usize| (from..to).map(move |x| (y * grid.width + x) as u32);

    set.sim.add_wall(Shape::Circle(Vec2::new(6.0, 2.0), 0.8)).expect("a sound shape");
    let walled = set.at(look.clone(), YARD_VIEW);
    assert_unlike("a wall more", &before, &walled);
    set.sim.paint_walls(&row(8, 20, 28).chain(row(9, 20, 22)).map(|c| (c, true)).collect::<Vec<_>>());
    let painted = set.at(look.clone(), YARD_VIEW);
    assert_unlike("painted walls", &walled, &painted);
    set.sim.paint_ground(&row(3, 4, 10).map(|c| (c, 0.98)).collect::<Vec<_>>());
    let uncomfortable = set.at(look.clone(), YARD_VIEW);
    assert_unlike("painted discomfort", &painted, &uncomfortable);
    let there = Rect::new(Vec2::new(5.0, 11.0), Vec2::new(9.0, 12.0));
    set.sim.move_goal("gate", vec![Shape::Rect(there)]).expect("a sound shape");
    let moved = set.at(look.clone(), YARD_VIEW);
    assert_unlike("a goal elsewhere", &uncomfortable, &moved);
    set.sim.stand_wall(0, false);
    set.sim.steps_by(3).expect("the engine works");
    let mut album = Album::default();
    album.check("changed-world", &set.shoot(&captioned(Look::default())));
    album.finish();
}

#[test]
fn the_cells_that_agents_touch_are_shown() {
    let mut set = Set::new(&scene(YARD)).after(25);
    let mut album = Album::default();
    let camera = Camera { centre: Vec2::new(5.0, 3.0), scale: 40.0 };
    album.check("splats", &set.at(Look { splats: 1.0, ..field(Overlay::Density) }, camera));
    album.finish();
}

#[test]
fn the_cells_that_agents_touch_are_those_that_get_density() {
    // Bodies wider and narrower than a cell, on a floor without walls, which would keep density off.
    let text = r#"
cell = 0.5
size = [16, 12]
model = { steer = "follow" }
goal = [{ name = "gate", rect = [15, 1, 16, 4] }]
agents = [
  { count = 20, start = { rect = [1, 1, 8, 11] }, radius = 0.2, journey = ["gate"] },
  { count = 10, start = { rect = [9, 1, 15, 11] }, radius = { uniform = [0.3, 0.5] }, journey = ["gate"] },
]
"#;
    let mut set = Set::new(&scene(text));
    let bare = Look { agents: 0.0, goals: 0.0, walls: 0.0, ..Look::default() };
    let marked = set.at(Look { splats: 1.0, ..bare }, YARD_VIEW);
    // The density of the first step is that of where people start.
    set.sim.steps_by(1).expect("the engine works");
    let Values::Scalar(persons) = set.sim.field(Field::Persons).expect("the engine works") else {
        panic!("persons are a number a cell")
    };
    let floor = colour::FLOOR.map(|c| c * 255.0);
    let (mut touched, mut missing, mut too_many) = (0, Vec::new(), Vec::new());
    for (i, &persons) in persons.iter().enumerate() {
        let (x, y) = (i as u32 % 32, i as u32 / 32);
        // Cells of 10 pixels, from the south.
        let p = marked.get_pixel(10 * x + 5, 240 - 10 * y - 5);
        let is_marked = (0..3).any(|k| (f32::from(p[k]) - floor[k]).abs() > 4.0);
        touched += usize::from(is_marked);
        match (is_marked, persons > 0.0) {
            (false, true) => missing.push((x, y)),
            (true, false) => too_many.push((x, y)),
            _ => {}
        }
    }
    assert!(touched > 100 && missing.is_empty(), "{touched} cells are marked; not marked: {missing:?}");
    // A share of less than half a quantum is rounded away: of 30 people that may happen to one or two.
    assert!(too_many.len() <= 2, "marked without density: {too_many:?}");
}

#[test]
fn the_solvers_tiles_are_shown() {
    let text = r#"
name = "tiles"
cell = 0.5
size = [64, 48]
model = { steer = "follow" }
map = { walls = [{ rect = [20, 0, 21, 40] }, { rect = [40, 8, 41, 48] }, { rect = [50, 10, 60, 20] }] }
goal = [{ name = "exit", rect = [1, 1, 4, 4] }]
agents = [{ count = 200, start = { rect = [44, 24, 63, 46] }, journey = ["exit"] }]
"#;
    let scene = scene(text);
    let mut set = Set::on_gpu(&scene);
    let mut album = Album::default();
    let look = Look { tiles: 0.6, ..Look::default() };
    set = set.after(1);
    album.check("tiles", &set.shoot(&captioned(look.clone())));
    // Nobody counts as having been visited in the last round of a step that is over, so a few rounds are done by hand.
    let mut seen = Vec::new();
    for _ in 0..6 {
        let report = set.sim.step_round().expect("the engine works").expect("this engine has rounds");
        assert!(!report.finished, "the front has not passed yet");
        seen.push(set.shoot(&captioned(look.clone())));
    }
    assert_unlike("rounds", &seen[0], &seen[5]);
    album.check("tiles-under-way", &seen[5]);
    album.finish();
}

#[test]
fn somebody_is_followed_and_their_path_is_drawn() {
    let mut set = Set::new(&scene(YARD)).watched(100);
    let mut album = Album::default();
    let follow = Shooting { aim: Aim::Follow(3, 40.0), ..captioned(Look::default()) };
    album.check("follow", &set.shoot(&follow));
    let path = Shooting { chosen: Some(30), ..plain(Look::default(), Aim::At(YARD_VIEW)) };
    album.check("path", &set.shoot(&path));
    album.finish();
}

#[test]
fn letters_grow_with_the_picture() {
    let mut set = Set::new(&scene(YARD)).after(50);
    let mut album = Album::default();
    let double = Shooting { size: [1000, 480], text: 2.0, ..captioned(field(Overlay::Density)) };
    album.check("letters-double", &set.shoot(&double));
    let wide = Shooting { size: [480, 120], ..captioned(Look::default()) };
    album.check("letters-little-room", &set.shoot(&wide));
    album.finish();
}

/// Draws a field that no engine gives, through the renderer itself.
fn by_hand(scene: &Scene, look: &Look, values: &Values) -> RgbaImage {
    let gpu = open_gpu();
    let format = wgpu::TextureFormat::Rgba8Unorm;
    let mut painter = Painter::new(&gpu, format, scene);
    let sim = Simulation::with_threads(scene, 1).unwrap_or_else(|e| panic!("{e}"));
    painter.set_ground(&Ground::of(scene, sim.world()));
    painter.upload_field(values);
    let crowd = painter.upload_crowd(&Columns::default());
    let frame = Frame {
        look,
        camera: Camera { centre: scene.grid.extent() * 0.5, scale: 20.0 },
        origin: Vec2::ZERO,
        size: Vec2::new(SIZE[0] as f32, SIZE[1] as f32),
        crowd,
        field: Some(FieldSource::UPLOADED),
        persons: None,
        limits: (0.0, 1.0),
        colouring_limits: (0.0, 1.0),
        time: 0.0,
        back: 0.0,
        chosen: None,
        pointer: Some(Vec2::new(2.1, 1.1)),
        click: None,
        groups: 0,
    };
    let texture = gpu.device().create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d { width: SIZE[0], height: SIZE[1], depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    });
    let row = 4 * SIZE[0];
    assert_eq!(row % wgpu::COPY_BYTES_PER_ROW_ALIGNMENT, 0);
    let copy = gpu.device().create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: u64::from(row * SIZE[1]),
        usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let mut encoder = gpu.device().create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    painter.prepare(&mut encoder, &frame);
    {
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &view,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::BLACK), store: wgpu::StoreOp::Store },
            })],
            ..wgpu::RenderPassDescriptor::default()
        });
        painter.paint(&mut pass);
    }
    let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(row), rows_per_image: None };
    let to = wgpu::TexelCopyBufferInfo { buffer: &copy, layout };
    encoder.copy_texture_to_buffer(texture.as_image_copy(), to, texture.size());
    gpu.queue().submit([encoder.finish()]);
    painter.sent();
    copy.slice(..).map_async(wgpu::MapMode::Read, |_| {});
    let readout = painter.readout(true).expect("the field's extent was asked for");
    gpu.device().poll(wgpu::PollType::wait_indefinitely()).expect("the device answers");
    // What is not finite or not reached is no end of the scale.
    let (least, greatest) = readout.extent.expect("there are finite values");
    assert!((0.0..=1.0).contains(&least) && (0.0..=1.0).contains(&greatest), "{least} to {greatest}");
    assert!(readout.probe.is_some_and(|p| p[0].is_nan()), "under the pointer is a cell that is not a number");
    assert_eq!(gpu.trouble(), None);
    let bytes = copy.slice(..).get_mapped_range().expect("the picture can be read").to_vec();
    RgbaImage::from_raw(SIZE[0], SIZE[1], bytes).expect("a picture of that size")
}

#[test]
fn values_that_are_not_finite_stand_out() {
    let scene = scene("size = [16, 12]\nmap = { walls = [{ rect = [12, 2, 13, 10] }] }");
    let (w, h) = (scene.grid.width, scene.grid.height);
    let value = |i: usize| {
        let (x, y) = (i % w, i / w);
        match (x, y) {
            (2..=7, 1..=5) => f32::NAN,
            (10..=15, 1..=5) => f32::INFINITY,
            (2..=7, 8..=12) => f32::NEG_INFINITY,
            (10..=15, 8..=12) => throng::stages::potential::UNREACHED,
            _ => i as f32 / (w * h) as f32,
        }
    };
    let mut album = Album::default();
    let scalars = Values::Scalar((0..w * h).map(value).collect());
    album.check("not-finite", &by_hand(&scene, &field(Overlay::Potential), &scalars));
    let smooth = Look { smooth: true, ..field(Overlay::Potential) };
    album.check("not-finite-smooth", &by_hand(&scene, &smooth, &scalars));
    let turning = |i: usize| Vec2::from_angle(i as f32 * 0.01);
    let vectors = (0..w * h).map(|i| if value(i).is_nan() { [f32::NAN, 0.0] } else { turning(i).to_array() });
    album.check("not-finite-vectors", &by_hand(&scene, &field(Overlay::Gradient), &Values::Vector(vectors.collect())));
    album.finish();
}
