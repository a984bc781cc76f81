//! What shaders have to know of cells that hold only so many: which pieces go into each.

use super::kernels::{Shader, Variant};
use crate::scene::Model;
use crate::stages::steer::Steer;
use crate::stages::steer::social_force::Layout;

const GEOMETRY: &str = include_str!("../../geometry.wgsl");
const WALLS: &str = include_str!("../../world/walls.wgsl");
const TALLY: &str = include_str!("../../measure/tally.wgsl");
const FULL: &str = include_str!("../../stages/steer/social_force/full.wgsl");
const HALF: &str = include_str!("../../stages/steer/social_force/half.wgsl");
const QUARTER: &str = include_str!("../../stages/steer/social_force/quarter.wgsl");
const CELLS: &str = include_str!("../../stages/steer/social_force/cells.wgsl");
const NO_CELLS: &str = include_str!("../../stages/steer/social_force/no_cells.wgsl");
const BOUND: &str = include_str!("../../stages/steer/social_force/bound.wgsl");
const NO_BOUND: &str = include_str!("../../stages/steer/social_force/no_bound.wgsl");

const BOUNDED: Variant = Variant { steer: Steer::SocialForce, ..Variant::PLAIN };
const HALVED: Variant = Variant { layout: Layout::Half, ..BOUNDED };
const QUARTERED: Variant = Variant { layout: Layout::Quarter, ..BOUNDED };

/// Every shader that differs by these, in a variant that has them.
pub(super) const VARIANTS: &[(&str, Shader, Variant)] = &[
    ("cells", Shader::Cells, BOUNDED),
    ("cells with halves", Shader::Cells, HALVED),
    ("cells with quarters", Shader::Cells, QUARTERED),
    ("social-force with halves", Shader::Avoid, HALVED),
    ("social-force with quarters", Shader::Avoid, QUARTERED),
    ("bounded cells", Shader::Bound, BOUNDED),
];

/// Whether a shader reads the steering's own parameters.
pub(super) fn has_parameters(shader: Shader, Variant { steer, .. }: Variant) -> bool {
    match shader {
        Shader::Avoid => true,
        Shader::Cells | Shader::Bound => steer.steering().bounded.is_some(),
        _ => false,
    }
}

/// The pieces of a shader that come before its own text.
pub(super) fn pieces(shader: Shader, Variant { steer, layout, .. }: Variant) -> Vec<&'static str> {
    let records = match layout {
        Layout::Full => FULL,
        Layout::Half => HALF,
        Layout::Quarter => QUARTER,
    };
    match (shader, steer.steering().bounded.is_some()) {
        (Shader::Avoid, true) => vec![records],
        (Shader::Cells, true) => vec![records, CELLS],
        (Shader::Cells, false) => vec![NO_CELLS],
        (Shader::Bound, true) => vec![GEOMETRY, WALLS, TALLY, BOUND],
        (Shader::Bound, false) => vec![NO_BOUND],
        _ => Vec::new(),
    }
}

/// The layout of people as others read them; the first where nobody does.
pub(super) fn layout_of(model: &Model) -> Layout {
    model.steer.steering().bounded.map_or(Layout::Full, |bounded| bounded(model).layout)
}

/// Its bytes.
pub(super) fn record_bytes(model: &Model) -> u64 {
    match layout_of(model) {
        Layout::Full => 16,
        Layout::Half => 8,
        Layout::Quarter => 4,
    }
}
