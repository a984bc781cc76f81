//! Motion (`move` is a reserved word in Rust and WGSL): agents go where they want, and slide along walls that are
//! in the way (thesis 6.2).

pub mod cpu;
