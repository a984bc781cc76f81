//! Gradient: which way to walk from each cell (thesis 5.7).
//!
//! The potential is known, so on each axis the neighbour with the steeper normalised descent `(P − P_n) / C` is the
//! one that the wave came from. With costs that depend on direction the cheapest way does not run along the
//! gradient but along the characteristic of `(p_x/C_x)² + (p_y/C_y)² = 1`, which is `(p_x/C_x², p_y/C_y²)`; for equal
//! costs that is the gradient. The field holds it at length 1 in two 16-bit numbers, as the GPU does ([`Way`]), or says that
//! this is the goal, that people wait here before it, that the way leads through a portal here, or that there is none: in walls, and where the goal cannot
//! be reached.
//!
//! With `plan = "froblins"` central differences may be chosen instead, as its paper has them: on each axis half the difference of
//! the two neighbours; where one of them is unreached, or the link to it closed, the descent to the other one; and where all this does not lead
//! down at all (on a ridge, or where ways meet between two cells), as above.

pub mod cpu;

use crate::engine::layout::{pack_direction, unpack_direction};
use glam::Vec2;

/// What a direction field holds in a cell: a direction, that the goal is here, a passage of a portal, or that there is no way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Way(u32);

impl Way {
    /// Nowhere to go from here.
    pub const NONE: Self = Self(0);
    /// This is the goal. (Both halves are -32768, which no direction has.)
    pub const ARRIVED: Self = Self(0x8000_8000);
    /// Here people wait: the goal is closed, or full.
    pub const WAIT: Self = Self(0x8000_8001);
    /// In the high half, which no direction has, for all that is no direction.
    const MARK: u32 = 0x8000;

    /// Through a portal, by the number of the passage.
    #[must_use]
    pub fn through(passage: u16) -> Self {
        Self(Self::MARK << 16 | u32::from(passage & 0x7FFF))
    }

    /// The passage that it leads through.
    #[must_use]
    #[inline]
    pub fn passage(self) -> Option<usize> {
        (self.0 >> 15 == Self::MARK << 1).then_some((self.0 & 0x7FFF) as usize)
    }

    /// Towards somewhere; `v` has length 1. Of length 0 it is no way.
    #[must_use]
    #[inline]
    pub fn towards(v: Vec2) -> Self {
        Self(pack_direction(v))
    }

    /// The direction, of length 1 within 16 bits; zero where there is none.
    #[must_use]
    #[inline]
    pub fn direction(self) -> Vec2 {
        if self.0 >> 16 == Self::MARK { Vec2::ZERO } else { unpack_direction(self.0) }
    }

    /// Whether it is a direction.
    #[must_use]
    #[inline]
    pub fn leads_on(self) -> bool {
        self != Self::NONE && self.0 >> 16 != Self::MARK
    }

    /// From what shaders see.
    #[must_use]
    pub fn of_code(code: u32) -> Self {
        Self(code)
    }

    /// As shaders see it.
    #[must_use]
    pub fn code(self) -> u32 {
        self.0
    }
}

/// The direction fields of all routes, cell by cell: agents of different routes that walk side by side then read the
/// same few lines of memory.
#[derive(Clone, Debug, Default)]
pub struct Directions {
    routes: usize,
    values: Vec<Way>,
}

impl Directions {
    /// Fields without any way.
    #[must_use]
    pub fn new(cells: usize, routes: usize) -> Self {
        Self { routes, values: vec![Way::NONE; cells * routes] }
    }

    /// What a route's field holds in a cell.
    #[must_use]
    #[inline]
    pub fn way(&self, cell: usize, route: usize) -> Way {
        self.values[cell * self.routes + route]
    }

    /// The direction of a route from a cell; zero where there is none.
    #[must_use]
    #[inline]
    pub fn at(&self, cell: usize, route: usize) -> Vec2 {
        self.way(cell, route).direction()
    }

    /// Says which way a route leads from a cell.
    pub(crate) fn set(&mut self, cell: usize, route: usize, way: Way) {
        self.values[cell * self.routes + route] = way;
    }

    /// Sends those who are in a cell through a portal.
    pub(crate) fn send_through(&mut self, cell: usize, route: usize, passage: u16) {
        self.values[cell * self.routes + route] = Way::through(passage);
    }

    /// Lets those who are in a cell wait there.
    pub(crate) fn hold(&mut self, cell: usize, route: usize) {
        self.values[cell * self.routes + route] = Way::WAIT;
    }

    /// The field of one route.
    #[must_use]
    pub fn of_route(&self, route: usize) -> Vec<Vec2> {
        self.values.iter().skip(route).step_by(self.routes.max(1)).map(|w| w.direction()).collect()
    }

    /// All of it, as shaders keep it.
    #[cfg(feature = "gpu")]
    pub(crate) fn codes(&self) -> impl Iterator<Item = u32> {
        self.values.iter().map(|w| w.code())
    }

    /// From what shaders keep.
    #[cfg(feature = "gpu")]
    pub(crate) fn of_codes(routes: usize, codes: &[u32]) -> Self {
        Self { routes, values: codes.iter().map(|&code| Way::of_code(code)).collect() }
    }

    /// Bytes that it holds.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.values.capacity() * size_of::<Way>()
    }
}
