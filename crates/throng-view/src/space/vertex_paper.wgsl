// Skinned vertices in 16 bytes: the layout of March of the Froblins.
const STRIDE: u32 = 1u;
fn words_of(v: Vertex) -> array<vec4<u32>, STRIDE> {
    return array<vec4<u32>, STRIDE>(paper_pack_vertex(v, shape.skin_low, shape.skin_high));
}
fn vertex_of(words: array<vec4<u32>, STRIDE>) -> Vertex { return paper_unpack_vertex(words[0], shape.skin_low, shape.skin_high); }
