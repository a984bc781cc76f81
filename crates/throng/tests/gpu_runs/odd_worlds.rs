//! Odd worlds, and one stage after the other on the GPU.

use super::fields::assert_fields_agree;
use super::*;

/// Runs on both engines: the first step's fields, then the run.
fn odd(text: &str, steps: u64) -> [Vec<Counters>; 2] {
    let scene = scene(text);
    let mut runs = on_both(&scene);
    let before = runs[0].agents().unwrap();
    go_both(&mut runs, 1);
    let [cpu, gpu] = &mut runs;
    if before.state.iter().any(|s| s.on_floor()) {
        assert_fields_agree(cpu, gpu, &before, text);
    }
    let histories = go_both(&mut runs, steps - 1);
    assert_alike(&histories[0], &histories[1], 2.0, 0.03);
    for run in &mut runs {
        let saved = run.save().unwrap();
        let hash = run.state_hash().unwrap();
        run.resume(&saved).unwrap_or_else(|e| panic!("{e}\n{text}"));
        assert_eq!(run.state_hash().unwrap(), hash);
        assert_eq!(run.agents().unwrap().len() as u64, scene.agent_count());
    }
    histories
}

#[test]
fn worlds_that_are_no_whole_tiles_are_walked_on_the_gpu() {
    // One cell in all; one cell high and wide; one more and one less than a tile; two tiles and one cell.
    let [_, gpu] = odd("size = [0.5, 0.5]\n[[goal]]\nrect = [0, 0, 0.5, 0.5]\n[[agents]]\ncount = 1\n[model]\n", 3);
    assert_eq!((gpu[1].parked, gpu[1].arrived), (1, 1));
    for (size, goal, start, count) in [
        ("[20, 0.5]", "[18, 0, 20, 0.5]", "[8, 0, 17, 0.5]", 8),
        ("[0.5, 20]", "[0, 0, 0.5, 1]", "[0, 2, 0.5, 12]", 8),
        ("[8.5, 7.5]", "[8, 0, 8.5, 7.5]", "[2, 0, 7, 7.5]", 20),
        ("[16.5, 16.5]", "[15, 15, 16.5, 16.5]", "[9, 9, 15, 15]", 20),
    ] {
        let text = format!(
            "size = {size}\ndt = 0.1\n[[goal]]\nrect = {goal}\n[[agents]]\ncount = {count}\nstart = {{ rect = {start} }}\n"
        );
        let [_, gpu] = odd(&text, 40);
        assert!(gpu[38].arrived > 2, "{size}: {:?}", gpu[38]);
    }
}

#[test]
fn one_agent_or_none_is_a_run_on_the_gpu() {
    for text in [
        "size = [5, 5]\n",
        "size = [5, 5]\n[[goal]]\nrect = [4, 0, 5, 5]\n[[agents]]\nsource = { rate = 1, total = 0 }\n",
        "size = [0.5, 0.5]\n[model]\nplan = \"static\"\n",
    ] {
        let [cpu, gpu] = odd(text, 3);
        assert_eq!((gpu[1].steps, gpu[1].active, gpu[1].arrived), (3, 0, 0));
        assert_eq!(cpu[1].density_max, gpu[1].density_max);
    }
    // Alone nothing is left to chance: the same way, to a hair, and the same step of arrival.
    let [cpu, gpu] = odd(
        "size = [7, 5]\ndt = 0.1\n[map]\nwalls = [{ rect = [3.5, 0, 3.7, 3] }]\n[[goal]]\nrect = [6, 0, 7, 2]\n\
         [[agents]]\ncount = 1\nspeed = 1.3\nstart = { rect = [1, 1, 1.5, 1.5] }\n",
        75,
    );
    let arrival = |list: &[Counters]| list.iter().find(|c| c.arrived == 1).expect("it arrives").steps;
    assert!(arrival(&cpu).abs_diff(arrival(&gpu)) <= 1, "steps {} and {}", arrival(&cpu), arrival(&gpu));
}

#[test]
fn bodies_half_as_wide_as_their_world_stay_out_of_walls_on_the_gpu() {
    // They want to the other's side and back, past posts at the rim, where there is hardly room for both.
    let sides = ["[0, 0, 8, 20]", "[12, 0, 20, 20]"];
    // Of the widest there is room for two only where each is at its wall.
    let corners = ["[5, 6, 5.2, 8]", "[14.8, 12, 15, 14]"];
    for (radius, count, seed, [west, east]) in
        [(5.0, 1, 1, corners), (5.0, 1, 2, corners), (3.4, 2, 3, sides), (2.4, 4, 4, sides)]
    {
        let group = |start: &str, there: &str, back: &str| {
            format!(
                "[[agents]]\ncount = {count}\nradius = {radius}\nspeed = 1.3\nstart = {{ rect = {start} }}\n\
                 journey = [\"{there}\", \"{back}\"]\narrive = \"next\"\n"
            )
        };
        let text = format!(
            "size = [20, 20]\ncell = 1\ndt = 0.1\nseed = {seed}\n[map]\nwalls = [{{ circle = [10, 0.5, 0.7] }}, {{ rect = [9, 19, 10, 20] }}]\n\
             [[goal]]\nname = \"west\"\nrect = [0, 5, 6, 15]\n[[goal]]\nname = \"east\"\nrect = [14, 5, 20, 15]\n{}{}",
            group(west, "east", "west"),
            group(east, "west", "east"),
        );
        // Each step of both runs is looked at: nobody is in a wall.
        go_both(&mut on_both(&scene(&text)), 150);
    }
}

#[test]
fn seven_goals_one_of_them_beyond_reach_are_planned_for_on_the_gpu() {
    let mut text = String::from(
        "size = [17, 13]\ndt = 0.1\n[map]\nwalls = [{ line = [[7, 5], [10, 5], [10, 8], [7, 8], [7, 5]] }]\n",
    );
    let places = [[0.0, 0.0], [16.0, 0.0], [16.0, 12.0], [0.0, 12.0], [8.0, 0.0], [8.0, 12.0], [8.0, 6.0]];
    for (k, [x, y]) in places.iter().enumerate() {
        text += &format!("[[goal]]\nname = \"{k}\"\nrect = [{x}, {y}, {}, {}]\n", x + 1.0, y + 1.0);
        // Nobody goes to the last one, which is walled in.
        if k < 6 {
            text += &format!(
                "[[agents]]\ncount = 8\nstart = {{ rect = [2, 2, 15, 4] }}\njourney = [\"{k}\", \"{}\"]\n",
                (k + 1) % 6
            );
        }
    }
    let [_, gpu] = odd(&text, 50);
    assert!(gpu[48].goals_reached > 5, "{:?}", gpu[48]);
}

#[test]
fn hundreds_of_sources_are_served_on_the_gpu() {
    // More groups than a workgroup has threads.
    let mut text = String::from("size = [40, 6]\ndt = 0.1\n[[goal]]\nrect = [39, 0, 40, 6]\n");
    for k in 0..300 {
        let (x, y) = (0.6 * (k % 60) as f32, 1.2 * (k / 60) as f32);
        let rate = if k % 3 == 0 { 20 } else { 2 };
        text += &format!(
            "[[agents]]\nsource = {{ rate = {rate}, total = 1 }}\nstart = {{ rect = [{x}, {y}, {}, {}] }}\n",
            x + 0.6,
            y + 1.0
        );
    }
    let scene = scene(&text);
    let [cpu, gpu] = go_both(&mut on_both(&scene), 12);
    // Before the fifth step a source of two a second lets nobody in.
    assert_eq!((cpu[3].entered, gpu[3].entered), (100, 100));
    assert!(gpu[11].entered > 280, "{:?}", gpu[11]);
    assert_alike(&cpu, &gpu, 2.0, 0.03);
}

// One stage after the other.

#[test]
fn each_stage_can_be_the_first_on_the_gpu() {
    // A source that finds room, somebody who leaves, walls: every stage has something to do.
    let scene = scene(
        "size = [11, 7]\ndt = 0.05\n[map]\nwalls = [{ rect = [5, 0, 5.2, 3] }, { circle = [4, 5, 0.6] }]\n\
         [[goal]]\nname = \"east\"\nrect = [10, 0, 11, 7]\n[[goal]]\nname = \"west\"\nrect = [0, 0, 1, 7]\n\
         [[agents]]\ncount = 40\nstart = { rect = [1.5, 0, 9.8, 7] }\njourney = [\"east\"]\n\
         [[agents]]\ncount = 12\nstart = { rect = [1.2, 0, 9.8, 7] }\njourney = [\"west\", \"east\"]\n\
         [[agents]]\nsource = { rate = 10, total = 20 }\nstart = { rect = [6, 4, 9, 7] }\njourney = [\"west\"]\n",
    );
    let mut cpu = on_cpu(&scene);
    let end = *go(&mut cpu, 10).last().expect("a step");
    assert!(end.entered > 2 && end.goals_reached > 1, "too little happens: {end:?}");
    for stage in NAMES {
        let mut run = on(&scene, SplitEngine::new(&scene, gpu(), stage).unwrap_or_else(|e| panic!("{e}")));
        for _ in 0..10 {
            run.step().unwrap_or_else(|e| panic!("{stage}: {e}"));
        }
        assert_eq!(run.engine().name(), "split");
        let c = run.counters();
        assert_eq!((c.steps, c.in_wall, c.not_finite), (10, 0, 0), "{stage}");
        assert_eq!(
            (c.entered, c.goals_reached, c.active, c.parked),
            (end.entered, end.goals_reached, end.active, end.parked),
            "{stage}"
        );
        let apart = farthest_apart(&mut cpu, &mut run);
        assert!(apart < 0.02, "{stage}: {apart} m");
    }
    assert!(SplitEngine::new(&scene, gpu(), "dance").is_err());
}
