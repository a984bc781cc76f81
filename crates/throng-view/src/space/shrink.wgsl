// A copy of both textures of the atlas at half the size: the mean of four texels.

@group(0) @binding(0) var shares: texture_2d_array<f32>;
@group(0) @binding(1) var surface: texture_2d_array<f32>;
@group(0) @binding(2) var small_shares: texture_storage_2d_array<rgba8unorm, write>;
@group(0) @binding(3) var small_surface: texture_storage_2d_array<rgba8unorm, write>;

fn mean(of_: texture_2d_array<f32>, at: vec2<u32>, layer: u32) -> vec4<f32> {
    let a = textureLoad(of_, 2u * at, layer, 0) + textureLoad(of_, 2u * at + vec2<u32>(1u, 0u), layer, 0);
    let b = textureLoad(of_, 2u * at + vec2<u32>(0u, 1u), layer, 0) + textureLoad(of_, 2u * at + 1u, layer, 0);
    return 0.25 * (a + b);
}

@compute @workgroup_size(8, 8)
fn shrink(@builtin(global_invocation_id) id: vec3<u32>) {
    if (any(id.xy >= textureDimensions(small_shares))) { return; }
    textureStore(small_shares, id.xy, id.z, mean(shares, id.xy, id.z));
    textureStore(small_surface, id.xy, id.z, mean(surface, id.xy, id.z));
}
