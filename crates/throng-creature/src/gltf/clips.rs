//! Animations as clips: sampled, given roles by name, brought into place.

use glam::{DAffine3, DQuat, DVec3};
use gltf::animation::{Interpolation, Property};

use super::skeleton::{Local, Rig, Space, rows, unit};
use super::source::Source;
use super::{GltfError, brief, broken, unsupported};
use crate::{Clip, Role};

/// Keys a second, and how many there may be.
const RATE: f64 = 24.0;
const MOST_KEYS: usize = 384;
const MOST_CLIPS: usize = 128;

/// Matrices in all clips of a character: packed they take 16 MB, and minutes of clips have fewer.
const MOST_MATRICES: usize = 1_000_000;

/// Numbers in all channels of a file: several may name the same bytes, so the size of the file is no bound.
const MOST_NUMBERS: usize = 16 << 20;

/// All clips that have a role, and the pose of the file to stand in where none is for that.
pub(super) fn clips(
    source: &Source,
    rig: &Rig,
    space: &Space,
    notes: &mut Vec<String>,
) -> Result<Vec<Clip>, GltfError> {
    let mut clips: Vec<Clip> = Vec::new();
    let mut unused = Vec::new();
    let (mut left, mut room) = (MOST_NUMBERS, MOST_MATRICES);
    for animation in source.document.animations() {
        let name = animation.name().map_or_else(|| format!("animation {}", animation.index()), str::to_owned);
        let Some(role) = Role::named(&name) else {
            unused.push(brief(&name));
            continue;
        };
        if clips.len() >= MOST_CLIPS {
            return Err(unsupported(format!("more than {MOST_CLIPS} clips")));
        }
        let mut tracks = Vec::new();
        for channel in animation.channels() {
            let sampler = channel.sampler();
            // At least one for each, so that empty ones run out, too.
            let numbers = sampler.input().count().saturating_add(sampler.output().count().saturating_mul(4)).max(1);
            left = left
                .checked_sub(numbers)
                .ok_or_else(|| unsupported("more keys in its clips than a character needs"))?;
            tracks.extend(Track::new(source, &channel)?);
        }
        room = room
            .checked_sub((spans(&tracks).0 + 1) * rig.joints.len())
            .ok_or_else(|| unsupported("clips that are too long together: keep those that a crowd needs"))?;
        clips.push(bake(name, role, &tracks, rig, space));
    }
    if !unused.is_empty() {
        let more = if unused.len() > 8 { ", …" } else { "" };
        unused.truncate(8);
        notes.push(format!("No role is known by the names of these clips: {}{more}.", unused.join(", ")));
    }
    if !clips.iter().any(|clip| clip.role == Role::Stand) {
        notes.push("No clip is called idle or stand: it stands in the pose of the file.".to_owned());
        clips.push(bake("as in the file".to_owned(), Role::Stand, &[], rig, space));
    }
    if !clips.iter().any(|clip| clip.role == Role::Walk) {
        notes.push("No clip is called walk: it glides.".to_owned());
    }
    Ok(clips)
}

/// One channel: times and values.
struct Track {
    node: usize,
    property: Property,
    times: Vec<f32>,
    values: Vec<f32>,
    interpolation: Interpolation,
}

impl Track {
    /// A channel that moves nodes; none for others.
    fn new(source: &Source, channel: &gltf::animation::Channel<'_>) -> Result<Option<Self>, GltfError> {
        let (target, sampler) = (channel.target(), channel.sampler());
        let property = target.property();
        let columns = match property {
            Property::Translation | Property::Scale => 3,
            Property::Rotation => 4,
            Property::MorphTargetWeights => return Ok(None),
        };
        let times = source.numbers(&sampler.input(), 1)?;
        let values = source.numbers(&sampler.output(), columns)?;
        let interpolation = sampler.interpolation();
        let each = if interpolation == Interpolation::CubicSpline { 3 * columns } else { columns };
        if times.is_empty() || values.len() != times.len() * each || !times.is_sorted() {
            return Err(broken("a channel whose times and values do not fit"));
        }
        Ok(Some(Self { node: target.node().index(), property, times, values, interpolation }))
    }

    fn columns(&self) -> usize {
        if self.property == Property::Rotation { 4 } else { 3 }
    }

    /// The value of a key (of a spline: 0 the slope before it, 1 the value, 2 the slope after it).
    fn key(&self, index: usize, kind: usize) -> [f64; 4] {
        let columns = self.columns();
        let at = if self.interpolation == Interpolation::CubicSpline {
            (3 * index + kind) * columns
        } else {
            index * columns
        };
        std::array::from_fn(|column| if column < columns { f64::from(self.values[at + column]) } else { 0.0 })
    }

    fn apply(&self, time: f64, nodes: &mut [Local]) {
        let after = self.times.partition_point(|&t| f64::from(t) <= time);
        let (a, b) = (after.saturating_sub(1), after.min(self.times.len() - 1));
        let span = f64::from(self.times[b]) - f64::from(self.times[a]);
        let share = if span > 1e-9 { ((time - f64::from(self.times[a])) / span).clamp(0.0, 1.0) } else { 0.0 };
        let value = match self.interpolation {
            Interpolation::Step => self.key(a, 1),
            Interpolation::Linear => {
                let (from, mut to) = (self.key(a, 1), self.key(b, 1));
                let against = self.property == Property::Rotation && (0..4).map(|i| from[i] * to[i]).sum::<f64>() < 0.0;
                if against {
                    to = to.map(|c| -c);
                }
                std::array::from_fn(|i| from[i] + (to[i] - from[i]) * share)
            }
            Interpolation::CubicSpline => {
                let (t, t2, t3) = (share, share * share, share * share * share);
                let (p, m, q, n) = (self.key(a, 1), self.key(a, 2), self.key(b, 1), self.key(b, 0));
                std::array::from_fn(|i| {
                    (2.0 * t3 - 3.0 * t2 + 1.0) * p[i]
                        + (t3 - 2.0 * t2 + t) * span * m[i]
                        + (3.0 * t2 - 2.0 * t3) * q[i]
                        + (t3 - t2) * span * n[i]
                })
            }
        };
        let node = &mut nodes[self.node];
        match self.property {
            Property::Translation => node.translation = DVec3::new(value[0], value[1], value[2]),
            Property::Scale => node.scale = DVec3::new(value[0], value[1], value[2]),
            _ => node.rotation = unit(DQuat::from_array(value)),
        }
    }
}

/// How many spans there are between the keys of a clip, and how long it takes, in seconds.
fn spans(tracks: &[Track]) -> (usize, f64) {
    let last = tracks.iter().filter_map(|track| track.times.last()).copied().fold(0.0, f32::max);
    let seconds = f64::from(last).clamp(0.0, 600.0);
    (((seconds * RATE).ceil() as usize).clamp(1, MOST_KEYS - 1), seconds)
}

fn bake(name: String, role: Role, tracks: &[Track], rig: &Rig, space: &Space) -> Clip {
    let (spans, seconds) = spans(tracks);
    // Of every key only the joints: a file may have many more nodes.
    let poses: Vec<Vec<DAffine3>> = (0..=spans)
        .map(|key| {
            let mut nodes = rig.nodes.clone();
            let time = seconds * key as f64 / spans as f64;
            tracks.iter().for_each(|track| track.apply(time, &mut nodes));
            rig.globals(&nodes)
        })
        .collect();
    let joints: Vec<Vec<DVec3>> = poses.iter().map(|pose| places(space, pose)).collect();
    let looped = !matches!(role, Role::Drop | Role::PickUp | Role::Stumble);
    let goes = matches!(role, Role::Walk | Role::Run | Role::Flee | Role::Carry | Role::Stumble);
    // A clip that walks away is kept on the spot: the crowd does the walking.
    let drift =
        if looped || goes { (joints[spans][0] - joints[0][0]) * DVec3::new(1.0, 1.0, 0.0) } else { DVec3::ZERO };
    let on_the_spot = |key: usize| drift * (-(key as f64) / spans as f64);
    let walked = if goes { stride(&joints, drift, 0.02 * f64::from(space.height)) } else { 0.0 };
    let matrices = |key: usize| -> Vec<DAffine3> {
        rig.bound(&poses[key]).iter().map(|skinning| space.matrix(skinning, on_the_spot(key))).collect()
    };
    let mut keys: Vec<Vec<crate::Rows>> = (0..=spans).map(|key| matrices(key).iter().map(rows).collect()).collect();
    if looped {
        keys[spans] = keys[0].clone();
    }
    Clip {
        name,
        role,
        from: None,
        seconds: seconds.max(0.04) as f32,
        stride: walked as f32,
        looped,
        keys: spans as u32 + 1,
        matrices: keys.concat(),
    }
}

/// Where the joints are, in character space.
fn places(space: &Space, joints: &[DAffine3]) -> Vec<DVec3> {
    joints.iter().map(|joint| space.to_character.transform_point3(joint.translation)).collect()
}

/// How far a cycle walks: whoever is lowest stands on the ground, so it goes back as fast as the body should go on. Joints within a
/// little of the lowest count, and among them the one that goes back most.
fn stride(joints: &[Vec<DVec3>], drift: DVec3, little: f64) -> f64 {
    if drift.length() > 2.0 * little {
        return drift.length();
    }
    let mut sum = 0.0;
    for pair in joints.windows(2) {
        let low = pair[0].iter().map(|joint| joint.z).fold(f64::INFINITY, f64::min);
        let down = pair[0].iter().zip(&pair[1]).filter(|(now, _)| now.z <= low + little);
        sum += down.map(|(now, next)| now.x - next.x).fold(0.0, f64::max);
    }
    if sum > 2.0 * little { sum } else { 0.0 }
}
