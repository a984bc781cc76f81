//! Goals that are closed and opened.

use super::engines::ENGINES;
use super::{assert_reads_back, assert_resumes, everybody, read, run_until};
use throng::geometry::{Rect, Shape};
use throng::{Simulation, Vec2};

/// Twelve people on their way to a lift whose door opens after 12 s.
const LIFT: &str = r#"
size = [14, 8]
cell = 0.5
dt = 0.1
[[goal]]
name = "lift"
rect = [12, 3, 14, 5]
open = false
[[agents]]
count = 12
start = { rect = [1, 1, 7, 7] }
speed = { uniform = [1.0, 1.5] }
[[event]]
name = "doors open"
at = 12
open_goals = "lift"
[model]
steer = "walk"
"#;

fn lift() -> Rect {
    Rect::new(Vec2::new(12.0, 3.0), Vec2::new(14.0, 5.0))
}

fn inside(p: Vec2) -> bool {
    Shape::Rect(lift()).contains(p)
}

/// How far everybody is from the lift.
fn distances(sim: &mut Simulation) -> Vec<f32> {
    let r = lift();
    everybody(sim).into_iter().map(|(_, p)| p.distance(p.clamp(r.min, r.max))).collect()
}

#[test]
fn nobody_arrives_at_a_closed_goal_but_all_come_near_and_wait_outside_of_it() {
    let scene = read(LIFT);
    for make in ENGINES {
        let mut sim = make(&scene);
        let name = sim.engine().name();
        for _ in 0..120 {
            sim.step().unwrap();
            let all = everybody(&mut sim);
            assert!(!all.iter().any(|(_, p)| inside(*p)), "{name}: somebody stands in the closed lift");
        }
        assert_eq!(sim.counters().goals_reached, 0, "{name}");
        let away = distances(&mut sim);
        assert!(away.iter().all(|d| *d < 2.5), "{name}: they wait near: {away:?}");
        // They stand.
        let before = everybody(&mut sim);
        run_until(&mut sim, 12.0);
        let moved = |a: &[(throng::world::agents::State, Vec2)], b: &[(throng::world::agents::State, Vec2)]| {
            a.iter().zip(b).map(|(a, b)| a.1.distance(b.1)).fold(0.0, f32::max)
        };
        assert!(moved(&before, &everybody(&mut sim)) < 0.2, "{name}");
        // And go in when it opens.
        run_until(&mut sim, 20.0);
        assert_eq!(sim.counters().arrived, 12, "{name}");
    }
}

#[test]
fn whoever_is_in_a_goal_that_closes_walks_out_of_it() {
    let text = LIFT
        .replace("open = false\n", "")
        .replace("start = { rect = [1, 1, 7, 7] }", "start = { rect = [12.2, 3.2, 13.9, 4.9] }")
        .replace("count = 12", "count = 4");
    for make in ENGINES {
        let mut sim = make(&read(&text));
        assert!(sim.open_goal("lift", false) && !sim.open_goal("stairs", false));
        run_until(&mut sim, 6.0);
        let all = everybody(&mut sim);
        assert_eq!(sim.counters().arrived, 0, "{}", sim.engine().name());
        assert!(!all.iter().any(|(_, p)| inside(*p)), "{}: {all:?}", sim.engine().name());
    }
}

#[test]
fn a_closed_goal_survives_files_and_snapshots() {
    let scene = read(LIFT);
    assert_reads_back(&scene);
    for make in ENGINES {
        assert_resumes(make, &scene, &[70, 119, 120], 8);
    }
}

#[test]
fn a_call_closes_and_opens_a_goal_and_the_scene_in_force_says_so() {
    let scene = read(&LIFT[..LIFT.find("[[event]]").unwrap()].replace("open = false\n", ""));
    for make in ENGINES {
        let mut sim = make(&scene);
        let name = sim.engine().name();
        assert!(sim.open_goal("lift", false));
        assert!(!sim.scene().goals[0].open);
        assert!(sim.edited_scene().to_toml().contains("open = false"));
        run_until(&mut sim, 9.0);
        assert_eq!(sim.counters().arrived, 0, "{name}");
        let bytes = sim.save().unwrap();
        let mut other = make(&scene);
        other.resume(&bytes).unwrap();
        for run in [&mut sim, &mut other] {
            assert!(run.open_goal("lift", true));
            run_until(run, 18.0);
            assert_eq!(run.counters().arrived, 12, "{name}");
        }
        assert_eq!(sim.state_hash().unwrap(), other.state_hash().unwrap(), "{name}");
    }
}

#[test]
fn a_goal_that_moves_while_it_is_closed_stays_closed() {
    let scene = read(&LIFT[..LIFT.find("[[event]]").unwrap()]);
    for make in ENGINES {
        let mut sim = make(&scene);
        let west = Rect::new(Vec2::new(0.0, 0.0), Vec2::new(1.0, 8.0));
        assert!(sim.move_goal("lift", vec![Shape::Rect(west)]).unwrap());
        run_until(&mut sim, 9.0);
        let all = everybody(&mut sim);
        assert_eq!(sim.counters().arrived, 0, "{}", sim.engine().name());
        assert!(all.iter().all(|(_, p)| (1.0..4.0).contains(&p.x)), "{}: {all:?}", sim.engine().name());
    }
}

#[test]
fn a_goal_of_an_image_can_be_closed_and_limited_by_its_name() {
    use throng::scene::Files;
    struct Exits;
    impl Files for Exits {
        fn read(&self, _: &str) -> Result<Vec<u8>, String> {
            let mut image = image::RgbaImage::from_pixel(20, 10, image::Rgba([255; 4]));
            (0..10).for_each(|y| image.put_pixel(19, y, image::Rgba([0, 255, 255, 255])));
            let mut out = std::io::Cursor::new(Vec::new());
            image.write_to(&mut out, image::ImageFormat::Png).expect("memory takes everything");
            Ok(out.into_inner())
        }
    }
    let text = "[map]\nexits = \"exits.png\"\n[[goal]]\nname = \"exit 0\"\nopen = false\ncapacity = 3\n[[agents]]\ncount = 5\nstart = { rect = [1, 1, 4, 4] }\n";
    let scene = throng::Scene::parse("picture.toml", text, &Exits).unwrap();
    assert_eq!((scene.goals.len(), scene.goals[0].open, scene.goals[0].capacity), (1, false, Some(3)));
    let again = throng::Scene::parse("picture.toml", &scene.to_toml(), &Exits).unwrap();
    assert_eq!(
        (again.goals[0].open, again.goals[0].capacity, &again.goals[0].cells),
        (false, Some(3), &scene.goals[0].cells)
    );
    let kept = read(std::str::from_utf8(&scene.to_files("kept")[0].1).unwrap());
    assert_eq!((kept.goals[0].open, kept.goals[0].capacity), (false, Some(3)));
}
