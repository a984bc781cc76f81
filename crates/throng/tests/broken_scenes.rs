//! Scenes that cannot be used, and what the user is told about each: one snapshot of all the messages.

#[path = "broken_scenes/folder.rs"]
mod folder;

use folder::Folder;
use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme};
use std::fmt::Write;
use throng::scene::SceneError;
use throng::{Scene, Simulation};

const WORLD: &str = "size = [10, 5]\n";
const GOAL: &str = "[[goal]]\nname = \"door\"\nrect = [9, 0, 10, 5]\n";
const AGENTS: &str = "[[agents]]\ncount = 5\nstart = { rect = [1, 1, 4, 4] }\n";

/// The usual world and goal, then something.
fn after_goal(rest: &str) -> String {
    format!("{WORLD}\n{GOAL}\n{rest}\n")
}

/// The usual world, goal and agents, then something.
fn after_agents(rest: &str) -> String {
    format!("{WORLD}\n{GOAL}\n{AGENTS}\n{rest}\n")
}

/// Something at the top, then the usual goal and agents.
fn before(top: &str) -> String {
    format!("{top}\n\n{GOAL}\n{AGENTS}")
}

/// The usual agents with a few more lines.
fn agents_with(lines: &str) -> String {
    after_goal(&format!("{AGENTS}{lines}"))
}

/// The usual scene with walls.
fn walls(list: &str) -> String {
    before(&format!("{WORLD}\n[map]\nwalls = [\n{list}\n]"))
}

#[rustfmt::skip]
fn broken() -> Vec<(&'static str, String)> {
    vec![
        // Not a scene at all.
        ("an empty file", String::new()),
        ("only comments", "# nothing here yet\n\n".into()),
        ("not TOML", "size = [10, 5\n[[goal]]\n".into()),
        ("a picture instead of a text", "\u{89}PNG\r\n\u{1a}\n".into()),
        ("a key twice", before("size = [10, 5]\nsize = [20, 5]")),
        ("an unclosed text", before("size = [10, 5]\nname = \"two rooms")),
        ("values nested too deeply", before(&format!("size = [10, 5]\nname = {}1{}", "[".repeat(30), "]".repeat(30)))),
        ("values nested deeper than the parser goes", before(&format!("size = {}1{}", "[".repeat(5000), "]".repeat(5000)))),
        ("a dotted key without end", format!("a{} = 1\n", ".a".repeat(5000))),

        // Keys that do not exist, at every level.
        ("unknown key at the top", before("size = [10, 5]\ncolour = \"red\"")),
        ("unknown key in map", before("size = [10, 5]\n[map]\npicture = \"floor.png\"")),
        ("unknown key in a wall", walls("  { rect = [5, 0, 5.5, 3], height = 2 },")),
        ("unknown key in a discomfort", before("size = [10, 5]\n[map]\ndiscomfort = [{ rect = [1, 1, 2, 2], cost = 0.5 }]")),
        ("unknown key in a goal", before("size = [10, 5]\n[[goal]]\nname = \"lift\"\ncircle = [5, 2, 1]\nlevel = 8")),
        ("unknown key in a goal's shapes", before("size = [10, 5]\n[[goal]]\nname = \"lift\"\nshapes = [{ circle = [5, 2, 1], floor = 2 }]")),
        ("unknown key in agents", agents_with("colour = \"red\"")),
        ("unknown key in a start", after_goal("[[agents]]\ncount = 5\nstart = { rect = [1, 1, 4, 4], floor = 2 }")),
        ("unknown key in a source", after_goal("[[agents]]\nsource = { rate = 2, total = 10, until = 60 }")),
        ("unknown key in a distribution", agents_with("speed = { normal = [1.3, 0.2], skew = 1 }")),
        ("min in a uniform distribution", agents_with("speed = { uniform = [1.0, 1.5], min = 0.5 }")),
        ("unknown key in a leg", agents_with("journey = [{ goal = \"door\", stay = 20 }]")),
        ("unknown key in a zone", after_agents("[[zone]]\nrect = [4, 0, 6, 5]\nslope = 0.5")),
        ("unknown key in an event", after_agents("[[event]]\nat = 5\nbell = true")),
        ("unknown key in model", after_agents("[model]\npersonality = 0.5")),
        ("unknown key in a model's own table", after_agents("[model.keep-distance]\nmood = 0.5")),
        ("a model's own table is a number", after_agents("[model]\nkeep-distance = 0.5")),

        // Slips of the finger.
        ("misspelt size", before("sise = [10, 5]")),
        ("misspelt agents", after_goal("[[agent]]\ncount = 5")),
        ("misspelt rect", format!("{WORLD}\n[[goal]]\nrekt = [9, 0, 10, 5]\n\n{AGENTS}")),
        ("misspelt count", after_goal("[[agents]]\ncuont = 5")),
        ("misspelt rate", after_goal("[[agents]]\nsource = { rade = 2, total = 10 }")),
        ("misspelt normal", agents_with("speed = { nromal = [1.3, 0.2] }")),
        ("misspelt goal of a leg", agents_with("journey = [{ gaol = \"door\" }]")),
        ("misspelt at", after_agents("[[event]]\nta = 5\nclose = \"door\"")),
        ("misspelt table of a model", after_agents("[model.keep_distance]\ngap = 0.5")),
        ("misspelt model key", after_agents("[model]\njam_densty = 5")),
        ("misspelt word", after_agents("[model]\nplan = \"continum\"")),
        ("misspelt goal's name", agents_with("journey = [\"dor\"]")),
        ("a very long unknown key", before(&format!("size = [10, 5]\n{} = 1", "k".repeat(100_000)))),

        // Values of the wrong kind.
        ("size is a number", before("size = 10")),
        ("size has three values", before("size = [10, 5, 3]")),
        ("size has a text in it", before("size = [10, \"5\"]")),
        ("name is a number", before("name = 5\nsize = [10, 5]")),
        ("cell is a text", before("cell = \"0.5\"\nsize = [10, 5]")),
        ("seed is a fraction", before("seed = 1.5\nsize = [10, 5]")),
        ("count is a fraction", after_goal("[[agents]]\ncount = 2.5")),
        ("count is a fraction that is whole", after_goal("[[agents]]\ncount = 200.0")),
        ("goal is one table", format!("{WORLD}\n[goal]\nrect = [9, 0, 10, 5]\n\n{AGENTS}")),
        ("agents is a number", format!("agents = 5\n{WORLD}\n{GOAL}")),
        ("map is a text", before("map = \"floor.png\"\nsize = [10, 5]")),
        ("walls is one wall", before("size = [10, 5]\n[map]\nwalls = { rect = [5, 0, 5.5, 3] }")),
        ("a wall is a list", walls("  [5, 0, 5.5, 3],")),
        ("a wall's open is a number", walls("  { rect = [5, 0, 5.5, 3], open = 1 },")),
        ("start is a list of numbers", after_goal("[[agents]]\ncount = 5\nstart = [1, 1, 4, 4]")),
        ("radius is a list", agents_with("radius = [0.2, 0.3]")),
        ("radius is a date", agents_with("radius = 2024-05-01")),
        ("journey is a number", agents_with("journey = 1")),
        ("journey is empty", agents_with("journey = []")),
        ("journey names a number", agents_with("journey = [\"door\", 1]")),
        ("source is a number", after_goal("[[agents]]\nsource = 2.0")),
        ("source without total", after_goal("[[agents]]\nsource = { rate = 2.0 }")),
        ("image is a list", before("[map]\nimage = [\"floor.png\"]")),
        ("place is an unknown word", agents_with("place = \"anywhere\"")),
        ("arrive is an unknown word", agents_with("arrive = \"vanish\"")),

        // Values out of range.
        ("cell of nothing", before("cell = 0\nsize = [10, 5]")),
        ("cell beyond what fits into 32 bits", before("cell = 1e39\nsize = [10, 5]")),
        ("negative seed", before("seed = -1\nsize = [10, 5]")),
        ("seed too large", before("seed = 4294967296\nsize = [10, 5]")),
        ("negative size", before("size = [-10, 5]")),
        ("size of nothing", before("size = [0, 5]")),
        ("size is not a number", before("size = [nan, 5]")),
        ("size is infinite", before("size = [inf, 5]")),
        ("dt is not a number", before("dt = nan\nsize = [10, 5]")),
        ("dt is infinite", before("dt = inf\nsize = [10, 5]")),
        ("dt of ten seconds", before("dt = 10\nsize = [10, 5]")),
        ("dt too long for the fastest", before("dt = 0.5\nsize = [10, 5]")),
        ("default dt too long for the fastest", agents_with("speed = 20")),
        ("zones together too fast", before("dt = 0.2\nsize = [10, 5]\n[[zone]]\nrect = [4, 0, 6, 5]\nspeed = 1.5\n[[zone]]\nrect = [5, 0, 7, 5]\nspeed = 1.5")),
        ("negative radius", agents_with("radius = -0.2")),
        ("speed is not a number", agents_with("speed = nan")),
        ("speed of nothing", agents_with("speed = 0")),
        ("uniform out of range", agents_with("radius = { uniform = [0, 0.3] }")),
        ("uniform with an infinity", agents_with("delay = { uniform = [0, inf] }")),
        ("uniform upside down", agents_with("radius = { uniform = [0.3, 0.2] }")),
        ("uniform of one value", agents_with("radius = { uniform = [0.3] }")),
        ("uniform and normal", agents_with("radius = { uniform = [0.2, 0.3], normal = [0.2, 0.1] }")),
        ("normal with a deviation beyond reason", agents_with("speed = { normal = [1.3, 1e38] }")),
        ("normal with a negative deviation", agents_with("speed = { normal = [1.3, -0.2] }")),
        ("normal far from its bounds", agents_with("speed = { normal = [5.0, 0.1], min = 0.5, max = 2.0 }")),
        ("normal with min above max", agents_with("speed = { normal = [1.3, 0.2], min = 2.0, max = 0.5 }")),
        ("negative wait", agents_with("journey = [{ goal = \"door\", wait = -1 }]")),
        ("negative rate", after_goal("[[agents]]\nsource = { rate = -1, total = 10 }")),
        ("discomfort of a wall", before("size = [10, 5]\n[map]\ndiscomfort = [{ rect = [1, 1, 2, 2], value = 1.0 }]")),
        ("zone that stops everybody", after_agents("[[zone]]\nrect = [4, 0, 6, 5]\nspeed = 0")),
        ("event before the beginning", walls("  { rect = [5, 0, 5.5, 3], name = \"gate\" },") + "\n[[event]]\nat = -1\nopen = \"gate\"\n"),
        ("negative weight", after_agents("[model]\ntime_weight = -1")),
        ("all weights zero", after_agents("[model]\nlength_weight = 0\ntime_weight = 0")),
        ("weights too small to tell ways apart", after_agents("[model]\nlength_weight = 1e-40\ntime_weight = 0")),
        ("density_max not above density_min", after_agents("[model]\ndensity_min = 0.8\ndensity_max = 0.8")),
        ("too many rounds", after_agents("[model]\nseparation_rounds = 1000")),
        ("half a round", after_agents("[model]\nseparation_rounds = 2.5")),
        ("a weight in words", after_agents("[model]\nflow_weight = \"much\"")),
        ("a model's own number out of range", after_agents("[model.keep-distance]\ngap = -1")),
        ("more candidates than can be tried", after_agents("[model.velocity-obstacle]\ncandidates = 9")),
        ("a fan to the left", after_agents("[model.velocity-obstacle]\nfan = \"left\"")),
        ("an angle of nothing", after_agents("[model.velocity-obstacle]\nangle = 0")),
        ("a force that reaches nowhere", after_agents("[model.social-force]\nrange = 0.5")),
        ("cells without places", after_agents("[model.social-force]\nplaces = 0")),
        ("an unknown way to avoid congestion", after_agents("[model.social-force]\ncongestion = \"panic\"")),
        ("no neighbours for orca", after_agents("[model.orca]\nneighbours = 0")),
        ("no time for orca to avoid walls", after_agents("[model.orca]\nwall_horizon = 0")),
        ("bodies wider than 64 cells", before("cell = 0.01\ndt = 0.004\nsize = [10, 5]") + "radius = 0.4\n"),

        // Worlds and crowds beyond all bounds.
        ("a world of a million kilometres", before("size = [1e9, 1e9]")),
        ("a long narrow world of a million kilometres", before("cell = 100\nsize = [1e9, 100]")),
        ("too many cells", before("cell = 0.05\nsize = [1000, 1000]")),
        ("too many agents", after_goal("[[agents]]\ncount = 134217729")),
        ("too many agents in all groups", after_goal("[[agents]]\ncount = 100000000\n\n[[agents]]\ncount = 100000000")),
        ("a count that is no number of TOML", after_goal("[[agents]]\ncount = 99999999999999999999")),
        ("too dense", after_goal("[[agents]]\ndensity = 1000")),

        // Images.
        ("missing image", before("[map]\nimage = \"flor.png\"")),
        ("image is no PNG", before("[map]\nimage = \"notes.png\"")),
        ("image cut short", before("[map]\nimage = \"cut.png\"")),
        ("map and exits of different sizes", before("[map]\nimage = \"floor.png\"\nexits = \"narrow exits.png\"")),
        ("size contradicts the image", before("size = [20, 10]\n[map]\nimage = \"floor.png\"")),
        ("exits without an exit", format!("[map]\nexits = \"no exits.png\"\n\n{AGENTS}")),
        ("a goal named like one of the image", "[map]\nexits = \"narrow exits.png\"\n\n[[goal]]\nname = \"exit 0\"\nrect = [0, 0, 1, 1]\n".into()),
        ("image that is all wall", before("[map]\nimage = \"solid.png\"")),
        ("image drawn black on white", before("[map]\nimage = \"paper.png\"")),
        ("missing background", before(&format!("{WORLD}[map]\nbackground = \"plan.png\""))),
        ("background is no PNG", before(&format!("{WORLD}[map]\nbackground = \"notes.png\""))),
        ("unknown sprite", agents_with("sprite = \"spaceship\"")),
        ("sprite with a slip", agents_with("sprite = \"persn\"")),
        ("sprite is a number", agents_with("sprite = 3")),
        ("missing sprite", agents_with("sprite = \"face.png\"")),
        ("sprite that is not square", agents_with("sprite = \"floor.png\"")),
        ("character of another format", agents_with("character = \"hero.fbx\"")),
        ("character is a number", agents_with("character = 3")),
        ("missing character", agents_with("character = \"hero.glb\"")),
        ("a character that is too large", agents_with("character = \"film.glb\"")),
        ("more characters than can be drawn", after_goal(&(0..8).map(|i| format!("{AGENTS}character = \"hero {i}.glb\"\n")).collect::<String>())),

        // The world.
        ("no size", before("")),
        ("size is no multiple of cell", before("size = [10.2, 5]")),
        ("goal inside a wall", walls("  { rect = [8, 0, 10, 5] },")),
        ("goal outside of the world", format!("{WORLD}\n[[goal]]\nname = \"door\"\nrect = [19, 0, 20, 5]\n\n{AGENTS}")),
        ("wall outside of the world", walls("  { rect = [15, 0, 15.5, 3] },")),
        ("unknown key in a measure", after_agents("[[measure]]\nrect = [4, 0, 6, 5]\nevery = 0.5")),
        ("measure without a shape", after_agents("[[measure]]\nname = \"gate\"")),
        ("measure with a bent line", after_agents("[[measure]]\nline = [[4, 0], [4, 2], [5, 5]]")),
        ("measure outside of the world", after_agents("[[measure]]\nrect = [14, 0, 16, 5]")),
        ("two measures of one name", after_agents("[[measure]]\nname = \"gate\"\nline = [[4, 0], [4, 5]]\n\n[[measure]]\nname = \"gate\"\nline = [[5, 0], [5, 5]]")),
        ("too many measures", after_agents(&(0..300).map(|i| format!("[[measure]]\nname = \"m{i}\"\nline = [[4, 0], [4, 5]]\n")).collect::<String>())),
        ("zone outside of the world", after_agents("[[zone]]\nrect = [14, 0, 16, 5]\nspeed = 0.5")),
        ("discomfort outside of the world", before("size = [10, 5]\n[map]\ndiscomfort = [{ rect = [11, 1, 12, 2] }]")),
        ("start outside of the world", after_goal("[[agents]]\ncount = 5\nstart = { rect = [11, 1, 14, 4] }")),
        ("two goals of one name", after_agents("[[goal]]\nname = \"door\"\nrect = [0, 0, 1, 5]")),
        ("two walls of one name", walls("  { rect = [5, 0, 5.5, 1], name = \"gate\" },\n  { rect = [5, 4, 5.5, 5], name = \"gate\" },")),
        ("portal without places", after_agents("[[portal]]\nlength = 3")),
        ("portal without a length", after_agents("[[portal]]\nbetween = [[1, 0, 2, 1], [5, 0, 6, 1]]")),
        ("portal between three places", after_agents("[[portal]]\nlength = 3\nbetween = [[1, 0, 2, 1], [5, 0, 6, 1], [7, 0, 8, 1]]")),
        ("portal between a word", after_agents("[[portal]]\nlength = 3\nbetween = \"stairs\"")),
        ("portal of unequal places", after_agents("[[portal]]\nlength = 3\nbetween = [[1, 0, 2, 1], [5, 0, 7, 1]]")),
        ("portal without area", after_agents("[[portal]]\nlength = 3\nbetween = [[1, 0, 1, 1], [5, 0, 5, 1]]")),
        ("portal outside of the world", after_agents("[[portal]]\nlength = 3\nbetween = [[1, 0, 2, 1], [12, 0, 13, 1]]")),
        ("portal into itself", after_agents("[[portal]]\nlength = 3\nbetween = [[1, 0, 3, 1], [2, 0, 4, 1]]")),
        ("portal that is no way at all", after_agents("[[portal]]\nlength = 0\nbetween = [[1, 0, 2, 1], [5, 0, 6, 1]]")),
        ("unknown key in a portal", after_agents("[[portal]]\nlength = 3\nwidth = 2\nbetween = [[1, 0, 2, 1], [5, 0, 6, 1]]")),
        ("two portals in one place", after_agents("[[portal]]\nlength = 3\nbetween = [[1, 0, 2, 1], [5, 0, 6, 1]]\n\n[[portal]]\nlength = 3\nbetween = [[1.4, 0, 2.4, 1], [7, 0, 8, 1]]")),
        ("two portals of one name", after_agents("[[portal]]\nname = \"lift\"\nlength = 3\nbetween = [[1, 0, 2, 1], [5, 0, 6, 1]]\n\n[[portal]]\nname = \"lift\"\nlength = 3\nbetween = [[1, 3, 2, 4], [7, 3, 8, 4]]")),
        ("two zones of one name", after_agents("[[zone]]\nname = \"mud\"\nrect = [4, 0, 6, 5]\n\n[[zone]]\nname = \"mud\"\nrect = [7, 0, 8, 5]")),
        ("rect without area", walls("  { rect = [5, 3, 5, 0] },")),
        ("rect of three numbers", walls("  { rect = [5, 0, 5.5] },")),
        ("rect with a text", walls("  { rect = [5, 0, 5.5, \"3\"] },")),
        ("rect far beyond", walls("  { rect = [5, 0, 5.5, 1e8] },")),
        ("circle without area", walls("  { circle = [5, 2, 0] },")),
        ("circle that is not a number", walls("  { circle = [5, nan, 1] },")),
        ("polygon of two corners", walls("  { polygon = [[5, 0], [6, 1]] },")),
        ("polygon with a text in a corner", walls("  { polygon = [[5, 0], [6, \"1\"], [5, 2]] },")),
        ("polygon without area", walls("  { polygon = [[5, 0], [6, 1], [7, 2]] },")),
        ("line of one point", walls("  { line = [[5, 0]] },")),
        ("line of no length", walls("  { line = [[5, 1], [5, 1]] },")),
        ("a goal drawn as a line", format!("{WORLD}\n[[goal]]\nline = [[9, 0], [9, 5]]\n\n{AGENTS}")),
        ("a wall of two shapes", walls("  { rect = [5, 0, 5.5, 3], circle = [5, 2, 1] },")),
        ("a goal without a shape", format!("{WORLD}\n[[goal]]\nname = \"door\"\n\n{AGENTS}")),
        ("a goal with shape and shapes", format!("{WORLD}\n[[goal]]\nrect = [9, 0, 10, 5]\nshapes = [{{ rect = [0, 0, 1, 5] }}]\n\n{AGENTS}")),

        // The crowd.
        ("no count", after_goal("[[agents]]\nname = \"guests\"\nstart = { rect = [1, 1, 4, 4] }")),
        ("both count and density", after_goal("[[agents]]\ncount = 5\ndensity = 1.5")),
        ("agents without a goal", format!("{WORLD}\n{AGENTS}")),
        ("agents without a journey", after_agents("[[goal]]\nname = \"lift\"\nrect = [0, 0, 1, 5]")),
        ("unknown goal in a journey", agents_with("journey = [\"exit\"]")),
        ("a journey to where one stands", agents_with("journey = [\"door\", \"door\"]")),
        ("a journey of one goal that begins again", agents_with("journey = [\"door\"]\narrive = \"next\"")),

        // Points of one's own.
        ("a door without a line", after_agents("[[door]]\nfirst = \"forward\"")),
        ("a door of three points", after_agents("[[door]]\nline = [[5, 1], [5, 2], [6, 2]]\nfirst = \"forward\"")),
        ("a door that is a number", after_agents("[[door]]\nline = 5\nfirst = \"forward\"")),
        ("a door of text", after_agents("[[door]]\nline = [[5, 1], [5, \"two\"]]\nfirst = \"forward\"")),
        ("a door without width", after_agents("[[door]]\nline = [[5, 1], [5, 1]]\nfirst = \"forward\"")),
        ("a door outside", after_agents("[[door]]\nline = [[50, 1], [50, 2]]\nfirst = \"forward\"")),
        ("a door where nobody goes first", after_agents("[[door]]\nline = [[5, 1], [5, 2]]")),
        ("a door with a third way", after_agents("[[door]]\nline = [[5, 1], [5, 2]]\nfirst = \"outward\"")),
        ("a door without reach", after_agents("[[door]]\nline = [[5, 1], [5, 2]]\nfirst = \"forward\"\nreach = 0")),
        ("a door without end", after_agents("[[door]]\nline = [[5, 1], [5, 2]]\nfirst = \"forward\"\npatience = inf")),
        ("two doors of one name", after_agents("[[door]]\nname = \"a\"\nline = [[5, 1], [5, 2]]\nfirst = \"forward\"\n[[door]]\nname = \"a\"\nline = [[6, 1], [6, 2]]\nfirst = \"forward\"")),
        ("people who know never", agents_with("knows = \"never\"")),
        ("people who know a number", agents_with("knows = 10")),
        ("people who know nothing", agents_with("knows = {}")),
        ("people who know before", agents_with("knows = { after = -1 }")),
        ("people who know too much", agents_with("knows = { after = 5, sight = 3 }")),
        ("a leg to nowhere", agents_with("journey = [{ wait = 2 }]")),
        ("a leg to a goal and a point", agents_with("journey = [{ goal = \"door\", to = \"opposite\" }]")),
        ("misspelt opposite", agents_with("journey = { to = \"oposite\" }")),
        ("a point by the name of a goal", agents_with("journey = [{ to = \"door\" }]")),
        ("a point that is a number", agents_with("journey = [{ to = 5 }]")),
        ("no points at all", agents_with("journey = [{ to = [] }]")),
        ("a point of three numbers", agents_with("journey = [{ to = [[5, 2], [5, 2, 1]] }]")),
        ("a point that is not finite", agents_with("journey = [{ to = [[5, 2], [nan, 2]] }]")),
        ("a point beyond the world", agents_with("journey = [{ to = [5, 5] }]")),
        ("unknown key in a point", agents_with("journey = [{ to = { radnom = { rect = [1, 1, 4, 4] } } }]")),
        ("a point that is an empty table", agents_with("journey = [{ to = {} }]")),
        ("random points of numbers", agents_with("journey = [{ to = { random = [1, 1, 4, 4] } }]")),
        ("random points beyond the world", agents_with("journey = [{ to = { random = { rect = [11, 1, 14, 4] } } }]")),
        ("the same points twice", agents_with("journey = [{ to = [5, 2] }]\narrive = \"next\"")),
        ("no distance to a point", agents_with("goal_distance = 0")),
        ("a point inside a wall", walls("  { rect = [5, 0, 5.5, 3] },") + "journey = [{ to = [[4, 4], [5.2, 2]] }]"),
        ("a point too near to a wall", walls("  { rect = [5, 0, 5.5, 3] },") + "goal_distance = 0.1\njourney = [{ to = [5.55, 2] }]"),
        ("random points inside a wall", walls("  { rect = [5, 0, 7.5, 3] },") + "journey = [{ to = { random = { circle = [6, 2, 1] } } }]"),
        ("entry without respawn", agents_with("entry = { rect = [0, 0, 1, 5] }")),
        ("start inside a wall", walls("  { rect = [0, 0, 5, 5] },")),
        ("random start inside a wall", walls("  { rect = [0, 0, 5, 5] },") + "place = \"random\"\n"),
        ("source inside a wall", before(&format!("{WORLD}\n[map]\nwalls = [{{ rect = [0, 0, 5, 5] }}]\n\n[[agents]]\nsource = {{ rate = 1, total = 9 }}\nstart = {{ rect = [1, 1, 4, 4] }}\njourney = [\"door\"]"))),
        ("start cut off by a wall", walls("  { rect = [5, 0, 5.5, 5] },")),
        ("start cut off by a thin wall", walls("  { line = [[6.13, 0], [6.13, 5]] },")),
        ("random start cut off by a wall", walls("  { rect = [5, 0, 5.5, 5] },") + "place = \"random\"\n"),
        ("entry cut off by a wall", walls("  { rect = [8, 0, 8.5, 2] },\n  { rect = [0, 4, 8, 4.1] },\n  { rect = [8, 4, 8.1, 5] },") + "arrive = \"respawn\"\nentry = { rect = [1, 4.1, 4, 5] }\n"),
        ("entry inside a wall", walls("  { rect = [5, 0, 6, 2] },") + "arrive = \"respawn\"\nentry = { rect = [5, 0, 6, 2] }\n"),
        ("entry on the goal itself", agents_with("arrive = \"respawn\"\nentry = { rect = [9, 1, 10, 4] }")),
        ("source on the goal itself", after_goal("[[agents]]\nsource = { rate = 1, total = 9 }\nstart = { rect = [9, 1, 10, 4] }")),
        ("corridor narrower than the body", walls("  { rect = [5, 0, 8, 2.1] },\n  { rect = [5, 2.4, 8, 5] },")),
        ("door narrower than the body, small cells", before("cell = 0.1\nsize = [10, 5]\n[map]\nwalls = [\n  { rect = [5, 0, 5.1, 2.1] },\n  { rect = [5, 2.4, 5.1, 5] },\n]")),
        ("too many for the start", after_goal("[[agents]]\ncount = 500\nstart = { rect = [1, 1, 4, 4] }")),
        ("a start too small for a body", walls("  { rect = [2, 0, 2.1, 5] },\n  { rect = [2.3, 0, 2.4, 5] },").replace("[1, 1, 4, 4]", "[2.1, 1, 2.3, 4]")),

        // Events.
        ("unknown wall in an event", walls("  { rect = [5, 0, 5.5, 3], name = \"gate\" },") + "\n[[event]]\nat = 5\nopen = \"gat\"\n"),
        ("no wall has a name", walls("  { rect = [5, 0, 5.5, 3] },") + "\n[[event]]\nat = 5\nopen = \"gate\"\n"),
        ("unknown zone in an event", after_agents("[[zone]]\nname = \"stairs\"\nrect = [4, 0, 6, 5]\n\n[[event]]\nat = 5\nzone = \"ramp\"\nspeed = 0.5")),
        ("no zones for an event", after_agents("[[event]]\nat = 5\nzone = \"ramp\"\nspeed = 0.5")),
        ("an event without a time", after_agents("[[event]]\nclose = \"gate\"")),
        ("an event that does nothing", after_agents("[[event]]\nat = 5")),
        ("an event that opens and closes a wall", walls("  { rect = [5, 0, 5.5, 3], name = \"gate\" },") + "\n[[event]]\nat = 5\nopen = \"gate\"\nclose = [\"gate\"]\n"),
        ("an event that names a wall twice", walls("  { rect = [5, 0, 5.5, 3], name = \"gate\" },") + "\n[[event]]\nat = 5\nopen = [\"gate\", \"gate\"]\n"),
        ("an event with an empty list", walls("  { rect = [5, 0, 5.5, 3], name = \"gate\" },") + "\n[[event]]\nat = 5\nopen = []\n"),
        ("an event with a number in a list", walls("  { rect = [5, 0, 5.5, 3], name = \"gate\" },") + "\n[[event]]\nat = 5\nopen = [\"gate\", 3]\n"),
        ("an event whose name is a number", after_agents("[[event]]\nat = 5\nname = 3")),
        ("an event with a speed but no zone", after_agents("[[event]]\nat = 5\nspeed = 0.5")),
        ("an event with zones that are a list", after_agents("[[zone]]\nname = \"mud\"\nrect = [4, 0, 6, 5]\n\n[[event]]\nat = 5\nzones = [\"mud\"]")),
        ("an event with no zones in its zones", after_agents("[[event]]\nat = 5\nzones = {}")),
        ("an event with an unknown zone among its zones", after_agents("[[zone]]\nname = \"mud\"\nrect = [4, 0, 6, 5]\n\n[[event]]\nat = 5\nzones = { mut = 0.5 }")),
        ("an event with a zone too fast", after_agents("[[zone]]\nname = \"mud\"\nrect = [4, 0, 6, 5]\n\n[[event]]\nat = 5\nzones = { mud = 3 }")),
        ("an event that gives a zone two speeds", after_agents("[[zone]]\nname = \"mud\"\nrect = [4, 0, 6, 5]\n\n[[event]]\nat = 5\nzone = \"mud\"\nspeed = 0.5\nzones = { mud = 0.7 }")),
        ("an event with an unknown goal", after_agents("[[event]]\nat = 5\nclose_goals = \"dor\"")),
        ("an event that opens and closes a goal", after_agents("[[event]]\nat = 5\nclose_goals = \"door\"\nopen_goals = [\"door\"]")),
        ("an event that starts who is no source", after_agents("[[event]]\nat = 5\nstart_sources = \"group 0\"")),
        ("an event that starts nobody", after_goal("[[agents]]\nname = \"train\"\nsource = { rate = 2, total = 10 }\n\n[[event]]\nat = 5\nstart_sources = \"trian\"")),
        ("an event that starts somebody where there are no sources", after_agents("[[event]]\nat = 5\nstart_sources = \"train\"")),
        ("a source that is neither on nor off", after_goal("[[agents]]\nsource = { rate = 2, total = 10, on = \"later\" }")),

        // Hazards.
        ("a hazard of no kind", after_agents("[[hazard]]\nat = [5, 2]\nradius = 1")),
        ("a hazard of an unknown kind", after_agents("[[hazard]]\nkind = \"gaz\"\nat = [5, 2]\nradius = 1")),
        ("a hazard that is nowhere", after_agents("[[hazard]]\nkind = \"gas\"\nradius = 1")),
        ("a hazard in two places", after_agents("[[hazard]]\nkind = \"ghost\"\nat = [5, 2]\npath = [[1, 1], [2, 2]]\nradius = 1")),
        ("a hazard outside of the world", after_agents("[[hazard]]\nkind = \"ghost\"\nat = [50, 2]\nradius = 1")),
        ("a hazard at a place of three numbers", after_agents("[[hazard]]\nkind = \"ghost\"\nat = [5, 2, 1]\nradius = 1")),
        ("a hazard without a radius", after_agents("[[hazard]]\nkind = \"ghost\"\nat = [5, 2]")),
        ("a hazard of no size", after_agents("[[hazard]]\nkind = \"ghost\"\nat = [5, 2]\nradius = 0")),
        ("gas that is there when it appears again", after_agents("[[hazard]]\nkind = \"gas\"\nat = [5, 2]\nradius = 1\nfrom = 5\nuntil = 20\nfade = 5\nevery = 15")),
        ("a ghost that drifts", after_agents("[[hazard]]\nkind = \"ghost\"\nat = [5, 2]\nradius = 1\ndrift = [1, 0]")),
        ("gas that walks and drifts", after_agents("[[hazard]]\nkind = \"gas\"\npath = [[1, 1], [2, 2]]\nradius = 1\ndrift = [1, 0]")),
        ("a path of one corner", after_agents("[[hazard]]\nkind = \"ghost\"\npath = [[1, 1]]\nradius = 1")),
        ("a path with a corner that is none", after_agents("[[hazard]]\nkind = \"ghost\"\npath = [[1, 1], [2]]\nradius = 1")),
        ("a ghost that stands and has a speed", after_agents("[[hazard]]\nkind = \"ghost\"\nat = [5, 2]\nradius = 1\nspeed = 1")),
        ("gas that shrinks", after_agents("[[hazard]]\nkind = \"gas\"\nat = [5, 2]\nradius = 2\nradius_max = 1")),
        ("gas that ends before it begins", after_agents("[[hazard]]\nkind = \"gas\"\nat = [5, 2]\nradius = 1\nfrom = 9\nuntil = 3")),
        ("gas from an unknown event", after_agents("[[hazard]]\nkind = \"gas\"\nat = [5, 2]\nradius = 1\nfrom = \"leek\"\n\n[[event]]\nat = 5\nname = \"leak\"")),
        ("gas from neither a time nor an event", after_agents("[[hazard]]\nkind = \"gas\"\nat = [5, 2]\nradius = 1\nfrom = true")),
        ("two hazards of a name", after_agents("[[hazard]]\nname = \"g\"\nkind = \"gas\"\nat = [5, 2]\nradius = 1\n\n[[hazard]]\nname = \"g\"\nkind = \"gas\"\nat = [5, 2]\nradius = 1")),
        ("too many hazards", after_agents(&"[[hazard]]\nkind = \"gas\"\nat = [5, 2]\nradius = 1\n".repeat(65))),

        // Terrain, and weights over the map.
        ("heights that are not there", after_agents("[terrain]\nheights = \"land.png\"\nhigh = 5")),
        ("heights in notes", after_agents("[terrain]\nheights = \"notes.png\"\nhigh = 5")),
        ("heights in colour", after_agents("[terrain]\nheights = \"floor.png\"\nhigh = 5")),
        ("an image of heights without metres", after_agents("[terrain]\nheights = \"floor.png\"")),
        ("heights upside down", after_agents("[terrain]\nheights = \"floor.png\"\nlow = 5\nhigh = 1")),
        ("an array that is none", after_agents("[terrain]\nheights = \"notes.npy\"")),
        ("an array of whole numbers", after_agents("[terrain]\nheights = \"whole.npy\"")),
        ("an array that is cut", after_agents("[terrain]\nheights = \"cut.npy\"")),
        ("an array of one dimension", after_agents("[terrain]\nheights = \"flat.npy\"")),
        ("an array with a height that is none", after_agents("[terrain]\nheights = \"nan.npy\"")),
        ("an array with metres of black", after_agents("[terrain]\nheights = \"nan.npy\"\nlow = 1")),
        ("metres of black and no image", after_agents("[terrain]\nlow = 1")),
        ("a hill without a height", after_agents("[terrain]\nhills = [{ at = [5, 2], radius = 1 }]")),
        ("a hill of no size", after_agents("[terrain]\nhills = [{ at = [5, 2], radius = 0, height = 1 }]")),
        ("a hill at no place", after_agents("[terrain]\nhills = [{ at = 5, radius = 1, height = 1 }]")),
        ("hills that are no list", after_agents("[terrain]\nhills = 3")),
        ("an unknown law of slopes", after_agents("[terrain]\nlaw = \"tobbler\"")),
        ("slopes that are all too steep", after_agents("[terrain]\nsteepest = 0")),
        ("unknown key in terrain", after_agents("[terrain]\nheigths = \"land.png\"")),
        ("a goal on a plateau that nobody climbs", after_agents("[terrain]\nhills = [{ at = [9.5, 2.5], radius = 5, height = 20 }]")),
        ("weights without a shape", after_agents("[[weights]]\ndensity = 2")),
        ("weights that change nothing", after_agents("[[weights]]\nrect = [1, 1, 2, 2]")),
        ("weights below nothing", after_agents("[[weights]]\nrect = [1, 1, 2, 2]\nhazard = -1")),
        ("weights outside of the world", after_agents("[[weights]]\nrect = [21, 1, 22, 2]\nhazard = 2")),
        ("an unknown gradient", after_agents("[model.froblins]\ngradient = \"sideways\"")),
        ("an epsilon beyond two", after_agents("[model.bvp]\nepsilon = -2.0")),
        ("a map without room inside its zones", after_agents("[model.bvp]\nside = 11\nfree = 4")),
        ("a group's map without room inside its zones", agents_with("bvp = { side = 11, border = 3 }")),
        ("an inertia that never turns", agents_with("bvp = { inertia = 1.0 }")),
        ("an unknown key in a group's manner", agents_with("bvp = { epsilom = -1.0 }")),
        ("a manner that is no table", agents_with("bvp = -1.0")),
        ("a behaviour by a table that is none", agents_with("bvp = { table = 3 }")),
        ("a behaviour by a table with a row of three", agents_with("bvp = { table = [[0, 1, 2]] }")),
        ("a behaviour by a table whose times go back", agents_with("bvp = { table = [[0, 1], [2, 1], [1, 0]] }")),
        ("a behaviour by an empty table", agents_with("bvp = { table = [] }")),

        // Waits and capacities.
        ("a wait for an unknown event", agents_with("journey = [{ goal = \"door\", wait = { until = \"alrm\" } }]\n\n[[event]]\nat = 5\nname = \"alarm\"")),
        ("a wait where no event has a name", agents_with("journey = [{ goal = \"door\", wait = { until = \"alarm\" } }]")),
        ("a wait for nothing", agents_with("journey = [{ goal = \"door\", wait = {} }]")),
        ("a wait for a number", agents_with("journey = [{ goal = \"door\", wait = { until = 5 } }]")),
        ("unknown key in a wait", agents_with("journey = [{ goal = \"door\", wait = { till = \"alarm\" } }]")),
        ("a wait in words", agents_with("journey = [{ goal = \"door\", wait = \"alarm\" }]")),
        ("a delay until an unknown event", agents_with("delay = { until = \"bell\" }\n\n[[event]]\nat = 5\nname = \"alarm\"")),
        ("a delay after an event that is negative", agents_with("delay = { until = \"alarm\", after = -1 }\n\n[[event]]\nat = 5\nname = \"alarm\"")),
        ("a delay that is mixed up", agents_with("delay = { until = \"alarm\", uniform = [0, 5] }\n\n[[event]]\nat = 5\nname = \"alarm\"")),
        ("a source that waits for an event", after_goal("[[agents]]\nsource = { rate = 2, total = 10 }\ndelay = { until = \"alarm\" }\n\n[[event]]\nat = 5\nname = \"alarm\"")),
        ("a goal that holds nobody", before("size = [10, 5]\n[[goal]]\nname = \"lift\"\ncircle = [5, 2, 1]\ncapacity = 0")),
        ("a goal that holds half a person", before("size = [10, 5]\n[[goal]]\nname = \"lift\"\ncircle = [5, 2, 1]\ncapacity = 2.5")),
        ("a goal that holds more than there can be", before("size = [10, 5]\n[[goal]]\nname = \"lift\"\ncircle = [5, 2, 1]\ncapacity = 134217729")),
        ("a shape that holds nobody", before("size = [10, 5]\n[[goal]]\nname = \"lift\"\nshapes = [{ circle = [5, 2, 1], capacity = -1 }]")),
        ("a shape among others with capacities that is none", before("size = [10, 5]\n[[goal]]\nname = \"lift\"\nshapes = [{ circle = [5, 2, 1], capacity = 2 }, 7]")),
        ("a goal that is half open", before("size = [10, 5]\n[[goal]]\nname = \"lift\"\ncircle = [5, 2, 1]\nopen = \"half\"")),
        ("an event with a zone but no speed", after_agents("[[zone]]\nname = \"mud\"\nrect = [4, 0, 6, 5]\n\n[[event]]\nat = 5\nzone = \"mud\"")),
    ]
}

fn fault(text: &str) -> Option<SceneError> {
    match Scene::parse("scenes/rooms.toml", text, &Folder) {
        Err(error) => Some(error),
        Ok(scene) => Simulation::new(&scene).err(),
    }
}

/// Long lines of a hostile text, cut: only the message matters.
fn shortened(report: &str) -> String {
    report.lines().fold(String::new(), |mut out, line| {
        let cut: String = line.chars().take(150).collect();
        let dots = if cut.len() < line.len() { "…" } else { "" };
        writeln!(out, "{}{dots}", cut.trim_end()).expect("a String takes everything");
        out
    })
}

#[test]
fn the_scene_that_all_are_made_from_is_sound() {
    for text in [after_agents(""), walls("  { rect = [5, 0, 5.5, 3] },"), before("[map]\nimage = \"floor.png\"")] {
        let scene = Scene::parse("rooms.toml", &text, &Folder).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let mut run = Simulation::new(&scene).unwrap_or_else(|e| panic!("{e}\n{text}"));
        run.steps_by(5).expect("the CPU does not fail");
        assert_eq!(run.counters().active, 5);
    }
}

#[test]
fn every_broken_scene_is_refused_with_a_message_that_helps() {
    let handler = GraphicalReportHandler::new_themed(GraphicalTheme::unicode_nocolor()).with_width(100);
    let (mut all, mut taken) = (String::new(), Vec::new());
    for (name, text) in broken() {
        let Some(error) = fault(&text) else {
            taken.push(name);
            continue;
        };
        assert!(Diagnostic::help(&error).is_some(), "\"{name}\" does not say what would be right: {error}");
        assert_eq!(error.file(), "scenes/rooms.toml");
        let mut report = String::new();
        handler.render_report(&mut report, &error).expect("a String takes everything");
        writeln!(all, "━━ {name}\n{}", shortened(&report)).expect("a String takes everything");
    }
    assert!(taken.is_empty(), "these were taken for sound scenes: {taken:?}");
    insta::assert_snapshot!("every_broken_scene", all);
}

#[test]
fn the_line_of_a_fault_is_the_line_that_an_editor_shows() {
    let line = |text: &str| fault(text).expect("broken").line();
    assert_eq!(line("size = [10, 5]\n\n\ncolour = 1\n"), 4);
    assert_eq!(line("size = [10, 5]\r\n\r\n\r\ncolour = 1\r\n"), 4);
    assert_eq!(line("\u{feff}size = [10, 5]\n# Türen und Wände\ncolour = 1\n"), 3);
}

#[test]
fn no_two_broken_scenes_share_a_name() {
    let mut names: Vec<&str> = broken().iter().map(|(name, _)| *name).collect();
    let many = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), many);
}
