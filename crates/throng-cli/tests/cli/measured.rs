//! What a run says about exits, people, lines and areas.

use super::{complaint, gpu, json, path, throng};
use std::path::Path;

/// A room with two doors to the outside, a line before one of them, and an area.
const ROOM: &str = r#"
size = [12, 8]
cell = 0.25

[[goal]]
name = "doors"
shapes = [{ rect = [11, 1, 12, 2] }, { rect = [11, 6, 12, 7] }]

[[agents]]
name = "staff, early"
count = 10
start = { rect = [6, 0.5, 9, 3] }

[[agents]]
name = "guests"
count = 14
start = { rect = [6, 5, 9, 7.5] }

[[measure]]
name = "south door"
line = [[10.5, 3], [10.5, 0]]

[[measure]]
name = "east"
rect = [8, 0, 12, 8]
"#;

#[test]
fn goals_that_hold_only_so_many_are_in_the_report_and_the_json() {
    let folder = tempfile::tempdir().expect("a folder");
    let scene = path(&folder, "room.toml");
    let shapes = "shapes = [{ rect = [11, 1, 12, 2], capacity = 4 }, { rect = [11, 6, 12, 7] }]\ncapacity = 20";
    let text = ROOM.replace("shapes = [{ rect = [11, 1, 12, 2] }, { rect = [11, 6, 12, 7] }]", shapes);
    std::fs::write(&scene, text + "[model]\nsteer = \"walk\"\n").expect("a file");
    let v = json(&["run", &scene, "--json", "--seconds", "60"]);
    let expected = serde_json::json!([{
        "goal": "doors", "people": 20, "capacity": 20, "full": true,
        "shapes": [{ "people": 4, "capacity": 4, "full": true }, { "people": 16, "capacity": null, "full": false }],
    }]);
    assert_eq!(v["capacities"], expected);
    let report = throng(&["run", &scene, "--seconds", "60"]);
    let report = String::from_utf8_lossy(&report.stdout);
    assert!(report.contains("in goal           doors: 20 of 20 (full); by shape 1: 4 of 4 (full)"), "{report}");
}

#[test]
fn no_other_output_may_be_a_file_of_the_results() {
    let folder = tempfile::tempdir().expect("a folder");
    let [scene, out] = ["room.toml", "results"].map(|name| path(&folder, name));
    std::fs::write(&scene, ROOM).expect("a file");
    let run = ["run", &scene, "--engine=cpu", "--steps", "2", "--out", &out];
    assert!(throng(&run).status.success());
    let names: Vec<String> = std::fs::read_dir(&out)
        .expect("a folder")
        .map(|f| f.expect("a file").file_name().into_string().expect("a plain name"))
        .collect();
    assert!(names.len() >= 12, "{names:?}");
    for name in names {
        let text = complaint(&[&run[..], &["--people", &format!("{out}/{name}")]].concat(), 2);
        assert!(text.contains("--out writes a file of its own there"), "{name}: {text}");
    }
    // Found before the run, not after it.
    std::fs::remove_file(format!("{out}/areas.csv")).expect("it is there");
    std::fs::create_dir(format!("{out}/areas.csv")).expect("a folder");
    let text = complaint(&["run", &scene, "--engine=cpu", "--steps", "1000000000", "--out", &out], 1);
    assert!(text.contains("areas.csv") && text.contains("it is a folder"), "{text}");
}

#[test]
fn exits_groups_lines_and_areas_are_in_the_report_the_json_and_tables() {
    let folder = tempfile::tempdir().expect("a folder");
    let [scene, out, people] = ["room.toml", "results", "people.csv"].map(|name| path(&folder, name));
    std::fs::write(&scene, ROOM).expect("a file");
    let v = json(&["run", &scene, "--json", "--out", &out, "--people", &people]);
    let m = &v["measured"];
    let exits: Vec<(&str, u64)> = m["exits"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|e| (e["name"].as_str().expect("a name"), e["arrived"].as_u64().expect("a number")))
        .collect();
    assert_eq!(exits, [("doors 1", 10), ("doors 2", 14)]);
    assert_eq!(m["exits"][0]["arrived_by_group"]["staff, early"], 10);
    assert_eq!(m["groups"][1]["arrived"], 14);
    assert!(m["groups"][1]["mean_distance_m"].as_f64().is_some_and(|d| (2.0..8.0).contains(&d)));
    assert_eq!((&m["lines"][0]["forward"], &m["lines"][0]["backward"]), (&0.into(), &10.into()));
    assert_eq!(m["areas"][0]["area_m2"], 32.0);
    let levels = m["areas"][0]["level_of_service"].as_object().expect("levels");
    assert_eq!(levels.keys().collect::<Vec<_>>(), ["A", "B", "C", "D", "E", "F"]);

    let read = |file: &str| std::fs::read_to_string(file).expect("a table");
    let rows = read(&people);
    assert_eq!(rows.lines().next(), Some("id,group,start_s,arrival_s,distance_m,standing_s,exit"));
    assert_eq!(rows.lines().count(), 25);
    assert!(rows.lines().nth(1).is_some_and(|r| r.starts_with("0,\"staff, early\",0.000,") && r.ends_with(",doors 1")));
    let out = Path::new(&out);
    let file = |name: &str| read(out.join(name).to_str().expect("a plain path"));
    assert_eq!(file("exits.csv").lines().count(), 25);
    assert_eq!(file("crossings.csv").lines().count(), 11);
    assert!(
        file("areas.csv")
            .starts_with("time_s,area,persons,density_per_m2,mean_speed_m_per_s,level_of_service\n0.000,east,")
    );
    for name in ["exits.png", "crossings.png", "areas-density.png", "areas-speed.png"] {
        assert!(out.join(name).exists(), "{name}");
    }

    let report = throng(&["run", &scene, "--seconds", "20"]);
    let text = String::from_utf8_lossy(&report.stdout);
    for words in
        ["doors 2: 14, doors 1: 10", "staff, early: 10, guests: 14", "south door: 0 forward, 10 backward", "east: "]
    {
        assert!(text.contains(words), "{words} is not in\n{text}");
    }
    assert!(complaint(&["run", &scene, "--people", "/nonexistent/a.csv"], 2).contains("there is no folder"));
}

#[test]
fn the_gpu_engine_measures_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let scene = path(&folder, "room.toml");
    std::fs::write(&scene, ROOM).expect("a file");
    let m = gpu(&["run", &scene, "--seconds", "14"])["measured"].clone();
    assert_eq!((&m["exits"][0]["arrived"], &m["exits"][1]["arrived"]), (&10.into(), &14.into()), "{m}");
    assert_eq!(m["lines"][0]["backward"], 10);
}
