//! What creatures do where they stand, sit or lie: stances from a share of the clip.

use glam::DVec3;

use super::stance::{Stance, between, bump};
use crate::trig::wave;

const fn v(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

/// Breathing, with so many breaths in the clip.
fn breathe(stance: &mut Stance, t: f64, breaths: f64, deep: f64) {
    let breath = wave(breaths * t);
    stance.hips.z += 0.002 * deep * breath;
    stance.chest.y -= 1.6 * deep * breath;
    stance.head.y += 1.0 * deep * breath;
    stance.belly[0] += 0.003 * deep * wave(breaths * t - 0.1);
    for hand in &mut stance.hands {
        hand.at += v(0.0, 0.004, 0.004) * (deep * breath);
    }
}

/// Eyes closed for a moment at a time.
fn blink(stance: &mut Stance, t: f64, at: f64, wide: f64) {
    stance.eyes *= 1.0 - bump((t - at) / wide + 0.5);
}

pub(crate) fn stand(t: f64) -> Stance {
    let mut stance = Stance::standing();
    breathe(&mut stance, t, 2.0, 1.0);
    stance.hips.y = 0.006 * wave(t);
    stance.head.z += 4.0 * wave(t);
    stance.ears[0][0] += 7.0 * bump((t - 0.55) / 0.12);
    blink(&mut stance, t, 0.3, 0.05);
    blink(&mut stance, t, 0.82, 0.05);
    stance
}

/// The weight on one foot, then on the other.
pub(crate) fn shift(t: f64) -> Stance {
    let mut stance = stand(t);
    let side = wave(t);
    stance.hips.y = 0.032 * side;
    stance.hips.z -= 0.006 * side.abs();
    stance.hips_turn.x = 4.0 * side;
    stance.spine.x = -3.5 * side;
    stance.chest.x = -3.0 * side;
    stance.head.x = 3.0 * side;
    stance
}

pub(crate) fn scratch(t: f64) -> Stance {
    let mut stance = stand(t);
    let up = between(t, 0.12, 0.32) * (1.0 - between(t, 0.72, 0.92));
    let rub = up * wave(9.0 * t);
    let hand = &mut stance.hands[0];
    hand.at = hand.at.lerp(v(0.06, 0.06 + 0.012 * rub, 0.185), up);
    hand.elbow = hand.elbow.lerp(v(-0.1, 1.0, -0.3), up);
    hand.curl += 35.0 * up;
    stance.head.x -= 9.0 * up;
    stance.head.z += 6.0 * up;
    stance.ears[0][1] += 20.0 * up;
    stance
}

pub(crate) fn yawn(t: f64) -> Stance {
    let mut stance = stand(t);
    let up = between(t, 0.2, 0.45) * (1.0 - between(t, 0.62, 0.85));
    stance.jaw = 24.0 * up;
    stance.eyes *= 1.0 - 0.95 * up;
    stance.head.y -= 16.0 * up;
    stance.chest.y -= 9.0 * up;
    stance.ears = [[-14.0 * up, 24.0 * up]; 2];
    for hand in &mut stance.hands {
        hand.at = hand.at.lerp(v(-0.02, 0.19, -0.08), up);
        hand.curl += 40.0 * up;
    }
    stance
}

pub(crate) fn look(t: f64) -> Stance {
    let mut stance = stand(t);
    let left = between(t, 0.06, 0.2) * (1.0 - between(t, 0.38, 0.52));
    let right = between(t, 0.44, 0.6) * (1.0 - between(t, 0.82, 0.96));
    let side = left - right;
    stance.head.z = 46.0 * side;
    stance.head.y -= 5.0 * (left + right);
    stance.neck.z = 12.0 * side;
    stance.chest.z = 12.0 * side;
    stance.hips_turn.z = 4.0 * side;
    stance.ears = [[12.0 * (left + right), -10.0 * side], [12.0 * (left + right), 10.0 * side]];
    stance
}

pub(crate) fn wave_hand(t: f64) -> Stance {
    let mut stance = stand(t);
    let up = between(t, 0.05, 0.25) * (1.0 - between(t, 0.75, 0.95));
    let to_and_fro = wave(4.0 * t);
    let hand = &mut stance.hands[1];
    hand.at = hand.at.lerp(v(0.06, 0.13 + 0.05 * to_and_fro, 0.22), up);
    hand.elbow = hand.elbow.lerp(v(-0.3, 1.0, -0.5), up);
    hand.turn = v(18.0 * to_and_fro, 0.0, 0.0) * up;
    hand.curl *= 1.0 - up;
    stance.jaw = 8.0 * up;
    stance.head.x = 5.0 * up;
    stance.spine.x = 4.0 * up;
    stance.ears = [[14.0 * up, 0.0]; 2];
    stance
}

pub(crate) fn cheer(t: f64) -> Stance {
    let mut stance = Stance::standing();
    // Two hops a cycle; feet leave the ground with the body.
    let hop = wave(t).abs() * wave(t).abs();
    let high = 0.075 * hop;
    stance.hips.z = -0.045 + high + 0.035 * hop;
    for (side, foot) in stance.feet.iter_mut().enumerate() {
        foot.ball.z = high;
        foot.heel = 24.0 * hop;
        let hand = &mut stance.hands[side];
        hand.at = v(0.05, 0.10, 0.19 + 0.05 * hop);
        hand.elbow = v(-0.2, 1.0, -0.4);
        hand.curl = 70.0;
    }
    stance.jaw = 14.0;
    stance.head.y -= 10.0;
    stance.belly = [-0.010 * wave(2.0 * t + 0.1), 0.0];
    stance.ears = [[-10.0 + 26.0 * wave(2.0 * t - 0.3), 0.0]; 2];
    stance
}

pub(crate) fn cower(t: f64) -> Stance {
    let mut stance = Stance::standing();
    let shake = wave(8.0 * t);
    stance.hips = v(-0.03, 0.002 * shake, -0.105);
    stance.hips_turn = v(0.0, 18.0, 0.0);
    stance.spine.y = 20.0;
    stance.chest.y = 20.0;
    stance.head = v(1.5 * shake, 2.0, 2.5 * wave(t));
    stance.ears = [[-32.0 + 2.0 * shake, 34.0]; 2];
    stance.eyes = 0.45;
    for (side, foot) in stance.feet.iter_mut().enumerate() {
        foot.knee = 20.0;
        let hand = &mut stance.hands[side];
        hand.at = v(0.16, -0.025, 0.115 + 0.003 * shake);
        hand.elbow = v(0.1, 1.0, -0.6);
        hand.curl = 40.0;
    }
    stance
}

/// Both hands on the pick: up behind the head, down onto the stone.
pub(crate) fn mine(t: f64) -> Stance {
    swing_pick(t, 0.0)
}

/// The same, at a stone on the ground.
pub(crate) fn mine_low(t: f64) -> Stance {
    swing_pick(t, 1.0)
}

fn swing_pick(t: f64, low: f64) -> Stance {
    let mut stance = Stance::standing();
    // Up slowly, down fast, a moment of rest on the stone.
    let up = between(t, 0.08, 0.52) * (1.0 - between(t, 0.60, 0.74));
    let hit = bump((t - 0.72) / 0.14);
    let (down, side) = (1.0 - up, 0.35);
    stance.hips = v(-0.02 * up + 0.01 * down, 0.0, -0.035 - 0.03 * down - 0.025 * low);
    stance.hips_turn = v(0.0, 4.0 + 16.0 * down - 8.0 * up + 8.0 * low, 8.0 * side);
    stance.spine = v(0.0, 12.0 * down - 8.0 * up + 5.0 * low, 0.0);
    stance.chest = v(0.0, 14.0 * down - 12.0 * up + 3.0 * low, 6.0 * (down - up) * side);
    stance.neck = v(0.0, -8.0 * down + 6.0 * up, 0.0);
    stance.head = v(0.0, -12.0 * down + 6.0 * up - 4.0 * hit, 0.0);
    stance.ears = [[-16.0 * hit + 8.0 * up, 10.0]; 2];
    stance.belly = [-0.012 * hit, 0.0];
    stance.eyes = 1.0 - 0.7 * hit;
    stance.jaw = 5.0 * up;
    let raised = v(0.10, -0.05, 0.17);
    let lowered = v(0.20, -0.07, -0.16 - 0.03 * low);
    let hand = &mut stance.hands[1];
    hand.at = lowered.lerp(raised, up) + v(0.08 * bump(up), 0.0, 0.0);
    hand.elbow = v(-0.3, 1.0, -0.7 + 0.5 * up);
    hand.turn = v(0.0, 0.0, 0.0);
    hand.curl = 95.0;
    stance.hands[0].curl = 95.0;
    stance.hands[0].at = hand_near(lowered.lerp(raised, up));
    stance.hands[0].elbow = v(-0.3, 1.0, -0.7 + 0.5 * up);
    stance.feet[0].ball = v(0.05, 0.015, 0.0);
    stance.feet[1].ball = v(-0.05, 0.02, 0.0);
    stance.feet[1].yaw = 22.0;
    stance.pick = 1.0;
    stance.swing = 150.0 * up - (12.0 + 10.0 * low) * down;
    stance.grip = 1.0;
    stance
}

fn hand_near(at: DVec3) -> DVec3 {
    v(at.x, -0.05, at.z - 0.03)
}

/// Sitting on its heels, from the ground to the mouth and chewing.
pub(crate) fn eat(t: f64) -> Stance {
    let mut stance = squat();
    let cycle = (2.0 * t).rem_euclid(1.0);
    let right = t >= 0.5;
    let up = between(cycle, 0.25, 0.48) * (1.0 - between(cycle, 0.66, 0.9));
    let hand = &mut stance.hands[usize::from(right)];
    hand.at = v(0.17, 0.0, -0.21).lerp(v(0.165, -0.085, 0.085), up);
    hand.elbow = v(-0.3, 1.0, -0.5);
    hand.curl = 55.0;
    hand.turn = v(0.0, -30.0 * up, 0.0);
    stance.head.y += 14.0 * (1.0 - up) - 6.0 * up;
    stance.head.z = if right { -6.0 } else { 6.0 } * (1.0 - up) * bump(cycle);
    stance.jaw = 16.0 * bump((cycle - 0.5) / 0.3)
        + 6.0 * bump((cycle - 0.72) / 0.16)
        + 6.0 * bump((cycle - 0.9) / 0.16)
        + 5.0 * bump((cycle - 0.1) / 0.16);
    stance.ears = [[6.0 * wave(4.0 * t), 4.0]; 2];
    breathe(&mut stance, t, 2.0, 0.6);
    stance
}

/// Down on its heels.
fn squat() -> Stance {
    let mut stance = Stance::standing();
    stance.hips = v(-0.075, 0.0, -0.20);
    stance.hips_turn.y = 14.0;
    stance.spine.y = 10.0;
    stance.chest.y = 8.0;
    stance.neck.y = -6.0;
    stance.head.y = -8.0;
    for foot in &mut stance.feet {
        foot.knee = 28.0;
        foot.yaw = 18.0;
        foot.ball.y = 0.02;
        foot.heel = 12.0;
    }
    stance
}

/// Sitting on the ground, legs out, hands on the knees.
pub(crate) fn rest(t: f64) -> Stance {
    let mut stance = seated();
    breathe(&mut stance, t, 2.0, 1.2);
    stance.head.z = 9.0 * wave(t);
    stance.feet[0].heel += 6.0 * bump((t - 0.5) / 0.2);
    blink(&mut stance, t, 0.4, 0.05);
    blink(&mut stance, t, 0.9, 0.05);
    stance
}

/// Sitting, and nodding off.
pub(crate) fn nod(t: f64) -> Stance {
    let mut stance = seated();
    breathe(&mut stance, t, 2.0, 1.3);
    let down = between(t, 0.1, 0.7) * (1.0 - between(t, 0.74, 0.82));
    stance.head.y += 26.0 * down;
    stance.neck.y += 8.0 * down;
    stance.eyes = 1.0 - 0.98 * down;
    stance.ears = [[-14.0 * down, 4.0]; 2];
    stance
}

fn seated() -> Stance {
    let mut stance = Stance::standing();
    stance.laid = 1.0;
    stance.hips = v(-0.14, 0.0, -0.275);
    stance.hips_turn.y = -14.0;
    stance.spine.y = 12.0;
    stance.chest.y = 10.0;
    stance.neck.y = 2.0;
    stance.head.y = -6.0;
    for (side, foot) in stance.feet.iter_mut().enumerate() {
        foot.ball = v(0.075, 0.06, 0.128);
        foot.pitch = 62.0;
        foot.yaw = 22.0;
        foot.knee = 24.0;
        let hand = &mut stance.hands[side];
        hand.at = v(0.15, 0.035, -0.165);
        hand.elbow = v(-0.6, 1.0, -0.2);
        hand.curl = 30.0;
    }
    stance
}

/// On its back, hands on the belly.
pub(crate) fn sleep(t: f64) -> Stance {
    let mut stance = Stance::standing();
    stance.laid = 1.0;
    stance.hips = v(-0.10, 0.0, -0.222);
    stance.hips_turn.y = -88.0;
    stance.spine.y = -4.0;
    stance.chest.y = -1.0;
    stance.neck.y = 3.0;
    stance.head = v(0.0, 5.0, 4.0);
    stance.eyes = 0.0;
    stance.ears = [[-8.0, -14.0]; 2];
    for (side, foot) in stance.feet.iter_mut().enumerate() {
        foot.ball = v(0.155, 0.055, 0.150);
        foot.pitch = 78.0;
        foot.yaw = 24.0;
        foot.knee = 26.0;
        let hand = &mut stance.hands[side];
        hand.at = v(0.17, -0.06, -0.13);
        hand.elbow = v(-0.2, 1.0, -0.2);
        hand.curl = 25.0;
    }
    let breath = wave(2.0 * t);
    stance.belly[0] = 0.002 * breath;
    stance.chest.y -= 2.2 * breath;
    stance.jaw = 4.0 + 4.0 * breath;
    for hand in &mut stance.hands {
        hand.at.x += 0.008 * breath;
    }
    stance
}

/// With a full basket in both hands.
pub(crate) fn hold(t: f64) -> Stance {
    let mut stance = Stance::standing();
    breathe(&mut stance, t, 2.0, 1.3);
    laden(&mut stance, 1.0);
    stance.head.z = 5.0 * wave(t);
    blink(&mut stance, t, 0.6, 0.05);
    stance
}

/// Arms around a basket, some of the way.
pub(crate) fn laden(stance: &mut Stance, share: f64) {
    for hand in &mut stance.hands {
        hand.at = hand.at.lerp(v(0.195, 0.0, -0.155), share);
        hand.elbow = hand.elbow.lerp(v(-0.5, 1.0, -0.5), share);
        hand.turn = hand.turn.lerp(v(35.0, 0.0, 0.0), share);
        hand.curl += (40.0 - hand.curl) * share;
    }
    stance.spine.y -= 7.0 * share;
    stance.chest.y -= 2.0 * share;
    stance.hips.z -= 0.012 * share;
    stance.basket = share;
    stance.load = share;
}

/// The basket goes down to the ground; then it is gone, emptied.
pub(crate) fn drop(t: f64) -> Stance {
    let (down, up) = (between(t, 0.05, 0.42), between(t, 0.62, 1.0));
    let mut stance = hold(0.0).mixed(&stooped(), down).mixed(&stand(0.0), up);
    stance.put_down = between(t, 0.30, 0.44);
    stance.basket = 1.0 - between(t, 0.86, 1.0);
    stance.load = 1.0 - between(t, 0.5, 0.75);
    stance
}

/// The other way round, with what it takes to lift.
pub(crate) fn pick_up(t: f64) -> Stance {
    let (down, up) = (between(t, 0.0, 0.34), between(t, 0.52, 0.95));
    let mut stance = stand(0.0).mixed(&stooped(), down).mixed(&hold(0.0), up);
    stance.put_down = 1.0 - between(t, 0.50, 0.64);
    stance.basket = between(t, 0.0, 0.14);
    stance.load = between(t, 0.1, 0.4);
    stance.head.y -= 8.0 * bump((t - 0.6) / 0.3);
    stance
}

/// Bent down to a basket on the ground ahead.
fn stooped() -> Stance {
    let mut stance = Stance::standing();
    stance.hips = v(-0.085, 0.0, -0.13);
    stance.hips_turn.y = 34.0;
    stance.spine.y = 20.0;
    stance.chest.y = 14.0;
    stance.neck.y = -12.0;
    stance.head.y = -14.0;
    for (side, foot) in stance.feet.iter_mut().enumerate() {
        foot.knee = 26.0;
        let hand = &mut stance.hands[side];
        hand.at = v(0.21, 0.0, -0.19);
        hand.elbow = v(-0.5, 1.0, -0.2);
        hand.turn = v(35.0, 0.0, 0.0);
        hand.curl = 40.0;
    }
    stance
}
