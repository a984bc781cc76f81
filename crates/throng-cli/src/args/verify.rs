//! `throng verify`

use clap::builder::{NonEmptyStringValueParser, PossibleValuesParser};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use throng::scene::parameters::Choice;
use throng::scene::{Plan, Steer};

/// What the tests run on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum VerifyEngine {
    /// The processor: independent runs side by side, one thread each.
    Cpu,
    /// The best GPU, or the one of --device: one run after the other.
    Gpu,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  throng verify --quick                          everything once, in minutes
  throng verify rimea-1 openings                 two tests
  throng verify measured --out results           a family: report.md, tables and plots in a folder
  throng verify --list                           what is asked, and where it comes from
  throng verify nist-2.8 --scenes scenes         the scenes as files: then `throng view scenes/FILE.toml`
  throng verify density --steer follow           another model: does it pass?
  throng verify --congestion --out docs/congestion   Table 3 and Figure 3 of the congestion paper, beside ours
  throng verify --steerings --out docs           every steering in the same scenes, side by side
  throng verify --out docs/validation --page docs/validation.md     the project's own page

A test draws its scenes, runs them with the program's defaults, the same for all of them, and holds figures against bounds: \
from evacuation guidelines (RiMEA, NIST, ISO), from crowds that were measured, and from what the thesis saw. Without --quick \
there are five seeds, other cells and other steps, which takes half an hour on two cores. Ctrl-C ends it: the tests that are done by then are \
reported.

Exit status: 0 if nothing fails, 1 if a test fails or was not finished, 2 for a bad command line.")]
pub(crate) struct VerifyArgs {
    /// Tests, by id (rimea-1, openings, …), by family (standard, measured, thesis) or by source (rimea, nist, iso, juelich); all
    /// if none is given.
    #[arg(value_name = "TEST")]
    pub(crate) tests: Vec<String>,
    /// Say what the tests are, and run none.
    #[arg(long)]
    pub(crate) list: bool,
    /// Put every steering into the same scenes instead, and print or write (--out) what came of it as one table, steerings.md and
    /// steerings.csv: arrivals, times, overlap, turning, cost, flow through openings and speed against density. With --steer that one only.
    #[arg(long, conflicts_with_all = ["tests", "list", "json", "page"])]
    pub(crate) steerings: bool,
    /// Run the scene `congestion` with every mode of `social-force` and 1,000 to 5,000 people instead, and print or write (--out) the effective speeds beside
    /// those of the paper: README.md, table-3.csv, table-3.png, figure-3.png. One seed if --seeds is not given.
    #[arg(long, conflicts_with_all = ["tests", "list", "json", "page", "scenes", "quick", "steerings", "plan", "steer", "cell", "dt"])]
    pub(crate) congestion: bool,
    /// One seed, and few other cells and steps.
    #[arg(long)]
    pub(crate) quick: bool,
    /// Run every scene with the seeds 1 to N; 5 if not given, with --quick or --congestion 1.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) seeds: Option<u32>,
    /// What to run on.
    #[arg(long, value_enum, default_value = "cpu", help_heading = "Engine")]
    pub(crate) engine: VerifyEngine,
    /// Run on the GPU with this in its name, as `throng devices` lists it.
    #[arg(long, value_name = "NAME", help_heading = "Engine", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) device: Option<String>,
    /// So many runs side by side; by default one per core. The result does not depend on it.
    #[arg(long, value_name = "N", help_heading = "Engine", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub(crate) threads: Option<u32>,
    /// Side of the cells where a test does not say otherwise, m; 0.25 if not given. A metre is a whole number of them.
    #[arg(long, value_name = "M", help_heading = "Model", value_parser = cell)]
    pub(crate) cell: Option<f32>,
    /// The step where a test does not say otherwise, s, 0.005 to 0.1; 0.04 if not given.
    #[arg(long, value_name = "S", help_heading = "Model", value_parser = step)]
    pub(crate) dt: Option<f32>,
    /// Another plan than the default.
    #[arg(long, value_name = "PLAN", help_heading = "Model", value_parser = PossibleValuesParser::new(words::<Plan>()))]
    pub(crate) plan: Option<String>,
    /// Another steering than the default.
    #[arg(long, value_name = "STEERING", help_heading = "Model", value_parser = PossibleValuesParser::new(words::<Steer>()))]
    pub(crate) steer: Option<String>,
    /// Another value of the model, as in model.walk.foresight=2; can be repeated.
    #[arg(long, value_name = "KEY=VALUE", help_heading = "Model", value_parser = set)]
    pub(crate) set: Vec<(String, String)>,
    /// Write what was found as JSON; - for standard output, and nothing else there then.
    #[arg(long, value_name = "F")]
    pub(crate) json: Option<PathBuf>,
    /// Write report.md, verify.json, figures.csv, points.csv, runs.csv and plots into a folder.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// With --out: put the report between the two `verify` comments of this Markdown page as well.
    #[arg(long, value_name = "F.md", requires = "out")]
    pub(crate) page: Option<PathBuf>,
    /// Write the scenes of the tests into a folder, to run and to look at, and run none.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["json", "out"])]
    pub(crate) scenes: Option<PathBuf>,
    /// No progress, and only the last line of the report.
    #[arg(long)]
    pub(crate) quiet: bool,
}

/// What a choice of the model can be.
fn words<C: Choice>() -> Vec<&'static str> {
    C::WORDS.iter().map(|w| w.word).collect()
}

fn cell(text: &str) -> Result<f32, String> {
    let cells = throng_verify::CELLS;
    let wanted: f32 = text.parse().map_err(|_| format!("{text} is no number"))?;
    let fitting = cells.into_iter().find(|c| (c - wanted).abs() < 1e-6);
    fitting.ok_or_else(|| {
        let list: Vec<String> = cells.iter().map(f32::to_string).collect();
        format!("the worlds of the tests are whole metres: cells may be {} m", list.join(", "))
    })
}

fn step(text: &str) -> Result<f32, String> {
    let wanted: f32 = text.parse().map_err(|_| format!("{text} is no number"))?;
    if (0.005..=0.1).contains(&wanted) { Ok(wanted) } else { Err("a step is 0.005 to 0.1 s here".into()) }
}

fn set(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("write it as KEY=VALUE, as in --set model.walk.foresight=2")?;
    let key = key.trim();
    if key.starts_with("model.") {
        Ok((key.to_owned(), value.trim().to_owned()))
    } else {
        Err("only values of the model can be changed, as in --set model.walk.foresight=2: scenes are the tests' own"
            .into())
    }
}
