//! One row at a time, all routes.

use super::{Directions, Way};
use crate::stages::potential::{Jump, Padded, UNREACHED};
use crate::world::portals::Portals;
use glam::Vec2;
use rayon::prelude::*;

/// Writes the direction fields of all routes. `costs` are the fields of costs, and `field` says which one a route has.
pub fn run(
    layout: Padded,
    costs: &[Vec<[f32; 4]>],
    field: impl Fn(usize) -> usize + Sync,
    potentials: &[Vec<f32>],
    out: &mut Directions,
) {
    let stride = layout.stride();
    let routes = out.routes;
    if routes == 0 {
        return;
    }
    out.values.par_chunks_mut(layout.width * routes).enumerate().for_each(|(y, row)| {
        let first = layout.at(0, y);
        let n = layout.width;
        for (route, potential) in potentials.iter().enumerate() {
            let costs = &costs[field(route)][first..first + n];
            let here = &potential[first..first + n];
            let north = &potential[first + stride..first + stride + n];
            let east = &potential[first + 1..first + 1 + n];
            let south = &potential[first - stride..first - stride + n];
            let west = &potential[first - 1..first - 1 + n];
            for x in 0..n {
                let (p, c) = (here[x], &costs[x]);
                // Downhill along each direction, in units of its cost. Closed links cost so much that it is nothing.
                let down = |value: f32, cost: f32| ((p - value) / cost).max(0.0);
                let (un, us) = (down(north[x], c[0]), down(south[x], c[2]));
                let (ue, uw) = (down(east[x], c[1]), down(west[x], c[3]));
                let gx = if ue >= uw { ue / c[1] } else { -uw / c[3] };
                let gy = if un >= us { un / c[0] } else { -us / c[2] };
                let length = gx * gx + gy * gy;
                // Without branches: no length is no way.
                let scale = if p < UNREACHED && length > 1e-24 { 1.0 / length.sqrt() } else { 0.0 };
                let way = Way::towards(Vec2::new(gx * scale, gy * scale));
                row[x * routes + route] = if p == 0.0 { Way::ARRIVED } else { way };
            }
        }
    });
}

/// Where the cheapest way leads through a portal, says so. `jumps` are the open links with their costs, for each route.
pub fn send_through<'a>(
    portals: &Portals,
    jumps: impl Fn(usize) -> &'a [Jump],
    potentials: &[Vec<f32>],
    out: &mut Directions,
) {
    for (route, potential) in potentials.iter().enumerate() {
        for (link, jump) in portals.links().iter().zip(jumps(route)) {
            let (here, beyond) = (potential[jump.from.place()], potential[jump.to.place()]);
            if here > 0.0 && beyond < UNREACHED && here >= beyond + jump.cost {
                out.send_through(link.from as usize, route, link.passage);
            }
        }
    }
}
