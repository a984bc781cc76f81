//! What was changed about the model, in the log: once, when the hand lets go.

use super::App;
use throng::scene::Parameters;
use throng::scene::parameters::{Kind, Parameter, Value};

/// A value with its unit.
pub(super) fn words(parameter: &Parameter, value: Value) -> String {
    let text = match (&parameter.kind, value) {
        (_, Value::Number(x)) => crate::overlay::number(x),
        (_, Value::Whole(n)) => n.to_string(),
        (Kind::Choice { words }, Value::Choice(k)) => words.get(k).map_or("", |w| w.word).to_owned(),
        (_, Value::Choice(k)) => k.to_string(),
    };
    format!("{} {}", text, parameter.unit).trim().to_owned()
}

/// What differs, in words; `of` names the part that this is.
fn differences(before: &dyn Parameters, now: &dyn Parameters, of: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for (parameter, value) in now.values() {
        let Some(old) = before.get(parameter.key).filter(|old| *old != value) else { continue };
        let (old, value) = (words(parameter, old), words(parameter, value));
        lines.push(format!("{of}{}: {value} instead of {old}", parameter.name()));
    }
    for ((name, part), (_, old)) in now.parts().into_iter().zip(before.parts()) {
        lines.extend(differences(old, part, &format!("{name}, ")));
    }
    lines
}

impl App {
    /// Writes into the log what the model is now and was not when this was last done.
    pub(super) fn log_model(&mut self, context: &egui::Context) {
        if context.input(|i| i.pointer.any_down()) || self.scene.model == self.logged_model {
            return;
        }
        let before = std::mem::replace(&mut self.logged_model, self.scene.model);
        for line in differences(&before, &self.scene.model, "") {
            self.note(line);
        }
    }
}
