// The bones of somebody in a workgroup's memory, and what they carry. Comes after bones.wgsl and the bindings of poses and table.

var<workgroup> pose_bones: array<mat3x4<f32>, 64>;
var<workgroup> pose_grown: array<vec4<f32>, 64>;

// Each thread poses one of them; a barrier comes after.
fn pose(agent: u32, it: Variation, lane: u32) {
    var variation = it;
    if (lane < min(shape.bones, 64u)) {
        pose_bones[lane] = bone_in(poses[agent], lane);
        pose_grown[lane] = grown(lane, &variation);
    }
}

struct Carried {
    position: vec3<f32>,
    normal: vec3<f32>,
    tangent: vec3<f32>,
}

// A vertex by its skin: up to four bones and their weights, the strongest first.
fn carried(skin: vec4<u32>, rest: Carried) -> Carried {
    var out: Carried;
    for (var k = 0u; k < 4u; k++) {
        let weight = f32((skin.y >> (8u * k)) & 0xffu) / 255.0;
        if (weight == 0.0) { break; }
        let joint = min((skin.x >> (8u * k)) & 0xffu, 63u);
        let bone = pose_bones[joint];
        let grow = pose_grown[joint];
        out.position += weight * (vec4<f32>(rest.position * grow.w + grow.xyz, 1.0) * bone);
        out.normal += weight * (vec4<f32>(rest.normal, 0.0) * bone);
        out.tangent += weight * (vec4<f32>(rest.tangent, 0.0) * bone);
    }
    return out;
}
