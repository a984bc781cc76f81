// Separate: rounds that push bodies apart: see mod.rs. A body is (position, radius, whether a wall may be near).

@group(0) @binding(1) var<storage, read> journey: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> starts: array<u32>;
@group(0) @binding(3) var<storage, read> world: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read> before: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read> bodies: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read> masks: array<vec2<u32>>;
@group(0) @binding(7) var<storage, read_write> bodies_next: array<vec4<f32>>;
// Whose headings say who is behind, where the steering asks for it.
@group(0) @binding(8) var<storage, read> body: array<vec4<u32>>;

const OVERSHOOT: f32 = 1.6;
const YIELDING: f32 = 0.25;

// Two at the very same place part along a random line: the two see it from opposite ends.
fn tie(i: u32, j: u32, round: u32) -> vec2<f32> {
    let a = journey[i].x;
    let b = journey[j].x;
    let word = draw(params.seed, min(a, b), TIE, params.step * 128u + round).x ^ (max(a, b) * 0x9E3779B9u);
    let angle = unit(word) * 6.2831853;
    let way = vec2<f32>(cos(angle), sin(angle));
    return select(-way, way, a < b);
}

// What one neighbour asks of us: the push, and whether it is one.
fn asked(p: vec2<f32>, r: f32, i: u32, j: u32, round: u32) -> vec3<f32> {
    let other = bodies[j];
    let apart = p - other.xy;
    let touch = r + other.z;
    let away = length(apart);
    let deep = max(touch - away, 0.0);
    if (deep <= 0.0) { return vec3<f32>(0.0); }
    var share = 0.5;
    if (params.yields != 0u) {
        let facing = heading_of(body[i]) + heading_of(body[j]);
        share = clamp(0.5 - YIELDING * dot(facing, apart / max(away, 1e-6)), 0.0, 1.0);
    }
    var push = apart * (share * deep / max(away, 1e-6));
    if (away < 1e-6) { push += tie(i, j, round) * (0.5 * deep); }
    return vec3<f32>(push, 1.0);
}

@compute @workgroup_size(128)
fn push_apart(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
              @builtin(local_invocation_index) lane: u32) {
    let i = item(group, groups, lane, 128u);
    if (i >= floor_count()) { return; }
    let own = bodies[i];
    let origin = before[i];
    let p = own.xy;
    let near_wall = own.w != 0.0;
    var sum = vec3<f32>(0.0);
    let mask = masks[i];
    let w = window(origin.xy);
    if (any(mask != LOOK_AT_ALL)) {
        // Bit k of the mask is the k-th candidate of the window, row by row.
        var base = 0u;
        for (var y = w.low.y; y <= w.high.y && base < 64u; y++) {
            let range = run(w, y);
            let n = range.y - range.x;
            for (var word = base / 32u; word < 2u && word * 32u < base + n; word++) {
                let begin = max(base, word * 32u);
                let end = min(base + n, word * 32u + 32u);
                var bits = select(mask.y, mask.x, word == 0u) >> (begin & 31u);
                bits &= select((1u << ((end - begin) & 31u)) - 1u, 0xffffffffu, end - begin == 32u);
                while (bits != 0u) {
                    let bit = firstTrailingBit(bits);
                    bits &= bits - 1u;
                    sum += asked(p, own.z, i, range.x + begin - base + bit, round.number);
                }
            }
            base += n;
        }
    } else {
        var found = 0u;
        for (var y = w.low.y; y <= w.high.y; y++) {
            let range = run(w, y);
            for (var k = range.x; k < range.y && found < MOST_NEIGHBOURS; k++) {
                let j = candidate(k);
                let other = before[j];
                if (j == i || !is_neighbour(origin, other)) { continue; }
                found++;
                if (!near_wall || sees(origin.xy, other.xy)) { sum += asked(p, own.z, i, j, round.number); }
            }
        }
    }
    if (sum.z == 0.0) {
        // Untouched: but a wall may still have to be kept from (it may have closed just now).
        bodies_next[i] = vec4<f32>(p, own.zw);
        if (near_wall) { bodies_next[i] = vec4<f32>(slide(p, p, own.z), own.zw); }
        return;
    }
    var push = sum.xy;
    if (sum.z > 2.0) { push *= OVERSHOOT / sum.z; }
    // Neighbours were found for agents that stray less than a stride from where they were.
    let strayed = p + push - origin.xy;
    let far = dot(strayed, strayed);
    var to = p + push;
    if (far > params.stride * params.stride) { to = origin.xy + strayed * (params.stride / sqrt(far)); }
    if (near_wall) { to = slide(p, to, own.z); }
    bodies_next[i] = vec4<f32>(to, own.zw);
}
