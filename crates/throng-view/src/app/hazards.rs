//! Gas and ghosts: put somewhere with a click, dragged while the run goes on, taken away, and all that undone.

use super::pointer::Touch;
use super::undo::Way;
use super::{App, Tool, Undo};
use crate::host::Done;
use egui::Ui;
use glam::Vec2;
use throng::Simulation;
use throng::scene::{Hazard, HazardKind};

/// A hazard that is dragged.
#[derive(Debug)]
pub(super) struct Carried {
    name: String,
    /// From the pointer to its middle, m.
    offset: Vec2,
    /// What it was before; `None` if the press has put it there.
    before: Option<Hazard>,
    /// The first task that the run was told about it, and where it was dragged to last, m.
    first: Option<u64>,
    to: Option<Vec2>,
}

/// The number of the hazard of a name, gone or not.
fn number(sim: &Simulation, name: &str) -> Option<usize> {
    let list = &sim.scene().hazards;
    // Of those that share it, the one that is there.
    list.iter().position(|h| h.name == name && !h.gone).or_else(|| list.iter().position(|h| h.name == name))
}

/// Makes the hazard of a name another, or puts it there again where its number was given to another one since.
fn put(sim: &mut Simulation, name: &str, hazard: Hazard) -> Result<(), String> {
    let n = match number(sim, name) {
        Some(n) => n,
        None => sim.add_hazard(hazard.clone()).map_err(|why| why.to_string())?,
    };
    // All of it, also since when it is there.
    if sim.change_hazard(n, |now| *now = hazard) { Ok(()) } else { Err("no scene could have it so".into()) }
}

impl App {
    /// Follows the pointer event by event, as a brush.
    pub(super) fn use_hazard_tool(&mut self, ui: &Ui, erase: bool) {
        for touch in self.touches(ui) {
            match touch {
                Touch::Press(at) => self.press_hazard(at, erase),
                Touch::Move(at) => self.drag_hazard(at),
                Touch::Release => self.release_hazard(),
            }
        }
    }

    /// Takes the hazard under a place, m; or takes it away; or puts a new one there.
    pub fn press_hazard(&mut self, at: Vec2, erase: bool) {
        let shown = self.shot.as_ref().map_or(&[][..], |shot| &shot.hazards);
        let hit = shown.iter().rev().find(|h| h.disc.centre.distance(at) <= h.disc.radius).cloned();
        match (hit, erase) {
            (Some(hit), false) => {
                let (name, offset) = (hit.hazard.name.clone(), hit.disc.centre - at);
                self.carried_hazard = Some(Carried { name, offset, before: Some(hit.hazard), first: None, to: None });
            }
            (Some(hit), true) => {
                let name = hit.hazard.name.clone();
                let how = Undo::Hazard(name.clone(), Some(Box::new(hit.hazard)));
                let task = self.host.tell(Box::new(move |sim| match number(sim, &name) {
                    Some(n) if sim.remove_hazard(n) => Ok(Done::saying(format!("\"{name}\" is gone"))),
                    _ => Err(format!("there is no hazard \"{name}\" any more")),
                }));
                self.remember_of(task, how);
            }
            (None, true) => {}
            (None, false) => self.place_hazard(at),
        }
    }

    fn place_hazard(&mut self, at: Vec2) {
        let (kind, word) = if self.tool == Tool::Gas { (HazardKind::Gas, "gas") } else { (HazardKind::Ghost, "ghost") };
        let shown = self.shot.as_ref().map_or(&[][..], |shot| &shot.hazards);
        let taken = |name: &String| {
            shown.iter().any(|h| h.hazard.name == *name) || self.scene.hazards.iter().any(|h| h.name == *name)
        };
        let free = |k: &u32| !taken(&format!("{word} {k}"));
        let number = (self.hazards_placed + 1..).find(free).unwrap_or(0);
        self.hazards_placed = number;
        let name = format!("{word} {number}");
        let hazard = Hazard::new(&name, kind, at, self.brush.radius.max(0.3));
        let called = name.clone();
        let task = self.host.tell_part(Box::new(move |sim| match sim.add_hazard(hazard) {
            Ok(_) => Ok(Done::saying(format!("\"{called}\" is there"))),
            Err(e) => Err(format!("\"{called}\" cannot be put there: {e}")),
        }));
        self.carried_hazard = Some(Carried { name, offset: Vec2::ZERO, before: None, first: Some(task), to: None });
    }

    /// The hazard that is dragged follows the pointer.
    pub fn drag_hazard(&mut self, at: Vec2) {
        let Some(carried) = &mut self.carried_hazard else { return };
        let (name, to) = (carried.name.clone(), at + carried.offset);
        carried.to = Some(to);
        let task = self.host.tell_part(Box::new(move |sim| {
            if let Some(n) = number(sim, &name) {
                sim.move_hazard(n, to);
            }
            Ok(Done::quietly())
        }));
        carried.first.get_or_insert(task);
    }

    /// It stays where it is.
    pub fn release_hazard(&mut self) {
        let Some(Carried { name, before, first, to, .. }) = self.carried_hazard.take() else { return };
        if let Some(to) = to {
            self.note(format!("\"{name}\" was dragged to ({:.1}, {:.1}) m", to.x, to.y));
        } else if before.is_some() {
            // It was clicked, and that is all.
            return;
        }
        // The change ends with that. It was there from its first part on.
        let last = self.host.tell(Box::new(|_| Ok(Done::quietly())));
        self.remember_of(first.unwrap_or(last), Undo::Hazard(name, before.map(Box::new)));
    }

    /// A task could not be done: if it was to put the hazard there that is dragged, there is none.
    pub(super) fn refuse_hazard(&mut self, task: u64) {
        self.carried_hazard.take_if(|carried| carried.first == Some(task));
    }

    /// The run is another one: a hazard that it does not have is not dragged any more.
    pub(super) fn keep_hazard_if_there(&mut self) {
        let there = &self.scene.hazards;
        self.carried_hazard.take_if(|carried| !there.iter().any(|h| h.name == carried.name && !h.gone));
    }

    /// The hazard that is dragged is where and what it was. Returns whether there is one.
    pub(super) fn cancel_hazard(&mut self) -> bool {
        let carried = self.carried_hazard.take();
        let under_way = carried.is_some();
        if let Some(Carried { name, before, .. }) = carried {
            self.undo_hazard(name, before.map(Box::new), Way::Back);
        }
        under_way
    }

    /// Takes a change of a hazard back, or makes it again: it is what it was before, or not there. Returns the task that does.
    pub(super) fn undo_hazard(&mut self, name: String, before: Option<Box<Hazard>>, way: Way) -> u64 {
        self.host.tell(Box::new(move |sim| {
            let done = match before {
                Some(before) => put(sim, &name, *before),
                None => {
                    number(sim, &name).map(|n| sim.remove_hazard(n));
                    Ok(())
                }
            };
            let how = if way == Way::Back { "is as it was" } else { "is changed again" };
            done.map(|()| Done::saying(format!("\"{name}\" {how}")))
                .map_err(|why| format!("\"{name}\" cannot be as it was: {why}"))
        }))
    }
}
