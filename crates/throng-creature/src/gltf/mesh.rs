//! Vertices and triangles of a file, and levels of detail made from them.

use std::collections::{BTreeMap, BTreeSet};

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

/// What the finest mesh may be left with where it cannot be reduced so far.
const MOST_LEFT: usize = 2 * FINEST;
const MOST_DRAWN: usize = 3 * FINEST;

/// Triangles that may meet at a point: the time that the reduction takes goes with the square of it.
const MOST_AROUND: usize = 1024;

/// Normals at the same place are one from this cosine on, of a degree: exporters round them on both sides of a seam.
const SAME: f64 = 0.999_85;

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
        let raw = raw.tidied();
        if raw.triangles.is_empty() { Err(broken("a character without triangles")) } else { Ok(raw) }
    }

    /// What triangles use, every vertex and every triangle once.
    fn tidied(self) -> Self {
        let mut used = vec![false; self.positions.len()];
        self.triangles.iter().flatten().for_each(|&vertex| used[vertex as usize] = true);
        let mut known = BTreeMap::new();
        let mut tidy = Self { materials: self.materials, ..Self::default() };
        let mut number = vec![0; used.len()];
        for vertex in (0..used.len()).filter(|&vertex| used[vertex]) {
            let (weights, mut joints) = (self.weights[vertex], self.joints[vertex]);
            // A joint without weight may be any.
            joints.iter_mut().zip(weights).filter(|(_, weight)| *weight == 0.0).for_each(|(joint, _)| *joint = 0);
            let (position, normal, uv) = (self.positions[vertex], self.normals[vertex], self.uvs[vertex]);
            let directions = [position, normal].map(|v| v.to_array().map(f64::to_bits));
            let all = (directions, uv.map(f32::to_bits), self.parts[vertex], joints, weights.map(f32::to_bits));
            number[vertex] = *known.entry(all).or_insert_with(|| {
                tidy.positions.push(position);
                tidy.normals.push(normal);
                tidy.uvs.push(uv);
                tidy.parts.push(self.parts[vertex]);
                tidy.joints.push(joints);
                tidy.weights.push(weights);
                tidy.positions.len() as u32 - 1
            });
        }
        let mut seen = BTreeSet::new();
        for face in &self.triangles {
            let face @ [a, b, c] = face.map(|vertex| number[vertex as usize]);
            let least = face.into_iter().min().unwrap_or(a);
            let turned = if least == a {
                face
            } else if least == b {
                [b, c, a]
            } else {
                [c, a, b]
            };
            if a != b && b != c && c != a && seen.insert(turned) {
                tidy.triangles.push(face);
            }
        }
        tidy
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
        let colours = "Its vertex colours are not used: parts have the base colours of their materials.";
        if primitive.get(&Semantic::Colors(0)).is_some() && !notes.iter().any(|note| note == colours) {
            notes.push(colours.to_owned());
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
        // With 0 added −0 is 0: places are told apart by their bits.
        let vector = |numbers: &[f32]| DVec3::new(numbers[0].into(), numbers[1].into(), numbers[2].into()) + 0.0;
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
    ///
    /// # Errors
    /// If too much is left of a mesh that cannot be reduced.
    pub(super) fn finish(mut self, space: &Space, source: &Source) -> Result<(Vec<Mesh>, Palette), GltfError> {
        let turn = space.rest.matrix3.inverse().transpose();
        self.positions.iter_mut().for_each(|p| *p = space.rest.transform_point3(*p));
        self.normals.iter_mut().for_each(|n| *n = (turn * *n).normalize_or_zero());
        // A reflection turns triangles inside out.
        if space.rest.matrix3.determinant() < 0.0 {
            self.triangles.iter_mut().for_each(|face| face.swap(1, 2));
        }
        let palette = self.palette(source);
        let places = self.places();
        let welded = self.welded(&places);
        let mut around = vec![0; welded.positions.len()];
        welded.triangles.iter().flatten().for_each(|&vertex| around[vertex as usize] += 1);
        if let Some(&most) = around.iter().max().filter(|&&most| most > MOST_AROUND) {
            return Err(unsupported(format!(
                "{most} triangles meet at a point of its mesh: at most {MOST_AROUND} may"
            )));
        }
        let care = Care { evenness: 1e-3, bends: 2.0 };
        let mut lods = Vec::new();
        if self.triangles.len() <= FINEST {
            lods.push(self.as_it_is(&places));
            lods.extend(simplified(welded, &REDUCED, care).iter().map(split));
        } else {
            lods.extend(simplified(welded, &[FINEST, REDUCED[0], REDUCED[1]], care).iter().map(split));
        }
        let (triangles, vertices) = lods.first().map_or((0, 0), |mesh| (mesh.faces(), mesh.positions.len()));
        if triangles > MOST_LEFT || vertices > MOST_DRAWN {
            return Err(unsupported(format!(
                "{triangles} triangles with {vertices} vertices are left of its mesh when it is reduced, and at most {MOST_LEFT} with {MOST_DRAWN} can be drawn: join triangles at their edges, or export at most {FINEST}"
            )));
        }
        Ok((lods, palette))
    }

    /// For each vertex the first one at its place.
    fn places(&self) -> Vec<u32> {
        let mut known = BTreeMap::new();
        let place = |(vertex, at): (u32, &DVec3)| *known.entry(at.to_array().map(f64::to_bits)).or_insert(vertex);
        (0..).zip(&self.positions).map(place).collect()
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
    fn as_it_is(&self, places: &[u32]) -> Mesh {
        let mut mesh = Mesh::default();
        let joined: Vec<[u32; 3]> =
            self.triangles.iter().map(|face| face.map(|vertex| places[vertex as usize])).collect();
        let smooth = face_normals(&self.positions, &joined);
        let mut known = vec![Vec::<DVec3>::new(); self.positions.len()];
        for (vertex, &place) in places.iter().enumerate() {
            let given = self.normals[vertex];
            let normal = if given.length_squared() > 0.5 { given } else { smooth[place as usize].normalize_or_zero() };
            let there = &mut known[place as usize];
            let normal = there.iter().find(|other| other.dot(normal) > SAME).copied().unwrap_or_else(|| {
                there.push(normal);
                normal
            });
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
    fn welded(&self, places: &[u32]) -> Carrier {
        let mut mesh = Carrier { width: CARRIED, ..Carrier::default() };
        let mut number: Vec<u32> = Vec::with_capacity(places.len());
        for (vertex, &place) in places.iter().enumerate() {
            if let Some(&known) = number.get(place as usize) {
                number.push(known);
                continue;
            }
            let mut row = [0.0; CARRIED];
            for (joint, weight) in self.joints[vertex].iter().zip(self.weights[vertex]) {
                row[usize::from(*joint)] += weight;
            }
            row[MOST_BONES..].copy_from_slice(&self.uvs[vertex]);
            mesh.carried.extend_from_slice(&row);
            mesh.positions.push(self.positions[vertex]);
            number.push(mesh.positions.len() as u32 - 1);
        }
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
