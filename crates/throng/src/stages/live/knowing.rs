//! Who sees that walls are not as they were at the beginning: see [`crate::world::beliefs`]. The shaders' side is knowing.wgsl.

use super::cpu::{Rules, steps};
use crate::geometry::Segment;
use crate::stages::bin::Bins;
use crate::world::agents::Agents;
use crate::world::walls::Walls;
use glam::Vec2;
use rayon::prelude::*;

/// A wall that has changed is seen so far away if nothing is in between, m.
const SIGHT: f32 = 10.0;
/// So near it is noticed anyway, m.
const AT_HAND: f32 = 2.0;
/// What is seen of a wall is so far before it, m.
const BEFORE: f32 = 0.05;

/// Lets people look around, each once a second; who sees a change knows all of them from then on.
pub(super) fn look_around(rules: Rules<'_>, agents: &mut Agents, bins: &Bins) {
    if rules.signs.is_empty() {
        return;
    }
    let Agents { id, position, state, informed, .. } = agents;
    let every = steps(1.0, rules.dt).max(1);
    let people = informed[..bins.on_floor()].par_iter_mut().enumerate().with_min_len(256);
    people.filter(|(_, informed)| **informed == 0).for_each(|(i, informed)| {
        let looks = state[i].on_floor() && rules.step.wrapping_add(id[i]).is_multiple_of(every);
        *informed = u8::from(looks && rules.signs.iter().any(|sign| is_seen(rules.walls, position[i], sign)));
    });
}

/// Whether somebody at `p` sees a wall with such a side.
fn is_seen(walls: &Walls, p: Vec2, sign: &Segment) -> bool {
    let way = sign.closest(p) - p;
    let far = way.length();
    far < AT_HAND || (far < SIGHT && walls.in_sight(p, p + way * (1.0 - BEFORE / far)))
}
