//! Neighbour lists in chunks of agents, then rounds over the lists.

use super::{MOST_NEIGHBOURS, OVERSHOOT, Overlap};
use crate::random::{Purpose, draw, unit};
use crate::stages::bin::Bins;
use crate::world::agents::Agents;
use crate::world::grid::Grid;
use crate::world::walls::{NEAR, Walls};
use glam::Vec2;
use rayon::prelude::*;

/// Agents per chunk of work. Fixed, so that sums over chunks do not depend on the number of threads.
const CHUNK: usize = 1024;

/// Working memory, kept between steps.
#[derive(Debug, Default)]
pub struct Separator {
    lists: Vec<List>,
    from: Vec<Vec2>,
    to: Vec<Vec2>,
    before: Vec<Vec2>,
    /// Neighbours left out in the last step because a heap was too dense.
    pub left_out: u64,
}

/// The neighbours of one chunk of agents.
#[derive(Debug, Default)]
struct List {
    end: Vec<u32>,
    neighbours: Vec<u32>,
    left_out: u64,
}

impl List {
    #[inline]
    fn of(&self, k: usize) -> &[u32] {
        let start = if k == 0 { 0 } else { self.end[k - 1] };
        &self.neighbours[start as usize..self.end[k] as usize]
    }
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
    /// How far one round may carry an agent, at most the stride of the walls.
    pub stride: f32,
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
        lists + 8 * (self.from.capacity() + self.to.capacity() + self.before.capacity())
    }

    /// Pushes agents on the floor apart, in `rounds` rounds, and takes the push into their velocity.
    pub fn run(&mut self, room: Room<'_>, agents: &mut Agents, bins: &Bins, rounds: u32, dt: f32) {
        let n = bins.on_floor();
        // In one step an agent is carried a fraction of this by its neighbours; lists stay right for that far.
        let margin = 0.25 * room.widest;
        self.find(room, agents, bins, margin);
        if rounds == 0 || n == 0 {
            return;
        }
        self.before.clear();
        self.before.extend_from_slice(&agents.position[..n]);
        self.from.clear();
        self.from.extend_from_slice(&agents.position[..n]);
        self.to.resize(n, Vec2::ZERO);
        for round in 0..rounds {
            self.round(room, agents, margin * 0.5, round);
            std::mem::swap(&mut self.from, &mut self.to);
        }
        let (from, before) = (&self.from, &self.before);
        agents.position[..n]
            .par_iter_mut()
            .zip(&mut agents.velocity[..n])
            .with_min_len(4096)
            .enumerate()
            .for_each(|(i, (p, v))| {
                *p = from[i];
                *v += (from[i] - before[i]) / dt;
            });
    }

    fn find(&mut self, room: Room<'_>, agents: &Agents, bins: &Bins, margin: f32) {
        let n = bins.on_floor();
        let grid = room.grid;
        let reach = 2.0 * room.widest + margin;
        self.lists.resize_with(n.div_ceil(CHUNK), List::default);
        self.lists.par_iter_mut().enumerate().for_each(|(chunk, list)| {
            list.end.clear();
            list.neighbours.clear();
            list.left_out = 0;
            for i in chunk * CHUNK..((chunk + 1) * CHUNK).min(n) {
                let (p, r) = (agents.position[i], agents.radius[i]);
                let (x0, y0) = grid.coords(p - reach);
                let (x1, y1) = grid.coords(p + reach);
                let start = list.neighbours.len();
                let near_wall = room.walls.flags()[grid.index_at(p)] & NEAR != 0;
                for y in y0..=y1 {
                    for j in bins.run(grid, y, x0, x1) {
                        let touch = r + agents.radius[j] + margin;
                        if agents.position[j].distance_squared(p) < touch * touch
                            && j != i
                            && (!near_wall || room.walls.sees(p, agents.position[j]))
                        {
                            if list.neighbours.len() - start < MOST_NEIGHBOURS {
                                list.neighbours.push(j as u32);
                            } else {
                                list.left_out += 1;
                            }
                        }
                    }
                }
                list.end.push(list.neighbours.len() as u32);
            }
        });
        self.left_out = self.lists.iter().map(|l| l.left_out).sum();
    }

    fn round(&mut self, room: Room<'_>, agents: &Agents, most: f32, round: u32) {
        let (lists, from, before) = (&self.lists, &self.from, &self.before);
        self.to.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, to)| {
            let list = &lists[chunk];
            for (k, to) in to.iter_mut().enumerate() {
                let i = chunk * CHUNK + k;
                let (p, r) = (from[i], agents.radius[i]);
                let mut push = Vec2::ZERO;
                let mut pushers = 0.0f32;
                for &j in list.of(k) {
                    let j = j as usize;
                    let apart = p - from[j];
                    let touch = r + agents.radius[j];
                    let distance_squared = apart.length_squared();
                    if distance_squared < touch * touch {
                        let distance = distance_squared.sqrt();
                        let away = if distance > 1e-6 {
                            apart / distance
                        } else {
                            tie(room, agents.id[i], agents.id[j], round)
                        };
                        push += away * (0.5 * (touch - distance));
                        pushers += 1.0;
                    }
                }
                if pushers == 0.0 {
                    // Untouched: but a wall may still have to be kept from (it may have closed just now).
                    *to = room.walls.slide(p, p, r);
                    continue;
                }
                if pushers > 2.0 {
                    push *= OVERSHOOT.min(pushers) / pushers;
                }
                let far = push.length();
                if far > room.stride {
                    push *= room.stride / far;
                }
                let mut goal = p + push;
                // Lists were made for agents that stray less than this from where they were.
                let strayed = goal - before[i];
                let far = strayed.length();
                if far > most {
                    goal = before[i] + strayed * (most / far);
                }
                *to = room.walls.slide(p, goal, r);
            }
        });
    }

    /// How much bodies overlap now, after [`Separator::run`].
    #[must_use]
    pub fn overlap(&self, agents: &Agents, n: usize) -> Overlap {
        if n == 0 {
            return Overlap::default();
        }
        let parts: Vec<(f64, f32, u64)> = self
            .lists
            .par_iter()
            .enumerate()
            .map(|(chunk, list)| {
                let (mut sum, mut max, mut many) = (0.0f64, 0.0f32, 0u64);
                for k in 0..list.end.len() {
                    let i = chunk * CHUNK + k;
                    let (p, r) = (agents.position[i], agents.radius[i]);
                    let mut deepest = 0.0f32;
                    for &j in list.of(k) {
                        let j = j as usize;
                        let touch = r + agents.radius[j];
                        let d2 = agents.position[j].distance_squared(p);
                        if d2 < touch * touch {
                            deepest = deepest.max((touch - d2.sqrt()) / touch);
                        }
                    }
                    sum += f64::from(deepest);
                    max = max.max(deepest);
                    many += u64::from(deepest > 0.05);
                }
                (sum, max, many)
            })
            .collect();
        let (sum, max, many) = parts.iter().fold((0.0, 0.0f32, 0), |a, b| (a.0 + b.0, a.1.max(b.1), a.2 + b.2));
        Overlap { mean: (sum / n as f64) as f32, max, share: (many as f64 / n as f64) as f32 }
    }
}

/// Two at the very same place part along a random line: the two see it from opposite ends.
#[cold]
fn tie(room: Room<'_>, a: u32, b: u32, round: u32) -> Vec2 {
    let word = draw(room.seed, a.min(b), Purpose::Tie, room.step.wrapping_mul(128).wrapping_add(round))[0] ^ a.max(b).wrapping_mul(0x9E37_79B9);
    let way = Vec2::from_angle(unit(word) * std::f32::consts::TAU);
    if a < b { way } else { -way }
}
