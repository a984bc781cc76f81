//! Where everybody stands at first, and what they are like.
//!
//! Groups with the same start area share one lattice (`lattice.rs`), or each member of a group is placed at random.
//! Places must be clear of walls and lead to every goal of the journey (`regions.rs`); a lattice also keeps clear of who
//! was placed before (`occupied.rs`). `problems.rs` says why nobody can be placed.
//!
//! A hundred million people are placed by all cores. What is random about a person follows from the seed and a number,
//! so the crowd is the same whatever the number of threads.

mod area;
mod lattice;
mod occupied;
mod problems;
mod regions;
#[cfg(test)]
mod tests;

use super::World;
use super::agents::{Agents, NOWHERE, OwnColumn, State};
use super::machine::Kind;
use super::points::{self, Chooser, POINT};
use super::walls::{NEAR, SOLID};
use crate::engine::layout::rounded_direction;
use crate::geometry::{Rect, Shape};
use crate::random::{Purpose, draw, unit};
use crate::scene::{Change, Distribution, Group, Place, Scene, SceneError};
use crate::stages::live::cpu::steps;
use area::Area;
use glam::Vec2;
use lattice::StartArea;
use occupied::Occupied;
use rayon::prelude::*;
use regions::Regions;
use std::collections::HashMap;
use std::ops::Range;

/// Places everybody.
///
/// # Errors
/// If a start lies inside walls, leads nowhere, or is too small for its crowd.
pub fn populate(scene: &Scene, world: &World) -> Result<Agents, SceneError> {
    populate_some(scene, world, |group| group.count)
}

/// Places so many of each group, those of the lowest ids: of a source as many as one likes, of others all.
pub(crate) fn populate_some(
    scene: &Scene,
    world: &World,
    how_many: impl Fn(&Group) -> u32,
) -> Result<Agents, SceneError> {
    let groups = &scene.groups;
    // Of each group its first id, and its places in the columns.
    let mut first_ids: Vec<u32> = Vec::new();
    let mut ids: Vec<Range<usize>> = Vec::new();
    let (mut next_id, mut people) = (0, 0);
    for group in groups {
        let count = how_many(group) as usize;
        first_ids.push(next_id);
        ids.push(people..people + count);
        next_id += group.count;
        people += count;
    }
    let mut positions: Vec<Vec2> = bytemuck::zeroed_vec(people);
    let mut occupied = Occupied::new(world);
    let opened = with_gates_open(scene, world);
    let mut regions = Regions::of_groups(opened.as_ref().unwrap_or(world), groups);
    let mut last_entry = None;
    let mut done = vec![false; groups.len()];
    for (g, group) in groups.iter().enumerate() {
        if done[g] || group.count == 0 {
            continue;
        }
        let reachable = regions.reaching_goals(scene, g, group.radius.max());
        problems::check_points(scene, opened.as_ref().unwrap_or(world), g)?;
        problems::check_entries(scene, world, g, &reachable, &mut last_entry)?;
        if group.rate.is_some() {
            positions[ids[g].clone()].par_iter_mut().for_each(|p| *p = NOWHERE);
            continue;
        }
        let members = match group.place {
            Place::Random => vec![g],
            Place::Lattice => sharing_lattice(scene, &mut regions, g),
        };
        match group.place {
            Place::Random => scatter(scene, world, g, first_ids[g], &reachable, &mut positions[ids[g].clone()])?,
            Place::Lattice => {
                let places = places_on_lattice(scene, world, &members, &reachable, &occupied)?;
                let mut given = 0;
                for &k in &members {
                    places.copy_to(given, &mut positions[ids[k].clone()]);
                    given += ids[k].len();
                }
            }
        }
        members.iter().for_each(|&k| done[k] = true);
        // Who stands where matters only to a lattice that comes later.
        let waits =
            |k: usize| !done[k] && groups[k].count > 0 && groups[k].place == Place::Lattice && groups[k].rate.is_none();
        if (g..groups.len()).any(waits) {
            for &k in &members {
                occupied.add(&positions[ids[k].clone()], groups[k].radius.max());
            }
        }
    }
    let numbers: Vec<(usize, Range<u32>)> =
        first_ids.iter().zip(&ids).map(|(&first, ids)| first..first + ids.len() as u32).enumerate().collect();
    Ok(with_traits(scene, world, 0, &numbers, positions))
}

/// People of sources with these ids, group by group, who have yet to come.
pub(crate) fn newcomers(scene: &Scene, world: &World, ids: &[(usize, Range<u32>)]) -> Agents {
    let count = ids.iter().map(|(_, ids)| ids.len()).sum();
    with_traits(scene, world, 0, ids, vec![NOWHERE; count])
}

/// Places one more group in a world as it is now: its people, with ids from `first_id` on. On a lattice they stand clear of `others`.
///
/// # Errors
/// If its start lies inside walls, leads nowhere, or is too small for it.
pub(crate) fn place_group(
    scene: &Scene,
    world: &World,
    g: usize,
    (first_id, step): (u32, u32),
    others: &Agents,
) -> Result<Agents, SceneError> {
    let group = &scene.groups[g];
    if group.count == 0 {
        return Ok(Agents::default());
    }
    let opened = with_gates_open(scene, world);
    let reachable = Regions::new(opened.as_ref().unwrap_or(world)).reaching_goals(scene, g, group.radius.max());
    problems::check_points(scene, opened.as_ref().unwrap_or(world), g)?;
    problems::check_entries(scene, world, g, &reachable, &mut None)?;
    let mut positions = vec![NOWHERE; group.count as usize];
    match (group.rate, group.place) {
        (Some(_), _) => {}
        (None, Place::Lattice) => {
            let mut occupied = Occupied::new(world);
            let bodies: Vec<(Vec2, f32)> = (0..others.len())
                .filter(|&i| others.state[i].on_floor())
                .map(|i| (others.position[i], others.radius[i]))
                .collect();
            occupied.add_each(bodies.into_par_iter());
            places_on_lattice(scene, world, &[g], &reachable, &occupied)?.copy_to(0, &mut positions);
        }
        (None, Place::Random) => scatter(scene, world, g, first_id, &reachable, &mut positions)?,
    }
    Ok(with_traits(scene, world, step, &[(g, first_id..first_id + group.count)], positions))
}

/// That a group finds a place to enter where it does so, in a world as it is now.
///
/// # Errors
/// If the area lies inside walls, leads nowhere, or on the goal.
pub(crate) fn check_entries(scene: &Scene, world: &World, g: usize) -> Result<(), SceneError> {
    let opened = with_gates_open(scene, world);
    let mut regions = Regions::new(opened.as_ref().unwrap_or(world));
    let reachable = regions.reaching_goals(scene, g, scene.groups[g].radius.max());
    problems::check_entries(scene, world, g, &reachable, &mut None)
}

/// The world with every wall open that an event opens: who stands behind a gate waits for it. `None` if there is none.
fn with_gates_open(scene: &Scene, world: &World) -> Option<World> {
    let standing = |wall: &usize| world.walls.shapes()[*wall].standing;
    let changes = scene.events.iter().flat_map(|e| &e.changes);
    let opens = changes.filter_map(|c| if let Change::Open(wall) = *c { Some(wall) } else { None });
    let gates: Vec<usize> = opens.filter(standing).collect();
    if gates.is_empty() {
        return None;
    }
    let mut later = world.clone();
    later.walls.set_all_standing(gates.into_iter().map(|wall| (wall, false)));
    later.refresh();
    Some(later)
}

/// The groups from `g` on that are placed on one lattice with it: those that may stand in the very same places.
fn sharing_lattice(scene: &Scene, regions: &mut Regions<'_>, g: usize) -> Vec<usize> {
    let shares = |&k: &usize| {
        let other = &scene.groups[k];
        other.place == Place::Lattice
            && other.rate.is_none()
            && other.start == scene.groups[g].start
            && regions.same(scene, g, k)
    };
    (g..scene.groups.len()).filter(shares).collect()
}

/// Places for groups that share a lattice, as many as they have members.
fn places_on_lattice(
    scene: &Scene,
    world: &World,
    members: &[usize],
    reachable: &[bool],
    occupied: &Occupied,
) -> Result<lattice::Places, SceneError> {
    let (g, groups) = (members[0], &scene.groups);
    let count = members.iter().map(|&k| groups[k].count as usize).sum();
    let radius = members.iter().map(|&k| groups[k].radius.max()).fold(0.0, f32::max);
    let area = Area::new(&groups[g].start);
    let start = StartArea { world, shapes: &groups[g].start, area, radius, reachable, occupied };
    lattice::places(&start, scene.seed, g as u32, count)
        .map_err(|room| problems::too_many(scene, world, g, count, room, radius, reachable))
}

/// Places for a group anywhere in its start, each drawn until it is free of walls; bodies may overlap.
fn scatter(
    scene: &Scene,
    world: &World,
    g: usize,
    first_id: u32,
    reachable: &[bool],
    out: &mut [Vec2],
) -> Result<(), SceneError> {
    let group = &scene.groups[g];
    let (b, area) = (bounds_of(&group.start, world), Area::new(&group.start));
    let place_of = |id: u32| {
        let radius = group.radius.draw(scene.seed, id, Purpose::Radius);
        (0..2000).find_map(|attempt| {
            let words = draw(scene.seed, id, Purpose::Jitter, attempt);
            let p = b.min + (b.max - b.min) * Vec2::new(unit(words[0]), unit(words[1]));
            let fine =
                area.contains(p) && world.grid.inside(p) && reachable[world.grid.index_at(p)] && fits(world, p, radius);
            fine.then_some(p)
        })
    };
    out.par_iter_mut()
        .enumerate()
        .try_for_each(|(i, out)| place_of(first_id + i as u32).map(|p| *out = p))
        .ok_or_else(|| problems::no_random_place(scene, world, g, reachable))
}

/// People with everything that their groups say of them, a column at a time: some ids of each of some groups, who come after so many
/// steps.
fn with_traits(
    scene: &Scene,
    world: &World,
    step: u32,
    numbers: &[(usize, Range<u32>)],
    position: Vec<Vec2>,
) -> Agents {
    let n = position.len();
    let mut group: Vec<u16> = Vec::with_capacity(n);
    let mut id: Vec<u32> = Vec::with_capacity(n);
    for (g, ids) in numbers {
        group.par_extend(rayon::iter::repeat_n(*g as u16, ids.len()));
        id.par_extend(ids.clone());
    }
    let each = || (0..n).into_par_iter();
    let group_of = |i: usize| &scene.groups[group[i] as usize];
    // Of each goal that somebody of them heads for first: thousands of groups may head for one of thousands of shapes.
    let mut goals: HashMap<u16, Vec<Vec2>> = HashMap::new();
    for &(g, _) in numbers {
        let goal = first_goal(&scene.groups[g]);
        goals.entry(goal).or_insert_with(|| middles_of_goal(scene, world, goal));
    }
    let draw = |i: usize, from: fn(&Group) -> &Distribution, purpose: Purpose| {
        from(group_of(i)).draw(scene.seed, id[i], purpose)
    };
    let delay = |i: usize| draw(i, |group| &group.delay, Purpose::Delay);
    // What their delay counts from: the event that they wait for, or when they come.
    let signals: Vec<u32> = scene
        .groups
        .iter()
        .map(|g| g.delay_until.as_ref().and_then(|name| world.signals.next(name, step)).unwrap_or(step))
        .collect();
    let signal = |i: usize| signals[group[i] as usize];
    let mut agents = Agents {
        // The engine gives them the columns of the models in use.
        own: Vec::new(),
        // Faces the nearest part of its goal as the crow flies; the first steps turn it into its way.
        heading: each()
            .map(|i| rounded_direction(direction_to_nearest(&goals[&first_goal(group_of(i))], position[i])))
            .collect(),
        velocity: bytemuck::zeroed_vec(n),
        radius: each().map(|i| draw(i, |group| &group.radius, Purpose::Radius)).collect(),
        preferred: each().map(|i| draw(i, |group| &group.speed, Purpose::Speed)).collect(),
        turn: each().map(|i| draw(i, |group| &group.turn, Purpose::Turn)).collect(),
        goal: each().map(|i| first_goal(group_of(i))).collect(),
        leg: each().map(|i| first_leg(group_of(i)) as u16).collect(),
        state: each()
            .map(|i| match group_of(i).rate {
                Some(_) => State::Outside,
                None if delay(i) > 0.0 || signal(i) > step => State::Waiting,
                None => State::Walking,
            })
            .collect(),
        informed: vec![0; each().len()],
        wake: each()
            .map(|i| match (group_of(i).rate, delay(i)) {
                (Some(_), _) => u32::MAX,
                (None, delay) if delay > 0.0 => signal(i).saturating_add(steps(delay, scene.dt)),
                (None, _) if signal(i) > step => signal(i),
                (None, _) => 0,
            })
            .collect(),
        id,
        group,
        position,
    };
    give_points(scene, world, step, &mut agents);
    begin_states(scene, world, step, &mut agents);
    agents
}

/// The leg of a group's journey that its people begin with.
fn first_leg(group: &Group) -> usize {
    usize::from(group.state.unwrap_or(0))
}

/// The goal of that leg.
fn first_goal(group: &Group) -> u16 {
    group.journey[first_leg(group)].goal()
}

/// Lets newcomers who live by states begin with theirs: who does not walk to a goal stands where it is, or flees from there.
fn begin_states(scene: &Scene, world: &World, step: u32, agents: &mut Agents) {
    let begins = |i: &usize| agents.state[*i].on_floor() && scene.groups[usize::from(agents.group[*i])].lives();
    let living: Vec<usize> = (0..agents.len()).filter(begins).collect();
    if living.is_empty() {
        return;
    }
    if !agents.have_points() {
        agents.use_columns(&[&points::COLUMN]);
    }
    for i in living {
        let state = world.machine.states[usize::from(agents.leg[i])];
        if state.kind == Kind::Walk {
            continue;
        }
        let word = draw(scene.seed, agents.id[i], Purpose::Clip, step)[0];
        (agents.goal[i], agents.wake[i]) = (POINT, step.saturating_add(state.duration(word)));
        agents.state[i] = if state.kind == Kind::Stay { State::Staying } else { State::Walking };
        agents.set_point(i, agents.position[i]);
    }
}

/// Gives newcomers whose journeys begin with a point the points that they head for and face.
fn give_points(scene: &Scene, world: &World, step: u32, agents: &mut Agents) {
    if !scene.uses_points() {
        return;
    }
    let first_ids = agents.first_ids(scene);
    let (grid, walls) = (&world.grid, &world.walls);
    let chooser = Chooser { grid, walls, groups: &scene.groups, first_ids: &first_ids, seed: scene.seed, step };
    let point = |i: usize| {
        // Those outside get theirs when they enter.
        let chooses = agents.goal[i] == POINT && agents.state[i].on_floor();
        if !chooses {
            return NOWHERE;
        }
        chooser.choose(agents.group[i], 0, agents.id[i], agents.radius[i], agents.position[i])
    };
    let points: Vec<Vec2> = (0..agents.len()).into_par_iter().map(point).collect();
    for (i, &point) in points.iter().enumerate().filter(|(_, point)| **point != NOWHERE) {
        agents.heading[i] = points::heading(agents.position[i], point);
    }
    agents.own.push(OwnColumn { column: &points::COLUMN, values: bytemuck::cast_slice(&points).to_vec() });
}

/// The middles of a goal's shapes; of a goal without any the middle one of its cells. None for a point.
fn middles_of_goal(scene: &Scene, world: &World, goal: u16) -> Vec<Vec2> {
    if goal == POINT {
        return Vec::new();
    }
    let goal = goal as usize;
    let shapes = &scene.goals[goal].shapes;
    if !shapes.is_empty() {
        return shapes.iter().map(Shape::middle).collect();
    }
    let cells = world.free_cells(goal);
    cells.get(cells.len() / 2).map(|&cell| world.grid.centre_of(cell as usize)).into_iter().collect()
}

/// The direction from a point to the nearest of some; east if there is none.
fn direction_to_nearest(points: &[Vec2], from: Vec2) -> Vec2 {
    points
        .iter()
        .map(|p| p - from)
        .min_by(|a, b| a.length_squared().total_cmp(&b.length_squared()))
        .and_then(Vec2::try_normalize)
        .unwrap_or(Vec2::X)
}

/// The part of the world that an area's shapes reach into.
fn bounds_of(area: &[Shape], world: &World) -> Rect {
    let whole = world.grid.bounds();
    let Some(b) = area.iter().map(Shape::bounds).reduce(Rect::union) else { return whole };
    Rect::new(b.min.max(whole.min), b.max.min(whole.max))
}

/// Whether a body at some point is in the world and clear of walls.
fn fits(world: &World, p: Vec2, radius: f32) -> bool {
    let walls = &world.walls;
    if !world.grid.inside(p) {
        return false;
    }
    // Most places are far from walls.
    walls.flags()[world.grid.index_at(p)] & (NEAR | SOLID) == 0 || (!walls.contains(p) && walls.depth(p, radius) <= 0.0)
}
