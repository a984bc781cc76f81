//! `[[door]]`.

use super::places::two_of;
use super::shape::outside;
use super::*;

/// Everybody asks about every door in every step.
const MOST_DOORS: usize = 256;
/// Nobody passes a narrower one, m.
const LEAST_WIDTH: f32 = 0.1;

/// All doors of a scene.
pub(super) fn doors(root: &Table<'_>, grid: &Grid) -> Result<Vec<Door>, SceneError> {
    let (source, nodes) = (root.source, list(root, "door")?);
    if nodes.len() > MOST_DOORS {
        return Err(SceneError::whole(source, format!("{} doors are too many", nodes.len())).help("at most 256"));
    }
    let mut doors: Vec<Door> = Vec::new();
    let read = gather(nodes, |i, node| door(source, node, i, grid))?;
    for (node, door) in nodes.iter().zip(read) {
        if doors.iter().any(|d| d.name == door.name) {
            return Err(two_of(source, node, "door", &door.name));
        }
        doors.push(door);
    }
    Ok(doors)
}

fn door(source: &Source, node: &Node, i: usize, grid: &Grid) -> Result<Door, SceneError> {
    let t = Table::new(source, node, "[[door]]", &["name", "line", "first", "reach", "patience"], "it as [[door]]")?;
    let name = t.text("name", "a text")?.map_or_else(|| format!("door {i}"), str::to_owned);
    let line = line(&t, node)?;
    if !Shape::Line(line.to_vec()).bounds().touches(grid.bounds()) {
        return Err(outside(source, node, grid));
    }
    if t.get("first").is_none() {
        return Err(SceneError::at(source, node.span.clone(), "this door does not say who goes first").help(
            "write first = \"forward\", from the left to the right of somebody who looks along the line, or \"backward\"",
        ));
    }
    let first = t.choice("first", First::Forward, &[("forward", First::Forward), ("backward", First::Backward)])?;
    let reach = t.f32("reach", 3.0, 0.1..=100.0, "how far from the door people count, 0.1 to 100 m")?;
    let patience = t.f32("patience", 30.0, 0.0..=1e6, "how long people let others pass, 0 to 1000000 s")?;
    Ok(Door { name, line, first, reach, patience })
}

/// From jamb to jamb.
fn line(t: &Table<'_>, node: &Node) -> Result<[Vec2; 2], SceneError> {
    const RIGHT: &str = "[[x, y], [x, y]] in metres, from jamb to jamb";
    let Some(value) = t.get("line") else {
        return Err(
            SceneError::at(t.source, node.span.clone(), "this door has no line").help(format!("write line = {RIGHT}"))
        );
    };
    let number = |n: &Node| n.number().map(|v| v as f32).filter(|v| v.abs() <= 1e7);
    let point = |n: &Node| match &n.kind {
        Kind::List(pair) if pair.len() == 2 => number(&pair[0]).zip(number(&pair[1])).map(Vec2::from),
        _ => None,
    };
    let Kind::List(items) = &value.kind else { return Err(t.wrong_type(value, "line", RIGHT)) };
    let points: Vec<Vec2> = items.iter().filter_map(point).collect();
    let wrong = |message: &str| Err(t.error("line", message).help(format!("write line = {RIGHT}")));
    match (items.len(), &points[..]) {
        (2, [a, b]) if a.distance(*b) >= LEAST_WIDTH => Ok([*a, *b]),
        (2, [_, _]) => wrong("this door is narrower than 0.1 m"),
        (2, _) => wrong("a point of this door is not [x, y] in metres, up to 1e7"),
        _ => wrong("a door goes straight from one jamb to the other: its line has two points"),
    }
}
