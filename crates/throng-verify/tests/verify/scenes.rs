//! The scenes of the tests: what is written is what is run, every one can be set up, and those that walking was fitted with have stayed.

use throng::scene::NoFiles;
use throng::{Scene, Simulation};
use throng_verify::{Run, Settings, all, chosen};

fn runs(tests: &[&str], settings: &Settings) -> Vec<Run> {
    let words: Vec<String> = tests.iter().map(|t| (*t).to_owned()).collect();
    chosen(&words).expect("they are tests").iter().flat_map(|t| t.runs(settings)).collect()
}

fn parse(name: &str, text: &[u8]) -> Scene {
    let text = std::str::from_utf8(text).expect("text");
    Scene::parse(name, text, &NoFiles).unwrap_or_else(|e| panic!("{name}: {e}\n{text}"))
}

#[test]
fn scenes_as_files_read_as_the_same_scenes_and_can_be_set_up() {
    let settings = Settings { seeds: 1, ..Settings::full() };
    let mut seen = std::collections::HashSet::new();
    for run in all().iter().flat_map(|t| t.runs(&settings)).filter(|r| seen.insert(r.stem())) {
        let scene = run.scene().expect("a scene");
        let files = run.files().expect("files");
        let (name, text) = &files[0];
        assert_eq!(*name, format!("{}.toml", run.stem()));
        let read = parse(name, text);
        assert_eq!(read.to_files("scene"), scene.to_files("scene"), "{name}");
        if scene.agent_count() < 20_000 {
            Simulation::with_threads(&scene, 1).unwrap_or_else(|e| panic!("{name}: {e}"));
        }
    }
    assert!(seen.len() > 100, "{} scenes", seen.len());
}

#[test]
fn scenes_of_other_cells_can_be_set_up_too() {
    for cell in throng_verify::CELLS {
        let settings = Settings { cell, ..Settings::quick() };
        for run in runs(&["standard", "openings", "doors"], &settings) {
            let scene = run.scene().unwrap_or_else(|e| panic!("{} with cells of {cell} m: {e}", run.name));
            if scene.grid.len() < 100_000 {
                Simulation::with_threads(&scene, 1)
                    .unwrap_or_else(|e| panic!("{} with cells of {cell} m: {e}", run.name));
            }
        }
    }
}

/// A scene without what nothing in a run depends on: its name, those of its goals, and what is measured.
fn bare(mut scene: Scene) -> Vec<u8> {
    scene.name = "scene".into();
    scene.measures.clear();
    for (k, goal) in scene.goals.iter_mut().enumerate() {
        goal.name = format!("goal {k}");
    }
    scene.to_files("scene").swap_remove(0).1
}

/// A head, as all scenes have with seed 1, cells of 0.25 m and steps of 0.04 s.
fn old(size: &str, rest: &str) -> String {
    format!("size = [{size}]\ncell = 0.25\ndt = 0.04\nseed = 1\n[model]\nplan = \"static\"\nsteer = \"walk\"\n{rest}")
}

const PEOPLE: &str = "radius = 0.2\nspeed = { normal = [1.34, 0.26], min = 0.5, max = 2.0 }\narrive = \"park\"\n";

fn two_ways(walls: &str, starts: [&str; 2], goals: [&str; 2], counts: [u32; 2]) -> String {
    let mut text = format!("[map]\nwalls = [{walls}]\n");
    for (name, rect) in ["east", "west"].iter().zip(goals) {
        text += &format!("[[goal]]\nname = \"{name}\"\nrect = [{rect}]\n");
    }
    for (k, name) in ["east", "west"].iter().enumerate() {
        let (count, start) = (counts[k], starts[k]);
        text +=
            &format!("[[agents]]\ncount = {count}\nstart = {{ rect = [{start}] }}\njourney = [\"{name}\"]\n{PEOPLE}");
    }
    text
}

/// The scenes that `walk` was fitted with, as they were written then.
fn fitted() -> Vec<(&'static str, String)> {
    let door = two_ways(
        "{ rect = [10, 0, 10.2, 4.25] }, { rect = [10, 5.75, 10.2, 10] }",
        ["1, 1, 9, 9", "11, 1, 19, 9"],
        ["19, 0, 20, 10", "0, 0, 1, 10"],
        [60; 2],
    );
    let corridor = two_ways(
        "{ rect = [10, 0, 20, 4] }, { rect = [10, 6, 20, 10] }",
        ["1, 0.5, 9, 9.5", "21, 0.5, 29, 9.5"],
        ["29, 0, 30, 10", "0, 0, 1, 10"],
        [100, 50],
    );
    let stream = two_ways(
        "{ rect = [14, 0, 24, 4.2] }, { rect = [14, 7.8, 24, 12] }",
        ["1, 0.5, 13, 11.5", "25, 0.5, 37, 11.5"],
        ["37, 0, 38, 12", "0, 0, 1, 12"],
        [200; 2],
    );
    let opening = format!(
        "[map]\nwalls = [{{ rect = [10, 0, 10.2, 3.6] }}, {{ rect = [10, 4.4, 10.2, 8] }}]\n[[goal]]\nrect = [14, 0, 15, 8]\n\
         [[agents]]\ncount = 150\nstart = {{ rect = [0.5, 0.5, 9, 7.5] }}\n{PEOPLE}"
    );
    let density = format!(
        "[map]\nwalls = [{{ rect = [9.8, 0, 10, 3.1] }}, {{ rect = [9.8, 4.9, 10, 8] }}, {{ rect = [10, 0, 18, 3.1] }}, \
         {{ rect = [10, 4.9, 18, 8] }}, {{ rect = [18, 0, 18.2, 3.5] }}, {{ rect = [18, 4.5, 18.2, 8] }}]\n[[goal]]\n\
         rect = [20, 0, 21, 8]\n[[agents]]\ncount = 160\nstart = {{ rect = [0.5, 0.5, 9, 7.5] }}\n{PEOPLE}"
    );
    let lanes = "[[goal]]\nname = \"g0\"\nrect = [39.5, 0, 40, 4]\n[[goal]]\nname = \"g1\"\nrect = [0, 0, 0.5, 4]\n\
         [[agents]]\ncount = 80\nstart = { rect = [2, 0, 38, 4] }\nradius = 0.2\nspeed = { normal = [1.34, 0.26], min = 0.8, max = 1.9 }\n\
         journey = [\"g0\"]\narrive = \"respawn\"\nentry = { rect = [0.5, 0, 3, 4] }\n\
         [[agents]]\ncount = 80\nstart = { rect = [2, 0, 38, 4] }\nradius = 0.2\nspeed = { normal = [1.34, 0.26], min = 0.8, max = 1.9 }\n\
         journey = [\"g1\"]\narrive = \"respawn\"\nentry = { rect = [37, 0, 39.5, 4] }\n";
    let pair = "[map]\nwalls = [{ rect = [0, 0, 14, 0.9] }, { rect = [0, 2.1, 14, 3] }]\n\
         [[goal]]\nname = \"g0\"\nrect = [13.5, 0, 14, 3]\n[[agents]]\ncount = 1\nstart = { rect = [1.0, 1.3, 1.5, 1.7] }\nradius = 0.2\n\
         journey = [\"g0\"]\narrive = \"park\"\n\
         [[goal]]\nname = \"g1\"\nrect = [0, 0, 0.5, 3]\n[[agents]]\ncount = 1\nstart = { rect = [12.5, 1.3, 13.0, 1.7] }\nradius = 0.2\n\
         journey = [\"g1\"]\narrive = \"park\"\n";
    let mut circle = String::new();
    for k in 0..100 {
        let (sin, cos) = (std::f32::consts::TAU * k as f32 / 100.0).sin_cos();
        circle += &format!(
            "[[agents]]\ncount = 1\nstart = {{ circle = [{}, {}, 0.26] }}\nradius = 0.2\nspeed = {{ normal = [1.34, 0.26], min = 0.5, \
             max = 2.0 }}\njourney = [{{ to = [[{}, {}]] }}]\ngoal_distance = 0.5\narrive = \"park\"\n",
            12.0 + 10.0 * cos,
            12.0 + 10.0 * sin,
            12.0 - 10.0 * cos,
            12.0 - 10.0 * sin
        );
    }
    vec![
        ("door-1.5", old("20, 10", &door)),
        ("corridor-100-against-50", old("30, 10", &corridor)),
        ("stream", old("38, 12", &stream)),
        ("opening-0.8", old("15, 8", &opening)),
        ("density-1.8-1.0", old("21, 8", &density)),
        ("lanes-1.0", old("40, 4", lanes)),
        ("pair", old("14, 3", pair)),
        ("antipodes", old("24, 24", &circle)),
    ]
}

#[test]
fn the_scenes_that_walking_was_fitted_with_are_the_same() {
    let settings = Settings { plan: Some("static".into()), steer: Some("walk".into()), ..Settings::quick() };
    let all = runs(&["measured", "nist-2.8"], &settings);
    for (name, text) in fitted() {
        let run = all.iter().find(|r| r.name == name).unwrap_or_else(|| panic!("there is no scene {name}"));
        let (now, then) = (bare(run.scene().expect("a scene")), bare(parse(name, text.as_bytes())));
        let [now, then] = [now, then].map(|t| String::from_utf8(t).expect("text"));
        assert_eq!(now, then, "{name}");
    }
}

#[test]
fn a_shifted_world_is_the_same_floor_half_a_cell_farther() {
    let settings = Settings { seeds: 1, ..Settings::full() };
    let all = runs(&["raster"], &settings);
    let scene = |name: &str| all.iter().find(|r| r.name == name).expect("it is there").scene().expect("a scene");
    let (usual, shifted) = (scene("opening-1.0-cell0.5"), scene("opening-1.0-cell0.5-shifted"));
    assert_eq!((usual.grid.width + 1, usual.grid.height + 1), (shifted.grid.width, shifted.grid.height));
    let corner = |s: &Scene, k: usize| s.map.walls[k].shape.bounds().min;
    assert_eq!(corner(&shifted, 0) - corner(&usual, 0), throng::Vec2::splat(0.25));
    assert_eq!(shifted.map.walls.len(), usual.map.walls.len() + 4, "a frame that is no floor");
}
