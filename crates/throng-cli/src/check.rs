//! `throng check SCENE`

use crate::Failure;
use crate::args::{CheckArgs, EngineArgs, EngineChoice};
use crate::load;
use crate::out::{grouped, say, several};
use std::process::ExitCode;

pub(crate) fn check(args: &CheckArgs) -> Result<ExitCode, Failure> {
    let scene = load::scene(&args.scene)?;
    // Whether the crowd fits and can reach its goals shows only when it is placed.
    load::simulation(&scene, &EngineArgs { engine: EngineChoice::Cpu, threads: None, device: None, gpu_from: None })?;
    let summary = format!(
        "{} is fine: {} × {} cells, {}, {} agents in {}",
        scene.name,
        scene.grid.width,
        scene.grid.height,
        several(scene.goals.len(), "goal"),
        grouped(scene.agent_count()),
        several(scene.groups.len(), "group")
    );
    if args.quiet {
        say(&format!("{summary}\n"))?;
    } else {
        say(&format!("# {summary}\n{}", scene.to_toml()))?;
    }
    Ok(ExitCode::SUCCESS)
}
