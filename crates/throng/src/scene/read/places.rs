//! `[[goal]]`, `[[zone]]` and `[[measure]]`.

use super::shape::{ONE_SHAPE, area, outside, shape};
use super::*;

const GOAL_KEYS: &[&str] = &["name", "rect", "polygon", "circle", "shapes", "open", "capacity"];

const CAPACITY: &str = "how many people it holds, a whole number from 1 to 134217728";

/// All goals of a scene; `goals` has those of an image.
pub(super) fn goals(root: &Table<'_>, mut goals: Vec<Goal>, grid: &Grid) -> Result<Vec<Goal>, SceneError> {
    let (source, nodes) = (root.source, list(root, "goal")?);
    if nodes.len() > MOST_GOALS {
        return Err(SceneError::whole(source, format!("{} goals are too many", nodes.len()))
            .help("at most 4096: join some by `shapes`"));
    }
    let read = gather(nodes, |i, node| {
        Ok(if of_image(source, node, &mut goals)? { None } else { Some((i, goal(source, node, i, grid)?)) })
    })?;
    for (i, goal) in read.into_iter().flatten() {
        let node = &nodes[i];
        if goals.iter().any(|g: &Goal| g.name == goal.name) {
            return Err(two_of(source, node, "goal", &goal.name));
        }
        goals.push(goal);
    }
    if goals.len() as u64 * grid.len() as u64 > MOST_GOAL_CELLS {
        return Err(SceneError::whole(source, format!("{} goals on {} cells are too many", goals.len(), grid.len()))
            .help("goals times cells are at most 1073741824: join goals or use larger cells"));
    }
    Ok(goals)
}

/// All zones of a scene.
pub(super) fn zones(root: &Table<'_>, grid: &Grid) -> Result<Vec<Zone>, SceneError> {
    let (source, nodes) = (root.source, list(root, "zone")?);
    if nodes.len() > MOST_ZONES {
        return Err(SceneError::whole(source, format!("{} zones are too many", nodes.len())).help("at most 4096"));
    }
    let mut zones: Vec<Zone> = Vec::new();
    let read = gather(nodes, |i, node| zone(source, node, i, grid))?;
    for (node, zone) in nodes.iter().zip(read) {
        if zones.iter().any(|z| z.name == zone.name) {
            return Err(two_of(source, node, "zone", &zone.name));
        }
        zones.push(zone);
    }
    Ok(zones)
}

/// Two things of one name.
pub(super) fn two_of(source: &Source, node: &Node, what: &str, name: &str) -> SceneError {
    SceneError::at(source, node.span.clone(), format!("there are two {what}s named \"{}\"", shorten(name)))
        .help(format!("give each {what} a name of its own"))
}

/// Says more about a goal of the image: one without a shape and with the name of such. Returns whether it is.
fn of_image(source: &Source, node: &Node, goals: &mut [Goal]) -> Result<bool, SceneError> {
    let t = Table::new(source, node, "[[goal]]", GOAL_KEYS, "it as [[goal]]")?;
    let drawn = ["rect", "polygon", "circle", "shapes"].into_iter().any(|key| t.get(key).is_some());
    let name = t.text("name", "a text")?;
    let Some(goal) = goals.iter_mut().find(|g| !g.cells.is_empty() && !drawn && Some(g.name.as_str()) == name) else {
        return Ok(false);
    };
    (goal.open, goal.capacity) = (t.truth("open", true)?, capacity(&t)?);
    Ok(true)
}

fn goal(source: &Source, node: &Node, i: usize, grid: &Grid) -> Result<Goal, SceneError> {
    let t = Table::new(source, node, "[[goal]]", GOAL_KEYS, "it as [[goal]]")?;
    let name = t.text("name", "a text")?.map_or_else(|| format!("goal {i}"), str::to_owned);
    let (shapes, capacities) = match t.get("shapes") {
        Some(list) => {
            for key in ["rect", "polygon", "circle"] {
                if t.get(key).is_some() {
                    return Err(t
                        .error(key, format!("a goal has `shapes` or `{key}`, not both"))
                        .help("move it into `shapes`"));
                }
            }
            shapes_with_capacities(&t, list)?
        }
        None => (vec![shape(&t, false)?], Vec::new()),
    };
    if !shapes.iter().any(|s| s.bounds().touches(grid.bounds())) {
        return Err(outside(source, node, grid));
    }
    let (open, capacity) = (t.truth("open", true)?, capacity(&t)?);
    Ok(Goal { name, shapes, cells: Vec::new(), open, capacity, capacities, mark: node.span.clone() })
}

fn capacity(t: &Table<'_>) -> Result<Option<u32>, SceneError> {
    t.get("capacity").map(|_| t.whole("capacity", 1, 1..=MOST_AGENTS, CAPACITY).map(|n| n as u32)).transpose()
}

/// A goal's shapes, and how many each holds; no list of these if none says so.
fn shapes_with_capacities(t: &Table<'_>, node: &Node) -> Result<(Vec<Shape>, Vec<Option<u32>>), SceneError> {
    let what = "a goal's shape";
    let nodes = match &node.kind {
        Kind::List(items) => items.as_slice(),
        _ => std::slice::from_ref(node),
    };
    let tables = nodes.iter().all(|n| matches!(n.kind, Kind::Table(_)));
    if nodes.is_empty() || nodes.len() > MOST_SHAPES || !tables {
        // It says what is wrong.
        return Ok((area(t, node, what)?, Vec::new()));
    }
    let each = nodes.iter().map(|n| {
        let s = Table::new(t.source, n, what, &["rect", "polygon", "circle", "capacity"], ONE_SHAPE)?;
        Ok((shape(&s, false)?, capacity(&s)?))
    });
    let (shapes, capacities): (_, Vec<_>) = each.collect::<Result<Vec<_>, SceneError>>()?.into_iter().unzip();
    Ok((shapes, if capacities.iter().any(Option::is_some) { capacities } else { Vec::new() }))
}

fn zone(source: &Source, node: &Node, i: usize, grid: &Grid) -> Result<Zone, SceneError> {
    let t = Table::new(source, node, "[[zone]]", &["name", "rect", "polygon", "circle", "speed"], "it as [[zone]]")?;
    let name = t.text("name", "a text")?.map_or_else(|| format!("zone {i}"), str::to_owned);
    let speed = t.f32("speed", 1.0, 0.01..=2.0, ZONE_SPEED)?;
    let shape = shape(&t, false)?;
    if !shape.bounds().touches(grid.bounds()) {
        return Err(outside(source, node, grid));
    }
    Ok(Zone { name, shape, speed })
}

const MOST_MEASURES: usize = 256;

pub(super) fn measures(root: &Table<'_>, grid: &Grid) -> Result<Vec<Measure>, SceneError> {
    let (source, nodes, mut measures) = (root.source, list(root, "measure")?, Vec::new());
    if nodes.len() > MOST_MEASURES {
        let message = format!("{} measures are too many", nodes.len());
        return Err(SceneError::at(source, nodes[MOST_MEASURES].span.clone(), message)
            .help(format!("at most {MOST_MEASURES}: this is one more")));
    }
    for (i, node) in nodes.iter().enumerate() {
        let keys = &["name", "line", "rect", "polygon", "circle"];
        let t = Table::new(source, node, "[[measure]]", keys, "it as [[measure]]")?;
        let name = t.text("name", "a text")?.map_or_else(|| format!("measure {i}"), str::to_owned);
        let shape = shape(&t, true)?;
        if matches!(&shape, Shape::Line(points) if points.len() != 2) {
            let error = t.error("line", "a line that counts who crosses it has two points");
            return Err(error.help("write line = [[x, y], [x, y]], and another [[measure]] for the next piece"));
        }
        if !shape.bounds().touches(grid.bounds()) {
            return Err(outside(source, node, grid));
        }
        if measures.iter().any(|m: &Measure| m.name == name) {
            let message = format!("there are two measures named \"{}\"", shorten(&name));
            return Err(SceneError::at(source, node.span.clone(), message).help("give each measure a name of its own"));
        }
        measures.push(Measure { name, shape });
    }
    Ok(measures)
}

pub(super) const ZONE_SPEED: &str = "a factor on everybody's speed, 0.01 to 2";
