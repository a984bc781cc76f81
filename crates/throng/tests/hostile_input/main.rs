//! Input that nobody meant to write: no text and no snapshot may bring the library down, and what is sound survives
//! being written and read again.

mod random_scenes;
#[path = "../seed/mod.rs"]
mod seed;
mod slips;
mod snapshots;

use proptest::prelude::*;
use throng::geometry::{Rect, Shape};
use throng::scene::{BUILT_IN, Files, NoFiles, built_in, with_value};
use throng::{ResumeError, Scene, Simulation, Vec2};

/// Every key of the language, in a small world.
const RICH: &str = r#"name = "all keys"
cell = 0.5
dt = 0.05
seed = 3
size = [20, 10]

[map]
image = "map.png"
exits = "exits.png"
background = "plan.png"
walls = [
  { rect = [10, 0, 10.25, 4] },
  { polygon = [[3, 3], [4, 3], [3.5, 4]] },
  { circle = [15, 5, 1.0] },
  { line = [[0, 8], [6, 8], [6, 9]] },
  { rect = [10, 4, 10.25, 6], name = "gate", open = true },
]
discomfort = [{ rect = [0, 0, 5, 5], value = 0.5 }]

[terrain]
heights = "land.png"
low = -0.5
high = 1.5
hills = [{ at = [6, 6], radius = 3, height = 0.4 }]
law = "tobler"
steepest = 0.9

[[weights]]
circle = [18, 5, 2]
terrain = 1.5
density = 3
hazard = 0.5

[[goal]]
name = "door"
rect = [19, 4, 20, 6]

[[goal]]
name = "benches"
shapes = [{ circle = [7, 7, 0.5] }, { polygon = [[8, 1], [9, 1], [9, 2]] }]

[[agents]]
name = "guests"
count = 20
start = { rect = [1, 1, 8, 7] }
place = "lattice"
radius = { uniform = [0.15, 0.25] }
speed = { normal = [1.34, 0.26], min = 0.5, max = 2.0 }
turn = 5.0
delay = { uniform = [0, 3] }
journey = [{ goal = "benches", wait = 2 }, { to = { random = { rect = [1, 1, 8, 7] } } }, "door", { to = [[2, 2], [3, 6]] }]
goal_distance = 0.4
arrive = "next"
knows = { after = 1.5 }
sprite = "disc"

[[agents]]
source = { rate = 5.0, total = 20 }
start = { rect = [0, 4, 2, 6] }
journey = "door"
sprite = "face.png"
character = "hero.glb"

[[agents]]
density = 0.5
start = [{ rect = [11, 0, 13, 3] }, { circle = [12, 8, 1] }]
place = "random"
arrive = "respawn"
knows = "on sight"
entry = { rect = [11, 0, 13, 3] }
journey = ["exit 0", "door", { to = "opposite" }]

[[door]]
name = "way out"
line = [[12.2, 5], [12.2, 8]]
first = "backward"
reach = 2.5
patience = 4

[[hazard]]
name = "leak"
kind = "gas"
at = [14, 8]
drift = [0.25, -0.5]
radius = 0.5
growth = 0.25
radius_max = 2
strength = 1.5
fear = 0.75
from = 0.2
until = 0.8
fade = 1

[[hazard]]
name = "ghost"
kind = "ghost"
path = [[2, 2], [5, 2], [5, 6]]
speed = 0.8
loop = true
radius = 0.6

[[zone]]
name = "stairs"
rect = [12, 0, 14, 10]
speed = 0.5

[[event]]
at = 0.5
close = "gate"

[[event]]
at = 0.9
open = "gate"

[[event]]
at = 0.4
zone = "stairs"
speed = 1.5

[model]
plan = "continuum"
steer = "follow"
scheme = "upwind"
speed_law = "weidmann"
length_weight = 1.0
time_weight = 1.0
discomfort_weight = 1.0
clearance = 0.5
clearance_discomfort = 0.5
person_radius = 0.2
jam_density = 5.4
flow_weight = 0.8
min_speed = 0.05
density_min = 0.5
density_max = 0.8
separation_rounds = 4

[model.keep-distance]
gap = 0.7
time_gap = 0.2
"#;

/// The images of [`RICH`] and of the documentation's example.
struct Folder(u32, u32);

impl Files for Folder {
    fn read(&self, name: &str) -> Result<Vec<u8>, String> {
        let (width, height) = (self.0, self.1);
        if name == "hero.glb" {
            return Ok(b"glTF".to_vec());
        }
        let image = match name {
            "map.png" | "rooms.png" => image::RgbaImage::from_fn(width, height, |x, y| {
                image::Rgba([if x == width / 2 && y == 0 { 255 } else { (x % 3) as u8 }, 0, 0, 255])
            }),
            "exits.png" => image::RgbaImage::from_fn(width, height, |x, _| {
                image::Rgba([if x + 1 == width { 0 } else { 255 }, 9, 9, 255])
            }),
            "plan.png" => image::RgbaImage::from_pixel(7, 3, image::Rgba([200, 190, 180, 255])),
            "land.png" => {
                let land = image::GrayImage::from_fn(width, height, |x, y| image::Luma([(90 + 2 * x + y % 3) as u8]));
                let mut out = std::io::Cursor::new(Vec::new());
                land.write_to(&mut out, image::ImageFormat::Png).map_err(|e| e.to_string())?;
                return Ok(out.into_inner());
            }
            "face.png" => image::RgbaImage::from_pixel(4, 4, image::Rgba([90, 60, 30, 200])),
            _ => return Err("there is no such file".into()),
        };
        let mut out = std::io::Cursor::new(Vec::new());
        image.write_to(&mut out, image::ImageFormat::Png).map_err(|e| e.to_string())?;
        Ok(out.into_inner())
    }
}

const FOLDER: Folder = Folder(40, 20);

/// Runs a scene for a little, if it is small and what it lacks is only found out by trying.
fn try_out(scene: &Scene) -> Result<(), TestCaseError> {
    let work = scene.grid.len() * (scene.goals.len() + 1);
    if work > 100_000 || scene.agent_count() > 1000 {
        return Ok(());
    }
    let Ok(mut run) = Simulation::with_threads(scene, 1) else { return Ok(()) };
    run.steps_by(2).expect("the CPU does not fail");
    let c = run.counters();
    prop_assert_eq!(c.active + c.outside + c.parked, scene.agent_count());
    prop_assert_eq!((c.in_wall, c.not_finite), (0, 0));
    Ok(())
}

fn texts() -> Vec<(String, Box<dyn Files>)> {
    let mut all: Vec<(String, Box<dyn Files>)> = vec![(RICH.to_owned(), Box::new(FOLDER))];
    for name in ["corridor", "crossing", "bottleneck", "empty"] {
        let scene = built_in(name).expect("it is there");
        all.push((scene.text.to_owned(), Box::new(scene)));
    }
    all
}

/// The scene written and read again: it must be the same in every value.
fn survives(scene: &Scene, files: &dyn Files) -> Result<(), TestCaseError> {
    let text = scene.to_toml();
    let again = Scene::parse("again.toml", &text, files).map_err(|e| TestCaseError::fail(format!("{e}\n{text}")))?;
    prop_assert_eq!(&text, &again.to_toml());
    prop_assert_eq!(scene.grid, again.grid);
    prop_assert_eq!(&scene.map, &again.map);
    prop_assert_eq!(&scene.zones, &again.zones);
    prop_assert_eq!(&scene.events, &again.events);
    prop_assert_eq!(&scene.hazards, &again.hazards);
    prop_assert_eq!((&scene.terrain, &scene.local_weights), (&again.terrain, &again.local_weights));
    prop_assert_eq!(scene.model, again.model);
    prop_assert_eq!((scene.dt, scene.seed, &scene.name), (again.dt, again.seed, &again.name));
    for (a, b) in scene.goals.iter().zip(&again.goals) {
        prop_assert_eq!((&a.name, &a.shapes, &a.cells), (&b.name, &b.shapes, &b.cells));
        prop_assert_eq!((a.open, a.capacity, &a.capacities), (b.open, b.capacity, &b.capacities));
    }
    for (a, b) in scene.groups.iter().zip(&again.groups) {
        prop_assert_eq!(
            (&a.name, a.count, a.density, &a.start, a.place),
            (&b.name, b.count, b.density, &b.start, b.place)
        );
        prop_assert_eq!((a.radius, a.speed, a.turn, a.delay), (b.radius, b.speed, b.turn, b.delay));
        prop_assert_eq!((&a.journey, a.arrive, &a.entry, a.rate), (&b.journey, b.arrive, &b.entry, b.rate));
        prop_assert_eq!((&a.delay_until, a.on), (&b.delay_until, b.on));
        prop_assert_eq!((&a.sprite, &a.character), (&b.sprite, &b.character));
    }
    Ok(())
}

#[test]
fn the_rich_scene_is_sound() {
    let scene = Scene::parse("rich.toml", RICH, &FOLDER).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((scene.goals.len(), scene.groups.len(), scene.events.len()), (3, 3, 3));
    let mut run = Simulation::new(&scene).unwrap_or_else(|e| panic!("{e}"));
    run.steps_by(30).expect("the CPU does not fail");
    assert_eq!((run.counters().in_wall, run.counters().not_finite), (0, 0));
    survives(&scene, &FOLDER).unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn the_example_of_the_documentation_is_a_sound_scene() {
    let page = include_str!("../../../../docs/scene.md");
    let example =
        page.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).expect("docs/scene.md has an example");
    // It shows `arrive = "park"` together with `entry`, which only "respawn" has.
    let example = example.replace("arrive = \"park\" ", "arrive = \"respawn\" ");
    let files = Folder(80, 40);
    let scene = Scene::parse("two rooms.toml", &example, &files).unwrap_or_else(|e| panic!("{e}"));
    let mut run = Simulation::new(&scene).unwrap_or_else(|e| panic!("{e}"));
    run.steps_by(10).expect("the CPU does not fail");
    survives(&scene, &files).unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn every_built_in_scene_is_the_same_when_written_and_read_again() {
    for b in BUILT_IN {
        let scene = Scene::parse(b.name, b.text, &b).unwrap_or_else(|e| panic!("{e}"));
        survives(&scene, &b).unwrap_or_else(|e| panic!("{}: {e}", b.name));
    }
}

#[test]
fn a_long_world_of_small_cells_is_the_same_when_written_and_read_again() {
    // 0.1 has no end in binary: over 99 km of it the error adds up to more than a millimetre.
    for (metres, cells) in [("7000.1", 70_001), ("99999.9", 999_999)] {
        let text = format!("cell = 0.1\nsize = [{metres}, 0.2]\n");
        let scene = Scene::parse("long.toml", &text, &NoFiles).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!((scene.grid.width, scene.grid.height), (cells, 2));
        survives(&scene, &NoFiles).unwrap_or_else(|e| panic!("{e}"));
    }
}
