//! Walking and running: stances from the distance walked. A foot on the ground goes back exactly as far as the body goes on.

use glam::DVec3;

use super::stance::{Stance, bump, ease};
use crate::trig::{cos, sin, wave};

/// A way of going on two feet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gait {
    /// How far the body goes in a cycle of two steps, in metres.
    pub(crate) stride: f64,
    /// The share of the cycle that a foot is on the ground for.
    pub(crate) contact: f64,
    /// How far ahead of its place at rest a foot is set down, in metres.
    pub(crate) ahead: f64,
    /// How high a foot is lifted, in metres.
    pub(crate) lift: f64,
    /// How far the heel is up when the foot leaves the ground, in degrees.
    pub(crate) push: f64,
    /// How much lower the hips are than at rest, and how much they go up and down, in metres.
    pub(crate) crouch: f64,
    pub(crate) bounce: f64,
    /// When in the cycle the hips are highest.
    pub(crate) highest: f64,
    /// How far the hips go to the side of the foot on the ground, in metres.
    pub(crate) sway: f64,
    /// How far hips and chest turn against each other, in degrees.
    pub(crate) twist: f64,
    /// How far it leans forward, in degrees.
    pub(crate) lean: f64,
    /// How far hands swing, in metres.
    pub(crate) swing: f64,
}

impl Gait {
    pub(crate) const WALK: Self = Self {
        stride: 0.52,
        contact: 0.58,
        ahead: 0.125,
        lift: 0.062,
        push: 34.0,
        crouch: 0.034,
        bounce: 0.011,
        highest: 0.27,
        sway: 0.022,
        twist: 9.0,
        lean: 5.0,
        swing: 0.105,
    };

    pub(crate) const STROLL: Self = Self {
        stride: 0.40,
        contact: 0.62,
        ahead: 0.105,
        lift: 0.042,
        sway: 0.028,
        swing: 0.06,
        lean: 2.0,
        ..Self::WALK
    };

    pub(crate) const CARRY: Self = Self {
        stride: 0.42,
        contact: 0.62,
        ahead: 0.105,
        lift: 0.05,
        crouch: 0.045,
        sway: 0.03,
        twist: 5.0,
        lean: -5.0,
        swing: 0.0,
        ..Self::WALK
    };

    pub(crate) const RUN: Self = Self {
        stride: 0.95,
        contact: 0.30,
        ahead: 0.115,
        lift: 0.12,
        push: 48.0,
        crouch: 0.030,
        bounce: 0.026,
        highest: 0.40,
        sway: 0.010,
        twist: 13.0,
        lean: 13.0,
        swing: 0.15,
    };

    pub(crate) const FLEE: Self =
        Self { stride: 1.0, contact: 0.28, lift: 0.14, bounce: 0.032, lean: 17.0, swing: 0.05, ..Self::RUN };

    /// The stance at a phase of the cycle: the left foot is set down at 0, the right one at 0.5.
    pub(crate) fn stance(&self, phase: f64) -> Stance {
        let mut stance = self.body(phase);
        for (side, offset) in [0.0, 0.5].into_iter().enumerate() {
            self.step(&mut stance, side, (phase + offset).rem_euclid(1.0));
        }
        stance
    }

    /// All but the feet.
    fn body(&self, phase: f64) -> Stance {
        let mut stance = Stance::standing();
        let (side, double) = (wave(phase), 2.0 * std::f64::consts::TAU);
        let up = cos(double * (phase - self.highest));
        let forward = cos(std::f64::consts::TAU * phase);
        stance.hips = DVec3::new(0.0, self.sway * side, -self.crouch + self.bounce * up);
        stance.hips_turn = DVec3::new(3.5 * side, 0.4 * self.lean, -self.twist * forward);
        stance.spine = DVec3::new(-2.5 * side, 0.3 * self.lean + 2.0, self.twist * forward);
        stance.chest = DVec3::new(-3.0 * side, 0.3 * self.lean + 3.0, 0.9 * self.twist * forward);
        stance.neck = DVec3::new(0.0, -0.4 * self.lean - 2.0, -0.4 * self.twist * forward);
        stance.head = DVec3::new(2.0 * side, -0.5 * self.lean - 4.0 - 1.5 * up, -0.4 * self.twist * forward);
        // What is soft follows late.
        let late = cos(double * (phase - self.highest - 0.11));
        let strong = self.bounce / 0.011;
        stance.belly = [-0.006 * strong.min(1.8) * late, -0.005 * wave(phase - 0.1)];
        let flop = 5.0 * strong * sin(double * (phase - self.highest));
        stance.ears = [[flop + 2.0 * side, 6.0 + self.lean], [flop - 2.0 * side, 6.0 + self.lean]];
        for (index, sign) in [-1.0, 1.0].into_iter().enumerate() {
            let hand = &mut stance.hands[index];
            let swing = sign * forward;
            hand.at += DVec3::new(self.swing * swing, -0.25 * self.swing * swing.max(0.0), 0.0);
            hand.at.z += self.swing * (0.45 * swing.max(0.0) + 0.15 * (-swing).max(0.0)) + 0.4 * self.bounce * up;
            hand.turn = DVec3::new(0.0, -12.0 * swing, 0.0);
        }
        stance
    }

    /// A foot, at a share of the cycle after it was set down.
    fn step(&self, stance: &mut Stance, side: usize, since: f64) {
        let foot = &mut stance.feet[side];
        foot.ball.y = -0.012;
        foot.yaw = 5.0;
        if since < self.contact {
            foot.ball.x = self.ahead - self.stride * since;
            foot.heel = self.push * ease((since / self.contact - 0.5) / 0.5);
        } else {
            let share = (since - self.contact) / (1.0 - self.contact);
            let behind = self.ahead - self.stride * self.contact;
            foot.ball.x = arc(behind, self.ahead, -self.stride * (1.0 - self.contact), share);
            foot.ball.z = self.lift * bump(share);
            foot.heel = swung(self.push, share);
            foot.toes = -0.4 * foot.heel.max(0.0) * bump(share);
        }
    }

    /// From standing to the beginning of the cycle: how far that is, and the stance at a share of it. The right foot goes first.
    pub(crate) fn start(&self) -> f64 {
        0.5 * self.stride + self.first()
    }

    /// The length of the first step, in metres.
    fn first(&self) -> f64 {
        (self.stride * self.contact - self.ahead).min(0.15)
    }

    pub(crate) fn starting(&self, share: f64) -> Stance {
        let (whole, first) = (self.start(), self.first());
        let gone = share * whole;
        let mut stance = Stance::standing().mixed(&self.body(0.0), ease(share * 1.4));
        // The right foot is set down a first step on, half a cycle before the left one, and from then on does what it does in the gait.
        if gone < first {
            let landing = whole + self.ahead - 0.5 * self.stride;
            place(&mut stance.feet[1], self, gone, (0.0, 0.0), (first, landing));
        } else {
            self.step(&mut stance, 1, ((gone - first) / self.stride).min(0.5));
        }
        let left = &mut stance.feet[0];
        let leaves = (self.stride * self.contact - self.ahead).min(first + 0.02);
        place(left, self, gone, (leaves, 0.0), (whole, whole + self.ahead));
        if gone < leaves {
            left.heel = self.push * ease(gone / leaves - 0.3);
        }
        stance
    }

    /// From the beginning of the cycle to standing: how far that is.
    pub(crate) fn stop(&self) -> f64 {
        self.ahead
    }

    pub(crate) fn stopping(&self, share: f64) -> Stance {
        let gone = share * self.stop();
        let mut stance = self.body(0.0).mixed(&Stance::standing(), ease(share));
        place(&mut stance.feet[0], self, gone, (1.0, self.ahead), (2.0, self.ahead));
        // The other foot is drawn up beside it, from wherever it is half a cycle after it was set down.
        let mut behind = stance;
        self.step(&mut behind, 1, 0.5);
        let (from, foot) = (behind.feet[1], &mut stance.feet[1]);
        *foot = from;
        foot.ball.x = from.ball.x * (1.0 - ease(share));
        foot.ball.z = from.ball.z * (1.0 - ease(share)) + 0.6 * self.lift * bump(share);
        foot.heel = from.heel * (1.0 - ease(share));
        foot.toes = from.toes * (1.0 - ease(share));
        stance
    }
}

/// A foot that leaves the ground at (distance, place) and is set down at another.
fn place(foot: &mut super::stance::Foot, gait: &Gait, gone: f64, from: (f64, f64), to: (f64, f64)) {
    let share = ((gone - from.0) / (to.0 - from.0)).clamp(0.0, 1.0);
    foot.ball.x = from.1 + (to.1 - from.1) * ease(share) - gone;
    foot.ball.z = gait.lift * bump(share);
    foot.ball.y = -0.012;
    foot.yaw = 5.0;
    foot.heel = if share > 0.0 && share < 1.0 { swung(gait.push, share) } else { 0.0 };
    foot.toes = 0.0;
}

/// From one place to another, with the same speed at both ends (Hermite).
fn arc(from: f64, to: f64, speed: f64, share: f64) -> f64 {
    let (t, t2) = (share, share * share);
    from + (to - from) * ease(t) + speed * (t - 3.0 * t2 + 2.0 * t2 * t)
}

/// The heel of a foot in the air: from where it left the ground, past toes up, to flat.
fn swung(push: f64, share: f64) -> f64 {
    push * (1.0 + 0.9 * share) * (1.0 - ease(share / 0.62)) - 9.0 * bump((share - 0.3) / 0.65)
}
