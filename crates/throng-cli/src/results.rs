//! What a run leaves behind: every file is tried, whatever became of the others.

use crate::args::RunArgs;
use crate::out::{claim, people};
use crate::report::{self, History};
use crate::{Failure, field, measured, memory};
use std::fmt::Display;
use std::path::{Path, PathBuf};
use throng::engine::Values;
use throng::{Scene, Simulation};
use throng_io::{LineChart, RgbImage, Series, plain_file, write_atomically, write_place, write_png};
use throng_view::look::{Look, Overlay};

/// Pictures of a run's maps: the map, and its file.
pub(crate) const MAPS: [(Overlay, &str); 2] = [(Overlay::PeakDensity, "peak-density.png"), (Overlay::Use, "use.png")];

/// Files of every folder of results, besides what is measured.
const FILES: [&str; 3] = ["summary.json", "arrivals.csv", "arrivals.png"];

/// Finds out before hours of work whether everything that the command line asks for can be written.
pub(crate) fn check(args: &RunArgs, scene: &Scene) -> Result<(), Failure> {
    let single = [("--save", &args.save), ("--people", &args.people), ("--record", &args.record)];
    let single: Vec<(&str, &PathBuf)> = single.into_iter().filter_map(|(o, file)| Some((o, file.as_ref()?))).collect();
    // Single files may be in the folder of results.
    if let Some(folder) = &args.out {
        make_folder(folder)?;
    }
    for &(option, file) in &single {
        if let Some(parent) = file.parent()
            && !parent.as_os_str().is_empty()
            && !parent.is_dir()
        {
            return Err(Failure::Usage(format!("{option}: there is no folder {}", parent.display())));
        }
        if option == "--record" {
            plain_file(file)?;
        }
        let is_scene = file.is_file() && file.canonicalize().ok() == Path::new(&args.scene.scene).canonicalize().ok();
        if is_scene {
            return Err(Failure::Usage(format!("{option} {}: this is the scene itself", file.display())));
        }
        claim(file)?;
    }
    if args.resume.is_some() {
        leave_what_came_before(args, &single, scene)?;
    }
    // What lies where, at the end of all links.
    let mut taken: Vec<(&str, PathBuf)> = Vec::new();
    if let Some(folder) = &args.out {
        for name in FILES.into_iter().chain(MAPS.map(|(_, name)| name)).chain(measured::files(scene)) {
            claim(&folder.join(name))?;
            taken.push(("--out", write_place(&folder.join(name))?));
        }
    }
    for &(option, file) in &single {
        let place = write_place(file)?;
        if let Some((other, _)) = taken.iter().find(|(_, before)| *before == place) {
            return Err(Failure::Usage(match *other {
                "--out" => format!("{option} {}: --out writes a file of its own there", file.display()),
                _ => format!("{other} and {option} cannot both be {}", file.display()),
            }));
        }
        taken.push((option, place));
    }
    Ok(())
}

/// That a run which goes on replaces nothing that the run before may have left: what it writes begins where it goes on.
fn leave_what_came_before(args: &RunArgs, single: &[(&str, &PathBuf)], scene: &Scene) -> Result<(), Failure> {
    let tables = FILES.into_iter().chain(MAPS.map(|(_, name)| name)).chain(measured::files(scene));
    let of_folder = args.out.iter().flat_map(|folder| tables.clone().map(move |name| ("--out", folder.join(name))));
    let single = single.iter().filter(|(option, _)| *option != "--save").map(|&(option, file)| (option, file.clone()));
    let there = |(_, file): &(&str, PathBuf)| std::fs::metadata(file).is_ok_and(|m| m.is_file() && m.len() > 0);
    match single.chain(of_folder).find(there) {
        Some((option, file)) => Err(Failure::Usage(format!(
            "{option}: {} is there already, perhaps with what came before the snapshot, and this run writes what comes after it. Give \
             {option} another name, or move that away",
            file.display()
        ))),
        None => Ok(()),
    }
}

/// Finds out before hours of work whether there is memory for the snapshots that a run is to make.
pub(crate) fn check_memory(args: &RunArgs, sim: &Simulation) -> Result<(), Failure> {
    let option = match (&args.save, args.checkpoint) {
        (Some(_), _) => "--save",
        (None, Some(_)) => "--checkpoint",
        (None, None) => return Ok(()),
    };
    memory::budget().take(sim.memory_to_save()).map(drop).map_err(|short| {
        Failure::Usage(format!(
            "{option}: of the {} of this run a snapshot cannot be made beside it: {short}. Leave {option} out, or use fewer \
             people (--agents N) or more memory",
            people(sim.scene().agent_count())
        ))
    })
}

/// Makes a folder, with those that it is in.
pub(crate) fn make_folder(folder: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(folder)
        .map_err(|e| anyhow::anyhow!("cannot make the folder {}: {e}", folder.display()).into())
}

/// Notes what could not be written, and goes on.
pub(crate) fn note<E: Display>(failed: &mut Vec<String>, tried: Result<(), E>) {
    failed.extend(tried.err().map(|e| e.to_string()));
}

/// Writes a text.
pub(crate) fn text(file: &Path, text: &str) -> Result<(), throng_io::WriteError> {
    write_atomically(file, |f| std::io::Write::write_all(f, text.as_bytes()))
}

/// A folder of results.
pub(crate) struct Folder<'a> {
    pub(crate) path: &'a Path,
    /// What could not be written, and why.
    pub(crate) failed: Vec<String>,
}

impl Folder<'_> {
    pub(crate) fn text(&mut self, name: &str, content: &str) {
        note(&mut self.failed, text(&self.path.join(name), content));
    }

    pub(crate) fn picture(&mut self, name: &str, image: &RgbImage) {
        note(&mut self.failed, write_png(&self.path.join(name), image));
    }

    /// Everything about a run but its snapshot; `maps` are those that the engine gave.
    pub(crate) fn fill(
        &mut self,
        sim: &Simulation,
        history: &History,
        hash: Option<u64>,
        maps: Vec<(Overlay, Values)>,
    ) {
        let scene = sim.scene();
        let summary = report::json(sim, history, hash);
        self.text("summary.json", &format!("{summary:#}\n"));
        self.text("arrivals.csv", &report::csv(history));
        if let Some(watch) = &history.watch {
            let span = (history.rows.first(), history.rows.last());
            let span = span.0.zip(span.1).map_or((0.0, 0.0), |(a, b)| (a.time, b.time));
            measured::write(self, scene, watch, span);
        }
        let name = &scene.name;
        let point = |f: fn(&report::Row) -> u64| history.rows.iter().map(|r| (r.time, f(r) as f64)).collect();
        let chart = LineChart {
            title: format!("{name}: arrivals"),
            x_label: "time, s".into(),
            y_label: "people".into(),
            series: vec![
                Series { name: "arrived".into(), points: point(|r| r.arrived) },
                Series { name: "on the floor".into(), points: point(|r| r.active) },
            ],
            ..LineChart::default()
        };
        self.picture("arrivals.png", &chart.render(960, 540));
        for (overlay, values) in maps {
            let file = MAPS.iter().find(|(map, _)| *map == overlay).map_or("", |(_, file)| file);
            let look = Look { overlay: Some(overlay), ..Look::default() };
            let drawn = field::picture(sim, &look, values, &self.path.join(file));
            note(&mut self.failed, drawn.map_err(|failure| failure.words()));
        }
    }
}
