//! Who walks, changed while a run goes on: the same on every engine, from one whole state to another.

use super::state::RunState;
use super::{CrowdChange, EngineError};
use crate::budget::Grant;
use crate::random::Purpose;
use crate::scene::machine::legs;
use crate::scene::{Arrive, Group, MOST_AGENTS, MOST_GROUPS, Scene, SceneError};
use crate::stages::steer::bvp::manner::MOST as MOST_MANNERS;
use crate::world::World;
use crate::world::agents::{Agents, State};
use crate::world::place::{check_entries, place_group};
use crate::world::points::{Chooser, POINT};
use crate::world::routes::Routes;
use crate::world::sources::due;

/// What it takes to become another run, beside the one that there is: a second world, a second crowd, and people who come.
pub(crate) fn room_to_change(scene: &Scene, change: Option<&CrowdChange>) -> Result<Grant, EngineError> {
    let more = match change {
        Some(CrowdChange::Drop(group)) => u64::from(group.count),
        _ => 0,
    };
    let taken = scene.take_to_resume().and_then(|mut room| {
        room.join(scene.take_for_people(more)?);
        Ok(room)
    });
    taken.map_err(|short| EngineError(format!("beside the run as it is, another one {}", short.words(""))))
}

/// What a run is after a change: scene, world and state. `scene` has the model in force; `world` is settled.
pub(crate) fn changed(
    scene: &Scene,
    world: &World,
    mut state: RunState,
    change: &CrowdChange,
) -> Result<(Scene, World, RunState), EngineError> {
    let mut scene = scene.clone();
    check(&scene, &state, change)?;
    apply(&mut scene, change);
    let world = world.of_crowd(&scene, state.step);
    if world.routes.len() > Routes::MOST {
        return Err(EngineError(format!(
            "these people would need a plan more than the {} that there can be",
            Routes::MOST
        )));
    }
    use_points_if_needed(&scene, &mut state.agents);
    match change {
        CrowdChange::Drop(_) => enter(&scene, &world, &mut state)?,
        CrowdChange::TakeBack => {
            let gone = scene.groups.len();
            state.agents.retain(|agent| usize::from(agent.group) != gone);
            use_points_if_needed(&scene, &mut state.agents);
            state.let_in.pop();
            state.dropped -= 1;
        }
        CrowdChange::Speed(g, speed) => {
            let agents = &mut state.agents;
            for i in (0..agents.len()).filter(|&i| usize::from(agents.group[i]) == *g) {
                agents.preferred[i] = speed.draw(scene.seed, agents.id[i], Purpose::Speed);
            }
        }
        CrowdChange::Arrive(g, arrive) => {
            if *arrive == Arrive::Respawn {
                check_entries(&scene, &world, *g).map_err(sentence)?;
            }
            if *arrive == Arrive::Next {
                begin_again(&scene, &world, *g, &mut state);
            }
        }
    }
    state.totals.set_people(state.agents.census());
    Ok((scene, world, state))
}

/// A column of points if a journey leads to any, or to a wait, or a call has sent somebody to one; else none.
fn use_points_if_needed(scene: &Scene, agents: &mut Agents) {
    let needed = scene.needs_points() || agents.goal.contains(&POINT);
    agents.use_columns(&scene.columns(&scene.model, needed));
}

/// The scene after a change that was found sound.
fn apply(scene: &mut Scene, change: &CrowdChange) {
    match change {
        CrowdChange::Drop(group) => {
            let group = as_dropped(scene, group);
            scene.groups.push(group);
        }
        CrowdChange::TakeBack => {
            scene.groups.pop();
        }
        CrowdChange::Speed(g, speed) => scene.groups[*g].speed = *speed,
        CrowdChange::Arrive(g, arrive) => scene.groups[*g].arrive = *arrive,
    }
}

/// A group with its number as the truth, whatever density it was made from.
fn as_dropped(scene: &Scene, group: &Group) -> Group {
    let mut group = Group { density: None, marks: crate::scene::GroupMarks::default(), ..group.clone() };
    if group.lives() {
        (group.journey, group.arrive) = (legs(&scene.states), Arrive::Next);
    }
    group
}

fn sentence(error: SceneError) -> EngineError {
    EngineError(error.message().to_owned())
}

/// Whether a scene may have it: the reader's own rules, and that what is named exists.
fn check(scene: &Scene, state: &RunState, change: &CrowdChange) -> Result<(), EngineError> {
    let number = |g: usize| scene.groups.get(g).ok_or_else(|| EngineError(format!("there is no group {g}")));
    let group = match change {
        CrowdChange::TakeBack if state.dropped == 0 => {
            return Err(EngineError("no group was dropped that could be taken back".into()));
        }
        CrowdChange::TakeBack if scene.transitions().any(|(_, t)| t.group.is_some()) => {
            return Err(EngineError("people change their group here: nobody knows any more who was dropped".into()));
        }
        CrowdChange::TakeBack => return Ok(()),
        CrowdChange::Drop(group) => {
            let total = scene.agent_count() + u64::from(group.count);
            if total > MOST_AGENTS {
                return Err(EngineError(format!("{total} agents are too many: at most {MOST_AGENTS} in all groups")));
            }
            if scene.groups.len() >= MOST_GROUPS {
                return Err(EngineError(format!("there are {MOST_GROUPS} groups already, and no more than that")));
            }
            if group.manner.is_some() && scene.groups.iter().filter(|g| g.manner.is_some()).count() >= MOST_MANNERS {
                return Err(EngineError(format!(
                    "{MOST_MANNERS} groups have a manner of their own already, and no more can"
                )));
            }
            if state.next_id.checked_add(group.count).is_none() {
                return Err(EngineError("there are no numbers left for so many new people".into()));
            }
            as_dropped(scene, group)
        }
        CrowdChange::Speed(g, speed) => Group { speed: *speed, ..number(*g)?.clone() },
        CrowdChange::Arrive(g, _) if number(*g)?.lives() => {
            return Err(EngineError(format!("group {g} lives by states and comes to no end")));
        }
        CrowdChange::Arrive(g, arrive) => Group { arrive: *arrive, ..number(*g)?.clone() },
    };
    scene.check_group(&group).map_err(sentence)
}

/// The last group of the scene comes in.
fn enter(scene: &Scene, world: &World, state: &mut RunState) -> Result<(), EngineError> {
    let g = scene.groups.len() - 1;
    let group = &scene.groups[g];
    let new = place_group(scene, world, g, (state.next_id, state.step), &state.agents).map_err(sentence)?;
    state.agents.append(&new);
    state.next_id += group.count;
    // A source owes nobody for the time before it was there.
    let owed = group.rate.map_or(0.0, |rate| due(rate, scene.dt, state.step).floor());
    state.let_in.push(owed.clamp(0.0, f64::from(u32::MAX / 2)) as u32);
    state.dropped += 1;
    Ok(())
}

/// Who waits at the end of its last leg, to leave then, begins the journey again instead.
fn begin_again(scene: &Scene, world: &World, g: usize, state: &mut RunState) {
    let agents = &mut state.agents;
    let first_ids = agents.first_ids(scene);
    let chooser = Chooser {
        grid: &world.grid,
        walls: &world.walls,
        groups: &scene.groups,
        first_ids: &first_ids,
        seed: scene.seed,
        step: state.step,
    };
    let last = scene.groups[g].journey.len();
    for i in 0..agents.len() {
        if usize::from(agents.group[i]) == g && usize::from(agents.leg[i]) == last {
            agents.leg[i] = 0;
            // Who has a place to wait at begins its leg when the wait is over.
            if agents.state[i] != State::Staying {
                chooser.begin_leg(agents, i);
            }
        }
    }
}
