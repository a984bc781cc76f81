//! Splat: each agent's body and momentum, spread over the cells around it (thesis 5.2).
//!
//! The thesis draws a cone of height 1 whose base has twice the agent's radius `r`; its volume is `4/3·πr²`, so the
//! sum over agents is 4/3 of the share of floor that bodies cover: the *planner's density*. Sampled at the
//! middles of cells such a cone misses small agents, so here the weights of an agent are normalised to add
//! up to one and multiplied with that volume. A cone narrower than a cell becomes the bilinear weights of the
//! four cells around the agent. Behind a wall nothing is splatted: only cells that open links lead to count.
//!
//! Sums are integers of [`QUANTA`] per unit, so no order of addition matters. A cell holds up to 32,767 units of
//! density or momentum (unit: m/s); beyond that it saturates, and the step counts it.

pub mod blocks;
pub mod cpu;

/// Quanta per unit: an agent's share is rounded to 1/65,536.
pub const QUANTA: f32 = 65_536.0;

/// What a cell collects, in quanta: density, momentum to the east, to the north, persons.
pub type Quanta = [i32; 4];

/// The volume of the cone of a body of radius `r`, in m².
#[must_use]
pub fn body(r: f32) -> f32 {
    4.0 / 3.0 * std::f32::consts::PI * r * r
}
