//! Beginning again, and what the program takes note of once the run has done it.

use super::changes::Turn;
use super::charts::History;
use super::drop::with_start_times;
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

/// A run that has begun again.
#[derive(Clone, Debug, PartialEq)]
pub struct BegunAgain {
    /// From this scene.
    pub scene: Box<Scene>,
    /// What that is; `None` if beginning again was taken back, or made again.
    pub from: Option<From>,
    /// What the scene was before, with all changes.
    pub before: Box<Scene>,
    /// Whether walls and groups have the numbers that they had.
    pub same_numbers: bool,
}

impl App {
    /// Begins the run again with the same seed, once it has done what was asked for before: who is dropped just now is there again, too.
    pub fn begin_again(&mut self, from: From) {
        self.end_change();
        self.changes.wait_for(Turn::Begin(from));
        self.take_turns();
    }

    pub(super) fn begin_now(&mut self, from: From) {
        let (make, dropped) = (Arc::clone(&self.make), self.dropped.clone());
        let (origin, begun) = (Arc::clone(&self.origin), Arc::clone(&self.begun));
        self.host.tell(Box::new(move |sim| {
            let before = Box::new(with_start_times(sim.edited_scene(), &dropped));
            let scene = Box::new(match from {
                From::Changes => Scene::clone(&before),
                From::FirstModel => {
                    let mut scene = Scene::clone(&before);
                    scene.model = origin.model;
                    scene
                }
                From::Opened => Scene::clone(&origin),
            });
            let same_numbers = dropped.is_empty() && scene.map.walls.len() == sim.scene().map.walls.len();
            let make = make.lock().map_err(|_| "the run cannot be made again".to_owned())?;
            replace(sim, &make, &begun, &scene).map_err(|why| format!("cannot begin again: {why}"))?;
            let said = format!("begun again {}", from.words());
            let begun = BegunAgain { scene, from: Some(from), before, same_numbers };
            Ok(Done { happened: Some(Happened::BegunAgain(begun)), ..Done::saying(said) })
        }));
    }

    /// Takes it back that the run has begun again from another scene, or does it again: it begins again from that scene. Returns the task that
    /// does.
    pub(super) fn begin_as_before(&mut self, scene: Scene) -> u64 {
        let (make, begun) = (Arc::clone(&self.make), Arc::clone(&self.begun));
        self.host.tell(Box::new(move |sim| {
            let make = make.lock().map_err(|_| "the run cannot be made again".to_owned())?;
            replace(sim, &make, &begun, &scene).map_err(|why| format!("cannot begin again: {why}"))?;
            let (scene, before) = (Box::new(scene), Box::new(Scene::clone(&begun)));
            let begun = BegunAgain { scene, from: None, before, same_numbers: false };
            let happened = Some(Happened::BegunAgain(begun));
            Ok(Done { happened, ..Done::saying("begun again from what the scene was before") })
        }))
    }

    /// Takes note of what a task of the run has done.
    pub(super) fn happened(&mut self, task: u64, what: Happened) {
        match what {
            Happened::Dropped { group, dropped } => {
                self.scene.groups.push(*group);
                self.changes.have_dropped(task, dropped);
            }
            Happened::WentBack { scene, to, between, displaced } => {
                // It was said when it happened.
                self.displaced = displaced;
                let changed = self.changes_go_back(between);
                self.take_scene(task, *scene);
                (self.ended, self.past_end, self.reset) = (false, false, true);
                self.rates.clear();
                self.obstacle_again();
                let there = format!("gone back to {}", crate::overlay::clock(to));
                let taken_back = match changed.taken_back {
                    0 => None,
                    1 => Some("a change that came later is taken back (Ctrl+Y makes it again)".to_owned()),
                    n => Some(format!(
                        "{n} changes that came later are taken back (Ctrl+Y makes them again, one by one)"
                    )),
                };
                let there_again = match changed.there_again {
                    0 => None,
                    1 => Some("a change is there again that was taken back later".to_owned()),
                    n => Some(format!("{n} changes are there again that were taken back later")),
                };
                let changed: Vec<String> = [taken_back, there_again].into_iter().flatten().collect();
                if changed.is_empty() {
                    self.note(there);
                } else {
                    self.announce(format!("{there}: {}", changed.join("; ")));
                }
                self.run_on_to(to);
            }
            Happened::Changed { undo, since } => self.remember_of(since.unwrap_or(task), *undo),
            Happened::ShutIn { count, compare } => self.have_shut_in(count, compare),
            Happened::Saved(saved) => self.has_saved(saved),
            Happened::BegunAgain(begun) => self.has_begun_again(task, begun),
            Happened::TakenBack => {
                self.scene.groups.pop();
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
                    self.remember_of(task, Undo::Group(number, back));
                }
            }
        }
        self.dropped = self.changes.dropped();
    }

    /// The run has another scene by a task. A model that was asked for after that will be in force.
    fn take_scene(&mut self, task: u64, scene: Scene) {
        let wanted = self.scene.model;
        self.scene = scene;
        if self.model_task > task {
            self.scene.model = wanted;
        }
        self.keep_hazard_if_there(task);
        self.brush.group = self.brush.group.min(self.scene.groups.len().saturating_sub(1));
    }

    fn has_begun_again(&mut self, task: u64, begun: BegunAgain) {
        let BegunAgain { scene, from, before, same_numbers } = begun;
        let model = scene.model;
        self.begun = Arc::new(Scene::clone(&scene));
        self.take_scene(task, *scene);
        self.obstacle_again();
        (self.run_to, self.hurry, self.furthest) = (None, false, 0.0);
        self.noted = 0.0;
        self.displaced = 0;
        (self.ended, self.past_end) = (false, false);
        self.messages.clear();
        match from {
            None => self.changes.begin_as_before(task),
            // That loses changes, and can be taken back as they could.
            Some(From::Opened) if self.changes.state() != 0 => self.changes.begin_from(task, Undo::Begin(before)),
            Some(from) => {
                // Where numbers of walls and groups are others now, what was remembered is of no use.
                let could_undo = self.can_undo() || self.can_redo();
                self.changes.begin_again(task, from == From::Opened, same_numbers);
                if could_undo && !same_numbers {
                    self.note(
                        "what was changed before cannot be taken back any more: groups that were dropped and walls that were drawn are the scene's own \
                         now",
                    );
                }
                if model != before.model {
                    self.remember_of(task, Undo::Model(Box::new(before.model)));
                }
            }
        }
        self.history = History::default();
        self.rates.clear();
        self.reset = true;
    }
}
