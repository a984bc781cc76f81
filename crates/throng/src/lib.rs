//! Throng.
pub mod engine;
pub mod geometry;
pub mod measure;
pub mod random;
pub mod scene;
mod simulation;
mod snapshot;
pub mod stages;
pub mod world;
pub use scene::Scene;
pub use simulation::{ResumeError, Simulation};
pub use glam::Vec2;
