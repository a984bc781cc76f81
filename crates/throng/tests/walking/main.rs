//! How people walk with `steer = "walk"`: they pass each other, keep their distance, and do so with the same bits. The bounds hold with
//! margin; the figures themselves come from `throng verify` and stand in docs/validation.md and docs/models/walk.md.

mod bits;
#[path = "../engines/mod.rs"]
mod engines;
mod passing;
mod spacing;

use engines::runs;
use throng::Scene;
use throng::scene::NoFiles;

fn scene(text: &str) -> Scene {
    Scene::parse("walking.toml", text, &NoFiles).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

const PEOPLE: &str = "radius = 0.2\nspeed = { normal = [1.34, 0.26], min = 0.5, max = 2.0 }\narrive = \"park\"\n";

/// The beginning of a scene in which people walk.
fn head(size: [f32; 2], cell: f32, plan: &str) -> String {
    let [x, y] = size;
    format!("size = [{x}, {y}]\ncell = {cell}\ndt = 0.05\nseed = 1\n[model]\nplan = \"{plan}\"\nsteer = \"walk\"\n")
}

/// Two crowds in rooms of 8 × 8 m that change places through a door.
fn two_rooms(count: u32, door: f32, cell: f32, plan: &str) -> Scene {
    let (low, high) = (4.0 - door / 2.0, 4.0 + door / 2.0);
    scene(
        &(head([16.0, 8.0], cell, plan)
            + &format!(
                "[map]\nwalls = [{{ rect = [7.9, 0, 8.1, {low}] }}, {{ rect = [7.9, {high}, 8.1, 8] }}]\n\
                 [[goal]]\nname = \"east\"\nrect = [15, 0, 16, 8]\n[[goal]]\nname = \"west\"\nrect = [0, 0, 1, 8]\n\
                 [[agents]]\ncount = {count}\nstart = {{ rect = [1.5, 1, 7, 7] }}\njourney = [\"east\"]\n{PEOPLE}\
                 [[agents]]\ncount = {count}\nstart = {{ rect = [9, 1, 14.5, 7] }}\njourney = [\"west\"]\n{PEOPLE}"
            )),
    )
}
