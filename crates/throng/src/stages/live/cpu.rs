//! Finding out in parallel, changing in order.

use super::{Changes, knowing, room, states, waiting};
use crate::geometry::{Rect, Segment, Shape};
use crate::random::{Purpose, draw, unit};
use crate::scene::{Arrive, Group, Signals, Wait};
use crate::stages::bin::Bins;
use crate::stages::gradient::{Directions, Way};
use crate::world::agents::{Agents, NOWHERE, State};
use crate::world::goals::GoalPlace;
use crate::world::grid::Grid;
use crate::world::hazards::Disc;
use crate::world::machine::{Kind, Machine};
use crate::world::nearest::Nearest;
use crate::world::points::{self, Chooser, POINT};
use crate::world::portals::Portals;
use crate::world::routes::Routes;
use crate::world::sources::{SourceNow, due};
use crate::world::stays::Stays;
use crate::world::walls::Walls;
use glam::Vec2;
use rayon::prelude::*;
use std::collections::HashMap;

/// Tries that an agent has in a step to find a free place.
const TRIES: u32 = 8;
/// After so many agents in a row found no place, the group waits for the next step.
pub(crate) const GIVE_UP: u32 = 16;

/// What life depends on.
#[derive(Clone, Copy, Debug)]
pub struct Rules<'a> {
    /// The raster.
    pub grid: &'a Grid,
    /// Walls.
    pub walls: &'a Walls,
    /// Groups.
    pub groups: &'a [Group],
    /// Which route each group takes to each goal.
    pub routes: &'a Routes,
    /// Direction fields of the routes.
    pub directions: &'a Directions,
    /// Portals that they lead through.
    pub portals: &'a Portals,
    /// Where people stand who wait at goals.
    pub stays: &'a Stays,
    /// The states that some live by.
    pub machine: &'a Machine,
    /// How far goals are that states ask about.
    pub nearest: &'a Nearest,
    /// Hazards in this step.
    pub hazards: &'a [Disc],
    /// The least id of each group, where anybody heads for points.
    pub first_ids: &'a [u32],
    /// Outlines of walls that are not as they were at the beginning.
    pub signs: &'a [Segment],
    /// Goals as they are now.
    pub places: &'a [GoalPlace],
    /// The source of each group.
    pub sources: &'a [SourceNow],
    /// When events of each name happen.
    pub signals: &'a Signals,
    /// The largest radius.
    pub widest: f32,
    /// How far anybody may be from the cell that it was sorted into, m.
    pub moved: f32,
    /// Time step, s.
    pub dt: f32,
    /// Seed.
    pub seed: u32,
    /// The number of this step; it ends at `(step + 1)·dt`.
    pub step: u32,
}

impl<'a> Rules<'a> {
    /// Chooses points for those whose leg begins in this step.
    fn points(&self) -> Chooser<'a> {
        let Self { grid, walls, groups, first_ids, seed, step, .. } = *self;
        Chooser { grid, walls, groups, first_ids, seed, step: step.saturating_add(1) }
    }

    /// The step at which a wait ends that begins in this one, and whether it is any at all.
    pub(super) fn end_of(&self, wait: &Wait) -> (u32, bool) {
        let now = self.step.saturating_add(1);
        match wait {
            Wait::For(seconds) => (now.saturating_add(steps(*seconds, self.dt)), *seconds > 0.0),
            Wait::Until(name) => self.signals.next(name, now).map_or((now, false), |at| (at, at > now)),
        }
    }
}

/// Working memory, kept between steps, and what sources have let in so far.
#[derive(Clone, Debug, Default)]
pub struct Life {
    /// Per group, how many its source has let in.
    pub let_in: Vec<u32>,
    /// In chunks: who has arrived, and who has come to a passage, by their places in the columns.
    arrived: Vec<Vec<u32>>,
    passing: Vec<(u32, usize)>,
    /// Who has entered in this step, by cell: centre and radius.
    placed: HashMap<usize, Vec<(Vec2, f32)>>,
    failures: Vec<u32>,
    /// How many are counted in goals that hold only so many.
    rooms: Vec<u32>,
}

impl Life {
    /// Nobody let in yet.
    #[must_use]
    pub fn new(groups: usize) -> Self {
        Self { let_in: vec![0; groups], ..Self::default() }
    }

    /// Lets everybody live one step.
    pub fn run(&mut self, rules: Rules<'_>, agents: &mut Agents, bins: &Bins) -> Changes {
        let mut changes = Changes::default();
        room::leave(rules, agents, &mut self.rooms);
        self.arrivals(rules, agents, bins, &mut changes);
        self.go_through(rules, agents, bins, &mut changes);
        states::live_on(rules, agents, bins);
        waiting::take_places(rules, agents, bins);
        knowing::look_around(rules, agents, bins);
        self.entries(rules, agents, bins, &mut changes);
        changes
    }

    /// Finds who has arrived, or has waited long enough.
    fn find_arrived(&mut self, rules: Rules<'_>, agents: &mut Agents, bins: &Bins) {
        const CHUNK: usize = 2048;
        let alive = bins.alive();
        let Agents { id, position, goal, state, wake, group, leg, informed, own, .. } = &mut *agents;
        let (id, position, goal, wake) = (&*id, &*position, &*goal, &*wake);
        let (group, leg, informed) = (&*group, &*leg, &*informed);
        let points = points::among(own).unwrap_or_default();
        state[..alive]
            .par_chunks_mut(CHUNK)
            .enumerate()
            .map(|(chunk, states)| {
                let mut arrived = Vec::new();
                for (k, state) in states.iter_mut().enumerate() {
                    let i = chunk * CHUNK + k;
                    let lives = rules.lives(group[i]);
                    match *state {
                        State::Waiting | State::Staying if !lives && rules.step + 1 >= wake[i] => {
                            let journey = &rules.groups[group[i] as usize].journey;
                            if *state == State::Staying || leg[i] as usize == journey.len() {
                                arrived.push(i as u32); // has waited: at its last goal it leaves now
                            } else {
                                *state = State::Walking;
                            }
                        }
                        State::Walking if goal[i] == POINT => {
                            let near = rules.groups[group[i] as usize].goal_distance.min();
                            // Who flees comes nowhere.
                            let flees = lives && rules.machine.states[leg[i] as usize].kind == Kind::Flee;
                            if !flees && position[i].distance_squared(points[i]) <= near * near {
                                arrived.push(i as u32);
                            }
                        }
                        State::Walking => {
                            let route = rules.routes.of(group[i], goal[i], informed[i]);
                            let here = rules.directions.way(rules.grid.index_at(position[i]), route) == Way::ARRIVED;
                            if here || (lives && rules.near_place((group[i], leg[i], id[i]), position[i]).is_some()) {
                                arrived.push(i as u32);
                            }
                        }
                        _ => {}
                    }
                }
                arrived
            })
            .collect_into_vec(&mut self.arrived);
    }

    fn arrivals(&mut self, rules: Rules<'_>, agents: &mut Agents, bins: &Bins, changes: &mut Changes) {
        self.find_arrived(rules, agents, bins);
        for &i in self.arrived.iter().flatten() {
            let i = i as usize;
            let group = &rules.groups[agents.group[i] as usize];
            let legs = group.journey.len();
            let leg = agents.leg[i] as usize;
            if group.lives() {
                let admitted = room::admit(rules, agents, &mut self.rooms, i);
                changes.goals_reached += u64::from(admitted && states::arrive(rules, agents, i));
                continue;
            }
            if leg < legs && agents.state[i] == State::Staying {
                rules.points().begin_leg(agents, i);
                agents.state[i] = State::Walking;
                continue;
            }
            if leg < legs {
                if !room::admit(rules, agents, &mut self.rooms, i) {
                    continue;
                }
                let (wake, waits) = rules.end_of(&group.journey[leg].wait);
                let stays = waits && group.journey[leg].stays() && agents.goal[i] != POINT;
                let last = leg + 1 == legs;
                changes.goals_reached += 1;
                changes.arrived += u64::from(last);
                // One past the last leg means: done, and leaves when the wait is over.
                let leaves = last && group.arrive != Arrive::Next;
                agents.leg[i] = if last && !leaves { 0 } else { agents.leg[i] + 1 };
                if stays {
                    // Its place, chosen below; the next leg begins when the wait is over.
                    agents.goal[i] = POINT;
                    agents.set_point(i, NOWHERE);
                } else if !leaves {
                    rules.points().begin_leg(agents, i);
                }
                agents.state[i] = match (stays, waits) {
                    (true, _) => State::Staying,
                    (false, true) => State::Waiting,
                    (false, false) => State::Walking,
                };
                agents.wake[i] = wake;
                if !leaves || waits {
                    continue;
                }
            }
            let parks = group.arrive == Arrive::Park;
            agents.state[i] = if parks { State::Parked } else { State::Outside };
            (agents.leg[i], agents.informed[i]) = (0, 0);
            agents.goal[i] = group.journey[0].goal();
            agents.position[i] = NOWHERE;
            // Chosen when it enters again.
            agents.set_point(i, NOWHERE);
            agents.velocity[i] = Vec2::ZERO;
            changes.parked += u64::from(parks);
            changes.left += 1;
        }
    }

    /// Who stands where the plan leads through a portal goes in.
    fn go_through(&mut self, rules: Rules<'_>, agents: &mut Agents, bins: &Bins, changes: &mut Changes) {
        if rules.portals.is_empty() {
            return;
        }
        let by_plan = |&i: &usize| agents.state[i] == State::Walking && agents.goal[i] != POINT;
        let walking = (0..bins.alive()).into_par_iter().filter(by_plan);
        let to_passage = walking.filter_map(|i| {
            let route = rules.routes.of(agents.group[i], agents.goal[i], agents.informed[i]);
            let way = rules.directions.way(rules.grid.index_at(agents.position[i]), route);
            way.passage().map(|passage| (i as u32, passage))
        });
        self.passing.clear();
        self.passing.par_extend(to_passage);
        for &(i, passage) in &self.passing {
            let (i, passage) = (i as usize, &rules.portals.passages()[passage]);
            agents.position[i] = passage.beyond(agents.position[i], rules.grid.cell);
            agents.velocity[i] = Vec2::ZERO;
            agents.state[i] = State::Between;
            let steps = passage.steps(agents.preferred[i], rules.dt);
            agents.wake[i] = rules.step.saturating_add(1).saturating_add(steps);
            changes.went_in += 1;
        }
    }

    /// Comes out of a portal, if it has walked that far and there is room.
    fn come_out(&mut self, rules: Rules<'_>, agents: &mut Agents, bins: &Bins, i: usize) -> bool {
        let Some(passage) = rules.portals.ending_at(agents.position[i], rules.grid.cell) else { return false };
        let exit = passage.exit(rules.grid.cell);
        let place = (0..TRIES).map(|attempt| {
            // First where it went in, then anywhere.
            if attempt == 0 {
                return agents.position[i];
            }
            let words = draw(rules.seed, agents.id[i], Purpose::Entry, rules.step.wrapping_mul(TRIES) + attempt);
            exit.min + (exit.max - exit.min) * Vec2::new(unit(words[0]), unit(words[1]))
        });
        let Some(p) = place.into_iter().find(|&p| self.is_free(rules, agents, bins, p, agents.radius[i])) else {
            return false;
        };
        self.placed.entry(rules.grid.index_at(p)).or_default().push((p, agents.radius[i]));
        agents.position[i] = p;
        if agents.goal[i] != POINT {
            let route = rules.routes.of(agents.group[i], agents.goal[i], agents.informed[i]);
            let way = rules.directions.way(rules.grid.index_at(p), route);
            if way.leads_on() {
                agents.heading[i] = way.direction();
            }
        }
        agents.state[i] = State::Walking;
        agents.wake[i] = rules.step.saturating_add(1);
        true
    }

    fn entries(&mut self, rules: Rules<'_>, agents: &mut Agents, bins: &Bins, changes: &mut Changes) {
        self.placed.clear();
        self.failures.clear();
        self.failures.resize(rules.groups.len(), 0);
        for i in bins.outside() {
            if agents.state[i] == State::Between {
                let arrives = rules.step + 1 >= agents.wake[i];
                changes.came_out += u64::from(arrives && self.come_out(rules, agents, bins, i));
                continue;
            }
            if agents.state[i] != State::Outside {
                continue; // went away in this very step
            }
            let g = agents.group[i] as usize;
            let group = &rules.groups[g];
            if self.failures[g] >= GIVE_UP {
                continue;
            }
            // Leg 0 of a source: its first time. Who respawns has been let in before.
            let first = group.rate.is_some() && agents.wake[i] == u32::MAX;
            if let Some(rate) = group.rate
                && first
                && !rules.sources[g].lets_in(self.let_in[g], due(rate, rules.dt, rules.step + 1))
            {
                continue;
            }
            let area = if first || group.entry.is_empty() { &group.start } else { &group.entry };
            let Some(p) = self.free_place(rules, agents, bins, i, area) else {
                self.failures[g] += 1;
                continue;
            };
            self.failures[g] = 0;
            self.let_in[g] += u32::from(first);
            self.placed.entry(rules.grid.index_at(p)).or_default().push((p, agents.radius[i]));
            agents.position[i] = p;
            agents.heading[i] = if agents.goal[i] == POINT {
                let point = rules.points().choose(agents.group[i], 0, agents.id[i], agents.radius[i], p);
                agents.set_point(i, point);
                points::heading(p, point)
            } else {
                // A free place leads somewhere.
                rules
                    .directions
                    .at(rules.grid.index_at(p), rules.routes.of(agents.group[i], agents.goal[i], agents.informed[i]))
            };
            agents.velocity[i] = Vec2::ZERO;
            let delay = if first { group.delay.draw(rules.seed, agents.id[i], Purpose::Delay) } else { 0.0 };
            agents.state[i] = if delay > 0.0 { State::Waiting } else { State::Walking };
            agents.wake[i] = rules.step.saturating_add(1).saturating_add(steps(delay, rules.dt));
            changes.entered += 1;
        }
    }

    fn free_place(&self, rules: Rules<'_>, agents: &Agents, bins: &Bins, i: usize, area: &[Shape]) -> Option<Vec2> {
        let grid = rules.grid;
        let radius = agents.radius[i];
        let whole = [Shape::Rect(grid.bounds())];
        let area = if area.is_empty() { &whole[..] } else { area };
        for attempt in 0..TRIES {
            let words = draw(rules.seed, agents.id[i], Purpose::Entry, rules.step.wrapping_mul(TRIES) + attempt);
            let (shape, b) = by_area(area, grid, unit(words[2]));
            let p = b.min + (b.max - b.min) * Vec2::new(unit(words[0]), unit(words[1]));
            let leads_on =
                |goal| rules.directions.way(grid.index_at(p), rules.routes.of(agents.group[i], goal, 0)).leads_on();
            // The goal itself, or a place that leads nowhere, is no place to enter; to a point one walks from anywhere.
            if shape.contains(p)
                && (agents.goal[i] == POINT || leads_on(agents.goal[i]))
                && self.is_free(rules, agents, bins, p, radius)
            {
                return Some(p);
            }
        }
        None
    }

    /// Whether a body has room at a place: no wall, and nobody, is in the way.
    fn is_free(&self, rules: Rules<'_>, agents: &Agents, bins: &Bins, p: Vec2, radius: f32) -> bool {
        let grid = rules.grid;
        if rules.walls.contains(p) || rules.walls.depth(p, radius) > 0.0 {
            return false;
        }
        let reach = radius + rules.widest + rules.moved;
        let (x0, y0) = grid.coords(p - reach);
        let (x1, y1) = grid.coords(p + reach);
        let clear = |q: Vec2, r: f32| q.distance_squared(p) >= (radius + r) * (radius + r);
        let taken = (y0..=y1).any(|y| {
            bins.run(grid, y, x0, x1)
                .any(|j| agents.state[j].on_floor() && !clear(agents.position[j], agents.radius[j]))
        });
        let entrants = |x: usize, y: usize| self.placed.get(&(y * grid.width + x)).into_iter().flatten();
        let mut around = (y0..=y1).flat_map(|y| (x0..=x1).map(move |x| (x, y)));
        !taken && (self.placed.is_empty() || around.all(|(x, y)| entrants(x, y).all(|&(q, r)| clear(q, r))))
    }
}

/// One of several shapes, the more likely the larger its bounds (within the world), by a draw from 0 to 1; and those.
pub(crate) fn by_area<'a>(area: &'a [Shape], grid: &Grid, draw: f32) -> (&'a Shape, Rect) {
    let whole = grid.bounds();
    let clipped = |s: &Shape| {
        let b = s.bounds();
        Rect::new(b.min.clamp(whole.min, whole.max), b.max.clamp(whole.min, whole.max))
    };
    let size = |b: Rect| (b.max.x - b.min.x) * (b.max.y - b.min.y);
    let mut left = draw * area.iter().map(|s| size(clipped(s))).sum::<f32>();
    for shape in &area[..area.len() - 1] {
        let b = clipped(shape);
        if left < size(b) {
            return (shape, b);
        }
        left -= size(b);
    }
    let last = &area[area.len() - 1];
    (last, clipped(last))
}

/// A time in steps, rounded up. 60 s are 1500 steps of 0.04 s, although 0.04 is a little less in binary: a thousandth
/// of a step and the rounding of both numbers are forgiven.
#[must_use]
pub fn steps(seconds: f32, dt: f32) -> u32 {
    let ratio = f64::from(seconds) / f64::from(dt);
    (ratio * (1.0 - 2e-7) - 1e-3).ceil().max(0.0) as u32
}

#[cfg(test)]
mod tests {
    use super::steps;

    #[test]
    fn whole_seconds_are_whole_steps_for_hours() {
        for (dt, per_second) in [(0.04f32, 25), (0.05, 20), (0.02, 50), (0.1, 10), (0.25, 4)] {
            for seconds in [0u32, 1, 2, 5, 20, 60, 1800, 3600, 36_000] {
                assert_eq!(steps(seconds as f32, dt), seconds * per_second, "{seconds} s of {dt} s");
            }
        }
        assert_eq!(steps(0.05, 0.04), 2);
    }
}
