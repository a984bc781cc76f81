// In a scene where every goal holds any number.
fn is_refused(own: vec4<u32>) -> bool { return false; }
