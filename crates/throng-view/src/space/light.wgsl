// How things are lit: by the light map (sun and sky with bounces, the ground's own shadow in it) and the shadow maps of agents
// and walls. After Listing 10 of the paper; what differs is said in docs/space.md.

@group(1) @binding(0) var light_map: texture_2d_array<f32>;
@group(1) @binding(1) var smoothly: sampler;
@group(1) @binding(2) var shadow_maps: texture_depth_2d_array;
@group(1) @binding(3) var compare: sampler_comparison;

// How far into shadow a light from the sun's direction is: see exposure.
const FADE_FROM: f32 = 0.454;   // cosine of 63°
const FADE_TO: f32 = 0.951;     // cosine of 18°

fn cascade_of(p: vec3<f32>) -> u32 {
    let away = -(space.view * vec4<f32>(p, 1.0)).z;
    return u32(away > space.ends.x) + u32(away > space.ends.y) + u32(away > space.ends.z);
}

// The share of the sun that agents and walls let through.
fn through(p: vec3<f32>, n: vec3<f32>) -> f32 {
    let k = cascade_of(p);
    if (space.sun.w == 0.0 || k > 2u) { return 1.0; }
    // A little out of the surface, more where the light grazes it, so that nothing shades itself.
    let graze = 1.0 - max(dot(n, space.sun.xyz), 0.0);
    return let_through(p, n * (0.6 + 1.6 * graze) + space.sun.xyz * 0.6, k);
}

// Likewise for the ground, which is not in the maps and so cannot shade itself: where texels are as large as people, a step out of
// it would be above their heads.
fn through_to_ground(p: vec3<f32>) -> f32 {
    let k = cascade_of(p);
    if (space.sun.w == 0.0 || k > 2u) { return 1.0; }
    return let_through(p, vec3<f32>(0.0), k);
}

// How much of a map, from its end back, goes over into the next one, or into light where shadows end.
const GOES_OVER: f32 = 0.15;

fn let_through(p: vec3<f32>, out_of_it: vec3<f32>, k: u32) -> f32 {
    let here = seen_by_sun(p + out_of_it * space.texels[k], k);
    let away = -(space.view * vec4<f32>(p, 1.0)).z;
    let before = select(space.ends[max(k, 1u) - 1u], space.ends.w, k == 0u);
    let share = smoothstep(mix(space.ends[k], before, GOES_OVER), space.ends[k], away);
    if (share <= 0.0) { return here; }
    var next = 1.0;
    if (k < 2u) { next = seen_by_sun(p + out_of_it * space.texels[k + 1u], k + 1u); }
    return mix(here, next, share);
}

// In one of the maps: nine looks, each of four texels.
fn seen_by_sun(from_: vec3<f32>, k: u32) -> f32 {
    let at = space.cascades[k] * vec4<f32>(from_, 1.0);
    let uv = at.xy * vec2<f32>(0.5, -0.5) + 0.5;
    if (any(uv < vec2<f32>(0.0)) || any(uv > vec2<f32>(1.0))) { return 1.0; }
    let texel = 1.0 / vec2<f32>(textureDimensions(shadow_maps));
    var sum = 0.0;
    for (var y = -1; y <= 1; y++) {
        for (var x = -1; x <= 1; x++) {
            let there = uv + vec2<f32>(f32(x), f32(y)) * texel;
            sum += textureSampleCompareLevel(shadow_maps, compare, there, k, clamp(at.z, 0.0, 1.0));
        }
    }
    return sum / 9.0;
}

// A directional light of unit intensity in spherical harmonics is the basis times this.
const UNIT: f32 = 2.95679308573; // 16π/17

struct Surroundings {
    // Red, green and blue of each of nine coefficients.
    c: array<vec3<f32>, 9>,
}

fn basis(d: vec3<f32>) -> array<f32, 9> {
    return array<f32, 9>(
        0.282095,
        0.488603 * d.y, 0.488603 * d.z, 0.488603 * d.x,
        1.092548 * d.x * d.y, 1.092548 * d.y * d.z, 0.315392 * (3.0 * d.z * d.z - dot(d, d)), 1.092548 * d.x * d.z,
        0.546274 * (d.x * d.x - d.y * d.y),
    );
}

// The light map reaches beyond the world on all sides, in worlds: the ground around it is lit as open ground is.
const MARGIN: f32 = 0.25;

fn surroundings(p: vec2<f32>) -> Surroundings {
    let uv = clamp((p / space.extent + MARGIN) / (1.0 + 2.0 * MARGIN), vec2<f32>(0.0), vec2<f32>(1.0));
    let r0 = textureSampleLevel(light_map, smoothly, uv, 0, 0.0);
    let g0 = textureSampleLevel(light_map, smoothly, uv, 1, 0.0);
    let b0 = textureSampleLevel(light_map, smoothly, uv, 2, 0.0);
    let r1 = textureSampleLevel(light_map, smoothly, uv, 3, 0.0);
    let g1 = textureSampleLevel(light_map, smoothly, uv, 4, 0.0);
    let b1 = textureSampleLevel(light_map, smoothly, uv, 5, 0.0);
    let last = textureSampleLevel(light_map, smoothly, uv, 6, 0.0);
    var s: Surroundings;
    for (var k = 0; k < 4; k++) {
        s.c[k] = vec3<f32>(r0[k], g0[k], b0[k]);
        s.c[k + 4] = vec3<f32>(r1[k], g1[k], b1[k]);
    }
    s.c[8] = last.rgb;
    return s;
}

fn brightness(c: vec3<f32>) -> f32 { return dot(c, vec3<f32>(0.3, 0.59, 0.11)); }

// How much of the dominant light is the sun, 0 to 1: whether it comes from there, and is as bright. Where it is not, the
// ground's own shadow is in the light map already, and nothing is shadowed twice.
fn exposure(way: vec3<f32>, colour: vec3<f32>) -> f32 {
    let aligned = smoothstep(FADE_FROM, FADE_TO, dot(way, space.sun.xyz));
    return aligned * smoothstep(0.25, 0.6, brightness(colour) / max(brightness(space.sun_colour.rgb), 1e-6));
}

// What reaches a place, whichever way a surface there faces.
struct Reaching {
    way: vec3<f32>,         // to the dominant light
    dominant: vec3<f32>,
    exposure: f32,          // how much of that the shadow maps may take away
    // Of all else what a matt surface sends on: from all sides, and by how much more along x, y and z. What is left of the second
    // order, of which matt surfaces take a quarter, is next to nothing once the dominant light is split off.
    rest: mat4x3<f32>,
}

// The dominant light of what reaches a place: which way it is, its colour, and what its part in each coefficient is.
struct Dominant {
    way: vec3<f32>,
    colour: vec3<f32>,
    parts: array<f32, 9>,
}

fn dominant_of(s: ptr<function, Surroundings>) -> Dominant {
    var out: Dominant;
    let linear = vec3<f32>(brightness((*s).c[3]), brightness((*s).c[1]), brightness((*s).c[2]));
    out.way = linear / max(length(linear), 1e-6);
    out.parts = basis(out.way);
    var square = 0.0;
    for (var k = 0; k < 9; k++) {
        out.parts[k] *= UNIT;
        square += out.parts[k] * out.parts[k];
        out.colour += out.parts[k] * (*s).c[k];
    }
    out.colour = max(out.colour / square, vec3<f32>(0.0));
    return out;
}

fn reaching(p: vec2<f32>) -> Reaching {
    var s = surroundings(p);
    var d = dominant_of(&s);
    let all_sides = 0.282095 * (s.c[0] - d.parts[0] * d.colour);
    let one = 0.6666667 * 0.488603;
    let along = mat3x3<f32>(
        one * (s.c[3] - d.parts[3] * d.colour), one * (s.c[1] - d.parts[1] * d.colour), one * (s.c[2] - d.parts[2] * d.colour));
    return Reaching(d.way, d.colour, exposure(d.way, d.colour), mat4x3<f32>(all_sides, along[0], along[1], along[2]));
}

// Nine bits of each colour, and a power of two for all three.
fn pack_colour(c: vec3<f32>) -> u32 {
    let most = max(max(c.r, c.g), max(c.b, 1e-4));
    let power = clamp(i32(floor(log2(most))) + 1, -15, 16);
    let q = min(vec3<u32>(c * exp2(f32(9 - power)) + 0.5), vec3<u32>(511u));
    return q.r | (q.g << 9u) | (q.b << 18u) | (u32(power + 15) << 27u);
}

fn unpack_colour(word: u32) -> vec3<f32> {
    let q = (vec3<u32>(word) >> vec3<u32>(0u, 9u, 18u)) & vec3<u32>(511u);
    return vec3<f32>(q) * exp2(f32(i32(word >> 27u) - 24));
}

// A way on an octahedron that is folded open, 12 bits either way.
fn pack_way(way: vec3<f32>) -> u32 {
    var o = way.xy / (abs(way.x) + abs(way.y) + abs(way.z));
    if (way.z < 0.0) { o = (1.0 - abs(o.yx)) * select(vec2<f32>(-1.0), vec2<f32>(1.0), o >= vec2<f32>(0.0)); }
    let q = vec2<u32>(clamp(o * 2047.0 + 2047.5, vec2<f32>(0.0), vec2<f32>(4095.0)));
    return q.x | (q.y << 12u);
}

fn unpack_way(word: u32) -> vec3<f32> {
    let o = (vec2<f32>(vec2<u32>(word & 0xfffu, (word >> 12u) & 0xfffu)) - 2047.0) / 2047.0;
    var way = vec3<f32>(o, 1.0 - abs(o.x) - abs(o.y));
    if (way.z < 0.0) {
        way = vec3<f32>((1.0 - abs(way.yx)) * select(vec2<f32>(-1.0), vec2<f32>(1.0), way.xy >= vec2<f32>(0.0)), way.z);
    }
    return normalize(way);
}

// In 32 bytes, for agents: each is lit alike all over, by what reaches its feet.
fn pack_reaching(r: Reaching) -> array<vec4<u32>, 2> {
    let m = r.rest;
    let halves = vec3<u32>(pack2x16float(m[0].xy), pack2x16float(vec2<f32>(m[0].z, m[1].x)), pack2x16float(m[1].yz));
    let others = vec3<u32>(pack2x16float(m[2].xy), pack2x16float(vec2<f32>(m[2].z, m[3].x)), pack2x16float(m[3].yz));
    let way = pack_way(r.way) | (u32(r.exposure * 255.0 + 0.5) << 24u);
    return array<vec4<u32>, 2>(vec4<u32>(halves, way), vec4<u32>(others, pack_colour(r.dominant)));
}

fn unpack_reaching(words: array<vec4<u32>, 2>) -> Reaching {
    let a = unpack2x16float(words[0].y);
    let b = unpack2x16float(words[1].y);
    let rest = mat4x3<f32>(
        vec3<f32>(unpack2x16float(words[0].x), a.x), vec3<f32>(a.y, unpack2x16float(words[0].z)),
        vec3<f32>(unpack2x16float(words[1].x), b.x), vec3<f32>(b.y, unpack2x16float(words[1].z)));
    return Reaching(unpack_way(words[0].w), unpack_colour(words[1].w), f32(words[0].w >> 24u) / 255.0, rest);
}

// Of the rest, what a surface that faces so sends on.
fn rest_of(r: Reaching, n: vec3<f32>) -> vec3<f32> { return r.rest * vec4<f32>(1.0, n); }

// The share of the dominant light that is left where shadow maps are looked up.
fn shade_of(exposure: f32, p: vec3<f32>, n: vec3<f32>) -> f32 {
    if (exposure <= 0.0) { return 1.0; }
    return mix(1.0, through(p, n), exposure);
}

// Light that white paper at a place sends out: the dominant light, split off, under the shadow maps; the rest as it is.
fn lit(p: vec3<f32>, n: vec3<f32>) -> vec3<f32> {
    let at = lights_at(p.xy, n);
    return max(vec3<f32>(0.0), at.rest + at.direct * shade_of(at.exposure, p, n));
}

// Of surfaces that face several ways the mean of their normals is shorter, the more they differ: `square` is of its length. Half of them
// face the light by so much more, half by so much less; what a screen shows goes about as the root of light, and so does this mean.
fn lit_on_average(rest: vec3<f32>, dominant: vec3<f32>, facing: f32, square: f32) -> vec3<f32> {
    let more = sqrt(max(1.0 - square, 0.0) / 3.0);
    let bright = max(vec3<f32>(0.0), rest + dominant * max(facing + more, 0.0));
    let dark = max(vec3<f32>(0.0), rest + dominant * max(facing - more, 0.0));
    let root = 0.5 * (sqrt(bright) + sqrt(dark));
    return root * root;
}

struct Lights {
    rest: vec3<f32>,
    direct: vec3<f32>,  // of the dominant light, on a surface that faces so
    exposure: f32,
}

fn lights_at(p: vec2<f32>, n: vec3<f32>) -> Lights {
    var s = surroundings(p);
    var d = dominant_of(&s);
    let b = basis(n);
    var rest = vec3<f32>(0.0);
    for (var k = 0; k < 9; k++) {
        // What a matt surface makes of each band.
        let matt = select(select(0.25, 0.6666667, k < 4), 1.0, k == 0);
        rest += matt * b[k] * (s.c[k] - d.parts[k] * d.colour);
    }
    return Lights(rest, d.colour * max(dot(n, d.way), 0.0), exposure(d.way, d.colour));
}

// What the air before a place leaves of its light, blue least, and its own light that it adds.
struct Air {
    left: vec3<f32>,
    added: vec3<f32>,
}

fn air_at(p: vec3<f32>) -> Air {
    let way = p - space.eye.xyz;
    let far = length(way);
    let left = exp(-far * space.sun_colour.w * vec3<f32>(0.7, 1.0, 1.5));
    let level = normalize(vec3<f32>(way.xy, max(way.z, 0.0) + 0.02 * far));
    return Air(left, sky(level) * (1.0 - left));
}

fn through_air(colour: vec3<f32>, p: vec3<f32>) -> vec3<f32> {
    let air = air_at(p);
    return colour * air.left + air.added;
}

// How much skin takes on of the colour that cloth has: so that one sees from afar what it means.
const STAIN: f32 = 0.3;

fn linear_of(shown: vec3<f32>) -> vec3<f32> { return pow(max(shown, vec3<f32>(0.0)), vec3<f32>(2.2)); }

fn tinted(colour: vec3<f32>, p: vec3<f32>) -> vec3<f32> {
    if (space.tint != 2u) { return colour; }
    let tints = array<vec3<f32>, 4>(vec3<f32>(1.4, 0.6, 0.5), vec3<f32>(0.6, 1.3, 0.6), vec3<f32>(0.5, 0.7, 1.5), vec3<f32>(1.0));
    return colour * tints[cascade_of(p)];
}

// What shows a level of detail.
fn level_tint(level: u32) -> vec3<f32> {
    let tints = array<vec3<f32>, 7>(
        vec3<f32>(0.9, 0.3, 0.85), vec3<f32>(0.95, 0.25, 0.2), vec3<f32>(0.95, 0.75, 0.2), vec3<f32>(0.3, 0.8, 0.35),
        vec3<f32>(0.3, 0.55, 0.95), vec3<f32>(0.35, 0.85, 0.9), vec3<f32>(0.75, 0.75, 0.78));
    return linear_of(tints[level]);
}
