//! Speed against density.

use crate::catalogue::{Family, Test};
use crate::data;
use crate::draft::{Draft, Form, People};
use crate::observe::{Corridor, moved};
use crate::run::{Outcome, Outcomes, Run};
use crate::settings::{Settings, Variant};
use crate::verdict::{Verdict, mean};

pub(crate) const TESTS: [Test; 2] = [
    Test {
        id: "rimea-4",
        family: Family::Standard,
        title: "speed against density on a ring 2 m wide and 26 m long",
        source: "RiMEA 4 (JuPedSim's periodic corridor of 26 × 2 m, here closed to a ring); measured: closed loop 1.8 m",
        criterion: "documented: no number is asked for",
        runs: |s| RING.iter().flat_map(|&d| Run::each(s, &ring(d), RING_LIMIT)).collect(),
        judge: judge_ring,
    },
    Test {
        id: "density",
        family: Family::Measured,
        title: "speed against density in a corridor 1.8 m wide, one way",
        source: "HERMES 2009, one-way corridor 1.8 m, Voronoi method D without cut-off, area 1.8 × 2 m",
        criterion: "mean speed over measured: 0.85 to 1.15 at 0.5, 1, 1.5 and 2 persons/m², 0.7 to 1.3 at 2.5 and 3",
        runs: |s| WAYS.iter().flat_map(|&way| corridor(s, &s.variant(), way)).collect(),
        judge: judge_corridor,
    },
];

/// Widths of entrance and exit of the corridor, m: a narrow entrance makes it thin, a narrow exit dense.
pub(crate) const WAYS: [[f32; 2]; 10] = [
    [0.6, 1.8],
    [0.8, 1.8],
    [1.0, 1.8],
    [1.4, 1.8],
    [1.8, 1.8],
    [1.8, 1.4],
    [1.8, 1.2],
    [1.8, 1.0],
    [1.8, 0.8],
    [1.8, 0.6],
];

/// The corridor's floor, and the area in its middle that is measured.
const FLOOR: [f32; 4] = [10.0, 3.1, 18.0, 4.9];
const AREA: [f32; 4] = [13.0, 3.1, 15.0, 4.9];

/// A corridor of 1.8 × 8 m behind a room of 160 people.
pub(crate) fn draft([entrance, exit]: [f32; 2]) -> Draft {
    let gap = |w: f32| (4.0 - w / 2.0, 4.0 + w / 2.0);
    let ((a, b), (c, d)) = (gap(entrance), gap(exit));
    Draft::new(format!("density-{entrance:.1}-{exit:.1}"), [21.0, 8.0])
        .walls([[9.8, 0.0, 10.0, a], [9.8, b, 10.0, 8.0], [10.0, 0.0, 18.0, 3.1], [10.0, 4.9, 18.0, 8.0]])
        .walls([[18.0, 0.0, 18.2, c], [18.0, d, 18.2, 8.0]])
        .goal("out", [20.0, 0.0, 21.0, 8.0])
        .people(People::new(160, [0.5, 0.5, 9.0, 7.5]))
}

/// Runs of the corridor with each seed.
pub(crate) fn corridor(settings: &Settings, variant: &Variant, way: [f32; 2]) -> Vec<Run> {
    let (floor, area) = (moved(FLOOR, variant.offset()), moved(AREA, variant.offset()));
    Run::seen_by(Run::each_as(settings, &draft(way), variant, 150.0), move || Corridor::new(floor, area))
}

/// The speeds that were seen near a density, by a method.
pub(crate) fn speeds_near<'a>(outcomes: impl Iterator<Item = &'a Outcome>, method: &str, at: f64) -> Vec<f64> {
    let (densities, speeds) = (format!("{method} density"), format!("{method} speed"));
    let near = outcomes.flat_map(|o| o.seen(&densities).iter().zip(o.seen(&speeds)));
    near.filter(|(density, _)| (**density - at).abs() < 0.25).map(|(_, speed)| *speed).collect()
}

fn judge_corridor(_: &Settings, outcomes: Outcomes<'_>) -> Verdict {
    let mut verdict = Verdict::default();
    for (method, row) in [("voronoi", "one-way 1.8 m voronoi"), ("classic", "one-way 1.8 m classic")] {
        for measured in data::row("speed", row) {
            let speeds = speeds_near(outcomes.all(), method, measured.x);
            let ratio = mean(speeds.iter().copied()) / measured.y;
            verdict.point(method, measured.x, &speeds);
            let name = format!("speed over measured at {} persons/m²", measured.x);
            match (method, measured.x > 2.2) {
                ("voronoi", false) => verdict.between(name, ratio, "", 0.85, 1.15),
                ("voronoi", true) => verdict.between(name, ratio, "", 0.7, 1.3),
                _ => verdict.value(format!("{name}, classic method"), ratio, ""),
            }
        }
    }
    let densest = outcomes.all().flat_map(|o| o.seen("voronoi density")).fold(0.0f64, |a, b| a.max(*b));
    verdict.value("densest", densest, "persons/m²");
    verdict
}

/// Densities of the ring, persons/m².
const RING: [f32; 5] = [0.5, 1.0, 2.0, 3.0, 4.0];
/// Radius of its middle, m: 26 m round.
const RADIUS: f32 = 4.138;

fn ring_name(density: f32) -> String {
    format!("rimea-4-{density:.1}")
}

/// How long one walks on it, s.
pub(crate) const RING_LIMIT: f64 = 70.0;

/// A ring on which everybody walks to the left for ever, from one third to the next.
pub(crate) fn ring(density: f32) -> Draft {
    let (sin, cos) = (f32::sin, f32::cos);
    let at = |angle: f32, r: f32| [6.0 + r * cos(angle), 6.0 + r * sin(angle)];
    let third = std::f32::consts::TAU / 3.0;
    let outline = (0..=96).map(|k| at(third * k as f32 / 32.0, RADIUS + 1.0)).collect();
    let mut draft = Draft::new(ring_name(density), [12.0, 12.0])
        .wall(Form::Circle([6.0, 6.0, RADIUS - 1.0]))
        .wall(Form::Line(outline))
        .measure("ring", [0.0, 0.0, 12.0, 12.0]);
    let goals = ["a", "b", "c"];
    for (k, name) in goals.into_iter().enumerate() {
        let angle = third * k as f32;
        let (inner, outer) = (RADIUS - 0.9, RADIUS + 0.9);
        let side = |turn: f32, r: f32| at(angle + turn, r);
        let across = vec![side(-0.08, inner), side(-0.08, outer), side(0.08, outer), side(0.08, inner)];
        draft = draft.goal(name, Form::Polygon(across));
    }
    let count = (52.0 * density / 3.0).round() as u32;
    for k in 0..3 {
        // Those who start between goal k and the next one walk to that, then round and round.
        let (from, to) = (third * k as f32 + 0.12, third * (k + 1) as f32 - 0.12);
        let rim = (0..=8).map(|i| at(from + (to - from) * i as f32 / 8.0, RADIUS + 0.78));
        let back = (0..=8).map(|i| at(to - (to - from) * i as f32 / 8.0, RADIUS - 0.78));
        let journey = [goals[(k + 1) % 3], goals[(k + 2) % 3], goals[k]];
        let mut people = People::new(count, Form::Polygon(rim.chain(back).collect())).to(&journey);
        people.arrive = "next";
        draft = draft.people(people);
    }
    draft
}

/// The mean speed on the ring once everybody walks, m/s.
pub(crate) fn ring_speed(o: &Outcome) -> f64 {
    let samples = o.area("ring").map_or(&[][..], |a| &a.samples);
    let walking = samples.iter().filter(|s| s.time > 10.0);
    let (n, sum) = walking.fold((0.0, 0.0), |(n, sum), s| (n + 1.0, sum + f64::from(s.speed)));
    sum / n
}

fn judge_ring(_: &Settings, outcomes: Outcomes<'_>) -> Verdict {
    let mut verdict = Verdict::default();
    for density in RING {
        let speeds = outcomes.each(&ring_name(density), ring_speed);
        verdict.point("ring", f64::from(density), &speeds);
        verdict.value(format!("speed at {density:.1} persons/m²"), mean(speeds), "m/s");
    }
    verdict.note = "closed loop of 1.8 m, measured: 1.07, 0.79, 0.51 and 0.27 m/s at 0.5, 1, 2 and 3 persons/m²; the test's 5 and 6 \
                    persons/m² are more than bodies of 0.2 m can be placed at without overlap"
        .into();
    verdict
}
