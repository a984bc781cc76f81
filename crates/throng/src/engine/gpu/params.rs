//! The numbers of a scene as shaders see them: named once, in Rust and in WGSL. Those of the model are named by its own table
//! (`scene/model.rs`) and follow the others: a shader finds `params.KEY` for every key of `[model]`.

use crate::scene::{Model, Parameters, Scene, SlopeLaw};
use crate::stages::live::cpu::steps;
use crate::stages::speed::cpu::Law;
use crate::stages::steer::Pace;
use crate::stages::steer::social_force::cells::Blocks;
use crate::world::World;
use crate::world::cells::Tiled;
use crate::world::walls;
use bytemuck::{Pod, Zeroable};

/// Makes the struct here and the text of the same struct in WGSL, so that the two cannot differ.
macro_rules! uniform {
    ($($(#[$doc:meta])* $name:ident: $type:ident,)*) => {
        #[derive(Clone, Copy, Debug, Pod, Zeroable, PartialEq)]
        #[repr(C)]
        pub(crate) struct Params { $($(#[$doc])* pub(crate) $name: $type,)* }

        /// Its fields as shaders declare them.
        const FIELDS: &str = concat!($("    ", stringify!($name), ": ", stringify!($type), ",\n",)*);
    };
}

uniform! {
    width: u32,
    height: u32,
    cells: u32,
    /// What is planned.
    routes: u32,
    goals: u32,
    /// Where in `world` the route of each group to each goal is; 0 where routes are goals.
    routing: u32,
    tiles_x: u32,
    tiles_y: u32,
    tiles: u32,
    agents: u32,
    cell: f32,
    per_metre: f32,
    dt: f32,
    widest: f32,
    stride: f32,
    /// How far anybody may be, after walking, from the cell that it was sorted into, m.
    walked: f32,
    /// The same after being pushed, m.
    moved: f32,
    wall_reach: f32,
    wall_tiles_x: u32,
    /// Where in `world` the table of tiles of walls begins.
    solids: u32,
    /// Where in `world` the weights of the fields of costs are.
    weights: u32,
    /// How many of them there are.
    cost_fields: u32,
    seed: u32,
    step: u32,
    groups: u32,
    reference: f32,
    per_reference: f32,
    persons_per_density: f32,
    entries_per_person: f32,
    /// What the planner expects at least, m/s.
    least_speed: f32,
    /// Whether the plan tells free speeds, and whether the one behind gives way: what the steering asks for.
    free_pace: u32,
    yields: u32,
    free_cost: f32,
    window: u32,
    keep_maps: u32,
    columns: u32,
    sampled_tiles: u32,
    sample_every: u32,
    use_amount: f32,
    round_limit: u32,
    /// Where in `world` the table of passages begins: two records each; and how many there are.
    portals: u32,
    passages: u32,
    /// Where in `world` the places are where people wait at goals; and steps that make a second.
    stays: u32,
    per_second: u32,
    /// Where in `world` the machine is that some live by, and where goals are that it asks about.
    states: u32,
    nearest: u32,
    /// Where in `world` the floor around goals is that may be crowded.
    crowded: u32,
    /// Where in `world` the ways round walls to points are.
    detours: u32,
    /// Where in `world` the doors are, three records each; and how many there are.
    doors: u32,
    door_count: u32,
    /// Where in `world` the outlines are of walls that are not as they were at the beginning, and how many there are.
    signs: u32,
    sign_count: u32,
    /// Where in `seeds` the links through portals begin, and how many there are.
    portal_at: u32,
    portal_links: u32,
    /// Where in `seeds` the links begin that are too narrow, and how many there are.
    narrow_at: u32,
    narrow_links: u32,
    /// Where in `seeds` the cells begin that people wait in before goals, for each route, and how many there are.
    held_at: u32,
    held: u32,
    /// Potentials from here on lead through closed gates.
    beyond_gates: f32,
    /// Weights of terrain, density and hazards, and the least cost, of `plan = "froblins"`.
    froblins_terrain: f32,
    froblins_density: f32,
    froblins_hazard: f32,
    froblins_least: f32,
    /// Cells that hold only so many: how many of the raster's make a side, how many there are from west to east, and in all; 0 if there are none.
    block_side: u32,
    blocks_wide: u32,
    blocks: u32,
    /// Which law of slopes, by the place of its word.
    slope_law: u32,
}

/// `Params` as shaders declare it: the fields above, then the model's.
pub(crate) fn wgsl() -> String {
    format!("struct Params {{\n{FIELDS}{}}}\n", Model::default().wgsl_fields())
}

/// Bytes of the uniform.
pub(crate) fn bytes() -> u64 {
    (size_of::<Params>() + 4 * Model::default().table().len()).next_multiple_of(16) as u64
}

impl Params {
    /// The uniform: these numbers and the model's, in the order of [`wgsl`].
    pub(crate) fn words(&self, model: &Model) -> Vec<u32> {
        let mut words: Vec<u32> = bytemuck::cast_slice(&[*self]).to_vec();
        words.extend(model.values().into_iter().map(|(_, value)| value.bits()));
        words
    }

    pub(crate) fn new(scene: &Scene, world: &World, law: &Law) -> Self {
        let grid = world.grid;
        let (tiles_x, tiles_y) = Tiled::of(&grid).across;
        let (tiles_x, tiles_y) = (tiles_x as u32, tiles_y as u32);
        let tiles = tiles_x * tiles_y;
        let sample_every = tiles.div_ceil(4096).max(1);
        let numbers = law.numbers();
        let steering = scene.model.steer.steering();
        let bound = steering.bounded.map(|bounded| bounded(&scene.model));
        let blocks = bound.map_or_else(Blocks::default, |bound| Blocks::new(&grid, bound.side));
        // The first field of costs stands for all where a typical cost is asked for.
        let first = scene.model.way_weights(world.routes.weights()[0], law.reference);
        Self {
            width: grid.width as u32,
            height: grid.height as u32,
            cells: grid.len() as u32,
            routes: world.routes.len() as u32,
            goals: world.goals.len() as u32,
            routing: 0,
            tiles_x,
            tiles_y,
            tiles,
            agents: scene.agent_count() as u32,
            cell: grid.cell,
            per_metre: 1.0 / grid.cell,
            dt: scene.dt,
            widest: world.widest,
            stride: world.stride,
            walked: world.walked(),
            moved: world.moved(),
            wall_reach: world.walls.reach(),
            wall_tiles_x: grid.width.div_ceil(walls::TILE) as u32,
            solids: 0,
            weights: 0,
            cost_fields: world.routes.weights().len() as u32,
            seed: scene.seed,
            step: 0,
            groups: scene.groups.len() as u32,
            reference: law.reference,
            per_reference: numbers.per_reference,
            persons_per_density: numbers.persons,
            entries_per_person: numbers.entries,
            least_speed: numbers.min_speed,
            free_pace: u32::from(steering.pace == Pace::Free),
            yields: u32::from(steering.yields),
            free_cost: (first.length + first.time / law.reference.max(1e-3)).max(1e-6) * grid.cell,
            window: crate::measure::crowd::window(&grid) as u32,
            keep_maps: 0,
            columns: grid.width as u32 + 1,
            sampled_tiles: tiles.div_ceil(sample_every),
            sample_every,
            use_amount: scene.dt / (grid.cell * grid.cell),
            round_limit: 0,
            portals: 0,
            stays: 0,
            states: 0,
            nearest: 0,
            crowded: 0,
            detours: 0,
            doors: 0,
            signs: 0,
            sign_count: world.beliefs.signs.len() as u32,
            door_count: scene.doors.len() as u32,
            per_second: steps(1.0, scene.dt).max(1),
            passages: world.portals.passages().len() as u32,
            portal_at: 0,
            portal_links: 0,
            narrow_at: 0,
            narrow_links: 0,
            held_at: 0,
            held: 0,
            beyond_gates: 0.0,
            froblins_terrain: scene.model.froblins.terrain_weight,
            froblins_density: scene.model.froblins.density_weight,
            froblins_hazard: scene.model.froblins.hazard_weight,
            froblins_least: scene.model.froblins.least_cost,
            block_side: blocks.side as u32,
            blocks_wide: blocks.wide as u32,
            blocks: blocks.len() as u32,
            slope_law: u32::from(scene.terrain.law != SlopeLaw::Tobler),
        }
    }
}
