// Agents whose pieces are posed while they are drawn: first their bones, into the workgroup's memory. Comes before carried.wgsl.

@group(0) @binding(0) var<storage, read> characters: array<Character>;
@group(0) @binding(1) var<storage, read> members: array<u32>;
@group(0) @binding(2) var<storage, read> starts: array<u32>;
// animate.wgsl's.
@group(0) @binding(3) var<storage, read> poses: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read> table: array<vec4<u32>>;
@group(0) @binding(5) var<uniform> shape: Shape;

fn prepare(instance: u32, lane: u32) {
    agent = members[starts[draw_of.list] + instance];
    who = characters[agent];
    it = variation_of(who.id);
    pose(agent, it, lane);
}

fn corner_of(vertex: u32) -> Posed {
    let row = vertices_at + 2u * vertex;
    let packed = table[row];
    let upright = vertex_frame(vec2<i32>(i32(packed.z << 16u) >> 16u, i32(packed.z) >> 16u))[2];
    let v = carried(table[row + 1u], Carried(unpack_position(packed, shape.low, shape.high), upright, vec3<f32>(0.0)));
    return placed(who, it.size, it.girth, v.position, v.normal);
}
