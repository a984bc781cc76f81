//! The numbers of a scene as shaders see them: `Params` of prelude.wgsl, field by field.

use crate::scene::Scene;
use crate::stages::potential::TILE;
use crate::stages::separate::Search;
use crate::stages::speed::SpeedLaw;
use crate::stages::speed::cpu::Law;
use crate::world::World;
use crate::world::walls;
use bytemuck::{Pod, Zeroable};

#[derive(Clone, Copy, Debug, Pod, Zeroable, PartialEq)]
#[repr(C)]
pub(crate) struct Params {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) cells: u32,
    pub(crate) goals: u32,
    pub(crate) tiles_x: u32,
    pub(crate) tiles_y: u32,
    pub(crate) tiles: u32,
    pub(crate) agents: u32,
    pub(crate) cell: f32,
    pub(crate) per_metre: f32,
    pub(crate) dt: f32,
    pub(crate) widest: f32,
    pub(crate) stride: f32,
    pub(crate) wall_reach: f32,
    pub(crate) wall_tiles_x: u32,
    pub(crate) solids: u32,
    pub(crate) seed: u32,
    pub(crate) step: u32,
    pub(crate) groups: u32,
    pub(crate) law: u32,
    pub(crate) reference: f32,
    pub(crate) per_reference: f32,
    pub(crate) flow_weight: f32,
    pub(crate) min_speed: f32,
    pub(crate) density_min: f32,
    pub(crate) density_max: f32,
    pub(crate) persons_per_density: f32,
    pub(crate) entries_per_person: f32,
    pub(crate) length_cost: f32,
    pub(crate) time_cost: f32,
    pub(crate) discomfort_cost: f32,
    pub(crate) free_cost: f32,
    pub(crate) window: u32,
    pub(crate) keep_maps: u32,
    pub(crate) columns: u32,
    pub(crate) search: u32,
    pub(crate) sampled_tiles: u32,
    pub(crate) sample_every: u32,
    pub(crate) use_amount: f32,
    pub(crate) round_limit: u32,
}

impl Params {
    pub(crate) fn new(scene: &Scene, world: &World, law: &Law) -> Self {
        let grid = world.grid;
        let (tiles_x, tiles_y) = (grid.width.div_ceil(TILE) as u32, grid.height.div_ceil(TILE) as u32);
        let tiles = tiles_x * tiles_y;
        let model = &scene.model;
        let sample_every = tiles.div_ceil(4096).max(1);
        let numbers = law.numbers();
        Self {
            width: grid.width as u32,
            height: grid.height as u32,
            cells: grid.len() as u32,
            goals: world.goals.len() as u32,
            tiles_x,
            tiles_y,
            tiles,
            agents: scene.agent_count() as u32,
            cell: grid.cell,
            per_metre: 1.0 / grid.cell,
            dt: scene.dt,
            widest: world.widest,
            stride: world.stride,
            wall_reach: world.walls.reach(),
            wall_tiles_x: grid.width.div_ceil(walls::TILE) as u32,
            solids: 0,
            seed: scene.seed,
            step: 0,
            groups: scene.groups.len() as u32,
            law: match model.speed_law {
                SpeedLaw::Weidmann => 0,
                SpeedLaw::Thesis => 1,
            },
            reference: law.reference,
            per_reference: numbers.per_reference,
            flow_weight: model.flow_weight,
            min_speed: numbers.min_speed,
            density_min: model.density_min,
            density_max: model.density_max,
            persons_per_density: numbers.persons,
            entries_per_person: numbers.entries,
            length_cost: model.length_weight * grid.cell,
            time_cost: model.time_weight * grid.cell,
            discomfort_cost: model.discomfort_weight * grid.cell,
            free_cost: (model.length_weight + model.time_weight / law.reference.max(1e-3)).max(1e-6) * grid.cell,
            window: crate::measure::crowd::window(&grid) as u32,
            keep_maps: 0,
            columns: grid.width as u32 + 1,
            search: match model.neighbours {
                Search::Bins => 0,
                Search::Sweep => 1,
                Search::AllPairs => 2,
            },
            sampled_tiles: tiles.div_ceil(sample_every),
            sample_every,
            use_amount: scene.dt / (grid.cell * grid.cell),
            round_limit: 0,
        }
    }
}
