//! A line for a person who watches, nothing for a file or a pipe.

use crate::out::{grouped, people, span};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Columns of a terminal that does not say how many it has: narrow ones have so many.
const COLUMNS: usize = 60;
/// The longest bar.
const LONGEST_BAR: usize = 32;
/// A shorter bar tells nothing.
const SHORTEST_BAR: usize = 4;

/// Whether somebody waits already.
static WAITS: AtomicBool = AtomicBool::new(false);

/// Says after two seconds that something goes on that has no number of steps, until it is dropped.
pub(crate) struct Waiting {
    over: Option<std::sync::mpsc::Sender<()>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Waiting {
    /// For a person who watches.
    pub(crate) fn for_(what: &'static str) -> Self {
        // One line at a time, the first that waits.
        if !std::io::stderr().is_terminal() || WAITS.swap(true, Ordering::Relaxed) {
            return Self { over: None, thread: None };
        }
        let (over, is_over) = std::sync::mpsc::channel::<()>();
        let watch = move || {
            let started = Instant::now();
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
            if let Ok(style) = ProgressStyle::with_template("{wide_msg}") {
                bar.set_style(style);
            }
            let mut wait = std::time::Duration::from_secs(2);
            // It ends when the sender goes.
            while is_over.recv_timeout(wait) == Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
                bar.set_message(format!("{what}, {} so far", span(started.elapsed().as_secs_f64())));
                bar.tick();
                wait = std::time::Duration::from_millis(500);
            }
            bar.finish_and_clear();
        };
        // Without a thread there is no line.
        let thread = std::thread::Builder::new().name("waiting".into()).spawn(watch).ok();
        Self { over: Some(over), thread }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        let Some(over) = self.over.take() else { return };
        drop(over);
        // Its line is gone before anything else is said.
        let _ = self.thread.take().map(std::thread::JoinHandle::join);
        WAITS.store(false, Ordering::Relaxed);
    }
}

/// Shows how a run goes on.
pub(crate) struct Progress {
    bar: ProgressBar,
    unit: String,
    columns: usize,
    length: u64,
    started: Instant,
    last: Instant,
    steps: u64,
}

impl Progress {
    /// A bar of `length` units (steps, or people who have to leave); hidden if asked or nobody watches.
    pub(crate) fn new(length: u64, unit: &str, hidden: bool) -> Self {
        let watched = std::io::stderr().is_terminal() && !hidden;
        let target = if watched { ProgressDrawTarget::stderr_with_hz(10) } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(None, target);
        // Where the terminal is narrower than it says the line is cut, not wrapped.
        if let Ok(style) = ProgressStyle::with_template("{wide_msg}") {
            bar.set_style(style);
        }
        let columns = std::env::var("COLUMNS").ok().and_then(|c| c.parse().ok()).unwrap_or(COLUMNS);
        Self { bar, unit: unit.to_owned(), columns, length, started: Instant::now(), last: Instant::now(), steps: 0 }
    }

    /// After so many steps more: how far, the simulated time and who is left.
    pub(crate) fn step(&mut self, steps: u64, position: u64, time: f64, left: u64) {
        self.steps += steps;
        if self.bar.is_hidden() || self.last.elapsed().as_millis() < 100 {
            return;
        }
        self.last = Instant::now();
        let elapsed = self.started.elapsed().as_secs_f64();
        let now = Now { position, length: self.length, unit: &self.unit, time, left, steps: self.steps, elapsed };
        self.bar.set_message(now.line(self.columns));
    }

    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// How far it is.
#[derive(Clone, Copy)]
struct Now<'a> {
    position: u64,
    length: u64,
    unit: &'a str,
    /// Simulated, s.
    time: f64,
    left: u64,
    steps: u64,
    /// Real, s.
    elapsed: f64,
}

impl Now<'_> {
    /// A line that leaves the last column free: what matters most, as much of the rest as there is room for, each whole and with
    /// what it is, and a bar in what remains.
    fn line(self, columns: usize) -> String {
        let room = columns.saturating_sub(1);
        let share = if self.length == 0 { 1.0 } else { (self.position as f64 / self.length as f64).min(1.0) };
        let rate = self.steps as f64 / self.elapsed.max(1e-3);
        let rate = if rate < 10.0 { format!("{rate:.1}") } else { grouped(rate.round() as u64) };
        let (position, length) = (grouped(self.position), grouped(self.length));
        let pieces = [
            format!("t = {:.1} s", self.time),
            format!("{} left", people(self.left)),
            format!("{rate} steps/s"),
            format!("{position} of {length} {}", self.unit),
            format!("{} so far", span(self.elapsed)),
        ];
        let mut line = format!("{:.0} %", (100.0 * share).floor());
        for piece in pieces {
            let longer = format!("{line}, {piece}");
            if longer.chars().count() <= room {
                line = longer;
            }
        }
        let bar = room.saturating_sub(line.chars().count() + 1).min(LONGEST_BAR);
        if bar >= SHORTEST_BAR { format!("{} {line}", blocks(share, bar)) } else { line }
    }
}

/// A bar of so many columns, in eighths of one.
fn blocks(share: f64, columns: usize) -> String {
    const PARTS: [char; 8] = ['·', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
    let eighths = (share * 8.0 * columns as f64).floor() as usize;
    let (full, part) = (eighths / 8, eighths % 8);
    let bar = std::iter::repeat_n('█', full).chain([PARTS[part]]).chain(std::iter::repeat('·'));
    bar.take(columns).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const OFFICE: Now<'_> =
        Now { position: 415, length: 4096, unit: "arrived", time: 20.0, left: 3681, steps: 500, elapsed: 8.4 };
    const LONG: Now<'_> = Now {
        position: 123_456_789,
        length: 1_000_000_000,
        unit: "steps",
        time: 4_938_271.56,
        left: 10_048_576,
        steps: 123_456_789,
        elapsed: 86_400.0,
    };

    #[test]
    fn the_line_fits_and_its_numbers_say_what_they_are() {
        let at = |columns: usize| OFFICE.line(columns);
        assert_eq!(at(20), "10 %, t = 20.0 s");
        assert_eq!(at(40), "10 %, t = 20.0 s, 3,681 people left");
        assert_eq!(at(60), "█·········· 10 %, t = 20.0 s, 3,681 people left, 60 steps/s");
        assert_eq!(at(80), "▉········ 10 %, t = 20.0 s, 3,681 people left, 60 steps/s, 415 of 4,096 arrived");
        let bar = "███▏····························";
        let words = "10 %, t = 20.0 s, 3,681 people left, 60 steps/s, 415 of 4,096 arrived, 8.4 s so far";
        assert_eq!(at(120), format!("{bar} {words}"));
    }

    #[test]
    fn nothing_is_cut_at_any_width() {
        for now in [OFFICE, LONG, Now { length: 0, position: 0, left: 1, elapsed: 0.0, ..OFFICE }] {
            for columns in 10..200 {
                let line = now.line(columns);
                assert!(line.chars().count() < columns, "{columns}: {line}");
                let words = line.trim_start_matches(|c: char| "█▉▊▋▌▍▎▏· ".contains(c));
                for piece in words.split(", ") {
                    let whole = piece.ends_with(" %")
                        || ["t = ", " left", "steps/s", " of ", " so far"].iter().any(|mark| piece.contains(mark));
                    assert!(whole, "{columns}: {piece}");
                }
            }
        }
        assert!(LONG.line(60).contains("10,048,576 people left"), "{}", LONG.line(60));
    }

    #[test]
    fn bars_grow_to_their_end() {
        assert_eq!([0.0, 0.5, 1.0].map(|share| blocks(share, 4)), ["····", "██··", "████"]);
        assert_eq!(blocks(0.3, 5), "█▌···");
    }
}
