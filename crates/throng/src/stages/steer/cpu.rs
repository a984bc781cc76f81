//! One agent at a time.

use crate::stages::gradient::Directions;
use crate::stages::speed::cpu::Law;
use crate::stages::splat::cpu::Footprint;
use crate::world::agents::{Agents, State};
use crate::world::grid::{EAST, Grid, NORTH, SOUTH, WEST};
use crate::world::walls::{LINK, NEAR, Walls};
use glam::Vec2;
use rayon::prelude::*;

/// What agents follow.
#[derive(Clone, Copy, Debug)]
pub struct Guide<'a> {
    /// The raster.
    pub grid: &'a Grid,
    /// Walls.
    pub walls: &'a Walls,
    /// Direction fields of the goals.
    pub directions: &'a Directions,
    /// Speed field.
    pub speed: &'a [[f32; 4]],
    /// Speed factor of each cell.
    pub zone: &'a [f32],
    /// Speed law.
    pub law: &'a Law,
    /// Time step, s.
    pub dt: f32,
}

/// Writes the wanted velocity and the new heading of the first `count` agents; zero for those who stand.
pub fn follow(guide: Guide<'_>, agents: &mut Agents, count: usize, wanted: &mut [Vec2]) {
    let Agents { position, heading, radius, preferred, turn, goal, state, .. } = agents;
    let (position, radius, preferred) = (&*position, &*radius, &*preferred);
    let (turn, goal, state) = (&*turn, &*goal, &*state);
    wanted[..count].par_iter_mut().zip(&mut heading[..count]).with_min_len(512).enumerate().for_each(
        |(i, (wanted, heading))| {
            *wanted = if state[i] == State::Walking {
                guide.one(goal[i] as usize, position[i], heading, radius[i], preferred[i], turn[i])
            } else {
                Vec2::ZERO
            };
        },
    );
}

impl Guide<'_> {
    #[inline]
    fn one(&self, goal: usize, p: Vec2, heading: &mut Vec2, radius: f32, preferred: f32, turn: f32) -> Vec2 {
        let grid = self.grid;
        // Far enough ahead that the cell after the sampled one, whose density the speed stands for, holds nothing
        // of the agent itself.
        let ahead = radius.max(Footprint::half_width(grid, radius) - 0.5 * grid.cell);
        let sample = p + *heading * ahead;
        let mut at = sample;
        let mut target = if self.open(p, sample) { self.direction(goal, sample) } else { Vec2::ZERO };
        let wall = target == Vec2::ZERO;
        if wall {
            // A wall ahead, or the goal itself, which has no direction: then the own place tells the way, and the
            // speed is that of the way.
            target = self.direction(goal, p);
            if target == Vec2::ZERO {
                target = self.way_out(goal, p);
            }
            if target == Vec2::ZERO {
                return Vec2::ZERO; // nowhere to go from here
            }
            let aside = p + target * ahead;
            at = if self.open(p, aside) { aside } else { p };
        }
        let cosine = heading.dot(target);
        let rate = if wall || cosine < 0.6 { 4.0 * turn } else { turn };
        *heading = turned(*heading, target, cosine, rate * self.dt);
        let cell = grid.index_at(at);
        let speeds = &self.speed[cell];
        let along_x = if heading.x > 0.0 { speeds[EAST] } else { speeds[WEST] };
        let along_y = if heading.y > 0.0 { speeds[NORTH] } else { speeds[SOUTH] };
        let field_speed = heading.x * heading.x * along_x + heading.y * heading.y * along_y;
        let speed = self.law.own(field_speed, preferred, self.zone[cell]) * heading.dot(target).max(0.0);
        *heading * speed
    }

    /// Whether nothing is between two points.
    #[inline]
    fn open(&self, p: Vec2, q: Vec2) -> bool {
        self.grid.inside(q) && (self.walls.flags()[self.grid.index_at(p)] & NEAR == 0 || self.walls.sees(p, q))
    }

    /// The direction field at a point: bilinear over the cells around it that can be seen from its own cell. Cells
    /// without a direction carry a zero and so no weight.
    #[inline]
    fn direction(&self, goal: usize, p: Vec2) -> Vec2 {
        let grid = self.grid;
        let at = |cell: usize| self.directions.at(cell, goal);
        let (x, y, fx, fy) = grid.surrounding(p);
        let (w, h) = (grid.width as i32, grid.height as i32);
        let inner = x >= 0 && y >= 0 && x + 1 < w && y + 1 < h;
        let home = grid.index_at(p);
        let flags = self.walls.flags()[home];
        if inner && flags & NEAR == 0 {
            let c = y as usize * grid.width + x as usize;
            let south = at(c) * (1.0 - fx) + at(c + 1) * fx;
            let north = at(c + grid.width) * (1.0 - fx) + at(c + grid.width + 1) * fx;
            return (south * (1.0 - fy) + north * fy).normalize_or_zero();
        }
        if flags & NEAR != 0 {
            let anchor = self.walls.anchor(p);
            if anchor != home {
                return at(anchor); // the middle of the own cell is behind a wall
            }
        }
        // Near a wall: the own cell, and those that its links lead to.
        let (hx, hy) = grid.coords(p);
        let (dx, ux) = if x < hx as i32 { (-1isize, 1.0 - fx) } else { (1, fx) };
        let (dy, uy) = if y < hy as i32 { (-1isize, 1.0 - fy) } else { (1, fy) };
        let (to_x, to_y) = (if dx > 0 { EAST } else { WEST }, if dy > 0 { NORTH } else { SOUTH });
        let all = self.walls.flags();
        let row = grid.width as isize;
        let mut sum = at(home) * ((1.0 - ux) * (1.0 - uy));
        let side = flags & LINK[to_x] != 0;
        let up = flags & LINK[to_y] != 0;
        let beside = home.wrapping_add_signed(dx);
        let above = home.wrapping_add_signed(dy * row);
        if side {
            sum += at(beside) * (ux * (1.0 - uy));
        }
        if up {
            sum += at(above) * ((1.0 - ux) * uy);
        }
        if (side && all[beside] & LINK[to_y] != 0) || (up && all[above] & LINK[to_x] != 0) {
            sum += at(above.wrapping_add_signed(dx)) * (ux * uy);
        }
        sum.normalize_or_zero()
    }

    /// For a body in a cell that planning gave up (its middle is inside a wall): towards the nearest middle of a
    /// cell around that has a direction and can be seen.
    #[cold]
    fn way_out(&self, goal: usize, p: Vec2) -> Vec2 {
        let grid = self.grid;
        let (hx, hy) = grid.coords(p);
        let mut best = (f32::MAX, Vec2::ZERO);
        for y in hy.saturating_sub(2)..=(hy + 2).min(grid.height - 1) {
            for x in hx.saturating_sub(2)..=(hx + 2).min(grid.width - 1) {
                let c = grid.centre(x, y);
                let d = c.distance_squared(p);
                if d > 0.0
                    && d < best.0
                    && self.directions.at(y * grid.width + x, goal) != Vec2::ZERO
                    && self.walls.sees(p, c)
                {
                    best = (d, c - p);
                }
            }
        }
        best.1.normalize_or_zero()
    }
}

/// `heading` turned towards `target` by at most `most` radians. When they are opposite it turns left.
#[inline]
fn turned(heading: Vec2, target: Vec2, cosine: f32, most: f32) -> Vec2 {
    let sine = heading.perp_dot(target);
    if most >= std::f32::consts::PI {
        return target;
    }
    // 1 - m²/2 + m⁴/24 is above the cosine of m: most agents need no more than this.
    let square = most * most;
    if cosine >= 1.0 - 0.5 * square + square * square * (1.0 / 24.0) {
        return target;
    }
    let (s, c) = sine_cosine(most);
    if cosine >= c {
        return target;
    }
    let s = if sine < 0.0 { -s } else { s };
    Vec2::new(heading.x * c - heading.y * s, heading.x * s + heading.y * c).normalize_or_zero()
}

/// Sine and cosine of an angle from 0 to π, to 2e-3: the same bits everywhere, unlike the system's, and the heading is
/// brought to length 1 afterwards anyway.
#[inline]
fn sine_cosine(angle: f32) -> (f32, f32) {
    // Half the angle by its series, which is short there; then double it.
    let h = 0.5 * angle;
    let q = h * h;
    let s = h * (1.0 - q / 6.0 * (1.0 - q / 20.0 * (1.0 - q / 42.0)));
    let c = 1.0 - q / 2.0 * (1.0 - q / 12.0 * (1.0 - q / 30.0));
    (2.0 * s * c, 1.0 - 2.0 * s * s)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_short_series_is_a_sine_and_a_cosine() {
        for i in 0..=100 {
            let angle = std::f32::consts::PI * i as f32 / 100.0;
            let (s, c) = sine_cosine(angle);
            // The first term left out is (π/2)⁸/8! = 9e-4 of a cosine that is doubled into the sine near π only.
            assert!((s - angle.sin()).abs() < 2e-3 && (c - angle.cos()).abs() < 2e-3, "{angle}");
        }
    }

    #[test]
    fn turning_is_limited_and_takes_the_shorter_way() {
        let h = Vec2::X;
        for degrees in [-179.0f32, -90.0, -10.0, 5.0, 60.0, 170.0] {
            let target = Vec2::from_angle(degrees.to_radians());
            let t = turned(h, target, h.dot(target), 0.2);
            let by = h.angle_to(t);
            assert!(by.abs() <= 0.2 + 1e-5 && by * degrees > 0.0, "{degrees}: {by}");
        }
        assert!(turned(h, -h, -1.0, 0.2).y > 0.0);
    }
}
