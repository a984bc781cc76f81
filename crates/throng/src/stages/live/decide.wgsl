// What those who live by states do about it in this step: the first transition that holds, that the clip begins again, or nothing. Reads
// everybody, and writes one number each. See states.rs, whose rules these are.

@group(0) @binding(1) var<storage, read> motion: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> journey: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> world: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read> starts: array<u32>;
@group(0) @binding(5) var<storage, read> clip: array<vec2<f32>>;
// Where the transition is in `world`, AGAIN, or 0.
@group(0) @binding(6) var<storage, read_write> decided: array<u32>;

const AGAIN: u32 = 1u;
const INTERRUPTS: u32 = 1u;
// The bits of the greatest and the least number: nothing is asked of hazards.
const NO_END: u32 = 0x7f7fffffu;
const NO_BEGIN: u32 = 0xff7fffffu;

// Whether as many others are near as asked for: radius; at least, at most so many; in a state.
fn are_near(i: u32, p: vec2<f32>, radius: f32, others: vec4<u32>) -> bool {
    let reach = radius + params.moved;
    let low = cell_xy(p - reach);
    let high = cell_xy(p + reach);
    var near = 0u;
    for (var y = low.y; y <= high.y; y++) {
        for (var j = starts[y * params.width + low.x]; j < starts[y * params.width + high.x + 1u]; j++) {
            let other = journey[j];
            if (j == i || !on_floor(other)) { continue; }
            if (others.w != ANY && (leg_of(other) != others.w || !lives_by_states(other))) { continue; }
            let away = motion[j].xy - p;
            if (dot(away, away) < radius * radius) { near += 1u; }
        }
    }
    return near >= others.y && near <= others.z;
}

// Whether an event has happened since a state began; `at` is where its steps are, after their number.
fn has_happened(at: u32, began: u32, now: u32) -> bool {
    let count = world[at].x;
    for (var k = 1u; k <= count; k++) {
        let step = world[at + k / 4u][k & 3u];
        if (step > began && step <= now) { return true; }
    }
    return false;
}

// Whether the transition that is written at `at`, number `number` of all, holds.
fn holds(i: u32, own: vec4<u32>, at: u32) -> bool {
    let asks = world[at + 1u];
    let lasted = u32(clip[i].x) + 1u;
    let now = params.step + 1u;
    if (asks.x != ANY && asks.x != group_of(own)) { return false; }
    if (lasted < asks.y) { return false; }
    if (asks.z != 0u && !has_happened(asks.z, now - min(now, lasted), now)) { return false; }
    let dice = draw(params.seed, own.x, CHANCE, params.step * 256u + world[at].w);
    if ((dice.x >> 8u) >= asks.w) { return false; }
    let p = motion[i].xy;
    let goal = world[at + 2u];
    if (goal.z != NO_END || goal.w != NO_BEGIN) {
        let danger = hazard_distance(p);
        if (danger >= bitcast<f32>(goal.z) || danger < bitcast<f32>(goal.w)) { return false; }
    }
    if (goal.x != POINT && nearest_within(goal.x, p, bitcast<f32>(goal.y), false).z == 0.0) { return false; }
    let others = world[at + 3u];
    return others.x == 0u || are_near(i, p, bitcast<f32>(others.x), others);
}

@compute @workgroup_size(128)
fn decide(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
          @builtin(local_invocation_index) lane: u32) {
    let i = item(group, groups, lane, 128u);
    if (i >= starts[params.cells]) { return; }
    let own = journey[i];
    decided[i] = 0u;
    if (!on_floor(own) || !lives_by_states(own)) { return; }
    let state = clip_at(leg_of(own));
    let lasts = state_of(own) != WALKING || state_at(leg_of(own)).x == FLEES;
    let ended = lasts && params.step + 1u >= own.w;
    for (var k = 0u; k < state.w; k++) {
        let at = state.z + 4u * k;
        if ((ended || (world[at].y & INTERRUPTS) != 0u) && holds(i, own, at)) {
            decided[i] = at;
            return;
        }
    }
    if (ended) { decided[i] = AGAIN; }
}
