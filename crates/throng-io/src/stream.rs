//! What is written through: pipes, devices, and what this process has open already.

use crate::scratch::folder_of;
use crate::target::Target;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;

/// Which of this process's descriptors a path is, if it is one.
pub(crate) fn descriptor(place: &Path) -> Option<u32> {
    let number = place.file_name()?.to_str()?.parse().ok()?;
    let folder = folder_of(place).canonicalize().ok()?;
    let is_own = |own: &str| Path::new(own).canonicalize().is_ok_and(|own| own == folder);
    ["/dev/fd", "/proc/self/fd"].into_iter().any(is_own).then_some(number)
}

/// Whether writing to a path is writing to this process's standard output, by whatever name: then nothing else belongs there.
#[must_use]
pub fn is_standard_output(path: &Path) -> bool {
    matches!(Target::of(path), Ok(Target::Stream(place)) if descriptor(&place) == Some(1))
}

/// Opens a pipe, a device, or again what is open.
pub(crate) fn open(place: &Path) -> io::Result<Box<dyn Write>> {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd;
        use std::os::unix::fs::FileTypeExt;
        // Opened anew a file would be written from its beginning, and what comes after it over it.
        let own = match descriptor(place) {
            Some(1) => Some(io::stdout().as_fd().try_clone_to_owned()?),
            Some(2) => Some(io::stderr().as_fd().try_clone_to_owned()?),
            _ => None,
        };
        if let Some(own) = own {
            return Ok(Box::new(std::fs::File::from(own)));
        }
        let kind = std::fs::metadata(place)?.file_type();
        if kind.is_fifo() {
            return Ok(Box::new(pipe::Pipe::open(place, pipe::PATIENCE, pipe::LONGER)?));
        }
        if kind.is_file() {
            return Ok(Box::new(OpenOptions::new().append(true).open(place)?));
        }
    }
    Ok(Box::new(OpenOptions::new().write(true).open(place)?))
}

#[cfg(unix)]
mod pipe {
    use std::fs::{File, OpenOptions};
    use std::io::{self, ErrorKind, Write};
    use std::os::unix::fs::OpenOptionsExt;
    use std::path::Path;
    use std::thread::sleep;
    use std::time::{Duration, Instant};

    /// How long a pipe may have no reader.
    pub(super) const PATIENCE: Duration = Duration::from_secs(5);

    /// How long one that is there may read nothing: it may be writing to a slow network.
    pub(super) const LONGER: Duration = Duration::from_secs(60);

    /// A pipe that is waited for, but not without an end: everything that is written after it would wait with it.
    pub(super) struct Pipe {
        /// Never waits itself.
        file: File,
        patience: Duration,
    }

    fn nobody(patience: Duration) -> io::Error {
        io::Error::new(ErrorKind::TimedOut, format!("nobody has read this pipe for {} s", patience.as_secs_f64()))
    }

    impl Pipe {
        /// Waits for a reader for a while; `patience` is for each piece then.
        pub(super) fn open(place: &Path, for_reader: Duration, patience: Duration) -> io::Result<Self> {
            let since = Instant::now();
            loop {
                match OpenOptions::new().write(true).custom_flags(libc::O_NONBLOCK).open(place) {
                    Ok(file) => return Ok(Self { file, patience }),
                    Err(e) if e.raw_os_error() != Some(libc::ENXIO) => return Err(e),
                    Err(_) if since.elapsed() > for_reader => return Err(nobody(for_reader)),
                    Err(_) => sleep(Duration::from_millis(20)),
                }
            }
        }
    }

    impl Write for Pipe {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let (since, mut pause) = (Instant::now(), Duration::from_micros(50));
            loop {
                match self.file.write(bytes) {
                    Err(e) if e.kind() == ErrorKind::WouldBlock => {
                        if since.elapsed() > self.patience {
                            return Err(nobody(self.patience));
                        }
                        sleep(pause);
                        pause = (2 * pause).min(Duration::from_millis(10));
                    }
                    done => return done,
                }
            }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        fn fifo(folder: &tempfile::TempDir) -> std::path::PathBuf {
            let pipe = folder.path().join("pipe");
            assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
            pipe
        }

        #[test]
        fn a_reader_that_reads_nothing_is_given_up() {
            let folder = tempfile::tempdir().unwrap();
            let pipe = fifo(&folder);
            let reader = OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK).open(&pipe).unwrap();
            let mut out = Pipe::open(&pipe, Duration::ZERO, Duration::from_millis(100)).unwrap();
            // More than any pipe holds.
            let error = out.write_all(&vec![7; 4 << 20]).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::TimedOut);
            assert!(error.to_string().contains("nobody has read this pipe for 0.1 s"), "{error}");
            drop(reader);
            // One that has gone since is not waited for at all.
            assert_eq!(out.write(b"more").unwrap_err().kind(), ErrorKind::BrokenPipe);
        }

        #[test]
        fn all_of_it_comes_through_to_a_slow_reader() {
            use std::io::Read;
            let folder = tempfile::tempdir().unwrap();
            let pipe = fifo(&folder);
            let reader = std::thread::spawn({
                let pipe = pipe.clone();
                move || {
                    let (mut file, mut all, mut piece) = (File::open(pipe).unwrap(), Vec::new(), vec![0; 100_000]);
                    loop {
                        match file.read(&mut piece).unwrap() {
                            0 => return all,
                            n => all.extend_from_slice(&piece[..n]),
                        }
                        sleep(Duration::from_millis(1));
                    }
                }
            });
            let sent: Vec<u8> = (0..1_000_000u32).map(|i| (i % 251) as u8).collect();
            Pipe::open(&pipe, PATIENCE, LONGER).unwrap().write_all(&sent).unwrap();
            assert!(reader.join().unwrap() == sent);
        }
    }
}
