//! Gas and ghosts: put somewhere with a click, dragged while the run goes on, taken away, and all that undone.

use super::pointer::Touch;
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
}

/// The number of the hazard of a name, gone or not.
fn number(sim: &Simulation, name: &str) -> Option<usize> {
    let list = &sim.scene().hazards;
    // Of those that share it, the one that is there.
    list.iter().position(|h| h.name == name && !h.gone).or_else(|| list.iter().position(|h| h.name == name))
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
                self.carried_hazard = Some(Carried { name, offset, before: Some(hit.hazard) });
            }
            (Some(hit), true) => {
                let name = hit.hazard.name.clone();
                self.remember(Undo::Hazard(name.clone(), Some(Box::new(hit.hazard))));
                self.host.tell(Box::new(move |sim| match number(sim, &name) {
                    Some(n) if sim.remove_hazard(n) => Ok(Done::saying(format!("\"{name}\" is gone"))),
                    _ => Err(format!("there is no hazard \"{name}\" any more")),
                }));
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
        self.carried_hazard = Some(Carried { name: name.clone(), offset: Vec2::ZERO, before: None });
        self.host.tell(Box::new(move |sim| match sim.add_hazard(hazard) {
            Ok(_) => Ok(Done::saying(format!("\"{name}\" is there"))),
            Err(e) => Err(format!("\"{name}\" cannot be put there: {e}")),
        }));
    }

    /// The hazard that is dragged follows the pointer.
    pub fn drag_hazard(&mut self, at: Vec2) {
        let Some(carried) = &self.carried_hazard else { return };
        let (name, to) = (carried.name.clone(), at + carried.offset);
        self.host.tell(Box::new(move |sim| {
            if let Some(n) = number(sim, &name) {
                sim.move_hazard(n, to);
            }
            Ok(Done::quietly())
        }));
    }

    /// It stays where it is.
    pub fn release_hazard(&mut self) {
        if let Some(Carried { name, before, .. }) = self.carried_hazard.take() {
            self.remember(Undo::Hazard(name, before.map(Box::new)));
        }
    }

    /// The hazard that is dragged is where and what it was. Returns whether there is one.
    pub(super) fn cancel_hazard(&mut self) -> bool {
        let carried = self.carried_hazard.take();
        let under_way = carried.is_some();
        if let Some(Carried { name, before, .. }) = carried {
            self.undo_hazard(name, before.map(Box::new));
        }
        under_way
    }

    /// Takes a change of a hazard back: it is what it was before, or not there.
    pub(super) fn undo_hazard(&mut self, name: String, before: Option<Box<Hazard>>) {
        self.host.tell(Box::new(move |sim| {
            let done = match (number(sim, &name), before) {
                (Some(n), Some(before)) => sim.change_hazard(n, |hazard| *hazard = *before),
                (Some(n), None) => sim.remove_hazard(n),
                (None, _) => false,
            };
            let lost = || format!("\"{name}\" cannot be as it was");
            done.then(|| Done::saying(format!("\"{name}\" is as it was"))).ok_or_else(lost)
        }));
    }
}
