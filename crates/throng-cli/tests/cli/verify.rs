//! `throng verify`, with tests that take a moment.

use super::{complaint, json, path, throng};
use std::path::Path;

#[test]
fn verify_prints_json_and_nothing_else_if_asked() {
    let v = json(&["verify", "rimea-1", "rimea-5", "--quick", "--json", "-"]);
    let ids: Vec<_> =
        v["tests"].as_array().expect("a list").iter().map(|t| t["id"].as_str().expect("a word")).collect();
    assert_eq!(ids, ["rimea-1", "rimea-5"]);
    assert!(v["tests"].as_array().expect("a list").iter().all(|t| t["status"] == "pass"), "{v}");
    assert_eq!(v["settings"]["engine"], "cpu");
    assert_eq!(v["settings"]["cell"], 0.25);
}

#[test]
fn verify_leaves_a_report_tables_and_plots_and_renews_a_page() {
    let folder = tempfile::tempdir().expect("a folder");
    let (out, page) = (path(&folder, "results"), path(&folder, "page.md"));
    std::fs::write(
        &page,
        "# A page\n\n<!-- verify: made by a program -->\nof yore\n<!-- end of verify -->\n\nThe end.\n",
    )
    .expect("a file");
    let args = ["verify", "rimea-1", "nist-2.8", "--quick", "--dt", "0.08", "--cell", "0.5", "--steer", "walk"];
    let output = throng(&[&args[..], &["--out", &out, "--page", &page]].concat());
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(text.contains("Standard evacuation tests") && text.contains("rimea-1"), "{text}");
    let read = |name: &str| std::fs::read(Path::new(&out).join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    for name in ["report.md", "verify.json", "figures.csv", "points.csv", "runs.csv"] {
        assert!(!read(name).is_empty(), "{name}");
    }
    assert!(image::load_from_memory(&read("counterflow.png")).expect("a picture").width() >= 900);
    let page = std::fs::read_to_string(&page).expect("the page");
    assert!(page.starts_with("# A page\n\n<!-- verify: made by a program -->\n\nThrong "), "{page}");
    assert!(page.ends_with("\n<!-- end of verify -->\n\nThe end.\n") && !page.contains("of yore"), "{page}");
    assert!(page.contains("(results/counterflow.png)"), "links lead from the page: {page}");
}

#[test]
fn verify_ends_with_1_if_a_test_fails() {
    let output = throng(&["verify", "pair", "--quick", "--steer", "follow"]);
    let text = String::from_utf8(output.stdout).expect("text");
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("✗ least speed over free speed") && text.contains("0 passed, 1 failed"), "{text}");
}

#[test]
fn verify_writes_scenes_that_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let scenes = path(&folder, "scenes");
    assert!(throng(&["verify", "rimea-1", "pair", "--seeds", "2", "--scenes", &scenes]).status.success());
    let mut names: Vec<_> = std::fs::read_dir(&scenes)
        .expect("a folder")
        .flatten()
        .map(|e| e.file_name().into_string().expect("text"))
        .collect();
    names.sort();
    assert_eq!(names, ["pair-seed1.toml", "pair-seed2.toml", "rimea-1-seed1.toml", "rimea-1-seed2.toml"]);
    let v = json(&["run", &format!("{scenes}/rimea-1-seed2.toml"), "--json"]);
    assert_eq!((&v["arrived"], &v["seed"]), (&1.into(), &2.into()));
}

#[test]
fn verify_refuses_what_makes_no_sense_and_says_what_would() {
    for (args, help) in [
        (&["rimea_6"][..], "did you mean \"rimea-6\"?"),
        (&["standrad", "--list"], "did you mean \"standard\"?"),
        (&["--cell", "0.3"], "0.1, 0.125, 0.2, 0.25, 0.5"),
        (&["--dt", "1"], "0.005 to 0.1"),
        (&["--seeds", "0"], "1..=1000"),
        (&["--steer", "fly"], "keep-distance"),
        (&["--set", "model.walk.foresigth=2"], "did you mean `foresight`?"),
        (&["--cell", "0.1", "--dt", "0.08"], "past a whole cell"),
        (&["--set", "cell=2"], "values of the model"),
        (&["--set", "model.walk.foresight=-2"], "foresight"),
        (&["--page", "page.md"], "--out"),
        (&["--device", "no such device"], "no such device"),
        (&["--scenes", "folder", "--out", "other"], "--out"),
    ] {
        let said = complaint(&[&["verify"], args].concat(), 2);
        assert!(said.contains(help), "{args:?}: {said}");
    }
}

#[test]
fn a_page_without_the_comments_is_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let (out, page) = (path(&folder, "results"), path(&folder, "page.md"));
    std::fs::write(&page, "# No comments\n").expect("a file");
    let said = complaint(&["verify", "rimea-1", "--quick", "--out", &out, "--page", &page], 2);
    assert!(said.contains("<!-- end of verify -->"), "{said}");
    assert_eq!(std::fs::read_to_string(&page).expect("the page"), "# No comments\n");
}

#[test]
fn verify_runs_on_a_gpu() {
    let v =
        json(&["verify", "pair", "--quick", "--steer", "walk", "--dt", "0.08", "--device", "llvmpipe", "--json", "-"]);
    assert_eq!((&v["settings"]["engine"], &v["tests"][0]["status"]), (&"gpu".into(), &"pass".into()), "{v}");
}

#[cfg(unix)]
#[test]
fn what_was_finished_before_ctrl_c_is_kept_and_nothing_replaces_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = path(&folder, "tables");
    let interrupted = |args: &[&str], seconds: f64| {
        let child = super::program(args).stderr(std::process::Stdio::piped()).spawn().expect("it starts");
        std::thread::sleep(std::time::Duration::from_secs_f64(seconds));
        let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(kill.expect("kill starts").success());
        let output = child.wait_with_output().expect("it ends");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    // The first runs of the table last for minutes.
    let (status, text) = interrupted(&["verify", "--congestion", "--out", &out, "--threads", "1"], 2.0);
    assert!(status == Some(1) && text.contains("0 of 15 runs") && text.contains("nothing is written"), "{text}");
    assert_eq!(std::fs::read_dir(&out).expect("a folder").count(), 0);
    // Of the scenes of steerings the first take a moment.
    let steerings = ["verify", "--steerings", "--quick", "--out", &out, "--threads", "2"];
    let (status, text) = interrupted(&steerings, 20.0);
    assert!(status == Some(1) && text.contains("what was finished is kept"), "{text}");
    let rows = std::fs::read_to_string(Path::new(&out).join("steerings.csv")).expect("a table");
    assert!(rows.lines().count() > 1, "{rows}");
}
