//! The command line, and the words of `--help`.

use crate::look;
use clap::builder::{NonEmptyStringValueParser, PossibleValuesParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use throng::Vec2;
use throng::geometry::Rect;
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
    #[arg(long, value_name = "S")]
    pub(crate) seed: Option<u32>,
    /// So many agents in all, shared among the groups as before.
    #[arg(long, value_name = "N")]
    pub(crate) agents: Option<u32>,
    /// K times the area and K times the agents: every length that the scene draws grows by √K, bodies and cells stay.
    #[arg(long, value_name = "K", allow_negative_numbers = true)]
    pub(crate) scale: Option<f64>,
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
    /// Write the built-in scenes, with their images, into a folder, to start your own from.
    #[arg(long, value_name = "DIR")]
    pub(crate) export: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) scene: SceneArgs,
    /// Say only whether it is fine.
    #[arg(long)]
    pub(crate) quiet: bool,
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
    #[arg(long, value_name = "N", group = "length")]
    pub(crate) steps: Option<u64>,
    /// Simulate T seconds.
    #[arg(long, value_name = "T", group = "length", allow_negative_numbers = true)]
    pub(crate) seconds: Option<f64>,
    /// Go on until nobody is left.
    #[arg(long, group = "length")]
    pub(crate) until_done: bool,
    /// Write summary.json, arrivals.csv with its chart, and pictures of peak density and use into a folder.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// A row of arrivals.csv every N steps; by default about one a second.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) every: Option<u64>,
    /// At the end, also after Ctrl-C, save the state of the run.
    #[arg(long, value_name = "F")]
    pub(crate) save: Option<PathBuf>,
    /// Go on from a state saved with --save, of the same scene; --steps and --seconds count from there.
    #[arg(long, value_name = "F")]
    pub(crate) resume: Option<PathBuf>,
    /// Print one JSON object on standard output and nothing else.
    #[arg(long)]
    pub(crate) json: bool,
    /// No progress, no report.
    #[arg(long)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FieldName {
    /// Discomfort of the ground and of near walls, 0 to 1 and more.
    Discomfort,
    /// Planner's density: 4/3 of the share of floor that bodies cover.
    Density,
    /// Persons per square metre.
    Persons,
    /// Average velocity of the crowd, m/s.
    Velocity,
    /// Speed that can be reached in a --direction, m/s.
    Speed,
    /// Cost of a metre in a --direction.
    Cost,
    /// Cost of the cheapest way to a --goal.
    Potential,
    /// Direction of the cheapest way to a --goal.
    Gradient,
    /// The most persons per square metre so far: whole persons in a square window of at least a square metre.
    PeakDensity,
    /// Person-seconds per square metre so far.
    Use,
    /// All of them, into the folder given with -o.
    All,
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
    /// Which field.
    #[arg(value_enum)]
    pub(crate) field: FieldName,
    /// Where to: a .png for a picture, a .npy for the numbers (row 0 is the south), or a folder for all.
    #[arg(short, long, value_name = "F")]
    pub(crate) output: PathBuf,
    /// Do N steps first.
    #[arg(long, value_name = "N", conflicts_with = "seconds", value_parser = clap::value_parser!(u64).range(1..))]
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
    /// Limits of the colour scale; by default the least and the greatest value.
    #[arg(long, value_names = ["LOW", "HIGH"], num_args = 2, allow_negative_numbers = true)]
    pub(crate) limits: Option<Vec<f32>>,
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColourName {
    /// The goal that they walk to.
    Goal,
    /// Their group.
    Group,
    /// How fast they walk, m/s.
    Speed,
    /// Persons per square metre around them.
    Density,
    /// How long they have been standing, s.
    Waiting,
    /// Walking, or waiting because the scene says so.
    State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OverlayName {
    /// Discomfort of the ground and of near walls, 0 to 1 and more.
    Discomfort,
    /// Persons per square metre.
    Density,
    /// Average velocity of the crowd, m/s, with arrows.
    Velocity,
    /// Speed that can be reached in a --direction, m/s.
    Speed,
    /// Cost of a metre in a --direction.
    Cost,
    /// Cost of the cheapest way to a --goal.
    Potential,
    /// Direction of the cheapest way to a --goal, with arrows.
    Gradient,
}

/// A part of the picture that can be made fainter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LayerName {
    Background,
    Field,
    Agents,
    Walls,
    Goals,
    Splats,
    Tiles,
}

/// What is drawn, and in which colours: for pictures, films and the window.
#[derive(Debug, Args, Clone)]
pub(crate) struct LookArgs {
    /// What the colours of people mean.
    #[arg(long, alias = "color", value_enum, value_name = "BY", default_value = "goal", help_heading = "Look")]
    pub(crate) colour: ColourName,
    /// Ends of the scale of --colour speed (m/s), density (persons/m²) or waiting (s); by default what suits the
    /// scene.
    #[arg(
        long,
        alias = "color-limits",
        value_names = ["LOW", "HIGH"],
        num_args = 2,
        allow_negative_numbers = true,
        help_heading = "Look"
    )]
    pub(crate) colour_limits: Option<Vec<f32>>,
    /// Lay a field over the floor: that of the last step done, and so after one step at least.
    #[arg(long, value_enum, value_name = "FIELD", help_heading = "Look")]
    pub(crate) field: Option<OverlayName>,
    /// The direction, for --field speed and cost; east if not given.
    #[arg(long, value_enum, help_heading = "Look")]
    pub(crate) direction: Option<DirectionName>,
    /// The goal, by name or number, for --field potential and gradient and for the solver's tiles; the first if not
    /// given.
    #[arg(long, value_name = "NAME|NUMBER", help_heading = "Look")]
    pub(crate) goal: Option<String>,
    /// Ends of the field's scale, in its unit. By default they suit its values at each moment: give them to compare
    /// moments.
    #[arg(long, value_names = ["LOW", "HIGH"], num_args = 2, allow_negative_numbers = true, help_heading = "Look")]
    pub(crate) limits: Option<Vec<f32>>,
    /// Blend the field between the middles of cells, instead of one colour a cell.
    #[arg(long, help_heading = "Look")]
    pub(crate) smooth: bool,
    /// No arrows over --field velocity and gradient.
    #[arg(long, help_heading = "Look")]
    pub(crate) no_arrows: bool,
    /// How much of a layer covers what is below, 0 (left out) to 1; can be repeated. Layers: background, field, agents,
    /// walls, goals, splats (the cells that each person counts in), tiles (of the GPU's solver). By default splats and
    /// tiles are 0.
    #[arg(long, value_name = "LAYER=0..1", value_parser = look::layer_opacity, help_heading = "Look")]
    pub(crate) opacity: Vec<(LayerName, f32)>,
    /// Draw bodies K times as wide as they are.
    #[arg(
        long,
        value_name = "K",
        default_value_t = 1.0,
        value_parser = look::body_factor,
        allow_negative_numbers = true,
        help_heading = "Look"
    )]
    pub(crate) body: f32,
}

/// Where a picture looks: for pictures, films and the window.
#[derive(Debug, Args, Clone)]
pub(crate) struct CameraArgs {
    /// Look at this place, metres from the south-west corner; by default at the middle of the world.
    #[arg(
        long,
        alias = "center",
        value_name = "X,Y",
        allow_hyphen_values = true,
        value_parser = look::place,
        help_heading = "Camera"
    )]
    pub(crate) centre: Option<Vec2>,
    /// So many pixels for a metre; by default the whole world fits, and with --follow 40.
    #[arg(
        long,
        value_name = "PX_PER_M",
        value_parser = look::zoom,
        allow_negative_numbers = true,
        help_heading = "Camera"
    )]
    pub(crate) zoom: Option<f32>,
    /// Fit this rectangle of the world into the picture, m.
    #[arg(
        long,
        value_name = "X0,Y0,X1,Y1",
        allow_hyphen_values = true,
        value_parser = look::rectangle,
        conflicts_with_all = ["centre", "zoom", "follow"],
        help_heading = "Camera"
    )]
    pub(crate) view: Option<Rect>,
    /// Keep the person with this number in the middle, with a ring and the way they have come. People are numbered
    /// from 0, group by group.
    #[arg(long, value_name = "ID", conflicts_with = "centre", help_heading = "Camera")]
    pub(crate) follow: Option<u32>,
    /// Draw the way that the person with this number has come, and a ring around them.
    #[arg(long, value_name = "ID", conflicts_with = "follow", help_heading = "Camera")]
    pub(crate) path: Option<u32>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  throng render office --seconds 20 --colour speed -o office.png
  throng render hills --field discomfort --seconds 40 --view 0,60,60,128 -o bridges.png
  throng render office --sheet 0,20,40,60,90,120 -o sheet.png
  throng render corridor --to 30 --size 1600x240 -o lanes.mp4
  throng render bottleneck --follow 7 --speed 2 -o frames/

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
    /// Width and height, pixels; by default 1280x720, in a contact sheet 640x360 for each moment.
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
    /// A picture: after N steps. By default at the start.
    #[arg(long, value_name = "N", conflicts_with_all = ["seconds", "sheet"], help_heading = "When")]
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
    /// A film or folder: the first frame, simulated seconds; 0 if not given.
    #[arg(long, value_name = "T", value_parser = look::seconds, allow_negative_numbers = true, help_heading = "When")]
    pub(crate) from: Option<f64>,
    /// A film or folder: the end, simulated seconds, which is itself not drawn any more: 2 seconds at 25 fps are 50
    /// frames. By default when nobody is left, or 60 seconds after --from where people keep coming back.
    #[arg(long, value_name = "T", value_parser = look::seconds, allow_negative_numbers = true, help_heading = "When")]
    pub(crate) to: Option<f64>,
    /// A film or folder: frames per second of film; 25 if not given. A frame shows the nearest step: with steps of
    /// 0.04 s (most scenes) and 25 fps every step is a frame.
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

#[derive(Debug, Args)]
#[command(
    after_help = "In the window: Space runs and pauses, . does a single step, R begins again, 1 to 7 show fields, the \
wheel zooms, the right button pans, a click chooses an agent; F1 lists the rest. The tools at the top paint walls and \
discomfort, move goals and drop people while it runs; the panel on the right changes the model and saves the changed scene.

Without a screen: `throng render SCENE -o picture.png` draws the same picture. Drawing needs a driver for Vulkan, Metal or \
DX12; software will do (Debian: mesa-vulkan-drivers), and then the crowd runs on the CPU."
)]
pub(crate) struct ViewArgs {
    #[command(flatten)]
    pub(crate) scene: SceneArgs,
    /// Width and height of the window, pixels.
    #[arg(long, value_name = "WxH", default_value = "1280x720", value_parser = look::size)]
    pub(crate) size: [u32; 2],
    /// Wait for Space instead of running at once.
    #[arg(long)]
    pub(crate) paused: bool,
    /// Where the window's Save writes the changed scene, with the images that it needs beside it; by default NAME-changed.toml
    /// in this folder.
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
pub(crate) struct BenchArgs {
    /// A built-in name or a path.
    #[arg(value_name = "SCENE", default_value = "circle")]
    pub(crate) scene: String,
    /// Change any value of the scene; can be repeated.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
    /// So many agents in all.
    #[arg(long, value_name = "N")]
    pub(crate) agents: Option<u32>,
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
    /// Scales to run, as in 0.25,1,4: each has so many times the area and the agents.
    #[arg(long, value_name = "K,…", value_delimiter = ',', default_value = "1")]
    pub(crate) scale: Vec<f64>,
    /// Steps in a batch.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) steps: u64,
    /// Steps before the first batch; by default 5, on a GPU 48: its solver first finds out how many rounds it needs.
    #[arg(long, value_name = "N")]
    pub(crate) warmup: Option<u64>,
    /// Batches: the fastest counts.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) batches: u32,
    /// Time only the potential's solver, for one goal on N × N cells (1024 if not given): on the CPU with one thread (or
    /// --threads) on an open floor with a graded cost, on a GPU in the streets of a city with a uniform cost.
    #[arg(
        long,
        value_name = "N",
        num_args = 0..=1,
        default_missing_value = "1024",
        conflicts_with = "gpu_from",
        value_parser = clap::value_parser!(u32).range(2..=8192)
    )]
    pub(crate) solver: Option<u32>,
    /// Time drawing in pictures of so many pixels: alone by GPU timestamps, and after every step, near and far.
    #[arg(long, value_name = "WxH", conflicts_with_all = ["solver", "gpu_from"], value_parser = look::size)]
    pub(crate) draw: Option<[u32; 2]>,
    /// With --solver on the CPU: write the cost and the potential as .npy into this folder, for comparison with other solvers.
    #[arg(long, value_name = "DIR", requires = "solver")]
    pub(crate) dump: Option<PathBuf>,
    /// Add the results as rows to a CSV file.
    #[arg(long, value_name = "F")]
    pub(crate) csv: Option<PathBuf>,
    /// Print one JSON object instead of the table.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct DevicesArgs {
    /// Print one JSON object instead.
    #[arg(long)]
    pub(crate) json: bool,
}
