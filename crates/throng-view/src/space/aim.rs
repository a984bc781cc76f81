//! From where a picture is aimed to where one stands.

use super::relief::Relief;
use super::settings::Settings;
use super::viewpoint::{Eye, FIELD_OF_VIEW, Follow, Orbit, TOWARDS, Viewpoint};
use crate::studio::Aim;
use glam::{Vec2, Vec3};
use throng::geometry::Rect;

/// Of the followed one, above the ground, m.
const MIDDLE: f32 = 1.0;
/// An eye is so high above the ground at least, m.
const ABOVE_GROUND: f32 = 0.15;

/// Where one stands for a picture of so many pixels. `subject` is where the followed one is and where it faces, if it is
/// anywhere; who is gone is not followed, and the whole world is shown.
#[must_use]
pub fn eye(aim: Aim, settings: &Settings, relief: &Relief, size: Vec2, subject: Option<(Vec2, Vec2)>) -> Eye {
    let (turn, tilt) = settings.towards;
    let chosen = viewpoint(aim, settings, relief, size);
    let subject = subject.map(|(p, heading)| (p.extend(relief.height_at(p) + MIDDLE), heading));
    let eye = match (aim, chosen, subject) {
        // Who says from which side looks from there, whichever way somebody turns.
        (Aim::Follow(..), Viewpoint::Follow(Follow { distance, .. }), Some((centre, _)))
            if settings.viewpoint.is_none() && settings.towards != TOWARDS =>
        {
            Orbit { centre, turn, tilt, distance }.eye()
        }
        _ => chosen.eye(subject).unwrap_or_else(|| all(settings, relief, size).eye()),
    };
    let up = Vec3::Z * (lowest(relief, eye.position) - eye.position.z).max(0.0);
    // Who flies goes on looking the same way.
    let target = if matches!(chosen, Viewpoint::Fly(_)) { eye.target + up } else { eye.target };
    Eye { position: eye.position + up, target }
}

/// All of the world.
fn all(settings: &Settings, relief: &Relief, size: Vec2) -> Orbit {
    let (turn, tilt) = settings.towards;
    Orbit::towards(Rect::new(Vec2::ZERO, relief.extent), relief.range, size.x / size.y, turn, tilt)
}

/// How one looks: as the settings say, or else as a picture of so many pixels is aimed.
pub(crate) fn viewpoint(aim: Aim, settings: &Settings, relief: &Relief, size: Vec2) -> Viewpoint {
    let (turn, tilt) = settings.towards;
    // From where a metre has so many pixels.
    let distance = |scale: f32| size.y / (2.0 * (0.5 * FIELD_OF_VIEW).tan() * scale);
    settings.viewpoint.unwrap_or_else(|| match aim {
        Aim::Fit => Viewpoint::Orbit(all(settings, relief, size)),
        Aim::At(camera) => {
            let centre = camera.centre.extend(relief.height_at(camera.centre));
            Viewpoint::Orbit(Orbit { centre, turn, tilt, distance: distance(camera.scale) })
        }
        Aim::Follow(id, scale) => Viewpoint::Follow(Follow { distance: 0.5 * distance(scale), ..Follow::of(id) }),
    })
}

/// Nobody looks at the world from within its ground: how high an eye is there at least, m.
pub(crate) fn lowest(relief: &Relief, position: Vec3) -> f32 {
    relief.height_at(position.truncate()) + ABOVE_GROUND
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::viewpoint::Fly;
    use throng::scene::Scene;

    #[test]
    fn who_follows_is_behind_somebody_or_on_the_side_that_was_asked_for() {
        let relief = Relief::new(&Scene::built_in("froblins").expect("it is there"));
        let (size, place) = (Vec2::new(640.0, 360.0), relief.extent * 0.5);
        let seen = |towards: (f32, f32), heading: Vec2| {
            let settings = Settings { towards, ..Settings::default() };
            let eye = eye(Aim::Follow(3, 40.0), &settings, &relief, size, Some((place, heading)));
            let middle = place.extend(relief.height_at(place) + MIDDLE);
            assert!(eye.target.distance(middle) < 1e-4, "{eye:?}");
            (eye.target - eye.position).truncate().normalize()
        };
        for heading in [Vec2::X, Vec2::NEG_Y, Vec2::new(-0.6, 0.8)] {
            assert!(seen(TOWARDS, heading).distance(heading) < 1e-4);
            // From the west.
            assert!(seen((std::f32::consts::FRAC_PI_2, 0.5), heading).distance(Vec2::X) < 1e-4);
        }
    }

    #[test]
    fn no_eye_is_in_the_ground() {
        let scene = Scene::built_in("froblins").expect("it is there");
        let relief = Relief::new(&scene);
        let size = Vec2::new(640.0, 360.0);
        let mut lifted = 0;
        for k in 0..400 {
            let at = Vec2::new((k % 20) as f32 - 1.0, (k / 20) as f32 - 1.0) / 18.0 * relief.extent;
            let centre = at.extend(relief.height_at(at));
            let orbit = Orbit { centre, turn: 0.3 * k as f32, tilt: -0.1, distance: 4.0 + k as f32 % 37.0 };
            let fly = Fly { position: centre - Vec3::Z, turn: 0.0, tilt: 0.2 };
            for viewpoint in [Viewpoint::Orbit(orbit), Viewpoint::Fly(fly)] {
                let settings = Settings { viewpoint: Some(viewpoint), ..Settings::default() };
                let eye = eye(Aim::Fit, &settings, &relief, size, None);
                let free = viewpoint.eye(None).expect("it is somewhere");
                assert!(eye.position.z >= relief.height_at(eye.position.truncate()) + ABOVE_GROUND - 1e-3);
                assert!(eye.view().is_finite());
                lifted += u32::from(eye.position.z > free.position.z);
                if let Viewpoint::Fly(_) = viewpoint {
                    let (way, was) = (eye.target - eye.position, free.target - free.position);
                    assert!(way.distance(was) < 1e-4, "who flies looks {way} and not {was}");
                }
            }
        }
        assert!(lifted > 400, "{lifted}");
    }
}
