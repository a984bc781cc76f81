//! The world as shaders read it: `ground` (a record per cell) and `shapes` (rules of groups, then for each tile of walls a
//! block with its solid shapes and its cells' lists of segments). A change rewrites the blocks of the tiles it touches.

use crate::geometry::{Rect, Shape};
use crate::scene::{Arrive, Scene};
use crate::stages::live::cpu::steps;
use crate::world::World;
use crate::world::grid::Grid;
use crate::world::walls::{NEAR, TILE};
use rayon::prelude::*;

/// The widest footprint is at most so far from a wall: bit 6 of the flags; bit 7: the whole cell is wall.
const WIDE: u32 = 64;
const PAINTED: u32 = 128;

type Word = [f32; 4];

fn record(a: u32, b: u32, c: u32, d: u32) -> Word {
    [a, b, c, d].map(f32::from_bits)
}

/// Where a tile's block is.
#[derive(Clone, Copy, Debug, Default)]
struct Block {
    at: u32,
    room: u32,
}

/// The host's copy of both buffers, and what of it the device does not have yet.
#[derive(Debug)]
pub(crate) struct WorldTables {
    pub(crate) ground: Vec<[u32; 4]>,
    pub(crate) shapes: Vec<Word>,
    /// Where the table of tiles begins in `shapes`.
    pub(crate) solids: u32,
    blocks: Vec<Block>,
    tiles_wide: usize,
}

/// Pieces of the buffers that have changed: ranges of records.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    pub(crate) ground: Vec<std::ops::Range<usize>>,
    pub(crate) shapes: Vec<std::ops::Range<usize>>,
}

impl WorldTables {
    pub(crate) fn new(scene: &Scene, world: &World) -> Self {
        let grid = world.grid;
        let tiles_wide = grid.width.div_ceil(TILE);
        let tiles = tiles_wide * grid.height.div_ceil(TILE);
        let mut shapes = rules(scene);
        let solids = shapes.len();
        // All tiles at once: their blocks as if each began at 0, then everything is moved to where it will be.
        let mut ground: Vec<[u32; 4]> = bytemuck::zeroed_vec(grid.len());
        let band = TILE * grid.width;
        let tile_blocks: Vec<Vec<Word>> = ground
            .par_chunks_mut(band)
            .enumerate()
            .flat_map_iter(|(ty, ground)| {
                (0..tiles_wide).map(move |tx| {
                    tile_block(world, ty * tiles_wide + tx, |cell, words| ground[cell - ty * band] = words)
                })
            })
            .collect();
        shapes.resize(solids + tiles.div_ceil(4), [0.0; 4]);
        let mut blocks = Vec::with_capacity(tiles);
        for (tile, mut block) in tile_blocks.into_iter().enumerate() {
            let at = shapes.len() as u32;
            blocks.push(Block { at, room: block.len() as u32 });
            relocate_block(&mut block, at);
            shapes[solids + tile / 4][tile % 4] = f32::from_bits(at);
            shapes.extend(block);
        }
        ground.par_chunks_mut(grid.width).enumerate().for_each(|(y, row)| {
            let tiles = &blocks[y / TILE * tiles_wide..];
            // A block of one record has no lists, so no cell of the tile has an address.
            for (cells, block) in row.chunks_mut(TILE).zip(tiles).filter(|(_, block)| block.room > 1) {
                cells.iter_mut().for_each(|words| relocate_cell(words, block.at));
            }
        });
        Self { ground, shapes, solids: solids as u32, blocks, tiles_wide }
    }

    /// Rewrites tiles.
    pub(crate) fn update(&mut self, world: &World, tiles: &[u32]) -> Changes {
        let mut changes = Changes::default();
        for &tile in tiles {
            self.write_tile(world, tile as usize, 16, &mut changes);
        }
        changes
    }

    fn write_tile(&mut self, world: &World, tile: usize, slack: usize, changes: &mut Changes) {
        let mut cells = Vec::with_capacity(TILE * TILE);
        let mut block = tile_block(world, tile, |cell, words| cells.push((cell, words)));
        if self.blocks[tile].room < block.len() as u32 {
            self.blocks[tile] = Block { at: self.shapes.len() as u32, room: (block.len() + slack) as u32 };
            self.shapes.resize(self.shapes.len() + block.len() + slack, [0.0; 4]);
        }
        let at = self.blocks[tile].at;
        relocate_block(&mut block, at);
        let range = at as usize..at as usize + block.len();
        self.shapes[range.clone()].copy_from_slice(&block);
        changes.shapes.push(range);
        let entry = self.solids as usize + tile / 4;
        self.shapes[entry][tile % 4] = f32::from_bits(at);
        changes.shapes.push(entry..entry + 1);
        let mut row: Option<std::ops::Range<usize>> = None;
        for (cell, mut words) in cells {
            relocate_cell(&mut words, at);
            self.ground[cell] = words;
            match &mut row {
                Some(r) if r.end == cell => r.end += 1,
                _ => changes.ground.extend(row.replace(cell..cell + 1)),
            }
        }
        changes.ground.extend(row);
    }

    /// The tile that a cell is in.
    pub(crate) fn tile_of(&self, grid: &Grid, cell: usize) -> u32 {
        (cell / grid.width / TILE * self.tiles_wide + cell % grid.width / TILE) as u32
    }

    /// The tiles that a shape's bounds touch.
    pub(crate) fn tiles_in(&self, grid: &Grid, bounds: Rect) -> Vec<u32> {
        let (columns, rows) = grid.cells_in(bounds);
        let mut tiles = Vec::new();
        if columns.is_empty() || rows.is_empty() {
            return tiles;
        }
        for ty in rows.start / TILE..=(rows.end - 1) / TILE {
            for tx in columns.start / TILE..=(columns.end - 1) / TILE {
                tiles.push((ty * self.tiles_wide + tx) as u32);
            }
        }
        tiles
    }
}

/// The block of a tile as if it began at 0: its solid shapes, then its cells' lists of segments. Calls `cell` with the index
/// and the record of each cell of the tile.
fn tile_block(world: &World, tile: usize, mut cell_record: impl FnMut(usize, [u32; 4])) -> Vec<Word> {
    let grid = world.grid;
    let tiles_wide = grid.width.div_ceil(TILE);
    let (tx, ty) = (tile % tiles_wide, tile / tiles_wide);
    let mut block = solid_list(world.walls.solids(tile));
    let half = (2.0 * world.widest).max(grid.cell) + std::f32::consts::FRAC_1_SQRT_2 * grid.cell;
    let painted = world.walls.painted();
    for y in ty * TILE..((ty + 1) * TILE).min(grid.height) {
        for x in tx * TILE..((tx + 1) * TILE).min(grid.width) {
            let cell = y * grid.width + x;
            let flags = world.walls.flags()[cell];
            let wide = flags & NEAR != 0 || world.walls.distance()[cell] < half;
            let mut bits = u32::from(flags) & 63;
            bits |= if wide { WIDE } else { 0 };
            bits |= if painted.get(cell).copied().unwrap_or(false) { PAINTED } else { 0 };
            let mut at = 0;
            if flags & NEAR != 0 {
                at = block.len() as u32;
                let near = world.walls.near(cell);
                block.push(record(near.len() as u32, 0, 0, 0));
                block.extend(near.iter().map(|s| [s.a.x, s.a.y, s.b.x, s.b.y]));
            }
            cell_record(cell, [bits, world.zone[cell].to_bits(), world.discomfort[cell].to_bits(), at]);
        }
    }
    block
}

/// Addresses inside the solid list of a block that was made as if it began at 0, once it begins at `at`.
fn relocate_block(block: &mut [Word], at: u32) {
    let count = block[0][0].to_bits() as usize;
    for shape in &mut block[1..=count] {
        shape[1] = f32::from_bits(shape[1].to_bits() + at);
    }
}

/// The same for the address of a cell's list of segments.
fn relocate_cell(words: &mut [u32; 4], at: u32) {
    if words[0] & u32::from(NEAR) != 0 {
        words[3] += at;
    }
}

/// A list of solid shapes: the count, a record for each (kind, where its data is, count), the data.
fn solid_list<'a>(shapes: impl Iterator<Item = &'a Shape>) -> Vec<Word> {
    let shapes: Vec<&Shape> = shapes.collect();
    let mut out = vec![record(shapes.len() as u32, 0, 0, 0)];
    let mut data = Vec::new();
    for shape in &shapes {
        let at = 1 + shapes.len() + data.len();
        out.push(shape_record(shape, at as u32, &mut data));
    }
    out.extend(data);
    out
}

fn shape_record(shape: &Shape, at: u32, data: &mut Vec<Word>) -> Word {
    match shape {
        Shape::Rect(r) => {
            data.push([r.min.x, r.min.y, r.max.x, r.max.y]);
            record(0, at, 1, 0)
        }
        Shape::Circle(c, radius) => {
            data.push([c.x, c.y, *radius, 0.0]);
            record(1, at, 1, 0)
        }
        Shape::Polygon(points) => {
            for pair in points.chunks(2) {
                let b = pair.get(1).copied().unwrap_or_default();
                data.push([pair[0].x, pair[0].y, b.x, b.y]);
            }
            record(2, at, points.len() as u32, 0)
        }
        Shape::Line(_) => {
            data.push([0.0; 4]);
            record(3, at, 0, 0)
        }
    }
}

/// What groups do: three records each, then journeys and areas. Read by stages/live/rules.wgsl.
fn rules(scene: &Scene) -> Vec<Word> {
    let groups = scene.groups.len();
    let mut out = vec![[0.0; 4]; 3 * groups];
    let whole = [Shape::Rect(scene.grid.bounds())];
    for (g, group) in scene.groups.iter().enumerate() {
        let legs = out.len() as u32;
        for leg in &group.journey {
            out.push(record(u32::from(leg.goal), steps(leg.wait, scene.dt), u32::from(leg.wait > 0.0), 0));
        }
        let arrive = match group.arrive {
            Arrive::Park => 0,
            Arrive::Next => 1,
            Arrive::Respawn => 2,
        };
        out[3 * g] = record(legs, group.journey.len() as u32, arrive, u32::from(group.rate.is_some()));
        let start = if group.start.is_empty() { &whole[..] } else { &group.start };
        let (start_at, start_count) = areas(&mut out, start, &scene.grid);
        let (entry_at, entry_count) = areas(&mut out, &group.entry, &scene.grid);
        out[3 * g + 1] = record(start_at, start_count, entry_at, entry_count);
    }
    out
}

/// A list of areas: each a shape's record and its bounds within the world; then the shapes' data.
fn areas(out: &mut Vec<Word>, area: &[Shape], grid: &Grid) -> (u32, u32) {
    let at = out.len();
    let whole = grid.bounds();
    let mut data = Vec::new();
    let mut records = Vec::new();
    for shape in area {
        let b = shape.bounds();
        let (low, high) = (b.min.clamp(whole.min, whole.max), b.max.clamp(whole.min, whole.max));
        let data_at = (at + 2 * area.len() + data.len()) as u32;
        records.push(shape_record(shape, data_at, &mut data));
        records.push([low.x, low.y, high.x, high.y]);
    }
    out.extend(records);
    out.extend(data);
    (at as u32, area.len() as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_made_at_once_are_those_made_tile_by_tile() {
        for name in ["office", "circle", "hills", "exit-bar"] {
            let mut scene = Scene::built_in(name).expect("a built-in scene");
            // Widths that are no multiple of a tile.
            scene.scale(0.07).expect("small enough");
            let world = World::new(&scene).expect("a sound scene");
            let at_once = WorldTables::new(&scene, &world);
            let tiles = at_once.blocks.len();
            let mut one_by_one = WorldTables {
                ground: vec![[7; 4]; world.grid.len()],
                shapes: rules(&scene),
                solids: at_once.solids,
                blocks: vec![Block::default(); tiles],
                tiles_wide: at_once.tiles_wide,
            };
            one_by_one.shapes.resize(one_by_one.shapes.len() + tiles.div_ceil(4), [0.0; 4]);
            for tile in 0..tiles {
                one_by_one.write_tile(&world, tile, 0, &mut Changes::default());
            }
            assert_eq!(at_once.ground, one_by_one.ground, "{name}");
            // Bits, since addresses are no numbers.
            let bits = |words: &[Word]| words.iter().map(|w| w.map(f32::to_bits)).collect::<Vec<_>>();
            assert_eq!(bits(&at_once.shapes), bits(&one_by_one.shapes), "{name}");
        }
    }
}
