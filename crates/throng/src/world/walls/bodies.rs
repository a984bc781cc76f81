//! Walls as bodies meet them: how deep a disc reaches into one, how it slides along, where there is room for it.

use super::{SKIN, Walls};
use crate::geometry::Segment;
use glam::Vec2;

impl Walls {
    /// How deep a disc reaches into the nearest wall, in metres; 0 when it is clear.
    #[must_use]
    pub fn depth(&self, p: Vec2, radius: f32) -> f32 {
        let near = self.near(self.grid.index_at(p));
        near.iter().fold(0.0, |deep, s| deep.max(radius - s.closest(p).distance(p)))
    }

    /// Where a disc ends that wants to go from `from` to `to`: it slides along walls, keeps its radius from them
    /// where there is room, and its centre never passes one. `from` must be clear of walls; the way at most the
    /// stride given to [`Walls::new`].
    #[must_use]
    #[inline]
    pub fn slide(&self, from: Vec2, to: Vec2, radius: f32) -> Vec2 {
        let near = self.near(self.grid.index_at(from));
        if near.is_empty() {
            return to;
        }
        self.slide_along(near, from, to, radius)
    }

    fn slide_along(&self, near: &[Segment], from: Vec2, to: Vec2, radius: f32) -> Vec2 {
        let mut at = to;
        // In a corner each push may press the disc into the other wall; a few rounds settle any corner that
        // is wide enough, and a gap that is too narrow ends between its sides.
        for _ in 0..4 {
            let mut pushed = false;
            for s in near {
                let crossed = s.crosses(from, at);
                let foot = s.closest(at);
                let away = at - foot;
                let gap = away.length();
                if !crossed && gap >= radius {
                    continue;
                }
                let out = if crossed || gap < SKIN {
                    // The side that the disc came from is the outside.
                    let back = from - s.closest(from);
                    let normal = (s.b - s.a).perp().normalize_or_zero();
                    let normal = if normal.dot(from - s.a) < 0.0 { -normal } else { normal };
                    if normal == Vec2::ZERO { back.normalize_or_zero() } else { normal }
                } else {
                    away / gap
                };
                // A hair more than the radius, or rounding would find the disc touching for ever.
                at = foot + out * (radius + 1e-5);
                pushed = true;
            }
            if !pushed {
                return self.inside_or(at, from);
            }
        }
        let clear = near.iter().all(|s| !s.crosses(from, at) && s.closest(at).distance(at) >= SKIN);
        // The lists reach only so far from `from`: farther out walls could be missing.
        if clear && at.distance(from) + radius <= self.reach { self.inside_or(at, from) } else { from }
    }

    fn inside_or(&self, at: Vec2, from: Vec2) -> Vec2 {
        if self.grid.inside(at) { at } else { from }
    }

    /// Whether no wall is between two points, however far apart.
    #[must_use]
    pub fn in_sight(&self, p: Vec2, q: Vec2) -> bool {
        // A cell lists every wall within reach of any of its points.
        let count = (p.distance(q) / (0.99 * self.reach)).ceil().max(1.0);
        let at = |k: f32| p + (q - p) * (k / count);
        (0..count as u32).all(|k| {
            let (here, there) = (at(k as f32), at(k as f32 + 1.0));
            self.near(self.grid.index_at(here)).iter().all(|s| !s.crosses(here, there))
        })
    }

    /// Whether somebody at `p` is in a wall, or so near that no run would have left it there.
    #[must_use]
    pub fn buries(&self, p: Vec2) -> bool {
        self.contains(p) || self.depth(p, 0.9 * SKIN) > 0.0
    }

    /// A free place near `p` for a disc: one that is `good` and clear of walls by the radius if possible, else any that
    /// is clear, else by a hair. `None` if there is nothing at all.
    #[must_use]
    pub fn free_place(&self, p: Vec2, radius: f32, good: impl Fn(Vec2) -> bool) -> Option<Vec2> {
        let range = self.grid.extent().length();
        for (gap, any) in [(radius, false), (radius, true), (SKIN, true)] {
            for ring in 0.. {
                // Close together at first, then wider: near places are found exactly, far ones at all.
                let away = 0.25 * self.grid.cell * ring as f32 * (1.0 + ring as f32 / 24.0);
                if away > range {
                    break;
                }
                let count = if ring == 0 { 1 } else { (6 * ring).min(96) };
                for k in 0..count {
                    let turn = std::f32::consts::TAU * k as f32 / count as f32;
                    let q = p + Vec2::from_angle(turn) * away;
                    if !self.contains(q) && self.depth(q, gap) <= 0.0 && (any || good(q)) {
                        return Some(q);
                    }
                }
            }
        }
        None
    }
}
