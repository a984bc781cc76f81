//! The lines under the map: scale, what is under the pointer, what colours mean. They are beside the map, so that nothing of
//! this ever covers the building, and as high whatever they say, so that the map keeps its place.

use super::App;
use crate::legend::{self, Row};
use crate::overlay::{Caption, DIM, INK, body, ruler};
use egui::{Align2, Rect, Role, Sense, Ui, WidgetInfo, pos2, vec2};

/// Of a line.
const LINE: f32 = 20.0;
/// Of the ruler at most, in points.
const RULER: f32 = 110.0;
/// For scale and pointer; the legend has the rest.
const LEFT: f32 = 400.0;

impl App {
    pub(super) fn strip(&mut self, ui: &mut Ui) {
        let frame = egui::Frame::side_top_panel(ui.style());
        let high = 2.0 * LINE + frame.total_margin().sum().y;
        egui::Panel::bottom("strip").resizable(false).exact_size(high).frame(frame).show(ui, |ui| {
            let (space, _) = ui.allocate_exact_size(ui.available_size(), Sense::hover());
            // Of a narrow window the pointer's values keep half.
            let left = LEFT.min(0.5 * space.width());
            let line = |row: usize, from: f32, to: f32| {
                let top = space.top() + LINE * row as f32;
                Rect::from_min_max(pos2(space.left() + from, top), pos2(space.left() + to, top + LINE))
            };
            self.with_caption(|caption| {
                self.scale_line(ui, caption, line(0, 0.0, left - 12.0));
                let [field, solver, agents] = caption.sections();
                let upper: Vec<Row> = field.into_iter().chain(solver).collect();
                legend_line(ui, "legend of the field", &upper, line(0, left, space.width()));
                legend_line(ui, "legend of the agents", &agents, line(1, left, space.width()));
            });
            let probe = self.probe().unwrap_or_default();
            written(ui, "under the pointer", &probe, line(1, 0.0, left - 12.0));
        });
    }

    /// The ruler, and without panels what the toolbar says otherwise.
    fn scale_line(&self, ui: &mut Ui, caption: &Caption<'_>, line: Rect) {
        let painter = ui.painter().with_clip_rect(line.intersect(ui.clip_rect()));
        if self.look.space.is_some() {
            // What is near is larger than what is far: no ruler is right.
            painter.text(line.left_center(), Align2::LEFT_CENTER, "in perspective", body(), DIM);
        } else {
            let (text, length) = caption.scale_bar(&painter, RULER);
            ruler(&painter, pos2(line.left() + 1.0, line.center().y), length);
            let after = line.left() + length + 8.0;
            painter.text(pos2(after, line.center().y), Align2::LEFT_CENTER, text, body(), INK);
        }
        if !self.panels {
            // Where no ruler and no number can reach, so that it stays where it is while one zooms.
            let title = line.with_min_x(line.left() + RULER + 60.0);
            written(ui, "scene and time", &caption.heading(), title);
        }
    }
}

/// A text in a place of its own, cut off where that ends.
fn written(ui: &mut Ui, name: &str, text: &str, line: Rect) {
    let response = ui.interact(line, ui.scope_id().with(name), Sense::hover());
    let painter = ui.painter().with_clip_rect(line.intersect(ui.clip_rect()));
    painter.text(line.left_center(), Align2::LEFT_CENTER, text, body(), DIM);
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, text));
}

/// A part of the legend; resting on it shows all of it, however little room the line has.
fn legend_line(ui: &mut Ui, name: &str, rows: &[Row], line: Rect) {
    let response = ui.interact(line, ui.scope_id().with(name), Sense::hover());
    let painter = ui.painter().with_clip_rect(line.intersect(ui.clip_rect()));
    let whole = legend::draw_along(rows, &painter, line);
    let words: Vec<String> = rows.iter().map(Row::words).collect();
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, words.join(", ")));
    if !whole {
        response.on_hover_ui(|ui| {
            let size = legend::size_down(rows, ui.painter());
            let (space, _) = ui.allocate_exact_size(size + vec2(2.0, 2.0), Sense::hover());
            legend::draw_down(rows, ui.painter(), space.min);
        });
    }
}
