//! Standard output and standard error.

use crate::Failure;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use throng::scene::{SceneError, is_printable};
use throng_io::{check_writable, is_standard_output};

/// Whether a file goes to standard output: then text does not.
static GIVEN_AWAY: AtomicBool = AtomicBool::new(false);

/// Files that the scene was read from: nothing is written there.
static READ: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Notes a file that the scene is read from.
pub(crate) fn has_read(file: &Path) {
    if let (Ok(mut read), Ok(real)) = (READ.lock(), file.canonicalize())
        && real.is_file()
    {
        read.push(real);
    }
}

/// Finds out before the work whether a file can be written. If it is standard output by another name, that is the file's alone.
pub(crate) fn claim(file: &Path) -> Result<(), Failure> {
    let real = |file: &Path| file.canonicalize().ok();
    if let Some(real) = real(file)
        && READ.lock().is_ok_and(|read| read.contains(&real))
    {
        return Err(Failure::Usage(format!("{}: the scene is made of this file", file.display())));
    }
    check_writable(file)?;
    if is_standard_output(file) {
        GIVEN_AWAY.store(true, Ordering::Relaxed);
    }
    Ok(())
}

/// Prints a text on standard output, or, if a file goes there, on standard error. A reader that has gone away (`| head`) has read what it wanted: the status says how the
/// command went all the same.
pub(crate) fn say(text: &str) -> Result<(), Failure> {
    if GIVEN_AWAY.load(Ordering::Relaxed) {
        remark(text.trim_end_matches('\n'));
        return Ok(());
    }
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(escaped(text).as_bytes()).and_then(|()| stdout.flush()) {
        Err(e) if e.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        Err(e) => Err(anyhow::anyhow!("cannot write to standard output: {e}").into()),
        Ok(()) => Ok(()),
    }
}

/// A text that gives a terminal no orders: what does not show, but for ends of lines and tabs, by its number, which JSON and TOML read
/// back as it was.
fn escaped(text: &str) -> std::borrow::Cow<'_, str> {
    let shows = |c: char| c == '\n' || c == '\t' || is_printable(c);
    if text.chars().all(shows) {
        return text.into();
    }
    text.chars().map(|c| if shows(c) { c.to_string() } else { format!("\\u{:04x}", c as u32) }).collect()
}

/// Prints a remark on standard error. If nobody listens there either, there is nobody to tell.
pub(crate) fn remark(text: &str) {
    tell(&escaped(text));
}

fn tell(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Says why a command ended, and gives its exit status.
pub(crate) fn complain(failure: &Failure) -> ExitCode {
    match failure {
        Failure::Scene(error) => {
            let handler = miette::GraphicalReportHandler::new_themed(if colours() {
                miette::GraphicalTheme::unicode()
            } else {
                miette::GraphicalTheme::unicode_nocolor()
            })
            .with_width(100);
            for error in std::iter::once(error).chain(error.others()) {
                let mut text = String::new();
                if handler.render_report(&mut text, error).is_err() {
                    text = error.to_string();
                }
                // Its parts show what they are; the colours are ours.
                tell(&text);
            }
            if !error.others().is_empty() {
                let told = 1 + error.others().len();
                let more = if told < SceneError::MOST { "" } else { ", and perhaps more" };
                tell(&format!("{told} mistakes{more}"));
            }
            ExitCode::from(2)
        }
        Failure::Usage(text) => {
            remark(&format!("error: {text}"));
            ExitCode::from(2)
        }
        Failure::Other(error) => {
            remark(&format!("error: {error:#}"));
            ExitCode::from(1)
        }
    }
}

fn colours() -> bool {
    use std::io::IsTerminal;
    std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none()
}

/// What a command leaves behind: each output is tried, whatever became of the others.
#[derive(Default)]
pub(crate) struct Outputs {
    /// Why some could not be written.
    failed: Vec<String>,
}

impl Outputs {
    /// Notes whether one could be written.
    pub(crate) fn note<E: Into<Failure>>(&mut self, tried: Result<(), E>) {
        if let Err(failure) = tried {
            let why = failure.into().words();
            // Row after row of a table fails for one reason.
            if !self.failed.contains(&why) {
                self.failed.push(why);
            }
        }
    }

    /// Says what could not be written. The status that the command ends with.
    pub(crate) fn end(self, status: ExitCode) -> ExitCode {
        self.failed.iter().for_each(|why| remark(&format!("error: {why}")));
        if self.failed.is_empty() { status } else { ExitCode::from(1) }
    }
}

/// A whole number with thin groups of three: 1,048,576.
pub(crate) fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// So many of something, in words: 1 goal, 2 goals.
pub(crate) fn several(n: usize, what: &str) -> String {
    format!("{} {what}{}", grouped(n as u64), if n == 1 { "" } else { "s" })
}

/// So many people, in words: 1 person, 2 people.
pub(crate) fn people(n: u64) -> String {
    format!("{} {}", grouped(n), if n == 1 { "person" } else { "people" })
}

/// Bytes as a person reads them.
pub(crate) fn bytes(n: u64) -> String {
    match n {
        0..10_000 => format!("{n} B"),
        10_000..10_000_000 => format!("{:.0} kB", n as f64 / 1e3),
        10_000_000..10_000_000_000 => format!("{:.0} MB", n as f64 / 1e6),
        _ => format!("{:.1} GB", n as f64 / 1e9),
    }
}

/// A time span as a person reads it.
pub(crate) fn span(seconds: f64) -> String {
    if seconds < 120.0 {
        format!("{seconds:.1} s")
    } else {
        let whole = seconds.round();
        format!("{:.0} min {:02.0} s", (whole / 60.0).floor(), whole % 60.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_thousands() {
        assert_eq!(grouped(7), "7");
        assert_eq!(grouped(4096), "4,096");
        assert_eq!(grouped(1_048_576), "1,048,576");
    }

    #[test]
    fn nothing_printed_is_an_order_to_a_terminal() {
        assert_eq!(escaped("a \u{1B}[2J\tb\n\u{9B}\u{7F}é"), "a \\u001b[2J\tb\n\\u009b\\u007fé");
        assert_eq!(escaped("plain ×\n"), "plain ×\n");
    }

    #[test]
    fn one_person_is_no_people() {
        assert_eq!([0, 1, 2, 4096].map(people), ["0 people", "1 person", "2 people", "4,096 people"]);
    }

    #[test]
    fn no_minute_has_sixty_seconds() {
        assert_eq!(span(179.99), "3 min 00 s");
        assert_eq!(span(119.9), "119.9 s");
        assert_eq!(span(146.4), "2 min 26 s");
    }
}
