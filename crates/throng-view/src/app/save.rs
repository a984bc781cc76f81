//! Saving the changed scene: in the text that it came from where that can say it, never over a file without asking.

use super::App;
use super::changes::Turn;
use super::drop::with_start_times;
use super::leave::Loses;
use super::message::Weight;
use crate::host::{Done, Happened};
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use throng::Scene;
use throng::scene::Files;

/// Files in the folder that is saved to.
struct Folder<'a>(&'a Path);

impl Files for Folder<'_> {
    fn read(&self, name: &str) -> Result<Vec<u8>, String> {
        std::fs::read(self.0.join(name)).map_err(|e| e.to_string())
    }
}

/// The folder, the name without its ending, and the whole path of a scene that is saved so.
pub(super) fn place(path: &str) -> Result<(PathBuf, String, PathBuf), String> {
    let path = Path::new(path.trim());
    // Only a literal ending is left out: office.v2 is a name of its own.
    let name = path.file_name().and_then(|s| s.to_str()).unwrap_or("");
    let stem = name.strip_suffix(".toml").unwrap_or(name).to_owned();
    if stem.is_empty() || path.as_os_str().to_string_lossy().ends_with(['/', '\\']) {
        return Err("cannot save: give the file a name, as in office-changed.toml".into());
    }
    let folder = path.parent().map(Path::to_owned).unwrap_or_default();
    let toml = folder.join(format!("{stem}.toml"));
    Ok((folder, stem, toml))
}

/// A file that saving a scene under this name may replace: the scene, or one that would lie beside it (`Scene::to_files` has their names).
fn in_the_way(folder: &Path, stem: &str, toml: &Path) -> Option<PathBuf> {
    if toml.exists() {
        return Some(toml.to_owned());
    }
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let beside = |name: &str| {
        let rest = name.strip_prefix(stem).and_then(|rest| rest.strip_prefix('-'));
        let parts = ["map.", "heights.", "background.", "sprite-", "character-"];
        rest.is_some_and(|rest| parts.iter().any(|part| rest.starts_with(part)))
    };
    let mut names = std::fs::read_dir(here).ok()?.flatten().filter_map(|entry| entry.file_name().into_string().ok());
    names.find(|name| beside(name)).map(|name| folder.join(name))
}

/// What is said where the text that it came from cannot say what the scene is now.
const NEW_TEXT: &str = "the text is a new one, without the comments of the one that it came from";
const LIKE_IT_WAS: &str = "comments and order of the text that it came from are kept";

/// A file as it was when it was written here.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Known {
    toml: PathBuf,
    /// When it was changed last, and its bytes.
    like: Option<(SystemTime, u64)>,
}

impl Known {
    fn of(toml: &Path) -> Self {
        let like = std::fs::metadata(toml).ok().and_then(|m| Some((m.modified().ok()?, m.len())));
        Self { toml: toml.to_owned(), like }
    }
}

/// A scene that was written to a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Saved {
    /// The file.
    pub toml: PathBuf,
    /// Which of the scene's states it is: see `Changes`.
    pub state: u64,
    /// Whether the text is a new one.
    pub anew: bool,
    /// Whether a file was replaced that was not written here.
    pub replaced: bool,
    /// What `throng check` says against it.
    pub refused: Option<String>,
}

/// Writes files, the first one last: a TOML that is there names files that are. Where one of them cannot be written the others are what they were.
fn write_all(folder: &Path, files: Vec<(String, Vec<u8>)>) -> Result<(), String> {
    let write = |path: &Path, bytes: &[u8]| {
        throng_io::write_atomically(path, |out| std::io::Write::write_all(out, bytes))
            .map_err(|e| format!("cannot save: {e}"))
    };
    let mut written: Vec<(PathBuf, Option<Vec<u8>>)> = Vec::new();
    for (name, bytes) in files.into_iter().rev() {
        let path = folder.join(&name);
        let before = std::fs::read(&path).ok();
        if let Err(why) = write(&path, &bytes) {
            for (path, before) in written {
                // Whatever fails now, the first failure is what there is to say.
                drop(match before {
                    Some(bytes) => write(&path, &bytes),
                    None => std::fs::remove_file(&path).map_err(|e| e.to_string()),
                });
            }
            return Err(why);
        }
        written.push((path, before));
    }
    Ok(())
}

/// Writes a scene, made from another by changes. Returns what was done, in words, and whether the text is a new one.
fn write(scene: &Scene, origin: &Scene, folder: &Path, stem: &str) -> Result<(String, bool), String> {
    let kept = scene.to_files_like(origin, stem, &Folder(folder));
    let anew = kept.is_none();
    let how = if anew { NEW_TEXT } else { LIKE_IT_WAS };
    let files = kept.unwrap_or_else(|| scene.to_files(stem));
    let more = match files.len() {
        0 | 1 => String::new(),
        2 => " and 1 file beside it".to_owned(),
        n => format!(" and {} files beside it", n - 1),
    };
    write_all(folder, files)?;
    Ok((format!("saved {}{more}; {how}", folder.join(format!("{stem}.toml")).display()), anew))
}

/// Writes a scene under a name that no file has yet. Returns where.
pub(super) fn write_anew(scene: &Scene, origin: &Scene, folder: &Path, stem: &str) -> Result<PathBuf, String> {
    let names = std::iter::once(stem.to_owned()).chain((2..).map(|k| format!("{stem}-{k}")));
    let file = |name: &str| folder.join(format!("{name}.toml"));
    let mut free = names.filter(|name| in_the_way(folder, name, &file(name)).is_none());
    let name = free.next().unwrap_or_default();
    write(scene, origin, folder, &name)?;
    Ok(file(&name))
}

impl App {
    /// Saves the changed scene, with the files it needs; asks first if that would replace a file that was not saved here.
    pub fn save(&mut self) {
        self.end_change();
        self.changes.wait_for(Turn::Save);
        self.take_turns();
    }

    pub(super) fn save_as_it_is(&mut self) {
        match place(&self.save_as) {
            Ok((folder, stem, toml)) => match in_the_way(&folder, &stem, &toml) {
                // Also one that was saved here, if somebody has changed it since.
                Some(file) if !self.is_known(&toml) => self.overwrite = Some(file),
                _ => self.save_now(false),
            },
            Err(why) => self.cannot_save(why),
        }
    }

    /// Whoever was to leave after that stays.
    fn cannot_save(&mut self, why: String) {
        self.leaves = false;
        self.complain(why);
    }

    /// Whether a file was written here, and is as it was then or gone.
    fn is_known(&self, toml: &Path) -> bool {
        let now = Known::of(toml);
        self.saved.iter().any(|known| known.toml == now.toml && (now.like.is_none() || known.like == now.like))
    }

    fn save_now(&mut self, replaced: bool) {
        let (folder, stem, toml) = match place(&self.save_as) {
            Ok(place) => place,
            Err(why) => return self.cannot_save(why),
        };
        let (dropped, origin) = (self.dropped.clone(), std::sync::Arc::clone(&self.origin));
        let state = self.changes.state();
        self.host.tell(Box::new(move |sim| {
            let scene = with_start_times(sim.edited_scene(), &dropped);
            let (said, anew) = write(&scene, &origin, &folder, &stem)?;
            // Beside a run of it there may be no memory for that.
            let refused = scene.has_memory().then(|| scene.check().err().map(|why| why.to_string())).flatten();
            Ok(Done {
                happened: Some(Happened::Saved(Saved { toml, state, anew, replaced, refused })),
                ..Done::saying(said)
            })
        }));
    }

    /// What follows once it is written.
    pub(super) fn has_saved(&mut self, saved: Saved) {
        let Saved { toml, state, anew, replaced, refused } = saved;
        self.saved.retain(|known| known.toml != toml);
        self.saved.push(Known::of(&toml));
        self.changes.have_saved(state, replaced);
        let how = if anew { format!("; {NEW_TEXT}") } else { String::new() };
        self.say(Weight::Done, format!("Saved {}{how}", toml.display()));
        match refused {
            // Whoever was to leave after that should see this first.
            Some(why) => {
                self.leaves = false;
                self.complain(format!("{} is saved, but as it is it cannot run: {why}", toml.display()));
            }
            // Unless something was changed meanwhile.
            None if std::mem::take(&mut self.leaves) => self.once_typed(Turn::Lose(Loses::Closing)),
            None => {}
        }
    }

    /// Asks whether a file may be replaced.
    pub(super) fn ask_to_overwrite(&mut self, context: &egui::Context) {
        let Some(toml) = self.overwrite.clone() else { return };
        let modal = egui::Modal::new(egui::Id::unique("overwrite")).show(context, |ui| {
            ui.set_max_width(420.0);
            ui.heading("Replace it?");
            ui.label(format!("There is a file {} already.", toml.display()));
            ui.horizontal(|ui| {
                let replace = ui.button("Replace").clicked();
                (replace, ui.button("Keep it").on_hover_text("And save nothing (Esc)").clicked())
            })
            .inner
        });
        let (replace, keep) = modal.inner;
        if replace || keep || modal.should_close() {
            self.overwrite = None;
        }
        if replace {
            self.save_now(true);
        } else if self.overwrite.is_none() {
            self.leaves = false;
        }
    }
}
