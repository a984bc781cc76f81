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
    /// How it walks, without what others push.
    pub(super) velocity: Vec2,
    /// Where the plan sends it.
    pub(super) way: Vec2,
    pub(super) radius: f32,
    /// Its goal, and whether it steps aside.
    pub(super) goal: u16,
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
                // Parallel ones give no number, and are not met.
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
    (sum / 8.0).max(0.2)
}

/// The most people that are looked at.
pub(super) const MOST: usize = 64;

/// People around, column by column, so that a processor can look at several at a time.
#[derive(Debug)]
pub(super) struct Others {
    pub(super) count: usize,
    pub(super) dx: [f32; MOST],
    pub(super) dy: [f32; MOST],
    pub(super) vx: [f32; MOST],
    pub(super) vy: [f32; MOST],
    /// The square of how near is touching.
    pub(super) touch: [f32; MOST],
    /// Where in the columns.
    pub(super) who: [u32; MOST],
}

impl Others {
    pub(super) const fn new() -> Self {
        let none = [0.0; MOST];
        Self { count: 0, dx: none, dy: none, vx: none, vy: none, touch: none, who: [0; MOST] }
    }
}

/// How far to look so that a dense crowd is not more than can be looked at: half a disc holds about 24 people then.
pub(super) fn reach(crowd: &Crowd<'_>, p: Vec2, foresight: f32) -> f32 {
    let grid = crowd.grid;
    let (x0, y0) = grid.coords(p - foresight);
    let (x1, y1) = grid.coords(p + foresight);
    let people: usize = (y0..=y1).map(|y| crowd.bins.run(grid, y, x0, x1).len()).sum();
    let area = ((x1 - x0 + 1) * (y1 - y0 + 1)) as f32 * grid.cell * grid.cell;
    let enough = 15.0 * area / people.max(1) as f32;
    if enough < foresight * foresight { enough.sqrt() } else { foresight }
}
