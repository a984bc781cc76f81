//! The pipeline: kernels, what they are bound to, and the step as a list of passes.

use super::GpuEngine;
use super::buffers::Buffers;
use super::device::Gpu;
use super::kernels::{SHADERS, Shader, round_layout};
use super::rounds::STRIDE;
use crate::scene::{Model, Plan, Scene};
use crate::stages::NAMES;
use crate::stages::potential::{Scheme, Solver};
use crate::stages::separate::Search;
use std::collections::BTreeMap;
use std::ops::Range;
use wgpu::{BindGroup, ComputePass, ComputePipeline};

/// Workgroups that share a round's list: enough to fill a large card, few enough that an empty round is cheap.
const SOLVER_GROUPS: u64 = 1056;

#[derive(Debug)]
pub(crate) struct Kernels {
    shaders: BTreeMap<&'static str, Shader>,
    /// By shader and entry point.
    pipelines: BTreeMap<(&'static str, &'static str), ComputePipeline>,
    round: wgpu::BindGroupLayout,
    solver: [(&'static str, f64); 3],
}

/// Every shader's buffers, with one of the sets of columns as the present one.
#[derive(Debug)]
pub(crate) struct Bindings {
    groups: BTreeMap<&'static str, BindGroup>,
    /// Separation's rounds: from where they started, then back and forth between two arrays.
    pushes: [BindGroup; 3],
    /// What the last round left.
    finish: BindGroup,
}

const ENTRIES: &[(&str, &str)] = &[
    ("splat", "tiles"),
    ("splat", "strays"),
    ("flow", "flow"),
    ("speed", "speeds"),
    ("cost", "costs"),
    ("potential", "reset"),
    ("potential", "seed"),
    ("potential", "relax"),
    ("potential", "sum_up"),
    ("gradient", "gradients"),
    ("steer", "follow"),
    ("motion", "move_all"),
    ("bin", "count"),
    ("bin", "sum_cells"),
    ("bin", "sum_blocks"),
    ("bin", "place_cells"),
    ("bin", "scatter"),
    ("bin", "rank"),
    ("permute", "bodies"),
    ("permute_journeys", "journeys"),
    ("sweep", "count_columns"),
    ("sweep", "place_columns"),
    ("sweep", "fill_columns"),
    ("find", "gather"),
    ("find", "find"),
    ("separate", "push_apart"),
    ("finish", "finish"),
    ("crowd", "look"),
    ("density", "density"),
    ("live", "arrivals"),
    ("entries", "entries"),
    ("displace", "displace"),
];

impl Kernels {
    pub(crate) fn new(gpu: &Gpu, scene: &Scene, items: u64) -> Self {
        let round = round_layout(gpu);
        let shaders: BTreeMap<_, _> = SHADERS.iter().map(|(name, _)| (*name, Shader::new(gpu, name, &round))).collect();
        let solver = solver_constants(scene, items);
        let constants = |entry: &str| -> &[(&str, f64)] {
            match entry {
                "relax" => &solver,
                "sum_up" => &solver[1..2],
                _ => &[],
            }
        };
        let mut pipelines: BTreeMap<_, _> = ENTRIES
            .iter()
            .map(|&(shader, entry)| ((shader, entry), shaders[shader].kernel(gpu, entry, constants(entry))))
            .collect();
        pipelines.insert(("speed", "empty"), shaders["speed"].kernel(gpu, "speeds", &[("EMPTY", 1.0)]));
        Self { shaders, pipelines, round, solver }
    }

    /// Whether they would be the same for a scene of so many items: compiling takes far longer than anything else.
    pub(crate) fn suit(&self, scene: &Scene, items: u64) -> bool {
        self.solver == solver_constants(scene, items)
    }

    pub(crate) fn bind(&self, gpu: &Gpu, buffers: &Buffers, present: usize, model: &Model) -> Bindings {
        let sweeps = model.neighbours == Search::Sweep;
        let bind = |shader: &str, from: &str, to: &str| {
            self.shaders[shader].bind(gpu, |name| match name {
                "bodies" => buffers.other(from),
                "bodies_next" => buffers.other(to),
                "cell_starts" => buffers.other("starts"),
                "starts" if sweeps && ["find", "separate", "finish"].contains(&shader) => buffers.other("columns"),
                _ => buffers.get(name, present),
            })
        };
        let rounds = model.separation_rounds;
        let last = if rounds == 0 { "before" } else { ["bodies_b", "bodies_a"][rounds as usize % 2] };
        Bindings {
            groups: SHADERS
                .iter()
                .filter(|(name, _)| !["separate", "finish"].contains(name))
                .map(|(name, _)| (*name, bind(name, "", "")))
                .collect(),
            pushes: [
                bind("separate", "before", "bodies_a"),
                bind("separate", "bodies_a", "bodies_b"),
                bind("separate", "bodies_b", "bodies_a"),
            ],
            finish: bind("finish", last, ""),
        }
    }
}

/// What the solver's kernels are compiled for.
fn solver_constants(scene: &Scene, items: u64) -> [(&'static str, f64); 3] {
    let order = match scene.model.solver {
        Solver::Buckets => 0.0,
        Solver::Selective => 1.0,
        Solver::All => 2.0,
    };
    [
        ("SCHEME", if scene.model.scheme == Scheme::Thesis { 1.0 } else { 0.0 }),
        ("ORDER", order),
        ("BUCKET", bucket(items)),
    ]
}

/// The width of the solver's buckets, in cells of typical cost. Wide ones take fewer rounds and more visits: good where few
/// items leave the device idle anyway. Measured on 1,000 to 262,000 items (docs/models/solver.md).
pub(crate) fn bucket(items: u64) -> f64 {
    (8.0 * (16_384.0 / items.max(1) as f64).powf(0.4)).clamp(5.0, 16.0)
}

/// So many workgroups, in two dimensions where one does not hold them.
fn spread(groups: u64) -> (u32, u32) {
    const MOST: u64 = 65_535;
    let rows = groups.div_ceil(MOST).max(1);
    (groups.div_ceil(rows) as u32, rows as u32)
}

impl GpuEngine {
    fn go(&self, pass: &mut ComputePass<'_>, shader: &'static str, entry: &'static str, groups: u64) {
        self.go_with(pass, shader, entry, &self.bindings[self.present].groups[shader], groups);
    }

    fn go_with(
        &self,
        pass: &mut ComputePass<'_>,
        shader: &'static str,
        entry: &'static str,
        group: &BindGroup,
        groups: u64,
    ) {
        let (x, y) = spread(groups);
        pass.set_pipeline(&self.kernels.pipelines[&(shader, entry)]);
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
    pub(super) fn encode(&mut self, encoder: &mut wgpu::CommandEncoder, stages: Range<usize>, timed: bool) {
        let done = |engine: &mut Self, s: usize| {
            engine.sorted |= NAMES[s] == "bin";
            engine.plan_due &= NAMES[s] != "gradient";
        };
        match self.queries.clone().filter(|_| timed) {
            Some(query_set) => {
                for s in stages {
                    let timestamp_writes = Some(wgpu::ComputePassTimestampWrites {
                        query_set: &query_set,
                        beginning_of_pass_write_index: Some(2 * s as u32),
                        end_of_pass_write_index: Some(2 * s as u32 + 1),
                    });
                    let descriptor = wgpu::ComputePassDescriptor { label: Some(NAMES[s]), timestamp_writes };
                    let mut pass = encoder.begin_compute_pass(&descriptor);
                    self.stage(&mut pass, NAMES[s]);
                    drop(pass);
                    done(self, s);
                }
            }
            None => {
                let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
                for s in stages {
                    self.stage(&mut pass, NAMES[s]);
                    done(self, s);
                }
            }
        }
    }

    fn stage(&self, pass: &mut ComputePass<'_>, name: &str) {
        let p = &self.params;
        let (agents, cells, tiles) = (u64::from(p.agents), u64::from(p.cells), u64::from(p.tiles));
        let per = |n: u64, size: u64| n.div_ceil(size).max(1);
        let model = &self.scene.model;
        let plans = model.plan == Plan::Continuum || self.plan_due;
        match name {
            "splat" => {
                self.go(pass, "splat", "tiles", tiles);
                self.go(pass, "splat", "strays", per(agents, 256));
            }
            "flow" => self.go(pass, "flow", "flow", per(cells, 256)),
            "speed" if model.plan == Plan::Static && plans => self.go(pass, "speed", "empty", per(cells, 256)),
            "speed" => self.go(pass, "speed", "speeds", per(cells, 256)),
            "cost" if plans => self.go(pass, "cost", "costs", tiles),
            "potential" if plans => self.solve(pass),
            "gradient" if plans => {
                self.go(pass, "gradient", "gradients", tiles);
                if model.plan == Plan::Static {
                    // The plan was made for an empty floor; walking is among the others.
                    self.go(pass, "speed", "speeds", per(cells, 256));
                }
            }
            "cost" | "potential" | "gradient" => {}
            "steer" => self.go(pass, "steer", "follow", per(agents, 128)),
            "move" => self.go(pass, "motion", "move_all", per(agents, 256)),
            "bin" => {
                self.go(pass, "bin", "count", per(agents, 256));
                self.go(pass, "bin", "sum_cells", per(cells, 2048));
                self.go(pass, "bin", "sum_blocks", 1);
                self.go(pass, "bin", "place_cells", per(cells, 2048));
                self.go(pass, "bin", "scatter", per(agents, 256));
                self.go(pass, "bin", "rank", per(agents, 256));
                self.go(pass, "permute", "bodies", per(agents, 256));
                self.go(pass, "permute_journeys", "journeys", per(agents, 256));
            }
            "separate" => {
                if model.neighbours == Search::Sweep {
                    self.go(pass, "sweep", "count_columns", per(p.width.into(), 64));
                    self.go(pass, "sweep", "place_columns", 1);
                    self.go(pass, "sweep", "fill_columns", per(p.width.into(), 64));
                }
                self.go(pass, "find", "gather", per(agents, 256));
                self.go(pass, "find", "find", per(agents, 128));
                let round = self.round_group();
                let bindings = &self.bindings[self.present];
                for r in 0..model.separation_rounds {
                    let group = if r == 0 { &bindings.pushes[0] } else { &bindings.pushes[2 - r as usize % 2] };
                    pass.set_bind_group(1, &round, &[r * STRIDE as u32]);
                    self.go_with(pass, "separate", "push_apart", group, per(agents, 128));
                }
                self.go_with(pass, "finish", "finish", &bindings.finish, per(agents, 128));
            }
            "measure" => {
                self.go(pass, "crowd", "look", per(agents, 256));
                self.go(pass, "density", "density", per(cells, 256));
            }
            "live" => {
                self.go(pass, "live", "arrivals", per(agents, 256));
                if self.has_entries {
                    self.go(pass, "entries", "entries", 1);
                }
            }
            other => unreachable!("{other} is no stage"),
        }
    }

    /// Tiles times goals.
    pub(super) fn solver_items(&self) -> u64 {
        u64::from(self.params.tiles) * u64::from(self.params.goals)
    }

    /// The potentials of all goals: see potential.wgsl.
    fn solve(&self, pass: &mut ComputePass<'_>) {
        if self.solver_items() > 0 {
            self.seed(pass);
            self.relax(pass, 0..self.rounds.given);
            self.sum_up(pass);
        }
    }

    /// Before the first round.
    pub(super) fn seed(&self, pass: &mut ComputePass<'_>) {
        pass.set_bind_group(1, &self.round_group(), &[0]);
        self.go(pass, "potential", "reset", self.solver_items());
        self.go(pass, "potential", "seed", self.rounds.seed_threads().div_ceil(256));
    }

    /// Some rounds, by their numbers.
    pub(super) fn relax(&self, pass: &mut ComputePass<'_>, rounds: Range<u64>) {
        let round = self.round_group();
        // A processor that plays a GPU pays for every workgroup that finds nothing to do.
        let groups = self.solver_items().min(if self.gpu.is_software() { 16 } else { SOLVER_GROUPS }) as u32;
        pass.set_pipeline(&self.kernels.pipelines[&("potential", "relax")]);
        pass.set_bind_group(0, &self.bindings[self.present].groups["potential"], &[]);
        for r in rounds {
            pass.set_bind_group(1, &round, &[(r * STRIDE) as u32]);
            pass.dispatch_workgroups(groups, 1, 1);
        }
    }

    /// After the last round: its numbers.
    pub(super) fn sum_up(&self, pass: &mut ComputePass<'_>) {
        pass.set_bind_group(1, &self.round_group(), &[0]);
        self.go(pass, "potential", "sum_up", self.solver_items().div_ceil(256));
    }

    /// Before there is any plan: no potential is reached.
    pub(super) fn clear_plan(&self, encoder: &mut wgpu::CommandEncoder) {
        let items = u64::from(self.params.tiles) * u64::from(self.params.goals);
        if items > 0 {
            let round = self.round_group();
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            pass.set_bind_group(1, &round, &[0]);
            self.go(&mut pass, "potential", "reset", items);
        }
    }

    /// After walls have changed: whoever is in one now is put aside, to where a plan for the empty floor reaches.
    pub(super) fn displace(&self, encoder: &mut wgpu::CommandEncoder) {
        let p = &self.params;
        encoder.clear_buffer(self.buffers.other("control"), 0, None);
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        self.go(&mut pass, "speed", "empty", u64::from(p.cells).div_ceil(256));
        self.go(&mut pass, "cost", "costs", u64::from(p.tiles));
        self.solve(&mut pass);
        self.go(&mut pass, "displace", "displace", u64::from(p.agents).div_ceil(64).max(1));
        drop(pass);
        // The next step's solver begins anew.
        encoder.clear_buffer(self.buffers.other("control"), 0, None);
    }
}
