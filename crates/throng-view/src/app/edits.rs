//! Changes to the scene while it runs: the brush, groups, the model.

use super::App;
use super::stroke::UnderWay;
use crate::host::{Done, Happened};
use glam::Vec2;
use throng::engine::CrowdChange;
use throng::geometry::{Rect, Shape};
use throng::scene::{Group, Leg, Model, Parameters, Scene};

/// The brush, and the stroke under way.
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
    /// The stroke under way.
    pub(super) stroke: Option<UnderWay>,
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
            stroke: None,
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

impl App {
    /// Changes the crowd; what can be taken back is remembered if it `is_new`. Returns the task that does.
    pub(super) fn change_group(&mut self, group: usize, change: CrowdChange, is_new: bool) -> Option<u64> {
        let name = self.scene.groups.get(group).map(|g| g.name.clone())?;
        Some(self.host.tell(Box::new(move |sim| {
            let now = sim.scene().groups.get(group).filter(|_| is_new);
            let back = now.map(|now| match change {
                CrowdChange::Speed(..) => CrowdChange::Speed(group, now.speed),
                _ => CrowdChange::Arrive(group, now.arrive),
            });
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
        self.model_task = self.host.tell(Box::new(move |sim| match sim.set_model(&model) {
            true => Ok(Done::quietly()),
            false => Err("the model stays what it was: the run does not take the other one".into()),
        }));
        Some(self.model_task)
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
    fn a_scene_without_people_can_get_some() {
        let scene = Scene::built_in("office").expect("built in");
        assert!(first_group(&scene).is_some_and(|g| g.journey.len() == 1));
    }
}
