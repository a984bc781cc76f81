//! One cell at a time; empty floor is left alone.

use crate::stages::splat::blocks::Blocks;
use crate::stages::splat::{QUANTA, Quanta};
use glam::Vec2;
use rayon::prelude::*;

/// Writes density and average velocity (zero where nobody is) where `blocks` says that anything may differ from the last step;
/// returns how many cells were full.
pub fn run(quanta: &[Quanta], blocks: &Blocks, density: &mut [f32], velocity: &mut [Vec2]) -> u64 {
    let band = blocks.band();
    density
        .par_chunks_mut(band)
        .zip(velocity.par_chunks_mut(band))
        .zip(quanta.par_chunks(band))
        .zip(blocks.states.par_chunks(blocks.across()))
        .map(|(((density, velocity), quanta), states)| {
            let mut full = 0;
            for run in blocks.runs(states, quanta.len()) {
                let cells = density[run.clone()].iter_mut().zip(&mut velocity[run.clone()]).zip(&quanta[run]);
                for ((d, v), q) in cells {
                    *d = q[0] as f32 * (1.0 / QUANTA);
                    let weight = if q[0] > 0 { 1.0 / q[0] as f32 } else { 0.0 };
                    *v = Vec2::new(q[1] as f32 * weight, q[2] as f32 * weight);
                    full += u64::from(q.iter().any(|&k| k == i32::MAX || k == i32::MIN));
                }
            }
            full
        })
        .sum()
}
