//! The machine that some live by, and how far goals are, as shaders read them: world/machine.wgsl, world/nearest.wgsl.

use super::world::{Record, numbers, signal_records};
use crate::geometry::Rect;
use crate::world::machine::Machine;
use crate::world::nearest::{Nearest, TOGETHER};

/// Says of a transition that it is tested in every step.
const INTERRUPTS: u32 = 1;
/// Records of a transition.
const SIZE: usize = 4;

/// Writes states, two records each, then transitions, then the steps of events. Returns where that begins.
pub(super) fn add_machine(machine: &Machine, out: &mut Vec<Record>) -> u32 {
    let at = out.len();
    let ways = at + 2 * machine.states.len();
    for state in &machine.states {
        out.push([state.kind as u32, state.place.into(), state.speed.to_bits(), 0]);
        out.push([state.least, state.more, (ways + SIZE * state.first) as u32, state.count as u32]);
    }
    for (number, way) in machine.transitions.iter().enumerate() {
        let interrupts = if way.interrupt { INTERRUPTS } else { 0 };
        out.push([way.to.into(), interrupts, way.group.into(), number as u32]);
        out.push([way.of_group.into(), way.after, 0, way.chance]);
        let [within, beyond] = way.hazard.map(f32::to_bits);
        out.push([way.goal.0.into(), way.goal.1.to_bits(), within, beyond]);
        let others = way.others.map(|o| [o.radius.to_bits(), o.least, o.most, o.state.into()]);
        out.push(others.unwrap_or_default());
    }
    for (number, way) in machine.transitions.iter().enumerate() {
        if let Some(steps) = &way.event {
            out[ways + SIZE * number + 1][2] = signal_records(out, steps);
        }
    }
    at as u32
}

fn record(r: Rect) -> Record {
    numbers([r.min.x, r.min.y, r.max.x, r.max.y])
}

/// For each goal where its rectangles are, from the beginning of the list, how many, and whether it is shut; then the rectangle around them;
/// then all rectangles.
pub(super) fn nearest_records(nearest: &Nearest) -> Vec<Record> {
    let goals = nearest.goals();
    let mut out: Vec<Record> = vec![[0; 4]; 2 * goals.len()];
    for (goal, near) in goals.iter().enumerate() {
        let Some(bounds) = near.bounds else { continue };
        out[2 * goal] = [out.len() as u32, near.groups.len() as u32, near.shut.into(), 0];
        out[2 * goal + 1] = record(bounds);
        for group in &near.groups {
            out.push(record(group.bounds));
            // Groups take the same room; once more the last makes no difference.
            let last = group.rects.len() - 1;
            out.extend((0..TOGETHER).map(|k| record(group.rects[k.min(last)])));
        }
    }
    out
}
