//! The creature's meshes: closed, sound, skinned, and the same on every machine.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use glam::Vec3;
use throng_creature::{Character, LEVELS, Mesh, Part, Patch, Rows};

static CREATURE: LazyLock<Character> = LazyLock::new(Character::creature);

const REST: Rows = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]];

fn faces(mesh: &Mesh) -> impl Iterator<Item = [u32; 3]> + '_ {
    mesh.indices.chunks_exact(3).map(|face| [face[0], face[1], face[2]])
}

/// Which piece each vertex belongs to: the smallest vertex that faces lead to.
fn pieces(mesh: &Mesh) -> Vec<u32> {
    let mut root: Vec<u32> = (0..mesh.positions.len() as u32).collect();
    loop {
        let mut changed = false;
        for face in faces(mesh) {
            let least = face.map(|vertex| root[vertex as usize]).into_iter().min().unwrap_or(0);
            for vertex in face {
                changed |= root[vertex as usize] != least;
                root[vertex as usize] = least;
            }
        }
        if !changed {
            return root;
        }
    }
}

#[test]
fn levels_have_the_triangles_they_should() {
    let counts: Vec<usize> = CREATURE.lods.iter().map(Mesh::faces).collect();
    assert!((6250..=6600).contains(&counts[0]), "{counts:?}");
    assert!((800..=1000).contains(&counts[1]), "{counts:?}");
    assert!((120..=170).contains(&counts[2]), "{counts:?}");
    assert!((40..=60).contains(&counts[3]), "{counts:?}");
}

#[test]
fn surfaces_are_closed() {
    for mesh in &CREATURE.lods {
        let mut edges = BTreeMap::<(u32, u32), [u32; 2]>::new();
        for [a, b, c] in faces(mesh) {
            for (from, to) in [(a, b), (b, c), (c, a)] {
                edges.entry((from.min(to), from.max(to))).or_default()[usize::from(from > to)] += 1;
            }
        }
        // One face on each side, which see the edge in opposite directions.
        assert!(edges.values().all(|sides| *sides == [1, 1]));
        // Every piece is a ball (2) or a ring (0).
        let root = pieces(mesh);
        let mut euler = BTreeMap::<u32, i64>::new();
        root.iter().for_each(|piece| *euler.entry(*piece).or_default() += 1);
        edges.keys().for_each(|(a, _)| *euler.entry(root[*a as usize]).or_default() -= 1);
        faces(mesh).for_each(|face| *euler.entry(root[face[0] as usize]).or_default() += 1);
        assert!(euler.values().all(|number| [2, 0].contains(number)), "{euler:?}");
    }
}

#[test]
fn triangles_are_sound_and_face_outwards() {
    for (level, mesh) in CREATURE.lods.iter().enumerate() {
        let mut volume = 0.0;
        for face in faces(mesh) {
            let [a, b, c] = face.map(|vertex| Vec3::from(mesh.positions[vertex as usize]));
            let cross = (b - a).cross(c - a);
            let longest = a.distance(b).max(b.distance(c)).max(c.distance(a));
            assert!(
                cross.length() > 1e-7 && cross.length() > 0.01 * longest * longest,
                "{:?} of level {level}",
                [a, b, c]
            );
            volume += a.dot(b.cross(c)) / 6.0;
            assert!(face.iter().all(|&vertex| mesh.parts[vertex as usize] == mesh.parts[face[0] as usize]));
        }
        // About that of a small child; the tools add a little.
        assert!((0.03..0.09).contains(&volume), "{volume} m³ in level {level}");
    }
}

#[test]
fn normals_and_tangents_are_frames() {
    for (level, mesh) in CREATURE.lods.iter().enumerate() {
        let mut against = 0;
        for index in 0..mesh.positions.len() {
            let vertex = mesh.vertex(index);
            assert!((vertex.normal.length() - 1.0).abs() < 1e-5 && (vertex.tangent.length() - 1.0).abs() < 1e-5);
            assert!(vertex.normal.dot(vertex.tangent).abs() < 1e-5);
            assert!(vertex.handedness.abs() == 1.0 && vertex.uv.iter().all(|c| (0.0..=1.0).contains(c)));
        }
        for face in faces(mesh) {
            let [a, b, c] = face.map(|vertex| Vec3::from(mesh.positions[vertex as usize]));
            let flat = (b - a).cross(c - a);
            let smooth: Vec3 = face.map(|vertex| Vec3::from(mesh.normals[vertex as usize])).into_iter().sum();
            against += usize::from(flat.dot(smooth) <= 0.0);
        }
        // In the finest mesh smooth and flat normals agree; coarse ones may cut a finger short.
        assert!(against <= [0, 9, 6, 6][level], "{against} faces of level {level} face away from their normals");
    }
}

#[test]
fn weights_add_up_and_do_not_leap() {
    for mesh in &CREATURE.lods {
        for (joints, weights) in mesh.joints.iter().zip(&mesh.weights) {
            assert_eq!(weights.iter().map(|&weight| u32::from(weight)).sum::<u32>(), 255);
            assert!(weights.is_sorted_by(|a, b| a >= b));
            assert!(joints.iter().all(|&joint| usize::from(joint) < CREATURE.bones.len()));
        }
        // Nothing low down hangs on both legs.
        let of = |name: &str| CREATURE.bones.iter().position(|bone| bone.name == name).unwrap() as u8;
        let legs = ["left", "right"].map(|side| ["shin", "foot", "toes"].map(|bone| of(&format!("{bone} {side}"))));
        for vertex in 0..mesh.positions.len() {
            let held = |leg: &[u8; 3]| {
                let joints = mesh.joints[vertex].iter().zip(&mesh.weights[vertex]);
                joints.filter(|(joint, weight)| leg.contains(joint) && **weight > 0).count() > 0
            };
            assert!(!(held(&legs[0]) && held(&legs[1])), "{:?}", mesh.positions[vertex]);
        }
    }
}

#[test]
fn stands_on_the_ground_and_is_a_metre_tall() {
    for mesh in &CREATURE.lods {
        let skin = |vertex: &usize| mesh.parts[*vertex] == Part::Skin as u8;
        let heights = (0..mesh.positions.len()).filter(skin).map(|vertex| mesh.positions[vertex][2]);
        let (low, high) = heights.fold((f32::MAX, f32::MIN), |(low, high), z| (low.min(z), high.max(z)));
        // Coarse meshes cut corners.
        assert!(low.abs() < 0.008, "{low}");
        assert!((high - CREATURE.height).abs() < 0.03, "{high}");
    }
}

#[test]
fn patches_are_watertight() {
    let mesh = &CREATURE.lods[0];
    let pose = CREATURE.clips[CREATURE.clips_for(throng_creature::Role::Walk).next().unwrap()].pose(0.3);
    for level in [2, 4, 8] {
        let (patch, whole) = (Patch::new(level), mesh.tessellated(&pose, level));
        assert_eq!(patch.indices.len() as u32, 3 * level * level);
        let mut seen = BTreeMap::new();
        for (index, face) in faces(mesh).enumerate() {
            for (point, parts) in patch.points.iter().enumerate() {
                let mut corners: Vec<(u32, u16)> = face.into_iter().zip(*parts).filter(|corner| corner.1 > 0).collect();
                if corners.len() == 3 {
                    continue;
                }
                corners.sort_unstable();
                let at = index * patch.points.len() + point;
                let bits = whole.positions[at].to_array().map(|c| (c + 0.0).to_bits());
                assert_eq!(*seen.entry(corners).or_insert(bits), bits, "a crack");
            }
        }
        // Each edge was seen from both sides.
        assert_eq!(seen.len(), mesh.positions.len() + mesh.faces() * 3 / 2 * (level as usize - 1));
    }
}

#[test]
fn close_ups_have_millions_of_triangles_on_a_sound_surface() {
    let most = LEVELS[LEVELS.len() - 1] as usize;
    assert!(CREATURE.lods[0].faces() * most * most >= 1_600_000);
    let mesh = &CREATURE.lods[0];
    let whole = mesh.tessellated(&vec![REST; CREATURE.bones.len()], 4);
    let centre = Vec3::from(CREATURE.bounds.centre);
    assert!(whole.positions.iter().all(|p| p.is_finite() && p.distance(centre) < CREATURE.bounds.radius));
    assert!(whole.normals.iter().all(|n| (n.length() - 1.0).abs() < 1e-4));
    // The displaced normal is that of the displaced triangles, on the whole.
    let facing = |face: &[u32]| {
        let [a, b, c] = [0, 1, 2].map(|corner| whole.positions[face[corner] as usize]);
        let smooth: Vec3 = (0..3).map(|corner| whole.normals[face[corner] as usize]).sum();
        (b - a).cross(c - a).normalize_or_zero().dot(smooth / 3.0)
    };
    let agree: f32 = whole.indices.chunks_exact(3).map(facing).sum::<f32>() / (whole.indices.len() / 3) as f32;
    assert!(agree > 0.95, "{agree}");
}

#[test]
fn is_the_same_every_time() {
    let again = rayon_of_one();
    assert_eq!(again.lods, CREATURE.lods);
    assert_eq!(again.clips, CREATURE.clips);
    assert_eq!(again.bounds, CREATURE.bounds);
    assert_eq!(digest(&again), GOLDEN, "bits that every machine must have: change them only on purpose");
}

/// The creature, made by one thread.
fn rayon_of_one() -> Character {
    rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap().install(Character::creature)
}

/// Renewed whenever the creature is changed.
const GOLDEN: u64 = 233_593_247_261_703_512;

/// All bits of meshes, clips and colours, mixed (FNV-1a).
fn digest(character: &Character) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut word = |word: u32| hash = (hash ^ u64::from(word)).wrapping_mul(0x0100_0000_01b3);
    for mesh in &character.lods {
        mesh.positions.iter().chain(&mesh.normals).flatten().for_each(|c| word(c.to_bits()));
        mesh.tangents.iter().flatten().chain(mesh.uvs.iter().flatten()).for_each(|c| word(c.to_bits()));
        mesh.joints.iter().chain(&mesh.weights).for_each(|four| word(u32::from_le_bytes(*four)));
        mesh.parts.iter().chain(&mesh.tints).for_each(|&byte| word(byte.into()));
        mesh.indices.iter().for_each(|&index| word(index));
    }
    for clip in &character.clips {
        clip.matrices.iter().flatten().flatten().for_each(|c| word(c.to_bits()));
    }
    for paint in character.palettes.iter().flat_map(|palette| &palette.paints) {
        paint.colour.iter().chain(&paint.tinted).for_each(|c| word(c.to_bits()));
    }
    hash
}
