//! Standard output and standard error.

use crate::Failure;
use std::io::Write;
use std::process::ExitCode;

/// Prints a text on standard output. A reader that has gone away (`| head`) ends the program quietly.
pub(crate) fn say(text: &str) -> Result<(), Failure> {
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(e) if e.kind() == std::io::ErrorKind::BrokenPipe => std::process::exit(0),
        other => Ok(other?),
    }
}

/// Prints a remark on standard error. If nobody listens there either, there is nobody to tell.
pub(crate) fn remark(text: &str) {
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
            let mut text = String::new();
            if handler.render_report(&mut text, error).is_err() {
                text = error.to_string();
            }
            remark(&text);
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
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
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
    fn no_minute_has_sixty_seconds() {
        assert_eq!(span(179.99), "3 min 00 s");
        assert_eq!(span(119.9), "119.9 s");
        assert_eq!(span(146.4), "2 min 26 s");
    }
}
