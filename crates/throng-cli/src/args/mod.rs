//! The command line, and the words of `--help`.

mod bench;
mod fields;
mod look;
mod render;
mod space;
mod verify;

pub(crate) use bench::{BenchArgs, BenchView, SweepOver};
pub(crate) use fields::{FieldName, OverlayName};
pub(crate) use look::{CameraArgs, ColourName, LayerName, LookArgs};
pub(crate) use render::RenderArgs;
pub(crate) use space::SpaceArgs;
pub(crate) use verify::{VerifyArgs, VerifyEngine};

use clap::builder::{NonEmptyStringValueParser, PossibleValuesParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use throng::stages::NAMES;

/// Simulate crowds: from one person crossing a room to a million in a landscape.
///
/// Start with `throng run office`: 4,096 people leave an office floor. `throng scenes` lists the other built-in
/// scenes; `throng check SCENE` prints every value of a scene, which is also the way to begin one of your own.
#[derive(Debug, Parser)]
#[command(name = "throng", version, about, long_about, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List the built-in scenes.
    Scenes(ScenesArgs),
    /// Validate a scene, and print every value in force.
    Check(CheckArgs),
    /// Simulate, with progress, and report.
    Run(RunArgs),
    /// Write one field (density, potential, …) as picture or array.
    Field(FieldArgs),
    /// Draw a picture, a contact sheet or a film of a run, without a window.
    Render(RenderArgs),
    /// Open a window that runs a scene live: look into it, change it, save it.
    View(ViewArgs),
    /// Time every stage.
    Bench(BenchArgs),
    /// Hold the program against measured crowds and the standard evacuation tests.
    Verify(VerifyArgs),
    /// List the CPU and the GPUs that Throng can run on, and say which one it takes.
    Devices(DevicesArgs),
}

/// Which scene, and what to change in it.
#[derive(Debug, Args, Clone)]
pub(crate) struct SceneArgs {
    /// A built-in name (see `throng scenes`) or the path of a scene's TOML file.
    #[arg(value_name = "SCENE")]
    pub(crate) scene: String,
    /// Change any value of the scene, as in model.plan=static or agents.0.count=500; can be repeated.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
    /// Seed of all randomness.
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub(crate) seed: Option<u32>,
    /// So many agents in all, shared among the groups as before.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) agents: Option<u32>,
    /// K times the area and K times the agents: every length that the scene draws grows by √K, bodies and cells stay.
    #[arg(long, value_name = "K", allow_negative_numbers = true)]
    pub(crate) scale: Option<f64>,
    /// Let the scene name any file. Without it a scene reads plain files in its own folder and below.
    #[arg(long)]
    pub(crate) allow_paths: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum EngineChoice {
    /// A GPU if there is one, else the CPU; `throng devices` says which.
    Auto,
    /// The processor, with all its cores.
    Cpu,
    /// The best GPU, through Vulkan, Metal or DX12; an error if there is none.
    Gpu,
}

#[derive(Debug, Args, Clone)]
pub(crate) struct EngineArgs {
    /// What to run on.
    #[arg(long, value_enum, default_value = "auto", help_heading = "Engine")]
    pub(crate) engine: EngineChoice,
    /// Run on the CPU with so many threads; by default one per core. The result does not depend on it.
    #[arg(
        long,
        value_name = "N",
        help_heading = "Engine",
        value_parser = clap::value_parser!(u32).range(1..=1024)
    )]
    pub(crate) threads: Option<u32>,
    /// Run on the GPU with this in its name, as `throng devices` lists it: nvidia, or llvmpipe, which is software and
    /// slow, and only taken when it is named here.
    #[arg(long, value_name = "NAME", help_heading = "Engine", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) device: Option<String>,
    /// To find where the engines differ: run the stages of each step that come before this one on the CPU, and the rest
    /// on the GPU. Slow.
    #[arg(long, value_name = "STAGE", help_heading = "Engine", value_parser = PossibleValuesParser::new(NAMES))]
    pub(crate) gpu_from: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct ScenesArgs {
    /// Print one JSON object instead.
    #[arg(long)]
    pub(crate) json: bool,
    /// Write the built-in scenes, with their images, into a folder, to start your own from. Asks before it replaces files that differ.
    #[arg(long, value_name = "DIR")]
    pub(crate) export: Option<PathBuf>,
    /// With --export: replace files that differ without asking.
    #[arg(long, requires = "export")]
    pub(crate) force: bool,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) scene: SceneArgs,
    /// Say only whether it is fine.
    #[arg(long)]
    pub(crate) quiet: bool,
    /// Draw the states that people live by, and what leads from one to another. (The floor is drawn by `throng render`.)
    #[arg(long, value_name = "F.png")]
    pub(crate) picture: Option<PathBuf>,
    /// Give up after so many seconds, with status 1: a scene can be right and yet too much to be set up soon. 0 waits for ever.
    #[arg(
        long,
        value_name = "SECONDS",
        default_value = "10",
        value_parser = crate::args::patience,
        allow_negative_numbers = true
    )]
    pub(crate) patience: f64,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Without --steps, --seconds or --until-done a run goes on until nobody is left, or for 60 seconds where \
    people keep coming back.\n\nExit status: 0 for success, 2 for a bad command line or scene, 1 for the rest: also when \
    interrupted, when nobody arrives any more, and when the GPU fails; what is known by then is written all the same."
)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) scene: SceneArgs,
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
    /// Do N steps.
    #[arg(long, value_name = "N", group = "length", value_parser = steps, allow_negative_numbers = true)]
    pub(crate) steps: Option<u64>,
    /// Simulate T seconds.
    #[arg(long, value_name = "T", group = "length", allow_negative_numbers = true)]
    pub(crate) seconds: Option<f64>,
    /// Go on until nobody is left.
    #[arg(long, group = "length")]
    pub(crate) until_done: bool,
    /// Write summary.json, arrivals.csv and exits.csv with their charts, what the scene measures (crossings.csv, areas.csv), and
    /// pictures of peak density and use into a folder.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Write who is where, frame by frame: F.sqlite for JuPedSim and PedPy, F.parquet for pandas and others, F.txt for PedPy,
    /// F.csv for anything. It can be read after Ctrl-C, and up to the last seconds after a kill.
    #[arg(long, value_name = "F")]
    pub(crate) record: Option<PathBuf>,
    /// With --record, X frames per simulated second; by default about 25, or one every --every steps.
    #[arg(long, value_name = "X", requires = "record")]
    pub(crate) fps: Option<f64>,
    /// A row of arrivals.csv every N steps, by default about one a second; and a frame of --record unless --fps says.
    #[arg(long, value_name = "N", value_parser = some_steps, allow_negative_numbers = true)]
    pub(crate) every: Option<u64>,
    /// Write a row for every person's journey: start, arrival, distance, time standing, exit used.
    #[arg(long, value_name = "F.csv")]
    pub(crate) people: Option<PathBuf>,
    /// At the end, also after Ctrl-C, save the state of the run.
    #[arg(long, value_name = "F")]
    pub(crate) save: Option<PathBuf>,
    /// Save the state of the run every T seconds of real time, so that a kill, a crash or a power cut loses T seconds at most. The
    /// last two are kept; `--resume DIR` goes on from the newest that is whole.
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub(crate) checkpoint: Option<f64>,
    /// The folder for --checkpoint; by default `checkpoints` in the folder of --out, or `NAME.checkpoints` here.
    #[arg(long, value_name = "DIR", requires = "checkpoint")]
    pub(crate) checkpoints: Option<PathBuf>,
    /// Go on from a state of the same scene: a file of --save, or a folder of --checkpoint. --steps and --seconds count from there.
    #[arg(long, value_name = "F|DIR")]
    pub(crate) resume: Option<PathBuf>,
    /// Print one JSON object on standard output and nothing else.
    #[arg(long)]
    pub(crate) json: bool,
    /// No progress, no report.
    #[arg(long)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DirectionName {
    North,
    East,
    South,
    West,
}

#[derive(Debug, Args)]
#[command(after_help = "Fields are those of the last step done: with --steps 1 (the default), of the beginning.")]
pub(crate) struct FieldArgs {
    #[command(flatten)]
    pub(crate) scene: SceneArgs,
    /// Which field; all of them go into the folder given with -o.
    #[arg(value_enum)]
    pub(crate) field: FieldName,
    /// Where to: a .png for a picture, a .npy for the numbers (row 0 is the south; inf where no way leads), or a folder for all.
    #[arg(short, long, value_name = "F")]
    pub(crate) output: PathBuf,
    /// Do N steps first.
    #[arg(
        long,
        value_name = "N",
        conflicts_with = "seconds",
        value_parser = some_steps,
        allow_negative_numbers = true
    )]
    pub(crate) steps: Option<u64>,
    /// Simulate T seconds first.
    #[arg(long, value_name = "T")]
    pub(crate) seconds: Option<f64>,
    /// The goal, by name or number, for potential and gradient.
    #[arg(long, value_name = "GOAL")]
    pub(crate) goal: Option<String>,
    /// The direction, for speed and cost.
    #[arg(long, value_enum, default_value = "east")]
    pub(crate) direction: DirectionName,
    /// Limits of the colour scale; by default round numbers around the values.
    #[arg(long, value_names = ["LOW", "HIGH"], num_args = 2, allow_negative_numbers = true)]
    pub(crate) limits: Option<Vec<f32>>,
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
}

#[derive(Debug, Args)]
#[command(
    after_help = "In the window: Space runs and pauses, . does a single step, R begins again, 1 to 9 show fields, the \
wheel zooms, the right button pans, a click chooses an agent; F1 lists the rest. The tools at the top paint walls and \
discomfort, move goals and drop people while it runs; the panel on the right changes the model and saves the changed scene.

Without a screen: `throng render SCENE -o picture.png` draws the same picture. Drawing needs a driver for Vulkan, Metal or \
DX12; software will do (Debian: mesa-vulkan-drivers), and then the crowd runs on the CPU."
)]
pub(crate) struct ViewArgs {
    #[command(flatten)]
    pub(crate) scene: SceneArgs,
    /// Width and height of the window, pixels.
    #[arg(long, value_name = "WxH", default_value = "1280x720", value_parser = crate::look::size)]
    pub(crate) size: [u32; 2],
    /// Wait for Space instead of running at once.
    #[arg(long)]
    pub(crate) paused: bool,
    /// Where the window's Save writes the changed scene, with the images that it needs beside it; by default NAME-changed.toml
    /// beside the scene, or in this folder if the scene is one of the built-in ones.
    #[arg(long, value_name = "F")]
    pub(crate) save_as: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) look: LookArgs,
    #[command(flatten)]
    pub(crate) camera: CameraArgs,
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
}

#[derive(Debug, Args)]
pub(crate) struct DevicesArgs {
    /// Print one JSON object instead.
    #[arg(long)]
    pub(crate) json: bool,
}

/// How many steps, none among them.
fn steps(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("a whole number of steps, from 0 to {}", u64::MAX))
}

/// How many steps, one at least.
fn some_steps(text: &str) -> Result<u64, String> {
    steps(text).ok().filter(|&n| n > 0).ok_or(format!("a whole number of steps, from 1 to {}", u64::MAX))
}

/// Seconds that somebody waits for; 0 for ever.
fn patience(text: &str) -> Result<f64, String> {
    let seconds: f64 = text.parse().map_err(|_| format!("\"{text}\" is no number of seconds"))?;
    if (0.0..=1e6).contains(&seconds) { Ok(seconds) } else { Err("seconds from 0 to 1000000".into()) }
}
