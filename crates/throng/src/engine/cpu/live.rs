//! The stage `live`, with what it depends on.

use super::CpuEngine;
use crate::engine::totals::Numbers;
use crate::stages::live::cpu::Rules;

impl CpuEngine {
    /// Who arrives, waits, leaves and enters.
    pub(super) fn live(&mut self) {
        let Self { scene, world, agents, bins, planner, .. } = self;
        let rules = Rules {
            grid: &world.grid,
            walls: &world.walls,
            groups: &scene.groups,
            routes: &world.routes,
            directions: &planner.directions,
            portals: &world.portals,
            stays: &world.stays,
            machine: &world.machine,
            nearest: &world.nearest,
            hazards: world.hazards.now(),
            signs: &world.beliefs.signs,
            first_ids: &self.first_ids,
            places: &world.places,
            sources: &world.sources,
            signals: &world.signals,
            widest: world.widest,
            moved: world.moved(),
            dt: scene.dt,
            seed: scene.seed,
            step: self.step,
        };
        let changes = self.life.run(rules, agents, bins);
        self.numbers = Numbers {
            arrived: changes.arrived,
            goals_reached: changes.goals_reached,
            entered: changes.entered,
            parked: changes.parked,
            left: changes.left,
            went_in: changes.went_in,
            came_out: changes.came_out,
            ..self.numbers
        };
    }
}
