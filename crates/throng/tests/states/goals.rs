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
        let mut distances: Vec<f32> = at.into_iter().map(|d| d.unwrap_or_else(|| panic!("{name}: somebody has not arrived"))).collect();
        distances.sort_by(f32::total_cmp);
        assert!(distances[0] > 0.35 && distances[11] <= 3.0, "{name}: {distances:?}");
        assert!(distances[11] - distances[0] > 1.0, "{name}: {distances:?}");
    }
}

#[test]
fn a_goal_distance_does_not_reach_through_walls() {
    let machine = "[[state]]\nname = \"first\"\ngoal = \"east\"\n";
    let text = one(machine).source().text.replace("[model]", "[map]\nwalls = [{ rect = [7.9, 0, 8.1, 3] }]\n[model]").replace("state =", "goal_distance = 3\nstate =");
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
                [[state]]\nname = \"hungry\"\ngoal = \"patch\"\n[[state.then]]\nto = \"eat\"\n[[state]]\nname = \"eat\"\nseconds = 4\nat = \"patch\"\n[[state.then]]\nto = \"home\"\n\
                [[state]]\nname = \"home\"\ngoal = \"camp\"\n[model]\nplan = \"static\"\n";
    for mut sim in runs(&scene(text)) {
        let name = sim.engine().name();
        let mut most = 0;
        while sim.time() < 45.0 {
            sim.step().expect("a step");
            let eating = count(&mut sim, "eat");
            assert!(eating <= 3, "{name}: {eating} eat where there is room for 3");
            let inside = sim.in_goals().expect("counts")[0].whole.people;
            assert!(inside <= 3 && inside >= eating, "{name}: {inside} are counted, {eating} eat");
            most = most.max(eating);
        }
        assert_eq!((most, count(&mut sim, "home")), (3, 8), "{name}: all have eaten");
    }
}
