//! Ways round walls for those who head for points, on both engines.

mod engines;

use engines::runs;
use throng::scene::parameters::Choice as _;
use throng::scene::{NoFiles, Steer};
use throng::{Scene, Simulation, Vec2};

fn scene(text: &str) -> Scene {
    Scene::parse("detours.toml", text, &NoFiles).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn steps_until_done(run: &mut Simulation, most: u64) -> u64 {
    while !run.is_done() {
        assert!(run.steps() < most, "{}: {:?}", run.engine().name(), run.counters());
        run.step().unwrap();
    }
    run.steps()
}

/// Where somebody is.
fn place_of(run: &mut Simulation, id: u32) -> Vec2 {
    let places = throng::engine::positions(&run.agents().unwrap());
    places.iter().find(|p| p.0 == id).map_or(Vec2::NAN, |p| p.1)
}

/// Somebody in a pocket of walls, and its point behind it; a thin wall with a gap far away; and a room that has a door.
const BEHIND_WALLS: &str = r#"
size = [24, 16]
cell = 0.5
[map]
walls = [
    { line = [[6, 4], [12, 4], [12, 12], [6, 12]] },
    { rect = [16, 0, 16.2, 13] },
    { name = "door", line = [[16.1, 13], [16.1, 16]], open = true },
]
[model]
plan = "static"
[[agents]]
count = 1
start = { circle = [10.5, 8, 0.2] }
radius = 0.25
speed = 1.25
goal_distance = 0.2
journey = [{ to = [22, 3] }, { to = [10, 8] }]
"#;

#[test]
fn who_has_a_wall_before_its_point_goes_round_it_with_every_steering() {
    for steer in Steer::WORDS.iter().map(|w| w.word) {
        let text = BEHIND_WALLS.replace("plan = \"static\"", &format!("plan = \"static\"\nsteer = \"{steer}\""));
        for mut run in runs(&scene(&text)) {
            let name = format!("{steer}, {}", run.engine().name());
            // Out of the pocket, through the gap and to the point are 30 m; the way back is as long.
            let steps = steps_until_done(&mut run, 2500);
            assert!(run.counters().in_wall == 0 && steps > 1000, "{name}: {steps} steps");
        }
    }
}

#[test]
fn a_point_that_cannot_be_reached_holds_nobody_for_good_once_the_door_opens() {
    for mut run in runs(&scene(&BEHIND_WALLS.replace(", open = true", ""))) {
        run.steps_by(300).unwrap();
        assert_eq!(run.counters().goals_reached, 0);
        assert!(run.stand_wall(2, false));
        steps_until_done(&mut run, 3000);
    }
}

#[test]
fn ways_round_walls_have_the_same_bits_after_a_pause_and_for_points_that_a_call_gave() {
    // Nobody's journey leads to a point: only the call does.
    let text = BEHIND_WALLS.replace("count = 1\n", "count = 9\n").replace("[10.5, 8, 0.2]", "[9, 8, 2]");
    let goal = "[[goal]]\nname = \"out\"\nrect = [22, 2, 24, 4]\n[[agents]]";
    let text = text.replace("{ to = [22, 3] }, { to = [10, 8] }", "\"out\"").replace("[[agents]]", goal);
    let scene = scene(&text);
    for (mut run, mut rest) in runs(&scene).into_iter().zip(runs(&scene)) {
        run.steps_by(20).unwrap();
        run.set_points(&[(3, Vec2::new(14.0, 8.0))]).unwrap();
        run.steps_by(30).unwrap();
        rest.resume(&run.save().unwrap()).unwrap_or_else(|e| panic!("{e}"));
        let mut nearest = f32::MAX;
        for _ in 0..50 {
            run.steps_by(10).unwrap();
            rest.steps_by(10).unwrap();
            nearest = nearest.min(place_of(&mut run, 3).distance(Vec2::new(14.0, 8.0)));
        }
        assert!(nearest < 0.4, "{}: {nearest} m", run.engine().name());
        assert_eq!(run.state_hash().unwrap(), rest.state_hash().unwrap(), "{}", run.engine().name());
    }
}
