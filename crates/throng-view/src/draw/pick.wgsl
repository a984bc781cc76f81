// A field as the GPU engine keeps it, cell by cell, row by row: two numbers a cell.

struct Pick {
    // 0 plain numbers, 1 tiles of 16 x 16, 2 two 16-bit numbers, 3 counts of blocks of cells: where each begins (at 0), or the second of two (at 1); then
    // a side has `stride` cells, and a row `tiles_wide` blocks. 4 people counted over the square of `stride` cells around each, from where cells begin.
    order: u32,
    // Words of a cell, where its value is, and whether there are two.
    stride: u32,
    at: u32,
    two: u32,
    // Words before the field's first.
    first: u32,
    tiles_wide: u32,
    factor: f32,
    // Nobody heads for the goal: there is no field.
    missing: u32,
}

@group(1) @binding(0) var<uniform> how: Pick;
@group(1) @binding(1) var<storage, read> source: array<u32>;
@group(1) @binding(2) var<storage, read_write> shown: array<vec2<f32>>;

@compute @workgroup_size(256)
fn pick(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let cell = (group.y * groups.x + group.x) * 256u + lane;
    if (cell >= view.cells.x * view.cells.y) { return; }
    if (how.missing == 1u) {
        shown[cell] = select(vec2<f32>(UNREACHED, 0.0), vec2<f32>(0.0), how.order == 2u);
        return;
    }
    if (how.order == 3u) {
        let block = (cell / view.cells.x / how.stride) * how.tiles_wide + (cell % view.cells.x) / how.stride;
        var count = source[2u * block + 1u];
        if (how.at == 0u) { count = source[block + 1u] - source[block]; }
        shown[cell] = vec2<f32>(f32(count), 0.0);
        return;
    }
    if (how.order == 4u) {
        // As measure/density.wgsl does: the square is moved inwards at the border.
        let xy = vec2<u32>(cell % view.cells.x, cell / view.cells.x);
        let low = min(max(xy, vec2<u32>(how.stride / 2u)) - how.stride / 2u, view.cells - how.stride);
        var persons = 0u;
        for (var y = low.y; y < low.y + how.stride; y++) {
            let row = y * view.cells.x + low.x;
            persons += source[row + how.stride] - source[row];
        }
        shown[cell] = vec2<f32>(f32(persons) * how.factor, 0.0);
        return;
    }
    var n = cell;
    if (how.order == 1u) {
        let x = cell % view.cells.x;
        let y = cell / view.cells.x;
        n = ((y >> 4u) * how.tiles_wide + (x >> 4u)) * 256u + ((y & 15u) << 4u) + (x & 15u);
    }
    let word = how.first + n * how.stride + how.at;
    if (how.order == 2u) {
        // The goal itself and portals have marks of their own, and no direction.
        let code = source[word];
        shown[cell] = select(unpack2x16snorm(code), vec2<f32>(0.0), (code >> 16u) == 0x8000u);
        return;
    }
    let a = bitcast<f32>(source[word]);
    var value = vec2<f32>(select(a * how.factor, a, a >= UNREACHED), 0.0);
    if (how.two == 1u) { value.y = bitcast<f32>(source[word + 1u]) * how.factor; }
    shown[cell] = value;
}
