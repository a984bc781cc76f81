//! A stroke of the brush. What it changes, and of what, is found out where the run is: the picture of it may be an old one.

use super::floor::{FloorChange, FloorState, Stands};
use super::{App, Tool, Undo};
use crate::host::{Done, Happened};
use crate::overlay::grouped;
use glam::Vec2;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use throng::Simulation;
use throng::geometry::{Rect, Segment, Shape};
use throng::scene::Scene;
use throng::world::MOST_DISCOMFORT;

/// A stroke that goes on.
#[derive(Debug)]
pub(super) struct UnderWay {
    tool: Tool,
    /// Where it has come to, m.
    last: Vec2,
    /// The first task that it told the run; there is none before the first part of it.
    first: Option<u64>,
    record: Arc<Mutex<Stroke>>,
}

/// What a stroke has changed so far.
#[derive(Debug, Default)]
struct Stroke {
    /// What cells were before it, and are now.
    walls: BTreeMap<u32, (bool, bool)>,
    ground: BTreeMap<u32, (f32, f32)>,
    /// How walls stood that it took down.
    taken_down: BTreeMap<usize, Stands>,
}

impl Stroke {
    fn paint_ground(&mut self, sim: &mut Simulation, cells: &[u32], value: f32) {
        let mut list = Vec::new();
        for &cell in cells {
            let now = sim.world().ground[cell as usize];
            // Where shapes of the scene add up to more than can be painted, undoing could not bring it back.
            if now <= MOST_DISCOMFORT && (now - value).abs() > 1e-6 {
                self.ground.entry(cell).or_insert((now, value)).1 = value;
                list.push((cell, value));
            }
        }
        sim.paint_ground(&list);
    }

    fn paint_walls(&mut self, sim: &mut Simulation, cells: &[u32], wall: bool) {
        let painted = sim.world().walls.painted();
        let is_wall = |cell: u32| painted.get(cell as usize).copied().unwrap_or(false);
        let list: Vec<(u32, bool)> = cells.iter().filter(|&&c| is_wall(c) != wall).map(|&c| (c, wall)).collect();
        for &(cell, wall) in &list {
            self.walls.entry(cell).or_insert((!wall, wall)).1 = wall;
        }
        sim.paint_walls(&list);
    }

    /// Takes walls down that a brush touches on its way.
    fn take_down(&mut self, sim: &mut Simulation, way: Segment, radius: f32) {
        let pieces = (way.a.distance(way.b) / (0.5 * radius).max(0.05)).ceil().clamp(1.0, 400.0) as u32;
        let places: Vec<Vec2> = (0..=pieces).map(|k| way.a + (way.b - way.a) * (k as f32 / pieces as f32)).collect();
        let touches = |shape: &Shape| {
            let sides = shape.outline();
            let near = |p: &Vec2| sides.iter().any(|s| s.closest(*p).distance(*p) <= radius);
            places.iter().any(|p| shape.contains(*p) || near(p))
        };
        let standing = (0..).zip(sim.world().walls.shapes()).filter(|(_, wall)| wall.standing);
        let hit: Vec<usize> = standing.filter(|(_, wall)| touches(&wall.shape)).map(|(number, _)| number).collect();
        for wall in hit {
            let stood = Stands::of(sim, wall);
            self.taken_down.entry(wall).or_insert(stood);
            sim.stand_wall(wall, false);
        }
    }

    /// All of it as one change.
    fn change(&self) -> FloorChange {
        let state = |before: bool| FloorState {
            walls: self.walls.iter().map(|(c, (old, new))| (*c, if before { *old } else { *new })).collect(),
            ground: self.ground.iter().map(|(c, (old, new))| (*c, if before { *old } else { *new })).collect(),
            standing: self
                .taken_down
                .iter()
                .map(|(wall, stood)| (*wall, if before { *stood } else { Stands::always(false) }))
                .collect(),
            ..FloorState::default()
        };
        FloorChange { before: state(true), after: state(false) }
    }

    /// In words.
    fn words(&self) -> String {
        let what = if self.ground.is_empty() { "walls" } else { "discomfort" };
        let cells = match self.walls.len() + self.ground.len() {
            1 => "1 cell".to_owned(),
            n => format!("{} cells", grouped(n as u64)),
        };
        let shapes = match self.taken_down.len() {
            0 => String::new(),
            1 => ", 1 wall of the scene taken down".to_owned(),
            n => format!(", {n} walls of the scene taken down"),
        };
        format!("{what} of {cells} changed{shapes}")
    }
}

/// Cells under a brush that was drawn from one place to another.
pub(super) fn cells_under(scene: &Scene, from: Vec2, to: Vec2, radius: f32) -> Vec<u32> {
    let grid = scene.grid;
    let box_ = Rect::new(from.min(to), from.max(to)).grown(radius);
    let (columns, rows) = grid.cells_in(box_);
    let way = Segment::new(from, to);
    // A brush finer than a cell still paints the cell it is in.
    let reach = radius.max(0.5 * grid.cell);
    let mut cells = Vec::new();
    for y in rows {
        for x in columns.clone() {
            let middle = grid.centre(x, y);
            if way.closest(middle).distance(middle) <= reach {
                cells.push((y * grid.width + x) as u32);
            }
        }
    }
    cells
}

impl App {
    /// The brush goes on to a place, m; the stroke begins with the first.
    pub fn stroke_to(&mut self, at: Vec2, erase: bool) {
        let tool = self.brush.stroke.as_ref().map_or(self.tool, |stroke| stroke.tool);
        if !matches!(tool, Tool::Discomfort | Tool::Walls) {
            return;
        }
        if self.brush.stroke.is_none() && tool == Tool::Walls {
            self.count_shut_in(false);
        }
        let begins = || UnderWay { tool, last: at, first: None, record: Arc::default() };
        let stroke = self.brush.stroke.get_or_insert_with(begins);
        let from = std::mem::replace(&mut stroke.last, at);
        let record = Arc::clone(&stroke.record);
        let (radius, value) = (self.brush.radius, if erase { 0.0 } else { self.brush.value });
        let cells = cells_under(&self.scene, from, at, radius);
        let task = self.host.tell_part(Box::new(move |sim| {
            let mut stroke = record.lock().unwrap_or_else(PoisonError::into_inner);
            match tool {
                Tool::Discomfort => stroke.paint_ground(sim, &cells, value),
                _ => stroke.paint_walls(sim, &cells, !erase),
            }
            if erase && tool == Tool::Walls {
                stroke.take_down(sim, Segment::new(from, at), radius);
            }
            Ok(Done::quietly())
        }));
        stroke.first.get_or_insert(task);
    }

    /// The brush is lifted.
    pub fn end_stroke(&mut self) {
        let Some(UnderWay { tool, first, record, .. }) = self.brush.stroke.take() else { return };
        // The change ends with that. It was there from its first part on.
        self.host.tell(Box::new(move |_| {
            let stroke = record.lock().unwrap_or_else(PoisonError::into_inner);
            let change = stroke.change();
            if change.is_nothing() {
                return Ok(Done::quietly());
            }
            let undo = Box::new(Undo::Floor(Box::new(change)));
            Ok(Done { happened: Some(Happened::Changed { undo, since: first }), ..Done::saying(stroke.words()) })
        }));
        if tool == Tool::Walls {
            self.count_shut_in(true);
        }
    }

    /// The stroke under way has never been. Returns whether there was one.
    pub(super) fn cancel_stroke(&mut self) -> bool {
        let Some(UnderWay { record, .. }) = self.brush.stroke.take() else { return false };
        self.host.tell(Box::new(move |sim| {
            let change = record.lock().unwrap_or_else(PoisonError::into_inner).change();
            match (change.is_nothing(), change.before.put(sim)) {
                (true, _) => Ok(Done::quietly()),
                (false, true) => Ok(Done::saying("the stroke was cancelled")),
                (false, false) => Err("not all of the floor could be changed so".into()),
            }
        }));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quick_stroke_leaves_no_gaps() {
        let scene = Scene::built_in("empty").expect("built in");
        let (a, b) = (Vec2::new(5.0, 5.0), Vec2::new(15.0, 9.0));
        let cells = cells_under(&scene, a, b, 0.6);
        for k in 0..=100 {
            let p = a + (b - a) * (k as f32 / 100.0);
            assert!(cells.contains(&(scene.grid.index_at(p) as u32)), "{p}");
        }
        let far = |c: &u32| {
            let middle = scene.grid.centre(*c as usize % scene.grid.width, *c as usize / scene.grid.width);
            let along = ((middle - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
            middle.distance(a + (b - a) * along)
        };
        assert!(cells.iter().all(|c| far(c) <= 0.6 + 1e-4));
    }

    #[test]
    fn a_fine_brush_still_paints_a_cell() {
        let scene = Scene::built_in("empty").expect("built in");
        let middle = scene.grid.centre(4, 4);
        assert_eq!(cells_under(&scene, middle, middle, 0.01).len(), 1);
    }
}
