//! Where the chosen one is in every frame: what shaders find out of it comes some frames later, and a step is longer than a
//! frame. Whoever is followed must not shake.

use glam::Vec2;
use throng::world::agents::Agent;

/// What shaders found is carried on for so long at most, s of simulation.
const CARRIED: f64 = 0.5;
/// Where it was thought to be and where it was found come together in so long, s.
const SETTLES: f32 = 0.1;
/// A view turns after somebody in so long, s: heads turn faster than one wants to look.
const TURNS: f32 = 0.3;
/// Who is found farther away than this was put there, m.
const PUT: f32 = 1.5;

/// Somebody, at the moment that a frame shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Subject {
    pub(super) id: u32,
    /// Its middle, m.
    pub(super) place: Vec2,
    /// Which way a view that goes with it looks.
    pub(super) heading: Vec2,
    /// That moment, s of simulation.
    shown: f64,
}

impl Subject {
    /// At the moment that is shown now, from what was found of it at another; so many real seconds after the frame before.
    pub(super) fn at(before: Option<Self>, found: &Agent, found_at: f64, shown: f64, seconds: f32) -> Self {
        let on = |from: f64| (shown - from).clamp(-CARRIED, CARRIED) as f32 * found.velocity;
        let there = found.position + on(found_at);
        let ahead = found.heading.normalize_or(Vec2::X);
        let fresh = Self { id: found.id, place: there, heading: ahead, shown };
        let Some(before) = before.filter(|b| b.id == found.id && (shown - b.shown).abs() <= CARRIED) else {
            return fresh;
        };
        let thought = before.place + on(before.shown);
        if thought.distance(there) > PUT {
            return fresh;
        }
        let share = |after: f32| 1.0 - (-seconds / after).exp();
        Self { place: thought.lerp(there, share(SETTLES)), heading: turned(before.heading, ahead, seconds), ..fresh }
    }
}

/// Which way a view looks that looked there and goes with somebody who faces `ahead`, so many seconds later.
pub(crate) fn turned(before: Vec2, ahead: Vec2, seconds: f32) -> Vec2 {
    Vec2::from_angle(before.angle_to(ahead) * (1.0 - (-seconds / TURNS).exp())).rotate(before)
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng::world::agents::State;

    const STEP: f64 = 0.05;
    const FRAME: f64 = 1.0 / 60.0;

    fn somebody(id: u32, position: Vec2, velocity: Vec2, heading: Vec2) -> Agent {
        Agent {
            id,
            position,
            velocity,
            heading,
            radius: 0.2,
            preferred: 1.34,
            turn: 5.0,
            goal: 0,
            group: 0,
            leg: 0,
            state: State::Walking,
            wake: 0,
            informed: 0,
        }
    }

    /// Frame by frame where it is thought to be, if its velocity at a time is this and answers come some frames late.
    fn seen(velocity: impl Fn(f64) -> Vec2, late: usize) -> (Vec<Subject>, Vec<Vec2>) {
        let mut place = vec![Vec2::ZERO];
        for step in 0..400 {
            place.push(place[step] + velocity(step as f64 * STEP) * STEP as f32);
        }
        let mut subjects: Vec<Subject> = Vec::new();
        let mut truth = Vec::new();
        let mut asked = Vec::new();
        for frame in 0..600usize {
            let now = frame as f64 * FRAME;
            // The last step that is due, and how long before its end the frame is.
            let step = (now / STEP) as usize + 1;
            let v = velocity((step - 1) as f64 * STEP);
            asked.push((somebody(0, place[step], v, v), step as f64 * STEP));
            truth.push(place[step] - v * (step as f64 * STEP - now) as f32);
            let (found, at) = &asked[frame.saturating_sub(late)];
            subjects.push(Subject::at(subjects.last().copied(), found, *at, now, FRAME as f32));
        }
        (subjects, truth)
    }

    #[test]
    fn who_walks_steadily_is_followed_steadily_however_late_answers_come() {
        for late in [0, 1, 2, 5] {
            let (subjects, truth) = seen(|_| Vec2::new(1.3, 0.4), late);
            for (pair, at) in subjects.windows(2).zip(&truth).skip(10) {
                let by = pair[1].place - pair[0].place;
                // Rounding of metres and seconds alone.
                assert!(by.distance(Vec2::new(1.3, 0.4) * FRAME as f32) < 1e-4, "{by} in a frame, {late} frames late");
                assert!(pair[0].place.distance(*at) < 1e-3);
            }
        }
    }

    #[test]
    fn who_turns_is_followed_without_a_jerk() {
        let velocity = |time: f64| if time < 3.0 { Vec2::new(1.3, 0.0) } else { Vec2::new(0.0, 1.3) };
        let (subjects, truth) = seen(velocity, 3);
        let most = |of: &dyn Fn(&[Subject]) -> f32| subjects.windows(2).skip(10).map(of).fold(0.0, f32::max);
        // A frame at 1.3 m/s is 2.2 cm, a sudden turn may be made up for in a few of them.
        let (way, turn) =
            (most(&|p| p[0].place.distance(p[1].place)), most(&|p| p[0].heading.angle_to(p[1].heading).abs()));
        assert!(way < 0.05 && turn < 0.12, "{way} m and {turn} in a frame");
        assert!(subjects.last().expect("some").place.distance(*truth.last().expect("some")) < 1e-3);
    }

    #[test]
    fn who_is_put_elsewhere_or_is_another_is_there_at_once() {
        let found = |id, x| somebody(id, Vec2::new(x, 0.0), Vec2::ZERO, Vec2::Y);
        let first = Subject::at(None, &found(3, 5.0), 1.0, 1.0, 0.0);
        assert_eq!((first.place, first.heading), (Vec2::new(5.0, 0.0), Vec2::Y));
        assert_eq!(Subject::at(Some(first), &found(3, 50.0), 1.0, 1.0, 0.01).place.x, 50.0);
        assert_eq!(Subject::at(Some(first), &found(4, 5.5), 1.0, 1.0, 0.01).place.x, 5.5);
    }
}
