// What makes an individual: variation.rs, word for word. Integers, and products with powers of two, which are
// exact (a quotient need not be in WGSL): the bits are the same.

struct Variation {
    size: f32,
    girth: f32,
    palette: u32,
    choice: u32,
    shade: f32,
    phase: f32,
    channels: array<f32, 8>,
}

fn variation_words(id: u32, part: u32) -> vec4<u32> {
    var v = vec4<u32>(id, 0x5eedu, part, 1u) * 1664525u + 1013904223u;
    v.x += v.y * v.w;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    v.w += v.y * v.z;
    v ^= v >> vec4<u32>(16u);
    v.x += v.y * v.w;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    v.w += v.y * v.z;
    return v;
}

fn variation_drawn(word: u32, low: u32, steps: u32) -> f32 {
    return f32(low + (((word & 0xffffu) * (steps + 1u)) >> 16u)) * 0.00390625;
}

fn variation_of(id: u32) -> Variation {
    let a = variation_words(id, 0u);
    let b = variation_words(id, 1u);
    var it: Variation;
    it.size = variation_drawn(a.x, 222u, 66u);
    it.girth = variation_drawn(a.x >> 16u, 238u, 48u);
    it.palette = a.y >> 8u;
    it.choice = a.z >> 8u;
    it.shade = variation_drawn(a.w, 205u, 64u);
    it.phase = f32(a.w >> 16u) * 0.0000152587890625;
    it.channels[0] = 1.0;
    it.channels[1] = variation_drawn(b.x, 238u, 44u);
    it.channels[2] = variation_drawn(b.x >> 16u, 200u, 140u);
    it.channels[3] = variation_drawn(b.y, 200u, 150u);
    it.channels[4] = variation_drawn(b.y >> 16u, 230u, 80u);
    it.channels[5] = variation_drawn(b.z, 236u, 56u);
    it.channels[6] = variation_drawn(b.z >> 16u, 240u, 48u);
    it.channels[7] = variation_drawn(b.w, 232u, 50u);
    return it;
}

// What proportions do to a bone: offset and scale. `inner` and `outer` are pivots; scales are those of their channels.
fn variation_grow(inner: vec3<f32>, inner_scale: f32, outer: vec3<f32>, outer_scale: f32) -> vec4<f32> {
    return vec4<f32>(
        inner * (1.0 - inner_scale) * outer_scale + outer * (1.0 - outer_scale),
        inner_scale * outer_scale,
    );
}
