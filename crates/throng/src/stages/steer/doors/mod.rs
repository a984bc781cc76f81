//! Doors: let others out first.
//!
//! After [`super::guide`]. While anybody who is near a door means to pass it in the direction that goes first, those who mean to pass it the
//! other way hold back: who stands in the strip before the door that those coming need goes aside, and beside it people stand. When nobody comes
//! any more they go; who has held back for longer than its patience goes anyway. Both parts read what the plan tells of the same step, so that nothing
//! is remembered but how long each has held back.

pub mod cpu;

use crate::scene::{Door, First};
use crate::world::agents::{ColumnInfo, ModelColumn};
use glam::Vec2;

/// How long each has held back; a crowd has it if its scene has doors.
pub const HELD: ModelColumn = ModelColumn {
    info: ColumnInfo { name: "held", unit: "s", meaning: "How long it has held back before a door." },
    width: 1,
    start: 0.0,
};

/// Room that is kept free on either side of a door's width, m.
const STRIP: f32 = 0.5;
/// Who is so near to the strip, and means to pass, stands, m.
const EDGE: f32 = 0.3;
/// Ways that lead past the door by less than this lead through it, m.
const MARGIN: f32 = 1.0;
/// Who has come through is in the way until it is so far beyond the line, m.
const BEYOND: f32 = 0.3;
/// Somebody passes if the way leads across the line by at least this much of its length.
const ACROSS: f32 = 0.05;
/// From so far before a door to so far behind it nothing may be in between, or it is closed, m.
const CLOSED_WITHIN: f32 = 0.3;
/// For a metre aside people go so far back, m.
const BACK: f32 = 0.5;
/// Who goes aside looks so far for a wall, m.
const ASIDE: f32 = 0.5;

/// A door as people meet it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Doorway {
    /// One jamb.
    pub from: Vec2,
    /// From there to the other, at length 1.
    pub along: Vec2,
    /// How far that is, m.
    pub width: f32,
    /// The direction that goes first, at length 1.
    pub first: Vec2,
    /// How far from the line people count, m.
    pub reach: f32,
    /// How long people hold back, s.
    pub patience: f32,
}

impl Doorway {
    /// The door of a scene.
    #[must_use]
    pub fn new(door: &Door) -> Self {
        let [a, b] = door.line;
        let along = (b - a).normalize_or_zero();
        // To the right of somebody who looks along the line.
        let forward = -along.perp();
        let first = if door.first == First::Forward { forward } else { -forward };
        Self { from: a, along, width: a.distance(b), first, reach: door.reach, patience: door.patience }
    }

    /// Its middle.
    #[must_use]
    pub fn middle(&self) -> Vec2 {
        self.from + self.along * (0.5 * self.width)
    }

    /// How far along the line a point is, from the first jamb, m.
    fn across(&self, p: Vec2) -> f32 {
        (p - self.from).dot(self.along)
    }

    /// Whether a place along the line is within a margin of the door.
    fn spans(&self, along: f32, margin: f32) -> bool {
        along >= -margin && along <= self.width + margin
    }

    /// Whether somebody at `p` that the plan sends in a direction means to pass the door along `way`.
    #[must_use]
    pub fn passes(&self, p: Vec2, direction: Vec2, way: Vec2) -> bool {
        let before = (self.from - p).dot(way);
        let at = self.across(p);
        let speed = direction.dot(way);
        if before > self.reach || before < -BEYOND || speed < ACROSS || !self.spans(at, self.reach) {
            return false;
        }
        let crossing = at + before.max(0.0) / speed * direction.dot(self.along);
        self.spans(crossing, MARGIN)
    }
}
