//! What the paper says gets stuck, and what brings it on again.

use super::{STEERINGS, head, scene, watch, with_seed};
use throng::Simulation;

#[test]
fn two_meet_head_on_in_a_corridor_of_three_bodies() {
    for steer in STEERINGS {
        for seed in 1..=4 {
            let mut text = with_seed(&head([14.0, 3.0], steer), seed).replace("cell = 0.5", "cell = 0.25");
            text += "[map]\nwalls = [{ rect = [0, 0, 14, 0.9] }, { rect = [0, 2.1, 14, 3] }]\n";
            for (k, goal, start) in
                [(0, "13.5, 0, 14, 3", "1, 1.3, 1.5, 1.7"), (1, "0, 0, 0.5, 3", "12.5, 1.3, 13, 1.7")]
            {
                text += &format!(
                    "[[goal]]\nname = \"g{k}\"\nrect = [{goal}]\n[[agents]]\ncount = 1\nstart = {{ rect = [{start}] }}\nradius = 0.2\n\
                     speed = 1.34\njourney = [\"g{k}\"]\n"
                );
            }
            let shown = watch(Simulation::with_threads(&scene(&text), 1).unwrap(), 30.0, steer);
            assert!(shown.slowest < 1.5 && shown.deepest < 0.05, "{steer}, seed {seed}: {}", shown.slowest);
        }
    }
}

/// Everybody goes to a goal of one square metre, and from there out through those who still come.
#[test]
fn people_leave_a_goal_that_others_press_into() {
    for steer in STEERINGS {
        let text = head([20.0, 20.0], steer)
            + "[[goal]]\nname = \"mushrooms\"\nrect = [9.5, 9.5, 10.5, 10.5]\n[[goal]]\nname = \"rim\"\n\
               shapes = [{ rect = [0, 0, 20, 1] }, { rect = [0, 19, 20, 20] }]\n\
               [[agents]]\ncount = 100\nstart = { rect = [4, 4, 16, 16] }\nradius = 0.2\njourney = [\"mushrooms\", \"rim\"]\n";
        for seed in 1..=4 {
            let run = Simulation::with_threads(&scene(&with_seed(&text, seed)), 2).unwrap();
            let shown = watch(run, 200.0, &format!("{steer}, seed {seed}"));
            assert!(shown.deepest < 0.05, "{steer}, seed {seed}: two overlap by {}", shown.deepest);
        }
    }
}

/// Somebody in the middle of a packed crowd that stands for good.
fn packed(patience: f32) -> Simulation {
    let text = head([12.0, 12.0], "velocity-obstacle")
        + &format!("[model.velocity-obstacle]\npatience = {patience}\n")
        + "[[goal]]\nrect = [11, 0, 12, 12]\n[[agents]]\ncount = 1\nstart = { circle = [5.25, 6, 0.26] }\nradius = 0.2\nspeed = 1.34\n\
           [[agents]]\ncount = 125\nstart = { rect = [3, 3.5, 8, 8.5] }\nradius = 0.2\ndelay = 10000\n";
    Simulation::with_threads(&scene(&text), 1).unwrap()
}

#[test]
fn who_is_shut_in_by_people_who_stand_pushes_its_way_out() {
    let arrived_after = |patience: f32| {
        let mut run = packed(patience);
        run.steps_by(1500).unwrap();
        let c = run.counters();
        assert!(c.overlap.max < 0.05, "two overlap by {}", c.overlap.max);
        c.arrived
    };
    assert_eq!(arrived_after(1.5), 1);
    assert_eq!(arrived_after(1000.0), 0, "with endless patience it would get out as well: the test says nothing");
}

/// Two crowds who change rooms through a door of 1 m, in which two fit side by side.
fn through_a_door(steer: &str, more: &str, seed: u32) -> Simulation {
    let mut text = head([16.0, 8.0], steer).replace("cell = 0.5", "cell = 0.25")
        + more
        + "[map]\nwalls = [{ rect = [7.9, 0, 8.1, 3.5] }, { rect = [7.9, 4.5, 8.1, 8] }]\n";
    for (k, goal, start) in [(0, "15, 0, 16, 8", "1.5, 1, 7, 7"), (1, "0, 0, 1, 8", "9, 1, 14.5, 7")] {
        text += &format!(
            "[[goal]]\nname = \"g{k}\"\nrect = [{goal}]\n[[agents]]\ncount = 40\nstart = {{ rect = [{start}] }}\nradius = 0.2\n\
             journey = [\"g{k}\"]\n"
        );
    }
    Simulation::with_threads(&scene(&with_seed(&text, seed)), 2).unwrap()
}

#[test]
fn two_crowds_change_rooms_through_a_door_because_some_give_way() {
    for steer in STEERINGS {
        for seed in 1..=4 {
            let shown = watch(through_a_door(steer, "", seed), 250.0, &format!("{steer}, seed {seed}"));
            assert!(shown.deepest < 0.06, "{steer}, seed {seed}: two overlap by {}", shown.deepest);
        }
        let mut endless = through_a_door(steer, &format!("[model.{steer}]\npatience = 1000\n"), 1);
        endless.steps_by(6250).unwrap();
        let arrived = endless.counters().arrived;
        assert!(arrived < 80, "{steer}: with endless patience they would pass as well: the test says nothing");
    }
}

/// Giving way ends with what it was for: a crowd that goes one way does not stand about.
#[test]
fn nobody_gives_way_for_ever_where_all_go_the_same_way() {
    for steer in STEERINGS {
        for seed in 1..=3 {
            // Where the plan follows the crowd: with a static one velocity obstacles take minutes there, with any patience.
            let text = head([15.0, 8.0], steer).replace("static", "continuum").replace("cell = 0.5", "cell = 0.25")
                + "[map]\nwalls = [{ rect = [10, 0, 10.2, 3] }, { rect = [10, 5, 10.2, 8] }]\n[[goal]]\nrect = [14, 0, 15, 8]\n\
                   [[agents]]\ncount = 150\nstart = { rect = [0.5, 0.5, 9, 7.5] }\nradius = 0.2\n";
            let run = Simulation::with_threads(&scene(&with_seed(&text, seed)), 2).unwrap();
            watch(run, 90.0, &format!("{steer}, seed {seed}"));
        }
    }
}
