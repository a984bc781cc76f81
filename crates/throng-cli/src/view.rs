//! `throng view SCENE`

use crate::Failure;
use crate::args::{EngineChoice, ViewArgs};
use crate::interrupt::watch_ctrl_c;
use crate::load;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use throng_view::host::RunError;
use throng_view::window::{EngineWish, Opening, ViewError, open};

/// Where a changed scene is saved: beside its file, where its images are.
fn beside(scene: &str) -> PathBuf {
    let stem = Path::new(scene).file_stem().and_then(|s| s.to_str()).unwrap_or("scene");
    Path::new(scene).with_file_name(format!("{stem}-changed.toml"))
}

pub(crate) fn view(args: &ViewArgs) -> Result<ExitCode, Failure> {
    let scene = load::scene(&args.scene)?;
    let look = args.look.look(&scene)?;
    let aim = args.camera.aim(&scene, args.size)?;
    if let Some(stage) = &args.engine.gpu_from {
        return Err(Failure::Usage(format!("--gpu-from {stage}: the window runs a scene on one engine; leave it out")));
    }
    let engine = match (args.engine.engine, args.engine.threads) {
        (EngineChoice::Gpu, Some(n)) => {
            return Err(Failure::Usage(format!(
                "--engine gpu asks for a GPU, and --threads {n} for the CPU: leave one of them out"
            )));
        }
        (EngineChoice::Gpu, None) => EngineWish::Gpu,
        (EngineChoice::Cpu, threads) => EngineWish::Cpu(threads.map(|n| n as usize)),
        (EngineChoice::Auto, Some(n)) => EngineWish::Cpu(Some(n as usize)),
        (EngineChoice::Auto, None) => EngineWish::Auto,
    };
    let save_as = args.save_as.clone().unwrap_or_else(|| beside(&args.scene.scene));
    let opening = Opening {
        look,
        aim,
        size: args.size,
        engine,
        device: args.engine.device.clone(),
        running: !args.paused,
        save_as,
        stop: watch_ctrl_c(),
        scene,
    };
    match open(opening) {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(ViewError::NoRun(RunError::Scene(e))) => Err(e.into()),
        Err(e) => Err(anyhow::Error::from(e).into()),
    }
}
