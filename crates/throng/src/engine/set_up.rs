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
