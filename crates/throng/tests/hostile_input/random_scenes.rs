//! Sound scenes, drawn at random: they are the same when written and read again, run, and resume.

use super::*;

/// A name with anything in it, and a number that keeps it apart from others.
fn name(i: usize) -> impl Strategy<Value = String> {
    prop_oneof![any::<String>(), "[a-z\"'\\\\\n\r\t\u{0}\u{7f}#=. ]{0,12}"].prop_map(move |s| format!("{s}{i}"))
}

fn quoted(text: &str) -> String {
    let mut out = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => out.push_str(&format!("\\u{:04X}", c as u32)),
            c => out.push(c),
        }
    }
    out + "\""
}

fn shape(line: bool) -> impl Strategy<Value = String> {
    let v = || prop_oneof![-5.0f32..45.0, (0i32..40).prop_map(|i| i as f32), (0i32..400).prop_map(|i| i as f32 * 0.1)];
    let point = move || (v(), v()).prop_map(|(x, y)| format!("[{x}, {y}]"));
    let side = || prop_oneof![0.001f32..9.0, Just(1e-3), Just(500.0)];
    let line = if line { 1 } else { 0 };
    prop_oneof![
        3 => (0.0f32..30.0, 0.0f32..20.0, side(), side()).prop_map(|(x, y, a, b)| format!("rect = [{x}, {y}, {}, {}]", x + a, y + b)),
        2 => (0.0f32..30.0, 0.0f32..20.0, side()).prop_map(|(x, y, r)| format!("circle = [{x}, {y}, {r}]")),
        1 => (point(), point()).prop_map(|(a, b)| format!("polygon = [[1, 1], [9.5, 2], {a}, {b}]")),
        line => point().prop_map(|a| format!("line = [[1, 1], {a}]")),
    ]
}

fn spread(low: f32, high: f32) -> impl Strategy<Value = String> {
    let v = move || low..high;
    prop_oneof![
        v().prop_map(|a| format!("{a}")),
        (v(), v()).prop_map(|(a, b)| format!("{{ uniform = [{}, {}] }}", a.min(b), a.max(b))),
        (v(), 0.0f32..0.5).prop_map(|(a, d)| format!("{{ normal = [{a}, {d}] }}")),
        (v(), 0.0f32..0.5).prop_map(move |(a, d)| format!("{{ normal = [{a}, {d}], min = {low}, max = {high} }}")),
    ]
}

/// A leg straight to a point.
fn own_point() -> impl Strategy<Value = String> {
    let one = || (0.0f32..29.9, 0.0f32..19.9).prop_map(|(x, y)| format!("[{x}, {y}]"));
    let to = prop_oneof![
        Just("\"opposite\"".to_owned()),
        one(),
        prop::collection::vec(one(), 1..4).prop_map(|list| format!("[{}]", list.join(", "))),
        shape(false).prop_map(|s| format!("{{ random = {{ {s} }} }}")),
        (shape(false), shape(false)).prop_map(|(a, b)| format!("{{ random = [{{ {a} }}, {{ {b} }}] }}")),
    ];
    (to, 0.0f32..9.0).prop_map(|(to, wait)| format!("{{ to = {to}, wait = {wait} }}"))
}

/// How long to stay at the end of a leg.
fn wait() -> impl Strategy<Value = String> {
    prop_oneof![(0.0f32..9.0).prop_map(|s| s.to_string()), Just("{ until = \"signal\" }".to_owned())]
}

prop_compose! {
    fn group(goals: Vec<String>)(
        name in name(0),
        many in prop_oneof![
            (0u32..200).prop_map(|n| format!("count = {n}")),
            (0.0f32..3.0).prop_map(|d| format!("density = {d}")),
            (0.001f32..50.0, 0u32..90, any::<bool>())
                .prop_map(|(r, n, on)| format!("source = {{ rate = {r}, total = {n}, on = {on} }}")),
        ],
        start in prop_oneof![
            Just(String::new()),
            shape(false).prop_map(|s| format!("start = {{ {s} }}\n")),
            (shape(false), shape(false)).prop_map(|(a, b)| format!("start = [{{ {a} }}, {{ {b} }}]\n")),
        ],
        (random, knows) in (any::<bool>(), prop::sample::select(vec!["", "knows = { after = 0.1 }\n", "knows = \"on sight\"\n"])),
        radius in spread(0.05, 0.4), speed in spread(0.2, 2.5), turn in spread(0.5, 9.0), delay in spread(0.0, 40.0),
        legs in prop::collection::vec((prop::sample::select(goals), wait(), any::<bool>()), 1..4),
        waits_for_signal in any::<bool>(),
        to in prop::option::of(own_point()),
        arrive in prop::sample::select(vec!["park", "next", "respawn"]),
        entry in prop::option::of(shape(false)),
    ) -> String {
        // Goals that follow each other must differ; after the last one `next` begins with the first.
        let mut legs = legs;
        legs.dedup_by(|a, b| a.0 == b.0);
        let arrive = if arrive == "next" && legs[0].0 == legs[legs.len() - 1].0 { "park" } else { arrive };
        let legs: Vec<String> = legs
            .iter()
            .map(|(g, wait, plain)| if *plain { quoted(g) } else { format!("{{ goal = {}, wait = {wait} }}", quoted(g)) })
            .chain(to)
            .collect();
        let delay = if waits_for_signal && !many.starts_with("source") {
            format!("{{ until = \"signal\", after = {delay} }}")
        } else {
            delay
        };
        let entry = match entry {
            Some(e) if arrive == "respawn" => format!("entry = {{ {e} }}\n"),
            _ => String::new(),
        };
        format!(
            "[[agents]]\nname = {}\n{many}\n{start}place = \"{}\"\nradius = {radius}\nspeed = {speed}\nturn = {turn}\ndelay = {delay}\n\
             journey = [{}]\narrive = \"{arrive}\"\n{entry}{knows}",
            quoted(&name), if random { "random" } else { "lattice" }, legs.join(", "),
        )
    }
}

prop_compose! {
    fn parts()(
        more in (0usize..90, 0usize..60),
        cell in prop::sample::select(vec![0.1f32, 0.25, 0.3, 0.5, 0.7, 1.0]),
        pace in 0.01f32..1.0,
        seed in any::<u32>(),
        name in name(0),
        walls in prop::collection::vec((shape(true), any::<bool>()), 0..6),
        wall_names in (name(0), name(1), name(2), name(3), name(4), name(5)),
        ground in prop::collection::vec((shape(false), 0.0f32..0.98), 0..3),
        goals in (name(1), prop::option::of(name(2))),
        goal_shapes in (shape(false), shape(false), shape(false)),
        zones in prop::collection::vec((shape(false), 0.01f32..1.25), 0..3),
    )(
        groups in prop::collection::vec(group([Some(goals.0.clone()), goals.1.clone()].into_iter().flatten().collect()), 0..4),
        weights in (0.001f32..9.0, 0.001f32..9.0, 0.0f32..9.0, 0.0f32..2.0, 0.0f32..2.0, 0.05f32..0.5, 0.1f32..9.0),
        rest in (0.0f32..1.0, 0.001f32..0.2, 0.0f32..1.0, 1.001f32..9.0, 0u32..9, any::<[bool; 3]>()),
        at in 0.0f32..1e6,
        holds in (any::<[bool; 2]>(), prop::array::uniform3(prop::option::of(1u32..99))),
        more in Just(more), cell in Just(cell), pace in Just(pace), seed in Just(seed), name in Just(name), walls in Just(walls),
        wall_names in Just(wall_names), ground in Just(ground), goals in Just(goals), goal_shapes in Just(goal_shapes), zones in Just(zones),
    ) -> String {
        // Nobody walks faster than 4 m/s, and no zones together make that more than twice as fast.
        let dt = pace * cell / 8.0;
        // At least as large as shapes are drawn in, and written as somebody does who multiplies in decimals.
        let size = ((30.0 / cell).ceil() as usize + more.0, (20.0 / cell).ceil() as usize + more.1);
        let metres = |n: usize| (f64::from(cell) * 1e3).round() * n as f64 / 1e3;
        let mut text = format!(
            "name = {}\ncell = {cell}\ndt = {dt}\nseed = {seed}\nsize = [{}, {}]\n[map]\nwalls = [\n",
            quoted(&name), metres(size.0), metres(size.1)
        );
        let n = &wall_names;
        for ((shape, open), name) in walls.iter().zip([&n.0, &n.1, &n.2, &n.3, &n.4, &n.5]) {
            text += &format!("  {{ {shape}, name = {}, open = {open} }},\n", quoted(name));
        }
        text += "]\ndiscomfort = [\n";
        for (shape, value) in ground {
            text += &format!("  {{ {shape}, value = {value} }},\n");
        }
        text += "]\n";
        let (open, capacities) = holds;
        let [whole, of_shape, of_other] = capacities.map(|c| c.map_or(String::new(), |n| format!("capacity = {n}")));
        text += &format!("[[goal]]\nname = {}\n{}\nopen = {}\n{whole}\n", quoted(&goals.0), goal_shapes.0, open[0]);
        let within = |shape: &str, holds: &str| [shape, holds].into_iter().filter(|s| !s.is_empty()).collect::<Vec<_>>().join(", ");
        if let Some(name) = &goals.1 {
            let (a, b) = (within(&goal_shapes.1, &of_shape), within(&goal_shapes.2, &of_other));
            text += &format!("[[goal]]\nname = {}\nshapes = [{{ {a} }}, {{ {b} }}]\nopen = {}\n", quoted(name), open[1]);
        }
        // One event that does everything at once.
        let other = goals.1.as_ref().map_or(String::new(), |name| format!("open_goals = {}\n", quoted(name)));
        text += &format!("[[event]]\nat = {at}\nname = \"signal\"\nclose_goals = [{}]\n{other}", quoted(&goals.0));
        if !zones.is_empty() {
            let each: Vec<String> = (0..zones.len()).map(|i| format!("z{i} = 1")).collect();
            text += &format!("zones = {{ {} }}\n", each.join(", "));
        }
        for group in &groups {
            text += group;
        }
        for (i, (shape, speed)) in zones.iter().enumerate() {
            text += &format!("[[zone]]\nname = \"z{i}\"\n{shape}\nspeed = {speed}\n");
            text += &format!("[[event]]\nat = {at}\nzone = \"z{i}\"\nspeed = {speed}\n");
        }
        if !walls.is_empty() {
            text += &format!("[[event]]\nat = {at}\nclose = {}\n[[event]]\nat = 3\nopen = {}\n", quoted(&n.0), quoted(&n.0));
        }
        if pace < 0.5 {
            let first = if seed % 2 == 0 { "forward" } else { "backward" };
            text += &format!("[[door]]\nline = [[9, 4], [10.5, {}]]\nfirst = \"{first}\"\npatience = {at}\n", 4.0 + pace);
            text += &format!("[[hazard]]\nkind = \"gas\"\nat = [{}, 4]\nradius = {}\ndrift = [-{pace}, {pace}]\nfade = {at}\nfrom = \"signal\"\n", 9.0 * pace, 0.1 + pace);
            text += &format!("[[hazard]]\nkind = \"ghost\"\npath = [[9, 4], [10.5, {}]]\nloop = {}\nradius = {}\n", 4.0 + pace, seed % 3 == 0, 0.3 + pace);
            text += &format!("[terrain]\nhills = [{{ at = [9, 8], radius = {}, height = {} }}]\n", 1.0 + at / 1e5, 2.0 * pace - 0.5);
            text += &format!("[[weights]]\nrect = [2, 2, 9, 8]\ndensity = {}\n", 2.0 * pace);
        }
        let (a, b, c, d, e, f, g) = weights;
        let (h, i, j, k, l, words) = rest;
        text + &format!(
            "[model]\nlength_weight = {a}\ntime_weight = {b}\ndiscomfort_weight = {c}\nclearance = {d}\nclearance_discomfort = {e}\n\
             person_radius = {f}\njam_density = {g}\nflow_weight = {h}\nmin_speed = {i}\ndensity_min = {j}\ndensity_max = {k}\n\
             separation_rounds = {l}\nplan = \"{}\"\nscheme = \"{}\"\nspeed_law = \"{}\"\n",
            if words[0] { "continuum" } else if seed % 3 == 0 { "froblins" } else { "static" },
            if words[1] { "upwind" } else { "thesis" },
            if words[2] { "weidmann" } else { "thesis" },
        )
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn a_random_scene_is_the_same_when_written_and_read_again(text in parts()) {
        let scene = match Scene::parse("random.toml", &text, &NoFiles) {
            Ok(scene) => scene,
            // Points are drawn anywhere: once in a while they lie on one line.
            Err(e) if e.message().contains("no area") || e.message().contains("no length") => {
                return Err(TestCaseError::reject("a shape of nothing"));
            }
            Err(e) => return Err(TestCaseError::fail(format!("{e}\n{text}"))),
        };
        survives(&scene, &NoFiles)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, max_shrink_iters: 200, ..ProptestConfig::default() })]

    #[test]
    fn a_random_scene_runs_and_is_resumed_to_the_bit(text in parts()) {
        let Ok(scene) = Scene::parse("random.toml", &text, &NoFiles) else { return Ok(()) };
        if scene.grid.len() > 20_000 || scene.agent_count() > 4000 {
            return Ok(());
        }
        // Whether the crowd fits and finds a way is found out only now.
        let Ok(mut run) = Simulation::with_threads(&scene, 1) else { return Ok(()) };
        for _ in 0..20 {
            run.step().expect("the CPU does not fail");
            let c = run.counters();
            prop_assert_eq!(c.active + c.outside + c.parked, scene.agent_count());
            prop_assert_eq!((c.in_wall, c.not_finite), (0, 0), "step {}\n{}", c.steps, text);
        }
        let mut rest = Simulation::with_threads(&scene, 1).expect("it was sound before");
        rest.resume(&run.save().unwrap()).map_err(|e| TestCaseError::fail(format!("{e}\n{text}")))?;
        run.steps_by(5).expect("the CPU does not fail");
        rest.steps_by(5).expect("the CPU does not fail");
        prop_assert_eq!(run.state_hash().unwrap(), rest.state_hash().unwrap(), "{}", text);
        prop_assert_eq!(run.counters(), rest.counters(), "{}", text);
    }
}
