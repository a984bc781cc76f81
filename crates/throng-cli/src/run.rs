//! `throng run SCENE`

use crate::Failure;
use crate::args::RunArgs;
use crate::out::{remark, say};
use crate::progress::Progress;
use crate::report::{self, History};
use crate::{field, load};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use throng::engine::Field;
use throng::{Scene, Simulation};
use throng_io::{LineChart, Palette, Series, write_atomically, write_png};

/// After so many simulated seconds without an arrival those who are left are taken to be stuck.
const PATIENCE_S: f64 = 600.0;

/// When a run ends.
enum End {
    Steps(u64),
    Done,
}

pub(crate) fn run(args: &RunArgs) -> Result<ExitCode, Failure> {
    let scene = load::scene(&args.scene)?;
    let end = end(args, &scene)?;
    // Before hours of work: can the results be written?
    if let Some(folder) = &args.out {
        std::fs::create_dir_all(folder)
            .map_err(|e| anyhow::anyhow!("cannot make the folder {}: {e}", folder.display()))?;
    }
    if let Some(parent) = args.save.as_ref().and_then(|f| f.parent())
        && !parent.as_os_str().is_empty()
        && !parent.is_dir()
    {
        return Err(Failure::Usage(format!("--save: there is no folder {}", parent.display())));
    }
    let mut sim = load::simulation(&scene, &args.engine)?;
    if let Some(file) = &args.resume {
        let bytes =
            load::read_bounded(file, 64 << 30).map_err(|e| anyhow::anyhow!("cannot read {}: {e}", file.display()))?;
        sim.resume(&bytes).map_err(|e| anyhow::anyhow!("{}: {e}", file.display()))?;
    } else {
        sim.engine_mut().keep_maps(args.out.is_some());
    }
    let history = simulate(args, &mut sim, &end)?;

    let summary = report::json(&mut sim, &history)?;
    if let Some(folder) = &args.out {
        write_results(folder, &mut sim, &history, &summary)?;
    }
    if let Some(file) = &args.save {
        let bytes = sim.save()?;
        write_atomically(file, |f| std::io::Write::write_all(f, &bytes))?;
    }
    if args.json {
        say(&format!("{summary}\n"))?;
    } else if !args.quiet {
        say(&report::text(&sim, &history))?;
        if let Some(folder) = &args.out {
            say(&format!("results in        {}\n", folder.display()))?;
        }
    }
    if history.stuck {
        let c = sim.counters();
        remark(&format!(
            "error: {} people are left and nobody has arrived for {PATIENCE_S:.0} s",
            c.active + c.outside
        ));
    }
    Ok(if history.interrupted || history.stuck { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

fn end(args: &RunArgs, scene: &Scene) -> Result<End, Failure> {
    let ends = report::everybody_leaves(scene);
    match (args.steps, args.seconds, args.until_done) {
        (Some(n), _, _) => Ok(End::Steps(n)),
        (_, Some(t), _) if !(0.0..=1e9).contains(&t) => {
            Err(Failure::Usage(format!("--seconds {t}: a number from 0 to 1000000000")))
        }
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

fn simulate(args: &RunArgs, sim: &mut Simulation, end: &End) -> Result<History, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    // The first Ctrl-C ends the run after the step; a second one ends the program.
    ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::SeqCst) {
            std::process::exit(130);
        }
    })
    .map_err(|e| anyhow::anyhow!("cannot watch for Ctrl-C: {e}"))?;

    let total = sim.scene().agent_count();
    let mut progress = match *end {
        End::Steps(n) => Progress::new(n, "steps", args.quiet || args.json),
        End::Done => Progress::new(total, "arrived", args.quiet || args.json),
    };
    let dt = f64::from(sim.scene().dt);
    let every = args.every.unwrap_or((1.0 / dt).round().max(1.0) as u64);
    let patience = PATIENCE_S + f64::from(longest_wait(sim.scene()));
    // A GPU is looked at every so many steps, a number that follows from the scene and not from timing.
    let look = if sim.engine().name() == "cpu" { 1 } else { every.min(25) };
    let mut history = History { steps_before: sim.steps(), ..History::default() };
    let begin = sim.counters();
    let (mut last_arrived, mut last_arrival) = (begin.arrived, sim.time());
    let mut left = begin.active + begin.outside;
    let started = Instant::now();
    history.row(sim.scene(), &begin);
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
        for _ in 0..steps {
            sim.step()?;
        }
        for c in sim.engine_mut().history() {
            history.note(sim.scene(), &c, every);
            if c.arrived != last_arrived || c.entered > 0 && c.outside > 0 {
                (last_arrived, last_arrival) = (c.arrived, c.steps as f64 * dt);
            }
            left = c.active + c.outside;
        }
        if matches!(end, End::Done) && sim.time() - last_arrival > patience {
            history.stuck = true;
            break;
        }
        let position = if matches!(end, End::Done) { last_arrived } else { done + steps };
        progress.step(position, sim.time(), left);
    }
    history.wall_seconds = started.elapsed().as_secs_f64();
    history.row(sim.scene(), &sim.counters());
    progress.finish();
    Ok(history)
}

/// The longest that anybody stands still because the scene says so, s.
fn longest_wait(scene: &Scene) -> f32 {
    let waits = scene.groups.iter().flat_map(|g| g.journey.iter().map(|l| l.wait).chain([g.delay.max()]));
    let sources = scene.groups.iter().filter_map(|g| g.rate.map(|r| g.count as f32 / r));
    let events = scene.events.iter().map(|e| e.at);
    waits.chain(sources).chain(events).fold(0.0, f32::max)
}

fn write_results(
    folder: &Path,
    sim: &mut Simulation,
    history: &History,
    summary: &serde_json::Value,
) -> Result<(), Failure> {
    let write = |name: &str, text: &str| {
        write_atomically(&folder.join(name), |f| std::io::Write::write_all(f, text.as_bytes()))
    };
    write("summary.json", &format!("{}\n", serde_json::to_string_pretty(summary).map_err(anyhow::Error::from)?))?;
    write("arrivals.csv", &report::csv(history))?;
    let name = sim.scene().name.clone();
    let point = |f: fn(&report::Row) -> u64| history.rows.iter().map(|r| (r.time, f(r) as f64)).collect();
    let chart = LineChart {
        title: format!("{name}: arrivals"),
        x_label: "time, s".into(),
        y_label: "people".into(),
        series: vec![
            Series { name: "arrived".into(), points: point(|r| r.arrived) },
            Series { name: "on the floor".into(), points: point(|r| r.active) },
        ],
    };
    write_png(&folder.join("arrivals.png"), &chart.render(960, 540))?;
    for (which, file, title) in
        [(Field::PeakDensity, "peak-density.png", "peak density"), (Field::Use, "use.png", "use")]
    {
        if let throng::engine::Values::Scalar(mut v) = sim.field(which)?
            && !v.is_empty()
        {
            // Few cells where somebody waited long would leave all others black: the scale ends where 99 % of the used
            // cells do, and its tip says that some are beyond.
            v.retain(|&x| x > 0.0);
            v.sort_unstable_by(f32::total_cmp);
            let limits = (which == Field::Use && v.len() > 100).then(|| (0.0, v[v.len() * 99 / 100]));
            field::picture(sim, which, &format!("{name}: {title}"), Palette::Heat, limits, &folder.join(file))?;
        }
    }
    Ok(())
}
