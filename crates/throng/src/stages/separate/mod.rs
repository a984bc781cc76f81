//! Separate: bodies that overlap are pushed apart (thesis 6.3.2).
//!
//! A few rounds of relaxation. In each round every agent looks at all that overlap it, at the positions that the
//! last round left: each pair asks both to give way by half of the overlap, and an agent moves by the mean of what
//! it is asked, times [`OVERSHOOT`] (by the plain sum for one or two neighbours). The thesis takes the sum always,
//! which throws agents about where many overlap. Everything reads the last round and writes the next, so the
//! order of agents does not matter. Bodies do not push each other through walls, and walls push back.
//!
//! The neighbours of a step are found once, with a margin of one stride, the farthest that a step's rounds may carry
//! anybody. Two that are both carried that far towards each other are seen in the next step. [`Search`] says how they
//! are found; each way finds the same ones, and on the CPU in the same order. (On a GPU sweep and prune meets them in another,
//! which only matters to a heap with more than [`MOST_NEIGHBOURS`].)

pub mod cpu;

use crate::scene::parameters::choices;

/// Over-relaxation of the mean displacement.
pub const OVERSHOOT: f32 = 1.6;

/// Where a steering asks for it ([`Steering::yields`](crate::stages::steer::Steering::yields)), how much more of an overlap the one gives
/// way by who faces the other, for each of the two.
pub const YIELDING: f32 = 0.25;

/// More neighbours than this are left out, and counted: bodies of one size that do not overlap leave room for six
/// within touch; only a heap that the scene made itself has so many.
pub const MOST_NEIGHBOURS: usize = 64;

choices! {
    /// How separation finds the bodies near each.
    pub enum Search {
        /// Looks into the sorted bins around it (thesis 6.3.1.2).
        Bins = "bins",
        /// Sweep and prune: looks along a list of all bodies sorted by x (thesis 6.3.1.1).
        Sweep = "sweep",
        /// Looks at every pair.
        AllPairs = "all-pairs",
    }
}

/// How bodies overlap. Penetration is divided by the sum of radii.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Overlap {
    /// Mean over agents of their deepest overlap.
    pub mean: f32,
    /// The deepest overlap of any pair.
    pub max: f32,
    /// Share of agents that overlap somebody by more than 5 %.
    pub share: f32,
}
