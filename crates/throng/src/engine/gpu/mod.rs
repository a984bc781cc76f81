//! The stages as shaders, on wgpu: agents and fields live on the device. `GpuEngine::stage` is the table of
//! ARCHITECTURE.md; each stage's shader lies beside its CPU twin.
//!
//! A step is one command buffer. Nothing waits inside, and nothing is read back but the step's own numbers, in blocks, a
//! while later (`journal.rs`). How many rounds the solver is given follows from the scene and from what it took sixteen
//! steps ago, never from timing.

mod agents;
mod buffers;
mod by_rounds;
mod device;
mod fields;
mod journal;
mod kernels;
mod load;
mod params;
mod pipeline;
mod points;
mod read;
mod rounds;
mod split;
mod tally;
#[cfg(test)]
mod tests;
mod upload;
mod world;

pub use buffers::{Buffer, Column};
pub use device::{Description, Gpu, GpuError, Kind, devices};
pub use kernels::shaders;
pub use read::copy_speed;
pub use split::SplitEngine;

use super::crowd::changed;
use super::schedule::{Frozen, PlanWork, Schedule};
use super::set_up::Stopwatch;
use super::state::{LAST_STEP, RunState};
use super::totals::Totals;
use super::{Answer, Counters, CrowdChange, Edit, Engine, EngineError, Field, Request, RoundReport, Ticket};
use crate::scene::{Arrive, Model, Scene, SceneError};
use crate::stages::speed::cpu::Law;
use crate::stages::{COUNT, Stage};
use crate::world::World;
use crate::world::agents::{Agents, State};
use crate::world::place::populate;
use crate::world::points as own_points;
use crate::world::walls::Wall;
use buffers::{Buffers, Sizes};
use glam::Vec2;
use journal::Journal;
use params::Params;
use pipeline::{Bindings, Kernels};
use read::Reading;
use rounds::Rounds;
use std::cell::RefCell;
use std::sync::Arc;
use upload::upload;
use world::WorldTables;

/// Stages are timed in every ninth step, and stand for the others: passes of their own cost time too. Nine is no multiple of
/// what `plan_every` usually is, so every part of a plan is timed in its turn.
const TIME_EVERY: u32 = 9;

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
    step: u32,
    next_id: u32,
    dropped: u32,
    /// Tiles of walls to be rewritten, and whether anybody may be buried.
    dirty: Vec<u32>,
    buried: bool,
    goals_moved: bool,
    zone_limits: Vec<f32>,
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
        let world = World::new(scene)?;
        stopwatch.lap("world");
        // Placing a hundred million takes seconds: first whether they fit.
        check(gpu, scene, &world)?;
        let agents = populate(scene, &world)?;
        stopwatch.lap("people");
        Ok(Self::with(scene, gpu, world, agents, None, stopwatch)?)
    }

    /// With kernels from before, if they suit.
    fn with(
        scene: &Scene,
        gpu: &Gpu,
        mut world: World,
        mut agents: Agents,
        kernels: Option<Arc<Kernels>>,
        mut stopwatch: Stopwatch,
    ) -> Result<Self, GpuError> {
        let law = scene.law();
        let tables = WorldTables::new(scene, &world, &agents.first_ids(scene));
        stopwatch.lap("tables");
        world.walls.take_changed();
        let mut params = Params::new(scene, &world, &law);
        tables.point_out(&mut params);
        let points = scene.uses_points() || agents.have_points();
        let own = own_points::columns(&scene.model, points);
        agents.use_columns(&own);
        let schedule = Schedule::new(&scene.model);
        let rounds = Rounds::new(gpu, &world, scene.model.solver);
        stopwatch.lap("rounds");
        let shapes = tables.shapes(&world.grid);
        let buffers = Buffers::new(
            gpu,
            &Sizes {
                params: &params,
                // Room for walls that come while it runs.
                shapes: shapes + shapes / 4 + 4096,
                seeds: rounds.seeds.len() as u64 * 4,
                maps: false,
                search: scene.model.neighbours,
                plan_spans: schedule.spans_steps(),
                own: &own,
            },
        )?;
        stopwatch.lap("buffers");
        let items = u64::from(params.tiles) * u64::from(params.routes);
        let kernels = kernels
            .filter(|k| k.suit(scene, &world, points, items))
            .unwrap_or_else(|| Arc::new(Kernels::new(gpu, scene, &world, points, items)));
        let bindings = [0, 1].map(|present| kernels.bind(gpu, &buffers, present, &scene.model));
        stopwatch.lap("shaders");
        let timed = gpu.device.features().contains(wgpu::Features::TIMESTAMP_QUERY);
        let queries = timed.then(|| {
            gpu.device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("stages"),
                ty: wgpu::QueryType::Timestamp,
                count: 2 * COUNT as u32,
            })
        });
        let side = params.window as f32 * params.cell;
        let journal = Journal::new(gpu, Totals::default(), side * side, timed);
        // Whoever is outside now was in a group that respawned, whatever it does now.
        let has_entries = scene.groups.iter().any(|g| g.rate.is_some() || g.arrive == Arrive::Respawn)
            || agents.state.contains(&State::Outside);
        let mut engine = Self {
            gpu: gpu.clone(),
            scene: scene.clone(),
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
            step: 0,
            next_id: scene.agent_count() as u32,
            dropped: 0,
            dirty: Vec::new(),
            buried: false,
            goals_moved: false,
            zone_limits: scene.zone_limits(),
            keep_maps: false,
            half_done: None,
            has_entries,
            queries,
            journal: RefCell::new(journal),
            requests: Vec::new(),
            next_ticket: 0,
            stopwatch,
            world,
        };
        engine.upload_world();
        let let_in = vec![0; scene.groups.len()];
        engine.upload_agents(&agents, &let_in);
        engine.stopwatch.lap("upload");
        if let Some(why) = gpu.trouble() {
            return Err(GpuError::DoesNotOpen(gpu.info.name.clone(), why));
        }
        Ok(engine)
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

    /// How many agents the columns hold, wherever they are.
    #[must_use]
    pub fn capacity(&self) -> u32 {
        self.params.agents
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

    fn upload_world(&mut self) {
        let Self { gpu, buffers, tables, .. } = &*self;
        upload(gpu, buffers.get(Buffer::World), tables.records.len(), |i| tables.records[i]);
        self.write(Buffer::LawTable, 0, self.law.table());
        self.write(Buffer::Seeds, 0, &self.rounds.seeds);
        self.write(Buffer::Params, 0, &[self.params]);
        if let Some(part) = self.scene.model.steering_part() {
            self.write(Buffer::Steering, 0, &part.words());
        }
    }

    /// Puts a crowd on the device, in the order of its columns; the next step sorts it.
    fn upload_agents(&mut self, agents: &Agents, let_in: &[u32]) {
        self.upload_columns(agents);
        let mut encoder = self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        for buffer in [Buffer::Starts, Buffer::Counts, Buffer::Quanta, Buffer::Tally, Buffer::Control] {
            encoder.clear_buffer(self.buffers.get(buffer), 0, None);
        }
        // Nothing is planned yet: no way costs anything finite.
        self.clear_plan(&mut encoder);
        self.gpu.queue.submit([encoder.finish()]);
        self.upload_groups(agents, let_in);
        let (active, outside, parked) = agents.census();
        self.journal.get_mut().totals = Totals::new(active, outside, parked);
    }

    fn upload_columns(&mut self, agents: &Agents) {
        self.present = 0;
        agents::upload_columns(&self.gpu, &self.buffers, 0, agents, &self.scene);
    }

    /// How many each group has let in, and how many of it are outside.
    fn upload_groups(&self, agents: &Agents, let_in: &[u32]) {
        let groups = self.scene.groups.len();
        let mut counts = vec![0u32; 3 * groups];
        counts[..groups].copy_from_slice(let_in);
        for i in 0..agents.len() {
            if agents.state[i] == State::Outside {
                let g = agents.group[i] as usize;
                let first = self.scene.groups[g].rate.is_some() && agents.wake[i] == u32::MAX;
                counts[if first { groups + g } else { 2 * groups + g }] += 1;
            }
        }
        self.write(Buffer::Tally, 4 * tally::WORDS as u64, &counts);
    }

    /// Takes in what edits changed: small uploads, and whoever is in a wall now is put aside.
    fn apply_edits(&mut self) {
        if self.dirty.is_empty() && !self.buried && !self.goals_moved {
            return;
        }
        self.goals_moved = false;
        self.world.refresh();
        let mut tiles = std::mem::take(&mut self.dirty);
        tiles.extend(self.world.walls.take_changed());
        tiles.sort_unstable();
        tiles.dedup();
        let changes = self.tables.update(&self.world, &tiles);
        let need = self.tables.records.len() as u64 * 16;
        if need > self.buffers.get(Buffer::World).size() {
            self.buffers.resize(&self.gpu, Buffer::World, need + self.tables.shapes(&self.world.grid) * 4);
            self.rebind();
            self.write(Buffer::World, 0, &self.tables.records);
        } else {
            for range in changes {
                self.write(Buffer::World, 16 * range.start as u64, &self.tables.records[range]);
            }
        }
        if self.rounds.update(&self.gpu, &self.world, u64::from(self.step)) {
            let bytes = self.rounds.seeds.len() as u64 * 4;
            if bytes > self.buffers.get(Buffer::Seeds).size() {
                self.buffers.resize(&self.gpu, Buffer::Seeds, bytes);
                self.rebind();
            }
            self.write(Buffer::Seeds, 0, &self.rounds.seeds);
        }
        self.schedule.invalidate();
        if std::mem::take(&mut self.buried) {
            // Who is put aside goes to where its goal can be reached from: a plan for the empty floor tells.
            self.params.round_limit = self.rounds.given as u32;
            self.write_params();
            let mut encoder = self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            self.displace(&mut encoder);
            self.gpu.queue.submit([encoder.finish()]);
        }
    }

    /// Takes on another model: what kernels are compiled for and what buffers are sized for is made anew where it differs.
    fn weigh(&mut self, model: Model) {
        let old = std::mem::replace(&mut self.scene.model, model);
        self.law = self.scene.law();
        self.params = Params::new(&self.scene, &self.world, &self.law);
        self.tables.point_out(&mut self.params);
        self.write(Buffer::LawTable, 0, self.law.table());
        self.world.set_routes(&self.scene.groups, &self.scene.model);
        let weights = self.tables.set_weights(&self.world);
        self.write(Buffer::World, 16 * weights.start as u64, &self.tables.records[weights]);
        self.schedule = Schedule::new(&model);
        let points = self.have_points();
        self.compile(points);
        if model.solver != old.solver {
            // Its rounds are others; goal cells are those that the device has.
            self.rounds = Rounds::new(&self.gpu, &self.world, model.solver);
        }
        let own = own_points::columns(&model, points);
        let sizes = Sizes {
            params: &self.params,
            shapes: 0,
            seeds: 0,
            maps: false,
            search: model.neighbours,
            plan_spans: self.schedule.spans_steps(),
            own: &own,
        };
        for buffer in [Buffer::SweepColumns, Buffer::PlannedA, Buffer::PlannedB] {
            self.buffers.fit(&self.gpu, buffer, &sizes);
        }
        self.buffers.use_columns(&self.gpu, &own, u64::from(self.params.agents));
        self.rebind();
        let discomfort = |m: &Model| [m.clearance.to_bits(), m.clearance_discomfort.to_bits()];
        if discomfort(&model) != discomfort(&old) {
            self.world.set_clearance(model.clearance, model.clearance_discomfort);
            self.dirty.extend(self.tables.tiles_in(&self.world.grid, self.world.grid.bounds()));
        }
        self.rounds.forget_rounds(u64::from(self.step));
        self.schedule.invalidate();
    }

    fn rebind(&mut self) {
        let model = self.scene.model;
        self.bindings = [0, 1].map(|present| self.kernels.bind(&self.gpu, &self.buffers, present, &model));
    }

    /// Before the first stage of a step.
    fn begin_step(&mut self) {
        self.apply_edits();
        if self.scene.groups.iter().any(|g| g.rate.is_some()) {
            let now = f64::from(self.step + 1) * f64::from(self.scene.dt);
            let budget: Vec<u32> = self
                .scene
                .groups
                .iter()
                .map(|g| g.rate.map_or(0, |r| (now * f64::from(r)).floor().clamp(0.0, f64::from(u32::MAX)) as u32))
                .collect();
            self.write(Buffer::Tally, 4 * (tally::WORDS + 3 * budget.len()) as u64, &budget);
        }
        self.plan_work = self.schedule.work(self.step);
        let before = self.journal.get_mut().rounds_before(&self.gpu);
        self.rounds.adapt(u64::from(self.step), before);
        if self.plan_work.begin {
            // A solve keeps the number of rounds that it began with.
            self.params.round_limit = self.rounds.given as u32;
        }
        self.write_params();
    }

    fn write_params(&mut self) {
        self.params.step = self.step;
        self.params.keep_maps = u32::from(self.keep_maps);
        self.write(Buffer::Params, 0, &[self.params]);
        if let Some(part) = self.scene.model.steering_part() {
            self.write(Buffer::Steering, 0, &part.words());
        }
    }

    /// Before the first stage, on the device: a solve that begins has its numbers to itself, and the crowd that it is made for
    /// is kept.
    fn begin_plan(&mut self, encoder: &mut wgpu::CommandEncoder) {
        if self.plan_work.begin {
            encoder.clear_buffer(self.buffers.get(Buffer::Control), 0, None);
        }
    }

    /// After the flow is known: the crowd that a plan is made for is kept, where the plan spans steps.
    fn keep_crowd(&mut self, encoder: &mut wgpu::CommandEncoder) {
        if self.plan_work.begin && self.schedule.spans_steps() {
            let to = self.buffers.get(PLANNED[1 - self.planned]);
            encoder.copy_buffer_to_buffer(
                self.buffers.get(Buffer::Average),
                0,
                to,
                0,
                u64::from(self.params.cells) * 16,
            );
        }
        if self.plan_work.finish {
            self.planned = 1 - self.planned;
        }
    }

    /// After the last one: the step's numbers go into the journal.
    fn end_step(&mut self, encoder: &mut wgpu::CommandEncoder, timed: bool) {
        self.keep_crowd(encoder);
        let (ring, at) = self.journal.get_mut().slot();
        encoder.copy_buffer_to_buffer(self.buffers.get(Buffer::Tally), 0, ring, at, 4 * tally::WORDS as u64);
        let control = 4 * tally::CONTROL_KEPT as u64;
        encoder.copy_buffer_to_buffer(self.buffers.get(Buffer::Control), 0, ring, at + tally::CONTROL_AT, control);
        if let Some(queries) = self.queries.as_ref().filter(|_| timed) {
            encoder.resolve_query_set(queries, 0..2 * COUNT as u32, ring, at + tally::TIMES_AT);
        }
        // After the copy, for the next step: an edit before it may already count whom it put aside.
        encoder.clear_buffer(self.buffers.get(Buffer::Tally), 0, Some(4 * tally::WORDS as u64));
        self.schedule.done(self.plan_work);
        self.step += 1;
    }

    fn one_step(&mut self) {
        self.begin_step();
        // After a resume the first step finds agents unsorted: it stands only for itself.
        let timed = self.step < 2 || self.step.is_multiple_of(TIME_EVERY);
        self.submit_step(&Stage::ALL, timed);
    }

    /// Everything that the run is now, with edits taken in. Waits for the device.
    fn state(&mut self) -> Result<RunState, EngineError> {
        self.settle();
        let groups = self.scene.groups.len();
        let mut pieces = self.pieces(Request::Agents);
        let columns = pieces.len();
        pieces.push((self.buffers.get(Buffer::Tally), 0, 4 * (tally::WORDS + groups) as u64));
        let maps = [Field::PeakDensity, Field::Use].map(|f| self.pieces(Request::Field(f)));
        pieces.extend(maps.iter().flatten());
        let maps = pieces.len() - columns - 1;
        pieces.extend(self.plans_kept().map(|b| (self.buffers.get(b), 0, u64::from(self.params.cells) * 16)));
        let mut bytes = self.read_now(&pieces)?;
        let plans = bytes.split_off(columns + 1 + maps).iter().map(|b| frozen(b)).collect();
        let agents = agents::unpack(&bytes[..columns], &self.scene, self.buffers.own());
        let words: Vec<u32> = bytemuck::pod_collect_to_vec(&bytes[columns]);
        let let_in: Vec<u32> = words[tally::WORDS..tally::WORDS + groups].to_vec();
        let floats = |k: usize| bytes.get(k).map_or_else(Vec::new, |b| bytemuck::pod_collect_to_vec::<u8, f32>(b));
        self.journal.get_mut().take_all(&self.gpu);
        let mut totals = self.journal.get_mut().totals;
        // Whom an edit has put aside since the last step is not in its numbers yet.
        totals.counters.displaced += u64::from(words[tally::DISPLACED]);
        Ok(RunState {
            agents,
            step: self.step,
            next_id: self.next_id,
            dropped: self.dropped,
            let_in,
            totals,
            plans,
            peaks: floats(columns + 1),
            used: floats(columns + 2),
        })
    }

    /// Goes on from another state, in a world that it fits, with some of the old buffers.
    fn adopt(&mut self, scene: Scene, world: World, state: RunState, keeps: &[Buffer]) -> Result<(), EngineError> {
        self.journal.get_mut().take_all(&self.gpu);
        self.buffers.free(keeps);
        let kernels = Some(Arc::clone(&self.kernels));
        let mut fresh = Self::with(&scene, &self.gpu, world, state.agents.clone(), kernels, Stopwatch::start())
            .map_err(|e| EngineError(e.to_string()))?;
        fresh.upload_agents(&state.agents, &state.let_in);
        (fresh.step, fresh.next_id, fresh.dropped) = (state.step, state.next_id, state.dropped);
        fresh.journal.get_mut().totals = state.totals;
        fresh.buffers.take_over(&self.buffers, keeps);
        fresh.rebind();
        if !state.peaks.is_empty() {
            fresh.keep_maps(true);
            fresh.write(Buffer::Maps, 0, &state.peaks);
            fresh.write(Buffer::Maps, 4 * state.peaks.len() as u64, &state.used);
        }
        fresh.plan_again(&state.plans);
        // Answers under way are of the run before, and their tickets stay good.
        fresh.requests = std::mem::take(&mut self.requests);
        fresh.next_ticket = self.next_ticket;
        let (old, new) = (self.journal.get_mut(), fresh.journal.get_mut());
        (new.history, new.stage_ms) = (old.history.take(), old.stage_ms);
        *self = fresh;
        Ok(())
    }

    /// Buffers of the crowds that the plan in force and the one under way were made for.
    fn plans_kept(&self) -> impl Iterator<Item = Buffer> + use<> {
        let kept = if !self.schedule.spans_steps() || !self.schedule.valid() {
            0
        } else {
            1 + usize::from(self.schedule.under_way())
        };
        [PLANNED[self.planned], PLANNED[1 - self.planned]].into_iter().take(kept)
    }

    /// Makes the plans again that a run had between two steps.
    fn plan_again(&mut self, plans: &[Frozen]) {
        if !self.schedule.spans_steps() || plans.is_empty() {
            return;
        }
        self.params.round_limit = self.rounds.given as u32;
        let every = self.scene.model.plan_every;
        for (i, crowd) in plans.iter().enumerate() {
            let average: Vec<[f32; 4]> =
                crowd.density.iter().zip(&crowd.velocity).map(|(d, v)| [*d, v.x, v.y, 0.0]).collect();
            self.write(Buffer::Average, 0, &average);
            self.write_params();
            // The plan in force is made as a whole, of the one under way what was done of it.
            let (whole, done) = (i == 0, self.step % every);
            let mut encoder = self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            self.plan_work =
                PlanWork { begin: true, part: Some(if whole { (0, 1) } else { (0, every) }), finish: whole };
            self.begin_plan(&mut encoder);
            self.encode(&mut encoder, &[Stage::Speed, Stage::Cost, Stage::Potential, Stage::Gradient], false);
            self.keep_crowd(&mut encoder);
            for part in 1..if whole { 1 } else { done } {
                self.plan_work = PlanWork { begin: false, part: Some((part, every)), finish: false };
                self.encode(&mut encoder, &[Stage::Potential], false);
            }
            self.gpu.queue.submit([encoder.finish()]);
        }
        self.schedule.resumed(plans.len() > 1);
    }

    /// Reads something and waits for it.
    fn read_now(&self, pieces: &[(&wgpu::Buffer, u64, u64)]) -> Result<Vec<Vec<u8>>, EngineError> {
        Reading::of(&self.gpu, pieces).bytes(&self.gpu, true).ok_or_else(|| self.failure())
    }

    fn failure(&self) -> EngineError {
        let why = self.gpu.trouble().unwrap_or_else(|| "it does not answer".into());
        EngineError(format!("the GPU {} has failed: {why}", self.gpu.info.name))
    }
}

impl Engine for GpuEngine {
    fn name(&self) -> &'static str {
        "gpu"
    }

    fn device(&self) -> String {
        let info = &self.gpu.info;
        format!("{}, {:?}, {}", info.name, info.backend, info.driver_info).trim_end_matches([',', ' ']).to_owned()
    }

    fn step(&mut self) -> Result<(), EngineError> {
        if self.step >= LAST_STEP {
            return Err(EngineError("the run has reached the last step that can be numbered".into()));
        }
        if self.gpu.trouble().is_some() {
            return Err(self.failure());
        }
        if self.half_done.is_some() {
            self.finish_step();
        } else {
            self.one_step();
        }
        Ok(())
    }

    fn step_round(&mut self) -> Result<Option<RoundReport>, EngineError> {
        if self.step >= LAST_STEP {
            return Err(EngineError("the run has reached the last step that can be numbered".into()));
        }
        if self.gpu.trouble().is_some() {
            return Err(self.failure());
        }
        self.one_round().map(Some)
    }

    fn mid_step(&self) -> bool {
        self.half_done.is_some()
    }

    fn steps(&self) -> u64 {
        self.step.into()
    }

    fn request(&mut self, what: Request) -> Ticket {
        // Fields of the last step stay its own until the next; people and walls are as edits have left them.
        if matches!(what, Request::Agents | Request::Field(Field::Discomfort)) {
            self.apply_edits();
        }
        let reading = Reading::of(&self.gpu, &self.pieces(what));
        let ticket = Ticket(self.next_ticket);
        self.next_ticket += 1;
        self.requests.push((ticket, what, reading));
        ticket
    }

    fn poll(&mut self, ticket: Ticket) -> Result<Option<Answer>, EngineError> {
        let Some(place) = self.requests.iter().position(|(t, _, _)| *t == ticket) else { return Ok(None) };
        if self.gpu.trouble().is_some() {
            return Err(self.failure());
        }
        let Some(bytes) = self.requests[place].2.bytes(&self.gpu, false) else { return Ok(None) };
        let (_, what, _) = self.requests.swap_remove(place);
        Ok(Some(self.answer(what, &bytes)))
    }

    fn counters(&self) -> Counters {
        let mut journal = self.journal.borrow_mut();
        journal.take_all(&self.gpu);
        journal.totals.counters
    }

    fn latest(&self) -> Counters {
        let mut journal = self.journal.borrow_mut();
        journal.take(&self.gpu, 0);
        journal.totals.counters
    }

    fn history(&mut self) -> Vec<Counters> {
        let journal = self.journal.get_mut();
        journal.take_all(&self.gpu);
        journal.history.replace(Vec::new()).unwrap_or_default()
    }

    fn world(&self) -> &World {
        &self.world
    }

    fn model(&self) -> Option<Model> {
        Some(self.scene.model)
    }

    fn settle(&mut self) {
        self.finish_step();
        self.apply_edits();
    }

    fn edit(&mut self, edit: Edit) {
        self.finish_step();
        match edit {
            Edit::Standing(wall, standing) => {
                self.buried |= self.world.walls.set_standing(wall, standing);
            }
            Edit::AddWall(shape) => {
                self.world.walls.add(Wall { name: None, shape, standing: true });
                self.buried = true;
            }
            Edit::Paint(cell, wall) => {
                self.world.walls.paint(cell, wall);
                self.buried = true;
            }
            Edit::PaintAll(cells) => {
                self.world.walls.paint_all(cells.into_iter().map(|(c, wall)| (c as usize, wall)));
                self.buried = true;
            }
            Edit::Ground(cells) => {
                self.world.paint_ground(&cells);
                self.dirty.extend(cells.iter().map(|&(c, _)| self.tables.tile_of(&self.world.grid, c as usize)));
            }
            Edit::ZoneSpeed(zone, speed) => {
                let limit = self.zone_limits[zone];
                let zone = &mut self.world.zones[zone];
                zone.speed = speed.clamp(0.01, limit);
                let bounds = zone.shape.bounds();
                self.dirty.extend(self.tables.tiles_in(&self.world.grid, bounds));
            }
            Edit::MoveGoal(goal, shapes) => {
                self.world.move_goal(goal, shapes);
                self.goals_moved = true;
            }
            Edit::Model(model) => self.weigh(*model),
        }
    }

    fn keep_maps(&mut self, keep: bool) {
        if keep == self.keep_maps {
            return;
        }
        self.finish_step();
        self.keep_maps = keep;
        let bytes = if keep { u64::from(self.params.cells) * 8 } else { 0 };
        self.buffers.resize(&self.gpu, Buffer::Maps, bytes);
        self.rebind();
    }

    fn set_up_ms(&self) -> &[(&'static str, f64)] {
        self.stopwatch.parts()
    }

    fn stage_ms(&self) -> [f64; COUNT] {
        let mut journal = self.journal.borrow_mut();
        journal.take_all(&self.gpu);
        journal.stage_ms
    }

    fn latest_stage_ms(&self) -> [f64; COUNT] {
        let mut journal = self.journal.borrow_mut();
        journal.take(&self.gpu, 0);
        journal.stage_ms
    }

    fn stage_bytes(&self) -> [u64; COUNT] {
        let p = &self.params;
        let (cells, routes, tiles) = (u64::from(p.cells), u64::from(p.routes), u64::from(p.tiles));
        let agents = self.counters().active;
        let all = u64::from(p.agents);
        let rounds = u64::from(self.scene.model.separation_rounds);
        Stage::ALL.map(|stage| match stage {
            // Keys, orders, columns; counts and starts.
            Stage::Bin => all * (32 + 8 + 8 + 8 + 8 + 2 * 48 + 4) + cells * 20,
            // Columns, the cell's record; quanta.
            Stage::Splat => agents * (16 + 16 + 16) + cells * (16 + 4),
            // Quanta read and cleared, averages.
            Stage::Flow => cells * (16 + 16 + 16),
            Stage::Speed => cells * (16 + 16 + 16),
            Stage::Cost => cells * (16 + 16) + u64::from(p.cost_fields) * tiles * 256 * 16,
            // Cleared, then cost once, values in and out.
            Stage::Potential => routes * tiles * 256 * (4 + 4 + 16 + 4),
            Stage::Gradient => routes * cells * (4 + 4) + cells * 16,
            // Columns, ground, four ways, speed; what is told.
            Stage::Guide => agents * (16 + 16 + 16 + 16 + 16 + 16 + 16),
            Stage::Avoid => agents * (16 + 16 + 16),
            Stage::Move => agents * (16 + 16 + 16 + 16 + 16 + 4),
            Stage::Separate => agents * (36 + 16 + 24 + 8 + rounds * (16 + 16 + 8 + 8 + 16) + 64),
            Stage::Measure => agents * 48 + cells * 4,
            Stage::Live => agents * 36,
        })
    }

    fn memory(&self) -> Vec<(&'static str, u64)> {
        self.buffers.memory()
    }

    fn buffers(&self) -> Vec<(String, u64)> {
        let mut list = self.buffers.each();
        list.push(("rounds".into(), self.rounds.uniform.size()));
        list.push(("journal".into(), self.journal.borrow().bytes()));
        list
    }

    fn on_gpu(&self) -> Option<&GpuEngine> {
        Some(self)
    }

    fn save(&mut self) -> Result<Vec<u8>, EngineError> {
        let state = self.state()?;
        Ok(state.to_bytes(&self.scene, &self.world))
    }

    fn restore(&mut self, bytes: &[u8]) -> Result<usize, EngineError> {
        self.finish_step();
        let (state, world, model) = RunState::from_bytes(&self.scene, bytes)?;
        // The snapshot is sound: the old crowd makes room for it.
        self.adopt(Scene { model, ..self.scene.clone() }, world, state, &[])?;
        Ok(self.world.walls.shapes().len())
    }

    fn set_points(&mut self, points: &[(u32, Vec2)]) -> Result<(), EngineError> {
        self.give_points(points)
    }

    fn change_crowd(&mut self, change: &CrowdChange) -> Result<(), EngineError> {
        let state = self.state()?;
        let (scene, world, state) = changed(&self.scene, &self.world, state, change)?;
        check(&self.gpu, &scene, &world).map_err(|e| EngineError(e.to_string()))?;
        self.adopt(scene, world, state, FIELDS)
    }
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
        search: scene.model.neighbours,
        plan_spans: Schedule::new(&scene.model).spans_steps(),
        own: &own_points::columns(&scene.model, scene.uses_points()),
    };
    buffers::check(gpu, &sizes).map(|_| ())
}

/// Fields are those of the last step until the next one: a change of the crowd leaves their buffers as they are.
const FIELDS: &[Buffer] =
    &[Buffer::Average, Buffer::Speed, Buffer::Cost, Buffer::Potential, Buffer::Directions, Buffer::Status];

/// The crowds that plans were made for.
const PLANNED: [Buffer; 2] = [Buffer::PlannedA, Buffer::PlannedB];

/// A crowd as `average` has it.
fn frozen(bytes: &[u8]) -> Frozen {
    let average: Vec<[f32; 4]> = bytemuck::pod_collect_to_vec(bytes);
    Frozen {
        density: average.iter().map(|a| a[0]).collect(),
        velocity: average.iter().map(|a| Vec2::new(a[1], a[2])).collect(),
    }
}
