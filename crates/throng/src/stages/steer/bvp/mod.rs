//! `bvp`: each walks its own way, by a boundary-value problem of its own (Fischer et al., "GPU Accelerated Path-planning for Multi-agents in Virtual
//! Environments"; docs/models/bvp.md).
//!
//! 1. *A map* of a few cells around everybody ([`map`]): walls and people in the view cone are obstacles; a few cells of the border, where the plan leads, are a
//!    goal, and so is the goal itself where it is in sight; the rest of the border is closed.
//! 2. *Relaxation* ([`relax`]) of `∇²p + ε v·∇p = 0` on it, anew in every step. `v` is the behaviour vector, `ε` how strongly it pulls ([`manner`]).
//! 3. *Walking*. Who has been walking one way turns towards the descent in the middle of its map with some inertia, and the slower the more it has to turn.
//!
//! Groups may have a manner of their own ([`Manner`]), maps of different sizes among them.

mod cpu;
mod local_map;
pub mod manner;
pub mod map;
pub mod relax;

pub use cpu::avoid_one_by_one;
pub use local_map::LocalMap;
pub(crate) use local_map::local_map;
pub use manner::Manner;

use super::{Pace, Steering};
use crate::scene::Scene;
#[cfg(feature = "gpu")]
use crate::scene::parameters::Parameters as _;
use crate::scene::parameters::{Contradiction, choices, parameters};

choices! {
    /// How the behaviour vector changes with time.
    pub enum Behaviour {
        /// It does not change.
        Constant = "constant",
        /// It turns to the left.
        Turning = "turning",
        /// It swings to both sides.
        Swinging = "swinging",
    }
}

choices! {
    /// What the behaviour vector's angle counts from.
    pub enum Frame {
        /// From the east, for everybody.
        World = "world",
        /// From where the plan leads.
        Way = "way",
    }
}

parameters! {
    /// How people walk who have a map of their own.
    pub struct Bvp {
        /// Cells on a side of the map.
        side: u32 = 21, "cells", 9..=31, slider 11..=21;
        /// Side of a cell of the map.
        cell: f32 = 0.2, "m", 0.02..=2.0, slider 0.05..=0.5;
        /// How wide its border is: closed, but for the goal where the plan leads.
        border: u32 = 1, "cells", 1..=7, slider 1..=3;
        /// How wide the zone inside the border is that obstacles are left out of, so that nothing stands before the goal.
        free: u32 = 2, "cells", 0..=8, slider 0..=5;
        /// How wide the view cone is: obstacles outside are not seen.
        aperture: f32 = 3.8, "rad", 0.1..=6.3, slider 0.5..=6.3;
        /// How strongly the behaviour vector pulls: below 0 along it, above 0 against it, 0 not at all.
        epsilon: f32 = 0.0, "", -1.99..=1.99, slider -1.9..=1.9;
        /// How the behaviour vector changes with time.
        behaviour: Behaviour;
        /// What its angle counts from.
        frame: Frame;
        /// Its angle, to the left.
        angle: f32 = 0.0, "rad", -7.0..=7.0, slider -3.2..=3.2;
        /// How far people differ in that angle, to either side.
        spread: f32 = 0.0, "rad", 0.0..=3.1, slider 0.0..=3.1;
        /// How fast it turns or swings.
        rate: f32 = 0.6, "rad/s", 0.0..=100.0, slider 0.0..=5.0;
        /// How far it swings: the tangent of the greatest angle.
        swing: f32 = 1.0, "", 0.0..=100.0, slider 0.0..=3.0, only with behaviour = "swinging";
        /// How much of their direction people keep in 0.04 s.
        inertia: f32 = 0.5, "", 0.0..=0.99, slider 0.0..=0.95;
        /// So many walk together, one of them ahead. 1: everybody alone.
        company: u32 = 1, "people", 1..=64, slider 1..=8;
        /// How near those who follow come to who walks ahead.
        gap: f32 = 1.2, "m", 0.1..=20.0, slider 0.5..=5.0;
    }
    refuses contradiction;
}

/// The most cells on a side.
pub const MOST_SIDE: usize = 31;

fn contradiction(rules: &Bvp) -> Option<Contradiction> {
    (2 * (rules.border + rules.free) + 3 > rules.side).then(|| Contradiction {
        key: "side",
        message: format!(
            "a map of {} cells has no room for a border of {} and a free zone of {} on both sides",
            rules.side, rules.border, rules.free
        ),
        help: format!("side is at least {}: three cells inside both zones", 2 * (rules.border + rules.free) + 3),
    })
}

/// How far anybody looks, m.
fn sight(scene: &Scene) -> f32 {
    let far = |m: &Manner| (m.rules.side as f32 * m.rules.cell).max(cpu::IN_SIGHT * m.rules.gap);
    manner::manners(&scene.model, &scene.groups).iter().map(far).fold(0.0, f32::max)
}

/// A manner in a step, as the shader reads it.
#[cfg(feature = "gpu")]
pub(crate) fn words(manner: &Manner, step: u32, dt: f32) -> Vec<[f32; 4]> {
    let now = cpu::Step::new(manner, step, dt);
    let mut words = manner.rules.words();
    words.push([now.vector.x, now.vector.y, now.cosine, now.kept]);
    words
}

/// Its line in the table of steerings.
pub(super) const STEERING: Steering = Steering {
    columns: &[],
    pace: Pace::Free,
    yields: false,
    least_speed: 0.4,
    bounded: None,
    avoid: cpu::avoid,
    shader: include_str!("bvp.wgsl"),
    kernel: "bvp",
    threads: 64,
    agents_a_group: 1,
};
