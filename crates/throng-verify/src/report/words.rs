//! For somebody at a terminal.

use crate::catalogue::{Family, Test};
use crate::schedule::{Finding, Findings};
use crate::settings::Settings;
use crate::verdict::{Figure, Status, significant};

/// The tests by family, with what each asks.
#[must_use]
pub fn list(tests: &[&'static Test]) -> String {
    let mut o = String::new();
    for family in Family::ALL {
        let mine: Vec<_> = tests.iter().filter(|t| t.family == family).collect();
        if !mine.is_empty() {
            o += &format!("{} ({})\n", family.title(), family.word());
        }
        for test in mine {
            o += &format!("  {:11} {}\n{:14}{}\n{:14}{}\n", test.id, test.title, "", test.criterion, "", test.source);
        }
    }
    o
}

/// A figure with its unit and bound.
fn figure(f: &Figure) -> String {
    let value = format!("{} {}", significant(f.value), f.unit);
    let bound = if f.bound().is_empty() { String::new() } else { format!(" ({})", f.bound()) };
    let mark = if f.holds() == Some(false) { "✗ " } else { "" };
    format!("{mark}{}: {}{bound}", f.name, value.trim_end())
}

fn finding(f: &Finding) -> String {
    let mut o = format!("{:13} {:11} {}\n", f.status.word(), f.test.id, f.test.title);
    for each in &f.verdict.figures {
        o += &format!("{:26}{}\n", "", figure(each));
    }
    if !f.verdict.note.is_empty() {
        o += &format!("{:26}{}\n", "", f.verdict.note);
    }
    o
}

/// Everything that was found.
#[must_use]
pub fn text(settings: &Settings, findings: &Findings) -> String {
    let mut o = String::new();
    for family in Family::ALL {
        let mine: Vec<_> = findings.tests.iter().filter(|f| f.test.family == family).collect();
        if !mine.is_empty() {
            o += &format!("{}\n", family.title());
        }
        o += &mine.into_iter().map(finding).collect::<String>();
    }
    o + &summary(settings, findings)
}

/// How many tests ended how, and what is missing.
#[must_use]
pub fn summary(settings: &Settings, findings: &Findings) -> String {
    let count = |s: Status| findings.tests.iter().filter(|f| f.status == s).count();
    let mut o = format!("{} passed, {} failed", count(Status::Pass), count(Status::Fail));
    for (status, words) in [(Status::ExpectedFail, "failed as expected"), (Status::Documented, "documented")] {
        if count(status) > 0 {
            o += &format!(", {} {words}", count(status));
        }
    }
    let seeds = if settings.seeds == 1 { "1 seed".into() } else { format!("{} seeds", settings.seeds) };
    let (runs, cell, dt) = (findings.outcomes.len(), settings.cell, settings.dt);
    o += &format!(" (on {}, {seeds}, cells of {cell} m, steps of {dt} s, {runs} runs)\n", settings.engine());
    if !findings.unfinished.is_empty() {
        o += &format!("not finished: {}\n", findings.unfinished.join(", "));
    }
    o
}
