//! `throng scenes`

use crate::Failure;
use crate::args::ScenesArgs;
use crate::out::{grouped, say};
use serde_json::json;
use std::io::{IsTerminal as _, Write as _};
use std::path::Path;
use std::process::ExitCode;
use throng::Scene;
use throng::scene::BUILT_IN;

pub(crate) fn scenes(args: &ScenesArgs) -> Result<ExitCode, Failure> {
    if let Some(folder) = &args.export {
        return export(folder, args.force);
    }
    let mut list = Vec::new();
    let mut text = String::new();
    for b in BUILT_IN {
        let scene = Scene::built_in(b.name).expect("it is in the list");
        let agents = scene.agent_count();
        text += &format!(
            "{:<12} {:>9} {:<6}  {:>4} × {:<4} cells of {} m   {}\n",
            b.name,
            grouped(agents),
            if agents == 1 { "agent" } else { "agents" },
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

/// Writes the built-in scenes and their images.
fn export(folder: &Path, force: bool) -> Result<ExitCode, Failure> {
    std::fs::create_dir_all(folder).map_err(|e| anyhow::anyhow!("cannot make the folder {}: {e}", folder.display()))?;
    let files = BUILT_IN.iter().flat_map(|b| b.all_files());
    // What is there already, as it would be written, stays as it is.
    let files: Vec<_> = files.filter(|(name, bytes)| !holds(&folder.join(name), bytes)).collect();
    let others: Vec<&str> =
        files.iter().map(|(name, _)| name.as_str()).filter(|name| folder.join(name).exists()).collect();
    if !others.is_empty() && !force && !may_replace(&others)? {
        let advice = "nothing was written; --force replaces them, another folder keeps them";
        return Err(Failure::Other(anyhow::anyhow!("{} in {}: {advice}", differ(&others), folder.display())));
    }
    for (name, bytes) in &files {
        throng_io::write_atomically(&folder.join(name), |f| f.write_all(bytes))?;
    }
    let words = if files.len() == 1 { "1 file".to_owned() } else { format!("{} files", files.len()) };
    say(&format!("wrote {words} into {}\n", folder.display()))?;
    Ok(ExitCode::SUCCESS)
}

/// Whether a file is there and holds just these bytes.
fn holds(path: &Path, bytes: &[u8]) -> bool {
    let same_length = std::fs::metadata(path).is_ok_and(|m| m.is_file() && m.len() == bytes.len() as u64);
    same_length && std::fs::read(path).is_ok_and(|there| there == bytes)
}

/// That files differ, in words.
fn differ(names: &[&str]) -> String {
    match names {
        [one] => format!("{one} differs"),
        [one, other] => format!("{one} and {other} differ"),
        [one, other, more @ ..] => format!("{one}, {other} and {} more differ", more.len()),
        [] => String::new(),
    }
}

/// Asks whoever sits before the program, if anybody does.
fn may_replace(names: &[&str]) -> Result<bool, Failure> {
    let (input, mut output) = (std::io::stdin(), std::io::stderr());
    if !input.is_terminal() || !output.is_terminal() {
        return Ok(false);
    }
    write!(output, "{}: replace? [y/N] ", differ(names)).map_err(anyhow::Error::from)?;
    let mut answer = String::new();
    input.read_line(&mut answer).map_err(anyhow::Error::from)?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}
