//! A stance: what a creature is doing with itself at a moment, as numbers that can be mixed. Angles are degrees.

use glam::DVec3;

/// Turns about x (roll), y (pitch: positive nods forward) and z (yaw: positive turns left).
pub(crate) type Angles = DVec3;

/// A hand, in the frame of the chest. Sides are mirrored: y points outwards, and turns are those of the left hand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hand {
    /// The wrist, from the shoulder.
    pub(crate) at: DVec3,
    /// Which way the elbow points.
    pub(crate) elbow: DVec3,
    /// The hand against the forearm.
    pub(crate) turn: Angles,
    /// How far the fingers are bent.
    pub(crate) curl: f64,
}

/// A foot, in character space. Sides are mirrored: y and yaw point outwards.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Foot {
    /// Where the ball of the foot is, from where it is at rest.
    pub(crate) ball: DVec3,
    /// How far the heel is lifted, about the ball.
    pub(crate) heel: f64,
    /// How far the toes are lifted off the ground.
    pub(crate) toes: f64,
    pub(crate) yaw: f64,
    /// Which way the knee points, outwards from straight ahead.
    pub(crate) knee: f64,
    /// Of a sitting or lying creature: the foot points up instead of ahead.
    pub(crate) pitch: f64,
}

/// All of it. First of pairs is the left.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stance {
    /// The hips, from where they are at rest.
    pub(crate) hips: DVec3,
    pub(crate) hips_turn: Angles,
    pub(crate) spine: Angles,
    pub(crate) chest: Angles,
    pub(crate) neck: Angles,
    pub(crate) head: Angles,
    /// How far the mouth is open.
    pub(crate) jaw: f64,
    /// 1 open, 0 closed.
    pub(crate) eyes: f64,
    /// How far each ear is lifted, and how far laid back.
    pub(crate) ears: [[f64; 2]; 2],
    /// Up, and to the left: how far the belly has been thrown, in metres.
    pub(crate) belly: [f64; 2],
    pub(crate) hands: [Hand; 2],
    pub(crate) feet: [Foot; 2],
    /// 0: the pick is on the back, 1: in the right hand.
    pub(crate) pick: f64,
    /// Where the handle points then: up from straight ahead.
    pub(crate) swing: f64,
    /// 1: the pick lies on the ground beside.
    pub(crate) laid: f64,
    /// 1: the left hand is on the pick's handle.
    pub(crate) grip: f64,
    /// 1: the basket is there.
    pub(crate) basket: f64,
    /// 1: it is full.
    pub(crate) load: f64,
    /// 0: the basket is between the hands, 1: on the ground ahead.
    pub(crate) put_down: f64,
}

impl Stance {
    /// Standing at ease.
    pub(crate) fn standing() -> Self {
        let hand = Hand {
            at: DVec3::new(0.035, 0.085, -0.235),
            elbow: DVec3::new(-1.0, 0.55, -0.2),
            turn: DVec3::ZERO,
            curl: 18.0,
        };
        let foot = Foot { ball: DVec3::ZERO, heel: 0.0, toes: 0.0, yaw: 8.0, knee: 12.0, pitch: 0.0 };
        Self {
            hips: DVec3::new(0.0, 0.0, -0.012),
            hips_turn: DVec3::ZERO,
            spine: DVec3::new(0.0, 3.0, 0.0),
            chest: DVec3::new(0.0, 4.0, 0.0),
            neck: DVec3::new(0.0, -2.0, 0.0),
            head: DVec3::new(0.0, -5.0, 0.0),
            jaw: 0.0,
            eyes: 1.0,
            ears: [[0.0, 0.0]; 2],
            belly: [0.0; 2],
            hands: [hand; 2],
            feet: [foot; 2],
            pick: 0.0,
            swing: 0.0,
            laid: 0.0,
            grip: 0.0,
            basket: 0.0,
            load: 0.0,
            put_down: 0.0,
        }
    }

    /// Between two stances.
    pub(crate) fn mixed(&self, other: &Self, share: f64) -> Self {
        let n = |a: f64, b: f64| a + (b - a) * share;
        let v = |a: DVec3, b: DVec3| a + (b - a) * share;
        let two = |a: [f64; 2], b: [f64; 2]| [n(a[0], b[0]), n(a[1], b[1])];
        let hand = |a: &Hand, b: &Hand| Hand {
            at: v(a.at, b.at),
            elbow: v(a.elbow, b.elbow),
            turn: v(a.turn, b.turn),
            curl: n(a.curl, b.curl),
        };
        let foot = |a: &Foot, b: &Foot| Foot {
            ball: v(a.ball, b.ball),
            heel: n(a.heel, b.heel),
            toes: n(a.toes, b.toes),
            yaw: n(a.yaw, b.yaw),
            knee: n(a.knee, b.knee),
            pitch: n(a.pitch, b.pitch),
        };
        Self {
            hips: v(self.hips, other.hips),
            hips_turn: v(self.hips_turn, other.hips_turn),
            spine: v(self.spine, other.spine),
            chest: v(self.chest, other.chest),
            neck: v(self.neck, other.neck),
            head: v(self.head, other.head),
            jaw: n(self.jaw, other.jaw),
            eyes: n(self.eyes, other.eyes),
            ears: [0, 1].map(|side| two(self.ears[side], other.ears[side])),
            belly: two(self.belly, other.belly),
            hands: [0, 1].map(|side| hand(&self.hands[side], &other.hands[side])),
            feet: [0, 1].map(|side| foot(&self.feet[side], &other.feet[side])),
            pick: n(self.pick, other.pick),
            swing: n(self.swing, other.swing),
            laid: n(self.laid, other.laid),
            grip: n(self.grip, other.grip),
            basket: n(self.basket, other.basket),
            load: n(self.load, other.load),
            put_down: n(self.put_down, other.put_down),
        }
    }

    /// From one stance to another with feet that step instead of sliding: the left one in the first half, the right one in the second.
    pub(crate) fn stepped(&self, other: &Self, share: f64) -> Self {
        let mut stance = self.mixed(other, ease(share));
        for (side, from) in [0.0, 0.5].into_iter().enumerate() {
            let own = ((share - from) * 2.0).clamp(0.0, 1.0);
            let (a, b) = (&self.feet[side], &other.feet[side]);
            let far = a.ball.distance(b.ball);
            let mut foot = self.mixed(other, ease(own)).feet[side];
            foot.ball.z += (0.35 * far + 0.001 * (a.yaw - b.yaw).abs()).min(0.06) * bump(own);
            stance.feet[side] = foot;
        }
        stance
    }
}

/// From 0 to 1 with no speed at either end.
pub(crate) fn ease(share: f64) -> f64 {
    let t = share.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// 0 at both ends, 1 in the middle, with no speed at either end.
pub(crate) fn bump(share: f64) -> f64 {
    let t = share.clamp(0.0, 1.0);
    16.0 * t * t * (1.0 - t) * (1.0 - t)
}

/// How far from one time to another it is, eased.
pub(crate) fn between(t: f64, from: f64, to: f64) -> f64 {
    ease((t - from) / (to - from))
}
