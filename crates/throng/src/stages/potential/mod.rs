//! Potential: the least cost of walking from each cell to a goal (thesis 5.6).
//!
//! The equation is the eikonal one with a cost per direction, `|∇P| = C(x, direction)`. The default scheme takes,
//! for each of the four pairs of one horizontal neighbour (value `Px`, link cost `Cx`) and one vertical one,
//! the root of
//!
//! ```text
//! ((P - Px) / Cx)² + ((P - Py) / Cy)² = 1
//! ```
//!
//! or `min(Px + Cx, Py + Cy)` where that root is below one of the two neighbours; the cell's value is the least
//! of the four. Each pair is monotone in its neighbours, so is the least, and so there is one fixed point that
//! any order of updates reaches. The thesis's (5.10) is kept by name for comparison: it puts `Cx + Cy` on both
//! axes and chooses one neighbour per axis by `P + C`, which is not monotone: its result depends on the order.
//!
//! Portals add to this `P ≤ P_other + C` between cells that are not neighbours ([`Jump`]). When the floor is solved, whatever
//! cells gain by them begins a further solve from there, until none gains anything: as often as the cheapest ways lead
//! through one portal after another.

pub mod cpu;
pub mod harmonic;
pub mod tiles;

use crate::scene::parameters::choices;
pub use crate::world::cells::{Padded, PaddedCell, TILE};

/// A potential that no way reaches; also the cost of a closed link. Finite, since WGSL promises no infinities,
/// and small enough that its square is finite too.
pub const UNREACHED: f32 = 1e15;

choices! {
    /// How a cell's value follows from its neighbours'.
    pub enum Scheme {
        /// The consistent, monotone scheme over four quadrants.
        Upwind = "upwind",
        /// Equation (5.10) of the thesis.
        Thesis = "thesis",
    }
}

choices! {
    /// How the GPU engine orders the tiles that it solves. The CPU engine always marches in order.
    pub enum Solver {
        /// Lists of active tiles, in buckets of rising value.
        Buckets = "buckets",
        /// The thesis's Selective Update: every round visits the tiles whose neighbours changed.
        Selective = "selective",
        /// The thesis's Update All: every round visits all tiles.
        All = "all",
    }
}

/// A link between cells that are not neighbours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jump {
    /// Where it begins.
    pub from: PaddedCell,
    /// Where it ends.
    pub to: PaddedCell,
    /// What it costs.
    pub cost: f32,
}

impl Jump {
    /// What the cell at its beginning gains by it, if anything: `value` says what cells have.
    #[inline]
    fn gain(&self, value: impl Fn(PaddedCell) -> f32) -> Option<f32> {
        let new = value(self.to) + self.cost;
        (new < value(self.from)).then_some(new)
    }
}

/// What the solver did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct SolveReport {
    /// Rounds: buckets of the ordered march.
    pub rounds: u64,
    /// Cells taken from the queue, over all rounds.
    pub visits: u64,
    /// Whether nothing was left to improve.
    pub converged: bool,
    /// If not: about how many cells were.
    pub left: u64,
}

impl SolveReport {
    /// The sum of two reports: converged only if both are.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            rounds: self.rounds.max(other.rounds),
            visits: self.visits + other.visits,
            converged: self.converged && other.converged,
            left: self.left + other.left,
        }
    }
}
