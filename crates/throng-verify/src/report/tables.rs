//! Tables of everything that was measured.

use crate::schedule::Findings;
use throng_io::csv_cell;

/// A number, or nothing where there is none.
fn number(value: f64) -> String {
    if value.is_finite() { format!("{value:.6}") } else { String::new() }
}

/// A row for every figure of every test.
#[must_use]
pub fn figures_csv(findings: &Findings) -> String {
    let mut t = String::from("test,status,figure,value,unit,least,most,holds\n");
    for finding in &findings.tests {
        for f in &finding.verdict.figures {
            let bound = |b: Option<f64>| b.map(number).unwrap_or_default();
            let holds = f.holds().map(|h| h.to_string()).unwrap_or_default();
            t += &format!(
                "{},{},{},{},{},{},{},{holds}\n",
                finding.test.id,
                finding.status.word(),
                csv_cell(&f.name),
                number(f.value),
                csv_cell(f.unit),
                bound(f.least),
                bound(f.most),
            );
        }
    }
    t
}

/// A row for every point of every plot.
#[must_use]
pub fn points_csv(findings: &Findings) -> String {
    let mut t = String::from("test,series,x,mean,deviation,values\n");
    for finding in &findings.tests {
        for p in &finding.verdict.points {
            let series = csv_cell(&p.series);
            let (x, y, spread) = (number(p.x), number(p.y), number(p.spread));
            t += &format!("{},{series},{x},{y},{spread},{}\n", finding.test.id, p.count);
        }
    }
    t
}

/// A row for every run.
#[must_use]
pub fn runs_csv(findings: &Findings) -> String {
    let mut t = String::from(
        "scene,seed,cell_m,dt_s,people,arrived,time_s,cleared,mean_speed_m_per_s,density_max_per_m2,overlap_mean,overlap_max,\
         share_overlapping,in_wall,state_hash,took_s\n",
    );
    for o in &findings.outcomes {
        let c = &o.counters;
        t += &format!(
            "{},{},{},{},{},{},{:.2},{},{:.4},{:.3},{:.6},{:.6},{:.6},{},{:016x},{:.2}\n",
            csv_cell(&o.name),
            o.seed,
            o.cell,
            o.dt,
            o.people,
            c.arrived,
            o.time,
            o.cleared,
            c.mean_speed,
            c.density_max,
            c.overlap.mean,
            c.overlap.max,
            c.overlap_share_mean,
            c.in_wall,
            o.hash,
            o.seconds
        );
    }
    t
}
