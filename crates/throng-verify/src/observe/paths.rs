//! What single people do: when they set out, how fast they are, where they are.

use super::{Observer, Seen, on_floor, within};
use throng::Vec2;
use throng::world::agents::Agents;

/// When each person sets out, by id: the first time that it is 2 cm from its start.
#[derive(Default)]
pub(crate) struct Starts {
    from: Vec<Vec2>,
    at: Vec<f64>,
}

impl Observer for Starts {
    fn begin(&mut self, agents: &Agents) {
        self.from = vec![Vec2::ZERO; agents.len()];
        self.at = vec![f64::NAN; agents.len()];
        for i in 0..agents.len() {
            self.from[agents.id[i] as usize] = agents.position[i];
        }
    }

    fn look(&mut self, agents: &Agents, time: f64) {
        for i in on_floor(agents) {
            let id = agents.id[i] as usize;
            if self.at[id].is_nan() && agents.position[i].distance(self.from[id]) > 0.02 {
                self.at[id] = time;
            }
        }
    }

    fn seen(self: Box<Self>) -> Seen {
        vec![("start", self.at)]
    }
}

/// How far each person comes in its fastest second, by id, and its group.
#[derive(Default)]
pub(crate) struct Fastest {
    last: Vec<Option<Vec2>>,
    speed: Vec<f64>,
    group: Vec<f64>,
}

impl Observer for Fastest {
    fn every(&self) -> f64 {
        1.0
    }

    fn begin(&mut self, agents: &Agents) {
        self.last = vec![None; agents.len()];
        self.speed = vec![0.0; agents.len()];
        self.group = vec![0.0; agents.len()];
    }

    fn look(&mut self, agents: &Agents, _: f64) {
        let mut now = vec![None; self.last.len()];
        for i in on_floor(agents) {
            let id = agents.id[i] as usize;
            if let Some(before) = self.last[id] {
                self.speed[id] = self.speed[id].max(f64::from(before.distance(agents.position[i])));
            }
            self.group[id] = f64::from(agents.group[i]);
            now[id] = Some(agents.position[i]);
        }
        self.last = now;
    }

    fn seen(self: Box<Self>) -> Seen {
        vec![("speed", self.speed), ("group", self.group)]
    }
}

/// The least share of its preferred speed that anybody has, from the first second on.
pub(crate) struct LeastSpeed(f64);

impl LeastSpeed {
    /// Has seen nobody.
    pub(crate) fn new() -> Self {
        Self(f64::INFINITY)
    }
}

impl Observer for LeastSpeed {
    fn look(&mut self, agents: &Agents, time: f64) {
        for i in on_floor(agents).filter(|_| time > 1.0) {
            self.0 = self.0.min(f64::from(agents.velocity[i].length() / agents.preferred[i]));
        }
    }

    fn seen(self: Box<Self>) -> Seen {
        vec![("least", vec![self.0])]
    }
}

/// How often anybody's centre was where nobody may be.
pub(crate) struct Trespass {
    forbidden: Vec<[f32; 4]>,
    found: u32,
}

impl Trespass {
    /// Watches these rectangles.
    pub(crate) fn new(forbidden: &[[f32; 4]]) -> Self {
        Self { forbidden: forbidden.to_vec(), found: 0 }
    }
}

impl Observer for Trespass {
    fn look(&mut self, agents: &Agents, _: f64) {
        let inside = |&i: &usize| self.forbidden.iter().any(|&r| within(agents.position[i], r));
        self.found += on_floor(agents).filter(inside).count() as u32;
    }

    fn seen(self: Box<Self>) -> Seen {
        vec![("found", vec![f64::from(self.found)])]
    }
}

/// Where the person with id 0 is, after every step.
#[derive(Default)]
pub(crate) struct Path {
    x: Vec<f64>,
    y: Vec<f64>,
}

impl Observer for Path {
    fn look(&mut self, agents: &Agents, _: f64) {
        if let Some(i) = on_floor(agents).find(|&i| agents.id[i] == 0) {
            self.x.push(agents.position[i].x.into());
            self.y.push(agents.position[i].y.into());
        }
    }

    fn seen(self: Box<Self>) -> Seen {
        vec![("x", self.x), ("y", self.y)]
    }
}

/// How much discomfort everybody met in all: person-seconds in a rectangle, times its value.
pub(crate) struct Discomfort {
    rect: [f32; 4],
    value: f64,
    met: f64,
}

impl Discomfort {
    /// Watches a rectangle of uncomfortable ground.
    pub(crate) fn new(rect: [f32; 4], value: f64) -> Self {
        Self { rect, value, met: 0.0 }
    }
}

impl Observer for Discomfort {
    fn every(&self) -> f64 {
        0.2
    }

    fn look(&mut self, agents: &Agents, _: f64) {
        let inside = on_floor(agents).filter(|&i| within(agents.position[i], self.rect)).count();
        self.met += inside as f64 * self.value * self.every();
    }

    fn seen(self: Box<Self>) -> Seen {
        vec![("met", vec![self.met])]
    }
}
