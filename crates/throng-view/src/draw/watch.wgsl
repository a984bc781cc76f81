// What the engine does not remember: how long everybody has been standing, and where everybody has been, by id.

@group(1) @binding(0) var<storage, read> motion: array<vec4<f32>>;
@group(1) @binding(1) var<storage, read> journey: array<vec4<u32>>;
@group(1) @binding(2) var<storage, read_write> waited: array<f32>;
// For each id the places at several moments, one after the other.
@group(1) @binding(3) var<storage, read_write> trails: array<vec2<f32>>;
@group(1) @binding(4) var<storage, read_write> path: array<vec2<f32>>;
// For each id where it is now, and its group.
@group(1) @binding(5) var<storage, read_write> present: array<vec4<f32>>;

const SLOW: f32 = 0.1;
const ABSENT: vec2<f32> = vec2<f32>(-1.0e9, -1.0e9);
const ROOM: u32 = 1024u;

// Who is not seen below is nowhere.
@compute @workgroup_size(256)
fn vacate(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let id = (group.y * groups.x + group.x) * 256u + lane;
    if (id >= view.known) { return; }
    present[id] = vec4<f32>(ABSENT, present[id].zw);
    if (view.slot != NONE) { trails[view.slot * view.known + id] = ABSENT; }
}

@compute @workgroup_size(256)
fn watch(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let i = (group.y * groups.x + group.x) * 256u + lane;
    if (i >= view.agents) { return; }
    let id = journey[i].x;
    if (id >= view.known) { return; }
    let here = is_on_floor(journey[i]);
    let standing = here && length(motion[i].zw) < SLOW;
    waited[id] = select(0.0, waited[id] + view.elapsed, standing);
    if (!here) { return; }
    present[id] = vec4<f32>(motion[i].xy, f32(journey[i].y >> 16u), 0.0);
    if (view.slot != NONE) { trails[view.slot * view.known + id] = motion[i].xy; }
}

@compute @workgroup_size(256)
fn follow(@builtin(global_invocation_id) at: vec3<u32>) {
    if (at.x >= ROOM) { return; }
    var p = ABSENT;
    if (at.x < view.slots && view.chosen < view.known) { p = trails[at.x * view.known + view.chosen]; }
    path[at.x] = p;
}

// Room for later: every second moment is forgotten.
@compute @workgroup_size(256)
fn thin(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let id = (group.y * groups.x + group.x) * 256u + lane;
    if (id >= view.known) { return; }
    for (var k = 1u; 2u * k < view.slots; k++) { trails[k * view.known + id] = trails[2u * k * view.known + id]; }
}
