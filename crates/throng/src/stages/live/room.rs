//! Goals that hold only so many: who leaves one, and who finds room. The shaders' side is room.wgsl.
//!
//! Who waits in such a goal, or has left the floor there for good, is counted in it. In a step first those leave whose wait is over;
//! then those who stand on the goal come in, in the order of the columns, as long as there is room. Who finds none stays where it is.

use super::cpu::Rules;
use crate::scene::Arrive;
use crate::world::agents::Agents;
use crate::world::goals::{self, Room, rooms_among};
use crate::world::points::POINT;

/// In the wake of somebody who walks and has found no room on its goal: how shaders tell it.
const REFUSED: u32 = u32::MAX;

/// Those whose wait is over leave; then `counts` says how many are in each goal.
pub(super) fn leave(rules: Rules<'_>, agents: &mut Agents, counts: &mut Vec<u32>) {
    let Some(rooms) = rooms_among(&agents.own) else { return };
    let leaves = |i: &usize| {
        let group = &rules.groups[usize::from(agents.group[*i])];
        if group.lives() {
            // Counted as long as it stands there.
            let place = rules.machine.states[usize::from(agents.leg[*i])].place;
            let stands = agents.state[*i].waits() && rooms[*i].x == f32::from(place) + 1.0;
            return rooms[*i].x > 0.0 && !stands;
        }
        // Who leaves the floor there for good stays counted.
        let stays = usize::from(agents.leg[*i]) == group.journey.len() && group.arrive == Arrive::Park;
        rooms[*i].x > 0.0 && agents.state[*i].waits() && rules.step + 1 >= agents.wake[*i] && !stays
    };
    let leaving: Vec<usize> = (0..agents.len()).filter(leaves).collect();
    leaving.into_iter().for_each(|i| agents.set_room(i, None));
    *counts = goals::counts(rules.places, agents);
}

/// Whether somebody who stands on its goal, or at its point, may arrive; it is counted if it stays.
pub(super) fn admit(rules: Rules<'_>, agents: &mut Agents, counts: &mut [u32], i: usize) -> bool {
    let goal = usize::from(agents.goal[i]);
    let Some(place) = rules.places.get(goal).filter(|place| agents.goal[i] != POINT && place.is_limited()) else {
        return true;
    };
    let p = agents.position[i];
    let near = || rules.near_place((agents.group[i], agents.leg[i], agents.id[i]), p);
    let shape = place.shape_at(rules.grid.index_at(p)).or_else(|| {
        let near = if rules.lives(agents.group[i]) { near() } else { None };
        near.and_then(|near| place.shape_at(rules.grid.index_at(near.inside)))
    });
    let Some(shape) = shape.filter(|&shape| place.has_room(shape, counts)) else {
        agents.wake[i] = REFUSED;
        return false;
    };
    let group = &rules.groups[usize::from(agents.group[i])];
    let leg = usize::from(agents.leg[i]);
    let parks = !group.lives() && leg + 1 == group.journey.len() && group.arrive == Arrive::Park;
    if parks || group.lives() || rules.end_of(&group.journey[leg].wait).1 {
        place.count(shape, counts, true);
        agents.set_room(i, Some(Room { goal, shape }));
    }
    true
}
