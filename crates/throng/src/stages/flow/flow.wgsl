// Flow: from quanta to density and average velocity. Leaves the quanta at zero for the next step.

@group(0) @binding(1) var<storage, read_write> quanta: array<vec4<i32>>;
@group(0) @binding(2) var<storage, read_write> average: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> tally: array<atomic<u32>>;

@compute @workgroup_size(256)
fn flow(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
    let cell = item(group, groups, lane, 256u);
    if (cell >= params.cells) { return; }
    let q = quanta[cell];
    quanta[cell] = vec4<i32>(0);
    var weight = 0.0;
    if (q.x > 0) { weight = 1.0 / f32(q.x); }
    average[cell] = vec4<f32>(f32(q.x) * (1.0 / QUANTA), f32(q.y) * weight, f32(q.z) * weight, f32(q.w));
    if (any(abs(q) >= vec4<i32>(0x1fffffff))) { atomicAdd(&tally[SPLAT_OVERFLOWS], 1u); }
}
