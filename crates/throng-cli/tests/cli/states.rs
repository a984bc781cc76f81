//! Scenes with states, as people and scripts meet them.

use super::{complaint, json, path, throng};

const SCENE: &str = "size = [12, 6]\nseed = 2\n[[goal]]\nname = \"gold\"\nrect = [9, 1, 11, 5]\n[[agents]]\nname = \"miners\"\ncount = 9\nstart = { rect = [2, 1, 6, 5] }\nstate = \"seek gold\"\n\
                     [[state]]\nname = \"seek gold\"\ngoal = \"gold\"\ncolour = \"#e0b040\"\n[[state.then]]\nto = \"mine\"\n\
                     [[state]]\nname = \"mine\"\nseconds = 2\nat = \"gold\"\n[[state.then]]\nto = \"seek gold\"\nwhen = { chance = 0.3 }\n";

#[test]
fn check_says_the_states_and_draws_the_machine() {
    let folder = tempfile::tempdir().expect("a folder");
    let (scene, picture) = (path(&folder, "miners.toml"), path(&folder, "machine.png"));
    std::fs::write(&scene, SCENE).expect("it can be written");
    let output = throng(&["check", &scene, "--picture", &picture]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && text.contains("9 agents in 1 group, 2 states"), "{text}");
    assert!(text.contains("[[state]]\nname = \"mine\"") && text.contains("when = { chance = 0.3 }"), "{text}");
    let image = image::open(&picture).expect("a picture").to_rgb8();
    // The box of the first state has its colour, three tenths of it over white.
    let tint = [224u8, 176, 64].map(|c| (0.3 * f32::from(c) + 0.7 * 255.0) as u8);
    assert!(image.pixels().filter(|p| p.0 == tint).count() > 2000);
    let without = complaint(&["check", "corridor", "--picture", &picture], 2);
    assert!(without.contains("no [[state]]"), "{without}");
}

#[test]
fn a_run_tells_how_many_are_in_each_state() {
    let folder = tempfile::tempdir().expect("a folder");
    let scene = path(&folder, "miners.toml");
    std::fs::write(&scene, SCENE).expect("it can be written");
    let v = json(&["run", &scene, "--seconds", "8", "--json", "--engine", "cpu"]);
    let [walk, mine] = ["seek gold", "mine"].map(|name| v["states"][name].as_u64().expect("a count"));
    assert_eq!(walk + mine, 9);
    assert!(mine > 2, "{mine} mine after 8 s");
    let none = json(&["run", "corridor", "--steps", "2", "--json", "--engine", "cpu"]);
    assert_eq!(none["states"], serde_json::json!({}));
}
