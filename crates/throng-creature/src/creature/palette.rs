//! The creature's colours.

use crate::{Paint, Palette};

/// Name, then as sRGB: skin, its tint, cloth, its tint.
const LOOKS: [(&str, [u32; 4]); 12] = [
    ("moss", [0x7a_9a_4b, 0xd9_d3_93, 0x8c_3b_2e, 0xb8_5a_3c]),
    ("fern", [0x5f_8f_57, 0xc9_d8_9a, 0x3e_4a_70, 0x5d_6d_9c]),
    ("olive", [0x93_91_48, 0xe2_d0_92, 0x6d_4a_2c, 0x96_6e_44]),
    ("teal", [0x4c_8a_80, 0xb9_d9_bd, 0xa0_62_2d, 0xc8_8e_4f]),
    ("clay", [0xb0_78_50, 0xeb_c8_9c, 0x40_5a_48, 0x66_82_6c]),
    ("ochre", [0xc0_95_48, 0xf0_da_a0, 0x5b_3f_5f, 0x83_62_86]),
    ("slate", [0x68_82_95, 0xc4_d2_d2, 0x8d_2f_3c, 0xb5_53_58]),
    ("plum", [0x8b_6a_8a, 0xdf_c0_c8, 0x4b_5b_2f, 0x76_86_4c]),
    ("rust", [0xa8_60_44, 0xe6_b4_8e, 0x2f_51_5c, 0x55_7c_84]),
    ("lichen", [0xa5_b0_6e, 0xed_e8_b8, 0x75_39_28, 0xa3_63_48]),
    ("bog", [0x5e_70_42, 0xb4_b8_7c, 0xb0_85_39, 0xd4_b0_6a]),
    ("sand", [0xc9_a9_80, 0xf3_e2_c0, 0x56_4b_38, 0x80_73_5a]),
];

/// The palettes, each with a paint for every [`Part`](crate::Part).
pub(crate) fn palettes() -> Vec<Palette> {
    let paint = |main: u32, tinted: u32, roughness: f32, metal: f32| Paint {
        colour: linear(main),
        roughness,
        tinted: linear(tinted),
        metal,
    };
    let palette = |(name, [skin, light, cloth, hem]): (&str, [u32; 4])| Palette {
        name: name.to_owned(),
        paints: vec![
            paint(skin, light, 0.65, 0.0),
            paint(cloth, hem, 0.9, 0.0),
            paint(0x4a_33_22, 0x6b_4a_30, 0.7, 0.0),
            paint(0xf4_ec_d2, 0xe0_c8_60, 0.25, 0.0),
            paint(0x1c_14_10, 0x1c_14_10, 0.15, 0.0),
            paint(0xee_e2_c0, 0xee_e2_c0, 0.4, 0.0),
            paint(0x86_60_3c, 0x86_60_3c, 0.8, 0.0),
            paint(0x8a_8f_96, 0x8a_8f_96, 0.35, 1.0),
            paint(0xb0_8a_50, 0x7c_5c_30, 0.85, 0.0),
            paint(0xf2_c2_3a, 0xf2_c2_3a, 0.25, 1.0),
        ],
    };
    LOOKS.into_iter().map(palette).collect()
}

/// sRGB as linear colours. The curve is a product of roots, so every machine rounds it alike.
fn linear(colour: u32) -> [f32; 3] {
    // x^2.4 is x² times the fifth root of x²; Newton finds that.
    let power = |x: f64| {
        let square = x * x;
        let root = (0..40).fold(1.0, |r: f64, _| r - (r * r * r * r * r - square) / (5.0 * r * r * r * r));
        square * root
    };
    [16, 8, 0].map(|shift| {
        let share = f64::from(colour >> shift & 0xff) / 255.0;
        (if share <= 0.040_45 { share / 12.92 } else { power((share + 0.055) / 1.055) }) as f32
    })
}
