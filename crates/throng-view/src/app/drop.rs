//! People who are dropped: as many as there is room for around the pointer, and with a start time, so that the scene that is
//! saved or begun again has them come in when and where they came.

use super::App;
use super::edits::first_group;
use crate::host::{Done, Happened};
use glam::Vec2;
use throng::Simulation;
use throng::engine::CrowdChange;
use throng::geometry::Shape;
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
    loop {
        let needs = circle_for(group.count, group.radius.max());
        let first = wanted.max(needs);
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
