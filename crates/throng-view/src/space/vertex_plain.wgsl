// Skinned vertices as they are, in 48 bytes: to see what packing is worth.
const STRIDE: u32 = 3u;
fn words_of(v: Vertex) -> array<vec4<u32>, STRIDE> {
    return array<vec4<u32>, STRIDE>(
        bitcast<vec4<u32>>(vec4<f32>(v.position, v.handedness)),
        bitcast<vec4<u32>>(vec4<f32>(v.normal, v.uv.x)),
        bitcast<vec4<u32>>(vec4<f32>(v.tangent, v.uv.y)));
}
fn vertex_of(words: array<vec4<u32>, STRIDE>) -> Vertex {
    let a = bitcast<vec4<f32>>(words[0]);
    let b = bitcast<vec4<f32>>(words[1]);
    let c = bitcast<vec4<f32>>(words[2]);
    return Vertex(a.xyz, b.xyz, c.xyz, a.w, vec2<f32>(b.w, c.w));
}
