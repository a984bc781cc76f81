//! A field looks the same from `throng field`, from `throng render` and in the folder of `throng run --out`.

use super::*;
use image::Rgba;

/// Nothing but the field.
const BARE: [&str; 6] = ["--opacity", "agents=0", "--opacity", "goals=0", "--opacity", "walls=0"];
/// A wall as `throng field` draws it; a renderer that leaves walls out shows the field there.
const WALL: Rgba<u8> = Rgba([0x5A, 0x62, 0x6D, 0xFF]);
/// So far apart, of 255, are colours that one table of 256 steps and one of 512 give the same value.
const ROUNDING: u8 = 4;

fn field(scene: &str, name: &str, steps: &str) -> RgbaImage {
    let folder = folder();
    let file = path(&folder, "field.png");
    let output = program(&["field", scene, name, "--steps", steps, "-o", &file]).output().expect("the program starts");
    assert!(output.status.success(), "{scene} {name}: {}", String::from_utf8_lossy(&output.stderr));
    image_at(&file)
}

/// Pixels that an eye would tell apart: none where one picture has a wall that the other leaves out.
fn different(a: &RgbaImage, b: &RgbaImage) -> usize {
    assert_eq!(a.dimensions(), b.dimensions());
    let apart =
        |(p, q): &(&Rgba<u8>, &Rgba<u8>)| **p != WALL && p.0.iter().zip(q.0).any(|(x, y)| x.abs_diff(y) > ROUNDING);
    a.pixels().zip(b.pixels()).filter(apart).count()
}

#[test]
fn field_and_render_draw_one_page() {
    for scene in ["office", "hills", "circle"] {
        for name in ["density", "speed", "potential", "discomfort", "height", "gradient", "use"] {
            let drawn = field(scene, name, "20");
            let rendered = picture(&[&[scene, "--field", name, "--steps", "20"], &BARE[..]].concat());
            let all = (drawn.width() * drawn.height()) as usize;
            let different = different(&drawn, &rendered);
            // Equal values may be rounded to other colours; rims of arrows are mixed with walls that one picture leaves out.
            let most = all / if name == "gradient" { 200 } else { 10_000 };
            assert!(different <= most, "{scene} {name}: {different} of {all} pixels");
            assert!(colours(&drawn) > 10, "{scene} {name}");
        }
    }
}

#[test]
fn the_maps_of_a_run_are_those_fields() {
    let folder = folder();
    let out = path(&folder, "out");
    let output = program(&["run", "office", "--steps", "40", "--quiet", "--out", &out]).output();
    assert!(output.expect("the program starts").status.success());
    for name in ["peak-density", "use"] {
        let map = image_at(&format!("{out}/{name}.png"));
        assert_eq!(map, field("office", name, "40"), "{name}");
        let rendered = picture(&[&["office", "--field", name, "--steps", "40"], &BARE[..]].concat());
        let (different, all) = (different(&map, &rendered), (map.width() * map.height()) as usize);
        assert!(different * 500 < all, "{name}: {different} of {all} pixels");
    }
}

#[test]
fn maps_that_a_snapshot_does_not_have_are_said_to_begin_there() {
    let folder = folder();
    let [state, file] = ["state.throng", "use.png"].map(|name| path(&folder, name));
    let scene = throng::Scene::built_in("corridor").expect("it is built in");
    let mut sim = throng::Simulation::with_threads(&scene, 1).expect("it is sound");
    sim.steps_by(10).expect("the CPU does not fail");
    let draw = |field: &str| {
        let output = render(&["corridor", "--resume", &state, "--field", field, "--steps", "3", "-o", &file]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stderr).contains("this snapshot has no maps of peak density and use")
    };
    std::fs::write(&state, sim.save().expect("there is room")).expect("a file");
    assert!(draw("use") && draw("peak-density") && !draw("density"));
    sim.engine_mut().keep_maps(true);
    std::fs::write(&state, sim.save().expect("there is room")).expect("a file");
    assert!(!draw("use"));
}

#[test]
fn a_page_has_the_asked_size_and_people_are_faint_in_it() {
    let small = ["corridor", "--field", "density", "--steps", "20", "--size", "800x400"];
    let page = picture(&small);
    assert_eq!(page.dimensions(), (800, 400));
    let (faint, full) = (picture(&small), picture(&[&small, &["--opacity", "agents=1"][..]].concat()));
    let none = picture(&[&small, &["--opacity", "agents=0.01"][..]].concat());
    let away = |a: &RgbaImage, b: &RgbaImage| -> u64 {
        a.pixels()
            .zip(b.pixels())
            .flat_map(|(p, q)| p.0.into_iter().zip(q.0))
            .map(|(x, y)| u64::from(x.abs_diff(y)))
            .sum()
    };
    assert!(0 < away(&faint, &none) && 2 * away(&faint, &none) < away(&full, &none), "they fade");
    let large = picture(&[&small, &["--text", "1.5"][..]].concat());
    assert_eq!(large.dimensions(), (800, 400));
    assert_ne!(large, page, "letters grow");
}
