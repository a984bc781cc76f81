//! What the thesis on continuum crowds saw (its figures 53 and 54): arches, wakes, rims, and what the weights do.

use crate::catalogue::{Family, Test};
use crate::draft::{Draft, Form, People};
use crate::observe::{Arch, Discomfort, Rim};
use crate::run::{Outcome, Outcomes, Run, least, most};
use crate::settings::Settings;
use crate::verdict::{Verdict, mean};

pub(crate) const TESTS: [Test; 4] = [
    Test {
        id: "arch",
        family: Family::Thesis,
        title: "people before a door form a half-disc, and spread out behind it",
        source: "thesis, figure 53a: arches before congested openings, and the wake behind them",
        criterion: "depth over half-width 0.7 to 1.5 (half-disc: 1, a queue: far more); the least dense third of directions within 2 m of \
                    the door at least half as dense as the densest; 3 m behind the door at least 1.5 times as wide as right behind it",
        runs: |s| Run::seen_by(Run::each(s, &arch(), 120.0), || Arch::new([16.0, 10.0], 40..110)),
        judge: judge_arch,
    },
    Test {
        id: "wake",
        family: Family::Thesis,
        title: "behind a pillar in a stream there is a wake",
        source: "thesis, figure 53a, for an obstacle instead of an opening",
        criterion: "density right behind the pillar at most 0.6 of that beside it",
        runs: |s| Run::each(s, &pillar(), 90.0),
        judge: |_, o| {
            let mut verdict = Verdict::default();
            let beside = |o: &Outcome| 0.5 * (o.density("north of it") + o.density("south of it"));
            verdict.at_most("behind over beside", most(&o.each("wake", |o| o.density("behind") / beside(o))), "", 0.6);
            verdict.value("beside", o.mean("wake", beside), "persons/m²");
            verdict
        },
    },
    Test {
        id: "rim",
        family: Family::Thesis,
        title: "the rim of a stream on open ground is faster than its middle",
        source: "thesis, figure 53b: the edge effect",
        criterion: "mean speed of the outer quarters over that of the inner half at least 1.02",
        runs: |s| Run::seen_by(Run::each(s, &rim(), 14.0), Rim::default),
        judge: |_, o| {
            let mut verdict = Verdict::default();
            let of = |what: &str| o.each("rim", |o| o.seen(what).first().copied().unwrap_or(f64::NAN));
            let ratios: Vec<f64> = of("rim").iter().zip(of("middle")).map(|(rim, middle)| rim / middle).collect();
            verdict.at_least("rim over middle", mean(ratios), "", 1.02);
            verdict.value("rim", mean(of("rim")), "m/s");
            verdict.value("middle", mean(of("middle")), "m/s");
            verdict
        },
    },
    Test {
        id: "weights",
        family: Family::Thesis,
        title: "a weight of 0 for length, time or discomfort makes that quantity no better",
        source: "thesis, figure 54: (length, time, discomfort) with all weights 1, and each at 0 in turn",
        criterion: "mean way, mean time and discomfort met, each with its weight at 0 over all weights 1, at least 0.99",
        runs: |s| WEIGHTS.iter().flat_map(|&(name, key)| weights(s, name, key)).collect(),
        judge: judge_weights,
    },
];

/// A room of 16 × 20 m with a door of 1.0 m, and 150 people.
fn arch() -> Draft {
    Draft::new("arch", [22.0, 20.0])
        .walls([[16.0, 0.0, 16.2, 9.5], [16.0, 10.5, 16.2, 20.0]])
        .goal("out", [21.5, 0.0, 22.0, 20.0])
        .people(People::new(150, [5.0, 3.0, 14.0, 17.0]))
}

fn judge_arch(_: &Settings, outcomes: Outcomes<'_>) -> Verdict {
    let mut verdict = Verdict::default();
    let first = |what: &str| outcomes.mean("arch", |o| o.seen(what).first().copied().unwrap_or(f64::NAN));
    verdict.between("depth over half-width", first("depth over half-width"), "", 0.7, 1.5);
    let thirds: Vec<f64> = (0..3)
        .map(|k| outcomes.mean("arch", |o| o.seen("density by direction").get(k).copied().unwrap_or(f64::NAN)))
        .collect();
    verdict.at_least("least dense third over densest", least(&thirds) / most(&thirds), "", 0.5);
    verdict.value("density within 2 m of the door", mean(thirds), "persons/m²");
    verdict.at_least("width 3 m behind the door over right behind it", first("spread beyond"), "", 1.5);
    verdict
}

/// A stream about a pillar of 1 m radius in a corridor 8 m wide.
fn pillar() -> Draft {
    let mut people = People::new(200, [1.0, 0.3, 8.5, 7.7]);
    (people.arrive, people.entry) = ("respawn", Some([0.5, 0.0, 3.0, 8.0].into()));
    Draft::new("wake", [30.0, 8.0])
        .wall(Form::Circle([12.0, 4.0, 1.0]))
        .goal("end", [29.5, 0.0, 30.0, 8.0])
        .people(people)
        .measure("behind", [13.2, 3.4, 14.7, 4.6])
        .measure("north of it", [11.25, 5.2, 12.75, 7.6])
        .measure("south of it", [11.25, 0.4, 12.75, 2.8])
}

/// A block of people on open ground.
fn rim() -> Draft {
    Draft::new("rim", [50.0, 24.0])
        .goal("end", [49.0, 0.0, 50.0, 24.0])
        .people(People::new(240, [2.0, 8.0, 14.0, 16.0]).speed(1.34))
}

/// What the pictures of figure 54 are called, and which weight is 0.
const WEIGHTS: [(&str, Option<&str>); 4] = [
    ("weights-equal", None),
    ("weights-no-length", Some("length_weight")),
    ("weights-no-time", Some("time_weight")),
    ("weights-no-discomfort", Some("discomfort_weight")),
];

/// Uncomfortable ground before the nearer of two doors.
const PUDDLE: [f32; 4] = [9.0, 3.0, 13.0, 9.0];

fn weights(settings: &Settings, name: &str, zero: Option<&'static str>) -> Vec<Run> {
    let draft = Draft::new(name, [30.0, 20.0])
        .walls([[16.0, 0.0, 16.25, 5.0], [16.0, 6.5, 16.25, 14.0], [16.0, 16.0, 16.25, 20.0]])
        .discomfort(PUDDLE, 0.8)
        .goal("out", [29.0, 2.0, 30.0, 10.0])
        .people(People::new(150, [0.5, 1.0, 7.5, 11.0]));
    let draft = zero.into_iter().fold(draft, |draft, key| draft.model(key, 0.0));
    Run::seen_by(Run::each(settings, &draft, 300.0), || Discomfort::new(PUDDLE, 0.8))
}

fn judge_weights(_: &Settings, outcomes: Outcomes<'_>) -> Verdict {
    let mut verdict = Verdict::default();
    let journeys = |o: &Outcome, value: &dyn Fn(&throng::measure::watch::Journey) -> f64| {
        mean(o.watch.journeys().map(|j| value(&j)))
    };
    let way = |o: &Outcome| journeys(o, &|j| j.distance.into());
    let time = |o: &Outcome| journeys(o, &|j| j.arrival.unwrap_or(o.time) - j.start);
    let met = |o: &Outcome| o.seen("met").first().copied().unwrap_or(f64::NAN) / o.people as f64;
    type Value<'a> = &'a dyn Fn(&Outcome) -> f64;
    let quantities: [(&str, &'static str, Value<'_>, usize); 3] =
        [("way", "m", &way, 1), ("time", "s", &time, 2), ("discomfort met", "s", &met, 3)];
    for (what, unit, value, zero) in quantities {
        let [equal, without] = [WEIGHTS[0].0, WEIGHTS[zero].0].map(|name| outcomes.mean(name, value));
        verdict.at_least(format!("{what} without its weight over with it"), without / equal, "", 0.99);
        verdict.value(format!("mean {what}, equal weights"), equal, unit);
    }
    verdict
}
