//! From where one sees as many people as near as can be, low, over the fullest place; and who is alone.

use std::collections::BTreeMap;
use throng::Vec2;
use throng_view::camera::Camera;
use throng_view::space::Relief;
use throng_view::space::viewpoint::FIELD_OF_VIEW;

/// Side of the squares that people are counted in, m.
const SIDE: f32 = 2.0;
/// How far the eye is from the middle of the fullest, in heights of people.
const AWAY: f32 = 3.0;
/// How far down it looks, radians; more where ground is in between.
const TILT: f32 = 0.3;
const STEEPEST: f32 = 1.2;
/// The eye is at least so far above the ground, in heights of people.
const CLEAR: f32 = 0.7;
/// Directions that are tried.
const TURNS: usize = 24;
/// Who is as far as this from the eye counts for the direction, in heights of people: about as far as full meshes are drawn at 1080 px.
const FAR: f32 = 12.0;
/// Half of what is in view from left to right of a wide picture: a tangent.
const HALF: f32 = 0.7;

/// Where one stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Standpoint {
    pub(crate) camera: Camera,
    /// Turn and tilt, as [`throng_view::space::Settings::towards`] has them.
    pub(crate) towards: (f32, f32),
}

/// For people who are so tall, in a picture of so many pixels from bottom to top; nothing where nobody is.
pub(crate) fn low(people: &[Vec2], tall: f32, relief: &Relief, pixels: f32) -> Option<Standpoint> {
    let centre = fullest(people)?;
    let away = AWAY * tall;
    let ahead = |turn: f32| Vec2::new(turn.sin(), turn.cos());
    // The fullest view, the first of those that are as full.
    let mut best = (0, 0.0);
    for k in 0..TURNS {
        let turn = std::f32::consts::TAU * k as f32 / TURNS as f32;
        let seen = in_view(people, centre - ahead(turn) * away * TILT.cos(), ahead(turn), FAR * tall);
        if k == 0 || seen > best.0 {
            best = (seen, turn);
        }
    }
    let turn = best.1;
    let above = |tilt: f32| {
        let eye = centre - ahead(turn) * away * tilt.cos();
        relief.height_at(centre) + away * tilt.sin() - relief.height_at(eye)
    };
    let mut tilt = TILT;
    while above(tilt) < CLEAR * tall && tilt < STEEPEST {
        tilt += 0.05;
    }
    let scale = pixels / (2.0 * (0.5 * FIELD_OF_VIEW).tan() * away);
    Some(Standpoint { camera: Camera { centre, scale }, towards: (turn, tilt) })
}

/// Side of the squares that have to be empty around who is alone, m.
const ROOM: f32 = 5.0;

/// Who has fewest others in its square and in those around it; of several the first.
pub(crate) fn alone(people: &[(u32, Vec2)]) -> Option<u32> {
    let at = |p: Vec2| (p / ROOM).floor().as_ivec2();
    let mut squares = BTreeMap::new();
    for &(_, p) in people {
        *squares.entry(at(p).to_array()).or_insert(0u32) += 1;
    }
    let others = |p: Vec2| -> u32 {
        let [x, y] = at(p).to_array();
        let near = (0..9).map(|k| [x + k % 3 - 1, y + k / 3 - 1]);
        near.filter_map(|square| squares.get(&square)).sum()
    };
    people.iter().min_by_key(|&&(id, p)| (others(p), id)).map(|&(id, _)| id)
}

/// The middle of the square with most people; of several the first, from the south-west row by row.
fn fullest(people: &[Vec2]) -> Option<Vec2> {
    let mut squares = BTreeMap::new();
    for p in people {
        let at = (*p / SIDE).floor().as_ivec2();
        *squares.entry((at.y, at.x)).or_insert(0u32) += 1;
    }
    let most = *squares.values().max()?;
    let (y, x) = *squares.iter().find(|&(_, &n)| n == most)?.0;
    Some((Vec2::new(x as f32, y as f32) + 0.5) * SIDE)
}

/// How many are before an eye, and not far.
fn in_view(people: &[Vec2], eye: Vec2, ahead: Vec2, far: f32) -> usize {
    let is_seen = |p: &&Vec2| {
        let from_eye = **p - eye;
        let along = from_eye.dot(ahead);
        along > 0.0 && along < far && from_eye.perp_dot(ahead).abs() < HALF * along
    };
    people.iter().filter(is_seen).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flat() -> Relief {
        Relief::new(&throng::Scene::built_in("circle").expect("it is built in"))
    }

    #[test]
    fn one_looks_from_low_over_the_fullest_square_to_where_most_people_are() {
        // A dense place at (21, 31), a crowd to the east of it, somebody far in the west.
        let mut people = vec![Vec2::new(2.0, 31.0)];
        people.extend((0..16).map(|k| Vec2::new(20.2 + 0.4 * (k % 4) as f32, 30.2 + 0.4 * (k / 4) as f32)));
        people.extend((0..30).map(|k| Vec2::new(23.0 + 0.2 * k as f32, 31.0)));
        let from = low(&people, 1.2, &flat(), 1080.0).expect("there are people");
        assert_eq!(from.camera.centre, Vec2::new(21.0, 31.0));
        let (turn, tilt) = from.towards;
        let ahead = Vec2::new(turn.sin(), turn.cos());
        let eye = from.camera.centre - ahead * AWAY * 1.2 * tilt.cos();
        assert_eq!(in_view(&people, eye, ahead, FAR * 1.2), people.len() - 1, "all but the one in the west, to {turn}");
        // Level ground: nothing makes it look down more steeply.
        assert_eq!(tilt, TILT);
        people.reverse();
        assert_eq!(low(&people, 1.2, &flat(), 1080.0), Some(from), "who comes first does not matter");
    }

    #[test]
    fn who_is_alone_is_far_from_all_others() {
        let mut people: Vec<(u32, Vec2)> = (0..40).map(|k| (k, Vec2::new(10.0 + 0.3 * k as f32, 12.0))).collect();
        people.insert(7, (99, Vec2::new(60.0, 61.0)));
        assert_eq!(alone(&people), Some(99));
        assert_eq!(alone(&[]), None);
    }

    #[test]
    fn an_empty_world_has_no_fullest_place() {
        assert_eq!(low(&[], 1.2, &flat(), 1080.0), None);
    }
}
