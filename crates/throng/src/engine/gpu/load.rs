//! A step that begins on the CPU engine and goes on here, and plans that are made on the host.

use super::GpuEngine;
use super::buffers::Buffer;
use crate::engine::EngineError;
use crate::engine::cpu::planner::Planner;
use crate::engine::cpu::{CpuEngine, begin_empty};
use crate::scene::Plan;
use crate::stages::Stage;
use crate::stages::potential::{Padded, UNREACHED};

/// For tests and for finding differences: what the CPU engine has, put on the device.
impl GpuEngine {
    /// Copies the state of a CPU engine as it is before the stage `from` of a step.
    pub(crate) fn load(&mut self, cpu: &CpuEngine, from: Stage) {
        self.step = cpu.step_number();
        self.begin_step();
        self.plan_work = cpu.plan_work();
        self.upload_columns(cpu.agents());
        self.upload_groups(cpu.agents(), cpu.let_in());
        self.upload_rooms(cpu.agents());
        let bins = cpu.bins();
        let mut starts = bins.start.clone();
        starts.push(bins.alive() as u32);
        self.write(Buffer::Starts, 0, &starts);
        self.write(Buffer::Guide, 0, cpu.guide());
        self.write(Buffer::Wanted, 0, cpu.wanted());
        self.load_cells(cpu);
        let fields = cpu.fields();
        let quanta = if from == Stage::Flow { fields.quanta.clone() } else { vec![[0; 4]; starts.len() - 2] };
        self.write(Buffer::Quanta, 0, &quanta);
        let average: Vec<[f32; 4]> = (0..quanta.len())
            .map(|c| {
                let v = fields.velocity[c];
                [fields.density[c], v.x, v.y, fields.quanta[c][3] as f32]
            })
            .collect();
        self.write(Buffer::Average, 0, &average);
        self.write(Buffer::Speed, 0, &cpu.speeds());
        self.load_plan(cpu);
        if self.plan_work.begin && from <= Stage::Gradient && self.scene.model.plan == Plan::Harmonic {
            // No kernel makes it.
            self.plan_on_host();
        }
    }

    /// Who was in which cell when the step began, where cells hold only so many.
    fn load_cells(&mut self, cpu: &CpuEngine) {
        let cells = cpu.cells();
        if self.params.blocks == 0 || cells.starts.len() != self.params.blocks as usize + 1 {
            return;
        }
        let list: Vec<u32> = cells.starts.iter().chain(&cells.who).copied().collect();
        self.write(Buffer::Cells, 0, &list);
        let homes = cells.home.iter().zip(&cells.before);
        let crossings: Vec<[u32; 4]> =
            homes.map(|(&home, at)| [home, u32::MAX, at.x.to_bits(), at.y.to_bits()]).collect();
        self.write(Buffer::Crossings, 0, &crossings);
        self.write(Buffer::Asks, 0, &vec![[0u32; 2]; self.params.blocks as usize]);
    }

    fn load_plan(&mut self, cpu: &CpuEngine) {
        self.write_plan(cpu.planner());
        // While other threads solve there is nothing to copy, and nothing that reads it before they end.
        let Some(solve) = cpu.planner().at_hand() else { return };
        let layout = Padded::of(&self.world.grid);
        let (cells, tiled) = (self.world.grid.len(), self.params.tiles as usize * 256);
        let mut cost = vec![[UNREACHED; 4]; tiled * solve.costs.len()];
        for c in 0..cells {
            let (at, from) = (self.tiled(c), layout.cell(c).place());
            for (field, costs) in solve.costs.iter().enumerate() {
                cost[field * tiled + at] = costs[from];
            }
        }
        self.write(Buffer::Cost, 0, &cost);
        // The solver's buckets follow from what a link typically costs.
        let mean = solve.typical[0].max(1e-6);
        let sum = (4080.0 * self.params.free_cost / mean).clamp(1.0, 65535.0) as u32;
        self.write(Buffer::Control, 0, &[sum, 1]);
    }

    /// Directions and potentials.
    fn write_plan(&self, planner: &Planner) {
        let directions: Vec<u32> = planner.directions.codes().collect();
        self.write(Buffer::Directions, 0, &directions);
        let Some(solve) = planner.at_hand() else { return };
        let layout = Padded::of(&self.world.grid);
        let tiled = self.params.tiles as usize * 256;
        let mut potential = vec![UNREACHED; tiled * solve.potentials.len()];
        for c in 0..self.world.grid.len() {
            let (at, from) = (self.tiled(c), layout.cell(c).place());
            for (route, potentials) in solve.potentials.iter().enumerate() {
                potential[route * tiled + at] = potentials[from];
            }
        }
        self.write(Buffer::Potential, 0, &potential);
    }

    /// Makes a harmonic plan, which is solved in doubles, for the empty floor.
    pub(super) fn plan_on_host(&mut self) {
        let model = &self.scene.model;
        let mut planner = Planner::new(model, &self.world);
        begin_empty(model, &self.world, &self.law, &mut planner, self.plan_work);
        planner.go_on(self.plan_work);
        planner.finish(&self.world, self.plan_work);
        self.write_plan(&planner);
    }

    /// Runs the stages from one to the last of the step that [`GpuEngine::load`] began.
    pub(crate) fn finish_from(&mut self, from: Stage) -> Result<(), EngineError> {
        let mut encoder = self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        // Whoever comes in with a cost field has the solver's numbers too.
        self.encode(&mut encoder, &Stage::ALL[from.index()..], false);
        self.end_step(&mut encoder, false);
        self.gpu.queue.submit([encoder.finish()]);
        let planned = self.plan_work.finish && from <= Stage::Potential;
        self.journal.get_mut().note(&self.gpu, planned, false);
        if self.gpu.trouble().is_some() { Err(self.failure()) } else { Ok(()) }
    }
}
