//! States: what those of a group do who live by a machine instead of a journey (Froblins 3.2.3).

use super::{Distribution, Group, Leg, Scene, Target, Wait};

/// The number of a state that somebody is in, and of a transition, is below this.
pub(crate) const MOST_STATES: usize = 64;
/// In all states together.
pub(crate) const MOST_TRANSITIONS: usize = 256;

/// Who stands at its goal, and for whom no transition holds, looks again after so long, s.
pub(crate) const LOOKS_AGAIN: f32 = 1.0;

/// One state of the machine.
#[derive(Clone, Debug, PartialEq)]
pub struct MachineState {
    /// What transitions and people call it.
    pub name: String,
    /// The animation that shows it.
    pub clip: String,
    /// What somebody does in it.
    pub does: Does,
    /// Factor on everybody's speed.
    pub speed: f32,
    /// How a viewer draws it: red, green, blue. Else by its number.
    pub colour: Option<[u8; 3]>,
    /// The ways out, in order: the first that holds is taken.
    pub then: Vec<Transition>,
}

/// What somebody does in a state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Does {
    /// Walks to the goal with this number; the clip ends when it has come there.
    Walk {
        /// The goal.
        goal: u16,
    },
    /// Stands for a while, at a place of its own in the area of a goal, or where it is.
    Stay {
        /// The goal.
        at: Option<u16>,
        /// How long its clip lasts, s.
        seconds: Distribution,
    },
    /// Walks away from hazards for a while.
    Flee {
        /// How long its clip lasts, s.
        seconds: Distribution,
    },
}

/// A way out of a state.
#[derive(Clone, Debug, PartialEq)]
pub struct Transition {
    /// The state that it leads to, by number.
    pub to: u16,
    /// Tested in every step, not only when the clip ends.
    pub interrupt: bool,
    /// The group that somebody belongs to from then on, by number.
    pub group: Option<u16>,
    /// When it holds: all of these.
    pub when: When,
}

/// What a transition asks for; what is left out is not asked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct When {
    /// A goal, by number, is nearer than so many metres, in a straight line.
    pub goal_within: Option<(u16, f32)>,
    /// The rim of a hazard is nearer than so many metres.
    pub hazard_within: Option<f32>,
    /// No hazard's rim is nearer than so many metres.
    pub hazard_beyond: Option<f32>,
    /// So many others are near.
    pub agents_within: Option<Nearby>,
    /// Somebody is of the group with this number.
    pub group: Option<u16>,
    /// By chance, 0 to 1: at each test, or of a transition that interrupts in each second.
    pub chance: Option<f32>,
    /// An event of this name has happened since the state began.
    pub event: Option<String>,
    /// The state began so long ago, s.
    pub after: Option<f32>,
}

/// Others who are near.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearby {
    /// Nearer than so many metres, from middle to middle.
    pub radius: f32,
    /// At least so many.
    pub count: u32,
    /// At most so many.
    pub most: Option<u32>,
    /// Only those in the state with this number.
    pub state: Option<u16>,
}

impl Does {
    /// The goal that somebody walks to, or in whose area it stands, by number.
    #[must_use]
    pub fn place(&self) -> Option<u16> {
        match *self {
            Self::Walk { goal } => Some(goal),
            Self::Stay { at, .. } => at,
            Self::Flee { .. } => None,
        }
    }

    /// How long its clip lasts, s; of those who walk to a goal, how long they stand there until they look again.
    #[must_use]
    pub fn seconds(&self) -> Distribution {
        match *self {
            Self::Walk { .. } => Distribution::Constant(LOOKS_AGAIN),
            Self::Stay { seconds, .. } | Self::Flee { seconds } => seconds,
        }
    }

    /// The same as the leg of a journey.
    fn leg(&self) -> Leg {
        Leg { to: self.place().map_or(Target::Here, Target::Goal), wait: Wait::For(self.seconds().max()) }
    }
}

impl Transition {
    /// Whether it holds whenever it is tested.
    #[must_use]
    pub fn always_holds(&self) -> bool {
        self.when == When::default()
    }
}

/// The journey of those who live by states: a leg for each.
pub(crate) fn legs(states: &[MachineState]) -> Vec<Leg> {
    states.iter().map(|state| state.does.leg()).collect()
}

impl Group {
    /// Whether its people live by states instead of a journey.
    #[must_use]
    pub fn lives(&self) -> bool {
        self.state.is_some()
    }
}

impl Scene {
    /// Whether anybody lives by states.
    #[must_use]
    pub fn has_states(&self) -> bool {
        !self.states.is_empty()
    }

    /// All transitions in the order of their numbers, with the state that each leads out of.
    pub fn transitions(&self) -> impl Iterator<Item = (usize, &Transition)> {
        self.states.iter().enumerate().flat_map(|(number, state)| state.then.iter().map(move |t| (number, t)))
    }

    /// Why a transition is taken, in words: "gold reached", "3 people within 2 m". Nothing for a number that there is not.
    #[must_use]
    pub fn cause(&self, transition: usize) -> String {
        self.transitions().nth(transition).map_or_else(String::new, |(from, t)| self.cause_of(&self.states[from], t))
    }

    fn cause_of(&self, from: &MachineState, transition: &Transition) -> String {
        let When { goal_within, hazard_within, hazard_beyond, agents_within, group, chance, event, after } =
            &transition.when;
        let goal = |number: u16| self.goals.get(usize::from(number)).map_or("", |g| g.name.as_str());
        let mut words = Vec::new();
        if !transition.interrupt {
            words.push(match from.does {
                Does::Walk { goal: to } => format!("{} reached", goal(to)),
                Does::Stay { .. } | Does::Flee { .. } => "clip over".into(),
            });
        }
        words.extend(goal_within.map(|(to, metres)| format!("{} within {metres} m", goal(to))));
        let danger = self.hazards.first().filter(|_| self.hazards.len() == 1).map_or("danger", |h| h.name.as_str());
        words.extend(hazard_within.map(|metres| format!("{danger} within {metres} m")));
        words.extend(hazard_beyond.map(|metres| format!("no {danger} within {metres} m")));
        words.extend(agents_within.as_ref().map(|near| self.company(near)));
        let name = |g: &u16| self.groups.get(usize::from(*g)).map_or("", |group| group.name.as_str()).to_owned();
        words.extend(group.as_ref().map(|g| format!("one of {}", name(g))));
        words.extend(chance.map(|chance| {
            let percent = (1000.0 * chance).round() / 10.0;
            format!("{percent} %{}", if transition.interrupt { " a second" } else { "" })
        }));
        words.extend(event.as_ref().map(|name| format!("event {name}")));
        words.extend(after.map(|seconds| format!("after {seconds} s")));
        // That the clip is over goes without saying where anything else is said of it.
        if words.len() > 1 && matches!(from.does, Does::Stay { .. } | Does::Flee { .. }) && !transition.interrupt {
            words.remove(0);
        }
        words.join(", ")
    }

    fn company(&self, near: &Nearby) -> String {
        let Nearby { radius, count, most, state } = *near;
        let state = state.and_then(|s| self.states.get(usize::from(s)));
        let who = state.map_or_else(String::new, |state| format!(" who {}", state.name));
        let people = |n: u32| if n == 1 { "person" } else { "people" };
        match most {
            None => format!("{count} {}{who} within {radius} m", people(count)),
            Some(most) if count == 0 => format!("at most {most} {}{who} within {radius} m", people(most)),
            Some(most) => format!("{count} to {most} {}{who} within {radius} m", people(most)),
        }
    }
}
