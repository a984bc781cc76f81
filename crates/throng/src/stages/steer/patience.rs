//! Patience: what people do who make no headway because others who go elsewhere are in the way. Steerings that look at people one by one share it
//! (`velocity-obstacle`, `orca`; docs/models/velocity-obstacle.md, Deadlocks).
//!
//! 1. Who is slow while somebody right ahead stands, goes elsewhere, or goes the same way and gives way, uses up its patience: fastest behind
//!    somebody who gives way, so that giving way travels back through a queue. That an opponent gives way costs none: one goes ahead then.
//! 2. When patience is used up it *gives way* for a while, walking back and to the right; or *pushes*, if somebody ahead stands for good.
//! 3. Who gives way only because somebody ahead does stops when that one does, so that giving way does not outlast its cause.
//!
//! The twin is patience.wgsl.

use super::Crowd;
use crate::random::{Purpose, draw, unit};
use glam::Vec2;
use rayon::prelude::*;

/// Numbers of an agent's column, of which the first is the steering's own: then patience used up, and the mood as even and as odd steps find it.
/// Others read the one mood while the other is written.
pub(super) const WIDTH: usize = 4;

/// Below this share of the speed one makes no headway.
const HEADWAY: f32 = 0.25;
/// Who is nearer than this may be in the way, m.
const RIGHT_AHEAD: f32 = 1.0;
/// Two whose ways have less than this as the cosine between them go elsewhere; and who is in a direction with less is not ahead.
const ALONG: f32 = 0.3;
/// Who gives way goes this way from the plan's: cosine and sine of 149° to the right.
const ASIDE: (f32, f32) = (-0.856_888_8, -0.515_501_4);
/// And this fast, m/s.
const ASIDE_SPEED: f32 = 0.45;
/// Pushing and giving way last from half of this to one and a half, s.
const SPELL: f32 = 2.0;
/// Behind somebody who gives way patience is used up so many times as fast.
const YIELDING: f32 = 6.0;
/// With nobody in the way it comes back so many times as fast.
const RECOVERY: f32 = 2.0;

/// Everybody's patience in a step.
pub(super) struct Patience<'a> {
    crowd: Crowd<'a>,
    /// Everybody's mood as the step found it: time left to push, or below 0 to give way, s.
    moods: Vec<f32>,
    /// How long people bear to make no headway, s.
    limit: f32,
    /// Whether the steering knows how to push; if not, who stands is in the way like anybody else.
    can_push: bool,
}

/// What somebody means to do in a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Intent {
    /// Whether it pushes.
    pub(super) pushes: bool,
    /// Where it wants to go, of length 1.
    pub(super) way: Vec2,
    /// How fast, m/s.
    pub(super) speed: f32,
}

/// Who is right ahead of somebody.
#[derive(Clone, Copy, Debug, Default)]
struct Ahead {
    /// Somebody stands whom one could push.
    standing: bool,
    /// Somebody goes elsewhere.
    opponent: bool,
    /// The longest that somebody who goes the same way still gives way, s.
    yielding: f32,
}

impl<'a> Patience<'a> {
    pub(super) fn new(crowd: Crowd<'a>, tempers: &[f32], limit: f32, can_push: bool) -> Self {
        let now = 2 + (crowd.step & 1) as usize;
        let moods = tempers.par_chunks(WIDTH).with_min_len(4096).map(|temper| temper[now]).collect();
        Self { crowd, moods, limit, can_push }
    }

    /// Nobody who stands or has nowhere to go is in a mood.
    pub(super) fn rest(&self, temper: &mut [f32]) {
        (temper[1], temper[3 - (self.crowd.step & 1) as usize]) = (0.0, 0.0);
    }

    /// Notes how long one has made no headway against others, and says what it does.
    pub(super) fn intent(&self, i: usize, temper: &mut [f32]) -> Intent {
        let Self { crowd, limit, .. } = self;
        let (told, dt) = (crowd.guide[i], crowd.dt);
        let slow = crowd.agents.velocity[i].dot(told.direction) < HEADWAY * told.speed;
        let ahead = if slow { self.ahead(i) } else { Ahead::default() };
        let rate = if ahead.yielding > 0.0 && !ahead.standing {
            YIELDING
        } else if ahead.standing || ahead.opponent {
            1.0
        } else {
            -RECOVERY
        };
        let used = temper[1] + dt * rate;
        temper[1] = used.clamp(0.0, *limit);
        let mut mood = self.moods[i];
        if mood == 0.0 && used >= *limit {
            let spell = SPELL * (0.5 + unit(draw(crowd.seed, crowd.agents.id[i], Purpose::Patience, crowd.step)[0]));
            mood = if ahead.standing {
                spell
            } else if ahead.opponent {
                -spell
            } else {
                -spell.min(ahead.yielding)
            };
            temper[1] = 0.5 * limit;
        }
        temper[3 - (crowd.step & 1) as usize] = if mood > 0.0 { (mood - dt).max(0.0) } else { (mood + dt).min(0.0) };
        let (v, (c, s)) = (told.direction, ASIDE);
        if mood < 0.0 {
            let way = Vec2::new(v.x * c - v.y * s, v.x * s + v.y * c);
            Intent { pushes: false, way, speed: told.speed.min(ASIDE_SPEED) }
        } else {
            Intent { pushes: mood > 0.0, way: v, speed: told.speed }
        }
    }

    fn ahead(&self, i: usize) -> Ahead {
        let Self { crowd, moods, can_push, .. } = self;
        let (p, way) = (crowd.agents.position[i], crowd.guide[i].direction);
        let mut ahead = Ahead::default();
        crowd.for_near(p, RIGHT_AHEAD, |j| {
            let d = crowd.agents.position[j] - p;
            let far = d.length();
            if j == i || far >= RIGHT_AHEAD || d.dot(way) <= ALONG * far {
                return;
            }
            let other = crowd.guide[j].direction;
            if *can_push && other == Vec2::ZERO {
                ahead.standing = true;
            } else if other.dot(way) < ALONG {
                ahead.opponent = true;
            } else {
                ahead.yielding = ahead.yielding.max(-moods[j]);
            }
        });
        ahead
    }
}
