//! How panels and letters look.

use egui::{Color32, Context};

/// Takes on the program's style.
pub(crate) fn apply(context: &Context) {
    context.set_theme(egui::Theme::Dark);
    context.all_styles_mut(|style| {
        style.visuals.override_text_color = Some(Color32::from_rgb(0xE1, 0xE4, 0xE8));
        style.visuals.panel_fill = Color32::from_rgb(0x21, 0x25, 0x2B);
        style.visuals.window_fill = Color32::from_rgb(0x21, 0x25, 0x2B);
        style.spacing.item_spacing = egui::vec2(6.0, 5.0);
        style.interaction.tooltip_delay = 0.35;
    });
}
