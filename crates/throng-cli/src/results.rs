//! What a run leaves behind: every file is tried, whatever became of the others.

use crate::args::RunArgs;
use crate::report::{self, History};
use crate::{Failure, field, measured};
use std::fmt::Display;
use std::path::{Path, PathBuf};
use throng::engine::{Field, Values};
use throng::{Scene, Simulation};
use throng_io::{LineChart, Palette, RgbImage, Series, check_writable, plain_file, write_atomically, write_png};

/// Pictures of a run's maps: the map, its file, its title.
pub(crate) const MAPS: [(Field, &str, &str); 2] =
    [(Field::PeakDensity, "peak-density.png", "peak density"), (Field::Use, "use.png", "use")];

/// Files of every folder of results.
const FILES: [&str; 5] = ["summary.json", "arrivals.csv", "arrivals.png", "exits.csv", "exits.png"];

/// Finds out before hours of work whether everything that the command line asks for can be written.
pub(crate) fn check(args: &RunArgs) -> Result<(), Failure> {
    let single = [("--save", &args.save), ("--people", &args.people), ("--record", &args.record)];
    let single: Vec<(&str, &PathBuf)> = single.into_iter().filter_map(|(o, file)| Some((o, file.as_ref()?))).collect();
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
        check_writable(file)?;
        let is_scene = file.is_file() && file.canonicalize().ok() == Path::new(&args.scene.scene).canonicalize().ok();
        if is_scene {
            return Err(Failure::Usage(format!("{option} {}: this is the scene itself", file.display())));
        }
    }
    for (i, &(option, file)) in single.iter().enumerate() {
        if let Some((other, _)) = single[..i].iter().find(|(_, before)| *before == file) {
            return Err(Failure::Usage(format!("{other} and {option} cannot both be {}", file.display())));
        }
    }
    if let Some(folder) = &args.out {
        make_folder(folder)?;
        for name in FILES.into_iter().chain(MAPS.map(|(_, name, _)| name)) {
            check_writable(&folder.join(name))?;
        }
    }
    Ok(())
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
    pub(crate) fn fill(&mut self, sim: &Simulation, history: &History, hash: Option<u64>, maps: &[(Field, Values)]) {
        let scene = sim.scene();
        let summary = report::json(sim, history, hash);
        self.text("summary.json", &format!("{summary:#}\n"));
        self.text("arrivals.csv", &report::csv(history));
        if let Some(watch) = &history.watch {
            measured::write(self, scene, watch);
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
        for (which, file, title) in MAPS {
            if let Some((_, values)) = maps.iter().find(|(f, _)| *f == which) {
                self.map(scene, which, values, file, title);
            }
        }
    }

    fn map(&mut self, scene: &Scene, which: Field, values: &Values, file: &str, title: &str) {
        let Values::Scalar(v) = values else { return };
        if v.is_empty() {
            return;
        }
        // Few cells where somebody waited long would leave all others black: the scale ends where 99 % of the used
        // cells do, and its tip says that some are beyond.
        let mut v: Vec<f32> = v.iter().copied().filter(|&x| x > 0.0).collect();
        v.sort_unstable_by(f32::total_cmp);
        let limits = (which == Field::Use && v.len() > 100).then(|| (0.0, v[v.len() * 99 / 100]));
        let title = format!("{}: {title}", scene.name);
        let drawn = field::picture(scene, which, values, &title, Palette::Heat, limits, &self.path.join(file));
        note(&mut self.failed, drawn.map_err(|failure| failure.words()));
    }
}
