//! Agents as creatures: their poses on the device against poses that are computed here from the same keys.

use super::*;
use crate::space::figure::{creature, tall};
use crate::space::shadow::TEXELS;
use std::collections::BTreeMap;
use throng::scene::BUILT_IN;
use throng_creature::{PackedClips, Role, Rows, Variation, blend};

/// Somebody as the device has it.
pub(super) struct Doll {
    pub(super) id: u32,
    pub(super) place: Vec3,
    /// Matrices of all bones, with the individual's proportions.
    pub(super) bones: Vec<Rows>,
    /// From its own space to the world, and how large it is.
    axes: [Vec3; 3],
    scale: Vec3,
    /// The share of the clip before.
    pub(super) fade: f32,
    pub(super) clip: usize,
    /// How far it is in the clip.
    pub(super) phase: f32,
}

fn moved(rows: &Rows, p: Vec3) -> Vec3 {
    Vec3::from(rows.map(|r| Vec3::new(r[0], r[1], r[2]).dot(p) + r[3]))
}

fn two(word: u32) -> Vec2 {
    Vec2::new(f32::from(word as i16), f32::from((word >> 16) as i16)) / 32767.0
}

impl Doll {
    /// What the clip is called.
    pub(super) fn does(&self) -> &'static str {
        &creature().clips[self.clip].name
    }

    /// Which way it faces.
    pub(super) fn ahead(&self) -> Vec3 {
        self.axes[0]
    }

    fn in_world(&self, p: Vec3) -> Vec3 {
        let p = p * self.scale;
        self.place + self.axes[0] * p.x + self.axes[1] * p.y + self.axes[2] * p.z
    }

    /// The point of the sole under the ball of a foot.
    pub(super) fn sole(&self, side: &str) -> Vec3 {
        let name = format!("toes {side}");
        let toes = creature().bones.iter().position(|b| b.name == name).expect("it has toes");
        let rest = creature().bones[toes].rest;
        self.in_world(moved(&self.bones[toes], Vec3::new(rest[0][3], rest[1][3], 0.0)))
    }

    /// All vertices of a level of detail, as seen from itself.
    pub(super) fn own_vertices(&self, level: usize) -> impl Iterator<Item = Vec3> {
        let mesh = &creature().lods[level];
        (0..mesh.positions.len()).map(move |v| mesh.skinned(v, &self.bones).0 * self.scale)
    }

    /// All vertices of a level of detail.
    pub(super) fn vertices(&self, level: usize) -> impl Iterator<Item = Vec3> {
        let mesh = &creature().lods[level];
        (0..mesh.positions.len()).map(move |v| self.in_world(mesh.skinned(v, &self.bones).0))
    }
}

/// Everybody who is there.
pub(super) fn dolls(set: &Set, clips: &PackedClips) -> Vec<Doll> {
    let crowd = &set.space().crowd;
    let (everybody, poses, living) = (set.read(&crowd.characters), set.read(&crowd.poses), set.read(&crowd.living));
    let count = creature().bones.len();
    let key = |first: u32, share: f32, bone: usize| {
        let [a, b] = [0, count].map(|next| clips.bones[first as usize + next + bone].unpack(&clips.bounds));
        blend(&a, &b, share)
    };
    let of = |(who, pose): (&[u32], &[u32])| {
        let [x, y, z, size] = [0, 1, 2, 3].map(|k| f32::from_bits(who[k]));
        let id = who[7];
        let it = Variation::of(id);
        let [now, before] = [pose[2] as u16, (pose[2] >> 16) as u16].map(|share| f32::from(share) / 65535.0);
        let fade = f32::from_bits(pose[3]);
        let growth = creature().growth(&it.channels);
        let bones = (0..count).map(|bone| {
            let rows = blend(&key(pose[0], now, bone), &key(pose[1], before, bone), fade);
            let [tx, ty, tz, s] = growth[bone];
            rows.map(|[a, b, c, d]| [a * s, b * s, c * s, a * tx + b * ty + c * tz + d])
        });
        let tip = two(who[5]);
        let up = tip.extend((1.0 - tip.length_squared()).max(0.0).sqrt());
        let side = up.cross(two(who[4]).extend(0.0)).normalize();
        Doll {
            id,
            place: Vec3::new(x, y, z),
            bones: bones.collect(),
            axes: [side.cross(up), side, up],
            scale: Vec3::from(it.scale()) * (tall() / creature().height * size),
            fade,
            clip: (living[8 * id as usize + 1] & 0xfff) as usize,
            phase: f32::from_bits(living[8 * id as usize]),
        }
    };
    let there = |(who, _): &(&[u32], &[u32])| f32::from_bits(who[3]) > 0.0;
    everybody.chunks_exact(16).zip(poses.chunks_exact(4)).filter(there).map(of).collect()
}

#[test]
fn who_turns_is_shown_to_turn_between_two_steps_too() {
    let clips = PackedClips::pack(&creature().clips).expect("they pack");
    let mut set = Set::new(STREET, 0);
    let dt = set.sim.scene().dt;
    let mut before: BTreeMap<u32, (Vec3, Vec3)> = BTreeMap::new();
    let (mut most, mut last, mut whole) = (0.0f32, 0.0f32, 0.0f32);
    let mut at_step: BTreeMap<u32, Vec3> = BTreeMap::new();
    for _ in 0..30 {
        set.sim.steps_by(1).expect("the engine works");
        for part in [0.75, 0.5, 0.25, 0.0] {
            set.shoot_back(Settings { shadows: false, ..Settings::default() }, part * dt);
            for doll in dolls(&set, &clips) {
                let now = (doll.place, doll.ahead());
                if let Some(was) = before.insert(doll.id, now) {
                    most = most.max(was.1.angle_between(now.1));
                    // A quarter of a step at 1.4 m/s, and what contacts push.
                    last = last.max(was.0.distance(now.0));
                }
                if part == 0.0 {
                    let was = at_step.insert(doll.id, doll.ahead()).unwrap_or_else(|| doll.ahead());
                    whole = whole.max(was.angle_between(doll.ahead()));
                }
            }
        }
    }
    assert!(whole > 0.05, "nobody turns by more than {whole} in a step");
    assert!(most < 0.5 * whole, "{most} in a quarter of a step, {whole} in a whole one");
    assert!(last < 0.3 * 1.5 * dt + 0.02, "{last} m in a quarter of a step");
}

const STREET: &str = r#"
name = "street"
cell = 0.5
size = [60, 16]
goal = [{ name = "end", rect = [59, 0, 60, 16] }]
agents = [{ name = "walkers", count = 8, start = { rect = [1, 1, 6, 15] }, speed = { uniform = [0.8, 1.4] }, journey = ["end"] }]
"#;

#[test]
fn feet_stay_where_they_are_while_somebody_walks() {
    let clips = PackedClips::pack(&creature().clips).expect("they pack");
    let mut set = Set::new(STREET, 40);
    let mut frames: BTreeMap<u32, Vec<Doll>> = BTreeMap::new();
    for _ in 0..36 {
        set.sim.steps_by(1).expect("the engine works");
        set.shoot(Settings { shadows: false, ..Settings::default() });
        for doll in dolls(&set, &clips) {
            frames.entry(doll.id).or_default().push(doll);
        }
    }
    assert_eq!(frames.len(), 8);
    let mut planted = 0;
    for (id, frames) in &frames {
        let way: f32 = frames.windows(2).map(|w| w[0].place.distance(w[1].place)).sum();
        assert!(way > 1.0, "{id} went {way} m");
        for side in ["left", "right"] {
            let lowest = frames.iter().map(|doll| doll.sole(side).z).fold(f32::INFINITY, f32::min);
            let mut since: Option<Vec3> = None;
            for doll in frames {
                let at = doll.sole(side);
                // A cross-fade slides, and a foot that is lifted goes on.
                if doll.fade > 0.0 || at.z > lowest + 0.002 {
                    since = None;
                    continue;
                }
                let slid = since.get_or_insert(at).distance(at);
                // Who walks turns a little, and pushes and is pushed: a body goes some 30 cm meanwhile.
                assert!(slid < 0.025, "the {side} foot of {id} slides {slid} m in {}", doll.does());
                planted += 1;
            }
        }
    }
    assert!(planted > 100, "{planted}");
}

#[test]
fn who_walks_together_is_not_in_step() {
    let clips = PackedClips::pack(&creature().clips).expect("they pack");
    let mut set = Set::new(STREET, 40);
    set.shoot(Settings::default());
    let lifted: Vec<f32> = dolls(&set, &clips).iter().map(|doll| doll.sole("left").z).collect();
    let down = lifted.iter().filter(|z| **z < 0.01).count();
    assert!((1..8).contains(&down), "{lifted:?}");
}

/// Somebody who does one thing for ever.
fn doing(clip: &str) -> String {
    format!(
        r#"
name = "post"
cell = 0.5
size = [20, 20]
state = [{{ name = "at it", clip = "{clip}", seconds = 1000, then = [{{ to = "at it" }}] }}]
agents = [{{ name = "one", count = 1, start = {{ rect = [9.8, 9.8, 10.2, 10.2] }}, state = "at it" }}]
"#
    )
}

/// Depths of a shadow map, row by row from the top.
fn shadow_map(set: &Set, map: u32) -> Vec<f32> {
    let to = set.gpu.device().create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: u64::from(4 * TEXELS * TEXELS),
        usage: BufferUsages::MAP_READ | BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let mut encoder = set.gpu.device().create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    let layout =
        wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(4 * TEXELS), rows_per_image: Some(TEXELS) };
    let from = wgpu::TexelCopyTextureInfo {
        origin: wgpu::Origin3d { x: 0, y: 0, z: map },
        aspect: wgpu::TextureAspect::DepthOnly,
        ..set.space().shadows.all.texture().as_image_copy()
    };
    let size = wgpu::Extent3d { width: TEXELS, height: TEXELS, depth_or_array_layers: 1 };
    encoder.copy_texture_to_buffer(from, wgpu::TexelCopyBufferInfo { buffer: &to, layout }, size);
    set.gpu.queue().submit([encoder.finish()]);
    set.mapped(&to).into_iter().map(f32::from_bits).collect()
}

#[test]
fn shadows_have_the_pose_of_who_casts_them() {
    let clips = PackedClips::pack(&creature().clips).expect("they pack");
    let silhouettes = [("sit", Role::Rest), ("cheer", Role::Cheer)].map(|(clip, role)| {
        let mut set = Set::new(&doing(clip), 2);
        set.shoot(from_to([10.0, 7.0, 1.5], [10.0, 10.0, 0.5]));
        let doll = dolls(&set, &clips).pop().expect("somebody is there");
        assert_eq!(creature().clips[doll.clip].role, role);
        // Near the eye it is in the first map, drawn at the level next to the finest.
        let into = set.numbers().cascades[0];
        let (mut low, mut high) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
        for vertex in doll.vertices(1) {
            let at = (into.project_point3(vertex).truncate() * Vec2::new(0.5, -0.5) + 0.5) * TEXELS as f32;
            (low, high) = (low.min(at), high.max(at));
        }
        let map = shadow_map(&set, 0);
        let (mut from, mut to, mut covered) = (Vec2::INFINITY, Vec2::NEG_INFINITY, 0);
        for k in (0..map.len()).filter(|&k| map[k] < 1.0) {
            let texel = Vec2::new((k % TEXELS as usize) as f32, (k / TEXELS as usize) as f32);
            (from, to, covered) = (from.min(texel), to.max(texel + 1.0), covered + 1);
        }
        assert!((low - from).max(to - high).max_element() < 1.0, "{clip}: a shadow {from} to {to} of {low} to {high}");
        // Tips thinner than a texel are missed.
        assert!((from - low).max(high - to).max_element() < 4.0, "{clip}: a shadow {from} to {to} of {low} to {high}");
        (high - low, covered)
    });
    let [(sits, _), (cheers, covered)] = silhouettes;
    // So much that the shadow of one could not pass for that of the other.
    assert!((cheers - sits).abs().max_element() > 12.0, "who cheers is {cheers} texels large, who sits {sits}");
    assert!(covered > 500, "{covered}");
}

#[test]
fn who_changes_what_it_does_fades_from_one_clip_to_the_next() {
    let clips = PackedClips::pack(&creature().clips).expect("they pack");
    // No clip leads from waving to sitting.
    let text = doing("wave").replace("seconds = 1000", "seconds = 1").replace(
        "then = [{ to = \"at it\" }] }]",
        "then = [{ to = \"over\" }] }, { name = \"over\", clip = \"sit\", seconds = 1000, then = [{ to = \"over\" }] }]",
    );
    let mut set = Set::new(&text, 0);
    let mut heights = Vec::new();
    let mut fading = 0;
    for _ in 0..40 {
        set.sim.steps_by(1).expect("the engine works");
        set.shoot(Settings { shadows: false, ..Settings::default() });
        let doll = dolls(&set, &clips).pop().expect("somebody is there");
        fading += u32::from(doll.fade > 0.0);
        heights.push(doll.vertices(2).map(|p| p.z).fold(0.0, f32::max));
    }
    assert!(heights[0] > 1.2 * heights[39], "{heights:?}");
    assert!(fading >= 3, "{fading} frames of a fade");
    // No pop: a creature that sits down within a fade of 0.3 s goes so far in a step.
    let most = heights.windows(2).map(|w| (w[0] - w[1]).abs()).fold(0.0, f32::max);
    assert!(most < 0.5 * (heights[0] - heights[39]), "{most} of {heights:?}");
}

#[test]
fn every_built_in_scene_is_drawn() {
    for built_in in BUILT_IN {
        let scene = Scene::built_in(built_in.name).expect("a built-in scene");
        let gpu = open_gpu();
        let mut sim = Simulation::with_threads(&scene, 2).unwrap_or_else(|e| panic!("{e}"));
        sim.steps_by(1).expect("the engine works");
        let mut studio = Studio::new(&gpu, &scene);
        // Of the largest crowd, a million, that is enough for some in a hundred.
        let look = Look { space: Some(Settings { budget: 50_000, ..Settings::default() }), ..Look::default() };
        let shooting =
            Shooting { size: [96, 54], look, aim: Aim::Fit, caption: false, chosen: None, text: 1.0, back: 0.0 };
        let picture = studio.picture(&mut sim, &shooting).unwrap_or_else(|e| panic!("{}: {e}", built_in.name));
        let report = studio.report().expect("the device tells");
        assert!(report.triangles <= 50_000, "{}: {}", built_in.name, report.triangles);
        let drawn: u32 = report.levels.iter().sum();
        assert_eq!(drawn > 0, scene.agent_count() > 0 && sim.counters().active > 0, "{}", built_in.name);
        let first = *picture.get_pixel(0, 0);
        assert!(picture.pixels().any(|p| *p != first), "{}: nothing but one colour", built_in.name);
    }
}
