//! Bodies are solid: in every scene with a crowd, and in the built-in `circle`.

use crate::catalogue::{Family, Test};
use crate::family::{density, necks, openings, rooms, thesis, two_ways, ways};
use crate::run::{Outcomes, Run, Source};
use crate::settings::Settings;
use crate::verdict::Verdict;

pub(crate) const TESTS: [Test; 1] = [Test {
    id: "bodies",
    family: Family::Measured,
    title: "bodies hardly overlap, in every scene with a crowd of the other tests and in `circle`",
    source: "the project's own; the densest packing of discs in a window of 1 m²: Groemer's bound",
    criterion: "in each scene: mean overlap at most 1 % of the radii; at most 2 % of people overlap by more than 5 %; never denser \
                than bodies can be packed; nobody in a wall",
    runs,
    judge,
}];

/// Every scene with a crowd, on the usual raster, and `circle`.
fn runs(settings: &Settings) -> Vec<Run> {
    let crowds: [&[Test]; 7] = [
        &rooms::TESTS,
        &ways::TESTS,
        &necks::TESTS,
        &density::TESTS,
        &openings::TESTS,
        &two_ways::TESTS,
        &thesis::TESTS,
    ];
    let mut runs: Vec<Run> = crowds.into_iter().flatten().flat_map(|test| test.runs(settings)).collect();
    // 65,536 people, or a sixteenth of them.
    let scale = if settings.full { 1.0 } else { 1.0 / 16.0 };
    let source = Source::BuiltIn { name: "circle", scale, set: settings.changes() };
    runs.push(Run { name: "circle".into(), seed: 1, limit: 20.0, source, observer: None });
    runs
}

/// The most centres of discs of a radius, in m, that a window of 1 × 1 m can hold: Groemer's inequality.
fn packed(radius: f64) -> f64 {
    let d = 2.0 * radius;
    2.0 / 3f64.sqrt() / (d * d) + 4.0 / (2.0 * d) + 1.0
}

fn judge(_: &Settings, outcomes: Outcomes<'_>) -> Verdict {
    let mut verdict = Verdict::default();
    let worst = |value: &dyn Fn(&crate::run::Outcome) -> f64| {
        let all = outcomes.all().map(|o| (value(o), o));
        all.max_by(|a, b| a.0.total_cmp(&b.0)).map_or((f64::NAN, String::new()), |(v, o)| (v, o.name.clone()))
    };
    let (mean, where_mean) = worst(&|o| 100.0 * f64::from(o.counters.overlap.mean));
    let (share, where_share) = worst(&|o| 100.0 * f64::from(o.counters.overlap_share_mean));
    let (packing, where_packed) = worst(&|o| f64::from(o.counters.density_max) / packed(o.least_radius.into()));
    let (walls, _) = worst(&|o| o.counters.in_wall as f64);
    let (deepest, where_deepest) = worst(&|o| 100.0 * f64::from(o.counters.overlap.max));
    verdict.at_most("worst mean overlap", mean, "% of the radii", 1.0);
    verdict.at_most("worst share of people overlapping by more than 5 %", share, "%", 2.0);
    verdict.at_most("greatest density over the densest packing", packing, "", 1.0);
    verdict.at_most("in walls", walls, "persons", 0.0);
    verdict.value("deepest overlap of any two", deepest, "%");
    verdict.note = format!(
        "worst in {where_mean}, {where_share}, {where_packed}; deepest in {where_deepest}; means over a run's steps"
    );
    verdict
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_holds_no_fewer_than_a_lattice_that_fits_exactly() {
        // 3 × 3 centres 0.5 m apart, corners of the window included.
        assert!((9.0..11.0).contains(&packed(0.25)), "{}", packed(0.25));
        assert!(packed(0.15) < 31.0, "the jam that pressed 31 people into a square metre is not allowed");
    }
}
