// Bin: a counting sort by cell. Counting gives each agent a place among those of its cell that depends on timing; ranking
// puts each cell's agents back into the order of the last step, so the result does not. Those outside and the parked keep
// their order by a running sum over blocks of agents, and come after all cells.

@group(0) @binding(1) var<storage, read> motion: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> journey: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read_write> counts: array<atomic<u32>>;
@group(0) @binding(4) var<storage, read_write> starts: array<u32>;
// Per agent: cell (or a mark) and its place in the cell or block.
@group(0) @binding(5) var<storage, read_write> keys: array<vec2<u32>>;
@group(0) @binding(6) var<storage, read_write> sums: array<u32>;
// Per block of 256 agents: how many are outside, and parked; then how many in the blocks before.
@group(0) @binding(7) var<storage, read_write> blocks: array<vec2<u32>>;
@group(0) @binding(8) var<storage, read_write> orders: array<u32>;

const IS_OUTSIDE: u32 = 0xfffffffeu;
const IS_PARKED: u32 = 0xffffffffu;
const PER_THREAD: u32 = 8u;

@compute @workgroup_size(256)
fn count(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
         @builtin(local_invocation_index) lane: u32) {
    let i = item(group, groups, lane, 256u);
    let block = item(group, groups, 0u, 1u);
    var away = 0u;
    var key = vec2<u32>(0u);
    if (i < params.agents) {
        let own = journey[i];
        if (on_floor(own)) {
            key.x = cell_at(motion[i].xy);
            key.y = atomicAdd(&counts[key.x], 1u);
        } else {
            let outside = state_of(own) == OUTSIDE || state_of(own) == BETWEEN;
            away = select(0x10000u, 1u, outside);
            key.x = select(IS_PARKED, IS_OUTSIDE, outside);
        }
    }
    // Both sums at once: outside in the low half, parked in the high one.
    let before = running_sum(lane, away);
    if (away == 1u) { key.y = before & 0xffffu; }
    if (away == 0x10000u) { key.y = before >> 16u; }
    if (i < params.agents) { keys[i] = key; }
    if (lane == 255u && block * 256u < params.agents) {
        let all_away = before + away;
        blocks[block] = vec2<u32>(all_away & 0xffffu, all_away >> 16u);
    }
}

@compute @workgroup_size(256)
fn sum_cells(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
             @builtin(local_invocation_index) lane: u32) {
    let block = item(group, groups, 0u, 1u);
    let first = (block * 256u + lane) * PER_THREAD;
    var sum = 0u;
    for (var k = 0u; k < PER_THREAD; k++) {
        if (first + k < params.cells) { sum += atomicLoad(&counts[first + k]); }
    }
    let before = running_sum(lane, sum);
    if (lane == 255u && block * 256u * PER_THREAD < params.cells) { sums[block] = before + sum; }
}

// One workgroup: running sums over the blocks of cells and of agents.
@compute @workgroup_size(256)
fn sum_blocks(@builtin(local_invocation_index) lane: u32) {
    let cell_blocks = (params.cells + 256u * PER_THREAD - 1u) / (256u * PER_THREAD);
    let share = (cell_blocks + 255u) / 256u;
    var sum = 0u;
    for (var k = lane * share; k < min((lane + 1u) * share, cell_blocks); k++) { sum += sums[k]; }
    var before = running_sum(lane, sum);
    let on_the_floor = scan[255];
    for (var k = lane * share; k < min((lane + 1u) * share, cell_blocks); k++) {
        let n = sums[k];
        sums[k] = before;
        before += n;
    }
    workgroupBarrier();
    let agent_blocks = (params.agents + 255u) / 256u;
    let part = (agent_blocks + 255u) / 256u;
    var away = vec2<u32>(0u);
    for (var k = lane * part; k < min((lane + 1u) * part, agent_blocks); k++) { away += blocks[k]; }
    let outside = running_sum(lane, away.x);
    let all_outside = scan[255];
    workgroupBarrier();
    let parked = running_sum(lane, away.y);
    var so_far = vec2<u32>(on_the_floor + outside, on_the_floor + all_outside + parked);
    for (var k = lane * part; k < min((lane + 1u) * part, agent_blocks); k++) {
        let n = blocks[k];
        blocks[k] = so_far;
        so_far += n;
    }
    if (lane == 0u) {
        starts[params.cells] = on_the_floor;
        starts[params.cells + 1u] = on_the_floor + all_outside;
    }
}

// Where each cell begins. Leaves the counts at zero for the next step.
@compute @workgroup_size(256)
fn place_cells(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
               @builtin(local_invocation_index) lane: u32) {
    let block = item(group, groups, 0u, 1u);
    let first = (block * 256u + lane) * PER_THREAD;
    var sum = 0u;
    for (var k = 0u; k < PER_THREAD; k++) {
        if (first + k < params.cells) { sum += atomicLoad(&counts[first + k]); }
    }
    var before = running_sum(lane, sum);
    if (first < params.cells) { before += sums[block]; }
    for (var k = 0u; k < PER_THREAD; k++) {
        if (first + k < params.cells) {
            starts[first + k] = before;
            before += atomicExchange(&counts[first + k], 0u);
        }
    }
}

// The upper half of `orders` collects each cell's agents in any order; the lower half gets the final one.
@compute @workgroup_size(256)
fn scatter(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
           @builtin(local_invocation_index) lane: u32) {
    let i = item(group, groups, lane, 256u);
    if (i >= params.agents) { return; }
    let key = keys[i];
    if (key.x < IS_OUTSIDE) {
        orders[params.agents + starts[key.x] + key.y] = i;
    } else {
        let before = blocks[i / 256u];
        orders[select(before.y, before.x, key.x == IS_OUTSIDE) + key.y] = i;
    }
}

@compute @workgroup_size(256)
fn rank(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
    let s = item(group, groups, lane, 256u);
    if (s >= starts[params.cells]) { return; }
    let i = orders[params.agents + s];
    let cell = keys[i].x;
    let first = starts[cell];
    let last = starts[cell + 1u];
    var smaller = 0u;
    for (var k = first; k < last; k++) { smaller += select(0u, 1u, orders[params.agents + k] < i); }
    orders[first + smaller] = i;
}
