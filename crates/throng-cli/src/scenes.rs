//! `throng scenes`

use crate::Failure;
use crate::args::ScenesArgs;
use crate::out::{grouped, say};
use serde_json::json;
use std::process::ExitCode;
use throng::Scene;
use throng::scene::BUILT_IN;

pub(crate) fn scenes(args: &ScenesArgs) -> Result<ExitCode, Failure> {
    if let Some(folder) = &args.export {
        std::fs::create_dir_all(folder)
            .map_err(|e| anyhow::anyhow!("cannot make the folder {}: {e}", folder.display()))?;
        let mut count = 0;
        for b in BUILT_IN {
            for (name, bytes) in b.all_files() {
                throng_io::write_atomically(&folder.join(name), |f| std::io::Write::write_all(f, bytes))?;
                count += 1;
            }
        }
        say(&format!("wrote {count} files into {}\n", folder.display()))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut list = Vec::new();
    let mut text = String::new();
    for b in BUILT_IN {
        let scene = Scene::built_in(b.name).expect("it is in the list");
        let agents = scene.agent_count();
        text += &format!(
            "{:<12} {:>9} agents  {:>4} × {:<4} cells of {} m   {}\n",
            b.name,
            grouped(agents),
            scene.grid.width,
            scene.grid.height,
            scene.grid.cell,
            b.about
        );
        list.push(json!({
            "name": b.name, "about": b.about, "agents": agents,
            "width": scene.grid.width, "height": scene.grid.height, "cell": scene.grid.cell,
            "goals": scene.goals.len(),
        }));
    }
    if args.json {
        say(&format!("{}\n", json!({ "scenes": list })))?;
    } else {
        say(&text)?;
        say("\nRun one with `throng run NAME`, print all its values with `throng check NAME`.\n")?;
    }
    Ok(ExitCode::SUCCESS)
}
