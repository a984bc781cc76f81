//! Keys.

use super::App;
use super::changes::Turn;
use crate::look::FADED;
use crate::look::{Colouring, Overlay};
use egui::{Context, Key, Modifiers};

/// For the help window.
pub(super) const HELP: &[(&str, &str)] = &[
    ("Space", "run or pause"),
    (". or S", "a single step (or round of the solver)"),
    ("R", "begin again with the same seed"),
    ("+ and −", "faster, slower"),
    ("1 to 9", "discomfort, density, velocity, speed, cost, potential, gradient, hazard, height; again or 0: none"),
    ("O, N", "occupancy, refusals (no place) of cells that hold only so many"),
    ("D, G", "next direction, next goal"),
    ("C", "next meaning of the agents' colours"),
    ("A, X", "arrows; smooth or exact cells"),
    ("T", "the solver's tiles"),
    ("F", "show all of the world"),
    ("L", "follow the chosen agent"),
    ("V", "three dimensions, or from above"),
    ("W A S D, Q E", "in three dimensions: fly ahead, left, back, right, down and up"),
    ("F in 3D", "go behind the chosen agent; again: all of the world"),
    ("B K M J", "in three dimensions: culling, shadows, edges, tint"),
    ("Esc", "cancel what is being done; else close this list; else choose nobody, put the tool away"),
    ("Shift", "with a brush: erase; with lines, rectangles and the tape: no snapping"),
    ("Ctrl+Z", "undo the last change, whatever it was"),
    ("Ctrl+Y, Ctrl+Shift+Z", "make it again"),
    ("Ctrl+S", "save the changed scene"),
    ("H", "hide or show the panels"),
    ("F1", "this list"),
    ("left button", "choose an agent, or use the tool"),
    ("right button", "pan"),
    ("wheel", "zoom to the pointer"),
];

/// The keys of [`Overlay::ALL`]: digits, as far as there are any.
const OVERLAYS: [Key; 11] =
    [Key::Num1, Key::Num2, Key::Num3, Key::Num4, Key::Num5, Key::Num6, Key::Num7, Key::Num8, Key::Num9, Key::O, Key::N];

impl App {
    pub(super) fn keys(&mut self, context: &Context) {
        if context.input_mut(|i| i.consume_key(Modifiers::COMMAND, Key::S)) {
            self.once_typed(Turn::Save);
        }
        // A question waits for its answer; and texts have an undo of their own.
        if self.overwrite.is_some() || self.asks.is_some() || context.text_edit_focused() {
            return;
        }
        // Each press counts, however many there are between two frames.
        let again = |i: &mut egui::InputState| {
            i.count_and_consume_key(Modifiers::COMMAND, Key::Y)
                + i.count_and_consume_key(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z)
        };
        for _ in 0..context.input_mut(again) {
            self.redo_last();
        }
        for _ in 0..context.input_mut(|i| i.count_and_consume_key(Modifiers::COMMAND, Key::Z)) {
            self.undo_last();
        }
        if context.egui_wants_keyboard_input() {
            return;
        }
        self.space_keys(context);
        let pressed = |key: Key| context.input_mut(|i| i.consume_key(Modifiers::NONE, key));
        if pressed(Key::Space) {
            self.running = !self.running;
        }
        if pressed(Key::Period) || pressed(Key::S) {
            self.single();
        }
        if pressed(Key::R) {
            self.begin_again(super::From::Changes);
        }
        if pressed(Key::F) {
            self.fit = true;
            self.follow = false;
        }
        if pressed(Key::L) && self.chosen.is_some() {
            self.follow = !self.follow;
        }
        if pressed(Key::C) {
            let place = Colouring::ALL.iter().position(|c| *c == self.look.colouring).unwrap_or(0);
            self.look.colouring = Colouring::ALL[(place + 1) % Colouring::ALL.len()];
            self.look.colouring_limits = None;
        }
        if pressed(Key::A) {
            self.look.arrows = !self.look.arrows;
        }
        if pressed(Key::X) {
            self.look.smooth = !self.look.smooth;
        }
        if pressed(Key::D) {
            self.next_direction();
        }
        if pressed(Key::G) && !self.scene.goals.is_empty() {
            self.look.goal = (self.look.goal + 1) % self.scene.goals.len();
        }
        if pressed(Key::T) {
            self.look.tiles = if self.look.tiles > 0.0 { 0.0 } else { 0.6 };
        }
        if pressed(Key::H) {
            self.panels = !self.panels;
        }
        if pressed(Key::F1) {
            self.toggle_help();
        }
        // Two within a slow frame are two.
        for _ in 0..context.input_mut(|i| i.count_and_consume_key(Modifiers::NONE, Key::Escape)) {
            // What is open over the panels goes first, and nothing behind it.
            if egui::Popup::is_any_open(context) {
                egui::Popup::close_all(context);
            } else {
                self.escape();
            }
        }
        if pressed(Key::Plus) || pressed(Key::Equals) {
            self.faster(2.0);
        }
        if pressed(Key::Minus) {
            self.faster(0.5);
        }
        for (key, overlay) in OVERLAYS.into_iter().zip(Overlay::ALL) {
            if pressed(key) {
                self.show_overlay(if self.look.overlay == Some(overlay) { None } else { Some(overlay) });
            }
        }
        if pressed(Key::Num0) {
            self.show_overlay(None);
        }
    }

    /// Ends one thing: what is being done, or else what is open, or else what is chosen.
    fn escape(&mut self) {
        let done = self.cancel() || self.notice.take().is_some() || self.picking.take().is_some();
        if done || self.drawing.tape.take().is_some() {
            return;
        }
        if self.help {
            self.toggle_help();
            return;
        }
        if let Some(left) = self.obstacle.now() {
            self.take_obstacle_away(Some(left));
        }
        self.choose_nobody();
        self.tool = super::Tool::Select;
    }

    /// Shows another field, with the ends of its scale by its values.
    pub fn show_overlay(&mut self, overlay: Option<Overlay>) {
        let needs_goal = overlay.is_some_and(Overlay::has_goal);
        if needs_goal && self.scene.goals.is_empty() {
            self.complain("this scene has no goal, so no potential and no gradient");
            return;
        }
        match (self.look.overlay, overlay) {
            (None, Some(_)) => {
                self.unfaded = Some(self.look.agents);
                self.look.agents = self.look.agents.min(FADED);
            }
            (Some(_), None) => self.look.agents = self.unfaded.take().unwrap_or(self.look.agents),
            _ => {}
        }
        self.look.overlay = overlay;
        self.look.limits = None;
        self.readout.extent = None;
        self.readout.probe = None;
    }

    pub(super) fn next_direction(&mut self) {
        use throng::engine::Direction::{East, North, South, West};
        self.look.direction = match self.look.direction {
            North => East,
            East => South,
            South => West,
            West => North,
        };
    }

    pub(super) fn faster(&mut self, factor: f32) {
        self.unbounded = false;
        self.speed = (self.speed * factor).clamp(0.1, 100.0);
    }
}
