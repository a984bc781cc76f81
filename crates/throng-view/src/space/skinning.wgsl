// Skins the full mesh of everybody who is near, once a frame: a workgroup each, its bones first, then its vertices. The picture, its
// close-ups and all shadow maps draw what it writes.

@group(0) @binding(0) var<storage, read> characters: array<Character>;
@group(0) @binding(1) var<storage, read> members: array<u32>;
@group(0) @binding(2) var<storage, read> starts: array<u32>;
@group(0) @binding(3) var<storage, read> poses: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read> table: array<vec4<u32>>;
@group(0) @binding(5) var<storage, read_write> skinned: array<vec4<u32>>;
@group(0) @binding(6) var<uniform> shape: Shape;

const WIDE: u32 = 128u;

var<workgroup> pose_bones: array<mat3x4<f32>, 64>;
var<workgroup> pose_grown: array<vec4<f32>, 64>;

@compute @workgroup_size(128)
fn skin_all(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let slot = group.x;
    let agent = members[starts[0] + slot];
    var it = variation_of(characters[agent].id);
    if (lane < min(shape.bones, 64u)) {
        pose_bones[lane] = bone_in(poses[agent], lane);
        pose_grown[lane] = grown(lane, &it);
    }
    workgroupBarrier();
    for (var v = lane; v < shape.cage; v += WIDE) {
        let rest = unpack_vertex(table[shape.cage_at + 2u * v], shape.low, shape.high);
        let skin = table[shape.cage_at + 2u * v + 1u];
        var p = vec3<f32>(0.0);
        var n = vec3<f32>(0.0);
        var t = vec3<f32>(0.0);
        for (var k = 0u; k < 4u; k++) {
            let weight = f32((skin.y >> (8u * k)) & 0xffu) / 255.0;
            if (weight == 0.0) { break; }
            let joint = min((skin.x >> (8u * k)) & 0xffu, 63u);
            let bone = pose_bones[joint];
            let grow = pose_grown[joint];
            p += weight * (vec4<f32>(rest.position * grow.w + grow.xyz, 1.0) * bone);
            n += weight * (vec4<f32>(rest.normal, 0.0) * bone);
            t += weight * (vec4<f32>(rest.tangent, 0.0) * bone);
        }
        n = n / max(length(n), 1e-6);
        // At right angles again; any will do where that is nothing.
        t = t - n * dot(t, n);
        if (dot(t, t) < 1e-8) { t = cross(n, vec3<f32>(0.48, 0.6, 0.64)); }
        let words = words_of(Vertex(p, n, normalize(t), rest.handedness, rest.uv));
        let at = (slot * shape.cage + v) * STRIDE;
        for (var k = 0u; k < STRIDE; k++) { skinned[at + k] = words[k]; }
    }
}
