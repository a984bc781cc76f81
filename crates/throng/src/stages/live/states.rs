//! Those who live by states: see [`crate::scene::MachineState`]. The shaders' side is states.wgsl.
//!
//! First everybody decides, from what all are like at this moment: the first transition of its state that holds, or that its clip begins
//! again, or nothing. Then each changes alone. So nobody is looked at while it changes.

use super::cpu::Rules;
use crate::random::{Purpose, draw, unit};
use crate::scene::{Distribution, Does, Group, Scene};
use crate::stages::bin::Bins;
use crate::world::agents::{Agents, ColumnInfo, ModelColumn, NOWHERE, OwnColumn, State};
use crate::world::hazards;
use crate::world::machine::{self, ANY, Kind, Others, Way};
use crate::world::nearest::NearPlace;
use crate::world::points::POINT;
use glam::Vec2;
use rayon::prelude::*;

/// The column of those who live by states.
pub const COLUMN: ModelColumn = ModelColumn {
    info: ColumnInfo {
        name: "clip",
        unit: "",
        meaning: "Steps since its state began, and the transition that began it, from 1; 0: none, 1000: a call.",
    },
    width: 2,
    start: 0.0,
};

/// Instead of a transition: a call has put it into its state.
pub(crate) const CALLED: f32 = 1000.0;
/// Why somebody is in its state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// It began with it.
    Began,
    /// By the transition with this number, counted over all states.
    Took(usize),
    /// A call put it there.
    Called,
}

impl Why {
    /// As the column has it.
    #[must_use]
    pub fn of_column(value: f32) -> Self {
        match value {
            called if called >= CALLED => Self::Called,
            number if number >= 1.0 => Self::Took(number as usize - 1),
            _ => Self::Began,
        }
    }
}

/// Steps are counted up to here: numbers of a column are exact so far.
const MOST_STEPS: f32 = 16_777_216.0;

/// What somebody does about its state in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Decision {
    /// Goes on.
    GoOn,
    /// Its clip begins again.
    Again,
    /// Takes the transition with this number.
    Take(usize),
}

/// The column among the models' own, if there is one.
#[must_use]
pub fn among(own: &[OwnColumn]) -> Option<&[Vec2]> {
    own.iter().find(|o| o.column.info == COLUMN.info).map(|o| bytemuck::cast_slice(&o.values))
}

impl Agents {
    /// Steps since somebody's state began, and why it did, by its place in the columns.
    #[must_use]
    pub fn clip(&self, index: usize) -> Option<Vec2> {
        among(&self.own).map(|clips| clips[index])
    }

    pub(crate) fn set_clip(&mut self, index: usize, clip: Vec2) {
        if let Some(own) = self.own.iter_mut().find(|o| o.column.info == COLUMN.info) {
            own.values[2 * index..2 * index + 2].copy_from_slice(&clip.to_array());
        }
    }
}

/// How near to its goal somebody has arrived, m: its own.
pub(crate) fn goal_distance(group: &Group, seed: u32, id: u32) -> f32 {
    match group.goal_distance {
        Distribution::Uniform(near, far) => near + (far - near) * unit(draw(seed, id, Purpose::GoalDistance, 0)[0]),
        other => other.min(),
    }
}

impl Rules<'_> {
    /// Whether those of a group live by states.
    #[inline]
    pub(super) fn lives(&self, group: u16) -> bool {
        self.groups[usize::from(group)].lives()
    }

    /// The nearest part of the goal where somebody in a state belongs, if it is so near that it has arrived.
    pub(super) fn near_place(&self, (group, leg, id): (u16, u16, u32), p: Vec2) -> Option<NearPlace> {
        let metres = goal_distance(&self.groups[usize::from(group)], self.seed, id);
        let goal = self.machine.states[usize::from(leg)].place;
        let near = self.nearest.within(self.grid, goal, p, metres, true)?;
        self.walls.in_sight(p, near.inside).then_some(near)
    }
}

/// Who has come to the goal of its state stands there; who has come to a point that a call gave it goes on to its goal.
pub(super) fn arrive(rules: Rules<'_>, agents: &mut Agents, i: usize) -> bool {
    if agents.goal[i] == POINT {
        agents.goal[i] = rules.machine.states[usize::from(agents.leg[i])].place;
        return false;
    }
    agents.goal[i] = POINT;
    agents.set_point(i, NOWHERE);
    agents.state[i] = State::Staying;
    agents.wake[i] = rules.step.saturating_add(1);
    true
}

/// Lets everybody who lives by states decide, and change.
pub(super) fn live_on(rules: Rules<'_>, agents: &mut Agents, bins: &Bins) {
    if rules.machine.is_empty() {
        return;
    }
    let Some(own) = agents.own.iter().position(|o| o.column.info == COLUMN.info) else { return };
    let (people, clips): (&Agents, &[Vec2]) = (agents, bytemuck::cast_slice(&agents.own[own].values));
    let decisions: Vec<(u32, Decision)> = (0..bins.alive())
        .into_par_iter()
        .with_min_len(512)
        .filter(|&i| people.state[i].on_floor() && rules.lives(people.group[i]))
        .map(|i| (i as u32, decide(rules, people, bins, i, clips[i])))
        .collect();
    for (i, decision) in decisions {
        let i = i as usize;
        let lasted = &mut agents.own[own].values[2 * i];
        *lasted = (*lasted + 1.0).min(MOST_STEPS);
        match decision {
            Decision::GoOn => {}
            Decision::Again => agents.wake[i] = end_of_clip(rules, agents, i),
            Decision::Take(number) => {
                let way = &rules.machine.transitions[number];
                if way.group != ANY {
                    agents.group[i] = way.group;
                }
                enter(rules, agents, i, way.to, (number + 1) as f32);
            }
        }
        if rules.machine.states[usize::from(agents.leg[i])].kind == Kind::Flee {
            let to = away(rules, agents.position[i], agents.velocity[i]);
            agents.set_point(i, to);
        }
    }
}

/// Puts somebody on the floor into a state.
fn enter(rules: Rules<'_>, agents: &mut Agents, i: usize, to: u16, why: f32) {
    let state = &rules.machine.states[usize::from(to)];
    agents.leg[i] = to;
    agents.set_clip(i, Vec2::new(0.0, why));
    agents.wake[i] = end_of_clip(rules, agents, i);
    let begun = Begun::of(state, agents.position[i]);
    (agents.state[i], agents.goal[i]) = (begun.state, begun.goal);
    match begun.point {
        None => agents.wake[i] = 0,
        // Its place is chosen in the pass for those who wait.
        Some(_) if state.kind == Kind::Stay && state.place != POINT => agents.set_point(i, NOWHERE),
        Some(point) => agents.set_point(i, point),
    }
}

/// The directions that somebody may flee to.
const COMPASS: [Vec2; 8] = {
    const D: f32 = std::f32::consts::FRAC_1_SQRT_2;
    [
        Vec2::new(1.0, 0.0),
        Vec2::new(D, D),
        Vec2::new(0.0, 1.0),
        Vec2::new(-D, D),
        Vec2::new(-1.0, 0.0),
        Vec2::new(-D, -D),
        Vec2::new(0.0, -1.0),
        Vec2::new(D, -D),
    ]
};
/// How far ahead somebody looks that flees, m.
const FLEES_TO: f32 = 3.0;
/// What it is worth to go on as one goes, m.
const STEADY: f32 = 0.5;

/// Where somebody flees to: of eight places in sight the one that is farthest from all hazards; its own if there are none.
fn away(rules: Rules<'_>, p: Vec2, velocity: Vec2) -> Vec2 {
    if rules.hazards.is_empty() {
        return p;
    }
    let ahead = velocity.normalize_or_zero();
    let mut best = (f32::MIN, p);
    for way in COMPASS {
        let to = p + way * FLEES_TO;
        if !rules.grid.inside(to) || !rules.walls.in_sight(p, to) {
            continue;
        }
        let worth = hazards::distance(rules.hazards, to) + STEADY * way.dot(ahead);
        if worth > best.0 {
            best = (worth, to);
        }
    }
    best.1
}

/// What somebody is like whose state begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Begun {
    pub(crate) state: State,
    pub(crate) goal: u16,
    /// Where it stands, or flees from; nothing if it walks to a goal.
    pub(crate) point: Option<Vec2>,
}

impl Begun {
    /// At some place.
    pub(crate) fn of(state: &machine::State, at: Vec2) -> Self {
        match state.kind {
            Kind::Walk => Self { state: State::Walking, goal: state.place, point: None },
            Kind::Stay => Self { state: State::Staying, goal: POINT, point: Some(at) },
            Kind::Flee => Self { state: State::Walking, goal: POINT, point: Some(at) },
        }
    }
}

/// The step at which a clip ends that begins in this one.
fn end_of_clip(rules: Rules<'_>, agents: &Agents, i: usize) -> u32 {
    let now = rules.step.saturating_add(1);
    let words = draw(rules.seed, agents.id[i], Purpose::Clip, now);
    now.saturating_add(rules.machine.states[usize::from(agents.leg[i])].duration(words[0]))
}

fn decide(rules: Rules<'_>, agents: &Agents, bins: &Bins, i: usize, clip: Vec2) -> Decision {
    let state = &rules.machine.states[usize::from(agents.leg[i])];
    let lasts = agents.state[i].waits() || state.kind == Kind::Flee;
    let ended = lasts && rules.step.saturating_add(1) >= agents.wake[i];
    // The steps that its state has lasted, with this one.
    let lasted = (clip.x as u32).saturating_add(1);
    for number in state.first..state.first + state.count {
        let way = &rules.machine.transitions[number];
        if (way.interrupt || ended) && holds(rules, agents, bins, (i, lasted), number) {
            return Decision::Take(number);
        }
    }
    if ended { Decision::Again } else { Decision::GoOn }
}

/// Whether a transition holds for somebody.
fn holds(rules: Rules<'_>, agents: &Agents, bins: &Bins, (i, lasted): (usize, u32), number: usize) -> bool {
    let Way { of_group, after, event, chance, goal: (goal, metres), hazard, others, .. } =
        &rules.machine.transitions[number];
    let now = rules.step.saturating_add(1);
    let began = now.saturating_sub(lasted);
    let dice = || {
        let test = rules.step.wrapping_mul(256).wrapping_add(number as u32);
        draw(rules.seed, agents.id[i], Purpose::Chance, test)[0] >> 8
    };
    let p = agents.position[i];
    (*of_group == ANY || *of_group == agents.group[i])
        && lasted >= *after
        && event.as_ref().is_none_or(|steps| steps.iter().any(|&at| at > began && at <= now))
        && dice() < *chance
        && is_between(hazard, || hazards::distance(rules.hazards, p))
        && (*goal == POINT || rules.nearest.within(rules.grid, *goal, p, *metres, false).is_some())
        && others.as_ref().is_none_or(|others| are_near(rules, agents, bins, i, others))
}

/// Whether a hazard is as near and as far as a transition asks for.
fn is_between([within, beyond]: &[f32; 2], distance: impl Fn() -> f32) -> bool {
    if *within == f32::MAX && *beyond == f32::MIN {
        return true;
    }
    let distance = distance();
    distance < *within && distance >= *beyond
}

/// Whether as many others are near somebody as a transition asks for.
fn are_near(rules: Rules<'_>, agents: &Agents, bins: &Bins, i: usize, others: &Others) -> bool {
    let (p, reach) = (agents.position[i], others.radius + rules.moved);
    let (x0, y0) = rules.grid.coords(p - reach);
    let (x1, y1) = rules.grid.coords(p + reach);
    let counts = |j: &usize| {
        let doing = others.state == ANY || (agents.leg[*j] == others.state && rules.lives(agents.group[*j]));
        *j != i
            && agents.state[*j].on_floor()
            && doing
            && agents.position[*j].distance_squared(p) < others.radius * others.radius
    };
    let near = (y0..=y1).flat_map(|y| bins.run(rules.grid, y, x0, x1)).filter(counts).count() as u32;
    (others.least..=others.most).contains(&near)
}

/// Whether the state of somebody that a snapshot holds is one that a run gives.
pub(crate) fn is_sound(agents: &Agents, i: usize, scene: &Scene) -> bool {
    let Some(clip) = agents.clip(i) else { return false };
    let whole = |v: f32, most: f32| (0.0..=most).contains(&v) && v.fract() == 0.0;
    let transitions = scene.transitions().count() as f32;
    let why = whole(clip.y, transitions) || clip.y.to_bits() == CALLED.to_bits();
    let fits = match (&scene.states[usize::from(agents.leg[i])].does, agents.state[i]) {
        (Does::Walk { .. }, State::Walking | State::Staying | State::Between | State::Outside) => true,
        (Does::Stay { .. }, State::Staying) => true,
        (Does::Flee { .. }, State::Walking) => agents.goal[i] == POINT,
        _ => false,
    };
    whole(clip.x, MOST_STEPS) && why && fits
}
