//! What holds in every run: rooms empty, crowds spread, ways take their time.

use super::*;

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
