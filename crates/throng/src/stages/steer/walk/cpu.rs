//! One agent at a time.

use super::look::{KERNEL, MOST, Others, Seen, TURNS, clear_way, open_share, reach, rotated};
use super::{ASIDE, ASIDE_SPEED, Walk};
use crate::random::{Purpose, draw, unit};
use crate::stages::steer::turn::turned;
use crate::stages::steer::{Crowd, Wanted};
use crate::world::agents::OwnColumn;
use crate::world::points::POINT;
use glam::Vec2;
use rayon::prelude::*;

/// Writes what everybody wants.
pub(super) fn avoid(crowd: Crowd<'_>, own: &mut [OwnColumn], wanted: &mut [Wanted]) {
    let walk = crowd.model.steering.walk;
    let now = 2 + (crowd.step & 1) as usize;
    let minds = &mut own[0].values[..4 * wanted.len()];
    let seen: Vec<Seen> = minds.par_chunks(4).with_min_len(1024).enumerate().map(|(i, mind)| see(&crowd, i, mind[now] > 0.0)).collect();
    let walkers = Walkers { crowd, walk, seen: &seen };
    wanted.par_iter_mut().zip(minds.par_chunks_mut(4)).with_min_len(128).enumerate().for_each_init(
        || Box::new(Others::new()),
        |others, (i, (wanted, mind))| *wanted = walkers.one(i, mind, others),
    );
}

fn see(crowd: &Crowd<'_>, i: usize, aside: bool) -> Seen {
    let a = crowd.agents;
    let heading = a.heading[i];
    Seen {
        position: a.position[i],
        velocity: heading * a.velocity[i].dot(heading).max(0.0),
        way: crowd.guide[i].direction,
        radius: a.radius[i],
        goal: a.goal[i],
        aside,
    }
}

struct Walkers<'a> {
    crowd: Crowd<'a>,
    walk: Walk,
    seen: &'a [Seen],
}

/// What an agent makes of those around.
#[derive(Debug, Default)]
struct Sight {
    /// Somebody right ahead goes elsewhere, or steps aside.
    blocked: bool,
    /// How much comes the other way, up to 1.
    against: f32,
}

impl Walkers<'_> {
    fn one(&self, i: usize, mind: &mut [f32], others: &mut Others) -> Wanted {
        let Self { crowd, walk, seen } = self;
        let (told, heading, dt) = (crowd.guide[i], crowd.agents.heading[i], crowd.dt);
        let (now, next) = (2 + (crowd.step & 1) as usize, 3 - (crowd.step & 1) as usize);
        if told.direction == Vec2::ZERO {
            mind.fill(0.0);
            return Wanted { velocity: Vec2::ZERO, heading };
        }
        let own = seen[i];
        let way = told.direction;
        let fan = TURNS.map(|turn| clear_way(crowd.grid, crowd.walls, own.position, rotated(way, turn), walk.foresight));
        self.find(i, way, &fan, others);
        let sight = self.judge(i, way, others);
        mind[0] += (crowd.agents.velocity[i].dot(way) - mind[0]) * dt.min(1.0);
        let was = mind[now];
        let aside = self.lose_patience(i, told.speed, sight.blocked, &mut mind[..2], was);
        mind[next] = (aside - dt).max(0.0);
        let goal = if aside > 0.0 {
            rotated(way, if walk.side < 0.0 { (ASIDE.0, -ASIDE.1) } else { ASIDE })
        } else {
            let pace = (mind[0] / told.speed.max(1e-3)).clamp(0.0, 1.0);
            self.choose(way, heading, told.speed, pace, &fan, sight.against, others)
        };
        let cosine = heading.dot(goal);
        let turn = if cosine < 0.0 { 2.0 * told.turn } else { 0.6 * told.turn };
        let heading = turned(heading, goal, cosine, turn * dt);
        let speed = if aside > 0.0 { told.speed.min(ASIDE_SPEED) } else { told.speed * self.allowed(i, heading, &fan, way, others) };
        Wanted { velocity: heading * (speed * heading.dot(goal).max(0.0)), heading }
    }

    /// Fills the list of those who matter: near, not far behind, and not behind a wall.
    fn find(&self, i: usize, way: Vec2, fan: &[f32; 7], others: &mut Others) {
        let Self { crowd, walk, seen } = self;
        let own = seen[i];
        let reach = reach(crowd, own.position, walk.foresight);
        let walls = fan.iter().any(|w| *w < reach);
        let directions = TURNS.map(|t| rotated(way, t));
        let mut count = 0;
        let (x0, y0) = crowd.grid.coords(own.position - reach);
        let (x1, y1) = crowd.grid.coords(own.position + reach);
        for y in y0..=y1 {
            let run = crowd.bins.run(crowd.grid, y, x0, x1);
            for (j, other) in (run.start..).zip(&seen[run]) {
                let d = other.position - own.position;
                let square = d.length_squared();
                let along = d.dot(way);
                // Farther back than a quarter of the distance, and not at arm's length.
                let behind = along < 0.0 && along * along > 0.0625 * square && square > 0.36;
                let mut near = (square < reach * reach) & !behind & (j != i);
                if near && walls {
                    let mut best = (f32::MIN, 0.0);
                    for (a, w) in directions.iter().zip(fan) {
                        let along = d.dot(*a);
                        if along > best.0 {
                            best = (along, *w);
                        }
                    }
                    near = square < (best.1 + 0.1) * (best.1 + 0.1) || (square < 0.36 && crowd.walls.sees(own.position, other.position));
                }
                others.dx[count] = d.x;
                others.dy[count] = d.y;
                others.vx[count] = other.velocity.x;
                others.vy[count] = other.velocity.y;
                let touch = own.radius + other.radius;
                others.touch[count] = (touch * touch).min(0.8464 * square);
                others.who[count] = j as u32;
                count = (count + usize::from(near)).min(MOST - 1);
            }
        }
        others.count = count;
    }

    fn judge(&self, i: usize, way: Vec2, others: &Others) -> Sight {
        let mut sight = Sight::default();
        for k in 0..others.count {
            let other = self.seen[others.who[k] as usize];
            let d = Vec2::new(others.dx[k], others.dy[k]);
            let elsewhere = other.goal != self.seen[i].goal || other.goal == POINT;
            let opponent = elsewhere && other.way != Vec2::ZERO && way.dot(other.way) < 0.3;
            if !(opponent || other.aside) {
                continue;
            }
            let (far, along) = (d.length(), d.dot(way));
            sight.blocked |= far < 1.0 && along > 0.3 * far;
            if opponent && along > 0.0 {
                sight.against += (1.0 - far / self.walk.foresight).max(0.0);
            }
        }
        sight.against = sight.against.min(1.0);
        sight
    }

    /// The time left to step aside, after progress and patience (`mind`) have changed.
    fn lose_patience(&self, i: usize, speed: f32, blocked: bool, mind: &mut [f32], aside: f32) -> f32 {
        let Self { crowd, walk, .. } = self;
        let dt = crowd.dt;
        mind[1] = if blocked && mind[0] < 0.25 * speed {
            (mind[1] + dt).min(2.0 * walk.patience)
        } else {
            (mind[1] - 2.0 * dt).max(0.0)
        };
        if aside > 0.0 {
            mind[1] = (mind[1] - 3.0 * dt).max(0.0);
            return aside;
        }
        let spell = (crowd.step as f32 * dt / walk.patience) as u32;
        let dice = draw(crowd.seed, crowd.agents.id[i], Purpose::Patience, spell).map(unit);
        if mind[1] > walk.patience * (0.5 + dice[0]) && dice[1] < 0.5 { walk.aside * (0.5 + dice[2]) } else { 0.0 }
    }

    /// The best direction to walk in.
    fn choose(&self, way: Vec2, heading: Vec2, speed: f32, pace: f32, fan: &[f32; 7], against: f32, others: &Others) -> Vec2 {
        let walk = &self.walk;
        let far = walk.foresight * 1.34;
        let mut best = (f32::MAX, way);
        for (k, turn) in TURNS.iter().enumerate() {
            let a = rotated(way, *turn);
            let time = first_touch(a * speed, others);
            let wall = if fan[k] >= walk.foresight { far } else { fan[k] };
            let q = (time * speed).min(wall).min(far) / far;
            let cost = 1.0 + q * q - 2.0 * q * turn.0
                + walk.steadiness * pace * (1.0 - a.dot(heading))
                + walk.side * against * turn.1;
            if cost < best.0 {
                best = (cost, a);
            }
        }
        best.1
    }

    /// The share of the free speed that the density ahead allows.
    fn allowed(&self, i: usize, heading: Vec2, fan: &[f32; 7], way: Vec2, others: &Others) -> f32 {
        let Self { crowd, walk, seen } = self;
        let p = seen[i].position;
        let mut ahead = heading * walk.ahead;
        let open = clear_way(crowd.grid, crowd.walls, p, heading, walk.ahead);
        if open < walk.ahead {
            ahead = Vec2::ZERO;
        }
        let _ = (fan, way);
        let mut sum = 0.0;
        for k in 0..others.count {
            let (x, y) = (others.dx[k] - ahead.x, others.dy[k] - ahead.y);
            sum += (KERNEL - (x * x + y * y).sqrt()).max(0.0);
        }
        let share = open_share(crowd.grid, crowd.walls, p + ahead, heading);
        let density = sum * (3.0 / std::f32::consts::PI) / share;
        1.0 / (1.0 + (density / walk.half_speed).powf(walk.sharpness))
    }
}

/// When somebody who walks with `velocity` first touches anybody, all walking on as they do.
fn first_touch(velocity: Vec2, others: &Others) -> f32 {
    let mut first = f32::MAX;
    for k in 0..others.count {
        let (wx, wy) = (velocity.x - others.vx[k], velocity.y - others.vy[k]);
        let (dx, dy) = (others.dx[k], others.dy[k]);
        let closing = dx * wx + dy * wy;
        let speed = wx * wx + wy * wy;
        let inside = closing * closing - speed * (dx * dx + dy * dy - others.touch[k]);
        if closing > 0.0 && inside > 0.0 {
            first = first.min((closing - inside.sqrt()) / speed);
        }
    }
    first
}
