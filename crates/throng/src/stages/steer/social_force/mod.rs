//! `social-force`: forces of people, walls and crowded cells, on cells that hold only so many (Wockenfuss and Lürig, "Introducing congestion
//! avoidance into CUDA based crowd simulation"; docs/models/social-force.md).
//!
//! 1. *Drive*. Towards where the plan leads, within a relaxation time.
//! 2. *People* repel each other along the negative gradient of `S·exp(−d/R)`, with an elliptic distance that reaches farther ahead of who
//!    walks; those behind one's back count half. *Walls* repel, too.
//! 3. *Congestion avoidance*. Crowded cells around push away. *Dispersion*: who is in a crowded cell is drawn to emptier ones ahead.
//! 4. *Speed*. No more than the density of one's cell allows.
//! 5. *Bounded cells* ([`cells`]). After everybody has moved, who has crossed into another cell asks for a place there; where there is none
//!    it stays at the border ([`bound`]). So no cell is ever overfull, and forces never grow beyond what a time step can bear.

pub mod bound;
pub mod cells;
mod cpu;
pub mod records;
pub mod strips;

use super::{Pace, Steering};
use crate::scene::Model;
use crate::scene::parameters::{choices, parameters};
use crate::world::agents::{ColumnInfo, ModelColumn};
use cells::Bound;

choices! {
    /// What people do about crowded cells.
    pub enum Congestion {
        /// They are drawn on out of crowded cells, and pushed away from them.
        Dispersion = "dispersion",
        /// They are pushed away from crowded cells.
        Avoidance = "avoidance",
        /// Nothing: the standard model.
        Standard = "standard",
    }
}

choices! {
    /// How those around are kept while forces are added up: the sets A, B and C of the paper's Table 2.
    pub enum Layout {
        /// In 16 bytes, as numbers of 32 bits (of set A's 32 bytes what others read).
        Full = "full",
        /// In 8 bytes, as numbers of 16 bits (of set B's 16).
        Half = "half",
        /// In 4 bytes, as numbers of 8 bits (of set C's 8).
        Quarter = "quarter",
    }
}

choices! {
    /// How fast people walk at most in a cell of some density.
    pub enum CellLaw {
        /// As measured on streets (Weidmann).
        Weidmann = "weidmann",
        /// As fast as anywhere: only the number of places is limited.
        Free = "free",
    }
}

parameters! {
    /// Forces on people, and cells that hold only so many.
    pub struct SocialForce {
        /// What people do about crowded cells.
        congestion: Congestion;
        /// How those around are kept while forces are added up.
        packing: Layout;
        /// How the density of a cell limits the speed in it.
        cell_law: CellLaw;
        /// How long people take to reach the speed that they prefer.
        relaxation: f32 = 0.2, "s", 0.05..=10.0, slider 0.1..=2.0;
        /// How strongly people repel each other (S).
        strength: f32 = 1.0, "m²/s²", 0.0..=100.0, slider 0.0..=5.0;
        /// How far that reaches (R): nothing is left of it there. Cells are as wide.
        range: f32 = 4.0, "m", 1.0..=20.0, slider 1.0..=8.0;
        /// So many seconds ahead of who walks others make room.
        look_ahead: f32 = 2.0, "s", 0.0..=10.0, slider 0.0..=5.0;
        /// How much others count who are behind one's back, more than 100° from where one faces.
        behind: f32 = 0.5, "", 0.0..=1.0, slider 0.0..=1.0;
        /// How strongly walls repel.
        wall_strength: f32 = 0.3, "m²/s²", 0.0..=100.0, slider 0.0..=5.0;
        /// How far from a body's edge that has fallen to a third. Nothing is left of it at three times this.
        wall_range: f32 = 0.2, "m", 0.01..=5.0, slider 0.05..=1.0;
        /// How many people a cell holds.
        places: u32 = 32, "", 1..=10000, slider 1..=64;
        /// More people than this in a cell push those in the cells around it away.
        crowded: u32 = 20, "", 0..=10000, slider 0..=64;
        /// How strongly, for each person more.
        avoidance: f32 = 0.3, "m/s²", 0.0..=100.0, slider 0.0..=1.0;
        /// From so many in one's own cell on people are drawn to those cells around it that are not crowded.
        dense: u32 = 26, "", 1..=10000, slider 1..=64;
        /// How strongly, for each person less there.
        dispersion: f32 = 0.05, "m/s²", 0.0..=100.0, slider 0.0..=1.0;
        /// How much those cells count that are not ahead, more than 80° from the way that one goes.
        drawn_back: f32 = 0.0, "", 0.0..=1.0, slider 0.0..=1.0;
    }
}

/// Its line in the table of steerings.
pub(super) const STEERING: Steering = Steering {
    columns: COLUMNS,
    pace: Pace::Free,
    yields: false,
    least_speed: 0.4,
    bounded: Some(bounded),
    avoid: cpu::avoid,
    shader: include_str!("social_force.wgsl"),
    kernel: "social_force",
    threads: 128,
    agents_a_group: 128,
};

const COLUMNS: &[ModelColumn] = &[ModelColumn {
    info: ColumnInfo {
        name: "forces",
        unit: "m/s²",
        meaning: "The force of people, east and north; then that of walls and crowded cells, east and north.",
    },
    width: 4,
    start: 0.0,
}];

/// Its cells.
fn bounded(model: &Model) -> Bound {
    let own = &model.steering.social_force;
    Bound { side: own.range, places: own.places, layout: own.packing, look_ahead: own.look_ahead }
}

/// The share of the preferred speed that is left at a density, persons/m².
#[inline]
fn share_of_speed(law: CellLaw, density: f32) -> f32 {
    match law {
        // With the constants of Weidmann (1993): 1.913 persons/m², and nobody moves at 5.4.
        CellLaw::Weidmann => (1.0 - (-1.913 * (1.0 / density.max(1e-3) - 1.0 / 5.4)).exp()).max(0.0),
        CellLaw::Free => 1.0,
    }
}
