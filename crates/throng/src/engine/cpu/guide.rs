//! What everybody on the floor is told: by the plan, at doors, near hazards.

use super::CpuEngine;
use crate::scene::Plan;
use crate::stages::steer::guide::cpu::Speeds;
use crate::stages::steer::{Guidance, Pace, doors, flee, guide as plans};
use crate::world::goals::GoalPlace;

impl CpuEngine {
    /// The stage `guide`.
    pub(super) fn tell_everybody(&mut self) {
        let Self { scene, world, law, agents, bins, fields: f, planner, guide, plan_work: work, .. } = self;
        let (grid, walls, model) = (world.grid, &world.walls, &scene.model);
        guide.resize(bins.on_floor(), Guidance::default());
        let by_field = work.begin && model.plan == Plan::Continuum;
        let plan = plans::cpu::Plan {
            grid: &grid,
            walls,
            detours: &world.detours,
            routes: &world.routes,
            directions: &planner.directions,
            held: world.held.contains(&true),
            limited: world.places.iter().any(GoalPlace::is_limited),
            zone: &world.zone,
            // Two directions of a cell each: cheaper than a field for all of them, unless there is one.
            speed: match model.steer.steering().pace {
                Pace::Free => Speeds::Free,
                Pace::Field if by_field => Speeds::Field(&f.speed),
                Pace::Field => Speeds::Crowd(&f.density, &f.velocity),
            },
            law,
            groups: &scene.groups,
            machine: &world.machine,
            dt: scene.dt,
        };
        plans::cpu::run(plan, agents, guide);
        if let Some(held) = agents.own.iter_mut().find(|o| o.column.info == doors::HELD.info) {
            let floor = (&grid, walls);
            doors::cpu::run(floor, &scene.doors, &agents.position, &mut held.values, guide, scene.dt);
        }
        if !world.hazards.now().is_empty() {
            let (discs, zone, flee_speed) = (world.hazards.now(), &world.zone[..], model.flee_speed);
            flee::cpu::run(flee::cpu::Danger { discs, grid: &grid, walls, zone, flee_speed }, agents, guide);
        }
    }
}
