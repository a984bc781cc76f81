//! Observers: what a run shows to somebody who looks at everybody again and again.

mod corridor;
mod crowd;
mod paths;
mod smoothness;
mod streams;
pub mod voronoi;

pub(crate) use corridor::Corridor;
pub(crate) use crowd::{Arch, Rim};
pub(crate) use paths::{Discomfort, Fastest, LeastSpeed, Path, Starts, Trespass};
pub(crate) use smoothness::Smoothness;
pub(crate) use streams::Lanes;

use throng::Vec2;
use throng::world::agents::Agents;

/// Lists of numbers by name.
pub(crate) type Seen = Vec<(&'static str, Vec<f64>)>;

/// Somebody who looks.
pub(crate) trait Observer: Send {
    /// Seconds from look to look; 0: after every step.
    fn every(&self) -> f64 {
        0.0
    }

    /// Everybody before the first step.
    fn begin(&mut self, _: &Agents) {}

    /// Everybody at a time, s.
    fn look(&mut self, agents: &Agents, time: f64);

    /// What it has seen.
    fn seen(self: Box<Self>) -> Seen;
}

/// Those on the floor, by their place in the columns.
fn on_floor(agents: &Agents) -> impl Iterator<Item = usize> + Clone + '_ {
    (0..agents.len()).filter(|&i| agents.state[i].on_floor())
}

/// Whether a point is in a rectangle: west, south, east, north.
fn within(p: Vec2, [w, s, e, n]: [f32; 4]) -> bool {
    (w..e).contains(&p.x) && (s..n).contains(&p.y)
}

/// A rectangle moved to the east and to the north.
pub(crate) fn moved([w, s, e, n]: [f32; 4], by: f32) -> [f32; 4] {
    [w + by, s + by, e + by, n + by]
}
