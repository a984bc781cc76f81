//! Hazards: people keep away from clouds and ghosts, flee from them, and come back when they are gone; on both engines.

mod calls;
#[path = "../engines/mod.rs"]
mod engines;
mod language;

use engines::{ENGINES, runs};
use throng::engine::{Field, Values};
use throng::scene::NoFiles;
use throng::{Scene, Simulation, Vec2};

fn scene(text: &str) -> Scene {
    Scene::parse("hazards.toml", text, &NoFiles).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// People go back and forth over a river from x = 8 to 16, by a bridge of 3 m around y = 5.
fn bridge(people: usize, more: &str, model: &str) -> Scene {
    scene(&format!(
        "size = [24, 10]\ndt = 0.05\n[map]\nwalls = [{{ rect = [8, 0, 16, 3.5] }}, {{ rect = [8, 6.5, 16, 10] }}]\n\
         [[goal]]\nname = \"west\"\nrect = [0, 0, 1, 10]\n[[goal]]\nname = \"east\"\nrect = [23, 0, 24, 10]\n\
         [[agents]]\ncount = {people}\nstart = {{ rect = [1, 1, 7, 9] }}\njourney = [\"east\", \"west\"]\narrive = \"next\"\n\
         {more}[model]\n{model}"
    ))
}

fn go_to(sim: &mut Simulation, seconds: f64) {
    while sim.time() < seconds - 1e-6 {
        sim.step().expect("a step");
    }
}

fn on_bridge(sim: &mut Simulation) -> usize {
    sim.positions().expect("people").iter().filter(|(_, p)| (10.0..14.0).contains(&p.x)).count()
}

const CLOUD: &str =
    "[[hazard]]\nname = \"gas\"\nkind = \"gas\"\nat = [12, 5]\nradius = 3\nfrom = 8\nuntil = 20\nfade = 2\n";

#[test]
fn a_cloud_on_the_only_bridge_empties_it_until_it_has_faded() {
    for mut sim in runs(&bridge(16, CLOUD, "")) {
        let name = sim.engine().name();
        let mut before = 0;
        while sim.time() < 8.0 {
            sim.step().expect("a step");
            before = before.max(on_bridge(&mut sim));
        }
        assert!(before >= 3, "{name}: {before} at most on the bridge before the cloud");
        go_to(&mut sim, 12.0);
        let sides =
            |sim: &mut Simulation| sim.positions().expect("people").iter().map(|(_, p)| p.x < 12.0).collect::<Vec<_>>();
        let then = sides(&mut sim);
        while sim.time() < 20.0 {
            sim.step().expect("a step");
            assert_eq!(on_bridge(&mut sim), 0, "{name}: somebody is in the cloud at {} s", sim.time());
        }
        assert_eq!(then, sides(&mut sim), "{name}: nobody has come through");
        let reached = sim.counters().goals_reached;
        go_to(&mut sim, 40.0);
        let after = sim.counters().goals_reached - reached;
        assert!(after >= 12, "{name}: {after} arrive when the cloud is gone");
    }
}

#[test]
fn nobody_walks_through_a_ghost_while_there_is_room() {
    let ghost = "[[hazard]]\nkind = \"ghost\"\npath = [[12, 6], [12, 14]]\nspeed = 0.8\nloop = true\nradius = 1.5\n";
    let text = format!(
        "size = [24, 20]\ndt = 0.05\n[[goal]]\nname = \"west\"\nrect = [0, 0, 1, 20]\n[[goal]]\nname = \"east\"\nrect = [23, 0, 24, 20]\n\
         [[agents]]\ncount = 20\nstart = {{ rect = [1, 1, 8, 19] }}\njourney = [\"east\", \"west\"]\narrive = \"next\"\n\
         [[agents]]\ncount = 20\nstart = {{ rect = [16, 1, 23, 19] }}\njourney = [\"west\", \"east\"]\narrive = \"next\"\n{ghost}"
    );
    for model in ["", "[model]\nsteer = \"follow\"\n", "[model]\nplan = \"static\"\n", "[model]\nplan = \"froblins\"\n"]
    {
        // One model is enough for a processor that plays a GPU.
        let engines = if model.is_empty() { ENGINES } else { &ENGINES[..1] };
        for on_engine in engines {
            let mut sim = on_engine(&scene(&format!("{text}{model}")));
            let name = format!("{} with {model:?}", sim.engine().name());
            let mut nearest = f32::MAX;
            while sim.time() < 24.0 {
                sim.step().expect("a step");
                for (_, p) in sim.positions().expect("people") {
                    nearest = nearest.min(sim.hazard_distance(p));
                }
            }
            assert!(nearest > 0.0, "{name}: somebody came within {nearest} m of the ghost's rim");
            assert!(sim.counters().goals_reached >= 36, "{name}: {:?}", sim.counters().goals_reached);
        }
    }
}

#[test]
fn who_flees_goes_away_faster_and_is_let_go_outside() {
    // A cloud appears beside somebody who walks east; the wall is in the way of fleeing straight.
    let text = "size = [30, 10]\ndt = 0.05\n[map]\nwalls = [{ rect = [0, 0, 30, 3] }]\n[[goal]]\nrect = [29, 3, 30, 10]\n\
                [[agents]]\ncount = 1\nstart = { rect = [8.9, 3.9, 9.1, 4.1] }\nspeed = 1.2\n\
                [[hazard]]\nkind = \"gas\"\nat = [9, 6.5]\nradius = 2\nfear = 1.5\n";
    for mut sim in runs(&scene(text)) {
        let name = sim.engine().name();
        let (mut fastest, mut inside) = (0.0f32, 0);
        while sim.time() < 6.0 {
            sim.step().expect("a step");
            let agents = sim.agents().expect("people");
            let (p, v) = (agents.position[0], agents.velocity[0].length());
            if sim.hazard_distance(p) < 1.5 {
                inside += 1;
                fastest = fastest.max(v);
            } else {
                assert!(v < 1.25 || sim.hazard_distance(p) < 1.6, "{name}: {v} m/s outside at {p}");
            }
        }
        assert!((1.6..=1.81).contains(&fastest), "{name}: fled at {fastest} m/s");
        assert!((10..80).contains(&inside), "{name}: out after {inside} steps");
        let p = sim.positions().expect("people")[0].1;
        assert!(p.x > 12.0, "{name}: goes on to the goal, at {p}");
    }
}

#[test]
fn plans_lead_round_a_hazard_and_static_ones_do_not_know_it() {
    let cost = |model: &str, ghost: &str| {
        let text = format!(
            "size = [12, 12]\n[[goal]]\nrect = [11, 0, 12, 12]\n[[agents]]\ncount = 1\nstart = {{ rect = [0, 0, 1, 1] }}\n{ghost}[model]\n{model}"
        );
        runs(&scene(&text))
            .into_iter()
            .map(|mut sim| {
                sim.step().expect("a step");
                let Values::Scalar(cost) = sim.field(Field::Cost(throng::engine::Direction::East)).expect("a field")
                else {
                    panic!()
                };
                (cost, sim)
            })
            .collect::<Vec<_>>()
    };
    let ghost = "[[hazard]]\nkind = \"ghost\"\nat = [6, 6]\nradius = 2\nstrength = 1.5\n";
    for ((calm, _), (with, mut sim)) in cost("clearance = 0\n", "").into_iter().zip(cost("clearance = 0\n", ghost)) {
        let Values::Scalar(field) = sim.field(Field::Hazard).expect("a field") else { panic!("a number per cell") };
        let grid = sim.scene().grid;
        for cell in 0..grid.len() {
            let (x, y) = (cell % grid.width, cell / grid.width);
            let cone = |x: usize| 1.5 * (1.0 - grid.centre(x, y).distance(Vec2::splat(6.0)) / 3.0).max(0.0);
            assert!((field[cell] - cone(x)).abs() < 1e-5, "the field at {x}, {y}");
            if x + 1 < grid.width && x > 3 {
                // 20 for a second in the middle of a hazard of strength 1; the speed is the same.
                let speed = 1.34;
                let more = 20.0 * cone(x + 1) / speed;
                assert!(
                    (with[cell] - calm[cell] - more).abs() < 1e-3 * with[cell],
                    "{x}, {y}: {} and {}",
                    with[cell],
                    calm[cell]
                );
            }
        }
    }
    for ((calm, _), (with, _)) in cost("plan = \"static\"\n", "").into_iter().zip(cost("plan = \"static\"\n", ghost)) {
        assert_eq!(calm, with);
    }
}

#[test]
fn a_run_is_resumed_in_the_middle_of_a_danger_to_the_same_bits() {
    let ghost = "[[hazard]]\nname = \"ghost\"\nkind = \"ghost\"\nat = [3, 5]\nradius = 1\n";
    let scene = bridge(12, &format!("{CLOUD}{ghost}"), "plan_every = 4\n");
    for on_engine in ENGINES {
        let (mut whole, mut other) = (on_engine(&scene), on_engine(&scene));
        whole.steps_by(170).expect("steps");
        assert!(whole.move_hazard(1, Vec2::new(5.0, 4.0)));
        whole.steps_by(3).expect("steps");
        assert!(whole.move_hazard(1, Vec2::new(6.0, 5.0)));
        other.resume(&whole.save().expect("a snapshot")).expect("it fits");
        assert_eq!(whole.scene().hazards, other.scene().hazards);
        for run in [&mut whole, &mut other] {
            run.steps_by(60).expect("steps");
        }
        assert_eq!(
            whole.state_hash().expect("a hash"),
            other.state_hash().expect("a hash"),
            "{}",
            whole.engine().name()
        );
    }
}

#[test]
fn threads_do_not_change_how_people_flee() {
    let hash = |threads: usize| {
        let mut sim = Simulation::with_threads(&bridge(16, CLOUD, ""), threads).expect("it fits");
        sim.steps_by(300).expect("steps");
        sim.state_hash().expect("a hash")
    };
    assert_eq!(hash(1), hash(2));
    assert_eq!(hash(1), hash(3));
}
