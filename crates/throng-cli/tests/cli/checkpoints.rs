//! `throng run --checkpoint`: what is left of a run that was killed.
#![cfg(unix)]

use super::common::complaint_of;
use super::{complaint, json, path, program, throng};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// The checkpoints in a folder by name.
fn names(folder: &str) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.filter_map(|e| e.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|n| n.starts_with("checkpoint-")).collect();
    names.sort();
    names
}

const RUN: [&str; 5] = ["run", "circle", "--agents", "800", "--engine=cpu"];

/// Starts a run without end and kills it once it has written some checkpoints.
fn killed(folder: &str, more: &[&str], least: usize) {
    let options = ["--steps", "100000000", "--quiet", "--checkpoint", "0.1", "--checkpoints", folder];
    let mut child = program(&[&RUN[..], &options, more].concat()).spawn().expect("the program starts");
    let begun = Instant::now();
    let number = |name: &String| name[11..17].parse().unwrap_or(0);
    while names(folder).last().map_or(0, number) < least {
        assert!(begun.elapsed() < Duration::from_secs(120), "it writes no checkpoints");
        std::thread::sleep(Duration::from_millis(20));
    }
    let kill = Command::new("kill").args(["-KILL", &child.id().to_string()]).status().expect("kill is there");
    assert!(kill.success());
    assert_eq!(child.wait().expect("it ends").code(), None);
}

#[test]
fn a_killed_run_goes_on_from_its_newest_whole_checkpoint_with_the_same_bits() {
    let temporary = tempfile::tempdir().expect("a folder");
    let folder = path(&temporary, "kept");
    killed(&folder, &[], 4);
    let there = names(&folder);
    assert!((2..=3).contains(&there.len()), "the last two, and perhaps one that was just written: {there:?}");
    let go_on = |more: &[&str]| json(&[&RUN[..], &["--steps", "5", "--json"], more].concat());
    let newest = go_on(&["--resume", &folder]);
    let steps = newest["steps"].as_u64().expect("a number");
    let whole = json(&[&RUN[..], &["--steps", &steps.to_string(), "--json"]].concat());
    assert_eq!(newest["state_hash"], whole["state_hash"]);
    // A damaged one is named, and the one before it taken.
    let last = format!("{folder}/{}", there.last().expect("some"));
    let bytes = std::fs::read(&last).expect("a file");
    std::fs::write(&last, &bytes[..bytes.len() / 2]).expect("a file");
    let output = throng(&[&RUN[..], &["--steps", "5", "--json", "--resume", &folder]].concat());
    assert!(output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains(&last));
    let before: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert!(before["steps"].as_u64().expect("a number") < steps);
    for name in names(&folder) {
        std::fs::write(format!("{folder}/{name}"), "rubbish").expect("a file");
    }
    let text = complaint(&[&RUN[..], &["--steps", "5", "--resume", &folder]].concat(), 1);
    assert!(text.contains("no whole checkpoint"), "{text}");
}

#[test]
fn what_an_earlier_run_has_left_is_not_replaced() {
    let temporary = tempfile::tempdir().expect("a folder");
    let folder = path(&temporary, "kept");
    killed(&folder, &[], 2);
    let there = names(&folder);
    let again = [&RUN[..], &["--steps", "2", "--checkpoint", "1", "--checkpoints", &folder]].concat();
    let text = complaint(&again, 2);
    assert!(text.contains("--resume") && text.contains("earlier run"), "{text}");
    assert_eq!(names(&folder), there);
    killed(&folder, &["--resume", &folder], 6);
    assert!(names(&folder).len() <= 3 && !names(&folder).contains(&there[0]), "numbers go on, and old ones go");
}

#[test]
fn of_checkpoints_that_are_there_damaged_ones_go_first() {
    let temporary = tempfile::tempdir().expect("a folder");
    let folder = path(&temporary, "kept");
    killed(&folder, &[], 3);
    let there = names(&folder);
    let newest = there.last().expect("it wrote some");
    let file = std::fs::OpenOptions::new().write(true).open(Path::new(&folder).join(newest)).expect("it is there");
    file.set_len(1000).expect("it can be cut");
    let number: usize = newest[11..17].parse().expect("a number");
    // The next one is written, and then the one after it: by then the first of them has let one go.
    killed(&folder, &["--resume", &folder], number + 2);
    assert!(!names(&folder).contains(newest), "the damaged one is kept: {:?}", names(&folder));
}

#[test]
fn two_runs_do_not_share_a_folder_and_bad_times_are_refused() {
    let temporary = tempfile::tempdir().expect("a folder");
    let folder = path(&temporary, "kept");
    let options = ["--steps", "100000000", "--quiet", "--checkpoint", "1000", "--checkpoints", &folder];
    let mut child = program(&[&RUN[..], &options].concat()).spawn().expect("the program starts");
    let begun = Instant::now();
    while !Path::new(&folder).join(".lock").exists() {
        assert!(begun.elapsed() < Duration::from_secs(120), "it does not begin");
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_millis(200));
    let text = complaint(&[&RUN[..], &options].concat(), 2);
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    assert!(text.contains("another run"), "{text}");
    json(
        &[&RUN[..], &["--steps", "1", "--json", "--checkpoint", "1000", "--checkpoints", &path(&temporary, "none")]]
            .concat(),
    );
    assert!(!Path::new(&path(&temporary, "none")).exists(), "a short run leaves no folder");
    for wrong in ["0", "-3", "nan", "1e99"] {
        complaint(&[&RUN[..], &["--steps", "1", "--checkpoint", wrong]].concat(), 2);
    }
}

#[test]
fn a_full_disk_ends_no_run_and_the_status_tells() {
    let temporary = tempfile::tempdir().expect("a folder");
    let folder = path(&temporary, "kept");
    let throng = program(&[]);
    // As good as a full disk: no file may be larger than 20 kB.
    let mut limited = Command::new("bash");
    limited.args(["-c", "ulimit -f 20; exec \"$0\" \"$@\""]).arg(throng.get_program());
    limited.args(RUN).args(["--steps", "300", "--json", "--checkpoint", "0.05", "--checkpoints", &folder]);
    let output = limited.stdin(std::process::Stdio::null()).output().expect("bash starts");
    assert_eq!(output.status.code(), Some(1));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["steps"], 300);
    assert!(report["not_written"][0].as_str().is_some_and(|why| why.contains("checkpoint-")), "{report}");
    assert!(names(&folder).is_empty());
}

/// Flips bits of a byte of a checkpoint.
fn spoil(folder: &str, name: &str, byte: usize) {
    let file = format!("{folder}/{name}");
    let mut bytes = std::fs::read(&file).expect("it is there");
    bytes[byte] ^= 0x10;
    std::fs::write(&file, bytes).expect("it can be written");
}

#[test]
fn whatever_is_wrong_with_the_newest_the_one_before_it_is_tried() {
    let temporary = tempfile::tempdir().expect("a folder");
    let folder = path(&temporary, "kept");
    killed(&folder, &[], 2);
    let there = names(&folder);
    let newest = there.last().expect("it wrote some");
    // Its format, its crowd, its checksum.
    for byte in [9, 17, 25] {
        spoil(&folder, newest, byte);
        let output = throng(&[&RUN[..], &["--steps", "1", "--json", "--resume", &folder]].concat());
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && said.contains(newest), "byte {byte}: {said}");
        spoil(&folder, newest, byte);
    }
    // None fits: what is wrong with the newest is told.
    spoil(&folder, newest, 9);
    there[..there.len() - 1].iter().for_each(|name| spoil(&folder, name, 25));
    let text = complaint(&[&RUN[..], &["--steps", "1", "--resume", &folder]].concat(), 1);
    let last = text.lines().last().expect("a complaint");
    assert!(last.contains("no whole checkpoint") && last.contains(newest) && last.contains("has format"), "{text}");
}

#[test]
fn what_only_has_the_name_of_a_checkpoint_is_not_waited_for() {
    let temporary = tempfile::tempdir().expect("a folder");
    let folder = path(&temporary, "kept");
    killed(&folder, &[], 2);
    let [endless, pipe] =
        ["checkpoint-900000.throng", "checkpoint-900001.throng"].map(|name| format!("{folder}/{name}"));
    std::fs::File::create(&endless).and_then(|f| f.set_len(1 << 40)).expect("a file with a hole");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo starts").success());
    let options = ["--steps", "1", "--json", "--checkpoint", "1000", "--checkpoints", &folder, "--resume", &folder];
    let output = throng(&[&RUN[..], &options].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(Path::new(&pipe).exists(), "a pipe is nobody's checkpoint");
}

#[test]
fn numbers_that_run_out_and_long_names_are_seen_to_before_the_run() {
    let temporary = tempfile::tempdir().expect("a folder");
    let folder = path(&temporary, "kept");
    killed(&folder, &[], 2);
    let there = names(&folder);
    let last = format!("{folder}/checkpoint-{}.throng", u64::MAX);
    std::fs::copy(format!("{folder}/{}", there[0]), &last).expect("a copy");
    let options = ["--steps", "1", "--checkpoint", "0.01", "--checkpoints", &folder, "--resume", &folder];
    let text = complaint(&[&RUN[..], &options].concat(), 2);
    assert!(text.contains(&u64::MAX.to_string()) && text.contains("--checkpoints DIR"), "{text}");
    assert!(Path::new(&last).exists());
    let scene = path(&temporary, "long.toml");
    let room = "size = [20, 10]\n[[goal]]\nrect = [19, 4, 20, 6]\n[[agents]]\ncount = 3\n";
    std::fs::write(&scene, format!("name = \"{}\"\n{room}", "\u{5b57}".repeat(100))).expect("a file");
    let args = ["run", &scene, "--engine=cpu", "--steps", "2", "--json", "--checkpoint", "1000"];
    let output = program(&args).current_dir(temporary.path()).output().expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn snapshots_that_there_is_no_memory_for_are_refused_before_the_run() {
    let temporary = tempfile::tempdir().expect("a folder");
    let [scene, save, kept] = ["source.toml", "state.throng", "kept"].map(|name| path(&temporary, name));
    let source = "size = [20, 10]\n[[goal]]\nrect = [19, 4, 20, 6]\n[[agents]]\nsource = { rate = 1, total = 1000000 }\n\
                  start = { rect = [1, 1, 5, 5] }\n";
    std::fs::write(&scene, source).expect("a file");
    let run = |steps: &str, options: &[&str]| {
        let args = [&["run", &scene, "--engine=cpu", "--quiet", "--steps", steps], options].concat();
        program(&args).env("THRONG_MEMORY", "80M").output().expect("the program starts")
    };
    for options in [&["--save", &save][..], &["--checkpoint", "1", "--checkpoints", &kept]] {
        let text = complaint_of(options, run("1000000000", options), 2);
        let said = text.contains(options[0]) && text.contains("are left") && text.contains("--agents");
        assert!(said && !text.contains("failed"), "{text}");
        assert!(!Path::new(&kept).exists() && !Path::new(&save).exists(), "nothing is left of what has not begun");
    }
    assert!(run("2", &[]).status.success(), "the run itself fits");
}
