//! The stages on threads. `CpuEngine::stage` is the table of ARCHITECTURE.md.

use super::crowd::changed;
use super::state::{LAST_STEP, RunState};
use super::totals::{Numbers, Totals};
use super::{Answer, Counters, CrowdChange, Direction, Edit, Engine, EngineError, Field, Request, Ticket, Values};
use crate::measure::crowd;
use crate::scene::{Model, Plan, Scene, SceneError};
use crate::stages::bin::Bins;
use crate::stages::bin::cpu::Sorter;
use crate::stages::gradient::Directions;
use crate::stages::live::cpu::{Life, Rules};
use crate::stages::potential::tiles::{TileMarch, Way};
use crate::stages::potential::{Padded, SolveReport, UNREACHED};
use crate::stages::separate::cpu::{Room, Separator};
use crate::stages::speed::cpu::{Floor, Law};
use crate::stages::splat::cpu::Splatter;
use crate::stages::splat::{QUANTA, Quanta};
use crate::stages::steer::cpu::Guide;
use crate::stages::{COUNT, NAMES, cost, flow, gradient, motion, steer};
use crate::world::World;
use crate::world::agents::Agents;
use crate::world::place::populate;
use crate::world::walls::Wall;
use glam::Vec2;
use std::ops::Range;
use std::time::Instant;

/// Everything that has a value per cell.
#[derive(Debug)]
pub(crate) struct Fields {
    pub(crate) quanta: Vec<Quanta>,
    pub(crate) density: Vec<f32>,
    pub(crate) velocity: Vec<Vec2>,
    allowed: Vec<(f32, f32)>,
    pub(crate) speed: Vec<[f32; 4]>,
    /// Padded.
    pub(crate) cost: Vec<[f32; 4]>,
    /// Padded, per goal.
    pub(crate) potentials: Vec<Vec<f32>>,
    pub(crate) directions: Directions,
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
    march: TileMarch,
    splatter: Splatter,
    sorter: Sorter,
    separator: Separator,
    life: Life,
    wanted: Vec<Vec2>,
    step: u32,
    next_id: u32,
    dropped: u32,
    /// Edits that `settle` has not taken in yet.
    unsettled: bool,
    /// The greatest speed factor of each zone that the scene foresees.
    zone_limits: Vec<f32>,
    /// The static plan has to be made (again).
    plan_due: bool,
    /// Harmonic mean of the open links' costs, as of the last cost stage.
    typical_cost: f32,
    /// Of the step that runs now.
    numbers: Numbers,
    totals: Totals,
    stage_ms: [f64; COUNT],
    /// Counters after each step that nobody has fetched yet; kept only once somebody has.
    history: Option<Vec<Counters>>,
    answers: Vec<(Ticket, Answer)>,
    next_ticket: u64,
    threads: Option<rayon::ThreadPool>,
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
    /// If the crowd does not fit or cannot reach its goals.
    pub fn new(scene: &Scene, threads: Option<usize>) -> Result<Self, SceneError> {
        let world = World::new(scene)?;
        let agents = populate(scene, &world)?;
        let grid = world.grid;
        let (cells, padded) = (grid.len(), Padded::of(&grid).size());
        let goals = world.goals.len();
        let fields = Fields {
            quanta: vec![[0; 4]; cells],
            density: vec![0.0; cells],
            velocity: vec![Vec2::ZERO; cells],
            allowed: vec![(0.0, 0.0); cells],
            speed: vec![[0.0; 4]; cells],
            cost: vec![[UNREACHED; 4]; padded],
            potentials: vec![vec![UNREACHED; padded]; goals],
            directions: Directions::new(cells, goals),
            peaks: Vec::new(),
            used: Vec::new(),
        };
        let pool = threads
            .map(|n| rayon::ThreadPoolBuilder::new().num_threads(n.max(1)).build().expect("threads can be started"));
        let mut engine = Self {
            law: scene.law(),
            scene: scene.clone(),
            world,
            agents,
            bins: Bins::default(),
            fields,
            march: TileMarch::default(),
            splatter: Splatter::default(),
            sorter: Sorter::default(),
            separator: Separator::default(),
            life: Life::new(scene.groups.len()),
            wanted: Vec::new(),
            step: 0,
            next_id: scene.agent_count() as u32,
            dropped: 0,
            unsettled: false,
            zone_limits: scene.zone_limits(),
            plan_due: true,
            typical_cost: 1.0,
            numbers: Numbers::default(),
            totals: Totals::default(),
            stage_ms: [0.0; COUNT],
            history: None,
            answers: Vec::new(),
            next_ticket: 0,
            threads: pool,
        };
        engine.sorter.run(&grid, &mut engine.agents, &mut engine.bins);
        let (active, alive) = (engine.bins.on_floor() as u64, engine.bins.alive() as u64);
        engine.totals = Totals::new(active, alive - active, engine.agents.len() as u64 - alive);
        Ok(engine)
    }

    /// The crowd.
    #[must_use]
    pub fn agents(&self) -> &Agents {
        &self.agents
    }

    /// One step: the table of ARCHITECTURE.md.
    fn one_step(&mut self) {
        self.begin_step();
        self.run(0..COUNT);
        self.end_step();
    }

    /// Runs some stages, by their places in [`NAMES`].
    pub(crate) fn run(&mut self, stages: Range<usize>) {
        for stage in stages {
            let start = Instant::now();
            self.stage(NAMES[stage]);
            self.stage_ms[stage] += start.elapsed().as_secs_f64() * 1e3;
        }
    }

    fn stage(&mut self, name: &str) {
        let Self { scene, world, law, agents, bins, fields: f, wanted, .. } = self;
        let grid = world.grid;
        let plans = scene.model.plan == Plan::Continuum || self.plan_due;
        match name {
            "splat" => self.splatter.run(&grid, &world.walls, agents, bins, world.widest, &mut f.quanta),
            "flow" => self.numbers.splat_overflows = flow::cpu::run(&f.quanta, &mut f.density, &mut f.velocity),
            "speed" if scene.model.plan == Plan::Static && plans => empty_speed_field(world, law, f),
            "speed" => speed_field(world, law, f),
            "cost" if plans => {
                let flags = world.walls.flags();
                self.typical_cost =
                    cost::cpu::run(&grid, &scene.model, flags, &world.discomfort, &f.speed, &mut f.cost);
            }
            "potential" if plans => {
                self.numbers.solver = Some(solve(scene, world, f, &mut self.march, self.typical_cost));
            }
            "gradient" if plans => {
                gradient::cpu::run(Padded::of(&grid), &f.cost, &f.potentials, &mut f.directions);
                self.plan_due = false;
                if scene.model.plan == Plan::Static {
                    // The plan was made for an empty floor; walking is among the others.
                    speed_field(world, law, f);
                }
            }
            "cost" | "potential" | "gradient" => {}
            "steer" => {
                wanted.resize(agents.len(), Vec2::ZERO);
                let guide = Guide {
                    grid: &grid,
                    walls: &world.walls,
                    directions: &f.directions,
                    speed: &f.speed,
                    zone: &world.zone,
                    law,
                    dt: scene.dt,
                };
                steer::cpu::follow(guide, agents, bins.alive(), wanted);
            }
            "move" => motion::cpu::run(&world.walls, agents, bins.alive(), wanted, scene.dt),
            "bin" => self.sorter.run(&grid, agents, bins),
            "separate" => {
                let room = Room {
                    grid: &grid,
                    walls: &world.walls,
                    widest: world.widest,
                    stride: world.stride,
                    search: scene.model.neighbours,
                    seed: scene.seed,
                    step: self.step,
                };
                self.separator.run(room, agents, bins, scene.model.separation_rounds, scene.dt);
            }
            "measure" => {
                let (splat_overflows, solver) = (self.numbers.splat_overflows, self.numbers.solver);
                let numbers = measure(world, agents, bins, &self.separator, f, scene.dt);
                self.numbers = Numbers { splat_overflows, solver, ..numbers };
            }
            "live" => {
                let rules = Rules {
                    grid: &grid,
                    walls: &world.walls,
                    groups: &scene.groups,
                    potentials: &f.potentials,
                    directions: &f.directions,
                    widest: world.widest,
                    stride: world.stride,
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
                    ..self.numbers
                };
            }
            other => unreachable!("{other} is no stage"),
        }
    }

    fn weigh(&mut self, model: Model) {
        self.scene.model = model;
        self.law = self.scene.law();
        self.world.set_clearance_discomfort(model.clearance_discomfort);
    }

    /// Everything that the run is now, with edits taken in.
    fn state(&mut self) -> RunState {
        self.take_in_edits();
        RunState {
            agents: self.agents.clone(),
            step: self.step,
            next_id: self.next_id,
            dropped: self.dropped,
            let_in: self.life.let_in.clone(),
            totals: self.totals,
            peaks: self.fields.peaks.clone(),
            used: self.fields.used.clone(),
        }
    }

    /// Goes on from another state, in a world that it fits.
    fn adopt(&mut self, scene: Scene, world: World, state: RunState) {
        self.law = scene.law();
        self.scene = scene;
        self.world = world;
        self.agents = state.agents;
        (self.step, self.next_id, self.dropped) = (state.step, state.next_id, state.dropped);
        self.life.let_in = state.let_in;
        self.totals = state.totals;
        self.fields.peaks = state.peaks;
        self.fields.used = state.used;
        self.plan_due = true;
        self.unsettled = false;
        // Columns keep the order they were saved in, so the next sort gives the order of the uninterrupted run; until
        // then nobody is in a bin, which splat allows. All of them, the parked too: those who parked in the last step
        // still lie among the others.
        self.bins.start = vec![0; self.world.grid.len() + 1];
        self.bins.outside = self.agents.len() as u32;
    }

    /// Before the first stage: what edits changed is taken in.
    pub(crate) fn begin_step(&mut self) {
        self.take_in_edits();
    }

    fn end_step(&mut self) {
        self.totals.take(&std::mem::take(&mut self.numbers));
        self.step += 1;
        if let Some(history) = &mut self.history {
            history.push(self.totals.counters);
        }
    }

    /// Takes in what edits changed: once, however many there were.
    fn take_in_edits(&mut self) {
        if !std::mem::take(&mut self.unsettled) {
            return;
        }
        self.world.refresh();
        self.plan_due = true;
        let (world, agents) = (&self.world, &mut self.agents);
        // Who is put aside goes to where its goal can be reached from; found out only if there is anybody.
        let mut reaches: Vec<Option<Vec<bool>>> = vec![None; world.goals.len()];
        for i in 0..agents.len() {
            let p = agents.position[i];
            if !agents.state[i].on_floor() || !world.walls.buries(p) {
                continue;
            }
            self.totals.counters.displaced += 1;
            let goal = agents.goal[i] as usize;
            let reached = reaches[goal].get_or_insert_with(|| world.reaches(goal));
            // Without any free place in the whole world there is nothing better than where it was.
            if let Some(q) = world.walls.free_place(p, agents.radius[i], |q| reached[world.grid.index_at(q)]) {
                agents.position[i] = q;
            }
        }
    }

    fn field(&self, field: Field) -> Values {
        let f = &self.fields;
        let grid = &self.world.grid;
        let layout = Padded::of(grid);
        let unpadded =
            |of: &dyn Fn(usize) -> f32| (0..grid.len()).map(|c| of(layout.of_index(c))).collect::<Vec<f32>>();
        let vectors = |list: &[Vec2]| Values::Vector(list.iter().map(|v| v.to_array()).collect());
        let d = |direction: Direction| match direction {
            Direction::North => 0,
            Direction::East => 1,
            Direction::South => 2,
            Direction::West => 3,
        };
        let per_area = 1.0 / (QUANTA * grid.cell * grid.cell);
        match field {
            Field::Discomfort => Values::Scalar(self.world.discomfort.clone()),
            Field::Density => Values::Scalar(f.density.clone()),
            Field::Persons => Values::Scalar(f.quanta.iter().map(|q| q[3] as f32 * per_area).collect()),
            Field::Velocity => vectors(&f.velocity),
            Field::Speed(direction) => Values::Scalar(f.speed.iter().map(|s| s[d(direction)]).collect()),
            Field::Cost(direction) => Values::Scalar(unpadded(&|c| {
                let cost = f.cost[c][d(direction)];
                if cost >= UNREACHED { UNREACHED } else { cost / grid.cell }
            })),
            Field::Potential(goal) => Values::Scalar(unpadded(&|c| f.potentials[goal][c])),
            Field::Gradient(goal) => vectors(&f.directions.of_goal(goal)),
            Field::PeakDensity => Values::Scalar(f.peaks.clone()),
            Field::Use => Values::Scalar(f.used.clone()),
        }
    }
}

fn floor(world: &World) -> Floor<'_> {
    Floor { grid: &world.grid, flags: world.walls.flags(), zone: &world.zone }
}

fn speed_field(world: &World, law: &Law, f: &mut Fields) {
    law.run(floor(world), &f.density, &f.velocity, &mut f.allowed, &mut f.speed);
}

/// The speeds of a floor without anybody, for a plan that does not follow the crowd.
fn empty_speed_field(world: &World, law: &Law, f: &mut Fields) {
    let nobody = vec![0.0; world.grid.len()];
    let still = vec![Vec2::ZERO; world.grid.len()];
    law.run(floor(world), &nobody, &still, &mut f.allowed, &mut f.speed);
}

/// For the GPU engine's twin runs: what a step is made of.
#[cfg(feature = "gpu")]
impl CpuEngine {
    pub(crate) fn step_number(&self) -> u32 {
        self.step
    }

    pub(crate) fn bins(&self) -> &Bins {
        &self.bins
    }

    pub(crate) fn fields(&self) -> &Fields {
        &self.fields
    }

    pub(crate) fn let_in(&self) -> &[u32] {
        &self.life.let_in
    }

    pub(crate) fn wanted(&self) -> &[Vec2] {
        &self.wanted
    }

    #[cfg(test)]
    pub(crate) fn numbers(&self) -> &Numbers {
        &self.numbers
    }

    pub(crate) fn typical_cost(&self) -> f32 {
        self.typical_cost
    }

    /// Goes on from the end of a step that another engine finished: its agents, and where each cell's are.
    pub(crate) fn take_over(&mut self, agents: Agents, starts: &[u32], let_in: &[u32], counters: Counters) {
        let cells = self.world.grid.len();
        self.agents = agents;
        self.bins = Bins { start: starts[..=cells].to_vec(), outside: starts[cells + 1] - starts[cells] };
        self.life.let_in = let_in.to_vec();
        self.numbers = Numbers::default();
        self.totals.counters = counters;
        self.step += 1;
    }
}

/// All goals, by all threads.
fn solve(scene: &Scene, world: &World, f: &mut Fields, march: &mut TileMarch, unit: f32) -> SolveReport {
    let ways: Vec<Way<'_>> = world.goals.iter().map(|goal| Way { cost: &f.cost, goal, unit }).collect();
    march.solve(Padded::of(&world.grid), &ways, scene.model.scheme, &mut f.potentials)
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
            // The march's tiles are not those that this is about.
            Request::Tiles(_) => Answer::Tiles(Vec::new()),
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

    fn model(&self) -> Option<Model> {
        Some(self.scene.model)
    }

    fn settle(&mut self) {
        self.take_in_edits();
    }

    fn edit(&mut self, edit: Edit) {
        self.unsettled = true;
        match edit {
            Edit::Standing(wall, standing) => {
                self.world.walls.set_standing(wall, standing);
            }
            Edit::AddWall(shape) => {
                self.world.walls.add(Wall { name: None, shape, standing: true });
            }
            Edit::Paint(cell, wall) => self.world.walls.paint(cell, wall),
            Edit::PaintAll(cells) => self.world.walls.paint_all(cells.into_iter().map(|(c, wall)| (c as usize, wall))),
            Edit::Ground(cells) => self.world.paint_ground(&cells),
            // No faster than the scene itself foresees: walls and lists are made for that stride.
            Edit::ZoneSpeed(zone, speed) => {
                self.world.zones[zone].speed = speed.clamp(0.01, self.zone_limits[zone]);
            }
            Edit::MoveGoal(goal, shapes) => self.world.move_goal(goal, shapes),
            Edit::Weights(model) => self.weigh(self.scene.model.with_weights_of(&model)),
        }
    }

    fn keep_maps(&mut self, keep: bool) {
        let n = if keep { self.world.grid.len() } else { 0 };
        if self.fields.peaks.len() != n {
            self.fields.peaks = vec![0.0; n];
            self.fields.used = vec![0.0; n];
        }
    }

    fn stage_ms(&self) -> [f64; COUNT] {
        self.stage_ms
    }

    fn stage_bytes(&self) -> [u64; COUNT] {
        let cells = self.world.grid.len() as u64;
        let goals = self.world.goals.len() as u64;
        let agents = self.bins.alive() as u64;
        let rounds = u64::from(self.scene.model.separation_rounds);
        [
            agents * 21 + cells * 16,     // splat: position, velocity, radius, state; quanta
            cells * (16 + 4 + 8),         // flow
            cells * (1 + 4 + 4 + 8 + 16), // speed
            cells * (1 + 4 + 16 + 16),    // cost
            goals * cells * (16 + 4 + 4), // potential: costs, values read and written once
            goals * cells * (16 + 4 + 8), // gradient
            agents * (8 + 16 + 4 + 4 + 4 + 2 + 1 + 8 + 32 + 16), // steer: columns, four directions, speeds
            agents * (8 + 16 + 8 + 4 + 1), // move
            agents * (2 * Agents::BYTES as u64 + 9 + 12) + cells * 12, // bin
            agents * (20 + rounds * 20 + 40), // separate: lists, rounds, velocity
            agents * 33 + cells * 4,      // measure
            agents * 15,                  // live
        ]
    }

    fn memory(&self) -> Vec<(&'static str, u64)> {
        let f = &self.fields;
        let of = |bytes: usize| bytes as u64;
        vec![
            ("agents", of(self.agents.memory())),
            ("bin", of(self.sorter.memory() + 4 * self.bins.start.capacity())),
            ("separate", of(self.separator.memory() + 8 * self.wanted.capacity())),
            ("splat", of(16 * f.quanta.capacity() + self.splatter.memory())),
            ("flow", of(12 * f.density.capacity())),
            ("speed", of(24 * f.speed.capacity())),
            ("cost", of(16 * f.cost.capacity())),
            ("potential", of(f.potentials.iter().map(|p| 4 * p.capacity()).sum::<usize>() + self.march.memory())),
            ("gradient", of(f.directions.memory())),
            ("world", of(self.world.grid.len() * 17)),
            ("maps", of(4 * (f.peaks.capacity() + f.used.capacity()))),
        ]
    }

    fn save(&mut self) -> Result<Vec<u8>, EngineError> {
        let state = self.state();
        Ok(state.to_bytes(&self.scene, &self.world))
    }

    fn restore(&mut self, bytes: &[u8]) -> Result<usize, EngineError> {
        let (state, world, model) = RunState::from_bytes(&self.scene, bytes)?;
        self.adopt(Scene { model, ..self.scene.clone() }, world, state);
        Ok(self.world.walls.shapes().len())
    }

    fn change_crowd(&mut self, change: &CrowdChange) -> Result<(), EngineError> {
        let state = self.state();
        let (scene, world, state) = changed(&self.scene, &self.world, state, change)?;
        self.adopt(scene, world, state);
        Ok(())
    }
}
