// Agents that are skinned already: skinning.wgsl has written their vertices.

@group(0) @binding(0) var<storage, read> characters: array<Character>;
@group(0) @binding(1) var<storage, read> members: array<u32>;
@group(0) @binding(2) var<storage, read> starts: array<u32>;
@group(0) @binding(3) var<storage, read> table: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read> skinned: array<vec4<u32>>;
@group(0) @binding(5) var<uniform> shape: Shape;

// Slots are places in the first two lists, of close-ups and of full meshes.
fn agent_in(slot: u32) -> u32 { return members[starts[0] + slot]; }

fn who_in(slot: u32) -> Character { return characters[agent_in(slot)]; }

fn skinned_vertex(slot: u32, vertex: u32) -> Vertex {
    var words: array<vec4<u32>, STRIDE>;
    let at = (slot * shape.cage + vertex) * STRIDE;
    for (var k = 0u; k < STRIDE; k++) { words[k] = skinned[at + k]; }
    return vertex_of(words);
}
