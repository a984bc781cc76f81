//! Temporary files beside the files that they become.
//!
//! On Unix one is locked for as long as it is being written. So what a killed process has left can be told from what another process
//! is writing at this moment: it can be locked. The first temporary file in a folder removes what was left there.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// How names of temporary files begin.
const BEGINNING: &str = ".throng-";

/// A new file that nobody can read who cannot read the one that it replaces.
#[cfg_attr(not(unix), allow(unused_variables))]
fn new_file(path: &Path, replaces: Option<&Metadata>) -> io::Result<File> {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    if let Some(old) = replaces {
        use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
        options.mode(old.mode() & 0o666 | 0o200);
    }
    options.write(true).create_new(true).open(path)
}

/// A temporary file; removed when dropped, so also when whoever writes it panics.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
    file: File,
    renamed: bool,
}

impl Scratch {
    /// A new empty file in the folder of `path`, with an ending of its own.
    ///
    /// # Errors
    ///
    /// If there is no such folder, or nothing can be created in it.
    pub fn beside(path: &Path, ending: &str) -> io::Result<Self> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        remove_leftovers(folder_of(path));
        let old = fs::metadata(path).ok();
        loop {
            // Not derived from the file's own name: that may already be as
            // long as the file system allows.
            let number = COUNT.fetch_add(1, Ordering::Relaxed);
            let path = path.with_file_name(format!("{BEGINNING}{}-{number}.{ending}", std::process::id()));
            match new_file(&path, old.as_ref()) {
                Ok(file) if is_ours(&file, &path) => return Ok(Self { path, file, renamed: false }),
                // Taken for a leftover before it was locked.
                Ok(_) => {}
                // Left by an earlier process that had our id: take the next.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Where it is, for programs that write it.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The open file.
    #[must_use]
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Stores what was written and gives it its name, with mode and owner of the file that it replaces, as far as this user may
    /// give files away. Where the file there can be written and not replaced, it is overwritten.
    ///
    /// # Errors
    ///
    /// If it cannot be stored, or neither replace nor overwrite what is there; then it is kept under a name that the error tells.
    pub fn become_file(mut self, path: &Path) -> io::Result<()> {
        if let Ok(old) = fs::metadata(path)
            && old.is_file()
        {
            keep_mode_and_owner(&self.file, &old)?;
        }
        // Without this a power cut soon after the rename may leave an empty file
        // under the final name: the name would be stored before the content.
        self.file.sync_all()?;
        let Err(why) = fs::rename(&self.path, path) else {
            self.renamed = true;
            store_names(folder_of(path));
            return Ok(());
        };
        overwrite(path, &self.path).map_err(|again| self.keep(&why, &again))
    }

    /// Gives it a name that is no leftover's, and says so.
    fn keep(&mut self, why: &io::Error, again: &io::Error) -> io::Error {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        let kept = self.path.with_file_name(name.replacen(BEGINNING, "throng-kept-", 1));
        let said = format!("what is there can be neither replaced ({why}) nor overwritten ({again})");
        if kept.exists() || fs::rename(&self.path, &kept).is_err() {
            return io::Error::new(why.kind(), said);
        }
        self.renamed = true;
        store_names(folder_of(&kept));
        io::Error::new(why.kind(), format!("{said}: it is kept as {}", kept.display()))
    }
}

/// Puts the content of one file into another that is there.
fn overwrite(path: &Path, new: &Path) -> io::Result<()> {
    let mut from = File::open(new)?;
    let mut to = OpenOptions::new().write(true).open(path)?;
    let written = io::copy(&mut from, &mut to)?;
    to.set_len(written)?;
    to.sync_all()
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if !self.renamed {
            // Nothing better to do than to leave it: the error that brought
            // us here is the one worth reporting.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// The folder that a file is in.
pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Locks a new file, and says whether it is still there: until then it looked like a leftover.
#[cfg(unix)]
fn is_ours(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match file.try_lock() {
        Ok(()) => match (file.metadata(), fs::symlink_metadata(path)) {
            (Ok(ours), Ok(there)) => ours.ino() == there.ino(),
            _ => false,
        },
        Err(fs::TryLockError::WouldBlock) => false,
        // A file system without locks: nobody can lock it, so nobody takes it for a leftover.
        Err(fs::TryLockError::Error(_)) => true,
    }
}

/// Elsewhere a lock would keep other programs (ffmpeg) from writing it.
#[cfg(not(unix))]
fn is_ours(_: &File, _: &Path) -> bool {
    true
}

/// Removes temporary files that nobody writes any more, in each folder once.
#[cfg(unix)]
fn remove_leftovers(folder: &Path) {
    use std::collections::BTreeSet;
    use std::sync::Mutex;
    static LOOKED_AT: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    let Ok(folder) = folder.canonicalize() else { return };
    if !LOOKED_AT.lock().is_ok_and(|mut folders| folders.insert(folder.clone())) {
        return;
    }
    let Ok(entries) = fs::read_dir(&folder) else { return };
    for entry in entries.flatten().filter(|e| is_temporary(&e.file_name().to_string_lossy())) {
        let plain = entry.file_type().is_ok_and(|kind| kind.is_file());
        // Those that cannot be opened or locked are somebody else's.
        if plain
            && let Ok(file) = OpenOptions::new().write(true).open(entry.path())
            && file.try_lock().is_ok()
        {
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(not(unix))]
fn remove_leftovers(_: &Path) {}

/// Whether a name is one that [`Scratch::beside`] gives.
#[cfg(unix)]
fn is_temporary(name: &str) -> bool {
    let number = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    let parts = name.strip_prefix(BEGINNING).and_then(|rest| rest.split_once('.')).and_then(|(n, _)| n.split_once('-'));
    parts.is_some_and(|(process, count)| number(process) && number(count))
}

#[cfg(unix)]
fn keep_mode_and_owner(file: &File, old: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, fchown};
    let new = file.metadata()?;
    if (new.uid(), new.gid()) != (old.uid(), old.gid()) {
        // Only root may give files away; a group of one's own can be kept.
        let _ = fchown(file, Some(old.uid()), Some(old.gid())).or_else(|_| fchown(file, None, Some(old.gid())));
    }
    file.set_permissions(old.permissions())
}

#[cfg(not(unix))]
fn keep_mode_and_owner(file: &File, old: &Metadata) -> io::Result<()> {
    file.set_permissions(old.permissions())
}

/// Stores the names in a folder, so that a power cut does not bring the old file back; where that can be asked for.
fn store_names(folder: &Path) {
    #[cfg(unix)]
    let _ = File::open(folder).and_then(|f| f.sync_all());
    #[cfg(not(unix))]
    let _ = folder;
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_process_left_is_removed_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name);
        for name in
            [".throng-1-0.tmp", ".throng-999999-12.mp4", ".throng-notes", ".throng-a-b.tmp", "throng-kept-1-0.tmp"]
        {
            fs::write(place(name), "left").unwrap();
        }
        let written = File::create(place(".throng-7-7.tmp")).unwrap();
        written.try_lock().unwrap();
        Scratch::beside(&place("a.txt"), "tmp").unwrap().become_file(&place("a.txt")).unwrap();
        let mut names: Vec<_> =
            fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        assert_eq!(names, [".throng-7-7.tmp", ".throng-a-b.tmp", ".throng-notes", "a.txt", "throng-kept-1-0.tmp"]);
    }

    #[test]
    fn what_is_overwritten_has_no_more_than_the_new_content() {
        let folder = tempfile::tempdir().unwrap();
        let [old, new] = ["old", "new"].map(|name| folder.path().join(name));
        fs::write(&old, "a long old text").unwrap();
        fs::write(&new, "short").unwrap();
        overwrite(&old, &new).unwrap();
        assert_eq!(fs::read_to_string(&old).unwrap(), "short");
        assert!(overwrite(&folder.path().join("none"), &new).is_err(), "what is not there is not made");
    }
}
