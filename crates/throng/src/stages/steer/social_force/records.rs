//! People as others read them while forces are added up: where somebody is, and its *lean*. The lean is its walking direction times
//! `√(1 − 1/γ²)`: with it the elliptic distance is `d² = |Δ|² − max(Δ·lean, 0)²`, and no direction or speed has to be known any more.
//!
//! Packed records hold a place as a fraction of a period of four cells, of which the whole part is left out: the difference of two that are less than
//! half a period apart is right, whatever it was (numbers wrap around).

use super::Layout;
use super::cells::Bound;
use crate::world::agents::Agents;
use glam::Vec2;

/// People that are looked at together.
pub(super) const LANES: usize = 16;

/// Numbers of so many lanes: away from somebody east and north, and its lean east and north.
pub(super) type Looks = [[f32; LANES]; 4];

/// Cells of a period.
const PERIOD: f32 = 4.0;

/// Everybody in the list of cells, column by column, and some nobody behind the last so that whole lanes can be read.
#[derive(Debug, Default)]
pub struct Records {
    pub(super) full: Columns<f32, f32>,
    pub(super) half: Columns<u16, i16>,
    pub(super) quarter: Columns<u8, i8>,
}

#[derive(Debug, Default)]
pub(super) struct Columns<P, L> {
    x: Vec<P>,
    y: Vec<P>,
    lean_x: Vec<L>,
    lean_y: Vec<L>,
    /// Metres of a step of `x`.
    scale: f32,
}

/// A coordinate as records hold it.
pub(super) trait Coordinate: Copy + Default {
    /// Steps of a period.
    const STEPS: f32;
    /// From metres, with steps of some metres.
    fn of(metres: f32, scale: f32) -> Self;
    /// Metres from another one to this.
    fn away(self, other: Self, scale: f32) -> f32;
}

/// A part of a lean as records hold it.
pub(super) trait Lean: Copy + Default {
    /// From a number of −1 to 1.
    fn of(part: f32) -> Self;
    /// That number.
    fn part(self) -> f32;
}

impl Coordinate for f32 {
    const STEPS: f32 = 1.0;
    fn of(metres: f32, _: f32) -> Self {
        metres
    }
    #[inline(always)]
    fn away(self, other: Self, _: f32) -> f32 {
        self - other
    }
}

impl Lean for f32 {
    fn of(part: f32) -> Self {
        part
    }
    #[inline(always)]
    fn part(self) -> f32 {
        self
    }
}

/// Numbers of fewer bits: coordinates wrap around at the end of a period.
macro_rules! packed {
    ($coordinate:ty, $difference:ty) => {
        impl Coordinate for $coordinate {
            const STEPS: f32 = <$coordinate>::MAX as f32 + 1.0;
            fn of(metres: f32, scale: f32) -> Self {
                (metres / scale).round() as i64 as Self
            }
            #[inline(always)]
            fn away(self, other: Self, scale: f32) -> f32 {
                f32::from(self.wrapping_sub(other) as $difference) * scale
            }
        }

        impl Lean for $difference {
            fn of(part: f32) -> Self {
                (part * f32::from(Self::MAX)).round() as Self
            }
            #[inline(always)]
            fn part(self) -> f32 {
                f32::from(self) * (1.0 / Self::MAX as f32)
            }
        }
    };
}

packed!(u16, i16);
packed!(u8, i8);

impl<P: Coordinate, L: Lean> Columns<P, L> {
    /// Keeps so many people, as places and leans, in cells that are `side` metres wide.
    fn keep(&mut self, people: impl Iterator<Item = (Vec2, Vec2)>, count: usize, side: f32) {
        let n = count + LANES;
        self.x.resize(n, P::default());
        self.y.resize(n, P::default());
        self.lean_x.resize(n, L::default());
        self.lean_y.resize(n, L::default());
        self.scale = PERIOD * side / P::STEPS;
        for (k, (p, lean)) in people.enumerate() {
            (self.x[k], self.y[k]) = (P::of(p.x, self.scale), P::of(p.y, self.scale));
            (self.lean_x[k], self.lean_y[k]) = (L::of(lean.x), L::of(lean.y));
        }
    }

    /// From some people, by their place in the list, to somebody.
    #[inline(always)]
    pub(super) fn at(&self, own: usize, first: usize) -> Looks {
        let (x, y) = (lanes(&self.x, first), lanes(&self.y, first));
        let (lean_x, lean_y) = (lanes(&self.lean_x, first), lanes(&self.lean_y, first));
        let (own_x, own_y, scale) = (self.x[own], self.y[own], self.scale);
        let mut looks = [[0.0; LANES]; 4];
        for k in 0..LANES {
            looks[0][k] = own_x.away(x[k], scale);
            looks[1][k] = own_y.away(y[k], scale);
            looks[2][k] = lean_x[k].part();
            looks[3][k] = lean_y[k].part();
        }
        looks
    }

    fn bytes(&self) -> usize {
        2 * (size_of::<P>() * self.x.capacity() + size_of::<L>() * self.lean_x.capacity())
    }
}

/// Lanes of a column.
#[inline(always)]
fn lanes<T: Copy>(column: &[T], first: usize) -> [T; LANES] {
    *column[first..].first_chunk().expect("nobody stands behind the last")
}

/// How others see somebody with this velocity: its direction times how much longer the distance is ahead of it.
#[inline]
#[must_use]
pub fn lean(velocity: Vec2, look_ahead: f32) -> Vec2 {
    let speed = velocity.length();
    let stretch = 1.0 + look_ahead * speed;
    // 1 − 1/γ², without the difference of two numbers that are nearly the same.
    let square = (stretch - 1.0) * (stretch + 1.0) / (stretch * stretch);
    velocity * (square.sqrt() / speed.max(1e-6))
}

impl Records {
    /// Bytes that it holds on to.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.full.bytes() + self.half.bytes() + self.quarter.bytes()
    }

    /// Keeps everybody in the list. Cells are `side` metres wide.
    pub(super) fn keep(&mut self, agents: &Agents, who: &[u32], bound: Bound, side: f32) {
        let seen = who.iter().map(|&i| {
            let i = i as usize;
            (agents.position[i], lean(agents.velocity[i], bound.look_ahead))
        });
        match bound.layout {
            Layout::Full => self.full.keep(seen, who.len(), side),
            Layout::Half => self.half.keep(seen, who.len(), side),
            Layout::Quarter => self.quarter.keep(seen, who.len(), side),
        }
    }
}
