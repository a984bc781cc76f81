//! `throng field SCENE FIELD -o F`

use crate::Failure;
use crate::args::{DirectionName, FieldArgs, FieldName};
use crate::load;
use crate::out::{Outputs, claim, say};
use crate::progress::Progress;
use crate::results::make_folder;
use std::path::Path;
use std::process::ExitCode;
use throng::engine::{Direction, Values};
use throng::stages::potential::UNREACHED;
use throng::{Scene, Simulation};
use throng_io::{write_npy_scalar, write_npy_vector, write_png};
use throng_view::look::{Look, Overlay, direction_name};
use throng_view::page::FieldPage;

pub(crate) fn field(args: &FieldArgs) -> Result<ExitCode, Failure> {
    let scene = load::scene(&args.scene)?;
    let limits = match args.limits.as_deref() {
        Some(&[low, high]) if low < high => Some((low, high)),
        Some(_) => return Err(Failure::Usage("--limits LOW HIGH: LOW must be below HIGH".into())),
        None => None,
    };
    let all = args.field == FieldName::All;
    let ending = ending(&args.output);
    if !all && ending != "png" && ending != "npy" {
        return Err(Failure::Usage(format!(
            "-o {}: the name must end in .png (a picture) or .npy (an array)",
            args.output.display()
        )));
    }
    if all && !ending.is_empty() {
        return Err(Failure::Usage(format!("-o {}: all fields go into a folder, as pictures", args.output.display())));
    }
    let goal = goal(&scene, args.goal.as_deref())?;
    let which: Vec<Overlay> = match args.field {
        FieldName::One(overlay) if overlay.has_goal() && goal.is_none() => {
            return Err(Failure::Usage(format!("{} has no goal, so no potential or gradient", scene.name)));
        }
        FieldName::One(overlay) => vec![overlay],
        FieldName::All => Overlay::ALL.into_iter().filter(|o| goal.is_some() || !o.has_goal()).collect(),
    };
    let look = Look { direction: args.direction.into(), goal: goal.unwrap_or(0), limits, ..Look::default() };
    // Before the work: can the result be written?
    if all {
        make_folder(&args.output)?;
        which.iter().try_for_each(|overlay| claim(&args.output.join(file_name(*overlay, &look))))?;
    } else {
        claim(&args.output)?;
    }

    let mut sim = load::simulation(&scene, &args.engine)?;
    sim.engine_mut().keep_maps(true);
    let steps = match (args.steps, args.seconds) {
        (Some(n), _) => n,
        (None, Some(t)) if t.is_finite() && (0.0..=1e9).contains(&t) => {
            ((t / f64::from(scene.dt)).round() as u64).max(1)
        }
        (None, Some(t)) => return Err(Failure::Usage(format!("--seconds {t:?}: a number from 0 to 1000000000"))),
        (None, None) => 1,
    };
    let mut progress = Progress::new(steps, "steps", false);
    for k in 0..steps {
        sim.step()?;
        progress.step(1, k + 1, sim.time(), sim.engine().latest().active);
    }
    progress.finish();

    let mut outputs = Outputs::default();
    for overlay in which {
        let path = if all { args.output.join(file_name(overlay, &look)) } else { args.output.clone() };
        match written(&mut sim, overlay, &look, &path) {
            Ok(note) => outputs.note(say(&format!("wrote {}{note}\n", path.display()))),
            Err(failure) => outputs.note(Err(failure)),
        }
    }
    Ok(outputs.end(ExitCode::SUCCESS))
}

/// Writes a field, by the ending of its file. Returns what there is to say of it.
fn written(sim: &mut Simulation, overlay: Overlay, look: &Look, path: &Path) -> Result<String, Failure> {
    let mut note = String::new();
    let grid = sim.scene().grid;
    let values = sim.field(overlay.field(look.direction, look.goal))?;
    if ending(path) == "npy" {
        let (w, h) = (grid.width, grid.height);
        match values {
            Values::Scalar(mut v) => {
                let endless = v.iter_mut().filter(|x| **x >= UNREACHED).map(|x| *x = f32::INFINITY).count();
                write_npy_scalar(path, w, h, &v)?;
                if endless > 0 {
                    note = format!(" (inf in {endless} cells: no way leads from there)");
                }
            }
            Values::Vector(v) => write_npy_vector(path, w, h, 2, v.as_flattened())?,
        }
    } else {
        picture(sim, &Look { overlay: Some(overlay), ..look.clone() }, values, path)?;
    }
    Ok(note)
}

fn ending(path: &Path) -> String {
    path.extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase()
}

/// The number of a goal that was asked for by name or number; without one the first, if there is any.
pub(crate) fn goal(scene: &Scene, asked: Option<&str>) -> Result<Option<usize>, Failure> {
    let Some(asked) = asked else { return Ok((!scene.goals.is_empty()).then_some(0)) };
    let by_name = scene.goals.iter().position(|g| g.name == asked);
    let by_number = asked.parse::<usize>().ok().filter(|&i| i < scene.goals.len());
    by_name.or(by_number).map(Some).ok_or_else(|| {
        let names: Vec<String> = scene.goals.iter().enumerate().map(|(i, g)| format!("{i} \"{}\"", g.name)).collect();
        Failure::Usage(format!("--goal {asked}: {} has {}", scene.name, names.join(", ")))
    })
}

impl From<DirectionName> for Direction {
    fn from(name: DirectionName) -> Self {
        match name {
            DirectionName::North => Self::North,
            DirectionName::East => Self::East,
            DirectionName::South => Self::South,
            DirectionName::West => Self::West,
        }
    }
}

/// Where a field goes in a folder of all of them.
fn file_name(overlay: Overlay, look: &Look) -> String {
    let name = overlay.name();
    if overlay.has_direction() {
        format!("{name}-{}.png", direction_name(look.direction))
    } else if overlay.has_goal() {
        format!("{name}-{}.png", look.goal)
    } else {
        format!("{name}.png")
    }
}

/// Draws the field that a look shows, as a page; without values there is nothing to draw.
pub(crate) fn picture(sim: &Simulation, look: &Look, values: Values, path: &Path) -> Result<(), Failure> {
    if let Some(page) = FieldPage::new(sim, look, values) {
        write_png(path, &page.picture()?)?;
    }
    Ok(())
}
