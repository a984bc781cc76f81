//! The creature's bones. All have the axes of character space at rest, so a bone is its joint.

use glam::DVec3;

use crate::{Bone, Channel, Growth};

/// Bones on the left come before the same ones on the right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
}

impl Side {
    pub(crate) const BOTH: [Self; 2] = [Side::Left, Side::Right];

    /// +1 on the left, where y grows.
    pub(crate) fn sign(self) -> f64 {
        match self {
            Side::Left => 1.0,
            Side::Right => -1.0,
        }
    }

    /// The point on this side, given on the left.
    pub(crate) fn of(self, p: DVec3) -> DVec3 {
        DVec3::new(p.x, p.y * self.sign(), p.z)
    }
}

/// The table of bones: name, what it hangs on, where its joint is. First those in the middle, then those of a side.
macro_rules! bones {
    (middle { $($middle:ident = $middle_name:literal on $middle_parent:expr, at $mx:literal $my:literal $mz:literal;)* }
     sides { $($paired:ident = $paired_name:literal on $paired_parent:expr, at $px:literal $py:literal $pz:literal;)* }) => {
        /// A bone in the middle plane.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Middle { $($middle,)* }

        /// A bone that there are two of.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Paired { $($paired,)* }

        const MIDDLE: &[(&str, Hang, DVec3)] =
            &[$(($middle_name, $middle_parent, DVec3::new($mx, $my, $mz)),)*];
        const PAIRED: &[(&str, Hang, DVec3)] =
            &[$(($paired_name, $paired_parent, DVec3::new($px, $py, $pz)),)*];
    };
}

/// What a bone hangs on.
#[derive(Clone, Copy)]
enum Hang {
    Nothing,
    On(Middle),
    OnPaired(Paired),
}

use Hang::{Nothing, On, OnPaired};

bones! {
    middle {
        Hips = "hips" on Nothing, at -0.01 0.0 0.40;
        Spine = "spine" on On(Middle::Hips), at -0.01 0.0 0.475;
        Chest = "chest" on On(Middle::Spine), at -0.015 0.0 0.575;
        Neck = "neck" on On(Middle::Chest), at 0.0 0.0 0.685;
        Head = "head" on On(Middle::Neck), at 0.015 0.0 0.725;
        Jaw = "jaw" on On(Middle::Head), at 0.04 0.0 0.785;
        Nose = "nose" on On(Middle::Head), at 0.155 0.0 0.85;
        Belly = "belly" on On(Middle::Spine), at 0.0 0.0 0.485;
        FlapFront = "flap front" on On(Middle::Hips), at 0.125 0.0 0.40;
        FlapBack = "flap back" on On(Middle::Hips), at -0.15 0.0 0.40;
        Pick = "pick" on On(Middle::Chest), at -0.165 0.0 0.56;
        Basket = "basket" on On(Middle::Chest), at 0.28 0.0 0.42;
        Load = "load" on On(Middle::Basket), at 0.28 0.0 0.50;
    }
    sides {
        Eye = "eye" on On(Middle::Head), at 0.115 0.066 0.885;
        Ear = "ear" on On(Middle::Head), at 0.005 0.13 0.865;
        EarTip = "ear tip" on OnPaired(Paired::Ear), at -0.02 0.235 0.895;
        Collar = "collar" on On(Middle::Chest), at -0.005 0.05 0.635;
        Arm = "arm" on OnPaired(Paired::Collar), at -0.005 0.145 0.63;
        Forearm = "forearm" on OnPaired(Paired::Arm), at -0.015 0.245 0.525;
        Hand = "hand" on OnPaired(Paired::Forearm), at 0.01 0.325 0.42;
        Fingers = "fingers" on OnPaired(Paired::Hand), at 0.025 0.375 0.355;
        Thumb = "thumb" on OnPaired(Paired::Hand), at 0.045 0.335 0.39;
        Thigh = "thigh" on On(Middle::Hips), at -0.005 0.085 0.385;
        Shin = "shin" on OnPaired(Paired::Thigh), at 0.015 0.095 0.222;
        Foot = "foot" on OnPaired(Paired::Shin), at -0.015 0.10 0.075;
        Toes = "toes" on OnPaired(Paired::Foot), at 0.09 0.115 0.028;
    }
}

/// How many bones there are.
pub(crate) const BONES: usize = MIDDLE.len() + 2 * PAIRED.len();

impl Middle {
    pub(crate) fn index(self) -> usize {
        self as usize
    }

    pub(crate) fn joint(self) -> DVec3 {
        MIDDLE[self.index()].2
    }
}

impl Paired {
    pub(crate) fn index(self, side: Side) -> usize {
        MIDDLE.len() + self as usize + if side == Side::Right { PAIRED.len() } else { 0 }
    }

    pub(crate) fn joint(self, side: Side) -> DVec3 {
        side.of(PAIRED[self as usize].2)
    }
}

/// Where each bone's joint is.
pub(crate) fn joints() -> [DVec3; BONES] {
    let mut joints = [DVec3::ZERO; BONES];
    for (index, bone) in table().into_iter().enumerate() {
        joints[index] = bone.joint;
    }
    joints
}

/// What each bone hangs on; parents come before children.
pub(crate) fn parents() -> [Option<usize>; BONES] {
    let mut parents = [None; BONES];
    for (index, bone) in table().into_iter().enumerate() {
        parents[index] = bone.parent;
    }
    parents
}

struct Row {
    name: String,
    parent: Option<usize>,
    joint: DVec3,
}

fn table() -> Vec<Row> {
    let row = |&(name, hang, joint): &(&str, Hang, DVec3), side: Option<Side>| Row {
        name: match side {
            None => name.to_owned(),
            Some(Side::Left) => format!("{name} left"),
            Some(Side::Right) => format!("{name} right"),
        },
        parent: match hang {
            Nothing => None,
            On(middle) => Some(middle.index()),
            OnPaired(paired) => side.map(|side| paired.index(side)),
        },
        joint: side.map_or(joint, |side| side.of(joint)),
    };
    let middle = MIDDLE.iter().map(|bone| row(bone, None));
    let sides = Side::BOTH.into_iter().flat_map(|side| PAIRED.iter().map(move |bone| row(bone, Some(side))));
    middle.chain(sides).collect()
}

/// The bones as a renderer has them, with what proportions do to them.
pub(crate) fn bones() -> Vec<Bone> {
    let whole_head = Growth { pivot: Middle::Neck.joint().as_vec3().to_array(), channel: Channel::Head as u32 };
    let mut growth = vec![[Growth::default(); 2]; BONES];
    for bone in [Middle::Head, Middle::Jaw] {
        growth[bone.index()][1] = whole_head;
    }
    let about = |joint: DVec3, channel: Channel| Growth { pivot: joint.as_vec3().to_array(), channel: channel as u32 };
    growth[Middle::Nose.index()] = [about(Middle::Nose.joint(), Channel::Nose), whole_head];
    growth[Middle::Belly.index()][0] = about(Middle::Belly.joint(), Channel::Belly);
    for side in Side::BOTH {
        let mut set = |bone: Paired, inner: Growth, outer: Growth| growth[bone.index(side)] = [inner, outer];
        for bone in [Paired::Ear, Paired::EarTip] {
            set(bone, about(Paired::Ear.joint(side), Channel::Ears), whole_head);
        }
        set(Paired::Eye, about(Paired::Eye.joint(side), Channel::Eyes), whole_head);
        for bone in [Paired::Hand, Paired::Fingers, Paired::Thumb] {
            set(bone, about(Paired::Hand.joint(side), Channel::Hands), Growth::default());
        }
        // Feet grow about the point of the ground under the ankle, so that soles stay on the ground.
        let mut under = Paired::Foot.joint(side);
        under.z = 0.0;
        for bone in [Paired::Foot, Paired::Toes] {
            set(bone, about(under, Channel::Feet), Growth::default());
        }
    }
    let rest = |p: DVec3| {
        let p = p.as_vec3();
        [[1.0, 0.0, 0.0, p.x], [0.0, 1.0, 0.0, p.y], [0.0, 0.0, 1.0, p.z]]
    };
    let parent = |row: &Row| row.parent.map(|parent| parent as u8);
    let bone = |(row, growth): (Row, [Growth; 2])| Bone {
        parent: parent(&row),
        rest: rest(row.joint),
        name: row.name,
        growth,
    };
    table().into_iter().zip(growth).map(bone).collect()
}
