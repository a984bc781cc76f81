//! The shapes of crowds: the arch before an opening, and the rim of a stream.

use super::{Observer, Seen, on_floor};
use throng::Vec2;
use throng::world::agents::Agents;

/// The crowd before an opening in a wall along y, while it is neither whole nor nearly gone.
pub(crate) struct Arch {
    /// The middle of the opening; the crowd is west of it.
    door: Vec2,
    /// It is looked at while so many are west of the door.
    people: std::ops::Range<usize>,
    /// Sums of x² and y² from the door.
    depth: f64,
    width: f64,
    /// Persons within 0.6 to 2 m of the door, by third of the half-circle from south to north.
    sectors: [f64; 3],
    /// Sums of y² beyond the door, and of people: just behind it, and 3 m on.
    beyond: [(f64, f64); 2],
    looks: f64,
}

impl Arch {
    /// Watches before and behind a door.
    pub(crate) fn new(door: [f32; 2], people: std::ops::Range<usize>) -> Self {
        let beyond = [(0.0, 0.0); 2];
        Self { door: door.into(), people, depth: 0.0, width: 0.0, sectors: [0.0; 3], beyond, looks: 0.0 }
    }
}

impl Observer for Arch {
    fn every(&self) -> f64 {
        0.4
    }

    fn look(&mut self, agents: &Agents, _: f64) {
        let from_door: Vec<Vec2> = on_floor(agents).map(|i| agents.position[i] - self.door).collect();
        let before = from_door.iter().filter(|d| d.x < 0.0);
        if !self.people.contains(&before.clone().count()) {
            return;
        }
        self.looks += 1.0;
        for d in before {
            self.depth += f64::from(d.x * d.x);
            self.width += f64::from(d.y * d.y);
            if (0.6..2.0).contains(&d.length()) {
                let angle = d.y.atan2(-d.x) / std::f32::consts::PI + 0.5;
                self.sectors[((3.0 * angle) as usize).min(2)] += 1.0;
            }
        }
        for d in from_door.iter().filter(|d| d.x > 0.0) {
            let place = [0.2..0.8, 2.7..3.3].iter().position(|range| range.contains(&d.x));
            if let Some(place) = place {
                self.beyond[place].0 += f64::from(d.y * d.y);
                self.beyond[place].1 += 1.0;
            }
        }
    }

    fn seen(self: Box<Self>) -> Seen {
        let third = std::f64::consts::PI / 6.0 * (4.0 - 0.36);
        let width = |(squares, n): (f64, f64)| (squares / n).sqrt();
        vec![
            ("depth over half-width", vec![(self.depth / self.width).sqrt()]),
            ("density by direction", self.sectors.iter().map(|n| n / self.looks / third).collect()),
            ("spread beyond", vec![width(self.beyond[1]) / width(self.beyond[0])]),
        ]
    }
}

/// The rim of a stream that walks east on open ground: of those who are neither first nor last, how fast the outer quarter on
/// each side and the inner half are.
#[derive(Default)]
pub(crate) struct Rim {
    rim: (f64, f64),
    middle: (f64, f64),
}

impl Observer for Rim {
    fn every(&self) -> f64 {
        0.4
    }

    fn look(&mut self, agents: &Agents, time: f64) {
        if !(4.0..12.0).contains(&time) {
            return;
        }
        let mut all: Vec<(Vec2, f64)> =
            on_floor(agents).map(|i| (agents.position[i], f64::from(agents.velocity[i].x))).collect();
        all.sort_by(|a, b| a.0.x.total_cmp(&b.0.x));
        let n = all.len();
        let mut inner: Vec<(Vec2, f64)> = all[n / 4..n - n / 4].to_vec();
        inner.sort_by(|a, b| a.0.y.total_cmp(&b.0.y));
        let outer = inner.len() / 4;
        for (rank, (_, speed)) in inner.iter().enumerate() {
            let is_rim = rank < outer || rank >= inner.len() - outer;
            let sum = if is_rim { &mut self.rim } else { &mut self.middle };
            *sum = (sum.0 + speed, sum.1 + 1.0);
        }
    }

    fn seen(self: Box<Self>) -> Seen {
        vec![("rim", vec![self.rim.0 / self.rim.1]), ("middle", vec![self.middle.0 / self.middle.1])]
    }
}
