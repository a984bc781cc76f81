//! `[[goal]]`, `[[zone]]`, `[[event]]` and `[[measure]]`.

use super::shape::{area, outside, shape};
use super::*;

/// All goals of a scene; `goals` has those of an image.
pub(super) fn goals(root: &Table<'_>, mut goals: Vec<Goal>, grid: &Grid) -> Result<Vec<Goal>, SceneError> {
    let (source, nodes) = (root.source, list(root, "goal")?);
    if nodes.len() > MOST_GOALS {
        return Err(SceneError::whole(source, format!("{} goals are too many", nodes.len()))
            .help("at most 4096: join some by `shapes`"));
    }
    for (i, node) in nodes.iter().enumerate() {
        let goal = goal(source, node, i, grid)?;
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
    for (i, node) in nodes.iter().enumerate() {
        let zone = zone(source, node, i, grid)?;
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

fn goal(source: &Source, node: &Node, i: usize, grid: &Grid) -> Result<Goal, SceneError> {
    let t = Table::new(source, node, "[[goal]]", &["name", "rect", "polygon", "circle", "shapes"], "it as [[goal]]")?;
    let name = t.text("name", "a text")?.map_or_else(|| format!("goal {i}"), str::to_owned);
    let shapes = match t.get("shapes") {
        Some(list) => {
            let shapes = area(&t, list, "a goal's shape")?;
            for key in ["rect", "polygon", "circle"] {
                if t.get(key).is_some() {
                    return Err(t
                        .error(key, format!("a goal has `shapes` or `{key}`, not both"))
                        .help("move it into `shapes`"));
                }
            }
            shapes
        }
        None => vec![shape(&t, false)?],
    };
    if !shapes.iter().any(|s| s.bounds().touches(grid.bounds())) {
        return Err(outside(source, node, grid));
    }
    Ok(Goal { name, shapes, cells: Vec::new(), mark: node.span.clone() })
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
    let (source, mut measures) = (root.source, Vec::new());
    for (i, node) in list(root, "measure")?.iter().enumerate() {
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
    if measures.len() > MOST_MEASURES {
        return Err(SceneError::whole(source, format!("{} measures are too many", measures.len())).help("at most 256"));
    }
    Ok(measures)
}

pub(super) const ZONE_SPEED: &str = "a factor on everybody's speed, 0.01 to 2";

pub(super) fn event(source: &Source, node: &Node, walls: &[WallSpec], zones: &[Zone]) -> Result<Event, SceneError> {
    let t = Table::new(source, node, "[[event]]", &["at", "close", "open", "zone", "speed"], "it as [[event]]")?;
    if t.get("at").is_none() {
        return Err(SceneError::at(source, node.span.clone(), "this event has no time").help("write at = seconds"));
    }
    let at = t.f32("at", 0.0, 0.0..=1e7, "seconds, 0 to 10000000")?;
    let wall = |key: &'static str| -> Result<Option<usize>, SceneError> {
        let Some(name) = t.text(key, "the name of a wall")? else { return Ok(None) };
        walls.iter().position(|w| w.name.as_deref() == Some(name)).map(Some).ok_or_else(|| {
            t.error(key, format!("there is no wall named \"{}\"", shorten(name))).help(
                known("named walls are", name, walls.iter().filter_map(|w| w.name.as_deref()))
                    .unwrap_or("no wall has a name yet: write { rect = […], name = \"door\" } in map.walls".into()),
            )
        })
    };
    let (close, open) = (wall("close")?, wall("open")?);
    let zone = match t.text("zone", "the name of a zone")? {
        None => None,
        Some(name) => Some(zones.iter().position(|z| z.name == name).ok_or_else(|| {
            t.error("zone", format!("there is no zone named \"{}\"", shorten(name))).help(
                known("zones are", name, zones.iter().map(|z| z.name.as_str()))
                    .unwrap_or("the scene has no zones yet: add a [[zone]]".into()),
            )
        })?),
    };
    let has_speed = t.get("speed").is_some();
    let speed = t.f32("speed", 1.0, 0.01..=2.0, ZONE_SPEED)?;
    let wrong = |message: &str| {
        SceneError::at(source, node.span.clone(), message)
            .help("an event does one thing: close = WALL, or open = WALL, or zone = ZONE with speed = FACTOR")
    };
    let change = match (close, open, zone, has_speed) {
        (Some(w), None, None, false) => Change::Close(w),
        (None, Some(w), None, false) => Change::Open(w),
        (None, None, Some(z), true) => Change::ZoneSpeed(z, speed),
        (None, None, Some(_), false) => return Err(wrong("this event changes a zone but gives no speed")),
        (None, None, None, true) => return Err(wrong("this event has a speed but names no zone")),
        (None, None, None, false) => return Err(wrong("this event does nothing")),
        _ => return Err(wrong("this event does more than one thing")),
    };
    Ok(Event { at, change })
}
