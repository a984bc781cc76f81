//! `throng bench`

use super::EngineArgs;
use crate::look;
use clap::Args;
use std::path::PathBuf;

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
    /// Time only the potential's solver, for one goal on N × N cells (1024 if not given): on the CPU with one thread (or --threads) on an
    /// open floor with a graded cost, on a GPU in the streets of a city with a uniform cost.
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
