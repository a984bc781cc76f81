//! What holds for every picture.

use super::*;

/// A crowd in an open field, everybody of the same size and colour, nobody moving.
fn field_of(people: u32, radius: f32) -> Scene {
    scene(&format!(
        r#"
cell = 1.0
size = [200, 200]
goal = [{{ name = "edge", rect = [0, 0, 200, 1] }}]

[[agents]]
count = {people}
start = {{ rect = [20, 20, 180, 180] }}
radius = {radius}
sprite = "disc"
journey = ["edge"]
"#
    ))
}

/// Looks at all of [`field_of`] and nothing else is on it.
fn bare() -> Look {
    Look { goals: 0.0, ..Look::default() }
}

/// The area that agents seem to cover, m²: the sum of what each pixel differs from the floor, over what an agent does.
fn covered(picture: &RgbaImage, scale: f32) -> f32 {
    let byte = |c: f32| c * 255.0;
    let (floor, agent) = (colour::FLOOR.map(byte), colour::kind(0).map(byte));
    let whole: f32 = (0..3).map(|i| (agent[i] - floor[i]).powi(2)).sum();
    let share = |p: &Rgba<u8>| -> f32 {
        (0..3).map(|i| (f32::from(p[i]) - floor[i]) * (agent[i] - floor[i])).sum::<f32>() / whole
    };
    picture.pixels().map(share).sum::<f32>() / (scale * scale)
}

/// Draws the middle of a field of people, without what is around the world.
fn drawn_area(set: &mut Set, scale: f32, size: u32) -> f32 {
    let camera = Camera { centre: Vec2::splat(100.0), scale };
    let shooting = Shooting { size: [size; 2], ..plain(bare(), Aim::At(camera)) };
    covered(&set.shoot(&shooting), scale)
}

#[test]
fn far_crowds_cover_as_much_of_the_picture_as_their_bodies_do() {
    let radius = 0.3;
    for people in [500, 5000, 20_000] {
        let mut set = Set::new(&field_of(people, radius));
        let truth = people as f32 * std::f32::consts::PI * radius * radius;
        // 200 m in 400, 200, 100 and 50 pixels: bodies of 0.6 to 0.075 pixels. Few people are less than a step of a
        // pixel's 8 bits at the last of them.
        let zooms = [(2.0, 400), (1.0, 200), (0.5, 100), (0.25, 50)];
        for (scale, size) in &zooms[..if people > 500 { 4 } else { 3 }] {
            let seen = drawn_area(&mut set, *scale, *size);
            // Rounding to 8 bits, where most pixels hold a fraction of a body: measured within half a percent.
            assert!((seen / truth - 1.0).abs() < 0.02, "{people} at {scale} px/m: {seen} m² of {truth} m²");
        }
    }
}

#[test]
fn twice_as_many_cover_twice_as_much() {
    let areas = [1000, 2000, 4000].map(|people| drawn_area(&mut Set::new(&field_of(people, 0.3)), 1.0, 200));
    for pair in areas.windows(2) {
        // See above for the tolerance.
        assert!((pair[1] / pair[0] - 2.0).abs() < 0.04, "{areas:?} m²");
    }
}

#[test]
fn nothing_jumps_where_sprites_become_sums() {
    let radius = 0.3;
    let people = 2000;
    let mut set = Set::new(&field_of(people, radius));
    let truth = people as f32 * std::f32::consts::PI * radius * radius;
    // Drawn radii around where sums end; from 3 pixels on bodies have a dark rim.
    let radii = [0.3, 0.45, 0.6, 0.75, 0.89, 0.91, 1.1, 1.5, 2.0];
    let seen = radii.map(|r| {
        let scale = r / radius;
        drawn_area(&mut set, scale, (190.0 * scale) as u32) / truth
    });
    let within = |share: &f32| (share - 1.0).abs() < 0.05;
    // Wide enough for a smooth edge that is not quite the disc's, too little for anybody to see it change.
    assert!(seen.iter().all(within), "drawn area over true area {seen:.2?} at radii of {radii:?} px");
}

#[test]
fn a_heap_is_as_opaque_as_it_is_and_no_more() {
    // Everybody drawn ten times as wide: each pixel is covered many times over.
    let mut set = Set::new(&field_of(20_000, 0.3));
    let camera = Camera { centre: Vec2::splat(100.0), scale: 0.25 };
    let look = Look { body: 10.0, ..bare() };
    let picture = set.shoot(&Shooting { size: [30; 2], ..plain(look, Aim::At(camera)) });
    let wanted = colour::kind(0).map(|c| c * 255.0);
    for (x, y, p) in picture.enumerate_pixels() {
        // Rounding of 8 bits, twice.
        let off = (0..3).map(|i| (f32::from(p[i]) - wanted[i]).abs()).fold(0.0, f32::max);
        assert!(off <= 3.0, "{p:?} at {x}, {y}: {}", kept("heap", &[("drawn", &picture)]));
    }
}

#[test]
fn both_engines_draw_the_same_picture_of_the_same_crowd() {
    for (name, scene) in [("yard", scene(YARD)), ("corridor", built_in("corridor"))] {
        let (mut cpu, mut gpu) = (Set::new(&scene), Set::on_gpu(&scene));
        for look in
            [Look::default(), field(Overlay::Discomfort), colouring(Colouring::Group), colouring(Colouring::State)]
        {
            for aim in [Aim::Fit, Aim::At(YARD_VIEW)] {
                let shooting = Shooting { aim, ..captioned(look.clone()) };
                assert_alike(&format!("engines-{name}"), &cpu.shoot(&shooting), &gpu.shoot(&shooting));
            }
        }
        // One step later bodies are a hair apart at most, and every field is there.
        for set in [&mut cpu, &mut gpu] {
            set.sim.steps_by(1).expect("the engine works");
        }
        for overlay in Overlay::ALL {
            for goal in 0..scene.goals.len() {
                let look = Look { goal, ..field(overlay) };
                let shooting = captioned(look);
                let name = format!("engines-{name}-{}", overlay.name());
                assert_alike(&name, &cpu.shoot(&shooting), &gpu.shoot(&shooting));
            }
        }
        let shooting = captioned(colouring(Colouring::Density));
        assert_alike(&format!("engines-{name}-density"), &cpu.shoot(&shooting), &gpu.shoot(&shooting));
    }
}

#[test]
fn an_engine_without_tiles_shows_none() {
    let mut set = Set::new(&scene(YARD)).after(1);
    let plain = set.at(Look::default(), YARD_VIEW);
    assert_alike("tiles-of-the-cpu", &plain, &set.at(Look { tiles: 0.6, ..Look::default() }, YARD_VIEW));
}

#[test]
fn a_part_of_a_picture_is_the_picture_of_that_part() {
    let mut set = Set::new(&built_in("corridor"));
    // All of it, and a window of 160 × 80 pixels in it, at places where many people are cut by its border.
    let whole = Camera { centre: Vec2::new(20.0, 2.0), scale: 20.0 };
    let all = set.shoot(&Shooting { size: [800, 80], ..plain(Look::default(), Aim::At(whole)) });
    for left in [40, 120, 460] {
        let centre = Vec2::new((left + 80) as f32 / 20.0, 2.0);
        let part =
            set.shoot(&Shooting { size: [160, 80], ..plain(Look::default(), Aim::At(Camera { centre, ..whole })) });
        let cut = image::imageops::crop_imm(&all, left, 0, 160, 80).to_image();
        assert_alike("part", &cut, &part);
    }
}

#[test]
fn the_same_picture_has_the_same_bytes() {
    let mut set = Set::new(&scene(YARD)).after(25);
    let looks = [Look::default(), field(Overlay::Velocity), colouring(Colouring::Speed)];
    for look in looks {
        let shooting = captioned(look);
        let first = set.shoot(&shooting);
        assert!(first == set.shoot(&shooting), "drawn again");
        let mut other = Set::new(&scene(YARD)).after(25);
        assert!(first == other.shoot(&shooting), "drawn by another studio");
    }
    let mut far = Set::new(&built_in("hills"));
    let shooting = plain(Look::default(), Aim::Fit);
    // Sums are of whole numbers: their order does not count.
    assert!(far.shoot(&shooting) == far.shoot(&shooting), "sums");
}

#[test]
fn sizes_are_as_asked_down_to_a_pixel() {
    let mut set = Set::new(&scene(YARD));
    for size in [[1, 1], [3, 200], [321, 7], [320, 240]] {
        let picture = set.shoot(&Shooting { size, ..captioned(field(Overlay::Gradient)) });
        assert_eq!(picture.dimensions(), (size[0], size[1]));
    }
}

#[test]
fn worlds_without_people_goals_or_walls_are_drawn() {
    let mut set = Set::new(&scene("size = [16, 12]"));
    let picture = set.at(Look::default(), YARD_VIEW);
    let floor = colour::FLOOR.map(|c| c * 255.0);
    for p in picture.pixels() {
        // Rounding.
        assert!((0..3).all(|i| (f32::from(p[i]) - floor[i]).abs() <= 1.0), "{p:?}");
    }
    let follow = Shooting { aim: Aim::Follow(0, 10.0), ..captioned(field(Overlay::Density)) };
    assert_eq!(set.shoot(&follow).dimensions(), (WIDE[0], WIDE[1]), "nobody to follow is no reason to fail");
}
