//! From where a picture is aimed to where one stands.

use super::relief::Relief;
use super::settings::Settings;
use super::viewpoint::{Eye, FIELD_OF_VIEW, Follow, Orbit, Viewpoint};
use crate::studio::Aim;
use glam::Vec2;
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
    let world = Rect::new(Vec2::ZERO, relief.extent);
    let all = || Orbit::towards(world, relief.range, size.x / size.y, turn, tilt);
    // From where a metre has so many pixels.
    let distance = |scale: f32| size.y / (2.0 * (0.5 * FIELD_OF_VIEW).tan() * scale);
    let chosen = settings.viewpoint.unwrap_or_else(|| match aim {
        Aim::Fit => Viewpoint::Orbit(all()),
        Aim::At(camera) => {
            let centre = camera.centre.extend(relief.height_at(camera.centre));
            Viewpoint::Orbit(Orbit { centre, turn, tilt, distance: distance(camera.scale) })
        }
        Aim::Follow(id, scale) => Viewpoint::Follow(Follow { distance: 0.5 * distance(scale), ..Follow::of(id) }),
    });
    let subject = subject.map(|(p, heading)| (p.extend(relief.height_at(p) + MIDDLE), heading));
    let mut eye = chosen.eye(subject).unwrap_or_else(|| all().eye());
    // Nobody looks at the world from within its ground.
    let ground = relief.height_at(eye.position.truncate());
    eye.position.z = eye.position.z.max(ground + ABOVE_GROUND);
    eye
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::viewpoint::Fly;
    use glam::Vec3;
    use throng::scene::Scene;

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
            }
        }
        assert!(lifted > 400, "{lifted}");
    }
}
