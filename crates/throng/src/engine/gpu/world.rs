//! The world as shaders read it, in one buffer: a record per cell, then rules of groups, weights of the fields of costs, portals, and for
//! each tile of walls a block with its solid shapes and its cells' lists of segments. A change rewrites the blocks of the
//! tiles it touches. Records are integers; numbers are kept as their bits.

use super::machine::{add_machine, nearest_records};
use super::params::Params;
use crate::geometry::{Rect, Shape};
use crate::scene::{Arrive, Group, Leg, Scene, Target, Wait};
use crate::stages::live::cpu::steps;
use crate::stages::steer::bvp::manner::manner_of_groups;
use crate::stages::steer::doors::Doorway;
use crate::world::World;
use crate::world::detours::Detours;
use crate::world::grid::Grid;
use crate::world::portals::Passage;
use crate::world::walls::{NEAR, TILE};
use rayon::prelude::*;
use std::ops::Range;

/// The widest footprint is at most so far from a wall: bit 6 of the flags; bit 7: the whole cell is wall.
const WIDE: u32 = 64;
const PAINTED: u32 = 128;

/// Instead of what happens after the last leg: the group lives by states.
const BY_STATES: u32 = 3;

/// Says of a leg that its wait lasts until an event.
const UNTIL: u32 = 2;

pub(super) type Record = [u32; 4];

/// Lists that change with walls and goals.
const LISTS: usize = 5;

/// A record of numbers.
pub(super) fn numbers(values: [f32; 4]) -> Record {
    values.map(f32::to_bits)
}

/// Where a tile's block is.
#[derive(Clone, Copy, Debug, Default)]
struct Block {
    at: u32,
    room: u32,
}

/// The host's copy of the buffer.
#[derive(Debug)]
pub(crate) struct WorldTables {
    pub(crate) records: Vec<Record>,
    /// Where the route of each group to each goal is; 0 where routes are goals.
    pub(crate) routing: u32,
    /// Where the weights of the fields of costs begin.
    pub(crate) weights: u32,
    /// Where the table of passages begins.
    pub(crate) portals: u32,
    /// Where the doors are.
    doors: u32,
    /// Where the machine is that some live by.
    states: u32,
    /// Where the places are where people wait, the signs that walls have changed, where goals are, and the floor around
    /// them; and the ways round walls to points.
    lists: [Block; LISTS],
    /// Where the table of tiles begins.
    pub(crate) solids: u32,
    blocks: Vec<Block>,
    tiles_wide: usize,
}

impl WorldTables {
    /// `first_ids`: the least id of each group.
    pub(crate) fn new(scene: &Scene, world: &World, first_ids: &[u32]) -> Self {
        let grid = world.grid;
        let tiles_wide = grid.width.div_ceil(TILE);
        let tiles = tiles_wide * grid.height.div_ceil(TILE);
        let mut records: Vec<Record> = bytemuck::zeroed_vec(grid.len());
        add_rules(scene, world, first_ids, &mut records);
        let mut routing = 0;
        if !world.routes.are_goals() {
            routing = records.len() as u32;
            let table: Vec<u32> = world.routes.table().iter().map(|&r| u32::from(r)).collect();
            records.extend(four_by_four(&table));
        }
        let weights = records.len() as u32;
        records.resize(records.len() + world.routes.weights().len(), [0; 4]);
        let portals = records.len() as u32;
        records.extend(world.portals.passages().iter().flat_map(passage_records));
        let doors = records.len() as u32;
        records.extend(scene.doors.iter().map(Doorway::new).flat_map(|d| door_records(&d)));
        let states = add_machine(&world.machine, &mut records);
        let lists = lists(world).map(|list| {
            let at = records.len() as u32;
            records.extend(&list);
            Block { at, room: list.len() as u32 }
        });
        let solids = records.len() as u32;
        records.resize(records.len() + tiles.div_ceil(4), [0; 4]);
        // All tiles at once: their blocks as if each began at 0, then everything is moved to where it will be.
        let band = TILE * grid.width;
        let tile_blocks: Vec<Vec<Record>> = records[..grid.len()]
            .par_chunks_mut(band)
            .enumerate()
            .flat_map_iter(|(ty, ground)| {
                (0..tiles_wide).map(move |tx| {
                    tile_block(world, ty * tiles_wide + tx, |cell, words| ground[cell - ty * band] = words)
                })
            })
            .collect();
        let mut blocks = Vec::with_capacity(tiles);
        for (tile, mut block) in tile_blocks.into_iter().enumerate() {
            let at = records.len() as u32;
            blocks.push(Block { at, room: block.len() as u32 });
            relocate_block(&mut block, at);
            records[solids as usize + tile / 4][tile % 4] = at;
            records.extend(block);
        }
        records[..grid.len()].par_chunks_mut(grid.width).enumerate().for_each(|(y, row)| {
            let tiles = &blocks[y / TILE * tiles_wide..];
            // A block of one record has no lists, so no cell of the tile has an address.
            for (cells, block) in row.chunks_mut(TILE).zip(tiles).filter(|(_, block)| block.room > 1) {
                cells.iter_mut().for_each(|words| relocate_cell(words, block.at));
            }
        });
        let mut tables = Self { records, routing, weights, portals, doors, states, lists, solids, blocks, tiles_wide };
        tables.set_weights(world);
        tables
    }

    /// Writes the weights of the fields of costs, per cell. Returns which records these are.
    pub(crate) fn set_weights(&mut self, world: &World) -> Range<usize> {
        let (first, cell) = (self.weights as usize, world.grid.cell);
        for (i, w) in world.routes.weights().iter().enumerate() {
            self.records[first + i] = numbers([w.length * cell, w.time * cell, w.discomfort * cell, 0.0]);
        }
        first..first + world.routes.weights().len()
    }

    /// Says where things are.
    pub(crate) fn point_out(&self, params: &mut Params) {
        (params.routing, params.weights) = (self.routing, self.weights);
        (params.portals, params.doors) = (self.portals, self.doors);
        (params.states, params.solids) = (self.states, self.solids);
        [params.stays, params.signs, params.nearest, params.crowded, params.detours] = self.lists.map(|list| list.at);
    }

    /// Records behind those of the cells.
    pub(crate) fn shapes(&self, grid: &Grid) -> u64 {
        (self.records.len() - grid.len()) as u64
    }

    /// Rewrites tiles. Returns which records have changed.
    pub(crate) fn update(&mut self, world: &World, tiles: &[u32]) -> Vec<Range<usize>> {
        let mut changes = Vec::new();
        for &tile in tiles {
            self.write_tile(world, tile as usize, 16, &mut changes);
        }
        changes
    }

    /// Rewrites the places where people wait, the signs that walls have changed, where goals are, the floor around them, and ways round walls. Returns which
    /// records have changed.
    pub(crate) fn update_lists(&mut self, world: &World) -> [Range<usize>; LISTS] {
        let Self { lists: blocks, records, .. } = self;
        let mut fresh = lists(world).into_iter();
        blocks.each_mut().map(|block| {
            let list = fresh.next().unwrap_or_default();
            if block.room < list.len() as u32 {
                *block = Block { at: records.len() as u32, room: list.len() as u32 };
                records.resize(records.len() + list.len(), [0; 4]);
            }
            let range = block.at as usize..block.at as usize + list.len();
            records[range.clone()].copy_from_slice(&list);
            range
        })
    }

    fn write_tile(&mut self, world: &World, tile: usize, slack: usize, changes: &mut Vec<Range<usize>>) {
        let mut cells = Vec::with_capacity(TILE * TILE);
        let mut block = tile_block(world, tile, |cell, words| cells.push((cell, words)));
        if self.blocks[tile].room < block.len() as u32 {
            self.blocks[tile] = Block { at: self.records.len() as u32, room: (block.len() + slack) as u32 };
            self.records.resize(self.records.len() + block.len() + slack, [0; 4]);
        }
        let at = self.blocks[tile].at;
        relocate_block(&mut block, at);
        let range = at as usize..at as usize + block.len();
        self.records[range.clone()].copy_from_slice(&block);
        changes.push(range);
        let entry = self.solids as usize + tile / 4;
        self.records[entry][tile % 4] = at;
        changes.push(entry..entry + 1);
        let mut row: Option<Range<usize>> = None;
        for (cell, mut words) in cells {
            relocate_cell(&mut words, at);
            self.records[cell] = words;
            match &mut row {
                Some(r) if r.end == cell => r.end += 1,
                _ => changes.extend(row.replace(cell..cell + 1)),
            }
        }
        changes.extend(row);
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

/// The block of a tile as if it began at 0: how many solid shapes it has and whether any of its cells is near a wall, these
/// shapes, then its cells' lists of segments. Calls `cell` with the index
/// and the record of each cell of the tile.
fn tile_block(world: &World, tile: usize, mut cell_record: impl FnMut(usize, Record)) -> Vec<Record> {
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
                block[0][1] = 1;
                let near = world.walls.near(cell);
                block.push([near.len() as u32, 0, 0, 0]);
                block.extend(near.iter().map(|s| numbers([s.a.x, s.a.y, s.b.x, s.b.y])));
            }
            cell_record(cell, [bits, world.zone[cell].to_bits(), world.discomfort[cell].to_bits(), at]);
        }
    }
    block
}

/// Addresses inside the solid list of a block that was made as if it began at 0, once it begins at `at`.
fn relocate_block(block: &mut [Record], at: u32) {
    let count = block[0][0] as usize;
    for shape in &mut block[1..=count] {
        shape[1] += at;
    }
}

/// The same for the address of a cell's list of segments.
fn relocate_cell(words: &mut Record, at: u32) {
    if words[0] & u32::from(NEAR) != 0 {
        words[3] += at;
    }
}

/// A list of solid shapes: the count, a record for each (kind, where its data is, count), the data.
fn solid_list<'a>(shapes: impl Iterator<Item = &'a Shape>) -> Vec<Record> {
    let shapes: Vec<&Shape> = shapes.collect();
    let mut out = vec![[shapes.len() as u32, 0, 0, 0]];
    let mut data = Vec::new();
    for shape in &shapes {
        let at = 1 + shapes.len() + data.len();
        out.push(shape_record(shape, at as u32, &mut data));
    }
    out.extend(data);
    out
}

fn shape_record(shape: &Shape, at: u32, data: &mut Vec<Record>) -> Record {
    match shape {
        Shape::Rect(r) => {
            data.push(numbers([r.min.x, r.min.y, r.max.x, r.max.y]));
            [0, at, 1, 0]
        }
        Shape::Circle(c, radius) => {
            data.push(numbers([c.x, c.y, *radius, 0.0]));
            [1, at, 1, 0]
        }
        Shape::Polygon(points) => {
            for pair in points.chunks(2) {
                let b = pair.get(1).copied().unwrap_or_default();
                data.push(numbers([pair[0].x, pair[0].y, b.x, b.y]));
            }
            [2, at, points.len() as u32, 0]
        }
        Shape::Line(_) => {
            data.push([0; 4]);
            [3, at, 0, 0]
        }
    }
}

/// The places where people wait, the signs that walls have changed, where goals are, the floor around them, and ways round walls.
fn lists(world: &World) -> [Vec<Record>; LISTS] {
    let signs = world.beliefs.signs.iter().map(|s| numbers([s.a.x, s.a.y, s.b.x, s.b.y]));
    let [stays, crowding] = [world.stays.words(), world.crowding.words()].map(|words| four_by_four(words).collect());
    [stays, signs.collect(), nearest_records(&world.nearest), crowding, detour_records(&world.detours)]
}

/// How many landmarks there are, and records of a layer; then the layers. Read by stages/steer/guide/points.wgsl.
fn detour_records(detours: &Detours) -> Vec<Record> {
    let mut records = vec![[detours.landmarks() as u32, detours.layer() as u32 / 16, 0, 0]];
    let word = |four: &[u8]| u32::from_le_bytes(std::array::from_fn(|k| four[k]));
    let layers = detours.bytes().chunks_exact(16);
    records.extend(layers.map(|bytes| std::array::from_fn(|k| word(&bytes[4 * k..4 * k + 4]))));
    records
}

/// A list of words as records.
fn four_by_four(words: &[u32]) -> impl Iterator<Item = Record> {
    words.chunks(4).map(|four| std::array::from_fn(|k| four.get(k).copied().unwrap_or(0)))
}

/// A passage: its cells where one goes in; the way to where one comes out, in cells, and its length at full speed, m. Read by
/// world/portals.wgsl.
fn passage_records(passage: &Passage) -> [Record; 2] {
    let offset = passage.offset.to_array().map(i32::cast_unsigned);
    [passage.from, [offset[0], offset[1], (passage.length / passage.speed).to_bits(), 0]]
}

/// A door, as stages/steer/doors/doors.wgsl reads it.
fn door_records(door: &Doorway) -> [Record; 3] {
    let Doorway { from, along, width, first, reach, patience } = *door;
    [
        numbers([from.x, from.y, along.x, along.y]),
        numbers([first.x, first.y, width, reach]),
        numbers([patience, 0.0, 0.0, 0.0]),
    ]
}

/// What groups do: three records each, then journeys and areas. Read by stages/live/rules.wgsl.
fn add_rules(scene: &Scene, world: &World, first_ids: &[u32], out: &mut Vec<Record>) {
    let first = out.len();
    out.resize(first + 3 * scene.groups.len(), [0; 4]);
    let whole = [Shape::Rect(scene.grid.bounds())];
    let manners = manner_of_groups(&scene.groups);
    for (g, group) in scene.groups.iter().enumerate() {
        let legs = out.len() as u32;
        for leg in &group.journey {
            let (steps, whether) = match &leg.wait {
                Wait::For(seconds) => (steps(*seconds, scene.dt), u32::from(*seconds > 0.0)),
                Wait::Until(_) => (0, UNTIL),
            };
            out.push([u32::from(leg.goal()), steps, whether, 0]);
        }
        for (k, leg) in group.journey.iter().enumerate() {
            if let Some(name) = leg.wait.signal() {
                out[legs as usize + k][1] = signal_records(out, world.signals.all(name));
            }
        }
        for (k, leg) in group.journey.iter().enumerate() {
            out[legs as usize + k][3] = points(out, leg, &scene.grid);
        }
        let arrive = match group.arrive {
            _ if group.lives() => BY_STATES,
            Arrive::Park => 0,
            Arrive::Next => 1,
            Arrive::Respawn => 2,
        };
        let from_source = u32::from(group.rate.is_some());
        out[first + 3 * g] = [legs, group.journey.len() as u32, arrive, from_source | (manners[g] as u32) << 8];
        let start = if group.start.is_empty() { &whole[..] } else { &group.start };
        let (start_at, start_count) = areas(out, start, &scene.grid);
        let (entry_at, entry_count) = areas(out, &group.entry, &scene.grid);
        out[first + 3 * g + 1] = [start_at, start_count, entry_at, entry_count];
        out[first + 3 * g + 2] = of_points(group, first_ids[g], &scene.grid);
    }
}

/// The steps before which the events of a name happen, after their number: read by stages/live/until.wgsl. Returns where they are.
pub(super) fn signal_records(out: &mut Vec<Record>, signals: &[u32]) -> u32 {
    let at = out.len() as u32;
    let words: Vec<u32> = [signals.len() as u32].into_iter().chain(signals.iter().copied()).collect();
    out.extend(words.chunks(4).map(|four| std::array::from_fn(|k| four.get(k).copied().unwrap_or(0))));
    at
}

/// What choosing points depends on. Read by world/points.wgsl.
fn of_points(group: &Group, first_id: u32, grid: &Grid) -> Record {
    let [near, far] = [group.goal_distance.min(), group.goal_distance.max()].map(f32::to_bits);
    if group.lives() {
        return [first_id, near, far, 0];
    }
    let middle = group.middle(grid);
    [first_id, near, middle.x.to_bits(), middle.y.to_bits()]
}

/// The points that a leg leads to: kind, and for an area or a list where it is and how long. Returns where that is written;
/// 0 for a goal.
fn points(out: &mut Vec<Record>, leg: &Leg, grid: &Grid) -> u32 {
    let record = match &leg.to {
        Target::Goal(_) | Target::Here => return 0,
        Target::Opposite => [0; 4],
        Target::Random(area) => {
            let (at, count) = areas(out, area, grid);
            [1, at, count, 0]
        }
        Target::Points(list) => {
            let at = out.len() as u32;
            out.extend(list.chunks(2).map(|pair| {
                let b = pair.get(1).copied().unwrap_or_default();
                numbers([pair[0].x, pair[0].y, b.x, b.y])
            }));
            [2, at, list.len() as u32, 0]
        }
    };
    out.push(record);
    out.len() as u32 - 1
}

/// A list of areas: each a shape's record and its bounds within the world; then the shapes' data.
fn areas(out: &mut Vec<Record>, area: &[Shape], grid: &Grid) -> (u32, u32) {
    let at = out.len();
    let whole = grid.bounds();
    let mut data = Vec::new();
    let mut records = Vec::new();
    for shape in area {
        let b = shape.bounds();
        let (low, high) = (b.min.clamp(whole.min, whole.max), b.max.clamp(whole.min, whole.max));
        let data_at = (at + 2 * area.len() + data.len()) as u32;
        records.push(shape_record(shape, data_at, &mut data));
        records.push(numbers([low.x, low.y, high.x, high.y]));
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
            let at_once = WorldTables::new(&scene, &world, &vec![0; scene.groups.len()]);
            let tiles = at_once.blocks.len();
            let first_block = at_once.solids as usize + tiles.div_ceil(4);
            let mut one_by_one = WorldTables {
                records: at_once.records[..first_block].to_vec(),
                blocks: vec![Block::default(); tiles],
                ..at_once
            };
            one_by_one.records[..world.grid.len()].fill([7; 4]);
            for tile in 0..tiles {
                one_by_one.write_tile(&world, tile, 0, &mut Vec::new());
            }
            assert_eq!(at_once.records, one_by_one.records, "{name}");
        }
    }
}
