//! `throng verify`

use crate::Failure;
use crate::args::{VerifyArgs, VerifyEngine};
use crate::interrupt;
use crate::load;
use crate::out::{Outputs, claim, remark, say, several};
use crate::results::make_folder;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use throng::engine::gpu::Gpu;
use throng_io::{write_atomically, write_png};
use throng_verify::congestion::congestion;
use throng_verify::{Comparing, Findings, Place, Progress, Run, RunError, Schedule, Settings, chosen, report};

/// What a page has before and after the report.
const MARKS: [&str; 2] = ["<!-- verify", "<!-- end of verify -->"];

pub(crate) fn verify(args: &VerifyArgs) -> Result<ExitCode, Failure> {
    let tests = chosen(&args.tests).map_err(|e| Failure::Usage(e.to_string()))?;
    if args.list {
        say(&report::list(&tests))?;
        return Ok(ExitCode::SUCCESS);
    }
    let settings = settings(args)?;
    if args.steerings {
        return compare_steerings(args, &settings);
    }
    if args.congestion {
        return congested(args, &Settings { seeds: args.seeds.unwrap_or(1), ..settings });
    }
    let schedule = Schedule::new(&settings, &tests);
    if let Some(folder) = &args.scenes {
        return write_scenes(folder, &schedule.runs.iter().collect::<Vec<_>>(), args.quiet);
    }
    // Before half an hour of work: can the results be written?
    prepare(args, RESULTS.iter().chain(&report::PLOT_FILES))?;
    if let Some(file) = args.json.as_ref().filter(|file| *file != Path::new("-")) {
        claim(file)?;
    }
    let page = args.page.as_deref().map(|path| Ok::<_, Failure>((path, read_page(path)?))).transpose()?;
    if let Some((path, _)) = &page {
        claim(path)?;
    }
    let threads = args.threads.map_or_else(default_threads, |n| n as usize);
    let stop = interrupt::watch_ctrl_c();
    let watching = Watching::new(schedule.runs.len(), args.quiet);
    let findings = schedule.execute(&settings, threads, &stop, &watching);
    watching.bar.finish_and_clear();

    let found = report::json(&settings, &findings);
    let found = serde_json::to_string_pretty(&found).map_err(anyhow::Error::from)? + "\n";
    // What all the rest can be made of again comes first.
    let mut outputs = Outputs::default();
    if let Some(file) = args.json.as_ref().filter(|file| *file != Path::new("-")) {
        outputs.note(write(file, &found));
    }
    if let Some(folder) = &args.out {
        write_results(&mut outputs, folder, &settings, &findings, &found, page);
    }
    if args.json.as_ref().is_some_and(|file| file == Path::new("-")) {
        outputs.note(say(&found));
    } else {
        let text = if args.quiet { report::summary } else { report::text };
        outputs.note(say(&text(&settings, &findings)));
        if let Some(folder) = args.out.as_ref().filter(|_| !args.quiet) {
            outputs.note(say(&format!("results in {}\n", folder.display())));
        }
    }
    if !findings.unfinished.is_empty() {
        remark(&format!("error: interrupted before {} had ended", several(findings.unfinished.len(), "test")));
    }
    Ok(outputs.end(if findings.is_fine() { ExitCode::SUCCESS } else { ExitCode::from(1) }))
}

/// Every steering in the same scenes, as one table.
fn compare_steerings(args: &VerifyArgs, settings: &Settings) -> Result<ExitCode, Failure> {
    let comparing = Comparing::new(settings);
    if let Some(folder) = &args.scenes {
        return write_scenes(folder, &comparing.runs(), args.quiet);
    }
    prepare(args, &["steerings.md", "steerings.csv"])?;
    let threads = args.threads.map_or_else(default_threads, |n| n as usize);
    let stop = interrupt::watch_ctrl_c();
    let watching = Watching::new(comparing.runs().len(), args.quiet);
    let rows = comparing.execute(settings, threads, &stop, &watching).map_err(anyhow::Error::from)?;
    watching.bar.finish_and_clear();
    let stopped = stop.load(Ordering::Relaxed);
    if stopped && !interrupted(rows.len(), comparing.len(), "row") {
        return Ok(ExitCode::from(1));
    }
    let page = report::steerings_page(settings, &rows);
    let mut outputs = Outputs::default();
    match &args.out {
        Some(folder) => {
            outputs.note(write(&folder.join("steerings.csv"), &report::steerings_csv(&rows)));
            outputs.note(write(&folder.join("steerings.md"), &page));
        }
        None => outputs.note(say(&page)),
    }
    Ok(outputs.end(if stopped { ExitCode::from(1) } else { ExitCode::SUCCESS }))
}

/// Makes the folder of results, if there is to be one, and finds out whether these files can be written there.
fn prepare<'a>(args: &VerifyArgs, files: impl IntoIterator<Item = &'a &'a str>) -> Result<(), Failure> {
    let Some(folder) = &args.out else { return Ok(()) };
    make_folder(folder)?;
    for file in files {
        claim(&folder.join(file))?;
    }
    Ok(())
}

/// Says what there is after Ctrl-C. Returns whether there is anything: nothing at all does not replace what was written before.
fn interrupted(done: usize, all: usize, what: &str) -> bool {
    let kept = if done > 0 { "what was finished is kept" } else { "nothing is written" };
    remark(&format!("error: interrupted after {done} of {}: {kept}", several(all, what)));
    done > 0
}

/// The congestion paper's results, and ours.
fn congested(args: &VerifyArgs, settings: &Settings) -> Result<ExitCode, Failure> {
    prepare(args, &["README.md", "table-3.csv", "table-3.png", "figure-3.png"])?;
    let threads = args.threads.map_or_else(default_threads, |n| n as usize);
    let stop = interrupt::watch_ctrl_c();
    let entries = congestion(settings, threads, &stop).map_err(anyhow::Error::from)?;
    let stopped = stop.load(Ordering::Relaxed);
    let all = throng_verify::congestion::runs(settings);
    if stopped && !interrupted(entries.len(), all, "run") {
        return Ok(ExitCode::from(1));
    }
    let page = report::congestion_page(settings, &entries);
    let mut outputs = Outputs::default();
    match &args.out {
        Some(folder) => {
            outputs.note(write(&folder.join("table-3.csv"), &report::congestion_csv(&entries)));
            outputs.note(write(&folder.join("README.md"), &page));
            outputs.note(write_png(&folder.join("table-3.png"), &report::congestion_plot(&entries)));
            outputs.note(write_png(&folder.join("figure-3.png"), &report::congestion_figure(&entries)));
        }
        None => outputs.note(say(&page)),
    }
    Ok(outputs.end(if stopped { ExitCode::from(1) } else { ExitCode::SUCCESS }))
}

fn default_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn settings(args: &VerifyArgs) -> Result<Settings, Failure> {
    let usual = if args.quick { Settings::quick() } else { Settings::full() };
    let place = match (args.engine, &args.device) {
        (VerifyEngine::Cpu, None) => Place::Cpu,
        (_, device) => Place::Gpu(Box::new(Gpu::open(device.as_deref()).map_err(load::no_gpu)?)),
    };
    let settings = Settings {
        seeds: args.seeds.unwrap_or(usual.seeds),
        cell: args.cell.unwrap_or(usual.cell),
        dt: args.dt.unwrap_or(usual.dt),
        plan: args.plan.clone(),
        steer: args.steer.clone(),
        set: args.set.clone(),
        place,
        ..usual
    };
    settings.check().map_err(|e| match e {
        RunError::Scene(e) => Failure::Scene(*e),
        other => Failure::Usage(other.to_string()),
    })?;
    Ok(settings)
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    Ok(write_atomically(path, |f| f.write_all(text.as_bytes()))?)
}

fn write_scenes(folder: &Path, runs: &[&Run], quiet: bool) -> Result<ExitCode, Failure> {
    make_folder(folder)?;
    for run in runs {
        for (name, bytes) in run.files().map_err(anyhow::Error::from)? {
            write_atomically(&folder.join(name), |f| f.write_all(&bytes))?;
        }
    }
    if !quiet {
        let scenes = several(runs.len(), "scene");
        say(&format!("{scenes} in {}: try `throng view` with one of them\n", folder.display()))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A page in three parts: up to the end of the first comment, what the report replaces, and the rest.
fn read_page(path: &Path) -> Result<[String; 2], Failure> {
    let bytes =
        load::read_bounded(path, 16 << 20).map_err(|e| anyhow::anyhow!("cannot read {}: {e}", path.display()))?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let parts = text.split_once(MARKS[0]).and_then(|(before, rest)| {
        let (comment, rest) = rest.split_once("-->")?;
        let (_, after) = rest.split_once(MARKS[1])?;
        Some([format!("{before}{}{comment}-->", MARKS[0]), format!("{}{after}", MARKS[1])])
    });
    parts.ok_or_else(|| {
        Failure::Usage(format!("--page {}: it has no part between {} … --> and {}", path.display(), MARKS[0], MARKS[1]))
    })
}

/// Files of a folder of results, besides plots; those of [`write_results`].
const RESULTS: [&str; 5] = ["verify.json", "figures.csv", "points.csv", "runs.csv", "report.md"];

fn write_results(
    outputs: &mut Outputs,
    folder: &Path,
    settings: &Settings,
    findings: &Findings,
    json: &str,
    page: Option<(&Path, [String; 2])>,
) {
    let plots = report::plots(findings);
    let texts = [
        json.to_owned(),
        report::figures_csv(findings),
        report::points_csv(findings),
        report::runs_csv(findings),
        report::page(settings, findings, &plots, "."),
    ];
    for (file, text) in RESULTS.into_iter().zip(&texts) {
        outputs.note(write(&folder.join(file), text));
    }
    if let Some((path, [before, after])) = page {
        let beside = path.parent().and_then(|parent| folder.strip_prefix(parent).ok()).unwrap_or(folder);
        let images = beside.to_string_lossy().replace('\\', "/");
        let text = report::page(settings, findings, &plots, &images);
        outputs.note(write(path, &format!("{before}\n\n{text}\n{after}")));
    }
    for plot in &plots {
        outputs.note(write_png(&folder.join(plot.file), &plot.render()));
    }
}

/// A bar for a person who watches: how many runs are done, and which ones are under way.
struct Watching {
    bar: ProgressBar,
    running: Mutex<Vec<String>>,
}

impl Watching {
    fn new(runs: usize, hidden: bool) -> Self {
        let watched = std::io::stderr().is_terminal() && !hidden;
        let target = if watched { ProgressDrawTarget::stderr_with_hz(10) } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(runs as u64), target);
        if let Ok(style) = ProgressStyle::with_template("{bar:32} {pos}/{len} runs  {msg}  {elapsed}, {eta} left") {
            bar.set_style(style.progress_chars("█▉▊▋▌▍▎▏ "));
        }
        Self { bar, running: Mutex::default() }
    }

    fn change(&self, with: impl FnOnce(&mut Vec<String>)) {
        if let Ok(mut running) = self.running.lock() {
            with(&mut running);
            self.bar.set_message(running.join(", "));
        }
    }
}

impl Progress for Watching {
    fn begins(&self, run: &Run) {
        self.change(|running| running.push(run.stem()));
    }

    fn ended(&self, run: &Run) {
        self.bar.inc(1);
        self.change(|running| running.retain(|r| *r != run.stem()));
    }
}
