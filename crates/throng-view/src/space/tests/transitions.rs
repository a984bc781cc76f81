//! From one act to the next: the clips that lead there, on the device.

use super::creatures::{Doll, dolls};
use super::*;
use crate::space::figure::creature;
use std::collections::BTreeMap;
use throng_creature::{PackedClips, Part, Role};

/// Somebody who does one thing after another: clips, and for how many seconds each.
fn in_turn(acts: &[(&str, f32)]) -> String {
    let name = |k: usize| format!("number {k}");
    let states = acts.iter().enumerate().map(|(k, (clip, seconds))| {
        let then = name((k + 1).min(acts.len() - 1));
        format!(
            "[[state]]\nname = \"{}\"\nclip = \"{clip}\"\nseconds = {seconds}\nthen = [{{ to = \"{then}\" }}]\n",
            name(k)
        )
    });
    let states: String = states.collect();
    let one = "[[agents]]\ncount = 1\nstart = { rect = [9.8, 9.8, 10.2, 10.2] }\nstate = \"number 0\"\n";
    format!("name = \"post\"\ncell = 0.5\nsize = [20, 20]\ndt = 0.05\n{states}{one}")
}

/// Who is there, frame by frame, a frame for each step.
fn frames(text: &str, steps: u32) -> Vec<Doll> {
    let clips = PackedClips::pack(&creature().clips).expect("they pack");
    let mut set = Set::new(text, 0);
    let frame = |_| {
        set.sim.steps_by(1).expect("the engine works");
        set.shoot(Settings { shadows: false, ..Settings::default() });
        dolls(&set, &clips).pop().expect("somebody is there")
    };
    (0..steps).map(frame).collect()
}

/// What it does, each once, in order.
fn deeds(frames: &[Doll]) -> Vec<&'static str> {
    let mut deeds: Vec<_> = frames.iter().map(Doll::does).collect();
    deeds.dedup();
    deeds
}

fn top(doll: &Doll) -> f32 {
    doll.vertices(2).map(|p| p.z).fold(0.0, f32::max)
}

/// The farthest that any point of somebody's skin goes from each frame to the next, as seen from itself: it may turn round.
fn leaps(frames: &[Doll]) -> Vec<f32> {
    // A pick that is not there may be anywhere.
    let skin = |doll: &Doll| {
        let vertices = doll.own_vertices(2).zip(&creature().lods[2].parts);
        vertices.filter(|(_, part)| **part == Part::Skin as u8).map(|(at, _)| at).collect()
    };
    let all: Vec<Vec<Vec3>> = frames.iter().map(skin).collect();
    let leap = |pair: &[Vec<Vec3>]| pair[0].iter().zip(&pair[1]).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
    all.windows(2).map(leap).collect()
}

#[test]
fn who_sits_down_goes_through_the_clip_for_it() {
    let frames = frames(&in_turn(&[("stand", 1.0), ("sit", 100.0)]), 60);
    let [stands, "sit down", sits] = deeds(&frames)[..] else { panic!("{:?}", deeds(&frames)) };
    let role = |name: &str| creature().clips.iter().find(|c| c.name == name).map(|c| (c.role, c.from));
    assert_eq!((role(stands), role(sits)), (Some((Role::Stand, None)), Some((Role::Rest, None))));
    let heights: Vec<f32> = frames.iter().map(top).collect();
    let whole = heights[0] - heights[59];
    assert!(whole > 0.2, "{heights:?}");
    // Down and down: breathing and nodding are all that it comes up again.
    let rises = heights.windows(2).map(|w| w[1] - w[0]).fold(0.0, f32::max);
    assert!(rises < 0.02, "it rises by {rises} m: {heights:?}");
    // A fade of 0.3 s would fall by a quarter in a frame of 0.05 s, a pop by all of it: here it takes 1.2 s.
    let falls = heights.windows(2).map(|w| w[0] - w[1]).fold(0.0, f32::max);
    assert!(falls < 0.12 * whole, "it falls by {falls} of {whole} m: {heights:?}");
    let sitting = frames.iter().filter(|doll| doll.does() == "sit down").count();
    assert!((20..=24).contains(&sitting), "1.2 s, and a fade sooner: {sitting} frames");
}

#[test]
fn who_has_no_clip_from_one_act_to_the_next_takes_those_over_standing() {
    let frames = frames(&in_turn(&[("cheer", 1.0), ("sit", 100.0)]), 70);
    let ["cheer", "settle", "sit down", _] = deeds(&frames)[..] else { panic!("{:?}", deeds(&frames)) };
}

#[test]
fn an_interrupted_clip_fades_from_what_is_shown() {
    // It has not yet sat down, has hardly begun to, or has just done so.
    for (seconds, to) in [(0.6, "wave"), (0.1, "look around"), (0.05, "wave"), (1.15, "wave")] {
        let frames = frames(&in_turn(&[("stand", 1.0), ("sit", seconds), (to, 100.0)]), 70);
        let deeds = deeds(&frames);
        assert!(deeds.contains(&"sit down") && *deeds.last().expect("some") == to, "{deeds:?}");
        let leaps = leaps(&frames);
        // A hand that waves goes 9 cm in a frame of 0.05 s; one that was popped to its new place would go half a metre.
        let most = leaps.iter().copied().fold(0.0, f32::max);
        assert!(most < 0.2, "{seconds} s and then {to}: {most} m in a frame of {leaps:.3?}");
    }
}

#[test]
fn who_changes_its_mind_within_a_fade_turns_back_without_a_pop() {
    let frames = frames(&in_turn(&[("wave", 1.0), ("hold", 0.15), ("wave", 100.0)]), 50);
    let most = leaps(&frames).into_iter().fold(0.0, f32::max);
    assert!(most < 0.2, "{most} m in a frame");
    let held = frames.iter().filter(|doll| doll.does() == "hold").count();
    assert!((1..=4).contains(&held), "{held} frames");
}

/// People who stand for a second and then walk off.
const OFF: &str = r#"
name = "off"
cell = 0.5
size = [30, 24]
dt = 0.02
goal = [{ name = "end", rect = [29, 0, 30, 24] }]
state = [
  { name = "wait", clip = "stand", seconds = 1, then = [{ to = "go" }] },
  { name = "go", clip = "walk", goal = "end", then = [{ to = "go" }] },
]
agents = [{ name = "walkers", count = 8, start = { rect = [2, 1, 8, 23] }, speed = { uniform = [0.7, 1.1] }, state = "wait" }]
"#;

/// Everybody frame by frame, by id.
fn all_frames(text: &str, steps: u32) -> BTreeMap<u32, Vec<Doll>> {
    let clips = PackedClips::pack(&creature().clips).expect("they pack");
    let mut set = Set::new(text, 0);
    let mut frames: BTreeMap<u32, Vec<Doll>> = BTreeMap::new();
    for _ in 0..steps {
        set.sim.steps_by(1).expect("the engine works");
        set.shoot(Settings { shadows: false, ..Settings::default() });
        for doll in dolls(&set, &clips) {
            frames.entry(doll.id).or_default().push(doll);
        }
    }
    frames
}

#[test]
fn who_starts_to_walk_steps_off_without_sliding() {
    let (mut steps, mut planted) = (0, 0);
    for (id, frames) in &all_frames(OFF, 140) {
        let deeds = deeds(frames);
        assert!(deeds.contains(&"start walking"), "{id} only does {deeds:?}");
        for side in ["left", "right"] {
            let lowest = frames.iter().map(|doll| doll.sole(side).z).fold(f32::INFINITY, f32::min);
            let mut since: Option<&Doll> = None;
            for doll in frames.iter().skip_while(|doll| doll.does() != "start walking") {
                let at = doll.sole(side);
                if at.z > lowest + 0.002 {
                    steps += u32::from(since.is_some());
                    since = None;
                    continue;
                }
                let begin = since.filter(|begin| (begin.fade > 0.0) == (doll.fade > 0.0)).unwrap_or(doll);
                since = Some(begin);
                let (slid, turned) = (begin.sole(side).distance(at), begin.ahead().angle_between(doll.ahead()));
                // While a start fades in, for 0.12 s, feet go half as far as the body; then they stay where they are, as in a walk. Who
                // turns does so about its middle, and a foot is up to 20 cm away from that.
                let most = if doll.fade > 0.0 { 0.05 } else { 0.02 } + 0.2 * turned;
                assert!(
                    slid < most,
                    "the {side} foot of {id} slides {slid} m in {} and turns by {turned}",
                    doll.does()
                );
                planted += 1;
            }
        }
    }
    assert!(planted > 400 && steps >= 24, "{planted} feet down, {steps} steps");
}

#[test]
fn who_is_to_walk_does_not_finish_sitting_down() {
    let text = OFF.replace("{ name = \"wait\", clip = \"stand\", seconds = 1, then", "{ name = \"wait\", clip = \"stand\", seconds = 0.5, then = [{ to = \"sit\" }] },\n { name = \"sit\", seconds = 0.5, then");
    for (id, frames) in &all_frames(&text, 80) {
        // Half a second after it has begun to walk it is in a walk, whatever it did before.
        let begins = frames.iter().position(|doll| doll.place.distance(frames[0].place) > 0.05);
        let begins = begins.unwrap_or_else(|| panic!("{id} stays"));
        let later = &frames[(begins + 25).min(frames.len() - 1)];
        assert!(["walk", "stroll", "start walking"].contains(&later.does()), "{id}: {}", later.does());
        assert!(deeds(frames).contains(&"sit down"), "{id} {:?}", deeds(frames));
        let most = leaps(frames).into_iter().fold(0.0, f32::max);
        assert!(most < 0.1, "{id} leaps {most} m in a frame of 0.02 s");
    }
}

#[test]
fn what_is_done_once_takes_as_long_as_its_state() {
    for seconds in [1.0f32, 4.0] {
        let steps = (20.0 * seconds) as usize;
        let frames = frames(&in_turn(&[("hold", 1.0), ("drop", seconds), ("wave", 100.0)]), 20 + steps as u32 + 10);
        let drops: Vec<f32> = frames.iter().filter(|doll| doll.does() == "drop").map(|doll| doll.phase).collect();
        assert!(drops.len().abs_diff(steps) <= 1, "{} frames of {seconds} s", drops.len());
        assert!(drops.is_sorted(), "{drops:?}");
        for (k, phase) in drops.iter().enumerate() {
            let even = k as f32 / drops.len() as f32;
            // A step more or less.
            assert!((phase - even).abs() < 1.5 / steps as f32, "{phase} after {k} of {steps} steps");
        }
    }
}

#[test]
fn who_was_not_seen_for_long_is_shown_as_it_is() {
    let clips = PackedClips::pack(&creature().clips).expect("they pack");
    let mut set = Set::new(&in_turn(&[("stand", 1.0), ("sit", 100.0)]), 1);
    let mut shown = |steps| {
        set.sim.steps_by(steps).expect("the engine works");
        set.shoot(Settings { shadows: false, ..Settings::default() });
        dolls(&set, &clips).pop().expect("somebody is there")
    };
    let first = shown(0);
    assert_eq!((creature().clips[first.clip].role, first.fade), (Role::Stand, 0.0));
    let last = shown(100);
    assert_eq!((creature().clips[last.clip].role, last.fade), (Role::Rest, 0.0));
}

/// People who walk for some metres and then work where they are.
const AT_WORK: &str = r#"
name = "at work"
cell = 0.5
size = [30, 40]
dt = 0.02
goal = [{ name = "rock", rect = [8, 0, 30, 40] }]
state = [
  { name = "go", clip = "walk", goal = "rock", then = [{ to = "mine" }] },
  { name = "mine", seconds = 100, then = [{ to = "mine" }] },
]
agents = [{ name = "walkers", count = 24, start = { rect = [4, 1, 7, 39] }, speed = { uniform = [0.7, 1.1] }, state = "go" }]
"#;

#[test]
fn who_comes_to_work_stops_and_takes_its_pick() {
    let mut stops = 0;
    for (id, frames) in &all_frames(AT_WORK, 400) {
        let deeds = deeds(frames);
        match deeds[..] {
            [_, "stop walking", "take the pick", "mine" | "mine low"] => stops += 1,
            // There are stops for the first part of a step alone.
            [_, "take the pick", "mine" | "mine low"] => {}
            _ => panic!("{id}: {deeds:?}"),
        }
        // Until it swings the pick: from 1.1 m/s to nothing in a step, and arms and legs that come to rest in 0.3 s.
        let until = frames.iter().position(|doll| doll.does().starts_with("mine")).unwrap_or(frames.len());
        let most = leaps(&frames[..until]).into_iter().fold(0.0, f32::max);
        assert!(most < 0.1, "{id} leaps {most} m in a frame of 0.02 s");
    }
    assert!((3..=16).contains(&stops), "{stops} of 24");
}
