//! Agents as the device's columns, and back.

use super::buffers::Column;
use crate::engine::layout;
use crate::random::Purpose;
use crate::scene::Scene;
use crate::stages::live::cpu::steps;
use crate::world::agents::{Agent, Agents, ModelColumn, OwnColumn, State};

/// In the wake of somebody outside who has never been on the floor: the rest is how many steps it will wait then. The
/// device draws no delays itself; they follow from the id alone.
const FIRST: u32 = 1 << 31;

/// The columns as bytes: those of [`Column::ALL`], then the models' own.
pub(super) fn pack(a: &Agents, scene: &Scene) -> Vec<Vec<u8>> {
    let everybody = 0..a.len();
    let journey = |i: usize| {
        let group = &scene.groups[a.group[i] as usize];
        let wake = if a.state[i] == State::Outside && group.rate.is_some() && a.wake[i] == u32::MAX {
            FIRST | steps(group.delay.draw(scene.seed, a.id[i], Purpose::Delay), scene.dt).min(FIRST - 1)
        } else {
            a.wake[i]
        };
        layout::journey(a, i, wake)
    };
    let bytes = |column: Column| match column {
        Column::Motion => {
            bytemuck::pod_collect_to_vec(&everybody.clone().map(|i| layout::motion(a, i)).collect::<Vec<_>>())
        }
        Column::Body => {
            bytemuck::pod_collect_to_vec(&everybody.clone().map(|i| layout::body(a, i)).collect::<Vec<_>>())
        }
        Column::Journey => bytemuck::pod_collect_to_vec(&everybody.clone().map(journey).collect::<Vec<_>>()),
    };
    let own = a.own.iter().map(|o| bytemuck::pod_collect_to_vec(&o.values));
    Column::ALL.into_iter().map(bytes).chain(own).collect()
}

/// The crowd of these columns.
pub(super) fn unpack(bytes: &[Vec<u8>], scene: &Scene, own: &[&'static ModelColumn]) -> Agents {
    let motion: Vec<layout::Motion> = bytemuck::pod_collect_to_vec(&bytes[Column::Motion as usize]);
    let body: Vec<layout::Body> = bytemuck::pod_collect_to_vec(&bytes[Column::Body as usize]);
    let journey: Vec<layout::Journey> = bytemuck::pod_collect_to_vec(&bytes[Column::Journey as usize]);
    let mut agents = Agents::default();
    for ((m, b), j) in motion.iter().zip(&body).zip(&journey) {
        let agent = layout::agent(*m, *b, *j);
        let rate = scene.groups.get(usize::from(agent.group)).is_some_and(|g| g.rate.is_some());
        let first = agent.state == State::Outside && rate && agent.wake & FIRST != 0;
        agents.push(Agent { wake: if first { u32::MAX } else { agent.wake }, ..agent });
    }
    agents.own = (own.iter().zip(&bytes[Column::ALL.len()..]))
        .map(|(&column, bytes)| OwnColumn { column, values: bytemuck::pod_collect_to_vec(bytes) })
        .collect();
    agents
}
