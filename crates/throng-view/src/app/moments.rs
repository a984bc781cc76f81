//! What the run comes to by itself: events of the scene, the end, a moment that was asked for.

use super::App;
use super::message::Weight;
use crate::overlay::{clock, grouped, people};
use crate::pace::{Stop, everybody_is_out};
use crate::shot::Shot;
use throng::Scene;
use throng::scene::{Change, Event};

/// What an event does, in words.
pub(super) fn words(scene: &Scene, event: &Event) -> String {
    let wall = |n: usize| match scene.map.walls.get(n).and_then(|w| w.name.as_ref()) {
        Some(name) => format!("\"{name}\""),
        None => format!("wall {n}"),
    };
    let group = |n: usize| scene.groups.get(n).map_or_else(String::new, |g| format!("\"{}\"", g.name));
    let goal = |n: usize| scene.goals.get(n).map_or_else(String::new, |g| format!("\"{}\"", g.name));
    let what = event.changes.iter().map(|change| match *change {
        Change::Close(n) => format!("{} closes", wall(n)),
        Change::Open(n) => format!("{} opens", wall(n)),
        Change::ZoneSpeed(n, speed) => format!("zone {n} has a speed factor of {speed}"),
        Change::Goal(n, true) => format!("the goal {} opens", goal(n)),
        Change::Goal(n, false) => format!("the goal {} closes", goal(n)),
        Change::Source(n, true) => format!("people of {} come in", group(n)),
        Change::Source(n, false) => format!("nobody of {} comes in any more", group(n)),
    });
    let what: Vec<String> = what.collect();
    match (&event.name, what.is_empty()) {
        (Some(name), true) => format!("event \"{name}\""),
        (Some(name), false) => format!("event \"{name}\": {}", what.join(", ")),
        (None, _) => format!("event: {}", what.join(", ")),
    }
}

impl App {
    /// Where the run stops by itself.
    pub(super) fn stop(&self) -> Stop {
        Stop { at_end: !self.past_end, at: self.run_to }
    }

    /// Takes note of what has happened between the last shot and this one.
    pub(super) fn note_moments(&mut self, shot: &Shot) {
        let before = std::mem::replace(&mut self.noted, shot.time);
        self.furthest = self.furthest.max(shot.time);
        // Whoever pauses on the way does not want to be there any more.
        if !self.running {
            (self.run_to, self.hurry) = (None, false);
        }
        if shot.time > before {
            let passed = |e: &&Event| (before..shot.time).contains(&f64::from(e.at));
            let lines: Vec<(f64, String)> =
                self.scene.events.iter().filter(passed).map(|e| (f64::from(e.at), words(&self.scene, e))).collect();
            for (at, line) in lines {
                self.push_log(false, at, line);
            }
        }
        let before = std::mem::replace(&mut self.displaced, shot.counters.displaced);
        match shot.counters.displaced.saturating_sub(before) {
            0 => {}
            1 => self.complain("1 person stood where a wall is now, and was put aside"),
            n => self.complain(format!("{} people stood where a wall is now, and were put aside", grouped(n))),
        }
        let out = everybody_is_out(&shot.counters);
        if !out {
            if self.ended {
                self.hush(Weight::Important);
            }
            (self.ended, self.past_end) = (false, false);
        } else if !self.ended {
            self.ended = true;
            self.running = false;
            let gone = people(shot.counters.parked);
            let text = format!("Everybody is out after {} ({gone})", clock(shot.cleared.unwrap_or(shot.time)));
            self.push_log(false, shot.time, text.clone());
            self.say(Weight::Important, format!("{text}. Run goes on all the same."));
        }
        if let Some(at) = self.run_to
            && shot.time >= at - 0.5 * f64::from(self.scene.dt)
        {
            (self.run_to, self.hurry, self.running) = (None, false, false);
        }
    }
}
