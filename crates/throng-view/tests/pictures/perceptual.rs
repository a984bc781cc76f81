//! Whether two pictures look the same to a person. Drivers round differently at edges, so bytes cannot be compared:
//! both pictures are blurred a little, taken to the OKLab space, where distances are about what people see, and
//! compared there.

use image::{Rgba, RgbaImage};

/// From here on two colours beside each other can be told apart, in OKLab (white is 1 from black). Published estimates
/// of the threshold are about 0.02.
const NOTICEABLE: f32 = 0.02;
/// Side of a block, px: about a sprite's.
const BLOCK: u32 = 8;
/// A block may differ by so much on average. A sharp edge between the floor and a wall that lies a tenth of a pixel
/// elsewhere gives a quarter of it, a line of a pixel that is missing twice as much: see the tests below.
const MOST_IN_A_BLOCK: f32 = 0.02;
/// So many pixels may differ noticeably: edges of another driver, but not a layer of another colour.
const MOST_PIXELS: f32 = 0.01;

/// How two pictures of one size differ.
#[derive(Debug)]
pub(crate) struct Difference {
    /// Share of the pixels whose difference can be noticed.
    pub(crate) noticeable: f32,
    /// Mean difference in the worst block.
    pub(crate) worst: f32,
    /// Top left corner of that block, px.
    pub(crate) at: [u32; 2],
    /// The difference of each pixel, as a picture: white is far more than noticeable.
    pub(crate) picture: RgbaImage,
}

impl Difference {
    /// Whether a person would say that it is the same picture.
    pub(crate) fn is_slight(&self) -> bool {
        self.worst <= MOST_IN_A_BLOCK && self.noticeable <= MOST_PIXELS
    }
}

fn linear(byte: u8) -> f32 {
    let c = f32::from(byte) / 255.0;
    if c <= 0.040_45 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
}

/// Ottosson's OKLab, of linear light.
fn oklab([r, g, b]: [f32; 3]) -> [f32; 3] {
    let l = (0.412_221_46 * r + 0.536_332_55 * g + 0.051_445_995 * b).cbrt();
    let m = (0.211_903_5 * r + 0.680_699_5 * g + 0.107_396_96 * b).cbrt();
    let s = (0.088_302_46 * r + 0.281_718_85 * g + 0.629_978_7 * b).cbrt();
    [
        0.210_454_26 * l + 0.793_617_8 * m - 0.004_072_047 * s,
        1.977_998_5 * l - 2.428_592_2 * m + 0.450_593_7 * s,
        0.025_904_037 * l + 0.782_771_77 * m - 0.808_675_77 * s,
    ]
}

/// Light, blurred by a binomial kernel of five pixels across and down (a standard deviation of one pixel), in OKLab.
fn seen(picture: &RgbaImage) -> Vec<[f32; 3]> {
    const KERNEL: [f32; 5] = [1.0 / 16.0, 4.0 / 16.0, 6.0 / 16.0, 4.0 / 16.0, 1.0 / 16.0];
    let (w, h) = (picture.width() as usize, picture.height() as usize);
    let mut light: Vec<[f32; 3]> = picture.pixels().map(|p| [p[0], p[1], p[2]].map(linear)).collect();
    for (step, length) in [(1, w), (w, h)] {
        let before = light.clone();
        for (i, out) in light.iter_mut().enumerate() {
            let at = i / step % length;
            *out = [0.0; 3];
            for (k, weight) in KERNEL.iter().enumerate() {
                // At the border the last pixel goes on.
                let there = (at + k).saturating_sub(2).min(length - 1);
                let from = before[i + there * step - at * step];
                (0..3).for_each(|c| out[c] += weight * from[c]);
            }
        }
    }
    light.into_iter().map(oklab).collect()
}

/// Compares two pictures.
///
/// # Panics
/// If their sizes differ.
pub(crate) fn difference(a: &RgbaImage, b: &RgbaImage) -> Difference {
    assert_eq!(a.dimensions(), b.dimensions(), "pictures of one size can be compared");
    let (w, h) = a.dimensions();
    let apart = |(a, b): (&[f32; 3], &[f32; 3])| (0..3).map(|i| (a[i] - b[i]).powi(2)).sum::<f32>().sqrt();
    let distances: Vec<f32> = seen(a).iter().zip(&seen(b)).map(apart).collect();
    let (mut worst, mut at) = (0.0, [0, 0]);
    // Blocks overlap by half, so that none of them cuts everything small in two.
    for y in (0..h).step_by(BLOCK as usize / 2) {
        for x in (0..w).step_by(BLOCK as usize / 2) {
            let (right, bottom) = ((x + BLOCK).min(w), (y + BLOCK).min(h));
            let inside = (y..bottom).flat_map(|v| (x..right).map(move |u| (v * w + u) as usize));
            // Of a whole block, also at the border: a part of one counts for as much as it is.
            let mean = inside.map(|i| distances[i]).sum::<f32>() / (BLOCK * BLOCK) as f32;
            if mean > worst {
                (worst, at) = (mean, [x, y]);
            }
        }
    }
    let grey = |i: usize| (distances[i] * 5.0 * 255.0).min(255.0) as u8;
    Difference {
        noticeable: distances.iter().filter(|&&d| d > NOTICEABLE).count() as f32 / distances.len() as f32,
        worst,
        at,
        picture: RgbaImage::from_fn(w, h, |x, y| {
            let g = grey((y * w + x) as usize);
            Rgba([g, g, g, 255])
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLOOR: [f32; 3] = [26.0, 30.0, 36.0];
    const WALL: [f32; 3] = [90.0, 98.0, 109.0];
    const ORANGE: [f32; 3] = [230.0, 159.0, 0.0];

    /// A floor with a wall, a thin wall, and a disc of a radius of 4 pixels, with smooth edges.
    struct Drawing {
        wall: f32,
        line: f32,
        disc: [f32; 2],
        colour: [f32; 3],
    }

    impl Default for Drawing {
        fn default() -> Self {
            Self { wall: 20.0, line: 1.0, disc: [50.0, 40.0], colour: ORANGE }
        }
    }

    impl Drawing {
        fn draw(&self, noise: f32) -> RgbaImage {
            let mut dice = 1u32;
            RgbaImage::from_fn(96, 64, |x, y| {
                let (u, v) = (x as f32 + 0.5, y as f32 + 0.5);
                let mut colour = FLOOR;
                let mut cover = |share: f32, with: [f32; 3]| {
                    (0..3).for_each(|i| colour[i] += (with[i] - colour[i]) * share.clamp(0.0, 1.0));
                };
                cover(self.wall + 0.5 - u, WALL);
                cover((1.0 - (u - 80.5).abs()) * self.line, [169.0, 177.0, 188.0]);
                cover(4.5 - (u - self.disc[0]).hypot(v - self.disc[1]), self.colour);
                let bytes = colour.map(|c| {
                    dice = dice.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    (c + noise * ((dice >> 16) as f32 / 32_768.0 - 1.0)).round().clamp(0.0, 255.0) as u8
                });
                Rgba([bytes[0], bytes[1], bytes[2], 255])
            })
        }
    }

    fn to_the_plain(drawing: &Drawing, noise: f32) -> Difference {
        difference(&Drawing::default().draw(0.0), &drawing.draw(noise))
    }

    #[test]
    fn a_picture_looks_like_itself_and_with_a_little_noise_too() {
        let same = to_the_plain(&Drawing::default(), 0.0);
        assert!(same.worst <= 0.0 && same.noticeable <= 0.0, "{same:?}");
        // Three of 255 steps up or down, everywhere.
        let noisy = to_the_plain(&Drawing::default(), 3.0);
        assert!(noisy.is_slight() && noisy.worst > 0.0, "{} {}", noisy.worst, noisy.noticeable);
    }

    #[test]
    fn edges_that_another_driver_draws_a_tenth_of_a_pixel_elsewhere_do_not_count() {
        let shifted = Drawing { wall: 20.1, disc: [50.1, 39.9], ..Drawing::default() };
        let d = to_the_plain(&shifted, 0.0);
        assert!(d.is_slight(), "{} {}", d.worst, d.noticeable);
    }

    #[test]
    fn a_disc_that_moved_by_a_pixel_is_another_picture() {
        let d = to_the_plain(&Drawing { disc: [51.0, 40.0], ..Drawing::default() }, 0.0);
        assert!(!d.is_slight(), "{} {}", d.worst, d.noticeable);
        let [x, y] = d.at.map(|v| v as f32);
        assert!((x - 46.0).abs() <= 8.0 && (y - 36.0).abs() <= 8.0, "the disc is at 50, 40, not near {x}, {y}");
    }

    #[test]
    fn another_colour_is_another_picture() {
        // The next one of the kinds, and one that is only somewhat darker.
        for colour in [[86.0, 180.0, 233.0], ORANGE.map(|c| 0.8 * c)] {
            let d = to_the_plain(&Drawing { colour, ..Drawing::default() }, 0.0);
            assert!(!d.is_slight(), "{colour:?}: {} {}", d.worst, d.noticeable);
        }
    }

    #[test]
    fn a_missing_wall_is_another_picture() {
        for without in [Drawing { wall: -1.0, ..Drawing::default() }, Drawing { line: 0.0, ..Drawing::default() }] {
            let d = to_the_plain(&without, 0.0);
            assert!(!d.is_slight(), "{} {}", d.worst, d.noticeable);
        }
    }

    #[test]
    fn a_layer_that_is_a_little_stronger_everywhere_is_another_picture() {
        let plain = Drawing::default().draw(0.0);
        let mut tinted = plain.clone();
        tinted.pixels_mut().for_each(|p| p[2] = p[2].saturating_add(16));
        let d = difference(&plain, &tinted);
        assert!(!d.is_slight(), "{} {}", d.worst, d.noticeable);
    }
}
