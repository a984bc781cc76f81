//! Inputs of the stages: floors and crowds of runs, and drawn ones.

use super::*;

const HEAP: &str = r#"
name = "heap"
cell = 0.5
size = [23.5, 17.5]
seed = 5
[map]
walls = [{ rect = [9, 4, 9.1, 12] }, { circle = [16, 9, 1.3] }, { line = [[3, 14], [8, 16]] }, { polygon = [[18, 2], [21, 3], [19, 6]] }]
[[goal]]
name = "east"
rect = [22, 7, 23.5, 10]
[[goal]]
name = "west"
rect = [0, 2, 1, 6]
[[zone]]
name = "stairs"
rect = [12, 12, 16, 16]
speed = 0.5
[[agents]]
name = "crowd"
count = 160
start = { rect = [2, 2, 20, 15] }
place = "random"
radius = { uniform = [0.1, 0.6] }
speed = { uniform = [0.6, 2.0] }
journey = ["east", { goal = "west", wait = 0.2 }]
arrive = "next"
[[agents]]
name = "guests"
source = { rate = 40.0, total = 60 }
start = { rect = [2, 7, 5, 12] }
radius = { uniform = [0.2, 0.3] }
journey = ["east"]
arrive = "respawn"
entry = { rect = [3, 1, 8, 3] }
delay = { uniform = [0.0, 0.3] }
[[agents]]
name = "leavers"
count = 80
start = { rect = [17, 7, 21.9, 16] }
radius = 0.2
journey = ["east"]
arrive = "park"
"#;

/// Most live by states, with everything that a transition may ask.
const STATES: &str = r#"
name = "states"
cell = 0.5
size = [23.5, 17.5]
seed = 9
[map]
walls = [{ rect = [9, 4, 9.1, 12] }, { circle = [16, 9, 1.3] }]
[[goal]]
name = "patches"
shapes = [{ rect = [19, 2, 22, 6], capacity = 9 }, { circle = [20, 13, 1.5], capacity = 4 }]
[[goal]]
name = "camp"
rect = [1, 1, 4, 9]
[[portal]]
name = "tunnel"
between = [[6, 14, 7, 15], [14, 14, 15, 15]]
length = 2
[[event]]
at = 0.4
name = "gong"
[[hazard]]
kind = "ghost"
path = [[10, 8], [20, 8]]
speed = 2
radius = 0.6
fear = 0.4
[[agents]]
name = "bold"
count = 90
start = { rect = [10, 1, 22.5, 16] }
place = "random"
radius = { uniform = [0.1, 0.3] }
state = "hungry"
goal_distance = { uniform = [0.2, 1.2] }
[[agents]]
name = "shy"
count = 50
start = { rect = [1, 1, 12, 16] }
place = "random"
radius = { uniform = [0.1, 0.3] }
state = "rest"
[[agents]]
name = "late"
source = { rate = 30, total = 20 }
start = { rect = [10, 1, 14, 4] }
radius = { uniform = [0.1, 0.3] }
state = "hungry"
[[agents]]
name = "guests"
count = 10
start = { rect = [10, 1, 18, 16] }
radius = { uniform = [0.1, 0.3] }
journey = [{ goal = "patches", wait = 0.4 }, "camp"]
arrive = "next"
[[state]]
name = "hungry"
goal = "patches"
speed = 1.3
[[state.then]]
to = "flee"
when = { hazard_within = 1.5 }
interrupt = true
[[state.then]]
to = "rest"
when = { agents_within = { radius = 0.8, count = 3 }, chance = 0.9 }
interrupt = true
group = "shy"
[[state.then]]
to = "eat"
[[state]]
name = "eat"
seconds = { uniform = [0.1, 0.6] }
at = "patches"
[[state.then]]
to = "home"
when = { chance = 0.6 }
[[state]]
name = "home"
goal = "camp"
[[state.then]]
to = "hungry"
when = { goal_within = { goal = "patches", metres = 3 }, after = 0.2 }
interrupt = true
[[state.then]]
to = "rest"
[[state]]
name = "rest"
seconds = { uniform = [0.1, 0.3] }
at = "camp"
[[state.then]]
to = "home"
when = { event = "gong", group = "shy" }
group = "bold"
[[state.then]]
to = "hungry"
when = { agents_within = { radius = 1, count = 0, most = 4, state = "rest" } }
[[state]]
name = "flee"
flee = true
seconds = 0.2
[[state.then]]
to = "hungry"
when = { hazard_beyond = 2 }
[model]
goal_crowding = 2
"#;

/// Everybody heads for points, some of them from outside and some on the way to a goal.
const POINTS: &str = r#"
name = "points"
cell = 0.5
size = [23.5, 17.5]
seed = 6
[map]
walls = [{ rect = [9, 4, 9.1, 12] }, { circle = [16, 9, 1.3] }, { polygon = [[18, 2], [21, 3], [19, 6]] }]
[[goal]]
name = "east"
rect = [22, 7, 23.5, 10]
[[agents]]
count = 90
start = { rect = [2, 2, 20, 15] }
place = "random"
radius = { uniform = [0.1, 0.4] }
goal_distance = 1.5
journey = [{ to = "opposite" }, { to = { random = [{ circle = [16, 9, 2.5] }, { rect = [8, 3, 10, 8] }] }, wait = 0.1 }]
arrive = "next"
[[agents]]
count = 60
start = { rect = [10, 2, 22, 15] }
goal_distance = 2
journey = [{ to = [[12, 3], [12, 9], [20.5, 14]] }, "east", { to = "opposite" }]
arrive = "next"
[[agents]]
source = { rate = 40.0, total = 60 }
start = { rect = [2, 7, 5, 12] }
goal_distance = 1
journey = [{ to = { random = { rect = [2, 7, 5, 12] } } }]
arrive = "respawn"
delay = { uniform = [0.0, 0.3] }
"#;

/// A waiting room behind a door at which those who come out go first.
const DOOR: &str = r#"
name = "door"
cell = 0.25
size = [14, 9]
seed = 7
[map]
walls = [{ rect = [6, 0, 6.2, 4] }, { rect = [6, 5.2, 6.2, 9] }, { circle = [10, 4.5, 0.6] }]
[[goal]]
name = "room"
rect = [6.2, 0, 14, 9]
[[goal]]
name = "street"
rect = [0, 0, 1, 9]
[[door]]
line = [[6.1, 4], [6.1, 5.2]]
first = "backward"
patience = 1.5
[[agents]]
count = 60
start = { rect = [1, 1, 5.9, 8] }
radius = { uniform = [0.15, 0.25] }
journey = [{ goal = "room", wait = 3 }, "street"]
arrive = "next"
[[agents]]
count = 40
start = { rect = [7, 1, 13, 8] }
journey = ["street", { goal = "room", wait = 1 }, { to = "opposite" }]
arrive = "next"
[model]
steer = "walk"
plan = "static"
"#;

/// Goals that hold only so many and one that is closed, and people who wait for a bell.
const ROOMS: &str = r#"
name = "rooms"
cell = 0.5
size = [23.5, 17.5]
seed = 7
[map]
walls = [{ rect = [9, 4, 9.1, 12] }, { circle = [16, 9, 1.3] }]
[[goal]]
name = "shelters"
shapes = [{ rect = [11, 2, 14, 6], capacity = 5 }, { rect = [13, 5, 15, 8], capacity = 7 }, { rect = [18, 7, 23.5, 16] }]
capacity = 60
[[goal]]
name = "hall"
rect = [2, 2, 8, 14]
capacity = 30
[[goal]]
name = "closed"
circle = [20, 3, 2]
open = false
[[agents]]
count = 130
start = { rect = [2, 2, 20, 15] }
place = "random"
radius = { uniform = [0.1, 0.3] }
journey = [{ goal = "shelters", wait = { until = "bell" } }, { goal = "hall", wait = 0.3 }]
arrive = "next"
[[agents]]
count = 60
start = { rect = [16, 2, 22, 16] }
place = "random"
journey = ["shelters"]
[[agents]]
count = 40
start = { rect = [16, 2, 22, 16] }
place = "random"
journey = ["closed"]
[[agents]]
source = { rate = 40.0, total = 60 }
start = { rect = [2, 7, 5, 12] }
journey = ["shelters", { goal = "hall", wait = { until = "bell" } }]
arrive = "respawn"
[[event]]
name = "bell"
at = 0.6
[[event]]
name = "bell"
at = 1.84
"#;

/// A cloud and a ghost among two streams, walls and somebody who waits.
const HAZARDS: &str = r#"
name = "hazards"
cell = 0.5
size = [23.5, 17.5]
seed = 8
[map]
walls = [{ rect = [9, 4, 9.1, 12] }, { circle = [16, 9, 1.3] }]
[[goal]]
name = "east"
rect = [22, 7, 23.5, 10]
[[goal]]
name = "west"
rect = [0, 2, 1, 6]
[[hazard]]
kind = "gas"
at = [8, 8]
drift = [0.5, 0.1]
radius = 1
growth = 0.3
radius_max = 3
fade = 8
[[hazard]]
kind = "ghost"
path = [[14, 3], [20, 14], [6, 15]]
speed = 1.5
loop = true
radius = 1.5
strength = 2
[[agents]]
count = 150
start = { rect = [2, 2, 20, 15] }
place = "random"
radius = { uniform = [0.1, 0.3] }
journey = [{ goal = "east", wait = 1 }, "west"]
arrive = "next"
"#;

/// Hills, a cliff, places where weights differ and a cloud, with costs without direction.
const HILLS: &str = r#"
name = "hills"
cell = 0.5
size = [23.5, 17.5]
seed = 9
[map]
walls = [{ rect = [9, 4, 9.1, 12] }, { circle = [16, 9, 1.3] }]
[terrain]
hills = [{ at = [6, 9], radius = 5, height = 1.2 }, { at = [14, 4], radius = 3, height = -0.7 }, { at = [20, 15], radius = 2, height = 3 }]
[[weights]]
circle = [18, 8, 3]
density = 3
[[weights]]
rect = [2, 2, 8, 6]
terrain = 0.5
hazard = 2
[[goal]]
name = "east"
rect = [22, 7, 23.5, 10]
[[goal]]
name = "west"
rect = [0, 2, 1, 6]
[[zone]]
name = "mud"
rect = [11, 12, 15, 16]
speed = 0.5
[[hazard]]
kind = "gas"
at = [12, 10]
radius = 1.5
[[agents]]
count = 150
start = { rect = [2, 2, 18, 14] }
place = "random"
radius = { uniform = [0.1, 0.3] }
journey = ["east", "west"]
arrive = "next"
[[agents]]
count = 20
start = { rect = [2, 2, 18, 14] }
place = "random"
discomfort_weight = 5
journey = ["west", "east"]
arrive = "next"
"#;

/// A scene, cells that are painted as walls before the first step, and the steps that a run has done when its stages are compared.
pub(super) struct Case {
    pub(super) scene: Scene,
    pub(super) painted: Vec<(u32, bool)>,
    pub(super) steps: u64,
}

/// A scene with everything in it drawn: the same for the same seed.
fn drawn(seed: u32) -> Case {
    let mut count = 0;
    let mut draw = |low: f32, high: f32| {
        count += 1;
        low + (high - low) * unit(crate::random::draw(seed, count, Purpose::Tie, 0)[0])
    };
    let mut text = format!("cell = {}\nsize = [20, 14]\nseed = {seed}\n", [0.25, 0.4, 0.5][seed as usize % 3]);
    text += "[[goal]]\nname = \"a\"\nrect = [18.5, 2, 20, 12]\n[[goal]]\nname = \"b\"\nrect = [0, 0, 1.5, 6]\n[map]\nwalls = [";
    for _ in 0..5 {
        let (x, y) = (draw(3.0, 16.0), draw(0.0, 12.0));
        text += &format!("{{ rect = [{x}, {y}, {}, {}] }},", x + draw(0.05, 1.5), y + draw(0.05, 2.0));
    }
    text += "]\ndiscomfort = [";
    for _ in 0..3 {
        let (x, y) = (draw(1.0, 16.0), draw(0.0, 11.0));
        text += &format!("{{ circle = [{x}, {y}, {}], value = {} }},", draw(0.5, 3.0), draw(0.0, 0.9));
    }
    text += &format!("]\n[[zone]]\nname = \"z\"\nrect = [5, 3, 9, 9]\nspeed = {}\n", draw(0.3, 1.0));
    for group in 0..3 {
        text += &format!(
            "[[agents]]\ncount = {}\nplace = \"random\"\nradius = {{ uniform = [0.1, {}] }}\nspeed = {{ uniform = [0.5, 2] }}\n\
             journey = [\"{}\", \"{}\"]\narrive = \"next\"\n",
            draw(30.0, 90.0) as u32,
            draw(0.15, 0.4),
            ["a", "b"][group % 2],
            ["b", "a"][group % 2],
        );
        if group == 2 {
            text += "discomfort_weight = 7\n";
        }
        if seed > 17 && group > 0 {
            let (side, epsilon, frame) =
                (9 + 6 * group as u32 + seed % 2, draw(-1.9, 1.9), ["world", "way"][group % 2]);
            let (angle, spread, company) = (draw(-3.0, 3.0), draw(0.0, 1.0), seed % 3 + 1);
            text += &format!(
                "bvp = {{ side = {side}, epsilon = {epsilon}, frame = \"{frame}\", angle = {angle}, spread = {spread}, company = {company} }}\n"
            );
        }
    }
    text += &format!(
        "[model]\nplan = \"{}\"\nspeed_law = \"{}\"\nscheme = \"{}\"\nsteer = \"{}\"\n",
        if seed == 18 { "harmonic" } else { ["continuum", "static"][seed as usize % 2] },
        ["weidmann", "thesis"][seed as usize / 2 % 2],
        "upwind",
        match seed {
            9..=11 => "velocity-obstacle",
            12..=14 => "orca",
            15..=17 => "social-force",
            18..=19 => "bvp",
            _ => ["follow", "keep-distance", "walk"][seed as usize / 3 % 3],
        },
    );
    text += ["", "[model.velocity-obstacle]\nfan = \"both\"\ncandidates = 7\n"][usize::from(seed == 10)];
    if (15..=17).contains(&seed) {
        // Small cells with few places, so that somebody is refused.
        let layout = ["full", "half", "quarter"][seed as usize - 15];
        let congestion = ["dispersion", "avoidance", "standard"][seed as usize % 3];
        text += &format!(
            "[model.social-force]\npacking = \"{layout}\"\ncongestion = \"{congestion}\"\nrange = {}\nplaces = {}\ncrowded = 3\ndense = 5\n",
            1.0 + seed as f32 % 4.0,
            seed - 11,
        );
    }
    let scene = Scene::parse("drawn.toml", &text, &NoFiles).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    let cells = scene.grid.len() as f32;
    let painted = (0..25).map(|_| (draw(0.0, cells) as u32, true)).collect();
    Case { scene, painted, steps: u64::from(seed % 5) }
}

/// Two crowds that meet in a door and soon lose patience.
fn jam(steer: &str) -> Scene {
    let mut text = format!(
        "size = [16, 8]\ncell = 0.5\nseed = 3\n[model]\nplan = \"static\"\nsteer = \"{steer}\"\n[model.{steer}]\npatience = 0.3\n\
         [map]\nwalls = [{{ rect = [7.9, 0, 8.1, 3.5] }}, {{ rect = [7.9, 4.5, 8.1, 8] }}]\n"
    );
    for (k, goal, start) in [(0, "15, 0, 16, 8", "3.4, 1.5, 6.9, 6.5"), (1, "0, 0, 1, 8", "8.5, 1.5, 12, 6.5")] {
        text += &format!(
            "[[goal]]\nname = \"g{k}\"\nrect = [{goal}]\n[[agents]]\ncount = 50\nstart = {{ rect = [{start}] }}\nradius = 0.2\n\
             journey = [\"g{k}\"]\n"
        );
    }
    // Somebody stands in the way.
    text +=
        "[[agents]]\ncount = 1\nstart = { circle = [7.4, 4, 0.26] }\nradius = 0.2\njourney = [\"g0\"]\ndelay = 1000\n";
    Scene::parse("jam.toml", &text, &NoFiles).unwrap_or_else(|e| panic!("{e:?}"))
}

pub(super) fn cases() -> Vec<Case> {
    let mut office = Scene::built_in("office").unwrap();
    office.scale(0.2).unwrap();
    let mut circle = Scene::built_in("circle").unwrap();
    circle.scale(0.02).unwrap();
    let heap = Scene::parse("heap.toml", HEAP, &NoFiles).unwrap_or_else(|e| panic!("{e:?}"));
    let points = Scene::parse("points.toml", POINTS, &NoFiles).unwrap_or_else(|e| panic!("{e:?}"));
    let door = Scene::parse("door.toml", DOOR, &NoFiles).unwrap_or_else(|e| panic!("{e:?}"));
    let rooms = Scene::parse("rooms.toml", ROOMS, &NoFiles).unwrap_or_else(|e| panic!("{e:?}"));
    let hazards = Scene::parse("hazards.toml", HAZARDS, &NoFiles).unwrap_or_else(|e| panic!("{e:?}"));
    let hills = |model: &str| {
        let text = format!("{HILLS}[model]\n{model}");
        Scene::parse("hills.toml", &text, &NoFiles).unwrap_or_else(|e| panic!("{e:?}"))
    };
    let froblins = hills("plan = \"froblins\"\nsteer = \"follow\"\n");
    let central = hills("plan = \"froblins\"\nfroblins = { gradient = \"central\" }\n");
    let states = Scene::parse("states.toml", STATES, &NoFiles).unwrap_or_else(|e| panic!("{e:?}"));
    let of_runs = [
        (states.clone(), 0),
        (states.clone(), 9),
        (states, 60),
        (froblins, 30),
        (central, 5),
        (hills(""), 20),
        (hazards.clone(), 0),
        (hazards, 60),
        (rooms.clone(), 0),
        (rooms.clone(), 14),
        (rooms, 45),
        (door.clone(), 3),
        (door.clone(), 75),
        (door, 200),
        (office, 30),
        (circle, 25),
        (heap.clone(), 2),
        (heap, 45),
        (points.clone(), 0),
        (points.clone(), 4),
        (points, 60),
        (jam("velocity-obstacle"), 75),
        (jam("orca"), 75),
    ];
    let of_runs = of_runs.map(|(scene, steps)| Case { scene, painted: Vec::new(), steps });
    of_runs.into_iter().chain((1..=19).map(drawn)).collect()
}
