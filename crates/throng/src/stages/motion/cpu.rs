//! One agent at a time.

use crate::engine::layout::rounded_direction;
use crate::stages::steer::Wanted;
use crate::world::agents::Agents;
use crate::world::grid::Grid;
use crate::world::terrain::Terrain;
use crate::world::walls::Walls;
use rayon::prelude::*;

/// Moves the first agents, as many as `wanted` holds, by `dt` seconds, slower or faster on slopes, and at most by `stride` metres:
/// neighbours and walls were looked for within it.
pub fn run(walls: &Walls, ground: (&Grid, &Terrain), agents: &mut Agents, wanted: &[Wanted], dt: f32, stride: f32) {
    let n = wanted.len();
    let (grid, terrain) = ground;
    let sloping = !terrain.is_flat();
    let Agents { position, velocity, heading, radius, .. } = agents;
    let radius = &radius[..n];
    position[..n].par_iter_mut().zip(&mut velocity[..n]).zip(&mut heading[..n]).with_min_len(256).enumerate().for_each(
        |(i, ((p, v), h))| {
            let mut walk = wanted[i].velocity * dt;
            if sloping {
                walk = terrain.walk(grid.index_at(*p), walk);
            }
            let far = walk.length_squared();
            if far > stride * stride {
                walk *= stride / far.sqrt();
            }
            let to = walls.slide(*p, *p + walk, radius[i]);
            *v = (to - *p) / dt;
            *p = to;
            *h = rounded_direction(wanted[i].heading);
        },
    );
}
