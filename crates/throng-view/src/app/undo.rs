//! Taking changes back, and making them again.

use super::leave::Loses;
use super::{App, FloorChange, From};
use crate::host::{Done, Happened};
use std::collections::{BTreeMap, VecDeque};
use throng::engine::CrowdChange;
use throng::geometry::Shape;
use throng::scene::{Group, Hazard, Model};
use throng::world::obstacle::Obstacle;

/// How to take a change back, or to make it again.
#[derive(Clone, Debug)]
pub enum Undo {
    /// The floor is to be what it was before this change.
    Floor(Box<FloorChange>),
    /// A goal is to have these shapes.
    Goal(usize, Vec<Shape>),
    /// Who was dropped last is to go.
    Drop,
    /// These are to be dropped again.
    DropAgain(Box<Group>),
    /// The model is to be this.
    Model(Box<Model>),
    /// A group is to be changed so.
    Group(usize, CrowdChange),
    /// A hazard is to be this, or not there.
    Hazard(String, Option<Box<Hazard>>),
    /// The soft obstacle is to be this.
    Obstacle(Option<Obstacle>),
}

/// A change that was made.
#[derive(Clone, Debug)]
pub(super) struct Made {
    /// How to take it back, or to make it again.
    pub(super) how: Undo,
    /// Its number: no other change has it.
    pub(super) number: u64,
    /// When it was made, s of the run.
    pub(super) at: f64,
}

/// What was asked for and waits until the run has answered all that was asked before: only then it is known what there is to take back, to
/// save, or to lose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    Back,
    Again,
    Save,
    Begin(From),
    Lose(Loses),
}

/// What was done, and what can be done again.
#[derive(Debug, Default)]
pub(super) struct Changes {
    done: Vec<Made>,
    undone: Vec<Made>,
    turns: VecDeque<Turn>,
    /// Who is being dropped again.
    again: Option<Made>,
    last_number: u64,
    /// The number of what the scene was when the lists were emptied last, and of what was saved last; 0 is the scene as it was opened.
    base: u64,
    saved: u64,
    /// A file was replaced that was there before: the scene as it was opened may be in none any more.
    replaced: bool,
}

impl Changes {
    /// The number of what the scene is now, as a file would have it: none has the obstacle.
    pub(super) fn state(&self) -> u64 {
        let is_of_scene = |made: &&Made| !matches!(made.how, Undo::Obstacle(_));
        self.done.iter().rfind(is_of_scene).map_or(self.base, |made| made.number)
    }

    /// Whether there is anything that is in no file.
    pub(super) fn is_unsaved(&self) -> bool {
        let state = self.state();
        state != self.saved && (state != 0 || self.replaced)
    }

    /// The last change goes on: what it has made is another state than before.
    pub(super) fn goes_on(&mut self) {
        self.last_number += 1;
        if let Some(made) = self.done.last_mut() {
            made.number = self.last_number;
        }
    }

    pub(super) fn last(&self) -> Option<&Undo> {
        self.done.last().map(|made| &made.how)
    }

    /// Something is to be done after all that was asked for before.
    pub(super) fn wait_for(&mut self, turn: Turn) {
        self.turns.push_back(turn);
    }

    /// It is not to be done any more. Returns whether it was waited for.
    pub(super) fn wait_no_more(&mut self, turn: Turn) -> bool {
        let before = self.turns.len();
        self.turns.retain(|t| *t != turn);
        self.turns.len() < before
    }

    /// What the scene was at that state is in a file, perhaps instead of another one.
    pub(super) fn have_saved(&mut self, state: u64, replaced: bool) {
        self.saved = state;
        self.replaced |= replaced;
    }

    /// Nothing can be taken back any more: the run has begun again, as the scene is or as it was opened.
    pub(super) fn begin_again(&mut self, opened: bool) {
        let base = if opened { 0 } else { self.state() };
        let turns = std::mem::take(&mut self.turns);
        let (last_number, saved, replaced) = (self.last_number, self.saved, self.replaced);
        *self = Self { turns, base, last_number, saved, replaced, ..Self::default() };
    }

    /// The run is what it was at a time: changes that were made after it are no more, and can be made again. Returns how many they are. `now`
    /// is how things were before.
    fn go_back(&mut self, time: f64, mut now: Now) -> usize {
        self.turns.retain(|turn| !matches!(turn, Turn::Back | Turn::Again));
        // The obstacle is not the run's: it stays.
        let is_later = |made: &Made| made.at > time && !matches!(made.how, Undo::Obstacle(_));
        let (later, done): (Vec<_>, Vec<_>) = std::mem::take(&mut self.done).into_iter().partition(is_later);
        self.done = done;
        let count = later.len();
        for made in later.into_iter().rev() {
            if let Some(how) = now.inverse(&made.how) {
                now.take_back(&made.how);
                self.undone.push(Made { how, ..made });
            }
        }
        count
    }
}

/// How things are that changes take back.
struct Now {
    goals: Vec<Vec<Shape>>,
    groups: Vec<Group>,
    model: Model,
    hazards: BTreeMap<String, Box<Hazard>>,
    obstacle: Option<Obstacle>,
}

impl Now {
    fn of(app: &App) -> Self {
        let shown = app.shot.as_ref().map_or(&[][..], |shot| &shot.hazards);
        Self {
            goals: app.ground.as_ref().map(|ground| ground.goals.clone()).unwrap_or_default(),
            groups: app.scene.groups.clone(),
            model: app.scene.model,
            hazards: shown.iter().map(|h| (h.hazard.name.clone(), Box::new(h.hazard.clone()))).collect(),
            obstacle: app.obstacle.now(),
        }
    }

    /// What brings things back to this, once something else was done.
    fn inverse(&self, of: &Undo) -> Option<Undo> {
        Some(match of {
            Undo::Floor(change) => Undo::Floor(Box::new(change.inverse())),
            Undo::Obstacle(_) => Undo::Obstacle(self.obstacle),
            Undo::Goal(goal, _) => Undo::Goal(*goal, self.goals.get(*goal)?.clone()),
            Undo::Drop => Undo::DropAgain(Box::new(self.groups.last()?.clone())),
            Undo::DropAgain(_) => Undo::Drop,
            Undo::Model(_) => Undo::Model(Box::new(self.model)),
            Undo::Group(number, CrowdChange::Speed(..)) => {
                Undo::Group(*number, CrowdChange::Speed(*number, self.groups.get(*number)?.speed))
            }
            Undo::Group(number, _) => {
                Undo::Group(*number, CrowdChange::Arrive(*number, self.groups.get(*number)?.arrive))
            }
            Undo::Hazard(name, _) => Undo::Hazard(name.clone(), self.hazards.get(name).cloned()),
        })
    }

    /// As it is once that is done.
    fn take_back(&mut self, how: &Undo) {
        match how {
            Undo::Floor(_) | Undo::DropAgain(_) => {}
            Undo::Obstacle(to) => self.obstacle = *to,
            Undo::Goal(goal, shapes) => {
                if let Some(goal) = self.goals.get_mut(*goal) {
                    goal.clone_from(shapes);
                }
            }
            Undo::Drop => drop(self.groups.pop()),
            Undo::Model(model) => self.model = **model,
            Undo::Group(number, change) => {
                let Some(group) = self.groups.get_mut(*number) else { return };
                match change {
                    CrowdChange::Speed(_, speed) => group.speed = *speed,
                    CrowdChange::Arrive(_, arrive) => group.arrive = *arrive,
                    _ => {}
                }
            }
            Undo::Hazard(name, before) => match before {
                Some(hazard) => drop(self.hazards.insert(name.clone(), hazard.clone())),
                None => drop(self.hazards.remove(name)),
            },
        }
    }
}

impl App {
    pub(super) fn can_undo(&self) -> bool {
        !self.changes.done.is_empty()
    }

    pub(super) fn can_redo(&self) -> bool {
        !self.changes.undone.is_empty()
    }

    /// A change was made that can be taken back; what was taken back before is not made again after it.
    pub(super) fn remember(&mut self, how: Undo) {
        self.changes.last_number += 1;
        let made = Made { how, number: self.changes.last_number, at: self.time() };
        self.changes.done.push(made);
        self.changes.undone.clear();
    }

    /// The run is what it was at a time. Returns how many changes that takes back.
    pub(super) fn changes_go_back(&mut self, time: f64) -> usize {
        let now = Now::of(self);
        self.changes.go_back(time, now)
    }

    /// Those who were to be dropped again are there.
    pub(super) fn have_dropped_again(&mut self) {
        if let Some(made) = self.changes.again.take() {
            self.changes.done.push(Made { how: Undo::Drop, ..made });
        }
    }

    /// What is being done has never been. Returns whether anything was.
    pub fn cancel(&mut self) -> bool {
        let draft = self.drawing.draft.take().is_some();
        let goal = self.brush.carried.take().is_some();
        let more = [self.cancel_stroke(), self.cancel_hazard(), self.cancel_obstacle()];
        draft || goal || more.contains(&true)
    }

    /// Takes the last change back.
    pub fn undo_last(&mut self) {
        // What is being done is the last change.
        if !self.cancel() {
            self.changes.turns.push_back(Turn::Back);
            self.take_turns();
        }
    }

    /// Makes the change again that was taken back last.
    pub fn redo_last(&mut self) {
        self.changes.turns.push_back(Turn::Again);
        self.take_turns();
    }

    /// Takes back and makes again what was asked for, one after the other, each once all before it is done.
    pub(super) fn take_turns(&mut self) {
        while let Some(turn) = self.changes.turns.front().copied()
            && self.is_ready_for(turn)
        {
            self.changes.turns.pop_front();
            match turn {
                Turn::Back => self.take_back(),
                Turn::Again => self.make_again(),
                Turn::Save => self.save_as_it_is(),
                Turn::Begin(from) => self.begin_now(from),
                Turn::Lose(what) => self.lose(what),
            }
        }
    }

    /// Whether the run has done all that it was told; and, to take back from it, whether what it is then is known. Of one that has failed
    /// nothing more will be.
    fn is_ready_for(&self, turn: Turn) -> bool {
        let is_known = || self.shot.as_ref().is_some_and(|shot| shot.tasks == self.host.told());
        let needs_to_know = matches!(turn, Turn::Back | Turn::Again) && !self.host.has_failed();
        self.host.owes_nothing() && (!needs_to_know || is_known())
    }

    fn take_back(&mut self) {
        let Some(last) = self.changes.done.pop() else { return };
        if let Some(how) = Now::of(self).inverse(&last.how) {
            self.changes.undone.push(Made { how, ..last.clone() });
        }
        self.do_so(last.how);
    }

    fn make_again(&mut self) {
        let Some(last) = self.changes.undone.pop() else { return };
        match &last.how {
            // Whoever is dropped again can be taken back once they are there.
            Undo::DropAgain(_) => self.changes.again = Some(last.clone()),
            how => {
                if let Some(how) = Now::of(self).inverse(how) {
                    self.changes.done.push(Made { how, ..last.clone() });
                }
            }
        }
        self.do_so(last.how);
    }

    fn do_so(&mut self, what: Undo) {
        match what {
            Undo::Floor(change) => self.make_floor(change.before, "the floor is as it was".into()),
            Undo::Obstacle(to) => self.set_obstacle(to),
            Undo::Goal(goal, shapes) => self.place_goal(goal, shapes),
            Undo::Drop => self.host.tell(Box::new(|sim| {
                sim.change_crowd(&CrowdChange::TakeBack).map_err(|e| e.to_string())?;
                Ok(Done { happened: Some(Happened::TakenBack), ..Done::saying("who was dropped last is gone") })
            })),
            Undo::DropAgain(group) => self.drop_again(*group),
            Undo::Model(model) => self.set_model(*model),
            Undo::Group(group, change) => self.change_group(group, change, None),
            Undo::Hazard(name, before) => self.undo_hazard(name, before),
        }
    }
}
