//! Who runs the run. On a GPU steps are only handed to the device, so the window does that itself between frames; the CPU
//! engine steps on a thread of its own, so that the window stays quick however slow a step is. Both take the same orders.

use crate::pace::{Clock, Pace, Stop};
use crate::past::Past;
use crate::shot::{Shot, Wish};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};
use throng::engine::{CrowdChange, RoundReport};
use throng::scene::{Group, SceneError};
use throng::{Scene, Simulation};

/// Something to do with the run between two steps; says what was done, or why it could not be.
pub type Task = Box<dyn FnOnce(&mut Simulation) -> Result<Done, String> + Send>;

/// What the run is told, one after the other.
struct Told {
    what: What,
    /// How many it was told with this one.
    number: u64,
}

enum What {
    /// A task, and what it is to what is kept of the run.
    Do(Task, TaskKind),
    /// Goes back to what was kept last before a time, s.
    GoBack(f64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TaskKind {
    /// It is done between two steps.
    Between,
    /// Part of a change that goes on: nothing is kept before another task is done, since half of a change cannot be taken back.
    Part,
    /// Time passes in it: what the run was is kept first.
    Steps,
}

/// What a task did.
#[derive(Clone, Debug, Default)]
pub struct Done {
    /// For the log; empty for nothing worth saying.
    pub said: String,
    /// A round of the solver, if that was it.
    pub round: Option<RoundReport>,
    /// What the window has to know about.
    pub happened: Option<Happened>,
}

/// What the window takes note of only once it has happened.
#[derive(Clone, Debug, PartialEq)]
pub enum Happened {
    /// A group was dropped.
    Dropped {
        /// As it was dropped.
        group: Box<Group>,
        /// When.
        dropped: crate::app::Dropped,
    },
    /// Something was changed.
    Changed {
        /// How to take that back.
        undo: Box<crate::app::Undo>,
        /// The task that the change began with, if it was not this one.
        since: Option<u64>,
    },
    /// So many have no way to their goals; whether that follows a change.
    ShutIn {
        /// How many.
        count: u64,
        /// Whether to compare with the count before.
        compare: bool,
    },
    /// The group dropped last is gone.
    TakenBack,
    /// A group was changed, and how to take that back.
    GroupChanged(CrowdChange, Option<CrowdChange>),
    /// The run has gone back.
    WentBack {
        /// The scene that is in force now.
        scene: Box<Scene>,
        /// The time that was asked for, s.
        to: f64,
        /// How many tasks it had done by then, and before it went back: what those in between changed is no more.
        between: (u64, u64),
        /// How many had been put aside by walls by then.
        displaced: u64,
    },
    /// The scene was written to a file.
    Saved(crate::app::Saved),
    /// The run has begun again.
    BegunAgain(crate::app::BegunAgain),
}

impl Done {
    /// Done, and nothing to say.
    #[must_use]
    pub fn quietly() -> Self {
        Self::default()
    }

    /// Done, with a line for the log.
    #[must_use]
    pub fn saying(said: impl Into<String>) -> Self {
        Self { said: said.into(), ..Self::default() }
    }
}

/// Why a scene cannot run.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The scene itself: its crowd does not fit, or cannot reach its goals.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// The engine.
    #[error("{0}")]
    Engine(String),
}

/// Makes a run of a scene, on the engine that was chosen.
pub type Maker = Box<dyn Fn(&Scene) -> Result<Simulation, RunError> + Send>;

/// A line for the log.
#[derive(Clone, Debug, PartialEq)]
pub enum Said {
    /// What happened.
    Note(String),
    /// What could not be done.
    Trouble(String),
    /// The number of a task that could not be done; why comes next.
    Refused(u64),
    /// What the window takes note of, by the task of that number.
    Happened(u64, Happened),
}

/// At most so many steps are waiting on the device.
const BACKLOG: u64 = 16;
/// The window gives steps at most so long between two frames.
const SLICE: Duration = Duration::from_millis(12);

/// The run, wherever it runs.
pub struct Host {
    kind: Kind,
    said: Vec<Said>,
    /// How many tasks it was told, and has done.
    told: u64,
    done: u64,
}

/// Of something that has panicked.
const BUG: &str = "the program has a bug (please report it), and the run has stopped: what was changed can still be saved, and the run can \
     begin again";

/// Of a worker that is no more.
const GONE: &str = "the run has stopped, since the program has a bug (please report it): nothing can be done with it any more, and what is not \
     saved yet cannot be saved";

enum Kind {
    Here { sim: Box<Simulation>, past: Past, clock: Clock, seen: Option<u64>, round: Option<RoundReport>, failed: bool },
    Thread { shared: Arc<Shared>, worker: Option<std::thread::JoinHandle<()>> },
}

impl std::fmt::Debug for Host {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Host").field("here", &matches!(self.kind, Kind::Here { .. })).finish_non_exhaustive()
    }
}

/// What the window and the worker share.
struct Shared {
    orders: Mutex<Orders>,
    wake: Condvar,
}

struct Orders {
    pace: Pace,
    stop: Stop,
    tasks: Vec<Told>,
    wish: Wish,
    /// The newest shot that the window has not taken yet.
    shot: Option<Shot>,
    wanted: bool,
    said: Vec<Said>,
    /// Tasks that it has done.
    done: u64,
    failed: bool,
    quit: bool,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Orders> {
        // Whoever panicked did so between two orders: they are whole.
        self.orders.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Host {
    /// Takes a run.
    ///
    /// # Errors
    /// If the system has no thread for it.
    pub fn new(sim: Simulation) -> Result<Self, RunError> {
        let kind = if sim.engine().on_gpu().is_some() {
            Kind::Here {
                sim: Box::new(sim),
                past: Past::new(),
                clock: Clock::new(),
                seen: None,
                round: None,
                failed: false,
            }
        } else {
            let shared = Arc::new(Shared {
                orders: Mutex::new(Orders {
                    pace: Pace::Paused,
                    stop: Stop::default(),
                    tasks: Vec::new(),
                    wish: Wish::default(),
                    shot: None,
                    wanted: true,
                    said: Vec::new(),
                    done: 0,
                    failed: false,
                    quit: false,
                }),
                wake: Condvar::new(),
            });
            let theirs = Arc::clone(&shared);
            let worker = std::thread::Builder::new().name("run".into()).spawn(move || work(sim, &theirs));
            let worker =
                worker.map_err(|e| RunError::Engine(format!("the system starts no thread for the run: {e}")))?;
            Kind::Thread { shared, worker: Some(worker) }
        };
        Ok(Self { kind, said: Vec::new(), told: 0, done: 0 })
    }

    /// The run, if it runs here: then its buffers can be drawn from.
    #[must_use]
    pub fn here(&self) -> Option<&Simulation> {
        match &self.kind {
            Kind::Here { sim, .. } => Some(sim),
            Kind::Thread { .. } => None,
        }
    }

    /// Does something with the run: now, or between two steps of the worker. Returns the task's number.
    pub fn tell(&mut self, task: Task) -> u64 {
        self.tell_what(What::Do(task, TaskKind::Between))
    }

    /// Does part of a change that goes on until it is told something else.
    pub fn tell_part(&mut self, task: Task) -> u64 {
        self.tell_what(What::Do(task, TaskKind::Part))
    }

    /// Does a step of the run, or part of one.
    pub fn tell_step(&mut self, task: Task) -> u64 {
        self.tell_what(What::Do(task, TaskKind::Steps))
    }

    /// Goes back to what was kept last before a time, s, after all that it was told before. Time stops until it is told to pass.
    pub fn go_back(&mut self, to: f64) {
        if let Kind::Thread { shared, .. } = &self.kind {
            // Or else it would go on at once, and not be there any more.
            shared.lock().pace = Pace::Paused;
        }
        self.tell_what(What::GoBack(to));
    }

    fn tell_what(&mut self, what: What) -> u64 {
        self.told += 1;
        let told = Told { what, number: self.told };
        match &mut self.kind {
            Kind::Here { sim, past, round, failed, .. } => {
                let answer = perform(sim, past, told, &mut self.said);
                *round = answer.round;
                *failed &= !answer.renewed;
            }
            Kind::Thread { worker: None, .. } => {
                self.said.extend([Said::Refused(self.told), Said::Trouble(GONE.into())]);
            }
            Kind::Thread { shared, .. } => {
                shared.lock().tasks.push(told);
                shared.wake.notify_one();
            }
        }
        self.told
    }

    /// Whether a step has failed: the run cannot go on before it has begun again or gone back.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        match &self.kind {
            Kind::Here { failed, .. } => *failed,
            Kind::Thread { shared, worker } => worker.is_none() || shared.lock().failed,
        }
    }

    /// Whether there is no run any more, whatever is asked of it.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        matches!(self.kind, Kind::Thread { worker: None, .. })
    }

    /// Whether it has done all that it was told, and nothing of that is left to be asked for with [`Host::said`].
    #[must_use]
    pub fn owes_nothing(&self) -> bool {
        let is_done = match self.kind {
            Kind::Here { .. } => true,
            Kind::Thread { .. } => self.is_gone() || self.done == self.told,
        };
        is_done && self.said.is_empty()
    }

    /// Lets time pass until it stops by itself, and takes the newest shot if there is one that was not seen yet.
    pub fn advance(&mut self, pace: Pace, stop: Stop, wish: &Wish) -> Option<Shot> {
        match &mut self.kind {
            Kind::Here { sim, past, clock, seen, round, failed } => {
                clock.set(if *failed { Pace::Paused } else { pace });
                let dt = f64::from(sim.scene().dt);
                clock.tick(dt);
                let began = Instant::now();
                let room = |sim: &Simulation| sim.steps() < sim.engine().latest().steps + BACKLOG;
                while clock.is_due(dt) && began.elapsed() < SLICE && room(sim) && !stop.is_reached(sim) {
                    *round = None;
                    past.note(sim);
                    if let Err(e) = sim.step() {
                        self.said.push(Said::Trouble(e.to_string()));
                        *failed = true;
                        break;
                    }
                    clock.done(dt);
                }
                let shot = Shot::of(sim, wish, *seen);
                match shot {
                    Ok(shot) => {
                        *seen = Some(shot.edits);
                        Some(Shot { due: clock.due(), round: *round, kept: past.times(), tasks: self.told, ..shot })
                    }
                    Err(e) => {
                        if !*failed {
                            self.said.push(Said::Trouble(e.to_string()));
                        }
                        *failed = true;
                        None
                    }
                }
            }
            Kind::Thread { shared, worker } => {
                if worker.as_ref().is_some_and(std::thread::JoinHandle::is_finished) {
                    *worker = None;
                    self.said.push(Said::Trouble(GONE.into()));
                }
                let mut orders = shared.lock();
                self.said.append(&mut orders.said);
                self.done = orders.done;
                let shot = orders.shot.take();
                orders.wanted |= shot.is_some() || orders.wish != *wish;
                (orders.pace, orders.stop, orders.wish) = (pace, stop, wish.clone());
                drop(orders);
                shared.wake.notify_one();
                shot
            }
        }
    }

    /// How many tasks it was told so far: the shot that says as many is of a run that has done all of them.
    #[must_use]
    pub fn told(&self) -> u64 {
        self.told
    }

    /// What there is to say since this was last asked.
    pub fn said(&mut self) -> Vec<Said> {
        std::mem::take(&mut self.said)
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        if let Kind::Thread { shared, worker } = &mut self.kind {
            shared.lock().quit = true;
            shared.wake.notify_one();
            if let Some(worker) = worker.take() {
                // If it has panicked that was said already.
                let _ = worker.join();
            }
        }
    }
}

/// What has become of the run by doing something.
#[derive(Clone, Copy, Debug, Default)]
struct Answer {
    /// A round of the solver, if that was it.
    round: Option<RoundReport>,
    /// It is another one, or at another time: it can go on, whatever has failed.
    renewed: bool,
    /// A bug has stopped it.
    stopped: bool,
}

/// Does something that may find a bug of the program: then it is said, and the scene with all changes is still there to be saved.
fn survive<T>(act: impl FnOnce() -> T) -> Result<T, String> {
    // Whatever is in pieces then is the state of the run, which does not go on.
    catch_unwind(AssertUnwindSafe(act)).map_err(|_| BUG.to_owned())
}

/// The same as [`perform`], whatever bugs there are.
fn perform_and_survive(sim: &mut Simulation, past: &mut Past, told: Told, said: &mut Vec<Said>) -> Answer {
    let number = told.number;
    survive(|| perform(sim, past, told, said)).unwrap_or_else(|why| {
        said.extend([Said::Refused(number), Said::Trouble(why)]);
        Answer { stopped: true, ..Answer::default() }
    })
}

fn perform(sim: &mut Simulation, past: &mut Past, told: Told, said: &mut Vec<Said>) -> Answer {
    let (task, kind) = match told.what {
        What::Do(task, kind) => (task, kind),
        What::GoBack(to) => {
            let answer = went_back(sim, past, to, told.number);
            let renewed = matches!(answer, Said::Happened(..));
            said.push(answer);
            return Answer { renewed, ..Answer::default() };
        }
    };
    if kind == TaskKind::Steps {
        past.note(sim);
    }
    past.have_done(told.number, kind == TaskKind::Part);
    match task(sim) {
        Ok(done) => {
            let renewed = matches!(done.happened, Some(Happened::BegunAgain(_)));
            if renewed {
                // What it was belongs to another run.
                past.forget();
            }
            if !done.said.is_empty() {
                said.push(Said::Note(done.said));
            }
            said.extend(done.happened.map(|what| Said::Happened(told.number, what)));
            Answer { round: done.round, renewed, stopped: false }
        }
        Err(why) => {
            said.push(Said::Refused(told.number));
            said.push(Said::Trouble(why));
            Answer::default()
        }
    }
}

/// What there is to say after going back, which has that number among the tasks.
fn went_back(sim: &mut Simulation, past: &mut Past, to: f64, number: u64) -> Said {
    match past.go_back(sim, to) {
        Ok(kept) => {
            past.have_done(number, false);
            let scene = Box::new(sim.scene().clone());
            let displaced = sim.engine().latest().displaced;
            Said::Happened(number, Happened::WentBack { scene, to, between: (kept, number), displaced })
        }
        Err(why) => Said::Trouble(why),
    }
}

/// What went wrong after the window was closed: a file that could not be saved, say.
#[expect(clippy::print_stderr, reason = "nobody looks at the window any more")]
fn say_without_window(said: &[Said]) {
    for line in said {
        if let Said::Trouble(why) = line {
            eprintln!("{why}");
        }
    }
}

fn work(mut sim: Simulation, shared: &Shared) {
    let (mut clock, mut past) = (Clock::new(), Past::new());
    let (mut seen, mut round, mut failed) = (None, None, false);
    let mut done = 0;
    loop {
        let mut orders = shared.lock();
        if orders.quit {
            // What was asked for before, saving among it, is still done.
            let tasks = std::mem::take(&mut orders.tasks);
            drop(orders);
            let mut said = Vec::new();
            for task in tasks {
                perform_and_survive(&mut sim, &mut past, task, &mut said);
            }
            say_without_window(&said);
            return;
        }
        let dt = f64::from(sim.scene().dt);
        clock.set(if failed { Pace::Paused } else { orders.pace });
        clock.tick(dt);
        let tasks = std::mem::take(&mut orders.tasks);
        done += tasks.len() as u64;
        let shoots = std::mem::take(&mut orders.wanted) || !tasks.is_empty();
        let wish = orders.wish.clone();
        let steps = clock.is_due(dt) && !orders.stop.is_reached(&sim);
        if tasks.is_empty() && !steps && !shoots {
            drop(shared.wake.wait_timeout(orders, clock.until_due(dt)));
            continue;
        }
        drop(orders);
        let mut said = Vec::new();
        let mut renewed = false;
        for task in tasks {
            let answer = perform_and_survive(&mut sim, &mut past, task, &mut said);
            round = answer.round;
            renewed |= answer.renewed;
            failed = (failed && !answer.renewed) || answer.stopped;
        }
        // Time passes only once it is known what there is to wait for now.
        if steps && !renewed && !failed {
            round = None;
            let step = survive(|| {
                past.note(&mut sim);
                sim.step().map_err(|e| e.to_string())
            });
            match step.flatten() {
                Ok(()) => clock.done(dt),
                Err(why) => {
                    said.push(Said::Trouble(why));
                    failed = true;
                }
            }
        }
        let shot = shoots.then(|| survive(|| Shot::of(&mut sim, &wish, seen).map_err(|e| e.to_string())).flatten());
        let mut orders = shared.lock();
        orders.said.append(&mut said);
        (orders.done, orders.failed) = (done, failed);
        match shot {
            Some(Ok(shot)) => {
                seen = Some(shot.edits);
                // One that was not taken yet may have been the only one to know of changes.
                let before = orders.shot.take().and_then(|s| s.ground);
                let ground = shot.ground.clone().or(before);
                orders.shot = Some(Shot { due: clock.due(), round, kept: past.times(), tasks: done, ground, ..shot });
            }
            // Once it is known that the run has failed, there is nothing new in that.
            Some(Err(why)) if !failed => {
                orders.said.push(Said::Trouble(why));
                (failed, orders.failed) = (true, true);
            }
            Some(Err(_)) | None => {}
        }
    }
}
