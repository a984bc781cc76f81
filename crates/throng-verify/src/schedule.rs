//! Which runs the chosen tests need, and who does them when.

use crate::catalogue::Test;
use crate::run::{Outcome, Outcomes, Run, RunError};
use crate::settings::{Place, Settings};
use crate::verdict::{Status, Verdict};
use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// By run: nothing if it was never begun, and no outcome if it was stopped.
pub(crate) type Results = Vec<Option<Result<Option<Outcome>, RunError>>>;

/// What happens meanwhile.
pub trait Progress: Sync {
    /// A run begins.
    fn begins(&self, run: &Run);
    /// A run has ended.
    fn ended(&self, run: &Run);
}

/// Nobody watches.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl Progress for Unwatched {
    fn begins(&self, _: &Run) {}
    fn ended(&self, _: &Run) {}
}

/// The tests that were chosen, and their runs, each once.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// In the order of reports.
    pub tests: Vec<&'static Test>,
    /// In the order in which the tests ask for them.
    pub runs: Vec<Run>,
    /// By test, which runs it asks for.
    asked: Vec<Vec<usize>>,
}

/// What one test gave.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Which test.
    pub test: &'static Test,
    /// What it found.
    pub verdict: Verdict,
    /// How it ended.
    pub status: Status,
    /// How long its runs took, s. A run that several tests share counts in the one with the fewest.
    pub seconds: f64,
    /// How many runs it had.
    pub runs: usize,
}

/// What all of them gave.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// By test, those that were finished.
    pub tests: Vec<Finding>,
    /// Ids of tests that were not, because they were stopped.
    pub unfinished: Vec<&'static str>,
    /// Every run that was done, in a fixed order.
    pub outcomes: Vec<Outcome>,
}

impl Findings {
    /// Whether nothing failed and nothing was left out.
    #[must_use]
    pub fn is_fine(&self) -> bool {
        self.unfinished.is_empty() && self.tests.iter().all(|f| f.status != Status::Fail)
    }
}

/// Does runs on so many threads, on a GPU one after the other. Once `stop` is set no other is begun.
pub(crate) fn execute_all(
    runs: &[&Run],
    settings: &Settings,
    threads: usize,
    stop: &AtomicBool,
    progress: &dyn Progress,
) -> Results {
    let threads = if matches!(settings.place, Place::Gpu(_)) { 1 } else { threads.clamp(1, 1024) };
    let (next, results) = (AtomicUsize::new(0), Mutex::new(runs.iter().map(|_| None).collect::<Results>()));
    let work = || {
        while !stop.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(run) = runs.get(number) else { break };
            progress.begins(run);
            let result = run.execute(settings, stop);
            progress.ended(run);
            if let Ok(mut results) = results.lock() {
                results[number] = Some(result);
            }
        }
    };
    match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
        Ok(pool) => drop(pool.broadcast(|_| work())),
        Err(_) => work(),
    }
    results.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)
}

impl Schedule {
    /// What these tests ask for.
    #[must_use]
    pub fn new(settings: &Settings, tests: &[&'static Test]) -> Self {
        let mut runs: Vec<Run> = Vec::new();
        let mut known: HashMap<(String, u32), usize> = HashMap::new();
        let mut number = |run: Run| {
            *known.entry((run.name.clone(), run.seed)).or_insert_with(|| {
                runs.push(run);
                runs.len() - 1
            })
        };
        let asked = tests.iter().map(|test| test.runs(settings).into_iter().map(&mut number).collect()).collect();
        Self { tests: tests.to_vec(), runs, asked }
    }

    /// Does all runs, on so many threads (on a GPU one after the other), and judges them. The result does not depend on the
    /// threads. `stop` ends it early: tests whose runs are done by then are judged.
    #[must_use]
    pub fn execute(&self, settings: &Settings, threads: usize, stop: &AtomicBool, progress: &dyn Progress) -> Findings {
        let runs: Vec<&Run> = self.runs.iter().collect();
        let results = execute_all(&runs, settings, threads, stop, progress);
        self.judge(settings, results)
    }

    /// Of the tests that ask for a run, the one with the fewest runs.
    fn owner(&self, run: usize) -> Option<&'static str> {
        let asking = self.tests.iter().zip(&self.asked).filter(|(_, asked)| asked.contains(&run));
        asking.min_by_key(|(_, asked)| asked.len()).map(|(test, _)| test.id)
    }

    fn judge(&self, settings: &Settings, results: Results) -> Findings {
        let mut findings = Findings::default();
        for (test, asked) in self.tests.iter().zip(&self.asked) {
            let broken = asked.iter().find_map(|&n| match &results[n] {
                Some(Err(e)) => Some(format!("{}: {e}", self.runs[n].stem())),
                _ => None,
            });
            let done: Vec<&Outcome> =
                asked.iter().filter_map(|&n| results[n].as_ref()?.as_ref().ok()?.as_ref()).collect();
            let mut verdict = match broken {
                Some(why) => Verdict::broken(why),
                None if done.len() < asked.len() => {
                    findings.unfinished.push(test.id);
                    continue;
                }
                None => (test.judge)(settings, Outcomes(&done)),
            };
            let status = test.status(&verdict);
            if let Some(why) = test.shortfall() {
                let words = if status == Status::ExpectedFail { "known shortfall" } else { "no shortfall any more" };
                verdict.note = format!("{words}: {why} {}", verdict.note).trim_end().to_owned();
            }
            let own = asked.iter().zip(&done).filter(|(n, _)| self.owner(**n) == Some(test.id));
            let seconds = own.fold(0.0, |sum, (_, o)| sum + o.seconds);
            findings.tests.push(Finding { test, verdict, status, seconds, runs: asked.len() });
        }
        findings.outcomes = results.into_iter().filter_map(|r| r?.ok()?).collect();
        findings
    }
}
