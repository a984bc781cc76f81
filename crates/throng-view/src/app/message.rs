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

/// How many are shown at once.
const MOST: usize = 3;

impl App {
    /// Says something over the map, below what is still said there.
    pub(super) fn say(&mut self, weight: Weight, text: impl Into<String>) {
        let lasts = if weight == Weight::Done { SHORT } else { LONG };
        // Of two that something was done, the newer one counts; and nothing is said twice.
        let text = text.into();
        self.messages.retain(|m| m.text != text && (m.weight != weight || weight != Weight::Done));
        self.messages.push(Message { text, weight, until: Instant::now() + lasts });
        if self.messages.len() > MOST {
            self.messages.remove(0);
        }
    }

    /// Whether that is still said over the map.
    pub(super) fn is_said(&self, text: &str) -> bool {
        self.messages.iter().any(|m| m.text == text)
    }

    /// Says something over the map that is worth knowing, and writes it into the log.
    pub(super) fn announce(&mut self, line: String) {
        self.note(line.clone());
        self.say(Weight::Done, line);
    }

    /// What was said of such weight is not so any more.
    pub(super) fn hush(&mut self, weight: Weight) {
        self.messages.retain(|m| m.weight != weight);
    }

    pub(super) fn show_messages(&mut self, context: &egui::Context) {
        let now = Instant::now();
        self.messages.retain(|m| m.until > now);
        if self.messages.is_empty() {
            return;
        }
        let mut closed = None;
        let top = self.view.center_top() + egui::vec2(0.0, 10.0);
        let area = egui::Area::new(egui::Id::unique("messages")).order(egui::Order::Foreground);
        area.pivot(Align2::CENTER_TOP).fixed_pos(top).show(context, |ui| {
            let wide = (self.view.width() - 60.0).clamp(120.0, 520.0);
            for (i, message) in self.messages.iter().enumerate() {
                let fill = match message.weight {
                    Weight::Done => Color32::from_rgb(0x1D, 0x3B, 0x2A),
                    Weight::Important => Color32::from_rgb(0x1B, 0x35, 0x4A),
                    Weight::Failure => Color32::from_rgb(0x5A, 0x24, 0x1E),
                };
                egui::Frame::popup(ui.style()).fill(fill).show(ui, |ui| {
                    ui.set_max_width(wide);
                    ui.horizontal(|ui| {
                        let room = ui.available_width() - 34.0;
                        ui.vertical(|ui| {
                            ui.set_max_width(room);
                            ui.label(RichText::new(&message.text).strong());
                        });
                        if ui.button("×").on_hover_text("It is in the log too").clicked() {
                            closed = Some(i);
                        }
                    });
                });
            }
        });
        if let Some(i) = closed {
            self.messages.remove(i);
        }
    }
}
