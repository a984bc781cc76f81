// The most persons in any window of at least a square metre, and the maps of peak density and use: see crowd.rs.

@group(0) @binding(1) var<storage, read> starts: array<u32>;
@group(0) @binding(2) var<storage, read_write> tally: array<atomic<u32>>;
// Peak density of every cell, then use of every cell.
@group(0) @binding(3) var<storage, read_write> maps: array<f32>;

var<workgroup> densest: atomic<u32>;

@compute @workgroup_size(256)
fn density(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
           @builtin(local_invocation_index) lane: u32) {
    let cell = item(group, groups, lane, 256u);
    if (lane == 0u) { atomicStore(&densest, 0u); }
    workgroupBarrier();
    if (cell < params.cells) {
        let n = params.window;
        // A cell stands for the window around it, shifted inwards at the border.
        let xy = vec2<u32>(cell % params.width, cell / params.width);
        let low = min(max(xy, vec2<u32>(n / 2u)) - n / 2u, vec2<u32>(params.width - n, params.height - n));
        var persons = 0u;
        for (var y = low.y; y < low.y + n; y++) {
            let row = y * params.width + low.x;
            persons += starts[row + n] - starts[row];
        }
        atomicMax(&densest, persons);
        if (params.keep_maps != 0u) {
            let side = f32(n) * params.cell;
            maps[cell] = max(maps[cell], f32(persons) / (side * side));
            maps[params.cells + cell] += f32(starts[cell + 1u] - starts[cell]) * params.use_amount;
        }
    }
    workgroupBarrier();
    if (lane == 0u) { atomicMax(&tally[DENSEST], atomicLoad(&densest)); }
}
