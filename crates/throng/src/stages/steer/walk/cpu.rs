//! One agent at a time.

use super::Walk;
use super::look::{KERNEL, Others, Seen, TURNS, View, is_clear, open_share, rotated};
use crate::random::{Purpose, draw, unit};
use crate::stages::steer::turn::turned;
use crate::stages::steer::{Crowd, Wanted};
use crate::world::agents::OwnColumn;
use crate::world::points::POINT;
use glam::Vec2;
use rayon::prelude::*;

/// Who steps aside goes this way from the plan's: cosine and sine of 111°.
const ASIDE: (f32, f32) = (-0.358_367_9, 0.933_580_4);
/// And this fast, m/s.
const ASIDE_SPEED: f32 = 0.35;
/// Time over which progress is the mean, s.
const PROGRESS_TIME: f32 = 1.0;
/// Below this share of the free speed one makes no headway.
const HEADWAY: f32 = 0.25;
/// Who is nearer than this may be in the way, m.
const RIGHT_AHEAD: f32 = 1.0;
/// Those who come the other way count so much in the density ahead: they pass.
const PASSING: f32 = 0.5;
/// Share of the told turn that one uses; and when one faces away from where to go.
const TURN: (f32, f32) = (0.6, 2.0);
/// Share of two bodies that is right behind each other, not merely touching at the side.
const CORE: f32 = 0.98;
/// Nearer to a wall than this a body is at it, m.
const AT_WALL: f32 = 0.05;
/// How much one who is stopped by a wall prefers to go on where it faces.
const ALONG_WALL: f32 = 0.1;
/// Who has stepped aside in vain more often than this does so less and less: in a jam that does not dissolve all would press to their right.
const HOPEFUL: f32 = 7.0;
/// How long it takes to forget one time that one stepped aside in vain, once one gets on, s.
const FORGETTING: f32 = 1.0;
/// One may always walk this fast, however near somebody is ahead, m/s.
const SHUFFLE: f32 = 0.1;

/// Writes what everybody wants.
pub(super) fn avoid(crowd: Crowd<'_>, own: &mut [OwnColumn], wanted: &mut [Wanted]) {
    let walk = crowd.model.steering.walk;
    let now = 2 + (crowd.step & 1) as usize;
    let minds = &mut own[0].values[..4 * wanted.len()];
    let each = minds.par_chunks(4).with_min_len(1024).enumerate();
    let seen: Vec<Seen> = each.map(|(i, mind)| see(&crowd, i, mind[now] > 0.0)).collect();
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
            (mind[0], mind[1], mind[next]) = (0.0, 0.0, 0.0);
            return Wanted { velocity: Vec2::ZERO, heading };
        }
        let view = View::new(crowd, seen[i].position, told.direction, walk.foresight, &mut others.outlines);
        others.find(crowd, seen, i, &view);
        let sight = self.judge(i, told.direction, others);
        mind[0] += (crowd.agents.velocity[i].dot(told.direction) - mind[0]) * (dt / PROGRESS_TIME).min(1.0);
        let aside = self.lose_patience(i, told.speed, sight.blocked, mind, (now, next));
        let goal = if aside > 0.0 {
            rotated(told.direction, (ASIDE.0, if walk.side < 0.0 { ASIDE.1 } else { -ASIDE.1 }))
        } else {
            self.choose(i, mind[0], &view, sight.against, others)
        };
        let cosine = heading.dot(goal);
        let turn = told.turn * if cosine < 0.0 { TURN.1 } else { TURN.0 };
        let heading = turned(heading, goal, cosine, turn * dt);
        let speed =
            if aside > 0.0 { told.speed.min(ASIDE_SPEED) } else { self.pace(i, heading, told.speed, &view, others) };
        Wanted { velocity: heading * (speed * heading.dot(goal).max(0.0)), heading }
    }

    /// Who is in the way, and who comes the other way; those count less in the density ahead.
    fn judge(&self, i: usize, way: Vec2, others: &mut Others) -> Sight {
        let mut sight = Sight::default();
        let goal = self.seen[i].goal;
        for near in others.each_mut() {
            let other = &self.seen[near.who as usize];
            let elsewhere = other.goal != goal || goal == POINT;
            let opponent = elsewhere && other.way != Vec2::ZERO && way.dot(other.way) < 0.3;
            near.weight = if opponent { PASSING } else { 1.0 };
            near.same_way = !elsewhere;
            if !(opponent || other.aside) {
                continue;
            }
            let d = near.d;
            let (far, along) = (d.length(), d.dot(way));
            sight.blocked |= far < RIGHT_AHEAD && along > 0.3 * far;
            if opponent && along > 0.0 {
                sight.against += (1.0 - far / self.walk.foresight).max(0.0);
            }
        }
        sight.against = sight.against.min(1.0);
        sight
    }

    /// The time left to step aside. Of a mind the second number is the patience that is used up, and the third and fourth, as this step finds it
    /// and the next, the time left; below 0 each says how often one has done so in vain, the second while one does, the others while not.
    fn lose_patience(&self, i: usize, speed: f32, blocked: bool, mind: &mut [f32], (now, next): (usize, usize)) -> f32 {
        let Self { crowd, walk, .. } = self;
        let dt = crowd.dt;
        let headway = mind[0] >= HEADWAY * speed;
        let (mut aside, mut vain) = (mind[now].max(0.0), -mind[now].min(0.0));
        if aside > 0.0 {
            vain = -mind[1];
        } else {
            mind[1] = if blocked && !headway {
                (mind[1] + dt).min(2.0 * walk.patience)
            } else {
                (mind[1] - 2.0 * dt).max(0.0)
            };
            if headway {
                vain = (vain - dt / FORGETTING).max(0.0);
            }
            if mind[1] > 0.5 * walk.patience {
                let spell = (crowd.step as f32 * dt / walk.patience) as u32;
                let dice = draw(crowd.seed, crowd.agents.id[i], Purpose::Patience, spell).map(unit);
                let hope = HOPEFUL / vain.max(HOPEFUL);
                if mind[1] > walk.patience * (0.5 + dice[0]) && dice[1] < 0.5 * hope * hope {
                    aside = walk.aside * (0.5 + dice[2]);
                    vain += 1.0;
                }
            }
        }
        let left = aside - dt;
        if aside > 0.0 {
            mind[1] = if left > 0.0 { -vain } else { 0.0 };
        }
        // Not `-vain`: 0 has one sign.
        mind[next] = if left > 0.0 { left } else { 0.0 - vain };
        aside
    }

    /// The best direction to walk in.
    fn choose(&self, i: usize, progress: f32, view: &View, against: f32, others: &Others) -> Vec2 {
        let Self { crowd, walk, .. } = self;
        let (told, heading, radius) = (crowd.guide[i], crowd.agents.heading[i], crowd.agents.radius[i]);
        let far = view.far;
        let steady = walk.steadiness * (progress / told.speed.max(1e-3)).clamp(0.0, 1.0);
        let touches = others.first_touch(&view.directions, told.speed);
        // At a wall that the way leads into, there is no way where the body touches it; and one goes on along it.
        let touching = radius + AT_WALL;
        let stopped = view.walls[0] <= touching;
        let steady = if stopped { steady.max(ALONG_WALL) } else { steady };
        let mut best = (f32::MAX, told.direction);
        for (k, (cosine, sine)) in TURNS.into_iter().enumerate() {
            let a = view.directions[k];
            let touch = touches[k] * told.speed;
            let wall = if view.walls[k] < walk.foresight { view.walls[k] } else { far };
            let wall = if stopped && wall <= touching { 0.0 } else { wall };
            let q = touch.min(wall).min(far) / far;
            let cost = 1.0 + q * q - 2.0 * q * cosine + steady * (1.0 - a.dot(heading)) + walk.side * against * sine;
            if cost < best.0 {
                best = (cost, a);
            }
        }
        best.1
    }

    /// How fast to walk along a heading.
    fn pace(&self, i: usize, heading: Vec2, free: f32, view: &View, others: &Others) -> f32 {
        let Self { walk, seen, .. } = self;
        let own = seen[i];
        let mut ahead = heading * walk.ahead;
        let mut open = 1.0;
        if view.walled {
            if !is_clear(own.position, ahead, &others.outlines) {
                ahead = Vec2::ZERO;
            }
            open = open_share(own.position + ahead, heading, &others.outlines);
        }
        let (mut sum, mut room) = (0.0, f32::MAX);
        for other in others.each() {
            let square = (other.d - ahead).length_squared();
            if square >= KERNEL * KERNEL {
                continue;
            }
            sum += other.weight * (KERNEL - square.sqrt());
            let core = CORE * other.touch;
            let (along, across) = (other.d.dot(heading), heading.perp_dot(other.d));
            if other.same_way && along > 0.0 && across.abs() < core {
                room = room.min(along - (core * core - across * across).sqrt());
            }
        }
        let density = sum * (3.0 / (std::f32::consts::PI * KERNEL * KERNEL * KERNEL)) / open;
        let allowed = free / (1.0 + (density / walk.half_speed).powf(walk.sharpness));
        allowed.min(SHUFFLE + room.max(0.0) / walk.time_gap.max(1e-3))
    }
}
