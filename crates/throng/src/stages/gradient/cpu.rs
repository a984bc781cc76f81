//! One row at a time, all routes.

use super::{Directions, Way};
use crate::stages::cost::froblins::GradientBy;
use crate::stages::potential::{Jump, Padded, UNREACHED};
use crate::world::portals::Portals;
use glam::Vec2;
use rayon::prelude::*;

/// Writes the direction fields of all routes, by a rule. `costs` are the fields of costs, and `field` says which one a route has.
pub fn run_by(
    by: GradientBy,
    layout: Padded,
    costs: &[Vec<[f32; 4]>],
    field: impl Fn(usize) -> usize + Sync,
    potentials: &[Vec<f32>],
    out: &mut Directions,
) {
    match by {
        GradientBy::Upwind => run(layout, costs, field, potentials, out),
        GradientBy::Central => run_central(layout, costs, field, potentials, out),
    }
}

/// By central differences.
fn run_central(
    layout: Padded,
    costs: &[Vec<[f32; 4]>],
    field: impl Fn(usize) -> usize + Sync,
    potentials: &[Vec<f32>],
    out: &mut Directions,
) {
    let (stride, routes) = (layout.stride(), out.routes);
    if routes == 0 {
        return;
    }
    out.values.par_chunks_mut(layout.width * routes).enumerate().for_each(|(y, row)| {
        for (route, potential) in potentials.iter().enumerate() {
            let costs = &costs[field(route)];
            for x in 0..layout.width {
                let at = layout.at(x, y);
                let (p, c) = (potential[at], &costs[at]);
                let value = |d: usize, place: usize| if c[d] < UNREACHED { potential[place] } else { UNREACHED };
                let around = [value(0, at + stride), value(1, at + 1), value(2, at - stride), value(3, at - 1)];
                let way = if p < UNREACHED { central(p, around).normalize_or_zero() } else { Vec2::ZERO };
                row[x * routes + route] = if p == 0.0 { Way::ARRIVED } else { Way::towards(way) };
            }
        }
    });
}

/// The way down from a potential, with those around it N, E, S, W.
fn central(p: f32, [n, e, s, w]: [f32; 4]) -> Vec2 {
    let along = |ahead: f32, behind: f32| match (ahead < UNREACHED, behind < UNREACHED) {
        (true, true) => 0.5 * (behind - ahead),
        (true, false) => (p - ahead).max(0.0),
        (false, true) => -(p - behind).max(0.0),
        (false, false) => 0.0,
    };
    let down = |ahead: f32, behind: f32| {
        let (a, b) = ((p - ahead).max(0.0), (p - behind).max(0.0));
        if a >= b { a } else { -b }
    };
    let (way, upwind) = (Vec2::new(along(e, w), along(n, s)), Vec2::new(down(e, w), down(n, s)));
    // On a ridge, or into a hollow between cells, differences say nothing of the way down.
    if way.dot(upwind) <= 0.0 { upwind } else { way }
}

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
