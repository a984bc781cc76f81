//! States that a call puts agents into while a run goes on: the same rules on every engine.

use super::EngineError;
use crate::random::{Purpose, draw};
use crate::scene::Scene;
use crate::stages::live::states::Begun;
use crate::world::World;
use crate::world::agents::State;
use glam::Vec2;
use std::collections::HashMap;

/// Somebody whom a call puts into a state: its place in the columns, the state's number, the step at which its clip ends, and what
/// it is like then.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entering {
    pub(super) place: usize,
    pub(super) to: u16,
    pub(super) wake: u32,
    pub(super) begun: Begun,
}

/// Where in the columns those are whom a call puts into states before the step of this number, in order of their places. People are given by id,
/// group, state and position.
///
/// # Errors
/// If there is no such state, or an id is nobody's who is on the floor and lives by states.
pub(super) fn entering(
    scene: &Scene,
    world: &World,
    step: u32,
    states: &[(u32, u16)],
    people: impl Iterator<Item = (u32, u16, State, Vec2)>,
) -> Result<Vec<Entering>, EngineError> {
    let mut wanted: HashMap<u32, u16> = HashMap::with_capacity(states.len());
    for &(id, to) in states {
        if usize::from(to) >= world.machine.states.len() {
            return Err(EngineError(format!("there is no state {to}")));
        }
        // Of two states for the same agent the later counts.
        wanted.insert(id, to);
    }
    let mut found = Vec::new();
    for (place, (id, group, state, at)) in people.enumerate() {
        if !(state.on_floor() && scene.groups[usize::from(group)].lives()) {
            continue;
        }
        let Some(to) = wanted.remove(&id) else { continue };
        let of = &world.machine.states[usize::from(to)];
        let begun = Begun::of(of, at);
        let lasts = of.duration(draw(scene.seed, id, Purpose::Clip, step)[0]);
        let wake = if begun.point.is_some() { step.saturating_add(lasts) } else { 0 };
        found.push(Entering { place, to, wake, begun });
    }
    match wanted.keys().min() {
        None => Ok(found),
        Some(id) => Err(EngineError(format!("there is no agent {id} on the floor that lives by states"))),
    }
}
