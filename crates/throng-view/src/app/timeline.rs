//! The line of time: what has passed, events to come, moments that one can go to.

use super::{App, moments};
use crate::overlay::clock;
use egui::{Color32, DragValue, Key, Rect, Role, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};

const PASSED: Color32 = Color32::from_rgb(0x2F, 0x6E, 0x92);
const KEPT: Color32 = Color32::from_rgb(0x9A, 0xA4, 0xAE);
const EVENT: Color32 = Color32::from_rgb(0xE6, 0xA0, 0x3C);
/// Narrower than this a line of time is of no use.
const LEAST: f32 = 60.0;

impl App {
    /// Goes to a moment, s: on to it as fast as possible, or back through what was kept.
    pub fn go_to(&mut self, time: f64) {
        let now = self.time();
        if time < now {
            // What goes on now is a change of now.
            self.end_change();
            self.running = false;
            self.host.go_back(time);
        } else {
            self.run_on_to(time);
        }
    }

    pub(super) fn run_on_to(&mut self, time: f64) {
        (self.run_to, self.hurry, self.running) = (Some(time), true, true);
    }

    /// Until when the line goes, s.
    fn horizon(&self) -> f64 {
        let last = self.scene.events.iter().map(|e| f64::from(e.at)).fold(0.0, f64::max);
        let most = self.time().max(last).max(self.furthest).max(10.0);
        // Round steps, so that the line does not stretch with every frame.
        let step = 10f64.powf(most.log10().floor());
        (most * 1.05 / step).ceil() * step
    }

    pub(super) fn timeline(&mut self, ui: &mut Ui) {
        let label = ui.label("go to");
        let mut asked = self.asked;
        let number = DragValue::new(&mut asked).range(0.0..=1e6).speed(0.2).suffix(" s").max_decimals(2);
        let number = number.update_while_editing(false);
        let response = ui.add_sized(vec2(70.0, ui.spacing().interact_size.y), number).labelled_by(label.id);
        let response = response.on_hover_text("A moment, in simulated seconds: it runs there, or goes back");
        self.asked = asked;
        // The same number once more is asked for with Enter.
        let entered = response.lost_focus() && ui.input(|i| i.key_pressed(Key::Enter));
        // A moment that is only being typed is not gone to by saving or leaving: it is no part of the scene.
        let typed = response.changed() && !response.dragged() && !self.ends_typing;
        if typed || response.drag_stopped() || entered {
            self.go_to(asked);
        }
        let size = vec2(ui.available_width(), ui.spacing().interact_size.y);
        if size.x < LEAST {
            return;
        }
        let (space, response) = ui.allocate_exact_size(size, Sense::click());
        let horizon = self.horizon();
        let at = |time: f64| space.left() + space.width() * (time / horizon) as f32;
        let bar =
            Rect::from_min_max(pos2(space.left(), space.center().y - 3.0), pos2(space.right(), space.center().y + 3.0));
        ui.painter().rect_filled(bar, 2.0, Color32::from_rgb(0x0F, 0x11, 0x14));
        ui.painter().rect_filled(bar.with_max_x(at(self.time())), 2.0, PASSED);
        let tick = |time: f64, half: f32, colour: Color32| {
            let x = at(time);
            ui.painter().line_segment(
                [pos2(x, space.center().y - half), pos2(x, space.center().y + half)],
                Stroke::new(1.5, colour),
            );
        };
        self.shot.iter().flat_map(|s| &s.kept).for_each(|&time| tick(time, 3.0, KEPT));
        self.scene.events.iter().for_each(|e| tick(f64::from(e.at), 8.0, EVENT));
        tick(self.time(), 8.0, Color32::WHITE);
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, "line of time"));
        let Some(pointer) = response.hover_pos() else { return };
        let time = horizon * f64::from(((pointer.x - space.left()) / space.width()).clamp(0.0, 1.0));
        if response.clicked() {
            self.go_to(time);
        }
        let near = self.scene.events.iter().filter(|e| (at(f64::from(e.at)) - pointer.x).abs() < 4.0);
        let near: Vec<String> =
            near.map(|e| format!("{}  {}", clock(f64::from(e.at)), moments::words(&self.scene, e))).collect();
        let text = if near.is_empty() { format!("go to {}", clock(time)) } else { near.join("\n") };
        response.on_hover_text(text);
    }
}
