//! What is drawn, against pictures that a person has looked at (`tests/references`), and against what holds for every
//! picture of a crowd. On software Vulkan, or on the device whose name contains `THRONG_TEST_DEVICE`.
//!
//! Where a picture is meant to change: `THRONG_UPDATE_PICTURES=1 cargo test -p throng-view --test pictures`, then look
//! at every one that git says has changed.

mod perceptual;

use glam::Vec2;
use image::{Rgba, RgbaImage};
use perceptual::difference;
use std::path::{Path, PathBuf};
use throng::engine::gpu::{Gpu, GpuEngine};
use throng::engine::{Direction, Field, Values};
use throng::geometry::{Rect, Shape};
use throng::scene::{Files, NoFiles};
use throng::{Scene, Simulation};
use throng_view::camera::Camera;
use throng_view::colour;
use throng_view::draw::{FieldSource, Frame, Ground, Painter};
use throng_view::look::{Colouring, Look, Overlay};
use throng_view::shot::Columns;
use throng_view::studio::{Aim, Shooting, Studio};

/// A yard of 16 × 12 m with everything that a scene can have on its floor: at 20 px/m it fills [`SIZE`].
const YARD: &str = r#"
name = "yard"
cell = 0.5
size = [16, 12]

[map]
walls = [
  { rect = [1.5, 9.5, 4.5, 10] },
  { polygon = [[6, 7.5], [9, 7.5], [9, 10.5], [7.5, 8.5], [6, 10.5]] },
  { circle = [11.2, 8.8, 1.1] },
  { line = [[1, 6.6], [4.6, 6.6], [5.2, 5]] },
  # A room without a door.
  { rect = [13.5, 9, 16, 9.5] },
  { rect = [13.5, 9.5, 14, 12] },
]
discomfort = [{ rect = [7, 0.5, 11, 3], value = 0.8 }, { circle = [13, 6.5, 1.5], value = 0.4 }]

[[goal]]
name = "gate"
rect = [15, 1, 16, 4]

[[goal]]
name = "pond"
circle = [1.6, 2.2, 1]

[[zone]]
name = "stairs"
rect = [9.5, 3.5, 12, 6]
speed = 0.5

[[agents]]
name = "visitors"
count = 26
start = { rect = [3, 0.5, 7, 6] }
radius = { uniform = [0.22, 0.3] }
journey = ["gate"]

[[agents]]
name = "ducks"
count = 14
start = { rect = [9, 0.5, 14, 6] }
radius = 0.2
sprite = "disc"
journey = ["pond"]

[[agents]]
name = "guards"
count = 8
start = { rect = [0.5, 7, 6, 9] }
radius = 0.3
delay = { uniform = [0, 3] }
sprite = "arrow"
journey = [{ goal = "pond", wait = 5 }, "gate"]
"#;

const SIZE: [u32; 2] = [320, 240];
/// Where there are letters: with room for them on both sides.
const WIDE: [u32; 2] = [680, 240];
/// All of the yard, pixel by pixel.
const YARD_VIEW: Camera = Camera { centre: Vec2::new(8.0, 6.0), scale: 20.0 };

/// A device of one's own: who waits for an answer of a device must not share it with others that wait.
fn open_gpu() -> Gpu {
    let name = std::env::var("THRONG_TEST_DEVICE").unwrap_or_else(|_| "llvmpipe".into());
    Gpu::open(Some(&name)).expect("these tests need a Vulkan device; test.sh installs software Vulkan")
}

fn scene(text: &str) -> Scene {
    Scene::parse("test.toml", text, &NoFiles).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn built_in(name: &str) -> Scene {
    Scene::built_in(name).expect("a built-in scene")
}

/// A run, and who draws it.
struct Set {
    sim: Simulation,
    studio: Studio,
}

impl Set {
    fn new(scene: &Scene) -> Self {
        let sim = Simulation::with_threads(scene, 2).unwrap_or_else(|e| panic!("{e}"));
        Self { sim, studio: Studio::new(&open_gpu(), scene) }
    }

    fn on_gpu(scene: &Scene) -> Self {
        let gpu = open_gpu();
        let engine = GpuEngine::new(scene, &gpu).unwrap_or_else(|e| panic!("{e}"));
        Self { sim: Simulation::on(scene, Box::new(engine)), studio: Studio::new(&gpu, scene) }
    }

    fn after(mut self, steps: u64) -> Self {
        self.sim.steps_by(steps).expect("the engine works");
        self
    }

    /// Goes on, and draws often enough to see who stands and where everybody goes.
    fn watched(mut self, steps: u64) -> Self {
        for _ in 0..steps / 5 {
            self.shoot(&plain(Look::default(), Aim::Fit));
            self.sim.steps_by(5).expect("the engine works");
        }
        self
    }

    fn shoot(&mut self, shooting: &Shooting) -> RgbaImage {
        self.studio.picture(&mut self.sim, shooting).expect("the device draws")
    }

    fn at(&mut self, look: Look, camera: Camera) -> RgbaImage {
        self.shoot(&plain(look, Aim::At(camera)))
    }
}

/// Without letters.
fn plain(look: Look, aim: Aim) -> Shooting {
    Shooting { size: SIZE, look, aim, caption: false, chosen: None, text: 1.0 }
}

fn captioned(look: Look) -> Shooting {
    Shooting { size: WIDE, caption: true, ..plain(look, Aim::Fit) }
}

fn field(overlay: Overlay) -> Look {
    Look { overlay: Some(overlay), ..Look::default() }
}

fn colouring(colouring: Colouring) -> Look {
    Look { colouring, ..Look::default() }
}

/// Compares pictures with their references, and complains about all of them at once.
#[derive(Default)]
struct Album {
    complaints: Vec<String>,
}

impl Album {
    fn check(&mut self, name: &str, picture: &RgbaImage) {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/references").join(format!("{name}.png"));
        if std::env::var_os("THRONG_UPDATE_PICTURES").is_some_and(|v| v == "1") {
            write(&file, picture);
            return;
        }
        let how = "make it with THRONG_UPDATE_PICTURES=1, and look at it";
        let Ok(reference) = image::open(&file) else {
            self.complaints.push(format!("there is no reference {}: {how}", file.display()));
            return;
        };
        let reference = reference.into_rgba8();
        if reference.dimensions() != picture.dimensions() {
            let sizes = (reference.dimensions(), picture.dimensions());
            self.complaints.push(format!("{name} has another size than its reference: {sizes:?}"));
            return;
        }
        let d = difference(&reference, picture);
        if !d.is_slight() {
            let files = kept(name, &[("wanted", &reference), ("drawn", picture), ("difference", &d.picture)]);
            self.complaints.push(format!(
                "{name} differs: {:.2} % of the pixels noticeably, most near {:?} (by {:.3} on average there): {files}",
                100.0 * d.noticeable,
                d.at,
                d.worst
            ));
        }
    }

    fn finish(self) {
        assert!(self.complaints.is_empty(), "{}", self.complaints.join("\n"));
    }
}

/// Small, and without the alpha that is 255 everywhere.
fn write(file: &Path, picture: &RgbaImage) {
    use image::codecs::png::{CompressionType, FilterType, PngEncoder};
    let out = std::io::BufWriter::new(std::fs::File::create(file).expect("the folder can be written to"));
    let encoder = PngEncoder::new_with_quality(out, CompressionType::Best, FilterType::Adaptive);
    image::DynamicImage::from(picture.clone()).into_rgb8().write_with_encoder(encoder).expect("a PNG is written");
}

/// Keeps pictures of a failure, and says where.
fn kept(name: &str, pictures: &[(&str, &RgbaImage)]) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("pictures");
    std::fs::create_dir_all(&folder).expect("the target folder can be written to");
    let mut files = Vec::new();
    for (what, picture) in pictures {
        let file = folder.join(format!("{name}-{what}.png"));
        write(&file, picture);
        files.push(file.display().to_string());
    }
    files.join(", ")
}

/// Fails, and keeps both pictures, if they do not look the same.
fn assert_alike(name: &str, a: &RgbaImage, b: &RgbaImage) {
    let d = difference(a, b);
    if !d.is_slight() {
        let files = kept(name, &[("one", a), ("other", b), ("difference", &d.picture)]);
        panic!("{name}: {:.3} near {:?}, {:.2} % of the pixels: {files}", d.worst, d.at, 100.0 * d.noticeable);
    }
}

fn assert_unlike(name: &str, a: &RgbaImage, b: &RgbaImage) {
    let d = difference(a, b);
    assert!(!d.is_slight(), "{name} changes nothing: {}", kept(name, &[("one", a), ("other", b)]));
}

// Reference pictures.

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

#[test]
fn each_field_is_shown_cell_by_cell_and_smoothly() {
    let mut set = Set::new(&scene(YARD)).after(50);
    let mut album = Album::default();
    for overlay in Overlay::ALL {
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

// What holds for every picture.

/// A crowd in an open field, everybody of the same size and colour, nobody moving.
fn field_of(people: u32, radius: f32) -> Scene {
    scene(&format!(
        r#"
cell = 1.0
size = [200, 200]
goal = [{{ name = "edge", rect = [0, 0, 200, 1] }}]

[[agents]]
count = {people}
start = {{ rect = [20, 20, 180, 180] }}
radius = {radius}
sprite = "disc"
journey = ["edge"]
"#
    ))
}

/// Looks at all of [`field_of`] and nothing else is on it.
fn bare() -> Look {
    Look { goals: 0.0, ..Look::default() }
}

/// The area that agents seem to cover, m²: the sum of what each pixel differs from the floor, over what an agent does.
fn covered(picture: &RgbaImage, scale: f32) -> f32 {
    let byte = |c: f32| c * 255.0;
    let (floor, agent) = (colour::FLOOR.map(byte), colour::kind(0).map(byte));
    let whole: f32 = (0..3).map(|i| (agent[i] - floor[i]).powi(2)).sum();
    let share = |p: &Rgba<u8>| -> f32 {
        (0..3).map(|i| (f32::from(p[i]) - floor[i]) * (agent[i] - floor[i])).sum::<f32>() / whole
    };
    picture.pixels().map(share).sum::<f32>() / (scale * scale)
}

/// Draws the middle of a field of people, without what is around the world.
fn drawn_area(set: &mut Set, scale: f32, size: u32) -> f32 {
    let camera = Camera { centre: Vec2::splat(100.0), scale };
    let shooting = Shooting { size: [size; 2], ..plain(bare(), Aim::At(camera)) };
    covered(&set.shoot(&shooting), scale)
}

#[test]
fn far_crowds_cover_as_much_of_the_picture_as_their_bodies_do() {
    let radius = 0.3;
    for people in [500, 5000, 20_000] {
        let mut set = Set::new(&field_of(people, radius));
        let truth = people as f32 * std::f32::consts::PI * radius * radius;
        // 200 m in 400, 200, 100 and 50 pixels: bodies of 0.6 to 0.075 pixels. Few people are less than a step of a
        // pixel's 8 bits at the last of them.
        let zooms = [(2.0, 400), (1.0, 200), (0.5, 100), (0.25, 50)];
        for (scale, size) in &zooms[..if people > 500 { 4 } else { 3 }] {
            let seen = drawn_area(&mut set, *scale, *size);
            // Rounding to 8 bits, where most pixels hold a fraction of a body: measured within half a percent.
            assert!((seen / truth - 1.0).abs() < 0.02, "{people} at {scale} px/m: {seen} m² of {truth} m²");
        }
    }
}

#[test]
fn twice_as_many_cover_twice_as_much() {
    let areas = [1000, 2000, 4000].map(|people| drawn_area(&mut Set::new(&field_of(people, 0.3)), 1.0, 200));
    for pair in areas.windows(2) {
        // See above for the tolerance.
        assert!((pair[1] / pair[0] - 2.0).abs() < 0.04, "{areas:?} m²");
    }
}

#[test]
fn nothing_jumps_where_sprites_become_sums() {
    let radius = 0.3;
    let people = 2000;
    let mut set = Set::new(&field_of(people, radius));
    let truth = people as f32 * std::f32::consts::PI * radius * radius;
    // Drawn radii around where sums end; from 3 pixels on bodies have a dark rim.
    let radii = [0.3, 0.45, 0.6, 0.75, 0.89, 0.91, 1.1, 1.5, 2.0];
    let seen = radii.map(|r| {
        let scale = r / radius;
        drawn_area(&mut set, scale, (190.0 * scale) as u32) / truth
    });
    let within = |share: &f32| (share - 1.0).abs() < 0.05;
    // Wide enough for a smooth edge that is not quite the disc's, too little for anybody to see it change.
    assert!(seen.iter().all(within), "drawn area over true area {seen:.2?} at radii of {radii:?} px");
}

#[test]
fn a_heap_is_as_opaque_as_it_is_and_no_more() {
    // Everybody drawn ten times as wide: each pixel is covered many times over.
    let mut set = Set::new(&field_of(20_000, 0.3));
    let camera = Camera { centre: Vec2::splat(100.0), scale: 0.25 };
    let look = Look { body: 10.0, ..bare() };
    let picture = set.shoot(&Shooting { size: [30; 2], ..plain(look, Aim::At(camera)) });
    let wanted = colour::kind(0).map(|c| c * 255.0);
    for (x, y, p) in picture.enumerate_pixels() {
        // Rounding of 8 bits, twice.
        let off = (0..3).map(|i| (f32::from(p[i]) - wanted[i]).abs()).fold(0.0, f32::max);
        assert!(off <= 3.0, "{p:?} at {x}, {y}: {}", kept("heap", &[("drawn", &picture)]));
    }
}

#[test]
fn both_engines_draw_the_same_picture_of_the_same_crowd() {
    for (name, scene) in [("yard", scene(YARD)), ("corridor", built_in("corridor"))] {
        let (mut cpu, mut gpu) = (Set::new(&scene), Set::on_gpu(&scene));
        for look in
            [Look::default(), field(Overlay::Discomfort), colouring(Colouring::Group), colouring(Colouring::State)]
        {
            for aim in [Aim::Fit, Aim::At(YARD_VIEW)] {
                let shooting = Shooting { aim, ..captioned(look.clone()) };
                assert_alike(&format!("engines-{name}"), &cpu.shoot(&shooting), &gpu.shoot(&shooting));
            }
        }
        // One step later bodies are a hair apart at most, and every field is there.
        for set in [&mut cpu, &mut gpu] {
            set.sim.steps_by(1).expect("the engine works");
        }
        for overlay in Overlay::ALL {
            for goal in 0..scene.goals.len() {
                let look = Look { goal, ..field(overlay) };
                let shooting = captioned(look);
                let name = format!("engines-{name}-{}", overlay.name());
                assert_alike(&name, &cpu.shoot(&shooting), &gpu.shoot(&shooting));
            }
        }
        let shooting = captioned(colouring(Colouring::Density));
        assert_alike(&format!("engines-{name}-density"), &cpu.shoot(&shooting), &gpu.shoot(&shooting));
    }
}

#[test]
fn an_engine_without_tiles_shows_none() {
    let mut set = Set::new(&scene(YARD)).after(1);
    let plain = set.at(Look::default(), YARD_VIEW);
    assert_alike("tiles-of-the-cpu", &plain, &set.at(Look { tiles: 0.6, ..Look::default() }, YARD_VIEW));
}

#[test]
fn a_part_of_a_picture_is_the_picture_of_that_part() {
    let mut set = Set::new(&built_in("corridor"));
    // All of it, and a window of 160 × 80 pixels in it, at places where many people are cut by its border.
    let whole = Camera { centre: Vec2::new(20.0, 2.0), scale: 20.0 };
    let all = set.shoot(&Shooting { size: [800, 80], ..plain(Look::default(), Aim::At(whole)) });
    for left in [40, 120, 460] {
        let centre = Vec2::new((left + 80) as f32 / 20.0, 2.0);
        let part =
            set.shoot(&Shooting { size: [160, 80], ..plain(Look::default(), Aim::At(Camera { centre, ..whole })) });
        let cut = image::imageops::crop_imm(&all, left, 0, 160, 80).to_image();
        assert_alike("part", &cut, &part);
    }
}

#[test]
fn the_same_picture_has_the_same_bytes() {
    let mut set = Set::new(&scene(YARD)).after(25);
    let looks = [Look::default(), field(Overlay::Velocity), colouring(Colouring::Speed)];
    for look in looks {
        let shooting = captioned(look);
        let first = set.shoot(&shooting);
        assert!(first == set.shoot(&shooting), "drawn again");
        let mut other = Set::new(&scene(YARD)).after(25);
        assert!(first == other.shoot(&shooting), "drawn by another studio");
    }
    let mut far = Set::new(&built_in("hills"));
    let shooting = plain(Look::default(), Aim::Fit);
    // Sums are of whole numbers: their order does not count.
    assert!(far.shoot(&shooting) == far.shoot(&shooting), "sums");
}

#[test]
fn sizes_are_as_asked_down_to_a_pixel() {
    let mut set = Set::new(&scene(YARD));
    for size in [[1, 1], [3, 200], [321, 7], [320, 240]] {
        let picture = set.shoot(&Shooting { size, ..captioned(field(Overlay::Gradient)) });
        assert_eq!(picture.dimensions(), (size[0], size[1]));
    }
}

#[test]
fn worlds_without_people_goals_or_walls_are_drawn() {
    let mut set = Set::new(&scene("size = [16, 12]"));
    let picture = set.at(Look::default(), YARD_VIEW);
    let floor = colour::FLOOR.map(|c| c * 255.0);
    for p in picture.pixels() {
        // Rounding.
        assert!((0..3).all(|i| (f32::from(p[i]) - floor[i]).abs() <= 1.0), "{p:?}");
    }
    let follow = Shooting { aim: Aim::Follow(0, 10.0), ..captioned(field(Overlay::Density)) };
    assert_eq!(set.shoot(&follow).dimensions(), (WIDE[0], WIDE[1]), "nobody to follow is no reason to fail");
}
