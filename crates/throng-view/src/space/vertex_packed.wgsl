// Skinned vertices in 16 bytes: this project's layout.
const STRIDE: u32 = 1u;
fn words_of(v: Vertex) -> array<vec4<u32>, STRIDE> {
    return array<vec4<u32>, STRIDE>(pack_vertex(v, shape.skin_low, shape.skin_high));
}
fn vertex_of(words: array<vec4<u32>, STRIDE>) -> Vertex { return unpack_vertex(words[0], shape.skin_low, shape.skin_high); }
