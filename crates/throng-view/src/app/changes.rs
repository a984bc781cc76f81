//! What was done to the scene: what can be taken back, what can be made again. Both follow from a log of which task of the run did what, so that they
//! can be what they were at any snapshot.

use super::From;
use super::drop::Dropped;
use super::leave::Loses;
use super::undo::Undo;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// What is known of all changes together at most, bytes: of more the oldest cannot be taken back any more.
const ROOM: usize = 128 << 20;

/// How to take a change back, and to make it again.
#[derive(Clone, Debug)]
struct Made {
    back: Undo,
    /// Once it was taken back.
    again: Option<Undo>,
    /// The number of what the scene is after it: its own, until it goes on.
    state: u64,
}

impl Made {
    fn bytes(&self) -> usize {
        size_of::<Self>() + self.back.bytes() + self.again.as_ref().map_or(0, Undo::bytes)
    }
}

/// What was done with a change, by its number.
#[derive(Clone, Debug)]
enum Deed {
    /// It was made, with who was dropped by it.
    Made(u64, Option<Dropped>),
    TookBack(u64),
    MadeAgain(u64, Option<Dropped>),
    /// The run went back in time: these can be made again, the last one first.
    WentBack(Vec<u64>),
}

/// A line of the log.
#[derive(Clone, Debug)]
struct Line {
    /// The task of the run that did it.
    task: u64,
    deed: Deed,
}

/// What can be taken back and made again, the last one first.
#[derive(Clone, Debug, Default)]
struct Lists {
    done: Vec<(u64, Option<Dropped>)>,
    undone: Vec<u64>,
}

impl Lists {
    fn take_in(&mut self, deed: &Deed) {
        match deed {
            Deed::Made(number, dropped) => {
                self.done.push((*number, dropped.clone()));
                self.undone.clear();
            }
            Deed::TookBack(number) => {
                if self.done.pop_if(|(n, _)| n == number).is_none() {
                    self.done.retain(|(n, _)| n != number);
                }
                self.undone.push(*number);
            }
            Deed::MadeAgain(number, dropped) => {
                if self.undone.pop_if(|n| n == number).is_none() {
                    self.undone.retain(|n| n != number);
                }
                self.done.push((*number, dropped.clone()));
            }
            Deed::WentBack(undone) => self.undone.clone_from(undone),
        }
    }

    fn numbers(&self) -> BTreeSet<u64> {
        self.done.iter().map(|(number, _)| *number).collect()
    }
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

/// What going back in time did to changes: how many are taken back by it, and how many are there again that were taken back later.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct WentBack {
    pub(super) taken_back: usize,
    pub(super) there_again: usize,
}

/// What was done, and what can be done again.
#[derive(Debug)]
pub(super) struct Changes {
    known: BTreeMap<u64, Made>,
    /// What the lists were when the run began; the log since; what the lists are by now.
    first: Lists,
    log: Vec<Line>,
    lists: Lists,
    pub(super) turns: VecDeque<Turn>,
    /// Who is being dropped again, and by which task.
    again: Option<(u64, u64)>,
    last_number: u64,
    /// The number of what the scene was when the lists were emptied last, and of what was saved last; 0 is the scene as it was opened.
    base: u64,
    saved: u64,
    /// A file was replaced that was there before: the scene as it was opened may be in none any more.
    replaced: bool,
    room: usize,
    /// Something had to be forgotten, and that was not said yet; or was.
    forgot: bool,
    said: bool,
}

impl Default for Changes {
    fn default() -> Self {
        Self {
            known: BTreeMap::new(),
            first: Lists::default(),
            log: Vec::new(),
            lists: Lists::default(),
            turns: VecDeque::new(),
            again: None,
            last_number: 0,
            base: 0,
            saved: 0,
            replaced: false,
            room: ROOM,
            forgot: false,
            said: false,
        }
    }
}

impl Changes {
    /// The number of what the scene is now, as a file would have it: none has the obstacle.
    pub(super) fn state(&self) -> u64 {
        for (number, _) in self.lists.done.iter().rev() {
            match self.known.get(number) {
                Some(Made { back: Undo::Obstacle(_), .. }) => {}
                // After that the scene is what it was when it was opened.
                Some(Made { back: Undo::Begin(_), .. }) => return 0,
                Some(made) => return made.state,
                None => return *number,
            }
        }
        self.base
    }

    /// Whether there is anything that is in no file.
    pub(super) fn is_unsaved(&self) -> bool {
        let state = self.state();
        state != self.saved && (state != 0 || self.replaced)
    }

    /// The last change goes on: what it has made is another state than before.
    pub(super) fn goes_on(&mut self) {
        let last = self.lists.done.last().map(|(number, _)| *number);
        if let Some(made) = last.and_then(|number| self.known.get_mut(&number)) {
            self.last_number += 1;
            made.state = self.last_number;
        }
    }

    /// The change that would be taken back, and how.
    pub(super) fn to_take_back(&self) -> Option<(u64, &Undo)> {
        let number = self.lists.done.last()?.0;
        self.known.get(&number).map(|made| (number, &made.back))
    }

    /// The change that would be made again, and how.
    pub(super) fn to_make_again(&self) -> Option<(u64, &Undo)> {
        let number = *self.lists.undone.last()?;
        self.known.get(&number).and_then(|made| Some((number, made.again.as_ref()?)))
    }

    pub(super) fn last(&self) -> Option<&Undo> {
        self.to_take_back().map(|(_, back)| back)
    }

    /// Who was dropped since the run began, in order.
    pub(super) fn dropped(&self) -> Vec<Dropped> {
        self.lists.done.iter().filter_map(|(_, dropped)| dropped.clone()).collect()
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

    /// Whether something had to be forgotten for want of room; once.
    pub(super) fn has_to_say_that_it_forgot(&mut self) -> bool {
        let says = self.forgot && !self.said;
        self.said |= says;
        says
    }

    /// Writes into the log, in order of tasks.
    fn write(&mut self, task: u64, deed: Deed) {
        let later = self.log.iter().rev().take_while(|line| line.task > task).count();
        if later == 0 {
            self.lists.take_in(&deed);
            self.log.push(Line { task, deed });
        } else {
            self.log.insert(self.log.len() - later, Line { task, deed });
            self.go_through();
        }
    }

    /// Makes the lists what the log says.
    fn go_through(&mut self) {
        self.lists = self.first.clone();
        for line in &self.log {
            self.lists.take_in(&line.deed);
        }
    }

    /// A change was made by a task, and what was taken back before is not made again after it.
    pub(super) fn make(&mut self, task: u64, back: Undo, dropped: Option<Dropped>) {
        self.last_number += 1;
        self.known.insert(self.last_number, Made { back, again: None, state: self.last_number });
        self.write(task, Deed::Made(self.last_number, dropped));
        self.make_room();
    }

    /// A change is taken back by a task; how to make it again.
    pub(super) fn take_back(&mut self, task: u64, number: u64, again: Option<Undo>) {
        if let Some(made) = self.known.get_mut(&number) {
            made.again = again;
        }
        self.write(task, Deed::TookBack(number));
        self.make_room();
    }

    /// A change is made again by a task; how to take it back.
    pub(super) fn make_again(&mut self, task: u64, number: u64, back: Option<Undo>) {
        if let (Some(made), Some(back)) = (self.known.get_mut(&number), back) {
            made.back = back;
        }
        self.write(task, Deed::MadeAgain(number, None));
    }

    /// A task drops those again whose drop was taken back: that it is done is known once they are there.
    pub(super) fn will_drop_again(&mut self, task: u64, number: u64) {
        self.again = Some((task, number));
    }

    /// A task has dropped people, for the first time or again.
    pub(super) fn have_dropped(&mut self, task: u64, dropped: Dropped) {
        match self.again.take_if(|(asked, _)| *asked == task) {
            Some((_, number)) => self.write(task, Deed::MadeAgain(number, Some(dropped))),
            None => self.make(task, Undo::Drop, Some(dropped)),
        }
    }

    /// A task could not be done: what it was to do has not been.
    pub(super) fn refuse(&mut self, task: u64) {
        self.again.take_if(|(asked, _)| *asked == task);
        let lines = self.log.len();
        self.log.retain(|line| line.task != task || matches!(line.deed, Deed::WentBack(_)));
        if self.log.len() < lines {
            self.go_through();
        }
    }

    /// The run has begun again by a task. The lists are emptied where what is in them is not there any more: then they say
    /// nothing of the state that the scene is in.
    pub(super) fn begin_again(&mut self, task: u64, opened: bool, keeps: bool) {
        let later: Vec<Line> = self.log.iter().filter(|line| line.task > task).cloned().collect();
        self.log.retain(|line| line.task <= task);
        self.go_through();
        let state = self.state();
        self.first = if keeps { std::mem::take(&mut self.lists) } else { Lists::default() };
        if !keeps {
            self.base = if opened { 0 } else { state };
        }
        self.turns.retain(|turn| !matches!(turn, Turn::Back | Turn::Again));
        self.log = later;
        self.go_through();
        self.forget_what_is_gone();
    }

    /// The run has begun again from another scene, which is a change of its own.
    pub(super) fn begin_from(&mut self, task: u64, back: Undo) {
        self.begin_again(task, false, false);
        self.make(task, back, None);
    }

    /// That was taken back, or made again: there is nothing else any more.
    pub(super) fn begin_as_before(&mut self, task: u64) {
        let is_begin =
            |known: &BTreeMap<u64, Made>, n: &u64| known.get(n).is_some_and(|made| matches!(made.back, Undo::Begin(_)));
        let later: Vec<Line> = self.log.iter().filter(|line| line.task > task).cloned().collect();
        self.log.retain(|line| line.task <= task);
        self.go_through();
        let known = &self.known;
        self.lists.done.retain(|(n, _)| is_begin(known, n));
        self.lists.undone.retain(|n| is_begin(known, n));
        self.first = std::mem::take(&mut self.lists);
        self.log = later;
        self.go_through();
        self.forget_what_is_gone();
    }

    /// The run is what it was at a snapshot, after `kept` of its tasks; it went back after `last` of them. What was done in between is taken
    /// back by that and can be made again. `inverse` says how a change is made again, from the last one on.
    pub(super) fn go_back(
        &mut self,
        (kept, last): (u64, u64),
        mut inverse: impl FnMut(&Undo) -> Option<Undo>,
    ) -> WentBack {
        self.turns.retain(|turn| !matches!(turn, Turn::Back | Turn::Again));
        let later: Vec<Line> = self.log.iter().filter(|line| line.task > last).cloned().collect();
        self.log.retain(|line| line.task <= last);
        self.go_through();
        let before = std::mem::take(&mut self.lists);
        // The obstacle is not the run's: it stays.
        let known = &self.known;
        let stays = |deed: &Deed| match deed {
            Deed::Made(n, _) | Deed::TookBack(n) | Deed::MadeAgain(n, _) => {
                matches!(known.get(n), Some(Made { back: Undo::Obstacle(_), .. }))
            }
            Deed::WentBack(_) => false,
        };
        self.log.retain(|line| line.task <= kept || stays(&line.deed));
        // What can be made again after this is said below.
        while self.log.pop_if(|line| matches!(line.deed, Deed::WentBack(_))).is_some() {}
        self.go_through();
        let (then, now) = (self.lists.numbers(), before.numbers());
        let mut undone: Vec<u64> = before.undone.iter().copied().filter(|n| !then.contains(n)).collect();
        let gone: Vec<u64> = before.done.iter().map(|(n, _)| *n).filter(|n| !then.contains(n)).collect();
        for number in gone.iter().rev() {
            if let Some(made) = self.known.get_mut(number) {
                made.again = inverse(&made.back);
                undone.push(*number);
            }
        }
        let there_again = then.difference(&now).count();
        self.log.push(Line { task: kept, deed: Deed::WentBack(undone) });
        self.log.extend(later);
        self.go_through();
        self.make_room();
        WentBack { taken_back: gone.len(), there_again }
    }

    /// Forgets how to take back the oldest changes, but for the last one, until there is room.
    fn make_room(&mut self) {
        let mut bytes: usize = self.known.values().map(Made::bytes).sum();
        while bytes > self.room
            && self.known.len() > 1
            && let Some((_, oldest)) = self.known.pop_first()
        {
            bytes -= oldest.bytes();
            self.forgot = true;
        }
    }

    /// Forgets changes that no snapshot of this run can have.
    fn forget_what_is_gone(&mut self) {
        let made = self.log.iter().filter_map(|line| match line.deed {
            Deed::Made(number, _) => Some(number),
            _ => None,
        });
        let all: BTreeSet<u64> = made.chain(self.first.numbers()).chain(self.first.undone.iter().copied()).collect();
        self.known.retain(|number, _| all.contains(number));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng::geometry::Shape;

    fn change(number: usize) -> Undo {
        Undo::Goal(number, Vec::new())
    }

    /// Numbers of what can be taken back and made again, the last one first.
    fn lists(changes: &Changes) -> (Vec<u64>, Vec<u64>) {
        (
            changes.lists.done.iter().rev().map(|(n, _)| *n).collect(),
            changes.lists.undone.iter().rev().copied().collect(),
        )
    }

    fn go_back(changes: &mut Changes, kept: u64, last: u64) -> (usize, usize) {
        let WentBack { taken_back, there_again } = changes.go_back((kept, last), |back| Some(back.clone()));
        (taken_back, there_again)
    }

    #[test]
    fn lists_are_what_they_were_at_the_snapshot() {
        let mut changes = Changes::default();
        changes.make(1, change(0), None);
        changes.make(3, change(1), None);
        changes.take_back(5, 2, Some(change(1)));
        assert_eq!(lists(&changes), (vec![1], vec![2]));
        // The snapshot has what was taken back later.
        assert_eq!(go_back(&mut changes, 4, 6), (0, 1));
        assert_eq!((lists(&changes), changes.state()), ((vec![2, 1], vec![]), 2));
        // To the beginning, one of them made again, and to a snapshot after that.
        assert_eq!(go_back(&mut changes, 0, 7), (2, 0));
        assert_eq!(lists(&changes), (vec![], vec![1, 2]));
        changes.make_again(8, 1, Some(change(0)));
        assert_eq!(go_back(&mut changes, 8, 9), (0, 0));
        assert_eq!(lists(&changes), (vec![1], vec![2]));
        // What was asked for after it went back is not lost by that.
        changes.make(12, change(2), None);
        assert_eq!(go_back(&mut changes, 0, 11), (1, 0));
        assert_eq!(lists(&changes).0, [3]);
    }

    #[test]
    fn what_the_run_refuses_has_not_been() {
        let mut changes = Changes::default();
        changes.make(1, change(0), None);
        changes.take_back(2, 1, Some(change(0)));
        // Something else, before the run has answered.
        changes.make(3, change(1), None);
        changes.refuse(2);
        assert_eq!(lists(&changes), (vec![2, 1], vec![]));
        changes.refuse(3);
        assert_eq!((lists(&changes), changes.state()), ((vec![1], vec![]), 1));
        changes.take_back(4, 1, Some(change(0)));
        changes.make_again(5, 1, Some(change(0)));
        changes.refuse(5);
        assert_eq!((lists(&changes), changes.is_unsaved()), ((vec![], vec![1]), false));
    }

    #[test]
    fn the_oldest_changes_are_forgotten_where_they_take_too_much_room() {
        let mut changes = Changes { room: 64 << 10, ..Changes::default() };
        let large = || Undo::Goal(0, vec![Shape::Circle(glam::Vec2::ZERO, 1.0); 500]);
        for task in 1..100 {
            changes.make(task, large(), None);
            assert!(changes.known.values().map(Made::bytes).sum::<usize>() <= 64 << 10);
        }
        assert!(changes.has_to_say_that_it_forgot() && !changes.has_to_say_that_it_forgot());
        let mut task = 100;
        while let Some((number, _)) = changes.to_take_back() {
            changes.take_back(task, number, None);
            task += 1;
        }
        assert!((102..150).contains(&task), "{task}");
        assert!(changes.is_unsaved(), "what was forgotten is still there");
        // The last one can be taken back, however large.
        changes.make(task, Undo::Goal(0, vec![Shape::Circle(glam::Vec2::ZERO, 1.0); 50_000]), None);
        assert!(changes.to_take_back().is_some());
    }
}
