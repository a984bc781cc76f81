//! What the tests found, for people and for programs.

mod congestion;
mod page;
mod plots;
mod steerings;
mod tables;
mod words;

pub use congestion::{congestion_csv, congestion_figure, congestion_page, congestion_plot};
pub use page::page;
pub use plots::{PLOT_FILES, Plot, plots};
pub use steerings::{steerings_csv, steerings_page};
pub use tables::{figures_csv, points_csv, runs_csv};
pub use words::{list, summary, text};

use crate::schedule::{Finding, Findings};
use crate::settings::Settings;
use serde_json::{Map, Value, json};

/// Everything as one object: `{"tests": [{"id", "title", "status", "measured", "bound", "note", …}]}`.
#[must_use]
pub fn json(settings: &Settings, findings: &Findings) -> Value {
    json!({
        "tests": findings.tests.iter().map(test).collect::<Vec<_>>(),
        "unfinished": findings.unfinished,
        "settings": {
            "seeds": settings.all_seeds().collect::<Vec<_>>(),
            "full": settings.full,
            "cell": plain(settings.cell),
            "dt": plain(settings.dt),
            "plan": settings.plan.as_deref().unwrap_or("default"),
            "steer": settings.steer.as_deref().unwrap_or("default"),
            "set": settings.set.iter().map(|(k, v)| (k.clone(), json!(v))).collect::<Map<_, _>>(),
            "engine": settings.engine(),
        },
    })
}

/// A number as it was written, not as 32 bits hold it.
fn plain(number: f32) -> f64 {
    (f64::from(number) * 1e6).round() / 1e6
}

fn test(finding: &Finding) -> Value {
    let (test, verdict) = (finding.test, &finding.verdict);
    let of = |value: &dyn Fn(&crate::Figure) -> Option<Value>| -> Map<String, Value> {
        verdict.figures.iter().filter_map(|f| Some((f.name.clone(), value(f)?))).collect()
    };
    let bound = |f: &crate::Figure| f.holds().map(|_| json!({ "least": f.least, "most": f.most }));
    json!({
        "id": test.id,
        "title": test.title,
        "status": finding.status.word(),
        "measured": of(&|f| Some(json!(f.value.is_finite().then_some(f.value)))),
        "bound": of(&bound),
        "note": verdict.note,
        "family": test.family.word(),
        "source": test.source,
        "criterion": test.criterion,
        "unit": of(&|f| (!f.unit.is_empty()).then(|| json!(f.unit))),
        "runs": finding.runs,
        "seconds": (finding.seconds * 100.0).round() / 100.0,
    })
}
