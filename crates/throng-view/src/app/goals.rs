//! Goals that are dragged: one shape at a time, never out of the world.

use super::edits::moved;
use super::{App, Undo};
use crate::studio::parts;
use glam::Vec2;
use throng::geometry::{Rect, Shape};

/// Shapes of a goal that are dragged together: one, or of an image's goal the rectangles of cells that hang together.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The goal's number.
    pub goal: usize,
    /// Numbers of its shapes.
    pub shapes: Vec<usize>,
}

/// The way that a rectangle can go without leaving another.
fn within(world: Rect, bounds: Rect, by: Vec2) -> Vec2 {
    // What is larger than the world, or outside of it, comes in as far as it can.
    let least = (world.min - bounds.min).min(world.max - bounds.max);
    let most = (world.max - bounds.max).max(world.min - bounds.min);
    by.clamp(least, most)
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
        let shapes = parts(&self.scene, ground, goal).into_iter().find(|part| part.contains(&shape))?;
        Some(Part { goal, shapes })
    }

    /// The way that a part of a goal goes when it is dragged so far: it stays inside of the world.
    pub(super) fn goal_way(&self, part: &Part, by: Vec2) -> Vec2 {
        let Some(shapes) = self.ground.as_ref().and_then(|g| g.goals.get(part.goal)) else { return Vec2::ZERO };
        let bounds = part.shapes.iter().filter_map(|&k| shapes.get(k)).map(Shape::bounds);
        let bounds = bounds.reduce(|a, b| Rect::new(a.min.min(b.min), a.max.max(b.max)));
        bounds.map_or(Vec2::ZERO, |bounds| within(self.scene.grid.bounds(), bounds, by))
    }

    /// Puts a part of a goal somewhere else.
    pub fn move_goal(&mut self, part: &Part, by: Vec2) {
        let by = self.goal_way(part, by);
        let Some(old) = self.ground.as_ref().and_then(|g| g.goals.get(part.goal)).cloned() else { return };
        let to = |(k, s): (usize, &Shape)| if part.shapes.contains(&k) { moved(s, by) } else { s.clone() };
        let shapes: Vec<Shape> = old.iter().enumerate().map(to).collect();
        if let Some(task) = self.place_goal(part.goal, shapes) {
            self.remember_of(task, Undo::Goal(part.goal, old));
        }
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
