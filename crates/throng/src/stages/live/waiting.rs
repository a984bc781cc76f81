//! Where somebody stands who waits at a goal: see [`crate::world::stays`]. The shaders' side is waiting.wgsl.
//!
//! A place is the best of a few draws: in sight, and the farther from everybody the better. Who has one goes there and stands; who is
//! pushed away goes back. Who makes no headway stays where it is, unless it is in the way there: then it draws again.

use super::cpu::{Rules, steps};
use crate::random::{Purpose, draw, unit};
use crate::scene::Group;
use crate::stages::bin::Bins;
use crate::world::agents::{Agents, NOWHERE, State};
use crate::world::points;
use crate::world::stays::Part;
use glam::Vec2;
use rayon::prelude::*;

/// Who is so near to its place stands, m.
pub(crate) const STANDS: f32 = 0.15;
/// Draws of a place.
const TRIES: u32 = 8;
/// People farther away than this make no difference to a place, m.
const COMPANY: f32 = 1.5;
/// How far from the middle of its cell a place may be, in cells.
const JITTER: f32 = 0.8;
/// Below this share of its speed somebody makes no headway.
const HEADWAY: f32 = 0.1;
/// The chance that somebody who makes no headway gives up, each second.
const GIVES_UP: f32 = 0.25;

/// Gives places to those who have begun to wait in this step, and others to those who do not get to theirs.
pub(super) fn take_places(rules: Rules<'_>, agents: &mut Agents, bins: &Bins) {
    if rules.stays.is_empty() {
        return;
    }
    let places: Vec<(usize, Vec2)> = (0..bins.alive())
        .into_par_iter()
        .with_min_len(1024)
        .filter(|&i| agents.state[i] == State::Staying)
        .filter_map(|i| place(rules, agents, bins, i).map(|place| (i, place)))
        .collect();
    for (i, place) in places {
        agents.set_point(i, place);
    }
}

/// A new place for somebody who waits, if it needs one.
fn place(rules: Rules<'_>, agents: &Agents, bins: &Bins, i: usize) -> Option<Vec2> {
    let (p, point) = (agents.position[i], points::among(&agents.own)?[i]);
    let new = point == NOWHERE;
    if !new && !is_stuck(rules, agents, i, point) {
        return None;
    }
    let group = &rules.groups[usize::from(agents.group[i])];
    let goal = usize::from(group.goal_before(agents.leg[i]));
    let cell = rules.grid.index_at(p);
    let near = || {
        // Who has arrived near its goal goes in.
        let near = rules.near_place((agents.group[i], agents.leg[i], agents.id[i]), p).filter(|_| new)?;
        rules.stays.part(goal, rules.grid.index_at(near.inside))
    };
    let part = rules.stays.part(goal, cell).or_else(|| if group.lives() { near() } else { None });
    let Some(part) = part else { return new.then_some(p) };
    let fine = rules.stays.places(part).binary_search(&(cell as u32)).is_ok();
    if part.count == 0 || (!new && fine) {
        return Some(p);
    }
    Some(draw_place(rules, agents, bins, i, part))
}

/// Whether somebody who is not at its place makes no headway, and has enough of it. Asked once a second.
fn is_stuck(rules: Rules<'_>, agents: &Agents, i: usize, place: Vec2) -> bool {
    let (id, away) = (agents.id[i], place - agents.position[i]);
    if !rules.step.wrapping_add(id).is_multiple_of(steps(1.0, rules.dt).max(1)) || away.length() <= STANDS {
        return false;
    }
    let headway = agents.velocity[i].dot(away.normalize_or_zero());
    let dice = draw(rules.seed, id, Purpose::Stay, rules.step.wrapping_mul(TRIES + 1).wrapping_add(TRIES));
    headway < HEADWAY * agents.preferred[i] && unit(dice[0]) < GIVES_UP
}

/// The best of a few places of a part of a goal.
fn draw_place(rules: Rules<'_>, agents: &Agents, bins: &Bins, i: usize, part: Part) -> Vec2 {
    let (p, radius, cells) = (agents.position[i], agents.radius[i], rules.stays.places(part));
    let mut best = (-1.0, p);
    for attempt in 0..TRIES {
        let number = rules.step.wrapping_mul(TRIES + 1).wrapping_add(attempt);
        let words = draw(rules.seed, agents.id[i], Purpose::Stay, number);
        let middle = rules.grid.centre_of(cells[words[0] as usize % part.count] as usize);
        let aside = Vec2::new(unit(words[1]) - 0.5, unit(words[2]) - 0.5) * (JITTER * rules.grid.cell);
        let wish = middle + aside;
        let free = !rules.walls.contains(wish) && rules.walls.depth(wish, radius) <= 0.0;
        let place = if free { wish } else { middle };
        let room = if rules.walls.in_sight(p, place) { room(rules, agents, bins, i, place) } else { 0.0 };
        if room > best.0 {
            best = (room, place);
        }
    }
    best.1
}

/// The square of how far it is from a place to the nearest other person, up to [`COMPANY`].
fn room(rules: Rules<'_>, agents: &Agents, bins: &Bins, i: usize, place: Vec2) -> f32 {
    let reach = COMPANY + rules.moved;
    let (x0, y0) = rules.grid.coords(place - reach);
    let (x1, y1) = rules.grid.coords(place + reach);
    let others = (y0..=y1).flat_map(|y| bins.run(rules.grid, y, x0, x1)).filter(|&j| j != i);
    let others = others.filter(|&j| agents.state[j].on_floor()).map(|j| agents.position[j].distance_squared(place));
    others.fold(COMPANY * COMPANY, f32::min)
}

impl Group {
    /// The goal of the leg before the one with this number: where somebody is who waits until that one begins. Of those who live by states the
    /// goal of the one itself.
    pub(crate) fn goal_before(&self, leg: u16) -> u16 {
        if self.lives() {
            return self.journey[usize::from(leg)].goal();
        }
        let before = usize::from(leg).checked_sub(1).unwrap_or(self.journey.len() - 1);
        self.journey[before].goal()
    }
}
