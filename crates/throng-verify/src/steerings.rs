//! Every steering beside the others: the same scenes, and what came of them.

use crate::draft::{Draft, Form, People};
use crate::family::{density, openings, two_ways};
use crate::observe::Smoothness;
use crate::run::{Outcome, Run, RunError};
use crate::settings::{Place, Settings};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use throng::scene::Steer;
use throng::scene::parameters::{Choice as _, Word};
use throng::stages::Stage;

/// A scene that every steering is put into.
struct Scene {
    /// What the table calls it.
    title: &'static str,
    draft: fn() -> Draft,
    /// How long it may take, s.
    limit: f64,
}

const SCENES: [Scene; 14] = [
    Scene { title: "two head-on in the open", draft: head_on, limit: 60.0 },
    Scene { title: "two head-on in a corridor of 1.2 m", draft: two_ways::pair, limit: 60.0 },
    Scene { title: "four in a cross", draft: cross, limit: 60.0 },
    Scene { title: "100 on a circle of 40 m to their opposites", draft: circle, limit: 200.0 },
    Scene { title: "100 across 100 at a right angle", draft: crossing, limit: 200.0 },
    Scene { title: "500 against 500 in a corridor of 100 × 10 m", draft: corridor, limit: 400.0 },
    Scene { title: "150 to a goal of 1 × 1 m and back", draft: packed, limit: 300.0 },
    Scene { title: "60 against 60 through a door of 1 m", draft: || two_ways::door_draft(1.0), limit: 300.0 },
    Scene { title: "60 against 60 through a door of 2 m", draft: || two_ways::door_draft(2.0), limit: 300.0 },
    Scene { title: "150 through an opening of 0.8 m", draft: || openings::draft(0.8), limit: 400.0 },
    Scene { title: "150 through an opening of 1.2 m", draft: || openings::draft(1.2), limit: 400.0 },
    Scene { title: "150 through an opening of 2 m", draft: || openings::draft(2.0), limit: 400.0 },
    Scene { title: "160 into a corridor of 1.8 m through 1 m", draft: || density::draft([1.0, 1.8]), limit: 300.0 },
    Scene { title: "160 out of a corridor of 1.8 m through 1 m", draft: || density::draft([1.8, 1.0]), limit: 300.0 },
];

/// What one steering gave in one scene.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The steering, as a scene names it.
    pub steering: &'static str,
    /// What the scene is.
    pub scene: &'static str,
    /// How many people it has, and how many arrived.
    pub people: u64,
    /// How many of them arrived.
    pub arrived: u64,
    /// When the last one did, s; when the run ended if somebody never did.
    pub time: f64,
    /// Times over those of the straight way at the preferred speed: mean.
    pub over_straight: f64,
    /// The same of the slowest.
    pub slowest: f64,
    /// Mean overlap of people and steps, per cent of the radii.
    pub overlap: f64,
    /// The deepest of any two in any step, per cent.
    pub deepest: f64,
    /// Share of people who overlap somebody by more than 5 %, mean over steps, per cent.
    pub share: f64,
    /// Turning, degrees a metre.
    pub turning: f64,
    /// What its stage `avoid` takes, ns a person and step.
    pub cost: f64,
}

impl Comparison {
    fn new(steering: &'static str, scene: &'static str, o: &Outcome) -> Self {
        let first = |name: &str| o.seen(name).first().copied().unwrap_or(f64::NAN);
        let ratios = o.seen("over straight");
        Self {
            steering,
            scene,
            people: o.people,
            arrived: o.counters.arrived,
            time: o.time,
            over_straight: ratios.iter().sum::<f64>() / ratios.len().max(1) as f64,
            slowest: ratios.iter().fold(0.0, |a: f64, b| a.max(*b)),
            overlap: 100.0 * f64::from(o.counters.overlap.mean),
            deepest: 100.0 * f64::from(o.counters.overlap.max),
            share: 100.0 * f64::from(o.counters.overlap_share_mean),
            turning: first("degrees per metre"),
            cost: 1e6 * o.stage_ms[Stage::Avoid.index()] / first("person-steps"),
        }
    }
}

/// A run with its steering and what its scene is.
type Named = (&'static str, &'static str, Run);

/// The runs of a comparison: every scene with every steering, or the one that the settings have.
fn runs(settings: &Settings) -> Vec<Named> {
    let mut all = Vec::new();
    let asked = |word: &&Word| settings.steer.as_deref().is_none_or(|s| s == word.word);
    for word in Steer::WORDS.iter().filter(asked) {
        let own = Settings { steer: Some(word.word.into()), seeds: 1, ..settings.clone() };
        for scene in &SCENES {
            let mut draft = (scene.draft)();
            draft.name = format!("{}-{}", word.word, draft.name);
            for run in Run::seen_by(Run::each(&own, &draft, scene.limit), Smoothness::default) {
                all.push((word.word, scene.title, run));
            }
        }
    }
    all
}

/// Puts every steering into the same scenes, on so many threads: steering by steering, scene by scene. With `stop` what is done
/// by then is given.
///
/// # Errors
/// If a scene cannot have the settings that were asked for.
pub fn compare(settings: &Settings, threads: usize, stop: &AtomicBool) -> Result<Vec<Comparison>, RunError> {
    execute(&runs(settings), settings, threads, stop)
}

fn execute(
    runs: &[Named],
    settings: &Settings,
    threads: usize,
    stop: &AtomicBool,
) -> Result<Vec<Comparison>, RunError> {
    let threads = if matches!(settings.place, Place::Gpu(_)) { 1 } else { threads.clamp(1, 64) };
    let (next, found) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        let Some((steering, scene, run)) = runs.get(number) else { break };
        let row = run.execute(settings, stop).map(|o| o.map(|o| Comparison::new(steering, scene, &o)));
        if let Ok(mut found) = found.lock() {
            found.push((number, row));
        }
    };
    match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
        Ok(pool) => drop(pool.broadcast(|_| work())),
        Err(_) => work(),
    }
    let mut found = found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    found.sort_by_key(|(number, _)| *number);
    found.into_iter().filter_map(|(_, row)| row.transpose()).collect()
}

fn to_point(start: [f32; 2], end: [f32; 2]) -> People {
    let mut person = People::new(1, Form::Circle([start[0], start[1], 0.26])).speed(1.34);
    person.point = Some(end);
    person
}

fn head_on() -> Draft {
    let (west, east) = ([3.0, 4.0], [17.0, 4.0]);
    Draft::new("head-on", [20.0, 8.0]).people(to_point(west, east)).people(to_point(east, west))
}

fn cross() -> Draft {
    let ways = [[3.0, 10.0], [17.0, 10.0], [10.0, 3.0], [10.0, 17.0]];
    let opposite = |[x, y]: [f32; 2]| [20.0 - x, 20.0 - y];
    ways.into_iter().fold(Draft::new("cross", [20.0, 20.0]), |d, way| d.people(to_point(way, opposite(way))))
}

fn circle() -> Draft {
    let mut draft = Draft::new("circle-of-100", [44.0, 44.0]);
    for k in 0..100 {
        let (sin, cos) = (std::f32::consts::TAU * k as f32 / 100.0).sin_cos();
        let at = |far: f32| [22.0 + far * cos, 22.0 + far * sin];
        draft = draft.people(to_point(at(20.0), at(-20.0)));
    }
    draft
}

fn crossing() -> Draft {
    Draft::new("crossing-streams", [30.0, 30.0])
        .goal("east", [29.0, 11.0, 30.0, 19.0])
        .goal("north", [11.0, 29.0, 19.0, 30.0])
        .people(People::new(100, [1.0, 12.0, 10.0, 18.0]).to(&["east"]))
        .people(People::new(100, [12.0, 1.0, 18.0, 10.0]).to(&["north"]))
}

fn corridor() -> Draft {
    let (starts, goals) =
        ([[5.0, 0.0, 30.0, 10.0], [70.0, 0.0, 95.0, 10.0]], [[98.0, 0.0, 100.0, 10.0], [0.0, 0.0, 2.0, 10.0]]);
    two_ways::changing("500-against-500".into(), [100.0, 10.0], starts, goals, [500; 2])
}

/// Everybody goes to a small goal, and out again through those who still come.
fn packed() -> Draft {
    Draft::new("packed-goal", [20.0, 20.0])
        .goal("goal", [9.5, 9.5, 10.5, 10.5])
        .goals_of("rim", [[0.0, 0.0, 20.0, 1.0].into(), [0.0, 19.0, 20.0, 20.0].into()])
        .people(People::new(150, [4.0, 4.0, 16.0, 16.0]).to(&["goal", "rim"]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report;
    use std::collections::HashSet;

    #[test]
    fn every_steering_is_put_into_every_scene() {
        let settings = Settings::quick();
        let all = runs(&settings);
        assert_eq!(all.len(), Steer::WORDS.len() * SCENES.len());
        let names: HashSet<&str> = all.iter().map(|(_, _, run)| run.name.as_str()).collect();
        assert_eq!(names.len(), all.len());
        for (steering, title, run) in &all {
            let scene = run.scene().unwrap_or_else(|e| panic!("{steering}, {title}: {e}"));
            assert_eq!(Steer::WORDS[scene.model.steer as usize].word, *steering);
        }
        let one = Settings { steer: Some("orca".into()), ..settings };
        assert!(runs(&one).iter().all(|(steering, _, _)| *steering == "orca"));
    }

    #[test]
    fn a_table_has_a_row_for_each_and_does_not_depend_on_threads() {
        let settings = Settings::quick();
        let few: Vec<Named> = runs(&settings).into_iter().filter(|(_, title, _)| title.starts_with("four")).collect();
        let table = |threads| {
            let mut rows = execute(&few, &settings, threads, &AtomicBool::new(false)).expect("sound scenes");
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
            assert_eq!((row.people, row.arrived), (4, 4), "{row:?}");
            assert!(row.deepest < 5.0 && (1.0..1.5).contains(&row.slowest) && row.turning < 30.0, "{row:?}");
        }
    }
}
