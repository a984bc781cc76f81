//! The ball that holds a character whatever it does.
//!
//! A skinned vertex is a mean of where its bones take it, a blend of clips or keys a mean of both, and growth is linear in each
//! channel. So a ball that holds what every bone does, in every key, to its vertices grown as far as they may, holds all.

use glam::Vec3;
use rayon::prelude::*;

use crate::character::apply;
use crate::variation::{CHANNELS, RANGES, grow};
use crate::{Aabb, Bone, Clip, Mesh, Sphere};

/// What hangs on a bone: a ball and a box around it.
struct Reach {
    bone: usize,
    centre: Vec3,
    radius: f32,
    corners: [Vec3; 8],
}

/// The ball around everything that clips do to meshes.
pub(crate) fn ball(bones: &[Bone], lods: &[Mesh], clips: &[Clip]) -> Sphere {
    let reaches: Vec<Reach> = (0..bones.len()).filter_map(|bone| reach(bones, lods, bone)).collect();
    let poses: Vec<&[crate::Rows]> =
        clips.iter().flat_map(|clip| clip.matrices.chunks_exact(bones.len().max(1))).collect();
    let middles = poses.iter().flat_map(|pose| reaches.iter().map(|it| apply(&pose[it.bone], it.centre)));
    let around = Aabb::of(middles);
    let centre = (around.low + around.high) * 0.5;
    let far = |pose: &&[crate::Rows]| {
        let of = |it: &Reach| {
            let rows = &pose[it.bone];
            let column = |j: usize| Vec3::new(rows[0][j], rows[1][j], rows[2][j]);
            let [x, y, z] = [column(0), column(1), column(2)];
            let stretch = x.length().max(y.length()).max(z.length());
            // Columns that are not at right angles stretch more than each alone, but never more than √3 times.
            let skewed = x.dot(y).abs().max(y.dot(z).abs()).max(z.dot(x).abs()) > 1e-4;
            let radius = it.radius * stretch * if skewed { 1.75 } else { 1.001 };
            let by_ball = apply(rows, it.centre).distance(centre) + radius;
            let by_box = it.corners.map(|p| apply(rows, p).distance(centre)).into_iter().fold(0.0, f32::max);
            by_ball.min(by_box)
        };
        reaches.iter().map(of).fold(0.0, f32::max)
    };
    let radius = poses.par_iter().map(far).reduce(|| 0.0, f32::max);
    let pushed = lods.iter().flat_map(|mesh| &mesh.displacement).copied().fold(0.0, f32::max);
    // A little more, for what rounding in a shader may add.
    Sphere { centre: centre.to_array(), radius: radius * 1.0001 + pushed * 1.5 + 1e-4 }
}

fn reach(bones: &[Bone], lods: &[Mesh], bone: usize) -> Option<Reach> {
    let growth = &bones[bone].growth;
    let ends = |channel: u32| {
        let (low, steps) = RANGES[channel as usize];
        [low as f32 / 256.0, (low + steps) as f32 / 256.0]
    };
    let mut grown = Vec::new();
    for inner in ends(growth[0].channel) {
        for outer in ends(growth[1].channel) {
            let mut channels = [1.0; CHANNELS];
            channels[growth[1].channel as usize] = outer;
            channels[growth[0].channel as usize] = inner;
            grown.push(grow(growth, &channels));
        }
    }
    let mut points = Vec::new();
    for mesh in lods {
        for (vertex, joints) in mesh.joints.iter().enumerate() {
            let held = joints
                .iter()
                .zip(&mesh.weights[vertex])
                .any(|(&joint, &weight)| usize::from(joint) == bone && weight > 0);
            if held {
                let p = Vec3::from(mesh.positions[vertex]);
                points.extend(grown.iter().map(|&[x, y, z, s]| p * s + Vec3::new(x, y, z)));
            }
        }
    }
    let around = Aabb::of(points.iter().copied());
    let centre = (around.low + around.high) * 0.5;
    let radius = points.iter().map(|p| p.distance(centre)).fold(0.0, f32::max);
    let corner = |n: usize| {
        let side = |axis: usize| if n >> axis & 1 == 0 { around.low[axis] } else { around.high[axis] };
        Vec3::new(side(0), side(1), side(2))
    };
    (!points.is_empty()).then(|| Reach { bone, centre, radius, corners: std::array::from_fn(corner) })
}
