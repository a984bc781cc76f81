//! From a stance to skinning matrices: forward along the spine, backward (two bones to a target) for arms and legs.

use glam::{DMat3, DQuat, DVec3};

use super::flesh::turn;
use super::skeleton::{BONES, Middle, Paired, Side, joints, parents};
use super::stance::{Angles, Stance};
use crate::{Rows, trig};

/// Where every bone is: joint, turn and scale in character space.
struct Pose {
    joints: [DVec3; BONES],
    rest: [DVec3; BONES],
    parents: [Option<usize>; BONES],
    turns: [DQuat; BONES],
    scales: [f64; BONES],
}

/// The skinning matrices of a stance.
pub(crate) fn matrices(stance: &Stance) -> Vec<Rows> {
    let rest = joints();
    let mut pose =
        Pose { joints: rest, rest, parents: parents(), turns: [DQuat::IDENTITY; BONES], scales: [1.0; BONES] };
    pose.trunk(stance);
    for side in Side::BOTH {
        pose.leg(stance, side);
    }
    pose.flaps();
    pose.arm(stance, Side::Right, None);
    pose.pick(stance);
    let grip = pose.joints[Middle::Pick.index()] - pose.turns[Middle::Pick.index()] * DVec3::Z * 0.09;
    pose.arm(stance, Side::Left, Some((grip, stance.grip)));
    pose.basket(stance);
    pose.rows()
}

impl Pose {
    /// Puts a bone where its parent holds it, with a turn of its own.
    fn hang(&mut self, bone: usize, own: DQuat) {
        if let Some(parent) = self.parents[bone] {
            self.joints[bone] = self.joints[parent] + self.turns[parent] * (self.rest[bone] - self.rest[parent]);
            self.turns[bone] = (self.turns[parent] * own).normalize();
        }
    }

    fn trunk(&mut self, stance: &Stance) {
        let hips = Middle::Hips.index();
        self.joints[hips] = self.rest[hips] + stance.hips;
        self.turns[hips] = euler(stance.hips_turn);
        for (bone, angles) in [
            (Middle::Spine, stance.spine),
            (Middle::Chest, stance.chest),
            (Middle::Neck, stance.neck),
            (Middle::Head, stance.head),
            (Middle::Jaw, DVec3::new(0.0, stance.jaw, 0.0)),
            (Middle::Nose, DVec3::new(0.0, 0.3 * stance.jaw, 0.0)),
            (Middle::Belly, DVec3::ZERO),
        ] {
            self.hang(bone.index(), euler(angles));
        }
        let belly = Middle::Belly.index();
        self.joints[belly] += self.turns[belly] * DVec3::new(0.0, stance.belly[1], stance.belly[0]);
        for side in Side::BOTH {
            let [lift, back] = stance.ears[side as usize];
            let own = |share: f64| {
                let back = turn(DVec3::Z, side.sign() * back * share);
                back * turn(DVec3::X, side.sign() * lift * share)
            };
            self.hang(Paired::Ear.index(side), own(1.0));
            self.hang(Paired::EarTip.index(side), own(0.6));
            let eye = Paired::Eye.index(side);
            self.hang(eye, DQuat::IDENTITY);
            // A closed eye shrinks into the head: what is left to see is the lid around it.
            self.scales[eye] = 0.55 + 0.45 * stance.eyes;
        }
    }

    fn leg(&mut self, stance: &Stance, side: Side) {
        let foot = &stance.feet[side as usize];
        let [thigh, shin, ankle, toes] =
            [Paired::Thigh, Paired::Shin, Paired::Foot, Paired::Toes].map(|bone| bone.index(side));
        self.hang(thigh, DQuat::IDENTITY);
        let yaw = turn(DVec3::Z, side.sign() * foot.yaw) * turn(DVec3::Y, -foot.pitch);
        let flat = yaw * turn(DVec3::Y, foot.heel);
        let ball = self.rest[toes] + side.of(foot.ball);
        let target = ball + flat * (self.rest[ankle] - self.rest[toes]);
        let knee = turn(DVec3::Z, side.sign() * foot.knee) * turn(DVec3::Y, -0.6 * foot.pitch) * DVec3::X;
        let limb = Limb {
            root: self.joints[thigh],
            rest: [self.rest[thigh], self.rest[shin], self.rest[ankle]],
            rest_pole: DVec3::X,
        };
        let (upper, lower) = limb.reach(target, knee);
        self.turns[thigh] = upper;
        self.joints[shin] = self.joints[thigh] + upper * (self.rest[shin] - self.rest[thigh]);
        self.turns[shin] = lower;
        self.joints[ankle] = self.joints[shin] + lower * (self.rest[ankle] - self.rest[shin]);
        self.turns[ankle] = flat;
        self.joints[toes] = self.joints[ankle] + flat * (self.rest[toes] - self.rest[ankle]);
        self.turns[toes] = yaw * turn(DVec3::Y, -foot.toes);
    }

    /// An arm; `drawn` is a point that its fist is drawn to, and how strongly.
    fn arm(&mut self, stance: &Stance, side: Side, drawn: Option<(DVec3, f64)>) {
        let hand = &stance.hands[side as usize];
        let chest = self.turns[Middle::Chest.index()];
        let [collar, arm, forearm, wrist] =
            [Paired::Collar, Paired::Arm, Paired::Forearm, Paired::Hand].map(|bone| bone.index(side));
        // The collar follows a raised arm some of the way.
        let raised = (hand.at.z + 0.12).clamp(0.0, 0.3) * 90.0;
        self.hang(collar, turn(DVec3::X, side.sign() * raised));
        self.hang(arm, DQuat::IDENTITY);
        let mut target = self.joints[arm] + chest * side.of(hand.at);
        if let Some((point, share)) = drawn {
            let fist = (point - self.joints[arm]).normalize_or_zero() * FIST;
            target += (point - fist - target) * share;
        }
        let limb = Limb {
            root: self.joints[arm],
            rest: [self.rest[arm], self.rest[forearm], self.rest[wrist]],
            rest_pole: DVec3::new(-1.0, 0.0, -0.1),
        };
        let (upper, lower) = limb.reach(target, chest * side.of(hand.elbow));
        self.turns[arm] = upper;
        self.joints[forearm] = self.joints[arm] + upper * (self.rest[forearm] - self.rest[arm]);
        self.turns[forearm] = lower;
        let mirrored = DVec3::new(side.sign(), 1.0, side.sign());
        self.hang(wrist, euler(hand.turn * mirrored));
        // Fingers bend about x, towards the palm.
        self.hang(Paired::Fingers.index(side), turn(DVec3::X, -side.sign() * hand.curl));
        let thumb = turn(DVec3::Z, side.sign() * 0.5 * hand.curl);
        self.hang(Paired::Thumb.index(side), thumb);
    }

    /// Flaps hang down, and thighs push them.
    fn flaps(&mut self) {
        let swing = |side: Side| {
            let [hip, knee] = [Paired::Thigh, Paired::Shin].map(|bone| self.joints[bone.index(side)]);
            (self.turns[Middle::Hips.index()].inverse() * (knee - hip)).x / 0.165
        };
        let (left, right) = (swing(Side::Left), swing(Side::Right));
        let front = 48.0 * left.max(right).max(0.0) - 5.0;
        let back = 40.0 * (-left).max(-right).max(0.0);
        self.flap(Middle::FlapFront, -1.0, front);
        self.flap(Middle::FlapBack, 1.0, back);
    }

    /// A flap lifted by an angle, or by as much more as keeps it off the ground; by all it can where nothing does.
    fn flap(&mut self, bone: Middle, sign: f64, angle: f64) {
        let mut hem = |angle: f64| {
            self.hang(bone.index(), turn(DVec3::Y, sign * angle));
            (self.joints[bone.index()] + self.turns[bone.index()] * DVec3::new(0.0, 0.0, -0.155)).z
        };
        const CLEAR: f64 = 0.02;
        let (mut low, mut high) = (angle, 120.0);
        if hem(high) > CLEAR {
            for _ in 0..16 {
                let middle = 0.5 * (low + high);
                *(if hem(middle) > CLEAR { &mut high } else { &mut low }) = middle;
            }
        }
        let lifted = hem(high);
        let hanging = hem(angle);
        if hanging <= CLEAR && lifted > hanging {
            hem(high);
        }
    }

    fn pick(&mut self, stance: &Stance) {
        let pick = Middle::Pick.index();
        self.hang(pick, turn(DVec3::X, -32.0) * turn(DVec3::Z, 90.0));
        // In the fist the handle points where the swing is, in the plane of the chest, and the points where it goes next.
        let wrist = Paired::Hand.index(Side::Right);
        let out = self.rest[Paired::Fingers.index(Side::Right)] - self.rest[wrist];
        let place = self.joints[wrist] + self.turns[wrist] * (out.normalize() * FIST);
        let (sine, cosine) = trig::sin_cos(stance.swing.to_radians());
        let (handle, strike) = (DVec3::new(cosine, 0.0, sine), DVec3::new(sine, 0.0, -cosine));
        let yaw = turn(DVec3::Z, stance.hips_turn.z);
        let turn = yaw * DQuat::from_mat3(&DMat3::from_cols(strike, handle.cross(strike), handle));
        self.joints[pick] = self.joints[pick].lerp(place, stance.pick);
        self.turns[pick] = mix(self.turns[pick], turn, stance.pick);
        // On its side, with the points along the ground.
        let lying = DQuat::from_mat3(&DMat3::from_cols(DVec3::Y, DVec3::NEG_Z, DVec3::NEG_X));
        self.joints[pick] = self.joints[pick].lerp(DVec3::new(-0.05, -0.38, 0.028), stance.laid);
        self.turns[pick] = mix(self.turns[pick], lying, stance.laid);
    }

    fn basket(&mut self, stance: &Stance) {
        let (basket, load) = (Middle::Basket.index(), Middle::Load.index());
        let chest = self.turns[Middle::Chest.index()];
        let hands = Side::BOTH.map(|side| self.joints[Paired::Hand.index(side)]);
        let held = hands[0].midpoint(hands[1]) + chest * DVec3::new(0.045, 0.0, -0.02);
        let ground = DVec3::new(0.30, 0.0, 0.072);
        self.joints[basket] = held.lerp(ground, stance.put_down);
        self.turns[basket] = mix(mix(chest, DQuat::IDENTITY, 0.7), DQuat::IDENTITY, stance.put_down);
        self.hang(load, DQuat::IDENTITY);
        self.scales[basket] = stance.basket;
        self.scales[load] = stance.basket * stance.load;
        self.joints[load] =
            self.joints[basket] + self.turns[basket] * (self.rest[load] - self.rest[basket]) * stance.basket;
    }

    /// As rows: x becomes joint + turn · scale · (x − joint at rest).
    fn rows(&self) -> Vec<Rows> {
        let row = |bone: usize| {
            let linear = DMat3::from_quat(self.turns[bone]) * self.scales[bone];
            let shift = (self.joints[bone] - linear * self.rest[bone]).as_vec3().to_array();
            std::array::from_fn(|i| {
                let row = linear.row(i).as_vec3();
                [row.x, row.y, row.z, shift[i]]
            })
        };
        (0..BONES).map(row).collect()
    }
}

/// From the wrist to the middle of the fist, in metres.
const FIST: f64 = 0.07;

/// Two bones and their end at rest, and which way the joint between them bends then.
struct Limb {
    root: DVec3,
    rest: [DVec3; 3],
    rest_pole: DVec3,
}

impl Limb {
    /// The turns of both bones that bring the end to a target (or as near as it gets), with the joint between them towards a
    /// pole: the law of cosines.
    fn reach(&self, target: DVec3, pole: DVec3) -> (DQuat, DQuat) {
        let [from, joint, end] = self.rest;
        let (a, b) = (from.distance(joint), joint.distance(end));
        let way = target - self.root;
        let far = way.length().clamp((a - b).abs() + 1e-4, a + b - 1e-5);
        let along = way.normalize_or(DVec3::NEG_Z);
        let across = (pole - along * pole.dot(along)).normalize_or(along.any_orthonormal_vector());
        let cosine = ((a * a + far * far - b * b) / (2.0 * a * far)).clamp(-1.0, 1.0);
        let upper = along * cosine + across * (1.0 - cosine * cosine).sqrt();
        let lower = (along * far - upper * a).normalize();
        let hinge = along.cross(across);
        let rest_along = (end - from).normalize();
        let rest_hinge = rest_along.cross(self.rest_pole).normalize();
        let turned = |rest: DVec3, now: DVec3| {
            let (rest, now) = (axes(rest.normalize(), rest_hinge), axes(now, hinge));
            DQuat::from_mat3(&(now * rest.transpose())).normalize()
        };
        (turned(joint - from, upper), turned(end - joint, lower))
    }
}

/// Axes along a direction, with the second as near to a hinge as can be.
fn axes(along: DVec3, hinge: DVec3) -> DMat3 {
    let second = (hinge - along * hinge.dot(along)).normalize_or(along.any_orthonormal_vector());
    DMat3::from_cols(along, second, along.cross(second))
}

/// Yaw, then pitch, then roll.
fn euler(angles: Angles) -> DQuat {
    turn(DVec3::Z, angles.z) * turn(DVec3::Y, angles.y) * turn(DVec3::X, angles.x)
}

/// Between two turns, the shorter way.
fn mix(a: DQuat, b: DQuat, share: f64) -> DQuat {
    let b = if a.dot(b) < 0.0 { -b } else { b };
    (a * (1.0 - share) + b * share).normalize()
}
