//! Why people cannot be placed or cannot enter, in words for whoever wrote the scene.

use super::area::Area as Points;
use super::regions::Regions;
use super::{bounds_of, fits, with_gates_open};
use crate::geometry::Shape;
use crate::scene::{Arrive, Group, Scene, SceneError, Target};
use crate::world::World;
use glam::Vec2;
use std::ops::Range;

/// A radius that fits through every gap.
const THIN: f32 = 1e-4;

/// Which of a group's areas is meant.
#[derive(Clone, Copy)]
pub(super) enum Area {
    Start,
    Entry,
}

impl Area {
    /// The key in the scene file.
    fn key(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Entry => "entry",
        }
    }

    fn shapes(self, group: &Group) -> &[Shape] {
        match self {
            Self::Start => &group.start,
            Self::Entry => &group.entry,
        }
    }

    /// Where the scene file says it.
    fn mark(self, group: &Group) -> Range<usize> {
        match self {
            Self::Start => group.marks.start.clone(),
            Self::Entry => group.marks.entry.clone(),
        }
    }
}

/// The best place that an area has for a body.
enum BestPlace {
    /// None: nothing but walls, or gaps too narrow.
    InWalls,
    /// On free floor, but without a way to the goals.
    CutOff,
    /// Only on cells that are the goal already.
    OnGoal,
    /// Free, and it leads to the goals: this one.
    Good(Vec2),
}

/// Searches an area: five points in each cell, and a few in each shape, which may be smaller than a cell. Cells of `is_goal` do not count.
fn best_place(
    world: &World,
    area: &[Shape],
    radius: f32,
    is_reachable: impl Fn(usize) -> bool,
    is_goal: impl Fn(usize) -> bool,
) -> BestPlace {
    let (grid, all) = (&world.grid, Points::new(area));
    let (columns, rows) = grid.cells_in(bounds_of(area, world));
    let q = 0.25 * grid.cell;
    let around = [Vec2::ZERO, Vec2::splat(q), Vec2::splat(-q), Vec2::new(q, -q), Vec2::new(-q, q)];
    let in_cells = rows
        .flat_map(|y| columns.clone().map(move |x| (x, y)))
        .flat_map(|(x, y)| around.map(|a| grid.centre(x, y) + a))
        .filter(|&p| all.contains(p));
    let in_shapes = area.iter().flat_map(|shape| {
        let b = shape.bounds();
        let point = move |k: usize| {
            b.min + (b.max - b.min) * Vec2::new(((k % 9) as f32 + 0.5) / 9.0, ((k / 9) as f32 + 0.5) / 9.0)
        };
        (0..81).map(point).filter(|&p| shape.contains(p))
    });
    let mut best = BestPlace::InWalls;
    for p in in_cells.chain(in_shapes).filter(|&p| fits(world, p, radius)) {
        let cell = grid.index_at(p);
        if !is_reachable(cell) {
            if matches!(best, BestPlace::InWalls) {
                best = BestPlace::CutOff;
            }
        } else if is_goal(cell) {
            best = BestPlace::OnGoal;
        } else {
            return BestPlace::Good(p);
        }
    }
    best
}

/// Why a lattice of `count` people does not fit into the start of a group that has room for `room`.
pub(super) fn too_many(
    scene: &Scene,
    world: &World,
    g: usize,
    count: usize,
    room: usize,
    radius: f32,
    reachable: &[bool],
) -> SceneError {
    let group = &scene.groups[g];
    match best_place(world, &group.start, radius, |cell| reachable[cell], |_| false) {
        BestPlace::InWalls => no_room(scene, g, radius, Area::Start),
        BestPlace::CutOff => cut_off(scene, world, g, Area::Start),
        BestPlace::OnGoal | BestPlace::Good(_) => scene
            .error(
                group.marks.count.clone(),
                match count {
                    1 => format!("an agent of radius {radius} m does not fit into the start of \"{}\"", group.name),
                    _ => format!("{count} agents of radius {radius} m do not fit into the start of \"{}\"", group.name),
                },
            )
            .help(format!(
                "at most {room} fit there without overlap; use fewer, a larger start, or place = \"random\""
            )),
    }
}

/// Why drawing places at random found none for somebody.
pub(super) fn no_random_place(scene: &Scene, world: &World, g: usize, reachable: &[bool]) -> SceneError {
    let group = &scene.groups[g];
    match best_place(world, &group.start, group.radius.max(), |cell| reachable[cell], |_| false) {
        BestPlace::InWalls => no_room(scene, g, group.radius.max(), Area::Start),
        BestPlace::CutOff => cut_off(scene, world, g, Area::Start),
        BestPlace::OnGoal | BestPlace::Good(_) => scene
            .error(
                group.marks.start.clone(),
                format!("the start of \"{}\" has hardly any free place that leads to its goals", group.name),
            )
            .help("move `start` to free floor, make it larger, or make the radius smaller"),
    }
}

fn no_room(scene: &Scene, g: usize, radius: f32, area: Area) -> SceneError {
    let (group, key) = (&scene.groups[g], area.key());
    scene
        .error(area.mark(group), format!("the {key} of \"{}\" has no room for a body of radius {radius} m: it lies inside walls, or is too narrow", group.name))
        .help(format!("move `{key}` to free floor, make it larger, or make the radius smaller{}", scene.mostly_wall()))
}

/// Walls, gaps too narrow, or slopes too steep, are between an area and the goals of its group.
fn cut_off(scene: &Scene, world: &World, g: usize, area: Area) -> SceneError {
    let group = &scene.groups[g];
    let goals: Vec<String> =
        group.goals().take(4).map(|goal| format!("\"{}\"", scene.goals[goal as usize].name)).collect();
    let more = if group.goals().count() > goals.len() { ", …" } else { "" };
    let error = scene.error(
        area.mark(group),
        format!("\"{}\" cannot reach {}{more} from its {}", group.name, goals.join(", "), area.key()),
    );
    // Would somebody as thin as a line get through?
    let radius = group.radius.max();
    let opened = with_gates_open(scene, world);
    let thin = Regions::new(opened.as_ref().unwrap_or(world)).reaching_goals(scene, g, THIN);
    match best_place(world, area.shapes(group), THIN, |cell| thin[cell], |_| false) {
        BestPlace::OnGoal | BestPlace::Good(_) => error.help(format!(
            "the ways are too narrow for a radius of {radius} m: widen them, or make the radius smaller"
        )),
        BestPlace::InWalls | BestPlace::CutOff => {
            let slopes = if world.terrain.is_flat() {
                String::new()
            } else {
                format!(", or slopes steeper than {} (terrain.steepest)", scene.terrain.steepest)
            };
            error.help(format!(
                "walls are in between{slopes}; a door narrower than a cell ({} m) may be missed, so use smaller cells for such",
                world.grid.cell
            ))
        }
    }
}

/// That a group finds a place to enter where it does so while the run goes on.
/// `last` is where another group was found to have room: if this one has it too, nobody need search.
pub(super) fn check_entries(
    scene: &Scene,
    world: &World,
    g: usize,
    reachable: &[bool],
    last: &mut Option<Vec2>,
) -> Result<(), SceneError> {
    let group = &scene.groups[g];
    if group.rate.is_some() || (group.arrive == Arrive::Respawn && group.entry.is_empty()) {
        check_entry(scene, world, g, reachable, (Area::Start, last))?;
    }
    if !group.entry.is_empty() && group.arrive == Arrive::Respawn {
        check_entry(scene, world, g, reachable, (Area::Entry, last))?;
    }
    Ok(())
}

/// That the points of a group's journey can be reached as far as walls around them go: whether there is a straight way is
/// found out by walking. `world` has its gates open.
pub(super) fn check_points(scene: &Scene, world: &World, g: usize) -> Result<(), SceneError> {
    let group = &scene.groups[g];
    let (radius, near) = (group.radius.max(), group.goal_distance.min());
    let wrong = |message: String| scene.error(group.marks.journey.clone(), message);
    for leg in &group.journey {
        match &leg.to {
            Target::Goal(_) | Target::Opposite | Target::Here => {}
            Target::Points(list) => {
                let walled = |p: &&Vec2| world.walls.contains(**p) || world.walls.depth(**p, radius) > near;
                if let Some(p) = list.iter().find(walled) {
                    let message = format!(
                        "the point [{}, {}] of \"{}\" lies inside a wall, or too near to one",
                        p.x, p.y, group.name
                    );
                    return Err(wrong(message).help(format!(
                        "a body of radius {radius} m has to come within {near} m of it (goal_distance): put it on free floor"
                    )));
                }
            }
            Target::Random(area) => {
                if matches!(best_place(world, area, radius, |_| true, |_| false), BestPlace::InWalls) {
                    let message =
                        format!("the random points of \"{}\" have no room for a body of radius {radius} m", group.name);
                    return Err(
                        wrong(message).help("give `random` an area with free floor in it, or make the radius smaller")
                    );
                }
            }
        }
    }
    Ok(())
}

/// That an area has at least one free place that leads to the goals and is not the first of them itself.
fn check_entry(
    scene: &Scene,
    world: &World,
    g: usize,
    reachable: &[bool],
    (area, last): (Area, &mut Option<Vec2>),
) -> Result<(), SceneError> {
    let (group, key) = (&scene.groups[g], area.key());
    // A point of one's own is nowhere yet.
    let goal = group.journey[usize::from(group.state.unwrap_or(0))].goal() as usize;
    let is_goal = |cell: usize| world.places.get(goal).is_some_and(|place| place.shape_at(cell).is_some());
    let (shapes, radius) = (area.shapes(group), group.radius.max());
    let is_good = |&p: &Vec2| {
        let cell = world.grid.index_at(p);
        Points::new(shapes).contains(p) && fits(world, p, radius) && reachable[cell] && !is_goal(cell)
    };
    if last.as_ref().is_some_and(is_good) {
        return Ok(());
    }
    match best_place(world, shapes, radius, |cell| reachable[cell], is_goal) {
        BestPlace::Good(p) => {
            *last = Some(p);
            Ok(())
        }
        BestPlace::InWalls => Err(no_room(scene, g, group.radius.max(), area)),
        BestPlace::CutOff => Err(cut_off(scene, world, g, area)),
        BestPlace::OnGoal => Err(scene
            .error(
                area.mark(group),
                format!(
                    "the {key} of \"{}\" lies on its goal \"{}\": nobody could enter there",
                    group.name, scene.goals[goal].name
                ),
            )
            .help(format!("move `{key}` off the goal, or make it larger"))),
    }
}
