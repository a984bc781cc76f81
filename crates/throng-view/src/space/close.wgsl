// Close-ups: each face of the full mesh cut into triangles that are bent to the smooth surface and pushed by the
// relief. The corners of a face are taken in the order of their places, so that faces on both sides of an edge compute the same
// bits there: nothing opens between them.

const LISTS: u32 = 16u;
// Faces that a workgroup draws, by how finely they are cut: patches.rs.
const FACES: array<u32, 5> = array<u32, 5>(64u, 32u, 16u, 4u, 1u);

fn corner(slot: u32, vertex: u32, bends: bool) -> Corner {
    let rest = unpack_vertex(table[shape.cage_at + 2u * vertex], shape.low, shape.high);
    let v = skinned_vertex(slot, vertex);
    let push = f32(table[shape.cage_at + 2u * vertex + 1u].z >> 16u) / 65536.0;
    return Corner(rest.position, rest.normal, rest.tangent, v.position, v.normal, v.tangent, select(vec3<f32>(0.0), v.normal, bends), push);
}

// Weights of the three corners for a point of a patch, row by row from the first corner on.
fn weights_of(point: u32, cut: u32) -> vec3<f32> {
    var row = u32((sqrt(8.0 * f32(point) + 1.0) - 1.0) * 0.5);
    if (row * (row + 1u) / 2u > point) { row--; }
    if ((row + 1u) * (row + 2u) / 2u <= point) { row++; }
    let column = point - row * (row + 1u) / 2u;
    return vec3<f32>(vec3<u32>(cut - row, row - column, column)) / f32(cut);
}

struct Close {
    slot: u32,
    face: u32,
    weights: vec3<f32>,
}

// In a character's own space.
fn displaced(it: Close) -> PatchPoint {
    let face = table[shape.faces_at + it.face];
    var w = vec3<f32>(0.0);
    for (var k = 0u; k < 3u; k++) { w[k] = it.weights[(face.w >> (2u * k)) & 3u]; }
    let bends = (vec3<u32>(face.w) >> vec3<u32>(8u, 9u, 10u)) % 2u == vec3<u32>(1u);
    return patch_point(
        corner(it.slot, face.x, bends.x), corner(it.slot, face.y, bends.y), corner(it.slot, face.z, bends.z), w);
}

