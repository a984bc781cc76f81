//! The engine's buffers: one table, from which their names, their sizes and what they are for follow.

use super::device::{Gpu, GpuError};
use super::params::{self, Params};
use super::tally;
use crate::scene::MOST_HAZARDS;
use crate::stages::live::states;
use crate::stages::separate::Search;
use crate::stages::steer::bvp::manner;
use crate::world::agents::ModelColumn;
use crate::world::hazards::Disc;
use wgpu::BufferUsages;

/// The columns of agents, 16 bytes an agent each: there are two sets, and each sort goes from one to the other. See
/// [`crate::engine::layout`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// Position x, y, velocity x, y.
    Motion,
    /// Heading in 2 × 16 bits, then the bits of radius, preferred speed and turn rate.
    Body,
    /// Id; goal and group; leg and state; wake.
    Journey,
}

impl Column {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Motion, Self::Body, Self::Journey];

    /// What shaders call it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Motion => "motion",
            Self::Body => "body",
            Self::Journey => "journey",
        }
    }
}

/// What the sizes of buffers follow from.
pub(crate) struct Sizes<'a> {
    pub(crate) params: &'a Params,
    /// Records behind those of the cells.
    pub(crate) shapes: u64,
    pub(crate) seeds: u64,
    pub(crate) maps: bool,
    pub(crate) search: Search,
    /// Words of the counts in goals that hold only so many, and of their table.
    pub(crate) rooms: [u64; 2],
    /// A plan lasts for several steps: the crowds that plans were made for are kept.
    pub(crate) plan_spans: bool,
    /// Whether there are slopes, and places where weights differ.
    pub(crate) terrain: bool,
    pub(crate) factors: bool,
    /// Bytes of somebody as others read it, where cells hold only so many.
    pub(crate) record_bytes: u64,
    pub(crate) own: &'a [&'static ModelColumn],
}

impl Sizes<'_> {
    fn agents(&self) -> u64 {
        self.params.agents.into()
    }

    fn cells(&self) -> u64 {
        self.params.cells.into()
    }

    /// Cells of whole tiles.
    fn tiled(&self) -> u64 {
        u64::from(self.params.tiles) * 256
    }

    fn routes(&self) -> u64 {
        u64::from(self.params.routes).max(1)
    }

    /// Tiles times routes.
    fn items(&self) -> u64 {
        u64::from(self.params.tiles) * self.routes()
    }

    /// Whether anybody lives by states.
    fn lives(&self) -> bool {
        self.own.iter().any(|column| column.info == states::COLUMN.info)
    }

    /// Sweep and prune has a list of columns of cells, and behind it the agents in their order.
    fn sweep(&self) -> u64 {
        if self.search == Search::Sweep { u64::from(self.params.columns) + self.agents() + 1 } else { 0 }
    }
}

/// How many hazards there are in a step, and their discs.
const HAZARD_BYTES: u64 = 16 + (MOST_HAZARDS * size_of::<Disc>()) as u64;

/// Room for the parameters of a steering: 64 of them.
pub(crate) const STEERING_BYTES: u64 = 256;

/// Manners, each with 16 parameters and what follows from them in a step.
const MANNER_BYTES: u64 = (manner::MOST as u64 + 1) * 80;

/// How many items a round's list can hold.
pub(crate) fn list_capacity(items: u64) -> u64 {
    items + items / 2 + 64
}

macro_rules! buffers {
    ($($(#[$doc:meta])* $id:ident $name:literal, $use:literal, |$s:ident| $bytes:expr;)*) => {
        /// A buffer of the engine, besides the columns. Cells are numbered row by row from the south-west; a tile is
        /// 16 × 16 cells, row by row, and so are tiles.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Buffer { $($(#[$doc])* $id,)* }

        impl Buffer {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$id,)*];

            /// What shaders call it.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$id => $name,)* }
            }

            /// What it is for, in reports.
            const fn used_for(self) -> &'static str {
                match self { $(Self::$id => $use,)* }
            }

            fn bytes(self, sizes: &Sizes<'_>) -> u64 {
                match self { $(Self::$id => { let $s = sizes; $bytes })* }
            }
        }
    };
}

buffers! {
    /// The scene's numbers: a uniform.
    Params "params", "world", |_s| params::bytes();
    /// The chosen steering's own parameters: a uniform.
    Steering "steering", "world", |_s| STEERING_BYTES;
    /// What manners of the steering `bvp` are in this step: a uniform.
    Manners "manners", "world", |_s| MANNER_BYTES;
    /// What people flee from in this step: a uniform.
    Hazards "hazards", "world", |_s| HAZARD_BYTES;
    /// Per cell flags (as [`crate::world::walls`] has them), speed factor, discomfort, where its walls are; then weights and
    /// rules of groups, then walls.
    World "world", "world", |s| (s.cells() + s.shapes) * 16;
    /// Per cell the factors of its links N, E, S, W; then per cell slope x, y, pace, height. Empty where all is level.
    Terrain "terrain", "world", |s| if s.terrain { s.cells() * 32 } else { 0 };
    /// Per cell factors on the weights of terrain, density and hazards; empty if there are none.
    CostFactors "cost_factors", "world", |s| if s.factors { s.cells() * 16 } else { 0 };
    /// What splat adds up.
    Quanta "quanta", "splat", |s| s.cells() * 16;
    /// Per cell density, velocity x, y, and persons in quanta.
    Average "average", "flow", |s| s.cells() * 16;
    /// The speed law.
    LawTable "law_table", "speed", |_s| 1026 * 4;
    /// Per cell N, E, S, W.
    Speed "speed", "speed", |s| s.cells() * 16;
    /// Field by field, then tile by tile, per cell N, E, S, W.
    Cost "cost", "cost", |s| u64::from(s.params.cost_fields) * s.tiled() * 16;
    /// Route by route, then tile by tile, one value a cell.
    Potential "potential", "potential", |s| s.items() * 256 * 4;
    /// Rims of tiles, twice.
    Rims "rims", "potential", |s| s.items() * 128 * 4;
    /// Route by route, per tile when it is due, who took it, 2 · (last round + 1) + which rim, visits.
    Status "status", "potential", |s| s.items() * 16;
    /// Lists of tiles that wait for a round.
    Lists "lists", "potential", |s| tally::RING as u64 * list_capacity(s.items()) * 4;
    /// The solver's own numbers.
    Control "control", "potential", |_s| tally::CONTROL_WORDS as u64 * 4;
    /// Where the solver begins.
    Seeds "seeds", "potential", |s| s.seeds;
    /// The crowd that the plan in force was made for, as `average`, where a plan spans steps.
    PlannedA "planned_a", "cost", |s| if s.plan_spans { s.cells() * 16 } else { 0 };
    /// The other one of the two.
    PlannedB "planned_b", "cost", |s| if s.plan_spans { s.cells() * 16 } else { 0 };
    /// At cell · routes + route two 16-bit signed normalised numbers, x in the low half; or that there is no way, or that the
    /// goal is here.
    Directions "directions", "gradient", |s| s.cells() * s.routes() * 4;
    /// Where each cell's agents begin; then where those outside end.
    Starts "starts", "bin", |s| (s.cells() + 2) * 4;
    /// Agents per cell, while sorting.
    Counts "counts", "bin", |s| s.cells() * 4;
    /// Per agent its cell and its place in it, while sorting; then who has entered.
    Keys "keys", "bin", |s| s.agents() * 8;
    /// Sums over blocks of cells.
    Sums "sums", "bin", |s| s.cells().div_ceil(2048) * 4;
    /// Sums over blocks of agents.
    Blocks "blocks", "bin", |s| s.agents().div_ceil(256) * 8;
    /// The order that columns follow.
    Orders "orders", "bin", |s| s.agents() * 8;
    /// What the plan tells each agent: direction, speed, turn.
    Guide "guide", "steer", |s| s.agents() * 16;
    /// What each agent wants: velocity, heading.
    Wanted "wanted", "steer", |s| s.agents() * 16;
    /// Where each cell that holds only so many begins in the list of everybody by such cells, then how many there are; then the list.
    Cells "cells", "steer", |s| if s.params.blocks == 0 { 0 } else { (u64::from(s.params.blocks) + 1 + s.agents()) * 4 };
    /// Those in that list as others read them.
    Records "records", "steer", |s| if s.params.blocks == 0 { 0 } else { s.agents() * s.record_bytes };
    /// The cell that each was in when the step began, the one that it asks for, and where it was.
    Crossings "crossings", "steer", |s| if s.params.blocks == 0 { 0 } else { s.agents() * 16 };
    /// How many ask for a place in each of these cells, and how many get none.
    Asks "asks", "steer", |s| u64::from(s.params.blocks) * 8;
    /// How many come through each door in a step.
    Coming "coming", "steer", |s| u64::from(s.params.door_count) * 4;
    /// Agents by column of cells, for sweep and prune.
    SweepColumns "columns", "separate", |s| s.sweep() * 4;
    /// Bodies before the first round of separation.
    Before "before", "separate", |s| s.agents() * 16;
    /// Bodies between the rounds.
    BodiesA "bodies_a", "separate", |s| s.agents() * 16;
    /// Bodies between the rounds.
    BodiesB "bodies_b", "separate", |s| s.agents() * 16;
    /// Who is near whom.
    Masks "masks", "separate", |s| s.agents() * 8;
    /// The numbers of a step, then counts of groups.
    Tally "tally", "measure", |s| (tally::WORDS + tally::GROUP_KINDS * s.params.groups as usize) as u64 * 4;
    /// Who asks for room, by blocks of agents; then how many are in each goal and shape that holds only so many.
    Rooms "rooms", "live", |s| s.rooms[0] * 4;
    /// What those who live by states do about it in a step.
    Decided "decided", "live", |s| if s.lives() { s.agents() * 4 } else { 0 };
    /// Where these goals are, and how many they hold.
    RoomTable "room_table", "live", |s| s.rooms[1] * 4;
    /// Peak density of every cell, then use of every cell.
    Maps "maps", "maps", |s| if s.maps { s.cells() * 8 } else { 0 };
}

impl Buffer {
    /// Whether shaders read it as a uniform.
    const fn is_uniform(self) -> bool {
        matches!(self, Self::Params | Self::Steering | Self::Manners | Self::Hazards)
    }

    /// The buffer that shaders call so.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|b| b.name() == name)
    }
}

/// All buffers of an engine on a device.
#[derive(Debug)]
pub(crate) struct Buffers {
    /// Two sets: the columns that everybody has, then the models' own.
    columns: [Vec<wgpu::Buffer>; 2],
    own: Vec<&'static ModelColumn>,
    /// In the order of [`Buffer::ALL`], with the bytes that are used.
    others: Vec<(wgpu::Buffer, u64)>,
}

/// Whether a scene fits a device, from its numbers alone: before anybody is placed. Returns the bytes that it needs.
pub(crate) fn check(gpu: &Gpu, sizes: &Sizes<'_>) -> Result<u64, GpuError> {
    fits(gpu, sizes)
}

fn fits(gpu: &Gpu, sizes: &Sizes<'_>) -> Result<u64, GpuError> {
    let p = sizes.params;
    let agents = u64::from(p.agents);
    let own: u64 = sizes.own.iter().map(|c| 8 * c.width as u64 * agents).sum();
    let columns = 2 * 16 * Column::ALL.len() as u64 * agents + own;
    let need = columns + Buffer::ALL.iter().map(|b| b.bytes(sizes)).sum::<u64>();
    let all = Buffer::ALL.iter().map(|b| (b.bytes(sizes), b.name()));
    let widest = all.chain([(agents * 16, "agents")]).max().unwrap_or((1, ""));
    let share_of_binding = gpu.largest_binding() as f64 / widest.0.max(1) as f64;
    let share_of_memory = gpu.memory.map_or(f64::MAX, |has| 0.95 * has as f64 / need.max(1) as f64);
    let share = share_of_binding.min(share_of_memory);
    if share >= 1.0 {
        return Ok(need);
    }
    let why = if share_of_memory < share_of_binding {
        let has = gpu.memory.unwrap_or(0);
        format!("it needs {} of GPU memory, and {} has {}", size(need), gpu.info.name, size(has))
    } else {
        let has = size(gpu.largest_binding());
        format!(
            "its buffer of {} needs {}, and a shader on {} can be given {has}",
            widest.1,
            size(widest.0),
            gpu.info.name
        )
    };
    Err(GpuError::TooLarge(format!(
        "the scene is too large: {why}. At this density about {} agents would fit, {:.3} of the area and the crowd; \
         --engine cpu has no such limit",
        (f64::from(p.agents) * share) as u64,
        share
    )))
}

/// Bytes for a person.
fn size(bytes: u64) -> String {
    match bytes {
        0..10_000_000 => format!("{} kB", bytes / 1000),
        10_000_000..10_000_000_000 => format!("{} MB", bytes / 1_000_000),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}

impl Buffers {
    pub(crate) fn new(gpu: &Gpu, sizes: &Sizes<'_>) -> Result<Self, GpuError> {
        let agents = sizes.agents();
        let need = fits(gpu, sizes)?;
        let scope = gpu.device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        let made = Self {
            columns: [0, 1].map(|_| {
                let common = Column::ALL.iter().map(|c| (c.name(), 16));
                let own = sizes.own.iter().map(|c| (c.info.name, 4 * c.width as u64));
                common
                    .chain(own)
                    .map(|(name, bytes)| create(gpu, name, agents * bytes, BufferUsages::STORAGE))
                    .collect()
            }),
            own: sizes.own.to_vec(),
            others: Buffer::ALL
                .iter()
                .map(|&buffer| {
                    let usage = if buffer.is_uniform() { BufferUsages::UNIFORM } else { BufferUsages::STORAGE };
                    let bytes = buffer.bytes(sizes);
                    (create(gpu, buffer.name(), bytes, usage), bytes)
                })
                .collect(),
        };
        if pollster::block_on(scope.pop()).is_some() {
            return Err(GpuError::TooLarge(format!(
                "the scene needs {} of GPU memory, and {} has not that much free; a crowd of half the size may fit",
                size(need),
                gpu.info.name
            )));
        }
        Ok(made)
    }

    /// Gives the device's memory back, but for some; the others cannot be used any more.
    pub(crate) fn free(&self, but: &[Buffer]) {
        self.columns.iter().flatten().for_each(wgpu::Buffer::destroy);
        for &buffer in Buffer::ALL.iter().filter(|b| !but.contains(b)) {
            self.get(buffer).destroy();
        }
    }

    /// Takes some of another engine over, where they have the same size.
    pub(crate) fn take_over(&mut self, from: &Self, which: &[Buffer]) {
        for &buffer in which {
            if self.get(buffer).size() == from.get(buffer).size() {
                self.others[buffer as usize] = from.others[buffer as usize].clone();
            }
        }
    }

    /// A buffer.
    pub(crate) fn get(&self, buffer: Buffer) -> &wgpu::Buffer {
        &self.others[buffer as usize].0
    }

    /// A column that everybody has, in one of the sets.
    pub(crate) fn column(&self, column: Column, set: usize) -> &wgpu::Buffer {
        &self.columns[set][column as usize]
    }

    /// The models' own columns.
    pub(crate) fn own(&self) -> &[&'static ModelColumn] {
        &self.own
    }

    /// A model's own column, by its number among them, in one of the sets.
    pub(crate) fn own_column(&self, number: usize, set: usize) -> &wgpu::Buffer {
        &self.columns[set][Column::ALL.len() + number]
    }

    /// A buffer or column by the name that shaders use; columns of the set `present`, or with `_next` of the other one.
    pub(crate) fn find(&self, name: &str, present: usize) -> Option<&wgpu::Buffer> {
        let names = || Column::ALL.iter().map(|c| c.name()).chain(self.own.iter().map(|c| c.info.name));
        let column = |n: &str| names().position(|c| c == n);
        if let Some(k) = column(name) {
            return Some(&self.columns[present][k]);
        }
        if let Some(k) = name.strip_suffix("_next").and_then(column) {
            return Some(&self.columns[1 - present][k]);
        }
        Buffer::named(name).map(|b| self.get(b))
    }

    /// Gives agents exactly these columns of models; those that there are keep their values, others begin as they start.
    pub(crate) fn use_columns(&mut self, gpu: &Gpu, columns: &[&'static ModelColumn], agents: u64) {
        for set in 0..2 {
            let own = columns.iter().map(|c| {
                if let Some(k) = self.own.iter().position(|o| o.info == c.info) {
                    return self.own_column(k, set).clone();
                }
                let fresh = create(gpu, c.info.name, agents * 4 * c.width as u64, BufferUsages::STORAGE);
                let values = vec![c.start; agents as usize * c.width];
                if !values.is_empty() {
                    gpu.queue.write_buffer(&fresh, 0, bytemuck::cast_slice(&values));
                }
                fresh
            });
            let own: Vec<wgpu::Buffer> = own.collect();
            self.columns[set].truncate(Column::ALL.len());
            self.columns[set].extend(own);
        }
        self.own = columns.to_vec();
    }

    /// Makes a buffer anew if what its size follows from has changed.
    pub(crate) fn fit(&mut self, gpu: &Gpu, buffer: Buffer, sizes: &Sizes<'_>) {
        let bytes = buffer.bytes(sizes);
        if bytes != self.others[buffer as usize].1 {
            self.resize(gpu, buffer, bytes);
        }
    }

    /// Puts a buffer of another size in the place of one.
    pub(crate) fn resize(&mut self, gpu: &Gpu, buffer: Buffer, bytes: u64) {
        self.others[buffer as usize] = (create(gpu, buffer.name(), bytes, BufferUsages::STORAGE), bytes);
    }

    /// Bytes of each buffer by name; a column counts with both of its sets.
    pub(crate) fn each(&self) -> Vec<(String, u64)> {
        let names = Column::ALL.iter().map(|c| c.name()).chain(self.own.iter().map(|c| c.info.name));
        let columns = names.enumerate().map(|(k, n)| (n, self.columns.iter().map(|set| set[k].size()).sum()));
        let others = Buffer::ALL.iter().map(|&b| (b.name(), self.others[b as usize].1));
        columns.chain(others).filter(|&(_, bytes)| bytes > 0).map(|(name, bytes)| (name.to_owned(), bytes)).collect()
    }

    /// Bytes by what they are for.
    pub(crate) fn memory(&self) -> Vec<(&'static str, u64)> {
        let mut list = vec![("agents", self.columns.iter().flatten().map(wgpu::Buffer::size).sum())];
        for &buffer in Buffer::ALL {
            let bytes = self.others[buffer as usize].1;
            match list.iter_mut().find(|(w, _)| *w == buffer.used_for()) {
                Some(entry) => entry.1 += bytes,
                None => list.push((buffer.used_for(), bytes)),
            }
        }
        list
    }
}

fn create(gpu: &Gpu, label: &str, bytes: u64, usage: BufferUsages) -> wgpu::Buffer {
    gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        // No binding may be empty, and clearing goes by words.
        size: bytes.next_multiple_of(16).max(64),
        usage: usage | BufferUsages::COPY_SRC | BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}
