//! States and goals: arriving, standing at a place, goals that fill.

use super::{ENDS, count, one, runs, scene};
use throng::world::agents::State;

#[test]
fn who_walks_to_a_goal_stands_there_and_goes_on_by_what_the_machine_says() {
    let machine = "[[state]]\nname = \"first\"\ngoal = \"east\"\n[[state.then]]\nto = \"work\"\n[[state]]\nname = \"work\"\nseconds = 2\nat = \"east\"\n[[state.then]]\nto = \"back\"\n\
                   [[state]]\nname = \"back\"\ngoal = \"west\"\n";
    for mut sim in runs(&one(machine)) {
        let name = sim.engine().name();
        let mut seen = Vec::new();
        while sim.time() < 25.0 {
            sim.step().expect("a step");
            let state = sim.states().expect("people")[0].state;
            if seen.last().map(|(s, _)| *s) != Some(state) {
                seen.push((state, sim.time()));
            }
        }
        assert_eq!(seen.iter().map(|(s, _)| *s).collect::<Vec<_>>(), [0, 1, 2], "{name}");
        // About 4 m at 1 m/s, then 2 s.
        assert!((2.8..5.5).contains(&seen[1].1), "{name}: {seen:?}");
        assert!((seen[2].1 - seen[1].1 - 2.0).abs() < 1e-4, "{name}: {seen:?}");
        let agents = sim.agents().expect("people");
        // The last state has no way out: it stays in the west for good.
        assert_eq!(agents.state[0], State::Staying, "{name}");
        assert!(agents.position[0].x < 1.5, "{name}: {}", agents.position[0]);
        assert_eq!(sim.counters().goals_reached, 2, "{name}");
    }
}

#[test]
fn each_has_arrived_within_a_goal_distance_of_its_own() {
    let text = format!(
        "{ENDS}[[agents]]\ncount = 12\nstart = {{ rect = [1.5, 0.5, 4, 3.5] }}\nspeed = 1.0\nstate = \"walk\"\ngoal_distance = {{ uniform = [0.5, 3] }}\n\
         [[state]]\nname = \"walk\"\ngoal = \"east\"\n[[state.then]]\nto = \"there\"\n[[state]]\nname = \"there\"\nseconds = 100\n[[state.then]]\nto = \"walk\"\n"
    );
    for mut sim in runs(&scene(&text)) {
        let name = sim.engine().name();
        let mut at: Vec<Option<f32>> = vec![None; 12];
        while sim.time() < 9.0 {
            sim.step().expect("a step");
            for (one, (_, p)) in sim.states().expect("people").iter().zip(sim.positions().expect("people")) {
                if one.state == 1 {
                    at[one.id as usize].get_or_insert(9.0 - p.x);
                }
            }
        }
        let mut distances: Vec<f32> =
            at.into_iter().map(|d| d.unwrap_or_else(|| panic!("{name}: somebody has not arrived"))).collect();
        distances.sort_by(f32::total_cmp);
        assert!(distances[0] > 0.35 && distances[11] <= 3.0, "{name}: {distances:?}");
        assert!(distances[11] - distances[0] > 1.0, "{name}: {distances:?}");
    }
}

#[test]
fn a_goal_distance_does_not_reach_through_walls() {
    let machine = "[[state]]\nname = \"first\"\ngoal = \"east\"\n";
    let text = one(machine)
        .source()
        .text
        .replace("[model]", "[map]\nwalls = [{ rect = [7.9, 0, 8.1, 3] }]\n[model]")
        .replace("state =", "goal_distance = 3\nstate =");
    for mut sim in runs(&scene(&text)) {
        let name = sim.engine().name();
        while sim.counters().goals_reached == 0 && sim.time() < 12.0 {
            sim.step().expect("a step");
        }
        let p = sim.positions().expect("people")[0].1;
        // It sees the goal, beyond the wall, only when it comes to the gap.
        assert!(sim.counters().goals_reached == 1 && p.y > 2.0 && p.x < 9.0, "{name}: {p}");
    }
}

#[test]
fn a_state_at_a_goal_counts_in_its_capacity_until_it_is_over() {
    let text = "size = [12, 6]\ndt = 0.05\n[[goal]]\nname = \"patch\"\nrect = [8, 1, 11, 5]\ncapacity = 3\n[[goal]]\nname = \"camp\"\nrect = [0, 0, 1, 6]\n\
                [[agents]]\ncount = 8\nstart = { rect = [2, 1, 6, 5] }\nspeed = 1.3\nstate = \"hungry\"\n\
                [[state]]\nname = \"hungry\"\ngoal = \"patch\"\n[[state.then]]\nto = \"eat\"\n[[state]]\nname = \"eat\"\nseconds = 3\nat = \"patch\"\n[[state.then]]\nto = \"home\"\n\
                [[state]]\nname = \"home\"\ngoal = \"camp\"\n[model]\nplan = \"static\"\n";
    for mut sim in runs(&scene(text)) {
        let name = sim.engine().name();
        let mut most = 0;
        while sim.time() < 36.0 {
            sim.steps_by(6).expect("steps");
            let eating = count(&mut sim, "eat");
            assert!(eating <= 3, "{name}: {eating} eat where there is room for 3");
            let inside = sim.in_goals().expect("counts")[0].whole.people;
            assert!(inside <= 3 && inside >= eating, "{name}: {inside} are counted, {eating} eat");
            most = most.max(eating);
        }
        assert_eq!((most, count(&mut sim, "home")), (3, 8), "{name}: all have eaten");
    }
}

/// Three patches for sixty each, of which one is nearest to all: people share them, nobody stands on another, and all get out again.
#[test]
fn people_share_goals_that_fill_and_leave_packed_ones() {
    let patches = "shapes = [{ rect = [13, 8, 19, 14], capacity = 60 }, { rect = [13, 0.5, 19, 6.5], capacity = 60 }, { rect = [13, 15.5, 19, 21.5], capacity = 60 }]";
    let text = |crowding: f32, count: u32| {
        format!(
            "size = [26, 22]\ncell = 0.5\ndt = 0.05\n[[goal]]\nname = \"patches\"\n{patches}\n[[goal]]\nname = \"camp\"\nrect = [24, 0, 26, 22]\n\
             [[agents]]\ncount = {count}\nstart = {{ rect = [1, 5, 10, 17] }}\nstate = \"hungry\"\n\
             [[state]]\nname = \"hungry\"\ngoal = \"patches\"\n[[state.then]]\nto = \"eat\"\n[[state]]\nname = \"eat\"\nseconds = 25\nat = \"patches\"\n[[state.then]]\nto = \"home\"\n\
             [[state]]\nname = \"home\"\ngoal = \"camp\"\n[model]\ngoal_crowding = {crowding}\nplan_every = 5\n"
        )
    };
    let shares = |sim: &mut throng::Simulation| {
        sim.in_goals().expect("counts")[0].shapes.iter().map(|s| s.people).collect::<Vec<_>>()
    };
    // 200 and room for 180.
    let mut sim = throng::Simulation::with_threads(&scene(&text(4.0, 200)), 2).expect("they fit");
    let mut most = vec![0; 3];
    while sim.time() < 30.0 {
        sim.step().expect("a step");
        for (most, now) in most.iter_mut().zip(shares(&mut sim)) {
            assert!(now <= 60, "{now} in a patch for 60");
            *most = now.max(*most);
        }
    }
    assert!(most.iter().all(|n| *n >= 40), "all three are used: {most:?}");
    let counters = sim.counters();
    assert!(counters.density_max < 7.0 && counters.overlap.mean < 0.05, "{counters:?}");
    while sim.time() < 120.0 {
        sim.step().expect("a step");
    }
    assert_eq!(count(&mut sim, "home"), 200, "everybody has eaten and got out");
    // With room enough for all in the nearest: they spread only where crowding counts.
    let mut used = [0.0, 8.0].map(|crowding| {
        let mut sim = throng::Simulation::with_threads(&scene(&text(crowding, 60)), 2).expect("they fit");
        while sim.time() < 24.0 {
            sim.step().expect("a step");
        }
        shares(&mut sim)
    });
    used.iter_mut().for_each(|shares| shares.sort_unstable());
    assert!(used[1][2] + 6 < used[0][2], "without and with crowding: {used:?}");
}

#[cfg(feature = "gpu")]
#[test]
fn crowded_goals_cost_the_same_on_both_engines() {
    use throng::engine::{Direction, Field, Values};
    let text = "size = [12, 8]\ndt = 0.05\n[[goal]]\nname = \"patch\"\nrect = [7, 3, 9, 5]\n[[agents]]\ncount = 20\nstart = { rect = [6.5, 2.5, 9.5, 5.5] }\nstate = \"stand\"\n\
                [[state]]\nname = \"stand\"\nseconds = 100\n[[state.then]]\nto = \"stand\"\n[model]\ngoal_crowding = 3\n";
    let costs: Vec<Vec<f32>> = [0.0, 3.0]
        .into_iter()
        .flat_map(|crowding| runs(&scene(&text.replace("goal_crowding = 3", &format!("goal_crowding = {crowding}")))))
        .map(|mut sim| {
            sim.step().expect("a step");
            let Values::Scalar(costs) = sim.field(Field::Cost(Direction::East)).expect("a field") else {
                panic!("a number per cell")
            };
            costs
        })
        .collect();
    let [plain, _, crowded, on_gpu] = &costs[..] else { panic!("two engines") };
    let mut dearer = 0;
    for cell in 0..plain.len() {
        let far = (plain[cell] - crowded[cell]).abs();
        let relative = (on_gpu[cell] - crowded[cell]).abs() / crowded[cell];
        assert!(relative < 1e-3, "cell {cell}: {} on the GPU, {} on the CPU", on_gpu[cell], crowded[cell]);
        dearer += u32::from(crowded[cell] < 1e14 && far > 1.0);
        let (x, y) = (0.25 + 0.5 * (cell % 24) as f32, 0.25 + 0.5 * (cell / 24) as f32);
        let in_goal = (7.0..9.0).contains(&x) && (3.0..5.0).contains(&y);
        let beyond = (7.0 - x).max(x - 9.0).max(3.0 - y).max(y - 5.0) > 2.0;
        assert!(far < 1e-4 || !(in_goal || beyond), "cell {cell} at {x}, {y} costs {far} more");
    }
    assert!(dearer > 60, "{dearer} cells around the patch cost more");
}
