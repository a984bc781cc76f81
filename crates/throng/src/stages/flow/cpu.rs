//! One cell at a time.

use crate::stages::splat::{QUANTA, Quanta};
use glam::Vec2;
use rayon::prelude::*;

/// Writes density and average velocity (zero where nobody is); returns how many cells were full.
pub fn run(quanta: &[Quanta], density: &mut [f32], velocity: &mut [Vec2]) -> u64 {
    const CHUNK: usize = 8192;
    density
        .par_chunks_mut(CHUNK)
        .zip(velocity.par_chunks_mut(CHUNK))
        .zip(quanta.par_chunks(CHUNK))
        .map(|((density, velocity), quanta)| {
            let mut full = 0;
            for ((d, v), q) in density.iter_mut().zip(velocity).zip(quanta) {
                *d = q[0] as f32 * (1.0 / QUANTA);
                let weight = if q[0] > 0 { 1.0 / q[0] as f32 } else { 0.0 };
                *v = Vec2::new(q[1] as f32 * weight, q[2] as f32 * weight);
                full += u64::from(q.iter().any(|&k| k == i32::MAX || k == i32::MIN));
            }
            full
        })
        .sum()
}
