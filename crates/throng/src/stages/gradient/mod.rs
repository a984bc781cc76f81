//! Gradient: which way to walk from each cell (thesis 5.7).
//!
//! The potential is known, so on each axis the neighbour with the steeper normalised descent `(P − P_n) / C` is the
//! one that the wave came from. With costs that depend on direction the cheapest way does not run along the
//! gradient but along the characteristic of `(p_x/C_x)² + (p_y/C_y)² = 1`, which is `(p_x/C_x², p_y/C_y²)`; for equal
//! costs that is the gradient. The field holds it at length 1, or zero where there is nowhere to go: in
//! walls, on the goal itself, where the goal cannot be reached.

pub mod cpu;
