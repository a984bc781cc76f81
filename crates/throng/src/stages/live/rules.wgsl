// What the scene says about groups, as engine/gpu/world.rs writes it into `world` behind the cells: three records a
// group, then journeys and areas.

struct Rules {
    legs: u32,
    leg_count: u32,
    arrive: u32,
    has_rate: u32,
}

const PARK: u32 = 0u;
const NEXT: u32 = 1u;

fn rules_of(group: u32) -> Rules {
    let r = world[params.cells + group * 3u];
    // Behind the lowest bit: the manner of the steering bvp.
    return Rules(r.x, r.y, r.z, r.w & 1u);
}

// A leg of a journey: goal, steps to wait there, whether to wait at all (or until an event), for a point where the record of it is.
fn leg(rules: Rules, number: u32) -> vec4<u32> { return world[rules.legs + number]; }

// Per group, behind the tally: let in so far, first-timers outside, others outside, how many the source may have let in
// by now, failures in this step, and who became an outsider in this step.
const LET_IN: u32 = 0u;
const FIRST_TIMERS: u32 = 1u;
const OTHERS: u32 = 2u;
const BUDGET: u32 = 3u;
const FAILURES: u32 = 4u;
const JOINING: u32 = 5u;

fn count_at(kind: u32, group: u32) -> u32 { return GROUP_COUNTS + kind * params.groups + group; }
