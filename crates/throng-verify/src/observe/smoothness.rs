//! How straight people's ways are, and how long they take.

use super::{Observer, Seen, on_floor};
use throng::Vec2;
use throng::world::agents::Agents;

/// A way is a line through places this far apart, m: what happens within is swaying, not turning.
const SPACING: f32 = 0.1;

/// One person's way.
#[derive(Clone, Copy)]
struct Way {
    start: Vec2,
    /// The last corner of the line, and where the line went there.
    corner: Vec2,
    direction: Vec2,
    /// Where it was last seen, and when.
    place: Vec2,
    time: f64,
    length: f64,
    turned: f64,
    preferred: f32,
    goes: bool,
}

/// Everybody's way, from the start to where it leaves.
#[derive(Default)]
pub(crate) struct Smoothness {
    ways: Vec<Way>,
    /// Persons on the floor, summed over steps.
    person_steps: f64,
}

impl Observer for Smoothness {
    fn begin(&mut self, agents: &Agents) {
        let nobody = Way {
            start: Vec2::ZERO,
            corner: Vec2::ZERO,
            direction: Vec2::ZERO,
            place: Vec2::ZERO,
            time: 0.0,
            length: 0.0,
            turned: 0.0,
            preferred: 1.0,
            goes: false,
        };
        self.ways = vec![nobody; agents.len()];
        for i in on_floor(agents) {
            let (p, preferred) = (agents.position[i], agents.preferred[i]);
            self.ways[agents.id[i] as usize] = Way { start: p, corner: p, place: p, preferred, goes: true, ..nobody };
        }
    }

    fn look(&mut self, agents: &Agents, time: f64) {
        for i in on_floor(agents) {
            self.person_steps += 1.0;
            let way = &mut self.ways[agents.id[i] as usize];
            (way.place, way.time) = (agents.position[i], time);
            let on = way.place - way.corner;
            if on.length() >= SPACING {
                let direction = on.normalize();
                if way.direction != Vec2::ZERO {
                    way.turned += f64::from(way.direction.angle_to(direction).abs().to_degrees());
                }
                way.length += f64::from(on.length());
                (way.corner, way.direction) = (way.place, direction);
            }
        }
    }

    fn seen(self: Box<Self>) -> Seen {
        let walked = || self.ways.iter().filter(|w| w.goes);
        let sum = |value: fn(&Way) -> f64| walked().map(value).sum::<f64>();
        let straight = |w: &Way| f64::from(w.start.distance(w.place) / w.preferred);
        vec![
            ("degrees per metre", vec![sum(|w| w.turned) / sum(|w| w.length).max(1e-9)]),
            ("over straight", walked().map(|w| w.time / straight(w).max(1e-9)).collect()),
            ("person-steps", vec![self.person_steps]),
        ]
    }
}
