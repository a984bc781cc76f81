//! Somebody's own character: a small one made here is read as it should be, others are refused with words, and no bytes do harm.

mod block;

use block::{PLAIN, Plan, glb};
use glam::Vec3;
use proptest::prelude::*;
use throng_creature::{Bone, Character, FromGltf, GltfError, GltfOptions, Growth, Mesh, Paint, Palette, Role, Sphere};

fn read(bytes: &[u8]) -> Result<FromGltf, GltfError> {
    let options = GltfOptions { height: Some(1.7), ..GltfOptions::default() };
    Character::from_gltf_bytes(bytes, None, "block", &options)
}

#[test]
fn a_small_character_is_read() {
    let FromGltf { character, notes } = read(&glb(&PLAIN)).unwrap();
    assert_eq!(character.bones.len(), 5);
    assert_eq!(character.bones[0].name, "hips");
    assert!(
        character
            .bones
            .iter()
            .enumerate()
            .all(|(index, bone)| bone.parent.is_none_or(|parent| usize::from(parent) < index))
    );
    let mesh = &character.lods[0];
    assert_eq!((mesh.positions.len(), mesh.faces()), (32, 48));
    let (low, high) = mesh
        .positions
        .iter()
        .fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), &p| (low.min(p.into()), high.max(p.into())));
    assert!((high.z - 1.7).abs() < 1e-4 && low.z.abs() < 1e-4 && (character.height - 1.7).abs() < 1e-5);
    // It looks along x, where the nose is, and its left is at +y.
    assert!((high.x - 0.2 * 1.7).abs() < 1e-4 && (low.x + 0.1 * 1.7).abs() < 1e-4);
    let left = character.bones.iter().find(|bone| bone.name == "leg.L").unwrap();
    assert!((left.rest[1][3] - 0.17).abs() < 1e-4, "{:?}", left.rest);
    assert!((character.palettes[0].paints[0].colour[0] - 0.9).abs() < 1e-6);
    // Faces look outwards.
    let volume: f32 = mesh
        .indices
        .chunks_exact(3)
        .map(|face| {
            let [a, b, c] = [0, 1, 2].map(|corner| Vec3::from(mesh.positions[face[corner] as usize]));
            a.dot(b.cross(c)) / 6.0
        })
        .sum();
    assert!(volume > 0.0);
    assert_eq!(notes, ["No clip is called idle or stand: it stands in the pose of the file."]);
    assert_eq!(character.lods.len(), 3);
    // What it has no clip for it does as well as it can.
    let clip = |role: Role| &character.clips[character.clip_for(role, 7).unwrap()];
    assert_eq!([Role::Flee, Role::Carry, Role::Eat].map(|role| clip(role).role), [Role::Walk, Role::Walk, Role::Stand]);
}

#[test]
fn its_walk_is_measured_by_its_feet() {
    let FromGltf { character, .. } = read(&glb(&PLAIN)).unwrap();
    let walk = &character.clips[character.clips_for(Role::Walk).next().unwrap()];
    // Each leg of 0.5 m swings back from +30° to −30°, twice sin 30° · 0.5 m each, scaled by 1.7.
    let wanted = 2.0 * 2.0 * 0.5 * 0.5 * 1.7;
    assert!((walk.stride - wanted).abs() < 0.03 * wanted, "{}", walk.stride);
    assert!((walk.seconds - 1.0).abs() < 1e-6 && walk.looped && walk.keys == 25);
    // At rest matrices do nothing; a quarter of the way the left leg is behind (turned about x, which is y here).
    let still = &walk.matrices[..5];
    assert!(
        still
            .iter()
            .flatten()
            .flatten()
            .zip([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]].iter().flatten().cycle())
            .all(|(a, b)| (a - b).abs() < 1e-5)
    );
    let foot = character.bones.iter().position(|bone| bone.name == "foot.L").unwrap();
    let rest = character.bones[foot].rest.map(|row| row[3]);
    let pose = walk.pose(0.25)[foot];
    let x = pose[0][0] * rest[0] + pose[0][1] * rest[1] + pose[0][2] * rest[2] + pose[0][3];
    assert!((x + 0.25 * 1.7).abs() < 0.01, "{x}");
    let (centre, radius) = (Vec3::from(character.bounds.centre), character.bounds.radius);
    for clip in &character.clips {
        for step in 0..10 {
            let pose = clip.pose(step as f32 / 9.0);
            let mesh = &character.lods[0];
            assert!((0..mesh.positions.len()).all(|vertex| mesh.skinned(vertex, &pose).0.distance(centre) <= radius));
        }
    }
}

#[test]
fn what_is_not_supported_is_said() {
    let said = |plan: Plan| read(&glb(&plan)).unwrap_err().to_string();
    assert_eq!(said(Plan { joints: 65, ..PLAIN }), "65 joints: a character may have 1 to 64");
    assert!(said(Plan { skinned: false, ..PLAIN }).contains("no mesh of the file has a skin"));
    assert!(said(Plan { required: "KHR_mesh_quantization", ..PLAIN }).contains("quantised meshes cannot be read"));
    assert!(
        said(Plan { required: "KHR_draco_mesh_compression", ..PLAIN }).contains("compressed meshes cannot be read")
    );
    assert!(said(Plan { required: "EXT_meshopt_compression", ..PLAIN }).contains("EXT_meshopt_compression"));
    assert!(said(Plan { second_joints: true, ..PLAIN }).contains("more than 4 weights"));
    assert!(read(b"not a file").unwrap_err().to_string().starts_with("not a sound glTF file"));
    let large = Character::from_gltf_bytes(&glb(&PLAIN), None, "block", &GltfOptions { height: None, most_bytes: 100 });
    assert!(matches!(large, Err(GltfError::TooLarge { most: 100, .. })));
    let missing = Character::from_gltf(std::path::Path::new("no such file.glb"), &GltfOptions::default());
    assert!(matches!(missing, Err(GltfError::File { .. })));
}

#[test]
fn a_text_holds_its_numbers_or_names_them_beside_it() {
    let whole = read(&glb(&PLAIN)).unwrap();
    assert_eq!(read(&glb(&Plan { numbers: "data:", ..PLAIN })).unwrap(), whole);
    let apart = glb(&Plan { numbers: "block.bin", ..PLAIN });
    let said = read(&apart).unwrap_err().to_string();
    assert_eq!(said, "a buffer in another file, \"block.bin\": export it as .glb, which is one file");
    // With a folder it is looked for there, and nowhere else.
    let folder = std::env::temp_dir();
    let read = |plan: &Plan| {
        let options = GltfOptions { height: Some(1.7), ..GltfOptions::default() };
        Character::from_gltf_bytes(&glb(plan), Some(&folder), "block", &options).unwrap_err().to_string()
    };
    assert!(read(&Plan { numbers: "there is no such file.bin", ..PLAIN }).contains("there is no such file.bin: "));
    assert!(read(&Plan { numbers: "../block.bin", ..PLAIN }).contains("only files beside the character are read"));
}

#[test]
fn words_of_a_file_fit_into_a_message() {
    let name: &'static str = String::leak("x".repeat(100_000));
    let said = read(&glb(&Plan { required: name, ..PLAIN })).unwrap_err().to_string();
    assert!(said.len() < 400, "{} bytes", said.len());
    let noted = read(&glb(&Plan { clip: name, ..PLAIN })).unwrap().notes.join(" ");
    assert!(noted.len() < 600, "{} bytes", noted.len());
}

/// A parser makes much of little: the text is looked at before it is parsed.
#[test]
fn many_small_entries_are_refused_before_they_take_memory() {
    let nodes = |count: usize| format!(r#"{{"asset":{{"version":"2.0"}},"nodes":[{{}}{}]}}"#, ",{}".repeat(count));
    assert!(read(nodes(2_000_000).as_bytes()).unwrap_err().to_string().contains("more entries than a character needs"));
    assert!(read(nodes(5_000).as_bytes()).unwrap_err().to_string().contains("no mesh of the file has a skin"));
}

#[test]
fn the_creature_survives_being_written_and_read() {
    let creature = Character::creature();
    let roles = [Role::Stand, Role::Walk, Role::Carry, Role::Drop];
    let wanted = |clip: &throng_creature::Clip| {
        roles.iter().any(|&role| creature.clips_for(role).next().is_some_and(|first| creature.clips[first] == *clip))
    };
    // As tall as its mesh is at rest, with all that it carries.
    let options = GltfOptions::default();
    let read = Character::from_gltf_bytes(&creature.to_glb(2, wanted), None, "creature", &options).unwrap();
    assert_eq!(read.notes, Vec::<String>::new());
    let again = read.character;
    assert_eq!(again.lods[0].faces(), creature.lods[2].faces());
    assert_eq!(again.bones.len(), creature.bones.len());
    assert!(throng_creature::PackedClips::pack(&again.clips).is_some());
    for role in roles {
        let [old, new] = [&creature, &again].map(|c| &c.clips[c.clips_for(role).next().unwrap()]);
        assert!((old.seconds - new.seconds).abs() < 1e-3, "{}", old.name);
        assert!(
            (old.stride - new.stride).abs() < 0.15 * old.stride.max(0.1),
            "{}: {} {}",
            old.name,
            old.stride,
            new.stride
        );
        // Everywhere the same pose, but for steps between keys; it may stand a little aside.
        let root = |c: &Character| Vec3::from(c.bones[0].rest.map(|row| row[3]));
        let aside = root(&again) - root(&creature);
        for phase in [0.0, 0.3, 0.5, 0.8] {
            let (old, new) = (old.pose(phase), new.pose(phase));
            let place = |c: &Character, pose: &[throng_creature::Rows], name: &str| {
                let bone = c.bones.iter().position(|bone| bone.name == name).unwrap();
                let at = c.bones[bone].rest.map(|row| row[3]);
                Vec3::from(pose[bone].map(|row| row[0] * at[0] + row[1] * at[1] + row[2] * at[2] + row[3]))
            };
            for bone in &creature.bones {
                let off = (place(&creature, &old, &bone.name) + aside).distance(place(&again, &new, &bone.name));
                assert!(off < 0.02, "{} is {off} m off", bone.name);
            }
        }
    }
}

#[test]
fn what_is_left_out_is_noted() {
    let notes = |plan: Plan| read(&glb(&plan)).unwrap().notes.join(" ");
    assert!(notes(Plan { morph: true, ..PLAIN }).contains("morph targets are not used"));
    let coloured = changed(PLAIN, &[(r#""JOINTS_0""#, r#""COLOR_0":2,"JOINTS_0""#)]).unwrap().notes.join(" ");
    assert!(coloured.contains("vertex colours are not used"), "{coloured}");
    let unnamed = notes(Plan { clip: "Take 001", ..PLAIN });
    assert!(unnamed.contains("Take 001") && unnamed.contains("it glides"), "{unnamed}");
}

/// The small character as text, with some of its words replaced.
fn changed(plan: Plan, words: &[(&str, &str)]) -> Result<FromGltf, GltfError> {
    let mut text = String::from_utf8(glb(&Plan { numbers: "data:", ..plan })).unwrap();
    for (from, to) in words {
        assert!(text.contains(from), "{from}");
        text = text.replace(from, to);
    }
    read(text.as_bytes())
}

#[test]
fn of_inverse_bind_matrices_there_are_floats_and_those_of_joints_are_read() {
    let whole = read(&glb(&PLAIN)).unwrap();
    // A sixth matrix that belongs to no joint, and is none.
    let (six, five) = (r#""joints":[1,2,3,4,5,6]"#, r#""joints":[1,2,3,4,5]"#);
    let more = changed(Plan { joints: 6, ..PLAIN }, &[(six, five)]).unwrap();
    assert_eq!(more.character, whole.character);
    let mut bytes = glb(&Plan { joints: 6, ..PLAIN });
    let at = bytes.windows(six.len()).position(|words| words == six.as_bytes()).unwrap();
    bytes[at..at + six.len()].copy_from_slice(br#""joints":[1,2,3,4,5  ]"#);
    let matrix: Vec<u8> = [0.0, -0.0, -0.0, -0.0, 1.0_f32].iter().flat_map(|number| number.to_le_bytes()).collect();
    let last = bytes.windows(matrix.len()).rposition(|row| row == matrix).unwrap();
    bytes[last..last + 4].copy_from_slice(&f32::NAN.to_le_bytes());
    assert_eq!(read(&bytes).unwrap().character, whole.character, "what no joint has is not read");
    let said = |words: &[(&str, &str)]| changed(PLAIN, words).unwrap_err().to_string();
    let floats = r#""componentType":5126,"count":5,"type":"MAT4""#;
    let few = said(&[(floats, &floats.replace(r#""count":5"#, r#""count":4"#))]);
    assert_eq!(few, "not a sound glTF file: 4 inverse bind matrices for 5 joints");
    let small = said(&[(floats, &floats.replace("5126", "5121"))]);
    assert_eq!(small, "not a sound glTF file: inverse bind matrices that are not of 32-bit floats");
}

#[test]
fn vertices_that_no_triangle_uses_are_not_kept() {
    let whole = read(&glb(&PLAIN)).unwrap().character;
    // The nose is the last of four boxes.
    let cut = changed(PLAIN, &[(r#""count":144"#, r#""count":108"#)]).unwrap().character;
    assert_eq!((cut.lods[0].positions.len(), cut.lods[0].faces()), (24, 36));
    assert_eq!(cut.lods[0].positions, whole.lods[0].positions[..24]);
    // Without the block and its nose the height is that of the legs: 1.7 m for half a metre.
    let legs = changed(PLAIN, &[(r#""count":144"#, r#""count":72,"byteOffset":72"#)]).unwrap().character;
    let high = legs.lods[0].positions.iter().map(|p| p[2]).fold(0.0, f32::max);
    assert!((high - 1.7).abs() < 1e-4, "{high}");
}

#[test]
fn vertices_that_are_equal_are_one() {
    let whole = read(&glb(&PLAIN)).unwrap().character;
    // The same mesh twice is the same mesh.
    let piece = r#"{"attributes""#;
    let text = String::from_utf8(glb(&Plan { numbers: "data:", ..PLAIN })).unwrap();
    let from = text.find(piece).unwrap();
    let to = from + text[from..].find("}]}],").unwrap() + 1;
    let twice = format!("{},{}{}", &text[..to], &text[from..to], &text[to..]);
    let twice = read(twice.as_bytes()).unwrap().character;
    assert_eq!(twice.lods[0], whole.lods[0]);
}

/// A mesh of places and triangles, all on one bone.
fn on_one_bone(mesh: Mesh) -> Vec<u8> {
    let count = mesh.positions.len();
    let mesh = Mesh {
        normals: vec![[0.0, 1.0, 0.0]; count],
        parts: vec![0; count],
        joints: vec![[0; 4]; count],
        weights: vec![[255, 0, 0, 0]; count],
        ..mesh
    };
    let rest = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]];
    let paint = Paint { colour: [0.5; 3], tinted: [0.5; 3], roughness: 0.5, metal: 0.0 };
    let character = Character {
        name: "one bone".to_owned(),
        height: 1.0,
        bones: vec![Bone { name: "root".to_owned(), parent: None, rest, growth: [Growth::default(); 2] }],
        lods: vec![mesh],
        clips: Vec::new(),
        bounds: Sphere { centre: [0.0; 3], radius: 9.0 },
        palettes: vec![Palette { name: "grey".to_owned(), paints: vec![paint] }],
    };
    character.to_glb(0, |_| true)
}

#[test]
fn a_mesh_that_stays_too_fine_is_refused() {
    // Triangles that hang on nothing cannot be joined to larger ones.
    let loose = |count: u16| {
        let mut mesh = Mesh { indices: (0..3 * u32::from(count)).collect(), ..Mesh::default() };
        for k in 0..count {
            let [x, y] = [k % 100, k / 100].map(|c| f32::from(c) * 0.01);
            mesh.positions.extend([[x, y, 0.0], [x + 0.005, y, 0.0], [x, y, 0.005]]);
        }
        read(&on_one_bone(mesh))
    };
    assert_eq!(loose(8_000).unwrap().character.lods[0].positions.len(), 24_000);
    let said = loose(20_000).unwrap_err().to_string();
    assert!(said.starts_with("20000 triangles with 60000 vertices are left of its mesh when it is reduced"), "{said}");
    assert!(said.contains("at most 16000 with 24000"), "{said}");
}

#[test]
fn more_triangles_around_a_point_than_can_be_reduced_in_time_are_refused() {
    let mut mesh = Mesh::default();
    for k in 0..2_000_u16 {
        let angle = f32::from(k) * 0.003;
        mesh.positions.push([angle.cos(), angle.sin(), 0.0]);
    }
    mesh.positions.push([0.0, 0.0, 1.0]);
    mesh.indices = (0..1_999).flat_map(|k| [k, k + 1, 2_000]).collect();
    let said = read(&on_one_bone(mesh)).unwrap_err().to_string();
    assert_eq!(said, "1999 triangles meet at a point of its mesh: at most 1024 may");
}

/// Counts that promise more than there is are errors, not panics.
#[test]
fn data_beyond_the_end_is_refused() {
    let whole = glb(&PLAIN);
    let counts: Vec<usize> = (0..whole.len()).filter(|&at| whole[at..].starts_with(br#""count":32"#)).collect();
    let mut bytes = whole;
    bytes[counts[0] + 8..counts[0] + 10].copy_from_slice(b"99");
    assert!(read(&bytes).unwrap_err().to_string().contains("attributes of different lengths"));
    // All of them alike: now it is the buffer that is too short.
    for at in counts {
        bytes[at + 8..at + 10].copy_from_slice(b"99");
    }
    assert!(read(&bytes).unwrap_err().to_string().contains("beyond its buffer"));
}

proptest! {
    /// Bytes changed here and there, and files cut short: an answer or an error, in bounded time and memory.
    #[test]
    fn no_bytes_do_harm(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6), cut in prop::option::of(any::<prop::sample::Index>())) {
        let mut bytes = glb(&PLAIN);
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        if let Ok(FromGltf { character, .. }) = read(&bytes) {
            prop_assert!(character.bounds.radius.is_finite());
            for mesh in &character.lods {
                prop_assert!(mesh.indices.iter().all(|&index| (index as usize) < mesh.positions.len()));
                prop_assert!(mesh.joints.iter().flatten().all(|&joint| usize::from(joint) < character.bones.len()));
                prop_assert!(mesh.positions.iter().flatten().all(|c| c.is_finite()));
            }
        }
    }

    /// Digits of the text changed: counts, offsets and indices that are wrong in every way.
    #[test]
    fn no_numbers_do_harm(changes in prop::collection::vec((any::<prop::sample::Index>(), 0_u8..10), 1..4)) {
        let mut bytes = glb(&PLAIN);
        let text = bytes.windows(4).position(|four| four == b"BIN\0").unwrap();
        let digits: Vec<usize> = (20..text).filter(|&at| bytes[at].is_ascii_digit()).collect();
        for (at, digit) in changes {
            bytes[digits[at.index(digits.len())]] = b'0' + digit;
        }
        if let Ok(FromGltf { character, .. }) = read(&bytes) {
            prop_assert!(character.clips.iter().all(|clip| clip.matrices.iter().flatten().flatten().all(|c| c.is_finite())));
        }
    }
}
