//! Terrain, on both engines: people are as fast as the law of slopes lets them, plans weigh hills against the way round, and what is too steep is
//! a wall.

mod engines;
mod heights;

use engines::{ENGINES, runs};
use heights::{Folder, npy, with_heights};
use throng::engine::{Field, Values};
use throng::scene::{NoFiles, SlopeLaw};
use throng::{Scene, Simulation, Vec2};

/// Tobler's factor, 1 on the level, by its own formula.
fn tobler(slope: f64) -> f64 {
    (-3.5 * (slope + 0.05).abs()).exp() / (-3.5f64 * 0.05).exp()
}

fn scalars(sim: &mut Simulation, field: Field) -> Vec<f32> {
    match sim.field(field).expect("a field") {
        Values::Scalar(values) => values,
        Values::Vector(_) => panic!("a number per cell"),
    }
}

/// When the only agent passes two lines west to east, s.
fn seconds_between(sim: &mut Simulation, from: f32, to: f32) -> f64 {
    let (mut begin, mut before) = (None, 0.0f32);
    while sim.time() < 300.0 {
        let time = sim.time();
        sim.step().expect("a step");
        let Some((_, p)) = sim.positions().expect("people").first().copied() else { break };
        // Between the two steps, by how far it was.
        let when = |line: f32| time + f64::from((line - before) / (p.x - before)) * f64::from(sim.scene().dt);
        if before < from && p.x >= from {
            begin = Some(when(from));
        }
        if before < to && p.x >= to {
            return when(to) - begin.expect("it passed the first line");
        }
        before = p.x;
    }
    panic!("nobody came to {to}")
}

#[test]
fn the_law_is_toblers_and_one_on_the_level() {
    for k in -40..=40 {
        let slope = 0.025 * k as f32;
        assert!((f64::from(SlopeLaw::Tobler.factor(slope)) - tobler(slope.into())).abs() < 1e-5);
        assert_eq!(SlopeLaw::Nothing.factor(slope), 1.0);
    }
    assert!((SlopeLaw::Tobler.factor(0.0) - 1.0).abs() < 1e-6);
    assert!((SlopeLaw::Tobler.most() - 1.1912).abs() < 1e-3);
}

#[test]
fn the_time_along_a_ramp_is_its_length_over_the_speed_times_the_factor() {
    for (slope, law, steer) in [
        (0.0, "tobler", "walk"),
        (0.1, "tobler", "walk"),
        (0.3, "tobler", "follow"),
        (-0.05, "tobler", "walk"),
        (-0.3, "tobler", "follow"),
        (0.3, "none", "walk"),
    ] {
        let text = format!(
            "size = [24, 3]\ndt = 0.05\n[terrain]\nheights = \"land.npy\"\nlaw = \"{law}\"\n[[goal]]\nrect = [23, 0, 24, 3]\n\
             [[agents]]\ncount = 1\nstart = {{ rect = [1, 1.4, 1.2, 1.6] }}\nspeed = 1.25\n[model]\nsteer = \"{steer}\"\n"
        );
        let scene = with_heights(&text, (48, 6, 0.5), |p| slope * p.x);
        for mut sim in runs(&scene) {
            let time = seconds_between(&mut sim, 5.0, 20.0);
            let factor = if law == "none" { 1.0 } else { tobler(slope.into()) };
            let expected = 15.0 / (1.25 * factor);
            let off = (time / expected - 1.0).abs();
            // The density field of one walker slows those who follow it by about a hundredth.
            assert!(off < 0.02, "{} {steer}: slope {slope} by {law}: {time} s, not {expected}", sim.engine().name());
        }
    }
}

/// A ridge across the straight way of 50 m, up and down 18 m each; a level way round it is 71.6 m.
fn ridge(height: f32, model: &str) -> Scene {
    let text = format!(
        "size = [60, 24]\ndt = 0.1\ncell = 1\n[map]\nwalls = [{{ rect = [10, 6, 50, 18] }}]\n[terrain]\nheights = \"land.npy\"\n\
         [[goal]]\nrect = [55, 2, 56, 4]\n[[agents]]\ncount = 1\nstart = {{ rect = [4.9, 2.9, 5.1, 3.1] }}\nspeed = 1.25\n\
         [model]\nclearance = 0\nlength_weight = 0\n{model}"
    );
    let slope = height / 18.0;
    with_heights(&text, (60, 24, 1.0), |p| if p.y < 12.0 { slope * (18.0 - (p.x - 30.0).abs()).max(0.0) } else { 0.0 })
}

/// Seconds over the ridge and round it, at 1.25 m/s.
fn by_hand(height: f64) -> (f64, f64) {
    let slope = height / 18.0;
    let over = 14.0 + 18.0 / tobler(slope) + 18.0 / tobler(-slope);
    let round = 40.0 + 2.0 * (25.0f64 + 225.0).sqrt();
    (over / 1.25, round / 1.25)
}

#[test]
fn people_go_over_a_hill_or_round_it_as_the_law_says() {
    // Where both take the same time: by bisection of the two formulas.
    let (mut low, mut high) = (0.1, 10.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        let (over, round) = by_hand(middle);
        if over < round { low = middle } else { high = middle }
    }
    assert!((3.2..3.35).contains(&low), "both take the same time at {low} m");
    for model in ["", "plan = \"static\"\n", "plan = \"froblins\"\n"] {
        for (height, over) in [(0.0, true), (0.85 * low, true), (1.15 * low, false), (2.0 * low, false)] {
            for mut sim in runs(&ridge(height as f32, model)) {
                let name = format!("{} with {model:?}", sim.engine().name());
                sim.step().expect("a step");
                let start = sim.scene().grid.index_at(Vec2::new(4.5, 3.5));
                let Values::Vector(ways) = sim.field(Field::Gradient(0)).expect("a field") else { panic!() };
                let way = Vec2::from(ways[start]);
                let (expected_over, expected_round) = by_hand(height);
                assert_eq!(way.x.abs() > way.y.abs(), over, "{name}: {height} m: the way is {way}");
                let cost = f64::from(scalars(&mut sim, Field::Potential(0))[start]);
                // Costs without direction are in metres of level floor.
                let seconds = if model.contains("froblins") { cost / 1.25 } else { cost };
                let expected = expected_over.min(expected_round);
                // A grid of 1 m finds corners and slanted ways a few hundredths longer.
                assert!((seconds / expected - 1.0).abs() < 0.06, "{name}: {height} m: {seconds} s, not {expected}");
            }
        }
    }
    // And they walk it, on the CPU: time over the ridge by the law.
    for height in [0.0, 0.85 * low, 1.15 * low] {
        let mut sim = Simulation::with_threads(&ridge(height as f32, "plan = \"static\"\n"), 1).expect("it fits");
        while !sim.is_done() && sim.time() < 120.0 {
            sim.step().expect("a step");
        }
        let (over, round) = by_hand(height);
        assert!(
            (sim.time() / over.min(round) - 1.0).abs() < 0.06,
            "{height} m: {} s, not {over} or {round}",
            sim.time()
        );
    }
}

#[test]
fn without_a_law_nobody_minds_a_hill() {
    let mut scene = ridge(6.0, "plan = \"static\"\n");
    scene.terrain.law = SlopeLaw::Nothing;
    let mut sim = Simulation::with_threads(&scene, 1).expect("it fits");
    while !sim.is_done() && sim.time() < 120.0 {
        sim.step().expect("a step");
    }
    assert!((sim.time() - 40.0).abs() < 1.5, "{} s", sim.time());
}

#[test]
fn what_is_too_steep_is_a_wall_for_plans_and_nobody_walks_up_it() {
    // A terrace of 1.5 m across the way, with a ramp of slope 0.25 in the north.
    let text = "size = [20, 12]\ndt = 0.05\n[terrain]\nheights = \"land.npy\"\n[[goal]]\nname = \"up\"\nrect = [19, 0, 20, 12]\n\
                [[goal]]\nname = \"down\"\nrect = [0, 0, 1, 12]\n\
                [[agents]]\ncount = 8\nstart = { rect = [1, 1, 5, 6] }\njourney = [\"up\"]\n\
                [[agents]]\ncount = 8\nstart = { rect = [15, 1, 19, 6] }\njourney = [\"down\"]\n";
    let land = |p: Vec2| {
        if p.y > 8.0 {
            (0.25 * (p.x - 7.0)).clamp(0.0, 1.5)
        } else if p.x > 10.0 {
            1.5
        } else {
            0.0
        }
    };
    let scene = with_heights(text, (40, 24, 0.5), land);
    for mut sim in runs(&scene) {
        let name = sim.engine().name();
        let mut before = sim.positions().expect("people");
        while !sim.is_done() && sim.time() < 60.0 {
            sim.step().expect("a step");
            let now = sim.positions().expect("people");
            for (id, p) in &now {
                let Ok(k) = before.binary_search_by_key(id, |b| b.0) else { continue };
                let climbed = before[k].1.x < 10.0 && p.x >= 10.0 && p.y < 7.5;
                assert!(!climbed, "{name}: {id} climbs the terrace at {p}");
            }
            before = now;
        }
        assert_eq!(sim.counters().arrived, 16, "{name}");
    }
    // Without the ramp there is no way up.
    let closed = with_heights(text, (40, 24, 0.5), |p| if p.x > 10.0 { 1.5 } else { 0.0 });
    let why = Simulation::new(&closed).expect_err("nobody comes up there").to_string();
    assert!(why.contains("no way") || why.contains("reach"), "{why}");
}

#[test]
fn heights_come_from_arrays_images_and_hills() {
    let sim = |text: &str, files: Vec<(String, Vec<u8>)>| {
        let text =
            format!("size = [8, 4]\ncell = 1\n[[goal]]\nrect = [7, 0, 8, 4]\n[[agents]]\ncount = 1\n[terrain]\n{text}");
        let scene = Scene::parse("land.toml", &text, &Folder(files)).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let mut all: Vec<Vec<f32>> = runs(&scene).iter_mut().map(|sim| scalars(sim, Field::Height)).collect();
        assert!(all.windows(2).all(|pair| pair[0] == pair[1]));
        all.swap_remove(0)
    };
    // The same shape, 8 bytes a number, south row first.
    let plain = sim("heights = \"a.npy\"", vec![("a.npy".into(), npy(8, 4, true, |x, y| 0.1 * (x + 10 * y) as f64))]);
    assert!((plain[3 + 8 * 2] - 2.3).abs() < 1e-6 && plain[0] == 0.0, "{plain:?}");
    // Half the shape: linear between the middles.
    let coarse = sim("heights = \"a.npy\"", vec![("a.npy".into(), npy(4, 2, false, |x, _| x as f64))]);
    assert_eq!(coarse[..8], [0.0, 0.25, 0.75, 1.25, 1.75, 2.25, 2.75, 3.0]);
    // An image has its north row first.
    let mut png = std::io::Cursor::new(Vec::new());
    let grey = image::ImageBuffer::<image::Luma<u16>, _>::from_fn(8, 4, |x, y| {
        image::Luma([if (x, y) == (2, 0) { 65535 } else { 13107 }])
    });
    image::DynamicImage::from(grey).write_to(&mut png, image::ImageFormat::Png).expect("memory takes everything");
    let drawn = sim(
        "heights = \"a.png\"\nlow = -1\nhigh = 1\nlaw = \"none\"\nsteepest = 2",
        vec![("a.png".into(), png.into_inner())],
    );
    assert!((drawn[2 + 8 * 3] - 1.0).abs() < 1e-6 && (drawn[2] + 0.6).abs() < 1e-6, "{drawn:?}");
    let hill = sim("hills = [{ at = [4.5, 1.5], radius = 2, height = 0.8 }]", Vec::new());
    assert!(
        (hill[4 + 8] - 0.8).abs() < 1e-6 && (hill[5 + 8] - 0.8 * 0.5625).abs() < 1e-6 && hill[0] == 0.0,
        "{hill:?}"
    );
}

#[test]
fn a_scene_with_heights_survives_being_saved() {
    let text = "size = [8, 4]\ncell = 1\n[[goal]]\nrect = [7, 0, 8, 4]\n[[agents]]\ncount = 1\n[[weights]]\ncircle = [4, 2, 1]\ndensity = 3\n\
                [terrain]\nheights = \"land.npy\"\nhills = [{ at = [4, 2], radius = 2, height = 0.3 }]\nsteepest = 0.8\n";
    let scene = with_heights(text, (8, 4, 1.0), |p| 0.1 * p.x.sin());
    let files = scene.to_files("saved");
    let saved = String::from_utf8(files[0].1.clone()).expect("text");
    let again = Scene::parse("saved.toml", &saved, &Folder(files)).unwrap_or_else(|e| panic!("{e}\n{saved}"));
    let cells = |scene: &Scene| scene.terrain.heights.as_ref().map(|h| h.cells.clone());
    assert_eq!(cells(&scene), cells(&again));
    assert_eq!((&scene.terrain.hills, scene.terrain.steepest), (&again.terrain.hills, again.terrain.steepest));
    assert_eq!(scene.local_weights, again.local_weights);
}

#[test]
fn a_run_on_hills_is_resumed_to_the_same_bits_and_not_on_other_ones() {
    let text = |height: f32| {
        format!(
            "size = [16, 10]\n[terrain]\nhills = [{{ at = [8, 5], radius = 4, height = {height} }}]\n[[goal]]\nrect = [15, 0, 16, 10]\n\
             [[agents]]\ncount = 12\nstart = {{ rect = [1, 1, 6, 9] }}\n[model]\nplan = \"froblins\"\nplan_every = 3\n"
        )
    };
    let scene = |height: f32| Scene::parse("hills.toml", &text(height), &NoFiles).expect("it is sound");
    for on_engine in ENGINES {
        let (mut whole, mut other) = (on_engine(&scene(1.0)), on_engine(&scene(1.0)));
        whole.steps_by(43).expect("steps");
        let saved = whole.save().expect("a snapshot");
        other.resume(&saved).expect("it fits");
        for run in [&mut whole, &mut other] {
            run.steps_by(40).expect("steps");
        }
        assert_eq!(whole.state_hash(), other.state_hash(), "{}", whole.engine().name());
        assert!(on_engine(&scene(1.5)).resume(&saved).is_err());
    }
}
