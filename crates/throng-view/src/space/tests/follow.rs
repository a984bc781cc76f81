//! Who is followed stays where it is in the picture, also in frames between two steps.

use super::*;

/// Somebody who walks alone.
const ALONE: &str = r#"
name = "alone"
cell = 0.5
size = [30, 12]
goal = [{ name = "gate", rect = [29, 0, 30, 12] }]
agents = [{ name = "one", count = 1, start = { rect = [2, 5.8, 2.4, 6.2] }, journey = ["gate"] }]
"#;

/// Pictures of somebody who walks, four between two steps: how long before the step's end, s.
fn frames(set: &mut Set, mut each: impl FnMut(&mut Set, f32)) {
    let dt = set.sim.scene().dt;
    for _ in 0..4 {
        set.sim.steps_by(1).expect("the engine works");
        for part in [0.75, 0.5, 0.25, 0.0] {
            each(set, part * dt);
        }
    }
}

fn following(space: Option<Settings>, agents: f32, back: f32) -> Shooting {
    let look = Look { space, agents, ..Look::default() };
    Shooting { size: SIZE, look, aim: Aim::Follow(0, 40.0), caption: false, chosen: None, text: 1.0, back }
}

#[test]
fn who_is_followed_from_above_stays_in_the_middle_between_two_steps() {
    let mut set = Set::new(ALONE, 40);
    let mut places = Vec::new();
    frames(&mut set, |set, back| {
        let [with, without] =
            [1.0, 0.0].map(|agents| set.studio.picture(&mut set.sim, &following(None, agents, back)).expect("drawn"));
        // The middle of what a body changes.
        let (mut sum, mut mass) = (Vec2::ZERO, 0.0);
        for (x, y, pixel) in with.enumerate_pixels() {
            let by: f32 = (0..3).map(|k| f32::from(pixel.0[k].abs_diff(without.get_pixel(x, y).0[k]))).sum();
            sum += by * Vec2::new(x as f32, y as f32);
            mass += by;
        }
        assert!(mass > 1000.0, "somebody is there");
        places.push(sum / mass);
    });
    // A step at a walk is 2 px here.
    let most = places.iter().map(|p| p.distance(places[0])).fold(0.0, f32::max);
    assert!(most < 0.4, "{most} px: {places:?}");
}

#[test]
fn who_is_followed_over_the_shoulder_stays_in_the_middle_between_two_steps() {
    let mut set = Set::new(ALONE, 40);
    let settings = Settings { budget: 100_000, shadows: false, ..Settings::default() };
    frames(&mut set, |set, back| {
        set.studio.draw(&mut set.sim, &following(Some(settings), 1.0, back)).expect("drawn");
        let space = set.space();
        let numbers = set.numbers();
        let who = set.read(&space.crowd.characters);
        let [x, y, z] = [0, 1, 2].map(|k| f32::from_bits(who[k]));
        let clip = numbers.clip * Vec3::new(x, y, z + 1.0).extend(1.0);
        let pixel = clip.truncate().truncate() / clip.w * 0.5 * Vec2::new(SIZE[0] as f32, SIZE[1] as f32);
        assert!(pixel.length() < 0.2, "{pixel} px from the middle, {back} s before the step's end");
        // It walks east, and the eye is behind: what the eye has ahead of it is there.
        let ahead = -numbers.view.row(2).truncate();
        assert!(ahead.truncate().normalize().x > 0.99, "{ahead}");
    });
}

#[test]
fn a_view_turns_after_somebody_more_slowly_than_a_head() {
    let mut set = Set::new(ALONE, 1);
    let mut look = |moment: f64, ahead: Vec2| set.studio.look_after(3, moment, ahead);
    assert_eq!(look(1.0, Vec2::X), Vec2::X);
    let soon = look(1.02, Vec2::Y);
    assert!(soon.x > 0.9 && soon.y > 0.05, "{soon}");
    // The same moment once more, and much later.
    assert!(look(1.02, Vec2::Y).distance(soon) < 1e-6);
    assert!(look(5.0, Vec2::Y).distance(Vec2::Y) < 1e-3);
    // A run that has begun anew.
    assert_eq!(look(0.5, Vec2::X), Vec2::X);
}
