//! One tile of one goal, and the march inside it.

use super::quadrants::least;
use crate::stages::potential::UNREACHED;
use glam::Vec4;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

/// Cells on a side of a tile. With the rim of one cell all round it is 32, so that rows and columns of a place are
/// parts of its bits.
pub(super) const SIDE: usize = 30;
/// Places in a row of a tile, rim included.
const ROW: usize = SIDE + 2;
/// Places in a tile, rim included.
const PLACES: usize = ROW * ROW;
/// Keeps a place within a tile, so that the compiler need not check it, nor those around it.
const WITHIN: usize = PLACES - 1;
/// Something for each place, and a row more on both sides.
type Around<T> = [T; PLACES + 2 * ROW];
/// Where the north, east, south and west neighbour of a place is in an [`Around`], and itself ([`HERE`]).
const NEXT: [usize; 4] = [2 * ROW, ROW + 1, 0, ROW - 1];
const HERE: usize = ROW;

/// In the list of cells whose value is above this round's limit.
const WAITS: u8 = 1;
/// In the list of cells to evaluate.
const LISTED: u8 = 2;
/// In the list of cells that were improved to a value below the limit.
const DUE: u8 = 4;
/// The link to the north, east, south or west is open. Cells that are not the tile's own have none.
const OPEN: [u8; 4] = [16, 32, 64, 128];

/// A cell of a tile: its place in the arrays below.
type Place = u16;

/// What a goal's march knows of one tile.
#[derive(Debug)]
pub(super) struct Tile {
    /// Potentials; on the rim those of the neighbouring tiles' cells, as far as they have been passed on.
    values: Around<f32>,
    marks: Around<u8>,
    /// Cells whose values were above the limit when they were last improved; the first `waits` count.
    waiting: [Place; PLACES],
    waits: usize,
    /// The solve that all this belongs to.
    epoch: u32,
}

/// Where a tile lies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ground<'a> {
    /// Link costs of the whole map, padded.
    pub(super) cost: &'a [[f32; 4]],
    /// Values in a row of the map, border included.
    pub(super) stride: usize,
    /// Index in the map of the tile's first place, the south-west corner of its rim.
    pub(super) corner: usize,
    /// Columns and rows of cells; fewer than [`SIDE`] at the map's east and north sides.
    pub(super) size: (usize, usize),
}

impl Ground<'_> {
    /// Index of a place in the map.
    #[inline(always)]
    fn index(&self, place: usize) -> usize {
        self.corner + place / ROW * self.stride + place % ROW
    }
}

/// Lists that a visit fills and empties again; one set for each thread.
#[derive(Debug)]
pub(super) struct Desk {
    due: [Place; PLACES],
    list: [Place; PLACES],
}

impl Default for Desk {
    fn default() -> Self {
        Self { due: [0; PLACES], list: [0; PLACES] }
    }
}

/// Cells on a side of a tile, in the order of their first visit: lower values come first, and the tile that hears of them
/// has less to do again.
#[derive(Clone, Copy, Default)]
pub(super) struct Side {
    cells: [u8; SIDE],
    count: usize,
    /// A bit for each of them.
    known: u32,
}

impl Side {
    fn add(&mut self, cell: usize) {
        if self.known >> cell & 1 == 0 {
            self.known |= 1 << cell;
            self.cells[self.count] = cell as u8;
            self.count += 1;
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }
}

/// Values of cells on one side of a tile, for the tile beyond that side.
///
/// On cache lines of its own, and the first values on the same as their number: most mail goes from core to core.
#[derive(Debug, Default)]
#[repr(align(64))]
pub(super) struct Mail {
    count: AtomicU32,
    /// The cell, and the bits of its value.
    values: [AtomicU64; SIDE],
}

impl Mail {
    /// Opens the mail: `each(cell of the side, value)`.
    fn take(&self, mut each: impl FnMut(usize, f32)) {
        let count = self.count.load(Relaxed);
        if count > 0 {
            self.count.store(0, Relaxed);
            for value in &self.values[..count as usize] {
                let both = value.load(Relaxed);
                each((both >> 32) as usize, f32::from_bits(both as u32));
            }
        }
    }
}

/// What a visit has done.
pub(super) struct Visited {
    /// Cells that have passed on their values.
    pub(super) visits: u64,
    /// Those of them that lie on the north, east, south and west side.
    pub(super) sides: [Side; 4],
    /// At most the least value of those that still wait; infinite if none does.
    pub(super) lowest: f32,
}

/// The place of cell `k` of a side.
#[inline(always)]
fn on_side(direction: usize, k: usize) -> usize {
    match direction {
        0 => SIDE * ROW + k + 1,
        1 => (k + 1) * ROW + SIDE,
        2 => ROW + k + 1,
        _ => (k + 1) * ROW + 1,
    }
}

impl Tile {
    pub(super) const fn new() -> Self {
        const ALL: usize = PLACES + 2 * ROW;
        Self { values: [UNREACHED; ALL], marks: [0; ALL], waiting: [0; PLACES], waits: 0, epoch: 0 }
    }

    /// Forgets the last solve, if that is not forgotten yet.
    pub(super) fn begin(&mut self, epoch: u32, ground: Ground<'_>) {
        if self.epoch == epoch {
            return;
        }
        self.epoch = epoch;
        self.values.fill(UNREACHED);
        self.waits = 0;
        let (width, height) = ground.size;
        for y in 1..=height {
            let start = ground.index(y * ROW + 1);
            let marks = &mut self.marks[HERE + y * ROW + 1..][..width];
            for (mark, cost) in marks.iter_mut().zip(&ground.cost[start..][..width]) {
                *mark = (Vec4::from_slice(cost).cmplt(Vec4::splat(UNREACHED)).bitmask() << 4) as u8;
            }
        }
    }

    /// Gives a cell a value to spread from.
    pub(super) fn seed(&mut self, x: usize, y: usize, value: f32) {
        let place = (y + 1) * ROW + x + 1;
        self.values[HERE + place] = value;
        if self.marks[HERE + place] & WAITS == 0 {
            self.marks[HERE + place] |= WAITS;
            self.waiting[self.waits] = place as Place;
            self.waits += 1;
        }
    }

    /// The potentials of a row of cells; nothing was reached if the tile has not been begun in this solve.
    pub(super) fn row(&self, epoch: u32, y: usize) -> Option<&[f32]> {
        (self.epoch == epoch).then(|| &self.values[HERE + (y + 1) * ROW + 1..][..SIDE])
    }

    /// Marches on, with what the neighbours have sent, until no cell below `limit` can be improved.
    pub(super) fn visit(&mut self, ground: Ground<'_>, limit: f32, mail: &[Mail; 4], desk: &mut Desk) -> Visited {
        let mut visited = Visited { visits: 0, sides: [Side::default(); 4], lowest: f32::INFINITY };
        let mut listed = self.receive(mail, desk);
        let mut due = self.take_due(limit, desk, &mut visited);
        let kept = self.waits;
        loop {
            due = self.evaluate(ground, limit, listed, due, desk);
            if due == 0 {
                break;
            }
            visited.visits += due as u64;
            listed = self.spread(due, desk, &mut visited);
            due = 0;
        }
        if self.waits > kept {
            visited.lowest = limit;
        }
        visited
    }

    /// Takes over what neighbouring tiles have sent and lists the cells that may gain from it.
    fn receive(&mut self, mail: &[Mail; 4], desk: &mut Desk) -> usize {
        let mut listed = 0;
        for (d, mail) in mail.iter().enumerate() {
            mail.take(|k, value| {
                let cell = on_side(d, k) & WITHIN;
                let beyond = cell + NEXT[d];
                if value < self.values[beyond] {
                    self.values[beyond] = value;
                    if self.may_gain(cell + HERE, d, value) {
                        self.marks[cell + HERE] |= LISTED;
                        desk.list[listed & WITHIN] = cell as Place;
                        listed += 1;
                    }
                }
            });
        }
        listed
    }

    /// Whether a cell is to be evaluated because its neighbour in a direction now has a value.
    #[inline(always)]
    fn may_gain(&self, cell: usize, direction: usize, value: f32) -> bool {
        let open = OPEN[direction];
        (self.values[cell] > value) & (self.marks[cell] & (LISTED | open) == open)
    }

    /// Cells that wait and are below the limit by now become due. All loops of this kind write first and count then:
    /// nobody can foresee the branch that they would need otherwise.
    fn take_due(&mut self, limit: f32, desk: &mut Desk, visited: &mut Visited) -> usize {
        let (mut due, mut kept) = (0, 0);
        for k in 0..self.waits {
            let place = self.waiting[k & WITHIN];
            let cell = usize::from(place) & WITHIN;
            let value = self.values[cell + HERE];
            // Without the mark it was improved below an earlier limit, and has been visited since.
            let waits = self.marks[cell + HERE] & WAITS != 0;
            let (now, later) = (waits & (value < limit), waits & (value >= limit));
            desk.due[due & WITHIN] = place;
            due += usize::from(now);
            self.waiting[kept & WITHIN] = place;
            kept += usize::from(later);
            self.marks[cell + HERE] ^= u8::from(now) * (WAITS | DUE);
            visited.lowest = visited.lowest.min(if later { value } else { f32::INFINITY });
        }
        self.waits = kept;
        due
    }

    /// Evaluates the listed cells, one after the other. Those that improve become due or wait.
    #[inline(always)]
    fn evaluate(&mut self, ground: Ground<'_>, limit: f32, listed: usize, mut due: usize, desk: &mut Desk) -> usize {
        let Self { values, marks, waiting, .. } = self;
        let mut waits = self.waits;
        for &place in &desk.list[..listed] {
            let cell = usize::from(place) & WITHIN;
            let near = NEXT.map(|next| values[cell + next]);
            let (old, new) = (values[cell + HERE], least(near, &ground.cost[ground.index(cell)]));
            let better = new < old;
            values[cell + HERE] = if better { new } else { old };
            let mark = marks[cell + HERE] & !LISTED;
            let (below, above) = (better & (new < limit), better & (new >= limit));
            desk.due[due & WITHIN] = place;
            due += usize::from(below & (mark & DUE == 0));
            waiting[waits & WITHIN] = place;
            waits += usize::from(above & (mark & WAITS == 0));
            let mark = mark & !(u8::from(below) * WAITS);
            marks[cell + HERE] = mark | (u8::from(below) * DUE) | (u8::from(above) * WAITS);
        }
        self.waits = waits;
        due
    }

    /// Visits the due cells: lists those of their neighbours that may gain.
    #[inline(always)]
    fn spread(&mut self, due: usize, desk: &mut Desk, visited: &mut Visited) -> usize {
        let mut listed = 0;
        for &place in &desk.due[..due] {
            let cell = usize::from(place) & WITHIN;
            let value = self.values[cell + HERE];
            self.marks[cell + HERE] &= !DUE;
            let (x, y) = (cell % ROW - 1, cell / ROW - 1);
            if (x == 0) | (x == SIDE - 1) | (y == 0) | (y == SIDE - 1) {
                let on = [y == SIDE - 1, x == SIDE - 1, y == 0, x == 0];
                for d in (0..4).filter(|&d| on[d]) {
                    visited.sides[d].add([x, y][d & 1]);
                }
            }
            for (d, step) in NEXT.into_iter().enumerate() {
                let next = cell + step;
                let gains = self.may_gain(next, d ^ 2, value);
                desk.list[listed & WITHIN] = (next - HERE) as Place;
                listed += usize::from(gains);
                self.marks[next] |= u8::from(gains) * LISTED;
            }
        }
        listed
    }

    /// Sends the values of some cells of a side to the tile beyond it.
    pub(super) fn send(&self, direction: usize, side: &Side, mail: &Mail) {
        for (&cell, value) in side.cells[..side.count].iter().zip(&mail.values) {
            let bits = self.values[on_side(direction, cell.into()) + HERE].to_bits();
            value.store(u64::from(cell) << 32 | u64::from(bits), Relaxed);
        }
        mail.count.store(side.count as u32, Relaxed);
    }
}
