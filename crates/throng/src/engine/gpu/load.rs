//! A step that begins on the CPU engine and goes on here.

use super::buffers::COLUMNS;
use super::{GpuEngine, agents, stage};
use crate::engine::EngineError;
use crate::engine::cpu::CpuEngine;
use crate::scene::Plan;
use crate::stages::COUNT;
use crate::stages::potential::{Padded, UNREACHED};
use std::ops::Range;

/// For tests and for finding differences: what the CPU engine has, put on the device.
impl GpuEngine {
    /// Copies the state of a CPU engine as it is before the stage `from` of a step.
    pub(crate) fn load(&mut self, cpu: &CpuEngine, from: usize) {
        let sorted = from > stage("bin");
        self.step = cpu.step_number();
        self.begin_step();
        let mut agents = cpu.agents().clone();
        if from == stage("move") {
            // Here the wanted velocity is where the last one was.
            agents.velocity.copy_from_slice(cpu.wanted());
        }
        self.present = 0;
        self.sorted = sorted;
        let columns = COLUMNS.map(|name| self.buffers.get(name, usize::from(sorted)));
        agents::upload_columns(&self.gpu, columns, &agents, &self.scene);
        self.upload_groups(&agents, cpu.let_in());
        let bins = cpu.bins();
        let mut starts = bins.start.clone();
        starts.push(bins.alive() as u32);
        self.write("starts", 0, &starts);
        let fields = cpu.fields();
        let quanta: Vec<[i32; 4]> =
            if from == stage("flow") { fields.quanta.to_vec() } else { vec![[0; 4]; starts.len() - 2] };
        self.write("quanta", 0, &quanta);
        let average: Vec<[f32; 4]> = (0..quanta.len())
            .map(|c| {
                let v = fields.velocity[c];
                [fields.density[c], v.x, v.y, fields.quanta[c][3] as f32]
            })
            .collect();
        self.write("average", 0, &average);
        self.write("speed", 0, &fields.speed);
        let layout = Padded::of(&self.world.grid);
        let tiled = self.params.tiles as usize * 256;
        let place = |c: usize| self.tiled(c);
        let mut cost = vec![[UNREACHED; 4]; tiled];
        let mut potential = vec![UNREACHED; tiled * fields.potentials.len()];
        let mut directions = vec![[0i16; 2]; quanta.len() * fields.potentials.len()];
        for c in 0..quanta.len() {
            cost[place(c)] = fields.cost[layout.of_index(c)];
            for (g, p) in fields.potentials.iter().enumerate() {
                potential[g * tiled + place(c)] = p[layout.of_index(c)];
                let way = fields.directions.at(c, g);
                let pack = |v: f32| (v.clamp(-1.0, 1.0) * 32767.0).round() as i16;
                directions[c * fields.potentials.len() + g] = [pack(way.x), pack(way.y)];
            }
        }
        self.write("cost", 0, &cost);
        self.write("potential", 0, &potential);
        self.write("directions", 0, &directions);
        // The solver's buckets follow from what a link typically costs.
        let mean = cpu.typical_cost().max(1e-6);
        let sum = (4080.0 * self.params.free_cost / mean).clamp(1.0, 65535.0) as u32;
        self.write("control", 0, &[sum, 1]);
    }

    /// Runs some stages of the step that [`GpuEngine::load`] began.
    pub(crate) fn run(&mut self, stages: Range<usize>) -> Result<(), EngineError> {
        let mut encoder = self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let whole = stages.end == COUNT;
        let planned = self.scene.model.plan == Plan::Continuum || self.plan_due;
        let first = stages.start;
        // Whoever comes in with a cost field has the solver's numbers too.
        self.encode(&mut encoder, stages, false);
        if whole {
            self.end_step(&mut encoder, false);
        }
        self.gpu.queue.submit([encoder.finish()]);
        if whole {
            self.journal.get_mut().note(&self.gpu, planned && first <= stage("potential"), false);
        }
        if self.gpu.trouble().is_some() { Err(self.failure()) } else { Ok(()) }
    }
}
