//! Which parts of the floor have anybody on them, so that empty floor costs nothing.
//!
//! The floor is cut into blocks, some rows high and [`BLOCK`] columns wide. Stages that follow from who is where leave blocks
//! alone that were empty in the last step and are so now: what they hold is zero already.

/// Columns of a block.
pub const BLOCK: usize = 16;

/// What is known of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Block {
    /// Nobody's footprint is there, nor was in the last step.
    Empty,
    /// Nobody's is there any more; or it is not known what was there before.
    #[default]
    Emptied,
    /// Somebody's is.
    Occupied,
}

impl Block {
    /// What it is in the next step.
    #[must_use]
    pub fn then(self, somebody: bool) -> Self {
        match self {
            _ if somebody => Self::Occupied,
            Self::Occupied => Self::Emptied,
            Self::Emptied | Self::Empty => Self::Empty,
        }
    }
}

/// The blocks of a floor.
#[derive(Clone, Debug, Default)]
pub struct Blocks {
    width: usize,
    rows: usize,
    /// Band by band from the south, each from west to east.
    pub states: Vec<Block>,
}

impl Blocks {
    /// Blocks of a floor `width` cells wide, in bands of so many rows.
    pub(super) fn fit(&mut self, width: usize, rows: usize, bands: usize) {
        let count = bands * width.div_ceil(BLOCK);
        if (self.width, self.rows, self.states.len()) != (width, rows, count) {
            (self.width, self.rows) = (width, rows);
            self.states.clear();
            // What is there now is not known: as if somebody had been there.
            self.states.resize(count, Block::Occupied);
        }
    }

    /// Whatever the fields hold, it did not come from the last step: all of it is to be made anew.
    pub fn forget(&mut self) {
        self.states.fill(Block::Occupied);
    }

    /// Cells of a band.
    #[must_use]
    pub fn band(&self) -> usize {
        self.rows * self.width
    }

    /// Blocks of a band.
    #[must_use]
    pub fn across(&self) -> usize {
        self.width.div_ceil(BLOCK)
    }

    /// The runs of cells of a band, counted from its first, that are to be made anew: `states` are its blocks.
    pub fn runs<'a>(
        &self,
        states: &'a [Block],
        cells: usize,
    ) -> impl Iterator<Item = std::ops::Range<usize>> + use<'a> {
        let width = self.width;
        (0..cells / width).flat_map(move |y| {
            let mut k = 0;
            std::iter::from_fn(move || {
                while *states.get(k)? == Block::Empty {
                    k += 1;
                }
                let first = k;
                while states.get(k).is_some_and(|s| *s != Block::Empty) {
                    k += 1;
                }
                Some(y * width + first * BLOCK..y * width + (k * BLOCK).min(width))
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_cover_what_is_not_empty_and_nothing_else() {
        let mut blocks = Blocks::default();
        blocks.fit(60, 3, 1);
        blocks.states = vec![Block::Occupied, Block::Emptied, Block::Empty, Block::Occupied];
        let runs: Vec<_> = blocks.runs(&blocks.states, 120).collect();
        assert_eq!(runs, [0..32, 48..60, 60..92, 108..120]);
    }

    #[test]
    fn a_block_is_emptied_once() {
        let mut block = Block::Occupied;
        for (somebody, then) in
            [(true, Block::Occupied), (false, Block::Emptied), (false, Block::Empty), (true, Block::Occupied)]
        {
            block = block.then(somebody);
            assert_eq!(block, then);
        }
    }
}
