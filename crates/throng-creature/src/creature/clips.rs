//! The table of clips, and how they are baked.

use rayon::prelude::*;

use super::acts;
use super::gait::Gait;
use super::pose::matrices;
use super::stance::{Stance, between, bump};
use crate::{Clip, Role};

/// How a clip's stances follow from a share of it.
enum Motion {
    /// By time, round and round.
    Act(fn(f64) -> Stance),
    /// By time, once.
    Once(fn(f64) -> Stance),
    /// By distance, round and round: the gait, what is worn over it, and how many metres a second are natural.
    Go(Gait, fn(&mut Stance, f64), f64),
    /// By distance: from standing into the gait, and out of it.
    Start(Gait, fn(&mut Stance, f64), f64),
    Stop(Gait, fn(&mut Stance, f64), f64),
    /// By time: from one stance to another.
    Change(fn(f64) -> Stance, fn(f64) -> Stance),
}

use Motion::{Act, Change, Go, Once, Start, Stop};

struct Entry {
    name: &'static str,
    role: Role,
    from: Option<Role>,
    seconds: f64,
    motion: Motion,
}

const fn act(name: &'static str, role: Role, seconds: f64, motion: Motion) -> Entry {
    Entry { name, role, from: None, seconds, motion }
}

const fn change(name: &'static str, from: Role, to: Role, seconds: f64, motion: Motion) -> Entry {
    Entry { name, role: to, from: Some(from), seconds, motion }
}

/// Every clip. Seconds of those driven by distance follow from their pace.
const TABLE: &[Entry] = &[
    act("stand", Role::Stand, 4.0, Act(acts::stand)),
    act("shift weight", Role::Stand, 5.0, Act(acts::shift)),
    act("scratch", Role::Stand, 4.5, Act(acts::scratch)),
    act("yawn", Role::Stand, 5.0, Act(acts::yawn)),
    act("look around", Role::Look, 4.5, Act(acts::look)),
    act("wave", Role::Wave, 3.0, Act(acts::wave_hand)),
    act("cheer", Role::Cheer, 1.1, Act(acts::cheer)),
    act("cower", Role::Cower, 2.4, Act(acts::cower)),
    act("walk", Role::Walk, 0.0, Go(Gait::WALK, plain, 0.75)),
    act("stroll", Role::Walk, 0.0, Go(Gait::STROLL, strolling, 0.45)),
    act("run", Role::Run, 0.0, Go(Gait::RUN, running, 1.9)),
    act("flee", Role::Flee, 0.0, Go(Gait::FLEE, fleeing, 2.2)),
    act("flee looking back", Role::Flee, 0.0, Go(Gait::FLEE, looking_back, 2.2)),
    act("carry", Role::Carry, 0.0, Go(Gait::CARRY, laden, 0.55)),
    act("stumble", Role::Stumble, 0.0, Go(Gait::WALK, stumbling, 0.6)),
    act("hold", Role::Hold, 4.0, Act(acts::hold)),
    act("mine", Role::Mine, 1.5, Act(acts::mine)),
    act("mine low", Role::Mine, 1.7, Act(acts::mine_low)),
    act("eat", Role::Eat, 4.0, Act(acts::eat)),
    act("rest", Role::Rest, 5.0, Act(acts::rest)),
    act("nod off", Role::Rest, 6.0, Act(acts::nod)),
    act("sleep", Role::Sleep, 6.0, Act(acts::sleep)),
    act("drop", Role::Drop, 2.2, Once(acts::drop)),
    act("pick up", Role::PickUp, 2.0, Once(acts::pick_up)),
    change("start walking", Role::Stand, Role::Walk, 0.0, Start(Gait::WALK, plain, 0.6)),
    change("stop walking", Role::Walk, Role::Stand, 0.0, Stop(Gait::WALK, plain, 0.4)),
    change("start running", Role::Stand, Role::Run, 0.0, Start(Gait::RUN, running, 1.4)),
    change("stop running", Role::Run, Role::Stand, 0.0, Stop(Gait::RUN, running, 0.5)),
    change("take flight", Role::Stand, Role::Flee, 0.0, Start(Gait::FLEE, fleeing, 1.6)),
    change("calm down", Role::Flee, Role::Stand, 0.0, Stop(Gait::FLEE, fleeing, 0.5)),
    change("start carrying", Role::Hold, Role::Carry, 0.0, Start(Gait::CARRY, laden, 0.45)),
    change("stop carrying", Role::Carry, Role::Hold, 0.0, Stop(Gait::CARRY, laden, 0.35)),
    change("take the pick", Role::Stand, Role::Mine, 0.7, Change(acts::stand, acts::mine)),
    change("put the pick away", Role::Mine, Role::Stand, 0.7, Change(acts::mine, acts::stand)),
    change("crouch to eat", Role::Stand, Role::Eat, 0.8, Change(acts::stand, acts::eat)),
    change("rise from eating", Role::Eat, Role::Stand, 0.8, Change(acts::eat, acts::stand)),
    change("sit down", Role::Stand, Role::Rest, 1.2, Change(acts::stand, acts::rest)),
    change("stand up", Role::Rest, Role::Stand, 1.2, Change(acts::rest, acts::stand)),
    change("lie down", Role::Rest, Role::Sleep, 1.4, Change(acts::rest, acts::sleep)),
    change("wake up", Role::Sleep, Role::Rest, 1.4, Change(acts::sleep, acts::rest)),
    change("duck", Role::Stand, Role::Cower, 0.35, Change(acts::stand, acts::cower)),
    change("recover", Role::Cower, Role::Stand, 0.9, Change(acts::cower, acts::stand)),
    change("rejoice", Role::Stand, Role::Cheer, 0.4, Change(acts::stand, acts::cheer)),
    change("settle", Role::Cheer, Role::Stand, 0.4, Change(acts::cheer, acts::stand)),
];

fn plain(_: &mut Stance, _: f64) {}

fn strolling(stance: &mut Stance, phase: f64) {
    stance.head.y -= 3.0;
    stance.head.x += 3.0 * crate::trig::wave(phase);
}

/// Fists up, elbows bent.
fn running(stance: &mut Stance, _: f64) {
    for hand in &mut stance.hands {
        hand.at.z += 0.085;
        hand.at.x += 0.03;
        hand.curl = 85.0;
    }
    stance.jaw = 4.0;
}

/// Arms in the air, ears back.
fn fleeing(stance: &mut Stance, phase: f64) {
    for (side, hand) in stance.hands.iter_mut().enumerate() {
        let beat = crate::trig::wave(2.0 * phase + 0.5 * side as f64);
        hand.at = glam::DVec3::new(0.06, 0.10 + 0.02 * beat, 0.17 + 0.04 * beat);
        hand.elbow = glam::DVec3::new(-0.3, 1.0, -0.5);
        hand.curl = 5.0;
    }
    stance.jaw = 18.0;
    for ear in &mut stance.ears {
        ear[0] -= 10.0;
        ear[1] += 22.0;
    }
}

fn looking_back(stance: &mut Stance, phase: f64) {
    fleeing(stance, phase);
    stance.head.z += 62.0;
    stance.neck.z += 14.0;
    stance.chest.z += 12.0;
}

fn laden(stance: &mut Stance, _: f64) {
    acts::laden(stance, 1.0);
}

/// A foot that does not come along, and arms that save the day.
fn stumbling(stance: &mut Stance, phase: f64) {
    let trip = between(phase, 0.1, 0.35) * (1.0 - between(phase, 0.6, 0.95));
    stance.hips_turn.y += 14.0 * trip;
    stance.spine.y += 12.0 * trip;
    stance.chest.y += 8.0 * trip;
    stance.head.y -= 22.0 * trip;
    stance.hips.z -= 0.018 * trip;
    stance.jaw = 14.0 * trip;
    for (side, hand) in stance.hands.iter_mut().enumerate() {
        let flail = bump((phase - 0.2 - 0.1 * side as f64) / 0.5);
        hand.at = hand.at.lerp(glam::DVec3::new(0.14, 0.17, 0.02), flail);
        hand.elbow = hand.elbow.lerp(glam::DVec3::new(-0.2, 1.0, -0.2), flail);
        hand.curl *= 1.0 - flail;
    }
    stance.ears = [[30.0 * trip, -8.0 * trip]; 2];
}

/// All clips of the creature.
pub(crate) fn clips() -> Vec<Clip> {
    TABLE.par_iter().map(bake).collect()
}

fn bake(entry: &Entry) -> Clip {
    let (seconds, stride, looped) = match &entry.motion {
        Act(_) => (entry.seconds, 0.0, true),
        Once(_) | Change(..) => (entry.seconds, 0.0, false),
        Go(gait, _, pace) => (gait.stride / pace, gait.stride, true),
        Start(gait, _, pace) => (gait.start() / pace, gait.start(), false),
        Stop(gait, _, pace) => (gait.stop() / pace, gait.stop(), false),
    };
    // 16 keys a second, and at least 32 in a cycle of steps: what is between keys is mixed along straight lines.
    let fewest = if stride > 0.0 && looped { 32 } else { 12 };
    let spans = ((seconds * 16.0).ceil() as u32).max(fewest);
    let mut keys: Vec<_> = (0..=spans).map(|key| matrices(&entry.stance(f64::from(key) / f64::from(spans)))).collect();
    if looped {
        // A wave after a full turn is zero but for its last digits.
        keys[spans as usize] = keys[0].clone();
    }
    Clip {
        name: entry.name.to_owned(),
        role: entry.role,
        from: entry.from,
        seconds: seconds as f32,
        stride: stride as f32,
        looped,
        keys: spans + 1,
        matrices: keys.concat(),
    }
}

impl Entry {
    /// What the creature does at a share of the clip.
    fn stance(&self, t: f64) -> Stance {
        match &self.motion {
            Act(stance) | Once(stance) => stance(t),
            Go(gait, wear, _) => {
                let mut stance = gait.stance(t);
                wear(&mut stance, t);
                stance
            }
            Start(gait, wear, _) => worn(gait.starting(t), wear, 0.0, t),
            Stop(gait, wear, _) => worn(gait.stopping(t), wear, 0.0, 1.0 - t),
            Change(from, to) => from(0.0).stepped(&to(0.0), t),
        }
    }
}

/// A stance with something worn over it, some of the way; its feet stay where they are.
fn worn(bare: Stance, wear: &fn(&mut Stance, f64), phase: f64, share: f64) -> Stance {
    let mut dressed = bare;
    wear(&mut dressed, phase);
    // A load is carried all the way.
    let share = if dressed.basket > 0.0 { 1.0 } else { share };
    Stance { feet: bare.feet, ..bare.mixed(&dressed, between(share, 0.0, 1.0)) }
}
