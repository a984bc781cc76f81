//! All goals by all threads: an ordered march inside tiles, rounds of rising value between them.
//!
//! The map is cut into tiles of 30 × 30 cells. A round has a limit, a few typical link costs above the last one's. It visits
//! every tile (of every goal) in which a cell waits with a value below the limit, or to which a neighbouring tile has sent a
//! value. A visit marches on inside the tile until no cell below the limit can be improved; cells that it finds above
//! the limit wait. Each cell of the tile's sides that was visited sends its value to the tile beyond, which takes it in
//! the next round.
//!
//! **Same bits.** A visit reads its own tile and what was sent in the round before, and nothing else. So it does not matter
//! which thread makes it, nor in which order, nor how many there are: values, and even the number of visits, follow from
//! costs and goals alone.
//!
//! **Inside a tile** cells are not sorted: within a limit of a few links the order hardly matters (a cell is visited 1.1 to
//! 1.4 times). Instead all loops run without branches that cannot be foreseen, and a cell is evaluated by all four
//! quadrants in one go of vector instructions.

mod quadrants;
mod rounds;
mod tile;

use super::cpu::March;
use super::{Padded, Scheme, SolveReport, UNREACHED};
use rayon::prelude::*;
use rounds::{Round, Rounds, Wishes};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use tile::{Desk, Ground, Mail, SIDE, Tile};

/// How much the limit rises from round to round, in typical link costs. Less makes more rounds and so more waiting for each
/// other, more makes more cells be visited again.
const WIDTH: f64 = 2.5;

/// Width of the buckets of the thesis scheme's march, in typical link costs.
const BUCKET: f32 = 0.25;

/// One goal and the costs of walking there.
#[derive(Clone, Copy, Debug)]
pub struct Way<'a> {
    /// The cost of the link from each cell to its north, east, south and west neighbour, [`UNREACHED`] where it is
    /// closed, in the padded layout.
    pub cost: &'a [[f32; 4]],
    /// The goal's cells, as padded indices.
    pub goal: &'a [u32],
    /// A typical link cost. It decides about the order of work only.
    pub unit: f32,
}

/// The solver of all goals, with its tiles; reused from step to step so that nothing is allocated.
#[derive(Debug)]
pub struct TileMarch {
    layout: Padded,
    goals: usize,
    /// Tiles from west to east and from south to north.
    across: (usize, usize),
    /// An item is one tile of one goal: all tiles of the first goal, then those of the next.
    tiles: Vec<Mutex<Tile>>,
    /// What items get from the tiles to the north, east, south and west, for odd and for even rounds.
    mail: [Vec<[Mail; 4]>; 2],
    rounds: Rounds,
    /// Counts solves.
    epoch: u32,
    /// For the thesis's scheme, one for each goal.
    marches: Vec<March>,
}

impl Default for TileMarch {
    fn default() -> Self {
        Self {
            layout: Padded { width: 0, height: 0 },
            goals: 0,
            across: (0, 0),
            tiles: Vec::new(),
            mail: [Vec::new(), Vec::new()],
            rounds: Rounds::new(0),
            epoch: 0,
            marches: Vec::new(),
        }
    }
}

impl TileMarch {
    /// Bytes that the solver holds on to.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.tiles.capacity() * size_of::<Mutex<Tile>>()
            + self.mail.iter().map(|m| m.capacity() * size_of::<[Mail; 4]>()).sum::<usize>()
            + self.rounds.memory()
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
            Scheme::Upwind => self.upwind(layout, ways, potentials),
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
        let reports: Vec<SolveReport> = (self.marches.par_iter_mut(), ways, potentials)
            .into_par_iter()
            .with_max_len(1)
            .map(|(march, way, potential)| {
                march.solve(layout, way.cost, way.goal, BUCKET * way.unit, scheme, potential)
            })
            .collect();
        reports.into_iter().fold(SolveReport { converged: true, ..SolveReport::default() }, SolveReport::and)
    }

    fn upwind(&mut self, layout: Padded, ways: &[Way<'_>], potentials: &mut [Vec<f32>]) -> SolveReport {
        self.fit(layout, ways.len());
        self.epoch = self.epoch.wrapping_add(1).max(1);
        self.rounds.begin();
        for (number, way) in ways.iter().enumerate() {
            self.seed(number, way);
        }
        // With fewer than two tiles each, threads would only get in each other's way.
        let threads = rayon::current_num_threads().min(self.tiles.len() / 2).max(1);
        let visits = AtomicU64::new(0);
        let this = &*self;
        let work = || {
            let (mut desk, mut count) = (Desk::default(), 0);
            this.rounds.work(|item, round, wishes| count += this.visit(ways, item, round, wishes, &mut desk));
            visits.fetch_add(count, Ordering::Relaxed);
        };
        (0..threads).into_par_iter().with_max_len(1).for_each(|_| work());
        potentials.par_iter_mut().enumerate().for_each(|(goal, potential)| this.read(goal, potential));
        SolveReport {
            rounds: self.rounds.count(),
            visits: visits.into_inner(),
            converged: true,
            ..SolveReport::default()
        }
    }

    /// Makes room for a map and a number of goals.
    fn fit(&mut self, layout: Padded, goals: usize) {
        if (self.layout, self.goals) == (layout, goals) {
            return;
        }
        let across = (layout.width.div_ceil(SIDE), layout.height.div_ceil(SIDE));
        let items = across.0 * across.1 * goals;
        let mail = || (0..items).map(|_| Default::default()).collect();
        *self = Self {
            layout,
            goals,
            across,
            tiles: (0..items).map(|_| Mutex::new(Tile::new())).collect(),
            mail: [mail(), mail()],
            rounds: Rounds::new(items),
            epoch: 0,
            marches: std::mem::take(&mut self.marches),
        };
    }

    fn seed(&mut self, number: usize, way: &Way<'_>) {
        let stride = self.layout.stride();
        for &cell in way.goal {
            let (x, y) = (cell as usize % stride - 1, cell as usize / stride - 1);
            let place = y / SIDE * self.across.0 + x / SIDE;
            let item = number * self.across.0 * self.across.1 + place;
            let ground = self.ground(way, place);
            let tile = self.tiles[item].get_mut().expect(NO_PANIC);
            tile.begin(self.epoch, ground);
            tile.seed(x % SIDE, y % SIDE);
            self.rounds.seed(item);
        }
    }

    /// Columns and rows of cells in a tile.
    fn size(&self, place: usize) -> (usize, usize) {
        let (x, y) = (place % self.across.0 * SIDE, place / self.across.0 * SIDE);
        (SIDE.min(self.layout.width - x), SIDE.min(self.layout.height - y))
    }

    fn ground<'a>(&self, way: &Way<'a>, place: usize) -> Ground<'a> {
        let stride = self.layout.stride();
        let corner = place / self.across.0 * SIDE * stride + place % self.across.0 * SIDE;
        Ground { cost: way.cost, stride, corner, size: self.size(place) }
    }

    /// Visits an item and passes on what has come of it.
    #[inline]
    fn visit(&self, ways: &[Way<'_>], item: usize, round: Round, wishes: &mut Wishes<'_>, desk: &mut Desk) -> u64 {
        let (columns, rows) = self.across;
        let (goal, place) = (item / (columns * rows), item % (columns * rows));
        let way = &ways[goal];
        // A unit that makes no sense must not make a limit that nothing reaches.
        let width = WIDTH * f64::from(way.unit.max(1e-30).min(UNREACHED));
        let limit = (round.reach * width) as f32;
        let ground = self.ground(way, place);
        let parity = round.number as usize % 2;
        let mut tile = self.tiles[item].lock().expect(NO_PANIC);
        tile.begin(self.epoch, ground);
        let visited = tile.visit(ground, limit, &self.mail[parity][item], desk);
        if visited.lowest < f32::INFINITY {
            wishes.wake(item, f64::from(visited.lowest) / width);
        }
        let (column, row) = (place % columns, place / columns);
        let beyond = [
            (row + 1 < rows).then(|| item + columns),
            (column + 1 < columns).then(|| item + 1),
            (row > 0).then(|| item - columns),
            (column > 0).then(|| item - 1),
        ];
        for (d, neighbour) in beyond.into_iter().enumerate() {
            if let Some(neighbour) = neighbour.filter(|_| !visited.sides[d].is_empty()) {
                tile.send(d, &visited.sides[d], &self.mail[1 - parity][neighbour][d ^ 2]);
                wishes.wake(neighbour, 0.0);
            }
        }
        visited.visits
    }

    /// Copies the values of a goal's tiles into its potential.
    fn read(&self, goal: usize, potential: &mut [f32]) {
        let (columns, stride) = (self.across.0, self.layout.stride());
        let first = goal * columns * self.across.1;
        let (south, rest) = potential.split_at_mut(stride);
        let (inner, north) = rest.split_at_mut(stride * self.layout.height);
        south.fill(UNREACHED);
        north.fill(UNREACHED);
        inner.par_chunks_mut(SIDE * stride).enumerate().for_each(|(row, band)| {
            for line in band.chunks_mut(stride) {
                (line[0], line[stride - 1]) = (UNREACHED, UNREACHED);
            }
            for column in 0..columns {
                let place = row * columns + column;
                let width = self.size(place).0;
                let tile = self.tiles[first + place].lock().expect(NO_PANIC);
                for (y, line) in band.chunks_mut(stride).enumerate() {
                    let cells = &mut line[1 + column * SIDE..][..width];
                    match tile.row(self.epoch, y) {
                        Some(values) => cells.copy_from_slice(&values[..width]),
                        None => cells.fill(UNREACHED),
                    }
                }
            }
        });
    }
}

/// Why locks are never poisoned.
const NO_PANIC: &str = "a visit does not panic";
