//! Holds Throng against measured crowds and the standard evacuation tests.
//!
//! A [`Test`] asks for runs of scenes that it draws itself, and judges what came of them: figures with bounds. A [`Schedule`] makes
//! the runs of several tests, each once, and the same on any number of threads; [`report`] says what they found, as text, JSON, CSV,
//! a page and plots.
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//! use throng_verify::{Schedule, Settings, Status, Unwatched, chosen};
//!
//! let settings = Settings::quick();
//! let tests = chosen(&["rimea-1".to_owned()])?;
//! let findings = Schedule::new(&settings, &tests).execute(&settings, 1, &AtomicBool::new(false), &Unwatched);
//! assert_eq!(findings.tests[0].status, Status::Pass);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod catalogue;
pub mod congestion;
pub mod data;
mod draft;
mod family;
mod observe;
pub mod report;
mod run;
mod schedule;
mod settings;
mod shortfalls;
mod steerings;
mod verdict;

pub use catalogue::{Family, Test, UnknownTest, all, chosen};
pub use observe::voronoi;
pub use run::{Outcome, Outcomes, Run, RunError};
pub use schedule::{Finding, Findings, Progress, Schedule, Unwatched};
pub use settings::{CELLS, Place, Settings};
pub use steerings::{Arrivals, Compared, Comparing, Comparison, Quantity};
pub use verdict::{Figure, Point, Status, Verdict, significant};
