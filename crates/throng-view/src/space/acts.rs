//! Which clips show what agents do, and which lead from one to another.

use std::collections::VecDeque;
use throng::scene::{Does, MachineState};
use throng_creature::{Character, Clip, Role};

/// Standing, walking, running: GAITS of animate.wgsl.
const GAITS: usize = 3;
/// Clips of an act, of which an individual has one: those that there are, over and over.
const CHOICES: u32 = 4;

/// Roles that there are: ROLES of figure.wgsl.
const ROLES: usize = Role::Cower as usize + 1;
/// No transition: NOBODY of space.wgsl.
const NONE: u32 = u32::MAX;

/// What is shown of somebody who stands, walks and runs.
fn roles(state: Option<&MachineState>) -> [Role; GAITS] {
    let Some(state) = state else { return [Role::Stand, Role::Walk, Role::Run] };
    let named = Role::named(&state.clip).or_else(|| Role::named(&state.name));
    match (state.does, named) {
        (Does::Walk { .. }, Some(Role::Carry | Role::Hold)) => [Role::Hold, Role::Carry, Role::Carry],
        (Does::Walk { .. }, Some(Role::Run)) => [Role::Stand, Role::Run, Role::Run],
        (Does::Walk { .. }, Some(Role::Flee)) | (Does::Flee { .. }, _) => [Role::Cower, Role::Flee, Role::Flee],
        (Does::Walk { .. }, Some(Role::Stumble)) => [Role::Stand, Role::Stumble, Role::Run],
        (Does::Walk { .. }, _) => [Role::Stand, Role::Walk, Role::Run],
        // Who stays walks to its place; others may push it aside, which is slower: STAYS of animate.wgsl.
        (Does::Stay { .. }, Some(Role::Walk | Role::Run | Role::Flee | Role::Stumble) | None) => {
            [Role::Stand, Role::Walk, Role::Run]
        }
        (Does::Stay { .. }, Some(Role::Carry | Role::Hold)) => [Role::Hold, Role::Carry, Role::Carry],
        // What is done once is done while there is time.
        (Does::Stay { .. }, Some(Role::Drop)) => [Role::Drop, Role::Drop, Role::Carry],
        (Does::Stay { .. }, Some(Role::PickUp)) => [Role::PickUp, Role::PickUp, Role::Walk],
        (Does::Stay { .. }, Some(role)) => [role, Role::Walk, Role::Run],
    }
}

/// Clips of each gait: of those who live by no states, then of each state.
pub(crate) fn acts(character: &Character, states: &[MachineState]) -> Vec<[u32; CHOICES as usize]> {
    let clips = |role: Role| {
        std::array::from_fn(|choice| character.clip_for(role, choice as u32 % CHOICES).unwrap_or(0) as u32)
    };
    std::iter::once(None).chain(states.iter().map(Some)).flat_map(roles).map(clips).collect()
}

/// A clip's keys in 16 bits, its role in 5, the role that it comes from in 5 (its own if it is no transition), and whether it goes
/// round in the highest: as `clip_of` of figure.wgsl reads them.
pub(crate) fn keys_and_roles(clip: &Clip) -> u32 {
    let from = clip.from.unwrap_or(clip.role);
    clip.keys.min(0xffff) | (clip.role as u32) << 16 | (from as u32) << 21 | u32::from(clip.looped) << 31
}

/// For each role and each other the first of the transitions that lead from one to the other, over others if need be; four in a row.
pub(crate) fn ways(character: &Character) -> Vec<[u32; 4]> {
    let mut ways = vec![[NONE; 4]; (ROLES * ROLES).div_ceil(4)];
    let transitions: Vec<(usize, usize, u32)> = (0..)
        .zip(&character.clips)
        .filter_map(|(index, clip)| Some((clip.from? as usize, clip.role as usize, index)))
        .collect();
    for start in 0..ROLES {
        // The first transition on the way to each role; the fewest are found first.
        let mut first = [NONE; ROLES];
        let mut open = VecDeque::from([start]);
        while let Some(at) = open.pop_front() {
            for &(_, to, clip) in transitions.iter().filter(|(from, ..)| *from == at) {
                if to != start && first[to] == NONE {
                    first[to] = if at == start { clip } else { first[at] };
                    open.push_back(to);
                }
            }
        }
        for (to, clip) in first.into_iter().enumerate() {
            let k = start * ROLES + to;
            ways[k / 4][k % 4] = clip;
        }
    }
    ways
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::figure::creature;
    use throng::Scene;

    #[test]
    fn froblins_do_what_their_states_say() {
        let scene = Scene::built_in("froblins").expect("a built-in scene");
        let acts = acts(creature(), &scene.states);
        assert_eq!(acts.len(), GAITS * (1 + scene.states.len()));
        let shown = |state: &str, gait: usize| {
            let number = scene.states.iter().position(|s| s.name == state).expect("it is there");
            let role = |clip: u32| creature().clips[clip as usize].role;
            let four = acts[GAITS * (1 + number) + gait].map(role);
            assert!(four.iter().all(|role| *role == four[0]), "{four:?}");
            four[0]
        };
        for (state, still, moving) in [
            ("seek gold", Role::Stand, Role::Walk),
            ("mine", Role::Mine, Role::Walk),
            ("carry", Role::Hold, Role::Carry),
            ("drop", Role::Drop, Role::Drop),
            ("hungry", Role::Stand, Role::Walk),
            ("eat", Role::Eat, Role::Walk),
            ("rest", Role::Rest, Role::Walk),
            ("flee", Role::Cower, Role::Flee),
        ] {
            assert_eq!((shown(state, 0), shown(state, 1)), (still, moving), "{state}");
        }
        // Nobody does the same as everybody where there are several clips for it.
        assert!(acts[0].iter().any(|clip| *clip != acts[0][0]));
    }

    #[test]
    fn transitions_lead_from_one_act_to_another_step_by_step() {
        let ways = ways(creature());
        let way = |from: Role, to: Role| {
            let k = from as usize * ROLES + to as usize;
            creature().clips.get(ways[k / 4][k % 4] as usize).map(|clip| clip.name.as_str())
        };
        assert_eq!(way(Role::Stand, Role::Rest), Some("sit down"));
        assert_eq!(way(Role::Hold, Role::Carry), Some("start carrying"));
        // Over standing.
        assert_eq!(way(Role::Walk, Role::Mine), Some("stop walking"));
        assert_eq!(way(Role::Mine, Role::Sleep), Some("put the pick away"));
        assert_eq!(way(Role::Stand, Role::Sleep), Some("sit down"));
        // Nothing leads there, or somewhere else.
        assert_eq!(way(Role::Mine, Role::Carry), None);
        assert_eq!(way(Role::Walk, Role::Walk), None);
        // Whoever has no transitions has no ways.
        let mut bare = creature().clone();
        bare.clips.retain(|clip| clip.from.is_none());
        assert!(super::ways(&bare).iter().flatten().all(|clip| *clip == NONE));
    }

    #[test]
    fn clips_are_told_to_shaders_with_their_keys_and_roles() {
        for clip in &creature().clips {
            let word = keys_and_roles(clip);
            assert_eq!(word & 0xffff, clip.keys);
            assert_eq!(word >> 16 & 31, clip.role as u32);
            assert_eq!((word >> 16 & 31) != (word >> 21 & 31), clip.from.is_some(), "{}", clip.name);
            assert_eq!(word >> 31 == 1, clip.looped);
        }
    }
}
