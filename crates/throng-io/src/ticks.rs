//! Round numbers for axes: steps of 1, 2 or 5 times a power of ten.

/// A round number, `mantissa * 10^exponent` with a mantissa of 1, 2 or 5.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Round {
    mantissa: i64,
    exponent: i32,
}

impl Round {
    fn value(self) -> f64 {
        self.times(1)
    }

    fn times(self, count: i64) -> f64 {
        let units = (self.mantissa * count) as f64;
        // Dividing by a whole power of ten is exact where multiplying by its
        // inverse is not: 3 * 0.1 is not 0.3.
        if self.exponent < 0 { units / 10_f64.powi(-self.exponent) } else { units * 10_f64.powi(self.exponent) }
    }

    /// The least round number that is not below `number` (positive).
    fn at_least(number: f64) -> Self {
        let exponent = number.log10().floor() as i32;
        for mantissa in [1, 2, 5] {
            let round = Self { mantissa, exponent };
            if round.value() >= number * (1.0 - 1e-9) {
                return round;
            }
        }
        Self { mantissa: 1, exponent: exponent + 1 }
    }

    /// The greatest round number that is not above `number` (positive).
    fn at_most(number: f64) -> Self {
        let exponent = number.log10().floor() as i32;
        for mantissa in [5, 2] {
            let round = Self { mantissa, exponent };
            if round.value() <= number * (1.0 + 1e-9) {
                return round;
            }
        }
        Self { mantissa: 1, exponent }
    }
}

/// The round length that is at most `length`, and how to write it.
pub(crate) fn round_length(length: f64) -> (f64, String) {
    let round = Round::at_most(length);
    (round.value(), written(round.value(), round.value(), round.exponent))
}

/// Round values along an axis.
#[derive(Clone, Debug)]
pub(crate) struct Ticks {
    step: Round,
    first: i64,
    last: i64,
}

impl Ticks {
    /// The ticks that lie within `low..=high`, which should be a
    /// [`readable`] range; at most `most` of them, and one more.
    pub(crate) fn within(low: f64, high: f64, most: i32) -> Self {
        Self::choose(low, high, most, f64::ceil, f64::floor, 1e-6)
    }

    /// The ticks around `low..=high`: the first is not above `low`, the last
    /// not below `high`.
    pub(crate) fn around(low: f64, high: f64, most: i32) -> Self {
        Self::choose(low, high, most, f64::floor, f64::ceil, -1e-6)
    }

    fn choose(low: f64, high: f64, most: i32, down: fn(f64) -> f64, up: fn(f64) -> f64, slack: f64) -> Self {
        let step = Round::at_least((high - low) / f64::from(most.max(1)));
        Self { first: down(low / step.value() - slack) as i64, last: up(high / step.value() + slack) as i64, step }
    }

    pub(crate) fn values(&self) -> impl Iterator<Item = f64> + '_ {
        (self.first..=self.last).map(|count| self.step.times(count))
    }

    pub(crate) fn low(&self) -> f64 {
        self.step.times(self.first)
    }

    pub(crate) fn high(&self) -> f64 {
        self.step.times(self.last)
    }

    /// The values as text, all with the same number of decimals.
    pub(crate) fn labels(&self) -> Vec<String> {
        let largest = self.low().abs().max(self.high().abs());
        self.values().map(|value| written(value, largest, self.step.exponent)).collect()
    }
}

/// Writes a value that is a multiple of `10^exponent` beside others of which
/// the largest is `largest`.
fn written(value: f64, largest: f64, exponent: i32) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    // Long rows of zeros are hard to count.
    if !(1e-3..1e6).contains(&largest) {
        let order = value.abs().log10().floor() as i32;
        let digits = (order - exponent).clamp(0, 8).unsigned_abs() as usize;
        format!("{value:.digits$e}")
    } else {
        let decimals = (-exponent).clamp(0, 8).unsigned_abs() as usize;
        format!("{value:.decimals$}")
    }
}

/// A number by itself, to three significant digits.
pub(crate) fn significant(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let order = value.abs().log10().floor() as i32;
    written(value, value.abs(), order - 2)
}

/// The round numbers around two that are above zero: the first is not above
/// `low`, the second not below `high`, and they differ.
pub(crate) fn round_ratio(low: f64, high: f64) -> (f64, f64) {
    let (first, last) = (Round::at_most(low), Round::at_least(high));
    if first == last { (first.value() / 10.0, last.value()) } else { (first.value(), last.value()) }
}

/// The numbers within two, both above zero, that are one of these digits
/// times a power of ten.
pub(crate) fn ratios(low: f64, high: f64, digits: &[i64]) -> Vec<f64> {
    let within = low * (1.0 - 1e-9)..=high * (1.0 + 1e-9);
    let orders = low.log10().floor() as i32..=high.log10().floor() as i32;
    let all = orders.flat_map(|exponent| digits.iter().map(move |&mantissa| Round { mantissa, exponent }.value()));
    all.filter(|value| within.contains(value)).collect()
}

/// A round number by itself.
pub(crate) fn plain(value: f64) -> String {
    written(value, value.abs(), value.abs().log10().floor() as i32)
}

/// Makes a range that ticks can be put on: not empty, and not so narrow for
/// its place that the labels would differ only beyond what `f32` resolves.
///
/// A single value ends up in the middle, nothing but zeros at the lower end
/// of 0 to 1. Both ends must be finite.
pub(crate) fn readable(low: f64, high: f64) -> (f64, f64) {
    let largest = low.abs().max(high.abs());
    if largest < 1e-100 {
        (0.0, 1.0)
    } else if high - low < largest * 1e-5 {
        let middle = low / 2.0 + high / 2.0;
        (middle - middle.abs() / 2.0, middle + middle.abs() / 2.0)
    } else {
        (low, high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(low: f64, high: f64, most: i32) -> Vec<String> {
        Ticks::within(low, high, most).labels()
    }

    #[test]
    fn chooses_steps_of_one_two_and_five() {
        assert_eq!(labels(0.0, 10.0, 5), ["0", "2", "4", "6", "8", "10"]);
        assert_eq!(labels(0.0, 1.0, 4), ["0", "0.5", "1.0"]);
        assert_eq!(labels(0.3, 3.4, 4), ["1", "2", "3"]);
        assert_eq!(labels(-0.2, 0.1, 3), ["-0.2", "-0.1", "0", "0.1"]);
        assert_eq!(labels(0.0, 0.3, 3)[3], "0.3");
        assert_eq!(labels(0.0, 2500.0, 5).last().unwrap(), "2500");
        assert_eq!(labels(0.0, 2e7, 4), ["0", "5e6", "1.0e7", "1.5e7", "2.0e7"]);
        assert_eq!(labels(0.0, 4e-6, 4), ["0", "1e-6", "2e-6", "3e-6", "4e-6"]);
    }

    #[test]
    fn ticks_around_cover_the_range() {
        let ticks = Ticks::around(0.3, 9.1, 5);
        assert!((ticks.low() - 0.0).abs() < 1e-12);
        assert!((ticks.high() - 10.0).abs() < 1e-12);
        // Ends that are round already stay.
        let ticks = Ticks::around(0.0, 0.3, 3);
        assert!((ticks.high() - 0.3).abs() < 1e-12);
    }

    #[test]
    fn never_many_and_never_none() {
        let ends = [-3.4e38, -1e9, -1.0, -1e-44, 0.0, 1e-44, 1e-7, 0.999, 1.0, 1.000_01, 1.000_1, 1e9, 3.4e38];
        for low in ends {
            for high in ends.into_iter().filter(|&high| high >= low) {
                let (low, high) = readable(low, high);
                assert!(high > low);
                for most in 2..12 {
                    let ticks = Ticks::within(low, high, most);
                    let count = ticks.values().count();
                    assert!(count >= 1 && count <= most as usize + 1, "{low} {high} {count}");
                    for label in ticks.labels() {
                        assert!(label.len() <= 12, "{label} in {low}..{high}");
                    }
                    let labels = ticks.labels();
                    assert!(labels.windows(2).all(|pair| pair[0] != pair[1]), "{labels:?}");
                }
            }
        }
    }

    #[test]
    fn a_single_value_gets_a_range_around_it() {
        assert_eq!(readable(4.0, 4.0), (2.0, 6.0));
        assert_eq!(readable(-4.0, -4.0), (-6.0, -2.0));
        assert_eq!(readable(0.0, 0.0), (0.0, 1.0));
        assert_eq!(readable(0.0, 3.0), (0.0, 3.0));
    }

    #[test]
    fn numbers_by_themselves_have_three_digits() {
        let cases = [
            (0.0, "0"),
            (5.7808, "5.78"),
            (-0.012_345, "-0.0123"),
            (1234.6, "1235"),
            (2.5e7, "2.50e7"),
            (1e-45, "1.00e-45"),
        ];
        for (value, text) in cases {
            assert_eq!(significant(value), text);
        }
    }

    #[test]
    fn ratios_are_digits_times_powers_of_ten() {
        assert_eq!(ratios(0.02, 30.0, &[1]), [0.1, 1.0, 10.0]);
        assert_eq!(ratios(2.0, 50.0, &[1, 2, 5]), [2.0, 5.0, 10.0, 20.0, 50.0]);
        assert!(ratios(3.1, 3.2, &[1, 2, 5]).is_empty());
        assert_eq!(round_ratio(0.03, 30.0), (0.02, 50.0));
        assert_eq!(round_ratio(20.0, 20.0), (2.0, 20.0));
        assert_eq!(["0.002", "0.5", "1", "1000", "1e6"].map(str::to_owned), [0.002, 0.5, 1.0, 1e3, 1e6].map(plain));
    }

    #[test]
    fn round_lengths() {
        assert_eq!(round_length(13.0), (10.0, "10".to_owned()));
        assert_eq!(round_length(5.0), (5.0, "5".to_owned()));
        assert_eq!(round_length(0.27), (0.2, "0.2".to_owned()));
        assert_eq!(round_length(999.0).1, "500");
    }
}
