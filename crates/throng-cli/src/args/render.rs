//! `throng render`

use super::{CameraArgs, EngineArgs, LookArgs, SceneArgs};
use crate::look;
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  throng render office --seconds 20 --colour speed -o office.png
  throng render hills --field discomfort --seconds 40 --view 0,60,60,128 -o bridges.png
  throng render office --sheet 0,20,40,60,90,120 -o sheet.png
  throng render corridor --to 30 --size 1600x240 -o lanes.mp4
  throng render bottleneck --follow 7 --speed 2 -o frames/
  throng run office --seconds 60 --save minute.throng && throng render office --resume minute.throng -o minute.png

A film needs the program ffmpeg (Debian: apt-get install ffmpeg); a folder of frames does not. Drawing needs a \
driver for Vulkan, Metal or DX12; software will do (Debian: mesa-vulkan-drivers). Where the run is on a GPU that one \
draws too, else the best there is.

Exit status: 0 for success, 2 for a bad command line or scene, 1 for the rest: also when a film is interrupted, and \
when nobody arrives any more; the frames that were drawn by then are a whole film all the same.")]
pub(crate) struct RenderArgs {
    #[command(flatten)]
    pub(crate) scene: SceneArgs,
    /// Where to: a .png for a picture; a .mp4, .webm, .mkv or .gif for a film; a name without ending, or an existing
    /// folder, for a folder of frames: frame-00000.png and so on.
    #[arg(short, long, value_name = "F")]
    pub(crate) output: PathBuf,
    /// Width and height, pixels; by default 1280x720, with --field those of `throng field`'s picture, in a contact sheet 640x360 for
    /// each moment.
    #[arg(long, value_name = "WxH", value_parser = look::size)]
    pub(crate) size: Option<[u32; 2]>,
    /// No legend, scale, clock or names.
    #[arg(long)]
    pub(crate) no_caption: bool,
    /// Letters and legend K times as large.
    #[arg(
        long,
        value_name = "K",
        default_value_t = 1.0,
        value_parser = look::text_factor,
        allow_negative_numbers = true
    )]
    pub(crate) text: f32,
    /// No progress, no report.
    #[arg(long)]
    pub(crate) quiet: bool,
    /// Begin with a state of the same scene: a file of `throng run --save`, or a folder of --checkpoint. --steps and --seconds count
    /// from there; --sheet, --from and --to are times of the whole run, and the first frame is there if --from does not say.
    #[arg(long, value_name = "F|DIR", help_heading = "When")]
    pub(crate) resume: Option<PathBuf>,
    /// A picture: after N steps. By default at the start.
    #[arg(
        long,
        value_name = "N",
        conflicts_with_all = ["seconds", "sheet"],
        help_heading = "When",
        value_parser = super::steps,
        allow_negative_numbers = true
    )]
    pub(crate) steps: Option<u64>,
    /// A picture: after T simulated seconds.
    #[arg(
        long,
        value_name = "T",
        conflicts_with = "sheet",
        value_parser = look::seconds,
        allow_negative_numbers = true,
        help_heading = "When"
    )]
    pub(crate) seconds: Option<f64>,
    /// A contact sheet: the run at each of these simulated seconds, in one picture, in this order.
    #[arg(
        long,
        value_name = "T1,T2,…",
        value_delimiter = ',',
        value_parser = look::seconds, allow_negative_numbers = true,
        help_heading = "When"
    )]
    pub(crate) sheet: Vec<f64>,
    /// A contact sheet: so many beside each other; by default about as many as below each other.
    #[arg(
        long,
        value_name = "N",
        requires = "sheet",
        value_parser = clap::value_parser!(u32).range(1..=1000),
        help_heading = "When"
    )]
    pub(crate) columns: Option<u32>,
    /// A film or folder: the first frame, simulated seconds; if not given 0, or that of --resume.
    #[arg(long, value_name = "T", value_parser = look::seconds, allow_negative_numbers = true, help_heading = "When")]
    pub(crate) from: Option<f64>,
    /// A film or folder: the end, simulated seconds, which is itself not drawn any more: 2 seconds at 25 fps are 50
    /// frames. By default when nobody is left, or 60 seconds after --from where people keep coming back.
    #[arg(long, value_name = "T", value_parser = look::seconds, allow_negative_numbers = true, help_heading = "When")]
    pub(crate) to: Option<f64>,
    /// A film or folder: frames per second of film; 25 if not given. Between two steps people are drawn on their way from
    /// one to the other.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=240), help_heading = "When")]
    pub(crate) fps: Option<u32>,
    /// A film or folder: simulated seconds per second of film; 1 if not given.
    #[arg(long, value_name = "K", value_parser = look::speed, allow_negative_numbers = true, help_heading = "When")]
    pub(crate) speed: Option<f64>,
    #[command(flatten)]
    pub(crate) look: LookArgs,
    #[command(flatten)]
    pub(crate) camera: CameraArgs,
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
}
