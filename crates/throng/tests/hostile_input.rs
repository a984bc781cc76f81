//! Input that nobody meant to write: no text and no snapshot may bring the library down, and what is sound survives
//! being written and read again.

mod seed;

use proptest::prelude::*;
use throng::geometry::{Rect, Shape};
use throng::scene::{BUILT_IN, Files, NoFiles, built_in, with_value};
use throng::{ResumeError, Scene, Simulation, Vec2};

/// Every key of the language, in a small world.
const RICH: &str = r#"name = "all keys"
cell = 0.5
dt = 0.05
seed = 3
size = [20, 10]

[map]
image = "map.png"
exits = "exits.png"
background = "plan.png"
walls = [
  { rect = [10, 0, 10.25, 4] },
  { polygon = [[3, 3], [4, 3], [3.5, 4]] },
  { circle = [15, 5, 1.0] },
  { line = [[0, 8], [6, 8], [6, 9]] },
  { rect = [10, 4, 10.25, 6], name = "gate", open = true },
]
discomfort = [{ rect = [0, 0, 5, 5], value = 0.5 }]

[[goal]]
name = "door"
rect = [19, 4, 20, 6]

[[goal]]
name = "benches"
shapes = [{ circle = [7, 7, 0.5] }, { polygon = [[8, 1], [9, 1], [9, 2]] }]

[[agents]]
name = "guests"
count = 20
start = { rect = [1, 1, 8, 7] }
place = "lattice"
radius = { uniform = [0.15, 0.25] }
speed = { normal = [1.34, 0.26], min = 0.5, max = 2.0 }
turn = 5.0
delay = { uniform = [0, 3] }
journey = [{ goal = "benches", wait = 2 }, "door"]
arrive = "next"
sprite = "disc"

[[agents]]
source = { rate = 5.0, total = 20 }
start = { rect = [0, 4, 2, 6] }
journey = "door"
sprite = "face.png"

[[agents]]
density = 0.5
start = [{ rect = [11, 0, 13, 3] }, { circle = [12, 8, 1] }]
place = "random"
arrive = "respawn"
entry = { rect = [11, 0, 13, 3] }
journey = ["exit 0", "door"]

[[zone]]
name = "stairs"
rect = [12, 0, 14, 10]
speed = 0.5

[[event]]
at = 0.5
close = "gate"

[[event]]
at = 0.9
open = "gate"

[[event]]
at = 0.4
zone = "stairs"
speed = 1.5

[model]
plan = "continuum"
steer = "follow"
scheme = "upwind"
speed_law = "weidmann"
length_weight = 1.0
time_weight = 1.0
discomfort_weight = 1.0
clearance = 0.5
clearance_discomfort = 0.5
person_radius = 0.2
jam_density = 5.4
flow_weight = 0.8
min_speed = 0.05
density_min = 0.5
density_max = 0.8
separation_rounds = 4

[model.keep-distance]
gap = 0.7
time_gap = 0.2
"#;

/// The images of [`RICH`] and of the documentation's example.
struct Folder(u32, u32);

impl Files for Folder {
    fn read(&self, name: &str) -> Result<Vec<u8>, String> {
        let (width, height) = (self.0, self.1);
        let image = match name {
            "map.png" | "rooms.png" => image::RgbaImage::from_fn(width, height, |x, y| {
                image::Rgba([if x == width / 2 && y == 0 { 255 } else { (x % 3) as u8 }, 0, 0, 255])
            }),
            "exits.png" => image::RgbaImage::from_fn(width, height, |x, _| {
                image::Rgba([if x + 1 == width { 0 } else { 255 }, 9, 9, 255])
            }),
            "plan.png" => image::RgbaImage::from_pixel(7, 3, image::Rgba([200, 190, 180, 255])),
            "face.png" => image::RgbaImage::from_pixel(4, 4, image::Rgba([90, 60, 30, 200])),
            _ => return Err("there is no such file".into()),
        };
        let mut out = std::io::Cursor::new(Vec::new());
        image.write_to(&mut out, image::ImageFormat::Png).map_err(|e| e.to_string())?;
        Ok(out.into_inner())
    }
}

const FOLDER: Folder = Folder(40, 20);

/// What numbers and words are replaced by.
const VALUES: &[&str] = &[
    "0",
    "-0.0",
    "1",
    "-1",
    "2",
    "0.5",
    "1e-3",
    "1e-9",
    "1e-40",
    "3.4e38",
    "1e39",
    "-1e39",
    "nan",
    "inf",
    "-inf",
    "100",
    "99999",
    "4294967295",
    "4294967296",
    "134217728",
    "9223372036854775807",
    "-9223372036854775808",
    "true",
    "\"\"",
    "\"door\"",
    "\"exit 0\"",
    "\"benches\"",
    "\"next\"",
    "\"respawn\"",
    "\"random\"",
    "\"static\"",
    "\"thesis\"",
    "\"gate\"",
    "\"stairs\"",
    "[]",
    "[[]]",
    "{}",
    "[0, 0, 0, 0]",
    "[1, 1, 2, 2]",
    "[1e7, 1e7]",
    "1979-05-27",
    "0x7f",
    "{ uniform = [0.1, 0.2] }",
    "{ normal = [1, 0] }",
    "{ normal = [1, 1e38] }",
    "{ goal = \"door\" }",
    "{ rect = [0, 0, 20, 10] }",
    "\"\"\"\nlong\n\"\"\"",
    "0.01",
    "20",
    "64",
];

#[derive(Clone, Debug)]
enum Slip {
    Delete(usize, usize),
    Insert(usize, Vec<u8>),
    Replace(usize, u8),
    DropLine(usize),
    RepeatLine(usize, usize),
    RepeatTable(usize),
    DropTable(usize),
    Value(usize, usize),
    Cut(usize),
}

fn slip() -> impl Strategy<Value = Slip> {
    let at = || any::<prop::sample::Index>().prop_map(|i| i.index(1 << 20));
    prop_oneof![
        1 => (at(), 1usize..12).prop_map(|(a, n)| Slip::Delete(a, n)),
        1 => (at(), prop::collection::vec(any::<u8>(), 1..6)).prop_map(|(a, b)| Slip::Insert(a, b)),
        1 => (at(), prop::sample::select(b"[]{}=,.\"'#\n\r\t -+0123456789eE_xnai\\".to_vec())).prop_map(|(a, b)| Slip::Insert(a, vec![b])),
        1 => (at(), any::<u8>()).prop_map(|(a, b)| Slip::Replace(a, b)),
        2 => at().prop_map(Slip::DropLine),
        2 => (at(), at()).prop_map(|(a, b)| Slip::RepeatLine(a, b)),
        2 => at().prop_map(Slip::RepeatTable),
        2 => at().prop_map(Slip::DropTable),
        8 => (at(), at()).prop_map(|(a, v)| Slip::Value(a, v)),
        1 => at().prop_map(Slip::Cut),
    ]
}

/// The places of values in a text: numbers and words after `=`, in lists and in tables.
fn values(text: &str) -> Vec<std::ops::Range<usize>> {
    let bytes = text.as_bytes();
    let ends = |b: u8| b",]}#\n".contains(&b);
    let mut out = Vec::new();
    for i in 1..bytes.len() {
        let begins = b"=[, ".contains(&bytes[i - 1]) && (bytes[i].is_ascii_digit() || b"\"-{[".contains(&bytes[i]));
        if begins {
            let end = (i + 1..bytes.len()).find(|&k| ends(bytes[k])).unwrap_or(bytes.len());
            out.push(i..end);
        }
    }
    out
}

fn slipped(text: &str, slips: &[Slip]) -> String {
    let mut text = text.to_owned();
    for slip in slips {
        let lines = || text.split_inclusive('\n').map(str::to_owned).collect::<Vec<String>>();
        // Pieces that each begin with a header.
        let tables = || {
            let mut out: Vec<String> = vec![String::new()];
            for line in text.split_inclusive('\n') {
                if line.starts_with('[') {
                    out.push(String::new());
                }
                out.last_mut().expect("never empty").push_str(line);
            }
            out
        };
        let mut bytes = text.clone().into_bytes();
        let n = bytes.len();
        let lossy = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        text = match slip {
            _ if n == 0 => return text,
            Slip::Delete(at, many) => {
                let at = at % n;
                bytes.drain(at..(at + many).min(n));
                lossy(&bytes)
            }
            Slip::Insert(at, what) => {
                let at = at % (n + 1);
                bytes.splice(at..at, what.iter().copied());
                lossy(&bytes)
            }
            Slip::Replace(at, what) => {
                bytes[at % n] = *what;
                lossy(&bytes)
            }
            Slip::Cut(at) => lossy(&bytes[..at % n]),
            Slip::DropLine(at) => {
                let mut lines = lines();
                lines.remove(at % lines.len());
                lines.concat()
            }
            Slip::RepeatLine(from, to) => {
                let mut lines = lines();
                let line = lines[from % lines.len()].clone();
                lines.insert(to % lines.len(), line);
                lines.concat()
            }
            Slip::RepeatTable(at) => {
                let mut tables = tables();
                let table = tables[at % tables.len()].clone();
                tables.push(table);
                tables.concat()
            }
            Slip::DropTable(at) => {
                let mut tables = tables();
                tables.remove(at % tables.len());
                tables.concat()
            }
            Slip::Value(at, which) => {
                let places = values(&text);
                if places.is_empty() {
                    return text;
                }
                let mut text = text.clone();
                text.replace_range(places[at % places.len()].clone(), VALUES[which % VALUES.len()]);
                text
            }
        };
    }
    text
}

/// Runs a scene for a little, if it is small and what it lacks is only found out by trying.
fn try_out(scene: &Scene) -> Result<(), TestCaseError> {
    let work = scene.grid.len() * (scene.goals.len() + 1);
    if work > 100_000 || scene.agent_count() > 1000 {
        return Ok(());
    }
    let Ok(mut run) = Simulation::with_threads(scene, 1) else { return Ok(()) };
    run.steps_by(2).expect("the CPU does not fail");
    let c = run.counters();
    prop_assert_eq!(c.active + c.outside + c.parked, scene.agent_count());
    prop_assert_eq!((c.in_wall, c.not_finite), (0, 0));
    Ok(())
}

fn texts() -> Vec<(String, Box<dyn Files>)> {
    let mut all: Vec<(String, Box<dyn Files>)> = vec![(RICH.to_owned(), Box::new(FOLDER))];
    for name in ["corridor", "crossing", "bottleneck", "empty"] {
        let scene = built_in(name).expect("it is there");
        all.push((scene.text.to_owned(), Box::new(scene)));
    }
    all
}

/// The scene written and read again: it must be the same in every value.
fn survives(scene: &Scene, files: &dyn Files) -> Result<(), TestCaseError> {
    let text = scene.to_toml();
    let again = Scene::parse("again.toml", &text, files).map_err(|e| TestCaseError::fail(format!("{e}\n{text}")))?;
    prop_assert_eq!(&text, &again.to_toml());
    prop_assert_eq!(scene.grid, again.grid);
    prop_assert_eq!(&scene.map, &again.map);
    prop_assert_eq!(&scene.zones, &again.zones);
    prop_assert_eq!(&scene.events, &again.events);
    prop_assert_eq!(scene.model, again.model);
    prop_assert_eq!((scene.dt, scene.seed, &scene.name), (again.dt, again.seed, &again.name));
    for (a, b) in scene.goals.iter().zip(&again.goals) {
        prop_assert_eq!((&a.name, &a.shapes, &a.cells), (&b.name, &b.shapes, &b.cells));
    }
    for (a, b) in scene.groups.iter().zip(&again.groups) {
        prop_assert_eq!(
            (&a.name, a.count, a.density, &a.start, a.place),
            (&b.name, b.count, b.density, &b.start, b.place)
        );
        prop_assert_eq!((a.radius, a.speed, a.turn, a.delay), (b.radius, b.speed, b.turn, b.delay));
        prop_assert_eq!((&a.journey, a.arrive, &a.entry, a.rate), (&b.journey, b.arrive, &b.entry, b.rate));
        prop_assert_eq!(&a.sprite, &b.sprite);
    }
    Ok(())
}

/// A name with anything in it, and a number that keeps it apart from others.
fn name(i: usize) -> impl Strategy<Value = String> {
    prop_oneof![any::<String>(), "[a-z\"'\\\\\n\r\t\u{0}\u{7f}#=. ]{0,12}"].prop_map(move |s| format!("{s}{i}"))
}

fn quoted(text: &str) -> String {
    let mut out = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => out.push_str(&format!("\\u{:04X}", c as u32)),
            c => out.push(c),
        }
    }
    out + "\""
}

fn shape(line: bool) -> impl Strategy<Value = String> {
    let v = || prop_oneof![-5.0f32..45.0, (0i32..40).prop_map(|i| i as f32), (0i32..400).prop_map(|i| i as f32 * 0.1)];
    let point = move || (v(), v()).prop_map(|(x, y)| format!("[{x}, {y}]"));
    let side = || prop_oneof![0.001f32..9.0, Just(1e-3), Just(500.0)];
    let line = if line { 1 } else { 0 };
    prop_oneof![
        3 => (0.0f32..30.0, 0.0f32..20.0, side(), side()).prop_map(|(x, y, a, b)| format!("rect = [{x}, {y}, {}, {}]", x + a, y + b)),
        2 => (0.0f32..30.0, 0.0f32..20.0, side()).prop_map(|(x, y, r)| format!("circle = [{x}, {y}, {r}]")),
        1 => (point(), point()).prop_map(|(a, b)| format!("polygon = [[1, 1], [9.5, 2], {a}, {b}]")),
        line => point().prop_map(|a| format!("line = [[1, 1], {a}]")),
    ]
}

fn spread(low: f32, high: f32) -> impl Strategy<Value = String> {
    let v = move || low..high;
    prop_oneof![
        v().prop_map(|a| format!("{a}")),
        (v(), v()).prop_map(|(a, b)| format!("{{ uniform = [{}, {}] }}", a.min(b), a.max(b))),
        (v(), 0.0f32..0.5).prop_map(|(a, d)| format!("{{ normal = [{a}, {d}] }}")),
        (v(), 0.0f32..0.5).prop_map(move |(a, d)| format!("{{ normal = [{a}, {d}], min = {low}, max = {high} }}")),
    ]
}

prop_compose! {
    fn group(goals: Vec<String>)(
        name in name(0),
        many in prop_oneof![
            (0u32..200).prop_map(|n| format!("count = {n}")),
            (0.0f32..3.0).prop_map(|d| format!("density = {d}")),
            (0.001f32..50.0, 0u32..90).prop_map(|(r, n)| format!("source = {{ rate = {r}, total = {n} }}")),
        ],
        start in prop_oneof![
            Just(String::new()),
            shape(false).prop_map(|s| format!("start = {{ {s} }}\n")),
            (shape(false), shape(false)).prop_map(|(a, b)| format!("start = [{{ {a} }}, {{ {b} }}]\n")),
        ],
        random in any::<bool>(),
        radius in spread(0.05, 0.4), speed in spread(0.2, 2.5), turn in spread(0.5, 9.0), delay in spread(0.0, 40.0),
        legs in prop::collection::vec((prop::sample::select(goals), 0.0f32..9.0, any::<bool>()), 1..4),
        arrive in prop::sample::select(vec!["park", "next", "respawn"]),
        entry in prop::option::of(shape(false)),
    ) -> String {
        // Goals that follow each other must differ; after the last one `next` begins with the first.
        let mut legs = legs;
        legs.dedup_by(|a, b| a.0 == b.0);
        let arrive = if arrive == "next" && legs[0].0 == legs[legs.len() - 1].0 { "park" } else { arrive };
        let legs: Vec<String> = legs
            .iter()
            .map(|(g, wait, plain)| if *plain { quoted(g) } else { format!("{{ goal = {}, wait = {wait} }}", quoted(g)) })
            .collect();
        let entry = match entry {
            Some(e) if arrive == "respawn" => format!("entry = {{ {e} }}\n"),
            _ => String::new(),
        };
        format!(
            "[[agents]]\nname = {}\n{many}\n{start}place = \"{}\"\nradius = {radius}\nspeed = {speed}\nturn = {turn}\ndelay = {delay}\n\
             journey = [{}]\narrive = \"{arrive}\"\n{entry}",
            quoted(&name), if random { "random" } else { "lattice" }, legs.join(", "),
        )
    }
}

prop_compose! {
    fn parts()(
        more in (0usize..90, 0usize..60),
        cell in prop::sample::select(vec![0.1f32, 0.25, 0.3, 0.5, 0.7, 1.0]),
        pace in 0.01f32..1.0,
        seed in any::<u32>(),
        name in name(0),
        walls in prop::collection::vec((shape(true), any::<bool>()), 0..6),
        wall_names in (name(0), name(1), name(2), name(3), name(4), name(5)),
        ground in prop::collection::vec((shape(false), 0.0f32..0.98), 0..3),
        goals in (name(1), prop::option::of(name(2))),
        goal_shapes in (shape(false), shape(false), shape(false)),
        zones in prop::collection::vec((shape(false), 0.01f32..1.25), 0..3),
    )(
        groups in prop::collection::vec(group([Some(goals.0.clone()), goals.1.clone()].into_iter().flatten().collect()), 0..4),
        weights in (0.001f32..9.0, 0.001f32..9.0, 0.0f32..9.0, 0.0f32..2.0, 0.0f32..2.0, 0.05f32..0.5, 0.1f32..9.0),
        rest in (0.0f32..1.0, 0.001f32..0.2, 0.0f32..1.0, 1.001f32..9.0, 0u32..9, any::<[bool; 3]>()),
        at in 0.0f32..1e6,
        more in Just(more), cell in Just(cell), pace in Just(pace), seed in Just(seed), name in Just(name), walls in Just(walls),
        wall_names in Just(wall_names), ground in Just(ground), goals in Just(goals), goal_shapes in Just(goal_shapes), zones in Just(zones),
    ) -> String {
        // Nobody walks faster than 4 m/s, and no zones together make that more than twice as fast.
        let dt = pace * cell / 8.0;
        // At least as large as shapes are drawn in, and written as somebody does who multiplies in decimals.
        let size = ((30.0 / cell).ceil() as usize + more.0, (20.0 / cell).ceil() as usize + more.1);
        let metres = |n: usize| (f64::from(cell) * 1e3).round() * n as f64 / 1e3;
        let mut text = format!(
            "name = {}\ncell = {cell}\ndt = {dt}\nseed = {seed}\nsize = [{}, {}]\n[map]\nwalls = [\n",
            quoted(&name), metres(size.0), metres(size.1)
        );
        let n = &wall_names;
        for ((shape, open), name) in walls.iter().zip([&n.0, &n.1, &n.2, &n.3, &n.4, &n.5]) {
            text += &format!("  {{ {shape}, name = {}, open = {open} }},\n", quoted(name));
        }
        text += "]\ndiscomfort = [\n";
        for (shape, value) in ground {
            text += &format!("  {{ {shape}, value = {value} }},\n");
        }
        text += "]\n";
        text += &format!("[[goal]]\nname = {}\n{}\n", quoted(&goals.0), goal_shapes.0);
        if let Some(name) = &goals.1 {
            text += &format!("[[goal]]\nname = {}\nshapes = [{{ {} }}, {{ {} }}]\n", quoted(name), goal_shapes.1, goal_shapes.2);
        }
        for group in &groups {
            text += group;
        }
        for (i, (shape, speed)) in zones.iter().enumerate() {
            text += &format!("[[zone]]\nname = \"z{i}\"\n{shape}\nspeed = {speed}\n");
            text += &format!("[[event]]\nat = {at}\nzone = \"z{i}\"\nspeed = {speed}\n");
        }
        if !walls.is_empty() {
            text += &format!("[[event]]\nat = {at}\nclose = {}\n[[event]]\nat = 3\nopen = {}\n", quoted(&n.0), quoted(&n.0));
        }
        let (a, b, c, d, e, f, g) = weights;
        let (h, i, j, k, l, words) = rest;
        text + &format!(
            "[model]\nlength_weight = {a}\ntime_weight = {b}\ndiscomfort_weight = {c}\nclearance = {d}\nclearance_discomfort = {e}\n\
             person_radius = {f}\njam_density = {g}\nflow_weight = {h}\nmin_speed = {i}\ndensity_min = {j}\ndensity_max = {k}\n\
             separation_rounds = {l}\nplan = \"{}\"\nscheme = \"{}\"\nspeed_law = \"{}\"\n",
            if words[0] { "continuum" } else { "static" },
            if words[1] { "upwind" } else { "thesis" },
            if words[2] { "weidmann" } else { "thesis" },
        )
    }
}

#[test]
fn the_rich_scene_is_sound() {
    let scene = Scene::parse("rich.toml", RICH, &FOLDER).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((scene.goals.len(), scene.groups.len(), scene.events.len()), (3, 3, 3));
    let mut run = Simulation::new(&scene).unwrap_or_else(|e| panic!("{e}"));
    run.steps_by(30).expect("the CPU does not fail");
    assert_eq!((run.counters().in_wall, run.counters().not_finite), (0, 0));
    survives(&scene, &FOLDER).unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn the_example_of_the_documentation_is_a_sound_scene() {
    let page = include_str!("../../../docs/scene.md");
    let example =
        page.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).expect("docs/scene.md has an example");
    // It shows `arrive = "park"` together with `entry`, which only "respawn" has.
    let example = example.replace("arrive = \"park\" ", "arrive = \"respawn\" ");
    let files = Folder(80, 40);
    let scene = Scene::parse("two rooms.toml", &example, &files).unwrap_or_else(|e| panic!("{e}"));
    let mut run = Simulation::new(&scene).unwrap_or_else(|e| panic!("{e}"));
    run.steps_by(10).expect("the CPU does not fail");
    survives(&scene, &files).unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn every_built_in_scene_is_the_same_when_written_and_read_again() {
    for b in BUILT_IN {
        let scene = Scene::parse(b.name, b.text, &b).unwrap_or_else(|e| panic!("{e}"));
        survives(&scene, &b).unwrap_or_else(|e| panic!("{}: {e}", b.name));
    }
}

#[test]
fn a_long_world_of_small_cells_is_the_same_when_written_and_read_again() {
    // 0.1 has no end in binary: over 99 km of it the error adds up to more than a millimetre.
    for (metres, cells) in [("7000.1", 70_001), ("99999.9", 999_999)] {
        let text = format!("cell = 0.1\nsize = [{metres}, 0.2]\n");
        let scene = Scene::parse("long.toml", &text, &NoFiles).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!((scene.grid.width, scene.grid.height), (cells, 2));
        survives(&scene, &NoFiles).unwrap_or_else(|e| panic!("{e}"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn no_slip_in_a_scene_brings_the_reader_down(
        which in 0usize..5, slips in prop::collection::vec(slip(), 1..7)
    ) {
        let (text, files) = &texts()[which];
        let text = slipped(text, &slips);
        match Scene::parse("slip.toml", &text, files.as_ref()) {
            Err(error) => {
                prop_assert!(error.line() <= text.lines().count() + 1, "line {} of {}", error.line(), text.lines().count());
                prop_assert!(!error.message().is_empty());
            }
            Ok(scene) => {
                survives(&scene, files.as_ref())?;
                try_out(&scene)?;
            }
        }
    }

    #[test]
    fn no_text_at_all_brings_the_reader_down(text in any::<String>(), lines in "([a-z.]{1,6} = [0-9\\[\\]{},.\"-]{0,12}\n|\\[\\[?[a-z.]{1,9}\\]\\]?\n){0,12}") {
        for text in [text, lines] {
            if let Ok(scene) = Scene::parse("any.toml", &text, &NoFiles) {
                try_out(&scene)?;
            }
        }
    }

    #[test]
    fn a_random_scene_is_the_same_when_written_and_read_again(text in parts()) {
        let scene = match Scene::parse("random.toml", &text, &NoFiles) {
            Ok(scene) => scene,
            // Points are drawn anywhere: once in a while they lie on one line.
            Err(e) if e.message().contains("no area") || e.message().contains("no length") => {
                return Err(TestCaseError::reject("a shape of nothing"));
            }
            Err(e) => return Err(TestCaseError::fail(format!("{e}\n{text}"))),
        };
        survives(&scene, &NoFiles)?;
    }

    #[test]
    fn no_key_or_value_brings_the_editor_down(
        which in 0usize..5,
        key in prop_oneof![
            any::<String>(),
            prop::collection::vec(prop::sample::select(vec![
                "map", "walls", "agents", "goal", "zone", "event", "model", "0", "1", "2", "99", "18446744073709551616", "-1", "rect",
                "start", "count", "speed", "normal", "name", "size", "plan", "", " ", "a b", "\"q\"", "é", "journey", "shapes", "discomfort",
            ]), 1..6).prop_map(|v| v.join(".")),
        ],
        value in prop_oneof![any::<String>(), prop::sample::select(VALUES.to_vec()).prop_map(str::to_owned)],
    ) {
        let (text, files) = &texts()[which];
        if let Ok(changed) = with_value(text, &key, &value) {
            // Whatever came of it, it is TOML still; whether it is a scene is the reader's to say.
            if let Err(e) = Scene::parse("edited.toml", &changed, files.as_ref()) {
                prop_assert!(!e.message().contains("not TOML"), "{key} = {value}: {e}\n{changed}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, max_shrink_iters: 200, ..ProptestConfig::default() })]

    #[test]
    fn a_random_scene_runs_and_is_resumed_to_the_bit(text in parts()) {
        let Ok(scene) = Scene::parse("random.toml", &text, &NoFiles) else { return Ok(()) };
        if scene.grid.len() > 20_000 || scene.agent_count() > 4000 {
            return Ok(());
        }
        // Whether the crowd fits and finds a way is found out only now.
        let Ok(mut run) = Simulation::with_threads(&scene, 1) else { return Ok(()) };
        for _ in 0..20 {
            run.step().expect("the CPU does not fail");
            let c = run.counters();
            prop_assert_eq!(c.active + c.outside + c.parked, scene.agent_count());
            prop_assert_eq!((c.in_wall, c.not_finite), (0, 0), "step {}\n{}", c.steps, text);
        }
        let mut rest = Simulation::with_threads(&scene, 1).expect("it was sound before");
        rest.resume(&run.save().unwrap()).map_err(|e| TestCaseError::fail(format!("{e}\n{text}")))?;
        run.steps_by(5).expect("the CPU does not fail");
        rest.steps_by(5).expect("the CPU does not fail");
        prop_assert_eq!(run.state_hash().unwrap(), rest.state_hash().unwrap(), "{}", text);
        prop_assert_eq!(run.counters(), rest.counters(), "{}", text);
    }
}

/// FNV-1a; the header of a snapshot has that of the body and of how many events have happened.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |h, &b| (h ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01B3))
}

const HEADER: usize = 32;
/// Where the engine's own state begins: behind the hashes of two models.
const STATE: usize = HEADER + 16;

/// The bytes with the checksum that they should have, so that what is inside is looked at.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    if bytes.len() >= HEADER {
        // How many events have happened, and the engine's state.
        let sum = hash(&bytes[12..16]) ^ hash(&bytes[HEADER..]);
        bytes[24..32].copy_from_slice(&sum.to_le_bytes());
    }
    bytes
}

/// The rich scene under way, with walls that were added and cells that were painted.
fn under_way() -> Simulation {
    let scene = Scene::parse("rich.toml", RICH, &FOLDER).expect("it is sound");
    let mut run = Simulation::with_threads(&scene, 1).expect("it is sound");
    run.steps_by(11).expect("the CPU does not fail");
    run.add_wall(Shape::Rect(Rect::new(Vec2::new(16.5, 1.0), Vec2::new(17.0, 2.0)))).expect("a sound shape");
    run.add_wall(Shape::Line(vec![Vec2::new(13.0, 9.0), Vec2::new(14.0, 9.5)])).expect("a sound shape");
    assert!(run.paint_wall(Vec2::new(17.2, 8.2), true));
    assert!(run.paint_ground(&[(40, 0.3), (41, 0.98), (799, 0.0)]));
    run.steps_by(4).expect("the CPU does not fail");
    run
}

/// Whether a snapshot was taken, or refused for what it says: neither for its header nor for its checksum.
fn was_read(error: &Option<ResumeError>) -> bool {
    matches!(error, None | Some(ResumeError::Engine(_)))
}

/// Tries bytes as a snapshot. If they are refused, everything is as it was.
fn offer(run: &mut Simulation, bytes: &[u8]) -> Result<Option<ResumeError>, TestCaseError> {
    let before = (run.state_hash().unwrap(), run.counters(), run.save().unwrap());
    match run.resume(bytes) {
        Ok(()) => Ok(None),
        Err(error) => {
            prop_assert_eq!(run.state_hash().unwrap(), before.0);
            prop_assert_eq!(run.counters(), before.1);
            prop_assert!(run.save().unwrap() == before.2, "a refused snapshot changed the run");
            Ok(Some(error))
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_snapshot_cut_short_is_refused(cut in any::<prop::sample::Index>(), seal in any::<bool>()) {
        let mut run = under_way();
        let whole = run.save().unwrap();
        run.steps_by(3).expect("the CPU does not fail");
        let bytes = whole[..cut.index(whole.len())].to_vec();
        let bytes = if seal { sealed(bytes) } else { bytes };
        let error = offer(&mut run, &bytes)?;
        prop_assert!(error.is_some(), "{} of {} bytes were taken for a snapshot", bytes.len(), whole.len());
        prop_assert_eq!(was_read(&error), seal && bytes.len() >= STATE, "{:?}", error);
    }

    #[test]
    fn a_single_flipped_bit_of_the_body_is_noticed(at in any::<prop::sample::Index>(), bit in 0u8..8) {
        let mut run = under_way();
        let mut bytes = run.save().unwrap();
        run.steps_by(3).expect("the CPU does not fail");
        let at = 16 + at.index(bytes.len() - 16);
        bytes[at] ^= 1 << bit;
        let error = offer(&mut run, &bytes)?;
        prop_assert!(matches!(error, Some(ResumeError::Damaged | ResumeError::OtherScene)), "byte {at} bit {bit}: {error:?}");
    }

    #[test]
    fn damage_under_a_good_checksum_never_brings_the_reader_down(
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..5),
        words in prop::collection::vec((any::<prop::sample::Index>(), prop::sample::select(vec![0u32, 1, 7, 255, 65_536, 0x7FC0_0000, 0x7F80_0000, u32::MAX, 0xFF7F_FFFF])), 0..3),
        extra in prop::collection::vec(any::<u8>(), 0..9),
    ) {
        let mut run = under_way();
        let mut bytes = run.save().unwrap();
        let n = bytes.len() - HEADER;
        for (at, by) in &flips {
            bytes[HEADER + at.index(n)] ^= by;
        }
        for (at, word) in &words {
            let at = HEADER + at.index(n / 4) * 4;
            bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
        }
        bytes.extend(&extra);
        let error = offer(&mut run, &sealed(bytes))?;
        prop_assert!(extra.is_empty() || error.is_some(), "bytes after the end were taken");
        prop_assert!(was_read(&error), "the seal of this test does not hold: {:?}", error);
        if error.is_none() {
            // Whatever was taken for a state can go on from there; counts of the past may be anything.
            let before = run.counters();
            run.steps_by(3).expect("the CPU does not fail");
            let after = run.counters();
            prop_assert_eq!(after.not_finite, before.not_finite);
            prop_assert_eq!(after.active + after.outside + after.parked, run.scene().agent_count());
        }
    }

    #[test]
    fn random_bytes_are_no_snapshot(body in prop::collection::vec(any::<u8>(), 0..400), whole in any::<bool>()) {
        let mut run = under_way();
        let head = run.save().unwrap()[..STATE].to_vec();
        let bytes = if whole { body } else { sealed([head, body].concat()) };
        let error = offer(&mut run, &bytes)?;
        prop_assert!(error.is_some());
        prop_assert_eq!(was_read(&error), !whole, "{:?}", error);
    }
}

#[test]
fn the_seal_of_these_tests_is_that_of_a_snapshot() {
    let own = under_way().save().unwrap();
    assert!(
        sealed(own.clone()) == own,
        "the header has changed: sealed() must follow, or nothing here reaches the reader"
    );
    // A change that any run could have made is taken under the seal, and only there.
    let mut run = under_way();
    let mut other = own;
    // The number of the next id comes after the model's parameters and how many they are: ids may be left out.
    let parameters = u32::from_le_bytes(other[STATE..STATE + 4].try_into().unwrap()) as usize;
    other[STATE + 4 + 4 * parameters] += 1;
    assert_eq!(run.resume(&other), Err(ResumeError::Damaged));
    assert_eq!(run.resume(&sealed(other)), Ok(()));
}

#[test]
fn no_place_of_a_snapshot_is_believed_whatever_it_says() {
    // Nothing, one, not a number, infinities, the largest and the least, far away, and lengths beyond all bytes.
    const WORDS: [u32; 11] = [
        0,
        1,
        0x7FC0_0000,
        0xFF80_0000,
        0x7F80_0000,
        0x7F7F_FFFF,
        0x0000_0002,
        0x4B18_9680,
        0x8000_0000,
        0x3F80_0000,
        u32::MAX,
    ];
    let mut run = under_way();
    let own = run.save().unwrap();
    // A word for each place: which of them, follows from the seed.
    let first = (seed::seed() % WORDS.len() as u64) as usize;
    let (mut taken, mut refused) = (0, 0);
    for at in STATE..own.len() - 3 {
        let mut bytes = own.clone();
        let word = WORDS[(at + first) % WORDS.len()];
        bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
        match run.resume(&sealed(bytes)) {
            Err(ResumeError::Engine(_)) => refused += 1,
            Err(other) => panic!("the reader was not reached: {other}"),
            Ok(()) => {
                taken += 1;
                let before = run.counters().not_finite;
                run.step().expect("the CPU does not fail");
                assert_eq!(run.counters().not_finite, before, "{word:#X} at byte {at}");
            }
        }
    }
    // Most of this snapshot is ground and painted cells, where many words are fine; columns of agents are guarded.
    assert!(taken > 100 && refused > 100, "{taken} taken, {refused} refused");
}

#[test]
fn a_snapshot_of_another_scene_or_format_is_refused_by_name() {
    let mut run = under_way();
    let own = run.save().unwrap();
    assert!(sealed(own.clone()) == own, "a seal is what a snapshot has");
    assert_eq!(run.resume(b"THRONG\r\n"), Err(ResumeError::NotASnapshot));
    assert_eq!(run.resume(b"not a snapshot at all, but long enough to be one"), Err(ResumeError::NotASnapshot));
    let mut later = own.clone();
    later[8] = 99;
    assert_eq!(run.resume(&later), Err(ResumeError::Format(99)));
    let other = Scene::parse("rich.toml", &RICH.replace("seed = 3", "seed = 4"), &FOLDER).expect("it is sound");
    let mut other = Simulation::new(&other).expect("it is sound");
    assert_eq!(run.resume(&other.save().unwrap()), Err(ResumeError::OtherScene));
    let mut events = own.clone();
    events[12] = 77;
    assert_eq!(run.resume(&events), Err(ResumeError::Damaged));
    assert_eq!(run.resume(&own), Ok(()));
}

#[test]
fn after_a_refused_snapshot_the_run_goes_on_as_if_nothing_had_been() {
    let (mut run, mut twin) = (under_way(), under_way());
    let mut bytes = run.save().unwrap();
    let last = bytes.len() - 1;
    bytes[last] = 1;
    bytes.truncate(last);
    for bad in [sealed(bytes.clone()), bytes, Vec::new()] {
        assert!(run.resume(&bad).is_err());
        run.steps_by(5).expect("the CPU does not fail");
        twin.steps_by(5).expect("the CPU does not fail");
        assert_eq!(run.state_hash().unwrap(), twin.state_hash().unwrap());
        assert_eq!(run.counters(), twin.counters());
    }
}
