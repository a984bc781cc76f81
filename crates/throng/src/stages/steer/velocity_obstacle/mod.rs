//! `velocity-obstacle`: of a few directions the one in which nothing is hit for longest and that leads nearest to where the plan does
//! (Shopf et al., "March of the Froblins", 3.2.2; docs/models/velocity-obstacle.md).
//!
//! 1. *Candidates*. The plan's direction and some beside it: all clockwise from it, as in the paper, or a fan to both sides.
//! 2. *Fitness*. The time until a collision with anybody, all others walking on as they do, or with a wall; and the way made towards
//!    where the plan leads. Those who are more aggressive care less for collisions.
//! 3. *Damping*. Who turned one way does not turn back at once: only in every n-th step.
//! 4. *Speed*. As fast as the plan says, or what leads just to the contact in this step. Turning takes its time.
//! 5. *Patience*. Who makes no headway gives way for a while, or pushes if somebody stands in the way ([`patience`](super::patience)).

mod cpu;
pub mod sweep;

use super::{Pace, Steering};
use crate::scene::parameters::{choices, parameters};
use crate::world::agents::{ColumnInfo, ModelColumn};

choices! {
    /// Where the directions that are tried lie.
    pub enum Fan {
        /// Clockwise from the plan's: everybody passes on the same side.
        Right = "right",
        /// To both sides of it, by turns; the right first.
        Both = "both",
    }
}

parameters! {
    /// How people avoid whom they would hit.
    pub struct VelocityObstacle {
        /// How many directions are tried, the plan's among them.
        candidates: u32 = 5, "", 1..=8, slider 1..=8;
        /// On which sides of the plan's direction they lie.
        fan: Fan;
        /// The angle from one to the next.
        angle: f32 = 0.35, "rad", 0.01..=1.5, slider 0.05..=0.8;
        /// How far ahead in time collisions with people count.
        horizon: f32 = 3.0, "s", 0.1..=10.0, slider 0.2..=5.0;
        /// How far ahead in time collisions with walls count: less, since the plan leads round them.
        wall_horizon: f32 = 0.4, "s", 0.0..=5.0, slider 0.0..=2.0;
        /// What a second until a collision counts for somebody who is not aggressive at all.
        weight: f32 = 1.0, "1/s", 0.0..=10.0, slider 0.0..=3.0;
        /// How aggressive people are, 0 to 1: the more, the less they avoid.
        aggressiveness: f32 = 0.2, "", 0.0..=1.0, slider 0.0..=1.0;
        /// How far people differ in that, to either side.
        spread: f32 = 0.2, "", 0.0..=1.0, slider 0.0..=1.0;
        /// Turning back is free in every so many steps only; 1: always.
        damping: u32 = 8, "steps", 1..=1000, slider 1..=50;
        /// How long people bear to make no headway against others before they push or give way.
        patience: f32 = 1.5, "s", 0.1..=1000.0, slider 0.5..=20.0;
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
    shader: concat!(include_str!("velocity_obstacle.wgsl"), include_str!("../patience.wgsl")),
    kernel: "velocity_obstacle",
    threads: 128,
    agents_a_group: 128,
};

const COLUMNS: &[ModelColumn] = &[ModelColumn {
    info: ColumnInfo {
        name: "temper",
        unit: "-, s, s, s",
        meaning: "The direction last chosen, by its number from 1, below 0 after a turn to the right; patience used up; time left to push, or \
                  below 0 to give way, as even and as odd steps find it.",
    },
    width: 4,
    start: 0.0,
}];
