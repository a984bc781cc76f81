// How far a goal is in a straight line: world/nearest.rs. Needs `world`.

// Rectangles of a group, behind what is around them.
const TOGETHER: u32 = 8u;

fn square_to(rect: vec4<f32>, p: vec2<f32>) -> f32 {
    let away = max(max(rect.xy - p, p - rect.zw), vec2<f32>(0.0));
    return dot(away, away);
}

// A place in the nearest cell of a goal within so many metres, and 1; else 0. Only of one where people can arrive, if `to_open`.
fn nearest_within(goal: u32, p: vec2<f32>, metres: f32, to_open: bool) -> vec3<f32> {
    if (goal >= params.goals) { return vec3<f32>(0.0); }
    let at = params.nearest + 2u * goal;
    let list = world[at];
    if (list.y == 0u || (to_open && list.z != 0u)) { return vec3<f32>(0.0); }
    var least = metres * metres;
    if (square_to(bitcast<vec4<f32>>(world[at + 1u]), p) > least) { return vec3<f32>(0.0); }
    var best = vec4<f32>(0.0);
    var found = false;
    for (var k = 0u; k < list.y; k++) {
        let group = params.nearest + list.x + k * (TOGETHER + 1u);
        if (square_to(bitcast<vec4<f32>>(world[group]), p) > least) { continue; }
        for (var r = 1u; r <= TOGETHER; r++) {
            let rect = bitcast<vec4<f32>>(world[group + r]);
            let far = square_to(rect, p);
            if (far < least || (!found && far == least)) {
                least = far;
                best = rect;
                found = true;
            }
        }
    }
    if (!found) { return vec3<f32>(0.0); }
    let margin = 0.25 * params.cell;
    return vec3<f32>(clamp(p, best.xy + margin, best.zw - margin), 1.0);
}
