//! How many rounds the solver is given, and where it begins.

use super::allowance::Allowance;
use super::device::Gpu;
use super::params::Params;
use crate::scene::{Model, Weights};
use crate::stages::potential::{Solver, TILE, UNREACHED};
use crate::world::World;
use crate::world::cells::Tiled;
use crate::world::grid::DIRECTIONS;
use crate::world::narrow::Closed;
use crate::world::routes::Route;
use crate::world::walls::LINK;
use rayon::prelude::*;
use std::collections::HashMap;

/// Rounds are numbered in 16 bits.
const MOST_ROUNDS: u64 = 60_000;
/// Bytes from one round's numbers to the next: what every device can offset a uniform by.
pub(crate) const STRIDE: u64 = 256;

#[derive(Debug)]
pub(crate) struct Rounds {
    /// The field of costs of each route, then goal cells (where in the potentials), then the items that contain any, then
    /// links through portals and their costs.
    pub(crate) seeds: Vec<u32>,
    /// Where these begin, and how many there are.
    portals: (u32, u32),
    /// The same of links that are too narrow.
    narrow: (u32, u32),
    /// The same of cells that people wait in before goals, as places in the directions.
    held: (u32, u32),
    /// How many links are too narrow; the others are gates.
    pub(crate) shut: u32,
    /// What a way through a gate costs at least.
    beyond_gates: f32,
    /// The speed on an empty floor, m/s.
    reference: f32,
    /// What ways are weighed by.
    model: Model,
    cells: u32,
    items: u32,
    capacity: u32,
    /// Enough for any crowd on the scene's own map.
    base: u64,
    allowance: Allowance,
    pub(crate) uniform: wgpu::Buffer,
    solver: Solver,
}

impl Rounds {
    pub(crate) fn new(gpu: &Gpu, world: &World, model: &Model, reference: f32) -> Self {
        let solver = model.solver;
        let bound = bound(world, solver);
        let mut rounds = Self {
            seeds: Vec::new(),
            portals: (0, 0),
            narrow: (0, 0),
            held: (0, 0),
            shut: 0,
            beyond_gates: UNREACHED,
            reference,
            model: *model,
            cells: 0,
            items: 0,
            capacity: 0,
            base: bound,
            allowance: Allowance::new(bound),
            uniform: uniform(gpu, bound),
            solver,
        };
        rounds.seed(world);
        rounds.write(gpu);
        rounds
    }

    /// After the map has changed. Returns whether the seeds have.
    pub(crate) fn update(&mut self, gpu: &Gpu, world: &World, step: u64) -> bool {
        // Looking for the longest way takes time: on a large map, half as many again will do, and if they do not the
        // next block gets more.
        let small = world.grid.len() * world.routes.len() <= 4_000_000;
        let fresh = if small { bound(world, self.solver) } else { self.base + self.base / 2 };
        self.allowance.bound = fresh.max(self.allowance.bound).min(MOST_ROUNDS);
        self.forget_rounds(step);
        if self.uniform.size() < (self.allowance.bound + 2) * STRIDE {
            self.uniform = uniform(gpu, 2 * self.allowance.bound);
        }
        let old = std::mem::take(&mut self.seeds);
        self.seed(world);
        self.write(gpu);
        old != self.seeds
    }

    /// What was needed before says nothing about the next steps.
    pub(crate) fn forget_rounds(&mut self, step: u64) {
        self.allowance.forget(step);
    }

    /// At the beginning of a step: what a block of steps needed, and whether it was cut short.
    pub(crate) fn adapt(&mut self, step: u64, before: Option<(u64, bool)>) {
        self.allowance.adapt(step, before, (self.uniform.size() / STRIDE - 2).min(MOST_ROUNDS));
    }

    /// What the next step is given.
    pub(crate) fn given(&self) -> u64 {
        self.allowance.given
    }

    fn seed(&mut self, world: &World) {
        let grid = world.grid;
        let layout = Tiled::of(&grid);
        let tiles = layout.tiles();
        let (mut cells, mut items) = (Vec::new(), Vec::new());
        for (number, route) in world.routes.list().iter().enumerate() {
            for cell in world.goals[usize::from(route.goal)].iter().map(|&cell| layout.cell(cell as usize)) {
                cells.push((number * tiles * TILE * TILE + cell.place()) as u32);
                items.push((number * tiles + cell.tile()) as u32);
            }
        }
        items.sort_unstable();
        items.dedup();
        (self.cells, self.items) = (cells.len() as u32, items.len() as u32);
        self.capacity = super::buffers::list_capacity((tiles * world.routes.len().max(1)) as u64) as u32;
        self.seeds = world.routes.list().iter().map(|r| u32::from(r.costs)).chain(cells).chain(items).collect();
        self.add_portals(world);
        self.add_narrow(world);
        self.add_held(world);
    }

    /// Cells that people wait in before goals that are closed or full.
    fn add_held(&mut self, world: &World) {
        let begin = self.seeds.len();
        let routes = world.routes.list();
        for (number, route) in routes.iter().enumerate().filter(|(_, r)| world.held[usize::from(r.goal)]) {
            let cells = world.goals[usize::from(route.goal)].iter();
            self.seeds.extend(cells.map(|&cell| cell * routes.len() as u32 + number as u32));
        }
        self.held = (begin as u32, (self.seeds.len() - begin) as u32);
    }

    /// Links through portals: where they begin and end in a route's potentials, and the passage; then what each passage costs
    /// by each field of costs.
    fn add_portals(&mut self, world: &World) {
        let layout = Tiled::of(&world.grid);
        let tiled = |cell: u32| layout.cell(cell as usize).place() as u32;
        let links = world.portals.links();
        self.portals = (self.seeds.len() as u32, links.len() as u32);
        self.seeds.extend(links.iter().flat_map(|l| [tiled(l.from), tiled(l.to), u32::from(l.passage)]));
        for weights in world.routes.weights() {
            let passages = world.portals.passages().iter();
            self.seeds.extend(
                passages.map(|p| p.cost(self.model.way_weights(*weights, self.reference), self.reference).to_bits()),
            );
        }
    }

    /// Links that cost something else than the floor says, since they are too narrow, closed by gates, or believed open: where their cells are in the
    /// fields of costs, the bits of the links, and what they cost.
    fn add_narrow(&mut self, world: &World) {
        let layout = Tiled::of(&world.grid);
        let begin = self.seeds.len();
        let place = |field: usize, cell: u32| {
            (field * layout.tiles() * TILE * TILE + layout.cell(cell as usize).place()) as u32
        };
        for (field, &class) in world.routes.bodies().iter().enumerate() {
            let narrow = world.narrow.get(class).into_iter().flatten();
            let entry = |&(cell, bits): &Closed| [place(field, cell), u32::from(bits), UNREACHED.to_bits()];
            self.seeds.extend(narrow.flat_map(entry));
        }
        let gates_at = self.seeds.len();
        self.beyond_gates = UNREACHED;
        for (field, weights) in world.routes.weights().iter().enumerate() {
            let through = world.gate_cost(self.metre(*weights));
            self.beyond_gates = self.beyond_gates.min(through);
            let entry = |&(cell, bits): &Closed| [place(field, cell), u32::from(bits), through.to_bits()];
            self.seeds.extend(world.believed_links(field).0.iter().flat_map(entry));
        }
        for (field, weights) in world.routes.weights().iter().enumerate() {
            let link = world.grid.cell * self.metre(*weights);
            let entry = |&(cell, bits): &Closed| [place(field, cell), u32::from(bits), link.to_bits()];
            self.seeds.extend(world.believed_links(field).1.iter().flat_map(entry));
        }
        self.shut = ((gates_at - begin) / 3) as u32;
        self.narrow = (begin as u32, ((self.seeds.len() - begin) / 3) as u32);
    }

    /// What a metre of free floor costs.
    fn metre(&self, weights: Weights) -> f32 {
        let fare = self.model.way_weights(weights, self.reference);
        fare.length + fare.time / self.reference.max(1e-3)
    }

    /// Says where things are.
    pub(crate) fn point_out(&self, params: &mut Params) {
        (params.portal_at, params.portal_links) = self.portals;
        (params.narrow_at, params.narrow_links) = self.narrow;
        (params.held_at, params.held) = self.held;
        params.beyond_gates = self.beyond_gates;
    }

    /// Whether anything in it depends on weights: links through portals, gates and what is believed of them.
    pub(crate) fn has_weights(&self) -> bool {
        self.portals.1 > 0 || self.narrow.1 > self.shut
    }

    /// For another model: links through portals cost something else.
    pub(crate) fn weigh(&mut self, world: &World, model: &Model, reference: f32) {
        (self.reference, self.model) = (reference, *model);
        self.seed(world);
    }

    fn write(&self, gpu: &Gpu) {
        let words = STRIDE as usize / 4;
        let count = (self.uniform.size() / STRIDE) as usize;
        let mut all = vec![0u32; count * words];
        for (number, round) in all.chunks_exact_mut(words).enumerate() {
            round[..4].copy_from_slice(&[number as u32, self.cells, self.items, self.capacity]);
        }
        gpu.queue.write_buffer(&self.uniform, 0, bytemuck::cast_slice(&all));
    }

    /// Threads that seeding needs.
    pub(crate) fn seed_threads(&self) -> u64 {
        u64::from(self.cells.max(self.items).max(1))
    }
}

fn uniform(gpu: &Gpu, rounds: u64) -> wgpu::Buffer {
    gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("rounds"),
        // Separation has rounds too.
        size: (rounds.max(256) + 2) * 2 * STRIDE,
        usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}

/// Rounds that are enough for any crowd: from the longest way over open links to any goal. Fronts pass 8 cells of typical
/// cost in a round (see `BUCKET` in potential.wgsl); a crowd's detours and jams may treble that.
fn bound(world: &World, solver: Solver) -> u64 {
    let grid = world.grid;
    // Routes to the same goal, for the same class of bodies, are as long as each other.
    let ends = |r: &Route| (usize::from(r.goal), world.routes.bodies()[usize::from(r.costs)]);
    let mut ends: Vec<(usize, usize)> = world.routes.list().iter().map(ends).collect();
    ends.sort_unstable();
    ends.dedup();
    let cells = |goal: usize| world.goals[goal].iter().map(|&cell| cell as usize).collect();
    let through: f32 = world.portals.passages().iter().map(|p| p.length / p.speed).sum();
    let far = |&(goal, class): &(usize, usize)| farthest(world, with_gates(world, class), cells(goal));
    let longest = ends.par_iter().map(far).max().unwrap_or(0);
    let longest = longest + (through / grid.cell) as u64;
    match solver {
        Solver::Buckets => (64 + longest / 2).min(MOST_ROUNDS),
        // Without buckets a front passes a tile in a round.
        Solver::Selective | Solver::All => (64 + longest / 4).min(MOST_ROUNDS),
    }
}

/// The flags of each cell for a class of bodies, as if gates were open.
fn with_gates(world: &World, class: usize) -> Vec<u8> {
    let mut flags = world.ways_for(class);
    let gated = world.gated.get(class).into_iter().flatten();
    gated.for_each(|&(cell, bits)| flags[cell as usize] |= bits);
    flags
}

/// Links on the longest of the shortest ways to some cells, given by plain indices; `cells` are the flags of each cell.
fn farthest(world: &World, mut cells: Vec<u8>, goal: Vec<usize>) -> u64 {
    /// A bit that no link has.
    const SEEN: u8 = 1 << 7;
    let width = world.grid.width as isize;
    let steps = DIRECTIONS.map(|(dx, dy)| dx as isize + dy as isize * width);
    for &cell in &goal {
        cells[cell] |= SEEN;
    }
    // Ring by ring: all cells that are equally far from the goal.
    let (mut ring, mut next) = (goal, Vec::new());
    let mut far = 0;
    let through: HashMap<usize, usize> =
        world.portals.links().iter().map(|l| (l.to as usize, l.from as usize)).collect();
    while !ring.is_empty() {
        for cell in ring.drain(..) {
            let links = cells[cell];
            if let Some(&beyond) = through.get(&cell).filter(|&&beyond| cells[beyond] & SEEN == 0) {
                cells[beyond] |= SEEN;
                next.push(beyond);
            }
            for d in 0..4 {
                if links & LINK[d] != 0 {
                    let beside = cell.wrapping_add_signed(steps[d]);
                    if cells[beside] & SEEN == 0 {
                        cells[beside] |= SEEN;
                        next.push(beside);
                    }
                }
            }
        }
        std::mem::swap(&mut ring, &mut next);
        far += u64::from(!ring.is_empty());
    }
    far
}

/// What each tile of a goal was doing when the solver stopped: as [`crate::engine::TileState`].
pub(crate) fn tile_states(status: &[u8], tiles: usize) -> Vec<crate::engine::TileState> {
    let words: Vec<[u32; 4]> = bytemuck::pod_collect_to_vec(status);
    words
        .iter()
        .take(tiles)
        .map(|w| crate::engine::TileState {
            visits: w[3],
            last_round: (w[2] >> 1).checked_sub(1),
            // Due after the round that last took it: never taken then.
            waiting: w[0] != u32::MAX && (w[2] >> 1) <= (w[0] & 0xffff),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{NoFiles, Scene};

    #[test]
    fn the_bound_follows_the_longest_way_to_any_goal() {
        let world = |walls: &str| {
            let text = format!(
                "cell = 1\nsize = [20, 10]\nmap = {{ walls = [{walls}] }}\n\
                 goal = [{{ name = \"a\", rect = [19, 0, 20, 1] }}, {{ name = \"b\", rect = [10, 0, 11, 1] }}]\n\
                 agents = [{{ count = 1, journey = [\"a\", \"b\"] }}]"
            );
            World::new(&Scene::parse("ways.toml", &text, &NoFiles).unwrap()).unwrap()
        };
        // From the corner opposite to goal "a": 19 cells west and 9 north.
        assert_eq!(bound(&world(""), Solver::Buckets), 64 + 28 / 2);
        assert_eq!(bound(&world(""), Solver::All), 64 + 28 / 4);
        // A wall with a gap in the north: up, through, and from the cell at its foot, 10 columns from the goal, down again.
        let world = world("{ rect = [9.9, 0, 10, 9] }");
        assert_eq!(farthest(&world, world.walls.flags().to_vec(), vec![19]), 9 + 10 + 9 + 9);
    }
}
