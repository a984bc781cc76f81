//! One soft obstacle that somebody moves about while a run goes on: the discomfort brush of the continuum crowds thesis (5.3).
//!
//! ```text
//! discomfort(x) = map(x) + intensity·max(0, 1 − |x − centre| / radius)
//! ```
//!
//! a cone, at the middles of cells. It is added when discomfort is found from ground and walls, never to the ground itself: where it was, discomfort
//! is found anew and has the bits that it had before.

use super::World;
use crate::geometry::Rect;
use bytemuck::{Pod, Zeroable};
use glam::Vec2;

/// A place that people avoid, most of all its middle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Obstacle {
    /// Its middle.
    pub centre: Vec2,
    /// From there to where it ends, m: 0.05 to 10,000.
    pub radius: f32,
    /// Discomfort that it adds in the middle: up to 100.
    pub intensity: f32,
}

impl Obstacle {
    /// What it adds somewhere.
    #[must_use]
    #[inline]
    pub fn amount(&self, p: Vec2) -> f32 {
        self.intensity * (1.0 - p.distance(self.centre) / self.radius).max(0.0)
    }

    /// Whether a run may have it.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        let near = self.centre.is_finite() && self.centre.abs().max_element() <= 1e7;
        near && (0.05..=1e4).contains(&self.radius) && (0.0..=100.0).contains(&self.intensity)
    }

    /// Where it adds anything.
    #[must_use]
    pub fn bounds(&self) -> Rect {
        Rect::new(self.centre, self.centre).grown(self.radius)
    }
}

impl World {
    /// Puts the obstacle somewhere, or takes it away. Returns the rectangles in which discomfort differs.
    pub(crate) fn set_obstacle(&mut self, obstacle: Option<Obstacle>) -> Vec<Rect> {
        let before = std::mem::replace(&mut self.obstacle, obstacle);
        let touched: Vec<Rect> = [before, obstacle].into_iter().flatten().map(|o| o.bounds()).collect();
        if let Some(before) = before {
            self.find_discomfort_in(before.bounds());
        }
        self.add_obstacle();
        touched
    }

    pub(super) fn discomfort_at_walls(&self) -> AtWalls {
        let near = if self.clearance > 0.0 { 1.0 / self.clearance } else { 0.0 };
        AtWalls { most: self.clearance_discomfort, near }
    }

    /// Discomfort of ground and walls, without the obstacle, in the cells of a rectangle.
    fn find_discomfort_in(&mut self, bounds: Rect) {
        let (columns, rows) = self.grid.cells_in(bounds);
        let at_walls = self.discomfort_at_walls();
        for y in rows {
            for cell in y * self.grid.width + columns.start..y * self.grid.width + columns.end {
                self.discomfort[cell] = self.ground[cell] + at_walls.at(self.walls.distance()[cell]);
            }
        }
    }

    /// Adds the obstacle to the discomfort of ground and walls.
    pub(super) fn add_obstacle(&mut self) {
        let Some(obstacle) = self.obstacle else { return };
        let (columns, rows) = self.grid.cells_in(obstacle.bounds());
        for y in rows {
            for x in columns.clone() {
                self.discomfort[y * self.grid.width + x] += obstacle.amount(self.grid.centre(x, y));
            }
        }
    }
}

/// Discomfort of near walls.
#[derive(Clone, Copy, Debug)]
pub(super) struct AtWalls {
    /// At the walls themselves.
    pub(super) most: f32,
    /// One over the distance from which on it is none, 1/m; 0 if there is none at all.
    pub(super) near: f32,
}

impl AtWalls {
    #[inline]
    pub(super) fn at(self, distance: f32) -> f32 {
        self.most * (1.0 - distance * self.near).max(0.0) * f32::from(u8::from(self.near > 0.0))
    }
}
