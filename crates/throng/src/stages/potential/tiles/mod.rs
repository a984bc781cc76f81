//! All goals by all threads: a march inside tiles, rounds of rising value between them.
//!
//! The map is cut into tiles of 30 × 30 cells. A round has a limit, a few typical link costs above the last one's. It visits
//! every tile in which a cell waits with a value below the limit, or to which a neighbouring tile has sent a value. A
//! visit marches on inside the tile until no cell below the limit can be improved; cells that it finds above the limit wait.
//! Each cell on the tile's sides that was visited sends its value to the tile beyond, which takes it in the next round.
//!
//! **Same bits.** A visit reads its own tile and what was sent in the round before, and nothing else. So it does not matter
//! which thread makes it, nor in which order, nor how many there are: values, and even the number of visits, follow from
//! costs and goals alone.
//!
//! **Inside a tile** cells are not sorted: within a limit of a few links the order hardly matters (a cell is visited 1.1 to
//! 1.4 times in all). Instead all loops run without branches that nobody can foresee, and a cell is evaluated by all
//! four quadrants in one go of vector instructions. So one thread is faster than with the sorted march ([`March`]).
//!
//! **Threads** each have a goal of their own, as far as there are enough; where that goal has nothing to claim they help
//! with the others.
//!
//! Tried and slower: red and black cells in turn, or all cells of a list by the values before it (fewer waits for a
//! result that is still being computed, but 1.2 to 1.6 times the visits); all goals in common rounds (each thread
//! then goes through the fronts of all goals in turn, which do not fit into its cache together).

mod goal;
mod quadrants;
mod rounds;
mod tile;

use super::cpu::March;
use super::{Jump, Padded, PaddedCell, Scheme, SolveReport};
use goal::{Goal, Worker};
use rayon::prelude::*;
use rounds::Share;

/// Width of the buckets of the thesis scheme's march, in typical link costs.
const BUCKET: f32 = 0.25;

/// How often a thread with nothing to do looks again before it lets others have its core: some microseconds, as long as a
/// round takes. Sleeping and being woken would take longer than that.
const PATIENCE: u32 = 200;

/// One goal and the costs of walking there.
#[derive(Clone, Copy, Debug)]
pub struct Way<'a> {
    /// The cost of the link from each cell to its north, east, south and west neighbour,
    /// [`UNREACHED`](super::UNREACHED) where it is closed, in the padded layout.
    pub cost: &'a [[f32; 4]],
    /// The goal's cells.
    pub goal: &'a [PaddedCell],
    /// Links between cells that are not neighbours.
    pub jumps: &'a [Jump],
    /// A typical link cost. It decides about the order of work only.
    pub unit: f32,
}

/// The solver of all goals, with its tiles; reused from step to step so that nothing is allocated.
#[derive(Debug, Default)]
pub struct TileMarch {
    goals: Vec<Goal>,
    /// One for each thread.
    team: Vec<Member>,
    /// For the thesis's scheme, one for each goal.
    marches: Vec<March>,
}

/// A thread's part in all goals.
#[derive(Debug, Default)]
struct Member {
    worker: Worker,
    /// The last round of each goal that it has been in.
    seen: Vec<u64>,
}

impl TileMarch {
    /// Bytes that the solver holds on to.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.goals.iter().map(Goal::memory).sum::<usize>()
            + self.team.capacity() * size_of::<Member>()
            + self.marches.iter().map(March::memory).sum::<usize>()
    }

    /// Solves for several goals, on the threads of the rayon pool that it is called in. Each potential is overwritten.
    ///
    /// # Panics
    /// If there are not as many potentials as ways, or costs or a potential have another size than `layout`.
    pub fn solve(
        &mut self,
        layout: Padded,
        ways: &[Way<'_>],
        scheme: Scheme,
        potentials: &mut [Vec<f32>],
    ) -> SolveReport {
        assert_eq!(ways.len(), potentials.len(), "a potential for each way");
        for (way, potential) in ways.iter().zip(&*potentials) {
            assert_eq!((way.cost.len(), potential.len()), (layout.size(), layout.size()), "padded fields");
        }
        match scheme {
            Scheme::Upwind => self.in_tiles(layout, ways, potentials),
            // It is not monotone: its result is that of the order of this one march.
            Scheme::Thesis => self.one_thread_each(layout, ways, scheme, potentials),
        }
    }

    fn one_thread_each(
        &mut self,
        layout: Padded,
        ways: &[Way<'_>],
        scheme: Scheme,
        potentials: &mut [Vec<f32>],
    ) -> SolveReport {
        self.marches.resize_with(ways.len(), March::default);
        let reports: Vec<SolveReport> = (&mut self.marches, ways, potentials)
            .into_par_iter()
            .with_max_len(1)
            .map(|(march, way, potential)| {
                let ends = (way.goal, way.jumps);
                march.solve(layout, way.cost, ends, BUCKET * way.unit, scheme, potential)
            })
            .collect();
        reports.into_iter().fold(SolveReport { converged: true, ..SolveReport::default() }, SolveReport::and)
    }

    fn in_tiles(&mut self, layout: Padded, ways: &[Way<'_>], potentials: &mut [Vec<f32>]) -> SolveReport {
        if self.goals.first().is_some_and(|goal| goal.layout() != layout) {
            self.goals.clear();
        }
        self.goals.resize_with(ways.len(), || Goal::new(layout));
        // With fewer than two tiles each, threads would only get in each other's way.
        let tiles: usize = self.goals.iter().map(Goal::tiles).sum();
        let threads = rayon::current_num_threads().min(tiles / 2).max(1);
        for (goal, way) in self.goals.iter_mut().zip(ways) {
            goal.begin(way, threads);
        }
        self.team.resize_with(threads, Member::default);
        let mut report = SolveReport { converged: true, ..SolveReport::default() };
        loop {
            let goals = &self.goals;
            self.team.par_iter_mut().enumerate().with_max_len(1).for_each(|(k, member)| member.work(k, goals, ways));
            report.rounds += goals.iter().map(Goal::rounds).max().unwrap_or(0);
            report.visits += self.team.iter().map(|member| member.worker.visits).sum::<u64>();
            let mut goals = self.goals.iter_mut().zip(ways);
            // Without `any`: every goal has to jump.
            if !goals.by_ref().fold(false, |more, (goal, way)| goal.jump(way, threads) | more) {
                break;
            }
        }
        (&self.goals, potentials).into_par_iter().for_each(|(goal, potential)| goal.read(potential));
        report
    }
}

impl Member {
    /// What each thread does until all goals are solved.
    fn work(&mut self, first: usize, goals: &[Goal], ways: &[Way<'_>]) {
        let Self { worker, seen } = self;
        // Its number in the pool, so that it finds the tiles of the last step again.
        (worker.thread, worker.visits) = (rayon::current_thread_index().unwrap_or(0), 0);
        seen.clear();
        seen.resize(goals.len(), 0);
        let mut looks = 0;
        loop {
            let (mut over, mut helped) = (0, false);
            for k in 0..goals.len() {
                let number = (first + k) % goals.len();
                match goals[number].help(&ways[number], worker, &mut seen[number]) {
                    Share::Done => {
                        helped = true;
                        break;
                    }
                    Share::Nothing => {}
                    Share::Over => over += 1,
                }
            }
            if over == goals.len() {
                return;
            }
            looks = if helped { 0 } else { looks + 1 };
            if looks > PATIENCE {
                std::thread::yield_now();
            } else if looks > 0 {
                std::hint::spin_loop();
            }
        }
    }
}
