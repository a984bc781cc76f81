// What of the picture is there before agents are: for each sample the depth of ground and walls, and no colour.

@group(0) @binding(0) var depth: texture_depth_multisampled_2d;
@group(0) @binding(1) var<storage, read_write> depths: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read_write> colours: array<vec4<u32>>;

@compute @workgroup_size(8, 8)
fn solids(@builtin(global_invocation_id) at: vec3<u32>) {
    if (any(at.xy >= vec2<u32>(space.screen))) { return; }
    let k = at.y * u32(space.screen.x) + at.x;
    var found: vec4<f32>;
    for (var s = 0; s < 4; s++) { found[s] = textureLoad(depth, at.xy, s); }
    depths[k] = bitcast<vec4<u32>>(found);
    colours[k] = vec4<u32>(0u);
}
