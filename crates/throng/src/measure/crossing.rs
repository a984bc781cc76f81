//! Flow through a line.

use crate::geometry::Segment;
use crate::world::agents::Agents;
use glam::Vec2;

/// A line that counts who crosses it, from its left to its right as seen from `a` to `b`.
#[derive(Clone, Debug)]
pub struct Gate {
    line: Segment,
    last: Vec<Option<Vec2>>,
    /// Times of crossing, s, one per person: the first.
    pub times: Vec<f64>,
    crossed: Vec<bool>,
}

impl Gate {
    /// A gate between two points.
    #[must_use]
    pub fn new(a: Vec2, b: Vec2) -> Self {
        Self { line: Segment::new(a, b), last: Vec::new(), times: Vec::new(), crossed: Vec::new() }
    }

    /// Looks at everybody at a time.
    pub fn look(&mut self, agents: &Agents, time: f64) {
        self.last.resize(agents.len(), None);
        self.crossed.resize(agents.len(), false);
        for i in 0..agents.len() {
            let id = agents.id[i] as usize;
            let now = agents.state[i].on_floor().then_some(agents.position[i]);
            if let (Some(p), Some(q)) = (self.last[id], now) {
                let rightwards = (self.line.b - self.line.a).perp_dot(q - p) < 0.0;
                if !self.crossed[id] && rightwards && self.line.crosses(p, q) {
                    self.crossed[id] = true;
                    self.times.push(time);
                }
            }
            self.last[id] = now;
        }
    }

    /// Persons per second over the middle 60 % of the crossings: `(n − 1) / Δt`. `None` with fewer than three of them.
    #[must_use]
    pub fn flow(&self) -> Option<f64> {
        let n = self.times.len();
        let middle = &self.times[n / 5..n - n / 5];
        let time = middle.last()? - middle.first()?;
        (middle.len() >= 3 && time > 0.0).then(|| (middle.len() - 1) as f64 / time)
    }
}
