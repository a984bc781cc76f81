// Live, for those who head for points of their own. See world/points.rs.

// Who is so near to its place stands: waiting.rs.
const STANDS: f32 = 0.15;

@group(0) @binding(7) var<storage, read_write> point: array<vec2<f32>>;

fn heads_for_point(own: vec4<u32>) -> bool { return goal_of(own) == POINT; }

fn is_at_point(i: u32, own: vec4<u32>) -> bool {
    let near = goal_distance(group_of(own));
    let away = motion[i].xy - point[i];
    return dot(away, away) <= near * near;
}

// Whether somebody waits at a goal, at a place of its own; and whether it does so where it has arrived now.
fn stays(own: vec4<u32>) -> bool { return state_of(own) == STAYING; }
fn may_stay(own: vec4<u32>) -> bool { return !heads_for_point(own); }

// Somebody that was on its way (or at its goal) begins the leg `next`.
fn begin_leg(i: u32, own: vec4<u32>, next: vec4<u32>) {
    if (next.x != POINT) { return; }
    var before = motion[i].xy;
    if (heads_for_point(own)) { before = point[i]; }
    point[i] = choose_point(own, next.w, before, radius_of(body[i]));
}

fn forget_point(i: u32) { point[i] = vec2<f32>(-1.0); }

// After the entries: who has just come in has no point yet, and faces nowhere.
@compute @workgroup_size(256)
fn set_out(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
           @builtin(local_invocation_index) lane: u32) {
    let i = item(group, groups, lane, 256u);
    if (i >= params.agents) { return; }
    let own = journey[i];
    if (!on_floor(own) || !heads_for_point(own) || point[i].x >= 0.0) { return; }
    let p = motion[i].xy;
    let first = leg(rules_of(group_of(own)), leg_of(own));
    let to = choose_point(own, first.w, p, radius_of(body[i]));
    point[i] = to;
    var facing = unit_or_zero(to - p);
    if (facing.x == 0.0 && facing.y == 0.0) { facing = vec2<f32>(1.0, 0.0); }
    body[i].x = pack2x16snorm(facing);
}
