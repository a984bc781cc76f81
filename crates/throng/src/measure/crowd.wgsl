// Health and speed of the crowd at the end of a step: see crowd.rs.

@group(0) @binding(1) var<storage, read> motion: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> body: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> journey: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read> world: array<vec4<u32>>;
@group(0) @binding(5) var<storage, read> starts: array<u32>;
@group(0) @binding(6) var<storage, read_write> tally: array<atomic<u32>>;

var<workgroup> speed_sum: atomic<u32>;
var<workgroup> walkers: atomic<u32>;
var<workgroup> deepest: atomic<u32>;

// Finite, by its bits: compilers may assume that comparisons never meet anything else.
fn finite(x: f32) -> bool { return (bitcast<u32>(x) & 0x7f800000u) != 0x7f800000u; }

fn finite4(v: vec4<f32>) -> bool { return finite(v.x) && finite(v.y) && finite(v.z) && finite(v.w); }

@compute @workgroup_size(256)
fn look(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
    let i = item(group, groups, lane, 256u);
    if (lane == 0u) {
        atomicStore(&speed_sum, 0u);
        atomicStore(&walkers, 0u);
        atomicStore(&deepest, 0u);
    }
    workgroupBarrier();
    if (i < starts[params.cells]) {
        let here = motion[i];
        let p = here.xy;
        if (!finite4(here)) {
            atomicAdd(&tally[NOT_FINITE], 1u);
        } else {
            let flags = world[cell_at(p)].x;
            if ((flags & (SOLID | NEAR)) != 0u || !in_world(p)) {
                if (in_wall(p)) { atomicAdd(&tally[IN_WALL], 1u); }
                if ((flags & NEAR) != 0u) { atomicMax(&deepest, bitcast<u32>(wall_depth(p, radius_of(body[i])))); }
            }
            if (state_of(journey[i]) == WALKING) {
                atomicAdd(&speed_sum, u32(round(min(length(here.zw), 1000.0) * 4096.0)));
                atomicAdd(&walkers, 1u);
            }
        }
    }
    workgroupBarrier();
    if (lane == 0u && atomicLoad(&walkers) > 0u) {
        add_long(SPEED_SUM, atomicLoad(&speed_sum));
        atomicAdd(&tally[WALKERS], atomicLoad(&walkers));
    }
    if (lane == 0u) { atomicMax(&tally[WALL_DEPTH], atomicLoad(&deepest)); }
    if (lane == 0u && i == 0u) { atomicStore(&tally[FLOOR_COUNT], starts[params.cells]); }
}
