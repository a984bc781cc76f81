// What agents add to a shadow map that are skinned while they are drawn: a mesh for each, in its pose.

@group(0) @binding(0) var<storage, read> characters: array<Character>;
@group(0) @binding(1) var<storage, read> members: array<u32>;
@group(0) @binding(2) var<storage, read> starts: array<u32>;
// animate.wgsl's.
@group(0) @binding(3) var<storage, read> poses: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read> table: array<vec4<u32>>;
@group(0) @binding(5) var<uniform> shape: Shape;

fn who_of(instance: u32) -> u32 { return members[starts[draw_of.list] + instance]; }

fn posed(agent: u32, vertex: vec4<u32>, skin: vec3<u32>) -> vec3<f32> {
    let who = characters[agent];
    var it = variation_of(who.id);
    let pose = poses[agent];
    let rest = unpack_position(vertex, shape.low, shape.high);
    var p = vec3<f32>(0.0);
    for (var k = 0u; k < 4u; k++) {
        let weight = f32((skin.y >> (8u * k)) & 0xffu) / 255.0;
        // The strongest come first.
        if (weight == 0.0) { break; }
        let joint = (skin.x >> (8u * k)) & 0xffu;
        let bone = bone_in(pose, joint);
        let grow = grown(joint, &it);
        p += weight * (vec4<f32>(rest * grow.w + grow.xyz, 1.0) * bone);
    }
    return placed(who, it.size, it.girth, p, vec3<f32>(0.0)).place;
}

@vertex fn cast_shadow(
    @builtin(instance_index) instance: u32,
    @location(0) vertex: vec4<u32>,
    @location(1) skin: vec3<u32>,
) -> @builtin(position) vec4<f32> {
    return draw_of.clip * vec4<f32>(posed(who_of(instance), vertex, skin), 1.0);
}
