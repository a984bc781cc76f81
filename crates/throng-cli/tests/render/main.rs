//! `throng render`: pictures, sheets, folders of frames and films, on software Vulkan.

#[path = "../common/mod.rs"]
mod common;
mod fields;

use common::{complaint_of, path, program};
use image::RgbaImage;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

fn render(args: &[&str]) -> Output {
    program(&[&["render"], args].concat()).output().expect("the program starts")
}

/// Renders, and returns what was said.
fn rendered(args: &[&str]) -> String {
    let output = render(args);
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{args:?}: {complaints}\n(these tests need software Vulkan: Debian's mesa-vulkan-drivers and libvulkan1)"
    );
    String::from_utf8(output.stdout).expect("text")
}

fn refused(args: &[&str]) -> String {
    complaint_of(args, render(args), 2)
}

fn image_at(file: &str) -> RgbaImage {
    image::open(file).expect("a picture").into_rgba8()
}

/// Renders one picture.
fn picture(args: &[&str]) -> RgbaImage {
    let folder = folder();
    let file = path(&folder, "picture.png");
    rendered(&[args, &["-o", &file]].concat());
    assert_eq!(names(folder.path()), ["picture.png"], "and nothing else");
    image_at(&file)
}

fn colours(image: &RgbaImage) -> usize {
    image.pixels().map(|p| p.0).collect::<BTreeSet<_>>().len()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> =
        entries.map(|e| e.expect("an entry").file_name().into_string().expect("a plain name")).collect();
    names.sort();
    names
}

#[test]
fn a_picture_has_the_asked_size_and_shows_the_crowd() {
    let folder = folder();
    let file = path(&folder, "corridor.png");
    let said = rendered(&["corridor", "--seconds", "2", "--size", "641x99", "-o", &file]);
    assert!(said.contains("641 × 99") && said.contains("2.00 s (step 50)"), "{said}");
    let later = image_at(&file);
    assert_eq!(later.dimensions(), (641, 99));
    assert!(colours(&later) > 20, "{} colours", colours(&later));
    assert_eq!(rendered(&["corridor", "--size", "641x99", "-o", &file, "--quiet"]), "");
    let start = image_at(&file);
    assert_ne!(start, later, "people have walked");
    assert_eq!(picture(&["corridor", "--size", "641x99", "--steps", "50"]), later, "the same picture every time");
}

#[test]
fn looks_and_cameras_change_the_picture() {
    let base = ["corridor", "--steps", "3", "--size", "320x64"];
    let plain = picture(&base);
    let options: [&[&str]; 14] = [
        &["--colour", "group"],
        &["--colour", "speed", "--colour-limits", "0", "0.5"],
        &["--colour", "density"],
        &["--colour", "waiting", "--colour-limits", "0", "0.2"],
        &["--field", "potential", "--goal", "east end"],
        &["--field", "gradient", "--goal", "1", "--no-arrows"],
        &["--field", "speed", "--direction", "north", "--smooth", "--limits", "0", "3"],
        &["--opacity", "agents=0"],
        &["--opacity", "splats=1", "--opacity", "goals=0"],
        &["--body", "2"],
        &["--no-caption"],
        &["--text", "1.5"],
        &["--view", "0,0,8,4"],
        &["--centre", "10,2", "--zoom", "30"],
    ];
    let mut seen = vec![("nothing".to_owned(), plain)];
    for option in options {
        let image = picture(&[&base, option].concat());
        assert!(colours(&image) > 3, "{option:?} is empty");
        for (other, before) in &seen {
            assert_ne!(&image, before, "{option:?} looks like {other}");
        }
        seen.push((option.join(" "), image));
    }
}

#[test]
fn a_field_before_the_first_step_is_that_of_the_first() {
    let of = |steps: &str| picture(&["corridor", "--field", "density", "--size", "320x64", "--steps", steps]);
    assert_eq!(of("0"), of("1"));
    assert_ne!(of("1"), of("20"));
}

#[test]
fn following_shows_another_place_and_a_path_shows_where_somebody_came_from() {
    let at = |options: &[&str]| {
        picture(&[&["corridor", "--seconds", "4", "--size", "320x240", "--no-caption"], options].concat())
    };
    let (one, other) = (at(&["--follow", "3"]), at(&["--follow", "90", "--zoom", "40"]));
    assert_ne!(one, other);
    let (with, without) = (at(&["--path", "3"]), at(&[]));
    let changed = with.pixels().zip(without.pixels()).filter(|(a, b)| a != b).count();
    assert!(changed > 100, "a way of some metres and a ring are {changed} pixels");
    let gone = ["bottleneck", "--agents", "3", "--seconds", "60", "--size", "140x80", "-o"];
    for (option, word) in [("--follow", "where they were last"), ("--path", "the way until then")] {
        let folder = folder();
        let output = render(&[&gone[..], &[&path(&folder, "x.png"), option, "1"]].concat());
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && text.contains("number 1") && text.contains(word), "{text}");
    }
}

#[test]
fn a_sheet_holds_each_moment_in_the_given_order() {
    let folder = folder();
    let file = path(&folder, "sheet.png");
    let common = ["corridor", "--size", "200x60", "--no-caption"];
    let said = rendered(&[&common[..], &["--sheet", "2,0,0.4", "-o", &file]].concat());
    assert!(said.contains("404 × 124") && said.contains("3 moments"), "{said}");
    let sheet = image_at(&file);
    assert_eq!(sheet.dimensions(), (404, 124));
    for (time, x, y) in [("2", 0, 0), ("0", 204, 0), ("0.4", 0, 64)] {
        let cell = image::imageops::crop_imm(&sheet, x, y, 200, 60).to_image();
        assert_eq!(cell, picture(&[&common[..], &["--seconds", time]].concat()), "{time} s");
    }
    let row = picture(&["corridor", "--size", "64x16", "--sheet", "0,1", "--columns", "1"]);
    assert_eq!(row.dimensions(), (64, 36));
    let default = picture(&["corridor", "--sheet", "0,1,2,3"]);
    assert_eq!(default.dimensions(), (2 * 640 + 4, 2 * 360 + 4));
}

#[test]
fn a_folder_gets_a_frame_for_each_moment() {
    let folder = folder();
    let out = path(&folder, "frames");
    let args = ["corridor", "--from", "0.4", "--to", "0.8", "--fps", "10", "--size", "200x60", "-o", &out];
    let said = rendered(&args);
    assert!(said.contains("4 frames") && said.contains("0.40 s at 10 fps"), "{said}");
    let expected: Vec<String> = (0..4).map(|k| format!("frame-{k:05}.png")).collect();
    assert_eq!(names(Path::new(&out)), expected);
    let third = image_at(&format!("{out}/frame-00002.png"));
    assert_eq!(third, picture(&["corridor", "--seconds", "0.6", "--size", "200x60"]));
    let again = refused(&args);
    assert!(again.contains("frames in this folder already") && again.contains("frame-0000"), "{again}");
    // More frames than steps, and fewer.
    for (fps, speed, frames) in [("100", "1", 10), ("5", "2", 1)] {
        let out = path(&folder, &format!("at-{fps}/"));
        rendered(&["corridor", "--to", "0.1", "--fps", fps, "--speed", speed, "--size", "64x16", "-o", &out]);
        assert_eq!(names(Path::new(&out)).len(), frames, "{fps} fps");
    }
}

#[test]
fn frames_go_on_until_nobody_is_left() {
    let folder = folder();
    let out = path(&folder, "frames");
    let base = ["bottleneck", "--agents", "4", "--fps", "1", "--speed", "2", "--size", "140x80", "-o", &out];
    let said = rendered(&base);
    let frames = names(Path::new(&out)).len();
    assert!((4..60).contains(&frames), "{said}");
    let late = refused(&[&base[..10], &[&path(&folder, "late"), "--from", "500"]].concat());
    assert!(late.contains("--from 500") && late.contains("nobody is left"), "{late}");
}

#[test]
fn the_engine_on_a_gpu_draws_from_its_own_memory() {
    let base = ["corridor", "--steps", "5", "--size", "320x64"];
    let (cpu, gpu) = (picture(&base), picture(&[&base[..], &["--device", "llvmpipe"]].concat()));
    assert_eq!(gpu.dimensions(), (320, 64));
    // The engines differ by little, so few pixels do.
    let differ = cpu.pixels().zip(gpu.pixels()).filter(|(a, b)| a != b).count();
    assert!(differ < 320 * 64 / 20, "{differ} pixels");
}

#[test]
fn bad_options_end_with_two_and_say_what_would_be_right() {
    let folder = folder();
    let file = path(&folder, "x.png");
    let film = path(&folder, "x.mp4");
    let cases: [(&[&str], &[&str]); 30] = [
        (&["corridor"], &["--output"]),
        (&["coridor", "-o", &file], &["corridor"]),
        (&["corridor", "-o", "x.jpg"], &[".jpg", ".png", ".mp4", ".webm"]),
        (&["corridor", "-o", "nowhere/x.png"], &["nowhere", "make it first"]),
        (&["corridor", "-o", &file, "--size", "big"], &["WIDTHxHEIGHT", "1280x720"]),
        (&["corridor", "-o", &file, "--size", "8x100"], &["16 pixels"]),
        (&["corridor", "-o", &file, "--size", "99999x100"], &["largest", "8192"]),
        (&["corridor", "-o", &file, "--colour", "mood"], &["mood", "waiting"]),
        (&["corridor", "-o", &file, "--colour-limits", "0", "1"], &["speed, density and waiting"]),
        (&["corridor", "-o", &file, "--field", "heat"], &["heat", "potential"]),
        (&["corridor", "-o", &file, "--field", "density", "--limits", "3", "1"], &["LOW must be below HIGH"]),
        (&["corridor", "-o", &file, "--limits", "0", "1"], &["--limits", "--field"]),
        (&["corridor", "-o", &file, "--direction", "north"], &["--direction", "speed and cost"]),
        (&["corridor", "-o", &file, "--field", "potential", "--goal", "moon"], &["moon", "east end"]),
        (&["corridor", "-o", &file, "--goal", "east end"], &["--goal", "potential"]),
        (&["corridor", "-o", &file, "--smooth"], &["--smooth", "--field"]),
        (&["corridor", "-o", &file, "--opacity", "ghosts=1"], &["ghosts", "agents"]),
        (&["corridor", "-o", &file, "--opacity", "agents=3"], &["0 to 1"]),
        (&["corridor", "-o", &file, "--centre", "3"], &["2 numbers"]),
        (&["corridor", "-o", &file, "--centre", "-900,3", "--zoom", "50"], &["0,0 to 40,4 m"]),
        (&["corridor", "-o", &file, "--view", "1,1,1,3"], &["corners"]),
        (&["corridor", "-o", &file, "--view", "0,0,1,1", "--zoom", "3"], &["--view", "--zoom"]),
        (&["corridor", "-o", &file, "--follow", "160"], &["0 to 159"]),
        (&["empty", "-o", &file, "--path", "0"], &["no people"]),
        (&["corridor", "-o", &file, "--steps", "1", "--seconds", "1"], &["--steps", "--seconds"]),
        (&["corridor", "-o", &file, "--seconds", "-1"], &["0 to 1000000000"]),
        (&["corridor", "-o", &file, "--fps", "10"], &["--fps", "--seconds", ".mp4"]),
        (&["corridor", "-o", &film, "--seconds", "10"], &["--seconds", "--from and --to"]),
        (&["corridor", "-o", &film, "--from", "3", "--to", "2"], &["--to", "later"]),
        (&["corridor", "-o", &file, "--columns", "2"], &["--sheet"]),
    ];
    for (args, words) in cases {
        let text = refused(args);
        for word in words {
            assert!(text.contains(word), "{args:?}: {word} is not in: {text}");
        }
    }
    assert!(names(folder.path()).is_empty(), "nothing was written: {:?}", names(folder.path()));
}

#[test]
fn without_vulkan_it_says_what_to_install_and_what_works_without() {
    let folder = folder();
    let file = path(&folder, "x.png");
    let args = ["render", "corridor", "-o", &file];
    let nowhere = "/nonexistent";
    let output = program(&args).env("VK_DRIVER_FILES", nowhere).env("VK_ICD_FILENAMES", nowhere).output();
    let text = complaint_of(&args, output.expect("the program starts"), 1);
    assert!(text.contains("mesa-vulkan-drivers") && text.contains("throng field"), "{text}");
}

/// A folder with a program called ffmpeg that does as the script says; `$last` in it is the file to write.
#[cfg(unix)]
fn fake_ffmpeg(script: &str) -> TempDir {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    let file = folder.path().join("ffmpeg");
    let text = format!(
        "#!/bin/sh\n[ \"$1\" = -version ] && exit 0\nfor last; do :; done\nlast=${{last#file:}}\n\
         here=$(dirname \"$0\")\n{script}\n"
    );
    std::fs::write(&file, text).expect("a script");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).expect("it can run");
    folder
}

/// Renders with this folder first on the PATH.
#[cfg(unix)]
fn render_with(tools: &TempDir, args: &[&str]) -> Output {
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", tools.path().display());
    program(&[&["render"], args].concat()).env("PATH", path).output().expect("the program starts")
}

#[cfg(unix)]
#[test]
fn a_film_is_every_frame_in_raw_pixels_through_ffmpeg() {
    let tools = fake_ffmpeg("printf '%s\\n' \"$@\" > \"$here/arguments\"\nwc -c > \"$last\"");
    let folder = folder();
    let film = path(&folder, "a film.mp4");
    let args = ["corridor", "--to", "0.5", "--fps", "10", "--size", "201x61", "-o", &film];
    let output = render_with(&tools, &args);
    let said = String::from_utf8_lossy(&output.stdout);
    let remarks = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{remarks}");
    assert!(remarks.contains("even") && remarks.contains("200 × 60"), "{remarks}");
    assert!(said.contains("5 frames of 200 × 60"), "{said}");
    assert_eq!(names(folder.path()), ["a film.mp4"]);
    let bytes = std::fs::read_to_string(&film).expect("the film");
    assert_eq!(bytes.trim(), (5 * 200 * 60 * 4).to_string());
    let arguments = std::fs::read_to_string(tools.path().join("arguments")).expect("a list");
    let arguments: Vec<&str> = arguments.lines().collect();
    for pair in [
        ["-f", "rawvideo"],
        ["-pixel_format", "rgba"],
        ["-video_size", "200x60"],
        ["-framerate", "10"],
        ["-c:v", "libx264"],
        ["-pix_fmt", "yuv420p"],
        ["-movflags", "+faststart"],
    ] {
        assert!(arguments.windows(2).any(|w| w == pair), "{pair:?} is not in {arguments:?}");
    }
}

#[cfg(unix)]
#[test]
fn what_ffmpeg_says_when_it_fails_is_shown_and_nothing_is_left() {
    let folder = folder();
    let film = path(&folder, "film.mp4");
    std::fs::write(&film, "an older film").expect("a file");
    for script in [
        "echo half > \"$last\"; echo 'no room on the tape' >&2; exit 3",
        "cat > \"$last\"; echo 'no room on the tape' >&2; exit 3",
        // As a real one does where only the last bytes find no room.
        "cat > \"$last\"; echo 'Error writing trailer: no room on the tape' >&2; exit 0",
    ] {
        let tools = fake_ffmpeg(script);
        let args = ["corridor", "--to", "2", "--size", "640x64", "-o", &film];
        let text = complaint_of(&args, render_with(&tools, &args), 1);
        assert!(text.contains("no room on the tape") && text.contains("film.mp4"), "{text}");
        assert_eq!(names(folder.path()), ["film.mp4"]);
        assert_eq!(std::fs::read_to_string(&film).expect("it is there"), "an older film");
    }
}

#[test]
fn without_ffmpeg_it_says_so_before_any_work() {
    let folder = folder();
    let film = path(&folder, "film.mp4");
    let args = ["render", "exit-bar", "--from", "1000000", "-o", &film];
    let begin = std::time::Instant::now();
    let output = program(&args).env("PATH", folder.path()).output().expect("the program starts");
    let text = complaint_of(&args, output, 1);
    for word in ["ffmpeg", "apt-get install ffmpeg", "folder", "film/"] {
        assert!(text.contains(word), "{word} is not in: {text}");
    }
    assert!(begin.elapsed().as_secs() < 20, "it did not simulate");
    assert!(names(folder.path()).is_empty());
}

/// Size, frames and codec of a film, as ffprobe counts them.
fn probe(film: &str) -> String {
    let entries = "stream=codec_name,width,height,pix_fmt,nb_read_frames";
    let args = ["-v", "error", "-count_frames", "-select_streams", "v:0", "-show_entries", entries, "-of", "csv=p=0"];
    let output = Command::new("ffprobe").args(args).arg(film).output();
    let output = output.expect("these tests need ffprobe (Debian: ffmpeg)");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text").trim().to_owned()
}

#[test]
fn films_play() {
    let folder = folder();
    for (name, expected) in [
        ("film.mp4", "h264,320,64,yuv420p,13"),
        ("film.webm", "vp9,320,64,yuv420p,13"),
        ("film.mkv", "h264,320,64,yuv420p,13"),
        ("film.gif", "gif,320,64,bgra,13"),
    ] {
        let film = path(&folder, name);
        let said = rendered(&["corridor", "--to", "0.5", "--size", "320x64", "-o", &film]);
        assert!(said.contains("13 frames"), "{said}");
        assert_eq!(probe(&film), expected, "{name}");
    }
    assert_eq!(names(folder.path()).len(), 4);
}

#[cfg(unix)]
#[test]
fn ctrl_c_leaves_a_film_that_plays() {
    let folder = folder();
    let film = path(&folder, "film.mp4");
    let args = ["render", "corridor", "--to", "100000", "--size", "320x64", "-o", &film];
    let child = program(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    // ffmpeg opens the file when it has frames.
    let (begin, patience) = (std::time::Instant::now(), std::time::Duration::from_secs(120));
    while names(folder.path()).is_empty() && begin.elapsed() < patience {
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    std::thread::sleep(std::time::Duration::from_secs(1));
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill is there");
    assert!(kill.success());
    let output = child.wait_with_output().expect("it ends");
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("interrupted at") && text.contains("a whole film"), "{text}");
    let said = String::from_utf8_lossy(&output.stdout);
    let frames = said.split(": ").nth(1).and_then(|s| s.split(' ').next()).expect("a number");
    assert_eq!(probe(&film), format!("h264,320,64,yuv420p,{frames}"));
    assert_eq!(names(folder.path()), ["film.mp4"]);
}

#[test]
fn pictures_and_frames_go_on_from_a_snapshot() {
    let folder = folder();
    let saved = path(&folder, "second.throng");
    let run = program(&["run", "corridor", "--seconds", "1", "--save", &saved, "--engine", "cpu", "--quiet"]).output();
    assert!(run.expect("it starts").status.success());
    let small = ["corridor", "--size", "320x64", "--engine", "cpu"];
    let resumed = [&small[..], &["--resume", &saved]].concat();
    assert_eq!(picture(&resumed), picture(&[&small[..], &["--seconds", "1"]].concat()));
    let later = picture(&[&resumed[..], &["--steps", "10"]].concat());
    assert_eq!(later, picture(&[&small[..], &["--steps", "35"]].concat()), "steps count from there");
    let frames = path(&folder, "frames");
    rendered(&[&resumed[..], &["--to", "1.2", "-o", &frames]].concat());
    assert_eq!(names(Path::new(&frames)).len(), 5, "from 1 s to 1.2 s");
    assert_eq!(image_at(&path(&folder, "frames/frame-00000.png")), picture(&resumed));
    let sheet = path(&folder, "sheet.png");
    rendered(&[&resumed[..], &["--sheet", "1,1.4", "-o", &sheet]].concat());
    for past in
        [&["--sheet", "0.5,2", "-o", &sheet][..], &["--from", "0.2", "-o", "f.mp4"], &["--to", "0.8", "-o", "f/"]]
    {
        let folder = tempfile::tempdir().expect("a folder");
        let args: Vec<&str> = resumed.iter().chain(past).copied().collect();
        let output =
            program(&[&["render"], &args[..]].concat()).current_dir(folder.path()).output().expect("it starts");
        let text = complaint_of(&args, output, 2);
        assert!(text.contains("goes on from 1.00 s"), "{text}");
    }
}

#[test]
fn in_three_dimensions_it_shows_the_crowd_from_any_side() {
    let base = ["corridor", "--steps", "3", "--size", "320x120", "--no-caption"];
    let deep = |more: &[&str]| picture(&[&base[..], &["--3d"], more].concat());
    let plain = deep(&[]);
    assert!(colours(&plain) > 100, "{} colours", colours(&plain));
    assert!(plain != picture(&base), "it is not seen from above");
    assert!(plain == deep(&[]), "the same picture every time");
    // People of that size have meshes.
    let near = deep(&["--zoom", "60"]);
    for more in [&["--edges"][..], &["--detail", "impostor"], &["--without", "shadows"]] {
        assert!(near != deep(&[&["--zoom", "60"], more].concat()), "{more:?} changes nothing");
    }
    let options: [&[&str]; 8] = [
        &["--detail", "full"],
        &["--turn", "100"],
        &["--tilt", "70"],
        &["--tint", "detail"],
        &["--tint", "cascade"],
        &["--follow", "3"],
        &["--zoom", "30"],
        &["--field", "density"],
    ];
    for more in options {
        assert!(plain != deep(more), "{more:?} changes nothing");
    }
    assert!(plain == deep(&["--without", "culling"]), "nobody who is seen is culled");
    for (wrong, why) in [
        (&["--turn", "10"][..], "--3d"),
        (&["--3d", "--tilt", "95"], "2 to 88"),
        (&["--3d", "--triangles", "5"], "1000"),
    ] {
        let said = refused(&[&base[..], wrong, &["-o", "never.png"]].concat());
        assert!(said.contains(why), "{wrong:?}: {said}");
    }
}

#[test]
fn froblins_in_three_dimensions_are_there_within_seconds_on_software_vulkan() {
    let began = std::time::Instant::now();
    let seen = picture(&["froblins", "--3d", "--seconds", "10", "--size", "640x360"]);
    assert!(colours(&seen) > 5000, "{} colours", colours(&seen));
    // Two to four seconds on two cores with other tests beside it; whoever waits longer than 20 looks for something else.
    assert!(began.elapsed().as_secs_f64() < 20.0, "it took {:?}", began.elapsed());
}
