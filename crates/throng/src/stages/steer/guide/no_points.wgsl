// In a crowd where nobody has a point of its own.

fn heads_for_point(own: vec4<u32>) -> bool { return false; }
fn walks(i: u32, own: vec4<u32>, p: vec2<f32>) -> bool { return state_of(own) == WALKING; }
fn way_to_point(i: u32, own: vec4<u32>, p: vec2<f32>, heading: vec2<f32>) -> vec2<f32> { return vec2<f32>(0.0); }
fn point_of(i: u32) -> vec2<f32> { return vec2<f32>(0.0); }
