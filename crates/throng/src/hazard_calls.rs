//! Calls that put hazards into a run, move them and take them away. They are inputs of steps, not changes of the world: [`Simulation::edits`] does
//! not count them.

use crate::engine::Edit;
use crate::scene::{Hazard, MOST_HAZARDS, Moment};
use crate::simulation::Simulation;
use glam::Vec2;

/// A hazard that cannot be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadHazard {
    /// No scene could say it.
    #[error("a hazard has a place and a radius from 0.05 to 10,000 m; a ghost does not drift, grow or fade")]
    Unsound,
    /// Another one has this name.
    #[error("there is a hazard of this name already")]
    Name,
    /// There are too many.
    #[error("there are 64 hazards already, and no more than that")]
    TooMany,
}

impl Simulation {
    /// Adds a hazard from the next step on; one whose time has begun already begins then. People near it flee, and plans that
    /// follow the crowd lead round it from the next time that they are made. Costs microseconds, but on a GPU the first
    /// hazard of a run has kernels compiled. Returns its number, for [`Simulation::move_hazard`]. Numbers of hazards that
    /// were removed are given again.
    ///
    /// # Errors
    /// If no scene could say it, another has its name, or there are 64.
    pub fn add_hazard(&mut self, mut hazard: Hazard) -> Result<usize, BadHazard> {
        if !hazard.is_sound() {
            return Err(BadHazard::Unsound);
        }
        let (now, list) = (self.time() as f32, &self.scene().hazards);
        if list.iter().any(|h| !h.gone && h.name == hazard.name) {
            return Err(BadHazard::Name);
        }
        let number = list.iter().position(|h| h.gone).unwrap_or(list.len());
        if number >= MOST_HAZARDS {
            return Err(BadHazard::TooMany);
        }
        if let Moment::At(seconds) = &mut hazard.from {
            *seconds = seconds.max(now);
        }
        (hazard.since, hazard.gone) = (0, false);
        self.engine.edit(Edit::Hazard(number, Box::new(hazard)));
        Ok(number)
    }

    /// Puts the middle of the hazard with a number somewhere, from the next step on: it leaves its path, if it walks one, and drifts on
    /// from there, if it drifts. Hazards of the scene have numbers from 0. Costs microseconds, so it may be done in every
    /// step. Returns whether there is one, and the place is within 10,000 km.
    pub fn move_hazard(&mut self, number: usize, to: Vec2) -> bool {
        let step = self.steps() as u32;
        self.has_hazard(number)
            && self.change_hazard(number, |hazard| {
                hazard.path = vec![to];
                hazard.since = step;
            })
    }

    /// Takes the hazard with a number away. Returns whether there is one.
    pub fn remove_hazard(&mut self, number: usize) -> bool {
        self.has_hazard(number) && self.change_hazard(number, |hazard| hazard.gone = true)
    }

    fn has_hazard(&self, number: usize) -> bool {
        self.scene().hazards.get(number).is_some_and(|h| !h.gone)
    }

    /// Changes anything about the hazard with a number, from the next step on; one that was removed may be there again. Returns whether
    /// there is or was one, and a scene could say what it is then; if not, nothing changes.
    pub fn change_hazard(&mut self, number: usize, change: impl FnOnce(&mut Hazard)) -> bool {
        let Some(mut hazard) = self.scene().hazards.get(number).cloned() else { return false };
        change(&mut hazard);
        let sound = hazard.is_sound();
        if sound {
            self.engine.edit(Edit::Hazard(number, Box::new(hazard)));
        }
        sound
    }

    /// How far a place is from the rim of the nearest hazard in the last step, m: below 0 inside, 1e9 if there is none.
    #[must_use]
    pub fn hazard_distance(&self, p: Vec2) -> f32 {
        crate::world::hazards::distance(self.world().hazards.now(), p)
    }
}
