//! `walk`: agents see each other. Guided by whatever the plan says, each keeps its distance by how dense it is ahead, passes who is
//! in its way, gives way when it makes no headway, and turns no faster than it is told (docs/models/walk.md).
//!
//! 1. *Patience*. Who makes no headway because somebody who goes elsewhere, or somebody who steps aside, is right ahead, loses
//!    patience, and then steps aside for a while. So yielding travels back through a queue. Who has done so often in vain does it
//!    less and less.
//! 2. *Direction*. Otherwise the best of seven directions around the plan's: far to go until a collision (with everybody
//!    walking on as now, and with walls), near to the plan's, not far from where it faces; and a little to the right when
//!    somebody comes the other way.
//! 3. *Speed*. The preferred one times what the density around a point ahead allows, the own body left out; and no more than the room
//!    to whoever walks ahead allows. The density is a sum over people, not over cells, so its length does not depend on the raster.
//!
//! Everything is read as the last step left it. What others have to know of a mind, whether it steps aside, is kept twice: a step reads
//! the one and writes the other.

mod cpu;
mod look;

use super::{Pace, Steering};
use crate::scene::parameters::parameters;
use crate::world::agents::{ColumnInfo, ModelColumn};

parameters! {
    /// How people walk.
    pub struct Walk {
        /// How far people look for others and for walls.
        foresight: f32 = 2.5, "m", 0.5..=5.0, slider 0.5..=5.0;
        /// How much people prefer a side when others come the other way: above 0 the right, below 0 the left.
        side: f32 = 0.3, "", -1.0..=1.0, slider -0.5..=0.5;
        /// How much people prefer to go on where they face.
        steadiness: f32 = 0.6, "", 0.0..=5.0, slider 0.0..=2.0;
        /// How far ahead people look at how dense it is.
        ahead: f32 = 0.7, "m", 0.0..=2.0, slider 0.0..=2.0;
        /// Density around that place, without oneself, at which people walk at half of their speed.
        half_speed: f32 = 1.75, "persons/m²", 0.1..=20.0, slider 0.5..=6.0;
        /// How sharply speed falls around that density.
        sharpness: f32 = 4.0, "", 1.0..=10.0, slider 1.0..=6.0;
        /// Time to whoever walks ahead the same way that people keep.
        time_gap: f32 = 0.55, "s", 0.0..=10.0, slider 0.0..=3.0;
        /// How long people bear to make no headway against others before they step aside.
        patience: f32 = 3.0, "s", 0.1..=1000.0, slider 0.5..=20.0;
        /// How long they step aside.
        aside: f32 = 2.5, "s", 0.0..=100.0, slider 0.0..=10.0;
    }
}

/// Its line in the table of steerings.
pub(super) const STEERING: Steering = Steering {
    columns: COLUMNS,
    pace: Pace::Free,
    yields: true,
    least_speed: 0.4,
    bounded: None,
    avoid: cpu::avoid,
    shader: include_str!("walk.wgsl"),
    kernel: "walk",
    threads: 128,
    agents_a_group: 128,
};

const COLUMNS: &[ModelColumn] = &[ModelColumn {
    info: ColumnInfo {
        name: "mind",
        unit: "m/s, s, s, s",
        meaning: "Progress along the plan; patience used up; time left to step aside, as even and as odd steps find it. Below 0: how often in vain.",
    },
    width: 4,
    start: 0.0,
}];
