//! What a test finds: figures with their bounds, and what follows from them.

/// How a test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Every figure is within its bounds.
    Pass,
    /// One is not, or a run could not be made.
    Fail,
    /// There is nothing to hold the figures against: they are for the reader.
    Documented,
    /// One is not within its bounds, as is known; the note says why.
    ExpectedFail,
}

impl Status {
    /// As JSON and tables have it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Documented => "documented",
            Self::ExpectedFail => "expected-fail",
        }
    }
}

/// A number that a test measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// What it is.
    pub name: String,
    /// How much. Not finite: it could not be measured, which is within no bounds.
    pub value: f64,
    /// In which unit; nothing for a ratio.
    pub unit: &'static str,
    /// No less than this.
    pub least: Option<f64>,
    /// No more than this.
    pub most: Option<f64>,
}

impl Figure {
    /// Whether it is within its bounds; none without bounds.
    #[must_use]
    pub fn holds(&self) -> Option<bool> {
        let bounded = self.least.is_some() || self.most.is_some();
        let above = self.least.is_none_or(|least| self.value >= least);
        let below = self.most.is_none_or(|most| self.value <= most);
        bounded.then_some(above && below)
    }

    /// The bounds in words; nothing without.
    #[must_use]
    pub fn bound(&self) -> String {
        let number = |n: f64| significant(n);
        match (self.least, self.most) {
            (Some(least), Some(most)) => format!("{} to {}", number(least), number(most)),
            (Some(least), None) => format!("at least {}", number(least)),
            (None, Some(most)) => format!("at most {}", number(most)),
            (None, None) => String::new(),
        }
    }
}

/// A number with as many digits as say something.
#[must_use]
pub fn significant(n: f64) -> String {
    if !n.is_finite() {
        return "—".into();
    }
    let digits = match n.abs() {
        100.0.. => 0,
        10.0.. => 1,
        1.0.. => 2,
        0.1.. => 3,
        _ => 4,
    };
    let text = format!("{n:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// A point of a plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// Which curve it belongs to.
    pub series: String,
    /// Where.
    pub x: f64,
    /// How much, on average.
    pub y: f64,
    /// Standard deviation; 0 of a single value.
    pub spread: f64,
    /// Of how many values.
    pub count: usize,
}

/// What a test found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Verdict {
    /// In order.
    pub figures: Vec<Figure>,
    /// For plots and tables.
    pub points: Vec<Point>,
    /// What a reader has to know besides.
    pub note: String,
    /// Why a run could not be made.
    pub broken: bool,
}

impl Verdict {
    /// A run could not be made.
    pub(crate) fn broken(why: String) -> Self {
        Self { note: why, broken: true, ..Self::default() }
    }

    fn push(&mut self, name: impl Into<String>, value: f64, unit: &'static str, least: Option<f64>, most: Option<f64>) {
        self.figures.push(Figure { name: name.into(), value, unit, least, most });
    }

    /// A figure without bounds.
    pub(crate) fn value(&mut self, name: impl Into<String>, value: f64, unit: &'static str) {
        self.push(name, value, unit, None, None);
    }

    /// A figure between two bounds.
    pub(crate) fn between(&mut self, name: impl Into<String>, value: f64, unit: &'static str, least: f64, most: f64) {
        self.push(name, value, unit, Some(least), Some(most));
    }

    /// A figure with a lower bound.
    pub(crate) fn at_least(&mut self, name: impl Into<String>, value: f64, unit: &'static str, least: f64) {
        self.push(name, value, unit, Some(least), None);
    }

    /// A figure that has to be greater than another.
    pub(crate) fn above(&mut self, name: impl Into<String>, value: f64, unit: &'static str, other: f64) {
        self.push(name, value, unit, Some(other.next_up()), None);
    }

    /// A figure with an upper bound.
    pub(crate) fn at_most(&mut self, name: impl Into<String>, value: f64, unit: &'static str, most: f64) {
        self.push(name, value, unit, None, Some(most));
    }

    /// A point of a curve: the mean of these values at a place.
    pub(crate) fn point(&mut self, series: &str, x: f64, values: &[f64]) {
        let (y, spread) = mean_and_spread(values);
        self.points.push(Point { series: series.to_owned(), x, y, spread, count: values.len() });
    }

    /// How the test ended. `shortfall` says why it is known to fail, if it is.
    #[must_use]
    pub fn status(&self, shortfall: Option<&str>) -> Status {
        let bounded: Vec<bool> = self.figures.iter().filter_map(Figure::holds).collect();
        if self.broken || bounded.contains(&false) {
            if shortfall.is_some() && !self.broken { Status::ExpectedFail } else { Status::Fail }
        } else if bounded.is_empty() {
            Status::Documented
        } else {
            Status::Pass
        }
    }
}

/// Mean and standard deviation of some values; not a number without any.
pub(crate) fn mean_and_spread(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    (mean, variance.sqrt())
}

/// The mean of some values; not a number without any.
pub(crate) fn mean(values: impl IntoIterator<Item = f64>) -> f64 {
    mean_and_spread(&values.into_iter().collect::<Vec<_>>()).0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_follows_from_the_figures() {
        let mut verdict = Verdict::default();
        verdict.value("time", 3.0, "s");
        assert_eq!(verdict.status(None), Status::Documented);
        verdict.between("speed", 1.0, "m/s", 0.5, 1.5);
        assert_eq!(verdict.status(None), Status::Pass);
        assert_eq!(verdict.status(Some("known")), Status::Pass, "what passes is no shortfall");
        verdict.at_most("overlap", f64::NAN, "%", 1.0);
        assert_eq!(verdict.status(None), Status::Fail, "what could not be measured is within no bounds");
        assert_eq!(verdict.status(Some("known")), Status::ExpectedFail);
        assert_eq!(Verdict::broken("no room".into()).status(Some("known")), Status::Fail);
    }

    #[test]
    fn what_has_to_be_greater_may_not_be_equal() {
        for (value, status) in [(2.0, Status::Fail), (2.0f64.next_up(), Status::Pass), (f64::NAN, Status::Fail)] {
            let mut verdict = Verdict::default();
            verdict.above("queue", value, "persons", 2.0);
            assert_eq!(verdict.status(None), status, "{value}");
        }
        let mut verdict = Verdict::default();
        verdict.above("queue", 3.0, "persons", f64::NAN);
        assert_eq!(verdict.status(None), Status::Fail, "nothing is greater than what could not be measured");
    }

    #[test]
    fn numbers_have_the_digits_that_say_something() {
        let shown =
            [(30.0834, "30.1"), (145.9, "146"), (1.0, "1"), (0.25, "0.25"), (0.0051, "0.0051"), (f64::NAN, "—")];
        for (number, text) in shown {
            assert_eq!(significant(number), text);
        }
    }
}
