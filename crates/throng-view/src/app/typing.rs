//! A number that is being typed counts, as it stands, for whoever saves or leaves without having pressed Enter.

use super::App;
use super::changes::Turn;
use egui::Context;

impl App {
    /// Something is to be done after all that was asked for before, and with the number that is being typed.
    pub(super) fn once_typed(&mut self, turn: Turn) {
        self.end_change();
        if self.typing {
            self.once_typed.push(turn);
        } else {
            self.changes.wait_for(turn);
        }
    }

    /// Before the panels of a frame: whoever types has done so, if something waits for that. Returns what.
    pub(super) fn end_typing(&mut self, context: &Context) -> Vec<Turn> {
        let turns = std::mem::take(&mut self.once_typed);
        self.ends_typing = !turns.is_empty();
        if !turns.is_empty() {
            context.memory_mut(|memory| {
                if let Some(id) = memory.focused() {
                    memory.surrender_focus(id);
                }
            });
        }
        turns
    }

    /// After the panels, which have taken in what was typed.
    pub(super) fn have_typed(&mut self, context: &Context, turns: Vec<Turn>) {
        turns.into_iter().for_each(|turn| self.changes.wait_for(turn));
        self.take_turns();
        self.typing = context.egui_wants_keyboard_input();
    }
}
