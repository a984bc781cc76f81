//! What makes an individual: a pure function of its id, in integers and exact quotients, so that variation.wgsl gives
//! the same bits.
//!
//! Size and girth scale the whole character after skinning (x and y by `size · girth`, z by `size`; the distance walked in a
//! cycle scales like x). Proportions scale what hangs on a bone, before its matrix: `M · (s·v + t)`, with s and t
//! from [`Character::growth`]. So one set of baked matrices serves everybody, and a shader that has a character's matrices at hand changes each once.

use crate::{Character, Growth};

/// The WGSL twin: `fn variation_of(id: u32) -> Variation` and `fn grow(...)`.
pub const VARIATION_WGSL: &str = include_str!("variation.wgsl");

/// How many channels of proportions there are, with channel 0, which is always 1.
pub const CHANNELS: usize = 8;

/// What varies of the project's own creature: channels of [`Variation::channels`]. A glTF character uses none of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Channel {
    /// Always 1.
    Still,
    /// The head with all that is on it.
    Head,
    /// Ears.
    Ears,
    /// Nose.
    Nose,
    /// Belly.
    Belly,
    /// Hands.
    Hands,
    /// Feet.
    Feet,
    /// Eyes.
    Eyes,
}

/// The smallest value of each channel and how many steps of 1/256 there are above it.
pub(crate) const RANGES: [(u32, u32); CHANNELS] =
    [(256, 0), (238, 44), (200, 140), (200, 150), (230, 80), (236, 56), (240, 48), (232, 50)];
const SIZE: (u32, u32) = (222, 66);
const GIRTH: (u32, u32) = (238, 48);

/// What one individual is like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Variation {
    /// Scales all of it: 0.87 to 1.12.
    pub size: f32,
    /// Scales it sideways, and forwards and back: 0.93 to 1.11.
    pub girth: f32,
    /// A random word: its remainder by the number of palettes is the palette.
    pub palette: u32,
    /// A random word, to choose among clips for the same role.
    pub choice: u32,
    /// Brightness of its colours: 0.8 to 1.05.
    pub shade: f32,
    /// Where in a clip it starts that is driven by time, 0 to 1, so that no crowd is in step.
    pub phase: f32,
    /// Proportions.
    pub channels: [f32; CHANNELS],
}

impl Variation {
    /// Everybody alike: size, girth and proportions 1.
    pub const PLAIN: Self =
        Self { size: 1.0, girth: 1.0, palette: 0, choice: 0, shade: 1.0, phase: 0.0, channels: [1.0; CHANNELS] };

    /// What the individual with this id is like.
    #[must_use]
    pub fn of(id: u32) -> Self {
        let [a, b, c, d] = words([id, 0x5eed, 0, 1]);
        let [e, f, g, h] = words([id, 0x5eed, 1, 1]);
        let draws = [0, e, e >> 16, f, f >> 16, g, g >> 16, h];
        Self {
            size: drawn(a, SIZE),
            girth: drawn(a >> 16, GIRTH),
            palette: b >> 8,
            choice: c >> 8,
            shade: drawn(d, (205, 64)),
            phase: (d >> 16) as f32 / 65536.0,
            channels: std::array::from_fn(|channel| drawn(draws[channel], RANGES[channel])),
        }
    }

    /// How far its bounding sphere grows: its radius is that of the character times this, its centre is scaled as the
    /// character is.
    #[must_use]
    pub fn extent(&self) -> f32 {
        self.size * self.girth.max(1.0)
    }

    /// What to scale x, y and z by, after skinning.
    #[must_use]
    pub fn scale(&self) -> [f32; 3] {
        [self.size * self.girth, self.size * self.girth, self.size]
    }
}

impl Character {
    /// What an individual's proportions do to each bone: `[t.x, t.y, t.z, s]`. A vertex v of the rest pose hangs on the bone as
    /// s·v + t.
    #[must_use]
    pub fn growth(&self, channels: &[f32; CHANNELS]) -> Vec<[f32; 4]> {
        self.bones.iter().map(|bone| grow(&bone.growth, channels)).collect()
    }
}

/// Both growths of a bone as one scale and offset.
pub(crate) fn grow(growth: &[Growth; 2], channels: &[f32; CHANNELS]) -> [f32; 4] {
    let [inner, outer] = growth.map(|growth| channels[growth.channel as usize]);
    let (p, q) = (growth[0].pivot, growth[1].pivot);
    let offset = |i: usize| p[i] * (1.0 - inner) * outer + q[i] * (1.0 - outer);
    [offset(0), offset(1), offset(2), inner * outer]
}

/// The low 16 bits of a word as one of the steps of a range.
fn drawn(word: u32, (low, steps): (u32, u32)) -> f32 {
    (low + (((word & 0xffff) * (steps + 1)) >> 16)) as f32 / 256.0
}

/// Four well mixed words: `pcg4d` of Jarzynski and Olano, "Hash Functions for GPU Rendering" (JCGT 9(3), 2020).
fn words(v: [u32; 4]) -> [u32; 4] {
    let [mut x, mut y, mut z, mut w] = v.map(|a| a.wrapping_mul(1_664_525).wrapping_add(1_013_904_223));
    for round in 0..2 {
        if round == 1 {
            [x, y, z, w] = [x, y, z, w].map(|a| a ^ (a >> 16));
        }
        x = x.wrapping_add(y.wrapping_mul(w));
        y = y.wrapping_add(z.wrapping_mul(x));
        z = z.wrapping_add(x.wrapping_mul(y));
        w = w.wrapping_add(y.wrapping_mul(z));
    }
    [x, y, z, w]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bits of the first individuals, as every machine and shader must have them.
    #[test]
    fn has_the_same_bits_everywhere() {
        let mut sum = 0_u32;
        for id in 0..1000 {
            let it = Variation::of(id);
            for word in [it.size.to_bits(), it.girth.to_bits(), it.palette, it.choice, it.shade.to_bits()] {
                sum = sum.rotate_left(5).wrapping_add(word);
            }
            for value in it.channels {
                sum = sum.rotate_left(5).wrapping_add(value.to_bits());
            }
        }
        assert_eq!(sum, 738_985_357, "the golden sum of 1,000 individuals");
    }

    /// The ranges stand in two places: here and in the shader.
    #[test]
    fn the_shader_draws_from_the_same_ranges() {
        for (channel, (low, steps)) in RANGES.iter().enumerate().skip(1) {
            let line = VARIATION_WGSL.lines().find(|line| line.contains(&format!("it.channels[{channel}] ="))).unwrap();
            assert!(line.contains(&format!("{low}u, {steps}u)")), "{line}");
        }
        for (name, (low, steps)) in [("size", SIZE), ("girth", GIRTH)] {
            let line = VARIATION_WGSL.lines().find(|line| line.contains(&format!("it.{name} ="))).unwrap();
            assert!(line.contains(&format!("{low}u, {steps}u)")), "{line}");
        }
    }

    #[test]
    fn no_two_neighbours_are_alike() {
        let all: Vec<_> = (0..3000).map(Variation::of).collect();
        for pair in all.windows(2) {
            let differ = pair[0].channels.iter().zip(&pair[1].channels).filter(|(a, b)| a != b).count();
            assert!(differ >= 4 || pair[0].palette != pair[1].palette, "{pair:?}");
        }
        for (channel, (low, steps)) in RANGES.iter().enumerate() {
            let values = all.iter().map(|it| it.channels[channel]);
            assert!(values.clone().fold(f32::MAX, f32::min) <= (*low as f32 + 2.0) / 256.0);
            assert!(values.fold(f32::MIN, f32::max) >= ((low + steps) as f32 - 2.0) / 256.0);
        }
    }

    #[test]
    fn grows_about_its_pivots() {
        let growth = [Growth { pivot: [0.0, 0.0, 2.0], channel: 1 }, Growth { pivot: [0.0, 0.0, 1.0], channel: 2 }];
        let mut channels = [1.0; CHANNELS];
        (channels[1], channels[2]) = (2.0, 3.0);
        let [x, _, t, s] = grow(&growth, &channels);
        // A point 1 m above the inner pivot: 2 m above it, which is 3 m above the outer one, so 9 m above that.
        assert_eq!((x, s * 3.0 + t), (0.0, 10.0));
    }
}
