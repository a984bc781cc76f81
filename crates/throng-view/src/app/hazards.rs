//! Gas and ghosts: put somewhere with a click, dragged while the run goes on, taken away, and all that undone.

use super::pointer::Touch;
use super::undo::Way;
use super::{App, Tool, Undo};
use crate::host::{Done, Happened};
use egui::Ui;
use glam::Vec2;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use throng::Simulation;
use throng::scene::{Hazard, HazardKind};

/// A hazard that is dragged.
#[derive(Debug)]
pub(super) struct Carried {
    name: String,
    /// From the pointer to its middle, m.
    offset: Vec2,
    /// What the run has done with it.
    record: Arc<Mutex<Record>>,
    /// The first task that the run was told about it, and where it was dragged to last, m.
    first: Option<u64>,
    to: Option<Vec2>,
}

/// What has become of a hazard that is dragged, as the run knows.
#[derive(Debug, Default)]
struct Record {
    /// What it was before; `None` if the press has put it there.
    before: Option<Hazard>,
    /// It was put somewhere.
    changed: bool,
}

impl Record {
    fn of(record: &Mutex<Self>) -> MutexGuard<'_, Self> {
        record.lock().unwrap_or_else(PoisonError::into_inner)
    }
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

/// Makes a hazard what it was before a change, or what it was after it; `None` for not there.
fn restore(sim: &mut Simulation, name: &str, to: Option<Box<Hazard>>, way: Way) -> Result<Done, String> {
    match to {
        Some(to) => put(sim, name, *to).map_err(|why| format!("\"{name}\" cannot be as it was: {why}"))?,
        None => {
            number(sim, name).map(|n| sim.remove_hazard(n));
        }
    }
    let how = if way == Way::Back { "is as it was" } else { "is changed again" };
    Ok(Done::saying(format!("\"{name}\" {how}")))
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
        let hit = shown.iter().rev().find(|h| h.disc.centre.distance(at) <= h.disc.radius);
        let hit = hit.map(|h| (h.hazard.name.clone(), h.disc.centre - at));
        match (hit, erase) {
            (Some((name, offset)), false) => {
                self.carried_hazard = Some(Carried { name, offset, record: Arc::default(), first: None, to: None });
            }
            (Some((name, _)), true) => self.take_away(name),
            (None, true) => {}
            (None, false) => self.place_hazard(at),
        }
    }

    fn take_away(&mut self, name: String) {
        self.host.tell(Box::new(move |sim| {
            let there = number(sim, &name).and_then(|n| Some((n, sim.scene().hazards.get(n)?.clone())));
            let Some((_, before)) = there.filter(|(n, _)| sim.remove_hazard(*n)) else {
                return Err(format!("there is no hazard \"{name}\" any more"));
            };
            let said = format!("\"{name}\" is gone");
            let undo = Box::new(Undo::Hazard(name, Some(Box::new(before))));
            Ok(Done { happened: Some(Happened::Changed { undo, since: None }), ..Done::saying(said) })
        }));
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
        let (called, record) = (name.clone(), Arc::<Mutex<Record>>::default());
        let theirs = Arc::clone(&record);
        let task = self.host.tell_part(Box::new(move |sim| match sim.add_hazard(hazard) {
            Ok(_) => {
                Record::of(&theirs).changed = true;
                Ok(Done::saying(format!("\"{called}\" is there")))
            }
            Err(e) => Err(format!("\"{called}\" cannot be put there: {e}")),
        }));
        self.carried_hazard = Some(Carried { name, offset: Vec2::ZERO, record, first: Some(task), to: None });
    }

    /// The hazard that is dragged follows the pointer.
    pub fn drag_hazard(&mut self, at: Vec2) {
        let Some(carried) = &mut self.carried_hazard else { return };
        let (name, to) = (carried.name.clone(), at + carried.offset);
        carried.to = Some(to);
        let record = Arc::clone(&carried.record);
        let task = self.host.tell_part(Box::new(move |sim| {
            let mut record = Record::of(&record);
            if let Some(n) = number(sim, &name)
                && let Some(now) = sim.scene().hazards.get(n).cloned()
                && sim.move_hazard(n, to)
                && !std::mem::replace(&mut record.changed, true)
            {
                record.before = Some(now);
            }
            Ok(Done::quietly())
        }));
        carried.first.get_or_insert(task);
    }

    /// It stays where it is.
    pub fn release_hazard(&mut self) {
        let Some(Carried { name, record, first, to, .. }) = self.carried_hazard.take() else { return };
        // If it was clicked, that is all.
        let Some(first) = first else { return };
        if let Some(to) = to {
            self.note(format!("\"{name}\" was dragged to ({:.1}, {:.1}) m", to.x, to.y));
        }
        // The change ends with that. It was there from its first part on.
        self.host.tell(Box::new(move |_| {
            let Record { before, changed } = std::mem::take(&mut *Record::of(&record));
            let undo = Box::new(Undo::Hazard(name, before.map(Box::new)));
            let happened = changed.then_some(Happened::Changed { undo, since: Some(first) });
            Ok(Done { happened, ..Done::quietly() })
        }));
    }

    /// A task could not be done: if it was to put the hazard there that is dragged, there is none.
    pub(super) fn refuse_hazard(&mut self, task: u64) {
        self.carried_hazard.take_if(|carried| carried.first == Some(task));
    }

    /// The run is another one by a task: a hazard that it does not have is not dragged any more, unless it was put there after that.
    pub(super) fn keep_hazard_if_there(&mut self, task: u64) {
        let there = &self.scene.hazards;
        self.carried_hazard.take_if(|carried| {
            let is_new = carried.first.is_some_and(|first| first > task);
            !is_new && !there.iter().any(|h| h.name == carried.name && !h.gone)
        });
    }

    /// The hazard that is dragged is where and what it was. Returns whether there is one.
    pub(super) fn cancel_hazard(&mut self) -> bool {
        let Some(Carried { name, record, first, .. }) = self.carried_hazard.take() else { return false };
        if first.is_some() {
            self.host.tell(Box::new(move |sim| {
                let Record { before, changed } = std::mem::take(&mut *Record::of(&record));
                if changed { restore(sim, &name, before.map(Box::new), Way::Back) } else { Ok(Done::quietly()) }
            }));
        }
        true
    }

    /// Takes a change of a hazard back, or makes it again: it is what it was before, or not there. Returns the task that does.
    pub(super) fn undo_hazard(&mut self, name: String, before: Option<Box<Hazard>>, way: Way) -> u64 {
        self.host.tell(Box::new(move |sim| restore(sim, &name, before, way)))
    }
}
