//! An agent as both the GPU engine and the viewer keep it: three records of 16 bytes. The shaders' side is the beginning of
//! engine/gpu/prelude.wgsl.

use crate::world::agents::{Agent, Agents, State};
use glam::Vec2;

/// Position and velocity.
pub type Motion = [f32; 4];
/// Heading as two signed 16-bit numbers (x low), then the bits of radius, preferred speed and turn rate.
pub type Body = [u32; 4];
/// Id; goal in the low and group in the high 16 bits; leg and state likewise, and in the highest bit whether it is informed; wake.
pub type Journey = [u32; 4];

/// A direction as two signed 16-bit numbers, x low: what WGSL's `pack2x16snorm` gives.
#[must_use]
#[inline]
pub fn pack_direction(v: Vec2) -> u32 {
    // 1.5·2^23: adding it leaves the nearest integer in the low bits, and no branch. Only for lengths of at most 1.
    const MAGIC: f32 = 12_582_912.0;
    let half = |x: f32| (x * 32767.0 + MAGIC).to_bits();
    (half(v.x) & 0xFFFF) | half(v.y) << 16
}

/// The direction of [`pack_direction`].
#[must_use]
#[inline]
pub fn unpack_direction(word: u32) -> Vec2 {
    let (x, y) = ((word << 16) as i32 >> 16, word as i32 >> 16);
    Vec2::new(x as f32, y as f32) * (1.0 / 32767.0)
}

/// A direction as agents keep it: with 16 bits a component, on every engine.
#[must_use]
#[inline]
pub fn rounded_direction(v: Vec2) -> Vec2 {
    unpack_direction(pack_direction(v))
}

/// Position and velocity of an agent, by its place in the columns.
#[must_use]
pub fn motion(a: &Agents, i: usize) -> Motion {
    let (p, v) = (a.position[i], a.velocity[i]);
    [p.x, p.y, v.x, v.y]
}

/// The body of an agent.
#[must_use]
pub fn body(a: &Agents, i: usize) -> Body {
    [pack_direction(a.heading[i]), a.radius[i].to_bits(), a.preferred[i].to_bits(), a.turn[i].to_bits()]
}

/// The journey of an agent, with its wake step (the engine keeps something else there for those outside).
#[must_use]
pub fn journey(a: &Agents, i: usize, wake: u32) -> Journey {
    let doing = u32::from(a.leg[i]) | (a.state[i] as u32) << 16 | u32::from(a.informed[i]) << 31;
    [a.id[i], u32::from(a.goal[i]) | u32::from(a.group[i]) << 16, doing, wake]
}

/// The agent of three records.
#[must_use]
pub fn agent(motion: Motion, body: Body, journey: Journey) -> Agent {
    Agent {
        id: journey[0],
        position: Vec2::new(motion[0], motion[1]),
        heading: unpack_direction(body[0]),
        velocity: Vec2::new(motion[2], motion[3]),
        radius: f32::from_bits(body[1]),
        preferred: f32::from_bits(body[2]),
        turn: f32::from_bits(body[3]),
        goal: journey[1] as u16,
        group: (journey[1] >> 16) as u16,
        leg: journey[2] as u16,
        state: State::from_byte((journey[2] >> 16) as u8).unwrap_or(State::Parked),
        wake: journey[3],
        informed: (journey[2] >> 31) as u8,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packed_direction_survives_being_unpacked_and_packed_again() {
        for x in -32767i32..=32767 {
            let v = Vec2::new(x as f32 / 32767.0, -x as f32 / 32767.0);
            let word = pack_direction(v);
            assert_eq!((word as u16 as i16, (word >> 16) as u16 as i16), (x as i16, -x as i16));
            assert_eq!(pack_direction(unpack_direction(word)), word);
        }
    }

    #[test]
    fn directions_are_packed_within_half_a_unit() {
        for i in 0..1000 {
            let v = Vec2::from_angle(i as f32 * 0.0063);
            // Half a unit of 1/32767 on each axis.
            assert!((unpack_direction(pack_direction(v)) - v).abs().max_element() < 0.51 / 32767.0);
        }
    }
}
