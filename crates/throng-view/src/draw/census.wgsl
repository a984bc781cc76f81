// How many of each group are on the floor or between two portals, outside, and gone.

@group(1) @binding(0) var<storage, read> journey: array<vec4<u32>>;
// Three words a group.
@group(1) @binding(1) var<storage, read_write> out: array<atomic<u32>>;

const OUTSIDE: u32 = 2u;
const PARKED: u32 = 3u;
// Words of the groups that are counted: readout.rs.
const ROOM: u32 = 768u;

var<workgroup> tally: array<atomic<u32>, 768>;

@compute @workgroup_size(256)
fn census(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    for (var k = lane; k < ROOM; k += 256u) { atomicStore(&tally[k], 0u); }
    workgroupBarrier();
    let i = (group.y * groups.x + group.x) * 256u + lane;
    if (i < view.agents) {
        let state = (journey[i].z >> 16u) & 0xffu;
        let place = select(select(0u, 2u, state == PARKED), 1u, state == OUTSIDE);
        let k = 3u * (journey[i].y >> 16u) + place;
        if (k < ROOM) { atomicAdd(&tally[k], 1u); }
    }
    workgroupBarrier();
    for (var k = lane; k < ROOM; k += 256u) {
        let sum = atomicLoad(&tally[k]);
        if (sum > 0u) { atomicAdd(&out[k], sum); }
    }
}
