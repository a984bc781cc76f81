//! The left button on the map, event by event: on a slow machine a whole stroke may come with one frame.

use super::App;
use crate::overlay::to_metres;
use egui::{Event, PointerButton, Ui};
use glam::Vec2;

/// What the left button does, and where, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Touch {
    Press(Vec2),
    /// The pointer goes on, whether or not the button is down.
    Move(Vec2),
    Release,
}

impl App {
    /// What has happened since the last frame, in order. Only presses on the map count; what began there goes on beyond it.
    pub(super) fn touches(&self, ui: &Ui) -> Vec<Touch> {
        let (view, ppp) = (self.view, ui.ctx().pixels_per_point());
        let place = |pos| to_metres(self.camera, pos, view, ppp);
        let touch = |event: Event| match event {
            Event::PointerButton { pos, button: PointerButton::Primary, pressed: true, .. } => {
                let on_map = ui.ctx().layer_id_at(pos).is_none_or(|layer| layer == ui.layer_id());
                (view.contains(pos) && on_map).then(|| Touch::Press(place(pos)))
            }
            Event::PointerMoved(pos) => Some(Touch::Move(place(pos))),
            Event::PointerButton { button: PointerButton::Primary, pressed: false, .. } | Event::PointerGone => {
                Some(Touch::Release)
            }
            _ => None,
        };
        ui.input(|i| i.events.clone()).into_iter().filter_map(touch).collect()
    }
}
