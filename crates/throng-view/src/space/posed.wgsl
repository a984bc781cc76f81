// Agents whose pieces are posed while they are drawn: first their bones, into the workgroup's memory.

@group(0) @binding(0) var<storage, read> characters: array<Character>;
@group(0) @binding(1) var<storage, read> members: array<u32>;
@group(0) @binding(2) var<storage, read> starts: array<u32>;
// animate.wgsl's.
@group(0) @binding(3) var<storage, read> poses: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read> table: array<vec4<u32>>;
@group(0) @binding(5) var<uniform> shape: Shape;

var<workgroup> pose_bones: array<mat3x4<f32>, 64>;
var<workgroup> pose_grown: array<vec4<f32>, 64>;

fn prepare(instance: u32, lane: u32) {
    agent = members[starts[draw_of.list] + instance];
    who = characters[agent];
    var variation = variation_of(who.id);
    it = variation;
    if (lane < min(shape.bones, 64u)) {
        pose_bones[lane] = bone_in(poses[agent], lane);
        pose_grown[lane] = grown(lane, &variation);
    }
}

fn corner_of(vertex: u32) -> Posed {
    let row = vertices_at + 2u * vertex;
    let packed = table[row];
    let skin = table[row + 1u];
    let rest = unpack_position(packed, shape.low, shape.high);
    let upright = vertex_frame(vec2<i32>(i32(packed.z << 16u) >> 16u, i32(packed.z) >> 16u))[2];
    var p = vec3<f32>(0.0);
    var n = vec3<f32>(0.0);
    for (var k = 0u; k < 4u; k++) {
        let weight = f32((skin.y >> (8u * k)) & 0xffu) / 255.0;
        // The strongest come first.
        if (weight == 0.0) { break; }
        let joint = min((skin.x >> (8u * k)) & 0xffu, 63u);
        let bone = pose_bones[joint];
        let grow = pose_grown[joint];
        p += weight * (vec4<f32>(rest * grow.w + grow.xyz, 1.0) * bone);
        n += weight * (vec4<f32>(upright, 0.0) * bone);
    }
    return placed(who, it.size, it.girth, p, n);
}
