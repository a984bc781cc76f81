// The light map: for each texel what light comes from where, half a character above the ground, as nine coefficients of
// spherical harmonics for each colour. One dispatch adds one bounce: rays that meet the ground bring what the map before says.

@group(0) @binding(0) var<uniform> how: vec4<u32>;  // rays, rays to the sun, whether there is a map before, and nothing
@group(0) @binding(1) var made: texture_storage_2d_array<rgba16float, write>;

const PI: f32 = 3.14159265;
const HALF_A_CHARACTER: f32 = 0.9;
// How much light ground sends back.
const ALBEDO: vec3<f32> = vec3<f32>(0.17, 0.17, 0.11);

// Where a ray meets the ground: how far, or −1. Steps grow with the distance, as what they can miss does with the eye's.
fn meets(from_: vec3<f32>, way: vec3<f32>) -> f32 {
    let shortest = 0.5 * min(space.quad.x, space.quad.y);
    var t = 0.0;
    var step = shortest;
    for (var k = 0; k < 96; k++) {
        let p = from_ + way * (t + step);
        if (way.z >= 0.0 && p.z > space.top) { return -1.0; }
        let beyond = any(abs(p.xy / space.extent - 0.5) > vec2<f32>(0.5 + MARGIN));
        if (beyond) {
            // Around that it is level.
            if (way.z >= 0.0) { return -1.0; }
            return max((space.base - from_.z) / way.z, t);
        }
        if (p.z < height_at(p.xy)) { return t + 0.5 * step; }
        t += step;
        step = max(shortest, 0.06 * t);
    }
    return select(-1.0, t, way.z < 0.0);
}

// What ground there sends back to all sides, by the map before.
fn bounced(p: vec2<f32>) -> vec3<f32> {
    if (how.z == 0u) { return vec3<f32>(0.0); }
    let s = surroundings(p);
    let b = basis(normal_at(p));
    var sum = vec3<f32>(0.0);
    for (var k = 0; k < 9; k++) { sum += select(select(0.25, 0.6666667, k < 4), 1.0, k == 0) * b[k] * s.c[k]; }
    return ALBEDO * max(sum, vec3<f32>(0.0));
}

@compute @workgroup_size(8, 8)
fn bake(@builtin(global_invocation_id) id: vec3<u32>) {
    let size = textureDimensions(made);
    if (any(id.xy >= size)) { return; }
    let uv = (vec2<f32>(id.xy) + 0.5) / vec2<f32>(size);
    let p = (uv * (1.0 + 2.0 * MARGIN) - MARGIN) * space.extent;
    let from_ = vec3<f32>(p, height_at(p) + HALF_A_CHARACTER);
    var c: array<vec3<f32>, 9>;
    // Directions that are spread evenly over the sphere: stratified in height and, by the golden angle, around. The same for
    // every texel, so that neighbours do not differ by chance.
    for (var k = 0u; k < how.x; k++) {
        let z = 1.0 - (2.0 * f32(k) + 1.0) / f32(how.x);
        let a = f32(k) * 2.39996323;
        let r = sqrt(1.0 - z * z);
        let way = vec3<f32>(r * cos(a), r * sin(a), z);
        let far = meets(from_, way);
        var light = vec3<f32>(0.0);
        if (far < 0.0) { light = sky(way); } else { light = bounced((from_ + way * far).xy); }
        let b = basis(way);
        for (var j = 0; j < 9; j++) { c[j] += light * b[j] * (4.0 * PI / f32(how.x)); }
    }
    // The sun is a disc of some degrees here: shadows of mountains have soft edges, as wide as texels.
    let right = normalize(cross(space.sun.xyz, vec3<f32>(0.0, 0.0, 1.0)));
    let above = cross(right, space.sun.xyz);
    var seen = 0.0;
    for (var k = 0u; k < how.y; k++) {
        let r = 0.03 * sqrt((f32(k) + 0.5) / f32(how.y));
        let a = f32(k) * 2.39996323;
        let way = normalize(space.sun.xyz + (right * cos(a) + above * sin(a)) * r);
        if (meets(from_, way) < 0.0) { seen += 1.0 / f32(how.y); }
    }
    let b = basis(space.sun.xyz);
    for (var j = 0; j < 9; j++) { c[j] += seen * space.sun_colour.rgb * b[j] * UNIT; }
    for (var channel = 0; channel < 3; channel++) {
        let low = vec4<f32>(c[0][channel], c[1][channel], c[2][channel], c[3][channel]);
        let high = vec4<f32>(c[4][channel], c[5][channel], c[6][channel], c[7][channel]);
        textureStore(made, id.xy, channel, low);
        textureStore(made, id.xy, channel + 3, high);
    }
    textureStore(made, id.xy, 6, vec4<f32>(c[8], seen));
}
