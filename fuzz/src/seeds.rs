//! What the fuzzers begin with, besides the corpus: it follows from the program, so that it never falls behind what that writes.

use crate::block::{PLAIN, Plan, glb};
use crate::files::{Beside, array, colours, grey, png};
use crate::scenes::BETWEEN;
use crate::snapshots::{self, under_way};
use std::path::Path;
use throng::Scene;
use throng::scene::BUILT_IN;

/// Small scenes that have every key of the language in them.
pub(crate) const SCENES: [&str; 5] = [
    include_str!("../scenes/journeys.toml"),
    include_str!("../scenes/states.toml"),
    include_str!("../scenes/beliefs.toml"),
    include_str!("../scenes/social.toml"),
    include_str!("../scenes/bvp.toml"),
];

/// One of them, read.
pub(crate) fn scene(text: &str) -> Scene {
    Scene::parse("seed.toml", text, &Beside).unwrap_or_else(|e| panic!("{e}"))
}

/// Writes a folder for each fuzzer.
///
/// # Errors
/// If a file cannot be written.
pub fn write(folder: &Path) -> std::io::Result<()> {
    let put = |fuzzer: &str, name: &str, bytes: &[u8]| {
        std::fs::create_dir_all(folder.join(fuzzer))?;
        std::fs::write(folder.join(fuzzer).join(name), bytes)
    };
    for (i, text) in SCENES.iter().enumerate() {
        // It is sound and runs, or most of what follows would be tried in vain.
        under_way(text);
        put("scene", &format!("small-{i}"), text.as_bytes())?;
        let written = scene(text).to_toml();
        put("scene", &format!("written-{i}"), written.as_bytes())?;
        put("merge", &format!("same-{i}"), [text, BETWEEN, text].concat().as_bytes())?;
        let changed = text.replacen("cell = 0.5", "cell = 1", 1).replacen("= 4", "= 5", 1);
        put("merge", &format!("changed-{i}"), [text, BETWEEN, &changed].concat().as_bytes())?;
        for (j, set) in
            ["dt=0.02", "agents.0.count=7", "model.orca.horizon=1", "map.walls.0.rect.2=5"].iter().enumerate()
        {
            put("set", &format!("{i}-{j}"), format!("{set}\n{text}").as_bytes())?;
        }
    }
    put("scene", "long-line", long_line().as_bytes())?;
    put("scene", "many-radii", many_radii().as_bytes())?;
    for scene in BUILT_IN {
        put("scene", scene.name, scene.text.as_bytes())?;
    }
    for (i, text) in snapshots::SCENES.iter().enumerate() {
        let mut run = under_way(text);
        put("snapshot", &format!("run-{i}"), &run.save().expect("the CPU does not fail"))?;
        run.engine_mut().keep_maps(true);
        run.steps_by(20).expect("the CPU does not fail");
        put("snapshot", &format!("later-{i}"), &run.save().expect("the CPU does not fail"))?;
    }
    put("images", "colours", &colours(12, 8, |x, y| [if x == 6 { 255 } else { 0 }, y as u8, 0, 255]))?;
    put("images", "grey", &grey(12, 8))?;
    put(
        "images",
        "grey-16",
        &png(&image::ImageBuffer::from_fn(12, 8, |x, y| image::Luma([(900 * x + y) as u16])).into()),
    )?;
    put("images", "rgb", &png(&image::RgbImage::from_fn(3, 2, |x, y| image::Rgb([x as u8, y as u8, 0])).into()))?;
    put(
        "images",
        "grey-alpha",
        &png(&image::ImageBuffer::from_fn(4, 4, |x, _| image::LumaA([x as u8, 255u8])).into()),
    )?;
    for (name, plan) in [
        ("block.glb", PLAIN),
        ("block.gltf", Plan { numbers: "data:", ..PLAIN }),
        ("stretched.glb", Plan { stretched: true, ..PLAIN }),
        ("morph.glb", Plan { morph: true, clip: "PickUp", ..PLAIN }),
    ] {
        put("characters", name, &glb(&plan))?;
    }
    put("arrays", "single", &array(false))?;
    put("arrays", "double", &array(true))
}

/// A mistake past the 65,530th column.
fn long_line() -> String {
    let walls = "{ rect = [1, 1, 1.5, 2] }, ".repeat(3000);
    format!("size = [20, 10]\n[map]\nwalls = [{walls}{{ rect = [1, 1, 1, 1] }}]\n")
}

/// A large world, and a class of bodies for each of many groups.
fn many_radii() -> String {
    let group = |i: u32| {
        format!("[[agents]]\ncount = 1\nradius = {}\nstart = {{ rect = [0, 0, 5, 5] }}\n", 0.1 + f64::from(i) * 1e-4)
    };
    let groups: String = (0..200).map(group).collect();
    format!("size = [1000, 1000]\n[[goal]]\nrect = [990, 990, 1000, 1000]\n{groups}")
}
