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

@compute @workgroup_size(128)
fn skin_all(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let slot = group.x;
    let agent = members[starts[0] + slot];
    pose(agent, variation_of(characters[agent].id), lane);
    workgroupBarrier();
    for (var v = lane; v < shape.cage; v += WIDE) {
        let rest = unpack_vertex(table[shape.cage_at + 2u * v], shape.low, shape.high);
        let moved = carried(table[shape.cage_at + 2u * v + 1u], Carried(rest.position, rest.normal, rest.tangent));
        let n = moved.normal / max(length(moved.normal), 1e-6);
        // At right angles again; any will do where that is nothing.
        var t = moved.tangent - n * dot(moved.tangent, n);
        if (dot(t, t) < 1e-8) { t = cross(n, vec3<f32>(0.48, 0.6, 0.64)); }
        let words = words_of(Vertex(moved.position, n, normalize(t), rest.handedness, rest.uv));
        let at = (slot * shape.cage + v) * STRIDE;
        for (var k = 0u; k < STRIDE; k++) { skinned[at + k] = words[k]; }
    }
}
