//! Rounds of work items, shared by however many threads come.
//!
//! Threads enter a round and visit the items that were put into it; the last to leave sets up the next round from what
//! the items have asked for. A round waits for nobody who has not entered it, so it does not matter how many threads come,
//! when they come, or whether they have something else to do: one alone does it all.
//!
//! Each thread has a lane with the items that it visited last, since it has them in its cache: moving an item from core
//! to core takes about as long as a visit. Only when its own lane is empty does it take from others, and keep what it took.

use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize};

/// Bits for a number of threads.
const THREAD_BITS: u32 = 16;
/// Bits for a number of items.
const ITEM_BITS: u32 = 24;
/// Set while the next round is made.
const CLOSED: u64 = 1 << (THREAD_BITS - 1);

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
    lanes: Vec<Lane>,
    items: Vec<Apart<Item>>,
}

/// On cache lines of its own: who looks at one thing is not disturbed by others that change.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Apart<T>(T);

/// What threads look at to see whether there is something to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Turn {
    /// Changes with every round; 24 bits.
    tag: u64,
    /// Items of the round; 0 means that there is no further round.
    count: u64,
    /// Threads that have entered the round.
    entered: u64,
    closed: bool,
}

impl Turn {
    fn of(bits: u64) -> Self {
        Self {
            tag: bits >> (THREAD_BITS + ITEM_BITS),
            count: bits >> THREAD_BITS & ((1 << ITEM_BITS) - 1),
            entered: bits & (CLOSED - 1),
            closed: bits & CLOSED != 0,
        }
    }

    /// The bits of the turn after one, before anybody has entered it.
    fn after(tag: u64, count: u64) -> u64 {
        ((tag + 1) << ITEM_BITS | count) << THREAD_BITS
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
    /// The bits of [`Done`].
    done: AtomicU64,
    /// The reach (its bits) above which an item of the next round has something to do.
    least: AtomicU64,
}

/// What the threads have done that have left the present round.
#[derive(Clone, Copy, Debug)]
struct Done {
    /// Items visited.
    visited: u64,
    /// Items put into the next round.
    woken: u64,
    /// Threads.
    left: u64,
}

impl Done {
    fn of(bits: u64) -> Self {
        Self {
            visited: bits >> (THREAD_BITS + ITEM_BITS),
            woken: bits >> THREAD_BITS & ((1 << ITEM_BITS) - 1),
            left: bits & ((1 << THREAD_BITS) - 1),
        }
    }

    fn bits(self) -> u64 {
        (self.visited << ITEM_BITS | self.woken) << THREAD_BITS | self.left
    }
}

#[derive(Debug)]
struct Item {
    /// The last round that it was put into.
    due: AtomicU32,
    /// The lane that it belongs to.
    lane: AtomicU32,
}

/// The lane of an item that nobody has asked for yet.
const NOBODY: u32 = u32::MAX;

/// Items of one thread, for even and for odd rounds. A ring that nobody ever empties: it is full up to `tail` and
/// taken up to `head`, and every round ends with both equal.
#[derive(Debug, Default)]
struct Lane {
    head: Apart<[AtomicUsize; 2]>,
    tail: Apart<[AtomicUsize; 2]>,
    ring: [Vec<AtomicU32>; 2],
}

impl Lane {
    fn new(items: usize) -> Self {
        let ring = || (0..items).map(|_| AtomicU32::new(0)).collect();
        Self { ring: [ring(), ring()], ..Self::default() }
    }

    fn push(&self, parity: usize, item: usize) {
        let place = self.tail.0[parity].fetch_add(1, Relaxed);
        self.ring[parity][place % self.ring[parity].len()].store(item as u32, Relaxed);
    }

    fn pop(&self, parity: usize) -> Option<usize> {
        let head = &self.head.0[parity];
        let mut place = head.load(Relaxed);
        while place != self.tail.0[parity].load(Relaxed) {
            match head.compare_exchange_weak(place, place.wrapping_add(1), Relaxed, Relaxed) {
                Ok(_) => return Some(self.ring[parity][place % self.ring[parity].len()].load(Relaxed) as usize),
                Err(other) => place = other,
            }
        }
        None
    }
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

/// What the items ask for that one thread visits.
pub(super) struct Wishes<'a> {
    rounds: &'a Rounds,
    me: usize,
    next_round: u32,
    woken: u64,
    least: f64,
}

impl Wishes<'_> {
    /// Puts an item into the next round. It has something to do above a reach of `least`.
    pub(super) fn wake(&mut self, item: usize, least: f64) {
        self.least = self.least.min(least);
        let Item { due, lane } = &self.rounds.items[item].0;
        if due.load(Relaxed) == self.next_round || due.swap(self.next_round, Relaxed) == self.next_round {
            return;
        }
        let mut whose = lane.load(Relaxed) as usize;
        if whose >= self.rounds.lanes.len() {
            whose = self.me;
            lane.store(self.me as u32, Relaxed);
        }
        self.rounds.lanes[whose].push(self.next_round as usize % 2, item);
        self.woken += 1;
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
        assert!(items < 1 << ITEM_BITS, "{items} tiles are more than the solver can number");
        let item = || Apart(Item { due: AtomicU32::new(0), lane: AtomicU32::new(NOBODY) });
        Self {
            turn: Apart::default(),
            present: Apart::default(),
            next: Apart::default(),
            lanes: Vec::new(),
            items: (0..items).map(|_| item()).collect(),
        }
    }

    pub(super) fn memory(&self) -> usize {
        self.lanes.len() * (size_of::<Lane>() + 8 * self.items.len()) + self.items.capacity() * size_of::<Apart<Item>>()
    }

    /// Starts over, with an empty first round, for so many threads.
    pub(super) fn begin(&mut self, threads: usize) {
        for item in &mut self.items {
            *item.0.due.get_mut() = 0;
        }
        let items = self.items.len();
        self.lanes.resize_with(threads.clamp(1, CLOSED as usize / 2), || Lane::new(items));
        *self.turn.0.get_mut() = 0;
        self.present.0 = Present { number: AtomicU32::new(1), reach: AtomicU64::new(1f64.to_bits()) };
        self.next.0 = Next { done: AtomicU64::new(0), least: AtomicU64::new(f64::INFINITY.to_bits()) };
    }

    /// Puts an item into the first round.
    pub(super) fn seed(&mut self, item: usize) {
        let Item { due, lane } = &mut self.items[item].0;
        if std::mem::replace(due.get_mut(), 1) != 1 {
            let whose = *lane.get_mut() as usize;
            self.lanes[if whose < self.lanes.len() { whose } else { 0 }].push(1, item);
            let turn = self.turn.0.get_mut();
            *turn = Turn::after(0, Turn::of(*turn).count + 1);
        }
    }

    /// Rounds that there were.
    pub(super) fn count(&self) -> u64 {
        self.present.0.number.load(Relaxed).into()
    }

    /// Visits items of the present round until all are taken, and makes the next round if nobody else is in it any more.
    /// `thread` is the caller's number; `seen` the tag of the last round that it has been in.
    pub(super) fn help(
        &self,
        thread: usize,
        seen: &mut u64,
        visit: impl FnMut(usize, Round, &mut Wishes<'_>),
    ) -> Share {
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
        let done = self.take(round, thread % self.lanes.len(), visit);
        self.leave(round, turn, done);
        if done.visited > 0 { Share::Done } else { Share::Nothing }
    }

    /// Visits the items of a lane, then those that are left in the others.
    fn take(&self, round: Round, me: usize, mut visit: impl FnMut(usize, Round, &mut Wishes<'_>)) -> Done {
        let mut wishes = Wishes { rounds: self, me, next_round: round.number + 1, woken: 0, least: f64::INFINITY };
        let mut visited = 0;
        let (after, mine) = self.lanes.split_at(me);
        for (k, lane) in mine.iter().chain(after).enumerate() {
            while let Some(item) = lane.pop(round.number as usize % 2) {
                if k > 0 {
                    self.items[item].0.lane.store(me as u32, Relaxed);
                }
                visit(item, round, &mut wishes);
                visited += 1;
            }
        }
        if wishes.least < f64::INFINITY {
            let (least, mine) = (&self.next.0.least, wishes.least.to_bits());
            // Looking first saves writing, which most would do in vain. These bits are in the order of their numbers.
            if mine < least.load(Relaxed) {
                least.fetch_min(mine, Relaxed);
            }
        }
        Done { visited, woken: wishes.woken, left: 1 }
    }

    /// Leaves a round; the last one to do so makes the next.
    fn leave(&self, round: Round, turn: Turn, mine: Done) {
        let done = &self.next.0.done;
        let mut all = Done::of(done.fetch_add(mine.bits(), AcqRel) + mine.bits());
        while all.visited == turn.count {
            let bits = self.turn.0.load(Acquire);
            let now = Turn::of(bits);
            if now.tag != turn.tag || now.closed || now.entered != all.left {
                return; // another one is still in it and will come here, or has been here
            }
            if self.turn.0.compare_exchange(bits, bits | CLOSED, AcqRel, Relaxed).is_ok() {
                return self.next_round(round, turn.tag, all.woken);
            }
            all = Done::of(done.load(Acquire));
        }
    }

    /// Done by one thread, when no other is in the round any more.
    fn next_round(&self, round: Round, tag: u64, count: u64) {
        if count > 0 {
            let Next { done, least } = &self.next.0;
            done.store(0, Relaxed);
            let least = f64::from_bits(least.swap(f64::INFINITY.to_bits(), Relaxed));
            // Rounds that would find nothing to do are left out. Far out a step must be more than an `f32` rounds away.
            let after = |reach: f64| reach.floor() + (2e-7 * reach).max(1.0);
            let reach = after(round.reach).max(after(least));
            self.present.0.reach.store(reach.to_bits(), Relaxed);
            self.present.0.number.store(round.number + 1, Relaxed);
        }
        self.turn.0.store(Turn::after(tag, count), Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs rounds on some threads until they are over.
    fn run(rounds: &Rounds, threads: usize, visit: impl Fn(usize, Round, &mut Wishes<'_>) + Sync) {
        std::thread::scope(|scope| {
            for me in 0..threads {
                let visit = &visit;
                scope.spawn(move || {
                    let mut seen = 0;
                    while rounds.help(me, &mut seen, visit) != Share::Over {
                        std::thread::yield_now();
                    }
                });
            }
        });
    }

    #[test]
    fn every_item_is_visited_once_in_each_round_that_it_was_put_into_on_any_number_of_threads() {
        const ITEMS: usize = 100;
        for threads in [1, 2, 5, 9] {
            let mut rounds = Rounds::new(ITEMS);
            rounds.begin(3);
            rounds.seed(0);
            rounds.seed(0);
            let visits: Vec<Vec<AtomicU32>> =
                (0..ITEMS).map(|_| (0..301).map(|_| AtomicU32::new(0)).collect()).collect();
            run(&rounds, threads, |item, round, wishes| {
                visits[item][round.number as usize].fetch_add(1, Relaxed);
                // A crowd that grows by one item a round, asked for from both sides; less the first, after round 200.
                if round.number < 300 {
                    for next in [item, item + 1].into_iter().filter(|&k| k < ITEMS) {
                        if round.number < 200 || next > 50 {
                            wishes.wake(next, 0.0);
                        }
                    }
                }
            });
            assert_eq!(rounds.count(), 300, "{threads} threads");
            for (item, counts) in visits.iter().enumerate() {
                for (round, count) in counts.iter().enumerate().skip(1) {
                    let due = item < round && (round <= 200 || item > 50);
                    assert_eq!(count.load(Relaxed), u32::from(due), "item {item}, round {round}, {threads} threads");
                }
            }
        }
    }

    #[test]
    fn the_reach_grows_by_one_a_round_or_to_where_there_is_something_to_do() {
        let mut rounds = Rounds::new(2);
        rounds.begin(3);
        rounds.seed(1);
        let seen = std::sync::Mutex::new(Vec::new());
        run(&rounds, 1, |_, round, wishes| {
            seen.lock().expect("no panic").push(round.reach);
            match round.number {
                1 => wishes.wake(0, 0.0),
                2 => [wishes.wake(0, 17.5), wishes.wake(1, 6.5)][0],
                3 => wishes.wake(0, 1e12),
                _ => {}
            }
        });
        assert_eq!(seen.into_inner().expect("no panic"), [1.0, 2.0, 7.0, 7.0, 1e12 + 2e5]);
    }

    #[test]
    fn a_visit_that_panics_ends_the_rounds_for_all() {
        let mut rounds = Rounds::new(3);
        rounds.begin(3);
        rounds.seed(2);
        let help = |seen: &mut u64| rounds.help(1, seen, |_, _, _| panic!("on purpose"));
        let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| help(&mut 0)));
        assert!(panicked.is_err());
        assert_eq!(help(&mut 0), Share::Over);
    }
}
