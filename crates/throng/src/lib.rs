//! Throng simulates crowds: it plans their ways, steers them, keeps bodies apart, and measures what happens.
//!
//! A [`Scene`] says everything that a run starts from; a [`Simulation`] is a scene that runs. This is all it takes to
//! load a scene, run it, read positions and a field, and change a wall meanwhile:
//!
//! ```
//! use throng::{Scene, Simulation, Vec2, engine::Field, geometry::{Rect, Shape}, scene::NoFiles};
//!
//! let text = r#"
//!     size = [20, 10]
//!     goal = [{ name = "door", rect = [19, 4, 20, 6] }]
//!     agents = [{ count = 50, start = { rect = [1, 1, 9, 9] }, journey = ["door"] }]
//! "#;
//! let scene = Scene::parse("room.toml", text, &NoFiles)?;
//! let mut sim = Simulation::new(&scene)?;
//! sim.steps_by(50)?;                                          // two seconds
//! for (id, position) in sim.positions()?.into_iter().take(3) {
//!     println!("agent {id} is at {position} m");
//! }
//! let potential = sim.field(Field::Potential(0))?;             // cost of the way to the door, per cell
//! # let throng::engine::Values::Scalar(values) = &potential else { panic!("a number per cell") };
//! # assert_eq!(values.len(), 40 * 20);
//! sim.add_wall(Shape::Rect(Rect::new(Vec2::new(12.0, 3.0), Vec2::new(12.5, 10.0))))?;
//! while !sim.is_done() {
//!     sim.step()?;                                            // they walk round it
//! #   assert!(sim.time() < 120.0);
//! }
//! assert_eq!(sim.counters().arrived, 50);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The same scene and seed give the same bits, whatever the number of threads; [`Simulation::save`] and
//! [`Simulation::resume`] go on from anywhere with the same bits.
//!
//! # Where things are
//!
//! - [`scene`]: what a scene is, how its TOML is read and what is said when it is wrong.
//! - [`world`]: the raster, walls, goals, and the crowd as columns.
//! - [`stages`]: the pipeline, one folder a stage; each page has its equations and where they come from.
//! - [`engine`]: what runs the stages. The library speaks to a trait; [`engine::cpu`] is one engine.
//! - [`budget`]: how much memory a scene may take.
//! - [`measure`]: lanes, flow through a line, density, health.
//!
//! The library knows no files, windows or processes: scenes come as text and ask a small trait ([`scene::Files`]) for the
//! images that they name.

pub mod budget;
pub mod engine;
mod floor_calls;
pub mod geometry;
mod hazard_calls;
pub mod measure;
pub mod random;
mod resume;
pub mod scene;
mod simulation;
mod snapshot;
pub mod stages;
mod state_calls;
mod wide;
pub mod world;

pub use glam::Vec2;
pub use hazard_calls::BadHazard;
pub use resume::{ResumeError, SNAPSHOT_HEADER, SaveError, is_whole_snapshot};
pub use scene::Scene;
pub use simulation::{BadShape, Holds, InGoal, Simulation};
pub use stages::live::states::Why;
pub use state_calls::InState;
