//! Journeys: where people go, leg by leg.

use super::Group;
use crate::geometry::{Rect, Shape};
use crate::world::grid::Grid;
use crate::world::points::POINT;
use glam::Vec2;

/// One leg of a journey.
#[derive(Clone, Debug, PartialEq)]
pub struct Leg {
    /// Where it leads.
    pub to: Target,
    /// How long to stay there.
    pub wait: Wait,
}

/// How long somebody stays at the end of a leg.
#[derive(Clone, Debug, PartialEq)]
pub enum Wait {
    /// So many seconds; 0 is not at all.
    For(f32),
    /// Until the next event of this name; not at all if none is still to come.
    Until(String),
}

impl Wait {
    /// Not at all.
    pub const NONE: Self = Self::For(0.0);

    /// The name of the event that it lasts until.
    #[must_use]
    pub fn signal(&self) -> Option<&str> {
        match self {
            Self::For(_) => None,
            Self::Until(name) => Some(name),
        }
    }
}

/// Where a leg of a journey leads: to a goal, by the plan, or straight to a point of one's own.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// The goal with this number.
    Goal(u16),
    /// The opposite of where the leg begins, mirrored through [`Group::middle`]; after a leg to a point that point's
    /// opposite, so that nobody comes nearer to the middle each time. What falls outside of the world or into a wall is
    /// put on the nearest free place.
    Opposite,
    /// A free place anywhere in an area, drawn when the leg begins.
    Random(Vec<Shape>),
    /// One of these: who is number k of its group, from 0, takes number k modulo how many there are.
    Points(Vec<Vec2>),
    /// Nowhere: a state in which people stand where they are, or flee.
    Here,
}

impl Leg {
    /// To the goal with a number, without a wait there.
    #[must_use]
    pub fn to_goal(number: u16) -> Self {
        Self { to: Target::Goal(number), wait: Wait::NONE }
    }

    /// The number of its goal, or [`POINT`] for a point.
    #[must_use]
    pub fn goal(&self) -> u16 {
        match self.to {
            Target::Goal(number) => number,
            _ => POINT,
        }
    }
}

impl Target {
    /// Whether somebody who has just reached this one is at the other already.
    pub(super) fn is_same_place(&self, next: &Self) -> bool {
        matches!(self, Self::Goal(_) | Self::Points(_)) && self == next
    }
}

impl Group {
    /// Whether any leg of its journey leads to a point.
    #[must_use]
    pub fn uses_points(&self) -> bool {
        self.journey.iter().any(|leg| leg.goal() == POINT && leg.to != Target::Here)
    }

    /// The goals of its journey, by number.
    pub(crate) fn goals(&self) -> impl Iterator<Item = u16> {
        self.journey.iter().map(Leg::goal).filter(|&goal| goal != POINT)
    }

    /// The middle of its start area: of the least rectangle around all its shapes, as far as it is in the world.
    #[must_use]
    pub fn middle(&self, grid: &Grid) -> Vec2 {
        let whole = grid.bounds();
        let b = self.start.iter().map(Shape::bounds).reduce(Rect::union).unwrap_or(whole);
        (b.min.max(whole.min) + b.max.min(whole.max)) * 0.5
    }
}
