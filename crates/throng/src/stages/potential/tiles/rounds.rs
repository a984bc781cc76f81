//! Rounds of work items, shared by however many threads come.
//!
//! A round is a list of items. Threads enter it and take items that nobody has taken; the last to leave sets up the next
//! round from what the items have asked for. A round waits for nobody who has not entered it, so it does not matter how many
//! threads come, when they come, or whether they have something else to do: one alone does it all.
//!
//! A thread first takes the items that it had last, since it has them in its cache: where several threads share an
//! item, moving it to and fro takes as long as the work on it.

use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize};

/// Bits for the number of threads in a round.
const ENTERED_BITS: u32 = 16;
/// Bits for the number of items in a round.
const COUNT_BITS: u32 = 24;
/// Set while the next round is made.
const CLOSED: u64 = 1 << (ENTERED_BITS - 1);

/// A round: its number, from 1 on, and up to where it visits values, in widths of a round.
#[derive(Clone, Copy, Debug)]
pub(super) struct Round {
    pub(super) number: u32,
    pub(super) reach: f64,
}

/// The present round and the next.
#[derive(Debug)]
pub(super) struct Rounds {
    /// The bits of [`Turn`].
    turn: Apart<AtomicU64>,
    present: Apart<Present>,
    next: Apart<Next>,
    /// The items of even and of odd rounds.
    lists: [Vec<AtomicU32>; 2],
    items: Vec<Item>,
}

/// On cache lines of its own: who looks at one number is not disturbed by others that change.
#[derive(Debug, Default)]
#[repr(align(128))]
struct Apart<T>(T);

/// What threads look at to see whether there is something to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Turn {
    /// Changes with every round; 24 bits.
    tag: u64,
    /// Items of the round; 0 means that there is no further round.
    count: usize,
    /// Threads that have entered the round.
    entered: u64,
    closed: bool,
}

impl Turn {
    fn of(bits: u64) -> Self {
        Self {
            tag: bits >> (ENTERED_BITS + COUNT_BITS),
            count: (bits >> ENTERED_BITS) as usize & ((1 << COUNT_BITS) - 1),
            entered: bits & (CLOSED - 1),
            closed: bits & CLOSED != 0,
        }
    }

    /// The bits of the turn after one, before anybody has entered it.
    fn after(tag: u64, count: usize) -> u64 {
        ((tag + 1) << COUNT_BITS | count as u64) << ENTERED_BITS
    }
}

/// Written between rounds only.
#[derive(Debug, Default)]
struct Present {
    number: AtomicU32,
    /// The bits of [`Round::reach`].
    reach: AtomicU64,
}

/// Written by all threads as they leave.
#[derive(Debug, Default)]
struct Next {
    /// Items of the present round that are finished (upper half), threads that have left it (lower half).
    finished: AtomicU64,
    /// How many items are in the next round's list.
    count: AtomicUsize,
    /// The reach (its bits) above which one of them has something to do.
    least: AtomicU64,
}

#[derive(Debug, Default)]
struct Item {
    /// The last round that it was put into.
    due: AtomicU32,
    /// The last round that somebody took it in.
    taken: AtomicU32,
    /// Who did.
    by: AtomicU32,
}

/// What has come of an attempt to help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Share {
    /// Some items were visited.
    Done,
    /// All items of the round are taken, but not finished.
    Nothing,
    /// There is no further round.
    Over,
}

/// How many items a thread collects before it puts them into the next round's list.
const BATCH: usize = 64;

/// What the items of one share ask for.
pub(super) struct Wishes<'a> {
    rounds: &'a Rounds,
    next_round: u32,
    items: [u32; BATCH],
    count: usize,
    least: f64,
}

impl Wishes<'_> {
    /// Puts an item into the next round. It has something to do above a reach of `least`.
    pub(super) fn wake(&mut self, item: usize, least: f64) {
        self.least = self.least.min(least);
        if self.rounds.items[item].due.swap(self.next_round, Relaxed) != self.next_round {
            if self.count == BATCH {
                self.hand_in_items();
            }
            self.items[self.count] = item as u32;
            self.count += 1;
        }
    }

    fn hand_in_items(&mut self) {
        let start = self.rounds.next.0.count.fetch_add(self.count, Relaxed);
        let places = &self.rounds.lists[self.next_round as usize % 2][start..];
        for (place, &item) in places.iter().zip(&self.items[..self.count]) {
            place.store(item, Relaxed);
        }
        self.count = 0;
    }

    fn hand_in(&mut self) {
        if self.count > 0 {
            self.hand_in_items();
        }
        if self.least < f64::INFINITY {
            self.rounds.next.0.least.fetch_min(self.least.to_bits(), Relaxed);
        }
    }
}

/// Ends the rounds if a thread panics, since the others would wait for its items for ever.
struct EndOnPanic<'a>(&'a Rounds);

impl Drop for EndOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let turn = &self.0.turn.0;
            turn.store(Turn::after(Turn::of(turn.load(Relaxed)).tag, 0), Release);
        }
    }
}

impl Rounds {
    pub(super) fn new(items: usize) -> Self {
        assert!(items < 1 << COUNT_BITS, "{items} tiles are more than the solver can number");
        let list = || (0..items).map(|_| AtomicU32::new(0)).collect::<Vec<_>>();
        Self {
            turn: Apart::default(),
            present: Apart::default(),
            next: Apart::default(),
            lists: [list(), list()],
            items: (0..items).map(|_| Item::default()).collect(),
        }
    }

    pub(super) fn memory(&self) -> usize {
        4 * (self.lists[0].capacity() + self.lists[1].capacity()) + self.items.capacity() * size_of::<Item>()
    }

    /// Starts over, with an empty first round.
    pub(super) fn begin(&mut self) {
        for item in &mut self.items {
            (*item.due.get_mut(), *item.taken.get_mut()) = (0, 0);
        }
        *self.turn.0.get_mut() = 0;
        self.present.0 = Present { number: AtomicU32::new(1), reach: AtomicU64::new(1f64.to_bits()) };
        self.next.0 = Next { least: AtomicU64::new(f64::INFINITY.to_bits()), ..Next::default() };
    }

    /// Puts an item into the first round.
    pub(super) fn seed(&mut self, item: usize) {
        if std::mem::replace(self.items[item].due.get_mut(), 1) != 1 {
            let turn = self.turn.0.get_mut();
            let count = Turn::of(*turn).count;
            *self.lists[1][count].get_mut() = item as u32;
            *turn = Turn::after(0, count + 1);
        }
    }

    /// Rounds that there were.
    pub(super) fn count(&self) -> u64 {
        self.present.0.number.load(Relaxed).into()
    }

    /// Visits items of the present round until all are taken, and makes the next round if nobody else is in it any more.
    /// `me` is the thread; `seen` the tag of the last round that it has been in.
    pub(super) fn help(&self, me: u32, seen: &mut u64, visit: impl FnMut(usize, Round, &mut Wishes<'_>)) -> Share {
        // Looking disturbs nobody; entering does.
        let free = |turn: Turn| turn.count > 0 && !turn.closed && turn.tag != *seen;
        let mut turn = Turn::of(self.turn.0.load(Acquire));
        if free(turn) {
            turn = Turn::of(self.turn.0.fetch_add(1, AcqRel));
        }
        if !free(turn) {
            return if turn.count == 0 { Share::Over } else { Share::Nothing };
        }
        *seen = turn.tag;
        let _guard = EndOnPanic(self);
        // The round cannot end before this thread leaves it, so its numbers stay.
        let Present { number, reach } = &self.present.0;
        let round = Round { number: number.load(Relaxed), reach: f64::from_bits(reach.load(Relaxed)) };
        let done = self.take(round, &self.lists[round.number as usize % 2][..turn.count], me, visit);
        self.leave(round, turn, done);
        if done > 0 { Share::Done } else { Share::Nothing }
    }

    /// Takes first what was this thread's before, then whatever is left. Returns how many.
    fn take(
        &self,
        round: Round,
        list: &[AtomicU32],
        me: u32,
        mut visit: impl FnMut(usize, Round, &mut Wishes<'_>),
    ) -> u64 {
        let next_round = round.number + 1;
        let mut wishes = Wishes { rounds: self, next_round, items: [0; BATCH], count: 0, least: f64::INFINITY };
        let mut done = 0;
        for mine in [true, false] {
            for place in list {
                let number = place.load(Relaxed) as usize;
                let item = &self.items[number];
                if (mine && item.by.load(Relaxed) != me) || item.taken.load(Relaxed) == round.number {
                    continue;
                }
                if item.taken.swap(round.number, Relaxed) != round.number {
                    item.by.store(me, Relaxed);
                    visit(number, round, &mut wishes);
                    done += 1;
                }
            }
        }
        wishes.hand_in();
        done
    }

    /// Leaves a round; the last one to do so makes the next.
    fn leave(&self, round: Round, turn: Turn, done: u64) {
        let finished = &self.next.0.finished;
        if (finished.fetch_add(done << 32 | 1, AcqRel) >> 32) + done != turn.count as u64 {
            return;
        }
        loop {
            let bits = self.turn.0.load(Acquire);
            let now = Turn::of(bits);
            let left = finished.load(Acquire) & u64::from(u32::MAX);
            if now.tag != turn.tag || now.closed || now.entered != left {
                return; // another one is still in it and will come here, or has been here
            }
            if self.turn.0.compare_exchange(bits, bits | CLOSED, AcqRel, Relaxed).is_ok() {
                return self.next_round(round, turn.tag);
            }
        }
    }

    /// Done by one thread, when no other is in the round any more.
    fn next_round(&self, round: Round, tag: u64) {
        let next = &self.next.0;
        let count = next.count.swap(0, Relaxed);
        if count > 0 {
            next.finished.store(0, Relaxed);
            let least = f64::from_bits(next.least.swap(f64::INFINITY.to_bits(), Relaxed));
            // Rounds that would find nothing to do are left out. Far out a step must be more than an `f32` rounds away.
            let after = |reach: f64| reach.floor() + (2e-7 * reach).max(1.0);
            let reach = after(round.reach).max(after(least));
            self.present.0.reach.store(reach.to_bits(), Relaxed);
            self.present.0.number.store(round.number + 1, Relaxed);
        }
        self.turn.0.store(Turn::after(tag, count), Release);
    }
}
