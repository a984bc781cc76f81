//! The table of steerings.

use crate::settings::Settings;
use crate::steerings::{Compared, Comparison, Quantity};
use crate::verdict::significant;
use throng_io::csv_cell;

/// What the columns are, for a page.
const COLUMNS: &str = "*Arrived*: of all, in the run with the fewest. *Time*: when the last one did, or when the run was ended. *Over straight*: everybody's \
                       time over that of the straight way at the preferred speed, mean, and slowest of all runs. *Overlap*: per cent of the sum of radii, after \
                       every step: mean over people and steps; the deepest of any two in any step of any run; share of people who overlap somebody by more \
                       than 5 %. *Turning*: degrees a metre, of the way as a line through places 0.1 m apart. *Cost*: of the stage `avoid`, ns a person \
                       and step, on one thread. Other figures are means over the seeds.";

/// The table as a page.
#[must_use]
pub fn steerings_page(settings: &Settings, rows: &[Comparison]) -> String {
    let seeds = if settings.seeds > 1 { format!("seeds 1 to {}", settings.seeds) } else { "seed 1".to_owned() };
    let mut t = format!(
        "# Steerings side by side\n\nMade by `throng verify --steerings --seeds {} --out docs`: Throng {}, engine `{}`, cells of {} m, steps of {} s, plan {}, {seeds}. \
         The same numbers: [steerings.csv](steerings.csv). Models: [models/steering.md](models/steering.md).\n\n{COLUMNS}\n",
        settings.seeds,
        env!("CARGO_PKG_VERSION"),
        settings.engine(),
        settings.cell,
        settings.dt,
        settings.plan.as_ref().map_or_else(|| "default".to_owned(), |p| format!("`{p}`")),
    );
    let mut scenes: Vec<&str> = Vec::new();
    for row in rows.iter().filter(|r| r.arrivals.is_some()) {
        if !scenes.contains(&row.scene) {
            scenes.push(row.scene);
        }
    }
    for scene in scenes {
        t += &scene_section(scene, rows);
    }
    t += &figures_section(
        "Flow through openings",
        "Persons a second and metre over the middle 60 % of the crossings, and in brackets over what 79 published points give (J = 2.26·w − 0.17).",
        rows,
        Quantity::Flow,
    );
    t += &figures_section(
        "Speed against density",
        "Mean speed on a ring of 26 × 2 m, m/s, and in brackets over what was measured in a closed loop 1.8 m wide.",
        rows,
        Quantity::Speed,
    );
    t
}

/// Who arrived in a scene, and how.
fn scene_section(scene: &str, rows: &[Comparison]) -> String {
    let mut t = format!("\n## {}{}\n\n", scene[..1].to_uppercase(), &scene[1..]);
    t += "| steering | arrived | time, s | over straight | overlap, % | deepest, % | share, % | turning, °/m | cost, ns |\n";
    t += "|---|---|---|---|---|---|---|---|---|\n";
    for r in rows.iter().filter(|r| r.scene == scene) {
        let Some(a) = r.arrivals else { continue };
        t += &format!(
            "| `{}` | {} of {} | {:.1} | {:.2}, {:.2} | {} | {} | {} | {:.0} | {:.0} |\n",
            r.steering,
            a.fewest,
            r.people,
            a.time,
            a.over_straight,
            a.slowest,
            significant(r.overlap),
            significant(r.deepest),
            significant(r.share),
            r.turning,
            r.cost
        );
    }
    t
}

/// One figure of every steering beside what was measured, with a column for each width or density.
fn figures_section(title: &str, about: &str, rows: &[Comparison], quantity: Quantity) -> String {
    let of = |r: &Comparison| r.compared.filter(|f| f.quantity == quantity);
    let mut columns: Vec<Compared> = Vec::new();
    let mut steerings: Vec<&str> = Vec::new();
    for (row, figure) in rows.iter().filter_map(|r| Some((r, of(r)?))) {
        if columns.iter().all(|c| c.at.to_bits() != figure.at.to_bits()) {
            columns.push(figure);
        }
        if !steerings.contains(&row.steering) {
            steerings.push(row.steering);
        }
    }
    if columns.is_empty() {
        return String::new();
    }
    let unit = match quantity {
        Quantity::Flow => "m",
        Quantity::Speed => "/m²",
    };
    let cells = |cell: &dyn Fn(&Compared) -> String| columns.iter().map(cell).collect::<Vec<_>>().join(" | ");
    let mut t = format!("\n## {title}\n\n{about}\n\n");
    t += &format!("| steering | {} |\n", cells(&|c| format!("{} {unit}", significant(c.at))));
    t += &format!("|---|{}\n", "---|".repeat(columns.len()));
    t += &format!("| measured | {} |\n", cells(&|c| significant(c.measured)));
    for steering in steerings {
        let found = |at: f64| {
            let own = rows.iter().filter(|r| r.steering == steering).filter_map(of);
            own.into_iter().find(|f| f.at.to_bits() == at.to_bits())
        };
        let cell = |c: &Compared| match found(c.at) {
            Some(f) if f.value.is_finite() => format!("{} ({:.2})", significant(f.value), f.value / f.measured),
            _ => "—".to_owned(),
        };
        t += &format!("| `{steering}` | {} |\n", cells(&cell));
    }
    t
}

/// The same as CSV; empty where there is nothing to say.
#[must_use]
pub fn steerings_csv(rows: &[Comparison]) -> String {
    let mut t = String::from(
        "steering,scene,people,fewest_arrived,time_s,over_straight,slowest_over_straight,overlap_percent,deepest_percent,share_over_5_percent,\
         turning_degrees_per_m,avoid_ns,flow_per_s_and_m,speed_m_per_s,measured\n",
    );
    for r in rows {
        let arrivals = r.arrivals.map_or_else(
            || ",,,".to_owned(),
            |a| format!("{},{:.2},{:.3},{:.3}", a.fewest, a.time, a.over_straight, a.slowest),
        );
        let number = |n: f64| if n.is_finite() { format!("{n:.3}") } else { String::new() };
        let figure = match r.compared {
            Some(f) if f.quantity == Quantity::Flow => format!("{},,{}", number(f.value), number(f.measured)),
            Some(f) => format!(",{},{}", number(f.value), number(f.measured)),
            None => ",,".to_owned(),
        };
        t += &format!(
            "{},{},{},{arrivals},{:.4},{:.3},{:.3},{:.2},{:.0},{figure}\n",
            r.steering,
            csv_cell(r.scene),
            r.people,
            r.overlap,
            r.deepest,
            r.share,
            r.turning,
            r.cost
        );
    }
    t
}
