//! How far people have come who head for points: in a straight line, journey by journey. What of an unfinished one is behind counts too.

use crate::world::agents::Agents;
use glam::Vec2;

/// Progress of everybody towards points of their own, from looks at the crowd.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    /// By id: where somebody was at the last look, and the point that it headed for.
    last: Vec<Option<(Vec2, Vec2)>>,
    /// A journey ends so near to its point, m.
    within: f32,
    metres: f64,
    finished: u64,
}

impl Progress {
    /// Begins with a crowd whose journeys end so many metres from their points.
    #[must_use]
    pub fn new(agents: &Agents, within: f32) -> Self {
        let mut progress = Self { within, ..Self::default() };
        progress.look(agents);
        progress
    }

    /// Takes in where everybody is now. Between two looks nobody may finish more than one journey.
    pub fn look(&mut self, agents: &Agents) {
        for i in (0..agents.len()).filter(|&i| agents.state[i].on_floor()) {
            let Some(point) = agents.point(i) else { continue };
            let (id, at) = (agents.id[i] as usize, agents.position[i]);
            if self.last.len() <= id {
                self.last.resize(id + 1, None);
            }
            if let Some((from, old)) = self.last[id] {
                let mut way = from.distance(point);
                if old != point {
                    // It came as near to its point as it had to, and the next journey began there.
                    self.finished += 1;
                    let left = from.distance(old);
                    let end = from.lerp(old, (1.0 - self.within / left.max(self.within)).max(0.0));
                    way = from.distance(end) + end.distance(point);
                }
                self.metres += f64::from(way - at.distance(point));
            }
            self.last[id] = Some((at, point));
        }
    }

    /// Straight metres of all finished journeys, and what is behind of the others.
    #[must_use]
    pub fn metres(&self) -> f64 {
        self.metres
    }

    /// Journeys that were finished.
    #[must_use]
    pub fn finished(&self) -> u64 {
        self.finished
    }
}
