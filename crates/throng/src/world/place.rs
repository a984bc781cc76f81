//! Where everybody stands at first.
//!
//! Groups with the same start area share one pool: a hexagonal lattice as wide as their number allows, each site
//! jittered within its slack, dealt out in an order shuffled by the seed. So a dense crowd fits without overlap,
//! and a sparse one does not look like a lattice. Sites must be clear of walls and lead to every goal of the journey.

use super::World;
use super::agents::{Agent, Agents, NOWHERE, State};
use super::grid::{DIRECTIONS, Grid};
use super::walls::{LINK, Walls};
use crate::geometry::{Rect, Shape};
use crate::random::{Purpose, draw, unit};
use crate::scene::{Arrive, Change, Group, Place, Scene, SceneError};
use crate::stages::live::cpu::steps;
use crate::stages::potential::Padded;
use glam::Vec2;

/// Places everybody.
///
/// # Errors
/// If a start lies inside walls, leads nowhere, or is too small for its crowd.
pub fn populate(scene: &Scene, world: &World) -> Result<Agents, SceneError> {
    let mut ids = Vec::new();
    let mut next_id = 0u32;
    for group in &scene.groups {
        ids.push(next_id);
        next_id += group.count;
    }
    let mut positions = vec![NOWHERE; next_id as usize];
    let mut taken = Taken::new(world);
    let opened = opened(scene, world);
    let mut regions = Regions::new(opened.as_ref().unwrap_or(world));
    let mut done = vec![false; scene.groups.len()];
    for g in 0..scene.groups.len() {
        let group = &scene.groups[g];
        if done[g] {
            continue;
        }
        if group.count == 0 {
            continue;
        }
        let reachable = regions.of(scene, g, group.radius.max());
        check_entries_of(scene, world, g, &reachable)?;
        if group.rate.is_some() {
            continue;
        }
        let pool: Vec<usize> = match group.place {
            Place::Random => vec![g],
            Place::Lattice => (g..scene.groups.len())
                .filter(|&k| {
                    let other = &scene.groups[k];
                    other.place == Place::Lattice
                        && other.rate.is_none()
                        && other.start == group.start
                        && regions.same(scene, g, k)
                })
                .collect(),
        };
        let count: usize = pool.iter().map(|&k| scene.groups[k].count as usize).sum();
        let points = match group.place {
            Place::Lattice => {
                let radius = pool.iter().map(|&k| scene.groups[k].radius.max()).fold(0.0, f32::max);
                lattice(scene, world, g, count, radius, &reachable, &taken)?
            }
            Place::Random => scatter(scene, world, g, ids[g], &reachable)?,
        };
        let mut points = points.into_iter();
        for &k in &pool {
            done[k] = true;
            for i in 0..scene.groups[k].count {
                let p = points.next().expect("as many points as agents");
                positions[(ids[k] + i) as usize] = p;
                taken.add(p, scene.groups[k].radius.max());
            }
        }
    }
    let mut agents = Agents::default();
    for (g, group) in scene.groups.iter().enumerate() {
        for i in 0..group.count {
            agents.push(newborn(scene, world, g, ids[g] + i, positions[(ids[g] + i) as usize]));
        }
    }
    Ok(agents)
}

/// Places one more group in a world as it is now, ignoring who is there: its people, with ids from `first_id` on.
///
/// # Errors
/// If its start lies inside walls, leads nowhere, or is too small for it.
pub(crate) fn place_group(scene: &Scene, world: &World, g: usize, first_id: u32) -> Result<Agents, SceneError> {
    let group = &scene.groups[g];
    let mut agents = Agents::default();
    if group.count == 0 {
        return Ok(agents);
    }
    let opened = opened(scene, world);
    let reachable = Regions::new(opened.as_ref().unwrap_or(world)).of(scene, g, group.radius.max());
    check_entries_of(scene, world, g, &reachable)?;
    let points = match (group.rate, group.place) {
        (Some(_), _) => vec![NOWHERE; group.count as usize],
        (None, Place::Lattice) => {
            let nobody = Taken::new(world);
            lattice(scene, world, g, group.count as usize, group.radius.max(), &reachable, &nobody)?
        }
        (None, Place::Random) => scatter(scene, world, g, first_id, &reachable)?,
    };
    for (id, p) in (first_id..).zip(points) {
        agents.push(newborn(scene, world, g, id, p));
    }
    Ok(agents)
}

/// That a group finds a place to enter where it does so, in a world as it is now.
///
/// # Errors
/// If the area lies inside walls, leads nowhere, or on the goal.
pub(crate) fn check_entries(scene: &Scene, world: &World, g: usize) -> Result<(), SceneError> {
    let opened = opened(scene, world);
    let reachable = Regions::new(opened.as_ref().unwrap_or(world)).of(scene, g, scene.groups[g].radius.max());
    check_entries_of(scene, world, g, &reachable)
}

fn check_entries_of(scene: &Scene, world: &World, g: usize, reachable: &[bool]) -> Result<(), SceneError> {
    let group = &scene.groups[g];
    if group.rate.is_some() || (group.arrive == Arrive::Respawn && group.entry.is_empty()) {
        check_entry(scene, world, g, &group.start, reachable, "start")?;
    }
    if !group.entry.is_empty() && group.arrive == Arrive::Respawn {
        check_entry(scene, world, g, &group.entry, reachable, "entry")?;
    }
    Ok(())
}

/// The world with every wall open that an event opens: who stands behind a gate waits for it. `None` if there is none.
fn opened(scene: &Scene, world: &World) -> Option<World> {
    let standing = |wall: &usize| world.walls.shapes()[*wall].standing;
    let opens = scene.events.iter().filter_map(|e| if let Change::Open(wall) = e.change { Some(wall) } else { None });
    let gates: Vec<usize> = opens.filter(standing).collect();
    if gates.is_empty() {
        return None;
    }
    let mut later = world.clone();
    for wall in gates {
        later.walls.set_standing(wall, false);
    }
    later.refresh();
    Some(later)
}

fn newborn(scene: &Scene, world: &World, g: usize, id: u32, position: Vec2) -> Agent {
    let group = &scene.groups[g];
    let seed = scene.seed;
    let goal = group.journey[0].goal;
    let delay = group.delay.draw(seed, id, Purpose::Delay);
    let (state, wake) = match (group.rate, delay > 0.0) {
        (Some(_), _) => (State::Outside, u32::MAX),
        (None, true) => (State::Waiting, steps(delay, scene.dt)),
        (None, false) => (State::Walking, 0),
    };
    // Faces the nearest part of its goal as the crow flies; the first steps turn it into its way.
    let moved = world.moved_goals()[goal as usize].as_ref();
    let heading = moved
        .unwrap_or(&scene.goals[goal as usize].shapes)
        .iter()
        .map(|s| s.middle() - position)
        .min_by(|a, b| a.length_squared().total_cmp(&b.length_squared()))
        .unwrap_or_else(|| {
            let layout = Padded::of(&world.grid);
            let cells = &world.goals[goal as usize];
            let Some(&cell) = cells.get(cells.len() / 2) else { return Vec2::X };
            let cell = cell as usize;
            let (x, y) = (cell % layout.stride() - 1, cell / layout.stride() - 1);
            world.grid.centre(x, y) - position
        });
    Agent {
        id,
        position,
        heading: heading.try_normalize().unwrap_or(Vec2::X),
        velocity: Vec2::ZERO,
        radius: group.radius.draw(seed, id, Purpose::Radius),
        preferred: group.speed.draw(seed, id, Purpose::Speed),
        turn: group.turn.draw(seed, id, Purpose::Turn),
        goal,
        group: g as u16,
        leg: 0,
        state,
        wake,
    }
}

fn in_area(area: &[Shape], p: Vec2) -> bool {
    area.is_empty() || area.iter().any(|s| s.contains(p))
}

fn bounds(area: &[Shape], world: &World) -> Rect {
    let whole = world.grid.bounds();
    let Some(b) = area.iter().map(Shape::bounds).reduce(Rect::union) else { return whole };
    Rect::new(b.min.max(whole.min), b.max.min(whole.max))
}

fn fits(world: &World, p: Vec2, radius: f32) -> bool {
    !world.walls.contains(p) && world.walls.depth(p, radius) <= 0.0
}

/// The points for `count` agents of group `g` and those who share its start.
fn lattice(
    scene: &Scene,
    world: &World,
    g: usize,
    count: usize,
    radius: f32,
    reachable: &[bool],
    taken: &Taken,
) -> Result<Vec<Vec2>, SceneError> {
    let group = &scene.groups[g];
    let b = bounds(&group.start, world);
    let size = (b.max - b.min).max(Vec2::ZERO);
    // A lattice that begins a radius in wastes nothing along a wall; a start too small for that has its middle.
    let margin = radius.max(1e-3) * 1.0001;
    let inset = Vec2::select(size.cmpgt(Vec2::splat(margin)), Vec2::splat(margin), 0.5 * size);
    let first = b.min + inset;
    let (columns, rows) = world.grid.cells_in(b);
    let worth = worth_a_look(world, &group.start, reachable);
    let sites = |spacing: f32| {
        let mut out = Vec::new();
        let row_height = spacing * 0.866_025_4;
        let last_column = (size.x / spacing) as usize;
        for row in 0..=(size.y / row_height) as usize {
            let y = first.y + row as f32 * row_height;
            let shift = if row % 2 == 1 { 0.5 * spacing } else { 0.0 };
            let cells = world.grid.coords(Vec2::new(0.0, y)).1 * world.grid.width;
            if !rows.contains(&(cells / world.grid.width)) {
                continue;
            }
            // Only over runs of cells that can hold anybody: most of a world may be wall, and sites are many.
            let column_at = |x: usize| ((x as f32 * world.grid.cell - first.x - shift) / spacing).floor();
            let mut next = 0;
            let mut x = columns.start;
            while x < columns.end {
                if !worth[cells + x] {
                    x += 1;
                    continue;
                }
                let run = x;
                while x < columns.end && worth[cells + x] {
                    x += 1;
                }
                // A column more on both sides makes up for rounding.
                let from = ((column_at(run) - 1.0).max(0.0) as usize).max(next);
                let until = ((column_at(x) + 2.0).max(0.0) as usize).min(last_column + 1);
                for column in from..until {
                    let p = Vec2::new(first.x + shift + column as f32 * spacing, y);
                    let fine = in_area(&group.start, p)
                        && world.grid.inside(p)
                        && reachable[world.grid.index_at(p)]
                        && fits(world, p, radius)
                        && taken.free(p, radius);
                    if fine {
                        out.push(p);
                    }
                }
                next = until.max(next);
            }
        }
        out
    };
    let tightest = 2.0 * radius * 1.0005;
    let area = f64::from(size.x) * f64::from(size.y);
    let mut spacing = ((area * 1.1547 / count as f64).sqrt() as f32).max(tightest);
    let (points, spacing) = loop {
        let points = sites(spacing);
        if points.len() >= count {
            break (points, spacing);
        }
        if spacing <= tightest {
            return Err(too_tight(scene, world, g, count, points.len(), radius, reachable));
        }
        // A shortfall of so many per cent asks for a lattice half of that tighter, and a little more.
        let ratio = (points.len() as f32 / count as f32).sqrt().clamp(0.5, 1.0);
        spacing = (spacing * (0.3 + 0.7 * ratio).min(0.985)).max(tightest);
    };
    let mut dealt: Vec<(u32, u32)> =
        (0..points.len() as u32).map(|i| (draw(scene.seed, i, Purpose::Shuffle, g as u32)[0], i)).collect();
    dealt.sort_unstable();
    let slack = 0.5 * (spacing - 2.0 * radius) * 0.98;
    let jittered = |i: u32| {
        let p = points[i as usize];
        let words = draw(scene.seed, i, Purpose::Jitter, g as u32);
        let away = Vec2::from_angle(unit(words[0]) * std::f32::consts::TAU) * (slack * unit(words[1]).sqrt());
        let q = p + away;
        let fine = in_area(&group.start, q)
            && world.grid.inside(q)
            && fits(world, q, radius)
            && reachable[world.grid.index_at(q)]
            && taken.free(q, radius);
        if fine { q } else { p }
    };
    Ok(dealt[..count].iter().map(|&(_, i)| jittered(i)).collect())
}

/// Which cells may have a place of an area: reachable, and near one of its shapes.
fn worth_a_look(world: &World, area: &[Shape], reachable: &[bool]) -> Vec<bool> {
    if area.is_empty() {
        return reachable.to_vec();
    }
    let mut worth = vec![false; reachable.len()];
    for shape in area {
        let (columns, rows) = world.grid.cells_in(shape.bounds());
        for y in rows {
            let row = y * world.grid.width;
            worth[row + columns.start..row + columns.end]
                .copy_from_slice(&reachable[row + columns.start..row + columns.end]);
        }
    }
    worth
}

/// Why nobody more can be placed.
fn too_tight(
    scene: &Scene,
    world: &World,
    g: usize,
    count: usize,
    room: usize,
    radius: f32,
    reachable: &[bool],
) -> SceneError {
    let group = &scene.groups[g];
    match look(world, &group.start, radius, reachable, &[]) {
        Found::Walls => no_room(scene, g, radius, "start"),
        Found::CutOff => unreachable(scene, world, g, "start"),
        Found::Goal | Found::Place => scene
            .error(
                group.marks.count.clone(),
                format!("{count} agents of radius {radius} m do not fit into the start of \"{}\"", group.name),
            )
            .help(format!(
                "at most {room} fit there without overlap; use fewer, a larger start, or place = \"random\""
            )),
    }
}

fn no_room(scene: &Scene, g: usize, radius: f32, key: &str) -> SceneError {
    let group = &scene.groups[g];
    let mark = if key == "start" { group.marks.start.clone() } else { group.marks.entry.clone() };
    scene
        .error(mark, format!("the {key} of \"{}\" has no room for a body of radius {radius} m: it lies inside walls, or is too narrow", group.name))
        .help(format!("move `{key}` to free floor, make it larger, or make the radius smaller"))
}

/// What an area has to offer: the best of its places.
enum Found {
    /// Nothing but walls, or gaps too narrow.
    Walls,
    /// Free floor, but no way to the goals.
    CutOff,
    /// Places only on cells that are the goal already.
    Goal,
    /// A place.
    Place,
}

/// Looks an area over for a body: five points in each cell, and a few in each shape, which may be smaller than a cell.
/// `goal` are cells that do not count, as padded indices in order.
fn look(world: &World, area: &[Shape], radius: f32, reachable: &[bool], goal: &[u32]) -> Found {
    let grid = &world.grid;
    let layout = Padded::of(grid);
    let (columns, rows) = grid.cells_in(bounds(area, world));
    let q = 0.25 * grid.cell;
    let around = [Vec2::ZERO, Vec2::splat(q), Vec2::splat(-q), Vec2::new(q, -q), Vec2::new(-q, q)];
    let in_cells = rows
        .flat_map(|y| columns.clone().map(move |x| (x, y)))
        .flat_map(|(x, y)| around.map(|a| grid.centre(x, y) + a));
    let in_shapes = area.iter().flat_map(|shape| {
        let b = shape.bounds();
        (0..81).map(move |k| {
            b.min + (b.max - b.min) * Vec2::new(((k % 9) as f32 + 0.5) / 9.0, ((k / 9) as f32 + 0.5) / 9.0)
        })
    });
    let mut best = Found::Walls;
    for p in in_cells.chain(in_shapes) {
        if !in_area(area, p) || !fits(world, p, radius) {
            continue;
        }
        let cell = grid.index_at(p);
        if !reachable[cell] {
            if matches!(best, Found::Walls) {
                best = Found::CutOff;
            }
        } else if goal.binary_search(&(layout.of_index(cell) as u32)).is_ok() {
            best = Found::Goal;
        } else {
            return Found::Place;
        }
    }
    best
}

fn unreachable(scene: &Scene, world: &World, g: usize, key: &str) -> SceneError {
    let group = &scene.groups[g];
    let goals: Vec<String> =
        group.journey.iter().take(4).map(|l| format!("\"{}\"", scene.goals[l.goal as usize].name)).collect();
    let more = if group.journey.len() > goals.len() { ", …" } else { "" };
    let (mark, area) =
        if key == "start" { (&group.marks.start, &group.start) } else { (&group.marks.entry, &group.entry) };
    let error =
        scene.error(mark.clone(), format!("\"{}\" cannot reach {}{more} from its {key}", group.name, goals.join(", ")));
    // Would somebody as thin as a line get through?
    let radius = group.radius.max();
    let thin = Regions::new(opened(scene, world).as_ref().unwrap_or(world)).of(scene, g, THIN);
    match look(world, area, THIN, &thin, &[]) {
        Found::Goal | Found::Place => error.help(format!(
            "the ways are too narrow for a radius of {radius} m: widen them, or make the radius smaller"
        )),
        Found::Walls | Found::CutOff => error.help(format!(
            "walls are in between; a door narrower than a cell ({} m) may be missed, so use smaller cells for such",
            world.grid.cell
        )),
    }
}

/// A radius that fits through every gap.
const THIN: f32 = 1e-4;

fn scatter(scene: &Scene, world: &World, g: usize, first_id: u32, reachable: &[bool]) -> Result<Vec<Vec2>, SceneError> {
    let group = &scene.groups[g];
    let b = bounds(&group.start, world);
    let one = |id: u32| {
        (0..2000).find_map(|attempt| {
            let words = draw(scene.seed, id, Purpose::Jitter, attempt);
            let p = b.min + (b.max - b.min) * Vec2::new(unit(words[0]), unit(words[1]));
            let fine = in_area(&group.start, p)
                && world.grid.inside(p)
                && reachable[world.grid.index_at(p)]
                && fits(world, p, group.radius.draw(scene.seed, id, Purpose::Radius));
            fine.then_some(p)
        })
    };
    (0..group.count)
        .map(|i| {
            one(first_id + i).ok_or_else(|| match look(world, &group.start, group.radius.max(), reachable, &[]) {
                Found::Walls => no_room(scene, g, group.radius.max(), "start"),
                Found::CutOff => unreachable(scene, world, g, "start"),
                Found::Goal | Found::Place => scene
                    .error(
                        group.marks.start.clone(),
                        format!("the start of \"{}\" has hardly any free place that leads to its goals", group.name),
                    )
                    .help("move `start` to free floor, make it larger, or make the radius smaller"),
            })
        })
        .collect()
}

/// That an entry has at least one free place that leads to the goals and is not the first of them itself.
fn check_entry(
    scene: &Scene,
    world: &World,
    g: usize,
    area: &[Shape],
    reachable: &[bool],
    key: &str,
) -> Result<(), SceneError> {
    let group = &scene.groups[g];
    let goal = group.journey[0].goal as usize;
    match look(world, area, group.radius.max(), reachable, &world.goals[goal]) {
        Found::Place => Ok(()),
        Found::Walls => Err(no_room(scene, g, group.radius.max(), key)),
        Found::CutOff => Err(unreachable(scene, world, g, key)),
        Found::Goal => {
            let mark = if key == "start" { group.marks.start.clone() } else { group.marks.entry.clone() };
            Err(scene
                .error(
                    mark,
                    format!(
                        "the {key} of \"{}\" lies on its goal \"{}\": nobody could enter there",
                        group.name, scene.goals[goal].name
                    ),
                )
                .help(format!("move `{key}` off the goal, or make it larger")))
        }
    }
}

/// Bodies placed so far, in a coarse grid.
struct Taken {
    side: f32,
    wide: usize,
    high: usize,
    lists: Vec<Vec<(Vec2, f32)>>,
    widest: f32,
}

impl Taken {
    fn new(world: &World) -> Self {
        let side = (2.0 * world.widest).max(world.grid.cell);
        let e = world.grid.extent();
        let (wide, high) = ((e.x / side) as usize + 1, (e.y / side) as usize + 1);
        Self { side, wide, high, lists: vec![Vec::new(); wide * high], widest: world.widest }
    }

    fn coords(&self, p: Vec2) -> (usize, usize) {
        (((p.x / self.side) as usize).min(self.wide - 1), ((p.y / self.side) as usize).min(self.high - 1))
    }

    fn add(&mut self, p: Vec2, radius: f32) {
        let (x, y) = self.coords(p);
        self.lists[y * self.wide + x].push((p, radius));
    }

    fn free(&self, p: Vec2, radius: f32) -> bool {
        let reach = Vec2::splat(radius + self.widest);
        let (x0, y0) = self.coords(p - reach);
        let (x1, y1) = self.coords(p + reach);
        (y0..=y1).all(|y| {
            (x0..=x1).all(|x| {
                self.lists[y * self.wide + x].iter().all(|&(q, r)| q.distance_squared(p) >= (r + radius) * (r + radius))
            })
        })
    }
}

/// Whether somewhere in a cell, on the side of its walls where its middle is, a body has room. Squares are halved until
/// their middles have it or none of them can: no point is clearer than its square's middle by more than the way to it.
fn has_room(walls: &Walls, grid: Grid, cell: usize, radius: f32) -> bool {
    let centre = grid.centre_of(cell);
    let mut squares = vec![(centre, 0.5 * grid.cell)];
    // A body may be a hundredth wider than a gap: what is closed here must surely be too narrow.
    let fine = 0.01 * radius;
    while let Some((p, half)) = squares.pop() {
        let missing = walls.depth(p, radius);
        let seen = walls.sees(centre, p);
        if missing <= fine && seen {
            return true;
        }
        // Behind a wall squares need not be small: there is only the question whether they are all behind it.
        let least = if missing <= fine { 0.05 * grid.cell } else { 0.5 * fine };
        if half > least && missing <= fine + half * std::f32::consts::SQRT_2 {
            let h = 0.5 * half;
            squares
                .extend([Vec2::new(-h, -h), Vec2::new(h, -h), Vec2::new(-h, h), Vec2::new(h, h)].map(|d| (p + d, h)));
        }
    }
    false
}

/// Which cells are connected, for bodies of a given radius.
struct Regions<'a> {
    world: &'a World,
    labels: Vec<(f32, Vec<u32>)>,
}

impl<'a> Regions<'a> {
    fn new(world: &'a World) -> Self {
        Self { world, labels: Vec::new() }
    }

    fn labels(&mut self, radius: f32) -> usize {
        if let Some(i) = self.labels.iter().position(|(r, _)| *r == radius) {
            return i;
        }
        let grid = self.world.grid;
        let walls = &self.world.walls;
        let flags = walls.flags();
        let passable = |c: usize| {
            flags[c] & super::walls::SOLID == 0 && (walls.distance()[c] >= radius || has_room(walls, grid, c, radius))
        };
        let mut labels = vec![0u32; grid.len()];
        let mut queue = Vec::new();
        let mut next = 0;
        for start in 0..grid.len() {
            if labels[start] != 0 || !passable(start) {
                continue;
            }
            next += 1;
            labels[start] = next;
            queue.push(start);
            while let Some(c) = queue.pop() {
                for (d, &(dx, dy)) in DIRECTIONS.iter().enumerate() {
                    if flags[c] & LINK[d] != 0 {
                        let n = c.wrapping_add_signed(dx as isize + dy as isize * grid.width as isize);
                        if labels[n] == 0 && passable(n) {
                            labels[n] = next;
                            queue.push(n);
                        }
                    }
                }
            }
        }
        self.labels.push((radius, labels));
        self.labels.len() - 1
    }

    /// The cells from which a group, if it had this radius, could reach every goal of its journey.
    fn of(&mut self, scene: &Scene, g: usize, radius: f32) -> Vec<bool> {
        let group = &scene.groups[g];
        let which = self.labels(radius);
        let labels = &self.labels[which].1;
        let layout = Padded::of(&self.world.grid);
        let mut good = vec![true; self.world.grid.len()];
        let mut goals: Vec<u16> = group.journey.iter().map(|l| l.goal).collect();
        goals.sort_unstable();
        goals.dedup();
        for goal in goals {
            let mut parts: Vec<u32> = self.world.goals[goal as usize]
                .iter()
                .map(|&c| {
                    let (x, y) = (c as usize % layout.stride() - 1, c as usize / layout.stride() - 1);
                    labels[y * self.world.grid.width + x]
                })
                .filter(|&l| l != 0)
                .collect();
            parts.sort_unstable();
            parts.dedup();
            for (good, label) in good.iter_mut().zip(labels) {
                *good &= *label != 0 && parts.binary_search(label).is_ok();
            }
        }
        good
    }

    fn same(&mut self, scene: &Scene, a: usize, b: usize) -> bool {
        if a == b {
            return true;
        }
        let key = |g: &Group| {
            let mut goals: Vec<u16> = g.journey.iter().map(|l| l.goal).collect();
            goals.sort_unstable();
            goals.dedup();
            (goals, g.radius.max().to_bits())
        };
        key(&scene.groups[a]) == key(&scene.groups[b])
            || self.of(scene, a, scene.groups[a].radius.max()) == self.of(scene, b, scene.groups[b].radius.max())
    }
}
