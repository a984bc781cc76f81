//! What shaders have to know of plans, slopes and hazards: which pieces go into each.

use super::kernels::{Shader, Variant};

const GEOMETRY: &str = include_str!("../../geometry.wgsl");
const WALLS: &str = include_str!("../../world/walls.wgsl");
const HAZARDS: &str = include_str!("../../world/hazards.wgsl");
const COST_CONTINUUM: &str = include_str!("../../stages/cost/continuum.wgsl");
const COST_FROBLINS: &str = include_str!("../../stages/cost/froblins/froblins.wgsl");
const COST_FACTORS: &str = include_str!("../../stages/cost/froblins/factors.wgsl");
const COST_NO_FACTORS: &str = include_str!("../../stages/cost/froblins/no_factors.wgsl");
const COST_TERRAIN: &str = include_str!("../../stages/cost/terrain.wgsl");
const COST_NO_TERRAIN: &str = include_str!("../../stages/cost/no_terrain.wgsl");
const GRADIENT_UPWIND: &str = include_str!("../../stages/gradient/upwind.wgsl");
const GRADIENT_CENTRAL: &str = include_str!("../../stages/gradient/central.wgsl");
const MOTION_TERRAIN: &str = include_str!("../../stages/motion/terrain.wgsl");
const MOTION_NO_TERRAIN: &str = include_str!("../../stages/motion/no_terrain.wgsl");
const COST_HAZARDS: &str = include_str!("../../stages/cost/hazards.wgsl");
const COST_NO_HAZARDS: &str = include_str!("../../stages/cost/no_hazards.wgsl");
const FLEE: &str = include_str!("../../stages/steer/flee/flee.wgsl");
const NO_FLEE: &str = include_str!("../../stages/steer/flee/no_flee.wgsl");

const PLAIN: Variant = Variant::PLAIN;
const HAZARDOUS: Variant = Variant { hazards: true, planned_hazards: true, ..PLAIN };
const ALL: Variant = Variant { froblins: true, factors: true, central: true, terrain: true, ..HAZARDOUS };

/// Every shader that differs by these, in a variant that has them.
pub(super) const VARIANTS: &[(&str, Shader, Variant)] = &[
    ("cost with hazards", Shader::Cost, HAZARDOUS),
    ("flee where there are hazards", Shader::Flee, HAZARDOUS),
    ("cost on slopes", Shader::Cost, Variant { terrain: true, ..PLAIN }),
    ("cost of froblins", Shader::Cost, Variant { froblins: true, ..PLAIN }),
    ("cost of froblins with everything", Shader::Cost, ALL),
    ("central gradient", Shader::Gradient, ALL),
    ("motion on slopes", Shader::Motion, ALL),
];

/// The pieces of a shader that come behind the others.
pub(super) fn pieces(shader: Shader, variant: Variant) -> Vec<&'static str> {
    let mut pieces = hazard_pieces(shader, variant).to_vec();
    pieces.extend(plan_pieces(shader, variant));
    pieces
}

/// What a shader has to know of hazards, or that there are none.
fn hazard_pieces(shader: Shader, Variant { hazards, planned_hazards, .. }: Variant) -> &'static [&'static str] {
    match (shader, hazards, planned_hazards) {
        (Shader::Cost, _, true) => &[HAZARDS, COST_HAZARDS],
        (Shader::Cost, _, false) => &[COST_NO_HAZARDS],
        (Shader::Flee, true, _) => &[GEOMETRY, WALLS, HAZARDS, FLEE],
        (Shader::Flee, false, _) => &[NO_FLEE],
        _ => &[],
    }
}

/// What a shader has to know of the plan and of slopes.
fn plan_pieces(shader: Shader, variant: Variant) -> Vec<&'static str> {
    match shader {
        Shader::Cost => {
            let mut pieces = vec![if variant.terrain { COST_TERRAIN } else { COST_NO_TERRAIN }];
            match (variant.froblins, variant.factors) {
                (false, _) => pieces.push(COST_CONTINUUM),
                (true, true) => pieces.extend([COST_FACTORS, COST_FROBLINS]),
                (true, false) => pieces.extend([COST_NO_FACTORS, COST_FROBLINS]),
            }
            pieces
        }
        Shader::Gradient => vec![if variant.central { GRADIENT_CENTRAL } else { GRADIENT_UPWIND }],
        Shader::Motion => vec![if variant.terrain { MOTION_TERRAIN } else { MOTION_NO_TERRAIN }],
        _ => Vec::new(),
    }
}
