//! Close-ups of somebody's own character: nothing opens where its surface was taken apart for hard edges, textures and materials.

mod drum;

use std::collections::BTreeMap;

use drum::{REST, drum, file, vertex};
use glam::Vec3;
use throng_creature::{Character, GltfOptions, Mesh, Patch};

fn read(mesh: Mesh) -> Mesh {
    let options = GltfOptions { height: Some(1.0), ..GltfOptions::default() };
    let read = Character::from_gltf_bytes(&file(mesh), None, "solid", &options).unwrap();
    read.character.lods.into_iter().next().unwrap()
}

/// A cube with four vertices to each face.
fn cube() -> Mesh {
    let mut mesh = Mesh::default();
    for axis in 0..3 {
        for side in [-1.0_f32, 1.0] {
            let corner = |u: f32, v: f32| {
                let mut at = [0.0; 3];
                (at[axis], at[(axis + 1) % 3], at[(axis + 2) % 3]) = (side, side * u, v);
                at.map(|c| c * 0.5 + 0.5)
            };
            let mut normal = [0.0; 3];
            normal[axis] = side;
            let [a, b, c, d] = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
                .map(|(u, v)| vertex(&mut mesh, corner(u, v), normal, 0));
            mesh.indices.extend([a, b, c, a, c, d]);
        }
    }
    mesh
}

/// The ends of an edge, and how many parts of a point's weight each has.
type Ends = [([u32; 3], u16); 2];

/// Points of edges by their ends and how near they are to each; every one was seen so often with these bits.
fn edges(mesh: &Mesh, level: u32) -> BTreeMap<Ends, (Vec3, u32)> {
    let (patch, whole) = (Patch::new(level), mesh.tessellated(&[REST], level));
    let place = |vertex: u32| mesh.positions[vertex as usize].map(|c| (c + 0.0).to_bits());
    let mut seen: BTreeMap<_, (Vec3, u32)> = BTreeMap::new();
    for (face, points) in mesh.indices.chunks_exact(3).zip(whole.positions.chunks_exact(patch.points.len())) {
        for (parts, point) in patch.points.iter().zip(points) {
            let mut ends: Vec<_> = (0..3).filter(|&k| parts[k] > 0).map(|k| (place(face[k]), parts[k])).collect();
            ends.sort_unstable();
            if let [a, b] = ends[..] {
                let known = seen.entry([a, b]).or_insert((*point, 0));
                let bits = |p: Vec3| p.to_array().map(|c| (c + 0.0).to_bits());
                assert_eq!(bits(known.0), bits(*point), "{} and {point} on an edge: a crack", known.0);
                known.1 += 1;
            }
        }
    }
    seen
}

/// How far a point of an edge is from the straight line.
fn bend(ends: &Ends, point: Vec3) -> f32 {
    let [a, b] = ends.map(|(place, _)| Vec3::from(place.map(f32::from_bits)));
    let share = f32::from(ends[1].1) / f32::from(ends[0].1 + ends[1].1);
    point.distance(a.lerp(b, share))
}

#[test]
fn nothing_opens_along_hard_edges_and_seams() {
    for mesh in [cube(), drum()].map(read) {
        for level in [2, 4, 16] {
            assert!(edges(&mesh, level).values().all(|(_, faces)| *faces == 2), "every edge has two faces");
        }
    }
}

#[test]
fn hard_edges_stay_straight() {
    for mesh in [cube(), drum()].map(read) {
        let whole = mesh.tessellated(&[REST], 4);
        assert!(edges(&mesh, 4).iter().all(|(ends, (point, _))| bend(ends, *point) < 1e-6));
        // What is lit is hard, too: at every corner the normal is the file's.
        let points = whole.normals.len() / mesh.faces();
        for (face, normals) in mesh.indices.chunks_exact(3).zip(whole.normals.chunks_exact(points)) {
            let given = Vec3::from(mesh.normals[face[0] as usize]);
            assert!(normals[0].distance(given) < 1e-5, "{} instead of {given}", normals[0]);
        }
    }
}

/// A seam between materials is no hard edge: normals that differ by less than a degree are one.
#[test]
fn seams_of_materials_bend_as_the_surface_does() {
    // A ball of 8 × 6 faces, each strip of it with vertices of its own, numbered in opposite order.
    let mut mesh = Mesh::default();
    let point = |k: u32, row: u32| {
        let (a, b) = (std::f32::consts::TAU * (k % 8) as f32 / 8.0, std::f32::consts::PI * row as f32 / 6.0);
        match row {
            0 => Vec3::NEG_Z,
            6 => Vec3::Z,
            _ => Vec3::new(b.sin() * a.cos(), b.sin() * a.sin(), -b.cos()),
        }
    };
    for k in 0..8 {
        let mut of = |k: u32, row: u32, part: u32| {
            let p = point(k, row);
            let near = (p + Vec3::new(0.001, 0.0, 0.002) * part as f32).normalize();
            vertex(&mut mesh, (p * 0.5).to_array(), near.to_array(), part as u8)
        };
        let part = k % 2;
        let column = |of: &mut dyn FnMut(u32, u32, u32) -> u32, k: u32| -> Vec<u32> {
            if part == 0 {
                (0..=6).map(|row| of(k, row, part)).collect()
            } else {
                let mut list: Vec<u32> = (0..=6).rev().map(|row| of(k, row, part)).collect();
                list.reverse();
                list
            }
        };
        let (left, right) = (column(&mut of, k), column(&mut of, k + 1));
        for row in 0..6 {
            let [a, b, c, d] = [left[row], right[row], right[row + 1], left[row + 1]];
            if row > 0 {
                mesh.indices.extend([a, b, c]);
            }
            if row < 5 {
                mesh.indices.extend([a, c, d]);
            }
        }
    }
    let mesh = read(mesh);
    for level in [2, 8] {
        for (ends, (point, faces)) in edges(&mesh, level) {
            assert_eq!(faces, 2);
            assert!(bend(&ends, point) > 1e-4, "an edge from {ends:?} is straight at {point}");
        }
    }
}

/// Pieces that were made apart meet at a rim, but not to the last bit, or not at the same vertices: rims stay where they are.
#[test]
fn rims_of_open_surfaces_stay_straight() {
    let mut mesh = read(drum());
    // Without the lid.
    let lid = |face: &&[u32]| face.iter().all(|&v| mesh.normals[v as usize][2] > 0.9);
    mesh.indices = mesh.indices.chunks_exact(3).filter(|face| !lid(face)).flatten().copied().collect();
    let rims: Vec<f32> = edges(&mesh, 4)
        .iter()
        .filter(|(_, (_, faces))| *faces == 1)
        .map(|(ends, (point, _))| bend(ends, *point))
        .collect();
    assert!(rims.len() == 12 * 3 && rims.iter().all(|&bend| bend < 1e-6), "{rims:?}");
}
