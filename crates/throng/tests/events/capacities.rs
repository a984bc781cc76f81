//! Goals that hold only so many.

use super::engines::ENGINES;
use super::{assert_reads_back, assert_resumes, everybody, read, run_until};
use throng::geometry::{Rect, Shape};
use throng::world::agents::Agents;
use throng::{Simulation, Vec2};

fn agents(sim: &mut Simulation) -> Agents {
    sim.agents().expect("the engine does not fail")
}

/// Thirty people, and a shelter with room for so many.
fn shelter(more: &str) -> String {
    format!(
        r#"
size = [16, 10]
cell = 0.5
dt = 0.1
[[goal]]
name = "shelter"
{more}
[[agents]]
count = 30
start = {{ rect = [1, 1, 9, 9] }}
speed = {{ uniform = [1.0, 1.5] }}
[model]
steer = "walk"
"#
    )
}

#[test]
fn a_goal_never_takes_one_more_than_it_holds() {
    // All are next to it, or on it already: many want in in the same step.
    let [far, near] = ["[1, 1, 9, 9]", "[10, 1, 15.5, 9]"];
    for (capacity, start, steps) in [(7, far, 140), (1, near, 60), (29, near, 60), (31, near, 60)] {
        let text = shelter(&format!("rect = [12, 2, 16, 8]\ncapacity = {capacity}")).replace("[1, 1, 9, 9]", start);
        for make in ENGINES {
            let mut sim = make(&read(&text));
            let name = sim.engine().name();
            for _ in 0..steps {
                sim.step().unwrap();
                let parked = sim.counters().parked;
                assert!(parked <= capacity, "{name}: {parked} in a shelter for {capacity}");
                assert_eq!(parked, u64::from(sim.in_goals().unwrap()[0].whole.people), "{name}");
            }
            assert_eq!(sim.counters().parked, capacity.min(30), "{name}: it fills up");
            let shelter = Shape::Rect(Rect::new(Vec2::new(12.0, 2.0), Vec2::new(16.0, 8.0)));
            let left = everybody(&mut sim);
            let left: Vec<Vec2> = left.into_iter().filter(|(s, _)| s.on_floor()).map(|(_, p)| p).collect();
            assert!(!left.iter().any(|p| shelter.contains(*p)), "{name}: the others are not in it: {left:?}");
        }
    }
}

#[test]
fn people_go_to_the_shapes_that_have_room_and_to_each_as_many_as_it_holds() {
    // The first is much nearer.
    let text = shelter(
        "shapes = [{ rect = [10, 4, 12, 6], capacity = 4 }, { rect = [14, 0, 16, 2], capacity = 9 }, { rect = [14, 8, 16, 10] }]\ncapacity = 25",
    );
    let scene = read(&text);
    assert_reads_back(&scene);
    for make in ENGINES {
        let mut sim = make(&scene);
        let name = sim.engine().name();
        for _ in 0..240 {
            sim.step().unwrap();
            let all = &sim.in_goals().unwrap()[0];
            assert!(
                all.whole.people <= 25 && all.shapes[0].people <= 4 && all.shapes[1].people <= 9,
                "{name}: {all:?}"
            );
        }
        let all = sim.in_goals().unwrap()[0].clone();
        assert_eq!((all.whole.people, sim.counters().parked), (25, 25), "{name}: {all:?}");
        assert_eq!(all.shapes[0].people, 4, "{name}: {all:?}");
        // By an independent count: who is counted in which shape, from everybody's own column.
        let crowd = agents(&mut sim);
        let in_shape =
            |k: usize| (0..crowd.len()).filter(|&i| crowd.room(i).is_some_and(|r| r.shape == k)).count() as u32;
        assert_eq!([in_shape(0), in_shape(1)], [all.shapes[0].people, all.shapes[1].people], "{name}");
        assert_eq!(in_shape(0) + in_shape(1) + in_shape(2), 25, "{name}");
        assert!(in_shape(2) > 0, "{name}: a shape without a capacity of its own takes the rest");
    }
}

/// A waiting room for four; those in it leave when they have waited, and others come in.
const WAITING_ROOM: &str = r#"
size = [12, 6]
cell = 0.5
dt = 0.1
[[goal]]
name = "room"
rect = [5, 1, 8, 5]
capacity = 4
[[goal]]
name = "out"
rect = [11, 0, 12, 6]
[[agents]]
count = 9
start = { rect = [0.5, 0.5, 4, 5.5] }
speed = { uniform = [1.0, 1.4] }
journey = [{ goal = "room", wait = 2 }, "out"]
[model]
steer = "walk"
"#;

/// Who waits inside: nobody in this scene waits anywhere else.
fn waiting(sim: &mut Simulation) -> u32 {
    everybody(sim).iter().filter(|(state, _)| state.waits()).count() as u32
}

#[test]
fn who_leaves_a_goal_makes_room_for_the_next() {
    let scene = read(WAITING_ROOM);
    for make in ENGINES {
        let mut sim = make(&scene);
        let name = sim.engine().name();
        let mut most = 0;
        for _ in 0..250 {
            sim.step().unwrap();
            let people = sim.in_goals().unwrap()[0].whole.people;
            // Counted at the end of a step: whose wait is over walks by then.
            assert_eq!(people, waiting(&mut sim), "{name}");
            assert!(people <= 4, "{name}: {people} wait in a room for four");
            most = most.max(people);
        }
        assert_eq!(most, 4, "{name}");
        assert_eq!(sim.counters().arrived, 9, "{name}: in the end all have been there and left");
        assert_eq!(sim.in_goals().unwrap()[0].whole.people, 0, "{name}");
    }
}

#[test]
fn full_goals_go_on_with_the_same_bits_after_a_resume() {
    let shapes = shelter("shapes = [{ rect = [10, 4, 12, 6], capacity = 4 }, { rect = [14, 0, 16, 2], capacity = 9 }]");
    for text in [WAITING_ROOM, &shapes] {
        let scene = read(text);
        for make in ENGINES {
            assert_resumes(make, &scene, &[39, 40, 41, 47], 14);
        }
    }
}

#[test]
fn a_run_with_full_goals_goes_on_on_another_engine() {
    let scene = read(WAITING_ROOM);
    let mut first = ENGINES[0](&scene);
    run_until(&mut first, 4.2);
    let bytes = first.save().unwrap();
    for make in ENGINES {
        let mut sim = make(&scene);
        sim.resume(&bytes).unwrap();
        assert_eq!(sim.in_goals().unwrap(), first.in_goals().unwrap());
        run_until(&mut sim, 25.0);
        assert_eq!(sim.counters().arrived, 9, "{}", sim.engine().name());
    }
}

#[test]
fn a_limited_goal_that_moves_keeps_its_capacity_and_who_is_in_it() {
    let scene = read(&shelter("rect = [12, 2, 16, 8]\ncapacity = 20"));
    for make in ENGINES {
        let mut sim = make(&scene);
        let name = sim.engine().name();
        while sim.counters().parked < 5 {
            sim.step().unwrap();
        }
        let before = sim.in_goals().unwrap()[0].whole.people;
        let west = Rect::new(Vec2::new(0.0, 0.0), Vec2::new(1.0, 10.0));
        assert!(sim.move_goal("shelter", vec![Shape::Rect(west)]).unwrap());
        assert_eq!(sim.in_goals().unwrap()[0].whole.people, before, "{name}");
        run_until(&mut sim, 30.0);
        assert_eq!(sim.counters().parked, 20, "{name}: as many as it holds, in both places together");
    }
}

#[test]
fn a_full_goal_that_is_only_passed_is_passed_when_there_is_room() {
    // Six stay for good in a room for six; three others only pass through, and have to wait outside for ever.
    let text = WAITING_ROOM
        .replace("capacity = 4", "capacity = 6")
        .replace("count = 9", "count = 6")
        .replace("journey = [{ goal = \"room\", wait = 2 }, \"out\"]", "journey = [\"room\"]")
        + "[[agents]]\nname = \"passing\"\ncount = 3\nstart = { rect = [0.3, 0.3, 1.2, 5.7] }\nspeed = 0.5\njourney = [\"room\", \"out\"]\n";
    for make in ENGINES {
        let mut sim = make(&read(&text));
        run_until(&mut sim, 20.0);
        assert_eq!((sim.counters().parked, sim.counters().goals_reached), (6, 6), "{}", sim.engine().name());
    }
}

#[test]
fn a_snapshot_with_more_people_in_a_goal_than_it_holds_is_refused() {
    let four = read(WAITING_ROOM);
    let mut sim = ENGINES[0](&four);
    while sim.in_goals().unwrap()[0].whole.people < 4 {
        sim.step().unwrap();
    }
    let bytes = sim.engine_mut().save().unwrap();
    // The state alone, given to a run whose room is smaller.
    let mut three = ENGINES[0](&read(&WAITING_ROOM.replace("capacity = 4", "capacity = 3")));
    let error = three.engine_mut().restore(&bytes).unwrap_err();
    assert!(error.to_string().contains("more people in a goal than it holds"), "{error}");
}
