//! Neighbour lists in chunks of agents, then rounds over the lists.

use super::{MOST_NEIGHBOURS, OVERSHOOT, Overlap, Search, YIELDING};
use crate::random::{Purpose, draw, unit};
use crate::stages::bin::Bins;
use crate::world::agents::Agents;
use crate::world::grid::Grid;
use crate::world::walls::{NEAR, Walls};
use glam::Vec2;
use rayon::prelude::*;
use std::ops::Range;

/// Agents per chunk of work. Fixed, so that sums over chunks do not depend on the number of threads.
const CHUNK: usize = 256;

/// A body as the rounds see it: all of it in one load.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(16))]
struct Body {
    position: Vec2,
    radius: f32,
    /// Whether a wall may be in the way this step.
    near_wall: bool,
}

/// Working memory, kept between steps.
#[derive(Debug, Default)]
pub struct Separator {
    lists: Vec<List>,
    /// Before the first round, and what the last round read and wrote.
    before: Vec<Body>,
    from: Vec<Body>,
    to: Vec<Body>,
    /// Bodies from west to east, for [`Search::Sweep`].
    along_x: Vec<Swept>,
    /// Neighbours left out in the last step because a heap was too dense.
    pub left_out: u64,
}

/// A body in the order of x.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(16))]
struct Swept {
    position: Vec2,
    radius: f32,
    index: u32,
}

/// The neighbours of one body, ascending, and a place for one too many.
type Found = [u32; MOST_NEIGHBOURS + 1];

/// The neighbours of one chunk of agents.
#[derive(Debug, Default)]
struct List {
    end: Vec<u32>,
    neighbours: Vec<u32>,
    left_out: u64,
}

/// What a round needs to know.
#[derive(Clone, Copy, Debug)]
pub struct Room<'a> {
    /// The raster.
    pub grid: &'a Grid,
    /// Walls.
    pub walls: &'a Walls,
    /// The largest radius.
    pub widest: f32,
    /// How far a step may carry an agent, at most the stride of the walls.
    pub stride: f32,
    /// How far anybody may be from the cell that it was sorted into, m.
    pub walked: f32,
    /// How to find the bodies near each.
    pub search: Search,
    /// Whether the one behind gives way more than the one ahead.
    pub yields: bool,
    /// Seed, for ties.
    pub seed: u32,
    /// Step, for ties.
    pub step: u32,
}

impl Separator {
    /// Bytes that it holds on to.
    #[must_use]
    pub fn memory(&self) -> usize {
        let lists: usize = self.lists.iter().map(|l| 4 * (l.end.capacity() + l.neighbours.capacity())).sum();
        let bodies = self.from.capacity() + self.to.capacity() + self.before.capacity();
        lists + size_of::<Body>() * bodies + size_of::<Swept>() * self.along_x.capacity()
    }

    /// Pushes agents on the floor apart, in `rounds` rounds, and takes the push into their velocity.
    pub fn run(&mut self, room: Room<'_>, agents: &mut Agents, bins: &Bins, rounds: u32, dt: f32) {
        let n = bins.on_floor();
        self.gather(room, agents, n);
        self.find(room, bins, n);
        if rounds == 0 {
            return;
        }
        self.to.resize(n, Body::default());
        for round in 0..rounds {
            if room.yields {
                self.round::<true>(room, agents, round);
            } else {
                self.round::<false>(room, agents, round);
            }
            std::mem::swap(&mut self.from, &mut self.to);
        }
        let (from, before) = (&self.from, &self.before);
        agents.position[..n].par_iter_mut().zip(&mut agents.velocity[..n]).with_min_len(1024).enumerate().for_each(
            |(i, (p, v))| {
                *p = from[i].position;
                *v += (from[i].position - before[i].position) / dt;
            },
        );
    }

    fn gather(&mut self, room: Room<'_>, agents: &Agents, n: usize) {
        self.before.resize(n, Body::default());
        self.before.par_iter_mut().with_min_len(1024).enumerate().for_each(|(i, body)| {
            let position = agents.position[i];
            // A wall that is not near this cell is farther than a radius and a stride: no round brings it near.
            let near_wall = room.walls.flags()[room.grid.index_at(position)] & NEAR != 0;
            *body = Body { position, radius: agents.radius[i], near_wall };
        });
        self.from.clear();
        self.from.extend_from_slice(&self.before);
    }

    fn find(&mut self, room: Room<'_>, bins: &Bins, n: usize) {
        let grid = room.grid;
        // Two agents may each be carried a stride towards each other; that both are, the whole of it, is rare, and
        // the next step sees them.
        let margin = room.stride;
        let reach = Vec2::splat(2.0 * room.widest + margin + room.walked);
        let Self { lists, before, along_x, .. } = self;
        let bodies = before.as_slice();
        lists.resize_with(n.div_ceil(CHUNK), List::default);
        match room.search {
            Search::Bins => fill(lists, room, bodies, |i, found| {
                let p = bodies[i].position;
                let (x0, y0) = grid.coords(p - reach);
                let (x1, y1) = grid.coords(p + reach);
                take_near(bodies, i, margin, (y0..=y1).map(|y| bins.run(grid, y, x0, x1)), found)
            }),
            Search::Sweep => {
                sort_along_x(bodies, along_x);
                let reach = 2.0 * room.widest + margin;
                fill(lists, room, bodies, |i, found| sweep_near(bodies[i], i, margin, reach, along_x, found));
            }
            Search::AllPairs => {
                fill(lists, room, bodies, |i, found| take_near(bodies, i, margin, std::iter::once(0..n), found));
            }
        }
        self.left_out = self.lists.iter().map(|l| l.left_out).sum();
    }

    fn round<const YIELDS: bool>(&mut self, room: Room<'_>, agents: &Agents, round: u32) {
        let (ids, headings) = (&agents.id, &agents.heading);
        let (lists, from, before) = (&self.lists, &self.from, &self.before);
        self.to.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, to)| {
            let list = &lists[chunk];
            let mut start = 0;
            for (k, to) in to.iter_mut().enumerate() {
                let i = chunk * CHUNK + k;
                let own = from[i];
                let (p, r) = (own.position, own.radius);
                let end = list.end[k] as usize;
                let mut push = Vec2::ZERO;
                let mut pushers = 0.0f32;
                for &j in &list.neighbours[start..end] {
                    let other = &from[j as usize];
                    let apart = p - other.position;
                    let touch = r + other.radius;
                    let distance = apart.length();
                    // Without a branch: whether neighbours overlap is anybody's guess.
                    let deep = (touch - distance).max(0.0);
                    let share = if YIELDS && deep > 0.0 {
                        own_share(headings[i], headings[j as usize], apart / distance.max(1e-6))
                    } else {
                        0.5
                    };
                    push += apart * (share * deep / distance.max(1e-6));
                    pushers += f32::from(u8::from(deep > 0.0));
                    if distance < 1e-6 {
                        push += tie(room, ids[i], ids[j as usize], round) * (0.5 * deep);
                    }
                }
                start = end;
                *to = own;
                if pushers == 0.0 {
                    // Untouched: but a wall may still have to be kept from (it may have closed just now).
                    if own.near_wall {
                        to.position = room.walls.slide(p, p, r);
                    }
                    continue;
                }
                if pushers > 2.0 {
                    push *= OVERSHOOT / pushers;
                }
                // Lists were made for agents that stray less than a stride from where they were.
                let origin = before[i].position;
                let strayed = p + push - origin;
                let far = strayed.length_squared();
                let most = room.stride;
                let goal = if far > most * most { origin + strayed * (most / far.sqrt()) } else { p + push };
                to.position = if own.near_wall { room.walls.slide(p, goal, r) } else { goal };
            }
        });
    }

    /// How much bodies overlap now, after [`Separator::run`].
    #[must_use]
    pub fn overlap(&self) -> Overlap {
        let bodies = &self.from;
        if bodies.is_empty() {
            return Overlap::default();
        }
        let parts: Vec<(f64, f32, u64)> = self
            .lists
            .par_iter()
            .enumerate()
            .map(|(chunk, list)| {
                let (mut sum, mut max, mut many) = (0.0f64, 0.0f32, 0u64);
                let mut start = 0;
                for (k, &end) in list.end.iter().enumerate() {
                    let own = bodies[chunk * CHUNK + k];
                    let mut deepest = 0.0f32;
                    for &j in &list.neighbours[start..end as usize] {
                        let other = &bodies[j as usize];
                        let touch = own.radius + other.radius;
                        let d2 = other.position.distance_squared(own.position);
                        if d2 < touch * touch {
                            deepest = deepest.max((touch - d2.sqrt()) / touch);
                        }
                    }
                    start = end as usize;
                    sum += f64::from(deepest);
                    max = max.max(deepest);
                    many += u64::from(deepest > 0.05);
                }
                (sum, max, many)
            })
            .collect();
        let n = bodies.len() as f64;
        let (sum, max, many) = parts.iter().fold((0.0, 0.0f32, 0), |a, b| (a.0 + b.0, a.1.max(b.1), a.2 + b.2));
        Overlap { mean: (sum / n) as f32, max, share: (many as f64 / n) as f32 }
    }
}

/// The share of an overlap that an agent gives way by: more if it faces the other than if the other faces it. `apart` points from
/// the other to it.
#[inline]
fn own_share(own: Vec2, other: Vec2, apart: Vec2) -> f32 {
    (0.5 - YIELDING * (own + other).dot(apart)).clamp(0.0, 1.0)
}

/// Makes the lists. `near` finds the neighbours of a body, and says how many it found and how many it left out.
fn fill(lists: &mut [List], room: Room<'_>, bodies: &[Body], near: impl Fn(usize, &mut Found) -> (usize, u64) + Sync) {
    lists.par_iter_mut().enumerate().for_each(|(chunk, list)| {
        list.end.clear();
        list.neighbours.clear();
        list.left_out = 0;
        let mut found = [0u32; MOST_NEIGHBOURS + 1];
        for i in chunk * CHUNK..((chunk + 1) * CHUNK).min(bodies.len()) {
            let (count, left_out) = near(i, &mut found);
            list.left_out += left_out;
            let found = &found[..count];
            let Body { position: p, near_wall, .. } = bodies[i];
            if near_wall {
                list.neighbours.extend(found.iter().filter(|&&j| room.walls.sees(p, bodies[j as usize].position)));
            } else {
                list.neighbours.extend_from_slice(found);
            }
            list.end.push(list.neighbours.len() as u32);
        }
    });
}

/// The neighbours of body `i` in ascending runs of bodies.
#[inline]
fn take_near(
    bodies: &[Body],
    i: usize,
    margin: f32,
    runs: impl Iterator<Item = Range<usize>>,
    found: &mut Found,
) -> (usize, u64) {
    let Body { position: p, radius, .. } = bodies[i];
    let (mut count, mut left_out) = (0, 0);
    for run in runs {
        for (j, other) in (run.start..).zip(&bodies[run]) {
            let touch = radius + other.radius + margin;
            let near = (other.position.distance_squared(p) < touch * touch) & (j != i);
            // Written always and counted only if near: half of the candidates are, in no order that a
            // processor could foresee.
            found[count] = j as u32;
            count += usize::from(near);
            if count > MOST_NEIGHBOURS {
                left_out += 1;
                count = MOST_NEIGHBOURS;
            }
        }
    }
    (count, left_out)
}

fn sort_along_x(bodies: &[Body], along_x: &mut Vec<Swept>) {
    along_x.clear();
    along_x.extend((0u32..).zip(bodies).map(|(index, b)| Swept { position: b.position, radius: b.radius, index }));
    along_x.par_sort_unstable_by(|a, b| a.position.x.total_cmp(&b.position.x).then(a.index.cmp(&b.index)));
}

/// The neighbours of body `i` among those less than `reach` to the west and east of it.
fn sweep_near(
    Body { position: p, radius, .. }: Body,
    i: usize,
    margin: f32,
    reach: f32,
    along_x: &[Swept],
    found: &mut Found,
) -> (usize, u64) {
    let (west, east) = (p.x - reach, p.x + reach);
    let first = along_x.partition_point(|b| b.position.x.total_cmp(&west).is_lt());
    let last = first + along_x[first..].partition_point(|b| b.position.x.total_cmp(&east).is_le());
    let (mut count, mut left_out) = (0, 0);
    for other in &along_x[first..last] {
        let touch = radius + other.radius + margin;
        let near = (other.position.distance_squared(p) < touch * touch) & (other.index as usize != i);
        if !near {
            continue;
        }
        // Ascending by index, as the other searches come upon them; one too many pushes the last one out.
        let place = found[..count].partition_point(|&j| j < other.index);
        found.copy_within(place..count, place + 1);
        found[place] = other.index;
        count += 1;
        if count > MOST_NEIGHBOURS {
            left_out += 1;
            count = MOST_NEIGHBOURS;
        }
    }
    (count, left_out)
}

/// Two at the very same place part along a random line: the two see it from opposite ends.
#[cold]
fn tie(room: Room<'_>, a: u32, b: u32, round: u32) -> Vec2 {
    let step = room.step.wrapping_mul(128).wrapping_add(round);
    let word = draw(room.seed, a.min(b), Purpose::Tie, step)[0] ^ a.max(b).wrapping_mul(0x9E37_79B9);
    let way = Vec2::from_angle(unit(word) * std::f32::consts::TAU);
    if a < b { way } else { -way }
}
