//! `[[portal]]`.

use super::places::{ZONE_SPEED, two_of};
use super::*;
use crate::world::portals::cells_of;

/// Directions of a field have 15 bits for a portal and which way through it.
const MOST_PORTALS: usize = 4096;
/// All their cells together: what a list is gone through for in every round of the solver.
const MOST_CELLS: u64 = 1 << 20;

const BETWEEN: &str = "two rectangles of the same size: [[west, south, east, north], [west, south, east, north]]";

/// All portals of a scene.
pub(super) fn portals(root: &Table<'_>, grid: &Grid) -> Result<Vec<Portal>, SceneError> {
    let nodes = list(root, "portal")?;
    let source = root.source;
    if nodes.len() > MOST_PORTALS {
        return Err(SceneError::whole(source, format!("{} portals are too many", nodes.len())).help("at most 4096"));
    }
    let mut portals: Vec<Portal> = Vec::new();
    let mut cells = 0;
    let read = gather(nodes, |i, node| portal(source, node, i, grid))?;
    for (node, portal) in nodes.iter().zip(read) {
        let wrong = |message: String| SceneError::at(source, node.span.clone(), message);
        if portals.iter().any(|p| p.name == portal.name) {
            return Err(two_of(source, node, "portal", &portal.name));
        }
        let own = portal.between.map(|r| cells_of(grid, r));
        let shares = |a: [u32; 4], b: [u32; 4]| a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
        if shares(own[0], own[1]) {
            return Err(wrong("the two places of this portal share cells".into())
                .help(format!("put them apart: cells are {} m wide", grid.cell)));
        }
        let meets = |p: &&Portal| p.between.iter().any(|&r| own.iter().any(|&mine| shares(mine, cells_of(grid, r))));
        if let Some(other) = portals.iter().find(meets) {
            return Err(wrong(format!("this portal shares cells with \"{}\"", shorten(&other.name)))
                .help(format!("a cell leads through one portal: cells are {} m wide", grid.cell)));
        }
        cells += u64::from(own[0][2] - own[0][0]) * u64::from(own[0][3] - own[0][1]);
        if cells > MOST_CELLS {
            return Err(wrong(format!("portals of {cells} cells are too large"))
                .help("at most 1048576 cells in all: a portal need be no deeper than a cell"));
        }
        portals.push(portal);
    }
    Ok(portals)
}

fn portal(source: &Source, node: &Node, i: usize, grid: &Grid) -> Result<Portal, SceneError> {
    let t = Table::new(source, node, "[[portal]]", &["name", "between", "length", "speed"], "it as [[portal]]")?;
    let name = t.text("name", "a text")?.map_or_else(|| format!("portal {i}"), str::to_owned);
    let between = between(&t, node, grid)?;
    if t.get("length").is_none() {
        return Err(SceneError::at(source, node.span.clone(), "this portal has no length")
            .help("write length = metres on the way from one place to the other"));
    }
    let length = t.f32("length", 1.0, 0.01..=100_000.0, "metres on the way, 0.01 to 100000")?;
    let speed = t.f32("speed", 1.0, 0.01..=2.0, ZONE_SPEED)?;
    Ok(Portal { name, between, length, speed })
}

fn between(t: &Table<'_>, node: &Node, grid: &Grid) -> Result<[Rect; 2], SceneError> {
    let Some(value) = t.get("between") else {
        return Err(SceneError::at(t.source, node.span.clone(), "this portal joins nothing")
            .help(format!("write between = {BETWEEN}")));
    };
    let wrong = |message: &str| Err(t.error("between", message).help(format!("write {BETWEEN}")));
    let numbers = |n: &Node| -> Option<Rect> {
        let Kind::List(items) = &n.kind else { return None };
        let v: Vec<f32> = items.iter().filter_map(Node::number).map(|v| v as f32).collect();
        (items.len() == 4 && v.len() == 4).then(|| Rect::new(Vec2::new(v[0], v[1]), Vec2::new(v[2], v[3])))
    };
    let Kind::List(items) = &value.kind else { return Err(t.wrong_type(value, "between", BETWEEN)) };
    let rects: Vec<Rect> = items.iter().filter_map(numbers).collect();
    let (2, [a, b]) = (items.len(), rects[..].try_into().unwrap_or([Rect::new(Vec2::NAN, Vec2::NAN); 2])) else {
        return wrong("a portal is between two places");
    };
    for r in [a, b] {
        if !(r.max.x > r.min.x && r.max.y > r.min.y) {
            return wrong("a place of this portal has no area: east must be beyond west and north beyond south");
        }
        let e = grid.extent();
        let slack = 0.01 * grid.cell;
        if r.min.min_element() < -slack || r.max.cmpgt(e + slack).any() {
            return Err(t
                .error("between", "a place of this portal lies outside of the world")
                .help(format!("the world is [0, 0] to [{}, {}] metres", e.x, e.y)));
        }
    }
    let difference = (a.max - a.min) - (b.max - b.min);
    if difference.abs().max_element() > 0.01 * grid.cell {
        return wrong("the two places of this portal differ in size");
    }
    Ok([a, b])
}
