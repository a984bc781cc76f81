//! Table 3 of the congestion paper beside ours, as a page, as CSV and as a plot; and its Figure 3.

use crate::congestion::{Entry, MODES, PAPER, PEOPLE};
use crate::settings::Settings;
use throng_io::{CrowdPanel, CrowdPanels, LineChart, Person2d, Points, RgbImage, Series};

/// Dark from this density on, persons/m² (the paper's Table 1: a loose crowd).
const DARK: f32 = 1.07;

/// Something of the runs of a mode and a number of people: least, mean and greatest over the seeds; `None` if there is no such run.
fn of(entries: &[Entry], mode: usize, people: u32, what: impl Fn(&Entry) -> f64) -> Option<[f64; 3]> {
    let those = entries.iter().filter(|e| e.mode == mode && e.people == people);
    let values: Vec<f64> = those.map(what).collect();
    let least = values.iter().copied().reduce(f64::min)?;
    let most = values.iter().copied().reduce(f64::max)?;
    Some([least, values.iter().sum::<f64>() / values.len() as f64, most])
}

/// The tables as a page.
#[must_use]
pub fn congestion_page(settings: &Settings, entries: &[Entry]) -> String {
    let several = settings.seeds > 1;
    let mut t = format!(
        "# Congestion: Table 3 again\n\nMade by `throng verify --congestion{} --out docs/congestion`: Throng {}, engine `{}`. Effective speed in km/h: straight \
         distance over time, over everybody, from 300 s to 600 s; of unfinished journeys what is behind counts{}. The model and its calibration: \
         [social-force](../models/social-force.md).\n\n| mode | | {} |\n|---|---|{}\n",
        if several { format!(" --seeds {}", settings.seeds) } else { String::new() },
        env!("CARGO_PKG_VERSION"),
        settings.engine(),
        if several { "; means over the seeds, and the least and greatest of them" } else { "" },
        PEOPLE.map(|n| n.to_string()).join(" | "),
        "---|".repeat(PEOPLE.len()),
    );
    let cell = |value: Option<[f64; 3]>| value.map_or_else(|| "-".into(), |[_, mean, _]| format!("{mean:.2}"));
    let spread = |value: Option<[f64; 3]>| value.map_or_else(|| "-".into(), |[a, _, b]| format!("{a:.2} to {b:.2}"));
    for (mode, (word, title)) in MODES.iter().enumerate() {
        let row = |what: &dyn Fn(&Entry) -> f64| PEOPLE.map(|n| cell(of(entries, mode, n, what))).join(" | ");
        t += &format!("| {title} | paper | {} |\n", PAPER[mode].map(|v| format!("{v:.2}")).join(" | "));
        t += &format!("| `{word}` | Throng | {} |\n", row(&|e| e.speed));
        if several {
            let spreads = PEOPLE.map(|n| spread(of(entries, mode, n, |e| e.speed)));
            t += &format!("| | least to greatest | {} |\n", spreads.join(" | "));
        }
        t += &format!("| | in the first minute | {} |\n", row(&|e| e.at_first));
        t += &format!("| | journeys a person | {} |\n", row(&|e| e.journeys));
        t += &format!("| | refusals a person and minute | {} |\n", row(&|e| e.refused));
    }
    t += "\n![effective speed](table-3.png)\n\nAfter 60 s, 3,000 people; dark from 1.07 persons/m² in a cell of 4 m:\n\n![the three modes](figure-3.png)\n";
    t
}

/// The numbers as CSV.
#[must_use]
pub fn congestion_csv(entries: &[Entry]) -> String {
    let mut t = String::from(
        "mode,people,seed,paper_km_h,km_h,first_minute_km_h,journeys_per_person,refusals_per_person_minute\n",
    );
    for e in entries {
        let paper = PEOPLE.iter().position(|&n| n == e.people).map_or(f64::NAN, |k| PAPER[e.mode][k]);
        t += &format!(
            "{},{},{},{paper:.2},{:.3},{:.3},{:.3},{:.3}\n",
            MODES[e.mode].0, e.people, e.seed, e.speed, e.at_first, e.journeys, e.refused
        );
    }
    t
}

/// The plot of the table.
#[must_use]
pub fn congestion_plot(entries: &[Entry]) -> RgbImage {
    let ours = |mode: usize| Series {
        name: MODES[mode].0.to_owned(),
        points: PEOPLE.iter().filter_map(|&n| Some((f64::from(n), of(entries, mode, n, |e| e.speed)?[1]))).collect(),
    };
    let paper = |mode: usize| Points {
        name: format!("{}, paper", MODES[mode].0),
        points: PEOPLE.iter().zip(PAPER[mode]).map(|(&n, v)| (f64::from(n), v, 0.0)).collect(),
    };
    LineChart {
        title: "Effective speed on 64 x 64 m".into(),
        x_label: "people".into(),
        y_label: "straight distance over time, km/h".into(),
        series: (0..MODES.len()).map(ours).collect(),
        points: (0..MODES.len()).map(paper).collect(),
        dots: true,
        ..LineChart::default()
    }
    .render(900, 560)
}

/// The crowd after a minute, the three modes side by side.
#[must_use]
pub fn congestion_figure(entries: &[Entry]) -> RgbImage {
    let panel = |e: &Entry| CrowdPanel {
        title: MODES[e.mode].0.to_owned(),
        people: e.picture.iter().map(|s| Person2d { at: s.at, facing: s.facing, dark: s.density >= DARK }).collect(),
    };
    CrowdPanels { size: [64.0, 64.0], panels: entries.iter().filter(|e| !e.picture.is_empty()).map(panel).collect() }
        .render(8)
}
