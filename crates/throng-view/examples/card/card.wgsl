// What `card` draws and computes. Nothing of it makes a picture that anybody would look at.

// Side of the picture, px.
override SIDE: f32 = 1024.0;
// Quads from side to side of a grid, and how long one's side is, px.
override ACROSS: u32 = 724u;
override STEP: f32 = 1.4142135;
// 1 if instances are strewn over the picture, 0 if they lie on each other.
override STREWN: u32 = 0u;

@group(0) @binding(0) var layers: texture_2d_array<f32>;
@group(0) @binding(1) var smoothly: sampler;
@group(0) @binding(2) var depths: texture_depth_2d_array;
@group(0) @binding(3) var compare: sampler_comparison;
// Four halves: as a texel of the layers, layer after layer.
@group(0) @binding(4) var<storage, read> texels: array<vec2<u32>>;
@group(0) @binding(5) var<storage, read_write> sums: array<atomic<u32>>;

// Side of the layers, texels.
const LAYER: u32 = 256u;

fn mixed(n: u32) -> u32 {
    let a = (n ^ (n >> 16u)) * 0x7feb352du;
    let b = (a ^ (a >> 15u)) * 0x846ca68bu;
    return b ^ (b >> 16u);
}

// Somewhere in the picture, px.
fn somewhere(n: u32) -> vec2<f32> {
    let m = mixed(n);
    return vec2<f32>(f32(m & 0xffffu), f32(m >> 16u)) / 65536.0 * SIDE;
}

fn placed(at: vec2<f32>) -> vec4<f32> { return vec4<f32>(at / SIDE * 2.0 - 1.0, 0.5, 1.0); }

// 16 times a sine and a cosine.
fn sines(at: vec2<f32>) -> f32 {
    var sum = 0.0;
    for (var k = 0; k < 16; k++) { sum += sin(at.x * 0.01 + f32(k)) * cos(at.y * 0.01 - f32(k)); }
    return sum;
}

// All of a triangle's corners are one point.
@vertex fn nowhere(@builtin(vertex_index) v: u32) -> @builtin(position) vec4<f32> {
    return vec4<f32>(f32((v / 3u) & 7u) * 0.1, 0.5, 0.5, 1.0);
}
@vertex fn nowhere_with_sines(@builtin(vertex_index) v: u32) -> @builtin(position) vec4<f32> {
    let sum = sines(vec2<f32>(f32((v / 3u) & 1023u), f32((v / 3u) >> 10u)));
    return vec4<f32>(0.3, 0.5, 0.5 + 0.001 * sum, 1.0);
}
// Three corners of their own each, half a pixel square.
@vertex fn strewn(@builtin(vertex_index) v: u32) -> @builtin(position) vec4<f32> {
    let corner = vec2<f32>(f32(v % 3u & 1u), f32(v % 3u >> 1u));
    return placed(somewhere(v / 3u) + corner * STEP);
}
// Corners of a grid, row by row.
fn corner_of(v: u32, instance: u32) -> vec2<f32> {
    let at = vec2<f32>(f32(v % (ACROSS + 1u)), f32(v / (ACROSS + 1u))) * STEP;
    return select(at, at + somewhere(instance) * 0.9, STREWN == 1u);
}
@vertex fn grid(@builtin(vertex_index) v: u32, @builtin(instance_index) i: u32) -> @builtin(position) vec4<f32> {
    return placed(corner_of(v, i));
}
@vertex fn grid_behind(@builtin(vertex_index) v: u32, @builtin(instance_index) i: u32) -> @builtin(position) vec4<f32> {
    return vec4<f32>(placed(corner_of(v, i)).xyz, -1.0);
}
// Quads: four vertices an instance, or six vertices each of one instance.
@vertex fn quad_of_instance(@builtin(vertex_index) v: u32, @builtin(instance_index) i: u32) -> @builtin(position) vec4<f32> {
    return placed(somewhere(i) + vec2<f32>(f32(v & 1u), f32(v >> 1u)) * STEP);
}
@vertex fn quad_of_six(@builtin(vertex_index) v: u32) -> @builtin(position) vec4<f32> {
    let k = v % 6u;
    let corner = select(k, 6u - k, k > 2u);
    return placed(somewhere(v / 6u) + vec2<f32>(f32(corner & 1u), f32(corner >> 1u)) * STEP);
}
@vertex fn whole(@builtin(vertex_index) v: u32) -> @builtin(position) vec4<f32> {
    return vec4<f32>(f32(v & 1u) * 4.0 - 1.0, f32(v >> 1u) * 4.0 - 1.0, 0.5, 1.0);
}
// A slope, for the depths that are compared with.
@vertex fn slope(@builtin(vertex_index) v: u32) -> @builtin(position) vec4<f32> {
    return vec4<f32>(f32(v & 1u) * 4.0 - 1.0, f32(v >> 1u) * 4.0 - 1.0, f32(v & 1u), 1.0);
}

@fragment fn plain() -> @location(0) vec4<f32> { return vec4<f32>(0.5); }
@fragment fn with_sines(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> { return vec4<f32>(sines(at.xy)); }
@fragment fn with_sines_by_sample(@builtin(position) at: vec4<f32>, @builtin(sample_index) s: u32) -> @location(0) vec4<f32> {
    return vec4<f32>(sines(at.xy + f32(s)));
}
// Seven lookups at one place, as the light map is looked up.
@fragment fn looked_up(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {
    var sum = vec4<f32>(0.0);
    for (var k = 0; k < 7; k++) { sum += textureSampleLevel(layers, smoothly, at.xy / SIDE, k, 0.0); }
    return sum;
}
fn texel_at(at: vec2<u32>, k: u32) -> vec4<f32> {
    let t = texels[(at.y * LAYER + at.x) * 7u + k];
    return vec4<f32>(unpack2x16float(t.x), unpack2x16float(t.y));
}
// The same seven from a buffer, of the nearest texel.
@fragment fn loaded(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {
    let to = min(vec2<u32>(at.xy / SIDE * f32(LAYER)), vec2<u32>(LAYER - 1u));
    var sum = vec4<f32>(0.0);
    for (var k = 0u; k < 7u; k++) { sum += texel_at(to, k); }
    return sum;
}
// The same, mixed of four texels.
@fragment fn loaded_smoothly(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {
    let p = max(at.xy / SIDE * f32(LAYER) - 0.5, vec2<f32>(0.0));
    let low = min(vec2<u32>(p), vec2<u32>(LAYER - 2u));
    let f = p - vec2<f32>(low);
    var sum = vec4<f32>(0.0);
    for (var k = 0u; k < 7u; k++) {
        let below = mix(texel_at(low, k), texel_at(low + vec2<u32>(1u, 0u), k), f.x);
        let above = mix(texel_at(low + vec2<u32>(0u, 1u), k), texel_at(low + vec2<u32>(1u, 1u), k), f.x);
        sum += mix(below, above, f.y);
    }
    return sum;
}
// Nine looks into a shadow map.
@fragment fn compared(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {
    let texel = 1.0 / vec2<f32>(textureDimensions(depths));
    var sum = 0.0;
    for (var k = 0; k < 9; k++) {
        let uv = at.xy / SIDE + vec2<f32>(f32(k % 3), f32(k / 3)) * texel;
        sum += textureSampleCompareLevel(depths, compare, uv, 1, 0.4);
    }
    return vec4<f32>(sum);
}

// The fragments' sines, a thread a pixel. What it writes it never does.
@compute @workgroup_size(64)
fn compute_sines(@builtin(global_invocation_id) id: vec3<u32>) {
    let side = u32(SIDE);
    let sum = sines(vec2<f32>(f32(id.x % side), f32(id.x / side + id.y)));
    if (sum > 1e6) { atomicMax(&sums[id.x], 1u); }
}
// A point a thread, as software would draw it.
@compute @workgroup_size(64)
fn compute_points(@builtin(global_invocation_id) id: vec3<u32>) {
    let at = vec2<u32>(somewhere(id.x + id.y * 0x10001u));
    atomicMax(&sums[at.y * u32(SIDE) + at.x], id.x);
}
