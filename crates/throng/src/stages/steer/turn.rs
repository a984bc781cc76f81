//! Turning by no more than an angle, with the same bits everywhere.

use glam::Vec2;

/// `heading` turned towards `target` by at most `most` radians. When they are opposite it turns left.
#[inline]
#[must_use]
pub fn turned(heading: Vec2, target: Vec2, cosine: f32, most: f32) -> Vec2 {
    let sine = heading.perp_dot(target);
    if most >= std::f32::consts::PI {
        return target;
    }
    // 1 - m²/2 + m⁴/24 is above the cosine of m: most agents need no more than this.
    let square = most * most;
    if cosine >= 1.0 - 0.5 * square + square * square * (1.0 / 24.0) {
        return target;
    }
    let (s, c) = sine_cosine(most);
    if cosine >= c {
        return target;
    }
    let s = if sine < 0.0 { -s } else { s };
    Vec2::new(heading.x * c - heading.y * s, heading.x * s + heading.y * c).normalize_or_zero()
}

/// Sine and cosine of an angle from 0 to π, to 2e-3: the same bits everywhere, unlike the system's, and the heading is
/// brought to length 1 afterwards anyway.
#[inline]
#[must_use]
pub fn sine_cosine(angle: f32) -> (f32, f32) {
    // Half the angle by its series, which is short there; then double it.
    let h = 0.5 * angle;
    let q = h * h;
    let s = h * (1.0 - q / 6.0 * (1.0 - q / 20.0 * (1.0 - q / 42.0)));
    let c = 1.0 - q / 2.0 * (1.0 - q / 12.0 * (1.0 - q / 30.0));
    (2.0 * s * c, 1.0 - 2.0 * s * s)
}

/// The angle, 0 to π, whose cosine and sine are in this ratio, to 1e-5 (Hastings's polynomial): the same bits everywhere.
#[inline]
#[must_use]
pub fn angle_between(cosine: f32, sine: f32) -> f32 {
    let along = cosine.abs();
    let t = sine.min(along) / sine.max(along).max(1e-30);
    let q = t * t;
    let a = t * (0.999_866 + q * (-0.330_299_5 + q * (0.180_141 + q * (-0.085_133 + q * 0.020_835_1))));
    let a = if sine > along { std::f32::consts::FRAC_PI_2 - a } else { a };
    if cosine < 0.0 { std::f32::consts::PI - a } else { a }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_short_series_is_a_sine_and_a_cosine() {
        for i in 0..=100 {
            let angle = std::f32::consts::PI * i as f32 / 100.0;
            let (s, c) = sine_cosine(angle);
            // The first term left out is (π/2)⁸/8! = 9e-4 of a cosine that is doubled into the sine near π only.
            assert!((s - angle.sin()).abs() < 2e-3 && (c - angle.cos()).abs() < 2e-3, "{angle}");
        }
    }

    #[test]
    fn angles_are_those_of_their_sine_and_cosine() {
        for i in 0..=200 {
            let angle = std::f32::consts::PI * i as f32 / 200.0;
            assert!((angle_between(angle.cos(), angle.sin()) - angle).abs() < 2e-5, "{angle}");
        }
    }

    #[test]
    fn turning_is_limited_and_takes_the_shorter_way() {
        let h = Vec2::X;
        for degrees in [-179.0f32, -90.0, -10.0, 5.0, 60.0, 170.0] {
            let target = Vec2::from_angle(degrees.to_radians());
            let t = turned(h, target, h.dot(target), 0.2);
            let by = h.angle_to(t);
            assert!(by.abs() <= 0.2 + 1e-5 && by * degrees > 0.0, "{degrees}: {by}");
        }
        assert!(turned(h, -h, -1.0, 0.2).y > 0.0);
    }
}
