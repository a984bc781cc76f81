//! One agent at a time.

use crate::scene::{Group, Scene};
use crate::stages::gradient::{Directions, Way};
use crate::stages::live::waiting::STANDS;
use crate::stages::speed::cpu::{Floor, Law};
use crate::stages::splat::cpu::Footprint;
use crate::stages::steer::Guidance;
use crate::stages::steer::turn::turned;
use crate::world::World;
use crate::world::agents::{Agents, State};
use crate::world::detours::{Detours, FACES};
use crate::world::goals::GoalPlace;
use crate::world::grid::{EAST, Grid, NORTH, SOUTH, WEST};
use crate::world::machine::Machine;
use crate::world::points::{self, POINT};
use crate::world::routes::Routes;
use crate::world::walls::{LINK, NEAR, Walls};
use glam::Vec2;
use rayon::prelude::*;

/// How fast one can walk from a cell: a field if there is one, or what a field would be made from.
#[derive(Clone, Copy, Debug)]
pub enum Speeds<'a> {
    /// N, E, S, W of each cell.
    Field(&'a [[f32; 4]]),
    /// The planner's density and the average velocity of each cell.
    Crowd(&'a [f32], &'a [Vec2]),
    /// Nobody asks: everybody is told its preferred speed.
    Free,
}

/// What agents follow.
#[derive(Clone, Copy, Debug)]
pub struct Plan<'a> {
    /// The raster.
    pub grid: &'a Grid,
    /// Walls.
    pub walls: &'a Walls,
    /// Ways round them to points.
    pub detours: &'a Detours,
    /// Which route each group takes to each goal.
    pub routes: &'a Routes,
    /// Direction fields of the routes.
    pub directions: &'a Directions,
    /// Whether a goal is closed or full: then people wait before it.
    pub held: bool,
    /// Whether a goal holds only so many: then people may stand on it who found no room.
    pub limited: bool,
    /// Speed factor of each cell.
    pub zone: &'a [f32],
    /// The speed field, or what it follows from.
    pub speed: Speeds<'a>,
    /// Speed law.
    pub law: &'a Law,
    /// Groups.
    pub groups: &'a [Group],
    /// The states that some of them live by.
    pub machine: &'a Machine,
    /// Time step, s.
    pub dt: f32,
}

/// Writes what the plan tells the first agents, as many as `guide` holds; nothing for those who stand.
pub fn run(plan: Plan<'_>, agents: &Agents, guide: &mut [Guidance]) {
    let points = points::among(&agents.own).unwrap_or_default();
    guide.par_iter_mut().with_min_len(128).enumerate().for_each(|(i, guide)| {
        *guide = Guidance { turn: agents.turn[i], ..Guidance::default() };
        let (p, heading, radius) = (agents.position[i], agents.heading[i], agents.radius[i]);
        let walks = match agents.state[i] {
            State::Walking => true,
            State::Staying => p.distance_squared(points[i]) > STANDS * STANDS,
            _ => false,
        };
        if !walks {
            return;
        }
        let preferred = agents.preferred[i] * plan.pace(agents.group[i], agents.leg[i]);
        if agents.goal[i] == POINT {
            // Who lives by states, or has come to where it waits, has its point nearby.
            let far = agents.state[i] == State::Walking && !plan.groups[usize::from(agents.group[i])].lives();
            let way = plan.way_to(points[i], p, heading, far);
            plan.tell_way(way, p, heading, radius, preferred, guide);
            // Never past it.
            guide.speed = guide.speed.min(points[i].distance(p) / plan.dt);
        } else {
            let route = plan.routes.of(agents.group[i], agents.goal[i], agents.informed[i]);
            plan.tell(route, p, heading, radius, preferred, guide);
        }
    });
}

impl<'a> Plan<'a> {
    /// In a world.
    pub(crate) fn of(
        (scene, world): (&'a Scene, &'a World),
        directions: &'a Directions,
        law: &'a Law,
        speed: Speeds<'a>,
    ) -> Self {
        Self {
            grid: &world.grid,
            walls: &world.walls,
            detours: &world.detours,
            routes: &world.routes,
            directions,
            held: world.held.contains(&true),
            limited: world.places.iter().any(GoalPlace::is_limited),
            zone: &world.zone,
            speed,
            law,
            groups: &scene.groups,
            machine: &world.machine,
            dt: scene.dt,
        }
    }
}

impl Plan<'_> {
    /// The factor on the speed of somebody who lives by states.
    #[inline]
    fn pace(&self, group: u16, leg: u16) -> f32 {
        if self.machine.is_empty() || !self.groups[usize::from(group)].lives() {
            return 1.0;
        }
        self.machine.states[usize::from(leg)].speed
    }

    #[inline]
    fn tell(&self, route: usize, p: Vec2, heading: Vec2, radius: f32, preferred: f32, guide: &mut Guidance) {
        if self.waits(route, p) {
            return;
        }
        let ahead = self.look_ahead(radius);
        let sample = p + heading * ahead;
        let mut at = sample;
        let mut target = if self.open(p, sample) { self.direction(route, sample) } else { Vec2::ZERO };
        let wall = target == Vec2::ZERO;
        if wall {
            // A wall ahead, or the goal itself, which has no direction: then the own place tells the way, and the
            // speed is that of the way.
            target = self.direction(route, p);
            if target == Vec2::ZERO {
                target = self.way_out(route, p);
            }
            if target == Vec2::ZERO {
                return; // nowhere to go from here
            }
            let aside = p + target * ahead;
            at = if self.open(p, aside) { aside } else { p };
        } else if !self.open(p, p + target * ahead) {
            // Round a corner that is still ahead, and a wall here: the own place tells the way along it.
            let own = self.direction(route, p);
            target = if own == Vec2::ZERO { target } else { own };
        }
        self.set_pace(target, at, wall, heading, preferred, guide);
    }

    /// Whether somebody has come as far as it can, and stands: before a goal that is shut, or on one that has no room for it.
    #[inline]
    fn waits(&self, route: usize, p: Vec2) -> bool {
        (self.held || self.limited) && {
            let way = self.directions.way(self.grid.index_at(p), route);
            way == Way::WAIT || (self.limited && way == Way::ARRIVED)
        }
    }

    /// Which way leads to a point: straight there, or round the walls that are in between.
    #[inline]
    fn way_to(&self, to: Vec2, p: Vec2, heading: Vec2, far: bool) -> Vec2 {
        let straight = (to - p).normalize_or_zero();
        if !far || self.detours.landmarks() == 0 {
            return straight;
        }
        let faces_it = heading.dot(straight) > FACES;
        self.detours.way(self.grid, self.walls.anchor(p), self.walls.anchor(to), straight, faces_it)
    }

    /// Along a way that has no field: that to a point.
    fn tell_way(&self, target: Vec2, p: Vec2, heading: Vec2, radius: f32, preferred: f32, guide: &mut Guidance) {
        if target == Vec2::ZERO {
            return; // there already
        }
        let ahead = self.look_ahead(radius);
        let (sample, aside) = (p + heading * ahead, p + target * ahead);
        let wall = !self.open(p, sample);
        let at = match (wall, wall && self.open(p, aside)) {
            (false, _) => sample,
            (true, true) => aside,
            (true, false) => p,
        };
        self.set_pace(target, at, wall, heading, preferred, guide);
    }

    /// How far ahead to look: so far that the cell after the sampled one, whose density the speed stands for, holds nothing
    /// of the agent itself.
    #[inline]
    fn look_ahead(&self, radius: f32) -> f32 {
        radius.max(Footprint::half_width(self.grid, radius) - 0.5 * self.grid.cell)
    }

    /// Turn and speed for a direction, with the speed field of the place `at`.
    #[inline]
    fn set_pace(&self, target: Vec2, at: Vec2, wall: bool, heading: Vec2, preferred: f32, guide: &mut Guidance) {
        let cosine = heading.dot(target);
        let turn = if wall || cosine < 0.6 { 4.0 * guide.turn } else { guide.turn };
        // The speed that the field allows along the heading that it can turn to in this step.
        let next = turned(heading, target, cosine, turn * self.dt);
        let cell = self.grid.index_at(at);
        if matches!(self.speed, Speeds::Free) {
            *guide = Guidance { direction: target, speed: preferred * self.zone[cell], turn };
            return;
        }
        let along_x = self.speed_from(cell, if next.x > 0.0 { EAST } else { WEST });
        let along_y = self.speed_from(cell, if next.y > 0.0 { NORTH } else { SOUTH });
        let field_speed = next.x * next.x * along_x + next.y * next.y * along_y;
        *guide = Guidance { direction: target, speed: self.law.own(field_speed, preferred, self.zone[cell]), turn };
    }

    #[inline]
    fn speed_from(&self, cell: usize, d: usize) -> f32 {
        match self.speed {
            Speeds::Field(field) => field[cell][d],
            Speeds::Crowd(density, velocity) => {
                let floor = Floor { grid: self.grid, flags: self.walls.flags(), zone: self.zone };
                self.law.from_cell(floor, density, velocity, cell, d)
            }
            Speeds::Free => self.law.reference * self.zone[cell],
        }
    }

    /// Whether nothing is between two points.
    #[inline]
    fn open(&self, p: Vec2, q: Vec2) -> bool {
        self.grid.inside(q) && (self.walls.flags()[self.grid.index_at(p)] & NEAR == 0 || self.walls.sees(p, q))
    }

    /// The direction field at a point: bilinear over the cells around it that can be seen from its own cell. Cells
    /// without a direction carry a zero and so no weight.
    #[inline]
    fn direction(&self, route: usize, p: Vec2) -> Vec2 {
        let grid = self.grid;
        let at = |cell: usize| self.directions.at(cell, route);
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
    fn way_out(&self, route: usize, p: Vec2) -> Vec2 {
        let grid = self.grid;
        let (hx, hy) = grid.coords(p);
        let mut best = (f32::MAX, Vec2::ZERO);
        for y in hy.saturating_sub(2)..=(hy + 2).min(grid.height - 1) {
            for x in hx.saturating_sub(2)..=(hx + 2).min(grid.width - 1) {
                let c = grid.centre(x, y);
                let d = c.distance_squared(p);
                if d > 0.0
                    && d < best.0
                    && self.directions.at(y * grid.width + x, route) != Vec2::ZERO
                    && self.walls.sees(p, c)
                {
                    best = (d, c - p);
                }
            }
        }
        best.1.normalize_or_zero()
    }
}
