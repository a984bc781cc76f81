//! The bar at the top: a row for time, a row for tools. Nothing in it moves, whatever the numbers are.

use super::{App, From, Tool, fixed};
use crate::overlay::{clock, grouped};
use egui::{TextStyle, Ui};

impl App {
    pub(super) fn toolbar(&mut self, ui: &mut Ui) {
        egui::Panel::top("toolbar").resizable(false).show(ui, |ui| {
            ui.horizontal(|ui| self.time_row(ui));
            ui.horizontal_wrapped(|ui| self.tool_row(ui));
        });
    }

    fn time_row(&mut self, ui: &mut Ui) {
        let word = if self.running { "Pause" } else { "Run" };
        if fixed::button(ui, word, &["Pause", "Run"]).on_hover_text("Run or pause (Space)").clicked() {
            self.running = !self.running;
        }
        let (word, what) = if self.by_rounds {
            ("Round", "One round of the solver; when it is done the rest of the step (. or S)")
        } else {
            ("Step", "One step (. or S)")
        };
        if fixed::button(ui, word, &["Round", "Step"]).on_hover_text(what).clicked() {
            self.single();
        }
        let what = "Begin again with the same seed, and with all changes (R)";
        if ui.button("Reset").on_hover_text(what).clicked() {
            self.begin_again(From::Changes);
        }
        let more = ui.menu_button("Reset to…", |ui| {
            for from in From::ALL {
                if ui.button(format!("Begin again {}", from.words())).clicked() {
                    self.ask_to_begin_again(from);
                    ui.close();
                }
            }
        });
        more.response.on_hover_text("Begin again from something else");
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
        let (time, steps) = self.shot.as_ref().map_or((0.0, 0), |s| (s.time, s.steps));
        fixed::label(ui, &clock(time), "00 h 00 min 00.0 s", &TextStyle::Monospace).on_hover_text("Simulated time");
        fixed::label(ui, &format!("step {}", grouped(steps)), "step 0,000,000", &TextStyle::Body);
        ui.separator();
        self.timeline(ui);
    }

    fn tool_row(&mut self, ui: &mut Ui) {
        for tool in Tool::ALL {
            ui.selectable_value(&mut self.tool, tool, tool.name()).on_hover_text(tool.meaning());
        }
        ui.separator();
        let enabled = self.can_undo();
        let undo = ui.add_enabled(enabled, egui::Button::new("Undo"));
        if undo.on_hover_text("Undo the last change (Ctrl+Z)").clicked() {
            self.undo_last();
        }
        let redo = ui.add_enabled(self.can_redo(), egui::Button::new("Redo"));
        if redo.on_hover_text("Make the change again that was undone last (Ctrl+Y)").clicked() {
            self.redo_last();
        }
        if ui.button("Fit").on_hover_text("Show all of the world (F)").clicked() {
            self.fit = true;
            self.follow = false;
        }
        if ui.button("?").on_hover_text("Keys and mouse (F1)").clicked() {
            self.toggle_help();
        }
        ui.separator();
        let per_second = |n: f32, what: &str| format!("{n:.0} {what}{}/s", if n.round() == 1.0 { "" } else { "s" });
        let rate = per_second(self.steps_per_second(), "step");
        fixed::label(ui, &rate, "00000 steps/s", &TextStyle::Body);
        let frames = per_second(self.frame_rate(), "frame");
        fixed::label(ui, &frames, "000 frames/s", &TextStyle::Body);
    }
}
