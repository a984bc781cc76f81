//! Plots of what was measured here and in crowds.

use crate::data;
use crate::schedule::{Finding, Findings};
use throng_io::{Band, LineChart, Points, Series};

/// A plot: its file, and what it shows.
#[derive(Clone, Debug)]
pub struct Plot {
    /// Its file's name.
    pub file: &'static str,
    /// What a reader has to know.
    pub caption: &'static str,
    /// What is drawn.
    pub chart: LineChart,
}

impl Plot {
    /// The picture.
    #[must_use]
    pub fn render(&self) -> throng_io::RgbImage {
        self.chart.render(960, 600)
    }
}

/// The files of all plots that there can be.
pub const PLOT_FILES: [&str; 5] = ["density.png", "openings.png", "counterflow.png", "lanes.png", "lanes-speed.png"];

/// The plots of the tests that were done.
#[must_use]
pub fn plots(findings: &Findings) -> Vec<Plot> {
    let of = |id: &str| findings.tests.iter().find(|f| f.test.id == id && !f.verdict.points.is_empty());
    [
        of("density").map(|f| fundamental(f, of("rimea-4"))),
        of("openings").map(openings),
        of("nist-2.8").map(counterflow),
        of("lanes").map(lanes),
        of("lanes").map(lane_speeds),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The points of a curve of a test, as means with deviations.
fn simulated(finding: &Finding, series: &str, name: &str) -> Points {
    let mine = finding.verdict.points.iter().filter(|p| p.series == series && p.y.is_finite());
    Points { name: name.to_owned(), points: mine.map(|p| (p.x, p.y, p.spread)).collect() }
}

/// A measured row as points.
fn row(quantity: &str, row: &str, name: &str) -> Points {
    let points = data::row(quantity, row).iter().map(|m| (m.x, m.y, m.deviation.unwrap_or(0.0))).collect();
    Points { name: name.to_owned(), points }
}

/// A curve of a formula.
fn curve(name: &str, from: f64, to: f64, formula: impl Fn(f64) -> f64) -> Series {
    let at = |k: i32| from + (to - from) * f64::from(k) / 60.0;
    Series { name: name.to_owned(), points: (0..=60).map(|k| (at(k), formula(at(k)))).collect() }
}

fn fundamental(finding: &Finding, ring: Option<&Finding>) -> Plot {
    let band = |m: &&data::Measured| {
        let share = if m.x > 2.2 { 0.3 } else { 0.15 };
        (m.x, m.y * (1.0 - share), m.y * (1.0 + share))
    };
    let mut points = vec![
        simulated(finding, "voronoi", "Throng, corridor 1.8 m"),
        row("speed", "one-way 1.8 m voronoi", "measured, corridor 1.8 m"),
        row("speed", "one-way 3.0 m", "measured, 3.0 m open"),
        row("speed", "closed loop 1.8 m", "measured, closed loop"),
    ];
    points.extend(ring.map(|f| simulated(f, "ring", "Throng, ring 2 m")));
    // Beside what was measured, not over it.
    for (set, aside) in [(0, -0.03), (4, 0.03)] {
        points.get_mut(set).into_iter().flat_map(|p| &mut p.points).for_each(|p| p.0 += aside);
    }
    Plot {
        file: PLOT_FILES[0],
        caption: "Speed against density, one way: means and standard deviations, by Voronoi cells in the corridor; Throng's points are drawn a little \
                  beside their density. The band is what the test `density` allows.",
        chart: LineChart {
            title: "Speed against density, one way".into(),
            x_label: "density, persons/m²".into(),
            y_label: "mean speed, m/s".into(),
            series: vec![curve("Weidmann", 0.3, 4.0, data::weidmann)],
            points,
            bands: vec![Band {
                name: "bound".into(),
                edges: data::row("speed", "one-way 1.8 m voronoi").iter().map(band).collect(),
            }],
            ..LineChart::default()
        },
    }
}

fn openings(finding: &Finding) -> Plot {
    let edge = |k: u32| 0.6 + 2.4 * f64::from(k) / 40.0;
    let bound = |w: f64| (w, 0.8 * data::line_of_openings(w), 1.2 * data::line_of_openings(w));
    Plot {
        file: PLOT_FILES[1],
        caption: "Flow through an opening, over the middle 60 % of the crossings. The band is 20 % about the line through 79 published \
                  points.",
        chart: LineChart {
            title: "Flow through an opening".into(),
            x_label: "width, m".into(),
            y_label: "flow, persons/s".into(),
            series: vec![curve("2.26·w − 0.17", 0.4, 3.1, data::line_of_openings)],
            points: vec![simulated(finding, "openings", "Throng"), row("flow", "openings", "measured")],
            bands: vec![Band { name: "bound".into(), edges: (0..=40).map(edge).map(bound).collect() }],
            ..LineChart::default()
        },
    }
}

fn counterflow(finding: &Finding) -> Plot {
    Plot {
        file: PLOT_FILES[2],
        caption: "When the last of 100 people is through a corridor of 10 × 2 m, by how many come the other way (NIST 2.8). There is no \
                  measured crowd to compare with.",
        chart: LineChart {
            title: "Against the stream".into(),
            x_label: "people who come the other way".into(),
            y_label: "last arrival, s".into(),
            points: vec![simulated(finding, "counterflow", "Throng")],
            ..LineChart::default()
        },
    }
}

fn lanes(finding: &Finding) -> Plot {
    Plot {
        file: PLOT_FILES[3],
        caption: "Band index of two streams in a corridor: 1 is perfect lanes. Measured in corridors of 3.6 and 4.0 m, and the same with \
                  directions shuffled.",
        chart: LineChart {
            title: "Lanes".into(),
            x_label: "density, persons/m²".into(),
            y_label: "band index".into(),
            series: vec![curve("bound", 0.4, 2.6, |_| 0.75)],
            points: vec![
                simulated(finding, "band index", "Throng"),
                row("bands", "two-way", "measured"),
                row("shuffled", "two-way", "measured, shuffled"),
            ],
            ..LineChart::default()
        },
    }
}

fn lane_speeds(finding: &Finding) -> Plot {
    Plot {
        file: PLOT_FILES[4],
        caption: "Speed of two streams in a corridor, by the density in squares of 4 × 4 m.",
        chart: LineChart {
            title: "Speed in two streams".into(),
            x_label: "density, persons/m²".into(),
            y_label: "mean speed, m/s".into(),
            points: vec![
                simulated(finding, "speed", "Throng"),
                row("speed", "two-way 3.6 m", "measured, 3.6 m, published"),
                row("lane-speed", "two-way", "measured, 3.6 and 4.0 m"),
            ],
            ..LineChart::default()
        },
    }
}
