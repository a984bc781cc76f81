//! One agent at a time.

use super::Orca;
use super::program::{HalfPlane, MOST, solve};
use crate::stages::steer::patience::{Intent, Patience, WIDTH};
use crate::stages::steer::turn::{sine_cosine, turned};
use crate::stages::steer::{Crowd, Wanted};
use crate::world::agents::OwnColumn;
use glam::Vec2;
use rayon::prelude::*;

/// The most walls that count: those that no nearer one covers.
const MOST_WALLS: usize = 8;
/// How much farther than to the last neighbour of the agent before one looks: agents come in the order of their cells.
const FARTHER: f32 = 1.12;
/// How much farther one looks if that was not enough.
const AGAIN: f32 = 1.5;
/// People looked at before the nearest of them are sorted out.
const ROOM: usize = 128;
/// And so many at a time.
const SOME: usize = 32;

/// Writes what everybody wants.
pub(super) fn avoid(crowd: Crowd<'_>, own: &mut [OwnColumn], wanted: &mut [Wanted]) {
    let rules = crowd.model.steering.orca;
    let tempers = &mut own[0].values[..WIDTH * wanted.len()];
    let patience = Patience::new(crowd, tempers, rules.patience, false);
    let (sine, cosine) = sine_cosine(rules.side.abs());
    let walkers = Walkers { crowd, rules, patience, side: (cosine, if rules.side > 0.0 { -sine } else { sine }) };
    wanted
        .par_iter_mut()
        .zip(tempers.par_chunks_mut(WIDTH))
        .with_min_len(256)
        .enumerate()
        .for_each_init(Found::default, |found, (i, (wanted, temper))| *wanted = walkers.one(i, temper, found));
}

struct Walkers<'a> {
    crowd: Crowd<'a>,
    rules: Orca,
    patience: Patience<'a>,
    /// Cosine and sine of the turn to the side.
    side: (f32, f32),
}

/// The people near an agent, each as the bits of the square of the distance and where in the columns: the lesser number is the nearer.
struct Found {
    keys: [u64; ROOM],
    count: usize,
    /// How far to look for the next agent's, m. What is found does not depend on it.
    reach: f32,
}

impl Default for Found {
    fn default() -> Self {
        Self { keys: [0; ROOM], count: 0, reach: 2.0 }
    }
}

impl Found {
    /// Sorts what was found, and keeps the nearest.
    fn keep(&mut self, most: usize) {
        self.keys[..self.count].sort_unstable();
        self.count = self.count.min(most);
    }

    /// Where the others are in the columns, nearest first.
    fn others(&self) -> impl Iterator<Item = usize> {
        self.keys[..self.count].iter().map(|key| (key & 0xffff_ffff) as usize)
    }

    /// The distance to the farthest that was kept, m.
    fn farthest(&self) -> f32 {
        self.keys[..self.count].last().map_or(0.0, |key| f32::from_bits((key >> 32) as u32).sqrt())
    }
}

impl Walkers<'_> {
    fn one(&self, i: usize, temper: &mut [f32], found: &mut Found) -> Wanted {
        let Self { crowd, side: (cosine, sine), .. } = self;
        let (told, heading) = (crowd.guide[i], crowd.agents.heading[i]);
        if told.direction == Vec2::ZERO {
            self.patience.rest(temper);
            return Wanted { velocity: Vec2::ZERO, heading };
        }
        let Intent { way, speed, .. } = self.patience.intent(i, temper);
        let way = Vec2::new(way.x * cosine - way.y * sine, way.x * sine + way.y * cosine);
        let mut planes = [HalfPlane::default(); MOST];
        let walls = self.walls(i, told.speed, &mut planes);
        self.find(i, told.speed, found);
        let mut count = walls;
        for (plane, j) in planes[walls..].iter_mut().zip(found.others()) {
            *plane = self.neighbour(i, j);
            count += 1;
        }
        let velocity = solve(&planes[..count], walls, told.speed, way * speed);
        let towards = velocity.normalize_or(heading);
        Wanted { velocity, heading: turned(heading, towards, heading.dot(towards), told.turn * crowd.dt) }
    }

    /// The nearest people, nearest first; those at the same distance in the order of the columns.
    fn find(&self, i: usize, speed: f32, found: &mut Found) {
        let Self { crowd, rules, .. } = self;
        let most = 2.0 * speed * rules.horizon + crowd.agents.radius[i] + crowd.widest;
        let wanted = rules.neighbours as usize;
        let mut reach = found.reach.min(most);
        self.gather(i, reach, wanted, found);
        while found.count < wanted && reach < most {
            reach = (AGAIN * reach).min(most);
            self.gather(i, reach, wanted, found);
        }
        found.reach = if found.count < wanted { reach } else { FARTHER * found.farthest() }.max(1e-2);
    }

    /// Notes the nearest within reach.
    fn gather(&self, i: usize, reach: f32, wanted: usize, found: &mut Found) {
        let (grid, agents) = (self.crowd.grid, self.crowd.agents);
        let p = agents.position[i];
        found.count = 0;
        let (x0, y0) = grid.coords(p - reach);
        let (x1, y1) = grid.coords(p + reach);
        for y in y0..=y1 {
            let run = self.crowd.bins.run(grid, y, x0, x1);
            let mut j = run.start as u64;
            for some in agents.position[run].chunks(SOME) {
                if found.count + SOME > ROOM {
                    found.keep(wanted);
                }
                for other in some {
                    let square = other.distance_squared(p);
                    // Written always and counted only if near: no order that a processor could foresee.
                    found.keys[found.count] = u64::from(square.to_bits()) << 32 | j;
                    found.count += usize::from((square < reach * reach) & (j != i as u64));
                    j += 1;
                }
            }
        }
        found.keep(wanted);
    }

    /// What somebody leaves.
    #[inline]
    fn neighbour(&self, i: usize, j: usize) -> HalfPlane {
        let (a, dt) = (self.crowd.agents, self.crowd.dt);
        let bodies = Bodies {
            apart: a.position[j] - a.position[i],
            touch: a.radius[i] + a.radius[j],
            own: a.velocity[i],
            other: a.velocity[j],
        };
        bodies.half_plane(self.rules.horizon, dt)
    }

    /// What walls leave: of each that no nearer one covers. Returns how many.
    fn walls(&self, i: usize, speed: f32, planes: &mut [HalfPlane; MOST]) -> usize {
        let Self { crowd, rules, .. } = self;
        let (p, radius) = (crowd.agents.position[i], crowd.agents.radius[i]);
        let reach = radius + speed * rules.wall_horizon;
        if !crowd.walls.any_around(p, reach) {
            return 0;
        }
        let mut count = 0;
        while count < MOST_WALLS {
            // The nearest one that none of those before covers; each covers itself.
            let mut best = (reach, Vec2::ZERO);
            crowd.walls.for_around(p, reach, |s| {
                let away = s.closest(p) - p;
                let far = away.length();
                let covered = |k: &HalfPlane| -away.dot(k.normal) >= covering(k, radius, rules.wall_horizon);
                if far < best.0 && !planes[..count].iter().any(covered) {
                    best = (far, away);
                }
            });
            if best.0 >= reach {
                break;
            }
            let normal = -best.1 / best.0.max(1e-6);
            planes[count] = HalfPlane { normal, offset: -(best.0 - radius) / rules.wall_horizon };
            count += 1;
        }
        count
    }
}

/// How far a wall is that gave a half-plane; a little less, since what is beside it is covered as well.
fn covering(plane: &HalfPlane, radius: f32, horizon: f32) -> f32 {
    radius - plane.offset * horizon - 1e-3
}

/// Two bodies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bodies {
    /// Where the other is from here.
    pub(super) apart: Vec2,
    /// Sum of the radii.
    pub(super) touch: f32,
    /// The own velocity.
    pub(super) own: Vec2,
    /// The other's.
    pub(super) other: Vec2,
}

impl Bodies {
    /// Velocities that avoid a collision within a time, if the other does its half; those who overlap part within a step.
    #[inline]
    pub(super) fn half_plane(self, horizon: f32, dt: f32) -> HalfPlane {
        let Self { apart: x, touch, own, other } = self;
        let v = own - other;
        let square = x.length_squared();
        let far = square - touch * touch;
        let time = if far > 0.0 { horizon } else { dt };
        // From the middle of the disc that cuts the cone off.
        let w = v - x / time;
        let along = w.dot(x);
        let (normal, missing) = if far <= 0.0 || (along < 0.0 && along * along > touch * touch * w.length_squared()) {
            let length = w.length();
            let normal = if length > 1e-6 { w / length } else { -x.normalize_or(Vec2::X) };
            (normal, touch / time - length)
        } else {
            // The nearer leg of the cone, from the tangent to the disc of the sum of the radii; its normal points out of the cone.
            let leg = far.sqrt();
            let left = x.perp_dot(w) > 0.0;
            let perp = if left { x.perp() } else { -x.perp() };
            let normal = (perp * leg - x * touch) / square;
            (normal, -v.dot(normal))
        };
        HalfPlane { normal, offset: own.dot(normal) + 0.5 * missing }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn vector(most: f32) -> impl Strategy<Value = Vec2> {
        (-most..most, -most..most).prop_map(|(x, y)| Vec2::new(x, y))
    }

    /// Whether two who differ by a velocity collide within a time: by the definition, with the time in small steps.
    fn collides(v: Vec2, x: Vec2, touch: f32, horizon: f32) -> bool {
        let nearest = (x.dot(v) / v.length_squared().max(1e-12)).clamp(0.0, horizon);
        (x - v * nearest).length() < touch
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

        #[test]
        fn each_does_half_of_the_least_change_that_avoids_a_collision(
            x in vector(3.0), own in vector(1.5), other in vector(1.5), touch in 0.2f32..0.8, horizon in 0.5f32..4.0,
        ) {
            prop_assume!(x.length() > touch + 0.02);
            let plane = Bodies { apart: x, touch, own, other }.half_plane(horizon, 0.04);
            prop_assert!((plane.normal.length() - 1.0).abs() < 1e-3);
            let v = own - other;
            let hits = collides(v, x, touch, horizon);
            // The nearest relative velocity that changes this, among many.
            let line = |k: i32| k as f32 * 0.02;
            let square = (-200..=200).flat_map(|a| (-200..=200).map(move |b| v + Vec2::new(line(a), line(b))));
            let least = square.filter(|w| collides(*w, x, touch, horizon) != hits).map(|w| w.distance(v)).reduce(f32::min);
            let change = 2.0 * plane.violation(own);
            prop_assert_eq!(change > 0.0, hits, "{} m/s", change);
            if let Some(least) = least.filter(|l| *l < 3.9) {
                prop_assert!((change.abs() - least).abs() < 0.03, "{} m/s, and sampled {} m/s", change, least);
            }
        }
    }

    #[test]
    fn two_who_overlap_part_within_a_step() {
        let x = Vec2::new(0.36, 0.0);
        let (a, b) = (Vec2::ZERO, Vec2::ZERO);
        let plane = Bodies { apart: x, touch: 0.4, own: a, other: b }.half_plane(2.0, 0.04);
        // 4 cm in 0.04 s, half of it each.
        assert!(plane.normal.x < -0.999 && (plane.offset - 0.5).abs() < 1e-4, "{plane:?}");
        let same = Bodies { apart: Vec2::ZERO, touch: 0.4, own: a, other: b }.half_plane(2.0, 0.04);
        assert!(same.normal.is_normalized() && same.offset.is_finite(), "{same:?}");
    }
}
