// Where everybody has been: a ribbon for each, in the colour of its group, fainter the longer ago. An instance for every id and moment, from there to the
// next, the last of them to where it is now: some pieces of a smooth curve through all of them (Catmull and Rom).

@group(1) @binding(0) var<storage, read> trails: array<vec2<f32>>;
@group(1) @binding(1) var<storage, read> present: array<vec4<f32>>;

const ABSENT_BELOW: f32 = -1.0e8;
// Opacity of the oldest, as a share of the newest's.
const OLDEST: f32 = 0.3;
// How wide, m, and the limits of that, px.
const WIDTH: f32 = 0.1;
const LEAST_WIDTH: f32 = 1.6;
const MOST_WIDTH: f32 = 5.0;
const PIECES: u32 = 3u; // as in mod.rs

struct Ribbon {
    @builtin(position) at: vec4<f32>,
    @location(0) colour: vec4<f32>,
    // Pixels from the middle of the ribbon.
    @location(1) across: f32,
}

// A place in pixels; and whether there was one.
fn moment(id: u32, k: u32) -> vec3<f32> {
    if (k > view.slots) { return vec3<f32>(0.0); }
    var p = present[id].xy;
    if (k < view.slots) { p = trails[k * view.known + id]; }
    return vec3<f32>(to_view(p), select(1.0, 0.0, p.x < ABSENT_BELOW));
}

// Whether somebody walked from one place to the next, and did not come in elsewhere.
fn is_walk(a: vec3<f32>, b: vec3<f32>) -> bool {
    return a.z > 0.0 && b.z > 0.0 && distance(a.xy, b.xy) < view.jump * view.scale;
}

// Where places are unevenly far apart a derivative much longer than the way itself would make a loop.
fn no_longer(derivative: vec2<f32>, way: vec2<f32>) -> vec2<f32> {
    return derivative * min(1.0, 1.5 * length(way) / max(length(derivative), 1e-6));
}

@vertex fn ribbon(@builtin(vertex_index) v: u32, @builtin(instance_index) n: u32) -> Ribbon {
    let id = n % view.known;
    let k = n / view.known;
    let a = moment(id, k);
    let b = moment(id, k + 1u);
    var out: Ribbon;
    out.at = NOWHERE;
    if (!is_walk(a, b) || distance(a.xy, b.xy) < 1e-2) { return out; }
    // The curve's derivative where it begins and ends: by the places before and after, if they belong to the same walk.
    var leaving = b.xy - a.xy;
    var arriving = leaving;
    if (k > 0u) {
        let before = moment(id, k - 1u);
        if (is_walk(before, a)) { leaving = no_longer(0.5 * (b.xy - before.xy), leaving); }
    }
    let after = moment(id, k + 2u);
    if (is_walk(b, after)) { arriving = no_longer(0.5 * (after.xy - a.xy), arriving); }
    let corner = corner_of(v);
    let t = (f32(v / 6u) + 0.5 + 0.5 * corner.x) / f32(PIECES);
    let d = b.xy - a.xy;
    let bend = 3.0 * d - 2.0 * leaving - arriving;
    let twist = leaving + arriving - 2.0 * d;
    let middle = a.xy + t * (leaving + t * (bend + t * twist));
    var along = leaving + t * (2.0 * bend + 3.0 * t * twist);
    if (length(along) < 1e-3) { along = d; }
    along = normalize(along);
    let half = 0.5 * clamp(WIDTH * view.scale, LEAST_WIDTH, MOST_WIDTH) + 0.5;
    out.across = corner.y * half;
    out.at = to_clip(middle + vec2<f32>(-along.y, along.x) * out.across);
    let age = (f32(k) + t) / f32(max(view.slots, 1u));
    out.colour = vec4<f32>(palette[KINDS_AT + u32(present[id].z) % KINDS].rgb, view.ribbons * mix(OLDEST, 1.0, age));
    return out;
}

@fragment fn draw_ribbon(in: Ribbon) -> @location(0) vec4<f32> {
    let half = 0.5 * clamp(WIDTH * view.scale, LEAST_WIDTH, MOST_WIDTH);
    let alpha = in.colour.a * clamp(half + 0.5 - abs(in.across), 0.0, 1.0);
    return vec4<f32>(in.colour.rgb * alpha, alpha);
}
