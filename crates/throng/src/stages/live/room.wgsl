// Goals that hold only so many: who leaves one, and who finds room. See room.rs, whose rules these are.

@group(0) @binding(1) var<storage, read> motion: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> journey: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> directions: array<u32>;
@group(0) @binding(4) var<storage, read> world: array<vec4<u32>>;
// For every 32 agents which of them may find room in this step; then how many are counted in each goal and shape.
@group(0) @binding(5) var<storage, read_write> rooms: array<atomic<u32>>;
// What engine/gpu/rooms.rs writes: four words a goal, the limits of all goals, then cells and their shapes.
@group(0) @binding(6) var<storage, read> room_table: array<u32>;
// The goal that somebody is counted in, from 1, and its shape.
@group(0) @binding(7) var<storage, read_write> room: array<vec2<f32>>;
@group(0) @binding(8) var<storage, read> starts: array<u32>;

const NO_SHAPE: u32 = 0xffffffffu;
const NO_LIMIT: u32 = 0xffffffffu;

fn masks() -> u32 { return (params.agents + 31u) / 32u; }

// Where the counts of a goal begin, and how many there are: of all of it, then of its shapes.
fn counts_of(goal: u32) -> vec2<u32> { return vec2<u32>(room_table[4u * goal + 2u], room_table[4u * goal + 3u]); }

fn is_below(k: u32) -> bool {
    let most = room_table[4u * params.goals + k];
    return most == NO_LIMIT || atomicLoad(&rooms[masks() + k]) < most;
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
    atomicSub(&rooms[masks() + counts.x], 1u);
    if (1u + here.y < counts.y) { atomicSub(&rooms[masks() + counts.x + 1u + here.y], 1u); }
    room[i] = vec2<f32>(0.0);
}

// Whether somebody who walks has come to its goal.
fn is_there(own: vec4<u32>, p: vec2<f32>) -> bool {
    return directions[cell_at(p) * params.routes + route_of(own)] == ARRIVED_HERE || near_place(own, p).z != 0.0;
}

// The shape of a goal where somebody comes in who is there.
fn shape_for(own: vec4<u32>, p: vec2<f32>) -> u32 {
    let goal = goal_of(own);
    let shape = shape_at(goal, cell_at(p));
    if (shape != NO_SHAPE) { return shape; }
    let near = near_place(own, p);
    if (near.z == 0.0) { return NO_SHAPE; }
    return shape_at(goal, cell_at(near.xy));
}

// Whether a shape of a goal with these counts holds one more.
fn has_room(counts: vec2<u32>, shape: u32) -> bool {
    if (!is_below(counts.x)) { return false; }
    return 1u + shape >= counts.y || is_below(counts.x + 1u + shape);
}

// Whether who comes in is counted: it stays, or leaves the floor there for good.
fn is_counted(own: vec4<u32>) -> bool {
    if (lives_by_states(own)) { return true; }
    let rules = rules_of(group_of(own));
    let parks = leg_of(own) + 1u == rules.leg_count && rules.arrive == PARK;
    return parks || wait_at(leg(rules, leg_of(own))).y != 0u;
}

// Those whose wait is over leave.
@compute @workgroup_size(256)
fn leave_goals(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
               @builtin(local_invocation_index) lane: u32) {
    let i = item(group, groups, lane, 256u);
    if (i >= params.agents) { return; }
    let here = vec2<u32>(room[i]);
    if (here.x == 0u) { return; }
    let own = journey[i];
    let stands = state_of(own) == WAITING || state_of(own) == STAYING;
    if (lives_by_states(own)) {
        // Counted as long as it stands there.
        if (!(stands && here.x == place_of(own) + 1u)) { leave(i, here); }
        return;
    }
    if (!stands || params.step + 1u < own.w) { return; }
    let rules = rules_of(group_of(own));
    // Who leaves the floor there for good stays counted.
    if (leg_of(own) == rules.leg_count && rules.arrive == PARK) { return; }
    leave(i, here);
}

// When all those have left: who stands on such a goal asks for room, and is refused until it is let in. Only where there is room before
// anybody is let in is it worth asking.
@compute @workgroup_size(256)
fn ask(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
       @builtin(local_invocation_index) lane: u32) {
    let i = item(group, groups, lane, 256u);
    if (i >= starts[params.cells]) { return; }
    let own = journey[i];
    if (state_of(own) != WALKING || goal_of(own) == POINT) { return; }
    let counts = counts_of(goal_of(own));
    if (counts.y == 0u) { return; }
    let p = motion[i].xy;
    if (!is_there(own, p)) { return; }
    journey[i].w = REFUSED;
    let shape = shape_for(own, p);
    if (shape == NO_SHAPE) { return; }
    if (has_room(counts, shape)) {
        atomicOr(&rooms[i / 32u], 1u << (i & 31u));
        // For `admit`, which clears it again where nobody comes in.
        room[i] = vec2<f32>(0.0, f32(shape));
    }
}

// Masks that one thread looks through: 256 agents.
const MASKS: u32 = 8u;
// Of up to 256 who ask: who, which shape of its goal, whether it is counted, and whether it is let in; and which of the sums below are
// those of its goal and of the shape.
struct Asking {
    who: u32,
    shape: u32,
    counted: u32,
    comes_in: bool,
    slots: vec2<u32>,
}
// A count that somebody asks about, where it is, and its limit. Who asks for the same as somebody before it shares that one's.
struct Sum {
    at: u32,
    people: u32,
    most: u32,
}
var<workgroup> asking: array<Asking, 256>;
var<workgroup> sums: array<Sum, 512>;
var<workgroup> is_tight: u32;

// What somebody asks for.
fn find_out(k: u32) {
    let i = asking[k].who;
    let own = journey[i];
    let shape = u32(room[i].y);
    let counts = counts_of(goal_of(own));
    asking[k].shape = shape;
    asking[k].counted = select(0u, 1u, is_counted(own));
    asking[k].comes_in = false;
    sums[2u * k].at = counts.x;
    sums[2u * k + 1u].at = select(NO_SHAPE, counts.x + 1u + shape, 1u + shape < counts.y);
}

// Finds the first who asks for the same; if it is the first itself, how many there are and may be. Notes if not all find room.
fn find_slot(slot: u32, count: u32) -> u32 {
    let at = sums[slot].at;
    if (at == NO_SHAPE) {
        sums[slot].people = 0u;
        sums[slot].most = NO_LIMIT;
        return slot;
    }
    for (var other = slot & 1u; other < slot; other += 2u) {
        if (sums[other].at == at) { return other; }
    }
    let people = atomicLoad(&rooms[masks() + at]);
    let most = room_table[4u * params.goals + at];
    var more = 0u;
    for (var other = slot; other < 2u * count; other += 2u) { more += u32(sums[other].at == at); }
    if (most != NO_LIMIT && people + more > most) { is_tight = 1u; }
    sums[slot].people = people;
    sums[slot].most = most;
    return slot;
}

// By one thread, in order: lets in those who find room.
fn let_in(count: u32) {
    for (var k = 0u; k < count; k++) {
        let slots = asking[k].slots;
        if (sums[slots.x].people >= sums[slots.x].most || sums[slots.y].people >= sums[slots.y].most) { continue; }
        asking[k].comes_in = true;
        sums[slots.x].people += asking[k].counted;
        sums[slots.y].people += asking[k].counted;
    }
    for (var slot = 0u; slot < 2u * count; slot++) {
        let first = asking[slot / 2u].slots[slot & 1u] == slot;
        if (first && sums[slot].at != NO_SHAPE) { atomicStore(&rooms[masks() + sums[slot].at], sums[slot].people); }
    }
}

// By each: comes in, where there is room for all.
fn come_in(k: u32) {
    asking[k].comes_in = true;
    if (asking[k].counted == 0u) { return; }
    atomicAdd(&rooms[masks() + sums[2u * k].at], 1u);
    if (sums[2u * k + 1u].at != NO_SHAPE) { atomicAdd(&rooms[masks() + sums[2u * k + 1u].at], 1u); }
}

// One workgroup, in the order of the columns. All threads find out what is asked for; one decides.
@compute @workgroup_size(256)
fn admit(@builtin(local_invocation_index) lane: u32) {
    for (var first = 0u; first < masks(); first += 256u * MASKS) {
        var mine: array<u32, MASKS>;
        var number = 0u;
        for (var k = 0u; k < MASKS; k++) {
            let at = first + lane * MASKS + k;
            mine[k] = 0u;
            if (at < masks()) { mine[k] = atomicLoad(&rooms[at]); }
        }
        for (var k = 0u; k < MASKS; k++) {
            if (mine[k] != 0u) { atomicStore(&rooms[first + lane * MASKS + k], 0u); }
            number += countOneBits(mine[k]);
        }
        let before = running_sum(lane, number);
        let total = workgroupUniformLoad(&scan[255]);
        for (var begin = 0u; begin < total; begin += 256u) {
            var at = before;
            for (var k = 0u; k < MASKS; k++) {
                for (var left = mine[k]; left != 0u; left &= left - 1u) {
                    if (at >= begin && at < begin + 256u) {
                        asking[at - begin].who = (first + lane * MASKS + k) * 32u + firstTrailingBit(left);
                    }
                    at += 1u;
                }
            }
            workgroupBarrier();
            let count = min(total - begin, 256u);
            if (lane == 0u) { is_tight = 0u; }
            if (lane < count) { find_out(lane); }
            workgroupBarrier();
            if (lane < count) { asking[lane].slots = vec2<u32>(find_slot(2u * lane, count), find_slot(2u * lane + 1u, count)); }
            if (workgroupUniformLoad(&is_tight) == 0u) {
                if (lane < count) { come_in(lane); }
            } else if (lane == 0u) {
                let_in(count);
            }
            storageBarrier();
            workgroupBarrier();
            if (lane < count) {
                let i = asking[lane].who;
                let is_in = asking[lane].comes_in && asking[lane].counted != 0u;
                room[i] = select(vec2<f32>(0.0), vec2<f32>(f32(goal_of(journey[i]) + 1u), f32(asking[lane].shape)), is_in);
                if (asking[lane].comes_in) { journey[i].w = 0u; }
            }
        }
    }
}
