//! What happens when: events, and the times at which those of a name do.

use super::Scene;
use crate::stages::live::cpu::steps;
use std::collections::BTreeMap;

/// Something that happens at a time.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// When, s.
    pub at: f32,
    /// What those who wait for it call it; several may have the same.
    pub name: Option<String>,
    /// What it changes, all between the same two steps.
    pub changes: Vec<Change>,
}

/// What an event changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    /// The wall with this number stands from now on.
    Close(usize),
    /// The wall with this number is gone from now on.
    Open(usize),
    /// The zone with this number has a new speed factor.
    ZoneSpeed(usize, f32),
    /// People can arrive at the goal with this number from now on, or not.
    Goal(usize, bool),
    /// The source of the group with this number lets people in from now on, or not.
    Source(usize, bool),
}

/// At which steps the events of each name happen: before the step of that number, in order.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Signals(BTreeMap<String, Vec<u32>>);

impl Signals {
    /// Those of a scene.
    #[must_use]
    pub fn of(scene: &Scene) -> Self {
        let mut by_name: BTreeMap<String, Vec<u32>> = BTreeMap::new();
        for event in &scene.events {
            if let Some(name) = &event.name {
                by_name.entry(name.clone()).or_default().push(steps(event.at, scene.dt));
            }
        }
        by_name.values_mut().for_each(|list| list.sort_unstable());
        Self(by_name)
    }

    /// All steps of a name, in order.
    #[must_use]
    pub fn all(&self, name: &str) -> &[u32] {
        self.0.get(name).map_or(&[], Vec::as_slice)
    }

    /// The first of a name that happens before the step of this number or a later one, if any is still to come.
    #[must_use]
    pub fn next(&self, name: &str, step: u32) -> Option<u32> {
        let list = self.all(name);
        list.get(list.partition_point(|&at| at < step)).copied()
    }
}

impl Scene {
    /// Whether anybody waits for an event at the end of a leg.
    #[cfg(feature = "gpu")]
    pub(crate) fn uses_signals(&self) -> bool {
        self.groups.iter().any(|g| g.journey.iter().any(|leg| leg.wait.signal().is_some()))
    }

    /// Whether any goal holds only so many.
    pub(crate) fn has_capacities(&self) -> bool {
        self.goals.iter().any(|g| g.capacity.is_some() || g.capacities.iter().any(Option::is_some))
    }

    /// Whether a goal may be closed or full, by what the scene says.
    #[cfg(feature = "gpu")]
    pub(crate) fn may_shut_goals(&self) -> bool {
        let changes = self.events.iter().flat_map(|e| &e.changes);
        self.has_capacities()
            || self.goals.iter().any(|g| !g.open)
            || changes.into_iter().any(|c| matches!(c, Change::Goal(..)))
    }
}
