//! What the creature is made of: blobs on bones, one field for each closed surface.

use glam::{DQuat, DVec3};

use super::skeleton::{Middle, Paired, Side};
use crate::field::{Blob, Field, Shape};
use crate::{Part, trig};

/// A closed surface of one part.
pub(crate) struct Piece {
    pub(crate) part: Part,
    pub(crate) field: Field,
    /// The grid it is meshed on, in metres.
    pub(crate) cell: f64,
    /// How many triangles it may have in each level of detail; 0: it is left out.
    pub(crate) triangles: [usize; 4],
    /// Where it is tinted.
    pub(crate) dabs: Vec<Dab>,
    /// How far close-ups may push its surface, in metres.
    pub(crate) relief: f32,
    /// How many times weights are spread along the surface, by about a cell each.
    pub(crate) spread: usize,
}

/// A tint in and around a shape.
pub(crate) struct Dab {
    pub(crate) shape: Shape,
    /// How far it fades out, in metres.
    pub(crate) soft: f64,
    pub(crate) amount: f64,
}

const fn p(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

fn cone(from: DVec3, to: DVec3, radii: [f64; 2]) -> Shape {
    Shape::Cone { from, to, radii }
}

fn egg(centre: DVec3, radii: DVec3) -> Shape {
    Shape::Egg { centre, radii, turn: DQuat::IDENTITY }
}

fn leaf(from: DVec3, to: DVec3, radii: [f64; 2], thin: DVec3, factor: f64) -> Shape {
    Shape::Leaf { from, to, radii, thin: thin.normalize(), factor }
}

fn slab(centre: DVec3, half: DVec3, round: f64) -> Shape {
    Shape::Slab { centre, half, round, turn: DQuat::IDENTITY }
}

/// A turn about an axis (of length 1) by an angle in degrees.
pub(crate) fn turn(axis: DVec3, degrees: f64) -> DQuat {
    let (sine, cosine) = trig::sin_cos(degrees.to_radians() * 0.5);
    DQuat::from_xyzw(axis.x * sine, axis.y * sine, axis.z * sine, cosine)
}

/// Collects blobs, on both sides where a bone has two.
#[derive(Default)]
struct Maker(Vec<Blob>);

impl Maker {
    fn on(&mut self, bone: Middle, melt: f64, shape: Shape) {
        self.0.push(Blob { shape, bone: bone.index(), melt, carved: false });
    }

    fn carve(&mut self, melt: f64, shape: Shape) {
        self.0.push(Blob { shape, bone: 0, melt, carved: true });
    }

    /// A shape given on the left, and its mirror image.
    fn both(&mut self, bone: Paired, melt: f64, shape: Shape) {
        self.0.push(Blob { shape, bone: bone.index(Side::Left), melt, carved: false });
        self.0.push(Blob { shape: shape.mirrored(), bone: bone.index(Side::Right), melt, carved: false });
    }

    /// A shape of a bone in the middle, given on the left, and its mirror image.
    fn pair(&mut self, bone: Middle, melt: f64, shape: Shape) {
        self.on(bone, melt, shape);
        self.on(bone, melt, shape.mirrored());
    }

    fn carve_both(&mut self, melt: f64, shape: Shape) {
        self.carve(melt, shape);
        self.carve(melt, shape.mirrored());
    }

    fn field(self) -> Field {
        Field { blobs: self.0, floor: None }
    }
}

/// All surfaces of the creature.
pub(crate) fn pieces() -> Vec<Piece> {
    let plain =
        |part, field, cell, triangles| Piece { part, field, cell, triangles, dabs: Vec::new(), relief: 0.0, spread: 2 };
    let mut pieces = vec![skin()];
    for side in Side::BOTH {
        pieces.push(plain(Part::Eye, eye(side), 0.009, [130, 26, 0, 0]));
        pieces.push(plain(Part::Pupil, pupil(side), 0.006, [72, 12, 0, 0]));
        pieces.push(plain(Part::Tooth, tusk(side), 0.006, [36, 10, 0, 0]));
    }
    pieces.push(plain(Part::Pupil, mouth(), 0.006, [90, 18, 0, 0]));
    pieces.push(Piece { relief: 0.002, spread: 6, ..plain(Part::Cloth, cloth(), 0.011, [480, 72, 16, 8]) });
    pieces.push(Piece { relief: 0.001, spread: 4, ..plain(Part::Leather, belt(), 0.010, [300, 44, 0, 0]) });
    pieces.push(plain(Part::Gold, buckle(), 0.008, [48, 0, 0, 0]));
    pieces.push(Piece { relief: 0.001, ..plain(Part::Wood, handle(), 0.009, [110, 14, 4, 0]) });
    pieces.push(plain(Part::Metal, pick_head(), 0.009, [190, 24, 6, 0]));
    pieces.push(Piece { relief: 0.003, ..plain(Part::Wicker, basket(), 0.012, [330, 56, 10, 4]) });
    pieces.push(Piece { relief: 0.002, ..plain(Part::Gold, load(), 0.014, [210, 30, 4, 0]) });
    pieces
}

/// Body, head, arms and legs: one surface.
fn skin() -> Piece {
    let mut maker = Maker::default();
    torso(&mut maker);
    head(&mut maker);
    arms(&mut maker);
    legs(&mut maker);
    face_carvings(&mut maker);
    let dab = |shape, soft, amount| Dab { shape, soft, amount };
    let mut dabs = vec![
        dab(egg(p(0.15, 0.0, 0.48), p(0.09, 0.10, 0.12)), 0.05, 0.9),
        dab(egg(p(0.19, 0.0, 0.775), p(0.06, 0.10, 0.035)), 0.03, 0.6),
        dab(egg(p(0.25, 0.0, 0.815), p(0.03, 0.04, 0.03)), 0.03, 0.5),
    ];
    for side in [1.0, -1.0] {
        let on = |x: f64, y: f64, z: f64| p(x, side * y, z);
        dabs.push(dab(cone(on(0.035, 0.15, 0.865), on(0.0, 0.29, 0.905), [0.022, 0.012]), 0.025, 1.0));
        dabs.push(dab(egg(on(0.02, 0.34, 0.35), p(0.05, 0.025, 0.05)), 0.02, 0.8));
        dabs.push(dab(egg(on(0.04, 0.11, -0.01), p(0.14, 0.07, 0.02)), 0.015, 0.8));
    }
    let field = Field { floor: Some(0.0), ..maker.field() };
    Piece { part: Part::Skin, field, cell: 0.0105, triangles: [4280, 580, 112, 40], dabs, relief: 0.003, spread: 14 }
}

fn torso(maker: &mut Maker) {
    maker.on(Middle::Hips, 0.05, egg(p(-0.01, 0.0, 0.41), p(0.115, 0.14, 0.09)));
    maker.pair(Middle::Hips, 0.04, egg(p(-0.055, 0.055, 0.39), p(0.075, 0.075, 0.07)));
    maker.on(Middle::Spine, 0.05, egg(p(-0.01, 0.0, 0.49), p(0.11, 0.14, 0.09)));
    maker.on(Middle::Belly, 0.05, egg(p(0.055, 0.0, 0.475), p(0.12, 0.13, 0.11)));
    maker.on(Middle::Chest, 0.06, egg(p(-0.015, 0.0, 0.605), p(0.10, 0.135, 0.09)));
    maker.on(Middle::Neck, 0.05, cone(p(-0.005, 0.0, 0.665), p(0.012, 0.0, 0.76), [0.075, 0.07]));
}

fn head(maker: &mut Maker) {
    maker.on(Middle::Head, 0.04, egg(p(0.03, 0.0, 0.875), p(0.14, 0.155, 0.125)));
    maker.on(Middle::Head, 0.04, egg(p(0.07, 0.0, 0.815), p(0.115, 0.135, 0.065)));
    maker.on(Middle::Jaw, 0.025, egg(p(0.085, 0.0, 0.768), p(0.095, 0.105, 0.042)));
    maker.pair(Middle::Head, 0.02, egg(p(0.115, 0.066, 0.887), p(0.048, 0.047, 0.044)));
    maker.pair(Middle::Head, 0.02, cone(p(0.145, 0.03, 0.938), p(0.105, 0.115, 0.925), [0.018, 0.014]));
    maker.on(Middle::Nose, 0.03, cone(p(0.165, 0.0, 0.868), p(0.24, 0.0, 0.832), [0.028, 0.042]));
    maker.pair(Middle::Nose, 0.015, egg(p(0.215, 0.033, 0.822), p(0.026, 0.02, 0.02)));
    let thin = p(0.93, 0.2, -0.25);
    let (root, middle, tip) = (p(0.0, 0.125, 0.865), p(-0.02, 0.235, 0.898), p(-0.06, 0.365, 0.935));
    maker.both(Paired::Ear, 0.03, leaf(root, middle, [0.045, 0.056], thin, 2.4));
    maker.both(Paired::EarTip, 0.03, leaf(middle, tip, [0.056, 0.014], thin, 2.2));
}

/// From the middle of the mouth to its left corner.
const SMILE: [DVec3; 4] =
    [p(0.181, 0.0, 0.784), p(0.168, 0.055, 0.788), p(0.146, 0.098, 0.803), p(0.126, 0.118, 0.824)];

/// The mouth and the hollows of the ears, after everything that could fill them.
fn face_carvings(maker: &mut Maker) {
    for pair in SMILE.windows(2) {
        maker.carve_both(0.010, cone(pair[0], pair[1], [0.011, 0.010]));
    }
    let thin = p(0.93, 0.2, -0.25);
    maker.carve_both(0.015, leaf(p(0.034, 0.155, 0.868), p(0.0, 0.275, 0.905), [0.03, 0.022], thin, 2.0));
}

fn arms(maker: &mut Maker) {
    let [shoulder, elbow, wrist] = [Paired::Arm, Paired::Forearm, Paired::Hand].map(|bone| bone.joint(Side::Left));
    maker.both(Paired::Collar, 0.05, cone(p(-0.005, 0.06, 0.64), shoulder, [0.06, 0.056]));
    maker.both(Paired::Arm, 0.03, cone(shoulder, elbow, [0.053, 0.042]));
    maker.both(Paired::Forearm, 0.02, cone(elbow, wrist, [0.042, 0.041]));
    maker.both(Paired::Forearm, 0.02, egg(elbow.lerp(wrist, 0.5), p(0.046, 0.044, 0.048)));
    // The hand lies in the plane of the arm's direction and x; its palm faces the body.
    let (along, palm) = ((wrist - elbow).normalize(), p(0.0, -0.79, -0.61));
    let knuckles = wrist + along * 0.068;
    maker.both(Paired::Hand, 0.02, leaf(wrist + along * 0.012, knuckles, [0.046, 0.056], palm, 1.45));
    for (index, x) in [-0.037, 0.0, 0.037].into_iter().enumerate() {
        let length = [0.064, 0.074, 0.066][index];
        let from = knuckles + p(x, 0.0, 0.0);
        let to = from + along * length + palm * 0.012 + p(x * 0.55, 0.0, 0.0);
        maker.both(Paired::Fingers, 0.008, cone(from, to, [0.0205, 0.0185]));
    }
    let thumb = Paired::Thumb.joint(Side::Left);
    let tip = thumb + p(0.055, 0.0, 0.0) + along * 0.035 + palm * 0.012;
    maker.both(Paired::Thumb, 0.012, cone(thumb - p(0.01, 0.0, 0.0), tip, [0.024, 0.019]));
}

fn legs(maker: &mut Maker) {
    let [hip, knee, ankle, ball] =
        [Paired::Thigh, Paired::Shin, Paired::Foot, Paired::Toes].map(|bone| bone.joint(Side::Left));
    maker.both(Paired::Thigh, 0.03, cone(hip + p(0.0, 0.005, -0.02), knee, [0.075, 0.054]));
    maker.both(Paired::Shin, 0.02, cone(knee, ankle + p(0.005, 0.0, 0.01), [0.052, 0.042]));
    maker.both(Paired::Shin, 0.02, egg(knee.lerp(ankle, 0.4) + p(-0.018, 0.0, 0.0), p(0.043, 0.042, 0.058)));
    maker.both(Paired::Foot, 0.025, egg(p(-0.03, 0.10, 0.038), p(0.055, 0.05, 0.05)));
    maker.both(Paired::Foot, 0.03, cone(ankle + p(0.01, 0.0, -0.005), ball + p(-0.005, 0.0, 0.008), [0.046, 0.044]));
    maker.both(Paired::Foot, 0.03, egg(ball + p(-0.02, 0.0, 0.0), p(0.06, 0.062, 0.034)));
    for (index, y) in [-0.044, 0.0, 0.042].into_iter().enumerate() {
        let length = [0.080, 0.076, 0.064][index];
        let from = ball + p(0.01, y * 0.92, 0.0);
        let to = ball + p(length, y * 1.28 + 0.006, 0.0);
        maker.both(Paired::Toes, 0.010, cone(from, to, [0.028, [0.032, 0.028, 0.026][index]]));
    }
}

/// One blob of a paired bone, on one side.
fn one(bone: Paired, side: Side, shape: Shape) -> Field {
    let shape = if side == Side::Left { shape } else { shape.mirrored() };
    Field { blobs: vec![Blob { shape, bone: bone.index(side), melt: 0.0, carved: false }], floor: None }
}

fn eye(side: Side) -> Field {
    one(Paired::Eye, side, egg(p(0.134, 0.066, 0.889), p(0.045, 0.044, 0.043)))
}

fn pupil(side: Side) -> Field {
    one(Paired::Eye, side, egg(p(0.169, 0.061, 0.891), p(0.016, 0.019, 0.021)))
}

fn mouth() -> Field {
    let mut maker = Maker::default();
    for pair in SMILE.windows(2) {
        maker.pair(
            Middle::Head,
            0.003,
            cone(pair[0] - p(0.004, 0.0, 0.0), pair[1] - p(0.004, 0.0, 0.0), [0.0075, 0.0065]),
        );
    }
    maker.field()
}

fn tusk(side: Side) -> Field {
    let shape = cone(p(0.158, 0.062, 0.776), p(0.176, 0.068, 0.822), [0.013, 0.005]);
    let shape = if side == Side::Left { shape } else { shape.mirrored() };
    Field { blobs: vec![Blob { shape, bone: Middle::Jaw.index(), melt: 0.0, carved: false }], floor: None }
}

fn cloth() -> Field {
    let mut maker = Maker::default();
    maker.on(Middle::Hips, 0.02, egg(p(-0.014, 0.0, 0.40), p(0.152, 0.176, 0.078)));
    maker.on(Middle::FlapFront, 0.03, slab(p(0.130, 0.0, 0.335), p(0.014, 0.07, 0.085), 0.012));
    maker.on(Middle::FlapBack, 0.03, slab(p(-0.155, 0.0, 0.33), p(0.014, 0.08, 0.09), 0.012));
    maker.field()
}

fn belt() -> Field {
    let mut maker = Maker::default();
    let lens = Shape::Egg { centre: p(0.003, 0.0, 0.433), radii: p(0.180, 0.186, 0.030), turn: turn(DVec3::Y, 5.0) };
    maker.on(Middle::Hips, 0.0, lens);
    maker.field()
}

fn buckle() -> Field {
    let mut maker = Maker::default();
    maker.on(Middle::Hips, 0.0, slab(p(0.178, 0.0, 0.418), p(0.012, 0.030, 0.024), 0.009));
    maker.field()
}

fn handle() -> Field {
    let mut maker = Maker::default();
    let at = Middle::Pick.joint();
    maker.on(Middle::Pick, 0.0, cone(at - DVec3::Z * 0.13, at + DVec3::Z * 0.30, [0.016, 0.014]));
    maker.field()
}

fn pick_head() -> Field {
    let mut maker = Maker::default();
    let top = Middle::Pick.joint() + DVec3::Z * 0.28;
    maker.on(Middle::Pick, 0.0, slab(top, p(0.03, 0.022, 0.026), 0.01));
    maker.on(Middle::Pick, 0.012, cone(top + p(0.02, 0.0, 0.0), top + p(0.17, 0.0, -0.05), [0.024, 0.007]));
    maker.on(Middle::Pick, 0.012, cone(top - p(0.02, 0.0, 0.0), top + p(-0.13, 0.0, -0.03), [0.024, 0.012]));
    maker.field()
}

fn basket() -> Field {
    let mut maker = Maker::default();
    let at = Middle::Basket.joint();
    maker.on(Middle::Basket, 0.0, cone(at - DVec3::Z * 0.02, at + DVec3::Z * 0.10, [0.095, 0.135]));
    maker.carve(0.0, slab(at + DVec3::Z * 0.27, p(0.3, 0.3, 0.2), 0.0));
    maker.carve(0.0, slab(at - DVec3::Z * 0.27, p(0.3, 0.3, 0.2), 0.0));
    maker.carve(0.0, cone(at + DVec3::Z * 0.03, at + DVec3::Z * 0.13, [0.08, 0.118]));
    maker.field()
}

fn load() -> Field {
    let mut maker = Maker::default();
    let at = Middle::Load.joint();
    maker.on(Middle::Load, 0.0, egg(at - DVec3::Z * 0.025, p(0.098, 0.098, 0.05)));
    let nuggets =
        [(0.0, 0.0, 0.03), (0.05, 0.02, 0.01), (-0.03, 0.05, 0.012), (-0.045, -0.03, 0.012), (0.03, -0.05, 0.012)];
    for (x, y, z) in nuggets {
        maker.on(Middle::Load, 0.004, egg(at + p(x, y, z), p(0.036, 0.032, 0.03)));
    }
    maker.field()
}
