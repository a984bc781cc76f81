//! Worlds at the edge of what a scene may say, and laws that every run keeps.

mod laws;
mod sizes;
mod times;

use throng::engine::Counters;
use throng::geometry::{Rect, Shape};
use throng::random::Purpose;
use throng::scene::NoFiles;
use throng::world::agents::State;
use throng::{Scene, Simulation, Vec2};

fn scene(text: &str) -> Scene {
    Scene::parse("edge.toml", text, &NoFiles).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// A run that is checked after every step.
struct Run {
    sim: Simulation,
    total: u64,
}

impl Run {
    fn of(text: &str) -> Self {
        Self::new(&scene(text))
    }

    fn new(scene: &Scene) -> Self {
        let sim = Simulation::new(scene).unwrap_or_else(|e| panic!("{e}\n{}", scene.source().text));
        let run = Self { sim, total: scene.agent_count() };
        run.check();
        run
    }

    fn check(&self) {
        let c = self.sim.counters();
        let step = c.steps;
        assert_eq!(c.active + c.outside + c.parked, self.total, "agents are lost or won in step {step}: {c:?}");
        assert_eq!(c.in_wall, 0, "in a wall after step {step}");
        assert_eq!(c.not_finite, 0, "not finite after step {step}");
    }

    fn step(&mut self) -> Counters {
        self.sim.step().expect("the CPU does not fail");
        self.check();
        self.sim.counters()
    }

    fn steps(&mut self, n: usize) -> Counters {
        for _ in 0..n {
            self.step();
        }
        // The counters keep their own books: they must agree with the agents themselves.
        let agents = self.sim.agents().unwrap();
        assert_eq!(agents.len() as u64, self.total);
        let count = |f: fn(State) -> bool| agents.state.iter().filter(|s| f(**s)).count() as u64;
        let c = self.sim.counters();
        assert_eq!(count(State::on_floor), c.active);
        assert_eq!(count(|s| s == State::Outside), c.outside);
        assert_eq!(count(|s| s == State::Parked), c.parked);
        c
    }

    /// Goes on until everybody has left, and returns the time.
    fn until_done(&mut self, at_most: f64) -> f64 {
        while !self.sim.is_done() {
            assert!(self.sim.time() < at_most, "not done after {at_most} s: {:?}", self.sim.counters());
            self.step();
        }
        self.steps(3);
        self.sim.time()
    }

    /// The place of the agent with this id, if it is on the floor.
    fn place(&mut self, id: u32) -> Option<Vec2> {
        self.sim.positions().unwrap().iter().find(|(i, _)| *i == id).map(|(_, p)| *p)
    }

    /// When agent 0 has walked `metres` along a direction, to a fraction of a step.
    fn time_of(&mut self, metres: f32, along: Vec2) -> f64 {
        let start = self.place(0).expect("it is on the floor").dot(along);
        let mut before = 0.0;
        loop {
            self.step();
            let now = self.place(0).expect("it is on the floor").dot(along) - start;
            if now >= metres {
                let part = f64::from((now - metres) / (now - before));
                return self.sim.time() - part * f64::from(self.sim.scene().dt);
            }
            before = now;
            assert!(self.sim.time() < 600.0, "only {now} m of {metres} m");
        }
    }
}

/// A start so small that an agent placed at random stands just there.
fn spot(x: f32, y: f32) -> String {
    format!("{{ rect = [{x}, {y}, {}, {}] }}", x + 0.001, y + 0.001)
}
