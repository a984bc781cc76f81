//! `[[hazard]]`.

use super::places::two_of;
use super::shape::outside;
use super::*;
use crate::scene::hazard::{LEAST_RADIUS, MOST_CORNERS, MOST_RADIUS};
use crate::scene::parameters::Choice as _;

const KEYS: &[&str] = &[
    "name",
    "kind",
    "at",
    "path",
    "speed",
    "loop",
    "drift",
    "radius",
    "growth",
    "radius_max",
    "strength",
    "fear",
    "from",
    "until",
    "fade",
    "every",
];

/// What only a cloud does.
const OF_GAS: [&str; 4] = ["drift", "growth", "radius_max", "fade"];

const RADIUS: &str = "from its middle to its rim, 0.05 to 10000 m";

/// All hazards of a scene. `signals` are the names that events have.
pub(super) fn hazards(root: &Table<'_>, grid: &Grid, signals: &[&str]) -> Result<Vec<Hazard>, SceneError> {
    let (source, nodes) = (root.source, list(root, "hazard")?);
    if nodes.len() > MOST_HAZARDS {
        return Err(SceneError::whole(source, format!("{} hazards are too many", nodes.len())).help("at most 64"));
    }
    let mut hazards: Vec<Hazard> = Vec::new();
    let read = gather(nodes, |i, node| hazard(source, node, (i, grid), signals))?;
    for (node, hazard) in nodes.iter().zip(read) {
        if hazards.iter().any(|h| h.name == hazard.name) {
            return Err(two_of(source, node, "hazard", &hazard.name));
        }
        hazards.push(hazard);
    }
    Ok(hazards)
}

fn hazard(source: &Source, node: &Node, (i, grid): (usize, &Grid), signals: &[&str]) -> Result<Hazard, SceneError> {
    let t = Table::new(source, node, "[[hazard]]", KEYS, "it as [[hazard]]")?;
    let name = t.text("name", "a text")?.map_or_else(|| format!("hazard {i}"), str::to_owned);
    if t.get("kind").is_none() {
        let help = "write kind = \"gas\", a cloud that drifts, grows and fades, or kind = \"ghost\"";
        return Err(SceneError::at(source, node.span.clone(), "this hazard does not say what it is").help(help));
    }
    let words: Vec<(&str, HazardKind)> =
        HazardKind::WORDS.iter().map(|w| w.word).zip(HazardKind::ALL.iter().copied()).collect();
    let kind = t.choice("kind", HazardKind::Gas, &words)?;
    if let Some(key) = OF_GAS.into_iter().find(|key| kind == HazardKind::Ghost && t.get(key).is_some()) {
        return Err(t.error(key, format!("a ghost has no `{key}`")).help("only gas drifts, grows and fades"));
    }
    if t.get("radius").is_none() {
        let error = SceneError::at(source, node.span.clone(), "this hazard has no radius");
        return Err(error.help(format!("write radius = metres {RADIUS}")));
    }
    let radius = t.f32("radius", 1.0, LEAST_RADIUS..=MOST_RADIUS, RADIUS)?;
    let path = place(&t, node)?;
    let drift = match t.get("drift") {
        None => Vec2::ZERO,
        Some(node) => point(node).ok_or_else(|| t.wrong_type(node, "drift", "[x, y] in m/s"))?,
    };
    let mut hazard = Hazard { path, drift, ..Hazard::new(&name, kind, Vec2::ZERO, radius) };
    hazard.speed = t.f32("speed", 1.0, 0.0..=100.0, "how fast it walks its path, 0 to 100 m/s")?;
    hazard.again = t.truth("loop", false)?;
    hazard.growth = t.f32("growth", 0.0, 0.0..=100.0, "how fast its radius grows, 0 to 100 m/s")?;
    let most = if hazard.growth > 0.0 { MOST_RADIUS } else { radius };
    let help = format!("how large it grows: its radius of {radius} m up to 10000 m");
    hazard.radius_max = t.f32("radius_max", most, radius..=MOST_RADIUS, &help)?;
    hazard.strength = t.f32("strength", 1.0, 0.0..=1e4, "how bad it is, 0 to 10000")?;
    hazard.fear = t.f32("fear", 0.5 * radius, 0.0..=MOST_RADIUS, "how far from its rim people flee, 0 to 10000 m")?;
    hazard.fade = t.f32("fade", 0.0, 0.0..=1e7, "how long it takes to fade, 0 to 10000000 s")?;
    hazard.every = t.f32("every", 0.0, 0.0..=1e7, "after how long it appears again, 0 to 10000000 s")?;
    hazard.from = moment(&t, "from", signals)?.unwrap_or(Moment::At(0.0));
    hazard.until = moment(&t, "until", signals)?;
    check(&t, node, &hazard, grid)?;
    Ok(hazard)
}

/// That what it says goes together.
fn check(t: &Table<'_>, node: &Node, hazard: &Hazard, grid: &Grid) -> Result<(), SceneError> {
    let walks = hazard.path.len() > 1;
    if let Some(key) = ["speed", "loop"].into_iter().find(|key| !walks && t.get(key).is_some()) {
        return Err(t
            .error(key, format!("`{key}` is for a hazard that walks a path"))
            .help("write path = [[x, y], …]"));
    }
    if walks && hazard.drift != Vec2::ZERO {
        let error = t.error("drift", "a hazard walks a path or drifts, not both");
        return Err(error.help("write at = [x, y] with drift, or path = [[x, y], …] with speed"));
    }
    if let (Moment::At(from), Some(Moment::At(until))) = (&hazard.from, &hazard.until)
        && until < from
    {
        return Err(t
            .error("until", format!("it ends at {until} s, before it begins at {from} s"))
            .help("until is from or later"));
    }
    if hazard.every > 0.0 && hazard.every < hazard.lasts() {
        let message = format!("it appears again after {} s, and is there for {} s", hazard.every, hazard.lasts());
        return Err(t.error("every", message).help("every is as long as until less from, and fade, or longer"));
    }
    let around =
        if walks { Shape::Line(hazard.path.clone()).bounds() } else { Rect::new(hazard.path[0], hazard.path[0]) };
    if hazard.drift == Vec2::ZERO && !around.grown(hazard.radius_max + hazard.fear).touches(grid.bounds()) {
        return Err(outside(t.source, node, grid));
    }
    Ok(())
}

fn point(node: &Node) -> Option<Vec2> {
    let number = |n: &Node| n.number().map(|v| v as f32).filter(|v| v.abs() <= 1e7);
    match &node.kind {
        Kind::List(pair) if pair.len() == 2 => number(&pair[0]).zip(number(&pair[1])).map(Vec2::from),
        _ => None,
    }
}

/// Where it is, or the corners of its way.
fn place(t: &Table<'_>, node: &Node) -> Result<Vec<Vec2>, SceneError> {
    const RIGHT: &str = "at = [x, y], or path = [[x, y], [x, y], …], in metres up to 1e7";
    match (t.get("at"), t.get("path")) {
        (Some(_), Some(_)) => {
            Err(t.error("path", "a hazard has `at` or `path`, not both").help(format!("write {RIGHT}")))
        }
        (None, None) => {
            Err(SceneError::at(t.source, node.span.clone(), "this hazard is nowhere").help(format!("write {RIGHT}")))
        }
        (Some(at), None) => {
            point(at).map(|p| vec![p]).ok_or_else(|| t.wrong_type(at, "at", "[x, y] in metres, up to 1e7"))
        }
        (None, Some(path)) => {
            let Kind::List(items) = &path.kind else {
                return Err(t.wrong_type(path, "path", "[[x, y], [x, y], …] in metres"));
            };
            let points: Vec<Vec2> = items.iter().filter_map(point).collect();
            if points.len() != items.len() {
                return Err(t
                    .error("path", "a corner of this path is not [x, y] in metres, up to 1e7")
                    .help(format!("write {RIGHT}")));
            }
            if !(2..=MOST_CORNERS).contains(&points.len()) {
                let message = format!("a path has 2 to {MOST_CORNERS} corners, not {}", points.len());
                return Err(t.error("path", message).help(format!("write {RIGHT}")));
            }
            Ok(points)
        }
    }
}

/// Seconds, or the name of an event.
fn moment(t: &Table<'_>, key: &'static str, signals: &[&str]) -> Result<Option<Moment>, SceneError> {
    const RIGHT: &str = "seconds, 0 to 10000000, or the name of an event";
    match t.get(key) {
        None => Ok(None),
        Some(Node { kind: Kind::Text(name), .. }) if signals.binary_search(&name.as_str()).is_ok() => {
            Ok(Some(Moment::Event(name.clone())))
        }
        Some(Node { kind: Kind::Text(name), .. }) => {
            let none = "no event has a name yet: write [[event]] with at = seconds and name = \"alarm\"";
            Err(t
                .error(key, format!("there is no event named \"{}\"", shorten(name)))
                .help(known("named events are", name, signals.iter().copied()).unwrap_or(none.into())))
        }
        Some(node) => t.number_in(node, key, 0.0..=1e7, RIGHT).map(|seconds| Some(Moment::At(seconds))),
    }
}
