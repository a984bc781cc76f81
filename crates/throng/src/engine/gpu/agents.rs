//! Agents as the device's columns, and back.

use super::device::Gpu;
use super::upload::upload;
use crate::random::Purpose;
use crate::scene::Scene;
use crate::stages::live::cpu::steps;
use crate::world::agents::{Agent, Agents, State};
use glam::Vec2;

/// In the wake of somebody outside who has never been on the floor: the rest is how many steps it will wait then. The
/// device draws no delays itself; they follow from the id alone.
const FIRST: u32 = 1 << 31;

/// Writes a crowd into the four buffers of columns.
pub(super) fn upload_columns(gpu: &Gpu, columns: [&wgpu::Buffer; 4], a: &Agents, scene: &Scene) {
    let [motion, body, journey, turn] = columns;
    upload(gpu, motion, a.len(), |i| {
        let (p, v) = (a.position[i], a.velocity[i]);
        [p.x, p.y, v.x, v.y]
    });
    upload(gpu, body, a.len(), |i| [a.heading[i].x, a.heading[i].y, a.radius[i], a.preferred[i]]);
    upload(gpu, journey, a.len(), |i| {
        [
            a.id[i],
            u32::from(a.goal[i]) | u32::from(a.group[i]) << 16,
            u32::from(a.leg[i]) | (a.state[i] as u32) << 16,
            wake_of(a, i, scene),
        ]
    });
    upload(gpu, turn, a.len(), |i| a.turn[i]);
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

/// The crowd of four columns.
pub(super) fn unpack(bytes: &[Vec<u8>], scene: &Scene) -> Agents {
    let motion: Vec<[f32; 4]> = bytemuck::pod_collect_to_vec(&bytes[0]);
    let body: Vec<[f32; 4]> = bytemuck::pod_collect_to_vec(&bytes[1]);
    let journey: Vec<[u32; 4]> = bytemuck::pod_collect_to_vec(&bytes[2]);
    let turn: Vec<f32> = bytemuck::pod_collect_to_vec(&bytes[3]);
    let mut agents = Agents::default();
    // As many as there were when they were asked for.
    for i in 0..bytes[0].len() / 16 {
        let (p, f, m) = (motion[i], body[i], journey[i]);
        let state = State::from_byte((m[2] >> 16) as u8).unwrap_or(State::Parked);
        let group = (m[1] >> 16) as u16;
        let rate = scene.groups.get(group as usize).is_some_and(|g| g.rate.is_some());
        agents.push(Agent {
            id: m[0],
            position: Vec2::new(p[0], p[1]),
            heading: Vec2::new(f[0], f[1]),
            velocity: Vec2::new(p[2], p[3]),
            radius: f[2],
            preferred: f[3],
            turn: turn[i],
            goal: m[1] as u16,
            group,
            leg: m[2] as u16,
            state,
            wake: if state == State::Outside && rate && m[3] & FIRST != 0 { u32::MAX } else { m[3] },
        });
    }
    agents
}
