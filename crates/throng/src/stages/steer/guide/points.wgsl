// Where somebody heads for that has a point of its own.

@group(0) @binding(8) var<storage, read> point: array<vec2<f32>>;

fn heads_for_point(own: vec4<u32>) -> bool { return goal_of(own) == POINT; }
fn point_of(i: u32) -> vec2<f32> { return point[i]; }
