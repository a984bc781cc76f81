//! `orca`: optimal reciprocal collision avoidance (van den Berg, Guy, Lin, Manocha, "Reciprocal n-body collision avoidance", 2011;
//! docs/models/orca.md).
//!
//! Each neighbour forbids a half-plane of velocities: those that lead to a collision within the horizon if it takes on its half of the
//! change that is needed, and no more. Each wall forbids those that lead into it. Of what is left an agent takes the velocity nearest to
//! what the plan says ([`program`]); if nothing is left, the one that violates the neighbours' half-planes least.
//!
//! Everybody reads the last step's velocities and decides for itself. Remembered is only how long somebody has made no headway: who loses
//! patience gives way for a while ([`patience`](super::patience)).

mod cpu;
pub mod program;

use super::{Pace, Steering};
use crate::scene::parameters::parameters;
use crate::world::agents::{ColumnInfo, ModelColumn};

parameters! {
    /// How people share the work of avoiding each other.
    pub struct Orca {
        /// How many of the nearest people are avoided.
        neighbours: u32 = 10, "", 1..=16, slider 1..=16;
        /// Velocities that lead to a collision with people within this time are avoided.
        horizon: f32 = 2.0, "s", 0.1..=20.0, slider 0.2..=10.0;
        /// The same for walls.
        wall_horizon: f32 = 0.3, "s", 0.01..=10.0, slider 0.05..=2.0;
        /// How far to the right of the plan's direction people tend, so that those who meet pass on the same side; below 0 to the left.
        side: f32 = 0.05, "rad", -0.5..=0.5, slider -0.3..=0.3;
        /// How long people bear to make no headway against others before they give way.
        patience: f32 = 4.0, "s", 0.1..=1000.0, slider 0.5..=20.0;
    }
}

/// Its line in the table of steerings.
pub(super) const STEERING: Steering = Steering {
    columns: COLUMNS,
    pace: Pace::Free,
    yields: false,
    least_speed: 0.4,
    bounded: None,
    avoid: cpu::avoid,
    shader: concat!(include_str!("orca.wgsl"), include_str!("../patience.wgsl")),
    kernel: "orca",
    threads: 128,
    agents_a_group: 128,
};

const COLUMNS: &[ModelColumn] = &[ModelColumn {
    info: ColumnInfo {
        name: "temper",
        unit: "-, s, s, s",
        meaning: "Nothing; patience used up; time left to push, or below 0 to give way, as even and as odd steps find it.",
    },
    width: 4,
    start: 0.0,
}];
