//! Beginning again, and what the program takes note of once the run has done it.

use super::charts::History;
use super::drop::with_start_times;
use super::{App, Undo};
use crate::host::{Done, Happened};
use std::sync::Arc;
use throng::Scene;
use throng::engine::CrowdChange;

/// What a run begins again from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum From {
    /// The scene with all changes.
    Changes,
    /// The same, with the model as it was opened.
    FirstModel,
    /// The scene as it was opened.
    Opened,
}

impl From {
    /// All of them, as the menu has them.
    pub const ALL: [Self; 3] = [Self::Changes, Self::FirstModel, Self::Opened];

    /// After "begin again".
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Changes => "with all changes",
            Self::FirstModel => "with changes, but the model as it was opened",
            Self::Opened => "as it was opened, without any change",
        }
    }
}

impl App {
    /// Begins the run again with the same seed.
    pub fn begin_again(&mut self, from: From) {
        let (make, dropped) = (Arc::clone(&self.make), self.dropped.clone());
        let origin = Arc::clone(&self.origin);
        self.host.tell(Box::new(move |sim| {
            let scene = match from {
                From::Changes => with_start_times(sim.edited_scene(), &dropped),
                From::FirstModel => {
                    let mut scene = with_start_times(sim.edited_scene(), &dropped);
                    scene.model = origin.model;
                    scene
                }
                From::Opened => Scene::clone(&origin),
            };
            let make = make.lock().map_err(|_| "the run cannot be made again".to_owned())?;
            *sim = make(&scene).map_err(|why| format!("cannot begin again: {why}"))?;
            let said = format!("begun again {}", from.words());
            Ok(Done { happened: Some(Happened::BegunAgain(Box::new(scene))), ..Done::saying(said) })
        }));
    }

    pub(super) fn happened(&mut self, what: Happened) {
        match what {
            Happened::Dropped { group, dropped, again } => {
                self.scene.groups.push(*group);
                self.dropped.push(dropped);
                if again {
                    self.undo.push(Undo::Drop);
                } else {
                    self.remember(Undo::Drop);
                }
            }
            Happened::WentBack(scene, to) => {
                self.scene = *scene;
                let groups = &self.scene.groups;
                self.dropped.retain(|d| groups.iter().any(|g| g.name == d.name));
                self.brush.group = self.brush.group.min(groups.len().saturating_sub(1));
                self.undo.clear();
                self.redo.clear();
                (self.ended, self.past_end, self.reset) = (false, false, true);
                self.rates.clear();
                self.obstacle_again();
                self.note(format!("gone back to {}", crate::overlay::clock(to)));
                self.run_on_to(to);
            }
            Happened::FloorChanged(change) => self.remember(Undo::Floor(change)),
            Happened::ShutIn { count, compare } => self.have_shut_in(count, compare),
            Happened::Saved(toml) => self.has_saved(toml),
            Happened::TakenBack => {
                let gone = self.scene.groups.pop();
                self.dropped.retain(|d| gone.as_ref().is_none_or(|g| g.name != d.name));
                self.brush.group = self.brush.group.min(self.scene.groups.len().saturating_sub(1));
            }
            Happened::GroupChanged(change, back) => {
                let (CrowdChange::Speed(number, _) | CrowdChange::Arrive(number, _)) = change else { return };
                let Some(group) = self.scene.groups.get_mut(number) else { return };
                match change {
                    CrowdChange::Speed(_, speed) => group.speed = speed,
                    CrowdChange::Arrive(_, arrive) => group.arrive = arrive,
                    _ => {}
                }
                if let Some(back) = back {
                    self.remember(Undo::Group(number, back));
                }
            }
            Happened::BegunAgain(scene) => {
                self.scene = *scene;
                self.dropped.clear();
                self.obstacle_again();
                (self.run_to, self.hurry, self.furthest) = (None, false, 0.0);
                (self.ended, self.past_end) = (false, false);
                self.messages.clear();
                // Numbers of walls and groups are others now.
                self.undo.clear();
                self.redo.clear();
                self.history = History::default();
                self.rates.clear();
                self.reset = true;
            }
        }
    }
}
