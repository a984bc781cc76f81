//! Guide: what the plan tells each agent (thesis 6.2).
//!
//! The agent looks ahead, past its own footprint, and takes its route's direction there (bilinear, only over cells that it
//! can see). A wall ahead is no reason to stop when the way leads along it: then the direction at the agent's own place
//! counts. The speed is what the field allows along the heading that the agent can turn to in this step. It may turn
//! as fast as its turn rate, four times that when it has to turn far, or faces a wall.

pub mod cpu;
