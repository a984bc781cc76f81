//! What is drawn, against pictures that a person has looked at (`tests/references`), and against what holds for every
//! picture of a crowd. On software Vulkan, or on the device whose name contains `THRONG_TEST_DEVICE`.
//!
//! Where a picture is meant to change: `THRONG_UPDATE_PICTURES=1 cargo test -p throng-view --test pictures`, then look
//! at every one that git says has changed.

mod every;
mod paths;
mod perceptual;
mod references;
mod space;

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
model = { steer = "follow" }

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
    Shooting { size: SIZE, look, aim, caption: false, chosen: None, text: 1.0, back: 0.0 }
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
