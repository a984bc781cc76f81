//! `[[agents]]`: who walks, from where, how, and where to.

use super::character::character;
use super::events::until;
use super::journey::journey;
use super::machine::{no_normal, state_named};
use super::model::manner;
use super::pictures::Pictures;
use super::shape::{area, outside};
use super::*;
use crate::stages::steer::bvp::manner::MOST as MOST_MANNERS;
use crate::world::covered;

pub(super) fn distribution(
    t: &Table<'_>,
    key: &'static str,
    default: Distribution,
    range: std::ops::RangeInclusive<f32>,
    unit: &str,
) -> Result<Distribution, SceneError> {
    let Some(node) = t.get(key) else { return Ok(default) };
    let right = format!(
        "in {unit}, {} to {}: a number, {{ uniform = [low, high] }} or {{ normal = [mean, deviation], min = …, max = … }}",
        range.start(),
        range.end()
    );
    if node.number().is_some() {
        return Ok(Distribution::Constant(t.number_in(node, key, range, &right)?));
    }
    if !matches!(node.kind, Kind::Table(_)) {
        return Err(t.wrong_type(node, key, &right));
    }
    let d = Table::new(t.source, node, format!("`{key}`"), &["uniform", "normal", "min", "max"], &right)?;
    let wrong = |at: &'static str, message: String| d.error(at, message).help(format!("{key} is {right}"));
    let pair = |k: &'static str| -> Result<Option<[f32; 2]>, SceneError> {
        let Some(n) = d.get(k) else { return Ok(None) };
        if let Kind::List(items) = &n.kind
            && let [a, b] = &items[..]
        {
            // Wider than any range of a value; a deviation of 1e38 would not even survive being written as TOML.
            let any = -1e7..=1e7;
            return Ok(Some([d.number_in(a, key, any.clone(), &right)?, d.number_in(b, key, any, &right)?]));
        }
        Err(wrong(k, format!("`{k}` cannot be {}: it takes two numbers", n.describe())))
    };
    let (uniform, normal) = (pair("uniform")?, pair("normal")?);
    let result = match (uniform, normal) {
        (Some([a, b]), None) => {
            if a > b {
                return Err(wrong("uniform", format!("`{key}` runs from {a} down to {b}: the lower one comes first")));
            }
            for k in ["min", "max"] {
                if d.get(k).is_some() {
                    return Err(wrong(
                        k,
                        format!("`{k}` belongs to a normal distribution: a uniform one has its bounds already"),
                    ));
                }
            }
            Distribution::Uniform(a, b)
        }
        (None, Some([mean, deviation])) => normal_in(&d, key, (mean, deviation), &range, (unit, &right))?,
        (Some(_), Some(_)) => return Err(wrong("normal", format!("`{key}` is either uniform or normal, not both"))),
        (None, None) => return Err(wrong("", format!("`{key}` needs either uniform or normal"))),
    };
    if !range.contains(&result.min()) || !range.contains(&result.max()) {
        return Err(wrong(
            "uniform",
            format!("`{key}` reaches from {} to {}, which is out of range", result.min(), result.max()),
        ));
    }
    Ok(result)
}

/// A normal distribution, cut to its bounds.
fn normal_in(
    d: &Table<'_>,
    key: &'static str,
    (mean, deviation): (f32, f32),
    range: &std::ops::RangeInclusive<f32>,
    (unit, right): (&str, &str),
) -> Result<Distribution, SceneError> {
    let wrong = |at: &'static str, message: String| d.error(at, message).help(format!("{key} is {right}"));
    if deviation < 0.0 {
        return Err(wrong("normal", format!("`{key}` has a standard deviation of {deviation}: it is at least 0")));
    }
    let (low, high) = (*range.start(), *range.end());
    let bound = |k: &'static str, default: f32| match d.get(k) {
        None => Ok(default),
        Some(n) => d.number_in(n, k, range.clone(), &format!("a bound of `{key}`, {low} to {high} {unit}")),
    };
    let min = bound("min", (mean - 3.0 * deviation).max(low))?;
    let max = bound("max", (mean + 3.0 * deviation).min(high))?;
    if min > max {
        let at = if d.get("min").is_some() { "min" } else { "normal" };
        return Err(wrong(at, format!("`{key}` has no value between its min {min} and its max {max}")));
    }
    if mean < min - 5.0 * deviation || mean > max + 5.0 * deviation {
        return Err(wrong("normal", format!("`{key}`: hardly any draw around {mean} falls between {min} and {max}")));
    }
    Ok(Distribution::Normal { mean, deviation, min, max })
}

/// When a group sets out: how long after the beginning, or after an event.
fn delay(t: &Table<'_>, signals: &[&str]) -> Result<(Distribution, Option<String>), SceneError> {
    const RANGE: std::ops::RangeInclusive<f32> = 0.0..=1e6;
    let none = Distribution::Constant(0.0);
    let node = match t.get("delay") {
        Some(node @ Node { kind: Kind::Table(entries), .. }) if entries.iter().any(|e| e.key == "until") => node,
        _ => return Ok((distribution(t, "delay", none, RANGE, "s")?, None)),
    };
    let right = "delay = { until = \"the name of an event\", after = seconds }";
    let d = Table::new(t.source, node, "`delay`", &["until", "after"], right)?;
    let after = distribution(&d, "after", none, RANGE, "s")?;
    let name = until(&d, signals)?;
    if t.get("source").is_some() {
        return Err(t
            .error("delay", "those who come from a source do not wait for an event at their start")
            .help("write source = { …, on = false }, and an event with start_sources"));
    }
    Ok((after, name))
}

/// What groups may name, and where they are.
#[derive(Clone, Copy)]
pub(super) struct Known<'a> {
    pub(super) goals: &'a [Goal],
    /// Names of events.
    pub(super) signals: &'a [&'a str],
    /// Names of states, in order of their numbers.
    pub(super) states: &'a [&'a str],
    pub(super) grid: &'a Grid,
    pub(super) model: &'a Model,
    pub(super) pictures: &'a Pictures<'a>,
}

/// All groups of a scene.
pub(super) fn groups(root: &Table<'_>, known: Known<'_>) -> Result<Vec<Group>, SceneError> {
    let source = root.source;
    let groups = gather(list(root, "agents")?, |i, node| group(source, node, i, known))?;
    if groups.len() > MOST_GROUPS {
        return Err(SceneError::whole(source, format!("{} groups are too many", groups.len())).help("at most 4096"));
    }
    let total: u64 = groups.iter().map(|g| u64::from(g.count)).sum();
    if total > MOST_AGENTS {
        return Err(
            SceneError::whole(source, format!("{total} agents are too many")).help("at most 134217728 in all groups")
        );
    }
    if let Some(group) = groups.iter().filter(|g| g.manner.is_some()).nth(MOST_MANNERS) {
        return Err(SceneError::at(source, group.marks.table.clone(), "too many groups have a `bvp` of their own")
            .help(format!("at most {MOST_MANNERS}")));
    }
    Ok(groups)
}

pub(super) const AGENT_KEYS: &[&str] = &[
    "name",
    "count",
    "density",
    "source",
    "start",
    "place",
    "radius",
    "speed",
    "turn",
    "delay",
    "journey",
    "state",
    "goal_distance",
    "arrive",
    "entry",
    "sprite",
    "character",
    "knows",
    "bvp",
    "length_weight",
    "time_weight",
    "discomfort_weight",
];

fn group(source: &Source, node: &Node, i: usize, known: Known<'_>) -> Result<Group, SceneError> {
    let grid = known.grid;
    let t = Table::new(source, node, "[[agents]]", AGENT_KEYS, "it as [[agents]]")?;
    let name = t.text("name", "a text")?.map_or_else(|| format!("group {i}"), str::to_owned);
    let start = t.get("start").map(|n| area(&t, n, "`start`")).transpose()?.unwrap_or_default();
    let entry = t.get("entry").map(|n| area(&t, n, "`entry`")).transpose()?.unwrap_or_default();
    for (shapes, key) in [(&start, "start"), (&entry, "entry")] {
        if !shapes.is_empty() && !shapes.iter().any(|s| s.bounds().touches(grid.bounds())) {
            return Err(outside(source, t.get(key).expect("it was read"), grid));
        }
    }
    let Many { count, density, rate, on, key: count_key } = how_many(&t, node, &name, &start, grid)?;
    let place = t.choice("place", Place::Lattice, &[("lattice", Place::Lattice), ("random", Place::Random)])?;
    let radius = distribution(&t, "radius", Distribution::Constant(0.2), 0.01..=100.0, "m")?;
    let speed = distribution(
        &t,
        "speed",
        Distribution::Normal { mean: 1.34, deviation: 0.26, min: 0.56, max: 2.12 },
        0.01..=100.0,
        "m/s",
    )?;
    let turn = distribution(&t, "turn", Distribution::Constant(5.0), 0.01..=1000.0, "rad/s")?;
    let state = first_state(&t, known.states)?;
    let (delay, delay_until) = delay(&t, known.signals)?;
    let arrive = t.choice(
        "arrive",
        Arrive::Park,
        &[("park", Arrive::Park), ("next", Arrive::Next), ("respawn", Arrive::Respawn)],
    )?;
    if !entry.is_empty() && arrive != Arrive::Respawn {
        return Err(t
            .error("entry", "`entry` is where agents respawn, but these do not")
            .help("write arrive = \"respawn\", or leave `entry` out"));
    }
    // Who lives by states gets its legs when these are known.
    let journey = if state.is_some() { Vec::new() } else { journey(&t, known, &name)? };
    let mut pairs = journey.windows(2).map(|w| (&w[0], &w[1]));
    let round = journey.last().zip(journey.first()).is_some_and(|(last, first)| last.to.is_same_place(&first.to));
    let again = arrive == Arrive::Next && round;
    if again || pairs.any(|(a, b)| a.to.is_same_place(&b.to)) {
        return Err(t
            .error("journey", format!("\"{name}\" would go to the goal where it already stands"))
            .help("two goals that follow each other must differ; with arrive = \"next\" the first follows the last"));
    }
    let goal_distance = goal_distance(&t, state.is_some())?;
    let weights = own_weights(&t)?;
    let knows = knows(&t)?;
    let manner = t.get("bvp").map(|node| manner(source, node, known.model)).transpose()?;
    let sprite = sprite(&t, known.pictures)?;
    let character = character(&t, known.pictures)?;
    let marks = GroupMarks {
        table: node.span.clone(),
        count: t.place(count_key),
        start: t.place("start"),
        journey: t.place("journey"),
        entry: t.place("entry"),
        character: t.place("character"),
    };
    Ok(Group {
        name,
        count,
        density,
        start,
        place,
        radius,
        speed,
        turn,
        delay,
        delay_until,
        journey,
        state,
        goal_distance,
        // Who lives by states comes to no end.
        arrive: if state.is_some() { Arrive::Next } else { arrive },
        entry,
        rate,
        on,
        weights,
        knows,
        manner,
        sprite,
        character,
        marks,
    })
}

/// The state that a group begins with, if it lives by states: then it has nothing that belongs to a journey.
fn first_state(t: &Table<'_>, states: &[&str]) -> Result<Option<u16>, SceneError> {
    let state = state_named(t, "state", states)?;
    if state.is_none() {
        return Ok(None);
    }
    let instead = [
        ("journey", "a group has a journey or a state, not both: leave one out"),
        ("delay", "write a first state with seconds"),
        ("arrive", "who lives by states comes to no end: leave it out"),
        ("entry", "who lives by states comes to no end: leave it out"),
    ];
    match instead.into_iter().find(|(key, _)| t.get(key).is_some()) {
        None => Ok(state),
        Some((key, help)) => {
            Err(t.error(key, format!("a group that begins with a state cannot have `{key}`")).help(help))
        }
    }
}

/// How near is there: for each its own where it lives by states.
fn goal_distance(t: &Table<'_>, lives: bool) -> Result<Distribution, SceneError> {
    let one = Distribution::Constant(GOAL_DISTANCE);
    if !lives {
        let right = "0.01 to 1000 m: so near to a point is there";
        return Ok(Distribution::Constant(t.f32("goal_distance", GOAL_DISTANCE, 0.01..=1000.0, right)?));
    }
    let drawn = distribution(t, "goal_distance", one, 0.01..=1000.0, "m")?;
    no_normal(t, "goal_distance", drawn)
}

/// Gives the groups that live by states a leg for each.
pub(super) fn give_states(source: &Source, groups: &mut [Group], states: &[MachineState]) -> Result<(), SceneError> {
    for group in groups {
        let Some(first) = group.state else { continue };
        if group.rate.is_some() && !matches!(states[usize::from(first)].does, Does::Walk { .. }) {
            let message = format!("those of \"{}\" come from a source and do not walk", shorten(&group.name));
            return Err(SceneError::at(source, group.marks.table.clone(), message)
                .help("let them begin with a state that has a goal"));
        }
        group.journey = crate::scene::machine::legs(states);
    }
    Ok(())
}

/// When a group knows of walls that come and go.
fn knows(t: &Table<'_>) -> Result<Knows, SceneError> {
    const RIGHT: &str = "\"at once\", { after = seconds } or \"on sight\"";
    let Some(node) = t.get("knows") else { return Ok(Knows::AtOnce) };
    match &node.kind {
        Kind::Text(word) if word == "at once" => Ok(Knows::AtOnce),
        Kind::Text(word) if word == "on sight" => Ok(Knows::OnSight),
        Kind::Table(_) => {
            let later = Table::new(t.source, node, "`knows`", &["after"], RIGHT)?;
            if later.get("after").is_none() {
                return Err(t.error("knows", "`knows` is an empty table").help(format!("knows is {RIGHT}")));
            }
            Ok(Knows::After(later.f32("after", 0.0, 0.0..=1e6, "seconds, 0 to 1000000")?))
        }
        _ => Err(t.wrong_type(node, "knows", RIGHT)),
    }
}

/// Weights of a group's own.
fn own_weights(t: &Table<'_>) -> Result<OwnWeights, SceneError> {
    let weight = |key: &'static str, unit: &str| {
        let right = format!("a weight {unit}, 0 to 10000; without it the model's counts");
        t.get(key).map(|_| t.f32(key, 1.0, 0.0..=1e4, &right)).transpose()
    };
    Ok(OwnWeights {
        length: weight("length_weight", "per metre")?,
        time: weight("time_weight", "per second")?,
        discomfort: weight("discomfort_weight", "per second")?,
    })
}

/// How many a group is.
struct Many {
    count: u32,
    density: Option<f32>,
    rate: Option<f32>,
    /// Whether the source lets people in at first.
    on: bool,
    /// What says so.
    key: &'static str,
}

fn how_many(t: &Table<'_>, node: &Node, name: &str, start: &[Shape], grid: &Grid) -> Result<Many, SceneError> {
    let given: Vec<&'static str> = ["count", "density", "source"].into_iter().filter(|k| t.get(k).is_some()).collect();
    let shown = shorten(name);
    let wrong = match given[..] {
        [_] => None,
        [] => {
            Some(SceneError::at(t.source, node.span.clone(), format!("[[agents]] \"{shown}\" does not say how many")))
        }
        [a, b, ..] => Some(t.error(b, format!("[[agents]] \"{shown}\" has both {a} and {b}"))),
    };
    if let Some(error) = wrong {
        return Err(error.help(
            "exactly one of count = 200, density = 1.5 (persons per m²) and source = { rate = 2.0, total = 100 }",
        ));
    }
    let most = u64::from(u32::MAX);
    let many =
        |count: u64, density, rate| Many { count: count.min(most) as u32, density, rate, on: true, key: given[0] };
    if let Some(n) = t.get("source") {
        let s = Table::new(t.source, n, "`source`", &["rate", "total", "on"], "source = { rate = 2.0, total = 100 }")?;
        for key in ["rate", "total"] {
            if s.get(key).is_none() {
                return Err(SceneError::at(t.source, n.span.clone(), format!("`source` has no `{key}`"))
                    .help("source = { rate = persons per second, total = persons }"));
            }
        }
        let rate = s.f32("rate", 1.0, 0.000_001..=1e6, "persons per second, above 0 to 1000000")?;
        let total = s.whole("total", 0, 0..=MOST_AGENTS, "a whole number of persons, at most 134217728")?;
        return Ok(Many { on: s.truth("on", true)?, ..many(total, None, Some(rate)) });
    }
    if t.get("density").is_some() {
        let d = t.f32("density", 1.0, 0.0..=100.0, "persons per m², 0 to 100")?;
        return Ok(many((f64::from(d) * area_of(start, grid)).round() as u64, Some(d), None));
    }
    Ok(many(t.whole("count", 0, 0..=MOST_AGENTS, "a whole number of agents, at most 134217728")?, None, None))
}

/// How a viewer draws a group.
fn sprite(t: &Table<'_>, pictures: &Pictures<'_>) -> Result<Sprite, SceneError> {
    const MOST_PIXELS: u32 = 4096;
    let right = "\"person\", \"disc\", \"arrow\", or the name of a square PNG that faces east, at most 4096 a side";
    let Some(name) = t.text("sprite", right)? else { return Ok(Sprite::Person) };
    match name {
        "person" => return Ok(Sprite::Person),
        "disc" => return Ok(Sprite::Disc),
        "arrow" => return Ok(Sprite::Arrow),
        _ => {}
    }
    if !name.to_ascii_lowercase().ends_with(".png") {
        let help = nearest(name, ["person", "disc", "arrow"].into_iter())
            .map_or_else(|| format!("write {right}"), |meant| format!("did you mean \"{meant}\"?"));
        return Err(t.error("sprite", format!("there is no sprite \"{}\"", shorten(name))).help(help));
    }
    let picture = pictures.picture(t, "sprite", name, MOST_PIXELS, &format!("sprite is {right}"))?;
    if picture.width != picture.height {
        let message = format!("\"{name}\" is {} × {} pixels", picture.width, picture.height);
        return Err(t.error("sprite", message).help("a sprite is as wide as high, and faces east"));
    }
    Ok(Sprite::Picture(picture))
}

/// The area of a start, in m², by counting cells whose middles are in it (walls included: a scene that says a
/// density means the floor it names).
pub(super) fn area_of(start: &[Shape], grid: &Grid) -> f64 {
    let cell_area = f64::from(grid.cell) * f64::from(grid.cell);
    if start.is_empty() {
        return grid.len() as f64 * cell_area;
    }
    if let [Shape::Rect(r)] = start {
        let r = Rect::new(r.min.max(Vec2::ZERO), r.max.min(grid.extent()));
        return f64::from((r.max.x - r.min.x).max(0.0)) * f64::from((r.max.y - r.min.y).max(0.0));
    }
    covered::count_in(grid, start) as f64 * cell_area
}
