//! How fast the steering `orca` is beside the crate dodgy_2d, on the same crowd in the same run.
//!
//! `cargo run --release -p throng --example orca_against_dodgy [agents [steps]]`
//!
//! People at one a square metre on open ground walk to their opposites. Before each step of ours dodgy_2d is given the same crowd: the same
//! neighbours (the ten nearest, found by a plain grid), horizon, step and preferred velocities. Ours is the stage `avoid`, which looks for
//! the neighbours as well, and `bin`, which sorts them into cells. Of dodgy_2d both are timed: avoidance alone, with the neighbours ready in
//! its own type, and all of it with the grid and the search. Two means over all agents say that both do the same work: how fast they want to
//! go, and how far the two velocities are apart.

use dodgy_2d::{Agent, AvoidanceOptions};
use rayon::prelude::*;
use std::borrow::Cow;
use std::error::Error;
use std::io::Write;
use std::time::Instant;
use throng::scene::NoFiles;
use throng::stages::Stage;
use throng::world::agents::Agents;
use throng::{Scene, Simulation, Vec2};

/// As in `[model.orca]`.
const NEIGHBOURS: usize = 10;
const HORIZON: f32 = 2.0;
const SIDE: f32 = 0.05;
const DT: f32 = 0.04;
/// Side of a cell of the plain grid, m; the ten nearest are looked for in five times five of them.
const CELL: f32 = 1.0;

fn scene(agents: usize) -> Result<Scene, Box<dyn Error>> {
    let side = (agents as f32).sqrt().ceil();
    let text = format!(
        "name = \"open ground\"\nsize = [{side}, {side}]\ncell = 0.5\ndt = {DT}\n[model]\nplan = \"static\"\nsteer = \"orca\"\n\
         [[agents]]\ncount = {agents}\nradius = 0.2\njourney = {{ to = \"opposite\" }}\narrive = \"next\"\n"
    );
    Scene::parse("open ground", &text, &NoFiles).map_err(|e| e.to_string().into())
}

/// The crowd as dodgy_2d knows it, and what each wants.
struct Theirs {
    agents: Vec<Agent>,
    wishes: Vec<dodgy_2d::Vec2>,
    speeds: Vec<f32>,
}

impl Theirs {
    fn new(a: &Agents) -> Self {
        let to = |v: Vec2| dodgy_2d::Vec2::new(v.x, v.y);
        let agent = |i: usize| Agent {
            position: to(a.position[i]),
            velocity: to(a.velocity[i]),
            radius: a.radius[i],
            avoidance_responsibility: 1.0,
        };
        let wish = |i: usize| {
            let away = a.point(i).map_or(Vec2::ZERO, |point| point - a.position[i]);
            to(Vec2::from_angle(-SIDE).rotate(away.normalize_or_zero() * a.preferred[i]))
        };
        let all = 0..a.len();
        Self { agents: all.clone().map(agent).collect(), wishes: all.map(wish).collect(), speeds: a.preferred.clone() }
    }

    /// Who is in each cell of a plain grid.
    fn grid(&self, side: usize) -> Vec<Vec<u32>> {
        let mut cells = vec![Vec::new(); side * side];
        for (i, agent) in (0u32..).zip(&self.agents) {
            cells[cell(agent.position.y, side) * side + cell(agent.position.x, side)].push(i);
        }
        cells
    }

    /// The nearest of somebody, nearest first.
    fn nearest(&self, i: usize, cells: &[Vec<u32>], side: usize) -> Vec<Cow<'_, Agent>> {
        let p = self.agents[i].position;
        let (x, y) = (cell(p.x, side), cell(p.y, side));
        let mut found: Vec<(f32, u32)> = Vec::with_capacity(40);
        for row in y.saturating_sub(2)..=(y + 2).min(side - 1) {
            for column in x.saturating_sub(2)..=(x + 2).min(side - 1) {
                let near = cells[row * side + column].iter().filter(|j| **j as usize != i);
                found.extend(near.map(|&j| (self.agents[j as usize].position.distance_squared(p), j)));
            }
        }
        if found.len() > NEIGHBOURS {
            found.select_nth_unstable_by(NEIGHBOURS - 1, |a, b| a.0.total_cmp(&b.0));
            found.truncate(NEIGHBOURS);
        }
        found.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        found.into_iter().map(|(_, j)| Cow::Borrowed(&self.agents[j as usize])).collect()
    }

    fn avoid(&self, i: usize, neighbours: &[Cow<'_, Agent>]) -> dodgy_2d::Vec2 {
        let options = AvoidanceOptions { obstacle_margin: 0.2, time_horizon: HORIZON, obstacle_time_horizon: 0.3 };
        let agent = &self.agents[i];
        agent.compute_avoiding_velocity(neighbours, &[], self.wishes[i], self.speeds[i], DT, &options)
    }
}

fn cell(x: f32, side: usize) -> usize {
    ((x / CELL) as usize).min(side - 1)
}

/// Seconds of each way, and means of what came out.
#[derive(Default)]
struct Times {
    ours: f64,
    ours_with_sort: f64,
    theirs: f64,
    theirs_with_search: f64,
    speed_ours: f64,
    speed_theirs: f64,
    apart: f64,
}

fn measure(agents: usize, steps: usize, threads: usize) -> Result<Times, Box<dyn Error>> {
    let scene = scene(agents)?;
    let side = (agents as f32).sqrt().ceil() as usize;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let mut run = Simulation::with_threads(&scene, threads)?;
    run.steps_by(25)?;
    let mut times = Times::default();
    for _ in 0..steps {
        let before = run.agents()?;
        let theirs = Theirs::new(&before);
        let began = Instant::now();
        let cells = theirs.grid(side);
        let search = |i: usize| theirs.nearest(i, &cells, side);
        let whole: Vec<_> = pool.install(|| (0..agents).into_par_iter().map(|i| theirs.avoid(i, &search(i))).collect());
        times.theirs_with_search += began.elapsed().as_secs_f64();
        let ready: Vec<Vec<Cow<'_, Agent>>> = (0..agents).map(search).collect();
        let began = Instant::now();
        let alone: Vec<_> =
            pool.install(|| ready.par_iter().enumerate().map(|(i, near)| theirs.avoid(i, near)).collect());
        times.theirs += began.elapsed().as_secs_f64();
        assert!(whole == alone, "the same neighbours give the same velocities");
        let ms = run.engine().stage_ms();
        run.step()?;
        let after = run.engine().stage_ms();
        let took = |stage: Stage| (after[stage.index()] - ms[stage.index()]) / 1e3;
        times.ours += took(Stage::Avoid);
        times.ours_with_sort += took(Stage::Avoid) + took(Stage::Bin);
        compare(&before, &run.agents()?, &alone, &mut times);
    }
    Ok(times)
}

/// Adds what both wanted. Separation may have changed ours a little.
fn compare(before: &Agents, after: &Agents, theirs: &[dodgy_2d::Vec2], times: &mut Times) {
    let mut place = vec![0; after.len()];
    for (k, &id) in after.id.iter().enumerate() {
        place[id as usize] = k;
    }
    let share = 1.0 / after.len() as f64;
    for (i, v) in theirs.iter().enumerate() {
        let (ours, theirs) = (after.velocity[place[before.id[i] as usize]], Vec2::new(v.x, v.y));
        times.speed_ours += share * f64::from(ours.length());
        times.speed_theirs += share * f64::from(theirs.length());
        times.apart += share * f64::from(ours.distance(theirs));
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1).map(|a| a.parse::<usize>());
    let agents = arguments.next().transpose()?.unwrap_or(100_000);
    let steps = arguments.next().transpose()?.unwrap_or(10).max(1);
    let mut out = std::io::stdout();
    writeln!(out, "{agents} agents, one a square metre; million agent-steps a second, mean of {steps} steps")?;
    for threads in [1, 2] {
        let t = measure(agents, steps, threads)?;
        let rate = |seconds: f64| (agents * steps) as f64 / seconds / 1e6;
        let steps = steps as f64;
        writeln!(
            out,
            "{threads} threads: ours {:.3} (with the sort {:.3}), dodgy_2d avoidance alone {:.3}, with grid and search {:.3}",
            rate(t.ours),
            rate(t.ours_with_sort),
            rate(t.theirs),
            rate(t.theirs_with_search),
        )?;
        writeln!(
            out,
            "           ours over its avoidance alone: {:.2}; all of ours over all of its: {:.2}; mean speeds {:.3} and {:.3} m/s, {:.4} m/s apart",
            t.theirs / t.ours,
            t.theirs_with_search / t.ours_with_sort,
            t.speed_ours / steps,
            t.speed_theirs / steps,
            t.apart / steps,
        )?;
    }
    Ok(())
}
