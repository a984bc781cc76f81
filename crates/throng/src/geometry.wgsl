// Segments and shapes of geometry.rs. A segment is a vec4: both ends. Shapes lie in the buffer `world`: a record (kind,
// where, count, -) and its data.

// A record of `world` that holds numbers: they are kept as bits of integers, which no device rounds or flushes.
fn numbers(at: u32) -> vec4<f32> { return bitcast<vec4<f32>>(world[at]); }

fn closest(s: vec4<f32>, p: vec2<f32>) -> vec2<f32> {
    let along = s.zw - s.xy;
    let square = dot(along, along);
    if (square <= 0.0) { return s.xy; }
    return s.xy + along * clamp(dot(p - s.xy, along) / square, 0.0, 1.0);
}

fn crosses(s: vec4<f32>, p: vec2<f32>, q: vec2<f32>) -> bool {
    let along = s.zw - s.xy;
    let way = q - p;
    let side_p = cross2(along, p - s.xy);
    let side_q = cross2(along, q - s.xy);
    if ((side_p > 0.0 && side_q > 0.0) || (side_p < 0.0 && side_q < 0.0)) { return false; }
    let side_a = cross2(way, s.xy - p);
    let side_b = cross2(way, s.zw - p);
    if ((side_a > 0.0 && side_b > 0.0) || (side_a < 0.0 && side_b < 0.0)) { return false; }
    if (side_p == 0.0 && side_q == 0.0) {
        let low = min(p, q);
        let high = max(p, q);
        return all(low <= max(s.xy, s.zw)) && all(min(s.xy, s.zw) <= high);
    }
    return true;
}

const RECT: u32 = 0u;
const CIRCLE: u32 = 1u;
const POLYGON: u32 = 2u;

fn shape_contains(record: vec4<u32>, p: vec2<f32>) -> bool {
    let data = numbers(record.y);
    if (record.x == RECT) { return all(p >= data.xy) && all(p < data.zw); }
    if (record.x == CIRCLE) {
        let away = p - data.xy;
        return dot(away, away) < data.z * data.z;
    }
    if (record.x != POLYGON) { return false; }
    var inside = false;
    let last = numbers(record.y + (record.z - 1u) / 2u);
    var b = select(last.xy, last.zw, ((record.z - 1u) & 1u) == 1u);
    for (var i = 0u; i < record.z; i++) {
        let pair = numbers(record.y + i / 2u);
        let a = select(pair.xy, pair.zw, (i & 1u) == 1u);
        if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x)) { inside = !inside; }
        b = a;
    }
    return inside;
}
