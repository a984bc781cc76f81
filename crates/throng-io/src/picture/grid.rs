//! What each drawn cell shows.
//!
//! A drawn cell is a cell of the field, or, for grids with more cells than a
//! picture should have pixels, a block of them.

use super::{FieldPicture, Values};
use crate::ticks;

/// The largest number of drawn cells along a side.
const MOST: usize = 2048;

/// What a drawn cell shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Cell {
    Wall,
    Unreached,
    NotFinite,
    /// A vector of length zero among directions.
    NoDirection,
    /// A number; the direction in turns from the east where the colours show
    /// directions.
    Shown(f32),
}

/// What the colours show.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    Amount,
    Direction,
}

/// The values at the ends of the colours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Limits {
    pub(super) low: f64,
    pub(super) high: f64,
}

/// At which ends there are values beyond the limits.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Beyond {
    pub(super) low: bool,
    pub(super) high: bool,
}

pub(super) struct Grid {
    pub(super) columns: i32,
    pub(super) rows: i32,
    /// How many cells of the field a drawn cell stands for along each side.
    pub(super) block: i32,
    pub(super) kind: Kind,
    /// `None` where there is no value to show.
    pub(super) limits: Option<Limits>,
    pub(super) beyond: Beyond,
    /// The least and the largest value there is, whatever the limits.
    pub(super) found: Option<(f32, f32)>,
    cells: Vec<Cell>,
}

/// A cell of the field, by what its masks and its value say.
enum Content {
    Wall,
    Unreached,
    NotFinite,
    Open { amount: f32, vector: [f32; 2] },
}

impl FieldPicture<'_> {
    fn content(&self, index: usize) -> Content {
        if self.walls.get(index) == Some(&true) {
            return Content::Wall;
        }
        if self.unreached.get(index) == Some(&true) {
            return Content::Unreached;
        }
        let (amount, vector) = match self.values {
            Values::Scalar(values) => (values[index], [0.0, 0.0]),
            Values::Vector(values) | Values::Direction(values) => {
                let [east, north] = values[index];
                // Finite components may have a magnitude that is too large
                // for f32, which does not make them wrong.
                let amount =
                    if east.is_finite() && north.is_finite() { east.hypot(north).min(f32::MAX) } else { f32::NAN };
                (amount, values[index])
            }
        };
        if amount.is_finite() { Content::Open { amount, vector } } else { Content::NotFinite }
    }

    fn open_amounts(&self) -> impl Iterator<Item = f32> + '_ {
        (0..self.width * self.height).filter_map(|index| match self.content(index) {
            Content::Open { amount, .. } => Some(amount),
            _ => None,
        })
    }

    /// Whether a cell takes part in the field: no wall, reached and finite.
    pub(super) fn is_open(&self, index: usize) -> bool {
        matches!(self.content(index), Content::Open { .. })
    }

    fn kind(&self) -> Kind {
        if matches!(self.values, Values::Direction(_)) { Kind::Direction } else { Kind::Amount }
    }
}

/// What the cells of a block add up to.
#[derive(Clone, Copy, Default)]
struct Block {
    walls: usize,
    unreached: usize,
    not_finite: bool,
    /// The largest open amount.
    peak: Option<f32>,
    sum: [f64; 2],
    /// As many wall cells as a wall one cell thick has on its way through.
    crossed: bool,
}

impl Block {
    fn add(&mut self, content: Content) {
        match content {
            Content::Wall => self.walls += 1,
            Content::Unreached => self.unreached += 1,
            Content::NotFinite => self.not_finite = true,
            Content::Open { amount, vector } => {
                self.peak = Some(self.peak.map_or(amount, |peak| peak.max(amount)));
                self.sum[0] += f64::from(vector[0]);
                self.sum[1] += f64::from(vector[1]);
            }
        }
    }

    /// What to show, `is_peak` telling whether the amount stands out.
    fn shown(&self, kind: Kind, is_peak: bool) -> Cell {
        if self.not_finite {
            return Cell::NotFinite;
        }
        let Some(peak) = self.peak else {
            return if self.crossed || self.unreached == 0 { Cell::Wall } else { Cell::Unreached };
        };
        // A thin wall would vanish if open cells always won, and a peak that
        // leans against a wall if the wall did.
        if self.crossed && !is_peak {
            return Cell::Wall;
        }
        let [east, north] = self.sum;
        match kind {
            Kind::Amount => Cell::Shown(peak),
            Kind::Direction if east.hypot(north) < 1e-3 => Cell::NoDirection,
            Kind::Direction => {
                let turns = north.atan2(east) / std::f64::consts::TAU;
                Cell::Shown(turns.rem_euclid(1.0) as f32)
            }
        }
    }
}

/// Columns and rows of drawn cells, and how many cells of the grid a side of each has.
pub(super) fn drawn_cells(width: usize, height: usize) -> (i32, i32, usize) {
    let block = width.max(height).div_ceil(MOST).max(1);
    (width.div_ceil(block) as i32, height.div_ceil(block) as i32, block)
}

impl Grid {
    /// The picture must have been checked.
    pub(super) fn new(picture: &FieldPicture<'_>) -> Self {
        let (columns, rows, block) = drawn_cells(picture.width, picture.height);
        let (columns, rows) = (columns as usize, rows as usize);
        let kind = picture.kind();

        let mut least = f32::INFINITY;
        let mut largest = f32::NEG_INFINITY;
        for amount in picture.open_amounts() {
            (least, largest) = (least.min(amount), largest.max(amount));
        }
        let found = (least <= largest).then_some((least, largest));
        let limits = picture.limits.or(found).map(|(low, high)| {
            let (low, high) = ticks::readable(low.into(), high.into());
            Limits { low, high }
        });
        let beyond = match (limits, found) {
            (Some(limits), Some((least, largest))) => {
                Beyond { low: f64::from(least) < limits.low, high: f64::from(largest) > limits.high }
            }
            _ => Beyond::default(),
        };

        let mut blocks = Vec::with_capacity(columns * rows);
        for row in 0..rows {
            for column in 0..columns {
                let (left, bottom) = (column * block, row * block);
                let right = (left + block).min(picture.width);
                let top = (bottom + block).min(picture.height);
                let mut sum = Block::default();
                for y in bottom..top {
                    for x in left..right {
                        sum.add(picture.content(y * picture.width + x));
                    }
                }
                sum.crossed = sum.walls >= (right - left).min(top - bottom);
                blocks.push(sum);
            }
        }
        let range = found.map_or(0.0, |(least, largest)| largest - least);
        let cells = (0..blocks.len())
            .map(|index| {
                let is_peak = kind == Kind::Amount && stands_out(&blocks, columns, index, range / 10.0);
                blocks[index].shown(kind, is_peak)
            })
            .collect();
        Self {
            columns: columns as i32,
            rows: rows as i32,
            block: i32::try_from(block).unwrap_or(i32::MAX),
            kind,
            limits,
            beyond,
            found,
            cells,
        }
    }

    pub(super) fn cell(&self, column: i32, row: i32) -> Cell {
        self.cells[(row * self.columns + column) as usize]
    }

    /// Whether any drawn cell is such a one.
    pub(super) fn has(&self, cell: Cell) -> bool {
        self.cells.contains(&cell)
    }
}

/// Whether a block's amount exceeds those of its eight neighbours by more
/// than `margin`: something that is seen nowhere else.
fn stands_out(blocks: &[Block], columns: usize, index: usize, margin: f32) -> bool {
    let Some(peak) = blocks[index].peak else {
        return false;
    };
    let rows = blocks.len() / columns;
    let (column, row) = (index % columns, index / columns);
    let around = |at: usize, end: usize| at.saturating_sub(1)..(at + 2).min(end);
    around(row, rows)
        .flat_map(|y| around(column, columns).map(move |x| y * columns + x))
        .filter(|&other| other != index)
        .filter_map(|other| blocks[other].peak)
        .all(|other| peak > other + margin)
}
