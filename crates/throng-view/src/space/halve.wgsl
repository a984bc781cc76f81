// A smaller copy of what is draped over the ground.

@group(0) @binding(0) var larger: texture_2d<f32>;
@group(0) @binding(1) var over: sampler;

@vertex fn everywhere(@builtin(vertex_index) v: u32) -> @builtin(position) vec4<f32> {
    return vec4<f32>(f32(v & 1u) * 4.0 - 1.0, f32(v >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}

@fragment fn halved(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {
    let c = vec2<i32>(at.xy) * 2;
    let most = vec2<i32>(textureDimensions(larger)) - 1;
    var sum = vec4<f32>(0.0);
    for (var k = 0; k < 4; k++) { sum += textureLoad(larger, min(c + vec2<i32>(k & 1, k >> 1u), most), 0); }
    return sum * 0.25;
}
