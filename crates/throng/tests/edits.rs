//! Goals and weights that change while a run goes on, on both engines.

mod engines;

use glam::Vec2;
use throng::engine::Field;
use throng::geometry::{Rect, Shape};
use throng::scene::{Model, NoFiles};
use throng::{Scene, Simulation};

const SCENE: &str = r#"
size = [20, 10]
cell = 0.5
[[goal]]
name = "door"
rect = [19, 4, 20, 6]
[[agents]]
count = 30
start = { rect = [8, 2, 12, 8] }
arrive = "park"
"#;

fn scene() -> Scene {
    Scene::parse("edits.toml", SCENE, &NoFiles).unwrap()
}

/// The scene on every engine there is.
fn engines() -> Vec<Simulation> {
    on_all(scene())
}

fn on_all(scene: Scene) -> Vec<Simulation> {
    engines::runs(&scene)
}

fn west() -> Vec<Shape> {
    vec![Shape::Rect(Rect::new(Vec2::new(0.0, 4.0), Vec2::new(1.0, 6.0)))]
}

fn mean_x(sim: &mut Simulation) -> f32 {
    let all = sim.positions().unwrap();
    all.iter().map(|(_, p)| p.x).sum::<f32>() / all.len() as f32
}

#[test]
fn people_turn_round_when_their_goal_moves() {
    for mut sim in engines() {
        sim.steps_by(25).unwrap();
        let before = mean_x(&mut sim);
        assert!(before > 10.5, "{}: they walk east first: {before}", sim.engine().name());
        assert!(sim.move_goal("door", west()).unwrap());
        sim.steps_by(75).unwrap();
        let after = mean_x(&mut sim);
        assert!(after < before - 1.0, "{}: from {before} to {after}", sim.engine().name());
        assert!(!sim.move_goal("window", west()).unwrap());
        assert!(sim.move_goal("door", Vec::new()).is_err());
    }
}

#[test]
fn weights_change_what_a_way_costs() {
    for mut sim in engines() {
        sim.step().unwrap();
        let throng::engine::Values::Scalar(cheap) = sim.field(Field::Potential(0)).unwrap() else { panic!("numbers") };
        let model = Model { length_weight: 3.0, clearance_discomfort: 2.0, ..sim.scene().model };
        assert!(sim.set_model(&model));
        assert!(!sim.set_model(&Model { time_weight: f32::NAN, ..model }));
        sim.step().unwrap();
        let throng::engine::Values::Scalar(dear) = sim.field(Field::Potential(0)).unwrap() else { panic!("numbers") };
        let middle = 10 * 40 + 4;
        // A metre cost 1 + 1/1.34, now 3 + 1/1.34: 2.15 times as much, and a little more near walls.
        let ratio = dear[middle] / cheap[middle];
        assert!((2.0..2.5).contains(&ratio), "{}: {ratio}", sim.engine().name());
    }
}

#[test]
fn a_run_whose_goal_and_weights_have_changed_resumes_with_the_same_bits() {
    for (mut sim, mut rest) in engines().into_iter().zip(engines()) {
        sim.steps_by(10).unwrap();
        sim.move_goal("door", west()).unwrap();
        sim.set_model(&Model { flow_weight: 0.2, separation_rounds: 5, ..sim.scene().model });
        sim.steps_by(10).unwrap();
        rest.resume(&sim.save().unwrap()).unwrap();
        sim.steps_by(20).unwrap();
        rest.steps_by(20).unwrap();
        assert_eq!(sim.state_hash().unwrap(), rest.state_hash().unwrap(), "{}", sim.engine().name());
    }
}

#[test]
fn a_static_plan_that_is_weighed_anew_late_in_a_run_reaches_everywhere() {
    // A long winding way: after steps without a plan nobody knows how many rounds the next one takes.
    let mut walls = String::new();
    for k in 0..12 {
        let (x, y) = (4 + 5 * k, if k % 2 == 0 { 0 } else { 2 });
        walls += &format!("{{ rect = [{x}, {y}, {}, {}] }},", x + 1, y + 38);
    }
    let text = format!(
        "size = [64, 40]\ncell = 0.5\n[map]\nwalls = [{walls}]\n[[goal]]\nname = \"end\"\nrect = [62, 0, 64, 2]\n\
         [[agents]]\ncount = 3\nstart = {{ rect = [0, 0, 3, 3] }}\n[model]\nplan = \"static\"\n"
    );
    let scene = Scene::parse("winding.toml", &text, &NoFiles).unwrap_or_else(|e| panic!("{e:?}"));
    for mut sim in on_all(scene) {
        sim.steps_by(40).unwrap();
        assert!(sim.set_model(&Model { length_weight: 2.0, ..sim.scene().model }));
        sim.steps_by(2).unwrap();
        let throng::engine::Values::Scalar(p) = sim.field(Field::Potential(0)).unwrap() else { panic!("numbers") };
        let start = p[2 * 128 + 2];
        assert!(start < 1e6, "{}: the start is not reached: {start}", sim.engine().name());
        assert!(sim.counters().solver.converged, "{}", sim.engine().name());
    }
}
