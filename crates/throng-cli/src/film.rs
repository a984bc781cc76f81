//! Films: frames go through the program ffmpeg into a file that is there whole or not at all.

use crate::Failure;
use image::{DynamicImage, RgbaImage};
use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread::JoinHandle;
use throng_io::{Scratch, plain_file};

/// Endings of films that are made.
pub(crate) const ENDINGS: [&str; 4] = ["mp4", "webm", "mkv", "gif"];

/// The size that a film of an ending gets: most keep colours for squares of 2 × 2 pixels.
pub(crate) fn fitting(size: [u32; 2], ending: &str) -> [u32; 2] {
    if ending == "gif" { size } else { size.map(|side| side & !1) }
}

/// Says early that ffmpeg is missing.
pub(crate) fn require_ffmpeg(path: &Path) -> Result<(), Failure> {
    let mut asked = Command::new("ffmpeg");
    asked.arg("-version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    match asked.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(anyhow::anyhow!("ffmpeg, which makes films, does not run: it ends with {status}").into()),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Err(anyhow::anyhow!(
            "a film needs the program ffmpeg, and there is none on the PATH. Install it (Debian or Ubuntu: sudo \
             apt-get install ffmpeg; macOS: brew install ffmpeg; Windows: winget install ffmpeg), or have the frames \
             in a folder: -o {}",
            path.with_extension("").join("").display()
        )
        .into()),
        Err(e) => Err(anyhow::anyhow!("ffmpeg, which makes films, does not start: {e}").into()),
    }
}

/// A film that is being made. Dropped before [`Film::finish`] it leaves nothing.
pub(crate) struct Film {
    path: PathBuf,
    /// Where it is made, beside its place.
    scratch: Option<Scratch>,
    ffmpeg: Child,
    /// Taken when the last frame was sent.
    frames_in: Option<ChildStdin>,
    /// What ffmpeg says.
    words: Option<JoinHandle<String>>,
}

impl Film {
    /// Begins a film of frames of one size; the ending of the path is one of [`ENDINGS`].
    pub(crate) fn begin(path: &Path, size: [u32; 2], fps: u32) -> Result<Self, Failure> {
        let ending = path.extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase();
        let path = plain_file(path)?;
        let scratch = Scratch::beside(&path, &ending)?;
        let mut command = Command::new("ffmpeg");
        command.args(["-hide_banner", "-loglevel", "error", "-y", "-f", "rawvideo", "-pixel_format", "rgba"]);
        command.args(["-video_size", &format!("{}x{}", size[0], size[1])]);
        command.args(["-framerate", &fps.to_string(), "-i", "pipe:0", "-an"]);
        command.args(encoding(&ending));
        // So that a name with a colon is not taken for a protocol.
        let mut to = OsString::from("file:");
        to.push(scratch.path());
        command.arg(to).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        out_of_reach_of_ctrl_c(&mut command);
        let mut ffmpeg = command.spawn().map_err(|e| anyhow::anyhow!("ffmpeg does not start: {e}"))?;
        let frames_in = ffmpeg.stdin.take();
        let stderr = ffmpeg.stderr.take();
        let mut film = Self { path, scratch: Some(scratch), ffmpeg, frames_in, words: None };
        if let Some(mut stderr) = stderr {
            let listen = move || {
                let mut bytes = Vec::new();
                // What was read until it failed is said all the same.
                let _ = stderr.read_to_end(&mut bytes);
                String::from_utf8_lossy(&bytes).trim().to_owned()
            };
            let thread = std::thread::Builder::new().name("ffmpeg".into()).spawn(listen);
            // Without one ffmpeg ends here, since nobody would read what it says.
            film.words = Some(thread.map_err(|e| anyhow::anyhow!("the system starts no thread for a film: {e}"))?);
        }
        Ok(film)
    }

    /// Adds a frame.
    pub(crate) fn add(&mut self, frame: &RgbaImage) -> Result<(), Failure> {
        let sent = self.frames_in.as_mut().map(|pipe| pipe.write_all(frame.as_raw()));
        match sent {
            Some(Ok(())) => Ok(()),
            // It has ended, and its words say why.
            Some(Err(e)) if e.kind() == std::io::ErrorKind::BrokenPipe => {
                self.end()?;
                Err(anyhow::anyhow!("ffmpeg ended before the film did").into())
            }
            Some(Err(e)) => Err(anyhow::anyhow!("ffmpeg does not take frames: {e}").into()),
            None => Err(anyhow::anyhow!("the film has ended already").into()),
        }
    }

    /// Puts the film in its place.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        self.end()?;
        let cannot = |e: std::io::Error| anyhow::anyhow!("cannot write {}: {e}", self.path.display());
        let made = self.scratch.take().map_or(Ok(()), |scratch| scratch.become_file(&self.path));
        Ok(made.map_err(cannot)?)
    }

    /// Sends no more, and waits until ffmpeg has ended.
    fn end(&mut self) -> Result<(), Failure> {
        drop(self.frames_in.take());
        let status = self.ffmpeg.wait()?;
        let words = self.words.take().and_then(|thread| thread.join().ok()).unwrap_or_default();
        // It ends well also where the last bytes found no room on the disk; its words tell.
        if status.success() && !words.lines().any(tells_of_an_error) {
            return Ok(());
        }
        Err(anyhow::anyhow!("ffmpeg could not make {} ({status}). It says:\n{words}", self.path.display()).into())
    }
}

/// Whether a line of ffmpeg's is about an error: "Error writing trailer of …: No space left on device".
fn tells_of_an_error(line: &str) -> bool {
    let line = line.to_ascii_lowercase();
    ["error", "failed", "no space"].iter().any(|word| line.contains(word))
}

impl Drop for Film {
    fn drop(&mut self) {
        if self.scratch.is_some() {
            // Whatever brought us here is the thing to report.
            let _ = self.ffmpeg.kill();
            let _ = self.ffmpeg.wait();
        }
    }
}

/// How films of an ending are packed. Colours are marked as those of HD video, for players guess otherwise.
fn encoding(ending: &str) -> Vec<&'static str> {
    const COLOURS: [&str; 12] = [
        "-vf",
        "scale=out_color_matrix=bt709:out_range=tv",
        "-pix_fmt",
        "yuv420p",
        "-colorspace",
        "bt709",
        "-color_primaries",
        "bt709",
        "-color_trc",
        "bt709",
        "-color_range",
        "tv",
    ];
    match ending {
        "mp4" => {
            [&COLOURS[..], &["-c:v", "libx264", "-preset", "medium", "-crf", "18", "-movflags", "+faststart"]].concat()
        }
        // A palette for each frame: one for all would need all frames at once.
        "gif" => {
            vec!["-filter_complex", "split[a][b];[a]palettegen=stats_mode=single[p];[b][p]paletteuse=new=1:dither=none"]
        }
        _ => COLOURS.to_vec(),
    }
}

/// Ctrl-C goes to all programs of a terminal's group: this one is to end when its frames do.
fn out_of_reach_of_ctrl_c(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(windows)]
    {
        const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;
        std::os::windows::process::CommandExt::creation_flags(command, CREATE_NEW_PROCESS_GROUP);
    }
    #[cfg(not(any(unix, windows)))]
    let _ = command;
}

/// Where frames go.
pub(crate) enum Frames {
    Film(Box<Film>),
    Folder(PathBuf),
}

impl Frames {
    pub(crate) fn add(&mut self, number: u64, frame: &RgbaImage) -> Result<(), Failure> {
        match self {
            Self::Film(film) => film.add(frame),
            Self::Folder(folder) => write_frame(&folder.join(frame_name(number)), frame.clone()),
        }
    }

    /// Ends it; a film without frames is none.
    pub(crate) fn finish(self, number: u64) -> Result<(), Failure> {
        match self {
            Self::Film(film) if number > 0 => film.finish(),
            _ => Ok(()),
        }
    }
}

/// Where a frame goes in a folder of frames.
pub(crate) fn frame_name(number: u64) -> String {
    format!("frame-{number:05}.png")
}

pub(crate) fn write_frame(path: &Path, image: RgbaImage) -> Result<(), Failure> {
    Ok(throng_io::write_png(path, &DynamicImage::ImageRgba8(image).into_rgb8())?)
}
