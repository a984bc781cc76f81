// Motion: agents go where they want, and slide along walls that are in the way.

@group(0) @binding(1) var<storage, read_write> motion: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> body: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> journey: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read> ground: array<vec4<u32>>;
@group(0) @binding(5) var<storage, read> shapes: array<vec4<f32>>;

@compute @workgroup_size(256)
fn move_all(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
            @builtin(local_invocation_index) lane: u32) {
    let i = item(group, groups, lane, 256u);
    if (i >= params.agents || !on_floor(journey[i])) { return; }
    let here = motion[i];
    let p = here.xy;
    let to = slide(p, p + here.zw * params.dt, body[i].z);
    motion[i] = vec4<f32>(to, (to - p) / params.dt);
}
