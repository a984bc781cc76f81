//! What calls have changed in a run's world, as a scene to start from.

use crate::geometry::{Rect, Shape, on_one_line};
use crate::scene::{Arrive, Change, Model, Scene, WallSpec};
use crate::world::{World, ground_of};
use std::collections::BTreeMap;

/// Changes by calls, where the world alone does not tell them from the scene's own events.
#[derive(Clone, Debug, Default)]
pub(crate) struct Calls {
    /// Which of the scene's walls stand.
    pub(crate) standing: BTreeMap<usize, bool>,
    /// Speed factors of zones.
    pub(crate) zones: BTreeMap<usize, f32>,
}

impl Calls {
    /// Of a run that was resumed after so many events (given in order of time): whatever these do not explain.
    pub(crate) fn unexplained(scene: &Scene, events: &[usize], world: &World) -> Self {
        let mut standing: Vec<bool> = scene.map.walls.iter().map(|w| !w.open).collect();
        let mut speeds: Vec<f32> = scene.zones.iter().map(|z| z.speed).collect();
        for &event in events {
            match scene.events[event].change {
                Change::Close(wall) => standing[wall] = true,
                Change::Open(wall) => standing[wall] = false,
                Change::ZoneSpeed(zone, speed) => speeds[zone] = speed,
            }
        }
        let walls = world.walls.shapes().iter().map(|w| w.standing).zip(standing).enumerate();
        let zones = world.zones.iter().map(|z| z.speed).zip(speeds).enumerate();
        Self {
            standing: walls.filter(|(_, (now, then))| now != then).map(|(i, (now, _))| (i, now)).collect(),
            zones: zones.filter(|(_, (now, then))| now != then).map(|(i, (now, _))| (i, now)).collect(),
        }
    }

    /// The scene with everything that calls have changed.
    pub(crate) fn edited(&self, scene: &Scene, world: &World, model: Model) -> Scene {
        let mut edited = Scene { model, ..scene.clone() };
        let own = scene.map.walls.len();
        for (&wall, &standing) in self.standing.range(..own) {
            edited.map.walls[wall].open = !standing;
        }
        let whole = scene.grid.bounds();
        let added = world.walls.shapes()[own..].iter().filter(|w| w.standing && w.shape.bounds().touches(whole));
        edited
            .map
            .walls
            .extend(added.filter_map(|w| Some(WallSpec { name: None, shape: drawn(&w.shape)?, open: false })));
        let painted = world.walls.painted();
        if painted.iter().any(|p| *p) || !scene.map.painted.is_empty() {
            painted.clone_into(&mut edited.map.painted);
        }
        let same = ground_of(scene).iter().zip(&world.ground).all(|(a, b)| a.to_bits() == b.to_bits());
        if !same {
            edited.map.ground.clone_from(&world.ground);
            edited.map.discomfort.clear();
        }
        // Either both have a value per cell or neither.
        if edited.map.painted.is_empty() != edited.map.ground.is_empty() {
            edited.map.painted.resize(scene.grid.len(), false);
            edited.map.ground.resize(scene.grid.len(), 0.0);
        }
        for (goal, moved) in edited.goals.iter_mut().zip(world.moved_goals()) {
            let Some(shapes) = moved else { continue };
            let areas: Vec<Shape> = shapes.iter().filter_map(|s| as_area(s, world)).collect();
            // A goal outside of the world is no goal: it stays where it was.
            if areas.iter().any(|s| s.bounds().touches(whole)) {
                goal.shapes = areas;
                goal.cells.clear();
            }
        }
        for (&zone, &speed) in &self.zones {
            edited.zones[zone].speed = speed;
        }
        for group in edited.groups.iter_mut().filter(|g| g.arrive != Arrive::Respawn) {
            group.entry.clear();
        }
        edited
    }
}

/// A wall as a scene can draw it: one without area is a line, one without length is nothing.
fn drawn(shape: &Shape) -> Option<Shape> {
    match shape {
        Shape::Polygon(points) if on_one_line(points) => {
            let around = points.iter().chain(points.first()).copied().collect();
            drawn(&Shape::Line(around))
        }
        Shape::Line(points) if points.iter().all(|p| *p == points[0]) => None,
        _ => Some(shape.clone()),
    }
}

/// A goal as a scene can draw it: one without area is the cell under its middle.
fn as_area(shape: &Shape, world: &World) -> Option<Shape> {
    let flat = match shape {
        Shape::Line(_) => true,
        Shape::Polygon(points) => on_one_line(points),
        _ => false,
    };
    if !flat {
        return Some(shape.clone());
    }
    let grid = &world.grid;
    grid.inside(shape.middle()).then(|| {
        let (x, y) = grid.coords(shape.middle());
        let c = grid.centre(x, y);
        Shape::Rect(Rect::new(c, c).grown(0.5 * grid.cell))
    })
}
