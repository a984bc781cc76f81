//! Somebody's map as the next step would make it: for those who want to look at it.

use super::cpu::{Walkers, over_relaxed};
use super::map::Layout;
use super::relax::Grid;
use crate::scene::Scene;
use crate::stages::bin::Bins;
use crate::stages::bin::cpu::Sorter;
use crate::stages::gradient::Directions;
use crate::stages::steer::guide::cpu::{Plan, Speeds, run as guide};
use crate::stages::steer::{Crowd, Guidance, Steer};
use crate::world::World;
use crate::world::agents::Agents;
use glam::Vec2;

/// A relaxed map, and what somebody makes of it.
#[derive(Clone, Debug)]
pub struct LocalMap {
    /// Where it is, and its zones.
    pub layout: Layout,
    /// Its values, 1 at goals and 0 at obstacles, and which of them are given.
    pub grid: Grid,
    /// Where the plan leads, of length 1.
    pub way: Vec2,
    /// The descent in the middle, of length 1: where it turns to. None for who is shut in.
    pub descent: Option<Vec2>,
}

/// The map of the agent with this id, if it has one: it is on the floor and has somewhere to go. Doors and hazards may tell it otherwise in the step.
pub(crate) fn local_map(
    (scene, world): (&Scene, &World),
    directions: &Directions,
    agents: &Agents,
    step: u32,
    id: u32,
) -> Option<LocalMap> {
    if scene.model.steer != Steer::Bvp {
        return None;
    }
    let own = (0..agents.len()).find(|&i| agents.id[i] == id && agents.state[i].on_floor())?;
    let (p, reach) = (agents.position[own], super::sight(scene) + world.widest);
    let mut near = agents.clone();
    near.retain(|a| a.state.on_floor() && a.position.distance(p) < reach + world.grid.cell);
    let mut bins = Bins { start: vec![0; world.grid.len() + 1], outside: 0 };
    Sorter::default().run(&world.grid, &mut near, &mut bins);
    let i = near.id.iter().position(|&other| other == id)?;
    let law = scene.law();
    let mut told = vec![Guidance::default(); near.len()];
    guide(Plan::of((scene, world), directions, &law, Speeds::Free), &near, &mut told);
    let walkers = Walkers::new(Crowd {
        grid: &world.grid,
        walls: &world.walls,
        agents: &near,
        bins: &bins,
        guide: &told,
        cells: None,
        ways: (directions, &world.routes),
        groups: &scene.groups,
        model: &scene.model,
        widest: world.widest,
        dt: scene.dt,
        seed: scene.seed,
        step,
    });
    if told[i].direction == Vec2::ZERO {
        return None;
    }
    let mut map = walkers.map(i);
    over_relaxed(&mut map.grid, map.weights);
    let descent = map.descent();
    Some(LocalMap { layout: map.layout, grid: map.grid, way: told[i].direction, descent })
}
