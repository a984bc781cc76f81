//! The linear program: the best velocity that half-planes leave.
//!
//! Half-planes come in a fixed order, those of walls first. One after the other is taken in: while the best velocity so far is in the
//! next one, nothing changes; if not, the best one is on its border (de Berg et al., Computational Geometry, chapter 4).

use glam::Vec2;

/// Velocities `v` with `v · normal ≥ offset`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HalfPlane {
    /// Of length 1, into what is allowed.
    pub normal: Vec2,
    /// m/s.
    pub offset: f32,
}

impl HalfPlane {
    /// How far a velocity is outside, m/s; below 0 if it is inside.
    #[must_use]
    #[inline]
    pub fn violation(&self, v: Vec2) -> f32 {
        self.offset - v.dot(self.normal)
    }
}

/// The most half-planes at a time.
pub const MOST: usize = 24;

/// Borders closer to parallel than this do not meet.
const PARALLEL: f32 = 1e-5;
/// A velocity is in a half-plane that it is outside of by less than this, m/s: as rounding leaves it on the border.
const WITHIN: f32 = 1e-5;

/// What is best.
#[derive(Clone, Copy, Debug)]
enum Aim {
    /// Nearest to a velocity.
    Near(Vec2),
    /// Farthest in a direction of length 1.
    Far(Vec2),
}

/// The velocity of at most `speed` nearest to `wish` that is in all of the half-planes; if there is none, the one in the first
/// `walls` of them that is least outside of any other.
#[must_use]
#[inline]
pub fn solve(planes: &[HalfPlane], walls: usize, speed: f32, wish: Vec2) -> Vec2 {
    match within(planes, speed, Aim::Near(wish)) {
        Ok(v) => v,
        Err((failed, v)) => least_outside(planes, walls.min(planes.len()), failed, speed, v),
    }
}

/// The best velocity in all half-planes; or the first that leaves nothing, and the best before it.
#[inline]
fn within(planes: &[HalfPlane], speed: f32, aim: Aim) -> Result<Vec2, (usize, Vec2)> {
    let mut best = match aim {
        Aim::Near(wish) => wish.clamp_length_max(speed),
        Aim::Far(direction) => direction * speed,
    };
    for (k, plane) in planes.iter().enumerate() {
        if plane.violation(best) > WITHIN {
            best = on_border(&planes[..k], *plane, speed, aim).ok_or((k, best))?;
        }
    }
    Ok(best)
}

/// The best velocity on the border of a half-plane that is in all of some others.
#[inline]
fn on_border(others: &[HalfPlane], plane: HalfPlane, speed: f32, aim: Aim) -> Option<Vec2> {
    let room = speed * speed - plane.offset * plane.offset;
    if room < 0.0 {
        return None;
    }
    let (foot, along) = (plane.normal * plane.offset, plane.normal.perp());
    let half = room.sqrt();
    let (mut low, mut high) = (-half, half);
    for other in others {
        // Without a branch: which side a border cuts off is anybody's guess.
        let slope = along.dot(other.normal);
        let missing = other.violation(foot);
        let parallel = slope.abs() < PARALLEL;
        let cut = missing / if parallel { 1.0 } else { slope };
        let from = if !parallel & (slope > 0.0) { cut } else { low };
        let to = if !parallel & (slope < 0.0) { cut } else { high };
        low = if from > low { from } else { low };
        high = if to < high { to } else { high };
        low = if parallel & (missing > WITHIN) { f32::MAX } else { low };
    }
    if low > high {
        return None;
    }
    let at = match aim {
        Aim::Near(wish) => wish.dot(along).clamp(low, high),
        Aim::Far(direction) if direction.dot(along) > 0.0 => high,
        Aim::Far(_) => low,
    };
    Some(foot + along * at)
}

/// The velocity in the walls' half-planes that is least outside of any other: as if time were added as a third dimension in which all
/// the others recede at the same rate.
#[cold]
fn least_outside(planes: &[HalfPlane], walls: usize, failed: usize, speed: f32, start: Vec2) -> Vec2 {
    let mut best = start;
    let mut outside = 0.0;
    let mut equal = [HalfPlane::default(); MOST];
    equal[..walls].copy_from_slice(&planes[..walls]);
    for k in failed.max(walls)..planes.len() {
        if planes[k].violation(best) <= outside {
            continue;
        }
        // Where no other is violated more than this one.
        let mut count = walls;
        for other in &planes[walls..k] {
            let between = other.normal - planes[k].normal;
            let length = between.length();
            if length > PARALLEL {
                let offset = (other.offset - planes[k].offset) / length;
                equal[count] = HalfPlane { normal: between / length, offset };
                count += 1;
            }
        }
        if let Ok(v) = within(&equal[..count], speed, Aim::Far(planes[k].normal)) {
            best = v;
        }
        outside = planes[k].violation(best);
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SPEED: f32 = 1.5;

    fn plane() -> impl Strategy<Value = HalfPlane> {
        (0.0f32..std::f32::consts::TAU, -1.2f32..1.0)
            .prop_map(|(angle, offset)| HalfPlane { normal: Vec2::from_angle(angle), offset })
    }

    /// Velocities of at most the speed, 1.5 cm/s apart.
    fn samples() -> impl Iterator<Item = Vec2> {
        let line = |k: i32| k as f32 * SPEED / 100.0;
        (-100..=100)
            .flat_map(move |x| (-100..=100).map(move |y| Vec2::new(line(x), line(y))))
            .filter(|v| v.length() <= SPEED)
    }

    fn worst(planes: &[HalfPlane], v: Vec2) -> f32 {
        planes.iter().map(|p| p.violation(v)).fold(f32::MIN, f32::max)
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

        #[test]
        fn no_sampled_velocity_is_better(
            planes in prop::collection::vec(plane(), 0..12),
            angle in 0.0f32..std::f32::consts::TAU,
            size in 0.0f32..SPEED,
        ) {
            let wish = Vec2::from_angle(angle) * size;
            let v = solve(&planes, 0, SPEED, wish);
            prop_assert!(v.length() <= SPEED + 1e-4);
            let allowed = samples().filter(|s| planes.iter().all(|p| p.violation(*s) <= 0.0));
            let best = allowed.map(|s| s.distance(wish)).reduce(f32::min);
            if let Some(best) = best {
                prop_assert!(worst(&planes, v) < 1e-3, "{v} is outside by {}", worst(&planes, v));
                prop_assert!(v.distance(wish) <= best + 1e-3, "{v}: {} and {best}", v.distance(wish));
            } else {
                // Nothing is left, or less than lies between two samples: no sample is outside of all by less.
                let least = samples().map(|s| worst(&planes, s)).reduce(f32::min).unwrap_or(0.0);
                prop_assert!(worst(&planes, v) <= least.max(0.0) + 2e-3, "{v}: {} and {least}", worst(&planes, v));
            }
        }

        #[test]
        fn walls_are_kept_whatever_the_neighbours_ask(
            walls in prop::collection::vec(plane(), 1..4),
            others in prop::collection::vec(plane(), 4..10),
        ) {
            // Walls always leave standing still.
            let walls: Vec<HalfPlane> = walls.into_iter().map(|w| HalfPlane { offset: -w.offset.abs() - 0.01, ..w }).collect();
            let planes: Vec<HalfPlane> = walls.iter().chain(&others).copied().collect();
            let v = solve(&planes, walls.len(), SPEED, Vec2::X);
            prop_assert!(worst(&walls, v) < 1e-3, "{v} is in a wall by {} m/s", worst(&walls, v));
            let least = samples().filter(|s| worst(&walls, *s) <= 0.0).map(|s| worst(&others, s)).reduce(f32::min);
            prop_assert!(worst(&others, v) <= least.unwrap_or(f32::MAX).max(0.0) + 2e-3);
        }
    }
}
