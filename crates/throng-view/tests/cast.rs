//! Who is drawn as whom: files of characters that a scene names become characters that can be drawn, or an error that says why not.

#[path = "../../throng-creature/tests/block/mod.rs"]
mod block;

use block::{PLAIN, Plan, glb};
use std::sync::Arc;
use throng::engine::gpu::Gpu;
use throng::scene::{Files, MOST_CHARACTERS, SceneError};
use throng::{Scene, Simulation};
use throng_view::look::Look;
use throng_view::space::{Cast, MOST_FIGURES, Settings, figures};
use throng_view::studio::{Aim, Shooting, Studio};

/// Blocks by name: "walk.glb" has a clip of that name.
struct Blocks;

impl Files for Blocks {
    fn read(&self, name: &str) -> Result<Vec<u8>, String> {
        Ok(match name {
            "stretched.glb" => glb(&Plan { stretched: true, ..PLAIN }),
            "apart.gltf" => glb(&Plan { numbers: "apart.bin", ..PLAIN }),
            "text.gltf" => glb(&Plan { numbers: "data:", ..PLAIN }),
            "notes.glb" => b"only notes".to_vec(),
            "bones.glb" => glb(&Plan { joints: 65, ..PLAIN }),
            "run.glb" => glb(&Plan { clip: "Run", ..PLAIN }),
            _ => glb(&PLAIN),
        })
    }
}

/// A scene with a group for each of these; "" names none.
fn scene(characters: &[&str]) -> Scene {
    let group = |name: &&str| {
        let key = if name.is_empty() { String::new() } else { format!("character = \"{name}\"\n") };
        format!("[[agents]]\ncount = 1\n{key}")
    };
    let groups: String = characters.iter().map(group).collect();
    let text = format!("size = [9, 5]\n[[goal]]\nrect = [8, 0, 9, 5]\n{groups}");
    Scene::parse("blocks.toml", &text, &Blocks).unwrap_or_else(|e| panic!("{e:?}"))
}

fn refused(name: &str) -> SceneError {
    Cast::of(&scene(&["", name])).expect_err("it cannot be drawn")
}

#[test]
fn groups_with_equal_files_share_a_character_and_the_others_have_the_creature() {
    let scene = scene(&["", "hero.glb", "run.glb", "twin.glb", "", "text.gltf"]);
    let cast = Cast::of(&scene).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(figures(&scene.groups), [0, 1, 2, 1, 0, 3]);
    let names: Vec<&str> = cast.characters().map(|(character, _)| character.name.as_str()).collect();
    assert_eq!(names, ["creature", "hero", "run", "text"]);
    for (character, clips) in cast.characters() {
        assert!((character.height - 1.0).abs() < 1e-6, "all are as tall");
        assert_eq!(clips.bones.len(), character.clips.iter().map(|clip| clip.matrices.len()).sum::<usize>());
    }
    assert_eq!(cast.guests()[1].notes.len(), 2, "{:?}", cast.guests()[1].notes);
}

#[test]
fn a_character_that_cannot_be_drawn_is_refused_where_the_scene_names_it() {
    for (name, why) in [
        ("notes.glb", "not a sound glTF file"),
        ("bones.glb", "65 joints: a character may have 1 to 64"),
        ("apart.gltf", "a buffer in another file, \"apart.bin\": export it as .glb, which is one file"),
        ("stretched.glb", "on all sides alike: \"leg.L\" in its clip \"Armature|Walk\" does not"),
    ] {
        let error = refused(name);
        assert_eq!(error.line(), 8, "{error}");
        assert!(error.message().starts_with(&format!("\"{name}\" cannot be drawn: ")), "{error}");
        assert!(error.message().contains(why), "{error}");
    }
}

#[test]
fn a_scene_that_was_given_too_many_characters_is_refused() {
    let mut scene = scene(&["hero.glb"; MOST_CHARACTERS + 1]);
    for (number, group) in scene.groups.iter_mut().enumerate() {
        // What follows the numbers of a file is not looked at.
        let file = group.character.as_mut().expect("all have one");
        let mut bytes = file.bytes.to_vec();
        bytes.extend(vec![0; 4 * number]);
        let length = bytes.len() as u32;
        bytes[8..12].copy_from_slice(&length.to_le_bytes());
        file.bytes = Arc::new(bytes);
    }
    let error = Cast::of(&scene).expect_err("one too many");
    assert!(error.message().contains("there are 7 other characters already"), "{error}");
    scene.groups.pop();
    assert_eq!(Cast::of(&scene).unwrap_or_else(|e| panic!("{e}")).characters().count(), MOST_FIGURES);
}

#[test]
fn people_are_drawn_as_the_character_of_their_group() {
    let shoot = |characters: &[&str]| {
        let groups: String = characters
            .iter()
            .enumerate()
            .map(|(k, name)| {
                let key = if name.is_empty() { String::new() } else { format!("character = \"{name}\"\n") };
                format!("[[agents]]\ncount = 1\nstart = {{ rect = [{}, 2, {}, 3] }}\n{key}", 2 + 2 * k, 3 + 2 * k)
            })
            .collect();
        let text = format!("size = [9, 5]\n[[goal]]\nrect = [8, 0, 9, 5]\n{groups}");
        let scene = Scene::parse("blocks.toml", &text, &Blocks).unwrap_or_else(|e| panic!("{e:?}"));
        let name = std::env::var("THRONG_TEST_DEVICE").unwrap_or_else(|_| "llvmpipe".into());
        let gpu = Gpu::open(Some(&name)).expect("these tests need a Vulkan device; test.sh installs software Vulkan");
        let mut sim = Simulation::with_threads(&scene, 1).unwrap_or_else(|e| panic!("{e}"));
        let mut studio = Studio::new(&gpu, &scene);
        let look = Look { space: Some(Settings::default()), ..Look::default() };
        let size = [320, 180];
        let shooting = Shooting { size, look, aim: Aim::Fit, caption: false, chosen: None, text: 1.0, back: 0.0 };
        let picture = studio.picture(&mut sim, &shooting).unwrap_or_else(|e| panic!("{e}"));
        (picture, studio.report().expect("the device tells"))
    };
    let ours = shoot(&["", "", ""]);
    let mixed = shoot(&["", "hero.glb", "run.glb"]);
    for (_, report) in [&ours, &mixed] {
        assert_eq!(report.levels.iter().sum::<u32>(), 3, "everybody is drawn once: {report:?}");
    }
    assert!(mixed.1.triangles < ours.1.triangles, "blocks have fewer triangles");
    let differ = |from: u32, to: u32| {
        let pixels = (from..to).flat_map(|x| (0..180).map(move |y| (x, y)));
        pixels.filter(|&(x, y)| ours.0.get_pixel(x, y) != mixed.0.get_pixel(x, y)).count()
    };
    // Who is the creature in both is as it was; the others are somebody else.
    assert!(differ(0, 110) < 60 && differ(110, 320) > 200, "{} and {} pixels", differ(0, 110), differ(110, 320));
}
