//! The results of Wockenfuss and Lürig ("Introducing congestion avoidance into CUDA based crowd simulation") again: effective speeds for every
//! number of people and every mode (their Table 3), and what the crowd looks like after a minute (their Figure 3).

use crate::run::RunError;
use crate::settings::{Place, Settings};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use throng::measure::progress::Progress;
use throng::scene::{Scene, built_in, with_value};

/// The modes, as a scene names them, and what the paper calls them.
pub const MODES: [(&str, &str); 3] =
    [("standard", "Std. Model"), ("avoidance", "C. Avoidance"), ("dispersion", "C. Dispersion")];

/// How many people.
pub const PEOPLE: [u32; 5] = [1000, 2000, 3000, 4000, 5000];

/// Table 3 of the paper: average effective velocity in km/h, mode by mode.
pub const PAPER: [[f64; 5]; 3] =
    [[2.03, 1.79, 0.0, 0.0, 0.0], [2.01, 1.45, 1.14, 0.80, 0.62], [2.02, 1.69, 1.24, 1.05, 0.85]];

/// Speeds are measured from here to there, s: the clots of the standard model have grown by then, and people have finished several journeys.
const MEASURED: (f64, f64) = (300.0, 600.0);
/// When the crowd is looked at for Figure 3, s, and of how many people.
const PICTURE: (f64, u32) = (60.0, 3000);
/// How often people are looked at, s.
const EVERY: f64 = 0.5;

/// Somebody in a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seen {
    /// Where it is, m.
    pub at: [f32; 2],
    /// Where it faces.
    pub facing: [f32; 2],
    /// Persons per m² in the cell of 4 m around it.
    pub density: f32,
}

/// One run: an entry of the table.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The mode, by its place in [`MODES`].
    pub mode: usize,
    /// How many people.
    pub people: u32,
    /// The seed.
    pub seed: u32,
    /// Straight distance over time, km/h, over everybody; unfinished journeys count with as much of the way as is behind.
    pub speed: f64,
    /// The same from the beginning to the time of the picture.
    pub at_first: f64,
    /// Journeys finished in the time that is measured, for each person.
    pub journeys: f64,
    /// Times that somebody was kept out of a full cell, for each person and minute, in the whole run.
    pub refused: f64,
    /// The crowd after a minute, of the runs that are drawn.
    pub picture: Vec<Seen>,
}

/// What a run is of.
#[derive(Clone, Copy)]
struct Case {
    mode: usize,
    people: u32,
    seed: u32,
}

/// How many runs there are.
#[must_use]
pub fn runs(settings: &Settings) -> usize {
    PEOPLE.len() * MODES.len() * settings.seeds as usize
}

/// Does all runs, with seeds 1 to [`Settings::seeds`], on so many threads. With `stop` what is done by then is given.
///
/// # Errors
/// If the scene cannot have the settings that were asked for.
pub fn congestion(settings: &Settings, threads: usize, stop: &AtomicBool) -> Result<Vec<Entry>, RunError> {
    let runs = PEOPLE.iter().flat_map(|&n| (0..MODES.len()).map(move |m| (m, n)));
    let mut all: Vec<Case> =
        runs.flat_map(|(mode, people)| (1..=settings.seeds).map(move |seed| Case { mode, people, seed })).collect();
    // The longest first.
    all.sort_by_key(|case| (std::cmp::Reverse(case.people), case.mode, case.seed));
    let threads = if matches!(settings.place, Place::Gpu(_)) { 1 } else { threads.clamp(1, 64) };
    let (next, found) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while !stop.load(Ordering::Relaxed)
            && let Some(&case) = all.get(next.fetch_add(1, Ordering::Relaxed))
        {
            let entry = entry(settings, case, MEASURED, stop).transpose();
            if let Ok(mut found) = found.lock() {
                found.extend(entry);
            }
        }
    };
    match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
        Ok(pool) => drop(pool.broadcast(|_| work())),
        Err(_) => work(),
    }
    let found = found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    let mut entries: Vec<Entry> = found.into_iter().collect::<Result<_, _>>()?;
    entries.sort_by_key(|e| (e.mode, e.people, e.seed));
    Ok(entries)
}

/// The scene of the table.
fn scene(settings: &Settings, case: Case) -> Result<Scene, RunError> {
    let source = built_in("congestion").ok_or_else(|| RunError::Other("there is no scene congestion".into()))?;
    let changes = [
        ("seed".to_owned(), case.seed.to_string()),
        ("model.social-force.congestion".to_owned(), format!("{:?}", MODES[case.mode].0)),
    ];
    let changes = changes.iter().chain(&settings.set);
    let text = changes.into_iter().try_fold(source.text.to_owned(), |text, (key, value)| {
        with_value(&text, key, value).map_err(|why| RunError::Other(format!("{key} = {value}: {why}")))
    })?;
    let mut scene = Scene::parse("congestion.toml", &text, &source)?;
    scene.set_agents(case.people).map_err(|why| RunError::Other(why.to_string()))?;
    Ok(scene)
}

/// One run. `None` if it was stopped before its end.
fn entry(settings: &Settings, case: Case, measured: (f64, f64), stop: &AtomicBool) -> Result<Option<Entry>, RunError> {
    let Case { mode, people, seed } = case;
    let scene = scene(settings, case)?;
    let mut sim = settings.start(&scene)?;
    let failed = |e: throng::engine::EngineError| RunError::Other(e.to_string());
    let every = ((EVERY / f64::from(scene.dt)).round() as u64).max(1);
    let mut progress = Progress::new(&sim.agents().map_err(failed)?, scene.groups[0].goal_distance.max());
    let (mut first, mut begin, mut picture) = (f64::NAN, None, Vec::new());
    while sim.time() < measured.1 {
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        sim.steps_by(every).map_err(failed)?;
        let agents = sim.agents().map_err(failed)?;
        progress.look(&agents);
        if first.is_nan() && sim.time() >= PICTURE.0.min(measured.1) {
            first = 3.6 * progress.metres() / f64::from(people) / sim.time();
            picture = if people == PICTURE.1 && seed == 1 { seen(&agents) } else { Vec::new() };
        }
        if begin.is_none() && sim.time() >= measured.0 {
            begin = Some((progress.metres(), progress.finished(), sim.time()));
        }
    }
    let (metres, finished, since) = begin.unwrap_or((0.0, 0, 0.0));
    let each = |what: f64| what / f64::from(people);
    Ok(Some(Entry {
        mode,
        people,
        seed,
        speed: 3.6 * each(progress.metres() - metres) / (sim.time() - since),
        at_first: first,
        journeys: each((progress.finished() - finished) as f64),
        refused: each(sim.counters().refused as f64) / (sim.time() / 60.0),
        picture,
    }))
}

/// The crowd for a picture.
fn seen(agents: &throng::world::agents::Agents) -> Vec<Seen> {
    let cell = |i: usize| (agents.position[i] / 4.0).as_ivec2();
    let count = |i: usize| (0..agents.len()).filter(|&j| cell(j) == cell(i)).count();
    let one = |i: usize| Seen {
        at: agents.position[i].to_array(),
        facing: agents.heading[i].to_array(),
        density: count(i) as f32 / 16.0,
    };
    (0..agents.len()).filter(|&i| agents.state[i].on_floor()).map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_who_are_alone_make_nearly_the_speed_that_they_prefer() {
        let settings = Settings::quick();
        let case = Case { mode: 2, people: 20, seed: 1 };
        let one = entry(&settings, case, (30.0, 90.0), &AtomicBool::new(false)).expect("a sound scene");
        let one = one.expect("nobody stopped it");
        let preferred = 3.6 * scene(&settings, case).expect("a sound scene").groups[0].speed.max();
        let share = one.speed / f64::from(preferred);
        // They turn at every point, and come within half a metre of it.
        assert!((0.85..1.0).contains(&share), "{one:?}: {share} of {preferred} km/h");
        assert_eq!(one.refused, 0.0);
        assert!(one.journeys > 0.3, "{one:?}");
    }

    #[test]
    fn every_mode_and_number_is_a_scene() {
        for mode in 0..MODES.len() {
            for people in PEOPLE {
                let scene = scene(&Settings::quick(), Case { mode, people, seed: 7 }).expect("a sound scene");
                assert_eq!((scene.agent_count(), scene.seed), (u64::from(people), 7));
            }
        }
    }
}
