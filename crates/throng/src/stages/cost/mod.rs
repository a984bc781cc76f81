//! Cost: what it costs to walk from each cell to each neighbour (thesis 5.5).
//!
//! Per metre `W_L + (W_T + W_D·discomfort) / speed`, with the discomfort of the cell ahead; times the cell's side it is
//! the cost of the link. A closed link costs [`crate::stages::potential::UNREACHED`]. Discomfort is the map's plus
//! `clearance_discomfort·(1 − distance / clearance)` near walls.

pub mod cpu;
pub mod crowded;
