//! The list of keys, beside the map: it hides nothing.

use super::{App, fixed, keys};
use throng::geometry::Rect;

impl App {
    /// Opens or closes it. Who saw all of the world before sees all of it after.
    pub(super) fn toggle_help(&mut self) {
        self.help = !self.help;
        self.fit |= self.sees_all();
    }

    /// Whether all of the world is in the view.
    fn sees_all(&self) -> bool {
        let Rect { min, max } = self.scene.grid.bounds();
        let size = glam::Vec2::new(self.view.width(), self.view.height()) * self.pixels;
        [min, max].into_iter().all(|corner| {
            let p = self.camera.to_view(corner, size);
            p.cmpge(glam::Vec2::ZERO).all() && p.cmple(size).all()
        })
    }

    pub(super) fn help_panel(&mut self, ui: &mut egui::Ui) {
        if !self.help {
            return;
        }
        egui::Panel::right("help").default_size(300.0).show(ui, |ui| {
            ui.horizontal(|ui| {
                ui.heading("Keys and mouse");
                if ui.button("Close").on_hover_text("F1 or Esc").clicked() {
                    self.toggle_help();
                }
            });
            ui.separator();
            fixed::contents(ui, |ui| {
                for (key, what) in keys::HELP {
                    ui.strong(*key);
                    ui.indent(*key, |ui| ui.label(*what));
                }
            });
        });
    }
}
