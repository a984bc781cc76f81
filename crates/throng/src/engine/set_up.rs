//! How long the parts of setting a scene up take.

use std::time::Instant;

/// Times one part after the other.
#[derive(Debug)]
pub(crate) struct Stopwatch {
    since: Instant,
    parts: Vec<(&'static str, f64)>,
}

impl Stopwatch {
    pub(crate) fn start() -> Self {
        Self { since: Instant::now(), parts: Vec::new() }
    }

    /// The part of this name ends now, and the next one begins.
    pub(crate) fn lap(&mut self, part: &'static str) {
        let now = Instant::now();
        self.parts.push((part, (now - self.since).as_secs_f64() * 1e3));
        self.since = now;
    }

    /// The parts so far, in order, and the milliseconds that each took.
    pub(crate) fn parts(&self) -> &[(&'static str, f64)] {
        &self.parts
    }
}

#[cfg(test)]
mod tests {
    use crate::Simulation;
    use crate::scene::Scene;
    use std::time::Instant;

    #[test]
    fn an_engine_tells_where_the_time_of_setting_up_went() {
        let start = Instant::now();
        let sim = Simulation::new(&Scene::built_in("office").expect("a built-in scene")).unwrap();
        let all = start.elapsed().as_secs_f64() * 1e3;
        let parts = sim.engine().set_up_ms();
        assert_eq!(parts.iter().map(|p| p.0).collect::<Vec<_>>(), ["world", "people", "fields"]);
        let sum: f64 = parts.iter().map(|p| p.1).sum();
        assert!(parts.iter().all(|p| p.1 > 0.0) && sum <= all, "{parts:?} of {all} ms");
    }
}
