//! `throng bench --sweep`, over ranges that take a moment.

use super::{complaint, gpu, json, path, throng};
use serde_json::Value;
use throng::stages::NAMES;

/// The lines of a CSV file, split at its commas; values in quotes may have some of their own.
fn table(csv: &str) -> Vec<Vec<String>> {
    let split = |line: &str| {
        let mut quoted = false;
        let fields = line.split(|c| {
            quoted ^= c == '"';
            c == ',' && !quoted
        });
        fields.map(str::to_owned).collect()
    };
    std::fs::read_to_string(csv).expect("a file").lines().map(split).collect()
}

fn numbers(v: &Value, key: &str) -> Vec<u64> {
    v["points"].as_array().expect("a list").iter().filter_map(|p| p[key].as_u64()).collect()
}

#[test]
fn a_sweep_over_cells_keeps_the_people_and_lets_them_overlap_where_they_do_not_fit() {
    let folder = tempfile::tempdir().expect("a folder");
    let (csv, png) = (path(&folder, "cells.csv"), path(&folder, "cells.png"));
    let v = json(&[
        "bench", "--sweep", "cells", "--agents", "3000", "--from", "16", "--to", "64", "--engine", "cpu", "--json",
        "--csv", &csv, "--plot", &png,
    ]);
    assert_eq!(v["scene"], "exit bar");
    assert_eq!(numbers(&v, "cells"), [256, 1024, 4096]);
    assert_eq!(numbers(&v, "agents"), [3000; 3]);
    // Bodies of 0.2 m: at most 7.2 people per m² fit, and there are 47, 12 and 2.9.
    let overlapping: Vec<_> =
        v["points"].as_array().expect("a list").iter().map(|p| p["overlapping"] == true).collect();
    assert_eq!(overlapping, [true, true, false]);
    for stage in NAMES {
        assert!(v["points"][2]["stages"][stage].as_f64().is_some_and(|ms| ms > 0.0), "{stage}");
    }
    let rows = table(&csv);
    assert_eq!(rows.len(), 4, "a header and a row for each point");
    assert!(rows.iter().all(|row| row.len() == rows[0].len()), "{rows:?}");
    assert!(NAMES.iter().all(|stage| rows[0].contains(&format!("{stage}_ms"))), "{:?}", rows[0]);
    let chart = image::open(&png).expect("a picture");
    assert!(chart.width() >= 1000 && chart.height() >= 600);
}

#[test]
fn a_sweep_over_people_keeps_the_world_and_prints_a_line_for_each_point() {
    let output =
        throng(&["bench", "--sweep", "agents", "--from", "100", "--to", "450", "--scale", "0.01", "--engine", "cpu"]);
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    // 1024 cells a side, a hundredth of the area.
    let lines: Vec<&str> = text.lines().filter(|line| line.contains(" 10,404 ")).collect();
    assert_eq!(lines.len(), 3, "{text}");
    for (line, people) in lines.iter().zip([" 100 ", " 200 ", " 400 "]) {
        assert!(line.contains(people), "{line}");
    }
    assert!(text.contains("people/m²") && text.contains("planning"), "{text}");
    assert!(!text.contains("overlap"), "they fit: {text}");
}

#[test]
fn a_sweep_runs_on_a_gpu_and_times_its_stages() {
    let v = gpu(&[
        "bench",
        "--sweep",
        "agents",
        "--from",
        "32",
        "--to",
        "64",
        "--scale",
        "0.0005",
        "--steps",
        "8",
        "--batches",
        "1",
        "--warmup",
        "8",
        "--max-seconds",
        "5",
    ]);
    assert_eq!(v["engine"], "gpu");
    assert_eq!(numbers(&v, "agents"), [32, 64]);
    assert_eq!(numbers(&v, "steps"), [8, 8]);
    for stage in NAMES {
        assert!(v["points"][0]["stages"][stage].as_f64().is_some_and(|ms| ms > 0.0), "{stage}");
    }
}

#[test]
fn a_sweep_that_makes_no_sense_is_refused_with_what_would() {
    for (args, help) in [
        (&["--sweep", "cells", "--from", "64", "--to", "32"][..], "goes up"),
        (&["--sweep", "cells", "--to", "100000"], "16384"),
        (&["--sweep", "agents", "--agents", "9"], "--from and --to"),
        (&["--sweep", "cells", "--scale", "4"], "--from and --to"),
        (&["--sweep", "agents", "--scale", "1,4"], "one number"),
        (&["--sweep", "agents", "--plot", "chart.svg"], ".png"),
        (&["--sweep", "people"], "agents"),
        (&["--plot", "chart.png"], "--sweep"),
    ] {
        let said = complaint(&[&["bench"], args].concat(), 2);
        assert!(said.contains(help), "{args:?}: {said}");
    }
}
