//! `steer = "bvp"` and `plan = "harmonic"` in whole runs: the paper's three paths, one who waits for another, companies, many characters, and the same bits.

mod bits;
mod changes;
mod characters;
#[path = "../engines/mod.rs"]
mod engines;
mod maps;

use throng::scene::NoFiles;
use throng::{Scene, Simulation, Vec2};

fn scene(text: &str) -> Scene {
    Scene::parse("bvp.toml", text, &NoFiles).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// Where each person was in every step that it was on the floor, by id.
fn trace(run: &mut Simulation, steps: u32) -> Vec<Vec<Vec2>> {
    let mut paths = vec![Vec::new(); run.scene().agent_count() as usize];
    for _ in 0..steps {
        run.step().unwrap();
        let agents = run.agents().unwrap();
        for i in (0..agents.len()).filter(|&i| agents.state[i].on_floor()) {
            paths[agents.id[i] as usize].push(agents.position[i]);
        }
    }
    paths
}

/// Degrees that a path turns a metre, as a line through places 0.2 m apart.
fn turning(path: &[Vec2]) -> f32 {
    let mut line = vec![path[0]];
    for &p in path {
        if p.distance(*line.last().expect("it has a first")) >= 0.2 {
            line.push(p);
        }
    }
    let ways: Vec<Vec2> = line.windows(2).map(|w| w[1] - w[0]).collect();
    let turned: f32 = ways.windows(2).map(|w| w[0].angle_to(w[1]).abs().to_degrees()).sum();
    turned / ways.iter().map(|w| w.length()).sum::<f32>()
}

#[test]
fn three_ways_of_walking_from_one_place_to_another() {
    let scene = Scene::built_in("paths").expect("a built-in scene");
    let mut run = Simulation::with_threads(&scene, 2).unwrap();
    let paths = trace(&mut run, 3200);
    assert_eq!(run.counters().arrived, 3, "all three arrive");
    for (path, name) in paths.iter().zip(["harmonic", "straight on", "to and fro"]) {
        let turns = turning(path);
        assert!(turns < 40.0, "{name}: {turns:.0}° a metre is no smooth path");
        let length: f32 = path.windows(2).map(|w| w[0].distance(w[1])).sum();
        assert!((26.0..45.0).contains(&length), "{name}: {length:.1} m");
    }
    // Each has a way of its own: somewhere it is far from the others'.
    for (a, b) in [(0, 1), (0, 2), (1, 2)] {
        let far = |p: &Vec2| paths[b].iter().map(|q| p.distance(*q)).fold(f32::MAX, f32::min);
        let apart = paths[a].iter().map(far).fold(0.0, f32::max);
        assert!(apart > 0.5, "{a} and {b} are never more than {apart:.2} m apart");
    }
    let mut again = Simulation::with_threads(&scene, 1).unwrap();
    assert!(paths == trace(&mut again, 3200), "the same seed, other paths");
}

#[test]
fn one_waits_while_another_crosses() {
    // They would meet in the middle at the same moment.
    let text = "size = [16, 16]\ncell = 0.5\nseed = 1\n[model]\nplan = \"static\"\nsteer = \"bvp\"\n\
                [[agents]]\ncount = 1\nstart = { circle = [2, 8, 0.3] }\nradius = 0.25\nspeed = 1.3\njourney = [{ to = [14, 8] }]\n\
                [[agents]]\ncount = 1\nstart = { circle = [8, 2.2, 0.3] }\nradius = 0.25\nspeed = 1.3\njourney = [{ to = [8, 14] }]\n";
    let mut run = Simulation::with_threads(&scene(text), 1).unwrap();
    let (mut slowest, mut nearest) = ([f32::MAX; 2], f32::MAX);
    while run.counters().arrived < 2 && run.time() < 40.0 {
        run.step().unwrap();
        let agents = run.agents().unwrap();
        let place = |id: u32| (0..agents.len()).find(|&i| agents.id[i] == id && agents.state[i].on_floor());
        if let (Some(a), Some(b)) = (place(0), place(1)) {
            nearest = nearest.min(agents.position[a].distance(agents.position[b]));
            // After they have set out.
            if run.time() > 1.5 {
                for (k, i) in [a, b].into_iter().enumerate() {
                    slowest[k] = slowest[k].min(agents.velocity[i].length());
                }
            }
        }
    }
    assert_eq!(run.counters().arrived, 2);
    assert!(nearest > 0.45, "they come within {nearest:.2} m of each other");
    let (waits, crosses) = (slowest[0].min(slowest[1]), slowest[0].max(slowest[1]));
    assert!(waits < 0.3, "nobody waits: the slower one still walks at {waits:.2} m/s");
    assert!(crosses > 0.6, "both wait: the faster one slows down to {crosses:.2} m/s");
}

#[test]
fn companies_stay_together() {
    let text = |company: u32| {
        format!(
            "size = [60, 20]\ncell = 0.5\nseed = 3\n[model]\nplan = \"harmonic\"\nsteer = \"bvp\"\n[model.bvp]\ncompany = {company}\n\
             [[goal]]\nname = \"g\"\nrect = [57, 8, 59, 12]\n[[agents]]\ncount = 16\nstart = {{ rect = [2, 4, 8, 16] }}\n\
             speed = {{ uniform = [0.8, 1.6] }}\njourney = [\"g\"]\n"
        )
    };
    // The mean distance of people of one company from their leader, halfway.
    let spread = |company: u32| {
        let mut run = Simulation::with_threads(&scene(&text(company)), 2).unwrap();
        run.steps_by(600).unwrap();
        let agents = run.agents().unwrap();
        let place = |id: u32| (0..agents.len()).find(|&i| agents.id[i] == id).map(|i| agents.position[i]);
        let all = (0..16).filter(|id| id % 4 != 0);
        let far: Vec<f32> = all.filter_map(|id| Some(place(id)?.distance(place(id - id % 4)?))).collect();
        far.iter().sum::<f32>() / far.len() as f32
    };
    let (together, alone) = (spread(4), spread(1));
    assert!(together < 2.5 && together < 0.5 * alone, "{together:.1} m together, {alone:.1} m alone");
}
