//! Agents as the device's columns, and back.

use crate::random::Purpose;
use crate::scene::Scene;
use crate::stages::live::cpu::steps;
use crate::world::agents::{Agent, Agents, State};
use glam::Vec2;

/// In the wake of somebody outside who has never been on the floor: the rest is how many steps it will wait then. The
/// device draws no delays itself; they follow from the id alone.
const FIRST: u32 = 1 << 31;

/// The four columns as bytes.
pub(super) fn pack(a: &Agents, scene: &Scene) -> [Vec<u8>; 4] {
    let n = a.len();
    let (mut motion, mut body, mut journey) = (Vec::with_capacity(n), Vec::with_capacity(n), Vec::with_capacity(n));
    for i in 0..n {
        let (p, v, h) = (a.position[i], a.velocity[i], a.heading[i]);
        motion.push([p.x, p.y, v.x, v.y]);
        body.push([h.x, h.y, a.radius[i], a.preferred[i]]);
        let group = &scene.groups[a.group[i] as usize];
        let wake = if a.state[i] == State::Outside && group.rate.is_some() && a.wake[i] == u32::MAX {
            FIRST | steps(group.delay.draw(scene.seed, a.id[i], Purpose::Delay), scene.dt).min(FIRST - 1)
        } else {
            a.wake[i]
        };
        journey.push([
            a.id[i],
            u32::from(a.goal[i]) | u32::from(a.group[i]) << 16,
            u32::from(a.leg[i]) | (a.state[i] as u32) << 16,
            wake,
        ]);
    }
    [
        bytemuck::cast_slice(&motion).to_vec(),
        bytemuck::cast_slice(&body).to_vec(),
        bytemuck::cast_slice(&journey).to_vec(),
        bytemuck::cast_slice(&a.turn).to_vec(),
    ]
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
