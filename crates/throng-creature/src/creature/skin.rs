//! From fields to meshes: surfaces, weights, tints, normals, levels of detail.

use glam::DVec3;
use rayon::prelude::*;

use super::flesh::Piece;
use super::skeleton::{BONES, joints, parents};
use crate::Mesh;
use crate::field::Field;
use crate::nets::{Surface, surface};
use crate::simplify::{Care, Carrier, simplified};
use crate::weights::{face_normals, strongest};

/// What vertices carry through the simplification: a weight for each bone, then the tint.
const CARRIED: usize = BONES + 1;

/// The meshes of all pieces, finest first.
pub(crate) fn meshes(pieces: &[Piece]) -> Vec<Mesh> {
    let made: Vec<Vec<Mesh>> = pieces.par_iter().map(levels).collect();
    let whole = |level: usize| {
        let mut mesh = Mesh::default();
        made.iter().for_each(|levels| append(&mut mesh, &levels[level]));
        mesh.order_for_reuse();
        mesh
    };
    (0..pieces.first().map_or(0, |piece| piece.triangles.len())).map(whole).collect()
}

/// The levels of detail of one piece.
fn levels(piece: &Piece) -> Vec<Mesh> {
    let surface = surface(&piece.field, piece.cell);
    let carried = carried(piece, &surface);
    let labels = vec![0; surface.triangles.len()];
    let fine = Carrier { positions: surface.positions, carried, width: CARRIED, triangles: surface.triangles, labels };
    let targets: Vec<usize> = piece.triangles.iter().copied().filter(|&target| target > 0).collect();
    let mut meshes: Vec<Mesh> = simplified(fine, &targets, Care { evenness: 0.004, bends: 6.0 })
        .iter()
        .map(|level| finished(piece, level))
        .collect();
    meshes.resize(piece.triangles.len(), Mesh::default());
    meshes
}

/// Weights and tint of every vertex of a fine surface. A vertex begins with the bone of the blob that it is nearest to; then weights
/// spread along the surface, as heat does, so they pass from bone to bone where the surface does and never leap a gap.
fn carried(piece: &Piece, surface: &Surface) -> Vec<f32> {
    let mut rows = vec![0.0; surface.positions.len() * CARRIED];
    rows.par_chunks_mut(CARRIED).zip(&surface.positions).for_each(|(row, &p)| {
        let near = piece.field.near(p, 0.03);
        row[piece.field.bone(&near, p)] = 1.0;
        row[BONES] = tint(piece, p) as f32;
    });
    let around = neighbours(surface);
    for _ in 0..piece.spread {
        let before = rows.clone();
        rows.par_chunks_mut(CARRIED).enumerate().for_each(|(vertex, row)| {
            let share = 0.5 / around[vertex].len() as f32;
            for bone in 0..BONES {
                let sum: f32 = around[vertex].iter().map(|&other| before[other as usize * CARRIED + bone]).sum();
                row[bone] = 0.5 * row[bone] + share * sum;
            }
        });
    }
    rows
}

fn neighbours(surface: &Surface) -> Vec<Vec<u32>> {
    let mut around = vec![Vec::new(); surface.positions.len()];
    // Each edge of a closed surface is seen once in each direction.
    for &[a, b, c] in &surface.triangles {
        for (from, to) in [(a, b), (b, c), (c, a)] {
            around[from as usize].push(to);
        }
    }
    around
}

fn tint(piece: &Piece, p: DVec3) -> f64 {
    let of = |dab: &super::flesh::Dab| {
        let share = (1.0 - dab.shape.distance(p) / dab.soft).clamp(0.0, 1.0);
        dab.amount * share * share * (3.0 - 2.0 * share)
    };
    piece.dabs.iter().map(of).fold(0.0, f64::max)
}

/// A level with everything that a renderer wants of it.
fn finished(piece: &Piece, level: &Carrier) -> Mesh {
    let mut mesh = Mesh::default();
    let (joints, parents) = (joints(), parents());
    let flat = face_normals(&level.positions, &level.triangles);
    for (index, &p) in level.positions.iter().enumerate() {
        let near = piece.field.near(p, 0.05);
        let normal = outward(piece.field.gradient(&near, p), flat[index]);
        let row = &level.carried[index * CARRIED..][..CARRIED];
        let (bones, weights) = strongest(&row[..BONES]);
        let main = usize::from(bones[0]);
        mesh.positions.push(p.as_vec3().to_array());
        mesh.normals.push(normal.as_vec3().normalize().to_array());
        mesh.tangents.push(tangent(normal, joints[main] - parents[main].map_or(DVec3::ZERO, |parent| joints[parent])));
        mesh.uvs.push(uv(&piece.field, p, normal));
        mesh.parts.push(piece.part as u8);
        mesh.tints.push((row[BONES] * 255.0).round() as u8);
        mesh.joints.push(bones);
        mesh.weights.push(weights);
        mesh.displacement.push(piece.relief);
    }
    mesh.indices = level.triangles.iter().flatten().copied().collect();
    mesh
}

/// The normal of the field, drawn to that of the faces where a coarse mesh leaves the field's surface.
fn outward(slope: DVec3, flat: DVec3) -> DVec3 {
    let (smooth, flat) = (slope.normalize_or(flat), flat.normalize_or(DVec3::Z));
    let share = (1.0 - smooth.dot(flat)).min(1.0);
    smooth.lerp(flat, share).normalize_or(flat)
}

/// The direction around the bone, at right angles to the normal. Where the bone points out of the surface any direction will do.
fn tangent(normal: DVec3, axis: DVec3) -> [f32; 4] {
    let around = axis.normalize_or(DVec3::Z).cross(normal);
    let around = if around.length_squared() > 0.04 { around } else { (DVec3::X * 0.6 + DVec3::Y * 0.8).cross(normal) };
    let t = (around - normal * around.dot(normal)).normalize_or(normal.any_orthonormal_vector()).as_vec3();
    [t.x, t.y, t.z, 1.0]
}

/// Coordinates without a seam: how far up, and how far round from the front, the same on the left and on the right.
fn uv(field: &Field, p: DVec3, normal: DVec3) -> [f32; 2] {
    let (low, high) = field.bounds();
    let up = ((p.z - low.z) / (high.z - low.z)).clamp(0.0, 1.0);
    [(0.5 - 0.5 * normal.x).clamp(0.0, 1.0) as f32, up as f32]
}

fn append(mesh: &mut Mesh, more: &Mesh) {
    let first = mesh.positions.len() as u32;
    mesh.positions.extend(&more.positions);
    mesh.normals.extend(&more.normals);
    mesh.tangents.extend(&more.tangents);
    mesh.uvs.extend(&more.uvs);
    mesh.parts.extend(&more.parts);
    mesh.tints.extend(&more.tints);
    mesh.joints.extend(&more.joints);
    mesh.weights.extend(&more.weights);
    mesh.displacement.extend(&more.displacement);
    mesh.indices.extend(more.indices.iter().map(|index| index + first));
}
