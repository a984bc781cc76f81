//! The scenes that every steering is put into.

use crate::data;
use crate::draft::{Draft, Form, People};
use crate::family::{density, openings, two_ways};
use crate::run::Outcome;

/// A scene that every steering is put into.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scene {
    /// What the table calls it.
    pub(super) title: &'static str,
    pub(super) draft: fn() -> Draft,
    /// How long it may take, s.
    pub(super) limit: f64,
    pub(super) asks: Asks,
}

/// What a scene is there for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Asks {
    /// Whether everybody arrives, and how.
    Arrivals,
    /// The same, and how many pass an opening of a width, m.
    Flow(f64),
    /// How fast people walk at a density, persons/m²; nobody ever arrives.
    Speed(f64),
}

impl Asks {
    /// The figure that is asked for, if it is one.
    pub(super) fn figure(self, o: &Outcome) -> Option<f64> {
        match self {
            Self::Arrivals => None,
            Self::Flow(width) => Some(o.flow("opening") / width),
            Self::Speed(_) => Some(density::ring_speed(o)),
        }
    }

    /// The same of crowds that were measured.
    pub(super) fn measured(self) -> f64 {
        match self {
            Self::Arrivals => f64::NAN,
            Self::Flow(width) => data::line_of_openings(width) / width,
            Self::Speed(density) => {
                let rows = data::row("speed", "closed loop 1.8 m");
                rows.into_iter().find(|m| (m.x - density).abs() < 1e-6).map_or(f64::NAN, |m| m.y)
            }
        }
    }
}

const fn arrivals(title: &'static str, limit: f64, draft: fn() -> Draft) -> Scene {
    Scene { title, draft, limit, asks: Asks::Arrivals }
}

const fn flow(title: &'static str, width: f64, draft: fn() -> Draft) -> Scene {
    Scene { title, draft, limit: 400.0, asks: Asks::Flow(width) }
}

const fn speed(title: &'static str, density: f64, draft: fn() -> Draft) -> Scene {
    Scene { title, draft, limit: density::RING_LIMIT, asks: Asks::Speed(density) }
}

pub(super) const SCENES: [Scene; 18] = [
    arrivals("two head-on in the open", 60.0, head_on),
    arrivals("two head-on in a corridor of 1.2 m", 60.0, two_ways::pair),
    arrivals("four in a cross", 60.0, cross),
    arrivals("100 on a circle of 40 m to their opposites", 200.0, || circle(40.0)),
    arrivals("100 on a circle of 30 m to their opposites", 200.0, || circle(30.0)),
    arrivals("100 across 100 at a right angle", 200.0, crossing),
    arrivals("500 against 500 in a corridor of 100 × 10 m", 400.0, corridor),
    arrivals("150 to a goal of 1 × 1 m and back", 300.0, packed),
    arrivals("60 against 60 through a door of 1 m", 300.0, || two_ways::door_draft(1.0)),
    arrivals("60 against 60 through a door of 2 m", 300.0, || two_ways::door_draft(2.0)),
    flow("150 through an opening of 0.8 m", 0.8, || openings::draft(0.8)),
    flow("150 through an opening of 1.2 m", 1.2, || openings::draft(1.2)),
    flow("150 through an opening of 2 m", 2.0, || openings::draft(2.0)),
    arrivals("160 into a corridor of 1.8 m through 1 m", 300.0, || density::draft([1.0, 1.8])),
    arrivals("160 out of a corridor of 1.8 m through 1 m", 300.0, || density::draft([1.8, 1.0])),
    speed("a ring of 26 × 2 m at 1 person/m²", 1.0, || density::ring(1.0)),
    speed("a ring of 26 × 2 m at 2 persons/m²", 2.0, || density::ring(2.0)),
    speed("a ring of 26 × 2 m at 3 persons/m²", 3.0, || density::ring(3.0)),
];

fn to_point(start: [f32; 2], end: [f32; 2]) -> People {
    let mut person = People::new(1, Form::Circle([start[0], start[1], 0.26])).speed(1.34);
    person.point = Some(end);
    person
}

fn head_on() -> Draft {
    let (west, east) = ([3.0, 4.0], [17.0, 4.0]);
    Draft::new("head-on", [20.0, 8.0]).people(to_point(west, east)).people(to_point(east, west))
}

fn cross() -> Draft {
    let ways = [[3.0, 10.0], [17.0, 10.0], [10.0, 3.0], [10.0, 17.0]];
    let opposite = |[x, y]: [f32; 2]| [20.0 - x, 20.0 - y];
    ways.into_iter().fold(Draft::new("cross", [20.0, 20.0]), |d, way| d.people(to_point(way, opposite(way))))
}

fn circle(across: f32) -> Draft {
    let size = across + 4.0;
    let mut draft = Draft::new(format!("circle-of-100-{across}"), [size; 2]);
    for k in 0..100 {
        let (sin, cos) = (std::f32::consts::TAU * k as f32 / 100.0).sin_cos();
        let at = |far: f32| [0.5 * size + far * cos, 0.5 * size + far * sin];
        draft = draft.people(to_point(at(0.5 * across), at(-0.5 * across)));
    }
    draft
}

fn crossing() -> Draft {
    Draft::new("crossing-streams", [30.0, 30.0])
        .goal("east", [29.0, 11.0, 30.0, 19.0])
        .goal("north", [11.0, 29.0, 19.0, 30.0])
        .people(People::new(100, [1.0, 12.0, 10.0, 18.0]).to(&["east"]))
        .people(People::new(100, [12.0, 1.0, 18.0, 10.0]).to(&["north"]))
}

fn corridor() -> Draft {
    let (starts, goals) =
        ([[5.0, 0.0, 30.0, 10.0], [70.0, 0.0, 95.0, 10.0]], [[98.0, 0.0, 100.0, 10.0], [0.0, 0.0, 2.0, 10.0]]);
    two_ways::changing("500-against-500".into(), [100.0, 10.0], starts, goals, [500; 2])
}

/// Everybody goes to a small goal, and out again through those who still come.
fn packed() -> Draft {
    Draft::new("packed-goal", [20.0, 20.0])
        .goal("goal", [9.5, 9.5, 10.5, 10.5])
        .goals_of("rim", [[0.0, 0.0, 20.0, 1.0].into(), [0.0, 19.0, 20.0, 20.0].into()])
        .people(People::new(150, [4.0, 4.0, 16.0, 16.0]).to(&["goal", "rim"]))
}
