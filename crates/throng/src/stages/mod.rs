//! The stages of a step, one folder each: what it means (`mod.rs`), and its CPU twin (`cpu.rs`). A GPU twin lies
//! beside them. Stages know fields and columns, never an engine.

pub mod bin;
pub mod cost;
pub mod flow;
pub mod gradient;
pub mod live;
pub mod motion;
pub mod potential;
pub mod separate;
pub mod speed;
pub mod splat;
pub mod steer;

/// How many stages a step has.
pub const COUNT: usize = 12;

/// The stages in the order of a step, by the names that reports use.
pub const NAMES: [&str; COUNT] =
    ["splat", "flow", "speed", "cost", "potential", "gradient", "steer", "move", "bin", "separate", "measure", "live"];
