//! Hazards as balls of mist.

use crate::shot::ShownHazard;
use throng::scene::HazardKind;

/// One of them, as hazards.wgsl reads it.
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(crate) struct Mist {
    /// Middle, radius, and height of the middle above the ground, m.
    disc: [f32; 4],
    /// As shown; the last is how thick it is.
    colour: [f32; 4],
}

impl Mist {
    pub(crate) const BYTES: u64 = size_of::<Self>() as u64;

    /// As it is shown; one that fades is thinner.
    pub(crate) fn of(shown: &ShownHazard) -> Self {
        let disc = &shown.disc;
        let (above, colour, thick) = match shown.hazard.kind {
            HazardKind::Gas => (0.3 * disc.radius, [0.61, 0.77, 0.24], 0.75),
            HazardKind::Ghost => (disc.radius + 0.5, [0.86, 0.80, 1.0], 0.85),
        };
        let [r, g, b] = colour;
        let strength = disc.strength.clamp(0.0, 1.0);
        Self { disc: [disc.centre.x, disc.centre.y, disc.radius, above], colour: [r, g, b, thick * strength] }
    }
}
