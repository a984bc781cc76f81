// Agents that are skinned already: skinning.wgsl has written their vertices.

@group(0) @binding(0) var<storage, read> characters: array<Character>;
@group(0) @binding(1) var<storage, read> members: array<u32>;
@group(0) @binding(2) var<storage, read> starts: array<u32>;
@group(0) @binding(3) var<storage, read> table: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read> skinned: array<vec4<u32>>;
// Of each vertex: packed, at rest; then its skin.
@group(0) @binding(5) var<storage, read> cage: array<vec4<u32>>;
// Of each face its corners in the order of their places, in which order they are on the face (2 bits for each of the three), which of them is
// the face's first (2 bits), and at which the surface bends (a bit each).
@group(0) @binding(6) var<storage, read> faces: array<vec4<u32>>;
@group(0) @binding(7) var<uniform> shape: Shape;

// Slots are places in the first two lists, of close-ups and of full meshes.
fn who_in(slot: u32) -> Character { return characters[members[starts[0] + slot]]; }

fn skinned_vertex(slot: u32, vertex: u32) -> Vertex {
    var words: array<vec4<u32>, STRIDE>;
    let at = (slot * shape.cage + vertex) * STRIDE;
    for (var k = 0u; k < STRIDE; k++) { words[k] = skinned[at + k]; }
    return vertex_of(words);
}

@vertex fn cast_skinned(@builtin(instance_index) instance: u32, @builtin(vertex_index) vertex: u32) -> @builtin(position) vec4<f32> {
    let slot = members[starts[draw_of.list] + instance];
    let who = who_in(slot);
    let it = variation_of(who.id);
    let v = skinned_vertex(slot, vertex);
    return draw_of.clip * vec4<f32>(placed(who, it.size, it.girth, v.position, v.normal).place, 1.0);
}
