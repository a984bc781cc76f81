//! Steer: what velocity each agent wants (thesis 6.2).
//!
//! `follow`: the agent looks ahead, past its own footprint, takes the goal's direction there (bilinear, only over
//! cells that it can see), turns towards it no faster than its turn rate (four times that when it has to turn
//! far, or faces a wall), and wants the speed that the field allows along its new heading. It slows down with
//! the angle that is left to turn, and so turns in place when it faces away. A wall ahead is no reason to stop
//! when the way leads along it: then the direction at the agent's own place counts.

pub mod cpu;
pub mod keep_distance;

use crate::scene::parameters::choices;

choices! {
    /// How agents steer.
    pub enum Steer {
        /// Follow the goal's field, looking ahead (thesis 6.2).
        Follow = "follow",
    }
}
