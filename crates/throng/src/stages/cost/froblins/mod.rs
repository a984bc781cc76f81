//! `froblins`: a cost without direction ("March of the Froblins", 3.2.1.3, equation 4).
//!
//! ```text
//! F = max(least_cost, a·T + b·D + c·A)   per metre
//! ```
//!
//! of the own cell, on both axes (equation 3). T is what a metre of the empty floor takes: the mean of the pace up and down
//! ([`crate::world::terrain`]) over the zone's factor, and `discomfort_weight` times the discomfort of ground and walls. D is the
//! planner's density, A the field of hazards ([`crate::world::hazards`]). The weights a, b and c may be scaled in places (`[[weights]]`).

use crate::scene::Weights;
use crate::scene::parameters::{choices, parameters};
use crate::world::World;
use rayon::prelude::*;

/// No metre costs more: a whole way stays below what stands for none.
const MOST: f32 = 1e8;

choices! {
    /// How directions follow from a potential.
    pub enum GradientBy {
        /// Differences to the neighbours that the way leads to: never into walls.
        Upwind = "upwind",
        /// Central differences, as the paper has it; one-sided beside walls and where the goal cannot be reached from.
        Central = "central",
    }
}

parameters! {
    /// Plans over terrain, crowd and hazards by a cost without direction.
    pub struct Froblins {
        /// Cost of a metre of level, empty floor.
        terrain_weight: f32 = 1.0, "per m", 0.0..=1e4, slider 0.0..=10.0;
        /// Cost of a metre at a planner's density of 1 (about 6 persons/m²).
        density_weight: f32 = 4.0, "per m", 0.0..=1e4, slider 0.0..=20.0;
        /// Cost of a metre in the middle of a hazard of strength 1.
        hazard_weight: f32 = 20.0, "per m", 0.0..=1e4, slider 0.0..=50.0;
        /// No metre costs less.
        least_cost: f32 = 0.1, "per m", 0.001..=100.0, slider 0.001..=1.0;
        /// How directions follow from the potential.
        gradient: GradientBy;
    }
}

/// What it costs to leave each cell, whichever way; for those with these weights.
pub(crate) fn of_cells(model: &Froblins, world: &World, weights: Weights, density: &[f32]) -> Vec<f32> {
    let hazards = if world.hazards.now().is_empty() { Vec::new() } else { world.hazards.field(&world.grid) };
    let cell_side = world.grid.cell;
    let one = |cell: usize| {
        let [a, b, c] = world.cost_factors.get(cell).copied().unwrap_or([1.0; 3]);
        let pace = world.terrain.pace.get(cell).copied().unwrap_or(1.0);
        let t = pace / world.zone[cell] + weights.discomfort * world.discomfort[cell];
        let hazard = hazards.get(cell).copied().unwrap_or(0.0);
        let metre =
            model.terrain_weight * a * t + model.density_weight * b * density[cell] + model.hazard_weight * c * hazard;
        metre.clamp(model.least_cost, MOST) * cell_side
    };
    (0..density.len()).into_par_iter().with_min_len(4096).map(one).collect()
}
