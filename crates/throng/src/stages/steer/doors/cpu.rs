//! One agent at a time: first all are counted who come, then those hold back who have to.

use super::{ASIDE, BACK, CLOSED_WITHIN, Doorway, EDGE, STRIP};
use crate::scene::Door;
use crate::stages::steer::Guidance;
use crate::world::grid::Grid;
use crate::world::walls::Walls;
use glam::Vec2;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering};

/// Changes what the plan tells the first agents, as many as `guide` holds. `held` is how long each has held back, s.
pub fn run(
    (grid, walls): (&Grid, &Walls),
    doors: &[Door],
    positions: &[Vec2],
    held: &mut [f32],
    guide: &mut [Guidance],
    dt: f32,
) {
    let doors: Vec<Doorway> = doors.iter().map(Doorway::new).collect();
    let coming: Vec<AtomicU32> = doors.iter().map(|_| AtomicU32::new(0)).collect();
    guide.par_iter().zip(positions).with_min_len(1024).for_each(|(guide, &p)| {
        for (door, count) in doors.iter().zip(&coming) {
            if guide.direction != Vec2::ZERO && door.passes(p, guide.direction, door.first) {
                count.fetch_add(1, Ordering::Relaxed);
            }
        }
    });
    let busy = doors.iter().zip(&coming).filter(|(_, count)| count.load(Ordering::Relaxed) > 0);
    let closed = |door: &Doorway| {
        !walls.in_sight(door.middle() - door.first * CLOSED_WITHIN, door.middle() + door.first * CLOSED_WITHIN)
    };
    let busy: Vec<(Doorway, bool)> = busy.map(|(door, _)| (*door, closed(door))).collect();
    let all = guide.par_iter_mut().zip(positions).zip(held).with_min_len(1024);
    all.for_each(|((guide, &p), held)| hold_back((grid, walls), &busy, p, held, guide, dt));
}

/// Whether somebody has to hold back, and how. `busy` are the doors that somebody comes through, and whether they are closed.
fn hold_back(
    (grid, walls): (&Grid, &Walls),
    busy: &[(Doorway, bool)],
    p: Vec2,
    held: &mut f32,
    guide: &mut Guidance,
    dt: f32,
) {
    let told = guide.direction;
    let mine = busy.iter().find(|(door, _)| {
        let before = (p - door.from).dot(door.first) > 0.0;
        told != Vec2::ZERO && before && door.passes(p, told, -door.first)
    });
    let Some((door, closed)) = mine else {
        *held = 0.0;
        return;
    };
    if *held > door.patience {
        return;
    }
    // Nobody loses patience with a door that is closed.
    *held += if *closed { 0.0 } else { dt };
    let at = door.across(p);
    if !door.spans(at, STRIP + EDGE) {
        return; // comes nearer first
    }
    let free = |way: Vec2| grid.inside(p + way * ASIDE) && walls.in_sight(p, p + way * ASIDE);
    let nearer = if at < 0.5 * door.width { -door.along } else { door.along };
    // Aside and back a little, so that those at the wall do not queue along it; or just aside, to one side or the other.
    let ways = [(nearer + door.first * BACK).normalize_or_zero(), nearer, -nearer];
    let way = ways.into_iter().find(|&way| door.spans(at, STRIP) && free(way));
    guide.direction = way.unwrap_or(Vec2::ZERO);
    if guide.direction == Vec2::ZERO {
        guide.speed = 0.0;
    }
}
