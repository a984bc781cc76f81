//! The stages as shaders, on wgpu: agents and fields live on the device. `GpuEngine::stage` is the table of
//! ARCHITECTURE.md; each stage's shader lies beside its CPU twin.
//!
//! A step is one command buffer. Nothing waits inside, and nothing is read back but the step's own numbers, in blocks, a
//! while later (`journal.rs`). How many rounds the solver is given follows from the scene and from what it took sixteen
//! steps ago, never from timing.

mod agents;
mod allowance;
mod bounded;
mod buffers;
mod by_rounds;
mod changes;
mod compiled;
mod device;
mod engine;
mod fields;
mod fill;
mod journal;
mod kernels;
mod living;
mod load;
mod machine;
mod params;
mod pipeline;
mod plans;
mod points;
mod programs;
mod read;
mod rooms;
mod rounds;
mod split;
mod state;
mod states;
mod step;
mod tally;
#[cfg(test)]
mod tests;
mod upload;
mod variant;
mod world;

pub use buffers::{Buffer, Column};
pub use device::{Description, Gpu, GpuError, Kind, devices};
pub use kernels::shaders;
pub use read::copy_speed;
pub use split::SplitEngine;

use super::schedule::{PlanWork, Schedule};
use super::set_up::Stopwatch;
use super::totals::Totals;
use super::{Engine, EngineError, Request, Ticket};
use crate::budget::Grant;
use crate::scene::{Arrive, Scene, SceneError};
use crate::stages::COUNT;
use crate::stages::speed::cpu::Law;
use crate::world::World;
use crate::world::agents::{Agents, ModelColumn, State};
use crate::world::hazards::Disc;
use crate::world::place::populate;
use buffers::{Buffers, Sizes};
use compiled::{Bindings, Kernels};
use journal::Journal;
use params::Params;
use read::Reading;
use rounds::Rounds;
use std::cell::RefCell;
use std::sync::Arc;
use world::WorldTables;

/// Why a scene cannot run on a GPU.
#[derive(Clone, Debug, thiserror::Error)]
pub enum StartError {
    /// It cannot run at all.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// There is no GPU, or the scene does not fit it.
    #[error(transparent)]
    Gpu(#[from] GpuError),
}

/// The engine on a graphics processor.
pub struct GpuEngine {
    gpu: Gpu,
    scene: Scene,
    world: World,
    law: Law,
    tables: WorldTables,
    params: Params,
    buffers: Buffers,
    kernels: Arc<Kernels>,
    /// For either set of columns as the present one.
    bindings: [Bindings; 2],
    rounds: Rounds,
    /// The set of columns that is in force; `bin` goes from it to the other one.
    present: usize,
    schedule: Schedule,
    /// What the step that is encoded now does for the plan.
    plan_work: PlanWork,
    /// Which of the two buffers holds the crowd that the plan under way was made for; the other one's is in force.
    planned: usize,
    /// What people fled from then, in the same order.
    planned_hazards: [Vec<Disc>; 2],
    step: u32,
    next_id: u32,
    dropped: u32,
    /// Tiles of walls to be rewritten, and whether anybody may be buried.
    dirty: Vec<u32>,
    /// Tiles of which only discomfort has changed, and is in the world already.
    uneasy: Vec<u32>,
    buried: bool,
    goals_moved: bool,
    keep_maps: bool,
    /// Rounds of the solver done in a step that is done round by round, while it is under way.
    half_done: Option<u64>,
    /// Whether anybody can ever be outside.
    has_entries: bool,
    queries: Option<wgpu::QuerySet>,
    journal: RefCell<Journal>,
    requests: Vec<(Ticket, Request, Reading)>,
    next_ticket: u64,
    stopwatch: Stopwatch,
    /// Memory of the buffers, given back when they go.
    _held: Grant,
    /// Memory of what there is of the run on this side.
    beside: Grant,
}

impl std::fmt::Debug for GpuEngine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GpuEngine")
            .field("scene", &self.scene.name)
            .field("device", &self.gpu.info.name)
            .field("step", &self.step)
            .finish_non_exhaustive()
    }
}

impl GpuEngine {
    /// Sets a scene up on a device.
    ///
    /// # Errors
    /// If the crowd does not fit or cannot reach its goals, or the device is too small.
    pub fn new(scene: &Scene, gpu: &Gpu) -> Result<Self, StartError> {
        let mut stopwatch = Stopwatch::start();
        let mut memory = scene.take_memory_beside_gpu()?;
        let world = World::new(scene)?;
        stopwatch.lap("world");
        // Placing a hundred million takes seconds: first whether they fit.
        check(gpu, scene, &world)?;
        let agents = populate(scene, &world)?;
        stopwatch.lap("people");
        let mut engine = Self::with(scene.clone(), gpu, world, agents, None, stopwatch)?;
        // Everybody is on the device now.
        memory.keep(scene.memory_of_world());
        engine.beside = memory;
        Ok(engine)
    }

    /// With kernels from before, if they suit.
    fn with(
        scene: Scene,
        gpu: &Gpu,
        mut world: World,
        mut agents: Agents,
        kernels: Option<Arc<Kernels>>,
        mut stopwatch: Stopwatch,
    ) -> Result<Self, GpuError> {
        let law = scene.law();
        if agents.head_for_points(&scene) {
            world.want_detours();
        }
        let tables = WorldTables::new(&scene, &world, &agents.first_ids(&scene));
        stopwatch.lap("tables");
        world.walls.take_changed();
        let mut params = Params::new(&scene, &world, &law);
        tables.point_out(&mut params);
        let points = scene.needs_points() || agents.have_points();
        let own = scene.columns(&scene.model, points);
        agents.use_columns(&own);
        let schedule = Schedule::new(&scene.model);
        let rounds = Rounds::new(gpu, &world, &scene.model, law.reference);
        rounds.point_out(&mut params);
        stopwatch.lap("rounds");
        let shapes = tables.shapes(&world.grid);
        let sizes = Sizes {
            params: &params,
            // Room for walls that come while it runs.
            shapes: shapes + shapes / 4 + 4096,
            seeds: rounds.seeds.len() as u64 * 4,
            maps: false,
            rooms: [rooms::words(&world, params.agents), rooms::table(&world).len() as u64],
            search: scene.model.neighbours,
            plan_spans: schedule.spans_steps(),
            terrain: !world.terrain.is_flat(),
            factors: !world.cost_factors.is_empty(),
            record_bytes: bounded::record_bytes(&scene.model),
            own: &own,
        };
        // Software has its buffers where everything else is.
        let held = match gpu.is_software() {
            true => scene.take_bytes(buffers::check(gpu, &sizes)?).map_err(|short| {
                GpuError::TooLarge(format!("the scene is too large for {}: {short}", gpu.info.name))
            })?,
            false => Grant::default(),
        };
        let buffers = Buffers::new(gpu, &sizes)?;
        stopwatch.lap("buffers");
        let items = u64::from(params.tiles) * u64::from(params.routes);
        let kernels = kernels
            .filter(|k| k.suit(&scene, &world, points, items))
            .unwrap_or_else(|| Arc::new(Kernels::new(gpu, &scene, &world, points, items)));
        let bindings = [0, 1].map(|present| kernels.bind(gpu, &buffers, present, &scene.model));
        stopwatch.lap("shaders");
        let queries = queries(gpu);
        let side = params.window as f32 * params.cell;
        let journal = Journal::new(gpu, Totals::default(), side * side, queries.is_some());
        let has_entries = has_entries(&scene, &agents);
        let mut engine = Self {
            gpu: gpu.clone(),
            law,
            tables,
            params,
            buffers,
            kernels,
            bindings,
            rounds,
            present: 0,
            schedule,
            plan_work: PlanWork::default(),
            planned: 0,
            planned_hazards: Default::default(),
            step: 0,
            next_id: scene.agent_count() as u32,
            scene,
            dropped: 0,
            dirty: Vec::new(),
            uneasy: Vec::new(),
            buried: false,
            goals_moved: false,
            keep_maps: false,
            half_done: None,
            has_entries,
            queries,
            journal: RefCell::new(journal),
            requests: Vec::new(),
            next_ticket: 0,
            stopwatch,
            world,
            _held: held,
            beside: Grant::default(),
        };
        engine.fill(&agents).map(|()| engine)
    }

    /// Gives the device what it begins with.
    fn fill(&mut self, agents: &Agents) -> Result<(), GpuError> {
        self.upload_world();
        let let_in = vec![0; self.scene.groups.len()];
        self.upload_agents(agents, &let_in);
        self.stopwatch.lap("upload");
        self.gpu.trouble().map_or(Ok(()), |why| Err(GpuError::DoesNotOpen(self.gpu.info.name.clone(), why)))
    }

    /// The device.
    #[must_use]
    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// A buffer, to draw from. An edit may put another one in its place.
    #[must_use]
    pub fn buffer(&self, buffer: Buffer) -> &wgpu::Buffer {
        self.buffers.get(buffer)
    }

    /// A column of agents, [`GpuEngine::capacity`] of them, in the set that is in force now. It changes with every step, so
    /// ask again after each.
    #[must_use]
    pub fn column(&self, column: Column) -> &wgpu::Buffer {
        self.buffers.column(column, self.present)
    }

    /// The columns that only the model in use needs, in the set that is in force now, with as many numbers an agent as each says.
    pub fn own_columns(&self) -> impl Iterator<Item = (&'static ModelColumn, &wgpu::Buffer)> {
        let own = self.buffers.own().iter().copied().enumerate();
        own.map(|(number, column)| (column, self.buffers.own_column(number, self.present)))
    }

    /// How many agents the columns hold, wherever they are.
    #[must_use]
    pub fn capacity(&self) -> u32 {
        self.params.agents
    }

    /// Ids are below this: those of all who were ever there.
    #[must_use]
    pub fn ids(&self) -> u32 {
        self.next_id
    }

    /// Takes in edits now instead of at the next step: as [`Engine::settle`].
    pub fn settle_edits(&mut self) {
        self.settle();
    }

    fn write<T: bytemuck::Pod>(&self, buffer: Buffer, at: u64, values: &[T]) {
        if !values.is_empty() {
            self.gpu.queue.write_buffer(self.buffers.get(buffer), at, bytemuck::cast_slice(values));
        }
    }
    /// Reads something and waits for it.
    pub(super) fn read_now(&self, pieces: &[(&wgpu::Buffer, u64, u64)]) -> Result<Vec<Vec<u8>>, EngineError> {
        Reading::of(&self.gpu, pieces).bytes(&self.gpu, true).ok_or_else(|| self.failure())
    }

    pub(super) fn failure(&self) -> EngineError {
        let why = self.gpu.trouble().unwrap_or_else(|| "it does not answer".into());
        EngineError(format!("the GPU {} has failed: {why}", self.gpu.info.name))
    }
}

/// Whether anybody can ever be outside. Whoever is now was in a group that respawned, whatever it does now.
fn has_entries(scene: &Scene, agents: &Agents) -> bool {
    scene.groups.iter().any(|g| g.rate.is_some() || g.arrive == Arrive::Respawn)
        || !scene.portals.is_empty()
        || agents.state.contains(&State::Outside)
}

/// Where stages are timed, on a device that can.
fn queries(gpu: &Gpu) -> Option<wgpu::QuerySet> {
    let timed = gpu.device.features().contains(wgpu::Features::TIMESTAMP_QUERY);
    timed.then(|| {
        gpu.device.create_query_set(&wgpu::QuerySetDescriptor {
            label: Some("stages"),
            ty: wgpu::QueryType::Timestamp,
            count: 2 * COUNT as u32,
        })
    })
}

/// Whether a scene fits a device, before anything is made on it.
fn check(gpu: &Gpu, scene: &Scene, world: &World) -> Result<(), GpuError> {
    let widest_cells = 2.0 * world.widest / world.grid.cell;
    if widest_cells > 14.0 {
        return Err(GpuError::TooLarge(format!(
            "bodies are {widest_cells:.0} cells wide; the GPU engine takes up to 14: use larger cells, or --engine cpu"
        )));
    }
    let sizes = Sizes {
        params: &Params::new(scene, world, &scene.law()),
        shapes: 0,
        seeds: 0,
        maps: false,
        rooms: [0; 2],
        search: scene.model.neighbours,
        plan_spans: Schedule::new(&scene.model).spans_steps(),
        terrain: !world.terrain.is_flat(),
        factors: !world.cost_factors.is_empty(),
        record_bytes: bounded::record_bytes(&scene.model),
        own: &scene.columns(&scene.model, scene.needs_points()),
    };
    buffers::check(gpu, &sizes).map(|_| ())
}
