//! Rounds of work items, shared by however many threads come.
//!
//! A round is a list of items. Threads claim them one by one; whoever finishes the last one sets up the next round from what the
//! items have asked for. No thread is ever waited for unless it has claimed an item, so it does not matter how many come, when
//! they come, or whether the pool is busy with something else: one thread alone does it all. Waiting for the next round
//! is done by looking again and again, because a round takes microseconds and waking a sleeping thread as many.

use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize};

/// How often a waiting thread looks before it lets others have its core: some microseconds.
const PATIENCE: u32 = 200;

/// Bits of a place in a round's list.
const PLACE_BITS: u32 = 24;
/// Where the round begins among the bits of [`Rounds::turn`].
const ROUND_SHIFT: u32 = 2 * PLACE_BITS;
/// The most items that a round can have.
pub(super) const MOST_ITEMS: usize = (1 << PLACE_BITS) - 1;

/// A round: its number, from 1 on, and up to where it visits values, in widths of a round.
#[derive(Clone, Copy, Debug)]
pub(super) struct Round {
    pub(super) number: u32,
    pub(super) reach: f64,
}

/// The present round and the next.
#[derive(Debug)]
pub(super) struct Rounds {
    /// From the lowest bits: the next place of the list to claim, the length of the list (24 bits each) and the
    /// round (16 bits), so that a claim is one addition and cannot mix up rounds. A list without items means the end.
    turn: Apart<AtomicU64>,
    present: Apart<Present>,
    next: Apart<Next>,
    /// The items of even and of odd rounds.
    lists: [Vec<AtomicU32>; 2],
    /// The last round that each item was put into.
    due: Vec<AtomicU32>,
}

/// On cache lines of its own: who waits for one number is not disturbed by others that change.
#[derive(Debug, Default)]
#[repr(align(128))]
struct Apart<T>(T);

/// Written between rounds only.
#[derive(Debug, Default)]
struct Present {
    number: AtomicU32,
    /// The bits of [`Round::reach`].
    reach: AtomicU64,
}

/// Written by all threads as they come to the end of their share.
#[derive(Debug, Default)]
struct Next {
    /// Items of the present round that are finished.
    finished: AtomicUsize,
    /// How many items are in the next round's list.
    count: AtomicUsize,
    /// The reach (its bits) above which one of them has something to do.
    least: AtomicU64,
}

/// A place in the list of a round; beyond its end there is nothing left to claim in it.
struct Claim {
    round: u64,
    count: usize,
    place: usize,
}

/// How many items a thread collects before it puts them into the next round's list.
const BATCH: usize = 64;

/// What the items that one thread visits ask for.
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
        if self.rounds.due[item].swap(self.next_round, Relaxed) != self.next_round {
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
            self.least = f64::INFINITY;
        }
    }
}

/// Ends the rounds for all if a thread panics, since the others would wait for it for ever.
struct EndOnPanic<'a>(&'a Rounds);

impl Drop for EndOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let turn = &self.0.turn.0;
            turn.store(first_turn(turn.load(Relaxed) >> ROUND_SHIFT, 0), Release);
        }
    }
}

/// The turn after that of a round, for a list of some length.
fn first_turn(round: u64, count: usize) -> u64 {
    (round + 1) << ROUND_SHIFT | (count as u64) << PLACE_BITS
}

/// The length of the list, from [`Rounds::turn`].
fn count_of(turn: u64) -> usize {
    (turn >> PLACE_BITS) as usize & MOST_ITEMS
}

impl Rounds {
    pub(super) fn new(items: usize) -> Self {
        assert!(items <= MOST_ITEMS, "{items} tiles and goals are more than the solver can number");
        let zeros = || (0..items).map(|_| AtomicU32::new(0)).collect::<Vec<_>>();
        Self {
            turn: Apart::default(),
            present: Apart::default(),
            next: Apart::default(),
            lists: [zeros(), zeros()],
            due: zeros(),
        }
    }

    pub(super) fn memory(&self) -> usize {
        4 * (self.lists[0].capacity() + self.lists[1].capacity() + self.due.capacity())
    }

    /// Starts over, with an empty first round.
    pub(super) fn begin(&mut self) {
        for due in &mut self.due {
            *due.get_mut() = 0;
        }
        *self.turn.0.get_mut() = 0;
        self.present.0 = Present { number: AtomicU32::new(1), reach: AtomicU64::new(1f64.to_bits()) };
        self.next.0 = Next { least: AtomicU64::new(f64::INFINITY.to_bits()), ..Next::default() };
    }

    /// Puts an item into the first round.
    pub(super) fn seed(&mut self, item: usize) {
        if std::mem::replace(self.due[item].get_mut(), 1) != 1 {
            let turn = self.turn.0.get_mut();
            *self.lists[1][(*turn >> PLACE_BITS) as usize].get_mut() = item as u32;
            *turn += 1 << PLACE_BITS;
        }
    }

    /// Rounds that there were.
    pub(super) fn count(&self) -> u64 {
        self.present.0.number.load(Relaxed).into()
    }

    /// What each thread does: claims items of round after round, until one asks for no further round.
    pub(super) fn work(&self, mut visit: impl FnMut(usize, Round, &mut Wishes<'_>)) {
        let _guard = EndOnPanic(self);
        let mut wishes =
            Wishes { rounds: self, next_round: 0, items: [0; BATCH], count: 0, least: f64::INFINITY };
        loop {
            let mut claim = self.claim();
            if claim.count == 0 {
                return;
            }
            if claim.place < claim.count {
                // The round cannot end before the claimed item is finished, so its numbers stay.
                let Present { number, reach } = &self.present.0;
                let round = Round { number: number.load(Relaxed), reach: f64::from_bits(reach.load(Relaxed)) };
                wishes.next_round = round.number + 1;
                let list = &self.lists[round.number as usize % 2];
                let mut done = 0;
                while claim.place < claim.count {
                    visit(list[claim.place].load(Relaxed) as usize, round, &mut wishes);
                    done += 1;
                    claim = self.claim();
                }
                wishes.hand_in();
                if self.next.0.finished.fetch_add(done, AcqRel) + done == claim.count {
                    self.next_round(round, claim.round);
                    continue;
                }
            }
            self.wait(claim.round);
        }
    }

    fn claim(&self) -> Claim {
        let turn = self.turn.0.fetch_add(1, AcqRel);
        Claim { round: turn >> ROUND_SHIFT, count: count_of(turn), place: turn as usize & MOST_ITEMS }
    }

    /// Done by one thread while all others wait.
    fn next_round(&self, round: Round, turn: u64) {
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
        self.turn.0.store(first_turn(turn, count), Release);
    }

    /// Waits for the round after this one, or for the end.
    fn wait(&self, round: u64) {
        let mut looks = 0;
        loop {
            let turn = self.turn.0.load(Acquire);
            if turn >> ROUND_SHIFT != round || count_of(turn) == 0 {
                return;
            }
            looks += 1;
            if looks < PATIENCE {
                std::hint::spin_loop();
            } else {
                std::thread::yield_now();
            }
        }
    }
}
