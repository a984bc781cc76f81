//! What one agent sees: how far it is to walls, and who is around.

use crate::geometry::Segment;
use crate::stages::steer::Crowd;
use crate::wide::widest;
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
const ENOUGH: f32 = 10.0;

/// People, or directions, that are looked at together.
const LANES: usize = 8;

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

/// Eight directions, column by column.
struct Rays {
    x: [f32; LANES],
    y: [f32; LANES],
}

impl Rays {
    fn new(of: impl Fn(usize) -> Vec2) -> Self {
        let (mut x, mut y) = ([0.0; LANES], [0.0; LANES]);
        for k in 0..LANES {
            (x[k], y[k]) = of(k).into();
        }
        Self { x, y }
    }

    /// How far it is from `p` along each to a wall, at most `most`.
    fn clear_ways(&self, p: Vec2, outlines: &[Segment], most: f32) -> [f32; LANES] {
        let mut nearest = [most; LANES];
        shorten(self, p, outlines, &mut nearest);
        nearest
    }
}

// In other words, as a range or by iterators, it takes twice as long: no vectors.
widest! {
    #[expect(clippy::needless_range_loop, clippy::manual_range_contains)]
    fn shorten(rays: &Rays, p: Vec2, outlines: &[Segment], nearest: &mut [f32; LANES]) {
        for s in outlines {
            let (along, to) = (s.b - s.a, s.a - p);
            let to_along = to.perp_dot(along);
            for k in 0..LANES {
                let (x, y) = (rays.x[k], rays.y[k]);
                let across = 1.0 / (x * along.y - y * along.x);
                let (t, u) = (to_along * across, (to.x * y - to.y * x) * across);
                // Those along the way give no number, and are not met.
                let meets = (t >= 0.0) & (t < nearest[k]) & (u >= 0.0) & (u <= 1.0);
                nearest[k] = if meets { t } else { nearest[k] };
            }
        }
    }
}

/// The share of a kernel around `p` that is open floor: by eight rays, each of which counts with the kernel's weight up to a wall.
pub(super) fn open_share(p: Vec2, heading: Vec2, outlines: &[Segment]) -> f32 {
    let mut ray = heading;
    let mut rays = [heading; LANES];
    for each in &mut rays[1..] {
        ray = rotated(ray, EIGHTH);
        *each = ray;
    }
    let ways = Rays::new(|k| rays[k]).clear_ways(p, outlines, KERNEL);
    let sum: f32 = ways.iter().map(|w| w / KERNEL).map(|w| w * w * (3.0 - 2.0 * w)).sum();
    (0.125 * sum).max(0.2)
}

/// Whether a straight way of this length is free of walls.
pub(super) fn is_clear(p: Vec2, way: Vec2, outlines: &[Segment]) -> bool {
    !outlines.iter().any(|s| s.crosses(p, p + way))
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
    /// Notes the outlines of walls in sight in `outlines`.
    pub(super) fn new(crowd: &Crowd<'_>, p: Vec2, way: Vec2, foresight: f32, outlines: &mut Vec<Segment>) -> Self {
        let mut directions = [way; 7];
        for (direction, turn) in directions.iter_mut().zip(TURNS) {
            *direction = rotated(way, turn);
        }
        outlines.clear();
        crowd.walls.for_around(p, foresight, |s| outlines.push(*s));
        let mut walls = [foresight; 7];
        if !outlines.is_empty() {
            let ways = Rays::new(|k| directions[k.min(6)]).clear_ways(p, outlines, foresight);
            walls.copy_from_slice(&ways[..7]);
        }
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

/// The most people that are looked at. A crowd that is dense everywhere has a third of that within reach.
const MOST: usize = 80;

/// Some people around, column by column, so that a processor can look at all of them at a time.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
struct Block {
    dx: [f32; LANES],
    dy: [f32; LANES],
    vx: [f32; LANES],
    vy: [f32; LANES],
    /// The square of the distance, less the square of how near is touching. In a look ahead those who touch already are apart.
    apart: [f32; LANES],
}

/// One of those around.
#[derive(Clone, Copy, Debug)]
pub(super) struct Other {
    /// Where it is from here.
    pub(super) d: Vec2,
    /// How near is touching, m.
    pub(super) touch: f32,
    /// How much it counts in a density.
    pub(super) weight: f32,
    /// Where in the columns.
    pub(super) who: u32,
    /// Whether it goes to the same goal.
    pub(super) same_way: bool,
}

/// People around, and walls.
#[derive(Debug)]
pub(super) struct Others {
    count: usize,
    each: [Other; MOST],
    blocks: [Block; MOST / LANES],
    found: [u32; MOST + 1],
    /// Outlines of walls in sight.
    pub(super) outlines: Vec<Segment>,
}

impl Others {
    pub(super) const fn new() -> Self {
        let none = [0.0; LANES];
        let nobody = Other { d: Vec2::ZERO, touch: 0.0, weight: 1.0, who: 0, same_way: false };
        let empty = Block { dx: none, dy: none, vx: none, vy: none, apart: none };
        Self {
            count: 0,
            each: [nobody; MOST],
            blocks: [empty; MOST / LANES],
            found: [0; MOST + 1],
            outlines: Vec::new(),
        }
    }

    /// Everybody.
    pub(super) fn each(&self) -> &[Other] {
        &self.each[..self.count]
    }

    /// The same, to be changed.
    pub(super) fn each_mut(&mut self) -> &mut [Other] {
        &mut self.each[..self.count]
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
            for (j, other) in (run.start as u32..).zip(&seen[run]) {
                let d = other.position - own.position;
                let square = d.length_squared();
                let along = d.dot(way);
                // Farther back than a quarter of the distance, and not at arm's length.
                let behind = (along < 0.0) & (along * along > 0.0625 * square) & (square >= ARMS_LENGTH * ARMS_LENGTH);
                // Written always and counted only if near: no order that a processor could foresee.
                self.found[count] = j;
                count += usize::from((square < reach * reach) & !behind);
                count = if count > MOST { MOST } else { count };
            }
        }
        self.count = 0;
        for k in 0..count {
            self.take(crowd, seen, i, self.found[k], view);
        }
        // The last ones that are looked at together touch nobody.
        let last = self.count % LANES;
        if last > 0 {
            self.blocks[self.count / LANES].apart[last..].fill(f32::MAX);
        }
    }

    /// Takes somebody into the list who is near, unless a wall is between.
    #[inline]
    fn take(&mut self, crowd: &Crowd<'_>, seen: &[Seen], i: usize, who: u32, view: &View) {
        let (own, other) = (&seen[i], &seen[who as usize]);
        let d = other.position - own.position;
        let square = d.length_squared();
        if who as usize == i {
            return;
        }
        if view.walled && !view.shows(d, square) {
            let at_arms_length = square < ARMS_LENGTH * ARMS_LENGTH;
            if !(at_arms_length && crowd.walls.sees(own.position, other.position)) {
                return;
            }
        }
        let touch = own.radius + other.radius;
        let block = &mut self.blocks[self.count / LANES];
        let lane = self.count % LANES;
        (block.dx[lane], block.dy[lane]) = (d.x, d.y);
        (block.vx[lane], block.vy[lane]) = (other.velocity.x, other.velocity.y);
        block.apart[lane] = square - (touch * touch).min(0.8464 * square);
        self.each[self.count] = Other { d, touch, weight: 1.0, who, same_way: false };
        self.count += 1;
    }

    /// When somebody who walks at `speed` in each of the directions first touches anybody, all walking on as they do.
    pub(super) fn first_touch(&self, directions: &[Vec2; 7], speed: f32) -> [f32; 7] {
        let mut first = [[f32::MAX; LANES]; 7];
        let velocities = directions.map(|direction| direction * speed);
        meet(&self.blocks[..self.count.div_ceil(LANES)], &velocities, &mut first);
        let mut least = [f32::MAX; 7];
        for (least, lanes) in least.iter_mut().zip(&first) {
            for &time in lanes {
                *least = if time < *least { time } else { *least };
            }
        }
        least
    }
}

widest! {
    #[expect(clippy::needless_range_loop)]
    fn meet(blocks: &[Block], velocities: &[Vec2; 7], first: &mut [[f32; LANES]; 7]) {
        for (first, v) in first.iter_mut().zip(velocities) {
            for block in blocks {
                for k in 0..LANES {
                    let (wx, wy) = (v.x - block.vx[k], v.y - block.vy[k]);
                    let closing = block.dx[k] * wx + block.dy[k] * wy;
                    let square = wx * wx + wy * wy;
                    let inside = closing * closing - square * block.apart[k];
                    let root = if inside > 0.0 { inside } else { 0.0 }.sqrt();
                    let time = (closing - root) / square;
                    let meets = (closing > 0.0) & (inside > 0.0) & (time < first[k]);
                    first[k] = if meets { time } else { first[k] };
                }
            }
        }
    }
}
