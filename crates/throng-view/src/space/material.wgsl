// What the ground is made of, and its light.

fn lattice(c: vec2<i32>) -> f32 {
    var h = u32(c.x) * 0x9e3779b1u ^ u32(c.y) * 0x85ebca77u;
    h = (h ^ (h >> 15u)) * 0x2c1b3c6du;
    h = (h ^ (h >> 12u)) * 0x297a2d39u;
    return f32((h ^ (h >> 15u)) & 0xffffu) / 65535.0;
}

fn noise(p: vec2<f32>) -> f32 {
    let c = vec2<i32>(floor(p));
    let f = smoothstep(vec2<f32>(0.0), vec2<f32>(1.0), fract(p));
    let south = mix(lattice(c), lattice(c + vec2<i32>(1, 0)), f.x);
    let north = mix(lattice(c + vec2<i32>(0, 1)), lattice(c + vec2<i32>(1, 1)), f.x);
    return mix(south, north, f.y);
}

// Noise with patches of this size, m, which fades to its mean where they would be finer than pixels: otherwise far ground is striped.
fn patchy(p: vec2<f32>, size: f32, pixel: f32) -> f32 {
    return mix(noise(p / size), 0.5, smoothstep(0.25, 1.0, pixel / size));
}

// What it is made of: grass, earth where it is bare, rock where it is steep; a built floor where all is level. `pixel` is how
// much ground is under a pixel, m.
fn material(p: vec3<f32>, n: vec3<f32>, far: f32, pixel: f32) -> vec3<f32> {
    // Grain fades out where it would be finer than pixels.
    let fine = exp(-far / 40.0);
    var patches = patchy(p.xy, 7.0, pixel) * 0.6 + patchy(p.xy, 2.3, pixel) * 0.4;
    let grain = (noise(p.xy * 3.0) * 0.6 + noise(p.xy * 11.0) * 0.4 - 0.5) * fine;
    if (space.flat_floor == 1u) {
        let line = abs(fract(p.xy + 0.5) - 0.5);
        let joint = (1.0 - smoothstep(0.01, 0.03, min(line.x, line.y))) * exp(-far / 12.0);
        return vec3<f32>(0.36, 0.35, 0.33) * (0.92 + 0.1 * patches + 0.12 * grain - 0.25 * joint);
    }
    // Broad ones, so that the distance is no even green.
    patches += 0.3 * (patchy(p.xy, 45.0, pixel) - 0.5) + 0.2 * (patchy(p.xy, 260.0, pixel) - 0.5);
    let grass = mix(vec3<f32>(0.10, 0.155, 0.045), vec3<f32>(0.17, 0.19, 0.065), patches);
    let earth = vec3<f32>(0.21, 0.15, 0.095);
    let rock = vec3<f32>(0.22, 0.205, 0.19);
    var colour = mix(grass, earth, smoothstep(0.55, 0.85, patches + 0.25 * grain) * 0.7);
    colour = mix(colour, rock, smoothstep(0.22, 0.45, 1.0 - n.z + 0.08 * grain));
    return colour * (1.0 + 0.5 * grain);
}

