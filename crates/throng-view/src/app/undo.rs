//! Taking changes back, and making them again.

use super::{App, FloorChange};
use crate::host::{Done, Happened};
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

impl App {
    pub(super) fn can_undo(&self) -> bool {
        !self.undo.is_empty()
    }

    pub(super) fn can_redo(&self) -> bool {
        !self.redo.is_empty()
    }

    /// A change was made that can be taken back; what was taken back before is not made again after it.
    pub(super) fn remember(&mut self, undo: Undo) {
        self.undo.push(undo);
        self.redo.clear();
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
        if self.cancel() {
            return;
        }
        let Some(last) = self.undo.pop() else { return };
        self.redo.extend(self.inverse(&last));
        self.do_so(last);
    }

    /// Makes the change again that was taken back last.
    pub fn redo_last(&mut self) {
        let Some(last) = self.redo.pop() else { return };
        // Whoever is dropped again can be taken back once they are there.
        if !matches!(last, Undo::DropAgain(_)) {
            self.undo.extend(self.inverse(&last));
        }
        self.do_so(last);
    }

    /// What brings things back to how they are now, once something else was done.
    fn inverse(&self, of: &Undo) -> Option<Undo> {
        let ground = self.ground.as_ref()?;
        Some(match of {
            Undo::Floor(change) => Undo::Floor(Box::new(change.inverse())),
            Undo::Obstacle(_) => Undo::Obstacle(self.obstacle.now()),
            Undo::Goal(goal, _) => Undo::Goal(*goal, ground.goals.get(*goal)?.clone()),
            Undo::Drop => Undo::DropAgain(Box::new(self.scene.groups.last()?.clone())),
            Undo::DropAgain(_) => Undo::Drop,
            Undo::Model(_) => Undo::Model(Box::new(self.scene.model)),
            Undo::Group(number, CrowdChange::Speed(..)) => {
                Undo::Group(*number, CrowdChange::Speed(*number, self.scene.groups.get(*number)?.speed))
            }
            Undo::Group(number, _) => {
                Undo::Group(*number, CrowdChange::Arrive(*number, self.scene.groups.get(*number)?.arrive))
            }
            Undo::Hazard(name, _) => {
                let shown = self.shot.as_ref().map_or(&[][..], |shot| &shot.hazards);
                let now = shown.iter().find(|h| h.hazard.name == *name).map(|h| Box::new(h.hazard.clone()));
                Undo::Hazard(name.clone(), now)
            }
        })
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
