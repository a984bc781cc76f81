//! `throng run --record`. That the files are what other programs read, `.ci/readers` finds out.

use super::{complaint, gpu, json, path, program};
use std::collections::BTreeMap;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// How many rows there are in each frame of a table.
fn frames(file: &str) -> BTreeMap<u64, usize> {
    let text = std::fs::read_to_string(file).expect("a table");
    assert!(text.ends_with('\n'), "whole lines");
    let mut frames = BTreeMap::new();
    for line in text.lines().skip(1) {
        let number = line.split(',').next().and_then(|n| n.parse().ok()).expect("a number");
        *frames.entry(number).or_default() += 1;
    }
    frames
}

#[test]
fn frames_come_as_often_as_asked_and_hold_everybody_on_the_floor() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = path(&folder, "a.csv");
    let record = |options: &[&str]| {
        let v = json(&[&["run", "bottleneck", "--steps", "50", "--json", "--record", &file], options].concat());
        let frames = frames(&file);
        assert_eq!(v["recorded"]["frames"], frames.len());
        (v["recorded"]["fps"].as_f64().expect("a number"), frames)
    };
    let (fps, every_step) = record(&[]);
    assert_eq!((fps, every_step.len()), (25.0, 51));
    assert!(every_step.values().all(|&n| n == 150));
    let (fps, some) = record(&["--every", "10"]);
    assert_eq!((fps, some.keys().copied().collect::<Vec<_>>()), (2.5, vec![0, 1, 2, 3, 4, 5]));
    let (fps, some) = record(&["--every", "10", "--fps", "5"]);
    assert_eq!((fps, some.len()), (5.0, 11), "--fps decides about frames");
}

#[test]
fn a_run_that_goes_on_goes_on_with_the_frames_numbers() {
    let folder = tempfile::tempdir().expect("a folder");
    let [state, first, rest] = ["half.throng", "first.csv", "rest.csv"].map(|name| path(&folder, name));
    json(&["run", "bottleneck", "--steps", "12", "--json", "--save", &state, "--record", &first, "--every", "4"]);
    json(&["run", "bottleneck", "--steps", "10", "--json", "--resume", &state, "--record", &rest, "--every", "4"]);
    assert_eq!(frames(&first).into_keys().collect::<Vec<_>>(), [0, 1, 2, 3]);
    assert_eq!(frames(&rest).into_keys().collect::<Vec<_>>(), [4, 5]);
}

#[test]
fn the_gpu_engine_records_every_frame_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = path(&folder, "a.csv");
    let v = gpu(&["run", "bottleneck", "--agents", "40", "--steps", "30", "--record", &file]);
    assert_eq!(v["recorded"]["frames"], 31);
    assert!(frames(&file).values().all(|&n| n == 40));
}

#[test]
fn what_cannot_be_recorded_is_said_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let [other, none, good] = ["a.xml", "none/a.txt", "a.txt"].map(|name| path(&folder, name));
    let said = |options: &[&str]| complaint(&[&["run", "bottleneck", "--record"], options].concat(), 2);
    assert!(said(&[&other]).contains(".sqlite, .parquet, .txt, .csv"));
    assert!(said(&[&none]).contains("there is no folder"));
    assert!(said(&[&good, "--fps", "30"]).contains("25, 12.5"));
    assert!(said(&[&good, "--fps", "0"]).contains("--fps 0"));
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);
}

#[cfg(unix)]
#[test]
fn a_full_disk_ends_the_recording_and_not_the_run() {
    let folder = tempfile::tempdir().expect("a folder");
    for ending in ["sqlite", "parquet", "txt", "csv"] {
        let (file, out) = (path(&folder, &format!("a.{ending}")), path(&folder, ending));
        // As good as a full disk: no file may be larger than a megabyte.
        let words = "ulimit -f 1000; exec \"$0\" \"$@\"";
        let throng = program(&[]);
        let mut limited = std::process::Command::new("bash");
        limited
            .args(["-c", words])
            .arg(throng.get_program())
            .args(["run", "circle", "--agents", "4000", "--steps", "40"]);
        limited.args(["--engine", "cpu", "--json", "--record", &file, "--out", &out]);
        let output = limited.stdin(Stdio::null()).output().expect("bash starts");
        let (text, said) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.code(), Some(1), "{ending}: {said}");
        assert!(said.contains(&format!("cannot write {file}")), "{ending}: {said}");
        let v: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(v["steps"], 40, "{ending}");
        assert!(
            v["recorded"]["failed"].is_string()
                && v["recorded"]["frames"].as_u64().is_some_and(|n| (1..40).contains(&n))
        );
        assert!(std::path::Path::new(&out).join("summary.json").exists(), "{ending}");
        if ending == "csv" {
            assert_eq!(frames(&file).values().filter(|&&n| n == 4000).count() as u64, v["recorded"]["frames"]);
        }
    }
}

#[cfg(unix)]
#[test]
fn a_run_that_is_interrupted_or_killed_leaves_whole_lines() {
    let folder = tempfile::tempdir().expect("a folder");
    for (signal, code) in [("INT", Some(1)), ("KILL", None)] {
        let file = path(&folder, &format!("{signal}.csv"));
        let words = ["run", "circle", "--agents", "4000", "--engine", "cpu", "--seconds", "100000", "--quiet"];
        let mut running = program(&[&words[..], &["--record", &file]].concat()).spawn().expect("the program starts");
        let begun = Instant::now();
        while std::fs::metadata(&file).map_or(0, |m| m.len()) < 500_000 {
            assert!(begun.elapsed() < Duration::from_secs(120), "it does not record");
            std::thread::sleep(Duration::from_millis(20));
        }
        let sent = std::process::Command::new("kill").args(["-s", signal, &running.id().to_string()]).status();
        assert!(sent.expect("kill starts").success());
        assert_eq!(running.wait().expect("it ends").code(), code);
        let mut counts: Vec<usize> = frames(&file).into_values().collect();
        if signal == "KILL" {
            counts.pop();
        }
        assert!(!counts.is_empty() && counts.iter().all(|&n| n == 4000), "{signal}");
    }
}
