//! Everything of a scene that calls and events change but the crowd and the model, in a snapshot: walls, cells, ground, goals, zones.
//! It says all of them whole, so it does not matter what has happened to the scene that it is read for.

use crate::geometry::Shape;
use crate::scene::{Hazard, HazardKind, MOST_CORNERS, MOST_GROUPS, MOST_HAZARDS, Moment, Scene, WallSpec};
use crate::snapshot::{MOST_WALLS, Reader, Writer};
use crate::world::beliefs::{Belief, Beliefs, News, View};
use crate::world::obstacle::Obstacle;
use crate::world::sources::SourceNow;
use crate::world::{MOST_DISCOMFORT, World};
use glam::Vec2;

/// Bits of a wall: whether the scene has it open, whether it stands now (an event may have closed it).
const OPEN: u32 = 1;
const STANDING: u32 = 2;
/// Bits of a goal or a source: whether the scene has it open or on, whether it is so now.
const ON: u32 = 1;
const ON_NOW: u32 = 2;

/// Letters of a name.
const MOST_LETTERS: usize = 1 << 20;

/// Words of what will be known later.
const MOST_NEWS: usize = 3 << 20;

/// Ten thousand shapes on top of each other: no ground is less comfortable.
const WORST_GROUND: f32 = 1e4;

/// The scene in force and its world, but for what no call changes.
pub(super) fn write(w: &mut Writer, scene: &Scene, world: &World) {
    let map = &scene.map;
    let bits = |(spec, wall): (&WallSpec, &crate::world::walls::Wall)| {
        u32::from(spec.open) * OPEN + u32::from(wall.standing) * STANDING
    };
    w.u32s(&map.walls.iter().zip(world.walls.shapes()).map(bits).collect::<Vec<_>>());
    write_beliefs(w, &world.beliefs);
    let own = own_walls(scene);
    w.u32(own as u32);
    w.shapes(map.walls[own..].iter().map(|x| &x.shape));
    write_names(w, &map.walls[own..]);
    w.bools(&map.painted);
    w.f32s(&map.ground);
    w.f32s(&map.discomfort.iter().map(|(_, value)| *value).collect::<Vec<_>>());
    w.shapes(map.discomfort.iter().map(|(shape, _)| shape));
    w.f32s(&scene.zones.iter().map(|z| z.speed).collect::<Vec<_>>());
    w.f32s(&world.zones.iter().map(|z| z.speed).collect::<Vec<_>>());
    w.f32s(&world.zone_limits);
    w.f32s(&[world.flee_limit]);
    w.pod(world.obstacle.as_slice());
    write_hazards(w, &scene.hazards);
    let bits = |(on, source): (bool, &SourceNow)| u32::from(on) * ON + u32::from(source.on) * ON_NOW;
    w.u32s(&scene.groups.iter().map(|g| g.on).zip(&world.sources).map(bits).collect::<Vec<_>>());
    w.u32s(&world.sources.iter().flat_map(|s| [s.off_since, s.skipped]).collect::<Vec<_>>());
    for (goal, place) in scene.goals.iter().zip(&world.places) {
        w.u32(u32::from(goal.open) * ON + u32::from(place.open) * ON_NOW);
        w.bools(place.full());
        w.u32(goal.shapes.len() as u32);
        w.shapes(goal.shapes.iter());
        w.u32s(&goal.cells);
    }
}

/// How many walls the scene was given; those that calls have added follow.
fn own_walls(scene: &Scene) -> usize {
    scene.map.walls.iter().position(|w| w.added).unwrap_or(scene.map.walls.len())
}

/// Which walls have names: most have none, so that these are told by number.
fn write_names(w: &mut Writer, walls: &[WallSpec]) {
    let named = || walls.iter().enumerate().filter_map(|(i, wall)| Some((i as u32, wall.name.as_ref()?)));
    w.u32s(&named().map(|(i, _)| i).collect::<Vec<_>>());
    named().for_each(|(_, name)| w.text(name));
}

fn read_names(r: &mut Reader<'_>, walls: usize) -> Result<Vec<Option<String>>, String> {
    let mut names = vec![None; walls];
    for number in r.u32s(0, walls)? {
        let name = r.text(MOST_LETTERS)?;
        *names.get_mut(number as usize).ok_or("the name of a wall that there is not")? = Some(name);
    }
    Ok(names)
}

/// The scene as it was in force, and its world, which has yet to be refreshed. `scene` has the model and the crowd already.
pub(super) fn read(r: &mut Reader<'_>, mut scene: Scene) -> Result<(Scene, World), String> {
    let cells = scene.grid.len();
    let before = scene.memory_of_floor();
    let bits = r.u32s(0, scene.map.walls.len() + MOST_WALLS)?;
    let beliefs = read_beliefs(r, bits.len())?;
    let own = r.u32()? as usize;
    if own > scene.map.walls.len() || own > bits.len() {
        return Err("more walls than the scene has".into());
    }
    scene.map.walls.truncate(own);
    let added = r.shapes(bits.len() - own)?;
    let wall = |(shape, name)| WallSpec { name, shape, open: false, added: true };
    let names = read_names(r, added.len())?;
    scene.map.walls.extend(added.into_iter().zip(names).map(wall));
    for (i, (wall, bits)) in scene.map.walls.iter_mut().zip(&bits).enumerate() {
        (wall.open, wall.added) = (bits & OPEN != 0, i >= own);
    }
    scene.map.painted = r.bools(cells)?;
    read_ground(r, &mut scene)?;
    let zones = scene.zones.len();
    let [in_scene, now, limits] = [r.f32s(zones, zones)?, r.f32s(zones, zones)?, r.f32s(zones, zones)?];
    let fine = |speeds: &[f32]| speeds.iter().zip(&limits).all(|(s, most)| *s >= 0.01 && s <= most);
    if limits.iter().any(|most| !(1.0..=2.0).contains(most)) || !fine(&in_scene) || !fine(&now) {
        return Err("a zone with a speed that no scene gives".into());
    }
    for (zone, speed) in scene.zones.iter_mut().zip(in_scene) {
        zone.speed = speed;
    }
    let flee_limit = r.f32s(1, 1)?[0];
    if !(1.0..=5.0).contains(&flee_limit) {
        return Err("people who flee as no scene lets them".into());
    }
    let obstacle = r.up_to::<Obstacle>(1)?.pop();
    if !obstacle.is_none_or(|o| o.is_sound()) {
        return Err("an obstacle that no call takes".into());
    }
    scene.hazards = read_hazards(r)?;
    let sources = read_sources(r, &mut scene)?;
    let mut places = Vec::new();
    for goal in &mut scene.goals {
        let bits = r.u32()?;
        goal.open = bits & ON != 0;
        let limited = goal.capacity.is_some() || goal.capacities.iter().any(Option::is_some);
        places.push((bits & ON_NOW != 0, r.bools(if limited { 1 + goal.capacities.len() } else { 0 })?));
        let n = r.u32()? as usize;
        if n > MOST_WALLS {
            return Err("a goal of too many shapes".into());
        }
        goal.shapes = r.shapes(n)?;
        goal.cells = r.u32s(0, cells)?;
        if goal.cells.iter().any(|&c| c as usize >= cells) {
            return Err("a goal outside of the world".into());
        }
    }
    // A few bytes may be walls across the whole world. What the scene itself has is paid for.
    let more = scene.memory_of_floor().saturating_sub(before);
    let _memory =
        scene.take_bytes(more).map_err(|short| format!("what it has of walls and goals {}", short.words("")))?;
    let mut world = World::of(&scene, limits, flee_limit);
    world.walls.set_all_standing(bits.iter().map(|bits| bits & STANDING != 0).enumerate());
    for (zone, speed) in world.zones.iter_mut().zip(now) {
        zone.speed = speed;
    }
    if beliefs.list.len() != world.beliefs.list.len() {
        return Err("beliefs that nobody of the crowd has".into());
    }
    world.beliefs.seen = beliefs.seen;
    for (belief, was) in world.beliefs.list.iter_mut().zip(beliefs.list) {
        (belief.standing, belief.news) = (was.standing, was.news);
    }
    world.obstacle = obstacle;
    world.sources = sources;
    for (place, (open, full)) in world.places.iter_mut().zip(places) {
        place.open = open;
        place.set_full(full);
    }
    Ok((scene, world))
}

/// All hazards, also those that are gone: their numbers are in use.
fn write_hazards(w: &mut Writer, hazards: &[Hazard]) {
    w.u32(hazards.len() as u32);
    for h in hazards {
        let (kind, until) = (u32::from(h.kind == HazardKind::Ghost), h.until.clone());
        let bits = kind | u32::from(h.again) << 1 | u32::from(h.gone) << 2 | u32::from(until.is_some()) << 3;
        w.u32s(&[bits, h.since]);
        w.text(&h.name);
        w.pod(&h.path);
        w.pod(&[h.speed, h.drift.x, h.drift.y, h.radius, h.growth, h.radius_max, h.strength, h.fear, h.fade, h.every]);
        for moment in [Some(h.from.clone()), until].into_iter().flatten() {
            match moment {
                Moment::At(seconds) => w.f32s(&[seconds]),
                Moment::Event(name) => {
                    w.f32s(&[]);
                    w.text(&name);
                }
            }
        }
    }
}

fn read_hazards(r: &mut Reader<'_>) -> Result<Vec<Hazard>, String> {
    let count = r.u32()? as usize;
    if count > MOST_HAZARDS {
        return Err("more hazards than a scene has".into());
    }
    (0..count).map(|_| read_hazard(r)).collect()
}

fn read_hazard(r: &mut Reader<'_>) -> Result<Hazard, String> {
    let words = r.u32s(2, 2)?;
    let name = r.text(MOST_LETTERS)?;
    let path = r.up_to::<Vec2>(MOST_CORNERS)?;
    let n: Vec<f32> = r.pod(10)?;
    let has = |bit: u32| words[0] >> bit & 1 == 1;
    let mut moment = || {
        Ok::<_, String>(match r.f32s(0, 1)?.first() {
            Some(&seconds) => Moment::At(seconds),
            None => Moment::Event(r.text(MOST_LETTERS)?),
        })
    };
    let from = moment()?;
    let until = if has(3) { Some(moment()?) } else { None };
    let hazard = Hazard {
        name,
        kind: if has(0) { HazardKind::Ghost } else { HazardKind::Gas },
        path,
        speed: n[0],
        again: has(1),
        drift: Vec2::new(n[1], n[2]),
        radius: n[3],
        growth: n[4],
        radius_max: n[5],
        strength: n[6],
        fear: n[7],
        from,
        until,
        fade: n[8],
        every: n[9],
        since: words[1],
        gone: has(2),
    };
    if hazard.is_sound() { Ok(hazard) } else { Err("a hazard that no scene has".into()) }
}

/// What people believe about walls, in the order of the crowd's views; the rest follows from it.
fn write_beliefs(w: &mut Writer, beliefs: &Beliefs) {
    w.u32(beliefs.list.len() as u32);
    if beliefs.list.is_empty() {
        return;
    }
    w.bools(&beliefs.seen);
    for belief in &beliefs.list {
        w.bools(&belief.standing);
        w.u32s(&belief.news.iter().flat_map(|n| [n.due, n.wall, u32::from(n.standing)]).collect::<Vec<_>>());
    }
}

fn read_beliefs(r: &mut Reader<'_>, walls: usize) -> Result<Beliefs, String> {
    let count = r.u32()? as usize;
    let mut beliefs = Beliefs::default();
    if count == 0 {
        return Ok(beliefs);
    }
    if count > MOST_GROUPS {
        return Err("more beliefs than groups".into());
    }
    beliefs.seen = r.some_bools(walls)?;
    for _ in 0..count {
        let standing = r.some_bools(walls)?;
        let words = r.u32s(0, MOST_NEWS)?;
        let news: Vec<News> =
            words.chunks_exact(3).map(|n| News { due: n[0], wall: n[1], standing: n[2] != 0 }).collect();
        if words.len() % 3 != 0 || news.iter().any(|n| n.wall as usize >= walls) {
            return Err("news of a wall that there is not".into());
        }
        beliefs.list.push(Belief { view: View::First, standing, news, imagined: Vec::new(), gated: Vec::new() });
    }
    Ok(beliefs)
}

/// The source of each group, in the scene and now.
fn read_sources(r: &mut Reader<'_>, scene: &mut Scene) -> Result<Vec<SourceNow>, String> {
    let groups = scene.groups.len();
    let (bits, numbers) = (r.u32s(groups, groups)?, r.u32s(2 * groups, 2 * groups)?);
    for (group, bits) in scene.groups.iter_mut().zip(&bits) {
        group.on = bits & ON != 0 || group.rate.is_none();
    }
    let now = |(bits, n): (&u32, &[u32])| SourceNow { on: bits & ON_NOW != 0, off_since: n[0], skipped: n[1] };
    Ok(bits.iter().zip(numbers.chunks(2)).map(now).collect())
}

fn read_ground(r: &mut Reader<'_>, scene: &mut Scene) -> Result<(), String> {
    let cells = scene.grid.len();
    let ground = r.f32s(0, cells)?;
    if ![0, cells].contains(&ground.len()) || ground.iter().any(|value| *value > WORST_GROUND) {
        return Err("discomfort of the ground that no scene gives".into());
    }
    scene.map.ground = ground;
    let values = r.f32s(0, MOST_WALLS)?;
    if values.iter().any(|value| *value > MOST_DISCOMFORT) {
        return Err("discomfort of a shape that no scene gives".into());
    }
    let shapes: Vec<Shape> = r.shapes(values.len())?;
    scene.map.discomfort = shapes.into_iter().zip(values).collect();
    Ok(())
}
