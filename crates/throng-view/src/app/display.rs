//! The panel on the left: what is shown, and how.

use super::{App, PickLimit, fixed, number::typed};
use crate::look::{Colouring, Overlay, Shade, direction_name};
use egui::{DragValue, Slider, SliderClamping, Ui};
use throng::engine::Direction;

/// Of an end of a scale.
const DECIMALS: usize = 3;

fn opacity(ui: &mut Ui, value: &mut f32, name: &str, what: &str) {
    ui.horizontal(|ui| {
        ui.add(Slider::new(value, 0.0..=1.0).show_value(false).text(name)).on_hover_text(what);
    });
}

impl App {
    pub(super) fn display(&mut self, ui: &mut Ui) {
        egui::Panel::left("display").default_size(240.0).show(ui, |ui| {
            fixed::contents(ui, |ui| {
                self.agents_section(ui);
                ui.separator();
                self.field_section(ui);
                ui.separator();
                ui.heading("Layers");
                let look = &mut self.look;
                if self.scene.map.background.is_some() {
                    opacity(ui, &mut look.background, "background", "Opacity of the scene's background image");
                }
                opacity(ui, &mut look.field, "field", "Opacity of the field and its arrows");
                opacity(ui, &mut look.agents, "agents", "Opacity of agents; none at the left end");
                opacity(ui, &mut look.walls, "walls", "Opacity of walls");
                opacity(ui, &mut look.goals, "goals, zones", "Opacity of goals and zones");
                opacity(ui, &mut look.splats, "splat areas", "The cells that each agent adds to when it is splatted");
                opacity(ui, &mut look.ribbons, "ribbons", "The ways that everybody has come, in the colours of groups");
                opacity(
                    ui,
                    &mut look.local_map,
                    "own map",
                    "The map that the chosen agent steers by, with the steering bvp",
                );
                ui.separator();
                self.solver_section(ui);
                ui.separator();
                self.space_section(ui);
            });
        });
    }

    fn agents_section(&mut self, ui: &mut Ui) {
        ui.heading("Agents");
        egui::ComboBox::from_label("colour")
            .selected_text(self.look.colouring.name())
            .show_ui(ui, |ui| {
                for c in Colouring::ALL {
                    if ui.selectable_value(&mut self.look.colouring, c, c.name()).clicked() {
                        self.look.colouring_limits = None;
                    }
                }
            })
            .response
            .on_hover_text("What the colours of agents mean (C)");
        if let Some(unit) = self.look.colouring.unit() {
            let mut limits = self.look.colouring_limits.unwrap_or(self.look.colouring.limits(&self.scene));
            let before = limits;
            ui.horizontal(|ui| {
                let suffix = format!(" {unit}");
                let end = |ui: &mut Ui, value: &mut f32, what: &str| {
                    let typed = typed(f64::from(*value), DECIMALS);
                    let drag =
                        DragValue::new(value).speed(0.05).suffix(&suffix).max_decimals(DECIMALS).custom_parser(typed);
                    ui.add(drag.range(0.0..=1e6).clamp_existing_to_range(false)).on_hover_text(what);
                };
                end(ui, &mut limits.0, "From");
                ui.label("to");
                end(ui, &mut limits.1, "To");
            });
            if limits != before && limits.0 < limits.1 {
                self.look.colouring_limits = Some(limits);
            }
        }
        let slider = Slider::new(&mut self.look.body, 0.2..=10.0).logarithmic(true).suffix("×").text("drawn size");
        let slider = slider.clamping(SliderClamping::Edits);
        ui.add(slider).on_hover_text("Drawn size of bodies over the real one: 1× is to scale");
    }

    fn field_section(&mut self, ui: &mut Ui) {
        ui.heading("Field");
        egui::Grid::new("fields").num_columns(2).show(ui, |ui| {
            if ui.selectable_label(self.look.overlay.is_none(), "0  none").clicked() {
                self.show_overlay(None);
            }
            for (number, overlay) in (1..).zip(Overlay::ALL) {
                if number % 2 == 0 {
                    ui.end_row();
                }
                // Keys are for the first nine.
                let text = if number > 9 { overlay.name().to_owned() } else { format!("{number}  {}", overlay.name()) };
                let shown = self.look.overlay == Some(overlay);
                if ui.selectable_label(shown, text).on_hover_text(overlay.meaning()).clicked() {
                    self.show_overlay(if shown { None } else { Some(overlay) });
                }
            }
        });
        let Some(overlay) = self.look.overlay else { return };
        if overlay.has_direction() {
            egui::ComboBox::from_label("direction").selected_text(direction_name(self.look.direction)).show_ui(
                ui,
                |ui| {
                    for d in [Direction::North, Direction::East, Direction::South, Direction::West] {
                        ui.selectable_value(&mut self.look.direction, d, direction_name(d));
                    }
                },
            );
        }
        if overlay.has_goal() {
            self.goal_choice(ui, "field goal");
        }
        ui.checkbox(&mut self.look.smooth, "smooth").on_hover_text("Values between the middles of cells (X)");
        if overlay.shade() != Shade::Amount {
            ui.checkbox(&mut self.look.arrows, "arrows").on_hover_text("An arrow every few cells (A)");
        }
        if overlay.shade() == Shade::Wheel {
            return;
        }
        let mut limits = self.look.limits.unwrap_or(self.limits);
        let before = limits;
        ui.label(format!("scale, {}", overlay.unit()));
        ui.horizontal(|ui| {
            let speed = f64::from((limits.1 - limits.0).abs().max(1e-3)) * 0.01;
            let end = |ui: &mut Ui, value: &mut f32, what: &str| {
                let typed = typed(f64::from(*value), DECIMALS);
                ui.add(DragValue::new(value).speed(speed).max_decimals(DECIMALS).custom_parser(typed))
                    .on_hover_text(what);
            };
            end(ui, &mut limits.0, "Lower end: drag or type");
            ui.label("to");
            end(ui, &mut limits.1, "Upper end: drag or type");
        });
        if limits != before && limits.0 < limits.1 && limits.0.is_finite() && limits.1.is_finite() {
            self.look.limits = Some(limits);
        }
        ui.horizontal(|ui| {
            for (which, word) in [(PickLimit::Low, "pick low"), (PickLimit::High, "pick high")] {
                let on = self.picking == Some(which);
                let hint = "Then click into the picture: the value there becomes this end of the scale";
                if ui.selectable_label(on, word).on_hover_text(hint).clicked() {
                    self.picking = if on { None } else { Some(which) };
                }
            }
            let auto = ui.add_enabled(self.look.limits.is_some(), egui::Button::new("auto"));
            if auto.on_hover_text("Ends of the scale by the field's values").clicked() {
                self.look.limits = None;
            }
        });
        if let Some(limits) = self.look.limits {
            self.limits = limits;
        }
    }

    fn goal_choice(&mut self, ui: &mut Ui, id: &str) {
        let name = |i: usize| self.scene.goals.get(i).map_or(String::new(), |g| g.name.clone());
        egui::ComboBox::from_id_salt(id).selected_text(format!("goal: {}", name(self.look.goal))).show_ui(ui, |ui| {
            for i in 0..self.scene.goals.len() {
                ui.selectable_value(&mut self.look.goal, i, name(i));
            }
        });
    }

    fn solver_section(&mut self, ui: &mut Ui) {
        ui.heading("Solver");
        opacity(ui, &mut self.look.tiles, "tiles", "What the solver's tiles of 16 × 16 cells did for a goal (T)");
        if self.look.tiles > 0.0 && !self.scene.goals.is_empty() {
            self.goal_choice(ui, "tiles goal");
            let none = self.shot.as_ref().is_some_and(|s| s.tiles.as_ref().is_some_and(Vec::is_empty));
            if none {
                ui.label(
                    "The CPU engine marches cell by cell and has no tiles: start with --engine gpu, or with --device.",
                );
            }
        }
        ui.checkbox(&mut self.by_rounds, "break after each round")
            .on_hover_text("Single steps do one round of the solver (GPU engine): see the fronts pass");
        if let Some(round) = self.shot.as_ref().and_then(|s| s.round) {
            let state = if round.finished { "converged, step done" } else { "not done yet" };
            ui.label(format!("round {}: {state}", round.rounds));
        }
        if let Some(shot) = &self.shot {
            let solver = &shot.counters.solver;
            ui.label(format!("last step: {} rounds", solver.rounds))
                .on_hover_text("On the CPU: buckets of the ordered march");
        }
    }
}
