//! What agents look like and how they move, on the device: a character's meshes, bones, clips and colours.

use super::acts::{acts, keys_and_roles, ways};
use super::atlas::Atlas;
use super::levels::MESHES;
use super::pieces::{cut, put};
use crate::draw::memory::filled;
use glam::{Vec2, Vec3};
use std::sync::LazyLock;
use throng::engine::gpu::Gpu;
use throng::scene::MachineState;
use throng_creature::{Aabb, Character, Mesh, PackedClips, Part, Place};
use wgpu::{Buffer, BufferUsages};

/// How tall agents are, in radii: with this the creature's trunk is as wide as the agent.
const TALL: f32 = 6.0;

/// The creature, made once: it takes the better part of a second.
pub(crate) fn creature() -> &'static Character {
    static CREATURE: LazyLock<Character> = LazyLock::new(Character::creature);
    &CREATURE
}

/// Where a mesh is in the buffers.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Range {
    pub(crate) first: u32,
    pub(crate) count: u32,
    pub(crate) triangles: u32,
}

/// A ball around somebody on the ground, in radii, before it is scaled as the individual is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ball {
    /// Of its middle above the ground.
    pub(crate) middle: f32,
    /// Of its middle from the axis.
    pub(crate) aside: f32,
    pub(crate) radius: f32,
}

/// See figure.wgsl.
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct Shape {
    low: [f32; 3],
    bones: u32,
    high: [f32; 3],
    clips_at: u32,
    bones_low: [f32; 3],
    acts_at: u32,
    bones_high: [f32; 3],
    growths_at: u32,
    paints_at: u32,
    parts: u32,
    palettes: u32,
    cloth: u32,
    skin_low: [f32; 3],
    cage: u32,
    skin_high: [f32; 3],
    faces: u32,
    scale: f32,
    figure: u32,
    ways_at: u32,
    bones_at: u32,
    cage_at: u32,
    faces_at: u32,
    pad: [u32; 2],
    meshes: [[u32; 4]; MESHES],
}

/// A character on the device.
#[derive(Debug)]
pub(crate) struct Figure {
    /// What casts shadows and sits for pictures: packed vertices, and what their skin needs.
    pub(crate) vertices: [Buffer; 2],
    pub(crate) indices: Buffer,
    /// Rows of what shaders look up, packed matrices of all keys of all clips, meshes once more; and where each of them is.
    pub(crate) table: Buffer,
    pub(crate) shape: Buffer,
    /// Vertices and faces of the full mesh.
    pub(crate) cage_size: [u32; 2],
    pub(crate) faces: [Range; MESHES],
    /// Pieces of each mesh.
    pub(crate) pieces: [u32; MESHES],
    /// The first reduced mesh, on vertices of the full one: what skinned characters cast shadows with.
    pub(crate) caster: Range,
    pub(crate) ball: Ball,
    /// Its pictures, for when it is small on the screen.
    pub(crate) atlas: Atlas,
}

/// How tall everybody is, in radii.
pub(crate) const fn tall() -> f32 {
    TALL
}

impl Figure {
    /// Of a character whose clips pack, for agents that may live by states; it has a number among the figures of a scene.
    pub(crate) fn new(
        gpu: &Gpu,
        character: &Character,
        clips: &PackedClips,
        states: &[MachineState],
        number: u32,
    ) -> Self {
        let rest = character.lods.iter().flat_map(|mesh| mesh.positions.iter().map(|&p| p.into()));
        let around = Aabb::of(rest);
        let (mut vertices, mut skins, mut indices) = (Vec::new(), Vec::new(), Vec::<u32>::new());
        let mut faces = [Range::default(); MESHES];
        for level in 0..MESHES {
            // Who has fewer levels is not reduced any further.
            let Some(mesh) = character.lods.get(level) else {
                faces[level] = faces[level.saturating_sub(1)];
                continue;
            };
            // Whole numbers of the buffer: draw calls have no base.
            let base = vertices.len() as u32;
            vertices.extend(mesh.packed(&around));
            skins.extend(mesh.packed_skins());
            let triangles = mesh.faces() as u32;
            faces[level] = Range { first: indices.len() as u32, count: 3 * triangles, triangles };
            indices.extend(mesh.indices.iter().map(|i| base + i));
        }
        let (full, reduced) = (&character.lods[0], character.lods.get(1).unwrap_or(&character.lods[0]));
        let cast = on_vertices_of(full, reduced);
        let caster = Range { first: indices.len() as u32, count: cast.len() as u32, triangles: cast.len() as u32 / 3 };
        indices.extend(cast);
        let cage_size = [full.positions.len() as u32, full.faces() as u32];
        let scale = TALL / character.height;
        let acts = acts(character, states);
        let atlas = Atlas::new(gpu, (character, clips), &faces, scale, &acts, cloth_of(number));
        let (mut table, mut shape) = tables(character, clips, acts, &around, number);
        add_meshes(&mut table, &mut shape, character, &around);
        let [x, y, z] = character.bounds.centre;
        // A hundredth more: shaders round otherwise, and packed vertices are not quite where they were.
        let radius = 1.01 * character.bounds.radius * scale;
        Self {
            vertices: [
                filled(gpu, "vertices", &vertices, BufferUsages::VERTEX),
                filled(gpu, "skins", &skins, BufferUsages::VERTEX),
            ],
            indices: filled(gpu, "faces", &indices, BufferUsages::INDEX),
            table: filled(gpu, "character", &table, BufferUsages::STORAGE),
            shape: filled(gpu, "shape", &[shape], BufferUsages::UNIFORM),
            cage_size,
            faces,
            pieces: shape.meshes.map(|mesh| mesh[1]),
            caster,
            ball: Ball { middle: z * scale, aside: Vec2::new(x, y).length() * scale, radius },
            atlas,
        }
    }
}

/// The part that has the colour which agents are shown in. Somebody's own character has none: only its first material takes on some of it.
fn cloth_of(number: u32) -> u32 {
    if number == 0 { Part::Cloth as u32 } else { u32::MAX }
}

/// What shaders look up: clips, acts, growths, paints, bones.
fn tables(
    character: &Character,
    clips: &PackedClips,
    acts: Vec<[u32; 4]>,
    around: &Aabb,
    number: u32,
) -> (Vec<[u32; 4]>, Shape) {
    let mut table: Vec<[u32; 4]> = Vec::new();
    for (clip, &first) in character.clips.iter().zip(&clips.starts) {
        table.push([first, keys_and_roles(clip), clip.stride.to_bits(), clip.seconds.to_bits()]);
    }
    let ways_at = table.len() as u32;
    table.extend(ways(character));
    let acts_at = table.len() as u32;
    table.extend(acts);
    let growths_at = table.len() as u32;
    for growth in character.bones.iter().flat_map(|bone| &bone.growth) {
        let [x, y, z] = growth.pivot.map(f32::to_bits);
        table.push([x, y, z, growth.channel]);
    }
    let paints_at = table.len() as u32;
    for paint in character.palettes.iter().flat_map(|palette| &palette.paints) {
        for ([r, g, b], last) in [(paint.colour, paint.roughness), (paint.tinted, paint.metal)] {
            table.push([r, g, b, last].map(f32::to_bits));
        }
    }
    let bones_at = table.len() as u32;
    table.extend(bytemuck::cast_slice::<_, [u32; 4]>(&clips.bones));
    let shape = Shape {
        low: around.low.to_array(),
        bones: character.bones.len() as u32,
        high: around.high.to_array(),
        clips_at: 0,
        bones_low: clips.bounds.low.to_array(),
        acts_at,
        bones_high: clips.bounds.high.to_array(),
        growths_at,
        paints_at,
        parts: character.palettes.first().map_or(0, |palette| palette.paints.len() as u32),
        palettes: character.palettes.len() as u32,
        cloth: cloth_of(number),
        skin_low: (Vec3::from(character.bounds.centre) - character.bounds.radius).to_array(),
        cage: character.lods[0].positions.len() as u32,
        skin_high: (Vec3::from(character.bounds.centre) + character.bounds.radius).to_array(),
        faces: character.lods[0].faces() as u32,
        scale: TALL / character.height,
        figure: number,
        ways_at,
        bones_at,
        cage_at: 0,
        faces_at: 0,
        pad: [0; 2],
        meshes: [[0; 4]; MESHES],
    };
    (table, shape)
}

/// Adds the meshes: their vertices, the faces of the full one, and their pieces.
fn add_meshes(table: &mut Vec<[u32; 4]>, shape: &mut Shape, character: &Character, around: &Aabb) {
    for level in 0..MESHES {
        let Some(mesh) = character.lods.get(level) else {
            shape.meshes[level] = shape.meshes[level.saturating_sub(1)];
            continue;
        };
        let vertices_at = table.len() as u32;
        for (vertex, skin) in mesh.packed(around).into_iter().zip(mesh.packed_skins()) {
            table.extend([vertex.0, [skin.joints, skin.weights, skin.look, 0]]);
        }
        let [at, many] = put(table, &cut(&mesh.indices));
        shape.meshes[level] = [at, many, vertices_at, 0];
    }
    shape.cage_at = shape.meshes[0][2];
    shape.faces_at = table.len() as u32;
    let full = &character.lods[0];
    let places = full.places();
    table.extend(full.indices.chunks_exact(3).map(|t| corners_of([t[0], t[1], t[2]], &places)));
}

/// A face as close.wgsl reads it: its corners in the order of their places, which corner of the face each of them is (2 bits each),
/// which of them is the face's first, and at which of them the surface bends.
fn corners_of(face: [u32; 3], places: &[Place]) -> [u32; 4] {
    let place = |corner: usize| places[face[corner] as usize];
    let mut order = [0usize, 1, 2];
    order.sort_unstable_by_key(|&corner| place(corner).number);
    let [a, b, c] = order.map(|corner| corner as u32);
    let first = order.iter().position(|&corner| corner == 0).unwrap_or(0) as u32;
    let [x, y, z] = order.map(|corner| face[corner]);
    let bends = order.map(|corner| u32::from(place(corner).bends));
    [x, y, z, a | b << 2 | c << 4 | first << 6 | bends[0] << 8 | bends[1] << 9 | bends[2] << 10]
}

/// The triangles of a reduced mesh on the nearest vertices of the full one that are made of the same.
fn on_vertices_of(full: &Mesh, reduced: &Mesh) -> Vec<u32> {
    let nearest: Vec<u32> = (0..reduced.positions.len())
        .map(|v| {
            let (at, part) = (Vec3::from(reduced.positions[v]), reduced.parts[v]);
            let away = |&k: &usize| {
                let other = if full.parts[k] == part { 0.0 } else { 1.0 };
                at.distance_squared(full.positions[k].into()) + other
            };
            let all = 0..full.positions.len();
            all.min_by(|a, b| away(a).total_cmp(&away(b))).unwrap_or(0) as u32
        })
        .collect();
    let on = reduced.indices.chunks_exact(3).map(|t| [0, 1, 2].map(|k| nearest[t[k] as usize]));
    on.filter(|[a, b, c]| a != b && b != c && c != a).flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_level_has_fewer_triangles() {
        let counts: Vec<usize> = creature().lods.iter().map(Mesh::faces).collect();
        assert_eq!(counts.len(), MESHES);
        assert!(counts.is_sorted_by(|a, b| a > b), "{counts:?}");
    }

    #[test]
    fn corners_of_a_face_keep_their_weights_when_they_are_sorted() {
        // Number 9 is where number 6 is, and nothing bends at 8.
        let places: Vec<Place> =
            (0..10).map(|vertex| Place { number: if vertex == 9 { 6 } else { vertex }, bends: vertex != 8 }).collect();
        for face in [[7, 8, 9], [9, 7, 8], [8, 9, 7], [7, 9, 8], [9, 8, 7], [8, 7, 9]] {
            let [a, b, c, order] = corners_of(face, &places);
            assert_eq!([a, b, c], [9, 7, 8]);
            for (k, vertex) in [a, b, c].into_iter().enumerate() {
                assert_eq!(face[(order >> (2 * k) & 3) as usize], vertex);
            }
            assert_eq!([a, b, c][(order >> 6 & 3) as usize], face[0]);
            assert_eq!(order >> 8, 0b011);
        }
    }

    #[test]
    fn the_creature_has_no_seams() {
        let places = creature().lods[0].places();
        assert!((0..).zip(&places).all(|(vertex, place)| *place == Place { number: vertex, bends: true }));
    }

    #[test]
    fn what_skinned_characters_cast_shadows_with_has_the_shape_of_the_reduced_mesh() {
        let [full, reduced] = [0, 1].map(|k| &creature().lods[k]);
        let cast = on_vertices_of(full, reduced);
        assert!(cast.len() > 3 * reduced.faces() * 9 / 10, "{} of {}", cast.len() / 3, reduced.faces());
        let volume = |mesh: &Mesh, indices: &[u32]| -> f32 {
            let corner = |k: u32| Vec3::from(mesh.positions[k as usize]);
            indices.chunks_exact(3).map(|t| corner(t[0]).dot(corner(t[1]).cross(corner(t[2]))) / 6.0).sum()
        };
        let ratio = volume(full, &cast) / volume(reduced, &reduced.indices);
        // Vertices move by half an edge of the full mesh at most, 2 cm, which arms and ears lose some of.
        assert!((0.9..1.1).contains(&ratio), "{ratio}");
    }
}
