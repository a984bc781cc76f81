//! The program as people and scripts meet it: what it prints, what it writes, how it ends.

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn throng(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_throng")).args(args).stdin(Stdio::null()).output().expect("the program starts")
}

fn json(args: &[&str]) -> Value {
    let output = throng(args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "nothing on standard error");
    serde_json::from_slice(&output.stdout).expect("one JSON object and nothing else")
}

fn complaint(args: &[&str], status: i32) -> String {
    let output = throng(args);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(status), "{args:?}: {text}");
    assert!(output.stdout.is_empty(), "{args:?} printed a result");
    assert!(!text.contains("panicked"), "{text}");
    text
}

fn path(folder: &tempfile::TempDir, name: &str) -> String {
    folder.path().join(name).to_str().expect("a plain path").to_owned()
}

#[test]
fn json_holds_every_key_of_the_contract() {
    let v = json(&["run", "corridor", "--steps", "20", "--json"]);
    for key in [
        "scene",
        "engine",
        "device",
        "seed",
        "agents",
        "steps",
        "dt",
        "simulated_seconds",
        "wall_seconds",
        "steps_per_second",
        "agent_steps_per_second",
        "active",
        "parked",
        "arrived",
        "in_wall",
        "not_finite",
        "mean_speed",
        "density_max",
        "state_hash",
    ] {
        assert!(!v[key].is_null(), "{key} is missing");
    }
    for (object, keys) in [("overlap", &["mean", "max", "share"][..]), ("solver", &["iterations", "converged"])] {
        for key in keys {
            assert!(!v[object][key].is_null(), "{object}.{key} is missing");
        }
    }
    for stage in throng::stages::NAMES {
        assert!(v["stages_ms"][stage].is_number(), "stages_ms.{stage} is missing");
    }
    assert!(v["memory_bytes"]["agents"].as_u64().is_some_and(|b| b > 0));
    assert_eq!(v["steps"], 20);
    assert_eq!(v["agents"], 160);
}

#[test]
fn a_built_in_scene_and_its_exported_file_give_the_same_bits() {
    let folder = tempfile::tempdir().expect("a folder");
    assert!(throng(&["scenes", "--export", &path(&folder, "")]).status.success());
    for (name, agents) in [("circle", "2000"), ("hills", "500"), ("bottleneck", "150")] {
        let run =
            |scene: &str| json(&["run", scene, "--agents", agents, "--steps", "15", "--json"])["state_hash"].clone();
        assert_eq!(run(name), run(&path(&folder, &format!("{name}.toml"))), "{name}");
    }
}

#[test]
fn a_saved_run_goes_on_with_the_same_bits() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = path(&folder, "half.throng");
    let whole = json(&["run", "crossing", "--steps", "200", "--json"]);
    json(&["run", "crossing", "--steps", "120", "--json", "--save", &file]);
    let rest = json(&["run", "crossing", "--steps", "80", "--json", "--resume", &file, "--threads", "3"]);
    for key in ["state_hash", "steps", "arrived", "entered", "overlap", "mean_speed", "density_max"] {
        assert_eq!(whole[key], rest[key], "{key}");
    }
    let other = complaint(&["run", "crossing", "--seed", "9", "--resume", &file, "--steps", "1"], 1);
    assert!(other.contains("another scene"), "{other}");
    std::fs::write(&file, b"not a snapshot").expect("a file");
    assert!(complaint(&["run", "crossing", "--resume", &file], 1).contains("not a snapshot"));
}

#[test]
fn results_of_a_run_are_files_that_other_tools_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = path(&folder, "results");
    let printed = json(&["run", "bottleneck", "--seconds", "6", "--json", "--out", &out]);
    let read = |name: &str| std::fs::read(Path::new(&out).join(name)).expect("the file is there");
    let summary: Value = serde_json::from_slice(&read("summary.json")).expect("JSON");
    assert_eq!(summary["state_hash"], printed["state_hash"]);
    let csv = String::from_utf8(read("arrivals.csv")).expect("text");
    let rows: Vec<Vec<f64>> =
        csv.lines().skip(1).map(|l| l.split(',').map(|v| v.parse().expect("a number")).collect()).collect();
    assert_eq!(csv.lines().next(), Some("time_s,arrived,active,outside,parked,mean_speed_m_per_s"));
    assert_eq!(rows.len(), 7, "a row a second, and the beginning");
    assert!(rows.iter().all(|r| r[1] + r[2] == 150.0), "arrived and on the floor make everybody");
    for name in ["peak-density.png", "use.png", "arrivals.png"] {
        let bytes = read(name);
        assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n", "{name}");
    }
    assert_eq!(std::fs::read_dir(&out).expect("a folder").count(), 5, "and no temporary files");
}

#[test]
fn every_field_becomes_a_picture_and_an_array() {
    let folder = tempfile::tempdir().expect("a folder");
    let fields = [
        "discomfort",
        "density",
        "persons",
        "velocity",
        "speed",
        "cost",
        "potential",
        "gradient",
        "peak-density",
        "use",
    ];
    for field in fields {
        for ending in ["png", "npy"] {
            let file = path(&folder, &format!("{field}.{ending}"));
            let output = throng(&[
                "field",
                "hills",
                field,
                "-o",
                &file,
                "--agents",
                "300",
                "--direction",
                "north",
                "--goal",
                "0",
            ]);
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            let bytes = std::fs::read(&file).expect("the file is there");
            if ending == "npy" {
                let vector = ["velocity", "gradient"].contains(&field);
                assert_eq!(&bytes[..6], b"\x93NUMPY");
                let shape = if vector { "(256,256,2" } else { "(256,256" };
                let header = String::from_utf8_lossy(&bytes[..128]).replace(' ', "");
                assert!(header.contains(shape), "{field}: {header}");
                assert_eq!(bytes.len() % 64, 0, "{field}: header of 64s and 256² numbers");
            }
        }
    }
    assert!(complaint(&["field", "hills", "density", "-o", &path(&folder, "x.jpg")], 2).contains(".png"));
    assert!(
        complaint(&["field", "hills", "potential", "-o", &path(&folder, "x.png"), "--goal", "moon"], 2)
            .contains("moon")
    );
}

#[test]
fn bad_command_lines_and_scenes_end_with_two_and_say_what_would_be_right() {
    let folder = tempfile::tempdir().expect("a folder");
    assert!(complaint(&["run", "ofice"], 2).contains("office"));
    assert!(complaint(&["run", "nowhere/scene.toml"], 2).contains("nowhere/scene.toml"));
    assert!(complaint(&["run", "office", "--engine", "gpu"], 2).contains("cpu"));
    assert!(complaint(&["run", "circle", "--until-done"], 2).contains("never ends"));
    assert!(complaint(&["run", "office", "--set", "model.plan"], 2).contains("KEY=VALUE"));
    assert!(complaint(&["run", "office", "--steps", "1", "--seconds", "1"], 2).contains("--seconds"));
    assert!(complaint(&["run", "office", "--scale", "-1"], 2).contains("scale"));
    let typo = path(&folder, "typo.toml");
    std::fs::write(&typo, "size = [10, 10]\n[[goal]]\nrect = [1, 1, 2, 2]\n[[agents]]\ncuont = 3\n").expect("a file");
    let text = complaint(&["check", &typo], 2);
    assert!(text.contains("typo.toml:5") && text.contains("cuont") && text.contains("count"), "{text}");
    let wrong = complaint(&["check", "office", "--set", "model.plan=teleport"], 2);
    assert!(wrong.contains("teleport") && wrong.contains("static"), "{wrong}");
    std::fs::write(&typo, [0xFF, 0xFE, 0x00]).expect("a file");
    assert!(complaint(&["check", &typo], 2).contains("not text"));
    std::fs::write(&typo, "").expect("a file");
    assert!(complaint(&["check", &typo], 2).contains("empty"));
}

#[test]
fn files_that_cannot_be_written_end_with_one_and_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = path(&folder, "file");
    std::fs::write(&file, "in the way").expect("a file");
    assert!(complaint(&["run", "corridor", "--steps", "1", "--out", &file], 1).contains("file"));
    let inside = format!("{file}/density.png");
    assert!(complaint(&["field", "corridor", "density", "-o", &inside], 1).contains("density.png"));
    assert_eq!(std::fs::read_to_string(&file).expect("still there"), "in the way");
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_run_with_its_report_and_files_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let (out, save) = (path(&folder, "results"), path(&folder, "state.throng"));
    let child = Command::new(env!("CARGO_BIN_EXE_throng"))
        .args(["run", "circle", "--agents", "3000", "--steps", "100000", "--json", "--out", &out, "--save", &save])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    std::thread::sleep(std::time::Duration::from_secs(3));
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill is there");
    assert!(kill.success());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(1));
    let printed: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    assert_eq!(printed["interrupted"], true);
    let steps = printed["steps"].as_u64().expect("a number");
    assert!(steps > 0 && steps < 100_000);
    for name in ["summary.json", "arrivals.csv", "peak-density.png", "use.png", "arrivals.png"] {
        assert!(Path::new(&out).join(name).is_file(), "{name}");
    }
    let on = json(&["run", "circle", "--agents", "3000", "--steps", "1", "--json", "--resume", &save]);
    assert_eq!(on["steps"].as_u64(), Some(steps + 1), "and the saved state goes on from there");
}

#[test]
fn check_prints_a_scene_that_check_accepts() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["office", "corridor", "crossing", "bottleneck", "exit-bar", "empty"] {
        let first = throng(&["check", name]);
        assert!(first.status.success(), "{name}");
        let file = path(&folder, "again.toml");
        std::fs::write(&file, &first.stdout).expect("a file");
        let second = throng(&["check", &file]);
        assert_eq!(String::from_utf8_lossy(&first.stdout), String::from_utf8_lossy(&second.stdout), "{name}");
    }
}

#[test]
fn bench_counts_every_stage_and_keeps_a_csv() {
    let folder = tempfile::tempdir().expect("a folder");
    let csv = path(&folder, "bench.csv");
    let args = ["bench", "corridor", "--steps", "3", "--batches", "2", "--scale", "1,4", "--json", "--csv", &csv];
    let v = json(&args);
    let results = v["results"].as_array().expect("a list");
    assert_eq!(results.len(), 2);
    assert_eq!(results[1]["agents"], 640);
    for stage in throng::stages::NAMES {
        assert!(results[0]["stages"][stage]["ms"].is_number(), "{stage}");
    }
    json(&args);
    let rows = std::fs::read_to_string(&csv).expect("a file").lines().count();
    assert_eq!(rows, 1 + 2 * 2 * 13, "a header, and 13 rows for each scale of each run");
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_throng"))
        .args(["check", "office"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success());
}
