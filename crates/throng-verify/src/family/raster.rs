//! Nothing depends on the raster or on the step: the same scenes with other cells, moved by half a cell, and with other steps.

use crate::catalogue::{Family, Test};
use crate::family::{density, openings, two_ways};
use crate::run::{Outcome, Outcomes, Run, Source, least, most};
use crate::settings::{Settings, Variant};
use crate::verdict::{Verdict, mean};

pub(crate) const TESTS: [Test; 3] = [
    Test {
        id: "raster",
        family: Family::Measured,
        title: "openings, corridors and a two-way door with cells of 0.1, 0.2, 0.25 and 0.5 m, and moved by half a cell",
        source: "the project's own",
        criterion: "flows, speeds and times within 10 % of each other: the greatest at most 1.1 of the least",
        runs: |s| scenes(s, &rasters(s)),
        judge: |s, o| spread(s, o, &rasters(s)),
    },
    Test {
        id: "steps",
        family: Family::Measured,
        title: "the same with steps of 0.02, 0.04 and 0.08 s",
        source: "the project's own",
        criterion: "flows, speeds and times within 10 % of each other: the greatest at most 1.1 of the least",
        runs: |s| scenes(s, &steps(s)),
        judge: |s, o| spread(s, o, &steps(s)),
    },
    Test {
        id: "office",
        family: Family::Measured,
        title: "the built-in `office` with cells of 0.125, 0.25 and 0.5 m",
        source: "the project's own",
        criterion: "everybody leaves; times within 10 % of each other: the greatest at most 1.1 of the least",
        runs: offices,
        judge: judge_office,
    },
];

/// Openings and corridors that are compared, m, and the densities at which speeds are, persons/m².
const OPENINGS: [f32; 2] = [1.0, 2.0];
const WAYS: [[f32; 2]; 3] = [[1.0, 1.8], [1.8, 1.2], [1.8, 0.8]];
const DENSITIES: [f64; 2] = [1.0, 2.0];

/// Runs with other seeds differ by 7 % and more: means of so many can be compared.
const ENOUGH_SEEDS: u32 = 3;

fn rasters(settings: &Settings) -> Vec<Variant> {
    let usual = settings.variant();
    let cells: &[f32] = if settings.full { &[0.1, 0.2, 0.25, 0.5] } else { &[0.25, 0.5] };
    let both = |&cell: &f32| [false, true].map(|shifted| Variant { cell, shifted, ..usual });
    // A shifted raster of the least cells alone is left out: half of them is 5 cm.
    cells.iter().flat_map(both).filter(|v| v.holds_a_stride() && (v.cell > 0.15 || !v.shifted)).collect()
}

fn steps(settings: &Settings) -> Vec<Variant> {
    let usual = settings.variant();
    let steps: &[f32] = if settings.full { &[0.02, 0.04, 0.08] } else { &[0.04, 0.08] };
    steps.iter().map(|&dt| Variant { dt, ..usual }).filter(Variant::holds_a_stride).collect()
}

fn scenes(settings: &Settings, variants: &[Variant]) -> Vec<Run> {
    let mut runs = Vec::new();
    for variant in variants {
        runs.extend(OPENINGS.iter().flat_map(|&w| openings::opening(settings, variant, w)));
        runs.extend(WAYS.iter().flat_map(|&way| density::corridor(settings, variant, way)));
        runs.extend(two_ways::door(settings, variant, 2.0));
        runs.extend(two_ways::against(settings, variant, 0));
    }
    runs
}

/// What is compared: its name, and its value on a raster.
type Compared<'a> = (String, Box<dyn Fn(&str) -> f64 + 'a>);

fn spread(settings: &Settings, outcomes: Outcomes<'_>, variants: &[Variant]) -> Verdict {
    let mut compared: Vec<Compared<'_>> = Vec::new();
    for width in OPENINGS {
        let flow = move |suffix: &str| outcomes.mean(&(openings::name(width) + suffix), |o| o.flow("opening"));
        compared.push((format!("flow through {width:.1} m"), Box::new(flow)));
    }
    for at in DENSITIES {
        let speed = move |suffix: &str| {
            let here: Vec<&Outcome> =
                WAYS.iter().flat_map(|[a, b]| outcomes.of(&format!("density-{a:.1}-{b:.1}{suffix}"))).collect();
            mean(density::speeds_near(here.into_iter(), "voronoi", at))
        };
        compared.push((format!("speed at {at} persons/m²"), Box::new(speed)));
    }
    let one_way = move |suffix: &str| outcomes.mean(&(two_ways::against_name(0) + suffix), Outcome::last);
    compared.push(("time of 100 through a corridor of 2 m".into(), Box::new(one_way)));
    let door = move |suffix: &str| outcomes.mean(&(two_ways::door_name(2.0) + suffix), Outcome::last);
    compared.push(("time of 60 against 60 through 2 m".into(), Box::new(door)));

    let mut verdict = Verdict::default();
    for (name, value) in compared {
        let values: Vec<f64> = variants.iter().map(|v| value(&v.suffix(&settings.variant()))).collect();
        for (number, (variant, value)) in variants.iter().zip(&values).enumerate() {
            let (cell, dt) = (variant.cell, variant.dt);
            let series = format!("{name}, cell {cell}, dt {dt}{}", if variant.shifted { ", shifted" } else { "" });
            verdict.point(&series, number as f64, &[*value]);
        }
        let (name, ratio) = (format!("{name}: greatest over least"), most(&values) / least(&values));
        if settings.seeds < ENOUGH_SEEDS {
            verdict.value(name, ratio, "");
        } else {
            verdict.at_most(name, ratio, "", 1.1);
        }
    }
    if settings.seeds < ENOUGH_SEEDS {
        verdict.note = format!("without bounds: with fewer than {ENOUGH_SEEDS} seeds chance alone makes a tenth");
    }
    verdict
}

/// Sides of the office's cells, m.
const OFFICE: [f32; 3] = [0.125, 0.25, 0.5];

fn office_name(cell: f32) -> String {
    format!("office-cell{cell}")
}

fn offices(settings: &Settings) -> Vec<Run> {
    let mut runs = Vec::new();
    for cell in OFFICE {
        let mut set = settings.changes();
        set.push(("cell".to_owned(), cell.to_string()));
        let source = Source::BuiltIn { name: "office", scale: 0.25, set };
        let run = |seed| Run { name: office_name(cell), seed, limit: 400.0, source: source.clone(), observer: None };
        runs.extend(settings.all_seeds().map(run));
    }
    runs
}

fn judge_office(_: &Settings, outcomes: Outcomes<'_>) -> Verdict {
    let mut verdict = Verdict::default();
    let mut times = Vec::new();
    for cell in OFFICE {
        verdict.at_least(format!("left, cells of {cell} m"), outcomes.least_arrived(&office_name(cell)), "%", 100.0);
        times.push(outcomes.mean(&office_name(cell), Outcome::last));
        verdict.value(format!("last out, cells of {cell} m"), times[times.len() - 1], "s");
    }
    verdict.at_most("greatest time over least", most(&times) / least(&times), "", 1.1);
    verdict.note = "a quarter of its area and people".into();
    verdict
}
