// Sums of far.wgsl become colours.

@group(1) @binding(0) var<storage, read> sums: array<vec4<u32>>;

@vertex fn everywhere(@builtin(vertex_index) v: u32) -> @builtin(position) vec4<f32> {
    return vec4<f32>(f32(v & 1u) * 4.0 - 1.0, f32(v >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}

@fragment fn resolve(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {
    let pixel = vec2<u32>(at.xy - view.origin);
    let sum = sums[pixel.y * u32(view.size.x) + pixel.x];
    let covered = f32(sum.w);
    if (covered < 1.0) { discard; }
    let rgb = vec3<f32>(sum.xyz) / covered;
    let alpha = min(covered / 4096.0, 1.0) * view.agents_opacity;
    return vec4<f32>(rgb * alpha, alpha);
}
