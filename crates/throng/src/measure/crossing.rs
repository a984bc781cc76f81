//! Flow through a line.

use crate::geometry::Segment;
use crate::world::agents::Agents;
use glam::Vec2;
use std::collections::{HashMap, HashSet};

/// A line that counts who crosses it, from its left to its right as seen from `a` to `b`.
#[derive(Clone, Debug)]
pub struct Gate {
    line: Segment,
    /// By id, where somebody was at the last look; nobody who was not on the floor.
    last: HashMap<u32, Vec2>,
    /// Times of crossing, s, one per person: the first.
    pub times: Vec<f64>,
    crossed: HashSet<u32>,
}

impl Gate {
    /// A gate between two points.
    #[must_use]
    pub fn new(a: Vec2, b: Vec2) -> Self {
        Self { line: Segment::new(a, b), last: HashMap::new(), times: Vec::new(), crossed: HashSet::new() }
    }

    /// Looks at everybody at a time.
    pub fn look(&mut self, agents: &Agents, time: f64) {
        let mut now = HashMap::with_capacity(self.last.len());
        for i in (0..agents.len()).filter(|&i| agents.state[i].on_floor()) {
            let (id, q) = (agents.id[i], agents.position[i]);
            if let Some(&p) = self.last.get(&id) {
                let rightwards = (self.line.b - self.line.a).perp_dot(q - p) < 0.0;
                if rightwards && self.line.crosses(p, q) && self.crossed.insert(id) {
                    self.times.push(time);
                }
            }
            now.insert(id, q);
        }
        self.last = now;
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
