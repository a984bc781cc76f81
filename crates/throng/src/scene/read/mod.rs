//! From TOML to a [`Scene`]: every key, its type, its range, and a message for each way to get it wrong.

mod agents;
mod character;
mod doors;
mod events;
mod hazards;
mod journey;
mod machine;
mod map;
mod mistakes;
mod model;
pub(super) mod npy;
mod pictures;
mod places;
mod portals;
mod shape;
mod terrain;

use super::error::{SceneError, Source};
use super::needs::Memory;
use super::value::{self, Kind, Node, Table, nearest, plain, shorten};
use super::*;
use agents::groups;
use map::{background, exit_goals, grid, map, read_images};
use mistakes::{Mistakes, gather};
use model::model;
use pictures::Pictures;
use places::{goals, measures, zones};
use std::sync::Arc;

/// A world of 2^28 cells already asks for 20 GB of fields.
const MOST_CELLS: u64 = 1 << 28;
/// Above the hundred million that Throng aims at.
pub(crate) const MOST_AGENTS: u64 = 1 << 27;
const MOST_GOALS: usize = 4096;
/// Potential and direction of every goal at every cell: at most 2^30 cells in all, about 13 GB.
const MOST_GOAL_CELLS: u64 = 1 << 30;
pub(crate) const MOST_GROUPS: usize = 4096;
const MOST_ZONES: usize = 4096;
/// Positions have 24 bits: this far out they are 8 mm apart, and a short step would be lost in rounding.
const MOST_METRES: f64 = 1e5;
const MOST_SHAPES: usize = 1 << 20;
/// Bytes of memory that a byte of TOML takes while it is read: 30,000 walls in 660 kB took 105 MB.
const MEMORY_PER_BYTE: u64 = 160;
/// Bytes of these that the scene goes on to hold: the same 30,000 walls are 4 MB with their text.
const KEPT_PER_BYTE: u64 = 8;
/// Seconds of the shortest time step.
const LEAST_DT: f32 = 0.0001;

pub(super) fn scene(source: Source, files: &dyn Files) -> Result<Scene, SceneError> {
    let (budget, length) = (files.budget(), source.text.len() as u64);
    let mut text = budget.take(length * MEMORY_PER_BYTE).map_err(|short| {
        SceneError::whole(&source, format!("this text is too long: {short}"))
            .help("walls and cells by the thousand are smaller as a map.image")
    })?;
    let root_node = value::parse(&source)?;
    let keys = &[
        "name", "cell", "dt", "seed", "size", "map", "terrain", "weights", "goal", "agents", "state", "zone", "portal",
        "door", "hazard", "event", "measure", "model",
    ];
    let root = Table::with_any_keys(&source, &root_node, "the scene", keys, "key = value lines")?;
    if let Kind::Table(entries) = &root_node.kind
        && entries.is_empty()
    {
        return Err(SceneError::whole(&source, "the scene is empty")
            .help("a scene needs at least `size` (or a map.image), a [[goal]] and [[agents]]; see docs/scene.md"));
    }
    let file_stem = source.name.rsplit(['/', '\\']).next().unwrap_or("").trim_end_matches(".toml").to_owned();
    let mut wrong = Mistakes::default();
    root.strangers().into_iter().for_each(|error| wrong.note(error));
    let name = wrong.take(root.text("name", "a text")).flatten().map_or(file_stem, str::to_owned);
    let dt = wrong.take(root.f32("dt", 0.04, LEAST_DT..=10.0, "the time step, 0.0001 to 10 s")).unwrap_or(0.04);
    let right = "a whole number from 0 to 4294967295";
    let seed = wrong.take(root.whole("seed", 1, 0..=u64::from(u32::MAX), right)).unwrap_or(1) as u32;

    let empty = Node { kind: Kind::Table(Vec::new()), span: 0..0 };
    let map_node = root.get("map").unwrap_or(&empty);
    let model_node = root.get("model").unwrap_or(&empty);
    let model = wrong.entry(model_node, |node| model(&source, node));
    let pictures = Pictures::new(files, &budget);
    let floor = match floor(&root, map_node, &pictures) {
        Ok(floor) => floor,
        // Without the size of the world there is no telling what is inside of it. A misspelt key may have given it.
        Err(_) if ["size", "cell", "map"].iter().any(|key| root.misspells(key)) => return Err(wrong.all(None)),
        Err(error) => return Err(wrong.all(Some(error))),
    };
    let Floor { table: map_table, images, grid } = floor;
    let strange = map_table.strangers();
    let whole = strange.is_none() && !root.misspells("map");
    strange.into_iter().for_each(|error| wrong.note(error));
    // What goes by a misspelt key is not known: who names it is not told that it is missing.
    let map = wrong.take(whole_map(&map_table, images.map, grid, &pictures)).filter(|_| whole);
    let terrain_node = root.get("terrain").unwrap_or(&empty);
    let terrain = wrong.entry(terrain_node, |node| terrain::terrain(&source, node, &grid, &pictures));
    let local_weights = wrong.take(terrain::local_weights(&root, &grid));
    let exits = wrong.take(exit_goals(images.exits.as_ref(), &map_table)).filter(|_| whole);
    let goals = wrong.take(goals(&root, exits.clone().unwrap_or_default(), &grid));
    let goals = goals.filter(|_| exits.is_some() && !root.misspells("goal"));
    let zones = wrong.take(zones(&root, &grid)).filter(|_| !root.misspells("zone"));
    let portals = wrong.take(portals::portals(&root, &grid));
    let doors = wrong.take(doors::doors(&root, &grid));
    let signals = wrong.take(events::names(&root)).filter(|_| !root.misspells("event"));
    let state_names = wrong.take(machine::names(&root)).filter(|_| !root.misspells("state"));
    let hazards = signals.as_ref().and_then(|signals| wrong.take(hazards::hazards(&root, &grid, signals)));
    // Whoever names what was not read would only repeat the mistake.
    let crowd = match (&goals, &signals, &state_names, &model) {
        (Some(goals), Some(signals), Some(states), Some(model)) => {
            let (grid, pictures) = (&grid, &pictures);
            let crowd = wrong.take(crowd(&root, agents::Known { goals, signals, states, grid, model, pictures }));
            crowd.filter(|_| !root.misspells("agents"))
        }
        _ => None,
    };
    let events = match (&map, &zones, &goals, &crowd) {
        (Some(map), Some(zones), Some(goals), Some((groups, _))) => {
            wrong.take(events::events(&root, &events::Named::new(&map.walls, zones, goals, groups)))
        }
        _ => None,
    };
    let measures = wrong.take(measures(&root, &grid));
    let parts = (map, terrain, local_weights, goals, zones, portals, doors, hazards, model, crowd, events, measures);
    let (
        Some(map),
        Some(terrain),
        Some(local_weights),
        Some(goals),
        Some(zones),
        Some(portals),
        Some(doors),
        Some(hazards),
        Some(model),
        Some((groups, states)),
        Some(events),
        Some(measures),
    ) = wrong.or(parts)?
    else {
        unreachable!("what is missing has been told")
    };
    if let Some(group) = groups.iter().find(|g| !model.weights_with(g.weights).are_something()) {
        let message =
            format!("length_weight and time_weight of \"{}\" are next to nothing together", shorten(&group.name));
        return Err(SceneError::at(&source, group.marks.table.clone(), message)
            .help("give at least one of them a value of 0.000001 or more: every way would cost the same"));
    }
    let source = source.clone();
    text.keep(length * KEPT_PER_BYTE);
    let mut held = pictures.kept();
    held.push(text);
    let memory = Memory { held: vec![Arc::new(held)], budget: budget.clone() };
    let scene = Scene {
        name,
        grid,
        dt,
        seed,
        map,
        terrain,
        local_weights,
        goals,
        groups,
        states,
        zones,
        portals,
        doors,
        hazards,
        events,
        measures,
        model,
        source,
        memory,
    };
    check_bodies(&scene, root.get("dt"))?;
    Ok(scene)
}

/// What everything else lies on.
struct Floor<'a> {
    /// `[map]`.
    table: Table<'a>,
    images: map::Images,
    grid: Grid,
}

fn floor<'a>(root: &Table<'a>, map: &'a Node, pictures: &Pictures<'_>) -> Result<Floor<'a>, SceneError> {
    let keys = &["image", "exits", "background", "walls", "discomfort"];
    let table = Table::with_any_keys(root.source, map, "[map]", keys, "[map] on a line of its own, then its keys")?;
    let cell = root.f32("cell", 0.5, 0.01..=100.0, "the side of a cell, 0.01 to 100 m")?;
    let images = read_images(&table, pictures)?;
    let grid = grid(root, root.get("size"), cell, &images)?;
    Ok(Floor { table, images, grid })
}

/// Walls and ground, with the images that they come from.
fn whole_map(
    table: &Table<'_>,
    image: Option<map::Image>,
    grid: Grid,
    pictures: &Pictures<'_>,
) -> Result<Map, SceneError> {
    let mut map = map(table, image, grid)?;
    map.image = table.text("image", "a file's name")?.map(str::to_owned);
    map.exits = table.text("exits", "a file's name")?.map(str::to_owned);
    map.background = background(table, pictures)?;
    Ok(map)
}

/// Who walks, and the states that some live by.
fn crowd(root: &Table<'_>, known: agents::Known<'_>) -> Result<(Vec<Group>, Vec<MachineState>), SceneError> {
    let mut groups = groups(root, known)?;
    let agents::Known { goals, signals, states, .. } = known;
    let states = machine::states(root, machine::Known { goals, groups: &groups, signals, states })?;
    agents::give_states(root.source, &mut groups, &states)?;
    Ok((groups, states))
}

/// That nobody walks past a cell in a step, or is far wider than cells are.
fn check_bodies(scene: &Scene, dt_node: Option<&Node>) -> Result<(), SceneError> {
    let (source, dt, cell) = (&scene.source, scene.dt, scene.grid.cell);
    let stride = scene.top_speed() * dt;
    if stride > cell {
        let message =
            format!("in one step of {dt} s the fastest agents walk {stride:.2} m, past a whole cell of {cell} m");
        let error = match dt_node {
            Some(node) => SceneError::at(source, node.span.clone(), message),
            None => SceneError::whole(source, message),
        };
        let top = scene.top_speed();
        let most = (1e4 * cell / top).floor() / 1e4;
        let right = if most >= LEAST_DT {
            format!("write dt = {most} or less")
        } else {
            // Rounded up, lest it falls short.
            let cells = (1e4 * top * LEAST_DT).ceil() / 1e4;
            format!(
                "no dt is short enough (the least is {LEAST_DT} s): write cell = {cells} or more, or lower the speeds"
            )
        };
        return Err(error.help(format!("with a top speed of {top:.2} m/s (zones included) {right}")));
    }
    if let Some(wide) = scene.groups.iter().find(|g| g.radius.max() * 2.0 > 64.0 * cell) {
        let message = format!(
            "\"{}\" has bodies of radius {} m, more than 64 cells of {cell} m wide",
            shorten(&wide.name),
            wide.radius.max()
        );
        return Err(SceneError::at(source, wide.marks.table.clone(), message).help("use larger cells or smaller radii"));
    }
    Ok(())
}

/// That a scene could have been read with a group: it is written, and read again in a world without walls.
pub(super) fn check_group(scene: &Scene, group: &Group) -> Result<(), SceneError> {
    let wrong = |message: &str| Err(SceneError::whole(&scene.source, message));
    if group.goals().any(|goal| usize::from(goal) >= scene.goals.len()) {
        return wrong("a journey leads to a goal that the scene does not have");
    }
    if group.state.is_some_and(|state| usize::from(state) >= scene.states.len()) {
        return wrong("a group begins with a state that the scene does not have");
    }
    let spreads = [&group.radius, &group.speed, &group.turn, &group.delay, &group.goal_distance];
    let numbers = spreads.iter().flat_map(|d| [d.min(), d.max(), d.typical()]).chain(group.rate);
    let waits = group.journey.iter().map(|leg| if let Wait::For(seconds) = leg.wait { seconds } else { 0.0 });
    let numbers = numbers.chain(waits);
    let sound = |leg: &Leg| match &leg.to {
        Target::Goal(_) | Target::Opposite => true,
        Target::Here => group.lives(),
        Target::Random(area) => area.iter().all(Shape::is_sound),
        Target::Points(list) => list.iter().all(|p| p.is_finite()),
    };
    if !(numbers.into_iter().all(f32::is_finite) && group.journey.iter().all(sound)) {
        return wrong("a group has a number that is not finite");
    }
    let anywhere = vec![Shape::Rect(scene.grid.bounds())];
    let entry = if group.arrive == Arrive::Respawn { group.entry.clone() } else { Vec::new() };
    let level = Hill { at: Vec2::ZERO, radius: 1.0, height: 0.0 };
    let hills = if scene.terrain.is_flat() { Vec::new() } else { vec![level] };
    let mut alone = Scene {
        map: Map::default(),
        goals: scene.goals.iter().map(|g| Goal { shapes: anywhere.clone(), cells: Vec::new(), ..g.clone() }).collect(),
        // Slopes make people faster, whatever file they come from.
        terrain: Terrain { heights: None, hills, ..scene.terrain.clone() },
        groups: vec![Group { density: None, entry, sprite: Sprite::Person, character: None, ..group.clone() }],
        states: Vec::new(),
        // Zones make people faster, and names are what they wait for.
        events: scene.events.iter().filter_map(as_group_sees_it).collect(),
        ..scene.clone()
    };
    if group.lives() {
        machine::live_alone(scene, &mut alone);
    }
    let read = self::scene(Source { name: scene.source.name.clone(), text: alone.to_toml() }, &NoFiles)?;
    let marks = read.groups[0].marks.clone();
    if read.groups[0] != (Group { marks, ..alone.groups[0].clone() }) {
        return wrong("a group has a value that no scene can give it");
    }
    Ok(())
}

/// An event without what it does to walls, goals and sources, if anything is left of it.
fn as_group_sees_it(event: &Event) -> Option<Event> {
    let changes = event.changes.iter().copied().filter(|c| matches!(c, Change::ZoneSpeed(..))).collect();
    let seen = Event { changes, ..event.clone() };
    (seen.name.is_some() || !seen.changes.is_empty()).then_some(seen)
}

fn list<'a>(root: &Table<'a>, key: &'static str) -> Result<&'a [Node], SceneError> {
    match root.get(key) {
        None => Ok(&[]),
        Some(Node { kind: Kind::List(items), .. }) if items.iter().all(|n| matches!(n.kind, Kind::Table(_))) => {
            Ok(items)
        }
        Some(node) => Err(SceneError::at(
            root.source,
            node.span.clone(),
            format!("`{key}` must be a list of tables, not {}", node.describe()),
        )
        .help(format!("write it as [[{key}]]"))),
    }
}

/// Help for a name that is not there: the one that was meant, or the first of those that are; nothing if there are none.
fn known<'a>(what: &str, wrong: &str, names: impl Iterator<Item = &'a str> + Clone) -> Option<String> {
    if let Some(name) = nearest(wrong, names.clone()) {
        return Some(format!("did you mean \"{}\"?", shorten(name)));
    }
    let list: Vec<String> = names.clone().take(12).map(|n| format!("\"{}\"", shorten(n))).collect();
    let more = if names.count() > list.len() { ", …" } else { "" };
    (!list.is_empty()).then(|| format!("{what}: {}{more}", list.join(", ")))
}
