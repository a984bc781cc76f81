//! The stages on threads. [`CpuEngine::step`] is the table of ARCHITECTURE.md.

mod state;

use super::{Answer, Counters, Direction, Edit, Engine, EngineError, Field, Request, Ticket, Values};
use crate::measure::crowd;
use crate::scene::{Plan, Scene, SceneError};
use crate::stages::bin::Bins;
use crate::stages::bin::cpu::Sorter;
use crate::stages::gradient::Directions;
use crate::stages::live::cpu::{Life, Rules};
use crate::stages::potential::cpu::March;
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
use rayon::prelude::*;
use std::time::Instant;

/// Width of the march's buckets, in typical link costs: the best of those tried on rough and on graded costs.
const BUCKET: f32 = 0.25;

/// Steps are numbered in 32 bits.
const LAST_STEP: u32 = u32::MAX - 1;

/// Everything that has a value per cell.
#[derive(Debug)]
struct Fields {
    quanta: Vec<Quanta>,
    density: Vec<f32>,
    velocity: Vec<Vec2>,
    allowed: Vec<(f32, f32)>,
    speed: Vec<[f32; 4]>,
    /// Padded.
    cost: Vec<[f32; 4]>,
    /// Padded, per goal.
    potentials: Vec<Vec<f32>>,
    directions: Directions,
    peaks: Vec<f32>,
    used: Vec<f32>,
}

/// Milliseconds per stage.
#[derive(Clone, Copy, Debug, Default)]
struct Clock([f64; COUNT]);

impl Clock {
    fn time<T>(&mut self, stage: &str, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = work();
        let slot = NAMES.iter().position(|n| *n == stage).expect("a stage of the table");
        self.0[slot] += start.elapsed().as_secs_f64() * 1e3;
        result
    }
}

/// The engine that is always there.
pub struct CpuEngine {
    scene: Scene,
    world: World,
    law: Law,
    agents: Agents,
    bins: Bins,
    fields: Fields,
    marches: Vec<March>,
    splatter: Splatter,
    sorter: Sorter,
    separator: Separator,
    life: Life,
    wanted: Vec<Vec2>,
    step: u32,
    /// Edits that `settle` has not taken in yet.
    unsettled: bool,
    /// The greatest speed factor of each zone that the scene foresees.
    zone_limits: Vec<f32>,
    /// The static plan has to be made (again).
    plan_due: bool,
    totals: Totals,
    clock: Clock,
    answers: Vec<(Ticket, Answer)>,
    next_ticket: u64,
    threads: Option<rayon::ThreadPool>,
}

/// Sums over the run that counters are made of.
#[derive(Clone, Copy, Debug, Default)]
struct Totals {
    counters: Counters,
    overlap_sum: f64,
    share_sum: f64,
    speed_sum: f64,
    walked: u64,
    diverged: bool,
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
            law: Law::new(
                &scene.model,
                scene.reference_speed(),
                scene.groups.iter().map(|g| g.speed.max()).fold(0.1, f32::max),
            ),
            scene: scene.clone(),
            world,
            agents,
            bins: Bins::default(),
            fields,
            marches: vec![March::default(); goals],
            splatter: Splatter::default(),
            sorter: Sorter::default(),
            separator: Separator::default(),
            life: Life::new(scene.groups.len()),
            wanted: Vec::new(),
            step: 0,
            unsettled: false,
            zone_limits: scene.zone_limits(),
            plan_due: true,
            totals: Totals::default(),
            clock: Clock::default(),
            answers: Vec::new(),
            next_ticket: 0,
            threads: pool,
        };
        engine.sorter.run(&grid, &mut engine.agents, &mut engine.bins);
        engine.count();
        engine.totals.counters.solver.converged = true;
        Ok(engine)
    }

    /// The crowd.
    #[must_use]
    pub fn agents(&self) -> &Agents {
        &self.agents
    }

    /// The world.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.world
    }

    /// One step, stage by stage.
    fn one_step(&mut self) {
        self.settle();
        let Self { scene, world, law, agents, bins, fields, splatter, sorter, separator, life, wanted, clock, .. } =
            self;
        let grid = world.grid;
        let step = self.step;
        let rounds = scene.model.separation_rounds;
        let mut solver = SolveReport { converged: true, ..SolveReport::default() };

        clock.time("splat", || splatter.run(&grid, &world.walls, agents, bins, world.widest, &mut fields.quanta));
        let full = clock.time("flow", || flow::cpu::run(&fields.quanta, &mut fields.density, &mut fields.velocity));
        match scene.model.plan {
            Plan::Continuum => {
                clock.time("speed", || speed_field(world, law, fields));
                solver = plan(scene, world, fields, &mut self.marches, clock);
            }
            Plan::Static => {
                if self.plan_due {
                    clock.time("speed", || empty_speed_field(world, law, fields));
                    solver = plan(scene, world, fields, &mut self.marches, clock);
                }
                clock.time("speed", || speed_field(world, law, fields));
            }
        }
        self.plan_due = false;
        let count = bins.alive();
        wanted.resize(agents.len(), Vec2::ZERO);
        let guide = Guide {
            grid: &grid,
            walls: &world.walls,
            directions: &fields.directions,
            speed: &fields.speed,
            zone: &world.zone,
            law,
            dt: scene.dt,
        };
        clock.time("steer", || steer::cpu::follow(guide, agents, count, wanted));
        clock.time("move", || motion::cpu::run(&world.walls, agents, count, wanted, scene.dt));
        clock.time("bin", || sorter.run(&grid, agents, bins));
        let room = Room {
            grid: &grid,
            walls: &world.walls,
            widest: world.widest,
            stride: world.stride,
            seed: scene.seed,
            step,
        };
        clock.time("separate", || separator.run(room, agents, bins, rounds, scene.dt));
        let totals = &mut self.totals;
        clock.time("measure", || totals.take(world, agents, bins, separator, fields, scene.dt));
        let rules = Rules {
            grid: &grid,
            walls: &world.walls,
            groups: &scene.groups,
            potentials: &fields.potentials,
            directions: &fields.directions,
            widest: world.widest,
            stride: world.stride,
            dt: scene.dt,
            seed: scene.seed,
            step,
        };
        let changes = clock.time("live", || life.run(rules, agents, bins));

        let c = &mut self.totals.counters;
        c.arrived += changes.arrived;
        c.goals_reached += changes.goals_reached;
        c.entered += changes.entered;
        c.parked += changes.parked;
        c.active = c.active + changes.entered - changes.left;
        c.outside = agents.len() as u64 - c.active - c.parked;
        c.splat_overflows += full;
        c.neighbours_left_out += separator.left_out;
        self.totals.diverged |= !solver.converged;
        if solver.visits > 0 {
            c.solver = solver;
        }
        c.solver.converged = !self.totals.diverged;
        self.step += 1;
        c.steps = u64::from(self.step);
    }

    fn count(&mut self) {
        let c = &mut self.totals.counters;
        c.active = self.bins.on_floor() as u64;
        c.outside = self.bins.outside().len() as u64;
        c.parked = (self.agents.len() - self.bins.alive()) as u64;
    }

    /// Takes in what edits changed: once, however many there were.
    fn settle(&mut self) {
        if !std::mem::take(&mut self.unsettled) {
            return;
        }
        self.world.refresh();
        self.plan_due = true;
        let (world, agents, potentials) = (&self.world, &mut self.agents, &self.fields.potentials);
        let layout = Padded::of(&world.grid);
        for i in 0..agents.len() {
            let p = agents.position[i];
            if !agents.state[i].on_floor() || !world.walls.buries(p) {
                continue;
            }
            self.totals.counters.displaced += 1;
            // Put aside to where the goal could be reached from, by the last plan; without any free place in the whole
            // world there is nothing better than where it was.
            let goal = &potentials[agents.goal[i] as usize];
            let good = |q: Vec2| {
                let (x, y) = world.grid.coords(q);
                goal[layout.at(x, y)] < UNREACHED
            };
            if let Some(q) = world.walls.free_place(p, agents.radius[i], good) {
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

/// From speeds to directions: cost, potential, gradient.
fn plan(scene: &Scene, world: &World, f: &mut Fields, marches: &mut [March], clock: &mut Clock) -> SolveReport {
    let layout = Padded::of(&world.grid);
    let flags = world.walls.flags();
    let mean = clock
        .time("cost", || cost::cpu::run(&world.grid, &scene.model, flags, &world.discomfort, &f.speed, &mut f.cost));
    let cost = &f.cost;
    let report = clock.time("potential", || {
        let reports: Vec<SolveReport> = marches
            .par_iter_mut()
            .zip(&mut f.potentials)
            .zip(&world.goals)
            .with_max_len(1)
            .map(|((march, potential), goal)| {
                march.solve(layout, cost, goal, BUCKET * mean, scene.model.scheme, potential)
            })
            .collect();
        reports.into_iter().fold(SolveReport { converged: true, ..SolveReport::default() }, SolveReport::and)
    });
    clock.time("gradient", || gradient::cpu::run(layout, cost, &f.potentials, &mut f.directions));
    report
}

impl Totals {
    fn take(&mut self, world: &World, agents: &Agents, bins: &Bins, separator: &Separator, f: &mut Fields, dt: f32) {
        let moment = crowd::look(world, agents, bins);
        let overlap = separator.overlap();
        let density = crowd::density(&world.grid, bins, &mut f.peaks);
        if !f.used.is_empty() {
            crowd::add_use(&world.grid, bins, dt, &mut f.used);
        }
        let c = &mut self.counters;
        let steps = c.steps as f64 + 1.0;
        c.in_wall = c.in_wall.max(moment.in_wall);
        c.not_finite = c.not_finite.max(moment.not_finite);
        c.wall_depth = c.wall_depth.max(moment.wall_depth);
        self.overlap_sum += f64::from(overlap.mean);
        self.share_sum += f64::from(overlap.share);
        c.overlap.mean = (self.overlap_sum / steps) as f32;
        c.overlap_share_mean = (self.share_sum / steps) as f32;
        c.overlap.max = c.overlap.max.max(overlap.max);
        c.overlap.share = c.overlap.share.max(overlap.share);
        c.density_max = c.density_max.max(density);
        self.speed_sum += moment.speed_sum;
        self.walked += moment.walking;
        c.mean_speed = if self.walked == 0 { 0.0 } else { (self.speed_sum / self.walked as f64) as f32 };
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
        };
        let ticket = Ticket(self.next_ticket);
        self.next_ticket += 1;
        self.answers.push((ticket, answer));
        ticket
    }

    fn poll(&mut self, ticket: Ticket) -> Option<Answer> {
        let place = self.answers.iter().position(|(t, _)| *t == ticket)?;
        Some(self.answers.swap_remove(place).1)
    }

    fn counters(&self) -> Counters {
        self.totals.counters
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
            // No faster than the scene itself foresees: walls and lists are made for that stride.
            Edit::ZoneSpeed(zone, speed) => {
                self.world.zones[zone].speed = speed.clamp(0.01, self.zone_limits[zone]);
            }
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
        self.clock.0
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
            (
                "potential",
                of(f.potentials.iter().map(|p| 4 * p.capacity()).sum::<usize>()
                    + self.marches.iter().map(March::memory).sum::<usize>()),
            ),
            ("gradient", of(f.directions.memory())),
            ("world", of(self.world.grid.len() * 17)),
            ("maps", of(4 * (f.peaks.capacity() + f.used.capacity()))),
        ]
    }

    fn save(&mut self) -> Vec<u8> {
        self.settle();
        self.to_bytes()
    }

    fn restore(&mut self, bytes: &[u8]) -> Result<usize, EngineError> {
        self.take_bytes(bytes)
    }
}
