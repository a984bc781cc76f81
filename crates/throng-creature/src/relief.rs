//! Close-ups: faces cut into patches, bent to the smooth surface and pushed by a relief.
//!
//! This is the reference for relief.wgsl. A point of a patch follows from its face's corners taken in the order of their places'
//! numbers, with weights that are multiples of 1/T. On an edge the third corner's weight is 0 and adds nothing, so the faces
//! on both sides of it compute the same sums in the same order: the same bits, no crack. (The WGSL adds each term by an fma, so that it is
//! so whatever a compiler makes of products.) Where vertices differ there nothing is bent or pushed
//! (seams.rs); what is lit may differ.

use glam::Vec3;

use crate::{Mesh, Place, Rows};

/// The WGSL twin: `relief`, `patch_point`, and the structs that they need.
pub const RELIEF_WGSL: &str = include_str!("relief.wgsl");

/// How many pieces an edge may be cut into.
pub const LEVELS: [u32; 5] = [1, 2, 4, 8, 16];

/// How much of the way to the curved surface points are moved (Boubekeur and Alexa, "Phong tessellation", 2008).
const CURVED: f32 = 0.75;

/// A triangle cut into T² triangles: the same for every face, so a renderer draws it once for each.
#[derive(Clone, Debug, PartialEq)]
pub struct Patch {
    /// How many pieces an edge is cut into.
    pub level: u32,
    /// For every point its weights for the three corners, in parts of T.
    pub points: Vec<[u16; 3]>,
    /// Indices of points, three for each triangle.
    pub indices: Vec<u16>,
}

impl Patch {
    /// A triangle with edges cut into so many pieces, at most 255.
    #[must_use]
    pub fn new(level: u32) -> Self {
        let level = level.clamp(1, 255) as u16;
        let mut points = Vec::new();
        for row in 0..=level {
            points.extend((0..=row).map(|column| [level - row, row - column, column]));
        }
        let at = |row: u16, column: u16| row * (row + 1) / 2 + column;
        let mut indices = Vec::new();
        for row in 0..level {
            for column in 0..=row {
                indices.extend([at(row, column), at(row + 1, column), at(row + 1, column + 1)]);
                if column < row {
                    indices.extend([at(row, column), at(row + 1, column + 1), at(row, column + 1)]);
                }
            }
        }
        Self { level: level.into(), points, indices }
    }
}

/// A corner of a face: at rest, where the relief is looked up, and in the pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corner {
    /// The number of its place.
    pub place: u32,
    /// Position at rest.
    pub rest: Vec3,
    /// Normal and tangent at rest.
    pub rest_frame: [Vec3; 2],
    /// Position in the pose.
    pub position: Vec3,
    /// Normal and tangent in the pose.
    pub frame: [Vec3; 2],
    /// The normal in the pose that the surface is bent by and pushed along; zero where it is not.
    pub bend: Vec3,
    /// How far the relief pushes it, in metres.
    pub displacement: f32,
}

impl Corner {
    /// A vertex of a mesh in a pose.
    #[must_use]
    pub fn of(mesh: &Mesh, index: usize, place: Place, pose: &[Rows]) -> Self {
        let (position, normal) = mesh.skinned(index, pose);
        let at_rest = mesh.vertex(index);
        let turned = Mesh { normals: vec![at_rest.tangent.to_array()], ..mesh.single(index) };
        Self {
            place: place.number,
            rest: at_rest.position,
            rest_frame: [at_rest.normal, at_rest.tangent],
            position,
            frame: [normal, turned.skinned(0, pose).1],
            bend: if place.bends { normal } else { Vec3::ZERO },
            displacement: mesh.displacement[index],
        }
    }
}

/// A point of a patch: where it is, and the normal of the displaced surface there. Weights belong to the corners and add up to 1.
#[must_use]
pub fn patch_point(corners: &[Corner; 3], weights: [f32; 3]) -> (Vec3, Vec3) {
    let mut order = [0, 1, 2];
    order.sort_unstable_by_key(|&corner| corners[corner].place);
    let sum = |of: &dyn Fn(&Corner) -> Vec3| {
        let [a, b, c] = order.map(|corner| of(&corners[corner]) * weights[corner]);
        a + b + c
    };
    let flat = sum(&|corner| corner.position);
    let curved = sum(&|corner| flat - corner.bend * (flat - corner.position).dot(corner.bend));
    let position = flat + (curved - flat) * CURVED;
    let out = sum(&|corner| corner.bend).normalize_or_zero();
    let normal = sum(&|corner| corner.frame[0]).normalize_or(Vec3::Z);
    let tangent = across(sum(&|corner| corner.frame[1]), normal);
    let rest_normal = sum(&|corner| corner.rest_frame[0]).normalize_or(Vec3::Z);
    let rest_tangent = across(sum(&|corner| corner.rest_frame[1]), rest_normal);
    let push = sum(&|corner| Vec3::splat(corner.displacement)).x;
    let (height, slope) = relief(sum(&|corner| corner.rest));
    // The slope along the surface at rest, carried over to the pose by the tangent frames.
    let along = slope.dot(rest_tangent);
    let beside = slope.dot(rest_normal.cross(rest_tangent));
    let tilt = tangent * along + normal.cross(tangent) * beside;
    (position + out * (height * push), (normal - tilt * push).normalize_or(normal))
}

/// A direction made to lie at right angles to a normal.
fn across(direction: Vec3, normal: Vec3) -> Vec3 {
    let flat = direction - normal * direction.dot(normal);
    // Any will do where tangents cancel out: it is a relief's slope that is turned by it.
    if flat.length_squared() > 1e-8 {
        flat.normalize()
    } else {
        normal.cross(Vec3::new(0.48, 0.6, 0.64)).normalize_or(Vec3::X)
    }
}

/// The height of the relief at a point of the mesh at rest (about −1 to 1) and its slope, per metre: bumps of 30 mm and of 11 mm.
#[must_use]
pub fn relief(p: Vec3) -> (f32, Vec3) {
    let (coarse, coarse_slope) = noise(p * 33.0);
    let (fine, fine_slope) = noise(p * 91.0 + 17.5);
    (coarse * 0.65 + fine * 0.35, coarse_slope * (33.0 * 0.65) + fine_slope * (91.0 * 0.35))
}

/// Values at the corners of a grid of integers, mixed by t³(10 − 15t + 6t²), and the slope of that.
fn noise(p: Vec3) -> (f32, Vec3) {
    let cell = p.floor();
    let t = p - cell;
    let s = t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
    let ds = t * t * (t * (t * 30.0 - 60.0) + 30.0);
    let [x, y, z] = cell.to_array().map(|c| c as i32);
    let v = |dx: i32, dy: i32, dz: i32| value(x + dx, y + dy, z + dz);
    let (a, b, c, d) = (v(0, 0, 0), v(1, 0, 0), v(0, 1, 0), v(0, 0, 1));
    let (e, f, g, h) = (v(1, 1, 0), v(0, 1, 1), v(1, 0, 1), v(1, 1, 1));
    let (kx, ky, kz) = (b - a, c - a, d - a);
    let (kxy, kyz, kzx) = (a - b - c + e, a - c - d + f, a - b - d + g);
    let kxyz = b + c + d - a - e - f - g + h;
    let height = a
        + kx * s.x
        + ky * s.y
        + kz * s.z
        + kxy * s.x * s.y
        + kyz * s.y * s.z
        + kzx * s.z * s.x
        + kxyz * s.x * s.y * s.z;
    let slope = Vec3::new(
        kx + kxy * s.y + kzx * s.z + kxyz * s.y * s.z,
        ky + kyz * s.z + kxy * s.x + kxyz * s.z * s.x,
        kz + kzx * s.x + kyz * s.y + kxyz * s.x * s.y,
    );
    (height, slope * ds)
}

/// A number from −1 to 1 for a corner of the grid, in steps of 1/32768.
fn value(x: i32, y: i32, z: i32) -> f32 {
    let mut h = (x as u32).wrapping_mul(0x8da6_b343)
        ^ (y as u32).wrapping_mul(0xd816_3841)
        ^ (z as u32).wrapping_mul(0xcb1a_b31f);
    h = (h ^ (h >> 16)).wrapping_mul(0x7feb_352d);
    h = (h ^ (h >> 15)).wrapping_mul(0x846c_a68b);
    (h >> 16) as f32 * (1.0 / 32768.0) - 1.0
}

/// A mesh in a pose, cut and displaced: for every face the points of its patch.
#[derive(Clone, Debug, PartialEq)]
pub struct Displaced {
    /// Positions, face after face.
    pub positions: Vec<Vec3>,
    /// Normals of the displaced surface.
    pub normals: Vec<Vec3>,
    /// Three for each triangle.
    pub indices: Vec<u32>,
}

impl Mesh {
    /// The mesh in a pose, with edges cut into so many pieces.
    #[must_use]
    pub fn tessellated(&self, pose: &[Rows], level: u32) -> Displaced {
        let patch = Patch::new(level);
        let places = self.places();
        let corners: Vec<Corner> =
            places.iter().enumerate().map(|(vertex, &place)| Corner::of(self, vertex, place, pose)).collect();
        let mut result = Displaced { positions: Vec::new(), normals: Vec::new(), indices: Vec::new() };
        for face in self.indices.chunks_exact(3) {
            let first = result.positions.len() as u32;
            let face = [0, 1, 2].map(|corner| corners[face[corner] as usize]);
            for point in &patch.points {
                let (position, normal) = patch_point(&face, point.map(|parts| f32::from(parts) / patch.level as f32));
                result.positions.push(position);
                result.normals.push(normal);
            }
            result.indices.extend(patch.indices.iter().map(|&index| first + u32::from(index)));
        }
        result
    }

    /// One vertex alone.
    fn single(&self, index: usize) -> Mesh {
        Mesh {
            positions: vec![self.positions[index]],
            joints: vec![self.joints[index]],
            weights: vec![self.weights[index]],
            ..Mesh::default()
        }
    }
}
