//! Shadow maps: which part of the world each holds. Parallel splits of what is in view (Zhang and others, 2006), each a square
//! around a sphere, so that turning the eye changes nothing, and moved by whole texels, so that edges of shadows do not crawl.

use super::viewpoint::{Eye, FIELD_OF_VIEW, NEAR};
use glam::camera::rh::{proj::directx, view};
use glam::{Mat4, Vec3};

/// Shadow maps.
pub const CASCADES: usize = 3;
/// Side of each, texels.
pub(crate) const TEXELS: u32 = 1024;
/// Shadows are drawn as far as this behind the nearest of the world, m; from far away further.
const FAR: f32 = 160.0;
/// Between even splits (0) and splits by factors (1).
const LOGARITHMIC: f32 = 0.75;
/// A map begins so much of the one before it earlier: light.wgsl goes over from one to the next within that.
const OVERLAP: f32 = 0.2;

/// One shadow map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cascade {
    /// From metres to the map.
    pub(crate) clip: Mat4,
    /// Where it begins to be looked up, and where it ends, m ahead of the eye.
    pub(crate) begin: f32,
    /// See `begin`.
    pub(crate) end: f32,
    /// Side of a texel, m.
    pub(crate) texel: f32,
}

/// The next power of 1.25 that is not smaller: lengths that follow from the eye's place change seldom.
fn coarse(length: f32) -> f32 {
    1.25f32.powf((length.max(1e-3).ln() / 1.25f32.ln() - 1e-3).ceil())
}

/// The maps for an eye over a world between two corners.
pub(crate) fn cascades(eye: &Eye, aspect: f32, sun: Vec3, (low, high): (Vec3, Vec3)) -> [Cascade; CASCADES] {
    let ahead = (eye.target - eye.position).normalize_or(Vec3::NEG_Z);
    let corners: [Vec3; 8] = std::array::from_fn(|k| {
        let pick = |bit: usize, a: f32, b: f32| if k >> bit & 1 == 0 { a } else { b };
        Vec3::new(pick(0, low.x, high.x), pick(1, low.y, high.y), pick(2, low.z, high.z))
    });
    let half = (0.5 * FIELD_OF_VIEW).tan();
    let wide = half * half * (1.0 + aspect * aspect);
    // From where one is, whichever way one looks: turning changes no scale. What is in a corner of the picture is nearer ahead than it is away.
    let nearest = eye.position.distance(eye.position.clamp(low, high)) / (1.0 + wide).sqrt();
    let farthest = corners.iter().map(|p| p.distance(eye.position)).fold(NEAR, f32::max);
    let first = if nearest > 1.0 { coarse(nearest) / 1.25 } else { NEAR };
    let last = coarse(farthest.min((first + FAR).max(3.0 * first)).max(first * 1.01 + 1.0));
    // Splits by factors begin a metre ahead: who is nearer than that needs no map of its own.
    let begin = first.max(1.0);
    let split = |k: usize| {
        let part = k as f32 / CASCADES as f32;
        let by_factor = begin * (last / begin).powf(part);
        let even = begin + (last - begin) * part;
        if k == 0 { first } else { LOGARITHMIC * by_factor + (1.0 - LOGARITHMIC) * even }
    };
    let side = if sun.z.abs() > 0.99 { Vec3::Y } else { Vec3::Z };
    let turned = view::look_at_mat4(Vec3::ZERO, -sun, side);
    let depths = corners.map(|p| turned.transform_vector3(p).z);
    let (deep, near) = depths.iter().fold((f32::INFINITY, f32::NEG_INFINITY), |(a, b), &z| (a.min(z), b.max(z)));
    std::array::from_fn(|k| {
        let (mut from, to) = (split(k), split(k + 1));
        if k > 0 {
            from -= OVERLAP * (from - split(k - 1));
        }
        // The smallest sphere around the slice.
        let middle = to.min(0.5 * (from + to) * (1.0 + wide));
        let radius =
            ((to - middle).powi(2) + wide * to * to).sqrt().max(((middle - from).powi(2) + wide * from * from).sqrt());
        let radius = (radius * 16.0).ceil() / 16.0;
        let texel = 2.0 * radius / TEXELS as f32;
        let centre = turned.transform_vector3(eye.position + ahead * middle);
        let snapped = (centre / texel).round() * texel;
        let sides = [snapped.x - radius, snapped.x + radius, snapped.y - radius, snapped.y + radius];
        let clip = directx::orthographic(sides[0], sides[1], sides[2], sides[3], -near - 1.0, -deep + 1.0) * turned;
        Cascade { clip, begin: split(k), end: to, texel }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORLD: (Vec3, Vec3) = (Vec3::new(0.0, 0.0, -1.0), Vec3::new(144.0, 144.0, 8.0));

    fn sun() -> Vec3 {
        Vec3::new(-0.6, -0.5, 0.62).normalize()
    }

    #[test]
    fn every_point_in_view_is_in_its_map() {
        for (from, to) in [
            ([70.0, -60.0, 60.0], [70.0, 70.0, 0.0]),
            ([20.0, 20.0, 2.0], [60.0, 60.0, 1.0]),
            ([72.0, 72.0, 300.0], [72.0, 73.0, 0.0]),
        ] {
            let eye = Eye { position: from.into(), target: to.into() };
            let maps = cascades(&eye, 1.6, sun(), WORLD);
            let clip = Eye::projection(1.6) * eye.view();
            let mut tried = 0;
            for k in 0..4000 {
                let p = Vec3::new((k % 61) as f32 * 2.36, (k / 61) as f32 * 2.2, (k % 7) as f32);
                let at = clip * p.extend(1.0);
                if at.w < NEAR || at.x.abs() > at.w || at.y.abs() > at.w {
                    continue;
                }
                let Some(map) = maps.iter().find(|m| at.w <= m.end) else { continue };
                let there = map.clip.project_point3(p);
                assert!(there.x.abs() <= 1.0 && there.y.abs() <= 1.0 && (0.0..=1.0).contains(&there.z), "{p}: {there}");
                tried += 1;
            }
            assert!(tried > 100, "{tried} points were in view");
            assert!(maps.is_sorted_by(|a, b| a.end < b.end && a.texel <= b.texel), "{maps:?}");
        }
    }

    #[test]
    fn turning_on_the_spot_changes_no_scale() {
        for position in [[10.0, 12.0, 3.0], [72.0, 70.0, 40.0], [-80.0, 20.0, 60.0]].map(Vec3::from) {
            let texels = |k: usize| {
                let turn = 0.1 * k as f32;
                let target = position + Vec3::new(turn.sin(), turn.cos(), -0.2);
                cascades(&Eye { position, target }, 1.6, sun(), WORLD).map(|map| map.texel)
            };
            assert!((1..63).all(|k| texels(k) == texels(0)), "from {position}");
        }
    }

    #[test]
    fn from_far_above_the_maps_begin_before_the_ground_and_go_beyond_its_middle() {
        let eye = Eye { position: Vec3::new(72.0, -40.0, 90.0), target: Vec3::new(72.0, 72.0, 0.0) };
        let maps = cascades(&eye, 1.6, sun(), WORLD);
        let clip = Eye::projection(1.6) * eye.view();
        // Metres ahead of what is at the bottom of the picture, and of its middle.
        let ahead = |y: f32| (clip * Vec3::new(72.0, y, 0.0).extend(1.0)).w;
        let nearest = (0..72).map(|y| y as f32).find(|&y| {
            let at = clip * Vec3::new(72.0, y, 0.0).extend(1.0);
            at.y.abs() <= at.w
        });
        let nearest = ahead(nearest.expect("some of the world is in view"));
        assert!(
            maps[0].end > nearest,
            "the first map ends {} m ahead, before the nearest ground {nearest}",
            maps[0].end
        );
        assert!(maps[2].end > ahead(72.0), "shadows end {} m ahead, before the middle {}", maps[2].end, ahead(72.0));
    }

    #[test]
    fn shadows_do_not_crawl_when_the_eye_moves() {
        let eye = Eye { position: Vec3::new(50.0, 20.0, 6.0), target: Vec3::new(60.0, 60.0, 0.0) };
        let point = Vec3::new(55.3, 41.7, 0.4);
        let first = cascades(&eye, 1.6, sun(), WORLD);
        let mut moves = 0;
        for k in 1..60 {
            let by = Vec3::new(0.013 * k as f32, 0.007 * k as f32, 0.002 * k as f32);
            let turn = Vec3::new(0.05 * k as f32, 0.0, 0.0);
            let moved = Eye { position: eye.position + by, target: eye.target + by + turn };
            for (a, b) in first.iter().zip(cascades(&moved, 1.6, sun(), WORLD)) {
                assert_eq!(a.texel, b.texel, "a map has another scale");
                let texels =
                    (b.clip.project_point3(point) - a.clip.project_point3(point)).truncate() * 0.5 * TEXELS as f32;
                // A hundredth of a texel is rounding.
                assert!((texels - texels.round()).abs().max_element() < 0.02, "{texels}");
                moves += u32::from(texels.round().abs().max_element() > 0.0);
            }
        }
        assert!(moves > 20, "the maps went along {moves} times");
    }

    #[test]
    fn who_is_towards_the_sun_is_within_the_depths_of_every_map() {
        let eye = Eye { position: Vec3::new(50.0, 20.0, 6.0), target: Vec3::new(60.0, 60.0, 0.0) };
        for map in cascades(&eye, 1.6, sun(), WORLD) {
            for k in 0..20 {
                let p = Vec3::new(55.0, 35.0, 0.0) + sun() * (0.5 * k as f32);
                if p.z < WORLD.1.z {
                    assert!((0.0..=1.0).contains(&map.clip.project_point3(p).z));
                }
            }
        }
    }
}
