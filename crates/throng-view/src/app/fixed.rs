//! Things that keep their size whatever they say: labels, buttons whose word changes, panels. What one aims at stays where
//! it is.

use egui::{Align, Button, Layout, Response, ScrollArea, TextStyle, Ui, vec2};

/// How wide a text is.
fn width(ui: &Ui, text: &str, style: &TextStyle) -> f32 {
    let font = style.resolve(ui.style());
    ui.painter().layout_no_wrap(text.to_owned(), font, egui::Color32::WHITE).size().x
}

/// A number with its unit at the right end of a place that has room for the `widest`.
pub(super) fn label(ui: &mut Ui, text: &str, widest: &str, style: &TextStyle) -> Response {
    let size = vec2(width(ui, widest, style), ui.spacing().interact_size.y);
    let layout = Layout::right_to_left(Align::Center);
    let shown = egui::RichText::new(text).text_style(style.clone());
    ui.allocate_ui_with_layout(size, layout, |ui| {
        ui.set_min_size(size);
        ui.add(egui::Label::new(shown).truncate())
    })
    .inner
}

/// A button whose word changes, as wide as the widest of them.
pub(super) fn button(ui: &mut Ui, word: &str, words: &[&str]) -> Response {
    let widest = words.iter().map(|w| width(ui, w, &TextStyle::Button)).fold(0.0, f32::max);
    let size = vec2(widest.ceil() + 2.0 * ui.spacing().button_padding.x, ui.spacing().interact_size.y);
    ui.add_sized(size, Button::new(word))
}

/// What is in a panel that may only be scrolled: it never makes the panel wider.
pub(super) fn contents(ui: &mut Ui, add: impl FnOnce(&mut Ui)) {
    let width = ui.available_width();
    ScrollArea::both().auto_shrink(false).show(ui, |ui| {
        ui.set_max_width(width);
        add(ui);
    });
}
