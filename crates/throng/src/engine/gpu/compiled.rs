//! Kernels as they are compiled for a scene, and what they are bound to.

use super::bounded;
use super::buffers::{Buffer, Buffers};
use super::device::Gpu;
use super::kernels::{Goals, Kernel, Shader, Variant};
use super::programs::{Program, round_layout};
use crate::scene::{Model, Plan, Scene};
use crate::stages::cost::froblins::GradientBy;
use crate::stages::potential::{Scheme, Solver};
use crate::stages::separate::Search;
use crate::world::World;
use crate::world::beliefs::View;
use wgpu::{BindGroup, ComputePipeline};

/// What kernels are compiled for.
#[derive(Clone, Debug, PartialEq)]
struct CompiledFor {
    variant: Variant,
    solver: [(&'static str, f64); 3],
    cost_fields: (&'static str, f64),
}

impl CompiledFor {
    fn new(scene: &Scene, world: &World, points: bool, items: u64) -> Self {
        Self {
            variant: Variant {
                steer: scene.model.steer,
                layout: bounded::layout_of(&scene.model),
                points,
                doors: scene.has_doors(),
                hazards: scene.has_hazards(),
                froblins: scene.model.plan == Plan::Froblins,
                factors: scene.model.plan == Plan::Froblins && !world.cost_factors.is_empty(),
                central: scene.model.gradient_by() == GradientBy::Central,
                terrain: !world.terrain.is_flat(),
                planned_hazards: scene.has_hazards() && scene.model.plan.follows_crowd(),
                sight: world.routes.views().contains(&View::First),
                signals: scene.uses_signals(),
                states: scene.has_states(),
                crowding: scene.model.goal_crowding > 0.0,
                goals: goals_of(scene, world),
            },
            solver: solver_constants(scene, items),
            cost_fields: ("COST_FIELDS", world.routes.weights().len() as f64),
        }
    }

    /// Values for a kernel's constants.
    fn constants(&self, kernel: Kernel) -> Vec<(&'static str, f64)> {
        match kernel {
            Kernel::PotentialRelax => self.solver.iter().copied().chain([self.cost_fields]).collect(),
            Kernel::PotentialJump => vec![self.solver[1], self.solver[2]],
            Kernel::PotentialSumUp => vec![self.solver[1]],
            Kernel::Gradient => vec![self.cost_fields],
            other => other.constants().to_vec(),
        }
    }
}

/// What the goals of a scene may be, and those of its world are.
fn goals_of(scene: &Scene, world: &World) -> Goals {
    if scene.has_capacities() {
        Goals::Limited
    } else if scene.may_shut_goals() || world.held.contains(&true) {
        Goals::Held
    } else {
        Goals::Open
    }
}

/// All kernels on a device.
#[derive(Debug)]
pub(crate) struct Kernels {
    /// In the order of [`Shader::ALL`].
    programs: Vec<Program>,
    /// In the order of [`Kernel::ALL`].
    pub(super) pipelines: Vec<ComputePipeline>,
    pub(super) round: wgpu::BindGroupLayout,
    made_for: CompiledFor,
}

/// Every shader's buffers, with one of the sets of columns as the present one.
#[derive(Debug)]
pub(crate) struct Bindings {
    /// In the order of [`Shader::ALL`]; `None` for those that are bound in several ways.
    pub(super) groups: Vec<Option<BindGroup>>,
    /// Separation's rounds: from where they started, then back and forth between two arrays.
    pub(super) pushes: [BindGroup; 3],
    /// What the last round left.
    pub(super) finish: BindGroup,
    /// One for each of the models' own columns, and its numbers an agent.
    pub(super) own_columns: Vec<(usize, BindGroup)>,
}

impl Kernels {
    pub(crate) fn new(gpu: &Gpu, scene: &Scene, world: &World, points: bool, items: u64) -> Self {
        let made_for = CompiledFor::new(scene, world, points, items);
        let round = round_layout(gpu);
        let programs: Vec<Program> =
            Shader::ALL.iter().map(|&s| Program::new(gpu, s, made_for.variant, &round)).collect();
        let pipelines = Kernel::ALL
            .iter()
            .map(|&k| {
                programs[k.shader() as usize].kernel(gpu, k.entry(made_for.variant.steer), &made_for.constants(k))
            })
            .collect();
        Self { programs, pipelines, round, made_for }
    }

    /// Whether they would be the same for a scene of so many items: compiling takes far longer than anything else.
    pub(crate) fn suit(&self, scene: &Scene, world: &World, points: bool, items: u64) -> bool {
        self.made_for == CompiledFor::new(scene, world, points, items)
    }

    /// Whether they know that people wait before goals that are closed.
    pub(crate) fn hold(&self) -> bool {
        self.made_for.variant.goals != Goals::Open
    }

    /// Whether they know of hazards.
    pub(crate) fn know_hazards(&self) -> bool {
        self.made_for.variant.hazards
    }

    pub(crate) fn bind(&self, gpu: &Gpu, buffers: &Buffers, present: usize, model: &Model) -> Bindings {
        let sweeps = model.neighbours == Search::Sweep;
        // Some names stand for one buffer or another.
        let bind = |shader: Shader, from: Buffer, to: Buffer, own: usize| {
            self.programs[shader as usize].bind(gpu, |name| match name {
                "bodies" => buffers.get(from),
                "bodies_next" => buffers.get(to),
                "own" => buffers.own_column(own, present),
                "own_next" => buffers.own_column(own, 1 - present),
                "cell_starts" => buffers.get(Buffer::Starts),
                "starts" if sweeps && [Shader::Find, Shader::Separate, Shader::Finish].contains(&shader) => {
                    buffers.get(Buffer::SweepColumns)
                }
                _ => buffers.find(name, present).unwrap_or_else(|| panic!("no buffer is called {name}")),
            })
        };
        let (before, a, b) = (Buffer::Before, Buffer::BodiesA, Buffer::BodiesB);
        let rounds = model.separation_rounds;
        let last = if rounds == 0 { before } else { [b, a][rounds as usize % 2] };
        let several = [Shader::Separate, Shader::Finish, Shader::PermuteColumn];
        Bindings {
            groups: Shader::ALL.iter().map(|&s| (!several.contains(&s)).then(|| bind(s, a, b, 0))).collect(),
            pushes: [
                bind(Shader::Separate, before, a, 0),
                bind(Shader::Separate, a, b, 0),
                bind(Shader::Separate, b, a, 0),
            ],
            finish: bind(Shader::Finish, last, a, 0),
            own_columns: (buffers.own().iter().enumerate())
                .map(|(k, column)| (column.width, bind(Shader::PermuteColumn, a, b, k)))
                .collect(),
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
