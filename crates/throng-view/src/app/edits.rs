//! Changes to the scene while it runs: the brush, groups, the model.

use super::floor::{FloorChange, FloorState};
use super::{App, Tool, Undo};
use crate::host::{Done, Happened};
use crate::overlay::grouped;
use glam::Vec2;
use std::collections::BTreeMap;
use throng::engine::CrowdChange;
use throng::geometry::{Rect, Segment, Shape};
use throng::scene::{Group, Leg, Model, Parameters, Scene};
use throng::world::MOST_DISCOMFORT;

/// The brush, and what it has touched in the stroke under way.
#[derive(Debug)]
pub(super) struct Brush {
    /// m
    pub(super) radius: f32,
    /// Discomfort that it paints.
    pub(super) value: f32,
    pub(super) erase: bool,
    /// People that a click drops, and whose kind they are.
    pub(super) people: u32,
    pub(super) group: usize,
    /// Where the stroke under way has come to.
    pub(super) last: Option<Vec2>,
    /// What cells were before the stroke and are now, and walls that it took down.
    walls: BTreeMap<u32, (bool, bool)>,
    ground: BTreeMap<u32, (f32, f32)>,
    taken_down: Vec<usize>,
    /// The first task that it told the run.
    first: Option<u64>,
    /// A part of a goal on the way, and by how much.
    pub(super) carried: Option<(super::goals::Part, Vec2)>,
}

impl Brush {
    pub(super) fn new(scene: &Scene) -> Self {
        Self {
            radius: (2.0 * scene.grid.cell).max(0.5),
            value: 0.8,
            erase: false,
            people: 20,
            group: 0,
            last: None,
            walls: BTreeMap::new(),
            ground: BTreeMap::new(),
            taken_down: Vec::new(),
            first: None,
            carried: None,
        }
    }
}

/// A shape somewhere else.
pub(super) fn moved(shape: &Shape, by: Vec2) -> Shape {
    match shape {
        Shape::Rect(r) => Shape::Rect(Rect::new(r.min + by, r.max + by)),
        Shape::Circle(c, radius) => Shape::Circle(*c + by, *radius),
        Shape::Polygon(points) => Shape::Polygon(points.iter().map(|&p| p + by).collect()),
        Shape::Line(points) => Shape::Line(points.iter().map(|&p| p + by).collect()),
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
        let Some(ground) = self.ground.clone() else { return };
        if self.brush.last.is_none() && self.tool == Tool::Walls {
            self.count_shut_in(false);
        }
        let from = self.brush.last.replace(at).unwrap_or(at);
        let cells = cells_under(&self.scene, from, at, self.brush.radius);
        match self.tool {
            Tool::Discomfort => {
                let value = if erase { 0.0 } else { self.brush.value };
                let mut list = Vec::new();
                for c in cells {
                    let now = ground.discomfort.get(c as usize).copied().unwrap_or(0.0);
                    // Where shapes of the scene add up to more than can be painted, undoing could not bring it back.
                    if now > MOST_DISCOMFORT {
                        continue;
                    }
                    if (now - value).abs() > 1e-6 || self.brush.ground.contains_key(&c) {
                        self.brush.ground.entry(c).or_insert((now, value)).1 = value;
                        list.push((c, value));
                    }
                }
                if !list.is_empty() {
                    let task = self.host.tell_part(Box::new(move |sim| {
                        sim.paint_ground(&list);
                        Ok(Done::quietly())
                    }));
                    self.brush.first.get_or_insert(task);
                }
            }
            Tool::Walls => {
                let mut list = Vec::new();
                for c in cells {
                    let now = ground.painted.get(c as usize).copied().unwrap_or(false);
                    if now == erase && !self.brush.walls.contains_key(&c) {
                        self.brush.walls.insert(c, (now, !erase));
                        list.push((c, !erase));
                    }
                }
                let mut down: Vec<usize> = Vec::new();
                if erase {
                    let way = Segment::new(from, at);
                    let pieces =
                        (from.distance(at) / (0.5 * self.brush.radius).max(0.05)).ceil().clamp(1.0, 400.0) as u32;
                    let places: Vec<Vec2> =
                        (0..=pieces).map(|k| way.a + (way.b - way.a) * (k as f32 / pieces as f32)).collect();
                    let touches = |shape: &Shape| {
                        let sides = shape.outline();
                        let near = |p: &Vec2| sides.iter().any(|s| s.closest(*p).distance(*p) <= self.brush.radius);
                        places.iter().any(|p| shape.contains(*p) || near(p))
                    };
                    let hit = ground.walls.iter().filter(|(n, s)| !self.brush.taken_down.contains(n) && touches(s));
                    down.extend(hit.map(|(n, _)| *n));
                    self.brush.taken_down.extend(&down);
                }
                if !list.is_empty() || !down.is_empty() {
                    let task = self.host.tell_part(Box::new(move |sim| {
                        sim.paint_walls(&list);
                        for wall in down {
                            sim.stand_wall(wall, false);
                        }
                        Ok(Done::quietly())
                    }));
                    self.brush.first.get_or_insert(task);
                }
            }
            _ => {}
        }
    }

    /// What the stroke under way has made of the floor, and of what.
    fn take_stroke(&mut self) -> FloorChange {
        self.brush.last = None;
        let walls = std::mem::take(&mut self.brush.walls);
        let ground = std::mem::take(&mut self.brush.ground);
        let down = std::mem::take(&mut self.brush.taken_down);
        let state = |before: bool| FloorState {
            walls: walls.iter().map(|(c, (old, new))| (*c, if before { *old } else { *new })).collect(),
            ground: ground.iter().map(|(c, (old, new))| (*c, if before { *old } else { *new })).collect(),
            standing: down.iter().map(|wall| (*wall, before)).collect(),
            ..FloorState::default()
        };
        FloorChange { before: state(true), after: state(false) }
    }

    /// The brush is lifted.
    pub fn end_stroke(&mut self) {
        let first = self.brush.first.take();
        let change = self.take_stroke();
        let FloorState { walls, ground, standing, .. } = &change.after;
        if change.is_nothing() {
            return;
        }
        let what = if ground.is_empty() { "walls" } else { "discomfort" };
        let cells = match walls.len() + ground.len() {
            1 => "1 cell".to_owned(),
            n => format!("{} cells", grouped(n as u64)),
        };
        let shapes = match standing.len() {
            0 => String::new(),
            1 => ", 1 wall of the scene taken down".to_owned(),
            n => format!(", {n} walls of the scene taken down"),
        };
        self.note(format!("{what} of {cells} changed{shapes}"));
        let counts = ground.is_empty();
        // The change ends with that. It was there from its first part on.
        let last = self.host.tell(Box::new(|_| Ok(Done::quietly())));
        self.remember_of(first.unwrap_or(last), Undo::Floor(Box::new(change)));
        if counts {
            self.count_shut_in(true);
        }
    }

    /// The stroke under way has never been. Returns whether there was one.
    pub(super) fn cancel_stroke(&mut self) -> bool {
        let under_way = self.brush.last.is_some();
        self.brush.first = None;
        let change = self.take_stroke();
        if !change.is_nothing() {
            self.make_floor(change.before, "the stroke was cancelled".into());
        }
        under_way
    }

    /// Puts a goal somewhere. Returns the task that does.
    pub(super) fn place_goal(&mut self, goal: usize, shapes: Vec<Shape>) -> Option<u64> {
        let name = self.scene.goals.get(goal).map(|g| g.name.clone())?;
        self.count_shut_in(false);
        let task = self.host.tell(Box::new(move |sim| match sim.move_goal(&name, shapes) {
            Ok(_) => Ok(Done::saying(format!("the goal \"{name}\" was moved"))),
            Err(e) => Err(format!("the goal \"{name}\" cannot be moved: {e}")),
        }));
        self.count_shut_in(true);
        Some(task)
    }

    /// Changes the crowd; `back` takes the change back. Returns the task that does.
    pub(super) fn change_group(&mut self, group: usize, change: CrowdChange, back: Option<CrowdChange>) -> Option<u64> {
        let name = self.scene.groups.get(group).map(|g| g.name.clone())?;
        Some(self.host.tell(Box::new(move |sim| {
            sim.change_crowd(&change).map_err(|e| format!("the group \"{name}\" cannot be changed: {e}"))?;
            let happened = Some(Happened::GroupChanged(change, back));
            Ok(Done { happened, ..Done::saying(format!("the group \"{name}\" was changed")) })
        })))
    }

    /// Takes on another model, if a scene could say it. Returns the task that does.
    pub(super) fn set_model(&mut self, model: Model) -> Option<u64> {
        if !model.is_sound() || self.against(&model).is_some() {
            return None;
        }
        self.scene.model = model;
        Some(self.host.tell(Box::new(move |sim| match sim.set_model(&model) {
            true => Ok(Done::quietly()),
            false => Err("the model stays what it was: the run does not take the other one".into()),
        })))
    }

    /// Why the run would not take a model, if that can be said.
    pub(super) fn against(&self, model: &Model) -> Option<String> {
        if let Some(found) = model.contradiction() {
            return Some(format!("{}: {}", found.message, found.help));
        }
        let group = self.scene.groups.iter().find(|g| !model.weights_with(g.weights).are_something())?;
        Some(format!(
            "the model stays what it was: with the weights that \"{}\" has of its own every way would cost it the same; length weight and time weight \
             together are to be 0.000001 or more",
            group.name
        ))
    }
}

/// A group as a scene without any would have it: people of the defaults, on their way to the first goal.
pub(super) fn first_group(scene: &Scene) -> Option<Group> {
    scene.goals.first()?;
    Some(Group::new("people", 1, Vec::new(), vec![Leg::to_goal(0)]))
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

    #[test]
    fn a_scene_without_people_can_get_some() {
        let scene = Scene::built_in("office").expect("built in");
        assert!(first_group(&scene).is_some_and(|g| g.journey.len() == 1));
    }
}
