//! The panel on the right: the chosen agent, the tool's settings, the model and the groups, saving.

use super::{App, Tool};
use egui::{DragValue, Slider, Ui};
use throng::engine::CrowdChange;
use throng::scene::{Arrive, Distribution, Model};

/// A number of the model: its name, unit and range, what it does, and where it is.
struct Weight {
    name: &'static str,
    unit: &'static str,
    range: std::ops::RangeInclusive<f32>,
    what: &'static str,
    of: fn(&mut Model) -> &mut f32,
}

const WEIGHTS: &[Weight] = &[
    Weight {
        name: "length weight",
        unit: "per m",
        range: 0.0..=10.0,
        what: "Cost of every metre. Large: people take short ways and wait in queues.",
        of: |m| &mut m.length_weight,
    },
    Weight {
        name: "time weight",
        unit: "per s",
        range: 0.0..=10.0,
        what: "Cost of every second. Large: people walk round congestion.",
        of: |m| &mut m.time_weight,
    },
    Weight {
        name: "discomfort weight",
        unit: "per s",
        range: 0.0..=20.0,
        what: "Cost of every second in discomfort 1. Large: people avoid uncomfortable ground and walls.",
        of: |m| &mut m.discomfort_weight,
    },
    Weight {
        name: "wall discomfort",
        unit: "",
        range: 0.0..=5.0,
        what: "Discomfort right at a wall; it falls to none within the clearance.",
        of: |m| &mut m.clearance_discomfort,
    },
    Weight {
        name: "flow weight",
        unit: "",
        range: 0.0..=1.0,
        what: "How much slower people expect to be against a dense stream than with it. 0: no lanes form.",
        of: |m| &mut m.flow_weight,
    },
    Weight {
        name: "jam density",
        unit: "persons/m²",
        range: 0.5..=12.0,
        what: "Where walking speed falls to none.",
        of: |m| &mut m.jam_density,
    },
    Weight {
        name: "least speed",
        unit: "m/s",
        range: 0.001..=0.5,
        what: "The planner never expects less, however dense it is.",
        of: |m| &mut m.min_speed,
    },
    Weight {
        name: "person radius",
        unit: "m",
        range: 0.05..=1.0,
        what: "Body that counts as one person in the speed law.",
        of: |m| &mut m.person_radius,
    },
    Weight {
        name: "free below",
        unit: "share of floor",
        range: 0.0..=2.0,
        what: "Thesis's speed law only: below this density everybody walks freely.",
        of: |m| &mut m.density_min,
    },
    Weight {
        name: "stream above",
        unit: "share of floor",
        range: 0.01..=4.0,
        what: "Thesis's speed law only: above this density everybody goes with the stream.",
        of: |m| &mut m.density_max,
    },
];

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

impl App {
    pub(super) fn side(&mut self, ui: &mut Ui) {
        egui::Panel::right("side").default_size(250.0).show(ui, |ui| {
            egui::ScrollArea::vertical().show(ui, |ui| {
                self.tool_section(ui);
                self.inspector(ui);
                egui::CollapsingHeader::new("Model").default_open(true).show(ui, |ui| self.weights(ui));
                egui::CollapsingHeader::new("Groups").default_open(true).show(ui, |ui| self.groups(ui));
                egui::CollapsingHeader::new("Save the changed scene").default_open(true).show(ui, |ui| {
                    ui.text_edit_singleline(&mut self.save_as)
                        .on_hover_text("A TOML file; images that it needs are written beside it");
                    if ui.button("Save").clicked() {
                        self.save();
                    }
                });
            });
        });
    }

    fn tool_section(&mut self, ui: &mut Ui) {
        if self.tool == Tool::Select {
            return;
        }
        ui.heading(self.tool.name());
        ui.label(self.tool.meaning());
        match self.tool {
            Tool::Discomfort | Tool::Walls => {
                let most = 0.25 * self.scene.grid.extent().min_element().max(4.0);
                ui.add(Slider::new(&mut self.brush.radius, 0.05..=most).logarithmic(true).suffix(" m").text("radius"))
                    .on_hover_text("Of the brush");
                if self.tool == Tool::Discomfort {
                    ui.add(Slider::new(&mut self.brush.value, 0.0..=0.98).text("discomfort"))
                        .on_hover_text("What is painted: 0 is comfortable, 0.98 the most that is no wall");
                }
                ui.checkbox(&mut self.brush.erase, "erase").on_hover_text("Or hold Shift");
            }
            Tool::Drop => {
                ui.add(Slider::new(&mut self.brush.people, 1..=2000).logarithmic(true).text("people"));
                ui.add(Slider::new(&mut self.brush.radius, 0.3..=50.0).logarithmic(true).suffix(" m").text("radius"))
                    .on_hover_text("Of the area that they are put into");
                let name = |i: usize| self.scene.groups.get(i).map_or("people of the defaults", |g| &g.name).to_owned();
                egui::ComboBox::from_label("like").selected_text(name(self.brush.group)).show_ui(ui, |ui| {
                    for i in 0..self.scene.groups.len() {
                        ui.selectable_value(&mut self.brush.group, i, name(i));
                    }
                });
            }
            _ => {}
        }
        ui.separator();
    }

    fn weights(&mut self, ui: &mut Ui) {
        let before = self.scene.model;
        let mut model = before;
        let thesis = before.speed_law == throng::stages::speed::SpeedLaw::Thesis;
        let mut began = false;
        let mut changed = false;
        for weight in WEIGHTS {
            if weight.name.ends_with("low") || weight.name.ends_with("above") {
                // Only the thesis's law has them; the person's size and jam only the other.
                if !thesis {
                    continue;
                }
            }
            let unit = if weight.unit.is_empty() { String::new() } else { format!(" {}", weight.unit) };
            // A scene may have more than the slider's ends: only what is moved is kept between them.
            let slider = Slider::new((weight.of)(&mut model), weight.range.clone())
                .clamping(egui::SliderClamping::Edits)
                .suffix(unit)
                .max_decimals(3);
            let label = ui.label(weight.name).on_hover_text(weight.what);
            let response = ui.add(slider).labelled_by(label.id).on_hover_text(weight.what);
            began |= response.drag_started() || (response.changed() && !response.dragged());
            changed |= response.changed();
        }
        let mut rounds = model.separation_rounds;
        let what = "Rounds that push overlapping bodies apart in every step.";
        let label = ui.label("separation rounds").on_hover_text(what);
        let slider = Slider::new(&mut rounds, 0..=10).clamping(egui::SliderClamping::Edits);
        let response = ui.add(slider).labelled_by(label.id).on_hover_text(what);
        model.separation_rounds = rounds;
        began |= response.drag_started() || (response.changed() && !response.dragged());
        changed |= response.changed();
        // A drag that has not moved yet, and numbers that no scene may have, are nothing to undo.
        let undoes = matches!(self.undo.last(), Some(super::Undo::Weights(last)) if **last == before);
        if began && !undoes && (model == before || model.is_sound()) {
            self.undo.push(super::Undo::Weights(Box::new(before)));
        }
        if changed {
            self.set_weights(model, None);
        }
    }

    fn groups(&mut self, ui: &mut Ui) {
        if self.scene.groups.is_empty() {
            ui.label("There are none.");
        }
        for g in 0..self.scene.groups.len() {
            let group = &self.scene.groups[g];
            let (name, count, arrive, speed) = (group.name.clone(), group.count, group.arrive, group.speed);
            ui.strong(format!("{name}: {}", crate::overlay::grouped(count.into())));
            let mut wanted = arrive;
            egui::ComboBox::from_id_salt(("arrive", g))
                .selected_text(format!("on arrival: {}", arrive_name(arrive)))
                .show_ui(ui, |ui| {
                    for a in [Arrive::Park, Arrive::Next, Arrive::Respawn] {
                        ui.selectable_value(&mut wanted, a, arrive_name(a)).on_hover_text(arrive_meaning(a));
                    }
                })
                .response
                .on_hover_text("What happens after the last goal of the journey");
            if wanted != arrive {
                self.change_group(g, CrowdChange::Arrive(g, wanted), Some(CrowdChange::Arrive(g, arrive)));
            }
            let id = ui.scope_id().with(("speed", g));
            let typical = speed.typical();
            let mut shown = ui.data(|d| d.get_temp::<f32>(id)).unwrap_or(typical);
            ui.horizontal(|ui| {
                let label = ui.label("speed");
                let drag = DragValue::new(&mut shown).speed(0.01).range(0.05..=10.0).suffix(" m/s").max_decimals(2);
                let response = ui.add(drag).labelled_by(label.id).on_hover_text(
                    "Typical preferred speed: everybody's is drawn anew, spread as before. Takes effect when you let go.",
                );
                let done = response.drag_stopped() || response.lost_focus() || (response.changed() && !response.dragged() && !response.has_focus());
                if done && (shown - typical).abs() > 1e-4 {
                    let faster = scaled(speed, shown / typical.max(1e-3));
                    self.change_group(g, CrowdChange::Speed(g, faster), Some(CrowdChange::Speed(g, speed)));
                    ui.data_mut(|d| d.remove::<f32>(id));
                } else if response.dragged() || response.has_focus() {
                    ui.data_mut(|d| d.insert_temp(id, shown));
                } else {
                    ui.data_mut(|d| d.remove::<f32>(id));
                }
            });
        }
    }
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
