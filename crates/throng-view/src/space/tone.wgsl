// Shows the picture that resolve.wgsl made.

@group(0) @binding(0) var picture: texture_2d<f32>;
// Top left corner of the view in the picture, px.
@group(0) @binding(1) var<uniform> origin: vec4<f32>;

@vertex fn everywhere(@builtin(vertex_index) v: u32) -> @builtin(position) vec4<f32> {
    return vec4<f32>(f32(v & 1u) * 4.0 - 1.0, f32(v >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}

@fragment fn shown(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {
    return textureLoad(picture, vec2<i32>(at.xy - origin.xy), 0);
}
