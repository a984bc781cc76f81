//! Skinning matrices of 16 bytes: a turn, a scale and a place in a box.

use bytemuck::{Pod, Zeroable};
use glam::{DMat3, DQuat, DVec3, Vec3};

use super::vertex::Aabb;
use crate::{Clip, Rows};

/// The WGSL twin: `fn unpack_bone(packed: vec4<u32>, low: vec3<f32>, high: vec3<f32>) -> mat3x4<f32>`, whose columns are rows.
pub const BONE_WGSL: &str = include_str!("bone.wgsl");

/// What a scale of 65535 means.
const MOST: f64 = 2.0;

/// A bone of a key: a quaternion of 4 × 16 bits, a translation of 3 × 16 bits in a box, and a scale of 16 bits (0 to 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(transparent)]
pub struct PackedBone(pub [u32; 4]);

/// The matrices of several clips, one after the other.
#[derive(Clone, Debug, PartialEq)]
pub struct PackedClips {
    /// The box that translations are in.
    pub bounds: Aabb,
    /// All matrices, in the order of [`Clip::matrices`].
    pub bones: Vec<PackedBone>,
    /// Where each clip begins, and after the last one where all end.
    pub starts: Vec<u32>,
}

impl PackedClips {
    /// Packs clips; none where a matrix is not a turn with one scale (some glTF characters have others).
    #[must_use]
    pub fn pack(clips: &[Clip]) -> Option<Self> {
        let all = || clips.iter().flat_map(|clip| &clip.matrices);
        let bounds = Aabb::of(all().map(|rows| Vec3::new(rows[0][3], rows[1][3], rows[2][3])));
        let bones = all().map(|rows| PackedBone::pack(rows, &bounds)).collect::<Option<_>>()?;
        let mut starts = vec![0];
        starts.extend(clips.iter().scan(0, |sum, clip| {
            *sum += clip.matrices.len() as u32;
            Some(*sum)
        }));
        Some(Self { bounds, bones, starts })
    }
}

impl PackedBone {
    /// Packs a matrix, if it is a turn with one scale from 0 to 2.
    #[must_use]
    pub fn pack(rows: &Rows, bounds: &Aabb) -> Option<Self> {
        let column = |j: usize| DVec3::new(rows[0][j].into(), rows[1][j].into(), rows[2][j].into());
        let linear = DMat3::from_cols(column(0), column(1), column(2));
        let scale =
            ((column(0).length_squared() + column(1).length_squared() + column(2).length_squared()) / 3.0).sqrt();
        let turn = if scale < 1e-5 { DQuat::IDENTITY } else { DQuat::from_mat3(&(linear * (1.0 / scale))) }.normalize();
        let (again, off) = (DMat3::from_quat(turn) * scale, 1e-3 * scale.max(0.01));
        if !(scale <= MOST && again.abs_diff_eq(linear, off)) {
            return None;
        }
        let [x, y, z] = bounds.quantised(column(3).as_vec3());
        let [a, b, c, d] = turn.to_array().map(|part| (part * 32767.0).round() as i32 as u32 & 0xffff);
        let scale = (scale / MOST * 65535.0).round() as u32;
        Some(Self([a | b << 16, c | d << 16, x | y << 16, z | scale << 16]))
    }

    /// Unpacks it again.
    #[must_use]
    pub fn unpack(&self, bounds: &Aabb) -> Rows {
        let [a, b, c, d] = self.0;
        let part = |bits: u32| f64::from((bits << 16) as i32 >> 16) / 32767.0;
        let turn = DQuat::from_xyzw(part(a), part(a >> 16), part(b), part(b >> 16)).normalize();
        let linear = DMat3::from_quat(turn) * (f64::from(d >> 16) / 65535.0 * MOST);
        let place = bounds.place([c & 0xffff, c >> 16, d & 0xffff]).to_array();
        std::array::from_fn(|i| {
            let row = linear.row(i).as_vec3();
            [row.x, row.y, row.z, place[i]]
        })
    }
}
