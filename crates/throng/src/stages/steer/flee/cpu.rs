//! One agent at a time.

use super::{LEAST, LOOK, MARGIN, SIN_45, TURN};
use crate::stages::steer::Guidance;
use crate::world::agents::Agents;
use crate::world::grid::Grid;
use crate::world::hazards::Disc;
use crate::world::walls::Walls;
use glam::Vec2;
use rayon::prelude::*;

/// What fleeing depends on, besides who flees.
#[derive(Clone, Copy, Debug)]
pub struct Danger<'a> {
    /// Hazards in this step.
    pub discs: &'a [Disc],
    /// The raster.
    pub grid: &'a Grid,
    /// Walls.
    pub walls: &'a Walls,
    /// Speed factor of each cell.
    pub zone: &'a [f32],
    /// How much faster people flee than they walk.
    pub flee_speed: f32,
}

/// Changes what the plan tells the first agents, as many as `guide` holds.
pub fn run(danger: Danger<'_>, agents: &Agents, guide: &mut [Guidance]) {
    guide.par_iter_mut().with_min_len(512).enumerate().for_each(|(i, guide)| {
        let p = agents.position[i];
        let away = away_from(danger.discs, p, agents.heading[i]);
        if away == Vec2::ZERO {
            keep_out(danger.discs, p, guide);
        } else {
            let walk = agents.preferred[i] * danger.zone[danger.grid.index_at(p)];
            danger.flee(p, away, (walk, agents.turn[i]), guide);
        }
    });
}

/// Which way to flee, at length 1; zero for those who need not. `heading` is for who stands right in the middle of it all.
fn away_from(discs: &[Disc], p: Vec2, heading: Vec2) -> Vec2 {
    let (mut sum, mut near) = (Vec2::ZERO, false);
    for disc in discs {
        let from = p - disc.centre;
        let d = from.length();
        if d < disc.reach {
            near = true;
            sum += from * ((1.0 - d / disc.reach) / d.max(1e-6));
        }
    }
    if !near {
        return Vec2::ZERO;
    }
    if sum.length_squared() > 1e-12 { sum.normalize() } else { heading }
}

/// Takes away what would lead somebody outside into a hazard's reach.
fn keep_out(discs: &[Disc], p: Vec2, guide: &mut Guidance) {
    let mut way = guide.direction;
    for disc in discs {
        let to = disc.centre - p;
        let d = to.length();
        if d < disc.reach + MARGIN {
            let into = to / d;
            let much = 1.0 - (d - disc.reach) / MARGIN;
            way -= into * (way.dot(into).max(0.0) * much);
        }
    }
    if way == guide.direction {
        return;
    }
    let left = way.length();
    let stands = left < LEAST;
    guide.direction = if stands { Vec2::ZERO } else { way / left };
    guide.speed *= if stands { 0.0 } else { left.min(1.0) };
}

impl Danger<'_> {
    fn flee(&self, p: Vec2, away: Vec2, (walk, turn): (f32, f32), guide: &mut Guidance) {
        let told = guide.direction;
        // Blended with the plan where it leads away as well.
        let way = if told.dot(away) > 0.0 { (away + told).normalize() } else { away };
        // First the side that the plan is on.
        let side = if way.perp_dot(told) >= 0.0 { way.perp() } else { -way.perp() };
        let ways = [way, (way + side) * SIN_45, (way - side) * SIN_45, side, -side];
        guide.direction = ways.into_iter().find(|&way| self.is_free(p, p + way * LOOK)).unwrap_or(way);
        guide.speed = self.flee_speed * if guide.speed > 0.0 { guide.speed } else { walk };
        guide.turn = TURN * turn;
    }

    /// Whether nothing is between two points.
    fn is_free(&self, p: Vec2, q: Vec2) -> bool {
        self.grid.inside(q) && self.walls.sees(p, q)
    }
}
