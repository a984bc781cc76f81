//! The machine that people live by, as engines evaluate it: all in integers and single numbers, so that every engine decides the same. The
//! shaders' side is machine.wgsl.

use super::points::POINT;
use crate::scene::{Does, MachineState, Scene, Signals, Transition};
use crate::stages::live::cpu::steps;

/// Stands for any state, any group.
pub(crate) const ANY: u16 = u16::MAX;
/// Chances are in so many parts.
const PARTS: f64 = 16_777_216.0;

/// What somebody does in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Walks to its goal.
    Walk = 0,
    /// Stands.
    Stay = 1,
    /// Walks away from hazards.
    Flee = 2,
}

/// All states, and all transitions in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Machine {
    /// The states.
    pub states: Vec<State>,
    /// The transitions of all states, state by state.
    pub transitions: Vec<Way>,
}

/// A state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State {
    /// What somebody does.
    pub kind: Kind,
    /// The goal that it walks to or stands at, or [`POINT`].
    pub place: u16,
    /// Factor on everybody's speed.
    pub speed: f32,
    /// Steps that its clip lasts at least.
    pub least: u32,
    /// Up to so many more.
    pub more: u32,
    /// Its first transition.
    pub first: usize,
    /// How many it has.
    pub count: usize,
}

/// A transition.
#[derive(Clone, Debug, PartialEq)]
pub struct Way {
    /// The state that it leads to.
    pub to: u16,
    /// Tested in every step.
    pub interrupt: bool,
    /// The group that it leads to, or `ANY`.
    pub group: u16,
    /// Only for this group, or `ANY`.
    pub of_group: u16,
    /// The chance that it is taken, in 2⁻²⁴.
    pub chance: u32,
    /// Only so many steps after the state began.
    pub after: u32,
    /// The goal that has to be near, or [`POINT`]; and how near, m.
    pub goal: (u16, f32),
    /// How far the next hazard is: nearer than the first, not nearer than the second, m.
    pub hazard: [f32; 2],
    /// Others who have to be near.
    pub others: Option<Others>,
    /// The steps before which an event happens that it waits for.
    pub event: Option<Vec<u32>>,
}

/// Others who have to be near.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Others {
    /// How near, m.
    pub radius: f32,
    /// At least so many.
    pub least: u32,
    /// At most so many.
    pub most: u32,
    /// In this state, or `ANY`.
    pub state: u16,
}

impl Machine {
    /// The machine of a scene, with its times in steps.
    #[must_use]
    pub(crate) fn new(scene: &Scene, signals: &Signals) -> Self {
        let mut transitions = Vec::new();
        let states = scene.states.iter().map(|state| {
            let first = transitions.len();
            transitions.extend(state.then.iter().map(|t| way(t, signals, scene.dt)));
            compiled(state, scene.dt, first)
        });
        let states = states.collect();
        Self { states, transitions }
    }

    /// Whether there are no states.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// The goals that it asks how far they are.
    pub(crate) fn goals(&self) -> impl Iterator<Item = u16> + '_ {
        let places = self.states.iter().map(|s| s.place);
        places.chain(self.transitions.iter().map(|t| t.goal.0)).filter(|&goal| goal != POINT)
    }
}

impl State {
    /// How many steps a clip lasts that begins with a random word.
    #[must_use]
    pub fn duration(&self, word: u32) -> u32 {
        self.least.saturating_add(word % self.more.saturating_add(1).max(1))
    }
}

fn compiled(state: &MachineState, dt: f32, first: usize) -> State {
    let seconds = state.does.seconds();
    let (least, most) = (steps(seconds.min(), dt), steps(seconds.max(), dt));
    let kind = match state.does {
        Does::Walk { .. } => Kind::Walk,
        Does::Stay { .. } => Kind::Stay,
        Does::Flee { .. } => Kind::Flee,
    };
    State {
        kind,
        place: state.does.place().unwrap_or(POINT),
        speed: state.speed,
        least,
        more: most.saturating_sub(least),
        first,
        count: state.then.len(),
    }
}

fn way(t: &Transition, signals: &Signals, dt: f32) -> Way {
    let chance = f64::from(t.when.chance.unwrap_or(1.0));
    // What interrupts is tested in every step, and its chance is that of a second.
    let chance = if t.interrupt { 1.0 - (1.0 - chance).powf(f64::from(dt)) } else { chance };
    let others = t.when.agents_within.map(|near| Others {
        radius: near.radius,
        least: near.count,
        most: near.most.unwrap_or(u32::MAX),
        state: near.state.unwrap_or(ANY),
    });
    Way {
        to: t.to,
        interrupt: t.interrupt,
        group: t.group.unwrap_or(ANY),
        of_group: t.when.group.unwrap_or(ANY),
        chance: (chance * PARTS).ceil().clamp(0.0, PARTS) as u32,
        after: t.when.after.map_or(0, |seconds| steps(seconds, dt)),
        goal: t.when.goal_within.unwrap_or((POINT, 0.0)),
        hazard: [t.when.hazard_within.unwrap_or(f32::MAX), t.when.hazard_beyond.unwrap_or(f32::MIN)],
        others,
        event: t.when.event.as_ref().map(|name| signals.all(name).to_vec()),
    }
}
