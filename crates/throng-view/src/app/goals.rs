//! Goals that are dragged: one shape at a time, never out of the world.

use super::edits::moved;
use super::{App, Undo};
use crate::draw::runs;
use crate::host::{Done, Happened};
use crate::studio::parts;
use glam::Vec2;
use throng::Simulation;
use throng::geometry::{Rect, Shape};
use throng::scene::{Goal, Scene};

/// Shapes of a goal that are dragged together: one, or of an image's goal the rectangles of cells that hang together.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The goal's number.
    pub goal: usize,
    /// Numbers of its shapes.
    pub shapes: Vec<usize>,
}

impl Part {
    /// The way that it goes when it is dragged so far, of all shapes of its goal: it stays inside of the world.
    fn way(&self, shapes: &[Shape], world: Rect, by: Vec2) -> Vec2 {
        let bounds = self.shapes.iter().filter_map(|&k| shapes.get(k)).map(Shape::bounds);
        let bounds = bounds.reduce(|a, b| Rect::new(a.min.min(b.min), a.max.max(b.max)));
        bounds.map_or(Vec2::ZERO, |bounds| within(world, bounds, by))
    }
}

/// The way that a rectangle can go without leaving another.
fn within(world: Rect, bounds: Rect, by: Vec2) -> Vec2 {
    // What is larger than the world, or outside of it, comes in as far as it can.
    let least = (world.min - bounds.min).min(world.max - bounds.max);
    let most = (world.max - bounds.max).max(world.min - bounds.min);
    by.clamp(least, most)
}

/// The shapes of a goal, those too that come from an image.
fn shapes_of(scene: &Scene, goal: usize) -> Vec<Shape> {
    let of = |goal: &Goal| {
        let drawn = goal.shapes.iter().cloned();
        drawn.chain(runs(&goal.cells, scene.grid.width, scene.grid.cell)).collect()
    };
    scene.goals.get(goal).map(of).unwrap_or_default()
}

/// Puts a goal somewhere. Returns what there is to say about it.
fn put_goal(sim: &mut Simulation, goal: usize, shapes: Vec<Shape>) -> Result<String, String> {
    let name = sim.scene().goals.get(goal).map(|g| g.name.clone()).ok_or("there is no such goal")?;
    match sim.move_goal(&name, shapes) {
        Ok(_) => Ok(format!("the goal \"{name}\" was moved")),
        Err(e) => Err(format!("the goal \"{name}\" cannot be moved: {e}")),
    }
}

impl App {
    /// The part of a goal under a place, m: the one that it is in, or else is nearest to.
    pub fn goal_at(&self, at: Vec2) -> Option<Part> {
        let ground = self.ground.as_ref()?;
        let near = 6.0 / self.camera.scale;
        let away = |s: &Shape| {
            let b = s.bounds();
            if s.contains(at) { 0.0 } else { (at - at.clamp(b.min, b.max)).length() + 1e-3 * near }
        };
        let all =
            ground.goals.iter().enumerate().flat_map(|(g, shapes)| shapes.iter().zip(0..).map(move |(s, k)| (g, k, s)));
        let (goal, shape, _) =
            all.map(|(g, k, s)| (g, k, away(s))).filter(|(_, _, d)| *d <= near).min_by(|a, b| a.2.total_cmp(&b.2))?;
        // Which of them come from an image the scene says as it was opened: one that begins again has them as shapes.
        let shapes = parts(&self.origin, ground, goal).into_iter().find(|part| part.contains(&shape))?;
        Some(Part { goal, shapes })
    }

    /// The way that a part of a goal goes when it is dragged so far: it stays inside of the world.
    pub(super) fn goal_way(&self, part: &Part, by: Vec2) -> Vec2 {
        let shapes = self.ground.as_ref().and_then(|g| g.goals.get(part.goal));
        shapes.map_or(Vec2::ZERO, |shapes| part.way(shapes, self.scene.grid.bounds(), by))
    }

    /// Puts a part of a goal somewhere else.
    pub fn move_goal(&mut self, part: &Part, by: Vec2) {
        let part = part.clone();
        self.count_shut_in(false);
        self.host.tell(Box::new(move |sim| {
            // As it is by now: another part of it may have been dragged just before.
            let old = shapes_of(sim.scene(), part.goal);
            let by = part.way(&old, sim.scene().grid.bounds(), by);
            let to = |(k, s): (usize, &Shape)| if part.shapes.contains(&k) { moved(s, by) } else { s.clone() };
            let shapes: Vec<Shape> = old.iter().enumerate().map(to).collect();
            if shapes == old {
                return Ok(Done::quietly());
            }
            let said = put_goal(sim, part.goal, shapes)?;
            let undo = Box::new(Undo::Goal(part.goal, old));
            Ok(Done { happened: Some(Happened::Changed { undo, since: None }), ..Done::saying(said) })
        }));
        self.count_shut_in(true);
    }

    /// Puts a goal somewhere. Returns the task that does.
    pub(super) fn place_goal(&mut self, goal: usize, shapes: Vec<Shape>) -> u64 {
        self.count_shut_in(false);
        let task = self.host.tell(Box::new(move |sim| put_goal(sim, goal, shapes).map(Done::saying)));
        self.count_shut_in(true);
        task
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_dragged_stays_in_the_world() {
        let world = Rect::new(Vec2::ZERO, Vec2::new(20.0, 10.0));
        let bounds = Rect::new(Vec2::new(18.0, 4.0), Vec2::new(20.0, 6.0));
        assert_eq!(within(world, bounds, Vec2::new(5.0, 1.0)), Vec2::new(0.0, 1.0));
        assert_eq!(within(world, bounds, Vec2::new(-30.0, -30.0)), Vec2::new(-18.0, -4.0));
        // One that is wider than the world may go from one end to the other.
        let wide = Rect::new(Vec2::new(-2.0, 4.0), Vec2::new(22.0, 6.0));
        assert_eq!(within(world, wide, Vec2::new(9.0, 0.0)), Vec2::new(2.0, 0.0));
    }
}
