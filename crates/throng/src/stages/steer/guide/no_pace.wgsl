// In a crowd where nobody lives by states.
fn lives(own: vec4<u32>) -> bool { return false; }
fn pace(own: vec4<u32>) -> f32 { return 1.0; }
