//! The program `throng`: thin. What it does is in the library; here are words, options and files.

mod args;
mod bench;
mod check;
mod checkpoint;
mod city;
mod devices;
mod draw_bench;
mod field;
mod film;
mod interrupt;
mod load;
mod look;
mod looks;
mod measured;
mod memory;
mod out;
mod patience;
mod progress;
mod record;
mod render;
mod report;
mod results;
mod resume;
mod run;
mod scenes;
mod sheet;
mod space_bench;
mod space_views;
mod standpoint;
mod sweep;
mod verify;
mod view;

use args::{Cli, Command};
use clap::Parser;
use std::process::ExitCode;

/// Why a command ended early, and so with which status.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A scene that cannot be used: status 2.
    Scene(throng::scene::SceneError),
    /// A command line that makes no sense: status 2.
    Usage(String),
    /// The rest: status 1.
    Other(anyhow::Error),
}

impl Failure {
    /// In one line.
    pub(crate) fn words(&self) -> String {
        match self {
            Self::Scene(error) => error.to_string(),
            Self::Usage(text) => text.clone(),
            Self::Other(error) => format!("{error:#}"),
        }
    }
}

impl From<throng::scene::SceneError> for Failure {
    fn from(error: throng::scene::SceneError) -> Self {
        Self::Scene(error)
    }
}

impl<E: Into<anyhow::Error>> From<E> for Failure
where
    E: NotScene,
{
    fn from(error: E) -> Self {
        Self::Other(error.into())
    }
}

/// Errors that are neither a bad scene nor a bad command line.
pub(crate) trait NotScene {}
impl NotScene for anyhow::Error {}
impl NotScene for std::io::Error {}
impl NotScene for throng_io::PictureError {}
impl NotScene for throng_io::NpyError {}
impl NotScene for throng_io::WriteError {}
impl NotScene for throng::engine::EngineError {}
impl NotScene for throng::ResumeError {}
impl NotScene for throng::SaveError {}

/// Threads that are left to others where the system allows only so many: Ctrl-C is heard by one, recordings and checks have one.
const SPARE: usize = 4;

/// Starts the threads that everything shares. A system that refuses them leaves one, and the results are the same.
fn start_threads() {
    let told = std::env::var("RAYON_NUM_THREADS").ok().and_then(|n| n.parse().ok()).filter(|&n: &usize| n > 0);
    let wanted = told.or_else(|| std::thread::available_parallelism().ok().map(usize::from)).unwrap_or(1);
    // The shared pool can be made only once, and fails as a whole if one thread does not start: they are started first.
    let start = |_| {
        let (send, work) = std::sync::mpsc::channel::<rayon::ThreadBuilder>();
        let wait = move || {
            if let Ok(work) = work.recv() {
                work.run();
            }
        };
        std::thread::Builder::new().name("work".into()).spawn(wait).ok().map(|thread| (send, thread))
    };
    let mut started: Vec<_> = (0..wanted).map_while(start).collect();
    if started.len() < wanted {
        // Where it is the address space that is short each of them will take more of it, for what it allocates.
        let kept = started.len().saturating_sub(SPARE).min(started.len().div_ceil(2));
        for (send, thread) in started.split_off(kept) {
            drop(send);
            // It has nothing to do, so it ends.
            let _ = thread.join();
        }
    }
    let (pool, threads) = (rayon::ThreadPoolBuilder::new(), started.len());
    let made = if started.is_empty() {
        out::remark("note: the system refuses to start threads, so there is one");
        pool.num_threads(1).use_current_thread().build_global()
    } else {
        let hand_over = |work: rayon::ThreadBuilder| {
            let none = || std::io::Error::other("there are as many threads as could be started");
            started.pop().ok_or_else(none)?.0.send(work).map_err(|_| std::io::Error::other("a thread has gone"))
        };
        pool.num_threads(threads).spawn_handler(hand_over).build_global()
    };
    if let Err(why) = made {
        out::remark(&format!("note: {why}"));
    }
}

fn main() -> ExitCode {
    interrupt::heed_nohup();
    start_threads();
    let cli = Cli::parse();
    let result = memory::check().and_then(|()| match cli.command {
        Command::Scenes(options) => scenes::scenes(&options),
        Command::Check(options) => check::check(&options),
        Command::Run(options) => run::run(&options),
        Command::Field(options) => field::field(&options),
        Command::Render(options) => render::render(&options),
        Command::View(options) => view::view(&options),
        Command::Bench(options) => bench::bench(&options),
        Command::Verify(options) => verify::verify(&options),
        Command::Devices(options) => devices::devices(&options),
    });
    match result {
        Ok(code) => code,
        Err(failure) => out::complain(&failure),
    }
}
