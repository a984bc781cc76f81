//! Agents as the device's columns, and back.

use super::buffers::{Buffers, Column};
use super::device::Gpu;
use super::upload::upload;
use crate::engine::layout;
use crate::random::Purpose;
use crate::scene::Scene;
use crate::stages::live::cpu::steps;
use crate::world::agents::{Agent, Agents, ModelColumn, OwnColumn, State};

/// In the wake of somebody outside who has never been on the floor: the rest is how many steps it will wait then. The
/// device draws no delays itself; they follow from the id alone.
const FIRST: u32 = 1 << 31;

/// Writes a crowd into one of the sets of columns.
pub(super) fn upload_columns(gpu: &Gpu, buffers: &Buffers, set: usize, a: &Agents, scene: &Scene) {
    upload(gpu, buffers.column(Column::Motion, set), a.len(), |i| layout::motion(a, i));
    upload(gpu, buffers.column(Column::Body, set), a.len(), |i| layout::body(a, i));
    upload(gpu, buffers.column(Column::Journey, set), a.len(), |i| layout::journey(a, i, wake_of(a, i, scene)));
    for (k, own) in a.own.iter().enumerate() {
        upload(gpu, buffers.own_column(k, set), own.values.len(), |i| own.values[i]);
    }
}

/// When somebody's wait ends, as the device keeps it.
fn wake_of(a: &Agents, i: usize, scene: &Scene) -> u32 {
    let group = &scene.groups[a.group[i] as usize];
    if a.state[i] == State::Outside && group.rate.is_some() && a.wake[i] == u32::MAX {
        FIRST | steps(group.delay.draw(scene.seed, a.id[i], Purpose::Delay), scene.dt).min(FIRST - 1)
    } else {
        a.wake[i]
    }
}

/// The crowd of these columns.
pub(super) fn unpack(bytes: &[Vec<u8>], scene: &Scene, own: &[&'static ModelColumn]) -> Agents {
    let motion: Vec<layout::Motion> = bytemuck::pod_collect_to_vec(&bytes[Column::Motion as usize]);
    let body: Vec<layout::Body> = bytemuck::pod_collect_to_vec(&bytes[Column::Body as usize]);
    let journey: Vec<layout::Journey> = bytemuck::pod_collect_to_vec(&bytes[Column::Journey as usize]);
    let mut agents = Agents::default();
    // As many as there were when they were asked for: a copy of nothing has a few bytes all the same.
    let count = bytes[Column::Motion as usize].len() / size_of::<layout::Motion>();
    for ((m, b), j) in motion.iter().zip(&body).zip(&journey).take(count) {
        let agent = layout::agent(*m, *b, *j);
        let rate = scene.groups.get(usize::from(agent.group)).is_some_and(|g| g.rate.is_some());
        let first = agent.state == State::Outside && rate && agent.wake & FIRST != 0;
        agents.push(Agent { wake: if first { u32::MAX } else { agent.wake }, ..agent });
    }
    agents.own = (own.iter().zip(&bytes[Column::ALL.len()..]))
        .map(|(&column, bytes)| {
            let mut values: Vec<f32> = bytemuck::pod_collect_to_vec(bytes);
            values.truncate(column.width * count);
            OwnColumn { column, values }
        })
        .collect();
    agents
}
