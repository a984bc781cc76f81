// Where somebody heads for that has a point of its own.

// Who is so near to its place stands: stages/live/waiting.rs.
const STANDS: f32 = 0.15;

@group(0) @binding(8) var<storage, read> point: array<vec2<f32>>;

fn heads_for_point(own: vec4<u32>) -> bool { return goal_of(own) == POINT; }
fn walks(i: u32, own: vec4<u32>, p: vec2<f32>) -> bool {
    if (state_of(own) == STAYING) { return distance(point[i], p) > STANDS; }
    return state_of(own) == WALKING;
}
fn point_of(i: u32) -> vec2<f32> { return point[i]; }
