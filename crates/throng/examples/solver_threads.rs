//! How the potential's solver gains from threads: the march of one thread a goal against the march in tiles.
//!
//! `cargo run --release -p throng --example solver_threads [most threads [repetitions]]`
//!
//! For each map and number of threads the two take turns; the best time of each counts. Times are milliseconds for all of the
//! map's goals. "gain" is over the march with as many threads, "speed-up" over the tiles with one thread. Maps: costs
//! drawn at random for every link; the office and the exit bar (fewer people than in the scene) with the costs
//! that their crowds cause after some seconds.

use rayon::prelude::*;
use std::error::Error;
use std::io::Write;
use std::time::Instant;
use throng::engine::{Direction, Field, Values};
use throng::random::{pcg4d, unit};
use throng::stages::potential::cpu::March;
use throng::stages::potential::tiles::{TileMarch, Way};
use throng::stages::potential::{Padded, PaddedCell, Scheme, UNREACHED};
use throng::{Scene, Simulation};

/// Width of the march's buckets, as the engine had it.
const BUCKET: f32 = 0.25;

struct Map {
    name: String,
    layout: Padded,
    cost: Vec<[f32; 4]>,
    goals: Vec<Vec<PaddedCell>>,
    typical: f32,
}

impl Map {
    fn new(name: &str, layout: Padded, cost: Vec<[f32; 4]>, goals: Vec<Vec<PaddedCell>>) -> Self {
        let open = cost.iter().flatten().filter(|c| **c < UNREACHED);
        let (sum, count) = open.fold((0.0, 0.0), |(sum, count), &c| (sum + 1.0 / f64::from(c), count + 1.0));
        Self { name: name.to_owned(), layout, cost, goals, typical: (count / sum) as f32 }
    }

    /// Open ground, link costs between 1 and 5 at random; a goal cell in the middle, and three more.
    fn rough(side: usize, goals: usize) -> Self {
        let layout = Padded { width: side, height: side };
        let mut cost = vec![[UNREACHED; 4]; layout.size()];
        for cell in 0..side * side {
            let (x, y) = (cell % side, cell / side);
            let open = [y + 1 < side, x + 1 < side, y > 0, x > 0];
            let drawn = pcg4d([cell as u32, 1, 2, 3]);
            for d in 0..4 {
                cost[layout.at(x, y)][d] = if open[d] { 1.0 + 4.0 * unit(drawn[d]) } else { UNREACHED };
            }
        }
        let (half, tenth) = (side / 2, side / 10);
        let cells = [(half, half), (tenth, tenth), (side - tenth, half), (half, tenth)];
        let goals = cells[..goals].iter().map(|&(x, y)| vec![layout.cell(y * side + x)]).collect();
        Self::new(&format!("rough {side}²"), layout, cost, goals)
    }

    /// A built-in scene with the costs of its crowd after some steps.
    fn of_scene(name: &str, agents: Option<u32>, steps: u64) -> Result<Self, Box<dyn Error>> {
        let mut scene = Scene::built_in(name).ok_or("a built-in scene")?;
        if let Some(agents) = agents {
            scene.set_agents(agents)?;
        }
        let mut sim = Simulation::new(&scene)?;
        sim.steps_by(steps)?;
        let layout = Padded::of(&scene.grid);
        let mut cost = vec![[UNREACHED; 4]; layout.size()];
        let directions = [Direction::North, Direction::East, Direction::South, Direction::West];
        for (d, direction) in directions.into_iter().enumerate() {
            let Values::Scalar(list) = sim.field(Field::Cost(direction))? else { return Err("numbers".into()) };
            for (cell, &c) in list.iter().enumerate() {
                cost[layout.cell(cell).place()][d] = if c < UNREACHED { c * scene.grid.cell } else { UNREACHED };
            }
        }
        let goal = |cells: &Vec<u32>| cells.iter().map(|&cell| layout.cell(cell as usize)).collect();
        Ok(Self::new(name, layout, cost, sim.world().goals.iter().map(goal).collect()))
    }

    /// The best times of the march and of the tiles, and the tiles' visits per cell and rounds.
    fn measure(&self, threads: usize, repetitions: usize) -> Result<(f64, f64, f64, u64), Box<dyn Error>> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        let mut marches = vec![March::default(); self.goals.len()];
        let mut tiles = TileMarch::default();
        let mut potentials = vec![vec![0.0f32; self.layout.size()]; self.goals.len()];
        let ways: Vec<Way<'_>> =
            self.goals.iter().map(|goal| Way { cost: &self.cost, goal, jumps: &[], unit: self.typical }).collect();
        let (mut best, mut report) = ([f64::INFINITY; 2], Default::default());
        for _ in 0..repetitions {
            let start = Instant::now();
            pool.install(|| {
                (&mut marches, &ways, &mut potentials).into_par_iter().with_max_len(1).for_each(|(march, way, p)| {
                    march.solve(self.layout, way.cost, (way.goal, way.jumps), BUCKET * way.unit, Scheme::Upwind, p);
                });
            });
            best[0] = best[0].min(start.elapsed().as_secs_f64());
            let start = Instant::now();
            report = pool.install(|| tiles.solve(self.layout, &ways, Scheme::Upwind, &mut potentials));
            best[1] = best[1].min(start.elapsed().as_secs_f64());
        }
        let cells = self.layout.width * self.layout.height * self.goals.len();
        Ok((best[0] * 1e3, best[1] * 1e3, report.visits as f64 / cells as f64, report.rounds))
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1).map(|a| a.parse::<usize>());
    let cores = std::thread::available_parallelism()?.get();
    let most = arguments.next().transpose()?.unwrap_or(cores);
    let repetitions = arguments.next().transpose()?;
    let mut out = std::io::stdout();
    let maps = [
        Map::rough(1024, 1),
        Map::rough(1024, 4),
        Map::rough(256, 1),
        Map::of_scene("office", None, 200)?,
        Map::of_scene("exit-bar", Some(200_000), 40)?,
    ];
    writeln!(out, "{cores} cores")?;
    writeln!(out, "map            goals threads  march ms  tiles ms   gain  speed-up  visits/cell  rounds")?;
    for map in &maps {
        let small = map.layout.size() < 200_000;
        let repetitions = repetitions.unwrap_or(if small { 60 } else { 8 });
        let mut alone = None;
        for threads in [1, 2, 4, 8, 16, 32, 64].into_iter().filter(|&n| n <= most) {
            let (march, tiles, visits, rounds) = map.measure(threads, repetitions)?;
            let alone = *alone.get_or_insert(tiles);
            writeln!(
                out,
                "{:14} {:5} {threads:7} {march:9.3} {tiles:9.3} {:6.2} {:9.2} {visits:12.2} {rounds:7}",
                map.name,
                map.goals.len(),
                march / tiles,
                alone / tiles
            )?;
        }
    }
    Ok(())
}
