//! The page: tables of all tests, and the plots.

use super::plots::Plot;
use crate::catalogue::Family;
use crate::schedule::{Finding, Findings};
use crate::settings::Settings;
use crate::verdict::{Figure, Status, significant};

/// A cell of a table: no line ends in it, and no bars.
fn cell(text: &str) -> String {
    text.replace('\n', " ").replace('|', "/")
}

fn figure(f: &Figure) -> String {
    let value = format!("{} {}", significant(f.value), f.unit).trim_end().to_owned();
    let value = if f.holds() == Some(false) { format!("**{value}**") } else { value };
    let bound = f.bound();
    let bound = if bound.is_empty() { bound } else { format!(" ({bound})") };
    cell(&format!("{}: {value}{bound}", f.name))
}

fn row(f: &Finding) -> String {
    let status = match f.status {
        Status::Fail => "**fail**",
        other => other.word(),
    };
    let figures: Vec<String> = f.verdict.figures.iter().map(figure).collect();
    let test = f.test;
    format!("| `{}` | {} | {} | {status} | {} |\n", test.id, cell(test.title), cell(test.criterion), figures.join("; "))
}

/// The page in Markdown. `images` is the folder of the plots, as links name it.
#[must_use]
pub fn page(settings: &Settings, findings: &Findings, plots: &[Plot], images: &str) -> String {
    let seeds = if settings.seeds == 1 { "one seed".into() } else { format!("{} seeds", settings.seeds) };
    let word = |word: &Option<String>| word.as_ref().map_or_else(|| "default".to_owned(), |w| format!("`{w}`"));
    let mut o = format!(
        "Throng {}, engine `{}`, {seeds}, cells of {} m and steps of {} s where a test does not say otherwise, plan {}, steering {}{}; \
         {} runs. Values out of bounds are **bold**.\n",
        env!("CARGO_PKG_VERSION"),
        settings.engine(),
        settings.cell,
        settings.dt,
        word(&settings.plan),
        word(&settings.steer),
        settings.set.iter().map(|(k, v)| format!(", `{k} = {v}`")).collect::<String>(),
        findings.outcomes.len()
    );
    for family in Family::ALL {
        let mine: Vec<&Finding> = findings.tests.iter().filter(|f| f.test.family == family).collect();
        if mine.is_empty() {
            continue;
        }
        let seconds: f64 = mine.iter().map(|f| f.seconds).sum();
        o += &format!("\n### {}\n\n", family.title());
        o += "| test | what | criterion | status | measured (bound) |\n|---|---|---|---|---|\n";
        o += &mine.iter().map(|f| row(f)).collect::<String>();
        for f in mine.iter().filter(|f| !f.verdict.note.is_empty()) {
            o += &format!("\n`{}`: {}.\n", f.test.id, f.verdict.note.trim_end_matches('.'));
        }
        o += &format!("\nThe runs of this family took {seconds:.0} s, one after the other.\n");
    }
    if !plots.is_empty() {
        o += "\n### Plots\n";
    }
    for plot in plots {
        o += &format!("\n![{}]({images}/{})\n\n*{}*\n", plot.chart.title, plot.file, plot.caption);
    }
    let failed: Vec<&Finding> = findings.tests.iter().filter(|f| f.status == Status::Fail).collect();
    let known: Vec<&Finding> = findings.tests.iter().filter(|f| f.status == Status::ExpectedFail).collect();
    if !failed.is_empty() || !known.is_empty() {
        o += "\n### Out of bounds\n\n";
    }
    for f in failed.into_iter().chain(known) {
        let out: Vec<String> = f.verdict.figures.iter().filter(|v| v.holds() == Some(false)).map(figure).collect();
        let what = if out.is_empty() { f.verdict.note.clone() } else { out.join("; ") };
        o += &format!("- `{}` ({}): {what}\n", f.test.id, f.status.word());
    }
    o
}
