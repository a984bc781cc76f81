//! Flee: who is near a hazard turns away from it.
//!
//! After [`super::guide`] and doors. Who is nearer to the middle of a hazard than its reach is told to go away from it: from several at
//! once by how deep it is in each; together with the plan where that leads away too; along a wall where one is in the way; and faster
//! than it would walk. Who is just outside is not told to go in: of what the plan tells, the part that leads in is taken away
//! within the last metre, so that people go round, or stand if there is no way round. Nothing is remembered.

pub mod cpu;

/// Within so many metres of a hazard's reach nobody is told to go in.
const MARGIN: f32 = 1.0;
/// What is left of a direction below this is nothing.
const LEAST: f32 = 0.02;
/// Who flees looks so far for a wall, m.
const LOOK: f32 = 0.5;
/// Who flees turns so much faster.
const TURN: f32 = 4.0;
/// An eighth of a turn.
const SIN_45: f32 = std::f32::consts::FRAC_1_SQRT_2;
