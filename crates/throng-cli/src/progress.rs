//! A bar for a person who watches, nothing for a file or a pipe.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::Instant;

/// Shows how a run goes on.
pub(crate) struct Progress {
    bar: ProgressBar,
    started: Instant,
    last: Instant,
    steps: u64,
}

impl Progress {
    /// A bar of `length` units (steps, or people who have to leave); hidden if asked or nobody watches.
    pub(crate) fn new(length: u64, unit: &str, hidden: bool) -> Self {
        let watched = std::io::stderr().is_terminal() && !hidden;
        let target = if watched { ProgressDrawTarget::stderr_with_hz(10) } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(length), target);
        let template = format!("{{bar:32}} {{pos}}/{{len}} {unit}  {{msg}}  {{elapsed}}");
        if let Ok(style) = ProgressStyle::with_template(&template) {
            bar.set_style(style.progress_chars("█▉▊▋▌▍▎▏ "));
        }
        Self { bar, started: Instant::now(), last: Instant::now(), steps: 0 }
    }

    /// After so many steps more: how far, the simulated time and who is left.
    pub(crate) fn step(&mut self, steps: u64, position: u64, time: f64, left: u64) {
        self.steps += steps;
        if self.bar.is_hidden() || self.last.elapsed().as_millis() < 100 {
            return;
        }
        self.last = Instant::now();
        let rate = self.steps as f64 / self.started.elapsed().as_secs_f64();
        self.bar.set_position(position);
        self.bar.set_message(format!("t = {time:.1} s, {rate:.0} steps/s, {} left", crate::out::people(left)));
    }

    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
