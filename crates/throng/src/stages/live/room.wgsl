// Goals that hold only so many: who leaves one, and who finds room. See room.rs, whose rules these are.

@group(0) @binding(1) var<storage, read> motion: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> journey: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> directions: array<u32>;
@group(0) @binding(4) var<storage, read> world: array<vec4<u32>>;
// For every 256 agents whether any of them asks for room; then how many are counted in each goal and shape.
@group(0) @binding(5) var<storage, read_write> rooms: array<atomic<u32>>;
// What engine/gpu/rooms.rs writes: four words a goal, the limits of all goals, then cells and their shapes.
@group(0) @binding(6) var<storage, read> room_table: array<u32>;
// The goal that somebody is counted in, from 1, and its shape.
@group(0) @binding(7) var<storage, read_write> room: array<vec2<f32>>;

const NO_SHAPE: u32 = 0xffffffffu;
const NO_LIMIT: u32 = 0xffffffffu;

var<workgroup> asked: array<u32, 256>;

fn blocks() -> u32 { return (params.agents + 255u) / 256u; }

// Where the counts of a goal begin, and how many there are: of all of it, then of its shapes.
fn counts_of(goal: u32) -> vec2<u32> { return vec2<u32>(room_table[4u * goal + 2u], room_table[4u * goal + 3u]); }

fn is_below(k: u32) -> bool {
    let most = room_table[4u * params.goals + k];
    return most == NO_LIMIT || atomicLoad(&rooms[blocks() + k]) < most;
}

// The shape of a goal that a cell belongs to.
fn shape_at(goal: u32, cell: u32) -> u32 {
    let list = room_table[4u * goal];
    var low = 0u;
    var high = room_table[4u * goal + 1u];
    while (low < high) {
        let middle = (low + high) / 2u;
        if (room_table[list + 2u * middle] < cell) { low = middle + 1u; } else { high = middle; }
    }
    if (low < room_table[4u * goal + 1u] && room_table[list + 2u * low] == cell) { return room_table[list + 2u * low + 1u]; }
    return NO_SHAPE;
}

// Takes somebody out of the counts of the goal and shape that it is counted in.
fn leave(i: u32, here: vec2<u32>) {
    let counts = counts_of(here.x - 1u);
    atomicSub(&rooms[blocks() + counts.x], 1u);
    if (1u + here.y < counts.y) { atomicSub(&rooms[blocks() + counts.x + 1u + here.y], 1u); }
    room[i] = vec2<f32>(0.0);
}

// Whether somebody who walks has come to its goal.
fn is_there(own: vec4<u32>, p: vec2<f32>) -> bool {
    return directions[cell_at(p) * params.routes + route_of(own)] == ARRIVED_HERE || near_place(own, p).z != 0.0;
}

// Those whose wait is over leave; those who stand on such a goal ask for room, and are refused until they are let in.
@compute @workgroup_size(256)
fn leave_and_ask(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
                 @builtin(local_invocation_index) lane: u32) {
    let i = item(group, groups, lane, 256u);
    if (i >= params.agents) { return; }
    let own = journey[i];
    let here = vec2<u32>(room[i]);
    let stands = state_of(own) == WAITING || state_of(own) == STAYING;
    if (lives_by_states(own)) {
        // Counted as long as it stands there.
        if (here.x != 0u && !(stands && here.x == place_of(own) + 1u)) { leave(i, here); }
        if (stands) { return; }
    } else if (stands) {
        if (here.x == 0u || params.step + 1u < own.w) { return; }
        let rules = rules_of(group_of(own));
        // Who leaves the floor there for good stays counted.
        if (leg_of(own) == rules.leg_count && rules.arrive == PARK) { return; }
        leave(i, here);
        return;
    }
    if (state_of(own) != WALKING || goal_of(own) == POINT || counts_of(goal_of(own)).y == 0u) { return; }
    if (!is_there(own, motion[i].xy)) { return; }
    journey[i].w = REFUSED;
    atomicStore(&rooms[i / 256u], 1u);
}

// By one thread: lets somebody in if there is room.
fn let_in(i: u32) {
    let own = journey[i];
    if (state_of(own) != WALKING || own.w != REFUSED) { return; }
    let goal = goal_of(own);
    let p = motion[i].xy;
    // May have been refused in an earlier step, and be elsewhere now.
    if (goal == POINT || !is_there(own, p)) { return; }
    let counts = counts_of(goal);
    var shape = shape_at(goal, cell_at(p));
    if (shape == NO_SHAPE) {
        let near = near_place(own, p);
        if (near.z != 0.0) { shape = shape_at(goal, cell_at(near.xy)); }
    }
    if (shape == NO_SHAPE || !is_below(counts.x)) { return; }
    let of_shape = 1u + shape < counts.y;
    if (of_shape && !is_below(counts.x + 1u + shape)) { return; }
    journey[i].w = 0u;
    let rules = rules_of(group_of(own));
    let parks = leg_of(own) + 1u == rules.leg_count && rules.arrive == PARK;
    if (parks || lives_by_states(own) || wait_at(leg(rules, leg_of(own))).y != 0u) {
        atomicAdd(&rooms[blocks() + counts.x], 1u);
        if (of_shape) { atomicAdd(&rooms[blocks() + counts.x + 1u + shape], 1u); }
        room[i] = vec2<f32>(f32(goal + 1u), f32(shape));
    }
}

// One workgroup, in the order of the columns.
@compute @workgroup_size(256)
fn admit(@builtin(local_invocation_index) lane: u32) {
    for (var first = 0u; first < blocks(); first += 256u) {
        asked[lane] = 0u;
        if (first + lane < blocks()) { asked[lane] = atomicExchange(&rooms[first + lane], 0u); }
        workgroupBarrier();
        if (lane == 0u) {
            for (var b = 0u; b < 256u; b++) {
                if (asked[b] == 0u) { continue; }
                let begin = (first + b) * 256u;
                for (var i = begin; i < min(begin + 256u, params.agents); i++) { let_in(i); }
            }
        }
        workgroupBarrier();
    }
}
