// The ground: chunks of 64 × 64 quads, drawn from the heights, and an apron around the world that runs to the horizon.

@group(0) @binding(0) var draped: texture_2d<f32>;
@group(0) @binding(1) var over: sampler;

struct Ground {
    @builtin(position) @invariant at: vec4<f32>,
    @location(0) place: vec3<f32>,
    @location(1) normal: vec3<f32>,
    // The light that reaches the corner, as lights_at has it: the map of light is no finer than the mesh.
    @location(2) rest: vec3<f32>,
    @location(3) direct: vec3<f32>,
    @location(4) exposure: f32,
}

const SIDE: u32 = 64u;
// How far the apron goes, in half worlds.
const APRON: f32 = 80.0;

fn corner(c: vec2<u32>) -> Ground {
    let k = min(c, space.corners - 1u);
    let p = vec2<f32>(k) * space.quad;
    var out: Ground;
    out.place = vec3<f32>(p, corner_height(k));
    let low = max(k, vec2<u32>(1u)) - 1u;
    let high = min(k + 1u, space.corners - 1u);
    let dx = corner_height(vec2<u32>(high.x, k.y)) - corner_height(vec2<u32>(low.x, k.y));
    let dy = corner_height(vec2<u32>(k.x, high.y)) - corner_height(vec2<u32>(k.x, low.y));
    let over_ = vec2<f32>(max(high - low, vec2<u32>(1u))) * space.quad;
    out.normal = normalize(vec3<f32>(-dx / over_.x, -dy / over_.y, 1.0));
    out.at = draw_of.clip * vec4<f32>(out.place, 1.0);
    return out;
}

// Depth alone needs no light.
fn under_light(at: Ground) -> Ground {
    var out = at;
    let lights = lights_at(out.place.xy, normalize(out.normal));
    out.rest = lights.rest;
    out.direct = lights.direct;
    out.exposure = lights.exposure;
    return out;
}

fn corner_of(v: u32, chunk: vec2<u32>) -> Ground { return corner(chunk * SIDE + vec2<u32>(v % (SIDE + 1u), v / (SIDE + 1u))); }

@vertex fn ground(@builtin(vertex_index) v: u32, @location(0) chunk: vec2<u32>) -> Ground { return corner_of(v, chunk); }

@vertex fn ground_lit(@builtin(vertex_index) v: u32, @location(0) chunk: vec2<u32>) -> Ground { return under_light(corner_of(v, chunk)); }

// The k-th corner of the mesh's rim, from the south-west one over south, east, north and west.
fn rim(k: u32) -> vec2<u32> {
    let n = space.corners - 1u;
    if (k < n.x) { return vec2<u32>(k, 0u); }
    if (k < n.x + n.y) { return vec2<u32>(n.x, k - n.x); }
    if (k < 2u * n.x + n.y) { return vec2<u32>(2u * n.x + n.y - k, n.y); }
    return vec2<u32>(0u, 2u * (n.x + n.y) - k);
}

// Five rings around the world, by how many times as large: four on which it comes down, one at the horizon.
@vertex fn apron(@builtin(vertex_index) v: u32) -> Ground { return around_the_world(v); }

@vertex fn apron_lit(@builtin(vertex_index) v: u32) -> Ground { return under_light(around_the_world(v)); }

fn around_the_world(v: u32) -> Ground {
    let around = 2u * (space.corners.x + space.corners.y - 2u);
    let rings = array<f32, 5>(1.0, 1.0 + FALL / 3.0, 1.0 + FALL * 2.0 / 3.0, 1.0 + FALL, APRON);
    let turns = array<u32, 6>(0u, 1u, 2u, 2u, 1u, 3u);
    let k = turns[v % 6u];
    let strip = v / 6u / around;
    // Inner, outer, inner of the next, outer of the next.
    var out = corner(rim((v / 6u + (k >> 1u)) % around));
    let ring = strip + (k & 1u);
    if (ring > 0u) {
        let middle = 0.5 * space.extent;
        let p = middle + (out.place.xy - middle) * rings[ring];
        out.place = vec3<f32>(p, height_at(p));
        out.normal = normal_at(p);
    }
    out.at = draw_of.clip * vec4<f32>(out.place, 1.0);
    return out;
}

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

@fragment fn ground_colour(in: Ground) -> @location(0) vec4<f32> {
    let n = normalize(in.normal);
    let far = distance(in.place, space.eye.xyz);
    let inside = in.place.xy / space.extent;
    // Before any branch: the hardware wants to know how far apart neighbours are.
    let across = fwidth(in.place.xy);
    let laid = textureSample(draped, over, (in.place.xy - 0.5 * space.extent) / space.laid * vec2<f32>(1.0, -1.0) + 0.5);
    let within = all(inside >= vec2<f32>(0.0)) && all(inside <= vec2<f32>(1.0));
    let cover = select(0.0, clamp(laid.a, 0.0, 1.0), within);
    let paint = linear_of(laid.rgb / max(laid.a, 1e-3));
    var left = 1.0;
    if (in.exposure > 0.0) { left = mix(1.0, through_to_ground(in.place), in.exposure); }
    let light = max(vec3<f32>(0.0), in.rest + in.direct * left);
    // What is laid over the ground is half lit and half as it is: a field's colours must be found in its legend again.
    // Around the world it is duller, so that one sees where that ends.
    let bare = material(in.place, n, far, max(across.x, across.y)) * light * select(0.7, 1.0, within);
    let colour = mix(bare, paint * (0.4 * light + 0.5), cover);
    return vec4<f32>(through_air(tinted(colour, in.place), in.place), 1.0);
}
