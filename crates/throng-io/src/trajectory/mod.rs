//! Trajectories: who was where in every frame of a run, in files that other
//! programs read.
//!
//! Whatever is written stays readable while a run goes on and after it was
//! killed: up to the last frames that had reached the file by then.

mod parquet;
mod sqlite;
#[cfg(test)]
mod tests;
mod text;
mod walkable;

pub use text::csv_cell;
pub use walkable::{LINE_WIDTH, Outline, walkable_wkt};

use crate::atomic::WriteError;
use crate::target::plain_file;
use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// The endings of files that a [`Recording`] can be.
pub const RECORDING_ENDINGS: [&str; 4] = ["sqlite", "parquet", "txt", "csv"];

/// What is said about a recording once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecordingInfo {
    /// The scene's name.
    pub scene: String,
    /// Frames per simulated second.
    pub fps: f64,
    /// Size of the world, metres.
    pub size: [f64; 2],
    /// Names of the groups, by number.
    pub groups: Vec<String>,
    /// Names of the goals, by number.
    pub goals: Vec<String>,
}

/// Somebody in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Person {
    /// The same in every frame.
    pub id: u32,
    /// Where, metres east and north.
    pub position: [f32; 2],
    /// Where it faces; of length 1.
    pub heading: [f32; 2],
    /// Metres per second.
    pub speed: f32,
    /// Number of its group.
    pub group: u16,
    /// Number of the goal that it heads for; none for a point of its own.
    pub goal: Option<u16>,
}

/// Everybody on the floor at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame<'a> {
    /// Its number; frames follow each other.
    pub number: u64,
    /// Simulated time, s.
    pub time: f64,
    /// Everybody on the floor, by id.
    pub people: &'a [Person],
}

/// A format.
trait Format: Send {
    /// The walkable area from the next frame on, as well-known text.
    fn geometry(&mut self, wkt: &str) -> io::Result<()>;
    fn add(&mut self, frame: &Frame<'_>) -> io::Result<()>;
    /// Everything is in the file when this returns.
    fn finish(&mut self) -> io::Result<()>;
    /// Frames that were added and are not in the file yet.
    fn waiting(&self) -> u64;
}

/// A file of trajectories that grows frame by frame.
///
/// The ending of its name says what it is: JuPedSim's database (`.sqlite`),
/// columns (`.parquet`), the text of the pedestrian dynamics archive that
/// PedPy reads (`.txt`), or a table (`.csv`).
///
/// ```
/// use throng_io::{Frame, Person, Recording, RecordingInfo};
///
/// let folder = tempfile::tempdir()?;
/// let file = folder.path().join("walk.txt");
/// let info = RecordingInfo { fps: 25.0, size: [10.0, 5.0], ..RecordingInfo::default() };
/// let mut recording = Recording::begin(&file, &info)?;
/// let somebody = Person { id: 7, position: [1.5, 2.0], heading: [1.0, 0.0], speed: 1.3, group: 0, goal: Some(0) };
/// recording.add(&Frame { number: 0, time: 0.0, people: &[somebody] })?;
/// recording.finish()?;
/// assert!(std::fs::read_to_string(&file)?.ends_with("\n7 0 1.5 2 0\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Recording {
    path: PathBuf,
    // Goes before the lock: SQLite's own locks end with any other handle to the file.
    format: Box<dyn Format>,
    /// Holds the lock.
    _lock: File,
    wants_geometry: bool,
    /// Frames that were added, and those that are in the file for good.
    added: u64,
    frames: u64,
}

impl std::fmt::Debug for Recording {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Recording").field("path", &self.path).finish_non_exhaustive()
    }
}

/// The ending of a path, in small letters, if a recording can have it.
#[must_use]
pub fn recording_ending(path: &Path) -> Option<&'static str> {
    let ending = path.extension()?.to_str()?.to_ascii_lowercase();
    RECORDING_ENDINGS.into_iter().find(|e| *e == ending)
}

impl Recording {
    /// Begins a file, in place of whatever was there.
    ///
    /// # Errors
    ///
    /// If the path has none of the [`RECORDING_ENDINGS`], or the file cannot
    /// be written.
    pub fn begin(path: &Path, info: &RecordingInfo) -> Result<Self, WriteError> {
        let failed = |cause| WriteError { path: path.to_owned(), cause };
        let Some(ending) = recording_ending(path) else {
            let why = "the name ends in none of .sqlite, .parquet, .txt, .csv";
            return Err(failed(io::Error::new(io::ErrorKind::InvalidInput, why)));
        };
        // Where half a line cannot be written it is taken back: that takes a file.
        let place = &plain_file(path)?;
        let lock = emptied(place).map_err(failed)?;
        let begun: io::Result<Box<dyn Format>> = match ending {
            "sqlite" => sqlite::Database::begin(place, info).map(|f| Box::new(f) as _),
            "parquet" => parquet::Columns::begin(place, info).map(|f| Box::new(f) as _),
            "txt" => text::Archive::begin(place, info).map(|f| Box::new(f) as _),
            _ => text::Table::begin(place, info).map(|f| Box::new(f) as _),
        };
        Ok(Self {
            path: path.to_owned(),
            format: begun.map_err(failed)?,
            _lock: lock,
            added: 0,
            frames: 0,
            wants_geometry: matches!(ending, "sqlite" | "parquet"),
        })
    }

    /// Whether the file has a place for the walkable area.
    #[must_use]
    pub fn wants_geometry(&self) -> bool {
        self.wants_geometry
    }

    /// The walkable area from the next frame on, as well-known text
    /// ([`walkable_wkt`]).
    ///
    /// # Errors
    ///
    /// If the file cannot be written; what was in it stays readable.
    pub fn geometry(&mut self, wkt: &str) -> Result<(), WriteError> {
        let done = self.format.geometry(wkt);
        self.told(done)
    }

    /// Adds a frame.
    ///
    /// # Errors
    ///
    /// If the file cannot be written; what was in it stays readable.
    pub fn add(&mut self, frame: &Frame<'_>) -> Result<(), WriteError> {
        let done = self.format.add(frame);
        self.added += 1;
        self.told(done)
    }

    /// How many frames are in the file for good, whatever happens now.
    #[must_use]
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// Writes what is left. Nothing can be added then.
    ///
    /// # Errors
    ///
    /// If the file cannot be written; what was in it stays readable.
    pub fn finish(&mut self) -> Result<(), WriteError> {
        let done = self.format.finish();
        self.told(done)
    }

    fn told(&mut self, done: io::Result<()>) -> Result<(), WriteError> {
        if done.is_ok() {
            self.frames = self.added - self.format.waiting();
        }
        done.map_err(|cause| WriteError { path: self.path.clone(), cause })
    }
}

/// The file with nothing in it, locked: two runs that wrote into the same would leave what no program reads.
fn emptied(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new().write(true).create(true).truncate(false).open(path)?;
    // Elsewhere a lock would keep others from reading it; and where a file system has no locks there is nothing to be known.
    #[cfg(unix)]
    if let Err(std::fs::TryLockError::WouldBlock) = file.try_lock() {
        return Err(io::Error::other("another run records into it now"));
    }
    file.set_len(0)?;
    Ok(file)
}
