//! What is asked of the march in tiles beyond the fixed point.

use super::reference::{Ground, Random};
use std::sync::mpsc;
use throng::stages::potential::cpu::March;
use throng::stages::potential::tiles::{TileMarch, Way};
use throng::stages::potential::{Padded, PaddedCell, Scheme, SolveReport, UNREACHED};

/// Runs something on so many threads.
fn on<T: Send>(threads: usize, what: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be started").install(what)
}

/// A corridor one cell wide that winds through the whole map, from the goal in one corner to another corner.
fn serpentine((width, height): (usize, usize)) -> Ground {
    let mut random = Random::new(21);
    let mut ground = Ground::new((width, height), vec![0], |_, _, _| random.between(1.0, 5.0));
    for y in 0..height - 1 {
        let gap = if y % 2 == 0 { width - 1 } else { 0 };
        for x in (0..width).filter(|&x| x != gap) {
            ground.close(y * width + x, 0);
        }
    }
    ground
}

/// Rooms with a door each, in corridors; every fifth room has none.
fn rooms((width, height): (usize, usize)) -> Ground {
    let mut random = Random::new(22);
    let mut ground = Ground::new((width, height), vec![0, width * height - 1], |_, _, _| random.between(1.0, 5.0));
    for y in 0..height {
        for x in 0..width {
            let (rx, ry) = (x % 12, y % 12);
            let wall = (rx == 3 && ry >= 3) || (ry == 3 && rx >= 3) || (rx == 11 && ry >= 3) || (ry == 11 && rx >= 3);
            let door = rx == 3 && ry == 7 && (x / 12 + y / 12) % 5 != 0;
            if wall && !door {
                for d in 0..4 {
                    ground.close(y * width + x, d);
                }
            }
        }
    }
    ground
}

/// Grounds of several tiles, most with sides that are no multiple of a tile's 30 cells.
fn large_grounds() -> Vec<(&'static str, Ground)> {
    let mut random = Random::new(20);
    let mut rough = |size, goal| Ground::new(size, goal, |_, _, _| random.between(1.0, 5.0));
    let mut list = vec![
        ("rough", rough((200, 170), vec![100 * 200 + 90])),
        ("rough, tiles without a rest", rough((120, 90), vec![0])),
        ("rough, a column over", rough((121, 31), vec![3000])),
        ("rough, a goal along a side", rough((97, 131), (0..131).map(|y| y * 97).collect())),
        ("rough, goals in several tiles", rough((140, 75), vec![5, 70, 4000, 4001, 10_499])),
        ("a row", rough((400, 1), vec![77])),
        ("a column", rough((1, 400), vec![333])),
        ("two rows", rough((301, 2), vec![150])),
        ("serpentine", serpentine((64, 45))),
        ("rooms", rooms((150, 130))),
        ("even", Ground::new((150, 110), vec![60 * 150 + 31], |_, _, _| 1.5)),
    ];
    for seed in 1..4 {
        let goal = vec![7, 2000 * seed as usize, 11_000];
        list.push(("maze", Ground::maze(&mut Random::new(seed), (127, 101), goal)));
    }
    let mut random = Random::new(23);
    let steep = Ground::new((95, 95), vec![4000], |_, _, _| 10f32.powf(random.between(-3.0, 3.0)));
    list.push(("six orders of magnitude", steep));
    list
}

#[test]
fn the_tiles_give_the_marchs_potential() {
    for (name, ground) in large_grounds() {
        let unit = ground.mean_cost() as f32;
        let (expected, _) = ground.solve(&mut March::default(), 0.25 * unit, Scheme::Upwind);
        let (potential, report) = ground.solve(&mut TileMarch::default(), unit, Scheme::Upwind);
        assert!(report.converged, "{name}");
        let reached = expected.iter().filter(|p| **p < UNREACHED).count();
        assert!(reached > ground.cost.len() / 3, "{name}: hardly a cell is reached");
        for (place, (a, b)) in potential.iter().zip(&expected).enumerate() {
            // Other orders round differently: by 3e-7 at most on 1024² cells. Also no cell may be reached by one only.
            assert!((a - b).abs() <= 1e-6 * b && (*a < UNREACHED) == (*b < UNREACHED), "{name}, {place}: {a}, not {b}");
        }
    }
}

#[test]
fn the_tiles_give_the_same_bits_and_do_the_same_work_on_any_number_of_threads() {
    for (name, ground) in large_grounds() {
        let unit = ground.mean_cost() as f32;
        let solve = |threads| on(threads, || ground.solve(&mut TileMarch::default(), unit, Scheme::Upwind));
        let (one, report) = solve(1);
        for threads in [2, 3, 8] {
            for _ in 0..3 {
                let (other, work) = solve(threads);
                assert!(one.iter().zip(&other).all(|(a, b)| a.to_bits() == b.to_bits()), "{name}, {threads} threads");
                assert_eq!(report, work, "{name}, {threads} threads");
            }
        }
    }
}

/// Goals and costs of their own on a map of one size.
struct Several {
    layout: Padded,
    costs: Vec<Vec<[f32; 4]>>,
    goals: Vec<Vec<PaddedCell>>,
    units: Vec<f32>,
}

impl Several {
    fn new(size: (usize, usize), count: u32) -> Self {
        let layout = Padded { width: size.0, height: size.1 };
        let (mut costs, mut goals, mut units) = (Vec::new(), Vec::new(), Vec::new());
        for seed in 0..count {
            let mut random = Random::new(40 + seed);
            let most = 1.5 + 3.0 * seed as f32;
            let goal = vec![random.below(size.0 * size.1), random.below(size.0 * size.1)];
            let ground = Ground::new(size, goal, |_, _, _| random.between(1.0, most));
            let (_, cost, goal) = ground.padded();
            costs.push(cost);
            goals.push(goal);
            units.push(ground.mean_cost() as f32);
        }
        Self { layout, costs, goals, units }
    }

    fn way(&self, k: usize) -> Way<'_> {
        Way { cost: &self.costs[k], goal: &self.goals[k], jumps: &[], unit: self.units[k] }
    }

    /// Some of them at once.
    fn solve(&self, march: &mut TileMarch, which: &[usize], scheme: Scheme) -> (Vec<Vec<f32>>, SolveReport) {
        let ways: Vec<Way<'_>> = which.iter().map(|&k| self.way(k)).collect();
        let mut potentials = vec![vec![-7.0; self.layout.size()]; which.len()];
        let report = march.solve(self.layout, &ways, scheme, &mut potentials);
        (potentials, report)
    }
}

#[test]
fn several_goals_at_once_are_solved_as_each_alone() {
    let several = Several::new((131, 77), 5);
    let mut used = TileMarch::default();
    let alone: Vec<_> = (0..5).map(|k| several.solve(&mut used, &[k], Scheme::Upwind)).collect();
    for threads in [1, 3] {
        let (together, report) = on(threads, || several.solve(&mut used, &[0, 1, 2, 3, 4], Scheme::Upwind));
        for (k, potential) in together.iter().enumerate() {
            assert!(*potential == alone[k].0[0], "goal {k} on {threads} threads");
        }
        assert_eq!(report.visits, alone.iter().map(|(_, report)| report.visits).sum::<u64>());
    }
    // Two ways of the same cost field, as the engine has them.
    let goals = [&several.goals[0], &several.goals[3]];
    let ways = goals.map(|goal| Way { goal, ..several.way(1) });
    let mut both = vec![vec![-7.0; several.layout.size()]; 2];
    used.solve(several.layout, &ways, Scheme::Upwind, &mut both);
    for (way, potential) in ways.into_iter().zip(&both) {
        let mut single = vec![vec![-7.0; several.layout.size()]];
        used.solve(several.layout, &[way], Scheme::Upwind, &mut single);
        assert!(*potential == single[0]);
    }
    let (none, report) = several.solve(&mut used, &[], Scheme::Upwind);
    assert!(none.is_empty() && report.converged && report.visits == 0);
}

#[test]
fn the_thesis_scheme_keeps_the_order_and_so_the_bits_of_the_single_march() {
    let several = Several::new((70, 50), 3);
    let (potentials, report) = on(2, || several.solve(&mut TileMarch::default(), &[0, 1, 2], Scheme::Thesis));
    let mut visits = 0;
    for (k, potential) in potentials.iter().enumerate() {
        let way = several.way(k);
        let mut expected = vec![0.0; several.layout.size()];
        let buckets = 0.25 * way.unit;
        let report = March::default().solve(
            several.layout,
            way.cost,
            (way.goal, way.jumps),
            buckets,
            Scheme::Thesis,
            &mut expected,
        );
        visits += report.visits;
        assert!(*potential == expected, "goal {k}");
    }
    assert_eq!(report.visits, visits);
}

#[test]
fn a_cell_is_visited_less_than_one_and_a_half_times_on_rough_costs() {
    let mut random = Random::new(50);
    let n = 300;
    let ground = Ground::new((n, n), vec![n * n / 2 + n / 2], |_, _, _| random.between(1.0, 5.0));
    let (_, report) = ground.solve(&mut TileMarch::default(), ground.mean_cost() as f32, Scheme::Upwind);
    let visits = report.visits as f64 / (n * n) as f64;
    // Measured: 1.31 with the arithmetic mean, which is a little more than the engine's harmonic one.
    assert!((1.0..1.5).contains(&visits), "{visits}");
}

#[test]
fn rounds_in_which_nothing_can_happen_are_left_out() {
    // A ditch that costs as much as a million cells.
    let ground = Ground::new((100, 20), vec![0], |x, _, _| if x == 50 { 1e6 } else { 1.0 });
    let (potential, report) = ground.solve(&mut TileMarch::default(), 1.0, Scheme::Upwind);
    let (layout, ..) = ground.padded();
    assert!(potential[layout.at(99, 19)] > 1e6);
    // Some 120 cells' cost in widths of 2.5 links, and some to pass from tile to tile.
    assert!(report.rounds < 100, "{}", report.rounds);
}

#[test]
fn the_solver_ends_even_if_all_other_threads_of_the_pool_are_busy() {
    let (_, ground) = large_grounds().swap_remove(0);
    let unit = ground.mean_cost() as f32;
    let (expected, _) = ground.solve(&mut TileMarch::default(), unit, Scheme::Upwind);
    let (done, wait) = mpsc::channel::<()>();
    let potential = on(2, || {
        rayon::scope(|scope| {
            // Whichever thread takes this is away until the solver has ended.
            let (begun, has_begun) = mpsc::channel();
            scope.spawn(move |_| {
                begun.send(()).expect("somebody waits for it");
                wait.recv().expect("the solver ends");
            });
            has_begun.recv().expect("the other thread takes it");
            let (potential, _) = ground.solve(&mut TileMarch::default(), unit, Scheme::Upwind);
            done.send(()).expect("the other thread waits");
            potential
        })
    });
    assert!(potential == expected);
}

#[test]
fn the_solver_can_be_sent_to_a_background_thread() {
    let several = Several::new((61, 61), 1);
    let (expected, _) = several.solve(&mut TileMarch::default(), &[0], Scheme::Upwind);
    let mut march = TileMarch::default();
    let background = std::thread::spawn(move || {
        let solved = several.solve(&mut march, &[0], Scheme::Upwind).0;
        (march, solved)
    });
    let (march, solved) = background.join().expect("it does not panic");
    assert!(solved == expected && march.memory() > 0);
}
