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

// The share of the sun that agents and walls let through: nine looks, each of four texels.
fn through(p: vec3<f32>, n: vec3<f32>) -> f32 {
    let k = cascade_of(p);
    if (space.sun.w == 0.0 || k > 2u) { return 1.0; }
    // A little out of the surface, more where the light grazes it, so that nothing shades itself.
    let graze = 1.0 - max(dot(n, space.sun.xyz), 0.0);
    let from_ = p + (n * (0.6 + 1.6 * graze) + space.sun.xyz * 0.6) * space.texels[k];
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

// Light that white paper at a place sends out: the dominant light, split off, under the shadow maps; the rest as it is.
fn lit(p: vec3<f32>, n: vec3<f32>) -> vec3<f32> {
    let at = lights_at(p, n);
    return max(vec3<f32>(0.0), at.rest + at.dominant * max(at.facing, 0.0));
}

// Of surfaces that face several ways, n is the mean of their normals: the shorter, the more they differ. Half of them face the
// light by so much more, half by so much less; what a screen shows goes about as the root of light, and so does this mean.
fn lit_on_average(p: vec3<f32>, n: vec3<f32>) -> vec3<f32> {
    let at = lights_at(p, n);
    let more = sqrt(max(1.0 - dot(n, n), 0.0) / 3.0);
    let bright = max(vec3<f32>(0.0), at.rest + at.dominant * max(at.facing + more, 0.0));
    let dark = max(vec3<f32>(0.0), at.rest + at.dominant * max(at.facing - more, 0.0));
    let root = 0.5 * (sqrt(bright) + sqrt(dark));
    return root * root;
}

struct Lights {
    dominant: vec3<f32>,
    rest: vec3<f32>,
    facing: f32,    // cosine to the dominant light
}

fn lights_at(p: vec3<f32>, n: vec3<f32>) -> Lights {
    var s = surroundings(p.xy);
    let linear = vec3<f32>(brightness(s.c[3]), brightness(s.c[1]), brightness(s.c[2]));
    let way = linear / max(length(linear), 1e-6);
    var d = basis(way);
    var square = 0.0;
    var dominant = vec3<f32>(0.0);
    for (var k = 0; k < 9; k++) {
        d[k] *= UNIT;
        square += d[k] * d[k];
        dominant += d[k] * s.c[k];
    }
    dominant = max(dominant / square, vec3<f32>(0.0));
    let b = basis(n);
    var rest = vec3<f32>(0.0);
    for (var k = 0; k < 9; k++) {
        // What a matt surface makes of each band.
        let matt = select(select(0.25, 0.6666667, k < 4), 1.0, k == 0);
        rest += matt * b[k] * (s.c[k] - d[k] * dominant);
    }
    let shade = mix(1.0, through(p, n), exposure(way, dominant));
    return Lights(dominant * shade, rest, dot(n, way));
}

// Through the air: what comes from far is dimmed, blue first, and the air's own light is added.
fn through_air(colour: vec3<f32>, p: vec3<f32>) -> vec3<f32> {
    let way = p - space.eye.xyz;
    let far = length(way);
    let left = exp(-far * space.sun_colour.w * vec3<f32>(0.7, 1.0, 1.5));
    let level = normalize(vec3<f32>(way.xy, max(way.z, 0.0) + 0.02 * far));
    return colour * left + sky(level) * (1.0 - left);
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
