//! How a value varies from agent to agent.

use crate::random::{self, Purpose};

/// A distribution of values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Distribution {
    /// The same for everybody.
    Constant(f32),
    /// Any value between two, equally likely.
    Uniform(f32, f32),
    /// Normal, cut off at both ends: a draw outside is drawn again.
    Normal {
        /// The mean of the uncut distribution.
        mean: f32,
        /// The standard deviation of the uncut distribution.
        deviation: f32,
        /// No value is below this.
        min: f32,
        /// No value is above this.
        max: f32,
    },
}

impl Distribution {
    /// The least value that can be drawn.
    #[must_use]
    pub fn min(&self) -> f32 {
        match *self {
            Self::Constant(v) => v,
            Self::Uniform(a, _) => a,
            Self::Normal { min, .. } => min,
        }
    }

    /// The greatest value that can be drawn.
    #[must_use]
    pub fn max(&self) -> f32 {
        match *self {
            Self::Constant(v) => v,
            Self::Uniform(_, b) => b,
            Self::Normal { max, .. } => max,
        }
    }

    /// A typical value: the middle of what is drawn.
    #[must_use]
    pub fn typical(&self) -> f32 {
        match *self {
            Self::Constant(v) => v,
            Self::Uniform(a, b) => 0.5 * (a + b),
            Self::Normal { mean, min, max, .. } => mean.clamp(min, max),
        }
    }

    /// The value of one agent.
    #[must_use]
    pub fn draw(&self, seed: u32, id: u32, purpose: Purpose) -> f32 {
        match *self {
            Self::Constant(v) => v,
            Self::Uniform(a, b) => a + (b - a) * random::unit(random::draw(seed, id, purpose, 0)[0]),
            Self::Normal { mean, deviation, min, max } => {
                for attempt in 0..64 {
                    let words = random::draw(seed, id, purpose, attempt);
                    let value = mean + deviation * random::normal(words[0], words[1]);
                    if (min..=max).contains(&value) {
                        return value;
                    }
                }
                // So far out in the tail that drawing again does not end: the nearest end is what is left.
                mean.clamp(min, max)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_stay_within_their_bounds_and_average_to_the_middle() {
        let cases = [
            Distribution::Constant(1.3),
            Distribution::Uniform(0.2, 0.4),
            Distribution::Normal { mean: 1.34, deviation: 0.26, min: 0.5, max: 2.18 },
            Distribution::Normal { mean: 9.0, deviation: 0.1, min: 0.0, max: 1.0 },
        ];
        for d in cases {
            let n = 20_000;
            let mut sum = 0.0;
            for id in 0..n {
                let v = d.draw(3, id, Purpose::Speed);
                assert!(v >= d.min() && v <= d.max(), "{d:?} gave {v}");
                sum += f64::from(v);
            }
            // Five standard errors of the widest case are 0.01.
            assert!((sum / f64::from(n) - f64::from(d.typical())).abs() < 0.01, "{d:?}");
        }
    }
}
