//! Vertices of 128 bits: the paper's layout, and one that keeps more with as many bits.

use std::f64::consts::{PI, TAU};

use bytemuck::{Pod, Zeroable};
use glam::{DVec3, Vec3};

use crate::{Mesh, trig};

/// The WGSL twins: `pack_vertex` and `unpack_vertex`, and `paper_pack_vertex` and `paper_unpack_vertex`.
pub const VERTEX_WGSL: &str = include_str!("vertex.wgsl");

/// A box along the axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    /// The corner with the smallest coordinates.
    pub low: Vec3,
    /// The opposite one.
    pub high: Vec3,
}

impl Aabb {
    /// The smallest box that holds the points; a point for none.
    #[must_use]
    pub fn of(points: impl IntoIterator<Item = Vec3>) -> Self {
        let mut points = points.into_iter();
        let first = points.next().unwrap_or(Vec3::ZERO);
        points.fold(Self { low: first, high: first }, |b, p| Self { low: b.low.min(p), high: b.high.max(p) })
    }

    /// The box that holds a ball.
    #[must_use]
    pub fn around(ball: &crate::Sphere) -> Self {
        let centre = Vec3::from(ball.centre);
        Self { low: centre - ball.radius, high: centre + ball.radius }
    }

    pub(super) fn quantised(&self, p: Vec3) -> [u32; 3] {
        let size = (self.high - self.low).max(Vec3::splat(f32::MIN_POSITIVE));
        ((p - self.low) / size).to_array().map(|share| unorm(share, 65535))
    }

    pub(super) fn place(&self, at: [u32; 3]) -> Vec3 {
        self.low + (self.high - self.low) * Vec3::from(at.map(|n| n as f32 / 65535.0))
    }
}

/// What both layouts hold of a vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vertex {
    /// Where.
    pub position: Vec3,
    /// Of length 1.
    pub normal: Vec3,
    /// Of length 1, at right angles to the normal.
    pub tangent: Vec3,
    /// ±1: bitangent = handedness · normal × tangent.
    pub handedness: f32,
    /// 0 to 1.
    pub uv: [f32; 2],
}

/// The layout of figure 13 of "March of the Froblins": position 3 × 16 bits in a box, tangent as two spherical coordinates of 8 bits,
/// normal 10 + 11 + 11 bits, u and v 16 bits each. One thing is added: the lowest bit of v is the handedness, which the
/// paper's unpacking loses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(transparent)]
pub struct PaperVertex(pub [u32; 4]);

/// Position 3 × 16 bits in a box, tangent as an angle of 15 bits about the normal, handedness 1 bit, normal as two
/// octahedral coordinates of 16 bits, u and v 16 bits each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(transparent)]
pub struct PackedVertex(pub [u32; 4]);

/// What the skin of a vertex needs besides, and a skinned vertex no longer: 12 bytes, so a vertex at rest has 28.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct PackedSkin {
    /// Bones, the first in the lowest byte.
    pub joints: u32,
    /// Their weights, of 255.
    pub weights: u32,
    /// The part in the lowest byte, then the tint, then how far it may be displaced in 16 bits, in steps of 1/65536 m.
    pub look: u32,
}

impl PackedVertex {
    /// Packs a vertex; what is outside the box is put on its border.
    #[must_use]
    pub fn pack(vertex: &Vertex, bounds: &Aabb) -> Self {
        let [x, y, z] = bounds.quantised(vertex.position);
        let normal = octahedral(vertex.normal);
        let (along, across) = frame(normal);
        let tangent = vertex.tangent.as_dvec3();
        let turn = trig::atan2(tangent.dot(across.as_dvec3()), tangent.dot(along.as_dvec3())) / TAU;
        let angle = (turn * 32768.0).round() as i32 as u32 & 0x7fff;
        let hand = u32::from(vertex.handedness < 0.0) << 15;
        let [nx, ny] = normal.map(|n| n as u32 & 0xffff);
        let [u, v] = vertex.uv.map(|c| unorm(c, 65535));
        Self([x | y << 16, z | (angle | hand) << 16, nx | ny << 16, u | v << 16])
    }

    /// Unpacks it again.
    #[must_use]
    pub fn unpack(&self, bounds: &Aabb) -> Vertex {
        let [a, b, c, d] = self.0;
        let packed = [(c << 16) as i32 >> 16, c as i32 >> 16];
        let (along, across) = frame(packed);
        let (sine, cosine) = trig::sin_cos(f64::from(b >> 16 & 0x7fff) / 32768.0 * TAU);
        Vertex {
            position: bounds.place([a & 0xffff, a >> 16, b & 0xffff]),
            normal: direction(packed),
            tangent: along * cosine as f32 + across * sine as f32,
            handedness: if b >> 31 == 0 { 1.0 } else { -1.0 },
            uv: [d & 0xffff, d >> 16].map(|n| n as f32 / 65535.0),
        }
    }
}

impl PaperVertex {
    /// Packs a vertex, as listing 8 does (which divides by s before it tests whether s is 0).
    #[must_use]
    pub fn pack(vertex: &Vertex, bounds: &Aabb) -> Self {
        let [x, y, z] = bounds.quantised(vertex.position);
        let tangent = vertex.tangent.as_dvec3();
        let theta = trig::acos(tangent.z) / PI;
        let phi = (trig::atan2(tangent.x, tangent.y) + PI) / TAU;
        let spherical = unorm(theta as f32, 255) << 8 | unorm(phi as f32, 255);
        let [nx, ny, nz] = (vertex.normal * 0.5 + 0.5).to_array();
        let normal = unorm(nx, 1023) << 22 | unorm(ny, 2047) << 11 | unorm(nz, 2047);
        let [u, v] = vertex.uv.map(|c| unorm(c, 65535));
        let hand = u32::from(vertex.handedness < 0.0);
        Self([x << 16 | y, z << 16 | spherical, normal, u << 16 | (v & 0xfffe) | hand])
    }

    /// Unpacks it again. The normal is normalised, which listing 9 leaves out.
    #[must_use]
    pub fn unpack(&self, bounds: &Aabb) -> Vertex {
        let [a, b, c, d] = self.0;
        let (sin_theta, cos_theta) = trig::sin_cos(f64::from(b >> 8 & 0xff) / 255.0 * PI);
        let (sin_phi, cos_phi) = trig::sin_cos(f64::from(b & 0xff) / 255.0 * TAU - PI);
        let normal =
            Vec3::new((c >> 22) as f32 / 1023.0, (c >> 11 & 0x7ff) as f32 / 2047.0, (c & 0x7ff) as f32 / 2047.0);
        Vertex {
            position: bounds.place([a >> 16, a & 0xffff, b >> 16]),
            normal: (normal * 2.0 - 1.0).normalize(),
            tangent: DVec3::new(sin_phi * sin_theta, cos_phi * sin_theta, cos_theta).as_vec3(),
            handedness: if d & 1 == 0 { 1.0 } else { -1.0 },
            uv: [d >> 16, d & 0xfffe].map(|n| n as f32 / 65535.0),
        }
    }
}

impl Mesh {
    /// A vertex, to be packed.
    #[must_use]
    pub fn vertex(&self, index: usize) -> Vertex {
        let [x, y, z, handedness] = self.tangents[index];
        Vertex {
            position: self.positions[index].into(),
            normal: self.normals[index].into(),
            tangent: Vec3::new(x, y, z),
            handedness,
            uv: self.uvs[index],
        }
    }

    /// All vertices at rest, packed into a box.
    #[must_use]
    pub fn packed(&self, bounds: &Aabb) -> Vec<PackedVertex> {
        (0..self.positions.len()).map(|index| PackedVertex::pack(&self.vertex(index), bounds)).collect()
    }

    /// What vertices need besides.
    #[must_use]
    pub fn packed_skins(&self) -> Vec<PackedSkin> {
        let skin = |index: usize| PackedSkin {
            joints: u32::from_le_bytes(self.joints[index]),
            weights: u32::from_le_bytes(self.weights[index]),
            look: u32::from(self.parts[index])
                | u32::from(self.tints[index]) << 8
                | ((self.displacement[index] * 65536.0).round() as u32).min(0xffff) << 16,
        };
        (0..self.positions.len()).map(skin).collect()
    }
}

/// A share of 1 as one of 0 … most; what is not a number is 0.
fn unorm(share: f32, most: u32) -> u32 {
    (share.clamp(0.0, 1.0) * most as f32).round() as u32
}

/// A direction on the octahedron |x| + |y| + |z| = 1, whose lower half is folded outwards (Meyer and others, "On floating-point
/// normal vectors", 2010).
fn octahedral(normal: Vec3) -> [i32; 2] {
    let sum = normal.x.abs() + normal.y.abs() + normal.z.abs();
    let [x, y] = [normal.x / sum, normal.y / sum];
    let folded = if normal.z >= 0.0 { [x, y] } else { [(1.0 - y.abs()) * sign(x), (1.0 - x.abs()) * sign(y)] };
    folded.map(|c| (c.clamp(-1.0, 1.0) * 32767.0).round() as i32)
}

/// The corner of the octahedron as integers, so that no rounding decides on which half it is.
fn unfolded([x, y]: [i32; 2]) -> [i32; 3] {
    let z = 32767 - x.abs() - y.abs();
    let side = |c: i32| if c < 0 { -1 } else { 1 };
    if z >= 0 { [x, y, z] } else { [(32767 - y.abs()) * side(x), (32767 - x.abs()) * side(y), z] }
}

fn direction(packed: [i32; 2]) -> Vec3 {
    Vec3::from(unfolded(packed).map(|c| c as f32)).normalize()
}

/// Two directions at right angles to a packed normal and to each other (Duff and others, "Building an orthonormal basis, revisited", 2017).
fn frame(packed: [i32; 2]) -> (Vec3, Vec3) {
    let n = direction(packed);
    let side = if unfolded(packed)[2] < 0 { -1.0 } else { 1.0 };
    let a = -1.0 / (side + n.z);
    let b = n.x * n.y * a;
    (Vec3::new(1.0 + side * n.x * n.x * a, side * b, -side * n.x), Vec3::new(b, side + n.y * n.y * a, -n.y))
}

fn sign(x: f32) -> f32 {
    if x < 0.0 { -1.0 } else { 1.0 }
}
