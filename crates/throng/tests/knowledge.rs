//! What people know of doors that close and open (ISO 20414, test 9, and more), on both engines: at once, some seconds later, or when they see it.

mod engines;

use engines::{ENGINES, runs};
use throng::geometry::{Rect, Shape};
use throng::scene::NoFiles;
use throng::{Scene, Simulation, Vec2};

/// A hall of 30 m with an exit at either end. The eastern one, which is nearer, has a door of 1.2 m at x = 27, which an event changes after 1 s.
fn hall(closes: bool, knows: &str, more_walls: &str) -> Scene {
    let event = if closes { "close" } else { "open" };
    let text = format!(
        "size = [30, 4]\ncell = 0.25\ndt = 0.05\n[map]\nwalls = [{{ rect = [27, 0, 27.2, 1.4] }}, {{ rect = [27, 2.6, 27.2, 4] }},\n\
         {{ rect = [27, 1.4, 27.2, 2.6], name = \"door\", open = {closes} }}, {more_walls}]\n\
         [[event]]\nat = 1\n{event} = \"door\"\n\
         [[goal]]\nname = \"exits\"\nshapes = [{{ rect = [0, 0, 1, 4] }}, {{ rect = [28.5, 0, 30, 4] }}]\n\
         [[agents]]\ncount = 1\nplace = \"random\"\nstart = {{ circle = [16, 2, 0.01] }}\nspeed = 1.25\n{knows}\n\
         [model]\nsteer = \"walk\"\nplan = \"static\"\n"
    );
    Scene::parse("hall.toml", &text, &NoFiles).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// When and where somebody turned back, and where it left.
struct Walk {
    turned: f64,
    at: f32,
    left: Vec2,
}

/// Follows the only one there is; `sign` is 1 if it walks east first, -1 if west.
fn follow(sim: &mut Simulation, sign: f32) -> Walk {
    let mut walk = Walk { turned: 0.0, at: f32::NEG_INFINITY, left: Vec2::ZERO };
    while sim.time() < 60.0 && !sim.is_done() {
        sim.step().expect("a step");
        for (_, p) in sim.positions().expect("people") {
            if sign * p.x > walk.at {
                (walk.at, walk.turned) = (sign * p.x, sim.time());
            }
            walk.left = p;
        }
    }
    assert_eq!(sim.counters().arrived, 1, "{}: it gets out", sim.engine().name());
    walk
}

#[test]
fn who_knows_at_once_turns_when_the_door_closes() {
    for mut sim in runs(&hall(true, "", "")) {
        let walk = follow(&mut sim, 1.0);
        let name = sim.engine().name();
        assert!((1.0..1.8).contains(&walk.turned) && walk.left.x < 2.0, "{name}: {} s, {}", walk.turned, walk.left);
    }
}

#[test]
fn who_knows_later_turns_so_much_later() {
    for mut sim in runs(&hall(true, "knows = { after = 5 }", "")) {
        let walk = follow(&mut sim, 1.0);
        let name = sim.engine().name();
        assert!((6.0..6.8).contains(&walk.turned) && walk.left.x < 2.0, "{name}: {} s, {}", walk.turned, walk.left);
        // 6 s at 1.25 m/s, but for a start from standing.
        assert!((22.5..23.7).contains(&walk.at), "{name}: turned at {} m", walk.at);
    }
}

#[test]
fn who_knows_on_sight_turns_when_it_has_the_door_in_view() {
    for mut sim in runs(&hall(true, "knows = \"on sight\"", "")) {
        let walk = follow(&mut sim, 1.0);
        // From 17 m on the door is within 10 m; people look once a second, 1.25 m.
        let name = sim.engine().name();
        assert!((17.0..18.8).contains(&walk.at) && walk.left.x < 2.0, "{name}: at {} m, {}", walk.at, walk.left);
    }
}

#[test]
fn nobody_sees_through_a_wall() {
    // A screen with a gap in the north: the door is seen from behind it only.
    let screen = "{ rect = [22, 0, 22.2, 2.9] },";
    for mut sim in runs(&hall(true, "knows = \"on sight\"", screen)) {
        let walk = follow(&mut sim, 1.0);
        let name = sim.engine().name();
        assert!((20.5..25.0).contains(&walk.at) && walk.left.x < 2.0, "{name}: at {} m, {}", walk.at, walk.left);
    }
}

#[test]
fn a_door_that_opens_is_used_once_it_is_known() {
    let from = |x: f32, knows: &str| {
        let mut scene = hall(false, knows, "");
        scene.groups[0].start = vec![Shape::Circle(Vec2::new(x, 2.0), 0.01)];
        scene
    };
    // From 22 m the opened door is still the nearer way after 5 s.
    for (knows, turns) in [("", 1.0), ("knows = { after = 4 }", 5.0)] {
        for mut sim in runs(&from(22.0, knows)) {
            let walk = follow(&mut sim, -1.0);
            let (name, late) = (sim.engine().name(), walk.turned - turns);
            assert!((0.0..0.8).contains(&late) && walk.left.x > 28.0, "{name}, {knows}: {late} s, {}", walk.left);
        }
    }
    // Farther than 10 m from it nobody notices.
    for (x, east) in [(22.0, true), (16.5, false)] {
        for mut sim in runs(&from(x, "knows = \"on sight\"")) {
            let left = follow(&mut sim, -1.0).left;
            assert_eq!(left.x > 28.0, east, "{}, from {x} m: {left}", sim.engine().name());
        }
    }
}

#[test]
fn who_believes_in_a_closed_door_walks_up_to_it_and_learns_there() {
    // Nobody looks 10 m far here: the way to the door is round a corner.
    let corner = "{ rect = [24.5, 0, 24.7, 2.9] }, { rect = [24.5, 2.7, 26.2, 2.9] },";
    for mut sim in runs(&hall(true, "knows = { after = 30 }", corner)) {
        let name = sim.engine().name();
        while sim.time() < 29.0 {
            sim.step().expect("a step");
        }
        let (_, p) = sim.positions().expect("people")[0];
        assert!(p.distance(Vec2::new(27.0, 2.0)) < 0.8, "{name}: it stands at the door, not at {p}");
        let walk = follow(&mut sim, 1.0);
        assert!(walk.left.x < 2.0, "{name}: {}", walk.left);
    }
}

#[test]
fn a_wall_that_a_call_adds_is_not_known_either() {
    for mut sim in runs(&hall(true, "knows = { after = 3 }", "").clone()) {
        let name = sim.engine().name();
        sim.steps_by(10).expect("steps");
        let across = Shape::Rect(Rect::new(Vec2::new(25.0, 0.0), Vec2::new(25.2, 4.0)));
        sim.add_wall(across).expect("a sound wall");
        let walk = follow(&mut sim, 1.0);
        assert!((3.5..4.3).contains(&walk.turned), "{name}: turned after {} s", walk.turned);
    }
}

#[test]
fn groups_that_know_more_turn_before_the_others() {
    let text = hall(true, "", "").to_toml();
    let second = "[[agents]]\nname = \"late\"\ncount = 1\nplace = \"random\"\nstart = { circle = [16, 3, 0.01] }\nspeed = 1.25\nknows = { after = 5 }\n";
    let scene = Scene::parse("two.toml", &format!("{text}\n{second}"), &NoFiles).expect("it is sound");
    for mut sim in runs(&scene) {
        while sim.time() < 5.5 {
            sim.step().expect("a step");
        }
        let at = sim.positions().expect("people");
        assert!(at[0].1.x < 13.5 && at[1].1.x > 20.0, "{}: {at:?}", sim.engine().name());
    }
}

#[test]
fn a_run_is_resumed_between_an_event_and_its_being_known_to_the_same_bits() {
    for knows in ["knows = { after = 3 }", "knows = \"on sight\""] {
        for plan in ["static", "continuum"] {
            let mut scene = hall(true, knows, "");
            scene.groups[0].count = 5;
            scene.groups[0].start = vec![Shape::Rect(Rect::new(Vec2::new(15.0, 1.0), Vec2::new(18.0, 3.0)))];
            scene.model.plan =
                if plan == "static" { throng::scene::Plan::Static } else { throng::scene::Plan::Continuum };
            for on_engine in ENGINES {
                let (mut whole, mut other) = (on_engine(&scene), on_engine(&scene));
                whole.steps_by(50).expect("steps");
                other.resume(&whole.save().expect("a snapshot")).expect("it fits");
                for run in [&mut whole, &mut other] {
                    run.steps_by(70).expect("steps");
                }
                assert_eq!(whole.state_hash().expect("a hash"), other.state_hash().expect("a hash"), "{knows}, {plan}");
                let turned = whole.agents().expect("people").velocity.iter().filter(|v| v.x < -0.5).count();
                assert!(turned >= 3, "{}, {knows}: {turned} of 5 have turned", whole.engine().name());
            }
        }
    }
}

#[test]
fn what_people_know_survives_being_written_and_read() {
    for knows in ["", "knows = { after = 2.5 }", "knows = \"on sight\""] {
        let scene = hall(true, knows, "");
        let again = Scene::parse("again.toml", &scene.to_toml(), &NoFiles).expect("it is sound");
        assert_eq!(again.groups[0].knows, scene.groups[0].knows);
    }
}
