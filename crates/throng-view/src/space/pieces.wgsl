// Meshes of agents, piece by piece: a workgroup each, of some 256 corners and triangles at most. Comes after workgroup.wgsl; whoever includes it says
// where corners are:
//   fn prepare(instance: u32, lane: u32)
//   fn corner_of(vertex: u32) -> Posed

const LISTS: u32 = 16u;

var<private> who: Character;
var<private> it: Variation;
// How many corners and triangles it has, and in which rows their numbers begin.
var<private> piece: vec4<u32>;
var<private> vertices_at: u32;

fn word_of(row: u32, k: u32) -> u32 { return table[row + k / 4u][k % 4u]; }

// What a corner of a piece is made of: the part in 8 bits, its tint in 8 more.
fn look_of(corner: u32) -> u32 { return table[vertices_at + 2u * word_of(piece.z, corner & 0xffu) + 1u].z; }

fn corners_of(triangle: u32) -> u32 { return word_of(piece.w, triangle); }

fn looks_of(triangle: u32) -> u32 {
    let corners = triangles[triangle];
    let looks = vec3<u32>(look_of(corners), look_of(corners >> 8u), look_of(corners >> 16u));
    let tints = looks & vec3<u32>(0xff00u);
    return (looks.x & 0xffu) | tints.x | (tints.y << 8u) | (tints.z << 16u);
}

@compute @workgroup_size(64)
fn pieces(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let number = group.y * groups.x + group.x;
    let mesh = shape.meshes[draw_of.level - 1u];
    let instance = number / mesh.y;
    let there = instance < starts[LISTS + draw_of.list];
    piece = select(vec4<u32>(0u), table[mesh.x + number % mesh.y], there);
    vertices_at = mesh.z;
    level = draw_of.level;
    prepare(instance, lane);
    workgroupBarrier();
    for (var k = lane; k < piece.x; k += WIDE) {
        let at = corner_of(word_of(piece.z, k));
        points[k] = projected(at.place, at.normal);
    }
    workgroupBarrier();
    rasterise(lane, piece.y);
}
