//! People who are dropped: as many as there is room for around the pointer, and with a start time, so that the scene that is
//! saved or begun again has them come in when and where they came.

use super::App;
use super::edits::first_group;
use crate::host::{Done, Happened};
use glam::Vec2;
use throng::Simulation;
use throng::engine::CrowdChange;
use throng::geometry::{Rect, Shape};
use throng::scene::{Change, Distribution, Does, Event, Group, Place, Scene};
use throng::world::place::populate;

/// The area grows by this until everybody fits.
const GROWTH: f32 = 1.25;
/// And no further than so many times what they need on free floor: beyond that are other rooms.
const FARTHEST: f32 = 2.0;

/// When a group was dropped.
#[derive(Clone, Debug, PartialEq)]
pub struct Dropped {
    /// Its name.
    pub name: String,
    /// s
    pub at: f64,
}

impl App {
    /// Drops people at a place, m.
    pub fn drop_people(&mut self, at: Vec2) {
        let Some(mut group) = self.scene.groups.get(self.brush.group).cloned().or_else(|| first_group(&self.scene))
        else {
            self.complain("nobody can be dropped: the scene has no goal to walk to");
            return;
        };
        group.count = self.brush.people;
        (group.density, group.rate, group.on) = (None, None, true);
        // Clear of each other and of who is there, which random places are not.
        group.place = Place::Lattice;
        let wanted = self.brush.radius.max(0.3);
        self.host.tell(Box::new(move |sim| {
            let asked = group.count;
            group.name = free_name(sim.scene());
            let group = fitted(sim, group, at, wanted).map_err(|e| format!("nobody was dropped: {e}"))?;
            let all =
                if group.count < asked { format!(" (of {asked}: there is no room for more)") } else { String::new() };
            let people = if group.count == 1 { "person" } else { "people" };
            let said = format!("{} {people} dropped at ({:.1}, {:.1}) m{all}", group.count, at.x, at.y);
            let dropped = Dropped { name: group.name.clone(), at: sim.time() };
            Ok(Done { happened: Some(Happened::Dropped { group: Box::new(group), dropped }), ..Done::saying(said) })
        }));
    }
}

impl App {
    /// Drops those again whose drop was taken back. Returns the task that does.
    pub(super) fn drop_again(&mut self, mut group: Group) -> u64 {
        self.host.tell(Box::new(move |sim| {
            // Others may have been dropped since who are called so.
            if sim.scene().groups.iter().any(|g| g.name == group.name) {
                group.name = free_name(sim.scene());
            }
            // Somebody may stand there by now.
            let (at, radius) = match group.start.first() {
                Some(Shape::Circle(at, radius)) => (*at, *radius),
                _ => return Err("nobody was dropped: nobody knows where".into()),
            };
            let group = Box::new(fitted(sim, group, at, radius).map_err(|e| format!("nobody was dropped: {e}"))?);
            let dropped = Dropped { name: group.name.clone(), at: sim.time() };
            let said = format!("{} dropped again", group.count);
            Ok(Done { happened: Some(Happened::Dropped { group, dropped }), ..Done::saying(said) })
        }))
    }
}

/// A name for who is dropped next: by the run itself, since the window may not have heard of who was dropped just before.
fn free_name(scene: &Scene) -> String {
    let taken = |name: &String| scene.groups.iter().any(|g| g.name == *name);
    (1..).map(|k| format!("dropped {k}")).find(|name| !taken(name)).unwrap_or_default()
}

/// Drops a group around a place: in a larger circle than was asked for if it has to be, and if that does not help, fewer.
/// Returns it as it was dropped.
fn fitted(sim: &mut Simulation, mut group: Group, at: Vec2, wanted: f32) -> Result<Group, String> {
    if !sim.world().grid.inside(at) {
        return Err("that is outside of the world".into());
    }
    if sim.world().walls.contains(at) {
        return Err("there is a wall".into());
    }
    let body = group.radius.max();
    let first = |count: u32| wanted.max(circle_for(count, body));
    // Each time that the run is asked it copies its whole crowd: what cannot be is not asked for.
    let room = Room::around(sim, at, farthest(first(group.count)) + body)?;
    group.count = room.at_most(group.count, body, |count| farthest(first(count)));
    loop {
        let first = first(group.count);
        let mut radius = first;
        let why = loop {
            group.start = vec![Shape::Circle(at, radius)];
            match sim.change_crowd(&CrowdChange::Drop(Box::new(group.clone()))) {
                Ok(()) => return Ok(group),
                Err(e) if radius * GROWTH > FARTHEST * first => break e.to_string(),
                Err(_) => radius *= GROWTH,
            }
        };
        if group.count <= 1 {
            return Err(why);
        }
        group.count = (group.count * 3 / 4).max(1);
    }
}

/// No circle that is tried is larger, m.
fn farthest(first: f32) -> f32 {
    FARTHEST * first
}

/// What there is around a place, by distance from it, m.
struct Room {
    /// Middles of cells that are no walls, and how large a cell is.
    free: Vec<f32>,
    cell: f32,
    /// Who stands there, with their radius.
    bodies: Vec<(f32, f32)>,
}

impl Room {
    fn around(sim: &mut Simulation, at: Vec2, reach: f32) -> Result<Self, String> {
        let agents = sim.agents().map_err(|e| e.to_string())?;
        let on_floor = (0..agents.len()).filter(|&i| agents.state[i].on_floor());
        let bodies = on_floor.map(|i| (agents.position[i].distance(at), agents.radius[i]));
        let bodies = bodies.filter(|(away, _)| *away <= reach).collect();
        let (grid, walls) = (sim.world().grid, &sim.world().walls);
        let (columns, rows) = grid.cells_in(Rect::new(at, at).grown(reach + grid.cell));
        let middles = rows.flat_map(|y| columns.clone().map(move |x| grid.centre(x, y)));
        let free = middles.filter(|p| !walls.contains(*p)).map(|p| p.distance(at)).collect();
        Ok(Self { free, cell: grid.cell, bodies })
    }

    /// No more discs than this are within a distance, however they lie.
    fn most(&self, reach: f32, body: f32) -> u32 {
        // Cells are more than their middles, and a disc at the rim is only half in it.
        const LEEWAY: f32 = 1.25;
        let rim = reach + body + self.cell;
        let free = self.free.iter().filter(|away| **away <= rim).count() as f32 * self.cell * self.cell;
        let within = self.bodies.iter().filter(|(away, radius)| away + radius <= reach);
        let taken: f32 = within.map(|(_, radius)| std::f32::consts::PI * radius * radius).sum();
        (LEEWAY * (free - taken).max(0.0) / (2.0 * 3f32.sqrt() * body * body)).ceil() as u32
    }

    /// As many as were asked for, or as there may be room for; `reach` says how far so many may be.
    fn at_most(&self, asked: u32, body: f32, reach: impl Fn(u32) -> f32) -> u32 {
        let mut count = asked;
        loop {
            // Fewer may not be as far.
            let most = self.most(reach(count), body).max(1);
            if most >= count {
                return count;
            }
            count = most;
        }
    }
}

/// The radius of a circle that holds so many discs in rows, with some room at its rim.
fn circle_for(count: u32, radius: f32) -> f32 {
    // A disc of a hexagonal lattice takes 2·√3 r²; people are placed a little apart.
    let area = 2.0 * 3f32.sqrt() * (1.05 * radius).powi(2) * count as f32;
    (area / std::f32::consts::PI).sqrt() + radius
}

/// The scene that a run would begin from in which some were dropped: who came later comes in at that time again. Who was
/// dropped before the first step stands there from the beginning, unless somebody else did already.
pub(super) fn with_start_times(mut scene: Scene, dropped: &[Dropped]) -> Scene {
    let mut who_stays = Vec::new();
    let crowded = dropped.iter().any(|d| d.at <= 0.0) && {
        let world = throng::world::World::new(&scene);
        world.is_ok_and(|world| populate(&scene, &world).is_err())
    };
    for Dropped { name, at } in dropped.iter().filter(|d| d.at > 0.0 || crowded) {
        let Some(number) = scene.groups.iter().position(|g| g.name == *name) else { continue };
        let states = &scene.states;
        let group = &mut scene.groups[number];
        let walks = |state: u16| states.get(usize::from(state)).is_some_and(|s| matches!(s.does, Does::Walk { .. }));
        // A source lets in only those who have somewhere to go: others are there from the beginning.
        if group.state.is_some_and(|state| !walks(state)) {
            who_stays.push(number);
            continue;
        }
        // All at once, as far as there is room.
        group.rate = Some((group.count as f32 / scene.dt).min(1e6));
        (group.delay, group.delay_until) = (Distribution::Constant(0.0), None);
        group.on = *at <= 0.0;
        if *at > 0.0 {
            scene.events.push(Event { at: *at as f32, name: None, changes: vec![Change::Source(number, true)] });
        }
    }
    if !who_stays.is_empty() {
        find_room(&mut scene, &who_stays);
    }
    scene
}

/// Some groups stand clear of who is there at the beginning: in a larger circle around where they were dropped, if somebody else begins there.
fn find_room(scene: &mut Scene, groups: &[usize]) {
    let Ok(world) = throng::world::World::new(scene) else { return };
    let counts: Vec<u32> = groups.iter().map(|&g| std::mem::take(&mut scene.groups[g].count)).collect();
    let bounds = scene.grid.bounds();
    let whole = bounds.min.distance(bounds.max);
    for (&number, count) in groups.iter().zip(counts) {
        scene.groups[number].count = count;
        let [Shape::Circle(at, first)] = scene.groups[number].start[..] else { continue };
        let mut radius = first;
        while populate(scene, &world).is_err() {
            radius *= GROWTH;
            if radius > whole {
                // There is none anywhere: whoever reads the scene is told about the place that was asked for.
                radius = first;
                break;
            }
            scene.groups[number].start = vec![Shape::Circle(at, radius)];
        }
        scene.groups[number].start = vec![Shape::Circle(at, radius)];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng::scene::NoFiles;

    #[test]
    fn what_cannot_be_in_a_room_is_not_asked_for() {
        // A cell of 4 m² in a block, with somebody in it; 8 m² of floor beside it are as near.
        let text = "size = [12, 12]\ncell = 0.25\nmap = { walls = [\n  { rect = [0, 0, 12, 5] }, { rect = [0, 7, 12, 12] }, { rect = [0, 5, 5, 7] },\n] }\n\
                    goal = [{ name = \"exit\", rect = [11, 5, 12, 7] }]\n\
                    agents = [{ count = 4, start = { rect = [5, 5, 7, 7] }, journey = [\"exit\"] }]\n";
        let scene = Scene::parse("room.toml", text, &NoFiles).unwrap_or_else(|e| panic!("{e}"));
        let mut sim = Simulation::with_threads(&scene, 1).expect("it runs");
        let at = Vec2::new(6.0, 6.0);
        let room = Room::around(&mut sim, at, 20.0).expect("the CPU does not fail");
        assert_eq!(room.bodies.len(), 4);
        let most = room.at_most(2000, 0.2, |_| 20.0);
        // 14 m² of floor; a disc takes 0.139 m².
        assert!((95..=130).contains(&most), "{most}");
        assert_eq!(room.at_most(7, 0.2, |_| 20.0), 7, "no more than was asked for");
        // And as many are dropped as before.
        let mut group = scene.groups[0].clone();
        (group.count, group.place) = (2000, Place::Lattice);
        let dropped = fitted(&mut sim, group, at, 3.0).expect("some have room");
        assert!(dropped.count > 40 && dropped.count <= most, "{}", dropped.count);
    }
}
