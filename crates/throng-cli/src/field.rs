//! `throng field SCENE FIELD -o F`

use crate::Failure;
use crate::args::{DirectionName, FieldArgs, FieldName};
use crate::load;
use crate::out::say;
use crate::progress::Progress;
use crate::results::make_folder;
use std::path::Path;
use std::process::ExitCode;
use throng::Scene;
use throng::engine::{Direction, Field, Values};
use throng::stages::potential::UNREACHED;
use throng::world::World;
use throng_io::{FieldPicture, Palette, check_writable, write_npy_scalar, write_npy_vector, write_png};

pub(crate) fn field(args: &FieldArgs) -> Result<ExitCode, Failure> {
    let scene = load::scene(&args.scene)?;
    let limits = match args.limits.as_deref() {
        Some(&[low, high]) if low < high => Some((low, high)),
        Some(_) => return Err(Failure::Usage("--limits LOW HIGH: LOW must be below HIGH".into())),
        None => None,
    };
    let all = args.field == FieldName::All;
    let ending = args.output.extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase();
    if !all && ending != "png" && ending != "npy" {
        return Err(Failure::Usage(format!(
            "-o {}: the name must end in .png (a picture) or .npy (an array)",
            args.output.display()
        )));
    }
    if all && !ending.is_empty() {
        return Err(Failure::Usage(format!("-o {}: all fields go into a folder, as pictures", args.output.display())));
    }
    // Before the work: can the result be written?
    if all {
        make_folder(&args.output)?;
    } else {
        check_writable(&args.output)?;
    }
    let goal = goal(&scene, args.goal.as_deref())?;
    let direction = args.direction.into();
    let need_goal =
        || goal.ok_or_else(|| Failure::Usage(format!("{} has no goal, so no potential or gradient", scene.name)));
    let which: Vec<(FieldName, Field)> = [
        (FieldName::Discomfort, Field::Discomfort),
        (FieldName::Density, Field::Density),
        (FieldName::Persons, Field::Persons),
        (FieldName::Velocity, Field::Velocity),
        (FieldName::Speed, Field::Speed(direction)),
        (FieldName::Cost, Field::Cost(direction)),
        (FieldName::Potential, Field::Potential(need_goal()?)),
        (FieldName::Gradient, Field::Gradient(need_goal()?)),
        (FieldName::PeakDensity, Field::PeakDensity),
        (FieldName::Use, Field::Use),
        (FieldName::Hazard, Field::Hazard),
        (FieldName::Height, Field::Height),
        (FieldName::Slope, Field::Slope),
        (FieldName::Occupancy, Field::Occupancy),
        (FieldName::Refusals, Field::Refusals),
    ]
    .into_iter()
    .filter(|(name, _)| all || *name == args.field)
    .collect();

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

    for (_, field) in which {
        let mut note = String::new();
        let path = if all { args.output.join(format!("{}.png", file_name(field))) } else { args.output.clone() };
        if !all && ending == "npy" {
            let (w, h) = (scene.grid.width, scene.grid.height);
            match sim.field(field)? {
                Values::Scalar(mut v) => {
                    let endless = v.iter_mut().filter(|x| **x >= UNREACHED).map(|x| *x = f32::INFINITY).count();
                    write_npy_scalar(&path, w, h, &v)?;
                    if endless > 0 {
                        note = format!(" (inf in {endless} cells: no way leads from there)");
                    }
                }
                Values::Vector(v) => write_npy_vector(&path, w, h, 2, v.as_flattened())?,
            }
        } else {
            let title = format!("{}: {} at {:.1} s", scene.name, title(&scene, field), sim.time());
            picture(&scene, field, &sim.field(field)?, &title, Palette::Sequential, limits, &path)?;
        }
        say(&format!("wrote {}{note}\n", path.display()))?;
    }
    Ok(ExitCode::SUCCESS)
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

fn file_name(field: Field) -> String {
    match field {
        Field::Discomfort => "discomfort".into(),
        Field::Density => "density".into(),
        Field::Persons => "persons".into(),
        Field::Velocity => "velocity".into(),
        Field::Speed(d) => format!("speed-{}", word(d)),
        Field::Cost(d) => format!("cost-{}", word(d)),
        Field::Potential(g) => format!("potential-{g}"),
        Field::Gradient(g) => format!("gradient-{g}"),
        Field::PeakDensity => "peak-density".into(),
        Field::Use => "use".into(),
        Field::Hazard => "hazard".into(),
        Field::Height => "height".into(),
        Field::Slope => "slope".into(),
        Field::Occupancy => "occupancy".into(),
        Field::Refusals => "refusals".into(),
    }
}

fn word(d: Direction) -> &'static str {
    match d {
        Direction::North => "north",
        Direction::East => "east",
        Direction::South => "south",
        Direction::West => "west",
    }
}

fn title(scene: &Scene, field: Field) -> String {
    match field {
        Field::Density => "planner's density".into(),
        Field::Velocity => "average velocity".into(),
        Field::Speed(d) => format!("speed to the {}", word(d)),
        Field::Cost(d) => format!("cost to the {}", word(d)),
        Field::Potential(g) => format!("potential of \"{}\"", scene.goals[g].name),
        Field::Gradient(g) => format!("way to \"{}\"", scene.goals[g].name),
        Field::PeakDensity => "peak density".into(),
        other => file_name(other),
    }
}

fn unit(field: Field) -> &'static str {
    match field {
        Field::Discomfort => "discomfort",
        Field::Density => "share of floor × 4/3",
        Field::Persons | Field::PeakDensity => "persons/m²",
        Field::Velocity | Field::Speed(_) => "m/s",
        Field::Cost(_) => "cost per m",
        Field::Potential(_) => "cost",
        Field::Gradient(_) => "direction",
        Field::Use => "person·s/m²",
        Field::Hazard => "hazard",
        Field::Height => "m",
        Field::Slope => "m/m",
        Field::Occupancy => "people",
        Field::Refusals => "refusals",
    }
}

/// Draws a field.
pub(crate) fn picture(
    scene: &Scene,
    field: Field,
    values: &Values,
    title: &str,
    palette: Palette,
    limits: Option<(f32, f32)>,
    path: &Path,
) -> Result<(), Failure> {
    let (width, height) = (scene.grid.width, scene.grid.height);
    let walls: Vec<bool> = World::new(scene).map(|w| (0..scene.grid.len()).map(|c| w.walls.is_solid(c)).collect())?;
    let unreached: Vec<bool> = match values {
        Values::Scalar(v) => v.iter().map(|&x| x >= UNREACHED).collect(),
        Values::Vector(_) => Vec::new(),
    };
    let picture = FieldPicture {
        title,
        unit: unit(field),
        width,
        height,
        cell_m: scene.grid.cell,
        values: match values {
            Values::Scalar(v) => throng_io::Values::Scalar(v),
            Values::Vector(v) => throng_io::Values::Vector(v),
        },
        walls: &walls,
        unreached: &unreached,
        limits,
        palette,
    };
    write_png(path, &picture.render()?)?;
    Ok(())
}
