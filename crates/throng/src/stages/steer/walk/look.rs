//! What one agent sees: how far it is to walls, and who is around.

use crate::stages::steer::Crowd;
use crate::world::grid::Grid;
use crate::world::walls::{NEAR, Walls};
use glam::Vec2;

/// Directions that are tried: cosine and sine of 0, ±0.3, ±0.7 and ±1.3 rad from the plan's.
pub(super) const TURNS: [(f32, f32); 7] = [
    (1.0, 0.0),
    (0.955_336_5, 0.295_520_2),
    (0.955_336_5, -0.295_520_2),
    (0.764_842_2, 0.644_217_7),
    (0.764_842_2, -0.644_217_7),
    (0.267_498_8, 0.963_558_2),
    (0.267_498_8, -0.963_558_2),
];

/// Cosine and sine of an eighth of a turn.
const EIGHTH: (f32, f32) = (std::f32::consts::FRAC_1_SQRT_2, std::f32::consts::FRAC_1_SQRT_2);

/// Radius of the kernel that a density is taken with, m.
pub(super) const KERNEL: f32 = 1.0;

/// Who is nearer than this is seen behind one's back too, m.
const ARMS_LENGTH: f32 = 0.6;

/// Somebody half hidden by a wall is seen, m.
const MARGIN: f32 = 0.1;

/// A free way counts up to this many times the foresight: what is beyond it is as good as free.
const FREE_WAY: f32 = 1.34;

/// How many people half a disc holds, beyond which one looks less far, over π/2.
const ENOUGH: f32 = 15.0;

/// A vector turned by an angle, given as its cosine and sine.
#[inline]
pub(super) fn rotated(v: Vec2, (c, s): (f32, f32)) -> Vec2 {
    Vec2::new(v.x * c - v.y * s, v.x * s + v.y * c)
}

/// What others see of an agent.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(16))]
pub(super) struct Seen {
    pub(super) position: Vec2,
    /// How it walks where it faces: without what others push.
    pub(super) velocity: Vec2,
    /// Where the plan sends it.
    pub(super) way: Vec2,
    pub(super) radius: f32,
    pub(super) goal: u16,
    /// Whether it steps aside.
    pub(super) aside: bool,
}

/// How far it is from `p` along a direction to a wall, at most `most`.
#[inline]
pub(super) fn clear_way(grid: &Grid, walls: &Walls, p: Vec2, direction: Vec2, most: f32) -> f32 {
    // A cell lists every wall within reach of any of its points.
    let stride = walls.reach();
    let mut done = 0.0;
    while done < most {
        let from = p + direction * done;
        let cell = grid.index_at(from);
        if walls.flags()[cell] & NEAR != 0 {
            let mut nearest = f32::MAX;
            for s in walls.near(cell) {
                let (along, to) = (s.b - s.a, s.a - from);
                let across = direction.perp_dot(along);
                let (t, u) = (to.perp_dot(along) / across, to.perp_dot(direction) / across);
                // Those along the way give no number, and are not met.
                if t >= 0.0 && t < nearest && (0.0..=1.0).contains(&u) {
                    nearest = t;
                }
            }
            if nearest <= stride {
                return (done + nearest).min(most);
            }
        }
        done += stride;
    }
    most
}

/// The share of a kernel around `p` that is open floor: by eight rays, each of which counts with the kernel's weight up to a wall.
pub(super) fn open_share(grid: &Grid, walls: &Walls, p: Vec2, heading: Vec2) -> f32 {
    let mut ray = heading;
    let mut sum = 0.0;
    for _ in 0..8 {
        let w = clear_way(grid, walls, p, ray, KERNEL) / KERNEL;
        sum += w * w * (3.0 - 2.0 * w);
        ray = rotated(ray, EIGHTH);
    }
    (0.125 * sum).max(0.2)
}

/// Where one can look from a place.
#[derive(Debug)]
pub(super) struct View {
    /// The directions that are tried.
    pub(super) directions: [Vec2; 7],
    /// How far it is to a wall in each, up to the foresight.
    pub(super) walls: [f32; 7],
    /// Whether a wall is anywhere in sight.
    pub(super) walled: bool,
    /// Up to where a free way counts.
    pub(super) far: f32,
    /// How far to look for others: less in a dense crowd, where the nearest ones hide the others.
    reach: f32,
}

impl View {
    pub(super) fn new(crowd: &Crowd<'_>, p: Vec2, way: Vec2, foresight: f32) -> Self {
        let directions = TURNS.map(|turn| rotated(way, turn));
        let walls = directions.map(|a| clear_way(crowd.grid, crowd.walls, p, a, foresight));
        let walled = walls.iter().any(|w| *w < foresight);
        Self { directions, walls, walled, far: FREE_WAY * foresight, reach: reach(crowd, p, foresight) }
    }

    /// Whether no wall hides somebody: by the wall in the nearest of the directions.
    #[inline]
    fn shows(&self, d: Vec2, square: f32) -> bool {
        let mut best = (f32::MIN, 0.0);
        for (a, w) in self.directions.iter().zip(&self.walls) {
            let along = d.dot(*a);
            if along > best.0 {
                best = (along, *w);
            }
        }
        square < (best.1 + MARGIN) * (best.1 + MARGIN)
    }
}

/// How far to look so that half a disc holds no more people than can be looked at.
fn reach(crowd: &Crowd<'_>, p: Vec2, foresight: f32) -> f32 {
    let grid = crowd.grid;
    let (x0, y0) = grid.coords(p - foresight);
    let (x1, y1) = grid.coords(p + foresight);
    let people: usize = (y0..=y1).map(|y| crowd.bins.run(grid, y, x0, x1).len()).sum();
    let area = ((x1 - x0 + 1) * (y1 - y0 + 1)) as f32 * grid.cell * grid.cell;
    let enough = ENOUGH * area / people.max(1) as f32;
    if enough < foresight * foresight { enough.sqrt() } else { foresight }
}

/// People that are looked at together.
const LANES: usize = 8;

/// The most people that are looked at. A crowd that is dense everywhere has a third of that within reach.
const MOST: usize = 80;

/// People around, column by column, so that a processor can look at several at a time.
#[derive(Debug)]
pub(super) struct Others {
    pub(super) count: usize,
    pub(super) dx: [f32; MOST],
    pub(super) dy: [f32; MOST],
    vx: [f32; MOST],
    vy: [f32; MOST],
    /// How near is touching, m; and what its square is in a look ahead, in which those who touch already are apart.
    pub(super) touch: [f32; MOST],
    near: [f32; MOST],
    /// Where in the columns.
    pub(super) who: [u32; MOST],
    /// How much each counts in a density.
    pub(super) weight: [f32; MOST],
    /// Whether each goes to the same goal.
    pub(super) same_way: [bool; MOST],
}

impl Others {
    pub(super) const fn new() -> Self {
        let none = [0.0; MOST];
        Self {
            count: 0,
            dx: none,
            dy: none,
            vx: none,
            vy: none,
            touch: none,
            near: none,
            who: [0; MOST],
            weight: none,
            same_way: [false; MOST],
        }
    }

    /// Fills the list with those who matter to an agent: near, not far behind, and not hidden by a wall.
    pub(super) fn find(&mut self, crowd: &Crowd<'_>, seen: &[Seen], i: usize, view: &View) {
        let (own, reach) = (seen[i], view.reach);
        let way = view.directions[0];
        let mut count = 0;
        let (x0, y0) = crowd.grid.coords(own.position - reach);
        let (x1, y1) = crowd.grid.coords(own.position + reach);
        for y in y0..=y1 {
            let run = crowd.bins.run(crowd.grid, y, x0, x1);
            for (j, other) in (run.start..).zip(&seen[run]) {
                let d = other.position - own.position;
                let square = d.length_squared();
                let along = d.dot(way);
                let arms_length = square < ARMS_LENGTH * ARMS_LENGTH;
                // Farther back than a quarter of the distance.
                let behind = (along < 0.0) & (along * along > 0.0625 * square) & !arms_length;
                let mut counts = (square < reach * reach) & !behind & (j != i);
                if counts && view.walled {
                    counts = view.shows(d, square) || (arms_length && crowd.walls.sees(own.position, other.position));
                }
                // Written always and counted only if it matters: no order that a processor could foresee.
                let touch = own.radius + other.radius;
                (self.dx[count], self.dy[count]) = (d.x, d.y);
                (self.vx[count], self.vy[count]) = (other.velocity.x, other.velocity.y);
                self.touch[count] = touch;
                self.near[count] = (touch * touch).min(0.8464 * square);
                self.who[count] = j as u32;
                count = (count + usize::from(counts)).min(MOST - LANES);
            }
        }
        self.count = count;
        // The last ones that are looked at together touch nobody.
        self.near[count..count.next_multiple_of(LANES)].fill(f32::MIN);
    }
}

/// When somebody who walks with `velocity` first touches anybody, all walking on as they do.
#[inline]
pub(super) fn first_touch(velocity: Vec2, others: &Others) -> f32 {
    let mut first = [f32::MAX; LANES];
    for from in (0..others.count).step_by(LANES) {
        let part = |column: &[f32; MOST]| -> [f32; LANES] { std::array::from_fn(|k| column[from + k]) };
        let (dx, dy, vx, vy, near) =
            (part(&others.dx), part(&others.dy), part(&others.vx), part(&others.vy), part(&others.near));
        for k in 0..LANES {
            let (wx, wy) = (velocity.x - vx[k], velocity.y - vy[k]);
            let closing = dx[k] * wx + dy[k] * wy;
            let square = wx * wx + wy * wy;
            let inside = closing * closing - square * (dx[k] * dx[k] + dy[k] * dy[k] - near[k]);
            let time = (closing - inside.max(0.0).sqrt()) / square;
            let meets = (closing > 0.0) & (inside > 0.0) & (time < first[k]);
            first[k] = if meets { time } else { first[k] };
        }
    }
    first.into_iter().fold(f32::MAX, |a, b| if b < a { b } else { a })
}
