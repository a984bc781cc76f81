//! Groups that are dropped, taken back and changed.

use super::*;

/// A group of so many, from the north-west to the door.
fn newcomers(count: u32) -> Group {
    Group::new("newcomers", count, vec![rect(1.0, 8.0, 6.0, 11.0)], vec![Leg::to_goal(0)])
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

#[test]
fn newcomers_stand_clear_of_who_is_there() {
    for mut sim in on_all(&scene()) {
        sim.steps_by(15).unwrap();
        for _ in 0..3 {
            // Into the middle of the guests.
            drop(&mut sim, with(15, |g| g.start = vec![rect(2.0, 2.0, 11.0, 10.0)])).unwrap();
            let agents = sim.agents().unwrap();
            let floor: Vec<usize> = (0..agents.len()).filter(|&i| agents.state[i].on_floor()).collect();
            let newest = sim.scene().groups.len() as u16 - 1;
            for &i in floor.iter().filter(|&&i| agents.group[i] == newest) {
                for &j in floor.iter().filter(|&&j| j != i) {
                    let gap = agents.position[i].distance(agents.position[j]) - agents.radius[i] - agents.radius[j];
                    assert!(gap >= -1e-4, "{}: {i} and {j} overlap by {}", sim.engine().name(), -gap);
                }
            }
        }
        let full = with(900, |g| g.start = vec![rect(1.0, 1.0, 11.0, 11.0)]);
        assert!(drop(&mut sim, full).is_err(), "there is no room between them");
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
        let leg = Leg::to_goal;
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
            (0..a.len()).filter(|&i| a.group[i] == 1 && a.leg[i] == 2 && a.state[i].waits()).count()
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
        let waiting = |sim: &mut Simulation| sim.agents().unwrap().state.iter().filter(|s| s.waits()).count();
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
