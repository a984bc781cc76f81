//! The creature's clips: loops close, feet do not slide, nothing leaves its bounds, and bones pack.

use std::sync::LazyLock;

use glam::Vec3;
use throng_creature::{Character, Clip, Mesh, PackedClips, Part, Role, Rows, Variation, blend};

static CREATURE: LazyLock<Character> = LazyLock::new(Character::creature);

fn bone(name: &str) -> usize {
    CREATURE.bones.iter().position(|bone| bone.name == name).unwrap()
}

fn key(clip: &Clip, key: usize) -> &[Rows] {
    &clip.matrices[key * CREATURE.bones.len()..][..CREATURE.bones.len()]
}

fn moved(rows: &Rows, p: Vec3) -> Vec3 {
    Vec3::from(rows.map(|row| row[0] * p.x + row[1] * p.y + row[2] * p.z + row[3]))
}

/// The point of the sole under the ball of a foot.
fn sole(side: &str, pose: &[Rows]) -> Vec3 {
    let toes = bone(&format!("toes {side}"));
    let rest = CREATURE.bones[toes].rest;
    moved(&pose[toes], Vec3::new(rest[0][3], rest[1][3], 0.0))
}

#[test]
fn there_is_a_clip_for_every_role() {
    use Role::{
        Carry, Cheer, Cower, Drop, Eat, Flee, Hold, Look, Mine, PickUp, Rest, Run, Sleep, Stand, Stumble, Walk, Wave,
    };
    for role in
        [Stand, Walk, Run, Flee, Carry, Hold, Mine, Eat, Drop, PickUp, Rest, Sleep, Stumble, Look, Wave, Cheer, Cower]
    {
        assert!(CREATURE.clips_for(role).next().is_some(), "{role:?}");
    }
    assert!(CREATURE.clips.len() >= 40, "{}", CREATURE.clips.len());
    let mut names: Vec<_> = CREATURE.clips.iter().map(|clip| &clip.name).collect();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), CREATURE.clips.len());
    for (from, to) in
        [(Stand, Walk), (Walk, Stand), (Stand, Rest), (Rest, Sleep), (Stand, Mine), (Hold, Carry), (Stand, Flee)]
    {
        assert!(CREATURE.transition(from, to).is_some(), "{from:?} to {to:?}");
    }
}

#[test]
fn loops_close_smoothly() {
    for clip in &CREATURE.clips {
        assert_eq!(clip.matrices.len(), clip.keys as usize * CREATURE.bones.len());
        assert!(clip.matrices.iter().flatten().flatten().all(|c| c.is_finite()), "{}", clip.name);
        if clip.looped {
            let last = clip.keys as usize - 1;
            assert_eq!(key(clip, 0), key(clip, last), "{}", clip.name);
            // The last span is no longer a way than others: the motion itself goes round, not only its last key.
            let way = |from: usize| {
                let far = |bone: usize| {
                    let at = CREATURE.bones[bone].rest.map(|row| row[3] + 0.05);
                    moved(&key(clip, from)[bone], at.into()).distance(moved(&key(clip, from + 1)[bone], at.into()))
                };
                (0..CREATURE.bones.len()).map(far).fold(0.0, f32::max)
            };
            let most = (0..last - 1).map(way).fold(0.0, f32::max);
            assert!(way(last - 1) <= most * 1.5 + 0.002, "{}: {} after {most}", clip.name, way(last - 1));
        }
    }
}

/// Transitions begin and end as the clips do that they join.
#[test]
fn transitions_join() {
    let apart = |a: &[Rows], b: &[Rows]| {
        let of = |(a, b): (&Rows, &Rows)| {
            let at = Vec3::new(0.1, 0.1, 0.6);
            moved(a, at).distance(moved(b, at))
        };
        a.iter().zip(b).map(of).fold(0.0, f32::max)
    };
    for clip in CREATURE.clips.iter().filter(|clip| clip.from.is_some()) {
        let first = |role: Role| &CREATURE.clips[CREATURE.clips_for(role).next().unwrap()];
        let (begin, end) = (first(clip.from.unwrap()), first(clip.role));
        let begins = apart(key(clip, 0), key(begin, 0));
        let ends = apart(key(clip, clip.keys as usize - 1), key(end, 0));
        // A cross-fade hides a centimetre or two of breathing.
        assert!(begins < 0.03, "{} begins {begins} m from {}", clip.name, begin.name);
        assert!(ends < 0.03, "{} ends {ends} m from {}", clip.name, end.name);
    }
}

#[test]
fn feet_do_not_slide() {
    let mut planted = 0;
    for clip in &CREATURE.clips {
        for side in ["left", "right"] {
            let mut since: Option<Vec3> = None;
            for index in 0..clip.keys as usize {
                let walked = clip.stride * index as f32 / (clip.keys - 1) as f32;
                let at = sole(side, key(clip, index)) + Vec3::new(walked, 0.0, 0.0);
                if at.z > 0.0005 {
                    since = None;
                    continue;
                }
                let place = *since.get_or_insert(at);
                assert!(
                    place.distance(at) < 0.005,
                    "{}: the {side} foot slides {} m at key {index}",
                    clip.name,
                    place.distance(at)
                );
                planted += 1;
            }
        }
        if clip.stride > 0.0 && clip.looped && clip.role != Role::Run && clip.role != Role::Flee {
            // Who walks has a foot on the ground at any time.
            let down = |index: usize| ["left", "right"].iter().any(|side| sole(side, key(clip, index)).z < 0.0005);
            assert!((0..clip.keys as usize).all(down), "{}", clip.name);
        }
    }
    assert!(planted > 1000, "{planted}");
}

#[test]
fn nothing_sinks_into_the_ground() {
    let mesh = &CREATURE.lods[0];
    for clip in &CREATURE.clips {
        for index in (0..clip.keys as usize).step_by(3) {
            let low = lowest(mesh, key(clip, index));
            // The hem of the loincloth is sat and lain upon.
            let most = if low.1 == Part::Cloth as u8 { 0.06 } else { 0.02 };
            assert!(low.0 > -most, "{}: {low:?} at key {index}", clip.name);
        }
    }
}

/// The lowest vertex: how high, which part, and where at rest.
fn lowest(mesh: &Mesh, pose: &[Rows]) -> (f32, u8, [f32; 3]) {
    // A pick may dig.
    let digs = |vertex: &usize| [Part::Metal as u8, Part::Wood as u8].contains(&mesh.parts[*vertex]);
    let heights = (0..mesh.positions.len())
        .filter(|vertex| !digs(vertex))
        .map(|vertex| (mesh.skinned(vertex, pose).0.z, mesh.parts[vertex], mesh.positions[vertex]));
    heights.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap()
}

#[test]
fn nothing_leaves_its_bounds() {
    let (centre, radius) = (Vec3::from(CREATURE.bounds.centre), CREATURE.bounds.radius);
    assert!(radius < 1.0, "{radius}");
    for (index, clip) in CREATURE.clips.iter().enumerate() {
        let who = Variation::of(index as u32);
        let growth = CREATURE.growth(&who.channels);
        let other = &CREATURE.clips[(index * 7 + 3) % CREATURE.clips.len()];
        for step in 0..5 {
            let phase = step as f32 / 4.3;
            let pose: Vec<Rows> =
                clip.pose(phase).iter().zip(&other.pose(phase)).map(|(a, b)| blend(a, b, 0.5)).collect();
            for pose in [pose, clip.pose(phase)] {
                let grown: Vec<Rows> = pose
                    .iter()
                    .zip(&growth)
                    .map(|(rows, &[x, y, z, s])| {
                        rows.map(|[a, b, c, d]| [a * s, b * s, c * s, a * x + b * y + c * z + d])
                    })
                    .collect();
                for mesh in &CREATURE.lods {
                    for vertex in 0..mesh.positions.len() {
                        let at = mesh.skinned(vertex, &grown).0;
                        assert!(at.distance(centre) + mesh.displacement[vertex] <= radius, "{}: {at}", clip.name);
                        let scaled = at * Vec3::from(who.scale());
                        assert!(scaled.distance(centre * Vec3::from(who.scale())) <= radius * who.extent());
                    }
                }
            }
        }
    }
}

#[test]
fn bones_pack_within_a_fifth_of_a_millimetre() {
    let packed = PackedClips::pack(&CREATURE.clips).expect("turns with one scale");
    let mut worst = 0.0_f32;
    for (clip, start) in CREATURE.clips.iter().zip(&packed.starts) {
        for (index, rows) in clip.matrices.iter().enumerate() {
            let again = packed.bones[*start as usize + index].unpack(&packed.bounds);
            // Corners of a box around the creature: farther out than any vertex.
            for corner in [Vec3::new(0.45, 0.45, 1.1), Vec3::new(-0.45, -0.45, 0.0), Vec3::new(0.45, -0.45, 0.5)] {
                worst = worst.max(moved(rows, corner).distance(moved(&again, corner)));
            }
        }
    }
    // 0.08 mm is what it is.
    assert!(worst < 0.0002, "{worst}");
    assert_eq!(packed.bones.len(), *packed.starts.last().unwrap() as usize);
}
