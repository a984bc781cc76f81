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
    full: Columns<f32, f32>,
    half: Columns<u16, i16>,
    quarter: Columns<u8, i8>,
}

#[derive(Debug, Default)]
struct Columns<P, L> {
    x: Vec<P>,
    y: Vec<P>,
    lean_x: Vec<L>,
    lean_y: Vec<L>,
    /// Metres of a step of `x`.
    scale: f32,
}

impl<P: Copy + Default, L: Copy + Default> Columns<P, L> {
    fn fit(&mut self, n: usize) {
        self.x.resize(n, P::default());
        self.y.resize(n, P::default());
        self.lean_x.resize(n, L::default());
        self.lean_y.resize(n, L::default());
    }

    fn bytes(&self) -> usize {
        2 * (size_of::<P>() * self.x.capacity() + size_of::<L>() * self.lean_x.capacity())
    }
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
        let n = who.len() + LANES;
        let seen = who.iter().map(|&i| {
            let i = i as usize;
            (agents.position[i], lean(agents.velocity[i], bound.look_ahead))
        });
        let Self { full, half, quarter } = self;
        match bound.layout {
            Layout::Full => {
                full.fit(n);
                for (k, (p, lean)) in seen.enumerate() {
                    (full.x[k], full.y[k], full.lean_x[k], full.lean_y[k]) = (p.x, p.y, lean.x, lean.y);
                }
            }
            Layout::Half => {
                half.fit(n);
                half.scale = PERIOD * side / 65_536.0;
                for (k, (p, lean)) in seen.enumerate() {
                    let steps = (p / half.scale).round();
                    let lean = (lean * 32_767.0).round();
                    (half.x[k], half.y[k]) = (steps.x as i64 as u16, steps.y as i64 as u16);
                    (half.lean_x[k], half.lean_y[k]) = (lean.x as i16, lean.y as i16);
                }
            }
            Layout::Quarter => {
                quarter.fit(n);
                quarter.scale = PERIOD * side / 256.0;
                for (k, (p, lean)) in seen.enumerate() {
                    let steps = (p / quarter.scale).round();
                    let lean = (lean * 127.0).round();
                    (quarter.x[k], quarter.y[k]) = (steps.x as i64 as u8, steps.y as i64 as u8);
                    (quarter.lean_x[k], quarter.lean_y[k]) = (lean.x as i8, lean.y as i8);
                }
            }
        }
    }

    pub(super) fn full(&self) -> impl Look + '_ {
        Full(&self.full)
    }

    pub(super) fn half(&self) -> impl Look + '_ {
        Half(&self.half)
    }

    pub(super) fn quarter(&self) -> impl Look + '_ {
        Quarter(&self.quarter)
    }
}

/// How records of some layout are read.
pub(super) trait Look: Copy {
    /// From some people, by their place in the list, to somebody.
    fn at(self, own: usize, first: usize) -> Looks;
}

#[derive(Clone, Copy)]
struct Full<'a>(&'a Columns<f32, f32>);
#[derive(Clone, Copy)]
struct Half<'a>(&'a Columns<u16, i16>);
#[derive(Clone, Copy)]
struct Quarter<'a>(&'a Columns<u8, i8>);

/// Lanes of a column.
#[inline(always)]
fn lanes<T: Copy>(column: &[T], first: usize) -> [T; LANES] {
    *column[first..].first_chunk().expect("nobody stands behind the last")
}

impl Look for Full<'_> {
    #[inline(always)]
    fn at(self, own: usize, first: usize) -> Looks {
        let (x, y) = (lanes(&self.0.x, first), lanes(&self.0.y, first));
        let (own_x, own_y) = (self.0.x[own], self.0.y[own]);
        let mut looks = [[0.0; LANES], [0.0; LANES], lanes(&self.0.lean_x, first), lanes(&self.0.lean_y, first)];
        for k in 0..LANES {
            looks[0][k] = own_x - x[k];
            looks[1][k] = own_y - y[k];
        }
        looks
    }
}

impl Look for Half<'_> {
    #[inline(always)]
    fn at(self, own: usize, first: usize) -> Looks {
        let (x, y) = (lanes(&self.0.x, first), lanes(&self.0.y, first));
        let (lean_x, lean_y) = (lanes(&self.0.lean_x, first), lanes(&self.0.lean_y, first));
        let (own_x, own_y, scale) = (self.0.x[own], self.0.y[own], self.0.scale);
        let mut looks = [[0.0; LANES]; 4];
        for k in 0..LANES {
            looks[0][k] = f32::from(own_x.wrapping_sub(x[k]) as i16) * scale;
            looks[1][k] = f32::from(own_y.wrapping_sub(y[k]) as i16) * scale;
            looks[2][k] = f32::from(lean_x[k]) * (1.0 / 32_767.0);
            looks[3][k] = f32::from(lean_y[k]) * (1.0 / 32_767.0);
        }
        looks
    }
}

impl Look for Quarter<'_> {
    #[inline(always)]
    fn at(self, own: usize, first: usize) -> Looks {
        let (x, y) = (lanes(&self.0.x, first), lanes(&self.0.y, first));
        let (lean_x, lean_y) = (lanes(&self.0.lean_x, first), lanes(&self.0.lean_y, first));
        let (own_x, own_y, scale) = (self.0.x[own], self.0.y[own], self.0.scale);
        let mut looks = [[0.0; LANES]; 4];
        for k in 0..LANES {
            looks[0][k] = f32::from(own_x.wrapping_sub(x[k]) as i8) * scale;
            looks[1][k] = f32::from(own_y.wrapping_sub(y[k]) as i8) * scale;
            looks[2][k] = f32::from(lean_x[k]) * (1.0 / 127.0);
            looks[3][k] = f32::from(lean_y[k]) * (1.0 / 127.0);
        }
        looks
    }
}
