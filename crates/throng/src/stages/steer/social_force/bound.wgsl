// Cells hold only so many: see bound.rs.

@group(0) @binding(1) var<storage, read_write> motion: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> body: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> journey: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read> cells: array<u32>;
@group(0) @binding(5) var<storage, read_write> crossings: array<vec4<u32>>;
// Per cell how many ask for a place, and how many get none.
@group(0) @binding(6) var<storage, read_write> asks: array<atomic<u32>>;
@group(0) @binding(7) var<storage, read_write> tally: array<atomic<u32>>;
@group(0) @binding(8) var<storage, read> world: array<vec4<u32>>;
@group(0) @binding(9) var<uniform> steering: Steering;

const NO_CELL: u32 = 0xffffffffu;
const EDGE: f32 = 2e-3;

fn block_at(p: vec2<f32>) -> u32 {
    let xy = cell_xy(p) / params.block_side;
    return xy.y * params.blocks_wide + xy.x;
}

@compute @workgroup_size(256)
fn ask_for_places(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
                  @builtin(local_invocation_index) lane: u32) {
    let i = item(group, groups, lane, 256u);
    if (i >= cells[params.blocks]) { return; }
    let cell = block_at(motion[i].xy);
    if (cell != crossings[i].x) {
        crossings[i].y = cell;
        atomicAdd(&asks[2u * cell], 1u);
    }
}

// How many with a lower id ask for a place in the same cell.
fn rank(cell: u32, id: u32) -> u32 {
    let far = u32(ceil(params.moved / (f32(params.block_side) * params.cell)));
    let xy = vec2<u32>(cell % params.blocks_wide, cell / params.blocks_wide);
    let low = max(xy, vec2<u32>(far)) - far;
    let high = min(xy + far, vec2<u32>(params.blocks_wide, params.blocks / params.blocks_wide) - 1u);
    var lower = 0u;
    for (var y = low.y; y <= high.y; y++) {
        let end = cells[y * params.blocks_wide + high.x + 1u];
        for (var place = cells[y * params.blocks_wide + low.x]; place < end; place++) {
            let j = cells[params.blocks + 1u + place];
            if (crossings[j].y == cell && journey[j].x < id) { lower++; }
        }
    }
    return lower;
}

@compute @workgroup_size(128)
fn keep_out(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
            @builtin(local_invocation_index) lane: u32) {
    let i = item(group, groups, lane, 128u);
    if (i >= cells[params.blocks]) { return; }
    let crossing = crossings[i];
    let cell = crossing.y;
    if (cell == NO_CELL) { return; }
    let there = cells[cell + 1u] - cells[cell];
    if (there + atomicLoad(&asks[2u * cell]) <= steering.places) { return; }
    if (rank(cell, journey[i].x) < max(steering.places, there) - there) { return; }
    atomicAdd(&asks[2u * cell + 1u], 1u);
    atomicAdd(&tally[KEPT_OUT], 1u);
    let now = motion[i];
    let first = vec2<u32>(crossing.x % params.blocks_wide, crossing.x / params.blocks_wide) * params.block_side;
    let end = min(first + params.block_side, vec2<u32>(params.width, params.height));
    let goal = clamp(now.xy, (vec2<f32>(first) + EDGE) * params.cell, (vec2<f32>(end) - EDGE) * params.cell);
    var at = bitcast<vec2<f32>>(crossing.zw);
    let back = goal - now.xy;
    if (dot(back, back) <= params.stride * params.stride) {
        let slid = slide(now.xy, goal, radius_of(body[i]));
        if (block_at(slid) == crossing.x) { at = slid; }
    }
    motion[i] = vec4<f32>(at, select(now.zw, vec2<f32>(0.0), goal != now.xy));
}
