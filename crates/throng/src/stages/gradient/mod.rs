//! Gradient: which way to walk from each cell (thesis 5.7).
//!
//! The potential is known, so on each axis the neighbour with the steeper normalised descent `(P − P_n) / C` is the
//! one that the wave came from. With costs that depend on direction the cheapest way does not run along the
//! gradient but along the characteristic of `(p_x/C_x)² + (p_y/C_y)² = 1`, which is `(p_x/C_x², p_y/C_y²)`; for equal
//! costs that is the gradient. The field holds it at length 1, or zero where there is nowhere to go: in
//! walls, on the goal itself, where the goal cannot be reached.

pub mod cpu;

use glam::Vec2;

/// The direction fields of all goals, cell by cell: agents of different goals that walk side by side then read the
/// same few lines of memory.
#[derive(Clone, Debug, Default)]
pub struct Directions {
    goals: usize,
    values: Vec<Vec2>,
}

impl Directions {
    /// Fields of zeros.
    #[must_use]
    pub fn new(cells: usize, goals: usize) -> Self {
        Self { goals, values: vec![Vec2::ZERO; cells * goals] }
    }

    /// The direction to a goal from a cell; zero where there is none.
    #[must_use]
    #[inline]
    pub fn at(&self, cell: usize, goal: usize) -> Vec2 {
        self.values[cell * self.goals + goal]
    }

    /// The field of one goal.
    #[must_use]
    pub fn of_goal(&self, goal: usize) -> Vec<Vec2> {
        self.values.iter().skip(goal).step_by(self.goals.max(1)).copied().collect()
    }

    /// Bytes that it holds.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.values.capacity() * size_of::<Vec2>()
    }
}
