// From light to what a screen shows. Each sample of a pixel by itself: a bright edge is as smooth as a dull one.

@group(0) @binding(0) var light: texture_multisampled_2d<f32>;
// Top left corner of the view in the picture, px.
@group(0) @binding(1) var<uniform> origin: vec4<f32>;

@vertex fn everywhere(@builtin(vertex_index) v: u32) -> @builtin(position) vec4<f32> {
    return vec4<f32>(f32(v & 1u) * 4.0 - 1.0, f32(v >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}

// A film's curve (Narkowicz's fit of ACES).
fn film(x: vec3<f32>) -> vec3<f32> {
    return clamp((x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14), vec3<f32>(0.0), vec3<f32>(1.0));
}

@fragment fn shown(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {
    let pixel = vec2<i32>(at.xy - origin.xy);
    var sum = vec3<f32>(0.0);
    for (var s = 0; s < 4; s++) { sum += film(0.75 * textureLoad(light, pixel, s).rgb); }
    return vec4<f32>(pow(sum * 0.25, vec3<f32>(1.0 / 2.2)), 1.0);
}
