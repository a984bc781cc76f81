//! A model that changes while a run goes on: every number and every choice of its table, on both engines. The contract: from
//! the change on, the run has the bits of one that was resumed at that moment by an engine made for the new model.

mod engines;

use engines::ENGINES;
use throng::engine::{Field, Values};
use throng::scene::parameters::{Choice as _, Kind, Parameter, Value};
use throng::scene::{Model, NoFiles, Parameters, Plan, Steer};
use throng::stages::potential::Solver;
use throng::stages::separate::Search;
use throng::{ResumeError, Scene, Simulation};

/// Two streams that meet in a doorway, dense enough that every weight matters to those who follow the plan.
const SCENE: &str = r#"
size = [20, 10]
cell = 0.5
model = { steer = "follow" }
[map]
walls = [{ rect = [10, 0, 10.5, 3] }, { rect = [10, 6.5, 10.5, 10] }, { circle = [14, 5, 0.6] }]
discomfort = [{ rect = [6, 4, 8, 6], value = 0.6 }]
[[hazard]]
kind = "ghost"
at = [13, 3]
radius = 0.8
[[goal]]
name = "east"
rect = [19, 0, 20, 10]
[[goal]]
name = "west"
rect = [0, 0, 1, 10]
[[agents]]
count = 60
start = { rect = [3, 2, 9.5, 8] }
journey = ["east"]
[[agents]]
count = 40
start = { rect = [11, 2, 16, 8] }
journey = ["west"]
# On a goal of others, where they make it crowded.
[[agents]]
count = 4
start = { rect = [19.2, 3.5, 19.8, 6] }
journey = ["west"]
"#;

fn scene() -> Scene {
    Scene::parse("live.toml", SCENE, &NoFiles).unwrap_or_else(|e| panic!("{e:?}"))
}

fn with_model(model: Model) -> Scene {
    let mut scene = scene();
    scene.model = model;
    scene
}

/// Another value than the one it has.
fn other(parameter: &Parameter, now: Value) -> Value {
    match (&parameter.kind, now) {
        (Kind::Number { slider, .. }, Value::Number(x)) => {
            // Far enough that walls are measured anew, near enough that density_min stays below density_max.
            let away = 0.14 * (slider.end() - slider.start());
            Value::Number(if x + away <= *slider.end() { x + away } else { x - away })
        }
        (Kind::Whole { .. }, Value::Whole(n)) => Value::Whole(n + 2),
        (Kind::Choice { words }, Value::Choice(index)) => Value::Choice((index + 1) % words.len()),
        _ => panic!("{} has a value of its kind", parameter.key),
    }
}

/// The model with one parameter changed, for each parameter of its table and of its parts, by path.
fn one_changed(model: Model) -> Vec<(String, Model)> {
    let mut list = Vec::new();
    for (parameter, value) in model.values() {
        let mut changed = model;
        assert!(changed.set(parameter.key, other(parameter, value)));
        list.push((parameter.key.to_owned(), changed));
    }
    for (part, (name, parameters)) in model.parts().into_iter().enumerate() {
        for (parameter, value) in parameters.values() {
            let mut changed = model;
            assert!(changed.parts_mut()[part].1.set(parameter.key, other(parameter, value)));
            list.push((format!("{name}.{}", parameter.key), changed));
        }
    }
    list.retain(|(_, changed)| *changed != model);
    list
}

fn numbers(sim: &mut Simulation, field: Field) -> Vec<f32> {
    match sim.field(field).unwrap() {
        Values::Scalar(list) => list,
        Values::Vector(_) => panic!("{field:?} has a number per cell"),
    }
}

/// Everything that two runs with the same bits share.
fn state(sim: &mut Simulation) -> (u64, Vec<f32>, Vec<f32>, u64) {
    let fields = [Field::Potential(0), Field::Discomfort].map(|field| numbers(sim, field));
    let [potential, discomfort] = fields;
    (sim.state_hash().unwrap(), potential, discomfort, sim.counters().goals_reached)
}

#[test]
fn every_parameter_can_change_under_way_and_the_rest_has_the_bits_of_a_run_made_for_it() {
    for make in ENGINES {
        let mut run = make(&scene());
        let name = run.engine().name();
        // Painted cells: their outlines are kept as far as the clearance reaches.
        assert!(run.paint_walls(&[(5 * 40 + 30, true), (5 * 40 + 31, true), (6 * 40 + 30, true)]));
        // By then people touch, so that separation has something to do.
        run.steps_by(12).unwrap();
        let start = run.save().unwrap();
        run.steps_by(5).unwrap();
        let unchanged = run.state_hash().unwrap();
        // Resuming makes everything anew for the snapshot's model, but for kernels that suit.
        let mut rest = make(&scene());
        for (key, model) in one_changed(scene().model) {
            run.resume(&start).unwrap();
            assert!(run.set_model(&model), "{key}");
            assert_eq!(run.scene().model, model, "{name}, {key}");
            rest.resume(&run.save().unwrap()).unwrap();
            run.steps_by(5).unwrap();
            rest.steps_by(5).unwrap();
            assert!(state(&mut run) == state(&mut rest), "{name}, {key}: the two runs differ");
            // Searches and solvers find the same; what belongs to another law, and to a steering that is not there, is idle.
            let idle = ["solver", "neighbours", "density_min", "density_max"].contains(&key.as_str())
                || Steer::WORDS.iter().any(|w| key.starts_with(&format!("{}.", w.word)))
                || key.starts_with("froblins.");
            assert_eq!(run.state_hash().unwrap() == unchanged, idle, "{name}, {key}");
        }
    }
}

#[test]
fn a_model_set_before_the_first_step_is_as_good_as_one_that_the_scene_has() {
    // All at once, as a user would who comes from another scene.
    let mut model = Model {
        plan: Plan::Static,
        solver: Solver::Selective,
        neighbours: Search::Sweep,
        clearance: 3.0,
        clearance_discomfort: 2.0,
        length_weight: 0.3,
        separation_rounds: 2,
        ..scene().model
    };
    for make in ENGINES {
        for plan in [Plan::Static, Plan::Continuum] {
            model.plan = plan;
            let (mut changed, mut made) = (make(&scene()), make(&with_model(model)));
            assert!(changed.set_model(&model));
            changed.steps_by(12).unwrap();
            made.steps_by(12).unwrap();
            let name = made.engine().name();
            assert!(state(&mut changed) == state(&mut made), "{name}, {plan:?}: the two runs differ");
            assert_eq!(changed.counters(), made.counters(), "{name}, {plan:?}");
            let separate = |sim: &Simulation| sim.engine().memory().into_iter().find(|m| m.0 == "separate");
            assert_eq!(separate(&changed), separate(&made), "{name}, {plan:?}: lists for the search");
        }
    }
}

#[test]
fn a_plan_stops_following_the_crowd_and_follows_it_again() {
    for make in ENGINES {
        let mut run = make(&scene());
        let name = run.engine().name();
        let first = scene().model;
        run.steps_by(4).unwrap();
        let follows = numbers(&mut run, Field::Potential(0));
        assert!(run.set_model(&Model { plan: Plan::Static, ..first }));
        run.step().unwrap();
        let empty = numbers(&mut run, Field::Potential(0));
        assert!(empty != follows, "{name}: an empty floor costs less than a crowded one");
        run.steps_by(4).unwrap();
        assert!(numbers(&mut run, Field::Potential(0)) == empty, "{name}: the crowd moves, the plan does not");
        assert!(run.set_model(&first));
        run.step().unwrap();
        let again = numbers(&mut run, Field::Potential(0));
        run.step().unwrap();
        assert!(again != empty && numbers(&mut run, Field::Potential(0)) != again, "{name}: it follows again");
        assert!(run.counters().solver.converged, "{name}");
    }
}

#[test]
fn another_clearance_measures_walls_anew_as_if_the_scene_had_it() {
    for make in ENGINES {
        let mut run = make(&scene());
        let name = run.engine().name();
        assert!(run.paint_walls(&[(12 * 40 + 8, true), (13 * 40 + 8, true)]));
        run.steps_by(2).unwrap();
        // Farther than any footprint reaches, less than that, none, and back.
        for clearance in [4.0, 0.3, 0.0, 0.5] {
            let model = Model { clearance, ..run.scene().model };
            assert!(run.set_model(&model));
            run.settle();
            let mut made = make(&with_model(model));
            assert!(made.paint_walls(&[(12 * 40 + 8, true), (13 * 40 + 8, true)]));
            made.settle();
            let (world, fresh) = (run.world(), made.world());
            assert!(world.walls.distance() == fresh.walls.distance(), "{name}, {clearance} m: distances differ");
            assert!(world.walls.flags() == fresh.walls.flags(), "{name}, {clearance} m");
            let near = |k| world.walls.near(k) == fresh.walls.near(k);
            assert!((0..world.grid.len()).all(near), "{name}, {clearance} m: outlines differ");
            assert!(
                numbers(&mut run, Field::Discomfort) == numbers(&mut made, Field::Discomfort),
                "{name}, {clearance} m: discomfort differs"
            );
        }
    }
}

#[test]
fn a_model_that_no_scene_could_say_changes_nothing() {
    for make in ENGINES {
        let mut run = make(&scene());
        run.steps_by(2).unwrap();
        let (before, edits, good) = (run.save().unwrap(), run.edits(), scene().model);
        let bad = [
            Model { time_weight: f32::NAN, ..good },
            Model { clearance: -0.1, ..good },
            Model { separation_rounds: 101, ..good },
            Model { length_weight: 0.0, time_weight: 0.0, ..good },
            Model { density_min: 0.9, ..good },
            Model {
                steering: throng::stages::steer::SteeringParameters {
                    keep_distance: throng::stages::steer::keep_distance::KeepDistance { gap: 11.0, time_gap: 0.0 },
                    ..good.steering
                },
                ..good
            },
        ];
        for model in bad {
            assert!(!run.set_model(&model), "{model:?}");
        }
        assert!(run.save().unwrap() == before && run.edits() == edits, "{}", run.engine().name());
        assert_eq!(run.scene().model, good);
    }
}

#[test]
fn a_snapshot_fits_the_scene_it_began_with_and_the_scene_as_it_is_and_no_other() {
    let (first, second) = (scene().model, Model { flow_weight: 0.1, plan: Plan::Static, ..scene().model });
    let mut run = Simulation::new(&scene()).unwrap();
    run.steps_by(3).unwrap();
    let early = run.save().unwrap();
    assert!(run.set_model(&second));
    run.steps_by(3).unwrap();
    let late = run.save().unwrap();
    for model in [first, second] {
        let mut rest = Simulation::new(&with_model(model)).unwrap();
        rest.resume(&late).unwrap();
        assert_eq!(rest.scene().model, second, "the model is the snapshot's");
        assert_eq!(rest.edited_scene().model, second);
        rest.steps_by(3).unwrap();
        let mut on = Simulation::new(&scene()).unwrap();
        on.resume(&late).unwrap();
        on.steps_by(3).unwrap();
        assert_eq!(rest.state_hash().unwrap(), on.state_hash().unwrap());
    }
    let mut third = Simulation::new(&with_model(Model { flow_weight: 0.2, ..first })).unwrap();
    assert_eq!(third.resume(&late), Err(ResumeError::OtherScene), "whoever asks for another model is told");
    run.resume(&early).unwrap();
    assert_eq!(run.scene().model, first, "back then it was another");
}

#[test]
fn the_last_of_many_changes_between_two_steps_counts() {
    for make in ENGINES {
        let (mut many, mut one) = (make(&scene()), make(&scene()));
        let models = one_changed(scene().model);
        let last = Model { clearance: 1.5, ..models[0].1 };
        for run in [&mut many, &mut one] {
            run.steps_by(3).unwrap();
        }
        // On a GPU each other solver is compiled: a few will do.
        for (_, model) in models.iter().filter(|(key, _)| !["solver", "scheme"].contains(&key.as_str())) {
            assert!(many.set_model(model));
        }
        for run in [&mut many, &mut one] {
            assert!(run.set_model(&last));
            run.steps_by(5).unwrap();
        }
        assert!(state(&mut many) == state(&mut one), "{}", one.engine().name());
    }
}
