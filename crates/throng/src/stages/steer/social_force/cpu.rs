//! Forces on the CPU: those of people cell by cell over lanes, then the rest one agent at a time.

use super::cells::Cells;
use super::records::{Columns, Coordinate, LANES, Lean};
use super::strips::Strips;
use super::{Congestion, Layout, SocialForce, share_of_speed};
use crate::stages::steer::turn::turned;
use crate::stages::steer::{Crowd, Wanted};
use crate::wide::widest_of_all;
use crate::world::agents::OwnColumn;
use crate::world::walls::Walls;
use glam::Vec2;
use rayon::prelude::*;

/// People of a piece of work.
const CHUNK: usize = 256;
/// The square of the cosine of 80°: who is within that of where one's back faces is behind it (the paper's ±100° ahead). A cell within that of one's way
/// is ahead.
const BACK: f32 = 0.030_153_69;
/// Nearer than this two are at the same place, m.
const SAME_PLACE: f32 = 1e-3;
/// Walls repel up to so many times their range.
const WALL_REACH: f32 = 3.0;
/// Slower than this one turns no more, m/s.
const STANDING: f32 = 0.02;
/// Share of the turn that the plan tells which the body uses: it turns slower than the velocity.
const TURN: f32 = 0.5;

/// Writes what everybody wants.
pub(super) fn avoid(crowd: Crowd<'_>, own: &mut [OwnColumn], wanted: &mut [Wanted]) {
    let rules = crowd.model.steering.social_force;
    let cells = crowd.cells.expect("the engine gathers cells for whoever has them");
    let people = forces_of_people(&crowd, &cells.strips, &rules);
    let here: Vec<(Vec2, f32)> =
        (0..cells.blocks.len()).into_par_iter().with_min_len(1024).map(|c| of_cell(&crowd, cells, c)).collect();
    let forces = own[0].values[..4 * wanted.len()].par_chunks_mut(4);
    wanted.par_iter_mut().zip(forces).with_min_len(256).enumerate().for_each(|(i, (wanted, forces))| {
        let (repelled, home) = (people[i], cells.home[i] as usize);
        let (crowded, share) = here[home];
        let drawn = force_of_room(&crowd, cells, home, crowd.guide[i].direction);
        let aside = crowded + drawn + force_of_walls(crowd.walls, &crowd, i, &rules);
        forces.copy_from_slice(&[repelled.x, repelled.y, aside.x, aside.y]);
        *wanted = walk(&crowd, i, repelled + aside, share, &rules);
    });
}

/// What a cell does to everybody in it: the force of the crowded cells around it, and the share of the preferred speed that it allows.
fn of_cell(crowd: &Crowd<'_>, cells: &Cells, cell: usize) -> (Vec2, f32) {
    if cells.count(cell) == 0 {
        return (Vec2::ZERO, 1.0);
    }
    let density = cells.count(cell) as f32 / cells.blocks.area(crowd.grid, cell);
    (force_of_cells(crowd, cells, cell), share_of_speed(crowd.model.steering.social_force.cell_law, density))
}

/// What somebody wants on whom a force acts, where a share of the preferred speed is allowed. Who is told to stand stands.
fn walk(crowd: &Crowd<'_>, i: usize, force: Vec2, share: f32, rules: &SocialForce) -> Wanted {
    let (told, heading, dt) = (crowd.guide[i], crowd.agents.heading[i], crowd.dt);
    if told.direction == Vec2::ZERO {
        return Wanted { velocity: Vec2::ZERO, heading };
    }
    // The drive is taken as of the end of the step: stable for every relaxation time.
    let pace = dt / rules.relaxation;
    let mut velocity =
        (crowd.agents.velocity[i] + told.direction * (told.speed * pace) + force * dt) * (1.0 / (1.0 + pace));
    let (speed, most) = (velocity.length(), told.speed * share);
    if speed > most {
        velocity *= most / speed;
    }
    let speed = speed.min(most);
    if speed < STANDING {
        return Wanted { velocity, heading };
    }
    let way = velocity / speed;
    Wanted { velocity, heading: turned(heading, way, heading.dot(way), TURN * told.turn * dt) }
}

/// The force of the crowded cells around one on everybody in it.
fn force_of_cells(crowd: &Crowd<'_>, cells: &Cells, cell: usize) -> Vec2 {
    let rules = crowd.model.steering.social_force;
    let mut force = Vec2::ZERO;
    if rules.congestion != Congestion::Standard {
        for_around(cells, cell, |_, offset, count| {
            if count > rules.crowded {
                force -= offset * (rules.avoidance * (count - rules.crowded) as f32);
            }
        });
    }
    force
}

/// The force of emptier cells on somebody who goes this way, in a cell that is dense.
fn force_of_room(crowd: &Crowd<'_>, cells: &Cells, cell: usize, way: Vec2) -> Vec2 {
    let rules = crowd.model.steering.social_force;
    let mut force = Vec2::ZERO;
    if rules.congestion == Congestion::Dispersion && cells.count(cell) >= rules.dense {
        for_around(cells, cell, |other, offset, count| {
            if count < rules.crowded && has_floor(crowd, cells, other) {
                let along = offset.dot(way);
                let is_ahead = along > 0.0 && along * along > BACK * offset.length_squared();
                let share = if is_ahead { 1.0 } else { rules.drawn_back };
                force += offset * (rules.dispersion * (rules.crowded - count) as f32 * share);
            }
        });
    }
    force
}

/// Calls `f` with each of the cells around one and itself, the offset to it, and how many are in it.
#[inline]
fn for_around(cells: &Cells, cell: usize, mut f: impl FnMut(usize, Vec2, u32)) {
    let blocks = cells.blocks;
    let at = |cell: usize| Vec2::new((cell % blocks.wide) as f32, (cell / blocks.wide) as f32);
    for (first, end) in blocks.rows_around(cell) {
        (first..end).for_each(|other| f(other, at(other) - at(cell), cells.count(other)));
    }
}

/// Whether there is anything in a cell to stand on.
fn has_floor(crowd: &Crowd<'_>, cells: &Cells, cell: usize) -> bool {
    let [(x0, x1), (y0, y1)] = cells.blocks.covers(crowd.grid, cell);
    (y0..y1).any(|y| (x0..x1).any(|x| !crowd.walls.is_solid(y * crowd.grid.width + x)))
}

/// The force of the nearest wall.
fn force_of_walls(walls: &Walls, crowd: &Crowd<'_>, i: usize, rules: &SocialForce) -> Vec2 {
    let (p, radius) = (crowd.agents.position[i], crowd.agents.radius[i]);
    let far = WALL_REACH * rules.wall_range;
    let mut nearest = Vec2::splat(radius + far);
    let mut square = (radius + far) * (radius + far);
    walls.for_around(p, radius + far, |wall| {
        let away = p - wall.closest(p);
        if away.length_squared() < square {
            (nearest, square) = (away, away.length_squared());
        }
    });
    let distance = nearest.length();
    let gap = (distance - radius).max(0.0);
    if gap >= far || distance < SAME_PLACE {
        return Vec2::ZERO;
    }
    let strength = rules.wall_strength / rules.wall_range * (-gap / rules.wall_range).exp() * (1.0 - gap / far);
    nearest * (strength / distance)
}

/// The forces of people on everybody.
fn forces_of_people(crowd: &Crowd<'_>, strips: &Strips, rules: &SocialForce) -> Vec<Vec2> {
    let mut forces = vec![Vec2::ZERO; strips.place.len()];
    forces.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, out)| {
        let work = Work { crowd, strips, rules, first: chunk * CHUNK };
        match rules.packing {
            Layout::Full => full(&work, out),
            Layout::Half => half(&work, out),
            Layout::Quarter => quarter(&work, out),
        }
    });
    forces
}

/// Some people who follow each other in the columns.
struct Work<'a> {
    crowd: &'a Crowd<'a>,
    strips: &'a Strips,
    rules: &'a SocialForce,
    first: usize,
}

widest_of_all! {
    fn full(work: &Work<'_>, out: &mut [Vec2]) {
        add_up(work, &work.strips.records.full, out);
    }
}

widest_of_all! {
    fn half(work: &Work<'_>, out: &mut [Vec2]) {
        add_up(work, &work.strips.records.half, out);
    }
}

widest_of_all! {
    fn quarter(work: &Work<'_>, out: &mut [Vec2]) {
        add_up(work, &work.strips.records.quarter, out);
    }
}

#[inline(always)]
fn add_up(work: &Work<'_>, records: &Columns<impl Coordinate, impl Lean>, out: &mut [Vec2]) {
    let Work { crowd, strips, rules, first } = *work;
    let per_range = 1.0 / rules.range;
    for (k, out) in out.iter_mut().enumerate() {
        let i = first + k;
        let (heading, place) = (crowd.agents.heading[i], strips.place[i] as usize);
        let mut sum = [[0.0; LANES]; 2];
        for (from, to) in strips.around(crowd.grid, crowd.agents.position[i], rules.range) {
            let mut j = from;
            while j < to {
                let looks = records.at(place, j);
                repel(looks, (to - j) as f32, heading, (per_range, rules.behind), &mut sum);
                j += LANES;
            }
        }
        let total = |lanes: [f32; LANES]| lanes.iter().fold(0.0, |a, b| a + b);
        *out = Vec2::new(total(sum[0]), total(sum[1])) * (rules.strength * per_range);
    }
}

/// Adds the forces of some people, over strength and range. Of the lanes the first `count` are people; oneself is at no distance, and adds nothing.
#[inline(always)]
fn repel(
    [dx, dy, lean_x, lean_y]: [[f32; LANES]; 4],
    count: f32,
    heading: Vec2,
    (per_range, behind): (f32, f32),
    sum: &mut [[f32; LANES]; 2],
) {
    for k in 0..LANES {
        let square = dx[k] * dx[k] + dy[k] * dy[k];
        let ahead = dx[k] * lean_x[k] + dy[k] * lean_y[k];
        let ahead = if ahead > 0.0 { ahead } else { 0.0 };
        let elliptic = square - ahead * ahead;
        let elliptic = if elliptic > SAME_PLACE * SAME_PLACE { elliptic } else { SAME_PLACE * SAME_PLACE };
        let distance = elliptic.sqrt();
        let far = square * (per_range * per_range);
        // Nothing is left at the range; a fourth power, so that most of the force is as printed.
        let taper = 1.0 - far * far;
        let taper = if taper > 0.0 { taper } else { 0.0 };
        let back = dx[k] * heading.x + dy[k] * heading.y;
        let weight = if back * back.abs() > BACK * square { behind } else { 1.0 };
        let force = (weight * taper) * (1.0 / distance) * falling(distance * per_range);
        let force = if (k as f32) < count { force } else { 0.0 };
        sum[0][k] += (dx[k] - lean_x[k] * ahead) * force;
        sum[1][k] += (dy[k] - lean_y[k] * ahead) * force;
    }
}

/// `exp(−x)` for x from 0 to 1, to 1e-6: the polynomial of degree 5 that is right at Chebyshev's points around the middle, with the same bits on every processor.
#[inline(always)]
fn falling(x: f32) -> f32 {
    let w = 0.5 - x;
    let square = w * w;
    let low = 0.606_531_1 + w * 0.606_530_7;
    let middle = 0.303_235_53 + w * 0.101_084_19;
    let high = 0.025_589_604 + w * 0.005_099_728;
    low + square * (middle + square * high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_short_series_falls_as_an_exponential() {
        for k in 0..=1000 {
            let x = k as f32 / 1000.0;
            assert!((falling(x) - (-x).exp()).abs() < 1e-6, "{x}: {}", falling(x));
        }
    }
}
