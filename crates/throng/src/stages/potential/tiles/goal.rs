//! All tiles of one goal.

use super::Way;
use super::rounds::{Round, Rounds, Share, Wishes};
use super::tile::{Desk, Ground, Mail, SIDE, Tile};
use crate::stages::potential::{Padded, PaddedCell, UNREACHED};
use rayon::prelude::*;
use std::sync::Mutex;

/// How much the limit rises from round to round, in typical link costs. Less makes more rounds and so more waiting for each
/// other, more makes more cells be visited again.
const WIDTH: f64 = 2.5;

/// Why locks are never poisoned.
const NO_PANIC: &str = "a visit does not panic";

/// What a thread needs, and what it has done.
#[derive(Debug, Default)]
pub(super) struct Worker {
    /// The thread's number.
    pub(super) thread: usize,
    pub(super) desk: Desk,
    pub(super) visits: u64,
}

/// The march of one goal.
#[derive(Debug)]
pub(super) struct Goal {
    layout: Padded,
    /// Tiles from west to east and from south to north.
    across: (usize, usize),
    /// Row by row. Only one thread at a time has a tile, so that locks never wait.
    tiles: Vec<Mutex<Tile>>,
    /// What each tile gets from those to the north, east, south and west, in even and in odd rounds.
    mail: [Vec<[Mail; 4]>; 2],
    rounds: Rounds,
    /// Counts solves.
    epoch: u32,
    /// Whether there is or was anything to do in this part of the solve.
    busy: bool,
}

impl Goal {
    pub(super) fn new(layout: Padded) -> Self {
        let across = (layout.width.div_ceil(SIDE), layout.height.div_ceil(SIDE));
        let count = across.0 * across.1;
        let mail = || (0..count).map(|_| Default::default()).collect();
        Self {
            layout,
            across,
            tiles: (0..count).map(|_| Mutex::new(Tile::new())).collect(),
            mail: [mail(), mail()],
            rounds: Rounds::new(count),
            epoch: 0,
            busy: false,
        }
    }

    pub(super) fn memory(&self) -> usize {
        self.tiles.capacity() * size_of::<Mutex<Tile>>()
            + self.mail.iter().map(|m| m.capacity() * size_of::<[Mail; 4]>()).sum::<usize>()
            + self.rounds.memory()
    }

    pub(super) fn layout(&self) -> Padded {
        self.layout
    }

    pub(super) fn tiles(&self) -> usize {
        self.tiles.len()
    }

    /// Rounds since the solve, or its last part, began.
    pub(super) fn rounds(&self) -> u64 {
        if self.busy { self.rounds.count() } else { 0 }
    }

    /// Begins a solve.
    pub(super) fn begin(&mut self, way: &Way<'_>, threads: usize) {
        // A tile that was never visited belongs to epoch 0.
        self.epoch = self.epoch.wrapping_add(1).max(1);
        self.rounds.begin(threads);
        self.busy = true;
        for &cell in way.goal {
            self.seed(way, cell, 0.0);
        }
    }

    /// Gives a cell a value to spread from.
    fn seed(&mut self, way: &Way<'_>, cell: PaddedCell, value: f32) {
        let (number, x, y) = self.find(cell);
        let ground = self.ground(way, number);
        let tile = self.tiles[number].get_mut().expect(NO_PANIC);
        tile.begin(self.epoch, ground);
        tile.seed(x, y, value);
        self.rounds.seed(number);
    }

    /// The tile of a cell, and its column and row there.
    fn find(&self, cell: PaddedCell) -> (usize, usize, usize) {
        let (x, y) = self.layout.coords(cell);
        (y / SIDE * self.across.0 + x / SIDE, x % SIDE, y % SIDE)
    }

    /// Begins a further solve from the cells that gain by links between others than neighbours. Returns whether there are any.
    pub(super) fn jump(&mut self, way: &Way<'_>, threads: usize) -> bool {
        let value = |cell: PaddedCell| {
            let (number, x, y) = self.find(cell);
            let tile = self.tiles[number].lock().expect(NO_PANIC);
            tile.row(self.epoch, y).map_or(UNREACHED, |row| row[x])
        };
        let gains: Vec<(PaddedCell, f32)> = way.jumps.iter().filter_map(|j| Some((j.from, j.gain(value)?))).collect();
        self.busy = !gains.is_empty();
        if self.busy {
            self.rounds.begin(threads);
        }
        for &(cell, new) in &gains {
            self.seed(way, cell, new);
        }
        self.busy
    }

    /// Takes part in a round. `seen` is the last round of this goal that the worker has been in.
    pub(super) fn help(&self, way: &Way<'_>, worker: &mut Worker, seen: &mut u64) -> Share {
        // A unit that makes no sense must not make a limit that nothing reaches.
        let width = WIDTH * f64::from(if way.unit > 1e-30 { way.unit.min(UNREACHED) } else { 1e-30 });
        let Worker { thread, desk, visits } = worker;
        self.rounds
            .help(*thread, seen, |number, round, wishes| *visits += self.visit(way, width, number, round, wishes, desk))
    }

    /// Visits a tile and passes on what has come of it.
    #[inline]
    fn visit(
        &self,
        way: &Way<'_>,
        width: f64,
        number: usize,
        round: Round,
        wishes: &mut Wishes<'_>,
        desk: &mut Desk,
    ) -> u64 {
        let limit = (round.reach * width) as f32;
        let ground = self.ground(way, number);
        let parity = round.number as usize % 2;
        let mut tile = self.tiles[number].lock().expect(NO_PANIC);
        tile.begin(self.epoch, ground);
        let visited = tile.visit(ground, limit, &self.mail[parity][number], desk);
        if visited.lowest < f32::INFINITY {
            wishes.wake(number, f64::from(visited.lowest) / width);
        }
        let (columns, rows) = self.across;
        let (column, row) = (number % columns, number / columns);
        let beyond = [
            (row + 1 < rows).then(|| number + columns),
            (column + 1 < columns).then(|| number + 1),
            (row > 0).then(|| number - columns),
            (column > 0).then(|| number - 1),
        ];
        for (d, neighbour) in beyond.into_iter().enumerate() {
            if let Some(neighbour) = neighbour.filter(|_| !visited.sides[d].is_empty()) {
                tile.send(d, &visited.sides[d], &self.mail[1 - parity][neighbour][d ^ 2]);
                wishes.wake(neighbour, 0.0);
            }
        }
        visited.visits
    }

    /// Columns and rows of cells in a tile.
    fn size(&self, number: usize) -> (usize, usize) {
        let (x, y) = (number % self.across.0 * SIDE, number / self.across.0 * SIDE);
        (SIDE.min(self.layout.width - x), SIDE.min(self.layout.height - y))
    }

    fn ground<'a>(&self, way: &Way<'a>, number: usize) -> Ground<'a> {
        let stride = self.layout.stride();
        let corner = number / self.across.0 * SIDE * stride + number % self.across.0 * SIDE;
        Ground { cost: way.cost, stride, corner, size: self.size(number) }
    }

    /// Copies the values of all tiles into a potential.
    pub(super) fn read(&self, potential: &mut [f32]) {
        let (columns, stride) = (self.across.0, self.layout.stride());
        let (south, rest) = potential.split_at_mut(stride);
        let (inner, north) = rest.split_at_mut(stride * self.layout.height);
        south.fill(UNREACHED);
        north.fill(UNREACHED);
        inner.par_chunks_mut(SIDE * stride).enumerate().for_each(|(row, band)| {
            for line in band.chunks_mut(stride) {
                (line[0], line[stride - 1]) = (UNREACHED, UNREACHED);
            }
            for column in 0..columns {
                let number = row * columns + column;
                let width = self.size(number).0;
                let tile = self.tiles[number].lock().expect(NO_PANIC);
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
