//! Taking changes back, and making them again.

use super::changes::{Turn, WentBack};
use super::{App, FloorChange};
use crate::host::{Done, Happened};
use std::collections::BTreeMap;
use std::sync::Arc;
use throng::engine::CrowdChange;
use throng::geometry::Shape;
use throng::scene::{Group, Hazard, Model, Scene};
use throng::world::obstacle::Obstacle;

/// How to take a change back, or to make it again.
#[derive(Clone, Debug, PartialEq)]
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
    /// The run is to begin again from this scene.
    Begin(Box<Scene>),
}

impl Undo {
    /// About how many bytes it takes.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Floor(change) => change.bytes(),
            Self::Goal(_, shapes) => size_of_val(shapes.as_slice()),
            Self::Begin(scene) => scene.grid.len() * 8,
            _ => 256,
        }
    }
}

/// Which way a change goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    Back,
    Again,
}

/// How things are that changes take back.
struct Now {
    goals: Vec<Vec<Shape>>,
    groups: Vec<Group>,
    model: Model,
    hazards: BTreeMap<String, Box<Hazard>>,
    obstacle: Option<Obstacle>,
    begun: Arc<Scene>,
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
            begun: Arc::clone(&app.begun),
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
            // What was changed after that was taken back before.
            Undo::Begin(_) => Undo::Begin(Box::new(Scene::clone(&self.begun))),
        })
    }

    /// As it is once that is done.
    fn take_back(&mut self, how: &Undo) {
        match how {
            Undo::Floor(_) | Undo::DropAgain(_) | Undo::Begin(_) => {}
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
        self.changes.to_take_back().is_some()
    }

    pub(super) fn can_redo(&self) -> bool {
        self.changes.to_make_again().is_some()
    }

    /// The task that the run is told next makes a change that can be taken back; what was taken back before is not made again after it.
    pub(super) fn remember(&mut self, how: Undo) {
        self.remember_of(self.host.told() + 1, how);
    }

    /// The same of a task that it was told.
    pub(super) fn remember_of(&mut self, task: u64, how: Undo) {
        self.changes.make(task, how, None);
        self.say_what_is_forgotten();
    }

    fn say_what_is_forgotten(&mut self) {
        if self.changes.has_to_say_that_it_forgot() {
            self.note("the oldest changes cannot be taken back any more: all together would take too much memory");
        }
    }

    /// The run is what it was at a snapshot, see [`super::changes::Changes::go_back`].
    pub(super) fn changes_go_back(&mut self, between: (u64, u64)) -> WentBack {
        let mut now = Now::of(self);
        self.changes.go_back(between, |back| {
            let again = now.inverse(back);
            now.take_back(back);
            again
        })
    }

    /// The run could not do a task.
    pub(super) fn refused(&mut self, task: u64) {
        self.changes.refuse(task);
        self.refuse_hazard(task);
        self.dropped = self.changes.dropped();
    }

    /// What is being done has never been. Returns whether anything was.
    pub fn cancel(&mut self) -> bool {
        let draft = self.drawing.draft.take().is_some();
        let goal = self.brush.carried.take().is_some();
        let more = [self.cancel_stroke(), self.cancel_hazard(), self.cancel_obstacle()];
        draft || goal || more.contains(&true)
    }

    /// A change that goes on ends with what it has come to: what follows is another one.
    pub(super) fn end_change(&mut self) {
        self.end_stroke();
        self.release_hazard();
    }

    /// The hand lets go of whatever it does; what is there only once it is let go is not.
    pub(super) fn let_go(&mut self) {
        self.end_change();
        self.end_holding();
        (self.drawing.draft, self.brush.carried) = (None, None);
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
        let Some((number, how)) = self.changes.to_take_back() else { return };
        let how = how.clone();
        let again = Now::of(self).inverse(&how);
        if let Some(task) = self.do_so(how, Way::Back) {
            self.changes.take_back(task, number, again);
            self.say_what_is_forgotten();
        }
    }

    fn make_again(&mut self) {
        let Some((number, how)) = self.changes.to_make_again() else { return };
        let how = how.clone();
        let drops = matches!(how, Undo::DropAgain(_));
        let back = Now::of(self).inverse(&how);
        match self.do_so(how, Way::Again) {
            // Whoever is dropped again can be taken back once they are there.
            Some(task) if drops => self.changes.will_drop_again(task, number),
            Some(task) => self.changes.make_again(task, number, back),
            None => {}
        }
    }

    /// Tells the run to do it. Returns the task that does.
    fn do_so(&mut self, what: Undo, way: Way) -> Option<u64> {
        match what {
            Undo::Floor(change) => {
                let said = match way {
                    Way::Back => "the floor is as it was",
                    Way::Again => "the floor is changed again",
                };
                Some(self.make_floor(change.before, said.into()))
            }
            Undo::Obstacle(to) => Some(self.set_obstacle(to)),
            Undo::Goal(goal, shapes) => Some(self.place_goal(goal, shapes)),
            Undo::Drop => Some(self.host.tell(Box::new(|sim| {
                sim.change_crowd(&CrowdChange::TakeBack).map_err(|e| e.to_string())?;
                Ok(Done { happened: Some(Happened::TakenBack), ..Done::saying("who was dropped last is gone") })
            }))),
            Undo::DropAgain(group) => Some(self.drop_again(*group)),
            Undo::Model(model) => self.set_model(*model),
            Undo::Group(group, change) => self.change_group(group, change, false),
            Undo::Hazard(name, before) => Some(self.undo_hazard(name, before, way)),
            Undo::Begin(scene) => Some(self.begin_as_before(*scene)),
        }
    }
}
