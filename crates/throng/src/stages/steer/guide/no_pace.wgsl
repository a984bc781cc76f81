// In a crowd where nobody lives by states.
fn pace(own: vec4<u32>) -> f32 { return 1.0; }
