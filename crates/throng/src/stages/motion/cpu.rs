//! One agent at a time.

use crate::world::agents::Agents;
use crate::world::walls::Walls;
use glam::Vec2;
use rayon::prelude::*;

/// Moves the first `count` agents by `dt` seconds.
pub fn run(walls: &Walls, agents: &mut Agents, count: usize, wanted: &[Vec2], dt: f32) {
    let Agents { position, velocity, radius, state, .. } = agents;
    let (radius, state) = (&*radius, &*state);
    position[..count].par_iter_mut().zip(&mut velocity[..count]).with_min_len(1024).enumerate().for_each(
        |(i, (p, v))| {
            if state[i].on_floor() {
                let to = walls.slide(*p, *p + wanted[i] * dt, radius[i]);
                *v = (to - *p) / dt;
                *p = to;
            }
        },
    );
}
