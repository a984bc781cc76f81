//! The program as people and scripts meet it: what it prints, what it writes, how it ends.

#[path = "../../../throng-creature/tests/block/mod.rs"]
mod block;
mod characters;
mod checkpoints;
#[path = "../common/mod.rs"]
mod common;
mod hostile;
mod measured;
mod outputs;
mod packages;
mod record;
mod states;
mod sweep;
mod verify;

use common::{complaint_of, path, program};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn throng(args: &[&str]) -> Output {
    program(args).output().expect("the program starts")
}

/// The program on a machine without Vulkan.
fn bare(args: &[&str]) -> Output {
    let nowhere = "/nonexistent";
    program(args).env("VK_DRIVER_FILES", nowhere).env("VK_ICD_FILENAMES", nowhere).output().expect("the program starts")
}

/// On software Vulkan. Without it a test that calls this fails, and says what to install.
fn gpu(args: &[&str]) -> Value {
    let list = json(&["devices", "--json"]);
    let there = list["devices"].as_array().is_some_and(|d| d.iter().any(|d| d["kind"] == "software"));
    assert!(there, "this test needs software Vulkan (Debian: mesa-vulkan-drivers and libvulkan1); there is {list}");
    json(&[args, &["--device", "llvmpipe", "--json"]].concat())
}

fn json(args: &[&str]) -> Value {
    json_of(args, throng(args))
}

fn json_of(args: &[&str], output: Output) -> Value {
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "nothing on standard error");
    serde_json::from_slice(&output.stdout).expect("one JSON object and nothing else")
}

fn complaint(args: &[&str], status: i32) -> String {
    complaint_of(args, throng(args), status)
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
    assert_eq!(csv.lines().next(), Some("time_s,arrived,active,outside,in_portals,parked,mean_speed_m_per_s"));
    assert_eq!(rows.len(), 7, "a row a second, and the beginning");
    assert!(rows.iter().all(|r| r[1] + r[2] == 150.0), "arrived and on the floor make everybody");
    for name in ["peak-density.png", "use.png", "arrivals.png"] {
        let bytes = read(name);
        assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n", "{name}");
    }
    assert_eq!(std::fs::read_dir(&out).expect("a folder").count(), 7, "and no temporary files");
}

#[test]
fn every_field_becomes_a_picture_and_an_array() {
    let folder = tempfile::tempdir().expect("a folder");
    let fields = [
        "discomfort",
        "density",
        "persons",
        "planner-density",
        "velocity",
        "speed",
        "cost",
        "potential",
        "gradient",
        "peak-density",
        "use",
        "hazard",
        "height",
        "slope",
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
    assert!(complaint(&["run", "circle", "--until-done"], 2).contains("never ends"));
    assert!(complaint(&["run", "office", "--set", "model.plan"], 2).contains("KEY=VALUE"));
    assert!(complaint(&["run", "office", "--steps", "1", "--seconds", "1"], 2).contains("--seconds"));
    assert!(complaint(&["run", "office", "--scale", "-1"], 2).contains("scale"));
    for (command, option) in [("run", "--steps"), ("run", "--every"), ("bench", "--steps"), ("bench", "--warmup")] {
        for wrong in ["-1", "many", "1.5", "99999999999999999999"] {
            let said = complaint(&[command, "office", option, wrong], 2);
            assert!(said.contains("a whole number of steps, from"), "{said}");
        }
    }
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
    let args = ["run", "circle", "--agents", "3000", "--steps", "100000", "--json", "--out", &out, "--save", &save];
    let child = program(&args).stdout(Stdio::piped()).spawn().expect("the program starts");
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
    let each = throng::stages::COUNT + 1;
    assert_eq!(rows, 1 + 2 * 2 * each, "a header, and for each scale of each run a row a stage and one for the step");
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let mut child = program(&["check", "office"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success());
}

#[test]
fn devices_lists_what_there_is_and_says_what_auto_takes() {
    let list = json(&["devices", "--json"]);
    let devices = list["devices"].as_array().expect("a list");
    assert_eq!(devices[0]["engine"], "cpu");
    assert!(devices[0]["threads"].as_u64().is_some_and(|n| n > 0));
    let software = devices.iter().find(|d| d["kind"] == "software").expect("software Vulkan");
    assert_eq!(software["engine"], "gpu");
    assert_eq!(software["backend"], "Vulkan");
    assert!(software["name"].as_str().is_some_and(|n| n.contains("llvmpipe")));
    assert!(software["largest_binding_bytes"].as_u64().is_some_and(|b| b >= 128 << 20));
    assert!(software["lacks"].is_null());
    assert_eq!(list["auto"], "cpu");
    let text = String::from_utf8(throng(&["devices"]).stdout).expect("text");
    assert!(text.contains("takes the CPU") && text.contains("--device llvmpipe"), "{text}");
    let run = json(&["run", "corridor", "--engine", "auto", "--steps", "2", "--json"]);
    assert_eq!(run["engine"], "cpu");
}

#[test]
fn without_vulkan_auto_takes_the_cpu_and_gpu_explains() {
    let args = ["run", "corridor", "--steps", "2", "--json"];
    assert_eq!(json_of(&args, bare(&args))["engine"], "cpu");
    let list = json_of(&[], bare(&["devices", "--json"]));
    assert_eq!(list["devices"].as_array().map(Vec::len), Some(1));
    let why = list["why"].as_str().expect("a reason");
    assert!(why.contains("no driver") && why.contains("Vulkan"), "{why}");
    for choice in [["--engine", "gpu"], ["--device", "llvmpipe"], ["--gpu-from", "guide"]] {
        let args = [&["run", "corridor", "--steps", "2"][..], &choice].concat();
        let text = complaint_of(&args, bare(&args), 1);
        assert!(
            text.contains("no GPU was found") && text.contains("install") && text.contains("--engine cpu"),
            "{text}"
        );
    }
}

#[test]
fn devices_that_are_not_there_are_named_with_those_that_are() {
    let run =
        |options: &[&str], status: i32| complaint(&[&["run", "corridor", "--steps", "2"], options].concat(), status);
    for only_software in [["--engine", "gpu"], ["--gpu-from", "guide"]] {
        let text = run(&only_software, 1);
        assert!(text.contains("only software Vulkan") && text.contains("--device llvmpipe"), "{text}");
    }
    let unknown = run(&["--device", "nonsense"], 2);
    assert!(unknown.contains("nonsense") && unknown.contains("llvmpipe"), "{unknown}");
    let stage = run(&["--gpu-from", "nonsense"], 2);
    assert!(stage.contains("nonsense") && stage.contains("potential"), "{stage}");
    for (one, other) in [
        (["--engine", "cpu"], ["--device", "llvmpipe"]),
        (["--engine", "cpu"], ["--gpu-from", "guide"]),
        (["--threads", "2"], ["--device", "llvmpipe"]),
        (["--threads", "2"], ["--engine", "gpu"]),
    ] {
        let text = run(&[one, other].concat(), 2);
        assert!(text.contains(&one.join(" ")) && text.contains(&other.join(" ")), "{text}");
    }
}

#[test]
fn a_scene_too_large_for_the_device_is_told_with_what_would_fit() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = path(&folder, "plain.toml");
    // Nine million cells of 16 bytes: more than the 128 MiB that software Vulkan gives a shader.
    let text = "size = [3000, 3000]\ncell = 1.0\ngoal = [{ rect = [10, 10, 20, 20] }]\n\
                agents = [{ count = 5000, start = { rect = [100, 100, 900, 900] }, place = \"random\" }]\n";
    std::fs::write(&file, text).expect("a file");
    let text = complaint(&["run", &file, "--device", "llvmpipe", "--steps", "1"], 1);
    for word in ["too large", "llvmpipe", "needs", "agents would fit", "--engine cpu"] {
        assert!(text.contains(word), "{word}: {text}");
    }
}

#[test]
fn a_run_on_a_gpu_reports_what_one_on_the_cpu_does() {
    let args = ["run", "corridor", "--steps", "20"];
    let (first, again) = (gpu(&args), gpu(&args));
    let cpu = json(&["run", "corridor", "--steps", "20", "--engine", "cpu", "--json"]);
    assert_eq!(first["engine"], "gpu");
    assert!(first["device"].as_str().is_some_and(|d| d.contains("llvmpipe") && d.contains("Vulkan")));
    assert_eq!(first["steps"], 20);
    assert_eq!(first["solver"]["converged"], true);
    assert_eq!(first["solver"]["cells_left"], 0);
    assert_eq!((&first["in_wall"], &first["not_finite"]), (&cpu["in_wall"], &cpu["not_finite"]));
    assert!(first["failed"].is_null());
    let names = |v: &Value| v.as_object().expect("an object").keys().cloned().collect::<Vec<String>>();
    assert_eq!(names(&first), names(&cpu));
    assert_eq!(names(&first["stages_ms"]), names(&cpu["stages_ms"]));
    let bytes = |what: &str| first["memory_bytes"][what].as_u64().unwrap_or(0);
    for what in ["agents", "world", "potential", "bin", "separate"] {
        assert!(bytes(what) > 0, "{what}");
    }
    assert_eq!(first["state_hash"], again["state_hash"], "the same bits every time");
}

#[test]
fn a_saved_run_goes_on_on_another_engine_and_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let (first, second) = (path(&folder, "first.throng"), path(&folder, "second.throng"));
    let whole = gpu(&["run", "corridor", "--steps", "12"]);
    gpu(&["run", "corridor", "--steps", "7", "--save", &first]);
    let alone = gpu(&["run", "corridor", "--steps", "5", "--resume", &first]);
    assert_eq!(alone["state_hash"], whole["state_hash"], "on the same device with the same bits");
    let cpu = ["run", "corridor", "--steps", "5", "--engine", "cpu", "--json", "--resume", &first, "--save", &second];
    let on_cpu = json(&cpu);
    assert_eq!((&on_cpu["engine"], &on_cpu["steps"]), (&"cpu".into(), &12.into()));
    let back = gpu(&["run", "corridor", "--steps", "3", "--resume", &second]);
    assert_eq!((&back["engine"], &back["steps"]), (&"gpu".into(), &15.into()));
    assert_eq!((&back["steps_this_run"], &back["active"]), (&3.into(), &160.into()));
    let near = |key: &str| (on_cpu[key].as_f64().unwrap_or(9.0) - alone[key].as_f64().unwrap_or(0.0)).abs();
    assert!(near("mean_speed") < 1e-3, "the engines differ by little: {}", near("mean_speed"));
}

#[test]
fn files_of_a_run_and_fields_come_from_a_gpu_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = path(&folder, "results");
    gpu(&["run", "corridor", "--steps", "3", "--out", &out]);
    for name in ["summary.json", "arrivals.csv", "peak-density.png", "use.png", "arrivals.png"] {
        assert!(Path::new(&out).join(name).is_file(), "{name}");
    }
    let file = path(&folder, "potential.png");
    let output = throng(&["field", "corridor", "potential", "-o", &file, "--device", "llvmpipe"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(&std::fs::read(&file).expect("a picture")[..8], b"\x89PNG\r\n\x1a\n");
    let split = gpu(&["run", "corridor", "--steps", "2", "--gpu-from", "guide"]);
    assert_eq!(split["steps"], 2);
}

/// The values of a line of CSV.
fn values(line: &str) -> Vec<String> {
    let (mut all, mut inside) = (vec![String::new()], false);
    for c in line.chars() {
        match c {
            '"' => inside = !inside,
            ',' if !inside => all.push(String::new()),
            c => all.last_mut().expect("one at least").push(c),
        }
    }
    assert!(!inside, "an open quote: {line}");
    all
}

#[test]
fn bench_on_a_gpu_keeps_a_csv_with_the_name_of_the_device() {
    let folder = tempfile::tempdir().expect("a folder");
    let csv = path(&folder, "bench.csv");
    let tiny = ["bench", "corridor", "--scale", "0.5", "--steps", "2", "--batches", "1", "--warmup", "2"];
    let output = throng(&[&tiny[..], &["--device", "llvmpipe", "--csv", &csv]].concat());
    let table = String::from_utf8(output.stdout).expect("text");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(table.contains("on gpu: llvmpipe") && table.contains("ms per step"), "{table}");
    let text = std::fs::read_to_string(&csv).expect("a file");
    let rows: Vec<Vec<String>> = text.lines().map(values).collect();
    assert_eq!(rows.len(), 1 + throng::stages::COUNT + 1, "a header, the stages, and the step");
    assert!(rows.iter().all(|r| r.len() == rows[0].len()), "{text}");
    let column = |name: &str| rows[0].iter().position(|n| n == name).expect("a column");
    for row in &rows[1..] {
        assert!(row[column("device")].contains("llvmpipe") && row[column("device")].contains(", Vulkan"), "{row:?}");
        assert_eq!(row[column("scene")], "corridor");
        assert!(row[column("ms_per_step")].parse::<f64>().is_ok_and(|ms| ms > 0.0), "{row:?}");
    }
    let alone = gpu(&["bench", "--solver", "64", "--steps", "1", "--batches", "1"]);
    assert_eq!((&alone["converged"], &alone["cells_reached_by_one_only"]), (&true.into(), &0.into()));
    let other = ["bench", "--solver", "64", "--steps", "1", "--batches", "1", "--device", "llvmpipe", "--csv", &csv];
    assert!(String::from_utf8_lossy(&throng(&other).stderr).contains("other columns"));
    assert_eq!(std::fs::read_to_string(&csv).expect("still there"), text);
}

#[test]
fn bench_in_three_dimensions_keeps_the_time_of_each_pass_of_each_view() {
    let folder = tempfile::tempdir().expect("a folder");
    let csv = path(&folder, "space.csv");
    let tiny = ["bench", "froblins", "--draw", "160x90", "--3d", "--plain", "--views", "close,all", "--warmup", "2"];
    let output =
        throng(&[&tiny[..], &["--steps", "2", "--engine", "gpu", "--device", "llvmpipe", "--csv", &csv]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = std::fs::read_to_string(&csv).expect("a file");
    let rows: Vec<Vec<String>> = text.lines().map(values).collect();
    assert!(rows.iter().all(|r| r.len() == rows[0].len()), "{text}");
    let column = |name: &str| rows[0].iter().position(|n| n == name).unwrap_or_else(|| panic!("{name} of {text}"));
    let number =
        |row: &[String], name: &str| row[column(name)].parse::<f64>().unwrap_or_else(|_| panic!("{name}: {row:?}"));
    for view in ["close", "all of it"] {
        let row = rows[1..].iter().find(|r| r[column("view")] == view).unwrap_or_else(|| panic!("{view} of {text}"));
        for name in ["decide_ms", "shadows_ms", "frame_ms", "step_ms", "step_and_draw_ms"] {
            assert!(number(row, name) > 0.0, "{name} of {view}: {text}");
        }
        assert!(number(row, "triangles") <= number(row, "triangles_before_budget"), "{text}");
        // A picture so small has everybody in a pixel or two from far above.
        let (near, far) = (number(row, "triangles") > 1000.0, number(row, "far") == 3000.0);
        assert_eq!((near, far), if view == "close" { (true, false) } else { (false, true) }, "{text}");
    }
}
