//! From where a picture is aimed to where one stands.

use super::relief::Relief;
use super::settings::Settings;
use super::viewpoint::{Eye, FIELD_OF_VIEW, Follow, Orbit, Viewpoint};
use crate::studio::Aim;
use glam::Vec2;
use throng::geometry::Rect;

/// Of the followed one, above the ground, m.
const MIDDLE: f32 = 1.0;

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
    chosen.eye(subject).unwrap_or_else(|| all().eye())
}
