//! The plan of the CPU engine: fields of costs, potentials and directions of all routes, and the solve, which may run on
//! threads of its own beside the steps.

use crate::engine::schedule::{Frozen, PlanWork, Schedule};
use crate::scene::{Model, Plan, Weights};
use crate::stages::cost::froblins::GradientBy;
use crate::stages::gradient::{Directions, Way as Towards};
use crate::stages::potential::tiles::{TileMarch, Way};
use crate::stages::potential::{Jump, Padded, PaddedCell, Scheme, SolveReport, UNREACHED, harmonic};
use crate::stages::speed::cpu::persons_per_density;
use crate::stages::{cost, gradient};
use crate::world::World;
use rayon::prelude::*;
use std::borrow::Cow;
use std::sync::mpsc::{Receiver, channel};

/// Everything that a solve reads and writes: it can be handed to another thread as a whole.
#[derive(Debug, Default)]
pub(crate) struct Solve {
    layout: Option<Padded>,
    scheme: Scheme,
    /// How directions follow.
    gradient: GradientBy,
    /// Whether ways are those of harmonic maps, and what they are, per route and padded.
    harmonic: bool,
    ways: Vec<Vec<Towards>>,
    /// In each field, the cost from which on a link leads through a closed gate.
    gates: Vec<f32>,
    /// The fields of costs, padded.
    pub(crate) costs: Vec<Vec<[f32; 4]>>,
    /// A typical link's cost in each.
    pub(crate) typical: Vec<f32>,
    /// Links through portals, with the costs of each field.
    jumps: Vec<Vec<Jump>>,
    /// Per route: its field of costs, and the cells of its goal.
    routes: Vec<(usize, Vec<PaddedCell>)>,
    /// Per route, padded.
    pub(crate) potentials: Vec<Vec<f32>>,
    march: TileMarch,
    report: SolveReport,
}

impl Solve {
    /// All routes, by all threads.
    fn run(&mut self) {
        let Some(layout) = self.layout else { return };
        if self.harmonic {
            self.run_harmonic(layout);
            return;
        }
        let ways: Vec<Way<'_>> = self
            .routes
            .iter()
            .map(|(field, goal)| Way {
                cost: &self.costs[*field],
                goal,
                jumps: &self.jumps[*field],
                unit: self.typical[*field],
            })
            .collect();
        self.report = self.march.solve(layout, &ways, self.scheme, &mut self.potentials);
    }

    fn harmonic_route(&self, layout: Padded, route: usize) -> harmonic::Route<'_> {
        let (field, goal) = &self.routes[route];
        let (cost, gate, jumps) = (&self.costs[*field], self.gates[*field], &self.jumps[*field]);
        harmonic::Route { layout, cost, gate, jumps, goal }
    }

    /// A harmonic map for each route, by a thread each.
    fn run_harmonic(&mut self, layout: Padded) {
        let mut potentials = std::mem::take(&mut self.potentials);
        let maps = potentials.par_iter_mut().enumerate();
        let (ways, reports): (Vec<_>, Vec<_>) =
            maps.map(|(route, potential)| harmonic::plan(self.harmonic_route(layout, route), potential)).unzip();
        (self.ways, self.potentials) = (ways, potentials);
        let none = SolveReport { converged: true, ..SolveReport::default() };
        self.report = reports.into_iter().fold(none, SolveReport::and);
    }
}

/// Links through portals, with what they cost those who weigh like this and walk at `reference` m/s.
fn jumps(world: &World, weights: Weights, reference: f32) -> Vec<Jump> {
    let layout = Padded::of(&world.grid);
    let padded = |cell: u32| layout.cell(cell as usize);
    let costs: Vec<f32> = world.portals.passages().iter().map(|p| p.cost(weights, reference)).collect();
    let links = world.portals.links().iter();
    links.map(|l| Jump { from: padded(l.from), to: padded(l.to), cost: costs[usize::from(l.passage)] }).collect()
}

/// Discomfort of each cell, with that of hazards where the plan follows what happens.
fn discomfort_now<'a>(model: &Model, world: &'a World, follows: bool) -> Cow<'a, [f32]> {
    let mut discomfort = Cow::Borrowed(&world.discomfort[..]);
    if follows && !world.hazards.now().is_empty() {
        world.hazards.add_field(&world.grid, model.hazard_discomfort, discomfort.to_mut());
    }
    discomfort
}

/// Plans, and what is known of them.
#[derive(Debug)]
pub(crate) struct Planner {
    pub(crate) schedule: Schedule,
    /// Away while other threads work on it.
    solve: Option<Box<Solve>>,
    away: Option<Receiver<Box<Solve>>>,
    threads: Option<rayon::ThreadPool>,
    /// The plan in force.
    pub(crate) directions: Directions,
    /// The crowds that the plan in force and the one under way were made for, where a plan spans steps.
    pub(crate) in_force: Option<Frozen>,
    pub(crate) under_way: Option<Frozen>,
}

impl Planner {
    pub(crate) fn new(model: &Model, world: &World) -> Self {
        let mut planner = Self {
            schedule: Schedule::new(model),
            solve: Some(Box::default()),
            away: None,
            threads: None,
            directions: Directions::default(),
            in_force: None,
            under_way: None,
        };
        planner.fit(model, world);
        planner
    }

    /// For a model or a world whose routes may have changed: whatever was planned is no longer so.
    pub(crate) fn fit(&mut self, model: &Model, world: &World) {
        self.wait();
        self.schedule = Schedule::new(model);
        (self.in_force, self.under_way) = (None, None);
        let (routes, cells, padded) = (world.routes.len(), world.grid.len(), Padded::of(&world.grid).size());
        let solve = self.solve.get_or_insert_default();
        solve.costs.resize(world.routes.weights().len(), vec![[UNREACHED; 4]; padded]);
        solve.typical.resize(world.routes.weights().len(), 1.0);
        solve.potentials.resize(routes, vec![UNREACHED; padded]);
        self.directions = Directions::new(cells, routes);
    }

    /// What the plan was made from has changed.
    pub(crate) fn invalidate(&mut self) {
        self.wait();
        self.schedule.invalidate();
        (self.in_force, self.under_way) = (None, None);
    }

    /// Waits until no other thread works on the solve.
    fn wait(&mut self) {
        if let Some(away) = self.away.take() {
            self.solve = Some(away.recv().expect("a solve does not panic"));
        }
    }

    /// Costs, potentials and the rest, complete. Waits if a solve is under way on other threads.
    pub(crate) fn solved(&mut self) -> &Solve {
        self.wait();
        self.solve.get_or_insert_default()
    }

    /// The same, if no other thread works on it.
    #[cfg(feature = "gpu")]
    pub(crate) fn at_hand(&self) -> Option<&Solve> {
        self.solve.as_deref()
    }

    /// Takes costs as they are now. `crowd` is what `speed` follows from, `reference` the speed on an empty floor.
    pub(crate) fn begin(
        &mut self,
        model: &Model,
        world: &World,
        (speed, density, reference): (&[[f32; 4]], &[f32], f32),
        crowd: impl FnOnce() -> Frozen,
        work: PlanWork,
    ) {
        self.wait();
        let grid = world.grid;
        let solve = self.solve.get_or_insert_default();
        solve.layout = Some(Padded::of(&grid));
        solve.scheme = model.scheme;
        solve.gradient = model.gradient_by();
        solve.harmonic = model.plan == Plan::Harmonic;
        solve.gates.resize(solve.costs.len(), UNREACHED);
        let discomfort = discomfort_now(model, world, self.schedule.follows_crowd());
        let factors = &world.terrain.factors[..];
        for (field, weights) in world.routes.weights().iter().enumerate() {
            let (out, flags) = (&mut solve.costs[field], world.walls.flags());
            solve.typical[field] = if model.plan == Plan::Froblins {
                let cells = cost::froblins::of_cells(&model.froblins, world, *weights, density);
                cost::cpu::run_without_direction(&grid, flags, &cells, factors, out)
            } else {
                let prices = cost::cpu::Prices { weights: *weights, discomfort: &discomfort, speed, factors };
                cost::cpu::run(&grid, flags, prices, out)
            };
            if !density.is_empty() {
                let factor = model.goal_crowding * persons_per_density(model);
                cost::crowded::add(&world.crowding, &grid, density, factor, out);
            }
            let narrow = world.narrow.get(world.routes.bodies()[field]);
            cost::cpu::close(&grid, narrow.map_or(&[][..], Vec::as_slice), UNREACHED, out);
            let fare = model.way_weights(*weights, reference);
            let metre = fare.length + fare.time / reference.max(1e-3);
            let (gated, imagined) = world.believed_links(field);
            solve.gates[field] = world.gate_cost(metre);
            cost::cpu::close(&grid, gated, solve.gates[field], out);
            cost::cpu::close(&grid, imagined, metre * grid.cell, out);
        }
        let fares = world.routes.weights().iter().map(|w| model.way_weights(*w, reference));
        solve.jumps = fares.map(|w| jumps(world, w, reference)).collect();
        solve.routes.clear();
        solve.routes.extend(world.routes.list().iter().map(|r| {
            let goal = world.goals[usize::from(r.goal)].iter();
            (usize::from(r.costs), goal.map(|&cell| Padded::of(&grid).cell(cell as usize)).collect())
        }));
        if self.schedule.spans_steps() {
            let frozen = crowd();
            if work.finish { self.in_force = Some(frozen) } else { self.under_way = Some(frozen) }
        }
    }

    /// Does the step's part of the solve: all of it at once, or it begins on other threads and its end is waited for.
    /// Returns what the solver did, in the step that it ends in.
    pub(crate) fn go_on(&mut self, work: PlanWork) -> Option<SolveReport> {
        if work.begin && work.finish {
            let solve = self.solve.get_or_insert_default();
            solve.run();
            return Some(solve.report);
        }
        if work.begin {
            let mut solve = self.solve.take().unwrap_or_default();
            if self.threads.is_none() {
                let n = rayon::current_num_threads();
                self.threads = rayon::ThreadPoolBuilder::new().num_threads(n).build().ok();
            }
            if let Some(threads) = &self.threads {
                let (tell, away) = channel();
                threads.spawn(move || {
                    solve.run();
                    // Nobody waits for a plan that was dropped.
                    let _ = tell.send(solve);
                });
                self.away = Some(away);
            } else {
                // A system that gives no more threads: the plan is the same, and the step takes longer.
                solve.run();
                self.solve = Some(solve);
            }
        }
        work.finish.then(|| self.solved().report)
    }

    /// Directions from the finished solve.
    pub(crate) fn finish(&mut self, world: &World, work: PlanWork) {
        self.wait();
        let solve = self.solve.get_or_insert_default();
        let field = |route: usize| usize::from(world.routes.list()[route].costs);
        let layout = Padded::of(&world.grid);
        if solve.harmonic {
            for (route, ways) in solve.ways.iter().enumerate() {
                (0..world.grid.len()).for_each(|c| self.directions.set(c, route, ways[layout.cell(c).place()]));
                let (of_route, potential) = (solve.harmonic_route(layout, route), &solve.potentials[route]);
                for (link, jump) in world.portals.links().iter().zip(of_route.jumps) {
                    if harmonic::leads_through(of_route, potential, jump) {
                        self.directions.send_through(link.from as usize, route, link.passage);
                    }
                }
            }
        } else {
            let costs = &solve.costs;
            gradient::cpu::run_by(solve.gradient, layout, costs, field, &solve.potentials, &mut self.directions);
            let jumps = |route: usize| solve.jumps.get(field(route)).map_or(&[][..], Vec::as_slice);
            gradient::cpu::send_through(&world.portals, jumps, &solve.potentials, &mut self.directions);
        }
        for (route, to) in world.routes.list().iter().enumerate().filter(|(_, r)| world.held[usize::from(r.goal)]) {
            world.goals[usize::from(to.goal)].iter().for_each(|&cell| self.directions.hold(cell as usize, route));
        }
        if !work.begin && self.under_way.is_some() {
            self.in_force = self.under_way.take();
        }
    }

    /// Bytes of costs, of potentials with their queues, and of directions.
    pub(crate) fn memory(&self) -> [usize; 3] {
        let frozen = |f: &Option<Frozen>| f.as_ref().map_or(0, |f| 12 * f.density.capacity());
        let solve = self.solve.as_deref();
        [
            solve.map_or(0, |s| s.costs.iter().map(|c| 16 * c.capacity()).sum::<usize>())
                + frozen(&self.in_force)
                + frozen(&self.under_way),
            solve.map_or(0, |s| s.potentials.iter().map(|p| 4 * p.capacity()).sum::<usize>() + s.march.memory()),
            self.directions.memory(),
        ]
    }
}
