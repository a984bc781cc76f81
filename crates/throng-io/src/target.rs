//! What stands at a path that is to be written.

use crate::atomic::WriteError;
use crate::scratch::{Scratch, folder_of};
use std::fs;
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
        if path.file_name().is_none() {
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
/// [`WriteError`] if it is a folder or read-only, or its folder is not there or takes no files.
pub fn check_writable(path: &Path) -> Result<(), WriteError> {
    let check = || match Target::of(path)? {
        Target::File(place) => Scratch::beside(&place, "tmp").map(drop),
        // Opening a pipe would wait for its reader, and its reader would see it end.
        Target::Stream(_) => Ok(()),
    };
    check().map_err(|cause| WriteError { path: path.to_owned(), cause })
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
