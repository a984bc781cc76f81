//! Orders of the solver and searches for neighbours: all end the same.

use super::*;

/// Walls that make the way wind through several tiles, a crowd that makes it rough, and a room without doors, larger than
/// a tile; the world is no whole number of tiles.
pub(crate) const WINDING: &str = r#"
size = [29, 23]
[map]
walls = [
  { rect = [6, 0, 6.3, 19] },
  { rect = [12, 4, 12.3, 23] },
  { rect = [20, 0, 20.3, 13] },
  { rect = [20, 13, 29, 13.3] },
  { circle = [16, 3, 1.5] },
]
discomfort = [{ rect = [7, 14, 11, 18], value = 0.6 }]
[[goal]]
name = "far"
rect = [26, 20, 28, 22]
[[goal]]
name = "near"
shapes = [{ rect = [0, 0, 1, 1] }, { circle = [16, 17, 0.6] }]
[[agents]]
count = 100
start = { rect = [1, 1, 5.8, 22] }
journey = ["far"]
[[agents]]
count = 50
start = { rect = [6.5, 1, 11.8, 22] }
journey = ["near"]
"#;

#[test]
fn every_order_of_the_solver_ends_with_the_same_potentials_and_tells_its_tiles() {
    let mut scene = scene(WINDING);
    let mut found: Vec<[Vec<f32>; 2]> = Vec::new();
    for solver in [Solver::Buckets, Solver::Selective, Solver::All] {
        scene.model.solver = solver;
        let mut run = on_gpu(&scene);
        let c = *go(&mut run, 1).last().expect("a step");
        let potentials = [0, 1].map(|g| scalars(&mut run, Field::Potential(g)));
        let (wide, high) = (scene.grid.width.div_ceil(TILE), scene.grid.height.div_ceil(TILE));
        let mut visits = 0;
        for (goal, potential) in potentials.iter().enumerate() {
            let tiles = run.tiles(goal).unwrap();
            assert_eq!(tiles.len(), wide * high);
            let mut reached = vec![0; tiles.len()];
            for (cell, value) in potential.iter().enumerate() {
                let (x, y) = (cell % scene.grid.width, cell / scene.grid.width);
                reached[y / TILE * wide + x / TILE] += u32::from(*value < UNREACHED);
            }
            for (tile, (state, reached)) in tiles.iter().zip(&reached).enumerate() {
                let what = format!("{solver:?}, goal {goal}, tile {tile} with {reached} cells reached: {state:?}");
                assert!(*reached == 0 || state.visits > 0, "{what}");
                assert!(!state.waiting, "{what}");
                assert_eq!(state.visits > 0, state.last_round.is_some(), "{what}");
                assert!(state.last_round.is_none_or(|r| u64::from(r) <= c.solver.rounds), "{what}, {:?}", c.solver);
                assert!(u64::from(state.visits) <= c.solver.rounds + 1, "{what}, {:?}", c.solver);
                visits += u64::from(state.visits);
            }
            // The room without doors covers a whole tile, and only Update All goes there.
            let asleep = tiles.iter().filter(|t| t.visits == 0).count();
            assert_eq!(asleep > 0, solver != Solver::All, "{solver:?}: {asleep} tiles asleep");
        }
        assert!(visits * 256 <= c.solver.visits, "{solver:?}: {visits} tiles visited, {:?}", c.solver);
        found.push(potentials);
        // Later steps are given fewer rounds, by what the first ones took; whole runs show that for buckets.
        if solver != Solver::Buckets {
            go(&mut run, 26);
        }
    }
    for (other, name) in found[1..].iter().zip(["selective", "all"]) {
        for goal in 0..2 {
            let mut most = 0.0f32;
            for (a, b) in found[0][goal].iter().zip(&other[goal]) {
                assert_eq!(*a < UNREACHED, *b < UNREACHED, "{name}, goal {goal}");
                if *a < UNREACHED {
                    most = most.max((a - b).abs() / a.max(1e-3));
                }
            }
            assert!(most < 1e-4, "{name}, goal {goal}: {most}");
        }
    }
    let mut cpu = on_cpu(&scene);
    go(&mut cpu, 1);
    assert!(cpu.tiles(0).unwrap().is_empty(), "the march has no tiles");
    assert_same_potentials(&scalars(&mut cpu, Field::Potential(0)), &found[0][0], "far");
}

/// The same cells reached; values within a thousandth (the GPU does not pass on changes below a ten-thousandth of a link,
/// and each of some hundred links may lose that).
pub(crate) fn assert_same_potentials(cpu: &[f32], gpu: &[f32], what: &str) {
    assert_eq!(cpu.len(), gpu.len());
    let mut most = 0.0f32;
    for (cell, (a, b)) in cpu.iter().zip(gpu).enumerate() {
        assert_eq!(*a < UNREACHED, *b < UNREACHED, "{what}: cell {cell} is reached by one: {a}, {b}");
        assert_eq!(*a == 0.0, *b == 0.0, "{what}: cell {cell} is goal of one: {a}, {b}");
        if *a < UNREACHED {
            most = most.max((a - b).abs() / a.max(1e-3));
        }
    }
    assert!(most < 1e-3, "{what}: potentials differ by {most}");
}

// Neighbours.

#[test]
fn every_search_for_neighbours_moves_a_heap_the_same_way() {
    let mut scene = heap(150);
    let mut runs = [Search::Bins, Search::Sweep, Search::AllPairs].map(|search| {
        scene.model.neighbours = search;
        let mut run = on_gpu(&scene);
        let c = go(&mut run, 5)[4];
        assert!(c.overlap.max > 0.3 && c.neighbours_left_out == 0, "this is no heap: {c:?}");
        run
    });
    let [bins, sweep, pairs] = &mut runs;
    // Forces are added in another order: rounding, which the pushes of a heap carry on for five steps.
    for (name, other) in [("sweep", sweep), ("all pairs", pairs)] {
        let apart = farthest_apart(bins, other);
        assert!(apart < 1e-3, "{name}: {apart} m");
    }
}

#[test]
fn every_search_leaves_as_many_neighbours_out_of_a_heap_that_is_too_dense() {
    // More than 64 within touch of many. Sweep and prune meets them in the order of columns, and so keeps others of them.
    let mut scene = heap(800);
    let mut runs = [Search::Bins, Search::Sweep, Search::AllPairs].map(|search| {
        scene.model.neighbours = search;
        let mut run = on_gpu(&scene);
        go(&mut run, 1);
        run
    });
    let out = runs.each_ref().map(|run| run.counters().neighbours_left_out);
    assert!(out[0] > 0 && out == [out[0]; 3], "{out:?}");
    let mut cpu = on_cpu(&scene);
    assert_eq!(go(&mut cpu, 1)[0].neighbours_left_out, out[0], "as on the CPU");
    let [bins, _, pairs] = &mut runs;
    let apart = farthest_apart(bins, pairs);
    assert!(apart < 1e-3, "all pairs: {apart} m after a step");
}
