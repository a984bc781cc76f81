//! Vertices and triangles of a file, and levels of detail made from them.

use std::collections::BTreeMap;

use glam::{DAffine3, DVec3, Vec3};
use gltf::Semantic;

use super::skeleton::{Rig, Space};
use super::source::Source;
use super::{GltfError, MOST_BONES, broken, unsupported};
use crate::simplify::{Care, Carrier, simplified};
use crate::weights::{face_normals, strongest};
use crate::{Mesh, Paint, Palette};

/// More is no character for a crowd.
const MOST_VERTICES: usize = 200_000;

/// Meshes are lists of pieces, and nodes may share them.
const MOST_PIECES: usize = 4096;

/// What the finest mesh may have; a finer one is reduced to it.
const FINEST: usize = 8_000;
const REDUCED: [usize; 2] = [900, 150];

/// What vertices carry through the simplification: weights, then u and v.
const CARRIED: usize = MOST_BONES + 2;

/// All vertices as the file has them.
#[derive(Default)]
pub(super) struct Raw {
    pub(super) positions: Vec<DVec3>,
    normals: Vec<DVec3>,
    uvs: Vec<[f32; 2]>,
    parts: Vec<u8>,
    joints: Vec<[u8; 4]>,
    weights: Vec<[f32; 4]>,
    triangles: Vec<[u32; 3]>,
    /// The material of each part; none: the default one.
    materials: Vec<Option<usize>>,
}

impl Raw {
    pub(super) fn new(source: &Source, rig: &Rig, notes: &mut Vec<String>) -> Result<Self, GltfError> {
        let mut raw = Self::default();
        let (mut left_out, mut pieces) = (0, 0);
        for node in source.document.nodes() {
            let Some(mesh) = node.mesh() else { continue };
            if !node.skin().is_some_and(|skin| rig.skins.contains(&skin.index())) {
                left_out += 1;
                continue;
            }
            for primitive in mesh.primitives() {
                pieces += 1;
                if pieces > MOST_PIECES {
                    return Err(unsupported(format!("more than {MOST_PIECES} pieces of meshes: join them")));
                }
                raw.add(source, rig, &primitive, notes)?;
            }
        }
        if left_out > 0 {
            notes.push(format!("{left_out} of its meshes hang on no bone and are left out."));
        }
        if source.document.images().next().is_some() {
            notes.push("Its textures are not used: parts have the base colours of their materials.".to_owned());
        }
        if raw.triangles.is_empty() { Err(broken("a character without triangles")) } else { Ok(raw) }
    }

    fn add(
        &mut self,
        source: &Source,
        rig: &Rig,
        primitive: &gltf::Primitive<'_>,
        notes: &mut Vec<String>,
    ) -> Result<(), GltfError> {
        if primitive.mode() != gltf::mesh::Mode::Triangles {
            return Err(unsupported(format!("{:?}: only lists of triangles can be drawn", primitive.mode())));
        }
        let morphs = "Its morph targets are not used: faces and shapes stay as they are.";
        if primitive.morph_targets().next().is_some() && !notes.iter().any(|note| note == morphs) {
            notes.push(morphs.to_owned());
        }
        if primitive.get(&Semantic::Joints(1)).is_some() {
            return Err(unsupported("vertices with more than 4 weights: limit them to 4 and export again"));
        }
        let needed = |semantic: Semantic, name: &str| {
            primitive.get(&semantic).ok_or_else(|| broken(format!("a skinned mesh without {name}")))
        };
        let [positions, joints, weights] = [
            needed(Semantic::Positions, "POSITION")?,
            needed(Semantic::Joints(0), "JOINTS_0")?,
            needed(Semantic::Weights(0), "WEIGHTS_0")?,
        ];
        let [normals, uvs] = [Semantic::Normals, Semantic::TexCoords(0)].map(|semantic| primitive.get(&semantic));
        // Counts first: nothing is read that will not be used.
        let (first, count) = (self.positions.len(), positions.count());
        if count > MOST_VERTICES - first {
            return Err(unsupported(format!("more than {MOST_VERTICES} vertices: reduce the character first")));
        }
        let others = [Some(&joints), Some(&weights), normals.as_ref(), uvs.as_ref()];
        if others.into_iter().flatten().any(|accessor| accessor.count() != count) {
            return Err(broken("attributes of different lengths"));
        }
        let positions = source.numbers(&positions, 3)?;
        let (joints, weights) = (source.integers(&joints, 4)?, source.numbers(&weights, 4)?);
        let normals = normals.map_or_else(|| Ok(vec![0.0; 3 * count]), |accessor| source.numbers(&accessor, 3))?;
        let uvs = uvs.map_or_else(|| Ok(vec![0.0; 2 * count]), |accessor| source.numbers(&accessor, 2))?;
        let part = self.part(primitive.material().index())?;
        let vector = |numbers: &[f32]| DVec3::new(numbers[0].into(), numbers[1].into(), numbers[2].into());
        self.positions.extend(positions.chunks_exact(3).map(vector));
        self.normals.extend(normals.chunks_exact(3).map(vector));
        // Coordinates that go round are taken into one round.
        self.uvs.extend(
            uvs.chunks_exact(2)
                .map(|uv| [uv[0], uv[1]].map(|c| if (0.0..=1.0).contains(&c) { c } else { c - c.floor() })),
        );
        self.parts.extend(std::iter::repeat_n(part, count));
        for (joints, weights) in joints.chunks_exact(4).zip(weights.chunks_exact(4)) {
            let bone = |slot: usize| match rig.bone_of.get(joints[slot] as usize) {
                Some(&bone) => Ok(bone),
                // Unused slots may hold anything.
                None if weights[slot] == 0.0 => Ok(0),
                None => Err(broken(format!("joint {} of {}", joints[slot], rig.bone_of.len()))),
            };
            self.joints.push([bone(0)?, bone(1)?, bone(2)?, bone(3)?]);
            self.weights.push(shares([0, 1, 2, 3].map(|slot| weights[slot].max(0.0))));
        }
        self.triangles(source, primitive, first as u32, count)
    }

    fn triangles(
        &mut self,
        source: &Source,
        primitive: &gltf::Primitive<'_>,
        first: u32,
        count: usize,
    ) -> Result<(), GltfError> {
        let listed = primitive.indices().map_or(count, |accessor| accessor.count());
        if listed / 3 > 2 * MOST_VERTICES - self.triangles.len() {
            return Err(unsupported(format!("more than {} triangles: reduce the character first", 2 * MOST_VERTICES)));
        }
        let indices = match primitive.indices() {
            Some(accessor) => source.integers(&accessor, 1)?,
            None => (0..count as u32).collect(),
        };
        if indices.iter().any(|&index| index as usize >= count) {
            return Err(broken("a triangle names a vertex that is not there"));
        }
        self.triangles.extend(indices.chunks_exact(3).map(|face| [0, 1, 2].map(|corner| first + face[corner])));
        Ok(())
    }

    fn part(&mut self, material: Option<usize>) -> Result<u8, GltfError> {
        let found = self.materials.iter().position(|&known| known == material);
        let part = found.unwrap_or_else(|| {
            self.materials.push(material);
            self.materials.len() - 1
        });
        u8::try_from(part).map_err(|_| unsupported("more than 256 materials"))
    }

    /// A vertex, where these matrices take it.
    pub(super) fn skinned(&self, vertex: usize, matrices: &[DAffine3]) -> DVec3 {
        let at = |slot: usize| {
            let moved = matrices[usize::from(self.joints[vertex][slot])].transform_point3(self.positions[vertex]);
            moved * f64::from(self.weights[vertex][slot])
        };
        at(0) + at(1) + at(2) + at(3)
    }

    /// The meshes, finest first, and the colours of their parts.
    pub(super) fn finish(mut self, space: &Space, source: &Source) -> (Vec<Mesh>, Palette) {
        let turn = space.rest.matrix3.inverse().transpose();
        self.positions.iter_mut().for_each(|p| *p = space.rest.transform_point3(*p));
        self.normals.iter_mut().for_each(|n| *n = (turn * *n).normalize_or_zero());
        // A reflection turns triangles inside out.
        if space.rest.matrix3.determinant() < 0.0 {
            self.triangles.iter_mut().for_each(|face| face.swap(1, 2));
        }
        let palette = self.palette(source);
        let welded = self.welded();
        let care = Care { evenness: 1e-3, bends: 2.0 };
        let mut lods = Vec::new();
        if self.triangles.len() <= FINEST {
            lods.push(self.as_it_is());
            lods.extend(simplified(welded, &REDUCED, care).iter().map(split));
        } else {
            lods.extend(simplified(welded, &[FINEST, REDUCED[0], REDUCED[1]], care).iter().map(split));
        }
        (lods, palette)
    }

    fn palette(&self, source: &Source) -> Palette {
        let paint = |material: &Option<usize>| {
            let found = material.and_then(|index| source.document.materials().nth(index));
            let (colour, roughness, metal) = found.map_or(([0.8; 4], 0.8, 0.0), |material| {
                let look = material.pbr_metallic_roughness();
                (look.base_color_factor(), look.roughness_factor(), look.metallic_factor())
            });
            let colour = [colour[0], colour[1], colour[2]].map(|c| if c.is_finite() { c.clamp(0.0, 1.0) } else { 1.0 });
            Paint { colour, tinted: colour, roughness: roughness.clamp(0.0, 1.0), metal: metal.clamp(0.0, 1.0) }
        };
        Palette { name: "as in the file".to_owned(), paints: self.materials.iter().map(paint).collect() }
    }

    /// The mesh of the file, vertex for vertex.
    fn as_it_is(&self) -> Mesh {
        let mut mesh = Mesh::default();
        let flat = face_normals(&self.positions, &self.triangles);
        for (vertex, &flat) in flat.iter().enumerate() {
            let given = self.normals[vertex];
            let normal = if given.length_squared() > 0.5 { given } else { flat };
            let mut row = [0.0; MOST_BONES];
            for (joint, weight) in self.joints[vertex].iter().zip(self.weights[vertex]) {
                row[usize::from(*joint)] += weight;
            }
            push(&mut mesh, self.positions[vertex], normal, self.uvs[vertex], self.parts[vertex], &row);
        }
        mesh.indices = self.triangles.iter().flatten().copied().collect();
        mesh
    }

    /// Vertices at the same place as one, so that seams of textures and materials are no borders.
    fn welded(&self) -> Carrier {
        let mut known = BTreeMap::new();
        let mut mesh = Carrier { width: CARRIED, ..Carrier::default() };
        let number: Vec<u32> = (0..self.positions.len())
            .map(|vertex| {
                let at = self.positions[vertex];
                *known.entry(at.to_array().map(f64::to_bits)).or_insert_with(|| {
                    mesh.positions.push(at);
                    let mut row = [0.0; CARRIED];
                    for (joint, weight) in self.joints[vertex].iter().zip(self.weights[vertex]) {
                        row[usize::from(*joint)] += weight;
                    }
                    row[MOST_BONES..].copy_from_slice(&self.uvs[vertex]);
                    mesh.carried.extend_from_slice(&row);
                    mesh.positions.len() as u32 - 1
                })
            })
            .collect();
        for face in &self.triangles {
            let [a, b, c] = face.map(|vertex| number[vertex as usize]);
            if a != b && b != c && c != a {
                mesh.triangles.push([a, b, c]);
                mesh.labels.push(self.parts[face[0] as usize]);
            }
        }
        mesh
    }
}

/// Weights that add up to 1; all on the first bone where there are none.
fn shares(weights: [f32; 4]) -> [f32; 4] {
    let sum: f32 = weights.iter().sum();
    if sum > 1e-6 && sum.is_finite() { weights.map(|weight| weight / sum) } else { [1.0, 0.0, 0.0, 0.0] }
}

/// A reduced mesh, with a vertex for each part that meets in it.
fn split(level: &Carrier) -> Mesh {
    let mut mesh = Mesh::default();
    let smooth = face_normals(&level.positions, &level.triangles);
    let mut known = BTreeMap::new();
    for (face, &part) in level.triangles.iter().zip(&level.labels) {
        for &corner in face {
            let vertex = *known.entry((corner, part)).or_insert_with(|| {
                let at = corner as usize;
                let row = &level.carried[at * CARRIED..][..CARRIED];
                push(
                    &mut mesh,
                    level.positions[at],
                    smooth[at],
                    [row[MOST_BONES], row[MOST_BONES + 1]],
                    part,
                    &row[..MOST_BONES],
                );
                mesh.positions.len() as u32 - 1
            });
            mesh.indices.push(vertex);
        }
    }
    mesh
}

fn push(mesh: &mut Mesh, position: DVec3, normal: DVec3, uv: [f32; 2], part: u8, row: &[f32]) {
    let normal = normal.as_vec3().normalize_or(Vec3::Z);
    let tangent = normal.any_orthonormal_vector();
    let (joints, weights) = strongest(row);
    mesh.positions.push(position.as_vec3().to_array());
    mesh.normals.push(normal.to_array());
    mesh.tangents.push([tangent.x, tangent.y, tangent.z, 1.0]);
    mesh.uvs.push(uv.map(|c| c.clamp(0.0, 1.0)));
    mesh.parts.push(part);
    mesh.tints.push(0);
    mesh.joints.push(joints);
    mesh.weights.push(weights);
    mesh.displacement.push(0.0);
}
