//! What would lose changes that are in no file asks first: closing the window, and beginning again without them.

use super::changes::Turn;
use super::{App, From};

/// What would lose changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Loses {
    /// The window closes.
    Closing,
    /// The scene is what it was when it was opened.
    Opened,
}

impl App {
    /// Somebody wants to close the window: at once if nothing is lost by that. What the run has not done yet is waited for; who does not want to
    /// wait and asks again is asked.
    pub fn leave(&mut self) {
        if self.changes.wait_no_more(Turn::Lose(Loses::Closing)) {
            self.asks = Some(Loses::Closing);
        } else {
            self.once_typed(Turn::Lose(Loses::Closing));
            self.take_turns();
        }
    }

    /// Begins again from something; asks first if that loses changes.
    pub fn ask_to_begin_again(&mut self, from: From) {
        self.end_change();
        self.changes.wait_for(match from {
            From::Opened => Turn::Lose(Loses::Opened),
            _ => Turn::Begin(from),
        });
        self.take_turns();
    }

    /// By now all changes are known: asks if that loses any.
    pub(super) fn lose(&mut self, what: Loses) {
        match what {
            _ if self.changes.is_unsaved() && (what == Loses::Closing || self.changes.state() != 0) => {
                self.asks = Some(what);
            }
            Loses::Closing => self.quit = true,
            Loses::Opened => self.begin_now(From::Opened),
        }
    }

    pub(super) fn ask_to_leave(&mut self, context: &egui::Context) {
        let Some(what) = self.asks else { return };
        let modal = egui::Modal::new(egui::Id::unique("unsaved")).show(context, |ui| {
            ui.set_max_width(420.0);
            ui.heading("Changes are not saved");
            let (text, go, save) = match what {
                Loses::Closing => {
                    ("The scene was changed since it was opened or saved.", "Close without saving", "Save and close")
                }
                Loses::Opened => {
                    ("All changes of the scene since it was opened would be gone.", "Reset all the same", "Save first")
                }
            };
            ui.label(text);
            ui.horizontal(|ui| {
                let saves = ui.button(save).on_hover_text(format!("To {}", self.save_as)).clicked();
                let goes = ui.button(go).clicked();
                let stays = ui.button("Cancel").on_hover_text("Esc").clicked();
                (saves, goes, stays)
            })
            .inner
        });
        let (saves, goes, stays) = modal.inner;
        if saves || goes || stays || modal.should_close() {
            self.asks = None;
        }
        match what {
            Loses::Closing if goes => self.quit = true,
            Loses::Opened if goes => self.begin_again(From::Opened),
            _ if saves => {
                self.leaves = what == Loses::Closing;
                self.save();
            }
            _ => {}
        }
    }
}
