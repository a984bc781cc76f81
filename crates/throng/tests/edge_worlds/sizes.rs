//! The least and the largest worlds, goals, bodies and steps.

use super::*;

#[test]
fn a_world_without_agents_runs() {
    for text in [
        "size = [5, 5]\n",
        "size = [5, 5]\n[[goal]]\nrect = [4, 0, 5, 5]\n",
        "size = [5, 5]\n[[goal]]\nrect = [4, 0, 5, 5]\n[[agents]]\ncount = 0\n",
        "size = [5, 5]\n[[goal]]\nrect = [4, 0, 5, 5]\n[[agents]]\nsource = { rate = 1, total = 0 }\n",
        "size = [0.5, 0.5]\n[model]\nplan = \"static\"\n",
    ] {
        let mut run = Run::of(text);
        assert!(run.sim.is_done());
        let c = run.steps(50);
        assert_eq!((c.steps, c.active, c.arrived), (50, 0, 0));
        let before = run.sim.state_hash().unwrap();
        let saved = run.sim.save().unwrap();
        run.sim.resume(&saved).expect("its own state");
        assert_eq!(run.sim.state_hash().unwrap(), before);
    }
}

#[test]
fn in_a_world_of_one_cell_an_agent_on_the_goal_arrives_at_once() {
    let mut run = Run::of("size = [0.5, 0.5]\n[[goal]]\nrect = [0, 0, 0.5, 0.5]\n[[agents]]\ncount = 1\n");
    let c = run.steps(2);
    assert_eq!((c.parked, c.arrived), (1, 1));
}

#[test]
fn a_goal_of_one_cell_or_less_is_reached() {
    for goal in ["rect = [7, 3, 7.5, 3.5]", "rect = [7.01, 3.01, 7.02, 3.02]", "circle = [7.49, 3.49, 0.001]"] {
        let mut run = Run::of(&format!(
            "size = [10, 6]\n[[goal]]\n{goal}\n[[agents]]\ncount = 20\nstart = {{ rect = [0, 0, 3, 6] }}\n"
        ));
        run.until_done(60.0);
        assert_eq!(run.sim.counters().arrived, 20);
    }
}

#[test]
fn worlds_one_cell_wide_are_walked_from_end_to_end() {
    for (size, goal, start) in
        [("[20, 0.5]", "[19, 0, 20, 0.5]", "[0, 0, 8, 0.5]"), ("[0.5, 20]", "[0, 0, 0.5, 1]", "[0, 12, 0.5, 20]")]
    {
        for model in ["", "[model]\nplan = \"static\"\n", "[model]\nspeed_law = \"thesis\"\n"] {
            let mut run = Run::of(&format!(
                "size = {size}\n[[goal]]\nrect = {goal}\n[[agents]]\ncount = 8\nstart = {{ rect = {start} }}\n{model}"
            ));
            run.until_done(90.0);
            assert_eq!(run.sim.counters().arrived, 8, "{size} {model}");
        }
    }
}

#[test]
fn where_all_is_goal_everybody_arrives_at_once() {
    let mut run = Run::of("size = [10, 10]\n[[goal]]\nrect = [0, 0, 10, 10]\n[[agents]]\ncount = 50\n");
    let c = run.steps(2);
    assert_eq!((c.parked, c.arrived), (50, 50));
}

#[test]
fn bodies_eight_cells_in_radius_find_their_way() {
    let mut run = Run::of(
        "cell = 0.1\nsize = [16, 6]\n[map]\nwalls = [{ rect = [8, 0, 8.3, 2] }, { rect = [8, 4, 8.3, 6] }]\n\
         [[goal]]\nrect = [15, 0, 16, 6]\n[[agents]]\ncount = 3\nradius = 0.8\nspeed = 1.3\nstart = { rect = [0, 0, 6, 6] }\n",
    );
    run.until_done(60.0);
    assert_eq!(run.sim.counters().arrived, 3);
}

#[test]
fn a_body_wider_than_the_only_corridor_is_refused_whatever_the_cells() {
    // A corridor 0.6 m wide, and a body of 0.68 m; then one that fits.
    for (cell, dt) in [(0.5, 0.04), (0.25, 0.04), (0.1, 0.04), (0.05, 0.02)] {
        let text = |radius: f32| {
            format!(
                "cell = {cell}\ndt = {dt}\nsize = [10, 5]\n[map]\nwalls = [{{ rect = [4, 0, 6, 2] }}, {{ rect = [4, 2.6, 6, 5] }}]\n\
                 [[goal]]\nrect = [9, 0, 10, 5]\n[[agents]]\ncount = 2\nradius = {radius}\nstart = {{ rect = [0, 0, 3, 5] }}\n"
            )
        };
        let error = Simulation::new(&scene(&text(0.34))).expect_err("it cannot pass");
        assert!(error.message().contains("cannot reach"), "{error}");
        let mut run = Run::of(&text(0.27));
        run.until_done(60.0);
        assert_eq!(run.sim.counters().arrived, 2, "cells of {cell} m");
    }
}

#[test]
fn the_longest_step_that_is_allowed_keeps_everybody_out_of_walls() {
    // 1.25 m/s times 0.4 s is a whole cell.
    let mut run = Run::of(
        "dt = 0.4\nsize = [20, 10]\n[map]\nwalls = [{ rect = [10, 0, 10.1, 4] }, { line = [[10.05, 6], [10.05, 10]] }]\n\
         [[goal]]\nrect = [19, 0, 20, 10]\n[[agents]]\ncount = 60\nspeed = 1.25\nstart = { rect = [0, 0, 8, 10] }\n",
    );
    run.until_done(200.0);
    let longer = "dt = 0.401\nsize = [20, 10]\n[[goal]]\nrect = [19, 0, 20, 10]\n[[agents]]\ncount = 1\nspeed = 1.25\n";
    assert!(Scene::parse("edge.toml", longer, &NoFiles).is_err());
}

#[test]
fn overlapping_zones_count_together_against_the_step() {
    // 2 m/s, twice doubled: 8 m/s in 0.1 s is more than a cell of 0.5 m.
    let zone = "[[zone]]\nrect = [2, 0, 8, 5]\nspeed = 2\n";
    let text = |zones: &str| {
        format!("dt = 0.1\nsize = [10, 5]\n[[goal]]\nrect = [9, 0, 10, 5]\n[[agents]]\ncount = 3\nspeed = 2\n{zones}")
    };
    assert!(Scene::parse("edge.toml", &text(&zone.repeat(2)), &NoFiles).is_err());
    assert!((scene(&text(zone)).top_speed() - 4.0).abs() < 1e-6);
    // Far apart they do not meet.
    let apart = "[[zone]]\nrect = [2, 0, 4, 5]\nspeed = 2\n[[zone]]\nrect = [5, 0, 7, 5]\nspeed = 2\n";
    assert!((scene(&text(apart)).top_speed() - 4.0).abs() < 1e-6);
}
