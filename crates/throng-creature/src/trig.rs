//! Angles by additions, products and roots alone, which every machine rounds alike. The standard library's functions are
//! those of the platform and may differ in the last bit.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// π/2 beyond the digits of `FRAC_PI_2`.
const FRAC_PI_2_REST: f64 = 6.123_233_995_736_766e-17;

/// Sine and cosine, within 1e-15 for angles up to some thousands.
pub(crate) fn sin_cos(angle: f64) -> (f64, f64) {
    let quarter = (angle / FRAC_PI_2).round();
    let x = (angle - quarter * FRAC_PI_2) - quarter * FRAC_PI_2_REST;
    let square = x * x;
    // Taylor: |x| is at most π/4, where the first term left out is below 1e-17.
    let (mut sine, mut cosine) = (1.0, 1.0);
    for n in (1..9).rev() {
        let n = f64::from(n);
        sine = 1.0 - square / ((2.0 * n) * (2.0 * n + 1.0)) * sine;
        cosine = 1.0 - square / ((2.0 * n - 1.0) * (2.0 * n)) * cosine;
    }
    let sine = x * sine;
    match quarter.rem_euclid(4.0) as u8 {
        0 => (sine, cosine),
        1 => (cosine, -sine),
        2 => (-sine, -cosine),
        _ => (-cosine, sine),
    }
}

/// The sine.
pub(crate) fn sin(angle: f64) -> f64 {
    sin_cos(angle).0
}

/// The cosine.
pub(crate) fn cos(angle: f64) -> f64 {
    sin_cos(angle).1
}

/// The sine of a share of a full turn.
pub(crate) fn wave(turns: f64) -> f64 {
    sin(TAU * turns)
}

/// The angle of (x, y), −π to π; 0 for the origin.
pub(crate) fn atan2(y: f64, x: f64) -> f64 {
    let (low, high) = (x.abs().min(y.abs()), x.abs().max(y.abs()));
    if high == 0.0 || x.is_nan() || y.is_nan() {
        return 0.0;
    }
    // Halve the angle twice, so that the series is short.
    let mut t = low / high;
    for _ in 0..2 {
        t /= 1.0 + (1.0 + t * t).sqrt();
    }
    let square = t * t;
    let mut sum = 0.0;
    for n in (0..14).rev() {
        sum = 1.0 / f64::from(2 * n + 1) - square * sum;
    }
    let eighth = 4.0 * t * sum;
    let quarter = if y.abs() > x.abs() { FRAC_PI_2 - eighth } else { eighth };
    let half = if x < 0.0 { PI - quarter } else { quarter };
    if y < 0.0 { -half } else { half }
}

/// The angle whose cosine it is, 0 to π; what is out of range counts as its end.
pub(crate) fn acos(cosine: f64) -> f64 {
    let cosine = cosine.clamp(-1.0, 1.0);
    atan2(((1.0 - cosine) * (1.0 + cosine)).sqrt(), cosine)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_platform() {
        for step in -5000..5000 {
            let angle = f64::from(step) * 0.003_7;
            let (sine, cosine) = sin_cos(angle);
            assert!((sine - angle.sin()).abs() < 2e-15, "{angle}");
            assert!((cosine - angle.cos()).abs() < 2e-15, "{angle}");
            let (x, y) = (angle.cos() * 3.0, angle.sin() * 0.5);
            assert!((atan2(y, x) - y.atan2(x)).abs() < 4e-15, "{angle}");
            let share = f64::from(step) / 5000.0;
            assert!((acos(share) - share.acos()).abs() < 4e-15, "{share}");
        }
        assert_eq!(atan2(0.0, 0.0), 0.0);
        assert_eq!(atan2(f64::NAN, 1.0), 0.0);
        assert!((atan2(0.0, -1.0) - PI).abs() < 1e-15);
    }
}
