// Motion: agents go where they want, and slide along walls that are in the way.

@group(0) @binding(1) var<storage, read_write> motion: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> body: array<vec4<u32>>;
// Velocity and heading, as avoid left them.
@group(0) @binding(3) var<storage, read> wanted: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> starts: array<u32>;
@group(0) @binding(5) var<storage, read> world: array<vec4<u32>>;

@compute @workgroup_size(256)
fn move_all(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
            @builtin(local_invocation_index) lane: u32) {
    let i = item(group, groups, lane, 256u);
    if (i >= starts[params.cells]) { return; }
    let p = motion[i].xy;
    let wish = wanted[i];
    var walk = on_ground(p, wish.xy * params.dt);
    // Nobody is carried farther than a stride: neighbours and walls were looked for within it.
    let far = dot(walk, walk);
    if (far > params.stride * params.stride) { walk *= params.stride / sqrt(far); }
    let to = slide(p, p + walk, radius_of(body[i]));
    motion[i] = vec4<f32>(to, (to - p) / params.dt);
    body[i].x = pack2x16snorm(wish.zw);
}
