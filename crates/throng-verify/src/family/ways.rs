//! Who takes which way out.

use crate::catalogue::{Family, Test};
use crate::draft::{Draft, Form, People};
use crate::run::{Outcome, Run, least, most};
use crate::verdict::Verdict;

pub(crate) const TESTS: [Test; 4] = [
    Test {
        id: "rimea-10",
        family: Family::Standard,
        title: "23 people in twelve rooms on a corridor leave by the exits that they are told to",
        source: "RiMEA 10 / NIST 3.1 / ISO 8 (JuPedSim, Vadere, web)",
        criterion: "100 % use their exit",
        runs: |s| Run::each(s, &twelve_rooms(), 200.0),
        judge: |_, o| {
            let mut verdict = Verdict::default();
            verdict.at_least("left by their exit", least(&o.each("rimea-10", by_their_exit)), "%", 100.0);
            verdict
        },
    },
    Test {
        id: "rimea-11",
        family: Family::Standard,
        title: "1,000 people in the west of a room, two doors of 1.0 m in its east",
        source: "RiMEA 11 (JuPedSim, Vadere)",
        criterion: "most use the nearer door, some the farther one: 50 to 99 % the nearer one",
        runs: |s| Run::each(s, &two_doors(), 1500.0),
        judge: |_, o| {
            let mut verdict = Verdict::default();
            let shares = o.each("rimea-11", |o| by_shape(o, 0));
            verdict.between("least share of the nearer door", least(&shares), "%", 50.0, 99.0);
            verdict.between("greatest share of the nearer door", most(&shares), "%", 50.0, 99.0);
            verdict.at_least("left", o.least_arrived("rimea-11"), "%", 100.0);
            verdict.value("last out", o.mean("rimea-11", Outcome::last), "s");
            verdict
        },
    },
    Test {
        id: "rimea-14",
        family: Family::Standard,
        title: "100 people with a short way through a door of 1.0 m and a long one without",
        source: "RiMEA 14 (JuPedSim, Vadere, web)",
        criterion: "documented: who takes the short way, who the long one",
        runs: |s| Run::each(s, &short_or_long(), 300.0),
        judge: |_, o| {
            let mut verdict = Verdict::default();
            let share = |line: &str| o.mean("rimea-14", |o| 100.0 * o.crossings(line).len() as f64 / o.people as f64);
            verdict.value("short way", share("short"), "%");
            verdict.value("long way", share("long"), "%");
            verdict.value("last out", o.mean("rimea-14", Outcome::last), "s");
            verdict
        },
    },
    Test {
        id: "iso-9",
        family: Family::Standard,
        title: "an exit closes after a second",
        source: "ISO 9 (JuPedSim's port)",
        criterion: "who headed for it leaves by the other one",
        runs: |s| Run::each(s, &closing(), 120.0),
        judge: |_, o| {
            let mut verdict = Verdict::default();
            let by_other = o.each("iso-9", |o| by_shape(o, 1) * o.arrived() / 100.0);
            verdict.at_least("left by the other exit", least(&by_other), "%", 100.0);
            verdict
        },
    },
];

/// Six rooms of 4 × 4 m on each side of a corridor of 24 × 2 m with an exit at each end; people of the six western rooms are
/// told the west exit, the others the east one.
fn twelve_rooms() -> Draft {
    let mut draft = Draft::new("rimea-10", [28.0, 11.0])
        .goal("west", [0.0, 4.5, 0.5, 6.5])
        .goal("east", [27.5, 4.5, 28.0, 6.5])
        .walls([[0.0, 0.0, 2.0, 4.5], [26.0, 0.0, 28.0, 4.5], [0.0, 6.5, 2.0, 11.0], [26.0, 6.5, 28.0, 11.0]]);
    for k in 0..6u8 {
        let x = 2.0 + 4.0 * f32::from(k);
        // Doors of 1 m in the middle of each room's wall to the corridor; walls between rooms.
        for y in [4.3, 6.5] {
            draft = draft.walls([[x, y, x + 1.5, y + 0.2], [x + 2.5, y, x + 4.0, y + 0.2]]);
        }
        if k > 0 {
            draft = draft.walls([[x - 0.1, 0.0, x + 0.1, 4.3], [x - 0.1, 6.7, x + 0.1, 11.0]]);
        }
        let goal: &[&'static str] = if k < 3 { &["west"] } else { &["east"] };
        for (room, south) in [(2 * k, 0.8), (2 * k + 1, 7.5)] {
            // 23 in all: two in each room but the last.
            let count = if room == 11 { 1 } else { 2 };
            draft = draft.people(People::new(count, [x + 0.8, south, x + 3.2, south + 2.5]).to(goal));
        }
    }
    draft
}

/// Of all people, those who left by the exit of their group, per cent.
fn by_their_exit(outcome: &Outcome) -> f64 {
    // Groups 0 to 5 are in the three western pairs of rooms.
    let right = |j: &&throng::measure::watch::Journey| j.exit.is_some_and(|e| e.goal == u16::from(j.group >= 6));
    100.0 * outcome.watch.arrived.iter().filter(right).count() as f64 / outcome.people as f64
}

/// Of those who left, those who did by a shape of the goal, per cent.
fn by_shape(outcome: &Outcome, shape: u16) -> f64 {
    let all = &outcome.watch.arrived;
    let here = all.iter().filter(|j| j.exit.is_some_and(|e| e.shape == shape)).count();
    100.0 * here as f64 / all.len() as f64
}

fn two_doors() -> Draft {
    // The room is from 0 to 30 and from 2 to 22; doors in its south wall at 21 to 22 and 27 to 28.
    Draft::new("rimea-11", [30.0, 22.0])
        .walls([[0.0, 1.8, 21.0, 2.0], [22.0, 1.8, 27.0, 2.0], [28.0, 1.8, 30.0, 2.0]])
        .wall([24.4, 0.0, 24.6, 1.8])
        .goals_of("out", [Form::from([19.0, 0.0, 24.0, 0.5]), [25.0, 0.0, 30.0, 0.5].into()])
        .people(People::new(1000, [2.0, 4.0, 15.0, 20.0]).speed(1.33))
}

fn short_or_long() -> Draft {
    // A wall with a door of 1 m straight ahead, and a way of 3 m round its northern end.
    Draft::new("rimea-14", [30.0, 16.0])
        .walls([[14.0, 0.0, 14.3, 3.5], [14.0, 4.5, 14.3, 13.0]])
        .goal("out", [29.0, 0.0, 30.0, 8.0])
        .people(People::new(100, [1.0, 0.5, 10.0, 7.5]))
        .gate("short", 14.15, 3.5, 4.5)
        .gate("long", 14.15, 13.0, 16.0)
}

fn closing() -> Draft {
    Draft::new("iso-9", [20.0, 8.0])
        .walls([[17.0, 0.0, 17.2, 3.0], [17.0, 5.0, 17.2, 8.0], [3.0, 0.0, 3.2, 3.0], [3.0, 5.0, 3.2, 8.0]])
        .closes(1.0, "door", [17.0, 3.0, 17.2, 5.0])
        .goals_of("out", [Form::from([18.0, 3.0, 20.0, 5.0]), [0.0, 3.0, 2.0, 5.0].into()])
        .people(People::new(1, [12.0, 3.5, 13.0, 4.5]).speed(1.33))
}
