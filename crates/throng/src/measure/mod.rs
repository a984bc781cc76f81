//! What is measured of a crowd, on whatever engine.

pub mod bands;
pub mod crossing;
pub mod crowd;
pub mod places;
pub mod progress;
pub mod watch;

pub use bands::band_index;
pub use crossing::Gate;
pub use watch::Watch;
