//! The engine's buffers, by name.

use super::device::{Gpu, GpuError};
use super::params::Params;
use super::tally;
use crate::stages::separate::Search;
use std::collections::BTreeMap;
use wgpu::BufferUsages;

/// The columns of agents: there are two sets, and each sort goes from one to the other.
pub(crate) const COLUMNS: [&str; 4] = ["motion", "body", "journey", "turn"];
/// Bytes of one agent in each.
pub(crate) const COLUMN_BYTES: [u64; 4] = [16, 16, 16, 4];

#[derive(Debug)]
pub(crate) struct Buffers {
    columns: [[wgpu::Buffer; 4]; 2],
    others: BTreeMap<&'static str, wgpu::Buffer>,
    sizes: Vec<(&'static str, &'static str, u64)>,
}

/// How many items a round's list can hold.
pub(crate) fn list_capacity(items: u64) -> u64 {
    items + items / 2 + 64
}

/// Bytes of sweep and prune's lists, which no other search has.
pub(crate) fn column_bytes(p: &Params, search: Search) -> u64 {
    if search == Search::Sweep { 4 * (u64::from(p.columns) + u64::from(p.agents) + 1) } else { 0 }
}

/// Name, what it is for in reports, bytes.
fn sizes(p: &Params, shapes: u64, seeds: u64, maps: bool, search: Search) -> Vec<(&'static str, &'static str, u64)> {
    let (agents, cells, tiles) = (u64::from(p.agents), u64::from(p.cells), u64::from(p.tiles));
    let goals = u64::from(p.goals).max(1);
    let items = tiles * goals;
    vec![
        ("params", "world", size_of::<Params>() as u64),
        ("ground", "world", cells * 16),
        ("shapes", "world", shapes),
        ("quanta", "splat", cells * 16),
        ("average", "flow", cells * 16),
        ("law_table", "speed", 1026 * 4),
        ("speed", "speed", cells * 16),
        ("cost", "cost", tiles * 256 * 16),
        ("potential", "potential", items * 256 * 4),
        ("rims", "potential", items * 128 * 4),
        ("status", "potential", items * 16),
        ("lists", "potential", tally::RING as u64 * list_capacity(items) * 4),
        ("control", "potential", tally::CONTROL_WORDS as u64 * 4),
        ("seeds", "potential", seeds),
        ("directions", "gradient", cells * goals * 4),
        ("starts", "bin", (cells + 2) * 4),
        ("counts", "bin", cells * 4),
        ("keys", "bin", agents * 8),
        ("sums", "bin", cells.div_ceil(2048) * 4),
        ("blocks", "bin", agents.div_ceil(256) * 8),
        ("orders", "bin", agents * 8),
        ("columns", "separate", column_bytes(p, search)),
        ("before", "separate", agents * 16),
        ("bodies_a", "separate", agents * 16),
        ("bodies_b", "separate", agents * 16),
        ("masks", "separate", agents * 8),
        ("tally", "measure", (tally::WORDS + tally::GROUP_KINDS * p.groups as usize) as u64 * 4),
        ("maps", "maps", if maps { cells * 8 } else { 0 }),
    ]
}

/// Whether a scene fits a device, from its numbers alone: before anybody is placed. Returns the bytes that it needs.
pub(crate) fn check(gpu: &Gpu, p: &Params, search: Search) -> Result<u64, GpuError> {
    fits(gpu, p, &sizes(p, 0, 0, false, search))
}

fn fits(gpu: &Gpu, p: &Params, sizes: &[(&'static str, &'static str, u64)]) -> Result<u64, GpuError> {
    let agents = u64::from(p.agents);
    let columns: u64 = COLUMN_BYTES.iter().map(|b| 2 * b * agents).sum();
    let need = columns + sizes.iter().map(|(_, _, b)| b).sum::<u64>();
    let widest = sizes.iter().map(|&(n, _, b)| (b, n)).chain([(agents * 16, "agents")]).max().unwrap_or((1, ""));
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
    pub(crate) fn new(
        gpu: &Gpu,
        p: &Params,
        shapes: u64,
        seeds: u64,
        maps: bool,
        search: Search,
    ) -> Result<Self, GpuError> {
        let sizes = sizes(p, shapes, seeds, maps, search);
        let agents = u64::from(p.agents);
        let need = fits(gpu, p, &sizes)?;
        let scope = gpu.device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        let made = Self {
            columns: [0, 1].map(|_| {
                std::array::from_fn(|k| create(gpu, COLUMNS[k], agents * COLUMN_BYTES[k], BufferUsages::STORAGE))
            }),
            others: sizes
                .iter()
                .map(|&(name, _, bytes)| {
                    let usage = if name == "params" { BufferUsages::UNIFORM } else { BufferUsages::STORAGE };
                    (name, create(gpu, name, bytes, usage))
                })
                .collect(),
            sizes,
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

    /// Gives the device's memory back; the buffers cannot be used any more.
    pub(crate) fn free(&self) {
        self.columns.iter().flatten().chain(self.others.values()).for_each(wgpu::Buffer::destroy);
    }

    /// Takes some out, so that [`Buffers::free`] leaves them.
    pub(crate) fn take(&mut self, names: &[&'static str]) -> Vec<(&'static str, wgpu::Buffer)> {
        names.iter().filter_map(|n| self.others.remove_entry(n)).collect()
    }

    /// Puts back what [`Buffers::take`] took.
    pub(crate) fn give_back(&mut self, list: Vec<(&'static str, wgpu::Buffer)>) {
        self.others.extend(list);
    }

    /// Puts some in the place of those of the same size.
    pub(crate) fn put(&mut self, list: Vec<(&'static str, wgpu::Buffer)>) {
        for (name, buffer) in list {
            if self.others.get(name).is_some_and(|b| b.size() == buffer.size()) {
                self.others.insert(name, buffer);
            }
        }
    }

    /// A buffer by the name that shaders use. The names of columns depend on which set is the present one.
    pub(crate) fn get(&self, name: &str, present: usize) -> &wgpu::Buffer {
        self.find(name, present).unwrap_or_else(|| panic!("no buffer is called {name}"))
    }

    /// The same, if there is one of that name.
    pub(crate) fn find(&self, name: &str, present: usize) -> Option<&wgpu::Buffer> {
        let column = |n: &str| COLUMNS.iter().position(|c| *c == n);
        if let Some(k) = column(name) {
            return Some(&self.columns[present][k]);
        }
        if let Some(k) = name.strip_suffix("_next").and_then(column) {
            return Some(&self.columns[1 - present][k]);
        }
        self.others.get(name)
    }

    /// A buffer that is no column.
    pub(crate) fn other(&self, name: &str) -> &wgpu::Buffer {
        self.get(name, 0)
    }

    /// Puts a buffer of another size in the place of one.
    pub(crate) fn resize(&mut self, gpu: &Gpu, name: &'static str, bytes: u64) {
        self.others.insert(name, create(gpu, name, bytes, BufferUsages::STORAGE));
        if let Some(entry) = self.sizes.iter_mut().find(|(n, _, _)| *n == name) {
            entry.2 = bytes;
        }
    }

    /// Bytes of each buffer by name; a column counts with both of its sets.
    pub(crate) fn each(&self) -> Vec<(String, u64)> {
        let columns = (0..COLUMNS.len()).map(|k| (COLUMNS[k], self.columns.iter().map(|set| set[k].size()).sum()));
        let others = self.sizes.iter().map(|&(name, _, bytes)| (name, bytes));
        columns.chain(others).filter(|&(_, bytes)| bytes > 0).map(|(name, bytes)| (name.to_owned(), bytes)).collect()
    }

    /// Bytes by what they are for.
    pub(crate) fn memory(&self) -> Vec<(&'static str, u64)> {
        let mut list = vec![("agents", self.columns.iter().flatten().map(wgpu::Buffer::size).sum())];
        for &(_, what, bytes) in &self.sizes {
            match list.iter_mut().find(|(w, _)| *w == what) {
                Some(entry) => entry.1 += bytes,
                None => list.push((what, bytes)),
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
