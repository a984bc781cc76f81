//! Necks between rooms.

use crate::catalogue::{Family, Test};
use crate::draft::{Draft, People};
use crate::run::{Outcome, Outcomes, Run, least};
use crate::settings::Settings;
use crate::verdict::Verdict;

pub(crate) const TESTS: [Test; 5] = [
    Test {
        id: "rimea-12",
        family: Family::Standard,
        title: "150 people through a neck of 5 × 1 m into a room with an exit of 1 m",
        source: "RiMEA 12, 3.0 form (JuPedSim, Vadere)",
        criterion: "no jam at the last exit: flow at the neck less flow at the exit is at least −0.05 persons/s",
        runs: |s| Run::each(s, &neck_and_exit(), 600.0),
        judge: |_, o| {
            let mut verdict = Verdict::default();
            let difference = o.each("rimea-12", |o| o.flow("neck") - o.flow("exit"));
            verdict.at_least("least difference", least(&difference), "persons/s", -0.05);
            verdict.value("flow at the neck", o.mean("rimea-12", |o| o.flow("neck")), "persons/s");
            verdict.value("flow at the exit", o.mean("rimea-12", |o| o.flow("exit")), "persons/s");
            verdict
        },
    },
    Test {
        id: "rimea-12a",
        family: Family::Standard,
        title: "50 people through a neck of 0.2 × 1 m, to a near goal and to a far one",
        source: "RiMEA 12a, 4.1.1 (web)",
        criterion: "with the nearer goal the last arrives no later",
        runs: |s| {
            [
                Run::each(s, &two_rooms("rimea-12a-near", 0.2, 50, 3.0), 400.0),
                Run::each(s, &two_rooms("rimea-12a-far", 0.2, 50, 9.0), 400.0),
            ]
            .concat()
        },
        judge: |_, o| compare(o, ["rimea-12a-near", "rimea-12a-far"], ["nearer goal", "farther goal"]),
    },
    Test {
        id: "rimea-12b",
        family: Family::Standard,
        title: "100 people through necks of 0.2 × 1 m and of 5 × 1 m",
        source: "RiMEA 12b, 4.1.1 (web)",
        criterion: "the longer neck takes longer",
        runs: |s| {
            [
                Run::each(s, &two_rooms("rimea-12b-short", 0.2, 100, 9.0), 600.0),
                Run::each(s, &two_rooms("rimea-12b-long", 5.0, 100, 9.0), 600.0),
            ]
            .concat()
        },
        judge: |_, o| compare(o, ["rimea-12b-short", "rimea-12b-long"], ["short neck", "long neck"]),
    },
    Test {
        id: "rimea-12c",
        family: Family::Standard,
        title: "150 people through three rooms with two necks of 1 m",
        source: "RiMEA 12c, 4.1.1 (web)",
        criterion: "the longest queue before the first neck is longer than before the second",
        runs: |s| Run::each(s, &three_rooms(), 600.0),
        judge: |_, o| {
            let mut verdict = Verdict::default();
            let peak =
                |area: &str| o.mean("rimea-12c", |o| o.area(area).map_or(f64::NAN, |a| a.most_density() * a.size));
            let second = peak("second");
            verdict.above("longest queue before the first neck", peak("first"), "persons", second);
            verdict.value("longest queue before the second neck", second, "persons");
            verdict
        },
    },
    Test {
        id: "rimea-12d",
        family: Family::Standard,
        title: "50 people through necks 5 m long, 0.8, 1.0 and 1.2 m wide",
        source: "RiMEA 12d, 4.1.1 (web)",
        criterion: "flow grows with width",
        runs: |s| WIDTHS.iter().flat_map(|&w| Run::each(s, &neck(w), 400.0)).collect(),
        judge: judge_widths,
    },
];

const WIDTHS: [f32; 3] = [0.8, 1.0, 1.2];

/// The times of two scenes, of which the second takes longer.
fn compare(outcomes: Outcomes<'_>, scenes: [&str; 2], words: [&str; 2]) -> Verdict {
    let mut verdict = Verdict::default();
    let [first, second] = scenes.map(|name| outcomes.mean(name, Outcome::last));
    verdict.at_most(words[0], first, "s", second);
    verdict.value(words[1], second, "s");
    verdict
}

/// Two rooms of 10 × 10 m, joined by a neck of 5 × 1 m; the second has an exit of 1 m.
fn neck_and_exit() -> Draft {
    Draft::new("rimea-12", [27.0, 10.0])
        .walls([[10.0, 0.0, 15.0, 4.5], [10.0, 5.5, 15.0, 10.0], [25.0, 0.0, 25.2, 4.5], [25.0, 5.5, 25.2, 10.0]])
        .goal("out", [26.0, 0.0, 27.0, 10.0])
        .people(People::new(150, [0.25, 0.25, 5.0, 9.75]))
        .gate("neck", 10.1, 4.5, 5.5)
        .gate("exit", 25.1, 4.5, 5.5)
}

/// Two rooms of 10 × 10 m, joined by a neck 1 m wide, with a goal so far behind the neck's end.
fn two_rooms(name: &str, length: f32, count: u32, goal: f32) -> Draft {
    let end = 10.0 + length;
    Draft::new(name, [end.ceil() + 10.0, 10.0])
        .walls([[10.0, 0.0, end, 4.5], [10.0, 5.5, end, 10.0]])
        .goal("out", [end + goal, 0.0, end + goal + 0.5, 10.0])
        .people(People::new(count, [0.25, 0.25, 8.0, 9.75]))
}

fn three_rooms() -> Draft {
    Draft::new("rimea-12c", [32.0, 10.0])
        .walls([[10.0, 0.0, 10.2, 4.5], [10.0, 5.5, 10.2, 10.0], [20.2, 0.0, 20.4, 4.5], [20.2, 5.5, 20.4, 10.0]])
        .goal("out", [31.0, 0.0, 32.0, 10.0])
        .people(People::new(150, [0.25, 0.25, 8.0, 9.75]))
        .measure("first", [6.0, 1.0, 10.0, 9.0])
        .measure("second", [16.2, 1.0, 20.2, 9.0])
}

fn neck_name(width: f32) -> String {
    format!("rimea-12d-{width:.1}")
}

fn neck(width: f32) -> Draft {
    let (low, high) = (5.0 - width / 2.0, 5.0 + width / 2.0);
    Draft::new(neck_name(width), [25.0, 10.0])
        .walls([[10.0, 0.0, 15.0, low], [10.0, high, 15.0, 10.0]])
        .goal("out", [24.0, 0.0, 25.0, 10.0])
        .people(People::new(50, [0.25, 0.25, 8.0, 9.75]))
        .gate("neck", 10.1, low, high)
}

fn judge_widths(_: &Settings, outcomes: Outcomes<'_>) -> Verdict {
    let mut verdict = Verdict::default();
    let mut before = None;
    for width in WIDTHS {
        let flow = outcomes.mean(&neck_name(width), |o| o.flow("neck"));
        let name = format!("flow through {width:.1} m");
        match before {
            Some(before) => verdict.above(name, flow, "persons/s", before),
            None => verdict.value(name, flow, "persons/s"),
        }
        before = Some(flow);
    }
    verdict
}
