//! What a character is: the data that a renderer uploads.

use glam::Vec3;

/// An affine transform as three rows of four: `row[i] = [linear xyz, translation]`, as shaders read it.
pub type Rows = [[f32; 4]; 3];

/// A character: meshes on bones, and clips that move them.
#[derive(Clone, Debug, PartialEq)]
pub struct Character {
    /// What it is called.
    pub name: String,
    /// How tall it stands, in metres.
    pub height: f32,
    /// The bones, parents before children; at most 64.
    pub bones: Vec<Bone>,
    /// The meshes, finest first: the cage that close-ups tessellate, then reduced ones.
    pub lods: Vec<Mesh>,
    /// The clips.
    pub clips: Vec<Clip>,
    /// Holds every vertex of every mesh in every clip, and every blend of clips (a blend lies between the two, and a
    /// sphere is convex), with displacement. For an individual times [`Variation::extent`](crate::Variation::extent).
    pub bounds: Sphere,
    /// Sets of colours, at least one; an individual has one of them.
    pub palettes: Vec<Palette>,
}

/// One bone of the skeleton.
#[derive(Clone, Debug, PartialEq)]
pub struct Bone {
    /// What it is called.
    pub name: String,
    /// The bone that it hangs on.
    pub parent: Option<u8>,
    /// From the bone's own space to character space, in the pose that the meshes are in.
    pub rest: Rows,
    /// What proportions do to what hangs on the bone: the inner growth, then the outer one.
    pub growth: [Growth; 2],
}

/// How a channel of [`Variation`](crate::Variation) scales what hangs on a bone.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Growth {
    /// The point that stays where it is, in character space.
    pub pivot: [f32; 3],
    /// Which channel: an index into [`Variation::channels`](crate::Variation::channels); 0 is always 1.
    pub channel: u32,
}

/// A closed surface of triangles. All lists of vertices are equally long.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Where, in character space.
    pub positions: Vec<[f32; 3]>,
    /// The smooth normal.
    pub normals: Vec<[f32; 3]>,
    /// The tangent, at right angles to the normal; w is ±1: bitangent = w · normal × tangent.
    pub tangents: Vec<[f32; 4]>,
    /// Coordinates on the surface, 0 to 1.
    pub uvs: Vec<[f32; 2]>,
    /// Which paint of the palette. Do not interpolate: a triangle has that of its first vertex.
    pub parts: Vec<u8>,
    /// From the paint's first colour (0) to its second (255). Interpolate.
    pub tints: Vec<u8>,
    /// Bones, those with more weight first.
    pub joints: Vec<[u8; 4]>,
    /// Their weights, which add up to 255.
    pub weights: Vec<[u8; 4]>,
    /// How far the tessellation of close-ups may push the vertex, in metres.
    pub displacement: Vec<f32>,
    /// Three for each triangle, counter-clockwise from outside.
    pub indices: Vec<u32>,
}

/// A movement, baked.
#[derive(Clone, Debug, PartialEq)]
pub struct Clip {
    /// What it is called.
    pub name: String,
    /// What it is good for; of a transition: what it leads to.
    pub role: Role,
    /// Of a transition: what it comes from.
    pub from: Option<Role>,
    /// How long it takes at its natural pace, in seconds.
    pub seconds: f32,
    /// How far a character walks in one cycle, in metres: the phase is then the distance walked over this. 0: it is
    /// driven by time.
    pub stride: f32,
    /// Whether it goes round.
    pub looped: bool,
    /// How many keys there are. They are evenly spaced, and the last one is the end of the clip: that of a loop is its first
    /// key again, so between two keys nothing has to wrap.
    pub keys: u32,
    /// The skinning matrices (from the rest pose to the pose, in character space), key after key, bone after bone.
    pub matrices: Vec<Rows>,
}

/// What a clip is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// Standing about.
    Stand,
    /// Walking.
    Walk,
    /// Running.
    Run,
    /// Running away.
    Flee,
    /// Walking with a load.
    Carry,
    /// Standing with a load.
    Hold,
    /// Breaking stones.
    Mine,
    /// Eating.
    Eat,
    /// Letting go of a load.
    Drop,
    /// Taking up a load.
    PickUp,
    /// Sitting on the ground.
    Rest,
    /// Lying on the ground.
    Sleep,
    /// Tripping.
    Stumble,
    /// Looking around.
    Look,
    /// Waving.
    Wave,
    /// Being glad.
    Cheer,
    /// Being afraid on the spot.
    Cower,
}

impl Role {
    /// What somebody does instead who has no clip for it.
    fn instead(self) -> Option<Self> {
        match self {
            Role::Stand => None,
            Role::Flee => Some(Role::Run),
            Role::Run | Role::Carry | Role::Stumble => Some(Role::Walk),
            Role::Sleep => Some(Role::Rest),
            _ => Some(Role::Stand),
        }
    }
}

/// What the triangles of the project's own creature are made of: the index of its paint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Part {
    /// Skin; tinted on belly, muzzle, palms, soles and in the ears.
    Skin,
    /// The loincloth.
    Cloth,
    /// The belt.
    Leather,
    /// The white of the eye.
    Eye,
    /// Pupils, and the line of the mouth.
    Pupil,
    /// Tusks and nails.
    Tooth,
    /// The pick's handle.
    Wood,
    /// The pick's head.
    Metal,
    /// The basket.
    Wicker,
    /// What is in the basket, and the buckle.
    Gold,
}

/// A set of colours: one paint for each part.
#[derive(Clone, Debug, PartialEq)]
pub struct Palette {
    /// What it is called.
    pub name: String,
    /// Indexed by [`Mesh::parts`].
    pub paints: Vec<Paint>,
}

/// What a part looks like. Colours are linear (not sRGB) and 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Paint {
    /// Where the tint is 0.
    pub colour: [f32; 3],
    /// 0 a mirror, 1 chalk.
    pub roughness: f32,
    /// Where the tint is 255.
    pub tinted: [f32; 3],
    /// 0 everything else, 1 metal.
    pub metal: f32,
}

/// A ball.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sphere {
    /// Its middle, in character space.
    pub centre: [f32; 3],
    /// In metres.
    pub radius: f32,
}

impl Mesh {
    /// How many triangles it has.
    #[must_use]
    pub fn faces(&self) -> usize {
        self.indices.len() / 3
    }

    /// The vertex in a pose: position and normal, as a shader skins them.
    #[must_use]
    pub fn skinned(&self, vertex: usize, pose: &[Rows]) -> (Vec3, Vec3) {
        let mut sum = [[0.0; 4]; 3];
        for (&joint, &weight) in self.joints[vertex].iter().zip(&self.weights[vertex]) {
            let (bone, weight) = (&pose[usize::from(joint)], f32::from(weight) / 255.0);
            for (sum, row) in sum.iter_mut().zip(bone) {
                *sum = std::array::from_fn(|i| sum[i] + row[i] * weight);
            }
        }
        let normal = Vec3::from(self.normals[vertex]);
        (
            apply(&sum, self.positions[vertex].into()),
            (apply(&sum, normal) - apply(&sum, Vec3::ZERO)).normalize_or_zero(),
        )
    }
}

impl Clip {
    /// The pose at a phase (0 to 1): skinning matrices, one for each bone.
    #[must_use]
    pub fn pose(&self, phase: f32) -> Vec<Rows> {
        let bones = self.matrices.len() / self.keys as usize;
        let at = phase.clamp(0.0, 1.0) * (self.keys - 1) as f32;
        let key = (at as usize).min(self.keys.saturating_sub(2) as usize);
        let (next, share) = ((key + 1).min(self.keys as usize - 1), at - key as f32);
        let of = |key: usize| &self.matrices[key * bones..][..bones];
        of(key).iter().zip(of(next)).map(|(a, b)| blend(a, b, share)).collect()
    }
}

impl Character {
    /// The clips for a role, not counting transitions.
    pub fn clips_for(&self, role: Role) -> impl Iterator<Item = usize> + '_ {
        let wanted = move |clip: &Clip| clip.role == role && clip.from.is_none();
        self.clips.iter().enumerate().filter(move |(_, clip)| wanted(clip)).map(|(index, _)| index)
    }

    /// A clip for a role, chosen among those there are by a number ([`Variation::choice`](crate::Variation::choice)). A character that has none
    /// for it does what comes nearest; one without any clip has none.
    #[must_use]
    pub fn clip_for(&self, role: Role, choice: u32) -> Option<usize> {
        let mut wanted = Some(role);
        while let Some(role) = wanted {
            let found = self.clips_for(role).count();
            if found > 0 {
                return self.clips_for(role).nth(choice as usize % found);
            }
            wanted = role.instead();
        }
        (!self.clips.is_empty()).then_some(0)
    }

    /// The transition from a role to another, if there is one.
    #[must_use]
    pub fn transition(&self, from: Role, to: Role) -> Option<usize> {
        self.clips.iter().position(|clip| clip.role == to && clip.from == Some(from))
    }
}

/// From one pose's matrix to another's.
#[must_use]
pub fn blend(a: &Rows, b: &Rows, share: f32) -> Rows {
    std::array::from_fn(|i| std::array::from_fn(|j| a[i][j] + (b[i][j] - a[i][j]) * share))
}

/// A point, moved. (Plain sums, which every machine rounds alike; glam's wider types need not.)
pub(crate) fn apply(rows: &Rows, p: Vec3) -> Vec3 {
    let along = |row: &[f32; 4]| row[0] * p.x + row[1] * p.y + row[2] * p.z + row[3];
    Vec3::new(along(&rows[0]), along(&rows[1]), along(&rows[2]))
}
