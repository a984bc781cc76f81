//! Speed: how fast one can walk from each cell to its north, east, south and west neighbour (thesis 5.4).
//!
//! **Weidmann** (default). The speed that a density allows falls as measured crowds' does:
//! `f(ρ) = 1 − exp(−1.913·(1/ρ − 1/ρ_jam))`, with ρ in persons/m² of the cell ahead. Bodies of other sizes count by
//! their area: ρ is the planner's density divided by that of one person of `person_radius` per square metre.
//! With the stream one walks as fast as that, against it slower:
//!
//! ```text
//! v = v_ref · zone · f(ρ) · (1 − w·k(ρ)·(1 − clamp(u / (v_ref·zone·f), −1, 1)) / 2),   k = ρ / (ρ + 1)
//! ```
//!
//! where `u` is the average velocity of the cell ahead along the direction and `w` the `flow_weight`. It never
//! exceeds what the density allows, so it cannot feed on itself as the thesis's law does.
//!
//! **Thesis**: the flow's own speed above `density_max`, the greatest below `density_min`, linear between.

pub mod cpu;

use crate::scene::parameters::choices;

choices! {
    /// How the speed that the planner expects depends on the crowd.
    pub enum SpeedLaw {
        /// Falls with density as Weidmann measured; slower against the stream.
        Weidmann = "weidmann",
        /// The thesis's 5.4: the flow's own speed where it is dense.
        Thesis = "thesis",
    }
}

/// Weidmann's factor at `density` persons/m².
#[must_use]
pub fn weidmann(density: f32, jam: f32) -> f32 {
    if density <= 0.0 {
        return 1.0;
    }
    (1.0 - (-1.913 * (1.0 / density - 1.0 / jam)).exp()).max(0.0)
}
