//! The bar at the top: time, tools, saving.

use super::{App, Tool};
use crate::overlay::{clock, grouped};
use egui::{RichText, Ui};

impl App {
    pub(super) fn toolbar(&mut self, ui: &mut Ui) {
        egui::Panel::top("toolbar").show(ui, |ui| {
            ui.horizontal_wrapped(|ui| {
                let word = if self.running { "Pause" } else { "Run" };
                if ui.button(word).on_hover_text("Run or pause (Space)").clicked() {
                    self.running = !self.running;
                }
                let (word, what) = if self.by_rounds {
                    ("Round", "One round of the solver; when it is done the rest of the step (. or S)")
                } else {
                    ("Step", "One step (. or S)")
                };
                if ui.button(word).on_hover_text(what).clicked() {
                    self.single();
                }
                let what = "Begin again with the same seed, and with all changes (R)";
                if ui.button("Reset").on_hover_text(what).clicked() {
                    self.begin_again();
                }
                ui.separator();
                ui.add_enabled_ui(!self.unbounded, |ui| {
                    let slider = egui::Slider::new(&mut self.speed, 0.1..=100.0)
                        .logarithmic(true)
                        .suffix("×")
                        .custom_formatter(|v, _| if v < 9.95 { format!("{v:.1}") } else { format!("{v:.0}") });
                    ui.add(slider).on_hover_text("Simulated seconds a second (+ and −)");
                });
                ui.checkbox(&mut self.unbounded, "max").on_hover_text("As fast as possible");
                ui.separator();
                let time = self.shot.as_ref().map_or(0.0, |s| s.time);
                ui.label(RichText::new(clock(time)).strong().monospace()).on_hover_text("Simulated time");
                let steps = self.shot.as_ref().map_or(0, |s| s.steps);
                ui.label(format!("step {}", grouped(steps)));
                ui.label(format!("{:.0} steps/s", self.steps_per_second()));
                let frames = self.frame_rate();
                ui.label(format!("{frames:.0} frames/s"));
                ui.separator();
                for tool in Tool::ALL {
                    ui.selectable_value(&mut self.tool, tool, tool.name()).on_hover_text(tool.meaning());
                }
                ui.separator();
                let enabled = self.can_undo();
                let undo = ui.add_enabled(enabled, egui::Button::new("Undo"));
                if undo.on_hover_text("Undo the last change (Ctrl+Z)").clicked() {
                    self.undo_last();
                }
                if ui.button("Fit").on_hover_text("Show all of the world (F)").clicked() {
                    self.fit = true;
                    self.follow = false;
                }
                if ui.button("?").on_hover_text("Keys and mouse (F1)").clicked() {
                    self.help = !self.help;
                }
            });
        });
    }
}
