//! How values and the other kinds of cells look.

use super::grid::{Kind, Limits};
use crate::canvas::Colour;

// None of these occurs in the colour maps, and each differs from all of their
// colours enough to be told apart; a test sees to it. The renderer of crowds
// has the same ones.

/// Neutral, and lighter than the dark end of the palette.
pub(super) const WALL: Colour = [0x5A, 0x62, 0x6D];
/// Meant to be noticed: checks of these two.
pub(super) const NOT_FINITE: [Colour; 2] = [[0xFF, 0x00, 0xFF], [0x59, 0x00, 0x59]];
pub(super) const NO_DIRECTION: Colour = [0x3A, 0x3F, 0x47];
/// Stripes of these two.
pub(super) const UNREACHED: [Colour; 2] = [[0x2B, 0x2F, 0x36], [0xC9, 0xCD, 0xD3]];

/// Diagonal stripes that go on across cells: the pattern depends on the place
/// on the canvas, not in the cell.
pub(super) fn striped(x: i32, y: i32) -> Colour {
    UNREACHED[usize::from((x + y + 1).rem_euclid(10) < 2)]
}

/// Checks that go on across cells.
pub(super) fn checked(x: i32, y: i32) -> Colour {
    NOT_FINITE[usize::from((x / 4 + y / 4) & 1 == 1)]
}

/// The colours of the values of one picture.
pub(super) struct Colours {
    table: Vec<Colour>,
    low: f64,
    span: f64,
    cyclic: bool,
}

/// More steps than an 8-bit picture of a palette has different colours.
const STEPS: usize = 512;

impl Colours {
    pub(super) fn new(kind: Kind, limits: Option<Limits>) -> Self {
        let place = |step: usize| step as f64 / (STEPS - 1) as f64;
        let table = (0..STEPS)
            .map(|step| match kind {
                Kind::Direction => direction(place(step)),
                Kind::Amount => colorous::VIRIDIS.eval_continuous(place(step)).into_array(),
            })
            .collect();
        let Limits { low, high } = match (kind, limits) {
            (Kind::Amount, Some(limits)) => limits,
            _ => Limits { low: 0.0, high: 1.0 },
        };
        Self { table, low, span: high - low, cyclic: kind == Kind::Direction }
    }

    /// The colour of a value; beyond the limits that of the limit.
    pub(super) fn of(&self, value: f32) -> Colour {
        self.at((f64::from(value) - self.low) / self.span)
    }

    /// The colour at a place along the palette, from 0 to 1.
    pub(super) fn at(&self, place: f64) -> Colour {
        let place = if self.cyclic { place.rem_euclid(1.0) } else { place.clamp(0.0, 1.0) };
        let step = (place * (STEPS - 1) as f64).round() as usize;
        self.table[step.min(STEPS - 1)]
    }
}

/// The colour of a direction in turns: 0 is east, a quarter north.
///
/// A circle in the OKLab space: all directions equally light and equally
/// vivid, so that none looks more important, and none of them near the
/// colours of the other kinds of cells.
#[must_use]
pub fn direction(turns: f64) -> Colour {
    const LIGHTNESS: f64 = 0.74;
    const CHROMA: f64 = 0.125;
    // East is a warm yellow, west a blue, north green, south a rose.
    let angle = std::f64::consts::TAU * (turns + 0.22);
    let (a, b) = (CHROMA * angle.cos(), CHROMA * angle.sin());
    let l = (LIGHTNESS + 0.396_337_777_4 * a + 0.215_803_757_3 * b).powi(3);
    let m = (LIGHTNESS - 0.105_561_345_8 * a - 0.063_854_172_8 * b).powi(3);
    let s = (LIGHTNESS - 0.089_484_177_5 * a - 1.291_485_548 * b).powi(3);
    [
        4.076_741_662_1 * l - 3.307_711_591_3 * m + 0.230_969_929_2 * s,
        -1.268_438_004_6 * l + 2.609_757_401_1 * m - 0.341_319_396_5 * s,
        -0.004_196_086_3 * l - 0.703_418_614_7 * m + 1.707_614_701 * s,
    ]
    .map(|light| {
        let light = light.clamp(0.0, 1.0);
        let shown = if light <= 0.003_130_8 { 12.92 * light } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 };
        (shown * 255.0).round() as u8
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apart(a: Colour, b: Colour) -> f64 {
        a.into_iter().zip(b).map(|(a, b)| (f64::from(a) - f64::from(b)).powi(2)).sum::<f64>().sqrt()
    }

    fn all() -> [Colours; 2] {
        [Colours::new(Kind::Amount, None), Colours::new(Kind::Direction, None)]
    }

    #[test]
    fn the_special_colours_do_not_occur_among_the_values() {
        let special = [WALL, NOT_FINITE[0], UNREACHED[0], UNREACHED[1], NO_DIRECTION];
        for colours in all() {
            for &colour in &colours.table {
                for other in special {
                    let limit = if colours.cyclic { 40.0 } else { 45.0 };
                    assert!(apart(colour, other) > limit, "{colour:?} like {other:?}");
                }
            }
        }
    }

    #[test]
    fn directions_close_the_circle() {
        assert!(apart(direction(0.0), direction(1.0)) < 1.0);
        assert!(apart(direction(0.0), direction(0.5)) > 100.0);
        assert!(apart(direction(0.25), direction(0.75)) > 100.0);
        for step in 0..360 {
            let turns = f64::from(step) / 360.0;
            assert!(apart(direction(turns), direction(turns + 1.0 / 360.0)) < 8.0);
        }
    }

    #[test]
    fn values_beyond_get_the_colour_of_the_end() {
        let limits = Limits { low: 1.0, high: 3.0 };
        let colours = Colours::new(Kind::Amount, Some(limits));
        assert_eq!(colours.of(-f32::MAX), colours.at(0.0));
        assert_eq!(colours.of(1.0), colours.at(0.0));
        assert_eq!(colours.of(2.0), colours.at(0.5));
        assert_eq!(colours.of(f32::MAX), colours.at(1.0));
        assert_ne!(colours.at(0.0), colours.at(1.0));
    }
}
