//! What is on somebody's map: its three zones, obstacles in the view cone, goals.

use super::Bvp;
use super::relax::Grid;
use glam::Vec2;

/// Walls count as this much nearer than they are, as a share of the radius: one walks past them, but not along them.
pub const WALL_GAP: f32 = 0.6;
/// People count as if they were this share of their radius farther to the left: so everybody passes on the right.
pub const SIDE: f32 = 0.35;
/// Whatever is nearer than so many radii is felt, in the view cone or not.
pub const NEAR: f32 = 3.0;

/// Where a map is, and which cells are in which zone.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// Cells on a side.
    pub side: usize,
    /// How wide the border is.
    pub border: usize,
    /// How wide the free zone is.
    pub free: usize,
    /// Side of a cell, m.
    pub cell: f32,
    /// Column and row of the cell that somebody is in the middle of.
    pub middle: usize,
    /// Where that is.
    pub at: Vec2,
}

impl Layout {
    /// The map of somebody at a place.
    #[must_use]
    pub fn new(rules: &Bvp, at: Vec2) -> Self {
        let side = rules.side as usize;
        let (border, free) = (rules.border as usize, rules.free as usize);
        // The paper's ⌈l/2⌉, counted from 1.
        Self { side, border, free, cell: rules.cell, middle: side.div_ceil(2) - 1, at }
    }

    /// The middle of a cell.
    #[must_use]
    #[inline]
    pub fn centre(&self, x: usize, y: usize) -> Vec2 {
        self.at + Vec2::new(x as f32 - self.middle as f32, y as f32 - self.middle as f32) * self.cell
    }

    /// Rows, or columns, of the zone where obstacles are seen.
    #[must_use]
    pub fn seen(&self) -> std::ops::Range<usize> {
        self.border + self.free..self.side - self.border - self.free
    }

    /// How far the map reaches from the middle, m.
    #[must_use]
    pub fn reach(&self) -> f32 {
        (self.side - self.middle) as f32 * self.cell
    }

    /// The cell of the border where a direction leads.
    #[must_use]
    pub fn leads_to(&self, direction: Vec2) -> (usize, usize) {
        let (low, high) = (self.border - 1, self.side - self.border);
        let room = |d: f32| if d < 0.0 { (self.middle - low) as f32 } else { (high - self.middle) as f32 };
        let far = |d: f32| if d.abs() > 1e-6 { room(d) / d.abs() } else { f32::MAX };
        let along = far(direction.x).min(far(direction.y));
        let cell = |d: f32| {
            let k = (self.middle as f32 + d * along + 0.5).max(0.0) as usize;
            k.clamp(low, high)
        };
        (cell(direction.x), cell(direction.y))
    }

    /// Makes a goal of the cell of the border where a direction leads and of those next to it.
    pub fn set_goal(&self, grid: &mut Grid, direction: Vec2) {
        let (low, high) = (self.border - 1, self.side - self.border);
        let (gx, gy) = self.leads_to(direction);
        for y in gy.saturating_sub(1).max(low)..=(gy + 1).min(high) {
            for x in gx.saturating_sub(1).max(low)..=(gx + 1).min(high) {
                if x == low || x == high || y == low || y == high {
                    grid.give(x, y, 1.0);
                }
            }
        }
    }

    /// Makes obstacles of the cells of the zone where they are seen whose middle is within a radius of a point, but for the one that somebody is in
    /// itself.
    pub fn set_disc(&self, grid: &mut Grid, cone: &Cone, centre: Vec2, radius: f32) {
        let place = (centre - self.at) / self.cell + self.middle as f32;
        let size = radius / self.cell;
        let seen = self.seen();
        let rows = |c: f32| {
            let from = (c - size).ceil().max(seen.start as f32) as usize;
            let to = (c + size).floor().min(seen.end as f32 - 1.0);
            from..if to < 0.0 { from } else { to as usize + 1 }
        };
        for y in rows(place.y) {
            for x in rows(place.x) {
                let away = self.centre(x, y) - centre;
                let own = x == self.middle && y == self.middle;
                if !own && away.length_squared() < radius * radius && cone.shows(self.centre(x, y) - self.at) {
                    grid.give(x, y, 0.0);
                }
            }
        }
    }
}

/// What somebody sees.
#[derive(Clone, Copy, Debug)]
pub struct Cone {
    /// Where it looks.
    pub heading: Vec2,
    /// The cosine of half the aperture.
    pub cosine: f32,
    /// What is nearer than this is felt anyway, m.
    pub near: f32,
}

impl Cone {
    /// Whether a point is in it or near, seen from its tip.
    #[must_use]
    #[inline]
    pub fn shows(&self, away: Vec2) -> bool {
        let far = away.length();
        far < self.near || away.dot(self.heading) >= self.cosine * far
    }
}
