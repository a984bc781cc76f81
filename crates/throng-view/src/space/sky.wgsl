// The sky behind everything, with the sun's disc.

struct Far {
    @builtin(position) at: vec4<f32>,
    @location(0) way: vec3<f32>,
}

@vertex fn everywhere(@builtin(vertex_index) v: u32) -> Far {
    let c = vec2<f32>(f32(v & 1u) * 4.0 - 1.0, f32(v >> 1u) * 4.0 - 1.0);
    // Any depth before the horizon gives the way.
    let p = space.unclip * vec4<f32>(c, 0.5, 1.0);
    return Far(vec4<f32>(c, 0.0, 1.0), p.xyz / p.w - space.eye.xyz);
}

@fragment fn sky_colour(in: Far) -> @location(0) vec4<f32> {
    let way = normalize(in.way);
    let disc = smoothstep(0.99985, 0.99993, dot(way, space.sun.xyz));
    return vec4<f32>(sky(way) + disc * 20.0 * space.sun_colour.rgb, 1.0);
}
