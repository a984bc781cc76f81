//! Flow through an opening.

use crate::catalogue::{Family, Test};
use crate::data::line_of_openings;
use crate::draft::{Draft, People};
use crate::run::{Outcomes, Run};
use crate::settings::{Settings, Variant};
use crate::verdict::{Verdict, mean};

pub(crate) const TESTS: [Test; 1] = [Test {
    id: "openings",
    family: Family::Measured,
    title: "150 people through an opening",
    source: "79 published points: J = 2.26·w − 0.17 (rms 0.34); 0.5 m: Jülich archive",
    criterion: "flow over 2.26·w − 0.17 is 0.8 to 1.2 for 0.7 to 3.0 m; 1.0 to 1.4 persons/s through 0.5 m",
    runs: |s| widths(s).flat_map(|w| opening(s, &s.variant(), w)).collect(),
    judge,
}];

/// Widths of the openings, m.
const WIDTHS: [f32; 8] = [0.5, 0.7, 0.8, 1.0, 1.2, 1.6, 2.0, 3.0];

/// Those that the planner sees: an opening no wider than a cell is none for it.
fn widths(settings: &Settings) -> impl Iterator<Item = f32> {
    let cell = settings.cell;
    WIDTHS.into_iter().filter(move |w| *w > cell)
}

/// What an opening's scene is called.
pub(crate) fn name(width: f32) -> String {
    format!("opening-{width:.1}")
}

/// A room of 10 × 8 m with 150 people and an opening.
pub(crate) fn draft(width: f32) -> Draft {
    let (low, high) = (4.0 - width / 2.0, 4.0 + width / 2.0);
    Draft::new(name(width), [15.0, 8.0])
        .walls([[10.0, 0.0, 10.2, low], [10.0, high, 10.2, 8.0]])
        .goal("out", [14.0, 0.0, 15.0, 8.0])
        .people(People::new(150, [0.5, 0.5, 9.0, 7.5]))
        .gate("opening", 10.1, 0.0, 8.0)
}

/// Runs of an opening with each seed.
pub(crate) fn opening(settings: &Settings, variant: &Variant, width: f32) -> Vec<Run> {
    Run::each_as(settings, &draft(width), variant, 400.0)
}

fn judge(settings: &Settings, outcomes: Outcomes<'_>) -> Verdict {
    let mut verdict = Verdict::default();
    for width in widths(settings) {
        let flows = outcomes.each(&name(width), |o| o.flow("opening"));
        let wide = f64::from((width * 100.0).round()) / 100.0;
        verdict.point("openings", wide, &flows);
        let flow = mean(flows);
        if width < 0.6 {
            verdict.between(format!("flow through {width:.1} m"), flow, "persons/s", 1.0, 1.4);
        } else {
            let ratio = flow / line_of_openings(wide);
            verdict.between(format!("flow over the line at {width:.1} m"), ratio, "", 0.8, 1.2);
        }
    }
    verdict
}
