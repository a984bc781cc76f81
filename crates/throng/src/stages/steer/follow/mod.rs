//! `follow`: agents do what the plan tells them and avoid nobody (thesis 6.2).
//!
//! An agent turns towards the plan's direction no faster than it is told, and walks along its new heading. It slows down with
//! the angle that is left to turn, and so turns in place when it faces away.

use super::turn::turned;
use super::{Crowd, Guidance, Pace, Steering, Wanted};
use crate::world::agents::OwnColumn;
use glam::Vec2;
use rayon::prelude::*;

/// Its line in the table of steerings.
pub(super) const STEERING: Steering = Steering {
    columns: &[],
    pace: Pace::Field,
    yields: false,
    least_speed: 0.0,
    bounded: None,
    avoid,
    shader: include_str!("follow.wgsl"),
    kernel: "follow",
    threads: 128,
    agents_a_group: 128,
};

fn avoid(crowd: Crowd<'_>, _: &mut [OwnColumn], wanted: &mut [Wanted]) {
    let (heading, guide) = (&crowd.agents.heading, crowd.guide);
    wanted
        .par_iter_mut()
        .with_min_len(1024)
        .enumerate()
        .for_each(|(i, wanted)| *wanted = obey(heading[i], guide[i], crowd.dt));
}

/// What somebody wants who does what the plan tells.
#[inline]
#[must_use]
pub fn obey(heading: Vec2, told: Guidance, dt: f32) -> Wanted {
    if told.direction == Vec2::ZERO {
        return Wanted { velocity: Vec2::ZERO, heading };
    }
    let heading = turned(heading, told.direction, heading.dot(told.direction), told.turn * dt);
    Wanted { velocity: heading * (told.speed * heading.dot(told.direction).max(0.0)), heading }
}
