// Those who live by states do what they have decided, each alone. See states.rs, whose rules these are.

@group(0) @binding(1) var<storage, read> motion: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> journey: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> world: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read> starts: array<u32>;
@group(0) @binding(5) var<storage, read_write> clip: array<vec2<f32>>;
@group(0) @binding(6) var<storage, read_write> point: array<vec2<f32>>;
@group(0) @binding(7) var<storage, read> decided: array<u32>;

const AGAIN: u32 = 1u;
const MOST_STEPS: f32 = 16777216.0;

// The step at which a clip of somebody ends that begins in this one.
fn end_of_clip(id: u32, number: u32) -> u32 {
    let now = params.step + 1u;
    let state = clip_at(number);
    let spread = max(state.y + 1u, 1u);
    let lasts = state.x + draw(params.seed, id, CLIP, now).x % spread;
    return now + min(lasts, 0xffffffffu - now);
}

const FLEES_TO: f32 = 3.0;
const STEADY: f32 = 0.5;
const D: f32 = 0.70710678;

// One of eight directions.
fn compass(k: u32) -> vec2<f32> {
    switch k {
        case 0u: { return vec2<f32>(1.0, 0.0); }
        case 1u: { return vec2<f32>(D, D); }
        case 2u: { return vec2<f32>(0.0, 1.0); }
        case 3u: { return vec2<f32>(-D, D); }
        case 4u: { return vec2<f32>(-1.0, 0.0); }
        case 5u: { return vec2<f32>(-D, -D); }
        case 6u: { return vec2<f32>(0.0, -1.0); }
        default: { return vec2<f32>(D, -D); }
    }
}

// Where somebody flees to: of eight places in sight the one that is farthest from all hazards; its own if there are none.
fn away(p: vec2<f32>, velocity: vec2<f32>) -> vec2<f32> {
    if (hazards.count.x == 0u) { return p; }
    let ahead = unit_or_zero(velocity);
    var best = -3.4e38;
    var found = p;
    for (var k = 0u; k < 8u; k++) {
        let to = p + compass(k) * FLEES_TO;
        if (!in_world(to)) { continue; }
        if (!in_sight(p, to)) { continue; }
        let worth = hazard_distance(to) + STEADY * dot(compass(k), ahead);
        if (worth > best) {
            best = worth;
            found = to;
        }
    }
    return found;
}

@compute @workgroup_size(256)
fn change(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
          @builtin(local_invocation_index) lane: u32) {
    let i = item(group, groups, lane, 256u);
    if (i >= starts[params.cells]) { return; }
    var own = journey[i];
    if (!on_floor(own) || !lives_by_states(own)) { return; }
    let taken = decided[i];
    if (taken <= AGAIN) {
        clip[i].x = min(clip[i].x + 1.0, MOST_STEPS);
        if (taken == AGAIN) { journey[i].w = end_of_clip(own.x, leg_of(own)); }
        if (state_at(leg_of(own)).x == FLEES) { point[i] = away(motion[i].xy, motion[i].zw); }
        return;
    }
    let way = world[taken];
    let to = way.x;
    let state = state_at(to);
    var new_group = way.z;
    if (new_group == ANY) { new_group = group_of(own); }
    var goal = POINT;
    var doing = WALKING;
    own.w = end_of_clip(own.x, to);
    clip[i] = vec2<f32>(0.0, f32(way.w + 1u));
    if (state.x == WALKS) {
        goal = state.y;
        own.w = 0u;
    } else if (state.x == STAYS) {
        doing = STAYING;
        // A place at its goal is chosen in waiting.wgsl.
        point[i] = select(motion[i].xy, vec2<f32>(-1.0), state.y != POINT);
    } else {
        point[i] = away(motion[i].xy, motion[i].zw);
    }
    own.y = goal | (new_group << 16u);
    own.z = to | (doing << 16u) | informed_of(own);
    journey[i] = own;
}
