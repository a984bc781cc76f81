//! People who come the other way.

use crate::catalogue::{Family, Test};
use crate::data;
use crate::draft::{Draft, People};
use crate::observe::{Lanes, LeastSpeed};
use crate::run::{Outcome, Outcomes, Run, least};
use crate::settings::{Settings, Variant};
use crate::verdict::{Verdict, mean};

pub(crate) const TESTS: [Test; 7] = [
    Test {
        id: "nist-2.8",
        family: Family::Standard,
        title: "100 people against 0, 10, 50 and 100 through a corridor of 10 × 2 m between two rooms",
        source: "NIST 2.8 / ISO 6 / IMO 8 (JuPedSim's port)",
        criterion: "everybody arrives; the more come the other way, the longer it takes",
        runs: |s| AGAINST.iter().flat_map(|&n| against(s, &s.variant(), n)).collect(),
        judge: judge_against,
    },
    Test {
        id: "pair",
        family: Family::Measured,
        title: "two people meet head-on in a corridor 1.2 m wide",
        source: "the project's own",
        criterion: "they pass without stopping: neither is ever below 0.5 of its free speed",
        runs: |s| Run::seen_by(Run::each(s, &pair(), 60.0), LeastSpeed::new),
        judge: |_, o| {
            let mut verdict = Verdict::default();
            let least_speed = o.each("pair", |o| o.seen("least").first().copied().unwrap_or(f64::NAN));
            verdict.at_least("least speed over free speed", least(&least_speed), "", 0.5);
            verdict.at_least("arrived", o.least_arrived("pair"), "%", 100.0);
            verdict
        },
    },
    Test {
        id: "doors",
        family: Family::Measured,
        title: "60 people against 60 through a door of 1.0, 1.5, 2.0 and 3.0 m",
        source: "the project's own",
        criterion: "everybody arrives within 300 s",
        runs: |s| DOORS.iter().flat_map(|&w| door(s, &s.variant(), w)).collect(),
        judge: judge_doors,
    },
    Test {
        id: "stream",
        family: Family::Measured,
        title: "200 people against 200 through a corridor of 10 × 3.6 m",
        source: "the project's own",
        criterion: "everybody arrives within 300 s",
        runs: |s| Run::each(s, &stream(), 300.0),
        judge: |_, o| cleared(o, "stream"),
    },
    Test {
        id: "gates",
        family: Family::Measured,
        title: "four mixed streams of 100 people of radius 0.15 m through four gates of 0.6 m, two bodies wide",
        source: "the project's own",
        criterion: "everybody arrives within 1,200 s",
        runs: |s| Run::each(s, &gates(), 1200.0),
        judge: |_, o| cleared(o, "gates"),
    },
    Test {
        id: "antipodes",
        family: Family::Measured,
        title: "100 people on a circle of 20 m walk to their opposites",
        source: "the project's own",
        criterion: "everybody arrives within 300 s",
        runs: |s| Run::each(s, &antipodes(), 300.0),
        judge: |_, o| cleared(o, "antipodes"),
    },
    Test {
        id: "lanes",
        family: Family::Measured,
        title: "two streams in a corridor of 40 × 4 m form lanes",
        source: "two-way corridors 3.6 and 4.0 m, band index .82 to .96 (shuffled .36 to .47); speeds: published row 3.6 m, 0.57 m/s at 2.14",
        criterion: "band index at least 0.75 at 0.5, 1, 1.5 and 2 persons/m²; speed at 2 persons/m² 0.7 to 1.3 of the measured 0.68 m/s",
        runs: |s| {
            DENSITIES.iter().flat_map(|&d| Run::seen_by(Run::each(s, &lanes(d), 120.0), Lanes::default)).collect()
        },
        judge: judge_lanes,
    },
];

/// Two crowds that change places: east and west.
pub(crate) fn changing(
    name: String,
    size: [f32; 2],
    starts: [[f32; 4]; 2],
    goals: [[f32; 4]; 2],
    counts: [u32; 2],
) -> Draft {
    let mut draft = Draft::new(name, size).goal("east", goals[0]).goal("west", goals[1]);
    for (k, goal) in ["east", "west"].into_iter().enumerate().filter(|(k, _)| counts[*k] > 0) {
        draft = draft.people(People::new(counts[k], starts[k]).to(&[goal]));
    }
    draft
}

/// How many come the other way.
const AGAINST: [u32; 4] = [0, 10, 50, 100];

/// What the scene with so many against is called.
pub(crate) fn against_name(many: u32) -> String {
    format!("corridor-100-against-{many}")
}

/// Runs of 100 people against some through a corridor 2 m wide.
pub(crate) fn against(settings: &Settings, variant: &Variant, many: u32) -> Vec<Run> {
    let (starts, goals) =
        ([[1.0, 0.5, 9.0, 9.5], [21.0, 0.5, 29.0, 9.5]], [[29.0, 0.0, 30.0, 10.0], [0.0, 0.0, 1.0, 10.0]]);
    let draft = changing(against_name(many), [30.0, 10.0], starts, goals, [100, many])
        .walls([[10.0, 0.0, 20.0, 4.0], [10.0, 6.0, 20.0, 10.0]]);
    Run::each_as(settings, &draft, variant, 300.0)
}

fn judge_against(_: &Settings, outcomes: Outcomes<'_>) -> Verdict {
    let mut verdict = Verdict::default();
    let mut before = None;
    for many in AGAINST {
        let name = against_name(many);
        let times = outcomes.each(&name, Outcome::last);
        verdict.point("counterflow", f64::from(many), &times);
        let time = mean(times);
        let what = format!("last arrival against {many}");
        match before {
            Some(before) => verdict.above(what, time, "s", before),
            None => verdict.value(what, time, "s"),
        }
        before = Some(time);
        verdict.at_least(format!("arrived against {many}"), outcomes.least_arrived(&name), "%", 100.0);
    }
    verdict
}

/// Widths of doors, m.
const DOORS: [f32; 4] = [1.0, 1.5, 2.0, 3.0];

/// What the scene with such a door is called.
pub(crate) fn door_name(width: f32) -> String {
    format!("door-{width:.1}")
}

/// 60 people against 60 through a door between rooms of 10 × 10 m.
pub(crate) fn door_draft(width: f32) -> Draft {
    let (low, high) = (5.0 - width / 2.0, 5.0 + width / 2.0);
    let (starts, goals) =
        ([[1.0, 1.0, 9.0, 9.0], [11.0, 1.0, 19.0, 9.0]], [[19.0, 0.0, 20.0, 10.0], [0.0, 0.0, 1.0, 10.0]]);
    changing(door_name(width), [20.0, 10.0], starts, goals, [60; 2])
        .walls([[10.0, 0.0, 10.2, low], [10.0, high, 10.2, 10.0]])
}

/// Runs of a door with each seed.
pub(crate) fn door(settings: &Settings, variant: &Variant, width: f32) -> Vec<Run> {
    Run::each_as(settings, &door_draft(width), variant, 300.0)
}

fn judge_doors(_: &Settings, outcomes: Outcomes<'_>) -> Verdict {
    let mut verdict = Verdict::default();
    for width in DOORS {
        let name = door_name(width);
        let times = outcomes.each(&name, Outcome::last);
        verdict.point("doors", f64::from(width), &times);
        verdict.at_least(format!("arrived, {width:.1} m"), outcomes.least_arrived(&name), "%", 100.0);
        verdict.value(format!("last arrival, {width:.1} m"), mean(times), "s");
    }
    verdict
}

/// Everybody arrives in every run of a scene.
fn cleared(outcomes: Outcomes<'_>, name: &str) -> Verdict {
    let mut verdict = Verdict::default();
    verdict.at_least("arrived", outcomes.least_arrived(name), "%", 100.0);
    verdict.value("last arrival", outcomes.mean(name, Outcome::last), "s");
    verdict
}

fn stream() -> Draft {
    let (starts, goals) =
        ([[1.0, 0.5, 13.0, 11.5], [25.0, 0.5, 37.0, 11.5]], [[37.0, 0.0, 38.0, 12.0], [0.0, 0.0, 1.0, 12.0]]);
    changing("stream".into(), [38.0, 12.0], starts, goals, [200; 2])
        .walls([[14.0, 0.0, 24.0, 4.2], [14.0, 7.8, 24.0, 12.0]])
}

/// Four rooms in a square with a gate between each two neighbours; everybody walks to the room across.
fn gates() -> Draft {
    let gap = |at: f32| [at - 0.3, at + 0.3];
    let ([a, b], [c, d]) = (gap(5.0), gap(15.0));
    let mut draft = Draft::new("gates", [20.0, 20.0])
        .walls([[9.9, 0.0, 10.1, a], [9.9, b, 10.1, c], [9.9, d, 10.1, 20.0]])
        .walls([[0.0, 9.9, a, 10.1], [b, 9.9, c, 10.1], [d, 9.9, 20.0, 10.1]]);
    let corners = [
        ("north-east", [12.0, 12.0]),
        ("north-west", [2.0, 12.0]),
        ("south-west", [2.0, 2.0]),
        ("south-east", [12.0, 2.0]),
    ];
    for (name, [x, y]) in corners {
        // In the room's own corner, away from its gates.
        let (west, south) = (if x > 10.0 { 18.0 } else { 0.0 }, if y > 10.0 { 18.0 } else { 0.0 });
        draft = draft.goal(name, [west, south, west + 2.0, south + 2.0]);
    }
    for (k, (_, [x, y])) in corners.into_iter().enumerate() {
        let mut people = People::new(100, [x, y, x + 6.0, y + 6.0]).to(&[corners[(k + 2) % 4].0]);
        people.radius = 0.15;
        draft = draft.people(people);
    }
    draft
}

fn antipodes() -> Draft {
    let mut draft = Draft::new("antipodes", [24.0, 24.0]);
    for k in 0..100 {
        let (sin, cos) = (std::f32::consts::TAU * k as f32 / 100.0).sin_cos();
        let start = crate::draft::Form::Circle([12.0 + 10.0 * cos, 12.0 + 10.0 * sin, 0.26]);
        let mut person = People::new(1, start);
        person.point = Some([12.0 - 10.0 * cos, 12.0 - 10.0 * sin]);
        draft = draft.people(person);
    }
    draft
}

pub(crate) fn pair() -> Draft {
    let mut draft = Draft::new("pair", [14.0, 3.0]).walls([[0.0, 0.0, 14.0, 0.9], [0.0, 2.1, 14.0, 3.0]]);
    for (name, goal) in [("g0", [13.5, 0.0, 14.0, 3.0]), ("g1", [0.0, 0.0, 0.5, 3.0])] {
        draft = draft.goal(name, goal);
    }
    for (goal, start) in [("g0", [1.0, 1.3, 1.5, 1.7]), ("g1", [12.5, 1.3, 13.0, 1.7])] {
        draft = draft.people(People::new(1, start).to(&[goal]).speed(""));
    }
    draft
}

/// Densities of the corridor with lanes, persons/m².
const DENSITIES: [f32; 4] = [0.5, 1.0, 1.5, 2.0];

fn lanes_name(density: f32) -> String {
    format!("lanes-{density:.1}")
}

fn lanes(density: f32) -> Draft {
    let mut draft = Draft::new(lanes_name(density), [40.0, 4.0])
        .goal("g0", [39.5, 0.0, 40.0, 4.0])
        .goal("g1", [0.0, 0.0, 0.5, 4.0]);
    for (goal, entry) in [("g0", [0.5, 0.0, 3.0, 4.0]), ("g1", [37.0, 0.0, 39.5, 4.0])] {
        let mut people = People::new((80.0 * density) as u32, [2.0, 0.0, 38.0, 4.0]).to(&[goal]);
        people = people.speed("{ normal = [1.34, 0.26], min = 0.8, max = 1.9 }");
        (people.arrive, people.entry) = ("respawn", Some(entry.into()));
        draft = draft.people(people);
    }
    draft
}

fn judge_lanes(_: &Settings, outcomes: Outcomes<'_>) -> Verdict {
    let mut verdict = Verdict::default();
    for density in DENSITIES {
        let name = lanes_name(density);
        let seen = |what: &str| outcomes.each(&name, |o| o.seen(what).first().copied().unwrap_or(f64::NAN));
        verdict.point("band index", mean(seen("density")), &seen("bands"));
        verdict.at_least(format!("least band index at {density:.1} persons/m²"), least(&seen("bands")), "", 0.75);
    }
    for measured in data::row("speed", "two-way 3.6 m").into_iter().filter(|m| m.x < 2.2) {
        let local = outcomes.all().flat_map(|o| o.seen("local density").iter().zip(o.seen("local speed")));
        let speeds: Vec<f64> = local.filter(|(d, _)| (**d - measured.x).abs() < 0.2).map(|(_, v)| *v).collect();
        verdict.point("speed", measured.x, &speeds);
        let (name, ratio) = (format!("speed over measured at {:.1} persons/m²", measured.x), mean(speeds) / measured.y);
        if measured.x > 1.8 {
            verdict.between(name, ratio, "", 0.7, 1.3);
        } else {
            verdict.value(name, ratio, "");
        }
    }
    verdict.note =
        "speeds by the density in squares of 4 × 4 m away from the ends, where people enter and leave".into();
    verdict
}
