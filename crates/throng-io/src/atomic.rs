//! Writing a file so that it is there whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// A file could not be written; the message names it and says why.
///
/// The cause is part of the message and therefore not also the error's
/// `source`: a report that prints the whole chain would say it twice.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}: {cause}", path.display())]
pub struct WriteError {
    /// The file that was to be written.
    pub path: PathBuf,
    /// What the system, or the writing closure, said.
    pub cause: io::Error,
}

/// Writes `path` by way of a temporary file beside it that is renamed at the
/// end, so that an interrupted run leaves the old file (or none), never half
/// of the new one.
///
/// The writer handed to `write` is buffered, and flushed for it. When `write`
/// fails the temporary file is removed and whatever stood at `path` stays.
/// The folder must exist. A symbolic link at `path` is replaced, not followed.
///
/// # Errors
///
/// [`WriteError`], when `write` fails or the file cannot be created, stored
/// or renamed.
pub fn write_atomically<F>(path: &Path, write: F) -> Result<(), WriteError>
where
    F: FnOnce(&mut BufWriter<File>) -> io::Result<()>,
{
    write_beside(path, write).map_err(|cause| WriteError { path: path.to_owned(), cause })
}

fn write_beside<F>(path: &Path, write: F) -> io::Result<()>
where
    F: FnOnce(&mut BufWriter<File>) -> io::Result<()>,
{
    if path.file_name().is_none() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "the path names no file"));
    }
    let (scratch, file) = Scratch::beside(path)?;
    let mut writer = BufWriter::new(file);
    write(&mut writer)?;
    writer.flush()?;
    // Without this a power cut soon after the rename may leave an empty file
    // under the final name: the name would be stored before the content.
    writer.get_ref().sync_all()?;
    drop(writer);
    scratch.become_file(path)
}

/// The temporary file; removed when dropped, so also when the closure panics.
struct Scratch {
    path: PathBuf,
    renamed: bool,
}

impl Scratch {
    fn beside(path: &Path) -> io::Result<(Self, File)> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        loop {
            // Not derived from the file's own name: that may already be as
            // long as the file system allows.
            let name = format!(".throng-{}-{}.tmp", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
            let path = path.with_file_name(name);
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => {
                    let renamed = false;
                    return Ok((Self { path, renamed }, file));
                }
                // Left by an earlier process that had our id: take the next.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    fn become_file(mut self, path: &Path) -> io::Result<()> {
        fs::rename(&self.path, path)?;
        self.renamed = true;
        Ok(())
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn replaces_the_old_file_and_leaves_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        for text in ["a first, longer text", "second"] {
            write_atomically(&path, |out| out.write_all(text.as_bytes())).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        assert_eq!(names(folder.path()), ["a.txt"]);
    }

    #[test]
    fn a_failing_closure_leaves_the_old_file_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        fs::write(&path, "old").unwrap();
        let error = write_atomically(&path, |out| {
            out.write_all(b"half of the n")?;
            out.flush()?;
            Err(io::Error::other("the disk is full"))
        })
        .unwrap_err();
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(names(folder.path()), ["a.txt"]);
        let message = error.to_string();
        assert!(message.contains("a.txt"), "{message}");
        assert!(message.contains("the disk is full"), "{message}");
    }

    #[test]
    fn a_panicking_closure_leaves_the_old_file_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        fs::write(&path, "old").unwrap();
        let outcome = std::panic::catch_unwind(|| {
            let _ = write_atomically(&path, |_| panic!("on purpose"));
        });
        assert!(outcome.is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(names(folder.path()), ["a.txt"]);
    }

    #[test]
    fn says_which_path_cannot_be_written() {
        let folder = tempfile::tempdir().unwrap();
        let missing = folder.path().join("no such folder").join("a.txt");
        let message = write_atomically(&missing, |_| Ok(())).unwrap_err().to_string();
        assert!(message.contains("no such folder"), "{message}");
        assert!(write_atomically(Path::new("/"), |_| Ok(())).is_err());
        // A folder in the way: refused, and no temporary file stays.
        fs::create_dir(folder.path().join("taken")).unwrap();
        assert!(write_atomically(&folder.path().join("taken"), |_| Ok(())).is_err());
        assert_eq!(names(folder.path()), ["taken"]);
    }

    #[test]
    fn a_name_as_long_as_the_system_allows_works() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x".repeat(255));
        write_atomically(&path, |out| out.write_all(b"y")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"y");
    }
}
