//! Axes: which values are at their ends, and where their marks are.

use crate::ticks::{self, Ticks};

/// How values are spread along an axis of a [`LineChart`](crate::LineChart).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Equal differences are equally far apart.
    #[default]
    Linear,
    /// Equal ratios are equally far apart: for values over several orders of
    /// magnitude, all above zero.
    Log,
}

impl Scale {
    /// Whether a value has a place. The bounds, far beyond what occurs, keep
    /// the differences between any two finite.
    pub(super) fn holds(self, value: f64) -> bool {
        value.is_finite() && value.abs() < 1e100 && (self == Self::Linear || value > 1e-100)
    }

    fn at(self, value: f64) -> f64 {
        match self {
            Self::Linear => value,
            Self::Log => value.log10(),
        }
    }

    /// A range that marks can be put on; without values any will do.
    pub(super) fn readable(self, range: Option<(f64, f64)>) -> (f64, f64) {
        match (self, range) {
            (Self::Linear, range) => range.map_or((0.0, 1.0), |(low, high)| ticks::readable(low, high)),
            (Self::Log, None) => (1.0, 10.0),
            (Self::Log, Some((low, high))) if high < low * 1.001 => (low / 2.0, high * 2.0),
            (Self::Log, Some(range)) => range,
        }
    }

    /// An axis from one value to another, without marks.
    pub(super) fn within(self, (low, high): (f64, f64)) -> Axis {
        Axis { scale: self, low, high, marks: Vec::new(), fine: Vec::new() }
    }

    /// An axis that begins and ends at round values around these.
    pub(super) fn around(self, (low, high): (f64, f64), most: i32) -> Axis {
        match self {
            Self::Linear => {
                let ticks = Ticks::around(low, high, most);
                let axis = self.within((ticks.low(), ticks.high()));
                axis.with_marks(ticks.values().zip(ticks.labels()))
            }
            Self::Log => {
                let mut axis = self.within(ticks::round_ratio(low, high)).with_round_marks(most);
                if axis.decades() < 9.0 {
                    axis.fine = ticks::ratios(axis.low, axis.high, &[2, 3, 4, 5, 6, 7, 8, 9]);
                }
                axis
            }
        }
    }
}

/// One axis of a chart.
#[derive(Clone, Debug)]
pub(super) struct Axis {
    scale: Scale,
    low: f64,
    high: f64,
    /// Values with their labels.
    pub(super) marks: Vec<(f64, String)>,
    /// Values between them, without.
    pub(super) fine: Vec<f64>,
}

impl Axis {
    /// How far along the axis a value is, 0 to 1.
    pub(super) fn share(&self, value: f64) -> f32 {
        let (low, high) = (self.scale.at(self.low), self.scale.at(self.high));
        ((self.scale.at(value) - low) / (high - low)) as f32
    }

    /// Orders of magnitude that a logarithmic axis spans.
    fn decades(&self) -> f64 {
        self.high.log10() - self.low.log10()
    }

    pub(super) fn with_marks(self, marks: impl Iterator<Item = (f64, String)>) -> Self {
        Self { marks: marks.collect(), ..self }
    }

    /// At round values within, at most so many and one more.
    pub(super) fn with_round_marks(self, most: i32) -> Self {
        let marks = match self.scale {
            Scale::Linear => {
                let ticks = Ticks::within(self.low, self.high, most);
                ticks.values().zip(ticks.labels()).collect()
            }
            Scale::Log => {
                let most = most.max(1) as usize;
                // Tens alone if there are enough of them, else halves and fifths as well.
                let fives = ticks::ratios(self.low, self.high, &[1, 2, 5]);
                let tens = ticks::ratios(self.low, self.high, &[1]);
                let values = if fives.len() <= most + 1 || tens.is_empty() { fives } else { tens };
                let step = values.len().div_ceil(most + 1).max(1);
                values.into_iter().step_by(step).map(|v| (v, ticks::plain(v))).collect()
            }
        };
        Self { marks, ..self }
    }
}
