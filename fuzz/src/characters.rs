//! Files with characters.

use throng_creature::{Character, FromGltf, GltfOptions, PackedClips};

/// A glTF file, read as a scene's character is: whatever comes of it can be drawn, or is refused in few words.
pub fn characters(bytes: &[u8]) {
    let options = GltfOptions { height: Some(1.0), ..GltfOptions::default() };
    let FromGltf { character, notes } = match Character::from_gltf_bytes(bytes, None, "fuzz", &options) {
        Ok(read) => read,
        Err(error) => {
            let words = error.to_string();
            assert!(words.len() < 2000, "{words:?}");
            return;
        }
    };
    assert!(notes.iter().all(|note| note.len() < 8000), "{notes:?}");
    assert!((1..=64).contains(&character.bones.len()) && !character.lods.is_empty() && !character.clips.is_empty());
    assert!(character.bounds.radius.is_finite());
    for mesh in &character.lods {
        assert!(mesh.indices.iter().all(|&index| (index as usize) < mesh.positions.len()));
        assert!(mesh.joints.iter().flatten().all(|&joint| usize::from(joint) < character.bones.len()));
        assert!(mesh.weights.iter().all(|weights| weights.iter().map(|&w| u32::from(w)).sum::<u32>() == 255));
        assert!(mesh.positions.iter().chain(&mesh.normals).flatten().all(|c| c.is_finite()));
        let paints = character.palettes[0].paints.len();
        assert!(mesh.parts.iter().all(|&part| usize::from(part) < paints));
    }
    for clip in &character.clips {
        assert_eq!(clip.matrices.len(), clip.keys as usize * character.bones.len());
        assert!(clip.matrices.iter().flatten().flatten().all(|c| c.is_finite()));
        assert!(clip.seconds > 0.0 && clip.stride.is_finite() && clip.keys >= 2);
    }
    if let Some(packed) = PackedClips::pack(&character.clips) {
        assert_eq!(packed.starts.last().map(|&end| end as usize), Some(packed.bones.len()));
    }
}
