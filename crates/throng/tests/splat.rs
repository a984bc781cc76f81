//! The contract of the splat, tested here:
//!
//! - Each agent on the floor adds its own 4/3·πr² of density, that times its velocity, and one person, all told,
//!   whatever its radius and wherever it stands; each of its cells is rounded to a quantum.
//! - Sums are integers: the order of agents changes no bit, nor does whether they were sorted since they moved.
//! - Nothing is splatted behind a wall.
//! - A cell that is full says so by saturating; it never wraps.

mod seed;

use proptest::prelude::*;
use throng::Vec2;
use throng::geometry::Shape;
use throng::random::pcg4d;
use throng::stages::bin::Bins;
use throng::stages::bin::cpu::Sorter;
use throng::stages::flow;
use throng::stages::splat::blocks::Blocks;
use throng::stages::splat::cpu::Splatter;
use throng::stages::splat::{QUANTA, Quanta};
use throng::world::agents::{Agent, Agents, State};
use throng::world::grid::Grid;
use throng::world::walls::{Wall, Walls};

/// How far an agent goes at a time, in metres: 0.04 s at 2.5 m/s.
const STRIDE: f32 = 0.1;

fn agent(position: Vec2, radius: f32, velocity: Vec2) -> Agent {
    Agent {
        id: 0,
        position,
        heading: Vec2::X,
        velocity,
        radius,
        preferred: 1.3,
        turn: 5.0,
        goal: 0,
        group: 0,
        leg: 0,
        state: State::Walking,
        wake: 0,
        informed: 0,
    }
}

fn columns(list: &[Agent]) -> Agents {
    let mut agents = Agents::default();
    for (id, agent) in (0..).zip(list) {
        agents.push(Agent { id, ..*agent });
    }
    agents
}

fn widest(list: &[Agent]) -> f32 {
    list.iter().fold(0.0, |most, agent| agent.radius.max(most))
}

fn walls(grid: Grid, lines: &[(Vec2, Vec2)], widest: f32) -> Walls {
    let line = |&(a, b): &(Vec2, Vec2)| Wall { name: None, shape: Shape::Line(vec![a, b]), standing: true };
    Walls::new(grid, lines.iter().map(line).collect(), Vec::new(), widest, STRIDE.max(0.25 * widest), 1.0)
}

/// Splats without sorting anew.
fn splat(grid: &Grid, walls: &Walls, agents: &Agents, bins: &Bins, widest: f32) -> Vec<Quanta> {
    // Rubbish, so that a cell that is forgotten is noticed.
    let mut out = vec![[-7; 4]; grid.len()];
    Splatter::default().run(grid, walls, agents, bins, widest, (&mut out, &mut Blocks::default()));
    out
}

fn sorted_splat(grid: &Grid, walls: &Walls, list: &[Agent]) -> Vec<Quanta> {
    let (mut agents, mut bins) = (columns(list), Bins::default());
    Sorter::default().run(grid, &mut agents, &mut bins);
    splat(grid, walls, &agents, &bins, widest(list))
}

/// Cells that an agent may touch: those with their middle inside its cone, or its square if that is narrower than a
/// cell, and its own. With room for rounding at the rim.
fn cells_touched(grid: &Grid, agent: &Agent) -> f64 {
    let half = f64::from((2.0 * agent.radius).max(grid.cell)) * 1.0001;
    let near = |c: usize| {
        let away = (grid.centre_of(c) - agent.position).abs();
        let (x, y) = (f64::from(away.x), f64::from(away.y));
        if 2.0 * agent.radius > grid.cell { x.hypot(y) < half } else { x < half && y < half }
    };
    (0..grid.len()).filter(|&c| near(c)).count().max(1) as f64
}

/// A world of any size with thin walls, and agents anywhere in it: also on its border and right beside walls.
#[derive(Clone, Debug)]
struct Case {
    grid: Grid,
    lines: Vec<(Vec2, Vec2)>,
    agents: Vec<Agent>,
}

fn any_case() -> impl Strategy<Value = Case> {
    // Where along the world, from 0 to 1: its ends are drawn often.
    let place = || prop_oneof![1 => Just(0.0f32), 1 => Just(1.0f32), 8 => 0.0f32..1.0];
    let point = move || (place(), place()).prop_map(|(x, y)| Vec2::new(x, y));
    let size = (1usize..24, 1usize..70, 0.25f32..2.0);
    let lines = proptest::collection::vec((point(), point()), 0..4);
    let body = (point(), 0.05f32..3.0, -1.2f32..1.2, -1.2f32..1.2, 0usize..8, 0.0f32..1.0);
    // 40 bodies of 3 m in one cell of 0.25 m are 24,000 units, below the 32,767 that a cell holds.
    let bodies = proptest::collection::vec(body, 1..40);
    (size, lines, bodies).prop_map(|((width, height, cell), lines, bodies)| {
        let grid = Grid { width, height, cell };
        let lines: Vec<(Vec2, Vec2)> = lines.iter().map(|&(a, b)| (a * grid.extent(), b * grid.extent())).collect();
        let agents = bodies
            .into_iter()
            .map(|(place, radius, vx, vy, beside, along)| {
                let at = match lines.get(beside) {
                    // A hair beside a wall.
                    Some(&(a, b)) => a + (b - a) * along + (b - a).perp().normalize_or_zero() * 1.1e-3,
                    None => place * grid.extent(),
                };
                agent(at.clamp(Vec2::ZERO, grid.extent()), radius, Vec2::new(vx, vy))
            })
            .collect();
        Case { grid, lines, agents }
    })
}

/// The list in an order that depends on `seed`.
fn shuffled(list: &[Agent], seed: u32) -> Vec<Agent> {
    let mut keyed: Vec<(u32, Agent)> = (0..).zip(list).map(|(k, &agent)| (pcg4d([seed, k, 0, 0])[0], agent)).collect();
    keyed.sort_by_key(|(key, _)| *key);
    keyed.into_iter().map(|(_, agent)| agent).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn every_agent_adds_its_body_its_momentum_and_one_person(case in any_case()) {
        let Case { grid, lines, agents } = case;
        let sums = sorted_splat(&grid, &walls(grid, &lines, widest(&agents)), &agents);
        let cell = f64::from(grid.cell);
        let mut expected = [0.0; 4];
        let (mut allowed, mut contributions) = ([0.0; 4], 0.0);
        for a in &agents {
            let body = 4.0 / 3.0 * std::f64::consts::PI * f64::from(a.radius).powi(2) / (cell * cell);
            let (vx, vy) = (f64::from(a.velocity.x), f64::from(a.velocity.y));
            for (k, amount) in [body, body * vx, body * vy, 1.0].iter().enumerate() {
                expected[k] += amount * f64::from(QUANTA);
                // The amount itself is a product of five f32, and the weights' sum a sum of up to 2000: 1e-6 of it.
                allowed[k] += amount.abs() * f64::from(QUANTA) * 1e-6;
            }
            contributions += cells_touched(&grid, a);
        }
        for k in 0..4 {
            let sum: f64 = sums.iter().map(|q| f64::from(q[k])).sum();
            // A contribution is rounded to the nearest quantum: by half of one, and a little for f32.
            let allowed = allowed[k] + contributions;
            let error = sum - expected[k];
            prop_assert!(error.abs() <= allowed, "column {}: {} off by {}, {} allowed", k, sum, error, allowed);
        }
        prop_assert!(sums.iter().all(|q| q[0] >= 0 && q[3] >= 0));
    }

    #[test]
    fn the_order_of_agents_changes_no_bit(case in any_case(), seed in 0u32..1000) {
        let Case { grid, lines, agents } = case;
        let walls = walls(grid, &lines, widest(&agents));
        prop_assert_eq!(sorted_splat(&grid, &walls, &agents), sorted_splat(&grid, &walls, &shuffled(&agents, seed)));
    }


}

#[test]
fn rounding_to_quanta_neither_adds_nor_takes_on_the_mean() {
    let grid = Grid { width: 64, height: 64, cell: 0.5 };
    let count = 4000;
    let crowd: Vec<Agent> = (0..count)
        .map(|k| pcg4d([3, k, 0, seed::seed() as u32]).map(throng::random::unit))
        .map(|[x, y, ..]| agent(Vec2::new(x, y) * grid.extent(), 0.2, Vec2::new(0.7, -0.9)))
        .collect();
    let sums = sorted_splat(&grid, &walls(grid, &[], 0.2), &crowd);
    let body = 4.0 / 3.0 * std::f64::consts::PI * 0.04 / 0.25;
    for (k, amount) in [body, 0.7 * body, -0.9 * body, 1.0].into_iter().enumerate() {
        let sum: f64 = sums.iter().map(|q| f64::from(q[k])).sum();
        let error = sum - amount * f64::from(QUANTA) * f64::from(count);
        // 16,000 contributions, each off by up to half a quantum either way: a deviation of 0.29·√16,000 = 37 quanta,
        // of which six, and 1e-7 of the sum for the f32 amount. Rounding down would take 8,000.
        let allowed = 6.0 * 37.0 + 1e-7 * sum.abs();
        assert!(error.abs() < allowed, "column {k}: {error} quanta too many, {allowed} allowed");
    }
}

#[test]
fn only_agents_on_the_floor_are_splatted() {
    let grid = Grid { width: 9, height: 40, cell: 0.5 };
    let walls = walls(grid, &[], 0.3);
    let here = agent(Vec2::new(2.1, 9.3), 0.3, Vec2::X);
    let waiting = Agent { state: State::Waiting, position: Vec2::new(1.0, 17.0), ..here };
    let others = [State::Outside, State::Parked].map(|state| Agent { state, ..here });
    let all = [here, others[0], waiting, others[1]];
    assert_eq!(sorted_splat(&grid, &walls, &all), sorted_splat(&grid, &walls, &[here, waiting]));
    assert!(sorted_splat(&grid, &walls, &others).iter().all(|q| *q == [0; 4]));
}

#[test]
fn a_small_agent_is_shared_bilinearly_by_the_four_cells_around_it() {
    let grid = Grid { width: 8, height: 8, cell: 1.0 };
    let sums = sorted_splat(&grid, &walls(grid, &[], 0.2), &[agent(Vec2::new(3.75, 4.0), 0.2, Vec2::ZERO)]);
    // A quarter of the way from column 3 to 4, half way from row 3 to 4: all exact in f32.
    for (x, y, share) in [(3, 3, 0.375), (4, 3, 0.125), (3, 4, 0.375), (4, 4, 0.125)] {
        assert_eq!(sums[y * 8 + x][3], (share * QUANTA) as i32);
    }
    assert_eq!(sums.iter().filter(|q| q[3] != 0).count(), 4);
}

/// The most that a splat of agents west of a thin wall leaves in cells east of it, in quanta. The wall runs through the
/// whole world at a slant; agents stand where wall and raster agree on their side.
fn behind_a_wall(random: u32, cell: f32, radius: f32) -> i32 {
    let grid = Grid { width: 40, height: 40, cell };
    let draw = |k: u32, low: f32, high: f32| {
        low + (high - low) * throng::random::unit(pcg4d([random, k, 1, seed::seed() as u32])[0])
    };
    let e = grid.extent();
    let (south, north) = (Vec2::new(e.x * draw(0, 0.4, 0.6), 0.0), Vec2::new(e.x * draw(1, 0.4, 0.6), e.y));
    let west = |p: Vec2| (north - south).perp_dot(p - south) > 0.0;
    let agents: Vec<Agent> = (0..500)
        .map(|k| Vec2::new(draw(10 + k, 0.0, 1.0), draw(1000 + k, 0.0, 1.0)) * e)
        .filter(|&p| west(p) && west(grid.centre_of(grid.index_at(p))))
        .map(|p| agent(p, radius, Vec2::X))
        .collect();
    assert!(agents.len() > 100);
    let sums = sorted_splat(&grid, &walls(grid, &[(south, north)], radius), &agents);
    let east = (0..grid.len()).filter(|&c| !west(grid.centre_of(c)));
    east.map(|c| sums[c][0].abs().max(sums[c][3].abs())).max().unwrap_or(0)
}

#[test]
fn nothing_is_splatted_behind_a_thin_wall_by_agents_narrower_than_a_cell() {
    for random in 0..200 {
        for (cell, radius) in [(0.5, 0.2), (0.25, 0.12), (1.0, 0.05), (2.0, 1.0)] {
            assert_eq!(behind_a_wall(random, cell, radius), 0, "wall {random}, cell {cell}, radius {radius}");
        }
    }
}

#[test]
fn nothing_is_splatted_behind_a_thin_wall_by_agents_of_any_radius() {
    // From a person on a fine raster to a vehicle.
    for (cell, radius) in [(0.25, 0.25), (0.5, 0.4), (0.1, 0.25), (0.25, 0.6), (0.5, 3.0)] {
        for random in 0..20 {
            assert_eq!(behind_a_wall(random, cell, radius), 0, "wall {random}, cell {cell}, radius {radius}");
        }
    }
}

#[test]
fn a_cell_with_too_many_bodies_saturates() {
    let grid = Grid { width: 3, height: 3, cell: 0.25 };
    let crowd = vec![agent(Vec2::splat(0.375), 3.0, Vec2::new(-2.0, 0.0)); 600];
    let sums = sorted_splat(&grid, &walls(grid, &[], 3.0), &crowd);
    // 600 bodies of 37.7 m² in nine cells of 0.0625 m²: 40,000 units in each, twice that to the west.
    assert!(sums.iter().all(|q| q[0] == i32::MAX && q[1] == i32::MIN));
}

#[test]
fn a_cell_with_too_many_persons_saturates() {
    let grid = Grid { width: 3, height: 3, cell: 4.0 };
    let crowd = vec![agent(Vec2::splat(6.0), 0.05, Vec2::ZERO); 40_000];
    let sums = sorted_splat(&grid, &walls(grid, &[], 0.05), &crowd);
    // A cell holds 32,767 persons; one more must not make it -32,768.
    assert_eq!(sums[4][3], i32::MAX);
}

#[test]
fn empty_floor_that_is_left_alone_holds_what_a_fresh_splat_gives() {
    // Several blocks wide and bands high; few people who walk about, leave and come, some too wide for two blocks.
    for (radius, cell) in [(0.2, 0.25), (0.4, 0.5), (4.0, 0.125)] {
        let grid = Grid { width: 300, height: 90, cell };
        let walls = walls(grid, &[], radius);
        let mut used = Splatter::default();
        let (mut out, mut blocks) = (vec![[-7; 4]; grid.len()], Blocks::default());
        let (mut density, mut velocity) = (vec![-7.0; grid.len()], vec![Vec2::splat(-7.0); grid.len()]);
        for step in 0..60u32 {
            let crowd: Vec<Agent> = (0..step % 5)
                .map(|id| {
                    let [a, b, c, _] = pcg4d([id, step / 7, 3, 0]).map(|word| (word >> 8) as f32 / 16_777_216.0);
                    let drift = 0.05 * (step % 7) as f32;
                    let at = Vec2::new(a, b) * (grid.extent() - 0.5) + drift;
                    agent(at.min(grid.extent() * 0.999), radius, Vec2::new(c, 1.0))
                })
                .collect();
            let (mut agents, mut bins) = (columns(&crowd), Bins::default());
            Sorter::default().run(&grid, &mut agents, &mut bins);
            used.run(&grid, &walls, &agents, &bins, radius, (&mut out, &mut blocks));
            assert!(out == splat(&grid, &walls, &agents, &bins, radius), "radius {radius}, step {step}");
            flow::cpu::run(&out, &blocks, &mut density, &mut velocity);
            for (cell, q) in out.iter().enumerate() {
                let right = q[0] as f32 / QUANTA;
                assert_eq!(density[cell], right, "radius {radius}, step {step}, cell {cell}");
                assert_eq!(velocity[cell] == Vec2::ZERO, q[0] == 0, "radius {radius}, step {step}, cell {cell}");
            }
        }
    }
}
