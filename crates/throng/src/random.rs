//! Randomness without state: every draw is a hash of (seed, id, purpose, step).
//!
//! The mixing is `pcg4d` of Jarzynski and Olano, "Hash Functions for GPU Rendering" (JCGT 9(3), 2020): u32
//! arithmetic only, so that Rust and WGSL give the same bits, and no order of evaluation can matter.

/// What a draw is for. Two purposes never share a random number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Purpose {
    /// Which lattice site a start position takes.
    Shuffle = 1,
    /// Where in its lattice site an agent stands.
    Jitter = 2,
    /// An agent's radius.
    Radius = 3,
    /// An agent's preferred speed.
    Speed = 4,
    /// When an agent sets out.
    Delay = 5,
    /// Where an agent enters the floor during the run.
    Entry = 6,
    /// Which way two agents at the very same place are pushed.
    Tie = 7,
    /// How fast an agent turns.
    Turn = 8,
    /// Which point of an area an agent heads for.
    Point = 9,
    /// How long an agent bears to stand, and whether it steps aside.
    Patience = 10,
    /// Where somebody stands who waits at a goal.
    Stay = 11,
    /// How aggressive an agent is.
    Aggressiveness = 12,
    /// How long somebody's clip lasts.
    Clip = 13,
    /// Whether a transition of a state is taken.
    Chance = 14,
    /// How near to a goal somebody has arrived.
    GoalDistance = 15,
    /// How far an agent's behaviour vector is from its group's.
    Behaviour = 16,
}

/// Four well mixed words from four words.
#[must_use]
pub fn pcg4d(v: [u32; 4]) -> [u32; 4] {
    let [mut x, mut y, mut z, mut w] = v.map(|a| a.wrapping_mul(1_664_525).wrapping_add(1_013_904_223));
    for round in 0..2 {
        if round == 1 {
            x ^= x >> 16;
            y ^= y >> 16;
            z ^= z >> 16;
            w ^= w >> 16;
        }
        x = x.wrapping_add(y.wrapping_mul(w));
        y = y.wrapping_add(z.wrapping_mul(x));
        z = z.wrapping_add(x.wrapping_mul(y));
        w = w.wrapping_add(y.wrapping_mul(z));
    }
    [x, y, z, w]
}

/// The four random words of one agent, purpose and step.
#[must_use]
pub fn draw(seed: u32, id: u32, purpose: Purpose, step: u32) -> [u32; 4] {
    pcg4d([seed, id, purpose as u32, step])
}

/// A word as a number in [0, 1), with 24 bits so that it is exact in f32.
#[must_use]
pub fn unit(word: u32) -> f32 {
    (word >> 8) as f32 * (1.0 / 16_777_216.0)
}

/// Two words as a standard normal draw (Box and Muller).
#[must_use]
pub fn normal(a: u32, b: u32) -> f32 {
    // 1 - unit is in (0, 1]: the logarithm is finite.
    let radius = (-2.0 * (1.0 - f64::from(unit(a))).ln()).sqrt();
    let angle = std::f64::consts::TAU * f64::from(unit(b));
    (radius * angle.cos()) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_gives_the_words_of_its_definition() {
        // The reference lines of the paper, written out once more for one input.
        let mut v = [1u32, 2, 3, 4];
        for a in &mut v {
            *a = a.wrapping_mul(1664525).wrapping_add(1013904223);
        }
        let step = |v: &mut [u32; 4]| {
            v[0] = v[0].wrapping_add(v[1].wrapping_mul(v[3]));
            v[1] = v[1].wrapping_add(v[2].wrapping_mul(v[0]));
            v[2] = v[2].wrapping_add(v[0].wrapping_mul(v[1]));
            v[3] = v[3].wrapping_add(v[1].wrapping_mul(v[2]));
        };
        step(&mut v);
        for a in &mut v {
            *a ^= *a >> 16;
        }
        step(&mut v);
        assert_eq!(pcg4d([1, 2, 3, 4]), v);
    }

    #[test]
    fn draws_of_neighbouring_ids_are_uniform_and_uncorrelated() {
        let n = 100_000u32;
        let draws: Vec<f64> = (0..n).map(|id| f64::from(unit(draw(1, id, Purpose::Speed, 0)[0]))).collect();
        let mean = draws.iter().sum::<f64>() / f64::from(n);
        let lag: f64 = draws.windows(2).map(|p| (p[0] - 0.5) * (p[1] - 0.5)).sum::<f64>() / f64::from(n);
        // Standard errors are 0.0009 and 0.00026: five of them.
        assert!((mean - 0.5).abs() < 0.005, "mean {mean}");
        assert!(lag.abs() < 0.0013, "lag-one covariance {lag}");
    }

    #[test]
    fn normal_draws_have_mean_zero_and_deviation_one() {
        let n = 50_000u32;
        let (mut sum, mut squares) = (0.0, 0.0);
        for id in 0..n {
            let w = draw(9, id, Purpose::Radius, 0);
            let z = f64::from(normal(w[0], w[1]));
            assert!(z.is_finite());
            sum += z;
            squares += z * z;
        }
        assert!((sum / f64::from(n)).abs() < 0.025);
        assert!((squares / f64::from(n) - 1.0).abs() < 0.035);
    }
}
