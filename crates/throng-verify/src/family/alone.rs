//! One person, or people who hardly meet: speeds, times and ways.

use crate::catalogue::{Family, Test};
use crate::draft::{Draft, Form, People};
use crate::observe::{Fastest, Path, Starts};
use crate::run::{Outcome, Outcomes, Run, least, most};
use crate::settings::Settings;
use crate::verdict::{Verdict, mean_and_spread};

pub(crate) const TESTS: [Test; 9] = [
    Test {
        id: "rimea-1",
        family: Family::Standard,
        title: "one person keeps its speed along a corridor of 40 × 2 m",
        source: "RiMEA 1 (JuPedSim, Vadere, web)",
        criterion: "40 m at 1.33 m/s take 26 to 34 s",
        runs: |s| Run::each(s, &walk("rimea-1", 40.0, 1.33, 1.0), 120.0),
        judge: |_, o| crossing("rimea-1", o, [26.0, 34.0]),
    },
    Test {
        id: "rimea-2",
        family: Family::Standard,
        title: "one person up a stair of 8 m, as a zone of half the speed",
        source: "RiMEA 2 (JuPedSim)",
        criterion: "8 m at 0.5 m/s take 16 s ± 5 %",
        runs: |s| Run::each(s, &walk("rimea-2", 8.0, 1.0, 0.5), 120.0),
        judge: |_, o| crossing("rimea-2", o, [15.2, 16.8]),
    },
    Test {
        id: "rimea-3",
        family: Family::Standard,
        title: "one person down a stair of 8 m, as a zone of 0.65 of the speed",
        source: "RiMEA 3 (JuPedSim)",
        criterion: "8 m at 0.65 m/s take 12.31 s ± 5 %",
        runs: |s| Run::each(s, &walk("rimea-3", 8.0, 1.0, 0.65), 120.0),
        judge: |_, o| crossing("rimea-3", o, [0.95 * 8.0 / 0.65, 1.05 * 8.0 / 0.65]),
    },
    Test {
        id: "rimea-5",
        family: Family::Standard,
        title: "ten people set out 10, 20, … 100 s after the beginning",
        source: "RiMEA 5 (JuPedSim, web)",
        criterion: "each sets out within 0.5 s of its time",
        runs: |s| Run::seen_by(Run::each(s, &delays(), 150.0), Starts::default),
        judge: judge_delays,
    },
    Test {
        id: "rimea-7",
        family: Family::Standard,
        title: "speeds of four groups of 50 in a hall of 40 × 50 m",
        source: "RiMEA 7 (JuPedSim)",
        criterion: "everybody's fastest second is within the group's range, to 0.02 m/s: under 30 years 0.58 to 1.61 m/s, 30 to 50 \
                    1.41 to 1.54, over 50 0.68 to 1.41, disabled 0.46 to 0.76",
        runs: |s| Run::seen_by(Run::each(s, &ages(), 20.0), Fastest::default),
        judge: judge_ages,
    },
    Test {
        id: "nist-2.1",
        family: Family::Standard,
        title: "one person at 1.0 m/s along 40 m of a corridor of 60 m",
        source: "NIST 2.1 / ISO 2 (JuPedSim's port)",
        criterion: "1.0 ± 0.05 m/s",
        runs: |s| Run::each(s, &walk("nist-2.1", 40.0, 1.0, 1.0), 120.0),
        judge: |_, o| {
            let mut verdict = Verdict::default();
            let speeds = o.each("nist-2.1", |o| 40.0 / time_between(o));
            verdict.between("least speed", least(&speeds), "m/s", 0.95, 1.05);
            verdict.between("greatest speed", most(&speeds), "m/s", 0.95, 1.05);
            verdict
        },
    },
    Test {
        id: "nist-2.4",
        family: Family::Standard,
        title: "speeds of 100 people in a hall of 100 × 100 m",
        source: "NIST 2.4 / ISO 5 (JuPedSim's port)",
        criterion: "fastest seconds have a mean of 1.2 and a deviation of 0.2 m/s, both to 0.05, and are normal (Kolmogorov-Smirnov, \
                    p > 0.05)",
        runs: |s| Run::seen_by(Run::each(s, &hall(), 10.0), Fastest::default),
        judge: judge_hall,
    },
    Test {
        id: "juelich-1",
        family: Family::Standard,
        title: "one person 10 m along a corridor, straight and turned by 30°",
        source: "Jülich 1, 2, 6 (JuPedSim)",
        criterion: "10 m at 1.0 m/s take 10 ± 0.5 s",
        runs: |s| {
            let mut runs = Run::each(s, &walk("juelich-1", 10.0, 1.0, 1.0), 60.0);
            runs.extend(Run::each(s, &turned(), 60.0));
            runs
        },
        judge: |_, o| {
            let mut verdict = crossing("juelich-1", o, [9.5, 10.5]);
            verdict.figures.extend(crossing("juelich-1-turned", o, [9.5, 10.5]).figures);
            verdict.figures[2].name = "least time, turned".into();
            verdict.figures[3].name = "greatest time, turned".into();
            verdict
        },
    },
    Test {
        id: "juelich-12",
        family: Family::Standard,
        title: "walls hide: somebody who comes the other way behind a wall changes nothing",
        source: "Jülich 12 (JuPedSim)",
        criterion: "the way differs from the way without anybody there by at most 0.005 m",
        runs: |s| {
            let mut runs = Run::seen_by(Run::each(s, &behind_a_wall(false), 60.0), Path::default);
            runs.extend(Run::seen_by(Run::each(s, &behind_a_wall(true), 60.0), Path::default));
            runs
        },
        judge: judge_walls,
    },
];

/// A corridor 2 m wide with a measured part `length` long, in which everybody has `factor` of its speed.
fn walk(name: &str, length: f32, speed: f32, factor: f32) -> Draft {
    let draft = Draft::new(name, [length + 4.0, 2.0])
        .goal("end", [length + 3.0, 0.0, length + 4.0, 2.0])
        .people(People::new(1, [0.5, 0.3, 1.0, 1.7]).speed(speed))
        .gate("from", 2.0, 0.0, 2.0)
        .gate("to", length + 2.0, 0.0, 2.0);
    if factor < 1.0 { draft.zone([2.0, 0.0, length + 2.0, 2.0], factor) } else { draft }
}

/// A corridor 2 m wide at 30° to the raster, with 10 m of it measured.
fn turned() -> Draft {
    let (sin, cos) = std::f32::consts::FRAC_PI_6.sin_cos();
    // Along the corridor and across it, from its beginning.
    let at = |along: f32, across: f32| [2.0 + along * cos - across * sin, 2.0 + along * sin + across * cos];
    let outline = vec![at(0.0, -1.0), at(14.0, -1.0), at(14.0, 1.0), at(0.0, 1.0), at(0.0, -1.0)];
    Draft::new("juelich-1-turned", [16.0, 12.0])
        .wall(Form::Line(outline))
        .goal("end", Form::Polygon(vec![at(12.8, -0.9), at(13.9, -0.9), at(13.9, 0.9), at(12.8, 0.9)]))
        .people(
            People::new(1, Form::Polygon(vec![at(0.4, -0.5), at(1.0, -0.5), at(1.0, 0.5), at(0.4, 0.5)])).speed(1.0),
        )
        .measure("from", Form::Line(vec![at(2.0, -1.0), at(2.0, 1.0)]))
        .measure("to", Form::Line(vec![at(12.0, -1.0), at(12.0, 1.0)]))
}

/// From one line to the other, s.
fn time_between(outcome: &Outcome) -> f64 {
    match (outcome.crossings("from").first(), outcome.crossings("to").first()) {
        (Some(from), Some(to)) => to - from,
        _ => f64::NAN,
    }
}

fn crossing(name: &str, outcomes: Outcomes<'_>, [low, high]: [f64; 2]) -> Verdict {
    let mut verdict = Verdict::default();
    let times = outcomes.each(name, time_between);
    verdict.between("least time", least(&times), "s", low, high);
    verdict.between("greatest time", most(&times), "s", low, high);
    verdict
}

/// A room of 8 × 5 m with a door of 1 m, and ten people in it.
fn delays() -> Draft {
    let mut draft = Draft::new("rimea-5", [10.0, 5.0])
        .walls([[8.0, 0.0, 8.2, 2.0], [8.0, 3.0, 8.2, 5.0]])
        .goal("out", [9.0, 0.0, 10.0, 5.0]);
    for k in 0..10u8 {
        let (x, y) = (1.0 + 1.5 * f32::from(k % 5), 1.0 + 2.5 * f32::from(k / 5));
        let mut person = People::new(1, [x - 0.25, y - 0.25, x + 0.25, y + 0.25]);
        person.delay = 10.0 * f32::from(k + 1);
        draft = draft.people(person);
    }
    draft
}

fn judge_delays(_: &Settings, outcomes: Outcomes<'_>) -> Verdict {
    let mut verdict = Verdict::default();
    let late = |o: &Outcome| {
        let starts = o.seen("start").iter().enumerate();
        most(&starts.map(|(k, t)| (t - 10.0 * (k + 1) as f64).abs()).collect::<Vec<_>>())
    };
    verdict.at_most("greatest difference", most(&outcomes.each("rimea-5", late)), "s", 0.5);
    verdict
}

/// The groups of RiMEA 7: what they are called, and their least and greatest speeds, m/s.
const AGES: [(&str, f32, f32); 4] =
    [("under 30", 0.58, 1.61), ("30 to 50", 1.41, 1.54), ("over 50", 0.68, 1.41), ("disabled", 0.46, 0.76)];

fn ages() -> Draft {
    let mut draft = Draft::new("rimea-7", [40.0, 50.0]).goal("end", [39.0, 0.0, 40.0, 50.0]);
    for (k, (_, low, high)) in AGES.iter().enumerate() {
        let south = 1.0 + 12.0 * k as f32;
        let start = [1.0, south, 11.0, south + 11.0];
        draft = draft.people(People::new(50, start).speed(format!("{{ uniform = [{low}, {high}] }}")));
    }
    draft
}

fn judge_ages(_: &Settings, outcomes: Outcomes<'_>) -> Verdict {
    let mut verdict = Verdict::default();
    for (k, (name, low, high)) in AGES.iter().enumerate() {
        let speeds: Vec<f64> = outcomes
            .all()
            .flat_map(|o| o.seen("speed").iter().zip(o.seen("group")).filter(|(_, g)| **g as usize == k))
            .map(|(speed, _)| *speed)
            .collect();
        let (low, high) = (f64::from(*low) - 0.02, f64::from(*high) + 0.02);
        verdict.between(format!("{name}, slowest"), least(&speeds), "m/s", low, high);
        verdict.between(format!("{name}, fastest"), most(&speeds), "m/s", low, high);
    }
    verdict
}

fn hall() -> Draft {
    Draft::new("nist-2.4", [100.0, 100.0])
        .goal("end", [99.0, 0.0, 100.0, 100.0])
        .people(People::new(100, [1.0, 1.0, 40.0, 99.0]).speed("{ normal = [1.2, 0.2], min = 0.3, max = 2.1 }"))
}

fn judge_hall(_: &Settings, outcomes: Outcomes<'_>) -> Verdict {
    let mut verdict = Verdict::default();
    let speeds: Vec<f64> = outcomes.all().flat_map(|o| o.seen("speed").to_vec()).collect();
    let (mean, deviation) = mean_and_spread(&speeds);
    verdict.between("mean", mean, "m/s", 1.15, 1.25);
    verdict.between("standard deviation", deviation, "m/s", 0.15, 0.25);
    verdict.at_least("p of Kolmogorov-Smirnov", normal_p(&speeds, 1.2, 0.2), "", 0.05);
    verdict
}

/// How likely a sample of a normal distribution is at least as far from it as these values are (Kolmogorov-Smirnov).
fn normal_p(values: &[f64], mean: f64, deviation: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let n = sorted.len() as f64;
    let distance = sorted.iter().enumerate().fold(0.0f64, |d, (i, v)| {
        let share = normal_share((v - mean) / deviation);
        d.max((share - i as f64 / n).abs()).max(((i + 1) as f64 / n - share).abs())
    });
    let z = (n.sqrt() + 0.12 + 0.11 / n.sqrt()) * distance;
    let tail = (1..=100).map(f64::from).map(|k| (-1.0f64).powf(k - 1.0) * (-2.0 * k * k * z * z).exp());
    (2.0 * tail.sum::<f64>()).clamp(0.0, 1.0)
}

/// The share of a normal distribution below so many deviations; to 1e-7 (Abramowitz and Stegun 7.1.26).
fn normal_share(z: f64) -> f64 {
    let x = z.abs() / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * x);
    let series = [1.061_405_429, -1.453_152_027, 1.421_413_741, -0.284_496_736, 0.254_829_592];
    let tail = series.iter().fold(0.0, |sum, a| (sum + a) * t) * (-x * x).exp();
    if z < 0.0 { 0.5 * tail } else { 1.0 - 0.5 * tail }
}

/// Two corridors side by side, 2 m wide each, with a thin wall between them.
fn behind_a_wall(somebody: bool) -> Draft {
    let name = if somebody { "juelich-12" } else { "juelich-12-alone" };
    let draft = Draft::new(name, [16.0, 4.0])
        .wall([0.0, 1.95, 16.0, 2.05])
        .goal("east", [15.0, 0.0, 16.0, 2.0])
        .goal("west", [0.0, 2.0, 1.0, 4.0])
        .people(People::new(1, [1.2, 1.4, 1.7, 1.7]).speed(1.2).to(&["east"]));
    if somebody { draft.people(People::new(1, [14.0, 2.3, 14.5, 2.6]).speed(1.2).to(&["west"])) } else { draft }
}

fn judge_walls(_: &Settings, outcomes: Outcomes<'_>) -> Verdict {
    let mut verdict = Verdict::default();
    let pairs = outcomes.of("juelich-12").into_iter().zip(outcomes.of("juelich-12-alone"));
    let differences: Vec<f64> = pairs
        .map(|(with, alone)| {
            if with.seen("x").len() != alone.seen("x").len() || with.seen("x").is_empty() {
                return f64::NAN;
            }
            let axis =
                |name: &str| -> Vec<f64> { with.seen(name).iter().zip(alone.seen(name)).map(|(a, b)| a - b).collect() };
            let (x, y) = (axis("x"), axis("y"));
            most(&x.iter().zip(&y).map(|(dx, dy)| dx.hypot(*dy)).collect::<Vec<_>>())
        })
        .collect();
    verdict.at_most("greatest difference", most(&differences), "m", 0.005);
    verdict
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_the_normal_distribution_are_those_of_tables() {
        for (z, share) in [(0.0, 0.5), (1.0, 0.841_344_7), (-1.959_964, 0.025), (3.0, 0.998_650_1)] {
            assert!((normal_share(z) - share).abs() < 1e-6, "{z}");
        }
    }

    #[test]
    fn a_normal_sample_is_likely_and_another_is_not() {
        // Quantiles of the uniform distribution, turned into those of the normal one by bisection.
        let quantile = |share: f64| {
            let (mut low, mut high) = (-6.0, 6.0);
            for _ in 0..60 {
                let z = 0.5 * (low + high);
                if normal_share(z) < share { low = z } else { high = z }
            }
            low
        };
        let normal: Vec<f64> = (0..100).map(|k| 1.2 + 0.2 * quantile((f64::from(k) + 0.5) / 100.0)).collect();
        assert!(normal_p(&normal, 1.2, 0.2) > 0.99);
        assert!(normal_p(&normal, 1.3, 0.2) < 0.01);
        let uniform: Vec<f64> = (0..100).map(|k| 0.7 + 0.01 * f64::from(k)).collect();
        assert!(normal_p(&uniform, 1.2, 0.2) < 0.05);
    }
}
