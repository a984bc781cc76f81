//! The parameters of `[model.keep-distance]`.

use crate::scene::parameters::parameters;

parameters! {
    /// Room that people keep to whoever is ahead.
    pub struct KeepDistance {
        /// Room kept to whoever is ahead, beyond touching.
        gap: f32 = 0.5, "m", 0.0..=10.0, slider 0.0..=3.0;
        /// Room kept beyond that for every m/s of speed.
        time_gap: f32 = 0.5, "s", 0.0..=10.0, slider 0.0..=3.0;
    }
}
