//! `throng bench`

use super::EngineArgs;
use crate::look;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// What grows from point to point of a sweep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SweepOver {
    /// The world, with the same people in it: 16 × 16 to 1024 × 1024 cells with 1,048,576 people.
    Cells,
    /// The crowd, in the same world: 256 to 1,048,576 people on 1024 × 1024 cells.
    Agents,
}

/// From where pictures in three dimensions are measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum BenchView {
    /// From low over the fullest place: close-ups and full meshes.
    Close,
    /// All of the world.
    All,
    /// Four times nearer than that.
    Near,
    /// Beside somebody who is alone: one close-up, cut most finely.
    Alone,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  throng bench circle --scale 0.25,1,4          three sizes of a scene, stage by stage
  throng bench --sweep cells --plot cells.png   how time grows with the world
  throng bench --sweep agents --csv agents.csv --plot agents.png
  throng bench --sweep cells --agents 65536 --from 64 --to 512 --engine cpu
  throng bench froblins --draw 1920x1080 --3d --views close --csv close.csv

A sweep doubles the side of the world, or the crowd, from point to point. By default it runs the scene that the \
continuum-crowds thesis measured (exit-bar: open ground, goals along the south and west borders), over the ranges of \
its figures 57 and 58. In a small world that many people overlap, there as here: where they do not fit side by side they \
are placed at random, and the line says so. The CSV has one row for each point, with the ms of every stage; file and chart \
are written anew after every point, so that a sweep can be cut short with Ctrl-C.")]
pub(crate) struct BenchArgs {
    /// A built-in name or a path; if not given circle, and in a sweep exit-bar.
    #[arg(value_name = "SCENE")]
    pub(crate) scene: Option<String>,
    /// Change any value of the scene; can be repeated.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
    /// So many agents in all.
    #[arg(long, value_name = "N")]
    pub(crate) agents: Option<u32>,
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
    /// Let the scene name any file. Without it a scene reads plain files in its own folder and below.
    #[arg(long)]
    pub(crate) allow_paths: bool,
    /// Scales to run, as in 0.25,1,4: each has so many times the area and the agents.
    #[arg(long, value_name = "K,…", value_delimiter = ',', default_value = "1")]
    pub(crate) scale: Vec<f64>,
    /// Steps in a batch; 20 if not given, in a sweep 3, on a GPU 16. A GPU times its stages in every eighth step: in a
    /// sweep its batches are multiples of that.
    #[arg(long, value_name = "N", value_parser = super::some_steps, allow_negative_numbers = true)]
    pub(crate) steps: Option<u64>,
    /// Steps before the first batch; by default 5, in a sweep 1, on a GPU 48: its solver first finds out how many rounds it
    /// needs.
    #[arg(long, value_name = "N", value_parser = super::steps, allow_negative_numbers = true)]
    pub(crate) warmup: Option<u64>,
    /// Batches: the fastest counts. 5 if not given, in a sweep 3.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) batches: Option<u32>,
    /// Measure a series of points instead, and draw it if you like: see below.
    #[arg(
        long,
        value_enum,
        value_name = "OVER",
        conflicts_with_all = ["solver", "draw", "gpu_from"],
        help_heading = "Sweep"
    )]
    pub(crate) sweep: Option<SweepOver>,
    /// The first point: cells along a side of the world (16 if not given), or people (256).
    #[arg(
        long,
        value_name = "N",
        requires = "sweep",
        value_parser = clap::value_parser!(u32).range(1..=1 << 27),
        help_heading = "Sweep"
    )]
    pub(crate) from: Option<u32>,
    /// The last point: cells along a side of the world (1024 if not given), or people (1,048,576).
    #[arg(
        long,
        value_name = "N",
        requires = "sweep",
        value_parser = clap::value_parser!(u32).range(1..=1 << 27),
        help_heading = "Sweep"
    )]
    pub(crate) to: Option<u32>,
    /// End a point after so many seconds of steps, with fewer of them: at least one is measured, on a GPU a batch. Where one
    /// takes longer than that, as among thousands of people in every cell, it is the only one.
    #[arg(
        long,
        value_name = "T",
        requires = "sweep",
        default_value_t = 30.0,
        value_parser = look::seconds,
        allow_negative_numbers = true,
        help_heading = "Sweep"
    )]
    pub(crate) max_seconds: f64,
    /// Draw the sweep as a chart, both axes logarithmic, into a PNG.
    #[arg(long, value_name = "F.png", requires = "sweep", help_heading = "Sweep")]
    pub(crate) plot: Option<PathBuf>,
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
    /// With --draw: in three dimensions, pass by pass, with triangles and people at each level of detail, before the budget and after.
    /// Every row draws the same crowd, as it is after 1200 steps (--warmup), and ends after some eight seconds. Batches are 3 if not given.
    #[arg(long = "3d", requires = "draw")]
    pub(crate) deep: bool,
    /// With --3d: only these views; all of them if not given.
    #[arg(long, value_enum, value_name = "VIEW,…", value_delimiter = ',', requires = "deep")]
    pub(crate) views: Vec<BenchView>,
    /// With --3d: each view as it is, without rows for what is left out, changed or pinned.
    #[arg(long, requires = "deep")]
    pub(crate) plain: bool,
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

impl BenchArgs {
    /// The scene's name or path.
    pub(crate) fn scene(&self) -> &str {
        let usual = if self.sweep.is_some() { "exit-bar" } else { "circle" };
        self.scene.as_deref().unwrap_or(usual)
    }

    /// Steps in a batch, outside of sweeps.
    pub(crate) fn steps(&self) -> u64 {
        self.steps.unwrap_or(20)
    }

    /// What is measured in three dimensions, in the order of the command line.
    pub(crate) fn views(&self) -> Vec<BenchView> {
        let mut views = Vec::new();
        for &view in if self.views.is_empty() { BenchView::value_variants() } else { &self.views } {
            if !views.contains(&view) {
                views.push(view);
            }
        }
        views
    }

    /// Batches, outside of sweeps.
    pub(crate) fn batches(&self) -> u32 {
        self.batches.unwrap_or(5)
    }
}
