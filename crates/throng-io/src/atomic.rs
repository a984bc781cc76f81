//! Writing a file so that it is there whole or not at all.

use crate::scratch::Scratch;
use crate::stream;
use crate::target::Target;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

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
/// The folder must exist. A file that is replaced keeps its mode and, as far
/// as this user may give files away, its owner; a read-only file is not
/// replaced. A symbolic link stays, and the file that it leads to is written.
/// A device or a pipe is written through, and what this process has open
/// already (`/dev/stdout`) is gone on with. What can be written but not
/// replaced (a file that is mounted) is overwritten; if that fails too, the
/// new file stays under a name that the error tells.
///
/// # Errors
///
/// [`WriteError`], when `write` fails or the file cannot be created, stored
/// or renamed.
pub fn write_atomically<F>(path: &Path, write: F) -> Result<(), WriteError>
where
    F: FnOnce(&mut dyn Write) -> io::Result<()>,
{
    write_to(path, write).map_err(|cause| WriteError { path: path.to_owned(), cause })
}

fn write_to<F>(path: &Path, write: F) -> io::Result<()>
where
    F: FnOnce(&mut dyn Write) -> io::Result<()>,
{
    let through = |out: &mut dyn Write| {
        let mut writer = BufWriter::new(out);
        let done = write(&mut writer).and_then(|()| writer.flush());
        if done.is_err() {
            // What could not be written is not tried again when the writer goes: that may wait once more.
            let _ = writer.into_parts();
        }
        done
    };
    match Target::of(path)? {
        Target::Stream(place) => through(&mut stream::open(&place)?),
        Target::File(place) => {
            let scratch = Scratch::beside(&place, "tmp")?;
            through(&mut scratch.file())?;
            scratch.become_file(&place)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

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

    #[cfg(unix)]
    #[test]
    fn a_replaced_file_keeps_its_mode_and_a_link_stays_one() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let [file, link, fresh] = ["a.txt", "link", "fresh"].map(|name| folder.path().join(name));
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        symlink("a.txt", &link).unwrap();
        write_atomically(&link, |out| out.write_all(b"new")).unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
        // A link that leads to nothing yet.
        fs::remove_file(&link).unwrap();
        symlink("fresh", &link).unwrap();
        write_atomically(&link, |out| out.write_all(b"first")).unwrap();
        assert_eq!(fs::read_to_string(&fresh).unwrap(), "first");
        // What others may not read they cannot read while it is written either.
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        write_atomically(&file, |out| {
            let hidden = |e: &fs::DirEntry| e.file_name().to_string_lossy().starts_with('.');
            let entry = fs::read_dir(folder.path()).unwrap().flatten().find(hidden).expect("it is written beside it");
            assert_eq!(entry.metadata().unwrap().permissions().mode() & 0o777, 0o600);
            out.write_all(b"new")
        })
        .unwrap();
        // Read-only: it stays what it was, whoever asks.
        fs::set_permissions(&file, fs::Permissions::from_mode(0o440)).unwrap();
        let message = write_atomically(&file, |out| out.write_all(b"newer")).unwrap_err().to_string();
        assert!(message.contains("read-only"), "{message}");
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
    }

    #[test]
    fn what_cannot_get_its_name_in_the_end_is_kept_under_another() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        let error = write_atomically(&path, |out| {
            out.write_all(b"hours of work")?;
            // Somebody is faster.
            fs::create_dir(&path)
        })
        .unwrap_err();
        let kept = names(folder.path()).into_iter().find(|name| name != "a.txt").expect("it is kept");
        assert!(error.to_string().contains(&kept), "{error}");
        assert_eq!(fs::read_to_string(folder.path().join(&kept)).unwrap(), "hours of work");
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_and_a_device_are_written_through() {
        use std::os::unix::fs::FileTypeExt;
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || fs::read(pipe).unwrap()
        });
        write_atomically(&pipe, |out| out.write_all(b"through")).unwrap();
        assert_eq!(reader.join().unwrap(), b"through");
        assert!(fs::symlink_metadata(&pipe).unwrap().file_type().is_fifo());
        write_atomically(Path::new("/dev/null"), |out| out.write_all(b"gone")).unwrap();
        assert!(fs::symlink_metadata("/dev/null").unwrap().file_type().is_char_device());
        let full = write_atomically(Path::new("/dev/full"), |out| out.write_all(b"too much")).unwrap_err();
        assert!(full.to_string().contains("/dev/full"), "{full}");
        assert_eq!(names(folder.path()), ["pipe"]);
    }
}
