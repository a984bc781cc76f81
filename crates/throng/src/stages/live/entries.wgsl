// Live, second half: who enters the floor. One workgroup takes those outside in order; each tries eight random places
// of its entry area. See cpu.rs, whose rules these are.

@group(0) @binding(1) var<storage, read_write> motion: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> body: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read_write> journey: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read> world: array<vec4<u32>>;
@group(0) @binding(5) var<storage, read> starts: array<u32>;
@group(0) @binding(6) var<storage, read> directions: array<u32>;
@group(0) @binding(7) var<storage, read_write> tally: array<atomic<u32>>;
// Who has entered in this step, in order. (The sort is done with it.)
@group(0) @binding(8) var<storage, read_write> keys: array<vec2<u32>>;

const TRIES: u32 = 8u;
const GIVE_UP: u32 = 16u;
const NOBODY: u32 = 0xffffffffu;
// In the wake of somebody outside: has never been on the floor; the rest is how many steps it will wait.
const FIRST: u32 = 0x80000000u;

var<workgroup> candidate: atomic<u32>;
var<workgroup> chosen: u32;
var<workgroup> tried: array<vec2<f32>, 8>;
// A bit for each of the places tried that is not free.
var<workgroup> taken: atomic<u32>;
var<workgroup> open_work: atomic<u32>;
var<workgroup> still_open: u32;

fn is_first(own: vec4<u32>) -> bool {
    return state_of(own) == OUTSIDE && rules_of(group_of(own)).has_rate != 0u && (own.w & FIRST) != 0u;
}

fn may_enter(own: vec4<u32>) -> bool {
    if (state_of(own) == BETWEEN) { return params.step + 1u >= own.w; }
    if (state_of(own) != OUTSIDE) { return false; }
    let g = group_of(own);
    if (atomicLoad(&tally[count_at(FAILURES, g)]) >= GIVE_UP) { return false; }
    return !is_first(own) || atomicLoad(&tally[count_at(LET_IN, g)]) < atomicLoad(&tally[count_at(BUDGET, g)]);
}

// A place for somebody who comes out of a portal: first where it went in, then anywhere.
fn place_beyond(p: vec2<f32>, attempt: u32, words: vec4<u32>) -> vec3<f32> {
    if (attempt == 0u) { return vec3<f32>(p, 1.0); }
    let exit = exit_at(p);
    return vec3<f32>(exit.xy + (exit.zw - exit.xy) * vec2<f32>(unit(words.x), unit(words.y)), 1.0);
}

// Whether a place leads on. The goal itself, or a place that leads nowhere, is no place to enter; to a point one walks
// straight, from anywhere.
fn leads_on(p: vec2<f32>, own: vec4<u32>) -> bool {
    if (goal_of(own) == POINT) { return true; }
    return is_way(directions[cell_at(p) * params.routes + route_of(own)]);
}

// Whether a place is on free floor, and nobody who was there when the step began is in the way.
fn is_free(p: vec2<f32>, radius: f32) -> bool {
    if (in_wall(p) || wall_depth(p, radius) > 0.0) { return false; }
    let reach = radius + params.widest + params.moved;
    let low = cell_xy(p - reach);
    let high = cell_xy(p + reach);
    for (var y = low.y; y <= high.y; y++) {
        for (var j = starts[y * params.width + low.x]; j < starts[y * params.width + high.x + 1u]; j++) {
            if (!on_floor(journey[j])) { continue; }
            let apart = motion[j].xy - p;
            let touch = radius + radius_of(body[j]);
            if (dot(apart, apart) < touch * touch) { return false; }
        }
    }
    return true;
}

// Whether some of those who entered in this step are in the way: every 32nd, from `part` on.
fn meets_entrant(p: vec2<f32>, radius: f32, part: u32, count: u32) -> bool {
    for (var k = part; k < count; k += 32u) {
        let j = keys[k].x;
        let apart = motion[j].xy - p;
        let touch = radius + radius_of(body[j]);
        if (dot(apart, apart) < touch * touch) { return true; }
    }
    return false;
}

// By one thread: whoever found a free place enters there, as number `count` of this step; `chosen` says whether it did.
fn decide(who: u32, count: u32) {
    let comes_out = state_of(journey[who]) == BETWEEN;
    var own = journey[who];
    let g = group_of(own);
    var k = 0u;
    while (k < TRIES && (atomicLoad(&taken) & (1u << k)) != 0u) { k++; }
    if (k == TRIES) {
        if (!comes_out) { atomicAdd(&tally[count_at(FAILURES, g)], 1u); }
        chosen = 0u;
    } else {
        let p = tried[k];
        let first = is_first(own);
        let delay = select(0u, own.w & ~FIRST, first);
        if (!comes_out) { atomicStore(&tally[count_at(FAILURES, g)], 0u); }
        if (comes_out) {
            atomicAdd(&tally[CAME_OUT], 1u);
        } else if (first) {
            atomicAdd(&tally[count_at(LET_IN, g)], 1u);
            atomicSub(&tally[count_at(FIRST_TIMERS, g)], 1u);
        } else {
            atomicSub(&tally[count_at(OTHERS, g)], 1u);
        }
        // A direction of the field is a heading as it is: both have 2 x 16 bits. Who heads for a point gets both
        // from points.wgsl.
        if (goal_of(own) != POINT) {
            let way = directions[cell_at(p) * params.routes + route_of(own)];
            if (is_way(way)) { body[who].x = way; }
        }
        keys[count].x = who;
        motion[who] = vec4<f32>(p, 0.0, 0.0);
        own.z = leg_of(own) | (select(WALKING, WAITING, delay > 0u) << 16u) | informed_of(own);
        own.w = params.step + 1u + min(delay, 0xfffffffeu - params.step);
        journey[who] = own;
        if (!comes_out) { atomicAdd(&tally[ENTERED], 1u); }
        chosen = 1u;
    }
}

@compute @workgroup_size(256)
fn entries(@builtin(local_invocation_index) lane: u32) {
    for (var g = lane; g < params.groups; g += 256u) { atomicStore(&tally[count_at(FAILURES, g)], 0u); }
    if (lane == 0u) { atomicStore(&candidate, NOBODY); }
    storageBarrier();
    workgroupBarrier();
    let end = starts[params.cells + 1u];
    var cursor = starts[params.cells];
    var count = 0u;
    while (cursor < end) {
        let i = cursor + lane;
        if (i < end && may_enter(journey[i])) { atomicMin(&candidate, i); }
        workgroupBarrier();
        if (lane == 0u) {
            chosen = atomicLoad(&candidate);
            atomicStore(&candidate, NOBODY);
            atomicStore(&open_work, 0u);
            atomicStore(&taken, 0u);
        }
        let who = workgroupUniformLoad(&chosen);
        if (who == NOBODY) {
            // Is there anybody left who could enter? A source that has let in its share may have many waiting.
            for (var g = lane; g < params.groups; g += 256u) {
                let gave_up = atomicLoad(&tally[count_at(FAILURES, g)]) >= GIVE_UP;
                var open = atomicLoad(&tally[count_at(OTHERS, g)]) > 0u;
                if (atomicLoad(&tally[count_at(LET_IN, g)]) < atomicLoad(&tally[count_at(BUDGET, g)])) {
                    open = open || atomicLoad(&tally[count_at(FIRST_TIMERS, g)]) > 0u;
                }
                if (open && !gave_up) { atomicStore(&open_work, 1u); }
            }
            workgroupBarrier();
            if (lane == 0u) { still_open = atomicLoad(&open_work); }
            // Who is in a portal is not among these: then all are looked at.
            if (workgroupUniformLoad(&still_open) == 0u && params.passages == 0u) { break; }
            cursor += 256u;
            continue;
        }
        // All threads look at the same eight places, each at its share of what may be in the way.
        let tries = lane % TRIES;
        let asking = journey[who];
        let areas = world[params.cells + group_of(asking) * 3u + 1u];
        let list = select(areas.zw, areas.xy, is_first(asking) || areas.w == 0u);
        let words = draw(params.seed, asking.x, ENTRY, params.step * TRIES + tries);
        let comes_out = state_of(asking) == BETWEEN;
        var p = vec3<f32>(0.0);
        if (comes_out) {
            p = place_beyond(motion[who].xy, tries, words);
        } else {
            p = random_place(list, words);
        }
        let radius = radius_of(body[who]);
        var free = p.z != 0.0 && !meets_entrant(p.xy, radius, lane / TRIES, count);
        if (lane < TRIES) {
            tried[lane] = p.xy;
            free = free && (comes_out || leads_on(p.xy, asking)) && is_free(p.xy, radius);
        }
        if (!free) { atomicOr(&taken, 1u << tries); }
        workgroupBarrier();
        if (lane == 0u) { decide(who, count); }
        storageBarrier();
        count += workgroupUniformLoad(&chosen);
        cursor = who + 1u;
    }
    workgroupBarrier();
    for (var g = lane; g < params.groups; g += 256u) {
        atomicAdd(&tally[count_at(OTHERS, g)], atomicExchange(&tally[count_at(JOINING, g)], 0u));
    }
}
