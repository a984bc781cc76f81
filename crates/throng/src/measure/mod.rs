//! What is measured of a crowd, on whatever engine.

pub mod bands;
pub mod crowd;
pub mod crossing;

pub use bands::band_index;
pub use crossing::Gate;
