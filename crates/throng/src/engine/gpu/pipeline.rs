//! The pipeline: the step as a list of passes.

use super::GpuEngine;
use super::buffers::Buffer;
use super::kernels::{Kernel, Shader};
use super::rounds::STRIDE;
use crate::scene::Plan;
use crate::stages::Stage;
use crate::stages::separate::Search;
use std::ops::Range;
use wgpu::{BindGroup, ComputePass};

/// Workgroups that share a round's list: enough to fill a large card, few enough that an empty round is cheap.
const SOLVER_GROUPS: u64 = 1056;

/// So many workgroups, in two dimensions where one does not hold them.
fn spread(groups: u64) -> (u32, u32) {
    const MOST: u64 = 65_535;
    let rows = groups.div_ceil(MOST).max(1);
    (groups.div_ceil(rows) as u32, rows as u32)
}

impl GpuEngine {
    fn go(&self, pass: &mut ComputePass<'_>, kernel: Kernel, groups: u64) {
        let group = self.bindings[self.present].groups[kernel.shader() as usize].as_ref();
        self.go_with(pass, kernel, group.expect("a shader that is bound in one way"), groups);
    }

    fn go_with(&self, pass: &mut ComputePass<'_>, kernel: Kernel, group: &BindGroup, groups: u64) {
        let (x, y) = spread(groups);
        pass.set_pipeline(&self.kernels.pipelines[kernel as usize]);
        pass.set_bind_group(0, group, &[]);
        pass.dispatch_workgroups(x, y, 1);
    }

    fn round_group(&self) -> BindGroup {
        self.gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("round"),
            layout: &self.kernels.round,
            entries: &[wgpu::BindGroupEntry {
                binding: 0,
                resource: wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                    buffer: &self.rounds.uniform,
                    offset: 0,
                    size: wgpu::BufferSize::new(16),
                }),
            }],
        })
    }

    /// Some stages of a step. When they are timed each is a pass of its own.
    pub(super) fn encode(&mut self, encoder: &mut wgpu::CommandEncoder, stages: &[Stage], timed: bool) {
        match self.queries.clone().filter(|_| timed) {
            Some(query_set) => {
                for &stage in stages {
                    let timestamp_writes = Some(wgpu::ComputePassTimestampWrites {
                        query_set: &query_set,
                        beginning_of_pass_write_index: Some(2 * stage.index() as u32),
                        end_of_pass_write_index: Some(2 * stage.index() as u32 + 1),
                    });
                    let descriptor = wgpu::ComputePassDescriptor { label: Some(stage.name()), timestamp_writes };
                    let mut pass = encoder.begin_compute_pass(&descriptor);
                    self.run_stage(&mut pass, stage);
                }
            }
            None => {
                let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
                for &stage in stages {
                    self.run_stage(&mut pass, stage);
                }
            }
        }
    }

    fn run_stage(&mut self, pass: &mut ComputePass<'_>, stage: Stage) {
        self.stage(pass, stage);
        if stage == Stage::Bin {
            // The sorted columns are the present ones from here on.
            self.present = 1 - self.present;
        }
    }

    fn stage(&self, pass: &mut ComputePass<'_>, stage: Stage) {
        let p = &self.params;
        let (agents, cells, tiles) = (u64::from(p.agents), u64::from(p.cells), u64::from(p.tiles));
        let per = |n: u64, size: u64| n.div_ceil(size).max(1);
        let work = self.plan_work;
        match stage {
            Stage::Bin => self.sort(pass),
            Stage::Splat => self.go(pass, Kernel::Splat, tiles),
            Stage::Flow => self.go(pass, Kernel::Flow, per(cells, 256)),
            Stage::Speed => self.go(pass, Kernel::Speed, per(cells, 256)),
            Stage::Cost if work.begin => self.take_costs(pass),
            // A harmonic plan comes from the host, whole: `plan_on_host`.
            Stage::Potential | Stage::Gradient if self.scene.model.plan == Plan::Harmonic => {}
            Stage::Potential if work.part.is_some() => self.solve_part(pass),
            Stage::Gradient if work.finish => {
                self.go(pass, Kernel::Gradient, tiles);
                if self.jumps() > 0 {
                    self.go(pass, Kernel::SendThrough, per(self.jumps(), 64));
                }
                if p.held > 0 {
                    self.go(pass, Kernel::Hold, per(p.held.into(), 64));
                }
            }
            Stage::Cost | Stage::Potential | Stage::Gradient => {}
            Stage::Guide => {
                self.go(pass, Kernel::Guide, per(agents, 128));
                if self.scene.has_doors() {
                    self.go(pass, Kernel::CountComing, per(agents, 128));
                    self.go(pass, Kernel::HoldBack, per(agents, 128));
                }
                if !self.world.hazards.now().is_empty() {
                    self.go(pass, Kernel::Flee, per(agents, 128));
                }
            }
            Stage::Avoid => {
                if p.blocks > 0 {
                    self.go(pass, Kernel::GatherCells, p.blocks.into());
                }
                let each = self.scene.model.steer.steering().agents_a_group;
                self.go(pass, Kernel::Avoid, per(agents, each.into()));
            }
            Stage::Move => self.go(pass, Kernel::Move, per(agents, 256)),
            Stage::Separate => self.separate(pass),
            Stage::Measure => {
                self.go(pass, Kernel::Look, per(agents, 256));
                self.go(pass, Kernel::Density, per(cells, 256));
            }
            Stage::Live => {
                if self.has_rooms() {
                    self.go(pass, Kernel::LeaveGoals, per(agents, 256));
                    self.go(pass, Kernel::Ask, per(agents, 256));
                    self.go(pass, Kernel::Admit, 1);
                }
                self.go(pass, Kernel::Arrivals, per(agents, 256));
                if self.scene.has_states() {
                    self.go(pass, Kernel::Decide, per(agents, 128));
                    self.go(pass, Kernel::Change, per(agents, 256));
                }
                if !self.world.stays.is_empty() {
                    self.go(pass, Kernel::TakePlaces, per(agents, 256));
                }
                if !self.world.beliefs.signs.is_empty() {
                    self.go(pass, Kernel::LookAround, per(agents, 128));
                }
                if self.has_entries {
                    self.go(pass, Kernel::Entries, 1);
                    if self.have_points() {
                        self.go(pass, Kernel::SetOut, per(agents, 256));
                    }
                }
            }
        }
    }

    /// Agents by cell: a counting sort, then every column follows.
    fn sort(&self, pass: &mut ComputePass<'_>) {
        let (agents, cells) = (u64::from(self.params.agents), u64::from(self.params.cells));
        let per_agent = agents.div_ceil(256).max(1);
        self.go(pass, Kernel::BinCount, per_agent);
        self.go(pass, Kernel::BinSumCells, cells.div_ceil(2048));
        self.go(pass, Kernel::BinSumBlocks, 1);
        self.go(pass, Kernel::BinPlaceCells, cells.div_ceil(2048));
        self.go(pass, Kernel::BinScatter, per_agent);
        self.go(pass, Kernel::BinRank, per_agent);
        self.go(pass, Kernel::Permute, per_agent);
        for (width, group) in &self.bindings[self.present].own_columns {
            let kernel = match width {
                1 => Kernel::PermuteOne,
                2 => Kernel::PermuteTwo,
                _ => Kernel::PermuteFour,
            };
            self.go_with(pass, kernel, group, per_agent);
        }
    }

    /// The costs of the present crowd, or of a floor without anybody.
    fn take_costs(&self, pass: &mut ComputePass<'_>) {
        let p = &self.params;
        let (cells, tiles) = (u64::from(p.cells).div_ceil(256), u64::from(p.tiles) * u64::from(p.cost_fields));
        let empty = !self.schedule.follows_crowd();
        if empty {
            self.go(pass, Kernel::SpeedOfEmptyFloor, cells);
        }
        self.go(pass, Kernel::Cost, tiles);
        if !(empty || self.world.crowding.is_empty()) {
            self.go(pass, Kernel::AddCrowds, (self.world.crowding.len() as u64).div_ceil(64));
        }
        self.close_links(pass, self.params.narrow_links);
        if empty {
            // Walking is among the others.
            self.go(pass, Kernel::Speed, cells);
        }
    }

    /// The first so many links that cost something else than the floor says: those that are too narrow, then gates. One
    /// workgroup each.
    fn close_links(&self, pass: &mut ComputePass<'_>, count: u32) {
        if count > 0 {
            self.go(pass, Kernel::CloseLinks, count.into());
        }
    }

    fn separate(&self, pass: &mut ComputePass<'_>) {
        let p = &self.params;
        let agents = u64::from(p.agents);
        let per = |size: u64| agents.div_ceil(size).max(1);
        let model = &self.scene.model;
        if model.neighbours == Search::Sweep {
            let columns = u64::from(p.width).div_ceil(64);
            self.go(pass, Kernel::SweepCount, columns);
            self.go(pass, Kernel::SweepPlace, 1);
            self.go(pass, Kernel::SweepFill, columns);
        }
        self.go(pass, Kernel::Gather, per(256));
        self.go(pass, Kernel::Find, per(128));
        let round = self.round_group();
        let bindings = &self.bindings[self.present];
        for r in 0..model.separation_rounds {
            let group = if r == 0 { &bindings.pushes[0] } else { &bindings.pushes[2 - r as usize % 2] };
            pass.set_bind_group(1, &round, &[r * STRIDE as u32]);
            self.go_with(pass, Kernel::PushApart, group, per(128));
        }
        self.go_with(pass, Kernel::Finish, &bindings.finish, per(128));
        if p.blocks > 0 {
            self.go(pass, Kernel::AskForPlaces, per(256));
            self.go(pass, Kernel::KeepOut, per(128));
        }
    }

    /// Tiles times routes.
    pub(super) fn solver_items(&self) -> u64 {
        u64::from(self.params.tiles) * u64::from(self.params.routes)
    }

    /// The rounds that a step does of the solve under way: its share of all of them.
    pub(super) fn rounds_now(&self) -> Range<u64> {
        if self.scene.model.plan == Plan::Harmonic {
            return 0..0; // all of it was done on the host
        }
        let given = u64::from(self.params.round_limit);
        self.plan_work.part.map_or(0..0, |(part, of)| {
            let until = |part: u32| given * u64::from(part) / u64::from(of);
            until(part)..until(part + 1)
        })
    }

    /// A step's part of the potentials of all routes: see potential.wgsl.
    fn solve_part(&self, pass: &mut ComputePass<'_>) {
        if self.solver_items() > 0 {
            if self.plan_work.begin {
                self.seed(pass);
            }
            self.relax(pass, self.rounds_now());
            if self.plan_work.finish {
                self.sum_up(pass);
            }
        }
    }

    /// All of it.
    pub(super) fn solve(&self, pass: &mut ComputePass<'_>) {
        if self.solver_items() > 0 {
            self.seed(pass);
            self.relax(pass, 0..u64::from(self.params.round_limit));
            self.sum_up(pass);
        }
    }

    /// Before the first round.
    pub(super) fn seed(&self, pass: &mut ComputePass<'_>) {
        pass.set_bind_group(1, &self.round_group(), &[0]);
        self.go(pass, Kernel::PotentialReset, self.solver_items());
        self.go(pass, Kernel::PotentialSeed, self.rounds.seed_threads().div_ceil(256));
    }

    /// Some rounds, by their numbers.
    pub(super) fn relax(&self, pass: &mut ComputePass<'_>, rounds: Range<u64>) {
        let round = self.round_group();
        // A processor that plays a GPU pays for every workgroup that finds nothing to do.
        let groups = self.solver_items().min(if self.gpu.is_software() { 16 } else { SOLVER_GROUPS }) as u32;
        pass.set_pipeline(&self.kernels.pipelines[Kernel::PotentialRelax as usize]);
        pass.set_bind_group(0, self.bindings[self.present].groups[Shader::Potential as usize].as_ref(), &[]);
        for r in rounds {
            pass.set_bind_group(1, &round, &[(r * STRIDE) as u32]);
            pass.dispatch_workgroups(groups, 1, 1);
            if self.jumps() > 0 {
                self.go(pass, Kernel::PotentialJump, self.jumps().div_ceil(64));
                pass.set_pipeline(&self.kernels.pipelines[Kernel::PotentialRelax as usize]);
            }
        }
    }

    /// Links through portals times routes.
    fn jumps(&self) -> u64 {
        u64::from(self.params.portal_links) * u64::from(self.params.routes)
    }

    /// After the last round: its numbers.
    pub(super) fn sum_up(&self, pass: &mut ComputePass<'_>) {
        pass.set_bind_group(1, &self.round_group(), &[0]);
        self.go(pass, Kernel::PotentialSumUp, self.solver_items().div_ceil(256));
    }

    /// Before there is any plan: no potential is reached.
    pub(super) fn clear_plan(&self, encoder: &mut wgpu::CommandEncoder) {
        let items = self.solver_items();
        if items > 0 {
            let round = self.round_group();
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            pass.set_bind_group(1, &round, &[0]);
            self.go(&mut pass, Kernel::PotentialReset, items);
        }
    }

    /// After walls have changed: whoever is in one now is put aside, to where a plan for the empty floor reaches.
    pub(super) fn displace(&self, encoder: &mut wgpu::CommandEncoder) {
        let p = &self.params;
        encoder.clear_buffer(self.buffers.get(Buffer::Control), 0, None);
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        self.go(&mut pass, Kernel::SpeedOfEmptyFloor, u64::from(p.cells).div_ceil(256));
        self.go(&mut pass, Kernel::Cost, u64::from(p.tiles) * u64::from(p.cost_fields));
        // A gate that has just closed is no way to where they are put.
        self.close_links(&mut pass, self.rounds.shut);
        self.solve(&mut pass);
        self.go(&mut pass, Kernel::Displace, u64::from(p.agents).div_ceil(64).max(1));
    }
}
