//! The panel on the right: the chosen agent, the tool's settings, the model and the groups, saving.

use super::model_log::words;
use super::{App, fixed, number::typed};
use crate::overlay::grouped;
use egui::{Button, ComboBox, DragValue, Slider, SliderClamping, Ui};
use throng::engine::CrowdChange;
use throng::scene::parameters::{Kind, Parameter, Value, Word};
use throng::scene::{Arrive, Distribution, Model, Parameters};

/// Of a number of the model, and of a speed, as they are shown.
const DECIMALS: usize = 3;
const SPEED_DECIMALS: usize = 2;

fn arrive_name(arrive: Arrive) -> &'static str {
    match arrive {
        Arrive::Park => "park",
        Arrive::Next => "next",
        Arrive::Respawn => "respawn",
    }
}

fn arrive_meaning(arrive: Arrive) -> &'static str {
    match arrive {
        Arrive::Park => "Leave the floor for good.",
        Arrive::Next => "Begin the journey again.",
        Arrive::Respawn => "Enter again in the entry area.",
    }
}

/// What somebody does to parameters in a frame.
#[derive(Clone, Copy, Debug, Default)]
struct Touched {
    /// A drag begins, or something changes without one.
    begun: bool,
    changed: bool,
}

impl Touched {
    fn or(self, other: Self) -> Self {
        Self { begun: self.begun || other.begun, changed: self.changed || other.changed }
    }
}

/// What a parameter can go back to with a click: as the scene had it when it was opened, and as it is without any scene.
#[derive(Clone, Copy)]
struct Known<'a> {
    opened: &'a dyn Parameters,
    default: &'a dyn Parameters,
}

/// A widget for every parameter that matters now, as its table says; then those of parts.
fn parameters(ui: &mut Ui, of: &mut dyn Parameters, known: Known<'_>) -> Touched {
    let mut touched = Touched::default();
    for (parameter, mut value) in of.values() {
        if !of.matters(parameter) {
            continue;
        }
        let first = known.opened.get(parameter.key);
        let default = known.default.get(parameter.key).filter(|d| Some(*d) != first);
        let ways = [
            ("back to", first, "What it was when the scene was opened"),
            ("default", default, "Whatever the scene says"),
        ];
        let ways = ways.map(|(word, to, what)| (word, to.filter(|to| *to != value), what));
        let mut back = None;
        // The button is in the label's row, whether or not it is there: nothing moves while one drags.
        let mut label = |ui: &mut Ui| {
            let label = ui.label(parameter.name()).on_hover_text(parameter.what);
            for (word, to, what) in ways.into_iter().filter_map(|(word, to, what)| Some((word, to?, what))) {
                back = put_back(ui, parameter, (word, to), what).or(back);
            }
            label
        };
        touched = touched.or(match (&parameter.kind, &mut value) {
            (Kind::Number { slider, .. }, Value::Number(x)) => {
                let typed = typed(f64::from(*x), DECIMALS);
                let slider = Slider::new(x, slider.clone()).max_decimals(DECIMALS).custom_parser(typed);
                number(ui, parameter, slider, &mut label)
            }
            (Kind::Whole { slider, .. }, Value::Whole(n)) => {
                let typed = typed(f64::from(*n), 0);
                number(ui, parameter, Slider::new(n, slider.clone()).custom_parser(typed), &mut label)
            }
            (Kind::Choice { words }, Value::Choice(index)) => choice(ui, parameter, words, index, &mut label),
            _ => unreachable!("{} has a value of its kind", parameter.key),
        });
        if let Some(to) = back {
            value = to;
            touched = Touched { begun: true, changed: true };
        }
        of.set(parameter.key, value);
    }
    let shown: Vec<&str> = of.parts().into_iter().map(|(name, _)| name).filter(|name| of.part_matters(name)).collect();
    let (opened, defaults) = (known.opened.parts(), known.default.parts());
    for (name, part) in of.parts_mut().into_iter().filter(|(name, _)| shown.contains(name)) {
        let same = |list: &[(&'static str, &dyn Parameters)]| list.iter().position(|(other, _)| *other == name);
        let (Some(k), Some(d)) = (same(&opened), same(&defaults)) else { continue };
        let known = Known { opened: opened[k].1, default: defaults[d].1 };
        ui.separator();
        ui.strong(name).on_hover_text(part.about());
        touched = touched.or(ui.push_id(name, |ui| parameters(ui, part, known)).inner);
    }
    touched
}

/// A button that gives a changed parameter another value. Returns that if it was clicked.
fn put_back(ui: &mut Ui, parameter: &Parameter, (word, to): (&str, Value), what: &str) -> Option<Value> {
    let text = format!("{word} {}", words(parameter, to));
    let hint = format!("{}, {text}: {what}", parameter.name());
    // Cut off where the panel ends: resting on it shows all of it.
    ui.add(Button::new(text).small().truncate()).on_hover_text(hint).clicked().then_some(to)
}

/// Writes the name of a parameter.
type Label<'a> = &'a mut dyn FnMut(&mut Ui) -> egui::Response;

fn number(ui: &mut Ui, parameter: &Parameter, slider: Slider<'_>, label: Label<'_>) -> Touched {
    let unit = if parameter.unit.is_empty() { String::new() } else { format!(" {}", parameter.unit) };
    let label = ui.horizontal(|ui| label(ui)).inner;
    // A scene may have more than the slider's ends: only what is moved is kept between them.
    // Half a number that is being typed counts for nothing: on the way to 0.9 somebody types 0.
    let slider = slider.clamping(SliderClamping::Edits).suffix(unit).update_while_editing(false);
    let response = ui.add(slider).labelled_by(label.id).on_hover_text(parameter.what);
    let changed = response.changed();
    Touched { begun: response.drag_started() || (changed && !response.dragged()), changed }
}

fn choice(ui: &mut Ui, parameter: &Parameter, words: &[Word], index: &mut usize, label: Label<'_>) -> Touched {
    let old = *index;
    ui.horizontal(|ui| {
        let response = ComboBox::from_id_salt(parameter.key)
            .selected_text(words[old].word)
            .show_ui(ui, |ui| {
                for (k, word) in words.iter().enumerate() {
                    ui.selectable_value(index, k, word.word).on_hover_text(word.what);
                }
            })
            .response;
        let label = label(ui);
        let now = format!("{}: {}", words[old].word, words[old].what);
        response.labelled_by(label.id).on_hover_text(format!("{}\n{now}", parameter.what));
    });
    Touched { begun: *index != old, changed: *index != old }
}

impl App {
    pub(super) fn side(&mut self, ui: &mut Ui) {
        egui::Panel::right("side").default_size(250.0).show(ui, |ui| {
            fixed::contents(ui, |ui| {
                self.tool_section(ui);
                self.inspector(ui);
                egui::CollapsingHeader::new("Save the changed scene").default_open(true).show(ui, |ui| {
                    ui.text_edit_singleline(&mut self.save_as)
                        .on_hover_text("A TOML file; images that it needs are written beside it");
                    if ui.button("Save").on_hover_text("Asks before it replaces a file (Ctrl+S)").clicked() {
                        self.save();
                    }
                });
                egui::CollapsingHeader::new("Model").default_open(true).show(ui, |ui| self.model(ui));
                egui::CollapsingHeader::new("Groups").default_open(true).show(ui, |ui| self.groups(ui));
            });
        });
    }

    fn model(&mut self, ui: &mut Ui) {
        let before = self.scene.model;
        let mut model = before;
        let touched = parameters(ui, &mut model, Known { opened: &self.origin.model, default: &Model::default() });
        self.model_in_hand |= touched.begun;
        // A drag that has not moved yet has changed nothing.
        if !touched.changed {
            return;
        }
        // Once, while one drags.
        if let Some(why) = self.against(&model) {
            if !self.is_said(&why) {
                self.complain(why);
            }
            return;
        }
        if !model.is_sound() {
            return;
        }
        let begun = std::mem::take(&mut self.model_in_hand);
        // What is again what it was before the last change is nothing more to undo: that goes on.
        let (is_model, undoes) = match self.changes.last() {
            Some(super::Undo::Model(last)) => (true, **last == before),
            _ => (false, false),
        };
        if (begun && !undoes) || !is_model {
            self.remember(super::Undo::Model(Box::new(before)));
        } else {
            self.changes.goes_on();
        }
        self.set_model(model);
    }

    fn groups(&mut self, ui: &mut Ui) {
        if self.scene.groups.is_empty() {
            ui.label("There are none.");
        }
        for g in 0..self.scene.groups.len() {
            let group = &self.scene.groups[g];
            let (name, count, arrive, speed) = (group.name.clone(), group.count, group.arrive, group.speed);
            ui.strong(format!("{name}: {}", grouped(count.into())));
            // Of a crowd that only the device has the device tells.
            let counted = self.shot.as_ref().and_then(|s| s.groups.get(g)).or_else(|| self.readout.groups.get(g));
            if let Some(now) = counted {
                let [floor, outside, gone] = [now.floor, now.outside, now.gone].map(grouped);
                ui.label(format!("{floor} on the floor, {outside} outside, {gone} gone"));
            }
            // Who was dropped has no other beginning.
            let first = self.origin.groups.iter().find(|first| first.name == name).map(|g| (g.arrive, g.speed));
            let mut wanted = arrive;
            ui.horizontal(|ui| {
                ComboBox::from_id_salt(("arrive", g))
                    .selected_text(format!("on arrival: {}", arrive_name(arrive)))
                    .show_ui(ui, |ui| {
                        for a in [Arrive::Park, Arrive::Next, Arrive::Respawn] {
                            ui.selectable_value(&mut wanted, a, arrive_name(a)).on_hover_text(arrive_meaning(a));
                        }
                    })
                    .response
                    .on_hover_text("What happens after the last goal of the journey");
                if let Some((first, _)) = first.filter(|(first, _)| *first != arrive)
                    && group_back(ui, &name, arrive_name(first))
                {
                    wanted = first;
                }
            });
            if wanted != arrive {
                self.change_group(g, CrowdChange::Arrive(g, wanted), true);
            }
            let id = ui.scope_id().with(("speed", g));
            let typical = speed.typical();
            let mut shown = ui.data(|d| d.get_temp::<f32>(id)).unwrap_or(typical);
            ui.horizontal(|ui| {
                let label = ui.label("speed");
                let typed = typed(f64::from(shown), SPEED_DECIMALS);
                let drag = DragValue::new(&mut shown).speed(0.01).suffix(" m/s").max_decimals(SPEED_DECIMALS).custom_parser(typed);
                // As a scene may have it.
                let drag = drag.range(0.01..=100.0).clamp_existing_to_range(false);
                let response = ui.add(drag).labelled_by(label.id).on_hover_text(
                    "Typical preferred speed: everybody's is drawn anew, spread as before. Takes effect when you let go.",
                );
                let done = response.drag_stopped() || response.lost_focus() || (response.changed() && !response.dragged() && !response.has_focus());
                if done && (shown - typical).abs() > 1e-4 {
                    let faster = scaled(speed, shown / typical.max(1e-3));
                    self.change_group(g, CrowdChange::Speed(g, faster), true);
                    ui.data_mut(|d| d.remove::<f32>(id));
                } else if response.dragged() || response.has_focus() {
                    ui.data_mut(|d| d.insert_temp(id, shown));
                } else {
                    ui.data_mut(|d| d.remove::<f32>(id));
                }
                if let Some((_, first)) = first.filter(|(_, first)| *first != speed)
                    && group_back(ui, &name, &format!("{} m/s", crate::overlay::number(first.typical())))
                {
                    self.change_group(g, CrowdChange::Speed(g, first), true);
                }
            });
        }
    }
}

/// A button that makes something of a group what it was. Returns whether it was clicked.
fn group_back(ui: &mut Ui, name: &str, to: &str) -> bool {
    let text = format!("back to {to}");
    let hint = format!("{name}, {text}: What it was when the scene was opened");
    ui.add(Button::new(text).small().truncate()).on_hover_text(hint).clicked()
}

/// A distribution with every value multiplied.
fn scaled(of: Distribution, factor: f32) -> Distribution {
    match of {
        Distribution::Constant(v) => Distribution::Constant(v * factor),
        Distribution::Uniform(a, b) => Distribution::Uniform(a * factor, b * factor),
        Distribution::Normal { mean, deviation, min, max } => Distribution::Normal {
            mean: mean * factor,
            deviation: deviation * factor,
            min: min * factor,
            max: max * factor,
        },
    }
}
