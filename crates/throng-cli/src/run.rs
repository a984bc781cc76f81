//! `throng run SCENE`

use crate::Failure;
use crate::args::RunArgs;
use crate::checkpoint::Checkpoints;
use crate::looks::Looks;
use crate::out::{remark, say};
use crate::patience::{self, Patience};
use crate::progress::Progress;
use crate::record::Plan;
use crate::report::{self, History};
use crate::results::{self, Folder, MAPS, note};
use crate::{interrupt, load, measured, resume};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use throng::engine::{Direction, EngineError, Values};
use throng::{InGoal, SaveError, Scene, Simulation};
use throng_io::write_atomically;
use throng_view::look::Overlay;

/// When a run ends.
enum End {
    Steps(u64),
    Done,
}

pub(crate) fn run(args: &RunArgs) -> Result<ExitCode, Failure> {
    let scene = load::scene(&args.scene)?;
    let end = end(args, &scene)?;
    let recording = Plan::of(args, &scene)?;
    results::check(args, &scene)?;
    let checkpoints = Checkpoints::begin(args, &scene)?;
    let mut sim = load::simulation(&scene, &args.engine)?;
    match &args.resume {
        Some(from) => {
            resume::resume(from, &mut sim)?;
            let shown = args.out.as_ref().map(|folder| format!("those in {}", folder.display()));
            resume::keep_maps(shown.as_deref(), &mut sim)?;
        }
        // A snapshot keeps them too: whoever goes on from it may want to see them whole.
        None => sim.engine_mut().keep_maps(args.out.is_some() || args.save.is_some() || checkpoints.is_some()),
    }
    results::check_memory(args, &sim)?;
    let stop = interrupt::watch_ctrl_c();
    let looks = Looks::begin(args, recording, &mut sim)?;
    let history = simulate(args, &mut sim, &end, &stop, (looks, checkpoints));
    Ok(if finish(args, &mut sim, history) { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Writes and reports a run, also one that failed: then what is known of it. Every output is tried, that which cannot be made again
/// first. Returns whether all went well.
fn finish(args: &RunArgs, sim: &mut Simulation, mut history: History) -> bool {
    let mut last = Last::read(args, sim, &mut history);
    history.in_goals = std::mem::take(&mut last.in_goals);
    history.in_states = std::mem::take(&mut last.in_states);
    let mut failed = std::mem::take(&mut history.not_written);
    if let (Some(file), Some(state)) = (&args.save, last.state.take()) {
        note(&mut failed, write_atomically(file, |f| f.write_all(&state)));
    }
    if let (Some(file), Some(watch)) = (&args.people, &history.watch) {
        note(&mut failed, results::text(file, &measured::people_csv(sim.scene(), watch)));
    }
    history.not_written = failed;
    if let Some(path) = &args.out {
        let mut folder = Folder { path, failed: Vec::new() };
        folder.fill(sim, &history, last.hash, std::mem::take(&mut last.maps));
        history.not_written.append(&mut folder.failed);
    }
    if let Err(failure) = print(args, sim, &history, last.hash) {
        history.not_written.push(format!("cannot print the report: {}", failure.words()));
    }
    history.not_written.iter().for_each(|why| remark(&format!("error: {why}")));
    if let Some(why) = &history.failed {
        remark(&format!("error: {why}"));
        if !last.missing.is_empty() {
            remark(&format!("not written, because only the device had it: {}", last.missing.join(", ")));
        }
    } else if history.stuck {
        let c = sim.counters();
        remark(&format!("error: {}", patience::words(c.to_go())));
    }
    let recorded = history.recorded.as_ref().is_none_or(|r| r.failed.is_none());
    let whole = recorded && history.not_written.is_empty();
    whole && !history.interrupted && !history.stuck && history.failed.is_none()
}

/// The report, as the command line wants it.
fn print(args: &RunArgs, sim: &Simulation, history: &History, hash: Option<u64>) -> Result<(), Failure> {
    if args.json {
        return say(&format!("{}\n", report::json(sim, history, hash)));
    }
    if args.quiet {
        return Ok(());
    }
    let folder = args.out.as_ref().map_or_else(String::new, |f| format!("results in        {}\n", f.display()));
    say(&format!("{}{folder}", report::text(sim, history)))
}

/// What only the engine has at the end of a run.
#[derive(Default)]
struct Last {
    hash: Option<u64>,
    /// Goals that hold only so many.
    in_goals: Vec<InGoal>,
    /// How many are in each state.
    in_states: Vec<u32>,
    /// Peak density and use, where they were kept.
    maps: Vec<(Overlay, Values)>,
    state: Option<Vec<u8>>,
    /// Files that it could not give.
    missing: Vec<String>,
}

impl Last {
    /// Asks for everything that the command line wants; an engine that does not answer is noted in the history.
    fn read(args: &RunArgs, sim: &mut Simulation, history: &mut History) -> Self {
        let mut last = Self::default();
        let mut note = |e: EngineError| {
            history.failed.get_or_insert(e.0);
        };
        last.hash = sim.state_hash().map_err(&mut note).ok();
        last.in_goals = sim.in_goals().map_err(&mut note).unwrap_or_default();
        last.in_states = sim.in_states().map_err(&mut note).unwrap_or_default();
        if args.out.is_some() {
            for (map, file) in MAPS {
                match sim.field(map.field(Direction::East, 0)).map_err(&mut note) {
                    Ok(values) => last.maps.push((map, values)),
                    Err(()) => last.missing.push(file.to_owned()),
                }
            }
        }
        if let Some(file) = &args.save {
            match sim.save() {
                Ok(state) => last.state = Some(state),
                Err(SaveError::Engine(why)) => {
                    note(why);
                    last.missing.push(file.display().to_string());
                }
                Err(why) => history.not_written.push(format!("cannot write {}: {why}", file.display())),
            }
        }
        last
    }
}

fn end(args: &RunArgs, scene: &Scene) -> Result<End, Failure> {
    let ends = report::everybody_leaves(scene);
    match (args.steps, args.seconds, args.until_done) {
        (Some(n), _, _) => Ok(End::Steps(n)),
        (_, Some(t), _) if !(0.0..=1e9).contains(&t) => {
            Err(Failure::Usage(format!("--seconds {t:?}: a number from 0 to 1000000000")))
        }
        (_, Some(t), _) if t > 0.0 && t < 0.5 * f64::from(scene.dt) => Err(Failure::Usage(format!(
            "--seconds {t:?}: a step of this scene is {} s, so nothing would be done",
            scene.dt
        ))),
        (_, Some(t), _) => Ok(End::Steps((t / f64::from(scene.dt)).round() as u64)),
        (_, _, true) if !ends => Err(Failure::Usage(format!(
            "{} never ends: some of its people begin again when they arrive. Use --seconds T or --steps N",
            scene.name
        ))),
        (_, _, true) => Ok(End::Done),
        _ if ends => Ok(End::Done),
        _ => Ok(End::Steps((60.0 / f64::from(scene.dt)).round() as u64)),
    }
}

/// Steps until the end; an engine that fails ends it too, and the history says so.
fn simulate(
    args: &RunArgs,
    sim: &mut Simulation,
    end: &End,
    stop: &AtomicBool,
    (mut looks, mut checkpoints): (Looks, Option<Checkpoints>),
) -> History {
    let total = sim.scene().agent_count();
    let mut progress = match *end {
        End::Steps(n) => Progress::new(n, "steps", args.quiet || args.json),
        End::Done => Progress::new(total, "arrived", args.quiet || args.json),
    };
    let dt = f64::from(sim.scene().dt);
    let every = args.every.unwrap_or((1.0 / dt).round().max(1.0) as u64);
    // A GPU is looked at every so many steps, for each look waits for it. When a run ends by itself that number decides how
    // far it goes beyond its end, and so must not follow from timing; with a given number of steps it may grow.
    let mut look = if sim.engine().name() == "cpu" { 1 } else { every.min(25) };
    let mut history = History { steps_before: sim.steps(), ..History::default() };
    let begin = sim.counters();
    let mut patience = Patience::new(sim.scene(), &begin, sim.time());
    let mut left = begin.to_go();
    let started = Instant::now();
    history.begin(sim.scene(), &begin);
    sim.engine_mut().history();
    loop {
        let done = sim.steps() - history.steps_before;
        let finished = match *end {
            End::Steps(n) => done >= n,
            End::Done => left == 0,
        };
        if finished {
            break;
        }
        if stop.load(Ordering::SeqCst) {
            history.interrupted = true;
            break;
        }
        let steps = match *end {
            End::Steps(n) => look.min(n - done),
            End::Done => look,
        };
        let asked = Instant::now();
        let stepped = (0..steps).try_for_each(|_| {
            sim.step()?;
            looks.look(sim)
        });
        for c in sim.engine_mut().history() {
            history.note(sim.scene(), &c, every);
            patience.note(&c);
            left = c.to_go();
        }
        if look > 1 && matches!(end, End::Steps(_)) && asked.elapsed().as_secs_f64() < 0.1 {
            look = (2 * look).min(400);
        }
        let saved = checkpoints.as_mut().map_or(Ok(()), |c| if stepped.is_ok() { c.look(sim) } else { Ok(()) });
        if let Err(e) = stepped.and(saved) {
            history.failed = Some(e.0);
            break;
        }
        if matches!(end, End::Done) && patience.is_over(sim.time()) {
            history.stuck = true;
            break;
        }
        let position = if matches!(end, End::Done) { patience.arrived() } else { done + steps };
        progress.step(steps, position, sim.time(), left);
    }
    // What is left of the recording belongs to the time that the run took.
    (history.recorded, history.watch) = looks.finish(sim);
    history.not_written.extend(checkpoints.and_then(Checkpoints::finish));
    history.wall_seconds = started.elapsed().as_secs_f64();
    history.row(sim.scene(), &sim.counters());
    progress.finish();
    history
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Cli, Command};
    use clap::Parser;
    use serde_json::Value;
    use throng::engine::cpu::CpuEngine;
    use throng::engine::{Answer, Counters, Edit, Engine, Request, Ticket};
    use throng::scene::Change;
    use throng::world::World;

    /// A device that fails after some steps.
    struct Failing {
        inner: CpuEngine,
        good_steps: u64,
        asked: u64,
        /// Whether it can still be read then. If not it is lost, and `step` notices that late, as on a GPU.
        answers: bool,
    }

    /// How late.
    const LATE: u64 = 3;

    impl Failing {
        fn check(&self, fine: bool) -> Result<(), EngineError> {
            if fine { Ok(()) } else { Err(EngineError("the GPU Test has failed: device lost".into())) }
        }

        fn reads(&self) -> Result<(), EngineError> {
            self.check(self.answers || self.asked <= self.good_steps)
        }
    }

    impl Engine for Failing {
        fn name(&self) -> &'static str {
            "gpu"
        }
        fn device(&self) -> String {
            "Test".into()
        }
        fn step(&mut self) -> Result<(), EngineError> {
            let late = if self.answers { 0 } else { LATE };
            self.check(self.asked < self.good_steps + late)?;
            self.asked += 1;
            if self.asked <= self.good_steps { self.inner.step() } else { Ok(()) }
        }
        fn steps(&self) -> u64 {
            self.asked
        }
        fn request(&mut self, what: Request) -> Ticket {
            self.inner.request(what)
        }
        fn poll(&mut self, ticket: Ticket) -> Result<Option<Answer>, EngineError> {
            self.reads()?;
            self.inner.poll(ticket)
        }
        fn counters(&self) -> Counters {
            self.inner.counters()
        }
        fn latest(&self) -> Counters {
            self.inner.latest()
        }
        fn history(&mut self) -> Vec<Counters> {
            self.inner.history()
        }
        fn edit(&mut self, edit: Edit) {
            self.inner.edit(edit);
        }
        fn event(&mut self, change: Change) {
            self.inner.event(change);
        }
        fn in_goals(&mut self) -> Result<Vec<u32>, EngineError> {
            self.inner.in_goals()
        }
        fn scene(&self) -> &Scene {
            self.inner.scene()
        }
        fn keep_maps(&mut self, keep: bool) {
            self.inner.keep_maps(keep);
        }
        fn stage_ms(&self) -> [f64; throng::stages::COUNT] {
            self.inner.stage_ms()
        }
        fn stage_bytes(&self) -> [u64; throng::stages::COUNT] {
            self.inner.stage_bytes()
        }
        fn memory(&self) -> Vec<(&'static str, u64)> {
            self.inner.memory()
        }
        fn save(&mut self) -> Result<Vec<u8>, EngineError> {
            self.reads()?;
            self.inner.save()
        }
        fn restore(&mut self, bytes: &[u8]) -> Result<(), EngineError> {
            self.inner.restore(bytes)
        }
        fn world(&self) -> &World {
            self.inner.world()
        }
        fn settle(&mut self) {
            self.inner.settle();
        }
    }

    /// A run of the corridor over so many steps on such a device, and the names of the files in its folder.
    fn results(steps: &str, good_steps: u64, answers: bool) -> (bool, Value, String, Vec<String>) {
        let folder = tempfile::tempdir().expect("a folder");
        let place = |name: &str| folder.path().join(name).to_str().expect("a plain path").to_owned();
        let (out, save) = (place(""), place("state.throng"));
        let line =
            ["throng", "run", "corridor", "--steps", steps, "--every", "5", "--quiet", "--out", &out, "--save", &save];
        let Command::Run(args) = Cli::parse_from(line).command else { unreachable!("that is a run") };
        let scene = load::scene(&args.scene).expect("a scene");
        let inner = CpuEngine::new(&scene, None).expect("an engine");
        let mut sim = Simulation::on(&scene, Box::new(Failing { inner, good_steps, asked: 0, answers }));
        sim.engine_mut().keep_maps(true);
        let end = end(&args, &scene).expect("an end");
        let looks = Looks::begin(&args, None, &mut sim).map_err(|_| ()).expect("it can be looked at");
        let history = simulate(&args, &mut sim, &end, &AtomicBool::new(false), (looks, None));
        let well = finish(&args, &mut sim, history);
        let summary = std::fs::read(place("summary.json")).expect("a summary");
        let rows = std::fs::read_to_string(place("arrivals.csv")).expect("arrivals");
        let mut files: Vec<String> = std::fs::read_dir(folder.path())
            .expect("a folder")
            .map(|f| f.expect("a file").file_name().into_string().expect("a plain name"))
            .collect();
        files.sort();
        (well, serde_json::from_slice(&summary).expect("JSON"), rows, files)
    }

    const MESSAGE: &str = "the GPU Test has failed: device lost";

    #[test]
    fn a_run_whose_device_is_lost_writes_what_is_known() {
        let (well, summary, rows, files) = results("40", 12, false);
        assert!(!well);
        assert_eq!(files, ["arrivals.csv", "arrivals.png", "exits.csv", "exits.png", "summary.json"]);
        assert_eq!(summary["failed"], MESSAGE);
        assert_eq!(summary["steps"], 12);
        assert_eq!(summary["agents"], 160);
        assert_eq!(summary["active"], 160);
        assert!(summary["state_hash"].is_null());
        let times: Vec<&str> = rows.lines().skip(1).filter_map(|l| l.split(',').next()).collect();
        assert_eq!(times, ["0.000", "0.200", "0.400", "0.480"], "every five steps, and the last that was done");
    }

    #[test]
    fn a_device_lost_after_the_last_step_is_a_failure_too() {
        let (well, summary, _, files) = results("14", 12, false);
        assert!(!well);
        assert_eq!(files, ["arrivals.csv", "arrivals.png", "exits.csv", "exits.png", "summary.json"]);
        assert_eq!(summary["failed"], MESSAGE);
        assert_eq!(summary["steps"], 12);
    }

    #[test]
    fn an_engine_that_only_cannot_step_still_gives_its_state() {
        let (well, summary, _, files) = results("40", 12, true);
        assert!(!well);
        assert_eq!(files.len(), 8, "{files:?}");
        assert_eq!(summary["failed"], MESSAGE);
        assert!(summary["state_hash"].is_string());
    }

    #[test]
    fn a_run_that_goes_well_has_not_failed() {
        let (well, summary, _, files) = results("12", 100, false);
        assert!(well);
        assert_eq!(files.len(), 8);
        assert!(summary["failed"].is_null());
    }

    /// A built-in scene that draws from a budget.
    struct Within(throng::budget::Budget);

    impl throng::scene::Files for Within {
        fn read(&self, name: &str) -> Result<Vec<u8>, String> {
            Err(format!("there is no {name}"))
        }

        fn budget(&self) -> throng::budget::Budget {
            self.0.clone()
        }
    }

    #[test]
    fn a_snapshot_that_memory_has_no_room_for_in_the_end_is_no_failure_of_the_engine() {
        let folder = tempfile::tempdir().expect("a folder");
        let save = folder.path().join("state.throng").to_str().expect("a plain path").to_owned();
        let line = ["throng", "run", "corridor", "--steps", "3", "--quiet", "--save", &save];
        let Command::Run(args) = Cli::parse_from(line).command else { unreachable!("that is a run") };
        let budget = throng::budget::Budget::new(1 << 30);
        let text = throng::scene::built_in("corridor").expect("it is built in").text;
        let scene = Scene::parse("corridor.toml", text, &Within(budget.clone())).expect("a scene");
        let mut sim = Simulation::with_threads(&scene, 1).expect("there is room");
        let looks = Looks::begin(&args, None, &mut sim).map_err(|_| ()).expect("it can be looked at");
        let mut history = simulate(&args, &mut sim, &End::Steps(3), &AtomicBool::new(false), (looks, None));
        let _others = budget.take(budget.left().expect("it has an end")).expect("all of it");
        let last = Last::read(&args, &mut sim, &mut history);
        assert_eq!(history.failed, None);
        assert!(last.state.is_none() && last.missing.is_empty());
        let [why] = &history.not_written[..] else { panic!("{:?}", history.not_written) };
        assert!(why.contains(&save) && why.contains("the state of the run needs about"), "{why}");
    }
}
