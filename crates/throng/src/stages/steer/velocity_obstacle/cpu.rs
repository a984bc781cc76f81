//! One agent at a time.

use super::sweep::time_to_wall;
use super::{Fan, VelocityObstacle};
use crate::geometry::{Rect, Segment};
use crate::random::{Purpose, draw, unit};
use crate::stages::steer::patience::{Intent, Patience, WIDTH};
use crate::stages::steer::turn::{sine_cosine, turned};
use crate::stages::steer::{Crowd, Wanted};
use crate::world::agents::OwnColumn;
use glam::Vec2;
use rayon::prelude::*;

/// The most directions that can be tried.
const MOST: usize = 8;
/// People that are looked at together.
const LANES: usize = 8;
/// How many people a disc holds, over π, beyond which one looks less far.
const ENOUGH: f32 = 20.0;
/// Of the distance to somebody who is touched, so much counts as solid, and for those who push: what is left is how far one may press in
/// a step.
const FIRM: (f32, f32) = (0.9995, 0.99);
/// But never less than this of the sum of the radii.
const CORE: f32 = 0.985;
/// A wall that is met with less of the speed than this is no obstacle: one slides along it.
const STEEP: f32 = 0.5;

/// Writes what everybody wants.
pub(super) fn avoid(crowd: Crowd<'_>, own: &mut [OwnColumn], wanted: &mut [Wanted]) {
    let rules = crowd.model.steering.velocity_obstacle;
    let tempers = &mut own[0].values[..WIDTH * wanted.len()];
    let patience = Patience::new(crowd, tempers, rules.patience, true);
    let walkers = Walkers { crowd, rules, turn: sine_cosine(rules.angle), patience };
    wanted
        .par_iter_mut()
        .zip(tempers.par_chunks_mut(WIDTH))
        .with_min_len(128)
        .enumerate()
        .for_each_init(Others::default, |others, (i, (wanted, temper))| *wanted = walkers.one(i, temper, others));
}

struct Walkers<'a> {
    crowd: Crowd<'a>,
    rules: VelocityObstacle,
    /// Sine and cosine of the angle between candidates.
    turn: (f32, f32),
    patience: Patience<'a>,
}

/// Some people around, column by column, so that a processor can look at all of them at a time.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(32))]
struct Block {
    dx: [f32; LANES],
    dy: [f32; LANES],
    vx: [f32; LANES],
    vy: [f32; LANES],
    /// The square of the distance, less the square of how near is touching.
    apart: [f32; LANES],
}

/// People around, and walls.
#[derive(Debug, Default)]
struct Others {
    blocks: Vec<Block>,
    count: usize,
    outlines: Vec<Segment>,
}

impl Others {
    fn clear(&mut self) {
        self.blocks.clear();
        self.count = 0;
        self.outlines.clear();
    }

    #[inline]
    fn push(&mut self, d: Vec2, v: Vec2, apart: f32) {
        let lane = self.count % LANES;
        if lane == 0 {
            // Whoever fills up a block is too far away to be met.
            self.blocks.push(Block { apart: [f32::MAX; LANES], ..Block::default() });
        }
        let block = &mut self.blocks[self.count / LANES];
        (block.dx[lane], block.dy[lane]) = d.into();
        (block.vx[lane], block.vy[lane]) = v.into();
        block.apart[lane] = apart;
        self.count += 1;
    }

    /// When somebody with a velocity first touches anybody, all walking on as they do; at most `horizon`.
    #[inline]
    fn first_touch(&self, v: Vec2, horizon: f32) -> f32 {
        let mut first = [horizon; LANES];
        for block in &self.blocks {
            for (k, first) in first.iter_mut().enumerate() {
                let (wx, wy) = (v.x - block.vx[k], v.y - block.vy[k]);
                let closing = block.dx[k] * wx + block.dy[k] * wy;
                let square = wx * wx + wy * wy;
                let inside = closing * closing - square * block.apart[k];
                let root = if inside > 0.0 { inside } else { 0.0 }.sqrt();
                let time = (closing - root) / square;
                let meets = (closing > 0.0) & (inside > 0.0) & (time < *first);
                *first = if meets { time } else { *first };
            }
        }
        first.into_iter().fold(horizon, |a, b| if b < a { b } else { a }).max(0.0)
    }
}

impl Walkers<'_> {
    fn one(&self, i: usize, temper: &mut [f32], others: &mut Others) -> Wanted {
        let Self { crowd, rules, .. } = self;
        let (told, heading, dt) = (crowd.guide[i], crowd.agents.heading[i], crowd.dt);
        if told.direction == Vec2::ZERO {
            temper[0] = 0.0;
            self.patience.rest(temper);
            return Wanted { velocity: Vec2::ZERO, heading };
        }
        let dice = draw(crowd.seed, crowd.agents.id[i], Purpose::Aggressiveness, 0)[0];
        let aggressive = (rules.aggressiveness + rules.spread * (2.0 * unit(dice) - 1.0)).clamp(0.0, 1.0);
        let Intent { pushes, way, speed } = self.patience.intent(i, temper);
        self.look_around(i, speed, if pushes { FIRM.1 } else { FIRM.0 }, others);
        let chosen = self.choose(i, way, speed, rules.weight * (1.0 - aggressive), &mut temper[0], others);
        let heading = turned(heading, chosen, heading.dot(chosen), told.turn * dt);
        let speed = speed * heading.dot(chosen).max(0.0);
        Wanted { velocity: heading * (speed * others.first_touch(heading * speed, dt) / dt), heading }
    }

    /// The directions that are tried, as many as the rules say.
    fn candidates(&self, way: Vec2) -> [Vec2; MOST] {
        let (sine, cosine) = self.turn;
        let mut directions = [way; MOST];
        match self.rules.fan {
            Fan::Right => {
                for k in 1..MOST {
                    directions[k] = rotated(directions[k - 1], (cosine, -sine));
                }
            }
            Fan::Both => {
                for k in 1..MOST {
                    let sine = if k % 2 == 1 { -sine } else { sine };
                    directions[k] = rotated(directions[k.saturating_sub(2)], (cosine, sine));
                }
            }
        }
        directions
    }

    /// Notes whom one might hit, and walls.
    fn look_around(&self, i: usize, speed: f32, solid: f32, others: &mut Others) {
        let Self { crowd, rules, .. } = self;
        let (agents, grid) = (crowd.agents, crowd.grid);
        let (p, radius) = (agents.position[i], agents.radius[i]);
        others.clear();
        let reach = self.reach(p, 2.0 * speed * rules.horizon + radius + crowd.widest);
        let (x0, y0) = grid.coords(p - reach);
        let (x1, y1) = grid.coords(p + reach);
        for y in y0..=y1 {
            for j in crowd.bins.run(grid, y, x0, x1) {
                let d = agents.position[j] - p;
                let square = d.length_squared();
                if (square < reach * reach) & (j != i) {
                    let touch = radius + agents.radius[j];
                    let core = (touch * touch).min((solid * solid * square).max(CORE * CORE * touch * touch));
                    others.push(d, agents.velocity[j], square - core);
                }
            }
        }
        let far = speed * rules.wall_horizon + radius;
        let sight = Rect::new(p - far, p + far);
        crowd.walls.for_around(p, far, |s| {
            if s.bounds().touches(sight) {
                others.outlines.push(Segment::new(s.a - p, s.b - p));
            }
        });
    }

    /// How far to look for people: as far as the horizon needs, and less in a dense crowd, where the nearest ones hide the others.
    fn reach(&self, p: Vec2, most: f32) -> f32 {
        let (grid, bins) = (self.crowd.grid, self.crowd.bins);
        let (x0, y0) = grid.coords(p - most);
        let (x1, y1) = grid.coords(p + most);
        let people: usize = (y0..=y1).map(|y| bins.run(grid, y, x0, x1).len()).sum();
        let area = ((x1 - x0 + 1) * (y1 - y0 + 1)) as f32 * grid.cell * grid.cell;
        let enough = ENOUGH * area / people.max(1) as f32;
        if enough < most * most { enough.sqrt() } else { most }
    }

    /// The fittest of the directions. `last` is what was chosen last: the number of the candidate, from 1, below 0 after a turn to the
    /// right; 0 at first.
    fn choose(&self, i: usize, way: Vec2, speed: f32, weight: f32, last: &mut f32, others: &Others) -> Vec2 {
        let Self { crowd, rules, .. } = self;
        let directions = self.candidates(way);
        let free = crowd.step.wrapping_add(crowd.agents.id[i]).is_multiple_of(rules.damping);
        let (turned, before) = (last.signum(), self.place((last.abs() as usize).saturating_sub(1)));
        let mut best = (-1.0, 0);
        for (k, &direction) in directions.iter().enumerate().take(rules.candidates as usize) {
            let v = direction * speed;
            let time = others.first_touch(v, rules.horizon).min(self.free_of_walls(i, v, others));
            let turns_back = !free && *last != 0.0 && (self.place(k) - before) * turned < 0.0;
            let fitness = if turns_back { 0.0 } else { weight * time + 0.5 * way.dot(direction) + 0.5 };
            if fitness > best.0 {
                best = (fitness, k);
            }
        }
        let turn = self.place(best.1) - before;
        // An unchanged choice is no turn.
        let sense = if turn == 0.0 { *last } else { turn };
        if sense != 0.0 {
            *last = (best.1 + 1) as f32 * sense.signum();
        }
        directions[best.1]
    }

    /// Where a candidate lies, in angles to the left of the plan's direction.
    fn place(&self, k: usize) -> f32 {
        match self.rules.fan {
            Fan::Right => -(k as f32),
            Fan::Both if k % 2 == 1 => -(k.div_ceil(2) as f32),
            Fan::Both => k.div_ceil(2) as f32,
        }
    }

    /// The time until a wall is met, as a share of how far ahead walls count, of the horizon.
    fn free_of_walls(&self, i: usize, v: Vec2, others: &Others) -> f32 {
        let Self { crowd, rules, .. } = self;
        let mut time = rules.wall_horizon;
        for wall in &others.outlines {
            if let Some((meets, steep)) = time_to_wall(v, crowd.agents.radius[i], *wall)
                && steep > STEEP
                && meets < time
            {
                time = meets;
            }
        }
        if time < rules.wall_horizon { time / rules.wall_horizon * rules.horizon } else { rules.horizon }
    }
}

/// A vector turned by an angle, given as its cosine and sine.
#[inline]
fn rotated(v: Vec2, (c, s): (f32, f32)) -> Vec2 {
    Vec2::new(v.x * c - v.y * s, v.x * s + v.y * c)
}
