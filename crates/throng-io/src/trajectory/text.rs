//! Trajectories as text: PedPy's, and a table.

use super::{Format, Frame, RecordingInfo};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Seek, Write};
use std::path::Path;

/// Bytes that are written at a time, in whole lines: a system that ends a
/// program does so between pages, not between letters.
const PIECE: usize = 4096;

/// A file of lines, each of them whole.
struct Lines {
    file: File,
    /// Lines on their way.
    waiting: String,
}

impl Lines {
    fn begin(path: &Path, head: &str) -> io::Result<Self> {
        let mut lines = Self { file: File::create(path)?, waiting: head.to_owned() };
        lines.flush()?;
        Ok(lines)
    }

    /// After each line.
    fn ended(&mut self) -> io::Result<()> {
        // The longest line but names is shorter than that.
        if self.waiting.len() + 120 > PIECE { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        let whole = self.file.stream_position()?;
        let written = self.file.write_all(self.waiting.as_bytes());
        self.waiting.clear();
        written.inspect_err(|_| {
            // Half a line is worse than none. If that fails too, the first error is the one to tell.
            let _ = self.file.set_len(whole);
        })
    }
}

/// The text of the archive of pedestrian dynamics.
pub(super) struct Archive(Lines);

impl Archive {
    pub(super) fn begin(path: &Path, info: &RecordingInfo) -> io::Result<Self> {
        let scene: String = info.scene.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        // The frame rate comes first: PedPy takes the first number of its line.
        let head = format!("# framerate: {} fps\n# scene: {scene}\n# id frame x/m y/m z/m\n", info.fps);
        Ok(Self(Lines::begin(path, &head)?))
    }
}

impl Format for Archive {
    fn geometry(&mut self, _: &str) -> io::Result<()> {
        Ok(())
    }

    fn add(&mut self, frame: &Frame<'_>) -> io::Result<()> {
        for p in frame.people {
            let [x, y] = p.position;
            // Writing to a string does not fail.
            let _ = writeln!(self.0.waiting, "{} {} {x} {y} 0", p.id, frame.number);
            self.0.ended()?;
        }
        self.0.flush()
    }

    fn finish(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn waiting(&self) -> u64 {
        0
    }
}

/// A table with a row for everybody in every frame.
pub(super) struct Table {
    lines: Lines,
    groups: Vec<String>,
    goals: Vec<String>,
}

impl Table {
    pub(super) fn begin(path: &Path, info: &RecordingInfo) -> io::Result<Self> {
        let head = "frame,time_s,id,x_m,y_m,heading_rad,speed_m_per_s,group,goal\n";
        let cells = |names: &[String]| names.iter().map(|n| csv_cell(n)).collect();
        Ok(Self { lines: Lines::begin(path, head)?, groups: cells(&info.groups), goals: cells(&info.goals) })
    }
}

/// A name as a cell of a table: in quotes where it has to be.
#[must_use]
pub fn csv_cell(name: &str) -> String {
    if name.contains([',', '"', '\n', '\r']) { format!("\"{}\"", name.replace('"', "\"\"")) } else { name.to_owned() }
}

impl Format for Table {
    fn geometry(&mut self, _: &str) -> io::Result<()> {
        Ok(())
    }

    fn add(&mut self, frame: &Frame<'_>) -> io::Result<()> {
        for p in frame.people {
            let ([x, y], heading) = (p.position, p.heading[1].atan2(p.heading[0]));
            let group = self.groups.get(usize::from(p.group)).map_or("", String::as_str);
            let goal = p.goal.and_then(|g| self.goals.get(usize::from(g))).map_or("", String::as_str);
            let (number, time, id, speed) = (frame.number, frame.time, p.id, p.speed);
            // Writing to a string does not fail.
            let _ =
                writeln!(self.lines.waiting, "{number},{time:.3},{id},{x},{y},{heading:.4},{speed:.4},{group},{goal}");
            self.lines.ended()?;
        }
        self.lines.flush()
    }

    fn finish(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn waiting(&self) -> u64 {
        0
    }
}
