//! `plan = "froblins"`, on both engines: the cost of the paper's equation 4, potentials that are the fixed point of its equation 3, and directions by
//! both of its gradients.

mod engines;

use engines::{ENGINES, runs};
use throng::engine::{Direction, Field, Values};
use throng::scene::NoFiles;
use throng::stages::potential::UNREACHED;
use throng::world::grid::DIRECTIONS;
use throng::{Scene, Simulation, Vec2};

fn scene(text: &str) -> Scene {
    Scene::parse("froblins.toml", text, &NoFiles).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn scalars(sim: &mut Simulation, field: Field) -> Vec<f32> {
    match sim.field(field).expect("a field") {
        Values::Scalar(values) => values,
        Values::Vector(_) => panic!("a number per cell"),
    }
}

const LAND: &str = "size = [16, 12]\nseed = 3\n[map]\nwalls = [{ rect = [6, 3, 6.5, 9] }, { circle = [11, 4, 1.2] }]\n\
    discomfort = [{ rect = [2, 8, 5, 11], value = 0.4 }]\n[terrain]\nhills = [{ at = [9, 9], radius = 3, height = 0.8 }]\n\
    [[zone]]\nname = \"mud\"\nrect = [8, 1, 10, 3]\nspeed = 0.5\n[[weights]]\nrect = [12, 0, 16, 12]\ndensity = 3\nterrain = 1.5\n\
    [[weights]]\ncircle = [5, 6, 2]\nhazard = 0.25\n[[hazard]]\nkind = \"gas\"\nat = [4, 6]\nradius = 1.5\nstrength = 2\n\
    [[goal]]\nname = \"east\"\nrect = [15, 5, 16, 7]\n[[agents]]\ncount = 40\nstart = { rect = [1, 1, 14, 11] }\n";

/// Tobler's factor, 1 on the level.
fn tobler(slope: f32) -> f32 {
    (-3.5 * (slope + 0.05).abs()).exp() / (-3.5f32 * 0.05).exp()
}

/// Equation 4 by hand, per metre.
fn cost_by_hand(sim: &mut Simulation) -> Vec<f32> {
    let [density, hazard, discomfort, height] =
        [Field::Density, Field::Hazard, Field::Discomfort, Field::Height].map(|f| scalars(sim, f));
    let (grid, model, scene) = (sim.scene().grid, sim.scene().model.froblins, sim.scene().clone());
    let cell = |x: i64, y: i64| {
        let clamp = |v: i64, n: usize| v.clamp(0, n as i64 - 1) as usize;
        clamp(y, grid.height) * grid.width + clamp(x, grid.width)
    };
    (0..grid.len())
        .map(|c| {
            let (x, y) = ((c % grid.width) as i64, (c / grid.width) as i64);
            let p = grid.centre(c % grid.width, c / grid.width);
            let rise = |a: usize, b: usize, cells: f32| (height[a] - height[b]) / (cells * grid.cell);
            let across = |low: bool, high: bool| if low || high { 1.0 } else { 2.0 };
            let slope = Vec2::new(
                rise(cell(x + 1, y), cell(x - 1, y), across(x == 0, x + 1 == grid.width as i64)),
                rise(cell(x, y + 1), cell(x, y - 1), across(y == 0, y + 1 == grid.height as i64)),
            )
            .length();
            let pace = 0.5 / tobler(slope) + 0.5 / tobler(-slope);
            let zone: f32 = scene.zones.iter().filter(|z| z.shape.contains(p)).map(|z| z.speed).product();
            let mut weights = [model.terrain_weight, model.density_weight, model.hazard_weight];
            for place in scene.local_weights.iter().filter(|w| w.shape.contains(p)) {
                weights.iter_mut().zip(place.factors).for_each(|(w, f)| *w *= f);
            }
            let t = pace / zone + scene.model.discomfort_weight * discomfort[c];
            (weights[0] * t + weights[1] * density[c] + weights[2] * hazard[c]).max(model.least_cost)
        })
        .collect()
}

/// Equation 3, swept until nothing changes: the greatest root with the own cell's cost on both axes.
fn fixed_point(sim: &Simulation, cost: &[f32]) -> Vec<f64> {
    let (grid, flags) = (sim.scene().grid, sim.world().walls.flags());
    let row = grid.width as i64;
    let mut phi = vec![f64::INFINITY; grid.len()];
    sim.world().goals[0].iter().for_each(|&c| phi[c as usize] = 0.0);
    loop {
        let mut change = 0.0f64;
        for c in 0..grid.len() {
            let beside = |d: usize| {
                let open = flags[c] & (1 << d) != 0;
                let at = c as i64 + i64::from(DIRECTIONS[d].0) + i64::from(DIRECTIONS[d].1) * row;
                if open { phi[at as usize] } else { f64::INFINITY }
            };
            let (x, y) = (beside(1).min(beside(3)), beside(0).min(beside(2)));
            let own = f64::from(cost[c] * grid.cell);
            let (a, b) = (x.min(y), x.max(y));
            let new = if b - a < own { 0.5 * (a + b + (2.0 * own * own - (b - a) * (b - a)).sqrt()) } else { a + own };
            if new < phi[c] - 1e-9 {
                change = change.max(if phi[c].is_finite() { phi[c] - new } else { 1.0 });
                phi[c] = new;
            }
        }
        if change < 1e-7 {
            return phi;
        }
    }
}

#[test]
fn costs_are_equation_4_and_potentials_the_fixed_point_of_equation_3() {
    for mut sim in runs(&scene(&format!("{LAND}[model]\nplan = \"froblins\"\n"))) {
        let name = sim.engine().name();
        sim.steps_by(3).expect("steps");
        let by_hand = cost_by_hand(&mut sim);
        for direction in [Direction::North, Direction::East, Direction::South, Direction::West] {
            for (c, cost) in scalars(&mut sim, Field::Cost(direction)).into_iter().enumerate() {
                let same = cost >= UNREACHED || (cost / by_hand[c] - 1.0).abs() < 1e-4;
                assert!(same, "{name}: cell {c}: {cost}, by hand {}", by_hand[c]);
            }
        }
        let expected = fixed_point(&sim, &by_hand);
        for (c, ours) in scalars(&mut sim, Field::Potential(0)).into_iter().enumerate() {
            if expected[c].is_infinite() {
                assert!(ours >= UNREACHED, "{name}: cell {c} is reached");
            } else {
                let off = (f64::from(ours) - expected[c]).abs();
                assert!(off <= 4e-4 * expected[c].max(1.0), "{name}: cell {c}: {ours}, by hand {}", expected[c]);
            }
        }
    }
}

#[test]
fn on_an_empty_level_floor_the_potential_is_the_distance() {
    let text = "size = [40, 40]\n[[goal]]\ncircle = [20, 20, 4]\n[[agents]]\ncount = 1\nstart = { rect = [0, 0, 1, 1] }\n\
                [model]\nplan = \"froblins\"\nclearance = 0\nfroblins = { density_weight = 0, terrain_weight = 2 }\n";
    for mut sim in runs(&scene(text)) {
        sim.step().expect("a step");
        let grid = sim.scene().grid;
        let goal = sim.world().goals[0].clone();
        for (c, ours) in scalars(&mut sim, Field::Potential(0)).into_iter().enumerate().step_by(7) {
            let p = grid.centre(c % grid.width, c / grid.width);
            let near = |&g: &u32| grid.centre(g as usize % grid.width, g as usize / grid.width).distance(p);
            let exact = 2.0 * goal.iter().map(near).fold(f32::MAX, f32::min);
            // First order: the error of a front that starts from cells is a few tenths of a cell, which costs 1.
            assert!(
                ours >= exact - 0.3 && ours <= 1.02 * exact + 0.6,
                "{}: {ours} at {p}, exactly {exact}",
                sim.engine().name()
            );
        }
    }
}

#[test]
fn directions_follow_from_the_potential_by_the_rule_that_is_chosen() {
    for (word, central) in [("central", true), ("upwind", false)] {
        for mut sim in
            runs(&scene(&format!("{LAND}[model]\nplan = \"froblins\"\nfroblins = {{ gradient = \"{word}\" }}\n")))
        {
            sim.steps_by(2).expect("steps");
            let phi = scalars(&mut sim, Field::Potential(0));
            let Values::Vector(ways) = sim.field(Field::Gradient(0)).expect("a field") else { panic!() };
            let (grid, flags) = (sim.scene().grid, sim.world().walls.flags());
            for c in (0..grid.len()).filter(|&c| phi[c] > 0.0 && phi[c] < UNREACHED) {
                let beside = |d: usize| {
                    let at = c as i64 + i64::from(DIRECTIONS[d].0) + i64::from(DIRECTIONS[d].1) * grid.width as i64;
                    Some(at as usize).filter(|_| flags[c] & (1 << d) != 0).map(|at| phi[at]).filter(|v| *v < UNREACHED)
                };
                let down = |ahead: Option<f32>, behind: Option<f32>| {
                    let [a, b] = [ahead, behind].map(|v| v.map_or(0.0, |v| (phi[c] - v).max(0.0)));
                    if a >= b { a } else { -b }
                };
                let along = |ahead: Option<f32>, behind: Option<f32>| match (ahead, behind) {
                    (Some(a), Some(b)) => 0.5 * (b - a),
                    _ => down(ahead, behind),
                };
                let upwind = Vec2::new(down(beside(1), beside(3)), down(beside(0), beside(2)));
                let middle = Vec2::new(along(beside(1), beside(3)), along(beside(0), beside(2)));
                let expected = if central && middle.dot(upwind) > 0.0 { middle } else { upwind };
                let off = Vec2::from(ways[c]).distance(expected.normalize_or_zero());
                assert!(off < 2e-3, "{} {word}: cell {c}: {:?}, by hand {expected}", sim.engine().name(), ways[c]);
            }
        }
    }
}

#[test]
fn no_metre_is_free_whatever_the_weights() {
    let text = format!(
        "{LAND}[model]\nplan = \"froblins\"\nfroblins = {{ terrain_weight = 0, density_weight = 0, hazard_weight = 0, least_cost = 0.25 }}\n"
    );
    for mut sim in runs(&scene(&text)) {
        sim.step().expect("a step");
        let costs = scalars(&mut sim, Field::Cost(Direction::East));
        assert!(costs.iter().all(|c| *c >= UNREACHED || (*c - 0.25).abs() < 1e-6));
        let report = sim.counters().solver;
        assert!(report.converged, "{report:?}");
    }
}

#[test]
fn crowds_arrive_with_either_gradient_through_gates_portals_and_narrow_ways() {
    let text = "size = [20, 10]\ndt = 0.05\n[map]\nwalls = [{ rect = [8, 0, 8.2, 4.4] }, { rect = [8, 5.6, 8.2, 10] }, { rect = [12, 0, 12.2, 10], name = \"gate\" }]\n\
                [[portal]]\nbetween = [[2, 8, 3, 9], [14, 8, 15, 9]]\nlength = 6\n[[goal]]\nname = \"east\"\nrect = [19, 0, 20, 10]\n\
                [[event]]\nat = 6\nopen = \"gate\"\n[[agents]]\ncount = 20\nstart = { rect = [1, 1, 6, 7] }\n";
    for gradient in ["upwind", "central"] {
        for mut sim in runs(&scene(&format!(
            "{text}[model]\nplan = \"froblins\"\nplan_every = 2\nfroblins = {{ gradient = \"{gradient}\" }}\n"
        ))) {
            while !sim.is_done() && sim.time() < 60.0 {
                sim.step().expect("a step");
            }
            let counters = sim.counters();
            assert_eq!((counters.arrived, counters.in_wall), (20, 0), "{} {gradient}", sim.engine().name());
            assert!(counters.solver.converged);
        }
    }
}

#[test]
fn people_avoid_a_crowd_by_its_weight() {
    // Two ways past a pillar; people stand in the southern one.
    let way = |weight: f32, on_engine: fn(&Scene) -> Simulation| {
        let text = format!(
            "size = [20, 10]\n[map]\nwalls = [{{ rect = [7, 4.5, 13, 5.5] }}]\n[[goal]]\nname = \"east\"\nrect = [19, 2, 20, 3]\n\
             [[agents]]\nname = \"standing\"\ncount = 40\nstart = {{ rect = [7, 0, 13, 4.5] }}\ndelay = 1000\njourney = [\"east\"]\n\
             [[agents]]\ncount = 1\nstart = {{ rect = [1, 3, 2, 4] }}\njourney = [\"east\"]\n\
             [model]\nplan = \"froblins\"\nfroblins = {{ density_weight = {weight} }}\n"
        );
        let mut sim = on_engine(&scene(&text));
        sim.step().expect("a step");
        let Values::Vector(ways) = sim.field(Field::Gradient(0)).expect("a field") else { panic!() };
        ways[sim.scene().grid.index_at(Vec2::new(4.0, 4.2))][1]
    };
    for on_engine in ENGINES {
        let (heedless, heedful) = (way(0.0, *on_engine), way(8.0, *on_engine));
        assert!(heedless < 0.0 && heedful > 0.2, "south with {heedless}, north with {heedful}");
    }
}
