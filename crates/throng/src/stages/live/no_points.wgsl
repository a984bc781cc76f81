// In a crowd where nobody has a point of its own.

fn heads_for_point(own: vec4<u32>) -> bool { return false; }
fn is_at_point(i: u32, own: vec4<u32>) -> bool { return false; }
fn stays(own: vec4<u32>) -> bool { return false; }
fn may_stay(own: vec4<u32>) -> bool { return false; }
fn begin_leg(i: u32, own: vec4<u32>, next: vec4<u32>) {}
fn forget_point(i: u32) {}

@compute @workgroup_size(1)
fn set_out() {}

@compute @workgroup_size(1)
fn take_places() {}
