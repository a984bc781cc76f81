//! Scenes and command lines that somebody has written to see what happens.

use super::{complaint, json, path, program, throng};
use std::process::Stdio;
use std::time::Instant;

/// A small room with one goal; what comes before it is at the top of the file.
const ROOM: &str = "size = [20, 10]\n[[goal]]\nrect = [19, 4, 20, 6]\n[[agents]]\ncount = 3\n";

/// Writes a scene and gives its path.
fn written(folder: &tempfile::TempDir, text: &str) -> String {
    let file = path(folder, "scene.toml");
    std::fs::write(&file, text).expect("a file");
    file
}

/// Whether a text gives a terminal no orders.
fn is_harmless(text: &[u8]) -> bool {
    String::from_utf8_lossy(text).chars().all(|c| c == '\n' || c == '\t' || throng::scene::is_printable(c))
}

#[test]
fn a_size_of_memory_that_is_none_is_refused() {
    for (words, status) in [("50XB", 2), ("plenty", 2), ("", 0), ("1e3M", 2), ("4GiB", 0), ("500MB", 0)] {
        let mut command = super::program(&["run", "corridor", "--steps", "1", "--quiet"]);
        let output = command.env("THRONG_MEMORY", words).output().expect("it starts");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{words}: {said}");
        assert!(status == 0 || said.contains("THRONG_MEMORY"), "{said}");
    }
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        let mut command = super::program(&["run", "corridor", "--steps", "1", "--quiet"]);
        let output = command.env("THRONG_MEMORY", std::ffi::OsStr::from_bytes(b"8G\xff")).output().expect("it starts");
        assert_eq!(output.status.code(), Some(2), "no text is no size");
    }
}

#[test]
fn an_error_far_along_a_line_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = written(&folder, &format!("name = \"{}\" wrong\n{ROOM}", "x".repeat(70_000)));
    let text = complaint(&["check", &file], 2);
    assert!(text.contains("not TOML") && text.len() < 3000, "{text}");
}

#[test]
fn control_characters_do_not_reach_the_terminal_and_come_back_as_they_were() {
    let folder = tempfile::tempdir().expect("a folder");
    let name = "\\u001b]0;owned\\u0007\\u001b[2J\\nseed = 99\\n\\u009b#";
    let file = written(&folder, &format!("name = \"{name}\"\n{ROOM}name = \"{name}\"\n"));
    let first = throng(&["check", &file]);
    assert!(first.status.success() && is_harmless(&first.stdout));
    std::fs::write(&file, &first.stdout).expect("a file");
    let second = throng(&["check", &file]);
    assert!(second.status.success(), "{}", String::from_utf8_lossy(&second.stderr));
    assert_eq!(first.stdout, second.stdout);
    let run = json(&["run", &file, "--steps", "1", "--json"]);
    assert_eq!(run["scene"], "\u{1b}]0;owned\u{7}\u{1b}[2J\nseed = 99\n\u{9b}#");
    assert_eq!(run["seed"], 1);
    let report = throng(&["run", &file, "--steps", "1"]);
    assert!(is_harmless(&report.stdout) && is_harmless(&report.stderr));
    // In errors too: source lines, names, and what a command line says.
    for text in ["size = [20, 10]\n# \u{1b}[2J hidden\nbogus = 1\n", &format!("\"bo\\u001b[2Jgus\" = 1\n{ROOM}")] {
        let file = written(&folder, text);
        assert!(is_harmless(complaint(&["check", &file], 2).as_bytes()));
    }
    assert!(is_harmless(complaint(&["check", "no\u{1b}[2J.toml"], 2).as_bytes()));
}

#[test]
fn slivers_of_starts_and_many_events_are_checked_within_seconds() {
    let folder = tempfile::tempdir().expect("a folder");
    let far = "size = [100000, 100000]\ncell = 100\n[[goal]]\nrect = [0, 99500, 1000, 100000]\n[[agents]]\ncount = 1000000\n\
               start = { polygon = [[0, 0], [100000, 99998], [100000, 100000]] }\nradius = 0.01\n";
    let street = "size = [10000, 10000]\ncell = 5\n[[goal]]\nrect = [0, 9500, 1000, 10000]\n[[agents]]\ncount = 200000\n\
                  start = { polygon = [[0, 0], [9999, 10000], [10000, 10000], [1, 0]] }\nradius = 0.2\n";
    let doors: String =
        (0..9000).map(|i| format!("{{name=\"{i}\",rect=[{0}.5,{1}.5,{0}.6,{1}.6]}},", 20 + i % 100, i / 100)).collect();
    let events: String = (0..9000).map(|i| format!("{{at=1,open=\"{i}\"}},")).collect();
    let doors = format!(
        "size = [130, 100]\nevent = [{events}]\nmap = {{ walls = [{doors}] }}\ngoal = [{{ rect = [0, 0, 2, 100] }}]\n\
         agents = [{{ count = 3, start = {{ rect = [5, 5, 9, 9] }} }}]\n"
    );
    for text in [far, street, &doors] {
        let file = written(&folder, text);
        let begun = Instant::now();
        let output = throng(&["check", "--quiet", &file]);
        assert!(matches!(output.status.code(), Some(0 | 2)), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(begun.elapsed().as_secs() < 30, "{} took {:?}", &text[..40], begun.elapsed());
    }
}

#[test]
fn messages_give_advice_that_can_be_followed() {
    let folder = tempfile::tempdir().expect("a folder");
    let fast = "size = [1, 1]\ncell = 0.01\ndt = 0.0001\n[[goal]]\nrect = [0, 0, 0.1, 0.1]\n[[agents]]\ncount = 1\nspeed = 100\n\
                radius = 0.01\n[[zone]]\nname = \"z\"\nrect = [0, 0, 1, 1]\nspeed = 2\n";
    let file = written(&folder, fast);
    let text = complaint(&["check", &file], 2);
    assert!(!text.contains("dt = 0 or") && text.contains("cell = 0.02"), "{text}");
    let fine = throng(&["check", "--quiet", &written(&folder, &fast.replace("cell = 0.01", "cell = 0.02"))]);
    assert!(fine.status.success(), "{}", String::from_utf8_lossy(&fine.stderr));
    let digits = |text: &str| text.split(|c: char| !c.is_ascii_digit()).map(str::len).max().unwrap_or(0);
    for wrong in [["--seconds", "1e300"], ["--scale", "1e300"], ["--scale", "1e-300"], ["--checkpoint", "1e300"]] {
        let text = complaint(&[&["run", "corridor"], &wrong[..]].concat(), 2);
        assert!(digits(&text) < 20, "{text}");
    }
    let text = complaint(&["run", "corridor", "--agents", "4294967295"], 2);
    assert!(text.contains("134217728"), "{text}");
}

#[test]
fn unreached_cells_of_an_array_are_infinite() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = format!("map = {{ walls = [{{ rect = [3, 0, 4, 10] }}] }}\n{ROOM}start = {{ rect = [6, 1, 9, 9] }}\n");
    let (file, array) = (written(&folder, &text), path(&folder, "potential.npy"));
    let output = throng(&["field", &file, "potential", "-o", &array]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && said.contains("inf in"), "{said}");
    let bytes = std::fs::read(&array).expect("an array");
    let numbers: Vec<f32> = bytes[bytes.len() - 40 * 20 * 4..]
        .chunks_exact(4)
        .map(|b| f32::from_le_bytes(b.try_into().expect("four bytes")))
        .collect();
    assert!(numbers.iter().any(|x| x.is_infinite()) && numbers.iter().all(|x| x.is_infinite() || *x < 1e6));
}

#[cfg(unix)]
#[test]
fn a_scene_reads_plain_files_of_its_own_folder_unless_it_is_allowed_to() {
    let folder = tempfile::tempdir().expect("a folder");
    assert!(throng(&["scenes", "--export", &path(&folder, "all")]).status.success());
    let image = std::fs::read_dir(path(&folder, "all")).expect("a folder").flatten().map(|e| e.path());
    let image = image.into_iter().find(|p| p.extension().is_some_and(|e| e == "png")).expect("an image");
    std::fs::create_dir_all(path(&folder, "own/below")).expect("a folder");
    std::fs::copy(&image, path(&folder, "any.png")).expect("a copy");
    std::fs::copy(&image, path(&folder, "own/below/map.png")).expect("a copy");
    std::os::unix::fs::symlink(path(&folder, "any.png"), path(&folder, "own/link.png")).expect("a link");
    let pipe = path(&folder, "own/pipe.png");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo starts").success());
    let file = path(&folder, "own/scene.toml");
    let check = |name: &str, more: &[&str]| {
        let text =
            format!("size = [20, 10]\nmap = {{ background = \"{name}\" }}\n{}", ROOM.replace("size = [20, 10]\n", ""));
        std::fs::write(&file, text).expect("a file");
        let output = throng(&[&["check", "--quiet", &file], more].concat());
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    assert_eq!(check("below/map.png", &[]).0, Some(0));
    assert_eq!(check("./below/map.png", &[]).0, Some(0));
    let absolute = path(&folder, "any.png");
    for name in ["../any.png", &absolute, "below/../../any.png", "link.png"] {
        let (status, text) = check(name, &[]);
        assert!(status == Some(2) && text.contains("--allow-paths"), "{name}: {text}");
        assert_eq!(check(name, &["--allow-paths"]).0, Some(0), "{name}");
    }
    let (status, text) = check("pipe.png", &[]);
    assert!(status == Some(2) && text.contains("not a plain file"), "{text}");
    assert_eq!(check("/dev/zero", &[]).0, Some(2));
}

#[cfg(target_os = "linux")]
#[test]
fn a_system_that_refuses_threads_is_no_panic() {
    // As good as a system without threads: no address space for the stacks of many.
    let limited = |options: &[&str]| {
        let throng = program(&[]);
        let mut bash = std::process::Command::new("bash");
        bash.args(["-c", "ulimit -v 1500000; exec \"$0\" \"$@\""]).arg(throng.get_program());
        bash.args(["run", "corridor", "--steps", "2", "--engine", "cpu", "--quiet"]).args(options);
        bash.env("RUST_MIN_STACK", "100000000").stdin(Stdio::null()).output().expect("bash starts")
    };
    let many = limited(&["--threads", "1000"]);
    let text = String::from_utf8_lossy(&many.stderr);
    assert_eq!(many.status.code(), Some(2), "{text}");
    assert!(text.contains("does not start 1000 threads") && !text.contains("panicked"), "{text}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_system_that_starts_few_threads_runs_and_checks_with_those() {
    for what in [&["run", "corridor", "--steps", "2", "--engine", "cpu", "--quiet"][..], &["check", "corridor"]] {
        let throng = program(&[]);
        let mut bash = std::process::Command::new("bash");
        bash.args(["-c", "ulimit -v 3000000; exec \"$0\" \"$@\""]).arg(throng.get_program()).args(what);
        // Whoever takes all threads that it gets leaves none to hear Ctrl-C, or to check with.
        bash.env("RAYON_NUM_THREADS", "1000").env("RUST_MIN_STACK", "200000000");
        let output = bash.stdin(Stdio::null()).output().expect("bash starts");
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && !text.contains("Ctrl-C"), "{what:?}: {text}");
    }
}

#[test]
fn every_mistake_that_hides_no_other_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "size = [20, 10]\ndt = 0.04\n[map]\nwalls = [{ rect = [3, 3, 1] }, { circle = [5, 5, 1], hight = 2 }]\n[[goal]]\n\
                rect = [19, 4, 20, 6]\n[[agents]]\ncuont = 3\nraduis = 1\n[[agents]]\ncount = 3\nspeed = -1\n[[zone]]\n\
                speed = 7\nrect = [1, 1, 2, 2]\n[model]\nplan = \"teleport\"\n";
    let told = complaint(&["check", &written(&folder, text)], 2);
    for word in ["walls", "hight", "speed` is 7", "teleport"] {
        assert!(told.contains(word), "{word}: {told}");
    }
    assert!(told.trim_end().ends_with("4 mistakes"), "{told}");
    let told = complaint(&["check", &written(&folder, &text.replace("teleport", "static"))], 2);
    for word in ["cuont", "raduis", "speed` is -1"] {
        assert!(told.contains(word), "{word}: {told}");
    }
}

#[test]
fn mistakes_of_one_entry_and_of_the_scene_itself_are_told_together() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "colour = 1\nsize = [20, 10]\ndt = -1\nseed = 1.5\n[map]\npicture = \"a.png\"\nwalls = [{ rect = [3, 3, 1] }]\n[[goal]]\n\
                rect = [19, 4, 20, 6]\nopne = 1\ncapacity = 0\n[[zone]]\nrect = [1, 1, 2, 2]\nspeed = 7\nname = 3\n[model]\nplan = \"teleport\"\n\
                separation_rounds = -1\n";
    let told = complaint(&["check", &written(&folder, text)], 2);
    let words = [
        "colour",
        "dt",
        "seed",
        "picture",
        "walls",
        "opne",
        "capacity",
        "speed` is 7",
        "name",
        "teleport",
        "separation_rounds",
    ];
    for word in words {
        assert!(told.contains(word), "{word}: {told}");
    }
    assert!(told.trim_end().ends_with("11 mistakes"), "{told}");
    // Who names what stands under a misspelt key is not told that it is missing.
    let text = ROOM.replace("[[goal]]", "[[gaol]]\nname = \"door\"") + "journey = [\"door\"]\nradius = -1\n";
    let told = complaint(&["check", &written(&folder, &text)], 2);
    assert!(told.contains("`gaol`") && !told.contains("no goal"), "{told}");
    let told = complaint(&["check", &written(&folder, &ROOM.replace("size", "sise"))], 2);
    assert!(told.contains("`sise`") && !told.contains("how large"), "{told}");
}

#[test]
fn a_scene_that_takes_hours_to_set_up_has_an_answer_within_patience() {
    // A few hundred kilobytes that ask for thousands of hills over millions of cells.
    let hills: String = (0..4000).map(|k| format!("{{ at = [{k}, {k}], radius = 3000, height = 0.{k} }},")).collect();
    let text =
        format!("size = [4000, 4000]\ncell = 1\nterrain = {{ hills = [{hills}] }}\n[[goal]]\nrect = [0, 0, 1, 1]\n");
    let folder = tempfile::tempdir().expect("a folder");
    let scene = written(&folder, &text);
    let begun = Instant::now();
    let told = complaint(&["check", "--patience", "0.5", &scene], 1);
    // Half a second, and a busy machine.
    assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
    assert!(told.contains("is not checked to its end") && told.contains("--patience 0"), "{told}");
    let told = complaint(&["check", "--patience", "-1", &scene], 2);
    assert!(told.contains("seconds from 0"), "{told}");
}

#[test]
fn files_of_nearly_a_megabyte_are_checked_within_seconds() {
    let many = |count: usize, each: &dyn Fn(usize) -> String| -> String { (0..count).map(each).collect() };
    let goal = "[[goal]]\nrect = [0, 0, 1, 1]\n";
    let shape = |i: usize| format!("{{rect=[{0}.1,{1}.1,{0}.4,{1}.4]}},", 3 + i % 95, 3 + i / 95 % 95);
    let scenes = [
        (
            "radii",
            format!(
                "size = [300, 300]\n{goal}{}",
                many(3000, &|i| format!("[[agents]]\ncount=1\nradius=0.{}\n", 1000 + i))
            ),
        ),
        (
            "gates and radii",
            format!(
                "size = [100, 100]\nmap = {{ walls = [{}] }}\n{goal}[[event]]\nat = 1\nopen = \"3\"\n{}",
                many(3000, &|i| format!("{{name=\"{i}\",rect=[{0},{1},{0}.1,{1}.1]}},", 40 + i % 55, 40 + i / 55)),
                many(2000, &|i| format!("[[agents]]\ncount=1\nstart={{rect=[2,2,30,30]}}\nradius=0.{}\n", 1000 + i))
            ),
        ),
        (
            "a source in walls",
            format!(
                "size = [100, 100]\nmap = {{ walls = [{{ rect = [2, 2, 100, 100] }}] }}\n{goal}[[agents]]\nsource = {{ rate = 1, total = 9 }}\n\
                 start = [{}]\n",
                many(20_000, &shape)
            ),
        ),
        (
            "random places",
            format!(
                "size = [100, 100]\n{goal}[[agents]]\ncount = 100000\nplace = \"random\"\nstart = [{}]\n",
                many(20_000, &shape)
            ),
        ),
        (
            "discomfort",
            format!(
                "size = [500, 500]\nmap = {{ discomfort = [{}] }}\n{goal}[[agents]]\ncount = 3\n",
                many(10_000, &|i| format!("{{rect=[0,0,500,{}],value=0.001}},", 400 + i % 100))
            ),
        ),
        (
            "shapes of a goal",
            format!(
                "size = [100, 100]\n[[goal]]\nshapes = [{}]\n[[agents]]\ncount = 3\nstart = {{ rect = [3, 3, 9, 9] }}\n",
                many(20_000, &|_| "{rect=[40,40,90,90],capacity=1},".into())
            ),
        ),
        (
            "shapes of a goal over all of the world",
            format!(
                "size = [1000, 1000]\n[[goal]]\nshapes = [{}]\n[[agents]]\ncount = 3\nstart = {{ rect = [3, 3, 9, 9] }}\n",
                many(38_000, &|_| "{rect=[0,9,999,999]},".into())
            ),
        ),
        (
            "groups on their way to shapes of one goal",
            format!(
                "size = [100, 100]\n[[goal]]\nshapes = [{}]\n{}",
                many(20_000, &|i| format!("{{rect=[{0},{1},{0}.1,{1}.1]}},", 40 + i % 55, 40 + i / 55 % 55)),
                many(4000, &|_| "[[agents]]\ncount=1\nstart={rect=[2,2,30,30]}\n".into())
            ),
        ),
        (
            "a wall with many corners",
            format!(
                "size = [1000, 1000]\nmap = {{ walls = [{{ polygon = [{}] }}] }}\n{goal}[[agents]]\ncount = 3\nstart = {{ rect = [3, 3, 9, 9] }}\n",
                many(40_000, &|i| {
                    let (away, turn) = (if i % 2 == 0 { 400.0 } else { 399.0 }, i as f64 * 1.5e-4);
                    format!("[{:.3},{:.3}],", 500.0 + away * turn.cos(), 500.0 + away * turn.sin())
                })
            ),
        ),
    ];
    let folder = tempfile::tempdir().expect("a folder");
    for (what, text) in scenes {
        assert!(text.len() < 1_000_000, "{what}: {} bytes", text.len());
        let begun = Instant::now();
        let output = throng(&["check", "--quiet", "--patience", "0", &written(&folder, &text)]);
        assert!(matches!(output.status.code(), Some(0 | 2)), "{what}: {}", String::from_utf8_lossy(&output.stderr));
        // A few seconds each; tests run beside each other.
        assert!(begun.elapsed().as_secs() < 40, "{what} took {:?}", begun.elapsed());
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_scene_that_needs_more_memory_than_it_may_have_is_told_so_before_it_takes_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let limited = |file: &str| {
        let throng = program(&[]);
        let mut bash = std::process::Command::new("bash");
        bash.args(["-c", "ulimit -v 3000000; exec \"$0\" \"$@\""]).arg(throng.get_program()).args(["check", file]);
        let output = bash.stdin(Stdio::null()).output().expect("bash starts");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(matches!(output.status.code(), Some(1 | 2)) && !text.contains("panicked"), "{text}");
        text
    };
    let people = ROOM.replace("count = 3", "count = 100000000");
    let text = limited(&written(&folder, &people));
    assert!(text.contains("100000000 people") && text.contains("--agents"), "{text}");
    let walls = "{ rect = [1, 1, 2, 2] },".repeat(1_000_000);
    let text = limited(&written(&folder, &format!("map = {{ walls = [{walls}] }}\n{ROOM}")));
    assert!(text.contains("too long") && text.contains("memory"), "{text}");
    // Thousands of walls that are near the same cells.
    let walls: String =
        (0..30_000).map(|i| format!("{{rect=[40,40,{},{}]}},", 9000 + i % 1000, 9000 + i / 1000)).collect();
    let large = ROOM.replace("[20, 10]\n", "[10000, 10000]\ncell = 5\n");
    let text = limited(&written(&folder, &format!("map = {{ walls = [{walls}] }}\n{large}")));
    assert!(text.contains("30000") && text.contains("walls, which are listed") && text.contains("memory"), "{text}");
}

#[test]
fn text_images_and_run_share_one_budget() {
    let folder = tempfile::tempdir().expect("a folder");
    let check = |text: &str, memory: &str| {
        let output = program(&["check", "--quiet", &written(&folder, text)]).env("THRONG_MEMORY", memory).output();
        let output = output.expect("the program starts");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    // Pictures of 48 MB while they are read and 16 MB from then on, in files of a few kilobytes.
    let mut picture = image::RgbaImage::new(2048, 2048);
    let mut sprites = |different: bool| -> String {
        let sprite = |i: u32| {
            if different {
                picture.put_pixel(i, 0, image::Rgba([1, 2, 3, 255]));
            }
            picture.save(path(&folder, &format!("{i}.png"))).expect("an image");
            format!("[[agents]]\ncount = 1\nstart = {{ rect = [1, 1, 9, 9] }}\nsprite = \"{i}.png\"\n")
        };
        (0..8).map(sprite).collect()
    };
    // The same under eight names is there once.
    let same = format!("{ROOM}{}", sprites(false));
    assert_eq!(check(&same, "100M"), (Some(0), String::new()));
    let (status, text) = check(&same.replace("[20, 10]", "[290, 290]"), "60M");
    assert!(status == Some(2) && text.contains("a run of this needs"), "{text}");
    let (status, text) = check(&format!("{ROOM}{}", sprites(true)), "100M");
    assert!(status == Some(2) && text.contains(".png") && text.contains("are left"), "{text}");
    // Each alone fits: a long text, and a run.
    let (long, large) = (format!("# {}\n", "x".repeat(3_000_000)), ROOM.replace("[20, 10]", "[290, 290]"));
    assert_eq!(check(&format!("{long}{ROOM}"), "500M").0, Some(0));
    assert_eq!(check(&large, "60M").0, Some(0));
    let (status, text) = check(&format!("{long}{large}"), "60M");
    assert!(status == Some(2) && text.contains("too long"), "{text}");
}
