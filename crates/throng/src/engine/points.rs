//! Points that a call gives agents while a run goes on: the same rules on every engine.

use super::EngineError;
use crate::world::World;
use crate::world::agents::State;
use glam::Vec2;
use std::collections::HashMap;

/// Where in the columns those are who are given points, with their points, in order of their places.
///
/// # Errors
/// If a point is outside of the world or inside a wall, or an id is nobody's who is on the floor.
pub(super) fn places(
    world: &World,
    points: &[(u32, Vec2)],
    people: impl Iterator<Item = (u32, State)>,
) -> Result<Vec<(usize, Vec2)>, EngineError> {
    // Of two points for the same agent the later counts.
    let mut wanted: HashMap<u32, Vec2> = HashMap::with_capacity(points.len());
    for &(id, point) in points {
        // A negative zero is a zero.
        let point = point + 0.0;
        if !(point.is_finite() && world.grid.inside(point)) {
            return Err(EngineError(format!("the point {point} of agent {id} is outside of the world")));
        }
        if world.walls.contains(point) {
            return Err(EngineError(format!("the point {point} of agent {id} is inside a wall")));
        }
        wanted.insert(id, point);
    }
    let on_floor = people.enumerate().filter(|(_, (_, state))| state.on_floor());
    let found: Vec<(usize, Vec2)> =
        on_floor.filter_map(|(place, (id, _))| wanted.remove(&id).map(|point| (place, point))).collect();
    match wanted.keys().min() {
        None => Ok(found),
        Some(id) => Err(EngineError(format!("there is no agent {id} on the floor"))),
    }
}
