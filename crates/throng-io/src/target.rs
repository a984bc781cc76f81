//! What stands at a path that is to be written.

use crate::atomic::WriteError;
use crate::scratch::{Scratch, folder_of};
use crate::stream::descriptor;
use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// Links to links to links: more than any system follows.
const MOST_LINKS: usize = 40;

/// What writing to a path means.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// A plain file, or nothing yet, at the end of all links: replaced whole.
    File(PathBuf),
    /// A pipe, a device, or a file that is open already (`/dev/stdout`): written through.
    Stream(PathBuf),
}

impl Target {
    /// Follows links; refuses what cannot be written whoever asks.
    pub(crate) fn of(path: &Path) -> io::Result<Self> {
        let no = |kind: io::ErrorKind, why: &str| Err(io::Error::new(kind, why));
        // What ends with a slash is a folder, or is to be one.
        let slashed =
            path.as_os_str().as_encoded_bytes().last().is_some_and(|&last| std::path::is_separator(char::from(last)));
        if path.file_name().is_none() || slashed {
            return no(io::ErrorKind::InvalidInput, "the path names no file");
        }
        let mut place = path.to_owned();
        for _ in 0..MOST_LINKS {
            let there = match fs::symlink_metadata(&place) {
                Ok(there) => there,
                Err(e) if e.kind() == io::ErrorKind::NotFound && folder_of(&place).is_dir() => {
                    return Ok(Self::File(place));
                }
                Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                    return Err(io::Error::new(
                        e.kind(),
                        format!("there is no folder {}", folder_of(&place).display()),
                    ));
                }
                Err(e) => return Err(e),
            };
            if descriptor(&place).is_some() {
                return Ok(Self::Stream(place));
            }
            if there.is_symlink() {
                if place.starts_with("/proc") || place.starts_with("/dev/fd") {
                    return Ok(Self::Stream(place));
                }
                place = folder_of(&place).join(fs::read_link(&place)?);
            } else if there.is_dir() {
                return no(io::ErrorKind::IsADirectory, "it is a folder");
            } else if !there.is_file() {
                return Ok(Self::Stream(place));
            } else if there.permissions().readonly() {
                return no(io::ErrorKind::PermissionDenied, "the file there is read-only");
            } else {
                return Ok(Self::File(place));
            }
        }
        no(io::ErrorKind::InvalidInput, "too many links")
    }
}

/// Finds out whether a file can be written, without touching what is there: before hours of work, not after them.
///
/// # Errors
///
/// [`WriteError`] if it is a folder or cannot be written, or its folder is not there or takes no files.
pub fn check_writable(path: &Path) -> Result<(), WriteError> {
    let check = || match Target::of(path)? {
        Target::File(place) => {
            // Neither made nor changed by that.
            match OpenOptions::new().append(true).open(&place) {
                Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(e),
                _ => {}
            }
            Scratch::beside(&place, "tmp").map(drop)
        }
        // Opening a pipe would wait for its reader, and its reader would see it end.
        Target::Stream(place) => may_write(&place),
    };
    check().map_err(|cause| WriteError { path: path.to_owned(), cause })
}

/// Whether a pipe or a device takes what this process writes.
#[cfg(unix)]
fn may_write(place: &Path) -> io::Result<()> {
    use std::os::unix::fs::FileTypeExt;
    if descriptor(place).is_some() {
        return Ok(());
    }
    if fs::metadata(place)?.file_type().is_socket() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is a socket, which is no place for a file"));
    }
    Ok(nix::unistd::access(place, nix::unistd::AccessFlags::W_OK)?)
}

#[cfg(not(unix))]
fn may_write(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Where writing to a path leads, at the end of all links, whatever the path is written as: two paths that lead to one file are equal.
///
/// # Errors
///
/// [`WriteError`] if it is a folder or read-only, or its folder is not there.
pub fn write_place(path: &Path) -> Result<PathBuf, WriteError> {
    let place = || {
        let (Target::File(place) | Target::Stream(place)) = Target::of(path)?;
        let name = place.file_name().map(std::ffi::OsStr::to_owned).unwrap_or_default();
        Ok(folder_of(&place).canonicalize()?.join(name))
    };
    place().map_err(|cause| WriteError { path: path.to_owned(), cause })
}

/// Where a file is, at the end of all links, that has to be one: not a pipe or a device.
///
/// # Errors
///
/// [`WriteError`] if it is anything else, read-only, or its folder is not there.
pub fn plain_file(path: &Path) -> Result<PathBuf, WriteError> {
    let why = "it is a pipe or a device, and this needs a file";
    let place = Target::of(path).and_then(|target| match target {
        Target::File(place) => Ok(place),
        Target::Stream(_) => Err(io::Error::new(io::ErrorKind::InvalidInput, why)),
    });
    place.map_err(|cause| WriteError { path: path.to_owned(), cause })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looking_whether_a_file_can_be_written_leaves_it_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let [there, none] = ["there", "none"].map(|name| folder.path().join(name));
        fs::write(&there, "precious").unwrap();
        let before = fs::metadata(&there).unwrap().modified().unwrap();
        check_writable(&there).unwrap();
        check_writable(&none).unwrap();
        assert_eq!(fs::read_to_string(&there).unwrap(), "precious");
        assert_eq!(fs::metadata(&there).unwrap().modified().unwrap(), before);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing was made");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_file_that_cannot_be_opened_is_found_before_it_is_to_be_replaced() {
        // One that nobody may write, not even root: a program that runs.
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("sleep");
        fs::copy("/bin/sleep", &program).unwrap();
        let mut running = std::process::Command::new(&program).arg("60").spawn().unwrap();
        let told = check_writable(&program);
        running.kill().unwrap();
        running.wait().unwrap();
        let message = told.unwrap_err().to_string();
        assert!(message.contains("busy"), "{message}");
    }

    #[test]
    fn a_name_with_a_slash_at_its_end_is_no_file() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["new/", "new//"] {
            let told = check_writable(&folder.path().join(name)).unwrap_err().to_string();
            assert!(told.contains("names no file"), "{told}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_socket_is_found_before_the_work() {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("socket");
        let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        let told = check_writable(&socket).unwrap_err().to_string();
        assert!(told.contains("it is a socket"), "{told}");
        check_writable(Path::new("/dev/null")).unwrap();
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_is_open_already_is_one_place_by_all_its_names() {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("link.npy");
        std::os::unix::fs::symlink("/dev/stdout", &link).unwrap();
        let names = [Path::new("/dev/stdout"), Path::new("/dev/fd/1"), Path::new("/proc/self/fd/1"), &link];
        let place = write_place(names[0]).unwrap();
        for name in names {
            assert!(crate::is_standard_output(name), "{}", name.display());
            assert_eq!(write_place(name).unwrap(), place, "{}", name.display());
        }
        for name in [Path::new("/dev/stderr"), Path::new("/dev/null"), &folder.path().join("1")] {
            assert!(!crate::is_standard_output(name), "{}", name.display());
        }
    }
}
