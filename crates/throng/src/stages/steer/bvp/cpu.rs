//! One agent at a time.

use super::manner::{Manner, manner_of_groups, manners};
use super::map::{Cone, Layout, NEAR as FELT, SIDE, WALL_GAP};
use super::relax::{Grid, STRIDE, Weights, best_factor, enough, enough_plain, gauss_seidel, red_black, weights};
use super::{Bvp, Frame};
use crate::random::{Purpose, draw, unit};
use crate::stages::gradient::Way;
use crate::stages::steer::turn::{angle_between, sine_cosine, turned};
use crate::stages::steer::{Crowd, Wanted};
use crate::world::agents::OwnColumn;
use crate::world::points::POINT;
use crate::world::walls::{NEAR, SOLID};
use glam::Vec2;
use rayon::prelude::*;

/// The time that inertia is counted in, s.
const MOMENT: f32 = 0.04;
/// Below this the middle of a map is cut off from every goal.
const NOTHING: f32 = 1e-30;
/// Who makes less than this of its speed along its way is held up if somebody who goes elsewhere is before it: nearer than this on open floor, and with a wall on its map, m.
const HEADWAY: f32 = 0.25;
const BEFORE: [f32; 2] = [1.0, 2.5];
/// Less than this is the cosine between the ways of two who go elsewhere; and who is in a direction with less is not before one.
const ALONG: f32 = 0.3;
/// Those who are held up take turns, of so many seconds.
const TURN: f32 = 2.0;
/// Whose turn it is insists: others count as this much of their width, and it pushes on at this share of its speed.
const SQUEEZE: f32 = 0.6;
const PUSH_SPEED: f32 = 0.6;
/// Who gives way goes this way from the plan's: cosine and sine of 149° to the right; and this fast, m/s.
const ASIDE: Vec2 = Vec2::new(-0.856_888_8, -0.515_501_4);
const ASIDE_SPEED: f32 = 0.6;
/// People of a company see each other within so many gaps. Whoever is farther away than so many straggles, and the leader waits, at this share of its speed.
pub(super) const IN_SIGHT: f32 = 6.0;
const BEHIND: f32 = 1.8;
const WAIT_SPEED: f32 = 0.35;
/// Who is beside the leader walks at this share of its speed.
const BESIDE_SPEED: f32 = 0.8;

/// Writes what everybody wants.
pub(super) fn avoid(crowd: Crowd<'_>, _: &mut [OwnColumn], wanted: &mut [Wanted]) {
    let walkers = Walkers::new(crowd);
    wanted.par_iter_mut().with_min_len(8).enumerate().for_each(|(i, wanted)| *wanted = walkers.one(i, over_relaxed));
}

/// Relaxes a map until its middle is right.
pub(super) fn over_relaxed(grid: &mut Grid, w: Weights) {
    let inner = grid.inner().len();
    red_black(grid, w, best_factor(inner, w), enough(inner));
}

/// What everybody wants, by the paper's sequential program: one after the other on one core, each map relaxed by plain Gauss–Seidel until it is as accurate. For
/// comparisons.
pub fn avoid_one_by_one(crowd: Crowd<'_>, _: &mut [OwnColumn], wanted: &mut [Wanted]) {
    let walkers = Walkers::new(crowd);
    let relax = |grid: &mut Grid, w: Weights| gauss_seidel(grid, w, enough_plain(grid.inner().len(), w));
    wanted.iter_mut().enumerate().for_each(|(i, wanted)| *wanted = walkers.one(i, relax));
}

pub(super) struct Walkers<'a> {
    crowd: Crowd<'a>,
    manners: Vec<(Bvp, Step)>,
    of_groups: Vec<usize>,
}

/// What follows from a manner and the time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    /// The behaviour vector.
    pub(crate) vector: Vec2,
    /// The cosine of half the aperture.
    pub(crate) cosine: f32,
    /// How much of the direction is kept in this step.
    pub(crate) kept: f32,
}

impl Step {
    pub(crate) fn new(manner: &Manner, step: u32, dt: f32) -> Self {
        let rules = manner.rules;
        Self {
            vector: manner.vector(f64::from(step) * f64::from(dt)),
            cosine: (0.5 * rules.aperture).cos(),
            kept: rules.inertia.powf(dt / MOMENT),
        }
    }
}

/// What somebody does who may be held up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mood {
    /// It is not, or waits.
    Calm,
    /// It pushes on.
    Insists,
    /// It goes back and to the side.
    GivesWay,
}

/// Somebody's map, and how it walks by it.
pub(super) struct OwnMap {
    pub(super) layout: Layout,
    pub(super) grid: Grid,
    pub(super) weights: Weights,
    /// At what share of its speed it goes.
    pace: f32,
    /// Whether it pushes on.
    insists: bool,
    /// How much of its direction it keeps in this step.
    kept: f32,
}

impl OwnMap {
    /// Where the relaxed map leads from its middle, at length 1; nowhere for who is shut in.
    pub(super) fn descent(&self) -> Option<Vec2> {
        let (at, u) = (self.layout.middle * STRIDE + self.layout.middle, &self.grid.u);
        let descent = Vec2::new(u[at + 1] - u[at - 1], u[at + STRIDE] - u[at - STRIDE]);
        let largest = descent.abs().max_element();
        // Values may be so small that the square of one is nothing.
        (largest >= NOTHING).then(|| (descent / largest).normalize_or_zero())
    }
}

/// Who else belongs to a company, as far as is known from around.
#[derive(Clone, Copy, Debug, Default)]
struct Company {
    /// Where the leader is.
    leader: Option<Vec2>,
    /// Whether somebody who follows is in sight, and far behind.
    straggling: bool,
}

impl<'a> Walkers<'a> {
    pub(super) fn new(crowd: Crowd<'a>) -> Self {
        let step = |m: Manner| (m.rules, Step::new(&m, crowd.step, crowd.dt));
        let manners = manners(crowd.model, crowd.groups).into_iter().map(step).collect();
        Self { crowd, manners, of_groups: manner_of_groups(crowd.groups) }
    }

    fn one(&self, i: usize, relax: impl Fn(&mut Grid, Weights)) -> Wanted {
        if self.crowd.guide[i].direction == Vec2::ZERO {
            return Wanted { velocity: Vec2::ZERO, heading: self.crowd.agents.heading[i] };
        }
        let mut map = self.map(i);
        relax(&mut map.grid, map.weights);
        self.walk(i, &map)
    }

    /// The map of somebody who has somewhere to go, before it is relaxed.
    pub(super) fn map(&self, i: usize) -> OwnMap {
        let Self { crowd, .. } = self;
        let (told, heading, p) = (crowd.guide[i], crowd.agents.heading[i], crowd.agents.position[i]);
        let (rules, step) = &self.manners[self.of_groups[usize::from(crowd.agents.group[i])]];
        let layout = Layout::new(rules, p);
        let cone = Cone { heading, cosine: step.cosine, near: FELT * crowd.agents.radius[i] };
        let (way, pace) = self.with_company(i, rules, told.direction);
        let mut grid = Grid::new(layout.side, layout.border);
        self.set_walls(&layout, &cone, crowd.agents.radius[i], &mut grid);
        let mood = self.mood(i, layout.seen().any(|y| grid.blocked(y, layout.seen())));
        let (way, pace, width) = match mood {
            Mood::Calm => (way, pace, 1.0),
            Mood::Insists => (way, PUSH_SPEED, SQUEEZE),
            Mood::GivesWay => (ASIDE.rotate(told.direction), (ASIDE_SPEED / told.speed).min(1.0), 1.0),
        };
        self.set_people(i, &layout, &cone, width, &mut grid);
        // After the obstacles: a goal beside a wall stays one.
        self.set_goals(i, &layout, &cone, &mut grid);
        layout.set_goal(&mut grid, way);
        let weights = weights(rules.epsilon, self.vector(i, rules, step, told.direction));
        OwnMap { layout, grid, weights, pace, insists: mood == Mood::Insists, kept: step.kept }
    }

    /// By the descent in the middle of a relaxed map: which way, and how fast.
    fn walk(&self, i: usize, map: &OwnMap) -> Wanted {
        let Self { crowd, .. } = self;
        let (told, heading) = (crowd.guide[i], crowd.agents.heading[i]);
        let Some(descent) = map.descent() else { return self.shut_in(i, map.insists) };
        let next = blended(heading, descent, map.kept, crowd.agents.turn[i] * crowd.dt);
        let speed = told.speed * map.pace * heading.dot(descent).max(0.0);
        Wanted { velocity: next * speed, heading: next }
    }

    /// The behaviour vector of somebody, who may deviate from the others and count it from where the plan leads.
    fn vector(&self, i: usize, rules: &Bvp, step: &Step, way: Vec2) -> Vec2 {
        let mut v = step.vector;
        if rules.spread > 0.0 {
            let dice = draw(self.crowd.seed, self.crowd.agents.id[i], Purpose::Behaviour, 0)[0];
            let by = rules.spread * (2.0 * unit(dice) - 1.0);
            let (s, c) = sine_cosine(by.abs());
            v = Vec2::new(c, if by < 0.0 { -s } else { s }).rotate(v);
        }
        if rules.frame == Frame::Way { v.rotate(way) } else { v }
    }

    /// What somebody does about those who hold it up. All who are held up take turns: for a while those who go one way, by a direction that is drawn for everybody, then those who go the other way, so that of
    /// two streams that meet one goes ahead and the other makes room, where there are walls; on open floor it waits.
    fn mood(&self, i: usize, narrow: bool) -> Mood {
        let Self { crowd, .. } = self;
        let told = crowd.guide[i];
        let slow = crowd.agents.velocity[i].dot(told.direction) < HEADWAY * told.speed;
        if !slow || !self.is_opposed(i, BEFORE[usize::from(narrow)]) {
            return Mood::Calm;
        }
        let turn = (crowd.step as f32 * crowd.dt / TURN) as u32;
        let dice = draw(crowd.seed, u32::MAX, Purpose::Patience, turn / 2);
        let ahead = Vec2::new(unit(dice[0]) - 0.5, unit(dice[1]) - 0.5);
        // Every other turn is that of those who had to wait.
        let is_next = (told.direction.dot(ahead) > 0.0) == turn.is_multiple_of(2);
        match (is_next, narrow) {
            (true, _) => Mood::Insists,
            (false, true) => Mood::GivesWay,
            (false, false) => Mood::Calm,
        }
    }

    /// Whether somebody who goes elsewhere is before one, within reach.
    fn is_opposed(&self, i: usize, reach: f32) -> bool {
        let Self { crowd, .. } = self;
        let (p, way) = (crowd.agents.position[i], crowd.guide[i].direction);
        let mut opposed = false;
        crowd.for_near(p, reach, |j| {
            let away = crowd.agents.position[j] - p;
            let far = away.length();
            opposed |=
                j != i && far < reach && away.dot(way) > ALONG * far && crowd.guide[j].direction.dot(way) < ALONG;
        });
        opposed
    }

    /// Who is shut in waits, turned to where the plan leads; or pushes on.
    fn shut_in(&self, i: usize, insists: bool) -> Wanted {
        let (told, heading) = (self.crowd.guide[i], self.crowd.agents.heading[i]);
        let heading = turned(heading, told.direction, heading.dot(told.direction), told.turn * self.crowd.dt);
        let speed = if insists { PUSH_SPEED * told.speed * heading.dot(told.direction).max(0.0) } else { 0.0 };
        Wanted { velocity: heading * speed, heading }
    }

    /// Walls in the view cone.
    fn set_walls(&self, layout: &Layout, cone: &Cone, radius: f32, grid: &mut Grid) {
        let (walls, floor) = (self.crowd.walls, self.crowd.grid);
        if !walls.any_around(layout.at, layout.reach())
            && floor.inside(layout.at - layout.reach())
            && floor.inside(layout.at + layout.reach())
        {
            return;
        }
        let gap = (WALL_GAP * radius).max(0.5 * layout.cell);
        for y in layout.seen() {
            for x in layout.seen() {
                let q = layout.centre(x, y);
                if (x == layout.middle && y == layout.middle) || !cone.shows(q - layout.at) {
                    continue;
                }
                let flags = walls.flags()[floor.index_at(q)];
                let solid = !floor.inside(q)
                    || (flags & (NEAR | SOLID) != 0 && (walls.contains(q) || walls.depth(q, gap) > 0.0));
                if solid {
                    grid.give(x, y, 0.0);
                }
            }
        }
    }

    /// People in the view cone, this share of their width.
    fn set_people(&self, i: usize, layout: &Layout, cone: &Cone, width: f32, grid: &mut Grid) {
        let agents = self.crowd.agents;
        self.crowd.for_near(layout.at, layout.reach() + self.crowd.widest, |j| {
            let away = agents.position[j] - layout.at;
            if j != i && cone.shows(away) {
                let aside = away.normalize_or_zero().perp() * (SIDE * agents.radius[j]);
                layout.set_disc(grid, cone, agents.position[j] + aside, width * agents.radius[j]);
            }
        });
    }

    /// The goal itself, where it is in sight.
    fn set_goals(&self, i: usize, layout: &Layout, cone: &Cone, grid: &mut Grid) {
        let Crowd { agents, ways: (directions, routes), grid: floor, .. } = self.crowd;
        if agents.goal[i] == POINT {
            return;
        }
        let route = routes.of(agents.group[i], agents.goal[i], agents.informed[i]);
        for y in layout.seen() {
            for x in layout.seen() {
                let q = layout.centre(x, y);
                let here = x == layout.middle && y == layout.middle;
                if !here
                    && floor.inside(q)
                    && directions.way(floor.index_at(q), route) == Way::ARRIVED
                    && cone.shows(q - layout.at)
                {
                    grid.give(x, y, 1.0);
                }
            }
        }
    }

    /// Where somebody heads who may belong to a company, and at what share of its speed: who follows heads for the leader where it sees it, and the leader waits for
    /// those who straggle.
    fn with_company(&self, i: usize, rules: &Bvp, way: Vec2) -> (Vec2, f32) {
        let agents = self.crowd.agents;
        let id = agents.id[i];
        if rules.company < 2 {
            return (way, 1.0);
        }
        // People whose ids follow each other.
        let leader = id - id % rules.company;
        let found = self.find_company(i, leader, rules);
        if id == leader {
            return (way, if found.straggling { WAIT_SPEED } else { 1.0 });
        }
        match found.leader.map(|at| at - agents.position[i]) {
            // Beside the leader: as it goes.
            Some(away) if away.length() > rules.gap => (away.normalize_or_zero(), 1.0),
            Some(_) => (way, BESIDE_SPEED),
            None => (way, 1.0),
        }
    }

    fn find_company(&self, i: usize, leader: u32, rules: &Bvp) -> Company {
        let agents = self.crowd.agents;
        let p = agents.position[i];
        let reach = IN_SIGHT * rules.gap;
        let mut found = Company::default();
        self.crowd.for_near(p, reach, |j| {
            let theirs = agents.group[j] == agents.group[i] && (leader..leader + rules.company).contains(&agents.id[j]);
            if j != i && theirs && agents.position[j].distance_squared(p) < reach * reach {
                if agents.id[j] == leader {
                    found.leader = Some(agents.position[j]);
                }
                let far = BEHIND * rules.gap;
                found.straggling |= agents.position[j].distance_squared(p) > far * far;
            }
        });
        found
    }
}

/// A heading that keeps a share of its direction and takes the rest from another, on the circle; and turns by no more than `most`.
fn blended(heading: Vec2, towards: Vec2, kept: f32, most: f32) -> Vec2 {
    let angle = angle_between(heading.dot(towards), heading.perp_dot(towards).abs());
    turned(heading, towards, heading.dot(towards), ((1.0 - kept) * angle).min(most))
}
