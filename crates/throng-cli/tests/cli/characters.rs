//! Characters of somebody's own: what `check` says of them, and that every command refuses what cannot be drawn.

use super::*;
use block::{PLAIN, Plan, glb};

const ROOM: &str =
    "size = [9, 5]\n[[goal]]\nrect = [8, 0, 9, 5]\n[[agents]]\ncount = 2\nstart = { rect = [1, 1, 4, 4] }\n";

/// A scene whose group has a character, and the file that it names.
fn written(folder: &tempfile::TempDir, name: &str, bytes: &[u8]) -> String {
    std::fs::write(folder.path().join(name), bytes).expect("a file");
    let scene = path(folder, "room.toml");
    std::fs::write(&scene, format!("{ROOM}character = \"{name}\"\n")).expect("a file");
    scene
}

/// What the program says, without the breaks of its lines.
fn said(args: &[&str]) -> String {
    complaint(args, 2).replace("\n  │ ", " ")
}

#[test]
fn check_says_what_a_character_has_and_what_is_left_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let scene = written(&folder, "hero.glb", &glb(&Plan { morph: true, ..PLAIN }));
    let output = throng(&["check", &scene]);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for line in [
        "# hero.glb: 5 bones, 48 triangles; clips: Armature|Walk, as in the file",
        "# hero.glb: Its morph targets are not used: faces and shapes stay as they are.",
        "# hero.glb: No clip is called idle or stand: it stands in the pose of the file.",
        "character = \"hero.glb\"",
    ] {
        assert!(said.lines().any(|l| l == line), "{line}\n{said}");
    }
    let quiet = throng(&["check", "--quiet", &scene]);
    let quiet = String::from_utf8_lossy(&quiet.stdout).into_owned();
    assert!(quiet.lines().any(|l| l.starts_with("hero.glb: 5 bones")) && !quiet.contains('#'), "{quiet}");
}

#[test]
fn every_command_refuses_a_character_that_cannot_be_drawn_with_file_and_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let scene = written(&folder, "hero.glb", &glb(&Plan { required: "KHR_draco_mesh_compression", ..PLAIN }));
    let out = path(&folder, "out.png");
    for command in
        [&["check", &scene][..], &["run", &scene, "--seconds", "1"], &["field", &scene, "density", "-o", &out]]
    {
        let said = said(command);
        assert!(said.contains("room.toml:7: \"hero.glb\" cannot be drawn: "), "{said}");
        assert!(said.contains("KHR_draco_mesh_compression: compressed meshes"), "{said}");
    }
    let scene = written(&folder, "apart.gltf", &glb(&Plan { numbers: "apart.bin", ..PLAIN }));
    assert!(said(&["check", &scene]).contains("export it as .glb"));
}

#[test]
fn a_character_outside_of_the_scenes_folder_needs_leave_and_memory_counts() {
    let folder = tempfile::tempdir().expect("a folder");
    let scene = written(&folder, "hero.glb", &glb(&PLAIN));
    std::fs::create_dir(path(&folder, "below")).expect("a folder");
    let below = path(&folder, "below/room.toml");
    std::fs::write(&below, format!("{ROOM}character = \"../hero.glb\"\n")).expect("a file");
    assert!(said(&["check", &below]).contains("outside of the scene's own folder"));
    assert!(throng(&["check", "--allow-paths", &below]).status.success());
    // A file that is there once costs its size once, also under another name.
    let mut large = glb(&PLAIN);
    large.resize(large.len() + 20_000_000, 0);
    let length = large.len() as u32;
    large[8..12].copy_from_slice(&length.to_le_bytes());
    written(&folder, "hero.glb", &large);
    std::fs::copy(path(&folder, "hero.glb"), path(&folder, "twin.glb")).expect("a file");
    let agents = ROOM.split_once("[[agents]]").expect("it has some").1;
    let twice = |name: &str| {
        let text = format!("{ROOM}character = \"hero.glb\"\n[[agents]]{agents}character = \"{name}\"\n");
        std::fs::write(&scene, text).expect("a file");
        let output = program(&["check", "--quiet", &scene]).env("THRONG_MEMORY", "45M").output();
        let output = output.expect("the program starts");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).replace("\n  │ ", " "))
    };
    assert_eq!(twice("twin.glb"), (Some(0), String::new()));
    large.push(0);
    std::fs::write(path(&folder, "other.glb"), large.repeat(2)).expect("a file");
    let (status, said) = twice("other.glb");
    assert!(status == Some(2) && said.contains("other.glb") && said.contains("larger than"), "{said}");
}
