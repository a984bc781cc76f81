//! How cells are numbered. A *plain* index counts row by row from the south-west; it is what interfaces, walls, bins and most
//! fields speak, and has no type of its own. The two other layouts do, so that one is not taken for another; they are made from
//! plain indices, here and nowhere else.

use super::grid::Grid;

/// Cells on a side of the tiles that the GPU engine solves in.
pub const TILE: usize = 16;

/// A cell of a field with a border: see [`Padded`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PaddedCell(u32);

impl PaddedCell {
    /// Its place in a field.
    #[must_use]
    #[inline]
    pub fn place(self) -> usize {
        self.0 as usize
    }

    /// The cell of a place in a field.
    #[must_use]
    #[inline]
    pub(crate) fn of_place(place: usize) -> Self {
        Self(place as u32)
    }
}

/// A cell of a field that lies tile by tile: see [`Tiled`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TiledCell(u32);

impl TiledCell {
    /// Its place in a field.
    #[must_use]
    #[inline]
    pub fn place(self) -> usize {
        self.0 as usize
    }

    /// The tile that it is in.
    #[must_use]
    #[inline]
    pub fn tile(self) -> usize {
        self.place() / (TILE * TILE)
    }
}

/// Fields that the CPU's solver reads have a border of one cell all round, so that it never asks where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Padded {
    /// Cells from west to east, without the border.
    pub width: usize,
    /// Cells from south to north, without the border.
    pub height: usize,
}

impl Padded {
    /// The padded layout of a grid.
    #[must_use]
    pub fn of(grid: &Grid) -> Self {
        Self { width: grid.width, height: grid.height }
    }

    /// Values per row, border included.
    #[must_use]
    #[inline]
    pub fn stride(self) -> usize {
        self.width + 2
    }

    /// Values in all, border included.
    #[must_use]
    #[inline]
    pub fn size(self) -> usize {
        (self.width + 2) * (self.height + 2)
    }

    /// Where cell (x, y) is.
    #[must_use]
    #[inline]
    pub fn at(self, x: usize, y: usize) -> usize {
        (y + 1) * (self.width + 2) + x + 1
    }

    /// The cell with a plain index.
    #[must_use]
    #[inline]
    pub fn cell(self, plain: usize) -> PaddedCell {
        PaddedCell(self.at(plain % self.width, plain / self.width) as u32)
    }

    /// Column and row of a cell.
    #[must_use]
    #[inline]
    pub fn coords(self, cell: PaddedCell) -> (usize, usize) {
        (cell.place() % self.stride() - 1, cell.place() / self.stride() - 1)
    }

    /// Steps in memory to the north, east, south, west neighbour.
    #[must_use]
    #[inline]
    pub fn steps(self) -> [isize; 4] {
        let s = self.stride() as isize;
        [s, 1, -s, -1]
    }
}

/// Fields that the GPU's solver reads lie tile by tile, [`TILE`] × [`TILE`] cells each, row by row inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tiled {
    width: usize,
    /// Tiles from west to east and from south to north.
    pub across: (usize, usize),
}

impl Tiled {
    /// The tiled layout of a grid.
    #[must_use]
    pub fn of(grid: &Grid) -> Self {
        Self { width: grid.width, across: (grid.width.div_ceil(TILE), grid.height.div_ceil(TILE)) }
    }

    /// Tiles in all.
    #[must_use]
    pub fn tiles(self) -> usize {
        self.across.0 * self.across.1
    }

    /// The cell with a plain index.
    #[must_use]
    #[inline]
    pub fn cell(self, plain: usize) -> TiledCell {
        let (x, y) = (plain % self.width, plain / self.width);
        let tile = y / TILE * self.across.0 + x / TILE;
        TiledCell((tile * TILE * TILE + y % TILE * TILE + x % TILE) as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_has_a_place_of_its_own_in_each_layout() {
        for (width, height) in [(1, 1), (16, 16), (17, 5), (40, 33)] {
            let grid = Grid { width, height, cell: 0.5 };
            let (padded, tiled) = (Padded::of(&grid), Tiled::of(&grid));
            let mut seen = [vec![false; padded.size()], vec![false; tiled.tiles() * TILE * TILE]];
            for plain in 0..grid.len() {
                let (p, t) = (padded.cell(plain), tiled.cell(plain));
                assert_eq!(padded.coords(p), (plain % width, plain / width));
                assert_eq!(t.tile(), plain / width / TILE * tiled.across.0 + plain % width / TILE);
                assert!(!std::mem::replace(&mut seen[0][p.place()], true));
                assert!(!std::mem::replace(&mut seen[1][t.place()], true));
            }
        }
    }
}
