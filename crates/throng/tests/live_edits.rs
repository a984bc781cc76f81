//! What a viewer does to a run while it goes on: brushes, single rounds of the solver, and changes to the crowd.

use throng::Vec2;
use throng::engine::{CrowdChange, Field, Values};
use throng::geometry::{Rect, Shape};
use throng::scene::{Arrive, Distribution, Group, Leg, NoFiles};
use throng::world::agents::State;
use throng::{Scene, Simulation};

const SCENE: &str = r#"
size = [24, 12]
cell = 0.5
[map]
walls = [
  { rect = [12, 0, 12.5, 5] },
  { rect = [12, 7, 12.5, 12] },
  { rect = [12, 5, 12.5, 7], name = "gate", open = true },
]
discomfort = [{ rect = [2, 2, 5, 5], value = 0.7 }, { rect = [3, 3, 6, 6], value = 0.7 }]
[[goal]]
name = "door"
rect = [23, 5, 24, 7]
[[goal]]
name = "west"
rect = [0, 5, 1, 7]
[[agents]]
name = "guests"
count = 30
start = { rect = [4, 2, 9, 10] }
journey = ["door"]
[[agents]]
name = "walkers"
count = 10
start = { rect = [15, 2, 20, 10] }
journey = ["west", "door"]
arrive = "next"
[[zone]]
name = "mud"
rect = [14, 0, 16, 12]
speed = 0.8
[[event]]
at = 0.4
zone = "mud"
speed = 0.5
"#;

fn scene() -> Scene {
    Scene::parse("live.toml", SCENE, &NoFiles).unwrap_or_else(|e| panic!("{e:?}"))
}

/// A scene on every engine there is.
fn on_all(scene: &Scene) -> Vec<Simulation> {
    let cpu = Simulation::new(scene).unwrap();
    #[cfg(feature = "gpu")]
    return vec![cpu, on_gpu(scene)];
    #[cfg(not(feature = "gpu"))]
    vec![cpu]
}

#[cfg(feature = "gpu")]
fn on_gpu(scene: &Scene) -> Simulation {
    use throng::engine::gpu::{Gpu, GpuEngine};
    let name = std::env::var("THRONG_TEST_DEVICE").unwrap_or_else(|_| "llvmpipe".into());
    let gpu = Gpu::open(Some(&name)).expect("GPU tests need a Vulkan device; test.sh installs software Vulkan");
    Simulation::on(scene, Box::new(GpuEngine::new(scene, &gpu).unwrap()))
}

fn numbers(sim: &mut Simulation, field: Field) -> Vec<f32> {
    match sim.field(field).unwrap() {
        Values::Scalar(list) => list,
        Values::Vector(_) => panic!("{field:?} has a number per cell"),
    }
}

fn rect(x0: f32, y0: f32, x1: f32, y1: f32) -> Shape {
    Shape::Rect(Rect::new(Vec2::new(x0, y0), Vec2::new(x1, y1)))
}

/// The cells of a column and some rows, with a value each.
fn cells<T: Copy>(sim: &Simulation, x: usize, rows: std::ops::Range<usize>, value: T) -> Vec<(u32, T)> {
    let width = sim.scene().grid.width;
    rows.map(|y| ((y * width + x) as u32, value)).collect()
}

#[test]
fn an_uncomfortable_stripe_makes_the_way_over_it_dearer() {
    for mut sim in on_all(&scene()) {
        sim.steps_by(3).unwrap();
        let cell = 12 * 48 + 10;
        let before = numbers(&mut sim, Field::Potential(0))[cell];
        let stripe = cells(&sim, 20, 0..24, 0.9);
        assert!(sim.paint_ground(&stripe));
        let ground = numbers(&mut sim, Field::Discomfort);
        assert!(ground[12 * 48 + 20] >= 0.9, "{}", sim.engine().name());
        sim.step().unwrap();
        let after = numbers(&mut sim, Field::Potential(0))[cell];
        // Half a metre at 0.9 discomfort and 1.34 m/s costs about a third more.
        assert!(after > before + 0.25, "{}: {before} to {after}", sim.engine().name());
    }
}

#[test]
fn a_brush_outside_of_the_world_or_out_of_range_changes_nothing() {
    for mut sim in on_all(&scene()) {
        let before = sim.world().ground.clone();
        let edits = sim.edits();
        for bad in [(48 * 24, 0.5), (0, -0.1), (0, 0.99), (0, f32::NAN)] {
            assert!(!sim.paint_ground(&[(1, 0.5), bad]), "{bad:?}");
        }
        assert!(!sim.paint_walls(&[(0, true), (48 * 24, true)]));
        sim.settle();
        assert_eq!((sim.world().ground.clone(), sim.edits()), (before, edits));
        assert!(sim.world().walls.painted().iter().all(|p| !p));
    }
}

#[test]
fn painting_many_cells_is_painting_each() {
    for (mut all, mut one) in on_all(&scene()).into_iter().zip(on_all(&scene())) {
        let mut list: Vec<(u32, bool)> = (0..200).map(|k| (k * 37 % (48 * 24), k % 5 != 0)).collect();
        list.extend(cells(&all, 30, 2..20, true));
        let centres: Vec<(Vec2, bool)> =
            list.iter().map(|&(c, wall)| (all.scene().grid.centre_of(c as usize), wall)).collect();
        assert!(all.paint_walls(&list));
        assert!(centres.into_iter().all(|(at, wall)| one.paint_wall(at, wall)));
        all.settle();
        one.settle();
        assert_eq!(all.world().walls.flags(), one.world().walls.flags(), "{}", all.engine().name());
        assert_eq!(all.world().goals, one.world().goals);
        all.steps_by(5).unwrap();
        one.steps_by(5).unwrap();
        assert_eq!(all.state_hash().unwrap(), one.state_hash().unwrap(), "{}", all.engine().name());
    }
}

#[test]
fn a_painted_ground_is_resumed_to_the_bit_on_either_engine() {
    for (mut sim, mut rest) in on_all(&scene()).into_iter().zip(on_all(&scene())) {
        sim.steps_by(5).unwrap();
        let stripe = cells(&sim, 20, 3..21, 0.77);
        assert!(sim.paint_ground(&stripe) && sim.paint_walls(&cells(&sim, 34, 4..12, true)));
        sim.steps_by(5).unwrap();
        let saved = sim.save().unwrap();
        rest.resume(&saved).unwrap();
        assert_eq!(rest.world().ground, sim.world().ground);
        sim.steps_by(10).unwrap();
        rest.steps_by(10).unwrap();
        assert_eq!(sim.state_hash().unwrap(), rest.state_hash().unwrap(), "{}", sim.engine().name());
        for mut other in on_all(&scene()) {
            other.resume(&saved).unwrap();
            assert_eq!(other.save().unwrap(), saved, "from {} to {}", sim.engine().name(), other.engine().name());
        }
    }
}

#[test]
fn changes_are_counted_by_whoever_makes_them() {
    for mut sim in on_all(&scene()) {
        assert_eq!(sim.edits(), 0);
        sim.steps_by(12).unwrap();
        assert_eq!(sim.edits(), 1, "the event");
        assert!(sim.set_wall("gate", true) && sim.set_zone("mud", 0.9));
        assert!(!sim.set_wall("window", true));
        let saved = sim.save().unwrap();
        sim.resume(&saved).unwrap();
        assert_eq!(sim.edits(), 4);
    }
}

#[test]
fn buffers_add_up_to_what_is_held() {
    for sim in on_all(&scene()) {
        let each = sim.engine().buffers();
        assert!(each.iter().all(|(_, bytes)| *bytes > 0 || sim.engine().name() == "cpu"));
        let (held, listed): (u64, u64) =
            (sim.engine().memory().iter().map(|m| m.1).sum(), each.iter().map(|b| b.1).sum());
        assert!(listed >= held, "{}: {listed} of {held}", sim.engine().name());
    }
}

#[cfg(feature = "gpu")]
mod by_rounds {
    use super::*;
    use throng::engine::RoundReport;
    use throng::stages::potential::UNREACHED;

    /// One whole step, round by round; how many there were.
    fn step(sim: &mut Simulation) -> u32 {
        let mut last = 0;
        loop {
            let RoundReport { rounds, finished } = sim.step_round().unwrap().expect("the GPU's solver has rounds");
            assert!(rounds == last + 1 || (rounds == 0 && finished), "round {rounds} after {last}");
            assert_eq!(sim.engine().mid_step(), !finished);
            last = rounds;
            if finished {
                return rounds;
            }
        }
    }

    #[test]
    fn a_step_done_round_by_round_has_the_bits_of_a_plain_one() {
        for model in ["solver = \"buckets\"", "solver = \"selective\"", "solver = \"all\"", "plan = \"static\""] {
            let scene = Scene::parse("rounds.toml", &format!("{SCENE}[model]\n{model}\n"), &NoFiles).unwrap();
            let (mut plain, mut slow) = (on_gpu(&scene), on_gpu(&scene));
            for k in 0..20 {
                // Without a plan there is nothing to solve; the event makes one due.
                let plans = !model.contains("static") || [0, 10].contains(&plain.steps());
                plain.step().unwrap();
                let rounds = step(&mut slow);
                assert_eq!(slow.steps(), plain.steps());
                assert_eq!(rounds > 1, plans, "{model}: {rounds} rounds");
                if k % 7 == 0 {
                    slow.step().unwrap();
                    plain.step().unwrap();
                }
            }
            let of =
                |sim: &mut Simulation| (sim.state_hash().unwrap(), numbers(sim, Field::Potential(1)), sim.counters());
            assert_eq!(of(&mut plain), of(&mut slow), "{model}");
            assert_eq!(plain.save().unwrap(), slow.save().unwrap(), "{model}");
        }
    }

    #[test]
    fn each_round_reaches_farther_and_its_tiles_tell() {
        let mut sim = on_gpu(&scene());
        let mut reached = 0;
        let mut visits = 0;
        loop {
            let report = sim.step_round().unwrap().unwrap();
            let now = numbers(&mut sim, Field::Potential(0)).iter().filter(|p| **p < UNREACHED).count();
            let seen: u32 = sim.tiles(0).unwrap().iter().map(|t| t.visits).sum();
            assert!(now >= reached && seen >= visits, "round {}: {now} cells, {seen} visits", report.rounds);
            if report.rounds == 1 {
                assert!(now < 24 * 48 / 2, "after one round {now} cells are reached");
                assert!(sim.tiles(0).unwrap().iter().any(|t| t.waiting));
            }
            (reached, visits) = (now, seen);
            if report.finished {
                break;
            }
        }
        assert!(reached > 24 * 46, "{reached}");
        assert!(sim.tiles(0).unwrap().iter().all(|t| !t.waiting));
    }

    #[test]
    fn whatever_comes_in_between_finishes_the_step_first() {
        let meddlings: [fn(&mut Simulation); 6] = [
            |sim| assert!(sim.step().is_ok()),
            |sim| assert!(sim.paint_ground(&[(77, 0.0)])),
            |sim| assert!(sim.save().is_ok()),
            |sim| sim.engine_mut().keep_maps(true),
            |sim| sim.settle(),
            |sim| {
                let other = on_gpu(sim.scene()).save().unwrap();
                assert!(sim.resume(&other).is_ok());
                sim.step().unwrap();
            },
        ];
        let mut plain = on_gpu(&scene());
        plain.step().unwrap();
        let right = plain.state_hash().unwrap();
        for (k, meddle) in meddlings.into_iter().enumerate() {
            let mut sim = on_gpu(&scene());
            sim.step_round().unwrap();
            assert!(sim.engine().mid_step() && sim.steps() == 0);
            meddle(&mut sim);
            assert!(!sim.engine().mid_step() && sim.steps() == 1, "meddling {k}");
            assert_eq!(sim.state_hash().unwrap(), right, "meddling {k}");
        }
    }

    #[test]
    fn the_cpu_does_a_whole_step() {
        let mut sim = Simulation::new(&scene()).unwrap();
        assert_eq!(sim.step_round().unwrap(), None);
        assert_eq!(sim.steps(), 1);
    }
}

#[test]
fn a_wall_on_people_shows_them_aside_once_settled() {
    for mut sim in on_all(&scene()) {
        sim.add_wall(rect(4.0, 2.0, 9.0, 6.0)).unwrap();
        sim.settle();
        assert!(sim.world().walls.is_solid(8 * 48 + 12));
        let walls = sim.world().walls.clone();
        assert!(sim.positions().unwrap().iter().all(|(_, p)| !walls.contains(*p)), "{}", sim.engine().name());
    }
}

/// A group of so many, from the north-west to the door.
fn newcomers(count: u32) -> Group {
    Group::new("newcomers", count, vec![rect(1.0, 8.0, 6.0, 11.0)], vec![Leg { goal: 0, wait: 0.0 }])
}

/// The same with something else about them.
fn with(count: u32, change: impl FnOnce(&mut Group)) -> Group {
    let mut group = newcomers(count);
    change(&mut group);
    group
}

fn drop(sim: &mut Simulation, group: Group) -> Result<(), String> {
    sim.change_crowd(&CrowdChange::Drop(Box::new(group))).map_err(|e| e.to_string())
}

#[test]
fn a_dropped_group_walks_with_the_others_and_can_be_taken_back() {
    for mut sim in on_all(&scene()) {
        sim.steps_by(15).unwrap();
        let before = sim.counters();
        let others = sim.positions().unwrap();
        drop(&mut sim, newcomers(12)).unwrap();
        assert_eq!(sim.scene().groups.len(), 3);
        let c = sim.counters();
        assert_eq!((c.steps, c.active, c.goals_reached), (15, 52, before.goals_reached), "{}", sim.engine().name());
        let all = sim.positions().unwrap();
        assert_eq!(&all[..40], &others[..], "who was there stays where it is");
        assert_eq!(all[40..].iter().map(|(id, _)| *id).collect::<Vec<_>>(), (40..52).collect::<Vec<_>>());
        assert!(all[40..].iter().all(|(_, p)| p.x < 6.0 && p.y > 8.0));
        sim.steps_by(30).unwrap();
        let later = sim.positions().unwrap();
        let x = |list: &[(u32, Vec2)]| list.iter().map(|(_, p)| p.x).sum::<f32>() / list.len() as f32;
        assert!(x(&later[40..]) > x(&all[40..]) + 0.7, "{}: they walk east", sim.engine().name());
        sim.change_crowd(&CrowdChange::TakeBack).unwrap();
        assert_eq!(sim.positions().unwrap(), later[..40], "{}", sim.engine().name());
        assert_eq!((sim.counters().active, sim.counters().steps), (40, 45));
        assert!(sim.change_crowd(&CrowdChange::TakeBack).is_err(), "only what was dropped can be taken back");
        // Ids are never given again.
        drop(&mut sim, newcomers(3)).unwrap();
        let ids: Vec<u32> = sim.positions().unwrap().iter().map(|(id, _)| *id).collect();
        assert_eq!(ids[40..], [52, 53, 54]);
        sim.steps_by(5).unwrap();
        assert_eq!((sim.counters().in_wall, sim.counters().not_finite), (0, 0));
    }
}

#[test]
fn a_run_whose_crowd_has_changed_resumes_to_the_bit_with_its_scene() {
    for mut sim in on_all(&scene()) {
        let name = sim.engine().name();
        sim.steps_by(6).unwrap();
        let early = sim.save().unwrap();
        drop(&mut sim, with(9, |g| g.radius = Distribution::Uniform(0.15, 0.3))).unwrap();
        sim.change_crowd(&CrowdChange::Speed(0, Distribution::Uniform(1.0, 2.5))).unwrap();
        sim.add_wall(rect(8.0, 9.0, 8.5, 12.0)).unwrap();
        drop(&mut sim, newcomers(4)).unwrap();
        sim.change_crowd(&CrowdChange::TakeBack).unwrap();
        sim.steps_by(6).unwrap();
        let saved = sim.save().unwrap();
        assert!(sim.resume(&early).is_err(), "{name}: the scene is another one");
        let mut rest = on_all(sim.scene()).into_iter().find(|s| s.engine().name() == name).unwrap();
        rest.resume(&saved).unwrap();
        assert_eq!(rest.save().unwrap(), saved);
        sim.steps_by(12).unwrap();
        rest.steps_by(12).unwrap();
        assert_eq!(sim.state_hash().unwrap(), rest.state_hash().unwrap(), "{name}");
        assert_eq!(sim.counters(), rest.counters(), "{name}");
        for run in [&mut sim, &mut rest] {
            run.change_crowd(&CrowdChange::TakeBack).unwrap();
            drop(run, newcomers(2)).unwrap();
            assert!(run.positions().unwrap().iter().any(|(id, _)| *id == 54), "{name}: numbers go on");
            run.steps_by(3).unwrap();
        }
        assert_eq!(sim.state_hash().unwrap(), rest.state_hash().unwrap(), "{name}");
    }
}

#[cfg(feature = "gpu")]
#[test]
fn both_engines_place_newcomers_alike() {
    let mut runs = on_all(&scene());
    for sim in &mut runs {
        drop(sim, newcomers(20)).unwrap();
        drop(sim, with(5, |g| g.place = throng::scene::Place::Random)).unwrap();
    }
    let [a, b] = &mut runs[..] else { panic!("two engines") };
    assert_eq!(a.positions().unwrap(), b.positions().unwrap());
    assert_eq!(a.state_hash().unwrap(), b.state_hash().unwrap());
}

#[test]
fn what_no_scene_may_have_is_refused_and_changes_nothing() {
    for mut sim in on_all(&scene()) {
        sim.steps_by(3).unwrap();
        let before = (sim.state_hash().unwrap(), sim.edits(), sim.scene().clone());
        let leg = |goal| Leg { goal, wait: 0.0 };
        let bad = [
            (with(0, |g| g.count = 2000), "do not fit"),
            (with(1, |g| g.start = vec![rect(12.1, 1.0, 12.4, 4.0)]), "no room"),
            (with(1, |g| g.start = vec![rect(40.0, 1.0, 42.0, 4.0)]), "outside of the world"),
            (with(1, |g| g.journey = vec![leg(7)]), "goal"),
            (with(1, |g| g.journey = vec![leg(0), leg(0)]), "already stands"),
            (with(1, |g| g.journey = Vec::new()), "journey"),
            (with(1, |g| g.speed = Distribution::Constant(0.0)), "speed"),
            (with(1, |g| g.speed = Distribution::Constant(50.0)), "past a whole cell"),
            (with(1, |g| g.radius = Distribution::Constant(f32::NAN)), "not finite"),
            (with(1, |g| g.radius = Distribution::Uniform(0.4, 0.2)), "radius"),
            (with(0, |g| g.count = 1 << 27), "too many"),
            (with(1, |g| g.rate = Some(-1.0)), "rate"),
        ];
        for (group, word) in bad {
            let error = drop(&mut sim, group.clone()).expect_err(&format!("{group:?}"));
            assert!(error.contains(word), "{error:?} should speak of {word:?}");
        }
        for change in [
            CrowdChange::TakeBack,
            CrowdChange::Speed(2, Distribution::Constant(1.0)),
            CrowdChange::Speed(0, Distribution::Constant(1000.0)),
            CrowdChange::Arrive(9, Arrive::Park),
            CrowdChange::Arrive(0, Arrive::Next),
        ] {
            assert!(sim.change_crowd(&change).is_err(), "{change:?}");
        }
        assert_eq!((sim.state_hash().unwrap(), sim.edits(), sim.scene().clone()), before, "{}", sim.engine().name());
        // Walls that came during the run count.
        sim.add_wall(rect(0.0, 7.0, 12.0, 7.5)).unwrap();
        let error = drop(&mut sim, newcomers(2)).unwrap_err();
        assert!(error.contains("cannot reach"), "{error}");
    }
}

#[test]
fn new_speeds_are_drawn_as_at_creation() {
    let speed = Distribution::Uniform(0.6, 0.9);
    let mut text = SCENE.replace("count = 30\n", "count = 30\nspeed = { uniform = [0.6, 0.9] }\n");
    text.push('\n');
    let from_start = Simulation::new(&Scene::parse("slow.toml", &text, &NoFiles).unwrap()).unwrap().agents().unwrap();
    for mut sim in on_all(&scene()) {
        sim.steps_by(4).unwrap();
        sim.change_crowd(&CrowdChange::Speed(0, speed)).unwrap();
        let agents = sim.agents().unwrap();
        for i in 0..agents.len() {
            let k = from_start.id.iter().position(|id| *id == agents.id[i]).unwrap();
            assert_eq!(agents.preferred[i], from_start.preferred[k], "{} of {}", agents.id[i], sim.engine().name());
        }
        sim.steps_by(2).unwrap();
    }
}

#[test]
fn who_arrives_after_a_change_does_what_the_group_does_now() {
    let text = SCENE.replace("rect = [4, 2, 9, 10]", "rect = [20, 2, 22, 10]");
    let scene = Scene::parse("near.toml", &text, &NoFiles).unwrap();
    for mut sim in on_all(&scene) {
        let name = sim.engine().name();
        sim.change_crowd(&CrowdChange::Arrive(0, Arrive::Respawn)).unwrap();
        sim.steps_by(150).unwrap();
        let c = sim.counters();
        assert!(c.arrived > 0 && c.parked == 0 && c.entered > 0, "{name}: {c:?}");
        sim.change_crowd(&CrowdChange::Arrive(0, Arrive::Park)).unwrap();
        sim.steps_by(400).unwrap();
        let c = sim.counters();
        assert_eq!((c.parked, c.outside), (30, 0), "{name}: whoever was outside came in once more");
    }
}

#[test]
fn who_waits_at_the_last_goal_begins_again_where_the_group_now_does() {
    let text = SCENE.replace(
        "journey = [\"west\", \"door\"]\narrive = \"next\"",
        "journey = [\"west\", { goal = \"door\", wait = 5 }]",
    );
    let text = text.replace("rect = [15, 2, 20, 10]", "rect = [0, 2, 2, 10]");
    let text = text.replace("rect = [0, 5, 1, 7]", "rect = [0, 0, 24, 12]");
    let scene = Scene::parse("waits.toml", &text, &NoFiles).unwrap_or_else(|e| panic!("{e:?}"));
    for mut sim in on_all(&scene) {
        let name = sim.engine().name();
        let waits_at_the_end = |sim: &mut Simulation| {
            let a = sim.agents().unwrap();
            (0..a.len()).filter(|&i| a.group[i] == 1 && a.leg[i] == 2 && a.state[i] == State::Waiting).count()
        };
        while waits_at_the_end(&mut sim) == 0 {
            sim.steps_by(10).unwrap();
            assert!(sim.time() < 60.0, "{name}");
        }
        sim.change_crowd(&CrowdChange::Arrive(1, Arrive::Next)).unwrap();
        assert_eq!(waits_at_the_end(&mut sim), 0);
        let (outside, parked) = (sim.counters().outside, sim.counters().parked);
        sim.steps_by(200).unwrap();
        assert_eq!(sim.counters().outside, outside, "{name}: nobody respawns");
        assert!(sim.counters().parked <= parked + 30, "{name}: the others may leave");
    }
}

#[test]
fn a_source_dropped_late_lets_in_at_its_rate_from_then_on() {
    for mut sim in on_all(&scene()) {
        sim.steps_by(100).unwrap();
        let group = with(50, |g| g.rate = Some(2.0));
        drop(&mut sim, group).unwrap();
        assert_eq!(sim.counters().outside, 50);
        sim.steps_by(50).unwrap();
        // Two seconds, two a second.
        let entered = sim.counters().entered;
        assert!((3..=5).contains(&entered), "{}: {entered}", sim.engine().name());
    }
}

#[test]
fn a_delay_of_newcomers_counts_from_when_they_come() {
    for mut sim in on_all(&scene()) {
        sim.steps_by(50).unwrap();
        let before = sim.edits();
        drop(&mut sim, with(5, |g| g.delay = Distribution::Constant(1.0))).unwrap();
        assert_eq!(sim.edits(), before + 1);
        sim.steps_by(24).unwrap();
        let waiting =
            |sim: &mut Simulation| sim.agents().unwrap().state.iter().filter(|s| **s == State::Waiting).count();
        assert_eq!(waiting(&mut sim), 5, "{}", sim.engine().name());
        sim.steps_by(2).unwrap();
        assert_eq!(waiting(&mut sim), 0, "{}", sim.engine().name());
    }
}

#[test]
fn an_answer_under_way_is_of_the_crowd_it_was_asked_of() {
    use throng::engine::{Answer, Request};
    for mut sim in on_all(&scene()) {
        let ticket = sim.engine_mut().request(Request::Agents);
        drop(&mut sim, newcomers(5)).unwrap();
        let answer = loop {
            if let Some(answer) = sim.engine_mut().poll(ticket).unwrap() {
                break answer;
            }
        };
        let Answer::Agents(agents) = answer else { panic!("agents were asked for") };
        assert_eq!(agents.len(), 40, "{}", sim.engine().name());
    }
}

#[test]
fn everybody_can_be_taken_off_an_empty_page() {
    let text = "size = [24, 12]\n[[goal]]\nname = \"door\"\nrect = [23, 5, 24, 7]\n";
    let scene = Scene::parse("page.toml", text, &NoFiles).unwrap();
    for mut sim in on_all(&scene) {
        drop(&mut sim, newcomers(7)).unwrap();
        sim.steps_by(5).unwrap();
        assert_eq!(sim.positions().unwrap().len(), 7);
        sim.change_crowd(&CrowdChange::TakeBack).unwrap();
        sim.steps_by(2).unwrap();
        assert_eq!((sim.positions().unwrap().len(), sim.counters().active), (0, 0), "{}", sim.engine().name());
    }
}

#[test]
fn fields_stay_those_of_the_last_step_when_the_crowd_changes() {
    let scene = scene();
    for mut sim in on_all(&scene) {
        sim.steps_by(3).unwrap();
        let fields = [Field::Potential(0), Field::Persons, Field::Speed(throng::engine::Direction::East)];
        let before = fields.map(|f| sim.field(f).unwrap());
        drop(&mut sim, newcomers(5)).unwrap();
        assert!(fields.map(|f| sim.field(f).unwrap()) == before, "{}", sim.engine().name());
        sim.steps_by(2).unwrap();
        assert!(sim.field(Field::Persons).unwrap() != before[1], "and then they are of the new one");
    }
}
