//! Swept circles: when discs that keep their velocity touch.

use crate::geometry::Segment;
use glam::Vec2;

/// When a point that starts at the origin with velocity `v` comes within `radius` of a segment, given from there. Zero for somebody
/// who is that near and comes nearer. Nothing if it never does. The second number is how much of the speed leads into the wall
/// then, from 0 to 1.
#[must_use]
pub fn time_to_wall(v: Vec2, radius: f32, wall: Segment) -> Option<(f32, f32)> {
    let speed = v.length();
    if speed <= 0.0 {
        return None;
    }
    let nearest = wall.closest(Vec2::ZERO);
    let square = nearest.length_squared();
    if square <= radius * radius {
        let into = v.dot(nearest) / (speed * square.sqrt().max(1e-6));
        return (into > 0.0).then_some((0.0, into));
    }
    let (a, b) = (time_to_point(v, radius, wall.a), time_to_point(v, radius, wall.b));
    let mut best = if b.0 < a.0 { b } else { a };
    // The sides of the capsule: lines beside the segment.
    let along = wall.b - wall.a;
    let length = along.length();
    if length > 0.0 {
        let mut normal = along.perp() / length;
        let mut gap = normal.dot(wall.a);
        if gap < 0.0 {
            (normal, gap) = (-normal, -gap);
        }
        let closing = normal.dot(v);
        let time = (gap - radius) / closing;
        if closing > 0.0 && time >= 0.0 && time < best.0 {
            let place = (v * time - wall.a).dot(along);
            if place >= 0.0 && place <= length * length {
                best = (time, closing / speed);
            }
        }
    }
    (best.0 < f32::MAX).then_some(best)
}

/// When somebody with velocity `v` touches somebody at `d` from there who stands, so that with the difference of two velocities both walk:
/// bodies touch at the distance `touch`. Zero for two who touch and come nearer. Nothing if they never do.
#[must_use]
pub fn time_to_body(v: Vec2, touch: f32, d: Vec2) -> Option<f32> {
    let (closing, square) = (d.dot(v), v.length_squared());
    let inside = closing * closing - square * (d.length_squared() - touch * touch);
    (closing > 0.0 && inside > 0.0).then(|| ((closing - inside.sqrt()) / square).max(0.0))
}

/// When a point comes within `radius` of another, and how much of the speed leads to it then; `f32::MAX` if it never does.
fn time_to_point(v: Vec2, radius: f32, to: Vec2) -> (f32, f32) {
    let closing = to.dot(v);
    let square = v.length_squared();
    let inside = closing * closing - square * (to.length_squared() - radius * radius);
    if closing <= 0.0 || inside <= 0.0 {
        return (f32::MAX, 0.0);
    }
    let root = inside.sqrt();
    // At the contact the way left to the nearest place is root / speed, of a radius.
    ((closing - root) / square, root / (square.sqrt() * radius.max(1e-6)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Steps of the slow sweep, s.
    const STEP: f32 = 1e-3;
    const HORIZON: f32 = 4.0;

    fn vector(most: f32) -> impl Strategy<Value = Vec2> {
        (-most..most, -most..most).prop_map(|(x, y)| Vec2::new(x, y))
    }

    /// The first of many small steps after which the distance is no more than `touch`.
    fn swept(touch: f32, distance: impl Fn(f32) -> f32) -> Option<f32> {
        (0..=(HORIZON / STEP) as u32).map(|k| k as f32 * STEP).find(|&t| distance(t) <= touch)
    }

    proptest! {
        #[test]
        fn bodies_touch_when_a_slow_sweep_says(v in vector(2.0), d in vector(3.0), touch in 0.1f32..1.0) {
            prop_assume!(d.length() > touch + 1e-3);
            let slow = swept(touch, |t| (d - v * t).length());
            match time_to_body(v, touch, d) {
                Some(time) if time < HORIZON => {
                    let at = (d - v * time).length();
                    prop_assert!((at - touch).abs() < 2e-3, "at {time} s they are {at} m apart");
                    // A graze may fall between two of the small steps.
                    prop_assert!(slow.is_none_or(|slow| slow > time - 2.0 * STEP));
                    prop_assert!(slow.is_some_and(|slow| slow < time + 2.0 * STEP)
                        || swept(touch + 2e-3, |t| (d - v * t).length()).is_some());
                }
                _ => prop_assert!(slow.is_none_or(|t| t > HORIZON - 2.0 * STEP), "a slow sweep meets at {slow:?} s"),
            }
        }

        #[test]
        fn a_body_meets_a_wall_when_a_slow_sweep_says(v in vector(2.0), a in vector(3.0), b in vector(3.0), radius in 0.1f32..0.6) {
            let wall = Segment::new(a, b);
            prop_assume!(wall.closest(Vec2::ZERO).length() > radius + 1e-3 && v.length() > 0.05);
            let distance = |t: f32| wall.closest(v * t).distance(v * t);
            let slow = swept(radius, distance);
            match time_to_wall(v, radius, wall) {
                Some((time, steep)) if time < HORIZON => {
                    prop_assert!((distance(time) - radius).abs() < 5e-3, "at {time} s it is {} m away", distance(time));
                    prop_assert!(slow.is_none_or(|slow| slow > time - 2.0 * STEP));
                    prop_assert!((0.0..=1.001).contains(&steep));
                    // How fast the distance falls there.
                    let rate = (distance(time - 2e-3) - distance(time)) / 2e-3 / v.length();
                    prop_assert!((rate - steep).abs() < 0.1, "steep by {steep}, and the distance falls by {rate}");
                }
                _ => prop_assert!(slow.is_none_or(|t| t > HORIZON - 2.0 * STEP), "a slow sweep meets at {slow:?} s"),
            }
        }
    }

    #[test]
    fn who_touches_is_met_at_once_or_not_at_all() {
        let d = Vec2::new(0.3, 0.0);
        assert_eq!(time_to_body(Vec2::X, 0.4, d), Some(0.0));
        assert_eq!(time_to_body(-Vec2::X, 0.4, d), None);
        let wall = Segment::new(Vec2::new(0.1, -1.0), Vec2::new(0.1, 1.0));
        assert_eq!(time_to_wall(Vec2::X, 0.2, wall), Some((0.0, 1.0)));
        assert_eq!(time_to_wall(-Vec2::X, 0.2, wall), None);
        assert_eq!(time_to_wall(Vec2::ZERO, 0.2, wall), None);
    }
}
