//! Every steering beside the others: the same scenes, and what came of them.

mod scenes;

use crate::observe::Smoothness;
use crate::run::{Outcome, Run, RunError};
use crate::schedule::{Progress, execute_all};
use crate::settings::Settings;
use crate::verdict::mean;
use scenes::{Asks, SCENES, Scene};
use std::sync::atomic::AtomicBool;
use throng::scene::Steer;
use throng::scene::parameters::{Choice as _, Word};
use throng::stages::Stage;

/// What one steering gave in one scene, over all seeds.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The steering, as a scene names it.
    pub steering: &'static str,
    /// What the scene is.
    pub scene: &'static str,
    /// How many people it has.
    pub people: u64,
    /// Who arrived; none where everybody walks for ever.
    pub arrivals: Option<Arrivals>,
    /// What was measured of crowds as well.
    pub compared: Option<Compared>,
    /// Mean overlap of people and steps, per cent of the radii.
    pub overlap: f64,
    /// The deepest of any two in any step of any run, per cent.
    pub deepest: f64,
    /// Share of people who overlap somebody by more than 5 %, mean over steps, per cent.
    pub share: f64,
    /// Turning, degrees a metre.
    pub turning: f64,
    /// What its stage `avoid` takes, ns a person and step.
    pub cost: f64,
}

/// Who arrived when.
#[derive(Clone, Copy, Debug)]
pub struct Arrivals {
    /// How many arrived, in the run with the fewest.
    pub fewest: u64,
    /// When the last one did, s, or when the run was ended if somebody never did: mean.
    pub time: f64,
    /// Times over those of the straight way at the preferred speed: mean.
    pub over_straight: f64,
    /// The same of the slowest in any run.
    pub slowest: f64,
}

/// What a figure is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Persons/s through a metre of an opening, over its width, m.
    Flow,
    /// Speed on a ring, m/s, over the density, persons/m².
    Speed,
}

/// A figure, and what measured crowds have there.
#[derive(Clone, Copy, Debug)]
pub struct Compared {
    /// Of what.
    pub quantity: Quantity,
    /// At which width or density.
    pub at: f64,
    /// How much: mean over runs. Not a number if it could not be measured in one of them.
    pub value: f64,
    /// How much in measured crowds.
    pub measured: f64,
}

impl Comparison {
    fn new(steering: &'static str, scene: &Scene, runs: &[Outcome]) -> Self {
        let first = |o: &Outcome, name: &str| o.seen(name).first().copied().unwrap_or(f64::NAN);
        let over = |value: &dyn Fn(&Outcome) -> f64| mean(runs.iter().map(value));
        let worst = |value: &dyn Fn(&Outcome) -> f64| runs.iter().map(value).fold(0.0, f64::max);
        let quantity = match scene.asks {
            Asks::Arrivals => None,
            Asks::Flow(width) => Some((Quantity::Flow, width)),
            Asks::Speed(density) => Some((Quantity::Speed, density)),
        };
        let arrive = !matches!(scene.asks, Asks::Speed(_));
        Self {
            steering,
            scene: scene.title,
            people: runs.first().map_or(0, |o| o.people),
            arrivals: arrive.then(|| Arrivals {
                fewest: runs.iter().map(|o| o.counters.arrived).min().unwrap_or(0),
                time: over(&|o| o.time),
                over_straight: over(&|o| mean(o.seen("over straight").iter().copied())),
                slowest: worst(&|o| o.seen("over straight").iter().copied().fold(0.0, f64::max)),
            }),
            compared: quantity.map(|(quantity, at)| Compared {
                quantity,
                at,
                value: over(&|o| scene.asks.figure(o).unwrap_or(f64::NAN)),
                measured: scene.asks.measured(),
            }),
            overlap: over(&|o| 100.0 * f64::from(o.counters.overlap.mean)),
            deepest: worst(&|o| 100.0 * f64::from(o.counters.overlap.max)),
            share: over(&|o| 100.0 * f64::from(o.counters.overlap_share_mean)),
            turning: over(&|o| first(o, "degrees per metre")),
            cost: over(&|o| 1e6 * o.stage_ms[Stage::Avoid.index()] / first(o, "person-steps")),
        }
    }
}

/// The runs of one row: a scene with a steering, once with each seed.
#[derive(Clone, Debug)]
struct Row {
    steering: &'static str,
    scene: &'static Scene,
    runs: Vec<Run>,
}

/// Every steering in every scene, or the one steering that the settings have.
#[derive(Clone, Debug)]
pub struct Comparing {
    rows: Vec<Row>,
}

impl Comparing {
    /// What is to be run: steering by steering, scene by scene, seed by seed.
    #[must_use]
    pub fn new(settings: &Settings) -> Self {
        let asked = |word: &&Word| settings.steer.as_deref().is_none_or(|s| s == word.word);
        let mut rows = Vec::new();
        for word in Steer::WORDS.iter().filter(asked) {
            let own = Settings { steer: Some(word.word.into()), ..settings.clone() };
            for scene in &SCENES {
                let mut draft = (scene.draft)();
                draft.name = format!("{}-{}", word.word, draft.name);
                let runs = Run::seen_by(Run::each(&own, &draft, scene.limit), Smoothness::default);
                rows.push(Row { steering: word.word, scene, runs });
            }
        }
        Self { rows }
    }

    /// How many rows the table has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether it has none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// All runs, in their order.
    #[must_use]
    pub fn runs(&self) -> Vec<&Run> {
        self.rows.iter().flat_map(|row| &row.runs).collect()
    }

    /// Does all of them, on so many threads, which makes no difference to the result but for the cost. With `stop` the rows that are
    /// done by then are given.
    ///
    /// # Errors
    /// If a scene cannot have the settings that were asked for.
    pub fn execute(
        &self,
        settings: &Settings,
        threads: usize,
        stop: &AtomicBool,
        progress: &dyn Progress,
    ) -> Result<Vec<Comparison>, RunError> {
        let mut results = execute_all(&self.runs(), settings, threads, stop, progress).into_iter();
        let mut table = Vec::new();
        for row in &self.rows {
            let mut done = Vec::new();
            for result in results.by_ref().take(row.runs.len()).flatten() {
                done.extend(result?);
            }
            if done.len() == row.runs.len() {
                table.push(Comparison::new(row.steering, row.scene, &done));
            }
        }
        Ok(table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report;
    use crate::schedule::Unwatched;
    use std::collections::HashSet;

    #[test]
    fn every_steering_is_put_into_every_scene_with_every_seed() {
        let settings = Settings { seeds: 2, ..Settings::quick() };
        let all = Comparing::new(&settings);
        assert_eq!(all.rows.len(), Steer::WORDS.len() * SCENES.len());
        let names: HashSet<String> = all.runs().iter().map(|run| run.stem()).collect();
        assert_eq!(names.len(), 2 * all.rows.len());
        for Row { steering, scene, runs } in &all.rows {
            let read = runs[1].scene().unwrap_or_else(|e| panic!("{steering}, {}: {e}", scene.title));
            assert_eq!((Steer::WORDS[read.model.steer as usize].word, read.seed), (*steering, 2));
        }
        let one = Settings { steer: Some("orca".into()), ..settings };
        assert!(Comparing::new(&one).rows.iter().all(|row| row.steering == "orca"));
        for scene in SCENES.iter().filter(|s| s.asks != Asks::Arrivals) {
            assert!(scene.asks.measured() > 0.0, "{}", scene.title);
        }
    }

    /// Those of all rows whose scene's title begins with a word.
    fn few(settings: &Settings, word: &str) -> Comparing {
        let mut all = Comparing::new(settings);
        all.rows.retain(|row| row.scene.title.starts_with(word));
        all
    }

    #[test]
    fn a_table_has_a_row_for_each_and_does_not_depend_on_threads() {
        let settings = Settings { seeds: 2, ..Settings::quick() };
        let table = |threads| {
            let found = few(&settings, "four").execute(&settings, threads, &AtomicBool::new(false), &Unwatched);
            let mut rows = found.expect("sound scenes");
            for row in &mut rows {
                assert!(row.cost > 0.0, "{row:?}");
                row.cost = 0.0;
            }
            (report::steerings_csv(&rows), report::steerings_page(&settings, &rows), rows)
        };
        let (csv, page, rows) = table(1);
        let (again, _, _) = table(3);
        assert_eq!(csv, again);
        assert_eq!(rows.len(), Steer::WORDS.len());
        assert_eq!(csv.lines().count(), rows.len() + 1);
        let columns = csv.lines().next().map_or(0, |line| line.matches(',').count());
        assert!(csv.lines().all(|line| line.matches(',').count() == columns), "{csv}");
        for word in Steer::WORDS {
            assert!(page.contains(&format!("| `{}` | ", word.word)), "{page}");
        }
        for row in rows.iter().filter(|r| ["velocity-obstacle", "orca"].contains(&r.steering)) {
            let arrivals = row.arrivals.expect("they arrive");
            assert_eq!((row.people, arrivals.fewest), (4, 4), "{row:?}");
            assert!(row.deepest < 5.0 && (1.0..1.5).contains(&arrivals.slowest) && row.turning < 30.0, "{row:?}");
        }
    }

    #[test]
    fn figures_stand_beside_those_of_measured_crowds() {
        let settings = Settings { steer: Some("follow".into()), ..Settings::quick() };
        let table = |word| {
            let rows = few(&settings, word).execute(&settings, 2, &AtomicBool::new(false), &Unwatched);
            rows.expect("sound scenes")
        };
        let page = report::steerings_page(&settings, &table("a ring of 26 × 2 m at 1"));
        // 0.79 m/s in the closed loop of 1.8 m at 1 person/m².
        assert!(page.contains("| measured | 0.79 |") && page.contains("| `follow` | "), "{page}");
        assert!(!page.contains("arrived |"), "nobody arrives on a ring: {page}");
        let openings = table("150 through an opening of 2");
        let flow = openings[0].compared.expect("an opening has a flow");
        assert!(flow.quantity == Quantity::Flow && (0.5..5.0).contains(&flow.value), "{flow:?}");
        assert!((flow.measured - (2.26 * 2.0 - 0.17) / 2.0).abs() < 1e-9, "{flow:?}");
        let page = report::steerings_page(&settings, &openings);
        assert!(page.contains("| measured | 2.17 |") && page.contains("150 of 150"), "{page}");
    }

    #[test]
    fn what_is_stopped_gives_no_row() {
        let settings = Settings::quick();
        let stopped = few(&settings, "four").execute(&settings, 1, &AtomicBool::new(true), &Unwatched);
        assert!(stopped.expect("sound scenes").is_empty());
    }
}
