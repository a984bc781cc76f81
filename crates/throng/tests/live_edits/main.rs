//! What a viewer does to a run while it goes on: brushes, single rounds of the solver, and changes to the crowd.

mod brushes;
#[cfg(feature = "gpu")]
mod by_rounds;
mod crowd;
#[path = "../engines/mod.rs"]
mod engines;
mod obstacle;

#[cfg(feature = "gpu")]
use engines::on_gpu;
use engines::runs as on_all;
use throng::Vec2;
use throng::engine::{CrowdChange, Field, Values};
use throng::geometry::{Rect, Shape};
use throng::scene::{Arrive, Distribution, Group, Leg, NoFiles};
use throng::{Scene, Simulation};

const SCENE: &str = r#"
size = [24, 12]
cell = 0.5
[map]
walls = [
  { rect = [12, 0, 12.5, 5] },
  { rect = [12, 7, 12.5, 12] },
  { rect = [12, 5, 12.5, 7], name = "gate", open = true },
]
discomfort = [{ rect = [2, 2, 5, 5], value = 0.7 }, { rect = [3, 3, 6, 6], value = 0.7 }]
[[goal]]
name = "door"
rect = [23, 5, 24, 7]
[[goal]]
name = "west"
rect = [0, 5, 1, 7]
[[agents]]
name = "guests"
count = 30
start = { rect = [4, 2, 9, 10] }
journey = ["door"]
[[agents]]
name = "walkers"
count = 10
start = { rect = [15, 2, 20, 10] }
journey = ["west", "door"]
arrive = "next"
[[zone]]
name = "mud"
rect = [14, 0, 16, 12]
speed = 0.8
[[event]]
at = 0.4
zone = "mud"
speed = 0.5
"#;

fn scene() -> Scene {
    Scene::parse("live.toml", SCENE, &NoFiles).unwrap_or_else(|e| panic!("{e:?}"))
}

fn numbers(sim: &mut Simulation, field: Field) -> Vec<f32> {
    match sim.field(field).unwrap() {
        Values::Scalar(list) => list,
        Values::Vector(_) => panic!("{field:?} has a number per cell"),
    }
}

fn rect(x0: f32, y0: f32, x1: f32, y1: f32) -> Shape {
    Shape::Rect(Rect::new(Vec2::new(x0, y0), Vec2::new(x1, y1)))
}

/// The cells of a column and some rows, with a value each.
fn cells<T: Copy>(sim: &Simulation, x: usize, rows: std::ops::Range<usize>, value: T) -> Vec<(u32, T)> {
    let width = sim.scene().grid.width;
    rows.map(|y| ((y * width + x) as u32, value)).collect()
}
