//! Beginning again, and what the program takes note of once the run has done it.

use super::charts::History;
use super::drop::with_start_times;
use super::undo::Turn;
use super::{App, Undo};
use crate::host::{Done, Happened, Maker};
use crate::past::take_on;
use std::sync::Arc;
use throng::engine::CrowdChange;
use throng::{Scene, Simulation};

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

/// Puts a run of another scene in the place of one. Where there is not memory for both the old one goes first; if there is none for the new one
/// either, the old one is made again, from what it had begun with, and is what it was.
fn replace(sim: &mut Simulation, make: &Maker, begun: &Scene, scene: &Scene) -> Result<(), String> {
    if scene.has_memory() {
        *sim = make(scene).map_err(|why| why.to_string())?;
        return Ok(());
    }
    let (kept, groups) = (sim.save().map_err(|why| why.to_string())?, sim.scene().groups.clone());
    let nobody = Scene::built_in("empty").ok_or("there is no memory for two runs")?;
    *sim = Simulation::with_threads(&nobody, 1).map_err(|why| why.to_string())?;
    match make(scene) {
        Ok(made) => {
            *sim = made;
            Ok(())
        }
        Err(why) => {
            let mut old = make(begun).map_err(|again| format!("{why}; and the run is lost: {again}"))?;
            let is_back = take_on(&mut old, &groups, &kept);
            *sim = old;
            is_back.map_err(|again| format!("{why}; and the run is at its beginning: {again}"))?;
            Err(why.to_string())
        }
    }
}

impl App {
    /// Begins the run again with the same seed, once it has done what was asked for before: who is dropped just now is there again, too.
    pub fn begin_again(&mut self, from: From) {
        self.changes.wait_for(Turn::Begin(from));
        self.take_turns();
    }

    pub(super) fn begin_now(&mut self, from: From) {
        let (make, dropped) = (Arc::clone(&self.make), self.dropped.clone());
        let (origin, begun) = (Arc::clone(&self.origin), Arc::clone(&self.begun));
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
            replace(sim, &make, &begun, &scene).map_err(|why| format!("cannot begin again: {why}"))?;
            let said = format!("begun again {}", from.words());
            Ok(Done { happened: Some(Happened::BegunAgain(Box::new(scene), from)), ..Done::saying(said) })
        }));
    }

    pub(super) fn happened(&mut self, what: Happened) {
        match what {
            Happened::Dropped { group, dropped, again } => {
                self.scene.groups.push(*group);
                self.dropped.push(dropped);
                if again {
                    self.have_dropped_again();
                } else {
                    self.remember(Undo::Drop);
                }
            }
            Happened::WentBack { scene, to, kept } => {
                let taken_back = self.changes_go_back(kept);
                self.scene = *scene;
                let groups = &self.scene.groups;
                self.dropped.retain(|d| groups.iter().any(|g| g.name == d.name));
                self.brush.group = self.brush.group.min(groups.len().saturating_sub(1));
                (self.ended, self.past_end, self.reset) = (false, false, true);
                self.rates.clear();
                self.obstacle_again();
                let there = format!("gone back to {}", crate::overlay::clock(to));
                match taken_back {
                    0 => self.note(there),
                    1 => self
                        .announce(format!("{there}: a change that came later is taken back (Ctrl+Y makes it again)")),
                    n => self.announce(format!(
                        "{there}: {n} changes that came later are taken back (Ctrl+Y makes them again, one by one)"
                    )),
                }
                self.run_on_to(to);
            }
            Happened::FloorChanged(change) => self.remember(Undo::Floor(change)),
            Happened::ShutIn { count, compare } => self.have_shut_in(count, compare),
            Happened::Saved(saved) => self.has_saved(saved),
            Happened::BegunAgain(scene, from) => self.has_begun_again(*scene, from),
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
        }
    }

    fn has_begun_again(&mut self, scene: Scene, from: From) {
        self.scene = scene;
        self.begun = Arc::new(self.scene.clone());
        self.dropped.clear();
        self.obstacle_again();
        (self.run_to, self.hurry, self.furthest) = (None, false, 0.0);
        (self.ended, self.past_end) = (false, false);
        self.messages.clear();
        if from == From::FirstModel && self.scene.model != self.logged_model {
            // A change of its own, that no file has yet.
            self.remember(Undo::Model(Box::new(self.logged_model)));
        }
        // Numbers of walls and groups are others now.
        self.changes.begin_again(from == From::Opened);
        self.history = History::default();
        self.rates.clear();
        self.reset = true;
    }
}
