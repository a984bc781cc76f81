//! `throng run --checkpoint T`: snapshots while a run goes on, in a folder of their own, of which the last two are kept.
//!
//! Each is written whole under a name of its own before the oldest goes, by a thread of its own, so steps wait only for the copy
//! of the state. Numbers in names grow, so the newest is the one with the greatest.

use crate::args::RunArgs;
use crate::out::remark;
use crate::results::make_folder;
use crate::{Failure, memory};
use std::collections::VecDeque;
use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use throng::engine::EngineError;
use throng::{SaveError, Scene, Simulation};
use throng_io::{WriteError, check_writable, write_atomically};

/// So many are kept: should the newest be damaged, there is one more.
const KEPT: usize = 2;

/// The greatest number of one that is there: more follow.
const LAST: u64 = u64::MAX / 2;

/// Letters of a scene's name in that of a folder, in bytes.
const MOST_LETTERS: usize = 100;

/// Locked for as long as a run writes into the folder.
const LOCK: &str = ".lock";

/// Whether there is no room for it.
fn is_full(why: &WriteError) -> bool {
    use std::io::ErrorKind;
    matches!(why.cause.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded)
}

/// Checkpoints of a run.
pub(crate) struct Checkpoints {
    folder: PathBuf,
    every: Duration,
    /// When the last one was taken, or the run began.
    last: Instant,
    /// The number of the next one.
    next: u64,
    /// Those that are there, the oldest first.
    kept: VecDeque<PathBuf>,
    writing: Option<(PathBuf, JoinHandle<Result<(), WriteError>>)>,
    /// Why the first that failed did.
    failed: Option<String>,
    /// Holds the lock.
    _lock: File,
}

/// The checkpoints in a folder with their numbers, the oldest first.
pub(crate) fn in_folder(folder: &Path) -> std::io::Result<Vec<(u64, PathBuf)>> {
    let number = |name: &str| name.strip_prefix("checkpoint-")?.strip_suffix(".throng")?.parse().ok();
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        all.extend(path.file_name().and_then(|name| number(name.to_str()?)).map(|n| (n, path.clone())));
    }
    all.sort();
    Ok(all)
}

/// Where checkpoints go: where the command line says, or into the results, or into a folder beside them.
fn folder(args: &RunArgs, scene: &Scene) -> PathBuf {
    let plain = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '-' };
    let fits = |(at, c): &(usize, char)| at + c.len_utf8() <= MOST_LETTERS;
    let name: String = scene.name.char_indices().take_while(fits).map(|(_, c)| plain(c)).collect();
    match (&args.checkpoints, &args.out) {
        (Some(folder), _) => folder.clone(),
        (None, Some(out)) => out.join("checkpoints"),
        (None, None) => PathBuf::from(format!("{name}.checkpoints")),
    }
}

impl Checkpoints {
    /// Makes the folder ready, if the command line asks for checkpoints. Those of another run are not replaced: they may be all
    /// that is left of it.
    pub(crate) fn begin(args: &RunArgs, scene: &Scene) -> Result<Option<Self>, Failure> {
        let Some(seconds) = args.checkpoint else { return Ok(None) };
        if !(0.01..=1e9).contains(&seconds) {
            return Err(Failure::Usage(format!(
                "--checkpoint {seconds:?}: a number of seconds from 0.01 to 1000000000"
            )));
        }
        let folder = folder(args, scene);
        let shown = folder.display().to_string();
        make_folder(&folder)?;
        check_writable(&folder.join(LOCK))?;
        let cannot = |e: std::io::Error| anyhow::anyhow!("cannot use the folder {shown}: {e}");
        let lock = OpenOptions::new().create(true).append(true).open(folder.join(LOCK)).map_err(cannot)?;
        if let Err(TryLockError::WouldBlock) = lock.try_lock() {
            return Err(Failure::Usage(format!(
                "--checkpoint: another run writes into {shown} now; give each a folder of its own with --checkpoints DIR"
            )));
        }
        let there = in_folder(&folder).map_err(cannot)?;
        let same =
            |other: &Path| other.canonicalize().is_ok_and(|other| folder.canonicalize().is_ok_and(|f| f == other));
        // A name alone is a file of the working folder.
        let parent = |file: &Path| match file.parent() {
            Some(parent) if parent.as_os_str().is_empty() => same(Path::new(".")),
            parent => parent.is_some_and(same),
        };
        let goes_on = args.resume.as_ref().is_some_and(|file| same(file) || parent(file));
        if !there.is_empty() && !goes_on {
            return Err(Failure::Usage(format!(
                "--checkpoint: {shown} holds what an earlier run has left. Go on from there with --resume {shown}, name another folder \
                 with --checkpoints DIR, or delete it"
            )));
        }
        let last = there.last().map_or(0, |(number, _)| *number);
        if last > LAST {
            return Err(Failure::Usage(format!(
                "--checkpoint: {shown} holds a checkpoint with the number {last}, and there are none after it. Name another folder \
                 with --checkpoints DIR, or rename that file"
            )));
        }
        // What is no plain file is nobody's checkpoint: reading it may not end.
        let plain = there.into_iter().map(|(_, file)| file).filter(|file| file.is_file());
        let is_whole = |file: &PathBuf| {
            File::open(file).and_then(|f| throng::is_whole_snapshot(scene, f)).is_ok_and(|whole| whole)
        };
        let (whole, damaged): (Vec<_>, Vec<_>) = plain.partition(is_whole);
        Ok(Some(Self {
            every: Duration::from_secs_f64(seconds),
            last: Instant::now(),
            next: last + 1,
            // Those that are damaged go first.
            kept: damaged.into_iter().chain(whole).collect(),
            writing: None,
            failed: None,
            folder,
            _lock: lock,
        }))
    }

    /// Between two steps: takes one if it is time, and the last one has been written.
    pub(crate) fn look(&mut self, sim: &mut Simulation) -> Result<(), EngineError> {
        let busy = self.writing.as_ref().is_some_and(|(_, thread)| !thread.is_finished());
        if busy || self.last.elapsed() < self.every {
            return Ok(());
        }
        self.end();
        self.last = Instant::now();
        let state = match sim.save() {
            Ok(state) => state,
            // Memory may be short as a disk may be.
            Err(why @ SaveError::Memory(_)) => {
                self.fail(&format!("cannot make a checkpoint: {why}"));
                return Ok(());
            }
            Err(SaveError::Engine(why)) => return Err(why),
        };
        // Held for as long as it is written, while the run goes on.
        let held = match memory::budget().take(state.len() as u64) {
            Ok(held) => held,
            Err(why) => {
                self.fail(&format!("cannot write a checkpoint: {why}"));
                return Ok(());
            }
        };
        let file = self.folder.join(format!("checkpoint-{:06}.throng", self.next));
        self.next += 1;
        let to = file.clone();
        // On a disk without room for three the older of two goes first: the other one is whole.
        let spare = if self.kept.len() >= KEPT { self.kept.front().cloned() } else { None };
        let write = move || {
            let _held = held;
            let write = || write_atomically(&to, |f| std::io::Write::write_all(f, &state));
            match (write(), spare) {
                (Err(why), Some(spare)) if is_full(&why) => {
                    let _ = std::fs::remove_file(spare);
                    write()
                }
                (done, _) => done,
            }
        };
        match std::thread::Builder::new().name("checkpoint".into()).spawn(write) {
            Ok(thread) => self.writing = Some((file, thread)),
            Err(e) => self.fail(&format!("cannot write {}: no thread can be started: {e}", file.display())),
        }
        Ok(())
    }

    /// Waits until the last one is written; then the oldest may go.
    fn end(&mut self) {
        let Some((file, thread)) = self.writing.take() else { return };
        match thread.join() {
            Ok(Ok(())) => self.kept.push_back(file),
            Ok(Err(e)) => self.fail(&e.to_string()),
            Err(_) => self.fail(&format!("cannot write {}: its thread has failed", file.display())),
        }
        while self.kept.len() > KEPT
            && let Some(oldest) = self.kept.pop_front()
        {
            // One too many does no harm.
            let _ = std::fs::remove_file(oldest);
        }
    }

    fn fail(&mut self, why: &str) {
        if self.failed.is_none() {
            remark(&format!(
                "error: {why}. The run goes on; the next checkpoint is tried in {} s",
                self.every.as_secs_f64()
            ));
            self.failed = Some(why.to_owned());
        }
    }

    /// Waits for the writer; says why one failed, if any did.
    pub(crate) fn finish(mut self) -> Option<String> {
        self.end();
        self.failed.take()
    }
}

impl Drop for Checkpoints {
    fn drop(&mut self) {
        self.end();
        if self.kept.is_empty() {
            // A short run, or one that has not begun, leaves no folder behind, unless there is something else in it.
            let _ = std::fs::remove_file(self.folder.join(LOCK));
            let _ = std::fs::remove_dir(&self.folder);
        }
    }
}
