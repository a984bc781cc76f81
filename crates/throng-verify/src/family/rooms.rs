//! Rooms and corridors with corners: nobody goes through a wall, and doors do what doors do.

use crate::catalogue::{Family, Test};
use crate::draft::{Draft, Form, People};
use crate::observe::Trespass;
use crate::run::{Outcome, Outcomes, Run, most};
use crate::settings::Settings;
use crate::verdict::Verdict;

pub(crate) const TESTS: [Test; 6] = [
    Test {
        id: "rimea-6",
        family: Family::Standard,
        title: "twenty people round a corner of a corridor 2 m wide",
        source: "RiMEA 6 (JuPedSim, Vadere, web)",
        criterion: "nobody is ever in the forbidden square of 10 × 10 m; everybody leaves",
        runs: corner,
        judge: judge_corner,
    },
    Test {
        id: "rimea-9",
        family: Family::Standard,
        title: "1,000 people leave a room of 30 × 20 m by four doors and by two",
        source: "RiMEA 9 (JuPedSim; Vadere's times 108 to 132 and 180 to 220 s for comparison)",
        criterion: "half of the doors take 1.6 to 2.4 times as long",
        runs: |s| [Run::each(s, &doors(4), 1200.0), Run::each(s, &doors(2), 1200.0)].concat(),
        judge: judge_doors,
    },
    Test {
        id: "rimea-15",
        family: Family::Standard,
        title: "500 people along 50 m, round a corner, and along 81 m, all 20 m wide",
        source: "RiMEA 15 (JuPedSim)",
        criterion: "T(50 m) ≤ T(corner) ≤ T(81 m)",
        runs: |s| {
            [Run::each(s, &straight(50.0), 400.0), Run::each(s, &bend(), 400.0), Run::each(s, &straight(81.0), 400.0)]
                .concat()
        },
        judge: |_, o| {
            let mut verdict = Verdict::default();
            let time = |name| o.mean(name, Outcome::last);
            let (short, bend, long) = (time("rimea-15-50"), time("rimea-15-corner"), time("rimea-15-81"));
            verdict.value("50 m", short, "s");
            verdict.between("corner", bend, "s", short, long);
            verdict.value("81 m", long, "s");
            verdict
        },
    },
    Test {
        id: "nist-2.3",
        family: Family::Standard,
        title: "twenty people round a corner are out within a minute",
        source: "NIST 2.3 / ISO 4 (JuPedSim's port)",
        criterion: "everybody is out within 60 s, and nobody was ever in a wall",
        runs: corner,
        judge: |_, o| {
            let mut verdict = Verdict::default();
            verdict.at_most("last out", most(&o.each("rimea-6", Outcome::last)), "s", 60.0);
            verdict.at_most("in walls", most(&o.each("rimea-6", |o| o.counters.in_wall as f64)), "persons", 0.0);
            verdict
        },
    },
    Test {
        id: "nist-5.1",
        family: Family::Standard,
        title: "100 people leave a room of 8 × 5 m by a corridor 2 m wide that becomes a stair",
        source: "NIST 5.1 / ISO 10 (JuPedSim's port)",
        criterion: "the densest moment before the neck and at the foot of the stair is denser than in the middle of the corridor",
        runs: |s| Run::each(s, &congestion(), 400.0),
        judge: judge_congestion,
    },
    Test {
        id: "nist-5.2",
        family: Family::Standard,
        title: "100 people leave a room of 8 × 5 m by a door of 1.0 m",
        source: "NIST 5.2 / ISO 11 / IMO 4 (JuPedSim's port)",
        criterion: "none here: the codes' cap of 1.33 persons/(m·s) contradicts measured crowds, which reach 1.85 to 2.4",
        runs: |s| Run::each(s, &one_door(), 400.0),
        judge: |_, o| {
            let mut verdict = Verdict::default();
            verdict.value("specific flow", o.mean("nist-5.2", |o| o.flow("door")), "persons/(m·s)");
            verdict.value("the codes' cap", 1.33, "persons/(m·s)");
            verdict.value("measured crowds, 0.95 m", 1.85, "persons/(m·s)");
            verdict
        },
    },
];

/// Where nobody may be in a corner: arms of 12 × 2 and 2 × 12 m.
const FORBIDDEN: [f32; 4] = [0.0, 2.0, 10.0, 12.0];

fn corner(settings: &Settings) -> Vec<Run> {
    let draft = Draft::new("rimea-6", [12.0, 12.0])
        .wall(FORBIDDEN)
        .goal("out", [10.0, 11.5, 12.0, 12.0])
        .people(People::new(20, [0.25, 0.25, 6.0, 1.75]).speed(1.33));
    Run::seen_by(Run::each(settings, &draft, 200.0), || Trespass::new(&[FORBIDDEN]))
}

fn judge_corner(_: &Settings, outcomes: Outcomes<'_>) -> Verdict {
    let mut verdict = Verdict::default();
    let found = outcomes.each("rimea-6", |o| o.seen("found").first().copied().unwrap_or(f64::NAN));
    verdict.at_most("looks at somebody in the square", most(&found), "", 0.0);
    verdict.at_least("left", outcomes.least_arrived("rimea-6"), "%", 100.0);
    verdict.value("last out", outcomes.mean("rimea-6", Outcome::last), "s");
    verdict
}

/// A room of 30 × 20 m with doors of 1.0 m in its long walls: two in the south, and two in the north if there are four.
fn doors(many: u32) -> Draft {
    let both = many == 4;
    // The room is from 2 to 32 and from 2 to 22.
    let mut draft = Draft::new(format!("rimea-9-{many}"), [34.0, 24.0])
        .walls([[1.8, 1.8, 2.0, 22.2], [32.0, 1.8, 32.2, 22.2]])
        .walls([[2.0, 1.8, 6.0, 2.0], [7.0, 1.8, 27.0, 2.0], [28.0, 1.8, 32.0, 2.0]]);
    draft = if both {
        draft.walls([[2.0, 22.0, 6.0, 22.2], [7.0, 22.0, 27.0, 22.2], [28.0, 22.0, 32.0, 22.2]])
    } else {
        draft.wall([2.0, 22.0, 32.0, 22.2])
    };
    let mut outside: Vec<Form> = vec![[4.0, 0.0, 9.0, 1.0].into(), [25.0, 0.0, 30.0, 1.0].into()];
    if both {
        outside.extend([Form::from([4.0, 23.0, 9.0, 24.0]), [25.0, 23.0, 30.0, 24.0].into()]);
    }
    draft.goals_of("out", outside).people(People::new(1000, [4.0, 4.0, 30.0, 20.0]).speed(1.33))
}

fn judge_doors(_: &Settings, outcomes: Outcomes<'_>) -> Verdict {
    let mut verdict = Verdict::default();
    let (four, two) = (outcomes.mean("rimea-9-4", Outcome::last), outcomes.mean("rimea-9-2", Outcome::last));
    verdict.between("T(2 doors) / T(4 doors)", two / four, "", 1.6, 2.4);
    verdict.value("T(4 doors)", four, "s");
    verdict.value("T(2 doors)", two, "s");
    verdict
}

fn straight(length: f32) -> Draft {
    Draft::new(format!("rimea-15-{length}"), [length, 20.0])
        .goal("end", [length - 0.5, 0.0, length, 20.0])
        .people(People::new(500, [0.5, 0.5, 20.0, 19.5]).speed(1.0))
}

/// Two arms 50 m long on their outer side and 20 m wide.
fn bend() -> Draft {
    Draft::new("rimea-15-corner", [50.0, 50.0])
        .wall([0.0, 20.0, 30.0, 50.0])
        .goal("end", [30.0, 49.5, 50.0, 50.0])
        .people(People::new(500, [0.5, 0.5, 20.0, 19.5]).speed(1.0))
}

fn congestion() -> Draft {
    Draft::new("nist-5.1", [8.0, 20.0])
        .walls([[0.0, 5.0, 3.0, 20.0], [5.0, 5.0, 8.0, 20.0]])
        .goal("end", [3.0, 19.5, 5.0, 20.0])
        .zone([3.0, 14.0, 5.0, 20.0], 0.5)
        .people(People::new(100, [0.25, 0.25, 7.75, 4.75]))
        .measure("before the neck", [3.0, 3.5, 5.0, 5.0])
        .measure("in the corridor", [3.0, 8.75, 5.0, 10.25])
        .measure("before the stair", [3.0, 12.5, 5.0, 14.0])
}

fn judge_congestion(_: &Settings, outcomes: Outcomes<'_>) -> Verdict {
    let mut verdict = Verdict::default();
    let peak = |area: &str| outcomes.mean("nist-5.1", |o| o.area(area).map_or(f64::NAN, |a| a.most_density()));
    let middle = peak("in the corridor");
    verdict.above("peak before the neck", peak("before the neck"), "persons/m²", middle);
    verdict.above("peak at the foot of the stair", peak("before the stair"), "persons/m²", middle);
    verdict.value("peak in the corridor", middle, "persons/m²");
    verdict
}

fn one_door() -> Draft {
    Draft::new("nist-5.2", [10.0, 5.0])
        .walls([[8.0, 0.0, 8.2, 2.0], [8.0, 3.0, 8.2, 5.0]])
        .goal("out", [9.0, 0.0, 10.0, 5.0])
        .people(People::new(100, [0.25, 0.25, 7.75, 4.75]))
        .gate("door", 8.1, 2.0, 3.0)
}
