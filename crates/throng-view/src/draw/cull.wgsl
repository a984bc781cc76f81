// Who is in view, as a list in the order of the columns, so that a crowd of millions costs only what is seen of it, and
// overlapping sprites are drawn in the same order every time.

@group(1) @binding(0) var<storage, read> motion: array<vec4<f32>>;
@group(1) @binding(1) var<storage, read> body: array<vec4<u32>>;
@group(1) @binding(2) var<storage, read> journey: array<vec4<u32>>;
// For each workgroup how many it sees; then how many come before it.
@group(1) @binding(3) var<storage, read_write> blocks: array<u32>;
@group(1) @binding(4) var<storage, read_write> visible: array<u32>;
// Vertices, instances, first vertex, first instance.
@group(1) @binding(5) var<storage, read_write> arguments: array<u32>;

var<workgroup> sums: array<u32, 256>;

fn seen(i: u32) -> bool {
    if (i >= view.agents || !is_on_floor(journey[i])) { return false; }
    // The cells that it touches are drawn too.
    let reach = max(radius_of(body[i]) * view.body, 2.0 * radius_of(body[i]) + view.cell) * view.scale + 2.0;
    let at = to_view(motion[i].xy - motion[i].zw * view.back);
    return all(at > vec2<f32>(-reach)) && all(at < view.size + reach);
}

// Afterwards each entry is the sum of all up to it.
fn add_up(lane: u32) {
    for (var step = 1u; step < 256u; step <<= 1u) {
        workgroupBarrier();
        var before = 0u;
        if (lane >= step) { before = sums[lane - step]; }
        workgroupBarrier();
        sums[lane] += before;
    }
    workgroupBarrier();
}

@compute @workgroup_size(256)
fn count(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let block = group.y * groups.x + group.x;
    sums[lane] = u32(seen(block * 256u + lane));
    add_up(lane);
    if (lane == 255u && block < arrayLength(&blocks)) { blocks[block] = sums[255]; }
}

@compute @workgroup_size(256)
fn offsets(@builtin(local_invocation_index) lane: u32) {
    let n = (view.agents + 255u) / 256u;
    let each = (n + 255u) / 256u;
    let first = min(lane * each, n);
    let last = min(first + each, n);
    var sum = 0u;
    for (var k = first; k < last; k++) { sum += blocks[k]; }
    sums[lane] = sum;
    add_up(lane);
    var before = sums[lane] - sum;
    for (var k = first; k < last; k++) {
        let here = blocks[k];
        blocks[k] = before;
        before += here;
    }
    if (lane == 255u) {
        arguments[0] = 6u * sums[255];
        arguments[1] = 1u;
        arguments[2] = 0u;
        arguments[3] = 0u;
    }
}

@compute @workgroup_size(256)
fn list(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let block = group.y * groups.x + group.x;
    let i = block * 256u + lane;
    let here = seen(i);
    sums[lane] = u32(here);
    add_up(lane);
    if (here) { visible[blocks[block] + sums[lane] - 1u] = i; }
}
