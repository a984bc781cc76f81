//! Worlds at the edge of what a scene may say, and laws that every run keeps.

use throng::engine::Counters;
use throng::geometry::{Rect, Shape};
use throng::random::Purpose;
use throng::scene::NoFiles;
use throng::world::agents::State;
use throng::{Scene, Simulation, Vec2};

fn scene(text: &str) -> Scene {
    Scene::parse("edge.toml", text, &NoFiles).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// A run that is checked after every step.
struct Run {
    sim: Simulation,
    total: u64,
}

impl Run {
    fn of(text: &str) -> Self {
        Self::new(&scene(text))
    }

    fn new(scene: &Scene) -> Self {
        let sim = Simulation::new(scene).unwrap_or_else(|e| panic!("{e}\n{}", scene.source().text));
        let run = Self { sim, total: scene.agent_count() };
        run.check();
        run
    }

    fn check(&self) {
        let c = self.sim.counters();
        let step = c.steps;
        assert_eq!(c.active + c.outside + c.parked, self.total, "agents are lost or won in step {step}: {c:?}");
        assert_eq!(c.in_wall, 0, "in a wall after step {step}");
        assert_eq!(c.not_finite, 0, "not finite after step {step}");
    }

    fn step(&mut self) -> Counters {
        self.sim.step().expect("the CPU does not fail");
        self.check();
        self.sim.counters()
    }

    fn steps(&mut self, n: usize) -> Counters {
        for _ in 0..n {
            self.step();
        }
        // The counters keep their own books: they must agree with the agents themselves.
        let agents = self.sim.agents().unwrap();
        assert_eq!(agents.len() as u64, self.total);
        let count = |f: fn(State) -> bool| agents.state.iter().filter(|s| f(**s)).count() as u64;
        let c = self.sim.counters();
        assert_eq!(count(State::on_floor), c.active);
        assert_eq!(count(|s| s == State::Outside), c.outside);
        assert_eq!(count(|s| s == State::Parked), c.parked);
        c
    }

    /// Goes on until everybody has left, and returns the time.
    fn until_done(&mut self, at_most: f64) -> f64 {
        while !self.sim.is_done() {
            assert!(self.sim.time() < at_most, "not done after {at_most} s: {:?}", self.sim.counters());
            self.step();
        }
        self.steps(3);
        self.sim.time()
    }

    /// The place of the agent with this id, if it is on the floor.
    fn place(&mut self, id: u32) -> Option<Vec2> {
        self.sim.positions().unwrap().iter().find(|(i, _)| *i == id).map(|(_, p)| *p)
    }

    /// When agent 0 has walked `metres` along a direction, to a fraction of a step.
    fn time_of(&mut self, metres: f32, along: Vec2) -> f64 {
        let start = self.place(0).expect("it is on the floor").dot(along);
        let mut before = 0.0;
        loop {
            self.step();
            let now = self.place(0).expect("it is on the floor").dot(along) - start;
            if now >= metres {
                let part = f64::from((now - metres) / (now - before));
                return self.sim.time() - part * f64::from(self.sim.scene().dt);
            }
            before = now;
            assert!(self.sim.time() < 600.0, "only {now} m of {metres} m");
        }
    }
}

/// A start so small that an agent placed at random stands just there.
fn spot(x: f32, y: f32) -> String {
    format!("{{ rect = [{x}, {y}, {}, {}] }}", x + 0.001, y + 0.001)
}

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

#[test]
fn a_wait_on_the_way_takes_its_time() {
    let text = |wait: f32| {
        format!(
            "size = [20, 4]\n[[goal]]\nname = \"bench\"\nrect = [9, 0, 10, 4]\n[[goal]]\nname = \"door\"\nrect = [19, 0, 20, 4]\n\
             [[agents]]\ncount = 1\nspeed = 1\nstart = {}\nplace = \"random\"\njourney = [{{ goal = \"bench\", wait = {wait} }}, \"door\"]\n",
            spot(1.0, 2.0)
        )
    };
    let straight = Run::of(&text(0.0)).until_done(60.0);
    let mut run = Run::of(&text(12.5));
    let with_wait = run.until_done(60.0);
    assert!((with_wait - straight - 12.5).abs() <= 0.08 + 1e-6, "{straight} s without, {with_wait} s with a wait");
    let c = run.sim.counters();
    assert_eq!((c.goals_reached, c.arrived), (2, 1));
}

#[test]
fn a_wait_at_the_last_goal_is_kept_before_leaving() {
    let text = |wait: f32| {
        format!(
            "size = [12, 4]\n[[goal]]\nname = \"door\"\nrect = [9, 0, 12, 4]\n\
             [[agents]]\ncount = 1\nspeed = 1\nstart = {}\nplace = \"random\"\njourney = [{{ goal = \"door\", wait = {wait} }}]\n",
            spot(1.0, 2.0)
        )
    };
    let straight = Run::of(&text(0.0)).until_done(60.0);
    let with_wait = Run::of(&text(8.0)).until_done(60.0);
    // To the step: 8 s are 200 steps of 0.04 s.
    assert!((with_wait - straight - 8.0).abs() < 1e-6, "{straight} s without, {with_wait} s with a wait");
}

#[test]
fn a_goal_behind_a_gate_is_a_goal_once_the_gate_opens() {
    let text = "size = [12, 4]\n[map]\nwalls = [{ rect = [8, 0, 12, 4], name = \"gate\" }]\n\
                [[goal]]\nname = \"door\"\nrect = [9, 0, 12, 4]\n[[event]]\nat = 5\nopen = \"gate\"\n\
                [[agents]]\ncount = 5\nspeed = 1\nstart = { rect = [1, 1, 4, 3] }\n";
    let mut run = Run::of(text);
    assert_eq!(run.steps(125).arrived, 0);
    let done = run.until_done(60.0);
    assert!(done > 9.0, "{done} s: five to open, and a way of at least four metres");
    // Without the event there is no way in.
    let never = text.replace("[[event]]\nat = 5\nopen = \"gate\"\n", "");
    assert!(Simulation::new(&scene(&never)).is_err());
}

#[test]
fn walls_come_and_go_while_people_walk() {
    let mut run = Run::of(
        "size = [20, 6]\n[[goal]]\nname = \"door\"\nrect = [19, 0, 20, 6]\n\
         [[agents]]\ncount = 30\nstart = { rect = [1, 0, 6, 6] }\n",
    );
    let bar = |x: f32| Shape::Rect(Rect::new(Vec2::new(x, 0.0), Vec2::new(x + 0.5, 6.0)));
    let mut number = run.sim.add_wall(bar(8.0)).expect("a sound shape");
    for x in [9.0, 10.0, 11.0] {
        assert_eq!(run.steps(50).arrived, 0, "nobody passes a closed wall");
        assert!(run.sim.stand_wall(number, false));
        number = run.sim.add_wall(bar(x)).expect("a sound shape");
    }
    assert!(run.sim.stand_wall(number, false) && !run.sim.stand_wall(99, false));
    run.until_done(60.0);
    assert!(run.sim.add_wall(Shape::Polygon(Vec::new())).is_err());
    assert!(run.sim.add_wall(bar(f32::NAN)).is_err());
}

#[test]
fn journeys_that_begin_again_never_end_and_nobody_leaves() {
    let mut run = Run::of(
        "size = [12, 4]\n[[goal]]\nname = \"west\"\nrect = [0, 0, 1, 4]\n[[goal]]\nname = \"east\"\nrect = [11, 0, 12, 4]\n\
         [[agents]]\ncount = 20\njourney = [\"west\", { goal = \"east\", wait = 2 }]\narrive = \"next\"\n",
    );
    let c = run.steps(2500);
    assert_eq!((c.active, c.parked), (20, 0));
    assert!(c.arrived >= 40 && c.goals_reached >= 2 * c.arrived - 20, "{c:?}");
}

#[test]
fn who_finds_the_entry_full_waits_outside_and_comes_in_later() {
    // Room for about four in the entry, and the way out of it is slow.
    let mut run = Run::of(
        "size = [14, 6]\n[[goal]]\nrect = [13, 0, 14, 6]\n[[zone]]\nrect = [0, 0, 2, 6]\nspeed = 0.1\n\
         [[agents]]\ncount = 60\nspeed = 1.3\nstart = { rect = [8, 0, 13, 6] }\narrive = \"respawn\"\nentry = { rect = [0, 2, 1, 3] }\n",
    );
    let mut most_outside = 0;
    let mut arrived = 0;
    for _ in 0..3000 {
        let c = run.step();
        most_outside = most_outside.max(c.outside);
        arrived = c.arrived;
        assert_eq!(c.parked, 0);
    }
    assert!(most_outside > 30, "the entry was never full: {most_outside}");
    assert!(arrived > 70, "nobody came round again: {arrived}");
    // Entering is never on top of somebody; the slow zone's crowd presses, so some overlap there is.
    let c = run.steps(1);
    assert!(c.entered > 10 && c.overlap_share_mean < 0.2, "{c:?}");
}

#[test]
fn a_source_whose_place_is_taken_waits_until_it_is_free() {
    let mut run = Run::of(
        "size = [10, 3]\n[[goal]]\nrect = [9, 0, 10, 3]\n\
         [[agents]]\nname = \"in the way\"\ncount = 4\nstart = { rect = [0.5, 1, 1.5, 2] }\ndelay = 20\n\
         [[agents]]\nname = \"late\"\nsource = { rate = 1, total = 5 }\nstart = { rect = [0.75, 1.25, 1.25, 1.75] }\n",
    );
    let c = run.steps(490); // 19.6 s
    assert_eq!((c.entered, c.outside, c.active), (0, 5, 4), "somebody came in on top of others");
    run.until_done(90.0);
    assert_eq!(run.sim.counters().entered, 5);
}

#[test]
fn a_source_lets_in_at_its_rate() {
    let mut run = Run::of(
        "size = [10, 5]\n[[goal]]\nrect = [9, 0, 10, 5]\n[[agents]]\nsource = { rate = 2.5, total = 30 }\nstart = { rect = [0, 0, 4, 5] }\n",
    );
    for _ in 0..300 {
        let c = run.step();
        let due = (2.5 * run.sim.time() + 1e-6).floor() as u64;
        assert!(c.entered <= due.min(30) && c.entered + 1 >= due.min(30), "{} in at {} s", c.entered, run.sim.time());
    }
    run.until_done(60.0);
}

#[test]
fn delays_are_kept_to_within_a_step() {
    let text = "size = [30, 30]\nseed = 7\n[[goal]]\nrect = [29, 0, 30, 30]\n[[agents]]\ncount = 100\n\
                start = { rect = [0, 0, 25, 30] }\ndelay = { uniform = [0, 12] }\n[model]\nseparation_rounds = 0\n";
    let scene = scene(text);
    let delay: Vec<f32> = (0..100).map(|id| scene.groups[0].delay.draw(scene.seed, id, Purpose::Delay)).collect();
    let mut run = Run::new(&scene);
    let mut last = run.sim.positions().unwrap();
    let mut set_out = [None; 100];
    for _ in 0..320 {
        let before = run.sim.time();
        run.step();
        let now = run.sim.positions().unwrap();
        for (id, p) in &now {
            let was = last.iter().find(|(i, _)| i == id).expect("nobody enters").1;
            if *p != was {
                set_out[*id as usize].get_or_insert(before);
            }
        }
        last = now;
    }
    for (id, (wanted, got)) in delay.iter().zip(set_out).enumerate() {
        let got = got.unwrap_or_else(|| panic!("agent {id} never set out"));
        let late = got - f64::from(*wanted);
        assert!((-1e-6..=0.04 + 1e-6).contains(&late), "agent {id} set out at {got} s instead of {wanted} s");
    }
}

#[test]
fn a_door_that_closes_on_people_puts_them_aside_and_lets_them_go_when_it_opens() {
    let mut run = Run::of(
        "cell = 0.25\nsize = [16, 8]\n[map]\nwalls = [{ rect = [8, 0, 9, 3] }, { rect = [8, 5, 9, 8] }, \
         { rect = [8, 3, 9, 5], name = \"gate\", open = true }]\n[[goal]]\nrect = [15, 0, 16, 8]\n\
         [[agents]]\ncount = 120\nspeed = 1.3\nstart = { rect = [0, 0, 7, 8] }\n\
         [[event]]\nat = 6\nclose = \"gate\"\n[[event]]\nat = 20\nopen = \"gate\"\n",
    );
    run.steps(150);
    let through = run.sim.positions().unwrap().iter().filter(|(_, p)| p.x > 8.0).count();
    assert!(through > 0, "nobody was on the way through");
    assert_eq!(run.sim.counters().displaced, 0);
    let c = run.steps(1);
    assert!(c.displaced > 0, "the gate closed on nobody");
    run.steps(349); // until just before 20 s
    let parked = run.sim.counters().parked;
    assert!(run.sim.positions().unwrap().iter().all(|(_, p)| p.x < 8.0 || p.x > 9.0), "somebody is in the gate");
    assert!(parked < 120);
    run.steps(1);
    run.until_done(120.0);
}

#[test]
fn a_gate_that_is_shut_at_first_holds_everybody_until_it_opens() {
    for agents in ["count = 15", "source = { rate = 5, total = 15 }"] {
        for place in ["lattice", "random"] {
            let mut run = Run::of(&format!(
                "size = [12, 5]\n[map]\nwalls = [{{ rect = [6, 0, 6.2, 5], name = \"gate\" }}]\n[[goal]]\nrect = [11, 0, 12, 5]\n\
                 [[agents]]\n{agents}\nplace = \"{place}\"\nstart = {{ rect = [0, 0, 5, 5] }}\n[[event]]\nat = 8\nopen = \"gate\"\n"
            ));
            let c = run.steps(200);
            assert_eq!(c.parked, 0);
            assert!(run.sim.positions().unwrap().iter().all(|(_, p)| p.x < 6.0));
            run.until_done(60.0);
        }
    }
}

#[test]
fn a_zone_of_half_speed_takes_twice_the_time() {
    let text = |zone: &str| {
        format!(
            "size = [30, 3]\n[[goal]]\nrect = [29, 0, 30, 3]\n[[agents]]\ncount = 1\nspeed = 1\nplace = \"random\"\nstart = {}\n{zone}",
            spot(2.0, 1.5)
        )
    };
    let free = Run::of(&text("")).time_of(20.0, Vec2::X);
    for model in ["", "[model]\nplan = \"static\"\n", "[model]\nspeed_law = \"thesis\"\n"] {
        let slow =
            Run::of(&text(&format!("[[zone]]\nrect = [0, 0, 30, 3]\nspeed = 0.5\n{model}"))).time_of(20.0, Vec2::X);
        assert!((slow / free - 2.0).abs() < 0.1, "{free} s free, {slow} s in the zone {model}");
    }
}

#[test]
fn a_zone_whose_speed_changes_counts_from_then_on() {
    let text = format!(
        "size = [30, 3]\n[[goal]]\nrect = [29, 0, 30, 3]\n[[agents]]\ncount = 1\nspeed = 1\nplace = \"random\"\nstart = {}\n\
         [[zone]]\nname = \"mud\"\nrect = [0, 0, 30, 3]\n[[event]]\nat = 8\nzone = \"mud\"\nspeed = 0.25\n",
        spot(2.0, 1.5)
    );
    // 8 m in 8 s, and 4 m more in 16 s.
    let time = Run::of(&text).time_of(12.0, Vec2::X);
    assert!((time - 24.0).abs() < 1.2, "{time} s");
}

/// Sixty in a room with a pillar, and a door.
fn empties_the_room(model: &str) {
    let mut run = Run::of(&format!(
        "size = [14, 8]\n[map]\nwalls = [{{ rect = [9, 0, 9.2, 3] }}, {{ rect = [9, 5, 9.2, 8] }}, {{ circle = [5, 4, 1] }}]\n\
         [[goal]]\nrect = [13, 0, 14, 8]\n[[agents]]\ncount = 60\nstart = {{ rect = [0, 0, 8, 8] }}\n[model]\n{model}\n"
    ));
    run.until_done(120.0);
    assert_eq!(run.sim.counters().arrived, 60, "{model}");
}

#[test]
fn every_plan_law_and_weight_empties_a_room_through_its_door() {
    for model in [
        "plan = \"static\"",
        "speed_law = \"thesis\"",
        "plan = \"static\"\nspeed_law = \"thesis\"",
        "flow_weight = 0\nclearance = 0",
        "separation_rounds = 0",
        "length_weight = 0",
        "time_weight = 0\ndiscomfort_weight = 0",
    ] {
        empties_the_room(model);
    }
}

#[test]
fn the_thesis_scheme_empties_a_room_through_its_door() {
    for model in ["", "plan = \"static\"\nspeed_law = \"thesis\""] {
        empties_the_room(&format!("scheme = \"thesis\"\n{model}"));
    }
}

#[test]
fn the_thesis_scheme_solves_worlds_one_cell_wide() {
    for (size, goal) in
        [("[20, 0.5]", "[19, 0, 20, 0.5]"), ("[0.5, 20]", "[0, 0, 0.5, 1]"), ("[0.5, 0.5]", "[0, 0, 0.5, 0.5]")]
    {
        let mut run = Run::of(&format!(
            "size = {size}\n[[goal]]\nrect = {goal}\n[[agents]]\ncount = 1\n[model]\nscheme = \"thesis\"\n"
        ));
        run.until_done(60.0);
        assert_eq!(run.sim.counters().arrived, 1, "{size}");
    }
}

#[test]
fn five_hundred_on_one_square_metre_spread_until_nobody_overlaps() {
    let mut run = Run::of(
        "size = [24, 24]\n[[goal]]\nrect = [23.5, 23.5, 24, 24]\n[[agents]]\ncount = 500\nplace = \"random\"\nspeed = 0.01\n\
         start = { rect = [11.5, 11.5, 12.5, 12.5] }\n[model]\nseparation_rounds = 6\n",
    );
    let deepest = |run: &mut Run| {
        let all = run.sim.positions().unwrap();
        let mut deepest = 0.0f32;
        for (k, (_, p)) in all.iter().enumerate() {
            for (_, q) in &all[..k] {
                deepest = deepest.max(0.4 - p.distance(*q));
            }
        }
        deepest
    };
    let before = deepest(&mut run);
    assert!(before > 0.35, "the heap is none: {before}");
    run.steps(1500);
    let after = deepest(&mut run);
    assert!(after < 0.05, "after a minute bodies still overlap by {after} m");
}

#[test]
fn a_crowd_pressed_against_a_large_pillar_stays_out_of_it() {
    let mut run = Run::of(
        "size = [24, 24]\n[map]\nwalls = [{ circle = [12, 12, 10] }]\n[[goal]]\nrect = [0, 22, 2, 24]\n[[agents]]\ncount = 600\n\
         place = \"random\"\nradius = 0.08\nstart = { rect = [6, 0.5, 18, 3] }\n",
    );
    let pillar = run.sim.scene().map.walls[0].shape.clone();
    for _ in 0..100 {
        run.step();
        assert!(run.sim.positions().unwrap().iter().all(|(_, p)| !pillar.contains(*p)));
    }
}

#[test]
fn agents_on_the_very_same_spot_part() {
    // One place in 32 bits: the next number after 5 is the east side of the start.
    let mut run = Run::of(
        "size = [10, 10]\n[[goal]]\nrect = [9, 9, 10, 10]\n[[agents]]\ncount = 12\nplace = \"random\"\nspeed = 0.5\n\
         start = { rect = [5, 5, 5.0000005, 5.0000005] }\n",
    );
    let first = run.place(0).expect("on the floor");
    assert!(run.sim.positions().unwrap().iter().all(|(_, p)| *p == first), "they do not stand on one spot");
    run.steps(100);
    let all = run.sim.positions().unwrap();
    for (k, (a, p)) in all.iter().enumerate() {
        for (b, q) in &all[..k] {
            assert!(p.distance(*q) > 0.3, "{a} and {b} are still {} m apart", p.distance(*q));
        }
    }
    run.until_done(60.0);
}

#[test]
fn a_start_smaller_than_a_body_places_one_in_its_middle() {
    let mut run = Run::of(
        "size = [10, 5]\n[[goal]]\nrect = [9, 0, 10, 5]\n[[agents]]\ncount = 1\nstart = { rect = [3, 2, 3.1, 2.1] }\n",
    );
    let p = run.place(0).expect("on the floor");
    assert!(p.distance(Vec2::new(3.05, 2.05)) < 0.08, "{p}");
    let mut run = Run::of(
        "size = [10, 5]\n[[goal]]\nrect = [9, 0, 10, 5]\n[[agents]]\nsource = { rate = 1, total = 2 }\nstart = { rect = [3.05, 2.05, 3.1, 2.1] }\n",
    );
    run.until_done(60.0);
}

#[test]
fn who_walks_past_somebody_behind_a_thin_wall_does_not_notice() {
    // The wall lies inside a row of cells; the two are 0.42 m apart as the crow flies.
    let text = |stander: &str, wall: &str, plan: &str| {
        format!(
            "size = [20, 5]\n[map]\nwalls = [{wall}]\n[[goal]]\nname = \"east\"\nrect = [19, 0, 20, 2.4]\n\
             [[goal]]\nname = \"north\"\nrect = [19, 4, 20, 5]\n\
             [[agents]]\ncount = 1\nspeed = 1\nplace = \"random\"\nstart = {}\njourney = [\"east\"]\n{stander}\
             [model]\nclearance = 0\nplan = \"{plan}\"\n",
            spot(2.0, 2.19)
        )
    };
    let stander = format!(
        "[[agents]]\ncount = 1\nplace = \"random\"\nstart = {}\ndelay = 1000\njourney = [\"north\"]\n",
        spot(10.0, 2.61)
    );
    // How far the walker is carried off its way by somebody there, and from the line that it began on.
    let walk = |wall: &str, plan: &str| {
        let mut with = Run::of(&text(&stander, wall, plan));
        let mut without = Run::of(&text("", wall, plan));
        let (mut off, mut drift, mut line) = (0.0f32, 0.0f32, None);
        for _ in 0..500 {
            with.step();
            without.step();
            let (Some(p), Some(q)) = (with.place(0), without.place(0)) else { break };
            off = off.max(p.distance(q));
            // The first steps turn it from the middle of its goal into its way.
            if (4.0..16.0).contains(&p.x) {
                drift = drift.max((p.y - *line.get_or_insert(p.y)).abs());
            }
        }
        assert!(without.sim.is_done(), "it never came past");
        // The stander is there all the time, and does not feel anything either.
        let s = with.place(1).expect("on the floor");
        assert!(wall.is_empty() || s.distance(Vec2::new(10.0, 2.61)) < 0.005, "{s}");
        (off, drift)
    };
    for wall in ["{ line = [[0, 2.4], [20, 2.4]] }", "{ rect = [0, 2.395, 20, 2.405] }"] {
        let (off, _) = walk(wall, "continuum");
        assert!(off <= 0.005, "carried {off} m off its way");
        let (off, drift) = walk(wall, "static");
        assert!(off <= 0.005 && drift <= 0.005, "carried {off} m off its way, {drift} m off its line");
    }
    // Without the wall it does notice: the two are near enough for that.
    let (off, _) = walk("", "continuum");
    assert!(off > 0.02, "only {off} m");
}

#[test]
fn alone_in_a_corridor_of_forty_metres_it_takes_about_thirty_seconds() {
    // RiMEA test 1: 40 m at 1.33 m/s, between 26 and 34 s.
    let mut run = Run::of(&format!(
        "size = [42, 2]\n[[goal]]\nrect = [41, 0, 42, 2]\n[[agents]]\ncount = 1\nspeed = 1.33\nplace = \"random\"\nstart = {}\n",
        spot(1.0, 1.0)
    ));
    let time = run.until_done(60.0);
    assert!((26.0..=34.0).contains(&time), "{time} s");
}

#[test]
fn ten_metres_take_ten_seconds_straight_and_at_a_slant() {
    let straight = Run::of(&format!(
        "size = [16, 2]\n[[goal]]\nrect = [15, 0, 16, 2]\n[[agents]]\ncount = 1\nspeed = 1\nplace = \"random\"\nstart = {}\n",
        spot(1.0, 1.0)
    ))
    .time_of(10.0, Vec2::X);
    assert!((straight - 10.0).abs() <= 0.5, "straight: {straight} s");
    for cell in [0.25, 0.5] {
        let along = Vec2::from_angle(30f32.to_radians());
        let at = |s: f32, t: f32| Vec2::new(3.0, 3.0) + along * s + along.perp() * t;
        let list = |points: [Vec2; 4]| points.map(|p| format!("[{}, {}]", p.x, p.y)).join(", ");
        // Two walls a metre thick with a corridor 2 m wide between them, and one that closes it behind.
        let wall = |from: f32, until: f32, s0: f32, s1: f32| {
            format!("{{ polygon = [{}] }}", list([at(s0, from), at(s1, from), at(s1, until), at(s0, until)]))
        };
        let start = at(1.0, 0.0);
        let text = format!(
            "cell = {cell}\nsize = [20, 14]\n[map]\nwalls = [{}, {}, {}]\n[[goal]]\npolygon = [{}]\n\
             [[agents]]\ncount = 1\nspeed = 1\nplace = \"random\"\nstart = {}\n",
            wall(1.0, 2.0, -1.0, 14.0),
            wall(-2.0, -1.0, -1.0, 14.0),
            wall(-1.0, 1.0, -1.0, -0.5),
            list([at(12.5, -1.0), at(14.0, -1.0), at(14.0, 1.0), at(12.5, 1.0)]),
            spot(start.x, start.y)
        );
        let slant = Run::of(&text).time_of(10.0, along);
        assert!((slant - 10.0).abs() <= 0.5, "at a slant, cells of {cell} m: {slant} s");
    }
}

#[test]
fn walls_drawn_and_painted_during_a_run_are_kept_out_of() {
    let mut run = Run::of(
        "size = [16, 8]\n[[goal]]\nrect = [15, 0, 16, 8]\n[[agents]]\ncount = 80\nspeed = 1.3\nstart = { rect = [0, 0, 8, 8] }\n",
    );
    run.steps(20);
    run.sim.add_wall(Shape::Rect(Rect::new(Vec2::new(3.0, 2.0), Vec2::new(5.0, 6.0)))).expect("a sound shape");
    run.steps(1);
    assert!(run.sim.counters().displaced > 0);
    for k in 0..12 {
        assert!(run.sim.paint_wall(Vec2::new(10.2, 0.25 + 0.5 * k as f32), true));
        run.steps(3);
    }
    assert!(!run.sim.paint_wall(Vec2::new(-1.0, 2.0), true));
    run.until_done(90.0);
}

#[test]
fn a_world_that_is_mostly_wall_is_set_up_in_no_time() {
    // A start as large as the world, of which all but a room is wall: 10 km, and bodies of 1 cm.
    let text = "cell = 100\nsize = [10000, 10000]\n[map]\nwalls = [{ rect = [0, 0, 10000, 9800] }]\n\
                [[goal]]\nrect = [9900, 9900, 10000, 10000]\n[[agents]]\ncount = 10\nradius = 0.01\n";
    let begun = std::time::Instant::now();
    let mut run = Run::of(text);
    run.steps(3);
    let inside = format!("{text}start = {{ rect = [0, 0, 10000, 9700] }}\n");
    assert!(Simulation::new(&scene(&inside)).is_err());
    assert!(begun.elapsed().as_secs() < 20, "it took {:?}", begun.elapsed());
}
