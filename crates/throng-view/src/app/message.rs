//! What is said where one looks: over the map, until it was read or clicked away. All of it is in the log too.

use super::App;
use egui::{Align2, Color32, RichText};
use std::time::{Duration, Instant};

/// Of what succeeded.
const SHORT: Duration = Duration::from_secs(6);
/// Of what failed, or ended.
const LONG: Duration = Duration::from_secs(30);

/// What a message is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Weight {
    Done,
    Important,
    Failure,
}

/// Something that is said over the map.
#[derive(Clone, Debug)]
pub(super) struct Message {
    text: String,
    weight: Weight,
    until: Instant,
}

impl App {
    /// Says something over the map, instead of what was said there before.
    pub(super) fn say(&mut self, weight: Weight, text: impl Into<String>) {
        let lasts = if weight == Weight::Done { SHORT } else { LONG };
        self.message = Some(Message { text: text.into(), weight, until: Instant::now() + lasts });
    }

    pub(super) fn show_message(&mut self, context: &egui::Context) {
        let now = Instant::now();
        self.message = self.message.take().filter(|m| m.until > now);
        let Some(message) = &self.message else { return };
        let (text, weight) = (message.text.clone(), message.weight);
        let fill = match weight {
            Weight::Done => Color32::from_rgb(0x1D, 0x3B, 0x2A),
            Weight::Important => Color32::from_rgb(0x1B, 0x35, 0x4A),
            Weight::Failure => Color32::from_rgb(0x5A, 0x24, 0x1E),
        };
        let mut closed = false;
        let top = self.view.center_top() + egui::vec2(0.0, 10.0);
        let area = egui::Area::new(egui::Id::new("message")).order(egui::Order::Foreground).pivot(Align2::CENTER_TOP);
        area.fixed_pos(top).show(context, |ui| {
            egui::Frame::popup(ui.style()).fill(fill).show(ui, |ui| {
                ui.set_max_width((self.view.width() - 60.0).clamp(120.0, 520.0));
                ui.horizontal(|ui| {
                    let wide = ui.available_width() - 34.0;
                    ui.vertical(|ui| {
                        ui.set_max_width(wide);
                        ui.label(RichText::new(text).strong());
                    });
                    closed = ui.button("×").on_hover_text("It is in the log too").clicked();
                });
            });
        });
        if closed {
            self.message = None;
        }
    }
}
