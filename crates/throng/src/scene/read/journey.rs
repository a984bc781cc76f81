//! A group's `journey`: goals, and points of one's own.

use super::agents::Known;
use super::events::until;
use super::shape::{area, outside};
use super::*;

const RIGHT: &str = "a list of goals: [\"door\"], or [{ goal = \"bench\", wait = 20 }, \"door\"]; a leg straight to a point is { to = … }";

const TO: &str =
    "\"opposite\", { random = { rect = [west, south, east, north] } }, a point [x, y], or a list of points";

pub(super) fn journey(t: &Table<'_>, known: Known<'_>, group: &str) -> Result<Vec<Leg>, SceneError> {
    let Known { goals, grid, signals, .. } = known;
    let names = || goals.iter().map(|g| g.name.as_str());
    let none = "the scene has no goals yet: add a [[goal]]";
    let find = |node: &Node, name: &str| {
        goals.iter().position(|g| g.name == name).map(|i| Target::Goal(i as u16)).ok_or_else(|| {
            SceneError::at(t.source, node.span.clone(), format!("there is no goal \"{}\"", shorten(name)))
                .help(super::known("goals are", name, names()).unwrap_or(none.into()))
        })
    };
    let Some(node) = t.get("journey") else {
        return match goals {
            [_] => Ok(vec![Leg::to_goal(0)]),
            _ => Err(SceneError::at(
                t.source,
                t.span.clone(),
                format!("[[agents]] \"{}\" has no journey", shorten(group)),
            )
            .help(
                super::known("with several goals a group says where it goes: goals are", "", names())
                    .unwrap_or(none.into()),
            )),
        };
    };
    let one = |n: &Node| match &n.kind {
        Kind::Text(name) => Ok(Leg { to: find(n, name)?, wait: Wait::NONE }),
        Kind::Table(_) => {
            let leg = Table::new(t.source, n, "a leg of a journey", &["goal", "to", "wait"], RIGHT)?;
            let to = match (leg.text("goal", RIGHT)?, leg.get("to")) {
                (Some(name), None) => find(n, name)?,
                (None, Some(to)) => point(&leg, to, grid)?,
                (None, None) => {
                    return Err(SceneError::at(t.source, n.span.clone(), "this leg leads nowhere")
                        .help(format!("journey is {RIGHT}")));
                }
                (Some(_), Some(to)) => {
                    return Err(SceneError::at(t.source, to.span.clone(), "this leg has both `goal` and `to`")
                        .help("a leg leads to a goal by the plan, or straight to a point"));
                }
            };
            Ok(Leg { to, wait: wait(&leg, signals)? })
        }
        _ => Err(t.wrong_type(n, "journey", RIGHT)),
    };
    match &node.kind {
        Kind::Text(_) | Kind::Table(_) => Ok(vec![one(node)?]),
        Kind::List(items) if !items.is_empty() && items.len() <= 10_000 => items.iter().map(one).collect(),
        _ => Err(t.wrong_type(node, "journey", RIGHT)),
    }
}

/// What `wait` says: seconds, or the event that it lasts until.
fn wait(leg: &Table<'_>, signals: &[&str]) -> Result<Wait, SceneError> {
    const RIGHT: &str = "seconds, 0 to 1000000, or { until = \"the name of an event\" }";
    match leg.get("wait") {
        Some(node @ Node { kind: Kind::Table(_), .. }) => {
            let t = Table::new(leg.source, node, "`wait`", &["until"], RIGHT)?;
            match until(&t, signals)? {
                Some(name) => Ok(Wait::Until(name)),
                None => Err(leg.error("wait", "`wait` is an empty table").help(format!("wait is {RIGHT}"))),
            }
        }
        _ => Ok(Wait::For(leg.f32("wait", 0.0, 0.0..=1e6, RIGHT)?)),
    }
}

/// What `to` says: somebody's own point.
fn point(leg: &Table<'_>, node: &Node, grid: &Grid) -> Result<Target, SceneError> {
    match &node.kind {
        Kind::Text(word) if word == "opposite" => Ok(Target::Opposite),
        Kind::Text(word) => {
            let help = nearest(word, ["opposite"].into_iter()).map_or_else(
                || format!("to is {TO}; a goal is {{ goal = \"{}\" }}", shorten(word)),
                |meant| format!("did you mean \"{meant}\"?"),
            );
            Err(leg.error("to", format!("`to` cannot be \"{}\"", shorten(word))).help(help))
        }
        Kind::Table(_) => {
            let random = Table::new(leg.source, node, "`to`", &["random"], TO)?;
            let Some(shapes) = random.get("random") else {
                return Err(leg.error("to", "`to` is an empty table").help(format!("to is {TO}")));
            };
            let area = area(&random, shapes, "`random`")?;
            if !area.iter().any(|s| s.bounds().touches(grid.bounds())) {
                return Err(outside(leg.source, shapes, grid));
            }
            Ok(Target::Random(area))
        }
        Kind::List(items) if items.is_empty() || items.len() > MOST_SHAPES => {
            Err(leg.error("to", format!("`to` is a list of {} points", items.len())).help("write 1 to 1048576 of them"))
        }
        Kind::List(items) if items.iter().all(|n| n.number().is_some()) => {
            Ok(Target::Points(vec![xy(leg, node, grid)?]))
        }
        Kind::List(items) => Ok(Target::Points(items.iter().map(|n| xy(leg, n, grid)).collect::<Result<_, _>>()?)),
        _ => Err(leg.wrong_type(node, "to", TO)),
    }
}

/// One point, in the world.
fn xy(leg: &Table<'_>, node: &Node, grid: &Grid) -> Result<Vec2, SceneError> {
    let number = |n: &Node| n.number().map(|v| v as f32).filter(|v| v.abs() <= 1e7);
    let pair = match &node.kind {
        Kind::List(items) => match &items[..] {
            [x, y] => number(x).zip(number(y)),
            _ => None,
        },
        _ => None,
    };
    let Some((x, y)) = pair else {
        return Err(SceneError::at(leg.source, node.span.clone(), "this is not a point [x, y] in metres")
            .help(format!("to is {TO}")));
    };
    let p = Vec2::new(x, y);
    if grid.inside(p) { Ok(p) } else { Err(outside(leg.source, node, grid)) }
}
