//! Cost: what it costs to walk from each cell to each neighbour (thesis 5.5).
//!
//! Per metre `W_L + (W_T + W_D·discomfort) / speed`, with the discomfort of the cell ahead; times the cell's side it is
//! the cost of the link. On slopes the speed is that of the level times the link's factor, and links that are too steep are closed
//! ([`crate::world::terrain`]). The plan `froblins` has a cost of its own ([`froblins`]). A closed link costs [`crate::stages::potential::UNREACHED`]. Discomfort is the map's plus
//! `clearance_discomfort·(1 − distance / clearance)` near walls, plus `hazard_discomfort` times the field of hazards
//! ([`crate::world::hazards`]).

pub mod cpu;
pub mod crowded;
pub mod froblins;
