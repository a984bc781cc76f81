//! The table of steerings.

use crate::settings::Settings;
use crate::steerings::Comparison;
use crate::verdict::significant;
use throng_io::csv_cell;

/// What the columns are, for a page.
const COLUMNS: &str = "*Arrived*: of all. *Time*: when the last one did, or when the run was ended. *Over straight*: everybody's time over that of the \
                       straight way at the preferred speed, mean and slowest. *Overlap*: per cent of the sum of radii, after every step: mean over people and \
                       steps; the deepest of any two in any step; share of people who overlap somebody by more than 5 %. *Turning*: degrees a metre, of \
                       the way as a line through places 0.1 m apart. *Cost*: of the stage `avoid`, ns a person and step, on one thread.";

/// The table as a page.
#[must_use]
pub fn steerings_page(settings: &Settings, rows: &[Comparison]) -> String {
    let mut t = format!(
        "# Steerings side by side\n\nMade by `throng verify --steerings --out docs`: Throng {}, engine `{}`, cells of {} m, steps of {} s, plan {}, seed 1. \
         The same numbers: [steerings.csv](steerings.csv). Models: [models/steering.md](models/steering.md).\n\n{COLUMNS}\n",
        env!("CARGO_PKG_VERSION"),
        settings.engine(),
        settings.cell,
        settings.dt,
        settings.plan.as_ref().map_or_else(|| "default".to_owned(), |p| format!("`{p}`")),
    );
    let mut scenes: Vec<&str> = Vec::new();
    for row in rows {
        if !scenes.contains(&row.scene) {
            scenes.push(row.scene);
        }
    }
    for scene in scenes {
        t += &format!("\n## {}{}\n\n", scene[..1].to_uppercase(), &scene[1..]);
        t += "| steering | arrived | time, s | over straight | overlap, % | deepest, % | share, % | turning, °/m | cost, ns |\n";
        t += "|---|---|---|---|---|---|---|---|---|\n";
        for r in rows.iter().filter(|r| r.scene == scene) {
            t += &format!(
                "| `{}` | {} of {} | {:.1} | {:.2}, {:.2} | {} | {} | {} | {:.0} | {:.0} |\n",
                r.steering,
                r.arrived,
                r.people,
                r.time,
                r.over_straight,
                r.slowest,
                significant(r.overlap),
                significant(r.deepest),
                significant(r.share),
                r.turning,
                r.cost
            );
        }
    }
    t
}

/// The same as CSV.
#[must_use]
pub fn steerings_csv(rows: &[Comparison]) -> String {
    let mut t = String::from(
        "steering,scene,people,arrived,time_s,over_straight,slowest_over_straight,overlap_percent,deepest_percent,share_over_5_percent,\
         turning_degrees_per_m,avoid_ns\n",
    );
    for r in rows {
        t += &format!(
            "{},{},{},{},{:.2},{:.3},{:.3},{:.4},{:.3},{:.3},{:.2},{:.0}\n",
            r.steering,
            csv_cell(r.scene),
            r.people,
            r.arrived,
            r.time,
            r.over_straight,
            r.slowest,
            r.overlap,
            r.deepest,
            r.share,
            r.turning,
            r.cost
        );
    }
    t
}
