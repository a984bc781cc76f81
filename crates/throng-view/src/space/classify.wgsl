// Who is to be drawn, in the camera's picture and in each shadow map, and how tall they are on the screen.

@group(0) @binding(0) var<storage, read_write> characters: array<Character>;
@group(0) @binding(1) var<storage, read_write> living: array<Living>;
@group(0) @binding(2) var<storage, read> pyramid: array<f32>;
@group(0) @binding(3) var<uniform> levels: array<vec4<u32>, 16>;
// Low 8 bits: the bin of its height on the screen and 1, or 0 if the camera does not see it; bits 8 to 10: shadow maps; 11 to 13: its
// figure; from bit 14 on its chance, 10 bits; from bit 24 on the bin of its height, seen or not.
@group(0) @binding(4) var<storage, read_write> classes: array<u32>;
// How many the camera sees in each bin; then how many cast a shadow in each map.
@group(0) @binding(5) var<storage, read_write> bins: array<atomic<u32>>;

const BINS: u32 = 64u;
// Bins are quarters of an octave from half a pixel on.
const PER_OCTAVE: f32 = 4.0;
const LEAST: f32 = 0.5;
// A tenth more or less than a bin's ends leaves somebody in it: nobody flickers between two.
const HELD: f32 = 0.55;

var<workgroup> tally: array<atomic<u32>, 256>;

struct Bounds {
    low: vec2<f32>,
    high: vec2<f32>,
}

// The ends of a sphere's projection along one axis, exactly, with what is nearer than the near plane cut off: Mara and
// McGuire, 2D Polyhedral Bounds of a Clipped, Perspective-Projected 3D Sphere (2013). c is (along the axis, depth).
fn ends(c: vec2<f32>, r: f32, near: f32) -> vec2<f32> {
    let square = dot(c, c) - r * r;
    let holds_eye = square <= 0.0;
    let cut = c.y + r >= near;
    let k = sqrt(max(r * r - (near - c.y) * (near - c.y), 0.0));
    let v = vec2<f32>(sqrt(max(square, 0.0)), r) / max(length(c), 1e-9);
    var low = vec2<f32>(v.x * c.x + v.y * c.y, -v.y * c.x + v.x * c.y) * v.x;
    var high = vec2<f32>(v.x * c.x - v.y * c.y, v.y * c.x + v.x * c.y) * v.x;
    if (cut && (holds_eye || low.y > near)) { low = vec2<f32>(c.x - k, near); }
    if (cut && (holds_eye || high.y > near)) { high = vec2<f32>(c.x + k, near); }
    let a = low.x / -low.y;
    let b = high.x / -high.y;
    return vec2<f32>(min(a, b), max(a, b));
}

// Of a sphere before the near plane, in −1 to 1 across the picture.
fn bounds(c: vec3<f32>, r: f32) -> Bounds {
    let x = ends(c.xz, r, -space.eye.w) / space.half.x;
    let y = ends(c.yz, r, -space.eye.w) / space.half.y;
    return Bounds(vec2<f32>(x.x, y.x), vec2<f32>(x.y, y.y));
}

// Whether ground or buildings hide all of a sphere.
fn hidden(b: Bounds, nearest: f32) -> bool {
    // A pixel more on all sides: pictures are rounded otherwise than this is.
    let from_ = (vec2<f32>(b.low.x, -b.high.y) * 0.5 + 0.5) * space.screen - 1.0;
    let to = (vec2<f32>(b.high.x, -b.low.y) * 0.5 + 0.5) * space.screen + 1.0;
    let low = vec2<u32>(clamp(from_, vec2<f32>(0.0), space.screen - 1.0));
    let high = vec2<u32>(clamp(to, vec2<f32>(0.0), space.screen - 1.0));
    let across = max(high.x - low.x, high.y - low.y) + 1u;
    let level = clamp(32u - countLeadingZeros(across), 1u, space.levels);
    let l = levels[level];
    let first = low >> vec2<u32>(level);
    let last = min(high >> vec2<u32>(level), l.yz - 1u);
    for (var y = first.y; y <= last.y; y++) {
        for (var x = first.x; x <= last.x; x++) {
            if (pyramid[l.x + y * l.y + x] <= nearest) { return false; }
        }
    }
    return true;
}

fn in_camera(middle: vec3<f32>, r: f32) -> bool {
    let c = (space.view * vec4<f32>(middle, 1.0)).xyz;
    // All of it behind the near plane.
    if (c.z - r >= -space.eye.w) { return space.frustum == 0u; }
    // It holds the near plane, or part of it: nothing can hide it, and its bounds would be those of the cut.
    let cut = c.z + r >= -space.eye.w;
    let b = bounds(c, r);
    let slack = 2.0 / space.screen;
    let beside = any(b.high < -1.0 - slack) || any(b.low > 1.0 + slack);
    if (space.frustum == 1u && beside) { return false; }
    if (space.occlusion == 0u || cut || beside) { return true; }
    // Depth rounds in its last bits: what is as near as the ground to within these is not behind it.
    return !hidden(b, space.eye.w / -(c.z + r) * 1.0001);
}

fn in_cascade(k: u32, middle: vec3<f32>, r: f32) -> bool {
    let c = space.cascades[k] * vec4<f32>(middle, 1.0);
    // The map is a square box: one length in it is the same across and along. Who is towards the sun from it counts too.
    let m = r * length(vec3<f32>(space.cascades[k][0].x, space.cascades[k][1].x, space.cascades[k][2].x));
    return all(abs(c.xy) <= vec2<f32>(1.0 + m));
}

fn bin_of(pixels: f32, seen: u32) -> u32 {
    let at = PER_OCTAVE * log2(max(pixels, LEAST) / LEAST);
    if (seen > 0u) {
        let before = f32(seen - 1u);
        if (at > before - HELD && at < before + 1.0 + HELD) { return seen - 1u; }
    }
    return min(u32(at), BINS - 1u);
}

// Whether it is drawn where only a share of those alike are: of any run of ids that share is spread evenly.
fn chance_of(id: u32) -> u32 { return reverseBits(id) >> 22u; }

// Columns turn people round step by step, and a step is longer than a frame: in so long they are shown to turn, s.
const TURNS: f32 = 0.06;

// A direction as one of 65,535 from 1 on.
fn angle_of(way: vec2<f32>) -> u32 {
    let turn = atan2(way.y, way.x) / 6.2831853;
    return u32(fract(turn + 1.0) * 65535.0) % 65535u + 1u;
}

fn way_of_angle(angle: u32) -> vec2<f32> {
    let turn = (f32(angle) - 0.5) / 65535.0 * 6.2831853;
    return vec2<f32>(cos(turn), sin(turn));
}

// Which way somebody is shown to face, who faced another way in the frame before (0 if that is not known): where no time has passed, the same.
fn turned(towards: vec2<f32>, before: u32) -> u32 {
    if (before == 0u) { return angle_of(towards); }
    if (space.elapsed <= 0.0) { return before; }
    let was = way_of_angle(before);
    let turn = atan2(was.x * towards.y - was.y * towards.x, dot(was, towards)) * (1.0 - exp(-space.elapsed / TURNS));
    return angle_of(vec2<f32>(was.x * cos(turn) - was.y * sin(turn), was.x * sin(turn) + was.y * cos(turn)));
}

@compute @workgroup_size(256)
fn classify(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let i = (group.y * groups.x + group.x) * 256u + lane;
    atomicStore(&tally[lane], 0u);
    workgroupBarrier();
    var word = 0u;
    if (i < space.agents && characters[i].size > 0.0) {
        let who = characters[i];
        let is_known = who.id < arrayLength(&living);
        var seen = 0u;
        var rested = 0u;
        if (is_known) {
            let before = living[who.id].seen;
            seen = before & 0xffu;
            rested = (before >> 8u) & 0xffu;
            let angle = turned(unpack2x16snorm(who.heading), before >> 16u);
            characters[i].heading = pack2x16snorm(way_of_angle(angle));
            living[who.id].seen = angle << 16u;
        }
        let tip = unpack2x16snorm(who.up);
        let up = vec3<f32>(tip, sqrt(max(1.0 - dot(tip, tip), 0.0)));
        // Whichever way it faces, and as large as the individual is.
        let it = variation_of(who.id);
        let size = who.size * it.size;
        let figure = (who.colour >> 24u) & 7u;
        let ball = space.figures[figure];
        let middle = who.place + up * (ball.x * size);
        let r = size * (ball.y * max(it.girth, 1.0) + ball.z * it.girth);
        let away = max(distance(middle, space.eye.xyz), space.eye.w);
        let pixels = space.tall * size * 0.5 * space.screen.y / (space.half.y * away);
        // Shadows do not depend on who is seen.
        let at_rest = bin_of(pixels, rested);
        if (is_known) { living[who.id].seen |= (at_rest + 1u) << 8u; }
        word = (chance_of(who.id) << 14u) | (figure << 11u) | (at_rest << 24u);
        if (in_camera(middle, r)) {
            let bin = bin_of(pixels, seen);
            if (is_known) { living[who.id].seen |= bin + 1u; }
            word |= bin + 1u;
            characters[i].light = pack_reaching(reaching(who.place.xy));
            atomicAdd(&tally[bin], 1u);
        }
        if (space.sun.w > 0.0) {
            for (var k = 0u; k < 3u; k++) {
                if (in_cascade(k, middle, r)) {
                    word |= 1u << (8u + k);
                    atomicAdd(&tally[(k + 1u) * BINS + at_rest], 1u);
                }
            }
        }
    }
    if (i < space.agents) { classes[i] = word; }
    workgroupBarrier();
    let sum = atomicLoad(&tally[lane]);
    if (sum > 0u) { atomicAdd(&bins[lane], sum); }
}
