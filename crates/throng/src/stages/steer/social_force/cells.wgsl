// Everybody by cell, in one list: see cells.rs. A workgroup has a cell.

@group(0) @binding(1) var<storage, read> motion: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> starts: array<u32>;
// Where each cell begins in the list, then how many there are; then the list.
@group(0) @binding(3) var<storage, read_write> cells: array<u32>;
@group(0) @binding(4) var<storage, read_write> records: array<Record>;
// Per agent its cell, the one that it asks for, and the bits of where it is.
@group(0) @binding(5) var<storage, read_write> crossings: array<vec4<u32>>;
// Per cell how many ask for a place, and how many get none.
@group(0) @binding(6) var<storage, read_write> asks: array<vec2<u32>>;
@group(0) @binding(7) var<uniform> steering: Steering;

const NO_CELL: u32 = 0xffffffffu;

fn lean_of(velocity: vec2<f32>) -> vec2<f32> {
    let speed = length(velocity);
    let stretch = 1.0 + steering.look_ahead * speed;
    let square = (stretch - 1.0) * (stretch + 1.0) / (stretch * stretch);
    return velocity * (sqrt(square) / max(speed, 1e-6));
}

@compute @workgroup_size(32)
fn gather_cells(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
                @builtin(local_invocation_index) lane: u32) {
    let cell = item(group, groups, 0u, 1u);
    if (cell >= params.blocks) { return; }
    let low = vec2<u32>(cell % params.blocks_wide, cell / params.blocks_wide) * params.block_side;
    let high = min(low + params.block_side, vec2<u32>(params.width, params.height));
    // All of the rows of cells south of it, then those west of it in its own row.
    var place = starts[low.y * params.width];
    for (var y = low.y; y < high.y; y++) { place += starts[y * params.width + low.x] - starts[y * params.width]; }
    if (lane == 0u) {
        cells[cell] = place;
        asks[cell] = vec2<u32>(0u);
        if (cell + 1u == params.blocks) { cells[params.blocks] = starts[params.cells]; }
    }
    for (var y = low.y; y < high.y; y++) {
        let first = starts[y * params.width + low.x];
        let end = starts[y * params.width + high.x];
        for (var i = first + lane; i < end; i += 32u) {
            let here = motion[i];
            let at = place + i - first;
            cells[params.blocks + 1u + at] = i;
            records[at] = record_of(here.xy, lean_of(here.zw));
            crossings[i] = vec4<u32>(cell, NO_CELL, bitcast<vec2<u32>>(here.xy));
        }
        place += end - first;
    }
}
