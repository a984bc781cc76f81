//! Points of one's own, on both engines: who heads for one walks straight there, arrives within its goal distance, and goes on
//! with its journey. Ways round walls are in detours.rs.

mod engines;

use engines::{ENGINES, runs};
use throng::engine::{CrowdChange, Edit};
use throng::geometry::{Rect, Shape};
use throng::scene::{Arrive, Group, Leg, Model, NoFiles, Steer, Target, Wait};
use throng::world::agents::{Agents, NOWHERE, State};
use throng::world::points::{self, POINT};
use throng::{Scene, Simulation, Vec2};

fn scene(text: &str) -> Scene {
    Scene::parse("points.toml", text, &NoFiles).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn by_id(run: &mut Simulation) -> Agents {
    let agents = run.agents().unwrap();
    let mut order: Vec<u32> = (0..agents.len() as u32).collect();
    order.sort_unstable_by_key(|&i| agents.id[i as usize]);
    let mut sorted = Agents::default();
    agents.permute_into(&order, &mut sorted);
    sorted
}

fn steps_until_done(run: &mut Simulation, most: u64) -> u64 {
    while !run.is_done() {
        assert!(run.steps() < most, "{}: {:?}", run.engine().name(), run.counters());
        run.step().unwrap();
    }
    run.steps()
}

/// A world without a goal: nothing is planned.
const ALONE: &str = r#"
size = [20, 20]
[[agents]]
count = 1
start = { rect = [2, 3, 3, 4] }
speed = 1.25
goal_distance = 0.05
journey = [{ to = [16.5, 14.25] }]
"#;

#[test]
fn somebody_alone_walks_straight_to_its_point_and_arrives_within_its_goal_distance() {
    let point = Vec2::new(16.5, 14.25);
    for mut run in runs(&scene(ALONE)) {
        let engine = run.engine().name();
        let start = by_id(&mut run).position[0];
        let straight = (point - start).normalize();
        let mut last = start;
        let steps = loop {
            run.step().unwrap();
            let agents = by_id(&mut run);
            if agents.state[0] == State::Parked {
                break run.steps();
            }
            assert_eq!((agents.goal[0], agents.point(0)), (POINT, Some(point)));
            last = agents.position[0];
            // A heading of 16 bits is off by 2e-5 at most: a millimetre in 20 m.
            let aside = straight.perp_dot(last - start);
            assert!(aside.abs() < 2e-3, "{engine}: {aside} m beside the straight way at {last}");
            assert!(run.steps() < 600);
        };
        // It leaves in the step that brings it within 5 cm, and a step is 5 cm.
        assert!(last.distance(point) < 0.1 + 1e-3, "{engine}: left at {last}");
        let walking = start.distance(point) - 0.05;
        assert!((steps as f32 * 0.04 - walking / 1.25).abs() < 0.1, "{engine}: {steps} steps for {walking} m");
        let c = run.counters();
        assert_eq!((c.arrived, c.goals_reached, c.parked, c.not_finite), (1, 1, 1, 0));
    }
}

#[test]
fn nobody_walks_past_a_point_however_small_the_goal_distance_is() {
    let text = ALONE.replace("0.05", "0.01").replace("speed = 1.25", "speed = { uniform = [1.9, 2.1] }\nturn = 1.5");
    for mut run in runs(&scene(&text.replace("count = 1", "count = 3"))) {
        let steps = steps_until_done(&mut run, 600);
        assert!(steps > 100, "{steps}");
    }
}

#[test]
fn the_opposite_is_mirrored_through_the_middle_of_the_start_area() {
    let text = r#"
        size = [24, 24]
        [[agents]]
        count = 5
        start = { circle = [11, 12, 8] }
        journey = [{ to = "opposite" }]
        [[agents]]
        count = 5
        start = [{ rect = [-3, 1, 2, 3] }, { rect = [6, 1, 8, 9] }]
        journey = { to = "opposite" }
    "#;
    let scene = scene(text);
    for mut run in runs(&scene) {
        let agents = by_id(&mut run);
        for i in 0..agents.len() {
            // The second area is cut off at the world's edge: 0 to 8 and 1 to 9.
            let middle = if agents.group[i] == 0 { Vec2::new(11.0, 12.0) } else { Vec2::new(4.0, 5.0) };
            let opposite = 2.0 * middle - agents.position[i];
            assert!(agents.point(i).unwrap().distance(opposite) < 1e-5);
            let facing = (opposite - agents.position[i]).normalize();
            assert!(agents.heading[i].distance(facing) < 1e-4, "faces {}", agents.heading[i]);
        }
        steps_until_done(&mut run, 1500);
        assert_eq!(run.counters().arrived, 10);
    }
}

/// A hundred on a ring, each to the other side.
#[test]
fn a_hundred_on_a_circle_head_for_their_opposites() {
    let spots: String = (0..100)
        .map(|k| {
            let at = Vec2::from_angle(k as f32 * std::f32::consts::TAU / 100.0) * 12.0 + 16.0;
            format!("[[agents]]\ncount = 1\nplace = \"random\"\nstart = {{ circle = [{}, {}, 0.01] }}\nspeed = 1.3\njourney = [{{ to = [[{}, {}]] }}]\n", at.x, at.y, 32.0 - at.x, 32.0 - at.y)
        })
        .collect();
    let ring = scene(&format!("size = [32, 32]\n{spots}"));
    for mut run in runs(&ring) {
        run.steps_by(200).unwrap();
        // `follow` avoids nobody and separation pushes back: they meet in the middle. All are on their way, and none is lost.
        let c = run.counters();
        assert_eq!((c.active + c.parked, c.in_wall, c.not_finite), (100, 0, 0));
        let agents = by_id(&mut run);
        let mean = agents.position.iter().map(|p| p.distance(Vec2::splat(16.0))).sum::<f32>() / 100.0;
        assert!(mean < 6.0, "{}: they are {mean} m from the middle", run.engine().name());
    }
}

#[test]
fn there_and_back_again_does_not_creep_towards_the_middle() {
    let text = r#"
        size = [20, 8]
        [[agents]]
        count = 1
        start = [{ rect = [2, 3, 3, 5] }, { rect = [17, 3, 18, 5] }]
        goal_distance = 0.5
        journey = { to = "opposite" }
        arrive = "next"
    "#;
    for mut run in runs(&scene(text)) {
        let first = by_id(&mut run);
        let (home, away) = (first.position[0], first.point(0).unwrap());
        while run.counters().arrived < 4 {
            run.step().unwrap();
            assert!(run.steps() < 3000);
        }
        let now = by_id(&mut run).point(0).unwrap();
        assert!(now.distance(away) < 1e-4, "{now} instead of {away}, from {home}");
    }
}

const ROOMS: &str = r#"
size = [20, 12]
seed = 4
[map]
walls = [{ rect = [9, 0, 9.3, 5] }, { circle = [14, 7, 1.5] }, { rect = [10.5, 2, 12, 4] }]
[[goal]]
name = "east"
rect = [19, 4, 20, 8]
[[agents]]
name = "strollers"
count = 40
start = { rect = [1, 1, 8, 11] }
journey = [{ to = { random = [{ rect = [10, 1, 18, 11] }, { circle = [4, 6, 2] }] } }]
arrive = "next"
[[agents]]
name = "listed"
count = 7
start = { rect = [1, 6, 8, 11] }
journey = [{ to = [[3, 10.5], [7, 10.5], [5, 9]], wait = 0.4 }, "east", { to = "opposite" }, { to = [2, 2] }]
[[agents]]
name = "comers"
source = { rate = 20, total = 15 }
start = { rect = [1, 1, 4, 11] }
delay = { uniform = [0, 0.2] }
journey = [{ to = { random = { rect = [1, 1, 8, 11] } } }, "east"]
arrive = "respawn"
entry = { rect = [5, 1, 8, 11] }
"#;

#[test]
fn random_points_lie_in_their_area_and_off_walls_and_differ() {
    let scene = scene(ROOMS);
    for mut run in runs(&scene) {
        let mut seen: Vec<[u32; 2]> = Vec::new();
        for _ in 0..400 {
            run.step().unwrap();
        }
        let agents = by_id(&mut run);
        let walls = &run.engine().world().walls;
        for i in (0..agents.len()).filter(|&i| agents.group[i] == 0) {
            let p = agents.point(i).unwrap();
            let Target::Random(area) = &scene.groups[0].journey[0].to else { panic!("{:?}", scene.groups[0].journey) };
            assert!(area.iter().any(|s| s.contains(p)), "{p}");
            assert!(!walls.contains(p) && walls.depth(p, agents.radius[i]) <= 0.0, "{p} is in a wall");
            seen.push(p.to_array().map(f32::to_bits));
        }
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 40, "everybody has its own");
        assert!(run.counters().goals_reached > 20, "{:?}", run.counters());
    }
}

#[test]
fn a_list_is_dealt_in_turn_also_to_who_comes_later() {
    let scene = scene(ROOMS);
    let list = [Vec2::new(3.0, 10.5), Vec2::new(7.0, 10.5), Vec2::new(5.0, 9.0)];
    for mut run in runs(&scene) {
        let agents = by_id(&mut run);
        for k in 0..7 {
            assert_eq!(agents.point(40 + k), Some(list[k % 3]));
        }
        let legs = vec![Leg::to_goal(0), Leg { to: Target::Points(list.to_vec()), wait: Wait::NONE }];
        let area = Shape::Rect(Rect::new(Vec2::new(15.8, 4.0), Vec2::new(18.5, 8.0)));
        let mut group = Group::new("late", 4, vec![area], legs);
        group.arrive = Arrive::Next;
        run.change_crowd(&CrowdChange::Drop(Box::new(group))).unwrap();
        let mut dealt = [false; 4];
        for _ in 0..30 {
            run.steps_by(10).unwrap();
            let agents = by_id(&mut run);
            for k in (0..4).filter(|k| agents.leg[62 + k] == 1) {
                assert_eq!(agents.point(62 + k), Some(list[k % 3]));
                dealt[k] = true;
            }
        }
        assert_eq!(dealt, [true; 4]);
    }
}

#[test]
fn journeys_mix_goals_and_points() {
    let mut scene = scene(ROOMS);
    scene.groups.remove(0);
    for mut run in runs(&scene) {
        let mut legs = [0u16; 7];
        for _ in 0..150 {
            run.steps_by(10).unwrap();
            let agents = by_id(&mut run);
            for (k, last) in legs.iter_mut().enumerate() {
                let (leg, on_floor) = (agents.leg[k], agents.state[k].on_floor());
                let expected = if leg == 1 { 0 } else { POINT };
                assert!(!on_floor || agents.goal[k] == expected, "{leg}: {}", agents.goal[k]);
                // One leg after the other; no two of them take less than ten steps.
                assert!(!on_floor || leg == *last || leg == *last + 1, "{leg} after {last}");
                *last = leg.max(*last);
                assert!(on_floor || points::among(&agents.own).unwrap()[k] == NOWHERE);
            }
        }
        let c = run.counters();
        assert!(legs.iter().filter(|&&leg| leg == 3).count() >= 6, "{legs:?}");
        assert!(c.entered > 20 && c.in_wall == 0 && c.not_finite == 0, "{c:?}");
    }
}

#[test]
fn a_run_resumed_in_the_middle_goes_on_with_the_same_bits_also_on_the_other_engine() {
    let mut scene = scene(ROOMS);
    scene.model = Model { steer: Steer::KeepDistance, ..scene.model };
    for engine in ENGINES {
        let start = || engine(&scene);
        let mut run = start();
        run.steps_by(60).unwrap();
        run.set_points(&[(3, Vec2::new(2.0, 2.0))]).unwrap();
        run.steps_by(20).unwrap();
        let saved = run.save().unwrap();
        let hash = run.agents().unwrap().state_hash();
        let mut again = start();
        again.resume(&saved).unwrap();
        assert_eq!(again.agents().unwrap().state_hash(), hash);
        run.steps_by(60).unwrap();
        again.steps_by(60).unwrap();
        assert_eq!(again.agents().unwrap().state_hash(), run.agents().unwrap().state_hash());
        for other in ENGINES {
            let mut other = other(&scene);
            other.resume(&saved).unwrap();
            assert_eq!(other.agents().unwrap().state_hash(), hash);
            other.steps_by(5).unwrap();
        }
    }
}

#[test]
fn snapshots_with_points_that_no_run_gives_are_refused() {
    let scene = scene(ALONE);
    let mut run = Simulation::new(&scene).unwrap();
    run.steps_by(3).unwrap();
    let state = run.engine_mut().save().unwrap();
    let point: Vec<u8> = [16.5f32, 14.25].iter().flat_map(|x| x.to_le_bytes()).collect();
    let at = state.windows(8).position(|w| w == point).expect("the point is in it");
    run.engine_mut().restore(&state).unwrap();
    for bad in [f32::NAN, f32::INFINITY, -0.5, 20.0] {
        let mut spoilt = state.clone();
        spoilt[at..at + 4].copy_from_slice(&bad.to_le_bytes());
        assert!(run.engine_mut().restore(&spoilt).is_err(), "{bad} was taken");
    }
}

/// No leg of it leads to a point.
const PLAIN: &str = r#"
size = [16, 12]
[map]
walls = [{ rect = [7, 4, 7.3, 12] }]
[[goal]]
name = "east"
rect = [15, 4, 16, 8]
[[agents]]
count = 12
start = { rect = [1, 1, 5, 11] }
goal_distance = 0.2
"#;

#[test]
fn a_call_sends_people_to_points_and_their_journeys_go_on_after() {
    for mut run in runs(&scene(PLAIN)) {
        run.steps_by(5).unwrap();
        let before = run.agents().unwrap().state_hash();
        let wrong = [
            (99, Vec2::new(2.0, 2.0), "no agent 99"),
            (3, Vec2::new(7.1, 8.0), "inside a wall"),
            (3, Vec2::new(16.0, 8.0), "outside"),
            (3, Vec2::new(f32::NAN, 8.0), "outside"),
        ];
        for (id, point, why) in wrong {
            let error = run.set_points(&[(1, Vec2::new(2.0, 2.0)), (id, point)]).unwrap_err().to_string();
            assert!(error.contains(why), "{error}");
        }
        run.set_points(&[]).unwrap();
        assert_eq!(run.agents().unwrap().state_hash(), before, "a refused call changes nothing");
        let (a, b) = (Vec2::new(3.0, 1.5), Vec2::new(5.5, 11.0));
        run.set_points(&[(3, b), (3, a), (5, b)]).unwrap();
        let agents = by_id(&mut run);
        assert_eq!((agents.point(3), agents.point(5), agents.point(4)), (Some(a), Some(b), None));
        let mut nearest = f32::MAX;
        for _ in 0..100 {
            run.steps_by(2).unwrap();
            nearest = nearest.min(by_id(&mut run).position[3].distance(a));
        }
        assert!(nearest < 0.3, "{}: agent 3 came within {nearest} m", run.engine().name());
        // Another model while there are points.
        let model = Model { steer: Steer::KeepDistance, ..run.scene().model };
        assert!(run.set_model(&model));
        run.step().unwrap();
        assert!(by_id(&mut run).have_points());
        steps_until_done(&mut run, 3000);
        // The point stood for the leg to the goal.
        assert_eq!((run.counters().arrived, run.counters().goals_reached), (12, 12));
    }
}

#[test]
fn a_call_for_many_is_as_many_calls() {
    let text = PLAIN.replace("count = 12", "count = 1200\nradius = 0.03");
    for engine in ENGINES {
        let scene = scene(&text);
        let to = |id: u32| (id, Vec2::new(1.0 + (id % 40) as f32 * 0.1, 1.0 + (id / 40) as f32 * 0.2));
        let all: Vec<(u32, Vec2)> = (0..1100).map(to).collect();
        let (mut at_once, mut in_two) = (engine(&scene), engine(&scene));
        at_once.step().unwrap();
        in_two.step().unwrap();
        at_once.set_points(&all).unwrap();
        in_two.set_points(&all[..600]).unwrap();
        in_two.set_points(&all[600..]).unwrap();
        assert_eq!(at_once.agents().unwrap().state_hash(), in_two.agents().unwrap().state_hash());
        at_once.steps_by(3).unwrap();
        in_two.steps_by(3).unwrap();
        assert_eq!(at_once.agents().unwrap().state_hash(), in_two.agents().unwrap().state_hash());
    }
}

#[test]
fn a_wall_on_people_who_head_for_points_puts_them_aside_and_stands_in_their_way() {
    let scene = scene(&ALONE.replace("[[agents]]", "[model]\nplan = \"static\"\n[[agents]]"));
    for mut run in runs(&scene) {
        run.steps_by(50).unwrap();
        let p = by_id(&mut run).position[0];
        run.engine_mut().edit(Edit::AddWall(Shape::Circle(p, 0.7)));
        run.steps_by(300).unwrap();
        let c = run.counters();
        // It slides along the circle, which lies across its way.
        assert_eq!((c.displaced, c.in_wall, c.arrived), (1, 0, 1), "{}", run.engine().name());
    }
}

#[test]
fn dropped_groups_bring_points_into_a_run_without_and_take_them_away_again() {
    for mut run in runs(&scene(PLAIN)) {
        run.steps_by(3).unwrap();
        let area = Shape::Rect(Rect::new(Vec2::new(9.0, 1.0), Vec2::new(13.0, 11.0)));
        let legs = vec![
            Leg { to: Target::Random(vec![area.clone()]), wait: Wait::For(0.5) },
            Leg { to: Target::Opposite, wait: Wait::NONE },
        ];
        let group = Group::new("late", 6, vec![area.clone()], legs);
        run.change_crowd(&CrowdChange::Drop(Box::new(group))).unwrap();
        let agents = by_id(&mut run);
        for i in 12..18 {
            assert!(area.contains(agents.point(i).unwrap()));
        }
        run.steps_by(20).unwrap();
        run.change_crowd(&CrowdChange::Arrive(1, Arrive::Next)).unwrap();
        run.change_crowd(&CrowdChange::Arrive(1, Arrive::Respawn)).unwrap();
        run.steps_by(60).unwrap();
        run.change_crowd(&CrowdChange::TakeBack).unwrap();
        assert!(!by_id(&mut run).have_points());
        steps_until_done(&mut run, 1500);
        let bad = [
            Target::Points(vec![Vec2::new(f32::NAN, 2.0)]),
            Target::Points(Vec::new()),
            Target::Points(vec![Vec2::new(7.1, 8.0)]),
            Target::Points(vec![Vec2::new(2.0, -1.0)]),
            Target::Random(Vec::new()),
            Target::Random(vec![Shape::Circle(Vec2::splat(3.0), f32::NAN)]),
            Target::Goal(POINT - 1),
        ];
        for to in bad {
            let group = Group::new("bad", 6, vec![area.clone()], vec![Leg { to: to.clone(), wait: Wait::NONE }]);
            assert!(run.change_crowd(&CrowdChange::Drop(Box::new(group))).is_err(), "{to:?} was taken");
        }
    }
}

#[test]
fn what_is_written_is_read_back_the_same_and_grows_with_the_world() {
    let mut scene = scene(ROOMS);
    let read =
        |scene: &Scene| Scene::parse("points.toml", &scene.to_toml(), &NoFiles).unwrap_or_else(|e| panic!("{e}"));
    let journeys =
        |scene: &Scene| scene.groups.iter().map(|g| (g.journey.clone(), g.goal_distance)).collect::<Vec<_>>();
    assert_eq!(journeys(&read(&scene)), journeys(&scene));
    scene.scale(4.0).unwrap();
    assert_eq!(journeys(&read(&scene)), journeys(&scene));
    let Target::Points(list) = &scene.groups[1].journey[0].to else { panic!("a list") };
    assert_eq!(list[0], Vec2::new(6.0, 21.0));
}
