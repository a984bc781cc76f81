// Large triangles, which workgroup.wgsl has put on a list: a workgroup for some of the pixels around one of them. Comes after raster.wgsl.

@group(0) @binding(0) var<storage, read> characters: array<Character>;
@group(0) @binding(1) var<storage, read> table: array<vec4<u32>>;
@group(0) @binding(2) var<uniform> shape: Shape;

var<private> looks: u32;

fn looks_of(triangle: u32) -> u32 { return looks; }

fn point_at(at: u32) -> vec4<u32> {
    return vec4<u32>(atomicLoad(&large[at]), atomicLoad(&large[at + 1u]), atomicLoad(&large[at + 2u]), atomicLoad(&large[at + 3u]));
}

// There are none yet.
@compute @workgroup_size(1)
fn reset() {
    atomicStore(&large[0], 0u);
    atomicStore(&large[1], 0u);
}

@compute @workgroup_size(64)
fn large_ones(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let jobs = min(atomicLoad(&large[1]), JOBS);
    for (var job = group.x; job < jobs; job += groups.x) {
        let number = atomicLoad(&large[JOBS_AT + 2u * job]);
        if (number == NOBODY) { continue; }
        let at = LARGE_AT + WORDS * number;
        var t = ready(corners_at(point_at(at), point_at(at + 4u), point_at(at + 8u)));
        t.over = bitcast<f32>(atomicLoad(&large[at + 16u]));
        let rest = point_at(at + 12u);
        agent = rest.x & 0x1fffffffu;
        level = rest.x >> 29u;
        looks = rest.y;
        let wide = rest.w & 0xffffu;
        let first = atomicLoad(&large[JOBS_AT + 2u * job + 1u]);
        let end = min(first + JOB, wide * (rest.w >> 16u));
        for (var k = first + lane; k < end; k += WIDE) {
            plot(t, number, vec2<u32>(rest.z & 0xffffu, rest.z >> 16u) + vec2<u32>(k % wide, k / wide));
        }
    }
}
