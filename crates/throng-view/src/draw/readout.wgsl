// What the window wants to know: the least and greatest value of the field, the value under the pointer, who is nearest to
// a click, and all about the chosen one.

@group(1) @binding(0) var<storage, read> motion: array<vec4<f32>>;
@group(1) @binding(1) var<storage, read> body: array<vec4<u32>>;
@group(1) @binding(2) var<storage, read> journey: array<vec4<u32>>;
@group(1) @binding(3) var<storage, read> shown: array<vec2<f32>>;
@group(1) @binding(4) var<storage, read> waited: array<f32>;
@group(1) @binding(5) var<storage, read_write> out: array<atomic<u32>>;

// Places in `out`: see readout.rs.
const LEAST: u32 = 0u;
const GREATEST: u32 = 1u;
const NEAR: u32 = 2u;
const NEAR_ID: u32 = 3u;
const PROBE: u32 = 4u;
const FOUND: u32 = 6u;
const AGENT: u32 = 8u;

var<workgroup> least: atomic<u32>;
var<workgroup> greatest: atomic<u32>;

// Floats in an order that whole numbers have too.
fn ordered(v: f32) -> u32 {
    let b = bitcast<u32>(v);
    return select(b | 0x80000000u, ~b, (b >> 31u) == 1u);
}

@compute @workgroup_size(256)
fn extent(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    if (lane == 0u) {
        atomicStore(&least, NONE);
        atomicStore(&greatest, 0u);
    }
    workgroupBarrier();
    let cell = (group.y * groups.x + group.x) * 256u + lane;
    if (cell < view.cells.x * view.cells.y) {
        let v = shown[cell];
        let size = select(length(v), v.x, view.shade == 1u);
        if (!not_finite(v.x) && !not_finite(v.y) && v.x < UNREACHED) {
            atomicMin(&least, ordered(size));
            atomicMax(&greatest, ordered(size));
        }
    }
    workgroupBarrier();
    if (lane == 0u) {
        atomicMin(&out[LEAST], atomicLoad(&least));
        atomicMax(&out[GREATEST], atomicLoad(&greatest));
    }
}

fn on_floor(i: u32) -> bool { return is_on_floor(journey[i]); }

fn distance_of(i: u32) -> f32 {
    // Inside of a body counts as nearest by how far from its middle; outside of it too, in the same measure.
    return distance(motion[i].xy - motion[i].zw * view.back, view.click);
}

@compute @workgroup_size(256)
fn nearest(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let i = (group.y * groups.x + group.x) * 256u + lane;
    if (i >= view.agents || !on_floor(i)) { return; }
    let d = distance_of(i);
    if (d <= view.reach) { atomicMin(&out[NEAR], bitcast<u32>(d)); }
}

@compute @workgroup_size(256)
fn which(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let i = (group.y * groups.x + group.x) * 256u + lane;
    if (i >= view.agents || !on_floor(i)) { return; }
    if (bitcast<u32>(distance_of(i)) == atomicLoad(&out[NEAR])) { atomicMin(&out[NEAR_ID], journey[i].x); }
}

@compute @workgroup_size(256)
fn find(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let i = (group.y * groups.x + group.x) * 256u + lane;
    if (i == 0u) {
        let c = vec2<i32>(floor(view.pointer / view.cell));
        if (all(c >= vec2<i32>(0)) && all(c < vec2<i32>(view.cells))) {
            let v = shown[u32(c.y) * view.cells.x + u32(c.x)];
            atomicStore(&out[PROBE], bitcast<u32>(v.x));
            atomicStore(&out[PROBE + 1u], bitcast<u32>(v.y));
        }
    }
    if (i >= view.agents || view.chosen == NONE || journey[i].x != view.chosen || !on_floor(i)) { return; }
    atomicStore(&out[FOUND], 1u);
    for (var k = 0u; k < 4u; k++) {
        atomicStore(&out[AGENT + k], bitcast<u32>(motion[i][k]));
        atomicStore(&out[AGENT + 4u + k], body[i][k]);
        atomicStore(&out[AGENT + 8u + k], journey[i][k]);
    }
    if (view.chosen < view.known) { atomicStore(&out[AGENT + 12u], bitcast<u32>(waited[view.chosen])); }
}
