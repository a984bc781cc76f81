//! What a run leaves behind: outputs that fail, that cannot be written, that are no files; and how the program ends then.
#![cfg(unix)]

use super::{complaint, json, path, program, throng};
use serde_json::Value;
use std::os::unix::fs::FileTypeExt;
use std::path::Path;
use std::process::{Command, Stdio};

/// A scene whose only way closes in its first step.
const STUCK: &str = "size = [20, 10]\n[map]\nwalls = [{ rect = [10, 0, 10.5, 10], name = \"w\", open = true }]\n\
                     [[goal]]\nrect = [19, 4, 20, 6]\n[[agents]]\ncount = 3\nstart = { rect = [1, 1, 5, 5] }\n\
                     [[event]]\nat = 0\nclose = \"w\"\n";

const CORRIDOR: [&str; 5] = ["run", "corridor", "--steps", "3", "--json"];

fn corridor(options: &[&str]) -> Vec<String> {
    CORRIDOR.iter().chain(options).map(|s| (*s).to_owned()).collect()
}

#[test]
fn a_run_that_is_stuck_ends_with_one_whatever_standard_output_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = path(&folder, "stuck.toml");
    std::fs::write(&file, STUCK).expect("a file");
    for options in [&[][..], &["--json"]] {
        let args = [&["run", &file, "--engine", "cpu"][..], options].concat();
        let mut child = program(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(1), "a reader that has gone away hides nothing");
        assert!(String::from_utf8_lossy(&output.stderr).contains("3 people are left"));
    }
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("a full device");
    let args = ["run", "corridor", "--steps", "2"];
    let output = program(&args).stdout(full).stderr(Stdio::piped()).output().expect("it ends");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot print the report"));
}

#[test]
fn a_hangup_is_ignored_under_nohup_and_ends_a_run_otherwise() {
    let folder = tempfile::tempdir().expect("a folder");
    // A shell that was started so itself could not take that back.
    for (how, ends) in [("--ignore-signal=HUP", false), ("--default-signal=HUP", true)] {
        let save = path(&folder, if ends { "ends.throng" } else { "goes-on.throng" });
        let throng = program(&[]);
        let mut env = Command::new("env");
        env.arg(how).arg(throng.get_program());
        env.args(["run", "circle", "--agents", "500", "--engine", "cpu", "--steps", "100000000", "--quiet"]);
        env.args([
            "--checkpoint",
            "0.05",
            "--checkpoints",
            &path(&folder, if ends { "a" } else { "b" }),
            "--save",
            &save,
        ]);
        let mut child = env.stdin(Stdio::null()).spawn().expect("env starts");
        // It watches for signals once it steps, and then has checkpoints.
        let begun = std::time::Instant::now();
        while std::fs::read_dir(path(&folder, if ends { "a" } else { "b" })).map_or(0, Iterator::count) < 2 {
            assert!(begun.elapsed().as_secs() < 120, "it does not begin");
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        let id = child.id().to_string();
        let kill = |signal: &str| Command::new("kill").args([signal, &id]).status().expect("kill starts");
        assert!(kill("-HUP").success());
        std::thread::sleep(std::time::Duration::from_secs(2));
        if ends {
            assert_eq!(child.wait().expect("it ends").code(), Some(1));
        } else {
            assert!(child.try_wait().expect("it can be asked").is_none(), "an ignored hangup stays ignored");
            assert!(kill("-INT").success());
            assert_eq!(child.wait().expect("it ends").code(), Some(1), "and Ctrl-C still works");
        }
        assert!(Path::new(&save).is_file());
    }
}

#[test]
fn an_output_that_fails_takes_no_other_with_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let [save, out] = ["state.throng", "results"].map(|name| path(&folder, name));
    // The device is full when it is written, which nobody can know before.
    let args = corridor(&["--people", "/dev/full", "--save", &save, "--out", &out]);
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let output = throng(&args);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("cannot write /dev/full"), "{said}");
    let report: Value = serde_json::from_slice(&output.stdout).expect("the report appears all the same");
    assert_eq!(report["not_written"].as_array().map(Vec::len), Some(1));
    let summary: Value =
        serde_json::from_slice(&std::fs::read(format!("{out}/summary.json")).expect("a summary")).expect("JSON");
    assert_eq!(summary["not_written"], report["not_written"]);
    let on = json(&["run", "corridor", "--steps", "1", "--json", "--resume", &save]);
    assert_eq!(on["steps"], 4);
    // The other way round: the snapshot fails, and everything else is there.
    let people = path(&folder, "people.csv");
    let args = corridor(&["--save", "/dev/full", "--people", &people]);
    let output = throng(&args.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(output.status.code(), Some(1));
    assert!(serde_json::from_slice::<Value>(&output.stdout).is_ok());
    assert!(std::fs::read_to_string(&people).expect("a table").lines().count() > 100);
}

#[test]
fn what_cannot_be_written_is_said_before_the_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let [taken, locked, none] = ["taken", "locked", "none/state"].map(|name| path(&folder, name));
    std::fs::create_dir(&taken).expect("a folder");
    std::fs::write(&locked, "precious").expect("a file");
    let mut permissions = std::fs::metadata(&locked).expect("it is there").permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(&locked, permissions).expect("they can be set");
    // Long enough that nobody would wait for it.
    let run = |options: &[&str], status: i32| {
        complaint(&[&["run", "circle", "--engine", "cpu", "--steps", "1000000000"], options].concat(), status)
    };
    for option in ["--save", "--people"] {
        assert!(run(&[option, &taken], 1).contains("it is a folder"));
        assert!(run(&[option, &locked], 1).contains("read-only"));
        assert!(run(&[option, &none], 2).contains("there is no folder"));
    }
    std::fs::create_dir_all(format!("{taken}/summary.json")).expect("a folder");
    assert!(run(&["--out", &taken], 1).contains("summary.json"));
    assert!(run(&["--save", &format!("{taken}/a"), "--people", &format!("{taken}/a")], 2).contains("cannot both be"));
    // Two links to one file, which is not there yet; and a folder of results where a file is to be.
    for link in ["a", "b"] {
        std::os::unix::fs::symlink("real.throng", path(&folder, link)).expect("a link");
    }
    let both = ["--save", &path(&folder, "a"), "--people", &path(&folder, "b")];
    assert!(run(&both, 2).contains("cannot both be"));
    let same = path(&folder, "same");
    assert!(run(&["--out", &same, "--save", &same], 1).contains("it is a folder"));
    let within = format!("{same}/summary.json");
    assert!(run(&["--out", &same, "--save", &within], 2).contains("--out writes a file of its own there"));
    let wall = path(&folder, "wall.sqlite");
    assert!(Command::new("mkfifo").arg(&wall).status().expect("mkfifo starts").success());
    assert!(run(&["--record", &wall], 1).contains("a pipe or a device"));
    assert!(std::fs::symlink_metadata(&wall).expect("it is there").file_type().is_fifo());
    let field = ["field", "circle", "density", "--steps", "1000000000", "-o"];
    std::fs::create_dir(path(&folder, "density.png")).expect("a folder");
    assert!(complaint(&[&field[..], &[&path(&folder, "density.png")]].concat(), 1).contains("it is a folder"));
    assert_eq!(std::fs::read_to_string(&locked).expect("still there"), "precious");
    assert_eq!(std::fs::read_dir(&taken).expect("a folder").count(), 1, "nothing is left of the looking");
    let scene = path(&folder, "own.toml");
    std::fs::write(&scene, STUCK).expect("a file");
    assert!(complaint(&["run", &scene, "--save", &scene], 2).contains("the scene itself"));
    // A single file in a folder of results that is not there yet.
    let [results, within] = ["new", "new/state"].map(|name| path(&folder, name));
    let output = throng(&["run", "corridor", "--steps", "2", "--out", &results, "--save", &within]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(Path::new(&within).is_file());
}

#[test]
fn what_a_scene_is_made_of_is_not_written_over() {
    let folder = tempfile::tempdir().expect("a folder");
    let [all, link] = ["", "link.png"].map(|name| path(&folder, name));
    assert!(throng(&["scenes", "--export", &all]).status.success());
    let [scene, image] = ["hills.toml", "hills-map.png"].map(|name| path(&folder, name));
    std::os::unix::fs::symlink("hills-map.png", &link).expect("a link");
    let before = std::fs::read(&image).expect("it is there");
    for args in [
        &["run", &scene, "--steps", "1", "--save", &image][..],
        &["run", &scene, "--steps", "1", "--people", &link],
        &["render", &scene, "--steps", "1", "-o", &image],
        &["field", &scene, "density", "-o", &link],
    ] {
        let text = complaint(args, 2);
        assert!(text.contains("the scene is made of this file"), "{text}");
    }
    assert_eq!(std::fs::read(&image).expect("it is there"), before);
}

/// Twenty people who leave within seconds.
const LEAVING: &str = "size = [20, 10]\ncell = 0.25\n[[goal]]\nrect = [19, 4, 20, 6]\n[[agents]]\ncount = 20\n\
                       start = { rect = [1, 1, 9, 9] }\n[[measure]]\nname = \"gate\"\nline = [[18, 0], [18, 10]]\n";

#[test]
fn a_run_that_goes_on_says_what_it_knows_and_replaces_nothing_of_the_first_half() {
    let folder = tempfile::tempdir().expect("a folder");
    let [scene, half, end] = ["leaving.toml", "half.throng", "end.throng"].map(|name| path(&folder, name));
    let [people, record, out] = ["people.csv", "walk.csv", "out"].map(|name| path(&folder, name));
    std::fs::write(&scene, LEAVING).expect("a file");
    let whole = json(&["run", &scene, "--json"]);
    let half_way = whole["cleared_seconds"]["50%"].as_f64().expect("they leave") + 0.5;
    let first = ["run", &scene, "--seconds", &half_way.to_string(), "--json", "--save", &half, "--people", &people];
    json(&[&first[..], &["--record", &record, "--out", &out]].concat());
    let before = [&people, &record].map(|file| std::fs::read(file).expect("it is written"));
    // Half of them had left before: when is not known any more.
    let rest = json(&["run", &scene, "--json", "--resume", &half, "--save", &end]);
    assert!(rest["cleared_seconds"]["50%"].is_null(), "{rest}");
    for percent in ["95%", "100%"] {
        assert_eq!(rest["cleared_seconds"][percent], whole["cleared_seconds"][percent]);
    }
    assert!(rest["resumed_at_seconds"].as_f64().is_some_and(|t| (t - half_way).abs() < 0.1));
    assert!(whole["resumed_at_seconds"].is_null());
    let text = |snapshot: &str| String::from_utf8(throng(&["run", &scene, "--resume", snapshot]).stdout).expect("text");
    let said = text(&half);
    assert!(said.contains("50 %: before ") && said.contains("(since "), "{said}");
    let said = text(&end);
    assert!(said.contains("100 %: before ") && !said.contains("not reached"), "{said}");
    for file in [["--people", &people], ["--record", &record], ["--out", &out]] {
        let said = complaint(&[&["run", &scene, "--resume", &half][..], &file].concat(), 2);
        assert!(said.contains("is there already") && said.contains(file[0]), "{said}");
    }
    assert_eq!(before, [&people, &record].map(|file| std::fs::read(file).expect("it is there still")));
}

#[test]
fn fields_and_verifications_are_tried_before_the_work_and_each_other() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = path(&folder, "out");
    std::fs::create_dir_all(format!("{out}/use.png")).expect("a folder");
    std::fs::create_dir_all(format!("{out}/report.md")).expect("a folder");
    let long = ["field", "circle", "all", "--steps", "1000000000", "-o", &out];
    assert!(complaint(&long, 1).contains("use.png"));
    assert!(complaint(&["verify", "--out", &out], 1).contains("report.md"));
    let [text, csv] = ["text.csv", "a.csv"].map(|name| path(&folder, name));
    std::fs::write(&text, "of,other,columns\n").expect("a file");
    let bench = ["bench", "corridor", "--engine", "cpu", "--warmup", "1", "--steps", "1", "--csv"];
    assert!(complaint(&[&bench[..], &[&text]].concat(), 1).contains("has other columns"));
    assert_eq!(std::fs::read_to_string(&text).expect("it is there"), "of,other,columns\n");
    // Nobody can read the table: the file is there, and the status says that something is missing.
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("Linux has one");
    let status = program(&bench).arg(&csv).stdout(full).stderr(Stdio::null()).status();
    assert_eq!(status.expect("it starts").code(), Some(1));
    assert!(std::fs::read_to_string(&csv).expect("it is written").lines().count() > 3);
}

#[test]
fn a_pipe_that_nobody_reads_takes_no_other_output_with_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let (pipe, people) = (path(&folder, "pipe"), path(&folder, "people.csv"));
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo starts").success());
    let args = corridor(&["--save", &pipe, "--people", &people]);
    let output = program(&args.iter().map(String::as_str).collect::<Vec<_>>()).output().expect("the program starts");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a report all the same");
    assert_eq!(output.status.code(), Some(1), "{report}");
    let text = report["not_written"][0].as_str().expect("a file that was not written");
    assert!(text.contains("nobody has read this pipe"), "{text}");
    assert!(Path::new(&people).exists(), "{report}");
    let text = complaint(&["run", "corridor", "--steps", "1", "--resume", &pipe], 1);
    assert!(text.contains("a snapshot is a plain file"), "{text}");
}

#[test]
fn pipes_and_devices_are_written_through_and_leftovers_go() {
    let folder = tempfile::tempdir().expect("a folder");
    let pipe = path(&folder, "pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo starts").success());
    std::fs::write(path(&folder, ".throng-1-3.tmp"), "left by a kill").expect("a file");
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || std::fs::read(pipe).expect("it is written")
    });
    let args = corridor(&["--save", &pipe, "--people", "/dev/null", "--out", &path(&folder, "")]);
    json(&args.iter().map(String::as_str).collect::<Vec<_>>());
    let state = path(&folder, "state.throng");
    std::fs::write(&state, reader.join().expect("it was read")).expect("a file");
    assert!(std::fs::symlink_metadata(&pipe).expect("it is there").file_type().is_fifo());
    assert!(std::fs::metadata("/dev/null").expect("it is there").file_type().is_char_device());
    assert!(!Path::new(&path(&folder, ".throng-1-3.tmp")).exists());
    assert_eq!(json(&["run", "corridor", "--steps", "1", "--json", "--resume", &state])["steps"], 4);
    // Standard output by its name: the report does not follow it there.
    let args = ["field", "corridor", "density", "-o"];
    let file = path(&folder, "density.npy");
    std::os::unix::fs::symlink("/dev/stdout", &file).expect("a link");
    let output = throng(&[&args[..], &[&file]].concat());
    assert!(output.status.success() && output.stdout.starts_with(b"\x93NUMPY"));
}

#[test]
fn a_file_that_is_standard_output_has_it_alone_and_is_gone_on_with() {
    let folder = tempfile::tempdir().expect("a folder");
    let (state, array, link) = (path(&folder, "state"), path(&folder, "array"), path(&folder, "link.npy"));
    let out = || std::fs::File::create(&state).expect("a file");
    let args = ["run", "corridor", "--steps", "3", "--save", "/dev/stdout"];
    let output = program(&args).stdout(out()).output().expect("the program starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.contains("time per step"), "the report is elsewhere: {said}");
    assert_eq!(json(&["run", "corridor", "--steps", "1", "--json", "--resume", &state])["steps"], 4);
    // After what is there already.
    std::os::unix::fs::symlink("/dev/stdout", &link).expect("a link");
    std::fs::write(&array, "before").expect("a file");
    let append = std::fs::OpenOptions::new().append(true).open(&array).expect("it is there");
    let args = ["field", "corridor", "density", "-o", &link];
    assert!(program(&args).stdout(append).status().expect("the program starts").success());
    let alone = path(&folder, "alone.npy");
    assert!(throng(&["field", "corridor", "density", "-o", &alone]).status.success());
    let expected = [&b"before"[..], &std::fs::read(&alone).expect("an array")].concat();
    assert!(std::fs::read(&array).expect("an array") == expected);
}

#[test]
fn maps_of_a_run_that_goes_on_are_whole_or_it_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let [state, one, two] = ["half.throng", "one", "two"].map(|name| path(&folder, name));
    let run = |options: &[&str]| json(&[&["run", "bottleneck", "--json"], options].concat());
    run(&["--steps", "40", "--out", &one]);
    run(&["--steps", "25", "--save", &state]);
    run(&["--steps", "15", "--resume", &state, "--out", &two]);
    for name in ["use.png", "peak-density.png"] {
        let read = |out: &str| std::fs::read(format!("{out}/{name}")).expect("a picture");
        assert!(read(&one) == read(&two), "{name} is that of the whole run");
    }
}

#[test]
fn what_is_no_snapshot_is_refused_without_reading_it() {
    // Endless: reading all of it first would not end.
    let text = complaint(&["run", "corridor", "--steps", "1", "--resume", "/dev/zero"], 1);
    assert!(text.contains("a snapshot is a plain file"), "{text}");
    let folder = tempfile::tempdir().expect("a folder");
    let file = path(&folder, "zeros");
    std::fs::File::create(&file).and_then(|f| f.set_len(1 << 40)).expect("a file with a hole");
    let text = complaint(&["run", "corridor", "--steps", "1", "--resume", &file], 1);
    assert!(text.contains("not a snapshot"), "{text}");
}

#[test]
fn exported_scenes_replace_what_somebody_changed_only_when_told_to() {
    let folder = tempfile::tempdir().expect("a folder");
    let (all, file) = (path(&folder, ""), path(&folder, "corridor.toml"));
    let export = |more: &[&str]| throng(&[&["scenes", "--export", &all], more].concat());
    assert!(export(&[]).status.success());
    let original = std::fs::read(&file).expect("a scene");
    // All there already: nothing to ask.
    let again = export(&[]);
    assert!(again.status.success() && String::from_utf8_lossy(&again.stdout).contains("wrote 0 files"), "{again:?}");
    std::fs::write(&file, "# mine").expect("written");
    std::fs::remove_file(path(&folder, "empty.toml")).expect("removed");
    let refused = export(&[]);
    let words = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(1), "{words}");
    assert!(words.contains("corridor.toml differs") && words.contains("--force"), "{words}");
    assert_eq!(std::fs::read(&file).expect("a scene"), b"# mine");
    assert!(export(&["--force"]).status.success());
    assert_eq!(std::fs::read(&file).expect("a scene"), original);
    assert!(std::path::Path::new(&path(&folder, "empty.toml")).exists());
}

#[test]
fn outputs_of_benchmarks_and_checks_are_tried_before_the_work() {
    let folder = tempfile::tempdir().expect("a folder");
    let there = path(&folder, "folder.png");
    std::fs::create_dir(&there).expect("a folder");
    let nowhere = path(&folder, "nowhere/a.png");
    for file in [&there, &nowhere] {
        let sweep = ["bench", "--sweep", "agents", "--from", "256", "--to", "256"];
        for args in [
            [&["bench", "corridor"][..], &["--csv", file]].concat(),
            [&sweep[..], &["--plot", file]].concat(),
            ["check", "froblins", "--picture", file].to_vec(),
        ] {
            let begun = std::time::Instant::now();
            let text = complaint(&args, 1);
            assert!(text.contains(file.as_str()), "{text}");
            // A batch of steps alone takes longer.
            assert!(begun.elapsed().as_secs_f64() < 5.0, "{args:?} took {:?}", begun.elapsed());
        }
    }
}
