// Triangles become samples in compute shaders: workgroup.wgsl puts them on the screen and goes through their pixels, large.wgsl through those of large
// ones; here is what happens in a pixel.
//
// Triangles with many pixels around them are put on a list, which large.wgsl takes apart: one workgroup would be busy with them for long.
//
// Comes after skin.wgsl and samples.wgsl. Whoever includes it says what a triangle is made of: the part in the lowest byte, then the tints of its corners.
//   fn looks_of(triangle: u32) -> u32

// How many large triangles there are and how many jobs; then the triangles, WORDS each; then jobs: a triangle, and which of its pixels come first. Then
// the pyramid of depths, of what was there when it was made last: pyramid.wgsl's.
@group(3) @binding(2) var<storage, read_write> large: array<atomic<u32>>;
@group(3) @binding(3) var<uniform> levels: array<vec4<u32>, 16>;

// Threads of a workgroup.
const WIDE: u32 = 64u;
// Large triangles that there is room for, and jobs.
const LARGE: u32 = 131072u;
const JOBS: u32 = 262144u;
const LARGE_AT: u32 = 64u;
const WORDS: u32 = 20u;
const JOBS_AT: u32 = LARGE_AT + WORDS * LARGE;
const PYRAMID_AT: u32 = JOBS_AT + 2u * JOBS;
// Pixels of a job at most.
const JOB: u32 = 2048u;
// Whose it is, and its level of detail.
var<private> agent: u32;
var<private> level: u32;

// Edges are so wide where they are all that is drawn, half of it, px.
const THIN: f32 = 0.6;

// From one corner to another. Triangles on both sides of it compute the same bits, whichever way they go along it, and a sample on it belongs to
// the one with the positive sign: nothing opens between them and nothing is drawn twice.
struct Edge {
    from_: vec2<f32>,
    along: vec2<f32>,
    sign: f32,
}

fn edge(a: vec2<f32>, b: vec2<f32>) -> Edge {
    let back = b.x < a.x || (b.x == a.x && b.y < a.y);
    let first = select(a, b, back);
    return Edge(first, select(b, a, back) - first, select(1.0, -1.0, back));
}

// Twice the area of the triangle with this edge and a point: positive inside.
fn area(e: Edge, p: vec2<f32>) -> f32 {
    let from_ = p - e.from_;
    return e.sign * fma(e.along.x, from_.y, -(e.along.y * from_.x));
}

struct Corners {
    a: vec2<f32>,
    b: vec2<f32>,
    c: vec2<f32>,
    depths: vec3<f32>,
    normals: vec3<u32>,
    twice: f32,         // its area: positive if it faces the eye
}

// Of points on the screen: x and y, px; depth, or −1 for what is nearer than the near plane; the normal, packed.
fn corners_at(p: vec4<u32>, q: vec4<u32>, r: vec4<u32>) -> Corners {
    var t: Corners;
    t.a = bitcast<vec2<f32>>(p.xy);
    t.b = bitcast<vec2<f32>>(q.xy);
    t.c = bitcast<vec2<f32>>(r.xy);
    t.depths = bitcast<vec3<f32>>(vec3<u32>(p.z, q.z, r.z));
    t.normals = vec3<u32>(p.w, q.w, r.w);
    // On the screen y goes down: what faces the eye goes round the other way.
    t.twice = fma(t.c.x - t.a.x, t.b.y - t.a.y, -((t.c.y - t.a.y) * (t.b.x - t.a.x)));
    return t;
}

// A triangle with what is the same for all its pixels.
struct Triangle {
    corners: Corners,
    // Opposite its corners.
    e0: Edge,
    e1: Edge,
    e2: Edge,
    // Where edges alone are drawn those of far sides, too, which go round the other way: −1.
    turn: f32,
    over: f32,
    // Samples on which edges are not its own.
    others: vec3<bool>,
}

fn ready(t: Corners) -> Triangle {
    let turn = select(1.0, -1.0, t.twice < 0.0);
    let e0 = edge(t.c, t.b);
    let e1 = edge(t.a, t.c);
    let e2 = edge(t.b, t.a);
    return Triangle(t, e0, e1, e2, turn, 1.0 / abs(t.twice), vec3<f32>(e0.sign, e1.sign, e2.sign) * turn < vec3<f32>(0.0));
}

fn areas(it: Triangle, p: vec2<f32>) -> vec3<f32> { return it.turn * vec3<f32>(area(it.e0, p), area(it.e1, p), area(it.e2, p)); }

fn plot(it: Triangle, number: u32, pixel: vec2<u32>) {
    let t = it.corners;
    let first = first_sample(pixel);
    var mine = 0u;
    var middle = vec3<f32>(0.0);
    for (var s = 0u; s < 4u; s++) {
        let p = vec2<f32>(pixel) + SAMPLES[s];
        let e = areas(it, p);
        if (any(e < vec3<f32>(0.0)) || any((e == vec3<f32>(0.0)) & it.others)) { continue; }
        if (draw_of.edges == 1u) {
            if (all(e > THIN * vec3<f32>(length(it.e0.along), length(it.e1.along), length(it.e2.along)))) { continue; }
        }
        let flat_ = fma(e.y * it.over, t.depths.y - t.depths.x, fma(e.z * it.over, t.depths.z - t.depths.x, t.depths.x));
        let least = min(min(t.depths.x, t.depths.y), t.depths.z);
        let most = max(max(t.depths.x, t.depths.y), t.depths.z);
        if (reaches(first + s, clamp(flat_, least, most))) {
            mine |= 1u << s;
            middle += vec3<f32>(p, 1.0);
        }
    }
    if (mine == 0u) { return; }
    // Once for all its samples in a pixel, in their middle.
    let p = middle.xy / middle.z;
    let flat_ = max(areas(it, p), vec3<f32>(0.0)) * it.over;
    let depth = dot(flat_, t.depths) / max(flat_.x + flat_.y + flat_.z, 1e-9);
    let weights = flat_ * t.depths / max(dot(flat_, t.depths), 1e-20);
    let normal = weights.x * unpack_way(t.normals.x) + weights.y * unpack_way(t.normals.y) + weights.z * unpack_way(t.normals.z);
    let looks = looks_of(number);
    let tint = dot(weights, unpack4x8unorm(looks).yzw);
    colour_samples(first, mine, skin(characters[agent], level, looks & 0xffu, tint, normal / max(length(normal), 1e-6), place_at(p, depth)));
}
