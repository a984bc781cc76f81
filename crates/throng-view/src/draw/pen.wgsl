// What egui has laid out: triangles with a colour and a place in a texture.

struct Corner {
    @builtin(position) at: vec4<f32>,
    @location(0) uv: vec2<f32>,
    @location(1) colour: vec4<f32>,
}

// Width and height of the picture, in points.
@group(0) @binding(0) var<uniform> screen: vec4<f32>;
@group(1) @binding(0) var letters: texture_2d<f32>;
@group(1) @binding(1) var smoothly: sampler;

@vertex fn corner(@location(0) at: vec2<f32>, @location(1) uv: vec2<f32>, @location(2) colour: vec4<f32>) -> Corner {
    let clip = vec2<f32>(2.0 * at.x / screen.x - 1.0, 1.0 - 2.0 * at.y / screen.y);
    return Corner(vec4<f32>(clip, 0.0, 1.0), uv, colour);
}

// Colours are as they are shown, and already times their opacity.
@fragment fn ink(c: Corner) -> @location(0) vec4<f32> {
    return c.colour * textureSampleLevel(letters, smoothly, c.uv, 0.0);
}
