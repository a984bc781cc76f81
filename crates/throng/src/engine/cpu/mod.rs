//! The stages on threads. `CpuEngine::stage` is the table of ARCHITECTURE.md.

mod answers;
mod changes;
mod guide;
mod live;
pub(crate) mod planner;
pub(crate) mod reserve;
mod twin;

use super::edits;
use super::schedule::{Frozen, PlanWork};
use super::set_up::Stopwatch;
use super::state::LAST_STEP;
use super::totals::{Numbers, Totals};
use super::{Answer, Counters, CrowdChange, Edit, Engine, EngineError, Request, Ticket};
use crate::budget::Grant;
use crate::measure::crowd;
use crate::scene::{Change, Group, Model, Plan, Scene, SceneError};
use crate::stages::bin::Bins;
use crate::stages::bin::cpu::Sorter;
use crate::stages::live::cpu::Life;
use crate::stages::separate::cpu::{Room, Separator};
use crate::stages::speed::cpu::{Floor, Law};
use crate::stages::splat::Quanta;
use crate::stages::splat::blocks::Blocks;
use crate::stages::splat::cpu::Splatter;
use crate::stages::steer::bvp::local_map;
use crate::stages::steer::social_force::bound::Borders;
use crate::stages::steer::social_force::cells::Cells;
use crate::stages::steer::{Avoid, Crowd, Guidance, Wanted};
use crate::stages::{COUNT, Stage, flow, motion};
use crate::world::World;
use crate::world::agents::Agents;
use crate::world::goals;
use crate::world::place::populate_some;
use glam::Vec2;
use planner::Planner;
use reserve::{AT_ONCE, Reserve, at_first};
use std::time::Instant;

/// Everything that has a value per cell and is made anew in every step.
#[derive(Debug)]
pub(crate) struct Fields {
    pub(crate) quanta: Vec<Quanta>,
    /// Where anybody is.
    pub(crate) blocks: Blocks,
    pub(crate) density: Vec<f32>,
    pub(crate) velocity: Vec<Vec2>,
    allowed: Vec<(f32, f32)>,
    pub(crate) speed: Vec<[f32; 4]>,
    peaks: Vec<f32>,
    used: Vec<f32>,
}

/// The engine that is always there.
pub struct CpuEngine {
    scene: Scene,
    world: World,
    law: Law,
    agents: Agents,
    bins: Bins,
    fields: Fields,
    planner: Planner,
    /// What the step that runs now does for the plan.
    plan_work: PlanWork,
    splatter: Splatter,
    sorter: Sorter,
    separator: Separator,
    /// Who is in which cell, where the steering's cells hold only so many.
    cells: Cells,
    life: Life,
    /// Those of sources who are not people yet.
    reserve: Reserve,
    /// The least id of each group, where anybody heads for points.
    first_ids: Vec<u32>,
    guide: Vec<Guidance>,
    wanted: Vec<Wanted>,
    /// Done instead of the steering's second part.
    avoid_by: Option<Avoid>,
    step: u32,
    next_id: u32,
    dropped: u32,
    /// Edits that `apply_edits` has not taken in yet.
    edited: bool,
    /// None of them touched anything but goals.
    goals_alone: bool,
    /// Of the step that runs now.
    numbers: Numbers,
    totals: Totals,
    stage_ms: [f64; COUNT],
    /// Counters after each step that nobody has fetched yet; kept only once somebody has.
    history: Option<Vec<Counters>>,
    answers: Vec<(Ticket, Answer)>,
    next_ticket: u64,
    threads: Option<rayon::ThreadPool>,
    stopwatch: Stopwatch,
    /// Of the budget of the scene: held for as long as the engine is there.
    memory: Grant,
}

impl std::fmt::Debug for CpuEngine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CpuEngine").field("scene", &self.scene.name).field("step", &self.step).finish_non_exhaustive()
    }
}

impl CpuEngine {
    /// Sets a scene up. `threads` limits the threads; by default all cores.
    ///
    /// # Errors
    /// If the crowd does not fit or cannot reach its goals, or the system refuses so many threads.
    pub fn new(scene: &Scene, threads: Option<usize>) -> Result<Self, SceneError> {
        let start = |n: usize| {
            rayon::ThreadPoolBuilder::new().num_threads(n.max(1)).build().map_err(|e| {
                let message = format!("the system does not start {n} threads: {e}");
                SceneError::whole(&scene.source, message).help("ask for fewer; the result does not depend on it")
            })
        };
        let pool = threads.map(start).transpose()?;
        match &pool {
            Some(threads) => threads.install(|| Self::with_reserve(scene, AT_ONCE)),
            None => Self::with_reserve(scene, AT_ONCE),
        }
        .map(|engine| Self { threads: pool, ..engine })
    }

    /// On the threads that are in force, with so many of each source from the beginning.
    pub(crate) fn with_reserve(scene: &Scene, at_once: u32) -> Result<Self, SceneError> {
        let mut stopwatch = Stopwatch::start();
        let memory = scene.take_memory()?;
        let world = World::new(scene)?;
        stopwatch.lap("world");
        let mut agents = populate_some(scene, &world, |group| at_first(group, at_once))?;
        stopwatch.lap("people");
        agents.use_columns(&scene.columns(&scene.model, scene.needs_points()));
        let cells = world.grid.len();
        let fields = Fields {
            quanta: vec![[0; 4]; cells],
            blocks: Blocks::default(),
            density: vec![0.0; cells],
            velocity: vec![Vec2::ZERO; cells],
            allowed: vec![(0.0, 0.0); cells],
            speed: vec![[0.0; 4]; cells],
            peaks: Vec::new(),
            used: Vec::new(),
        };
        let reserve = Reserve::new(scene, at_once);
        let mut people = agents.census();
        people.outside += reserve.len();
        let planner = Planner::new(&scene.model, &world);
        stopwatch.lap("fields");
        Ok(Self {
            law: scene.law(),
            scene: scene.clone(),
            planner,
            plan_work: PlanWork::default(),
            world,
            first_ids: agents.first_ids(scene),
            agents,
            bins: Bins { start: vec![0; cells + 1], outside: 0 },
            fields,
            splatter: Splatter::default(),
            sorter: Sorter::default(),
            separator: Separator::default(),
            cells: Cells::default(),
            life: Life::new(scene.groups.len()),
            reserve,
            guide: Vec::new(),
            wanted: Vec::new(),
            avoid_by: None,
            step: 0,
            next_id: scene.agent_count() as u32,
            dropped: 0,
            edited: false,
            goals_alone: true,
            numbers: Numbers::default(),
            totals: Totals::new(people),
            stage_ms: [0.0; COUNT],
            history: None,
            answers: Vec::new(),
            next_ticket: 0,
            threads: None,
            stopwatch,
            memory,
        })
    }

    /// The crowd.
    #[must_use]
    pub fn agents(&self) -> &Agents {
        &self.agents
    }

    /// From now on does the stage avoid by another function than the steering's: to compare two programs for the same model.
    pub fn avoid_by(&mut self, avoid: Avoid) {
        self.avoid_by = Some(avoid);
    }

    /// One step: the table of ARCHITECTURE.md.
    fn one_step(&mut self) {
        self.begin_step();
        self.run(&Stage::ALL);
        self.end_step();
    }

    /// Runs some stages.
    pub(crate) fn run(&mut self, stages: &[Stage]) {
        for &stage in stages {
            let start = Instant::now();
            self.stage(stage);
            self.stage_ms[stage.index()] += start.elapsed().as_secs_f64() * 1e3;
        }
    }

    fn stage(&mut self, stage: Stage) {
        let Self { scene, world, law, agents, bins, fields: f, planner, guide, wanted, .. } = self;
        let (grid, walls, model, work) = (world.grid, &world.walls, &scene.model, self.plan_work);
        match stage {
            Stage::Bin => self.sorter.run(&grid, agents, bins),
            Stage::Splat => {
                let out = (f.quanta.as_mut_slice(), &mut f.blocks);
                self.splatter.run(&grid, walls, agents, bins, world.widest, out);
            }
            Stage::Flow => {
                self.numbers.splat_overflows = flow::cpu::run(&f.quanta, &f.blocks, &mut f.density, &mut f.velocity);
            }
            // The field is only for planning; whoever walks can ask for its own cell's speed.
            Stage::Speed if work.begin && model.plan == Plan::Continuum => speed_field(world, law, f),
            Stage::Cost if work.begin => begin_plan(model, world, law, f, planner, work),
            Stage::Potential if work.part.is_some() => self.numbers.solver = planner.go_on(work),
            Stage::Gradient if work.finish => planner.finish(world, work),
            Stage::Speed | Stage::Cost | Stage::Potential | Stage::Gradient => {}
            Stage::Guide => self.tell_everybody(),
            Stage::Avoid => {
                wanted.resize(bins.on_floor(), Wanted::default());
                let bound = model.steer.steering().bounded.map(|bounded| bounded(model));
                if let Some(bound) = bound {
                    self.cells.gather(&grid, bins, agents, bound);
                }
                let mut own = std::mem::take(&mut agents.own);
                let crowd = Crowd {
                    grid: &grid,
                    walls,
                    agents,
                    bins,
                    guide,
                    cells: bound.map(|_| &self.cells),
                    ways: (&planner.directions, &world.routes),
                    groups: &scene.groups,
                    model,
                    widest: world.widest,
                    dt: scene.dt,
                    seed: scene.seed,
                    step: self.step,
                };
                self.avoid_by.unwrap_or(model.steer.steering().avoid)(crowd, &mut own, wanted);
                agents.own = own;
            }
            Stage::Move => {
                let ground = (&grid, &world.terrain);
                motion::cpu::run(walls, ground, agents, wanted, scene.dt, world.stride);
            }
            Stage::Separate => {
                let room = Room {
                    grid: &grid,
                    walls,
                    widest: world.widest,
                    stride: world.stride,
                    walked: world.walked(),
                    search: model.neighbours,
                    yields: model.steer.steering().yields,
                    seed: scene.seed,
                    step: self.step,
                };
                self.separator.run(room, agents, bins, model.separation_rounds, scene.dt);
                if let Some(bounded) = model.steer.steering().bounded {
                    let borders = Borders { grid: &grid, walls, stride: world.stride };
                    self.numbers.refused = self.cells.keep_out(borders, bounded(model), agents);
                }
            }
            Stage::Measure => {
                let Numbers { splat_overflows, solver, refused, .. } = self.numbers;
                let numbers = measure(world, agents, bins, &self.separator, f, scene.dt);
                self.numbers = Numbers { splat_overflows, solver, refused, ..numbers };
            }
            Stage::Live => self.live(),
        }
    }

    /// Before the first stage: what edits changed is taken in, and what there is to plan.
    pub(crate) fn begin_step(&mut self) {
        self.edited |= self.world.learn(self.step, self.scene.dt);
        self.apply_edits();
        self.world.hazards.go_to(self.step);
        self.plan_work = self.planner.schedule.work(self.step);
    }

    fn end_step(&mut self) {
        self.planner.schedule.done(self.plan_work);
        self.totals.take(&std::mem::take(&mut self.numbers));
        self.step += 1;
        if let Some(history) = &mut self.history {
            history.push(self.totals.counters);
        }
    }
}

fn speed_field(world: &World, law: &Law, f: &mut Fields) {
    let floor = Floor { grid: &world.grid, flags: world.walls.flags(), zone: &world.zone };
    law.run(floor, &f.density, &f.velocity, &mut f.allowed, &mut f.speed);
}

/// Takes costs as they are now: of the crowd, or of a floor without anybody.
fn begin_plan(model: &Model, world: &World, law: &Law, f: &mut Fields, planner: &mut Planner, work: PlanWork) {
    if planner.schedule.follows_crowd() {
        let hazards = world.hazards.now().to_vec();
        let crowd = || Frozen { density: f.density.clone(), velocity: f.velocity.clone(), hazards };
        planner.begin(model, world, (&f.speed, &f.density, law.reference), crowd, work);
    } else {
        begin_empty(model, world, law, planner, work);
    }
}

/// Takes the costs of a floor without anybody.
pub(crate) fn begin_empty(model: &Model, world: &World, law: &Law, planner: &mut Planner, work: PlanWork) {
    let cells = world.grid.len();
    let mut empty = vec![[0.0; 4]; cells];
    let floor = Floor { grid: &world.grid, flags: world.walls.flags(), zone: &world.zone };
    law.run(floor, &vec![0.0; cells], &vec![Vec2::ZERO; cells], &mut vec![(0.0, 0.0); cells], &mut empty);
    planner.begin(model, world, (&empty, &[], law.reference), Frozen::default, work);
}

/// What a step was like, but for who came and went.
fn measure(world: &World, agents: &Agents, bins: &Bins, separator: &Separator, f: &mut Fields, dt: f32) -> Numbers {
    let moment = crowd::look(world, agents, bins);
    let density = crowd::density(&world.grid, bins, &mut f.peaks);
    if !f.used.is_empty() {
        crowd::add_use(&world.grid, bins, dt, &mut f.used);
    }
    Numbers {
        in_wall: moment.in_wall,
        not_finite: moment.not_finite,
        wall_depth: moment.wall_depth,
        speed_sum: moment.speed_sum,
        walking: moment.walking,
        overlap: separator.overlap(),
        density,
        left_out: separator.left_out,
        ..Numbers::default()
    }
}

impl Engine for CpuEngine {
    fn name(&self) -> &'static str {
        "cpu"
    }

    fn device(&self) -> String {
        let threads =
            self.threads.as_ref().map_or_else(rayon::current_num_threads, rayon::ThreadPool::current_num_threads);
        format!("{threads} thread{}", if threads == 1 { "" } else { "s" })
    }

    fn step(&mut self) -> Result<(), EngineError> {
        if self.step >= LAST_STEP {
            return Err(EngineError("the run has reached the last step that can be numbered".into()));
        }
        self.let_come()?;
        match self.threads.take() {
            Some(pool) => {
                pool.install(|| self.one_step());
                self.threads = Some(pool);
            }
            None => self.one_step(),
        }
        Ok(())
    }

    fn request(&mut self, what: Request) -> Ticket {
        self.settle();
        let answer = match what {
            Request::Agents => Answer::Agents(Box::new(self.agents.clone())),
            Request::Field(field) => Answer::Field(self.field(field)),
            // The march has no tiles.
            Request::Tiles(_) => Answer::Tiles(Vec::new()),
            Request::LocalMap(id) => {
                let (floor, directions) = ((&self.scene, &self.world), &self.planner.directions);
                Answer::LocalMap(local_map(floor, directions, &self.agents, self.step, id).map(Box::new))
            }
        };
        let ticket = Ticket(self.next_ticket);
        self.next_ticket += 1;
        self.answers.push((ticket, answer));
        ticket
    }

    fn poll(&mut self, ticket: Ticket) -> Result<Option<Answer>, EngineError> {
        let place = self.answers.iter().position(|(t, _)| *t == ticket);
        Ok(place.map(|p| self.answers.swap_remove(p).1))
    }

    fn steps(&self) -> u64 {
        self.step.into()
    }

    fn counters(&self) -> Counters {
        self.totals.counters
    }

    fn latest(&self) -> Counters {
        self.totals.counters
    }

    fn history(&mut self) -> Vec<Counters> {
        self.history.replace(Vec::new()).unwrap_or_default()
    }

    fn world(&self) -> &World {
        &self.world
    }

    fn scene(&self) -> &Scene {
        &self.scene
    }

    fn settle(&mut self) {
        self.apply_edits();
    }

    fn edit(&mut self, edit: Edit) {
        let touched = edits::apply(&mut self.scene, &mut self.world, edit, self.step);
        self.take(&touched);
    }

    fn event(&mut self, change: Change) {
        let touched = edits::happen(&self.scene, &mut self.world, change, self.step);
        self.take(&touched);
    }

    fn keep_maps(&mut self, keep: bool) {
        let n = if keep { self.world.grid.len() } else { 0 };
        if self.fields.peaks.len() != n {
            self.fields.peaks = vec![0.0; n];
            self.fields.used = vec![0.0; n];
        }
    }

    fn keeps_maps(&self) -> bool {
        !self.fields.peaks.is_empty()
    }

    fn has_everybody(&self) -> bool {
        self.reserve.len() == 0
    }

    fn set_up_ms(&self) -> &[(&'static str, f64)] {
        self.stopwatch.parts()
    }

    fn stage_ms(&self) -> [f64; COUNT] {
        self.stage_ms
    }

    fn stage_bytes(&self) -> [u64; COUNT] {
        self.bytes_per_stage()
    }

    fn memory(&self) -> Vec<(&'static str, u64)> {
        self.memory_by_use()
    }

    fn absent_hash(&self) -> u64 {
        self.hash_of_reserve()
    }

    fn save(&mut self) -> Result<Vec<u8>, EngineError> {
        Ok(self.state().to_bytes(&self.scene, &self.world))
    }

    fn restore(&mut self, bytes: &[u8]) -> Result<(), EngineError> {
        self.restore_state(None, bytes)
    }

    fn restore_with(&mut self, groups: &[Group], bytes: &[u8]) -> Result<(), EngineError> {
        self.restore_state(Some(groups), bytes)
    }

    fn in_goals(&mut self) -> Result<Vec<u32>, EngineError> {
        Ok(goals::counts(&self.world.places, &self.agents))
    }

    fn set_points(&mut self, points: &[(u32, Vec2)]) -> Result<(), EngineError> {
        self.give_points(points)
    }

    fn set_states(&mut self, states: &[(u32, u16)]) -> Result<(), EngineError> {
        self.give_states(states)
    }

    fn change_crowd(&mut self, change: &CrowdChange) -> Result<(), EngineError> {
        self.change_people(change)
    }
}
