//! What shaders have to know of those who live by states, and of crowded goals: which pieces go into each.

use super::kernels::{Goals, Shader, Variant};

const RANDOM: &str = include_str!("../../random.wgsl");
const GEOMETRY: &str = include_str!("../../geometry.wgsl");
const WALLS: &str = include_str!("../../world/walls.wgsl");
const SIGHT: &str = include_str!("../../world/sight.wgsl");
const HAZARDS: &str = include_str!("../../world/hazards.wgsl");
const CROWDED: &str = include_str!("../../stages/cost/crowded.wgsl");
const NO_CROWDED: &str = include_str!("../../stages/cost/no_crowded.wgsl");
const MACHINE: &str = include_str!("../../world/machine.wgsl");
const NEAREST: &str = include_str!("../../world/nearest.wgsl");
const NEAR: &str = include_str!("../../stages/live/near.wgsl");
const NO_NEAR: &str = include_str!("../../stages/live/no_near.wgsl");
const LIVE_STATES: &str = include_str!("../../stages/live/states.wgsl");
const LIVE_NO_STATES: &str = include_str!("../../stages/live/no_states.wgsl");
const DECIDE: &str = include_str!("../../stages/live/decide.wgsl");
const NO_DECIDE: &str = include_str!("../../stages/live/no_decide.wgsl");
const CHANGE: &str = include_str!("../../stages/live/change.wgsl");
const NO_CHANGE: &str = include_str!("../../stages/live/no_change.wgsl");
const GUIDE_PACE: &str = include_str!("../../stages/steer/guide/pace.wgsl");
const GUIDE_NO_PACE: &str = include_str!("../../stages/steer/guide/no_pace.wgsl");

/// With states, in a scene where goals are full at times.
const LIVING: Variant =
    Variant { points: true, signals: true, states: true, crowding: true, goals: Goals::Limited, ..Variant::PLAIN };

/// Every shader that differs by these, in a variant that has them.
pub(super) const VARIANTS: &[(&str, Shader, Variant)] = &[
    ("cost of crowded goals", Shader::Crowded, LIVING),
    ("guide with states", Shader::Guide, LIVING),
    ("live with states", Shader::Live, LIVING),
    ("room with states", Shader::Room, LIVING),
    ("decide with states", Shader::Decide, LIVING),
    ("change with states", Shader::Change, LIVING),
];

/// The pieces of a shader that come behind the others.
pub(super) fn pieces(shader: Shader, Variant { states, crowding, goals, .. }: Variant) -> &'static [&'static str] {
    let has = if shader == Shader::Crowded { crowding } else { states };
    match (shader, has) {
        (Shader::Crowded, true) => &[CROWDED],
        (Shader::Crowded, false) => &[NO_CROWDED],
        (Shader::Guide, true) => &[MACHINE, GUIDE_PACE],
        (Shader::Guide, false) => &[GUIDE_NO_PACE],
        (Shader::Live, true) => &[MACHINE, NEAREST, NEAR, LIVE_STATES],
        (Shader::Live, false) => &[NO_NEAR, LIVE_NO_STATES],
        (Shader::Room, true) if goals == Goals::Limited => &[RANDOM, GEOMETRY, WALLS, SIGHT, MACHINE, NEAREST, NEAR],
        (Shader::Room, false) if goals == Goals::Limited => &[NO_NEAR],
        (Shader::Decide, true) => &[RANDOM, MACHINE, NEAREST, HAZARDS, DECIDE],
        (Shader::Decide, false) => &[NO_DECIDE],
        (Shader::Change, true) => &[RANDOM, GEOMETRY, WALLS, SIGHT, MACHINE, HAZARDS, CHANGE],
        (Shader::Change, false) => &[NO_CHANGE],
        _ => &[],
    }
}
