//! Vertices of 128 bits: what packing costs, and that the shaders are sound.

use glam::Vec3;
use proptest::prelude::*;
use throng_creature::{
    Aabb, BONE_WGSL, Character, PackedVertex, PaperVertex, RELIEF_WGSL, VARIATION_WGSL, VERTEX_WGSL, Vertex,
};

const BOX: Aabb = Aabb { low: Vec3::new(-1.0, -2.0, -0.5), high: Vec3::new(1.0, 1.0, 1.5) };

fn vertex() -> impl Strategy<Value = Vertex> {
    let unit = || (-1.0_f32..1.0, -1.0_f32..1.0, -1.0_f32..1.0).prop_map(|(x, y, z)| Vec3::new(x, y, z));
    let special = prop_oneof![8 => unit(), 1 => Just(Vec3::Z), 1 => Just(Vec3::NEG_Z), 1 => Just(Vec3::X), 1 => Just(Vec3::new(1.0, -1.0, 0.0))];
    let place = (0.0_f32..=1.0, 0.0_f32..=1.0, 0.0_f32..=1.0);
    (place, special, unit(), any::<bool>(), 0.0_f32..=1.0, 0.0_f32..=1.0).prop_filter_map(
        "a frame",
        |(at, n, t, left, u, v)| {
            let normal = n.try_normalize()?;
            let tangent = (t - normal * t.dot(normal)).try_normalize()?;
            let tangent = (tangent - normal * tangent.dot(normal)).normalize();
            let position = BOX.low + (BOX.high - BOX.low) * Vec3::from(at);
            (t.length() > 0.1 && t.normalize().dot(normal).abs() < 0.99).then_some(Vertex {
                position,
                normal,
                tangent,
                handedness: if left { 1.0 } else { -1.0 },
                uv: [u, v],
            })
        },
    )
}

fn degrees(a: Vec3, b: Vec3) -> f32 {
    a.as_dvec3().cross(b.as_dvec3()).length().atan2(a.as_dvec3().dot(b.as_dvec3())).to_degrees() as f32
}

proptest! {
    #[test]
    fn packed_vertices_are_near(vertex in vertex()) {
        let again = PackedVertex::pack(&vertex, &BOX).unpack(&BOX);
        let off = (again.position - vertex.position).abs();
        // Half a step each way, and rounding.
        prop_assert!(off.cmple((BOX.high - BOX.low) / 65535.0 * 0.51).all(), "{off}");
        prop_assert!(degrees(again.normal, vertex.normal) < 0.006);
        prop_assert!(degrees(again.tangent, vertex.tangent) < 0.012);
        prop_assert!(again.normal.dot(again.tangent).abs() < 1e-5);
        prop_assert_eq!(again.handedness, vertex.handedness);
        prop_assert!((0..2).all(|i| (again.uv[i] - vertex.uv[i]).abs() <= 0.51 / 65535.0));
    }

    #[test]
    fn the_papers_vertices_are_coarser(vertex in vertex()) {
        let again = PaperVertex::pack(&vertex, &BOX).unpack(&BOX);
        let off = (again.position - vertex.position).abs();
        prop_assert!(off.cmple((BOX.high - BOX.low) / 65535.0 * 0.51).all(), "{off}");
        prop_assert!(degrees(again.normal, vertex.normal) < 0.08, "{}", degrees(again.normal, vertex.normal));
        // 8 bits for a half turn and for a whole one.
        prop_assert!(degrees(again.tangent, vertex.tangent) < 0.85, "{}", degrees(again.tangent, vertex.tangent));
        prop_assert_eq!(again.handedness, vertex.handedness);
        prop_assert!((0..2).all(|i| (again.uv[i] - vertex.uv[i]).abs() <= 1.51 / 65535.0));
    }

    #[test]
    fn any_bits_unpack_to_frames(bits in any::<[u32; 4]>()) {
        for vertex in [PackedVertex(bits).unpack(&BOX), PaperVertex(bits).unpack(&BOX)] {
            prop_assert!(vertex.position.is_finite() && (vertex.tangent.length() - 1.0).abs() < 1e-4);
        }
        let normal = PackedVertex(bits).unpack(&BOX).normal;
        prop_assert!((normal.length() - 1.0).abs() < 1e-5);
    }
}

#[test]
fn the_creature_packs() {
    let creature = Character::creature();
    let bounds = Aabb::around(&creature.bounds);
    for mesh in &creature.lods {
        let skins = mesh.packed_skins();
        for (index, packed) in mesh.packed(&bounds).iter().enumerate() {
            let (before, after) = (mesh.vertex(index), packed.unpack(&bounds));
            assert!(before.position.distance(after.position) < 3e-5);
            assert!(degrees(before.normal, after.normal) < 0.006 && degrees(before.tangent, after.tangent) < 0.012);
            let look = skins[index].look;
            assert_eq!([look as u8, (look >> 8) as u8], [mesh.parts[index], mesh.tints[index]]);
            assert!(((look >> 16) as f32 / 65536.0 - mesh.displacement[index]).abs() < 1e-5);
            assert_eq!(skins[index].weights.to_le_bytes(), mesh.weights[index]);
        }
    }
    assert_eq!(size_of::<PackedVertex>() + size_of::<throng_creature::PackedSkin>(), 28);
}

/// All shader texts together: nothing is declared twice, everything is valid.
#[test]
fn shaders_are_valid() {
    let text = [VARIATION_WGSL, VERTEX_WGSL, BONE_WGSL, RELIEF_WGSL].join("\n");
    let module = naga::front::wgsl::parse_str(&text).unwrap_or_else(|error| panic!("{}", error.emit_to_string(&text)));
    let mut validator =
        naga::valid::Validator::new(naga::valid::ValidationFlags::all(), naga::valid::Capabilities::empty());
    validator.validate(&module).unwrap_or_else(|error| panic!("{}", error.emit_to_string(&text)));
}
